"""Thousands set apart in counts: read where it is certain, told where it was inferred, refused where nobody knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howsure import io
from howsure.errors import InvalidFile

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


@given(
    st.lists(st.integers(0, 10**7), min_size=4, max_size=4).filter(lambda n: min(n) < 1000 <= max(n)),
    st.sampled_from(",."),
)
def test_grouped_counts_are_the_counts(tmp_path_factory: pytest.TempPathFactory, counts: list[int], sign: str) -> None:
    cells = [f"{n:,}".replace(",", sign) for n in counts]
    text = "true\\pred\ta\tb\na\t" + "\t".join(cells[:2]) + "\nb\t" + "\t".join(cells[2:])
    found = read(tmp_path_factory.mktemp("thousands"), text)
    assert found.confusion.counts.ravel().tolist() == counts
