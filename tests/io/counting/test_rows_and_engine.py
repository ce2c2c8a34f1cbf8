"""What the row reader and the engine for large files have to say alike, of tables that are easily read apart."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure.errors import HowsureError, InvalidFile
from howsure.io import read

pytest.importorskip("duckdb")

ENGINE = pytest.mark.parametrize("large", [2**62, -1], ids=["rows", "engine"])


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], str]:
    """Write a table, and give its name."""
    monkeypatch.chdir(tmp_path)

    def written(data: bytes, name: str = "x.csv") -> str:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(data)
        return name

    return written


@pytest.mark.full
@ENGINE
def test_the_header_is_no_case_whatever_ends_its_line(table: Any, monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr("howsure.io.table.LARGE", large)
    for before, end in ((b"", b"\n"), (b"", b"\r"), (b"\n", b"\r\n"), (b"sep=,\n", b"\r"), (b"sep=,\n", b"\r\n")):
        path = table((before + b"y_true,y_pred\na,a\na,b\nb,b\n").replace(b"\n", end))
        assert hs.count(path).confusion().counts.tolist() == [[1, 1], [0, 1]]
        assert read(path).confusion.counts.tolist() == [[1, 1], [0, 1]]


@ENGINE
def test_a_second_header_is_no_case(table: Any, monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr("howsure.io.table.LARGE", large)
    path = table(b"True,Pred\na,a\na,b\nb,b\nTrue,Pred\nb,b\n")
    for ask in (hs.count, read):
        with pytest.raises(InvalidFile, match="line 5: the header comes a second time"):
            ask(path)
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"y_true": ["a", "y_true", "b"], "y_pred": ["a", "y_pred", "a"]})
    for ask in (hs.count, read):
        with pytest.raises(HowsureError, match="the header comes a second time"):
            ask(frame)


@ENGINE
def test_a_header_with_a_blank_end_in_a_named_folder(table: Any, monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr("howsure.io.table.LARGE", large)
    table(b"y_true,y_pred,\na,a,\nb,a,\n", "d/site=x/p.csv")
    table(b"y_true,y_pred,\nb,b,\n", "d/site=y/p.csv")
    counts = hs.count("d", by="site")
    assert counts.groups == (("x",), ("y",))
    assert counts.n == 3
