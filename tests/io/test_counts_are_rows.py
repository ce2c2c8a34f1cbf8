"""A row that stands for several cases is so many rows, in whatever units the cases come."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest

import howsure as hs
from howsure.io import read

CASES = [("x", "x", 3), ("x", "y", 2), ("y", "x", 1), ("y", "y", 4)]


def table(columns: str, rows: Sequence[tuple[str, ...]], *, counted: bool) -> str:
    """Rows that end with a count, or each row so many times."""
    lines = [f"{columns},y_true,y_pred{',count' if counted else ''}".lstrip(",")]
    for *cells, times in rows:
        lines += [",".join([*cells, times])] if counted else [",".join(cells)] * int(times)
    return "\n".join(lines)


def rows_of(*units: str) -> list[tuple[str, ...]]:
    """The cases of each unit, the second of which has other numbers."""
    return [
        (*unit.split("/"), true, pred, str(n + i))
        for i, unit in enumerate(filter(None, units))
        for true, pred, n in CASES
    ] or [(true, pred, str(n)) for true, pred, n in CASES]


@pytest.mark.parametrize(
    ("columns", "units", "options"),
    [
        ("", (), {}),
        ("patient", ("a", "b", "c", "d", "e"), {"group": "patient"}),
        ("patient", ("a", "b", "c"), {}),
        ("fold", ("1", "2"), {}),
        ("model", ("a", "b"), {"model": "b"}),
    ],
    ids=["alone", "groups", "groups added up", "folds", "models"],
)
def test_counts_are_rows(columns: str, units: tuple[str, ...], options: dict[str, Any]) -> None:
    by_count, by_row = (
        read(io.StringIO(table(columns, rows_of(*units), counted=counted)), **options).confusion
        for counted in (True, False)
    )
    assert by_count == by_row
    assert hs.infer(by_count).of("accuracy").mean == hs.infer(by_row).of("accuracy").mean


def test_passes_of_a_cross_validation_are_of_cases_and_not_of_rows() -> None:
    rows = [("1", "a", "x", "x", "2"), ("1", "b", "y", "y", "1"), ("2", "a", "x", "x", "1"), ("2", "a", "x", "y", "1")]
    rows.append(("2", "b", "y", "y", "1"))
    by_count, by_row = (
        read(io.StringIO(table("repeat,fold", rows, counted=counted)), repeat="repeat", folds="fold").confusion
        for counted in (True, False)
    )
    assert by_count == by_row
    assert by_count.n == 3
