"""Non-empty cells against the whole table that they stand for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from howsure.data.sparse_counts import Cells

cell = st.sampled_from([0, 0, 1, 7])
tables = st.integers(2, 6).flatmap(
    lambda size: st.lists(st.lists(cell, min_size=size, max_size=size), min_size=size, max_size=size)
)


@given(tables, st.randoms(use_true_random=False))
def test_cells_do_what_the_table_does(rows: list[list[int]], random: object) -> None:
    table = np.array(rows)
    cells, size = Cells.of_table(table), len(table)
    assert (cells.table() == table).all()
    assert (cells.row_sums == table.sum(1)).all()
    assert (cells.column_sums == table.sum(0)).all()
    assert (cells.diagonal == table.diagonal()).all()
    assert (cells.turned().table() == table.T).all()
    assert (cells.plus(cells).table() == 2 * table).all()
    place = np.array([random.randrange(-1, size) for _ in range(size)])  # type: ignore[attr-defined]
    moved = np.zeros_like(table)
    for (i, j), count in np.ndenumerate(table):
        if place[i] >= 0 and place[j] >= 0:
            moved[place[i], place[j]] += count
    assert (cells.moved(place, size).table() == moved).all()


@given(tables)
def test_cases_count_like_cells(rows: list[list[int]]) -> None:
    table = np.array(rows)
    cells = Cells.of_table(table)
    true, pred = (np.repeat(x, cells.count) for x in (cells.true, cells.pred))
    assert Cells.of_cases(true[::-1], pred[::-1], len(table)).same(cells)
    assert Cells.added(true[::-1], pred[::-1], np.ones_like(true), len(table)).same(cells)
    assert Cells.of_cases(true, pred, len(table)).key() == cells.key()
