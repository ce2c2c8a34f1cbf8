"""Counts of a new test, drawn cell by cell, against NumPy's multinomial of whole tables."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.draws.dense_tables import ErrorCells
from howsure.numerics.draws.sparse_tables import SparseErrors, draw_errors
from howsure.numerics.trials.simulated_tests import new_sparse_counts, new_whole_counts

SIZE, DRAWS = 5, 30_000
CELLS = ErrorCells(SIZE, [0, 0, 1, 3, 3, 3], [1, 4, 0, 0, 1, 2], [1.0, 2, 1, 4, 1, 1])
HITS = np.array([0.1, 0.15, 0.2, 0.05, 0.1])
ACTUAL = np.array([0.2, 0.2, 0.25, 0.2, 0.15])


def one_table(mass: float, most: int) -> tuple[SparseErrors, np.ndarray]:
    """One drawn table, repeated, and its cells."""
    rng = np.random.default_rng(4)
    one = draw_errors(CELLS, (ACTUAL - HITS)[None], mass, rng, np.arange(1.0, 1 + SIZE), most=most)
    (table,) = next(one.tables(HITS[None]))
    errors = SparseErrors(
        CELLS,
        np.repeat(one.at_cells, DRAWS, axis=1),
        np.repeat(one.columns, DRAWS, axis=2),
        np.repeat(one.at_atoms, DRAWS, axis=2),
        None
        if one.rest is None
        else type(one.rest)(
            np.repeat(one.rest.left, DRAWS, axis=1),
            np.repeat(np.broadcast_to(one.rest.base, (1, SIZE)), DRAWS, axis=0),
            np.repeat(one.rest.column_sums, DRAWS, axis=0),
            np.repeat(one.rest.mass, DRAWS),
        ),
    )
    return errors, table


@pytest.mark.full
@pytest.mark.parametrize(
    ("mass", "most", "cases"),
    [(1.0, 64, 40), (30.0, 3, (10, 0, 5, 20, 3)), (30.0, 0, 40)],
    ids=["atoms as they come", "atoms and a rest, chosen", "a rest as it comes"],
)
def test_new_counts_are_multinomial(cases: int | tuple[int, ...], mass: float, most: int) -> None:
    errors, table = one_table(mass, most)
    hits, actual = np.tile(HITS, (DRAWS, 1)), np.tile(ACTUAL, (DRAWS, 1))
    right, sizes, wrong = new_sparse_counts(hits, actual, errors, cases, np.random.default_rng(5))
    sparse = np.concatenate(list(wrong.tables(right)))
    whole = new_whole_counts(np.broadcast_to(table, (DRAWS, SIZE, SIZE)), cases, np.random.default_rng(6))
    np.testing.assert_array_equal(sparse.sum(2), sizes)
    np.testing.assert_array_equal(sparse.sum(1), right + wrong.column_sums)
    share = table if isinstance(cases, int) else table / table.sum(1, keepdims=True)
    of = np.full((SIZE, 1), cases) if isinstance(cases, int) else np.array(cases)[:, None]
    mean, variance = of * share, of * share * (1 - share)
    for counts in (sparse, whole):
        assert counts.min() >= 0
        assert np.all(counts.sum((1, 2)) == np.sum(cases))
        assert np.all(np.abs(counts.mean(0) - mean) <= 5 * np.sqrt(variance / DRAWS) + 1e-12)
        assert np.allclose(counts.var(0), variance, rtol=0.08, atol=0.004)
    # columns of a row move against each other, whoever drew them
    off = [np.cov(counts[:, 3, 0], counts[:, 3, 1])[0, 1] for counts in (sparse, whole)]
    assert off == pytest.approx([-(of[3, 0] * share[3, 0] * share[3, 1])] * 2, abs=0.06)
