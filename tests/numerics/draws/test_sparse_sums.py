"""Sums over the cells of sparse tables against the same sums over the whole tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from howsure.metrics.margins import Margins, WholeCells, association, costs_by_class, shared_entropy
from howsure.numerics.draws.error_cells import ErrorCells
from howsure.numerics.draws.sparse_tables import draw_errors
from howsure.posterior.drawn_tables import SparseTables

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


@pytest.mark.parametrize("most", [0, 2])
def test_sums_over_what_is_left_are_expected_ones(most: int) -> None:
    """Against rows that are drawn whole: half of the cells are empty, and their errors are much the prior's."""
    rng, size, many, mass = np.random.default_rng(5), 12, 6000, 20.0
    q = rng.dirichlet(np.full(size, 4.0))
    places = np.argwhere(~np.eye(size, dtype=bool))[::2]
    cells = ErrorCells(size, places[:, 0], places[:, 1], np.ones(len(places)))
    actual = np.full((many, size), 1 / size)
    errors = draw_errors(cells, 0.3 * actual, np.full(many, mass), rng, np.tile(q, (many, 1)), most=most)
    mine = SparseTables(0.7 * actual, actual, errors).margins.inside
    alphas = np.tile(q, (size, 1)) * (mass / (1 - q))[:, None]
    alphas[places[:, 0], places[:, 1]] += 1
    np.fill_diagonal(alphas, 0.0)
    rows = rng.standard_gamma(alphas, (many, size, size))
    whole = 0.3 / size * rows / rows.sum(axis=2, keepdims=True) + 0.7 / size * np.eye(size)
    inside, columns = WholeCells(whole), np.broadcast_to(q, (many, size))
    assert mine is not None
    for found, expected in (
        (mine.log_sum(), inside.log_sum()),
        (mine.squares(actual, columns), inside.squares(actual, columns)),
    ):
        assert abs(found.mean() - expected.mean()) < 0.15 * expected.std()


def test_words_of_cells_are_refused_where_there_are_none() -> None:
    margins = Margins.of(np.ones((2, 3, 3)))
    for word in (association, shared_entropy, lambda m: costs_by_class(m, costs)):
        with pytest.raises(TypeError, match="no cells"):
            word(margins)
