"""Lines of delimiters alone at the end: DuckDB and the row reader count the same cases, and tell the same gaps."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import howsure as hs
from howsure.io import read

CASES = "true,pred,site\na,a,x\na,b,x\nb,b,y\nb,a,y\n"
WITH_GAP = CASES.replace("\nb,b", "\n,,\nb,b")
WEIGHTED = "true,pred,weight\na,a,2\nb,b,1\n"
END = ',,\n"","",""\n\n , ,\t\n,,'


def told(path: Path, **keywords: object) -> tuple[object, ...]:
    counts = hs.count(path, **keywords)  # type: ignore[arg-type]
    return counts.confusion().counts.tolist(), counts.read, list(map(str, counts.set_aside))


@pytest.mark.sweep(3, full=8)
@pytest.mark.parametrize(
    ("text", "keywords", "aside", "packed"),
    [
        (CASES, {"by": "site"}, [], True),
        (WITH_GAP, {}, ["1 row: no true class ({}, row 3)"], False),
        (WEIGHTED, {"weight": "weight"}, [], False),
    ],
)
def test_lines_of_delimiters_are_no_rows_to_the_engine(
    text: str,
    keywords: dict[str, object],
    aside: list[str],
    packed: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "x.csv"
    content = (text + END).encode()
    path.write_bytes(gzip.compress(content) if packed else content)
    by_rows = told(path, **keywords)
    monkeypatch.setattr("howsure.io.table.LARGE", -1)
    assert told(path, **keywords) == by_rows
    assert by_rows[2] == [one.format(path) for one in aside]


@pytest.mark.parametrize("line", ['"",""', "\u00a0,\f"])
def test_blank_cells_above_the_header_are_skipped_by_both(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.csv"
    path.write_text(f"{line}\ntrue,pred\na,a\na,b\nb,b\n")
    for large in (2**20, -1):
        monkeypatch.setattr("howsure.io.table.LARGE", large)
        # 'true' and 'pred' as labels: a header that were counted would be a case
        assert hs.count(path, labels=["a", "b", "true", "pred"]).n == 3
    assert read(path).confusion.n == 3
