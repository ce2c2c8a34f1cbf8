"""Sums over the cells of sparse tables against the same sums over the whole tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from howsure.metrics.margins import Margins, WholeCells, association, costs_by_class, shared_entropy
from howsure.numerics.draws.dense_tables import ErrorCells
from howsure.numerics.draws.sparse_tables import draw_errors
from howsure.posterior.rows import SparseTables

SIZE, DRAWS = 6, 40
CELLS = ErrorCells(SIZE, [0, 0, 1, 3, 3, 3, 5], [1, 4, 0, 0, 1, 2, 4], [1.0, 2, 1, 4, 1, 1, 3])


def costs(size: int) -> np.ndarray:
    return np.arange(float(size * size)).reshape(size, size) ** 1.1


@pytest.mark.parametrize(
    ("mass", "most", "base"),
    [(1.0, 64, None), (0.3, 64, np.arange(1.0, 1 + SIZE)), (30.0, 3, np.arange(1.0, 1 + SIZE))],
    ids=["uniform", "uneven", "with a rest"],
)
def test_sums_are_those_of_the_whole_tables(mass: float, most: int, base: np.ndarray | None) -> None:
    """Few classes and many atoms, so that atoms lie on cells and on each other."""
    rng = np.random.default_rng(2)
    actual = rng.dirichlet(np.full(SIZE, 3.0), DRAWS)
    hits = actual * rng.uniform(0.3, 0.9, actual.shape)
    spread = None if base is None else np.tile(base / base.sum(), (DRAWS, 1))
    errors = draw_errors(CELLS, actual - hits, mass, rng, spread, most=most)
    if errors.rest is not None:  # so concentrated that each cell is at its mean, as in whole tables
        errors = replace(errors, rest=replace(errors.rest, mass=np.full(DRAWS, 1e18)))
    sparse = SparseTables(hits, actual, errors)
    whole = np.concatenate(list(sparse.whole()))
    inside, margins = WholeCells(whole), Margins.of(whole)
    mine = sparse.margins.inside
    assert mine is not None
    np.testing.assert_allclose(mine.costs(costs), inside.costs(costs), rtol=1e-12)
    np.testing.assert_allclose(mine.log_sum(), inside.log_sum(), rtol=1e-12)
    np.testing.assert_allclose(
        mine.squares(margins.actual, margins.called), inside.squares(margins.actual, margins.called), rtol=1e-12
    )


def test_words_of_cells_are_refused_where_there_are_none() -> None:
    margins = Margins.of(np.ones((2, 3, 3)))
    for word in (association, shared_entropy, lambda m: costs_by_class(m, costs)):
        with pytest.raises(TypeError, match="no cells"):
            word(margins)
