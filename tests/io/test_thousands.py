"""Thousands set apart in counts: read where it is certain, told where it was inferred, refused where nobody knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import howsure as hs
from howsure import io
from howsure.errors import HowsureError, InvalidFile

COUNTS = [[1245, 5], [8, 4200]]


def read(folder: Path, text: str) -> Any:
    path = folder / "counts.tsv"
    path.write_text(text, encoding="utf-8")
    return io.read(path, rows="true")


def table(sign: str, names: bool) -> str:
    cells = [[f"{n:,}".replace(",", sign) for n in row] for row in COUNTS]
    if not names:
        return "\n".join("\t".join(row) for row in cells)
    return "\n".join(
        ["true\\pred\tno\tyes", *("\t".join([name, *row]) for name, row in zip(["no", "yes"], cells, strict=True))]
    )


SIGNS = [" ", "\u00a0", "\u202f", "'", "\u2019", ",", "."]


# a point without names is refused, see below
@pytest.mark.parametrize(
    ("sign", "names"), [*((sign, True) for sign in SIGNS), *((sign, False) for sign in SIGNS[:-1])]
)
def test_thousands_of_several_countries(tmp_path: Path, sign: str, names: bool) -> None:
    found = read(tmp_path, table(sign, names))
    assert found.confusion.counts.tolist() == COUNTS
    told = [note for note in found.notes if "sets thousands apart" in note]
    assert len(told) == (sign in ",.")
    assert all(f"'1{sign}245' was read as 1245" in note for note in told)


@pytest.mark.sweep(1, full=6)
@pytest.mark.parametrize(
    "text",
    [
        "1.245\t3.000\n8.125\t4.200",  # three digits behind every sign: nobody knows
        "1,245\t5\n8\t0,5",
        "1.245\t5\n8\t4.2",
        "1.245\t5\n8\t4,200",
        "1,245\t5\n8\t12000",  # thousands without the sign
        "0.245\t5\n8\t7",
    ],
)
def test_what_may_be_a_fraction_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidFile, match=r"fraction|comma"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "1.000\t2\n0\t26",
        "1\t2\n1.000\t26",
        "true\tpred\tcount\na\ta\t12.000\nb\tb\t250",
        "name\ttp\tfn\tfp\ttn\nours\t1.000\t5\t8\t92",
        "true\\pred\ta\tb\na\t1.000\t3.000\nb\t2.000\t4.000",
    ],
)
def test_a_thousand_is_not_taken_for_one(tmp_path: Path, text: str) -> None:
    with pytest.raises(InvalidFile, match=r"holds '1?[12]\.000', which is 12? with decimals or 12?,000 with a point"):
        read(tmp_path, text)


@pytest.mark.parametrize("engine", ["polars", "pandas", None])
def test_an_engine_takes_no_thousand_for_one(tmp_path: Path, engine: str | None) -> None:
    cells = {"true": ["a", "b"], "pred": ["a", "b"], "count": ["12.000", "7"]}
    frames = pytest.importorskip(engine) if engine else None
    with pytest.raises(HowsureError, match=r"12\.000"):
        hs.count(cells if frames is None else frames.DataFrame(cells))
    assert hs.count({**cells, "count": [12.0, 7.0]}).confusion().n == 19


def test_a_large_file_takes_no_thousand_for_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    monkeypatch.setattr("howsure.io.table.LARGE", 10)
    path = tmp_path / "counts.csv"
    path.write_text("true,pred,count\na,a,12.000\nb,b,250\n", encoding="utf-8")
    for reader in (io.read, hs.count):
        with pytest.raises(InvalidFile, match=r"12\.000"):
            reader(path)
