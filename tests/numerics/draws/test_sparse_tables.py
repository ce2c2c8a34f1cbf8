"""Sparse draws of the errors against the closed moments of the Dirichlet that they are draws of."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.draws.dense_tables import ErrorCells
from howsure.numerics.draws.sparse_tables import _shares, _sticks, atoms_of, draw_errors

SIZE, DRAWS = 7, 20_000
#: row 0 has no errors, column 6 is never called wrongly
CELLS = ErrorCells(SIZE, np.array([1, 1, 2, 3, 3, 3, 4, 5, 6]), np.array([0, 4, 3, 0, 1, 5, 2, 4, 1]),
                   np.array([1.0, 2, 1, 1, 1, 4, 12, 1, 3]))  # fmt: skip


def concentrations(mass: float, base: np.ndarray) -> np.ndarray:
    alphas = np.zeros((SIZE, SIZE))
    alphas[CELLS.true, CELLS.pred] = CELLS.count
    spread = np.tile(base, (SIZE, 1))
    np.fill_diagonal(spread, 0)
    return alphas + mass * spread / spread.sum(1, keepdims=True)


@pytest.mark.full
@pytest.mark.parametrize(
    ("mass", "base"),
    [(0.3, None), (2.5, np.array([0.4, 0.3, 0.1, 0.1, 0.05, 0.03, 0.02]))],
    ids=["uniform", "uneven"],
)
def test_cells_and_columns_have_the_moments_of_their_dirichlet(mass: float, base: np.ndarray | None) -> None:
    alphas = concentrations(mass, np.ones(SIZE) if base is None else base)
    total = alphas.sum(1, keepdims=True)
    mean = alphas / total
    variance = mean * (1 - mean) / (total + 1)
    missed = np.linspace(0.2, 0.8, SIZE)
    drawn = draw_errors(CELLS, np.tile(missed, (DRAWS, 1)), mass, np.random.default_rng(3), base)
    tables = np.concatenate(list(drawn.tables(np.zeros((DRAWS, SIZE)))))
    shares = tables / missed[:, None]
    error = np.sqrt(variance / DRAWS)
    assert np.all(np.abs(shares.mean(0) - mean) <= 5 * error + 1e-15)
    off = ~np.eye(SIZE, dtype=bool)
    # the variance of a share of few atoms is itself noisy: its standard error from the fourth moment
    noise = np.sqrt(((shares - mean) ** 4).mean(0) / DRAWS)
    assert np.all(np.abs(shares.var(0) - variance)[off] <= 5 * noise[off])
    columns = drawn.column_sums
    np.testing.assert_allclose(columns, tables.sum(1), atol=1e-14)
    deviation = np.sqrt((missed[:, None] ** 2 * variance).sum(0))
    assert np.all(np.abs(columns.mean(0) - missed @ mean) <= 5 * deviation / np.sqrt(DRAWS))
    noise = np.sqrt(((columns - missed @ mean) ** 4).mean(0) / DRAWS)
    assert np.all(np.abs(columns.var(0) - deviation**2) <= 5 * noise)


def test_rows_add_up_to_the_errors_that_were_given() -> None:
    rng = np.random.default_rng(0)
    missed, diagonal = rng.random((50, SIZE)), rng.random((50, SIZE))
    tables = np.concatenate(list(draw_errors(CELLS, missed, 1.0, rng).tables(diagonal)))
    np.testing.assert_allclose(tables.sum(2), missed + diagonal, rtol=1e-13)
    np.testing.assert_array_equal(np.diagonal(tables, axis1=1, axis2=2), diagonal)


@pytest.mark.sweep(1, full=5)
@pytest.mark.parametrize("mass", [0.5, 20.0])
def test_the_atoms_have_the_squares_of_a_dirichlet_process(mass: float) -> None:
    """E[sum w^2] = 1/(1 + b) exactly, E[sum w^3] = 2/((1 + b)(2 + b)) to 1%."""
    many = 40_000
    breaks, last = atoms_of(mass)
    weights, left = _sticks(breaks, 1, np.full(many, mass), np.random.default_rng(0))
    shares = _shares(np.full(many, mass), last)
    assert shares.sum(0) == pytest.approx(1)
    assert (shares**2).sum(0) == pytest.approx(1 / (1 + mass))
    assert np.all(shares >= 0)
    atoms = np.concatenate((weights, left * shares[:, None]))[:, 0]
    assert atoms.sum(0) == pytest.approx(1)
    for power, moment, slack in ((2, 1 / (1 + mass), 0.0), (3, 2 / ((1 + mass) * (2 + mass)), 0.01)):
        each = (atoms**power).sum(0)
        assert each.mean() == pytest.approx(moment, abs=slack * moment + 4.5 * each.std() / np.sqrt(many))


@pytest.mark.full
def test_a_large_mass_has_the_column_sums_of_its_dirichlet() -> None:
    rng, size, many, mass = np.random.default_rng(3), 30, 10_000, 20.0
    cells = ErrorCells(size, np.array([0, 0, 5]), np.array([1, 7, 2]), np.array([2.0, 1.0, 4.0]))
    base = rng.dirichlet(np.full(size, 2.0))
    missed = rng.uniform(0.005, 0.02, size)
    sums = draw_errors(cells, np.tile(missed, (many, 1)), mass, rng, np.tile(base, (many, 1)), most=12).column_sums
    alphas = mass * np.tile(base, (size, 1)) / (1 - base[:, None])
    np.fill_diagonal(alphas, 0.0)
    alphas[cells.true, cells.pred] += cells.count
    total = alphas.sum(1, keepdims=True)
    mean = alphas / total
    variance = (missed[:, None] ** 2 * mean * (1 - mean) / (total + 1)).sum(0)
    assert np.all(np.abs(sums.mean(0) - missed @ mean) < 5 * np.sqrt(variance / many))
    assert np.allclose(sums.std(0), np.sqrt(variance), rtol=0.06)
    assert np.allclose(sums.sum(1), missed.sum())
