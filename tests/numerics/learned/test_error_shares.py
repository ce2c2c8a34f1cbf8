"""Learned errors: the grids against brute force, draws against the grids, limits that must hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, special

from howsure.numerics.learned.errors import LearnedErrors


def cells(table):
    table = np.array(table)
    np.fill_diagonal(table, 0)
    rows, cols = np.nonzero(table)
    return len(table), rows, cols, table[rows, cols]


TABLE = [[0, 3, 1, 0], [2, 0, 5, 1], [0, 7, 0, 0], [0, 0, 2, 0]]


def dirichlet_multinomial(counts, alphas) -> float:
    """Probability of counts, without the multinomial coefficient, by products of rising factorials."""
    return float(np.prod(special.poch(alphas, counts)) / special.poch(np.sum(alphas), np.sum(counts)))


def test_column_shares_against_adaptive_quadrature() -> None:
    errors = LearnedErrors(*cells(TABLE))
    size, totals = 4, errors.columns.totals

    def evidence(share: float) -> float:
        mass = size * share / (1 - share)
        return dirichlet_multinomial(totals, np.full(size, mass / size)) * 1e20

    def weighted(share: float) -> float:
        mass = size * share / (1 - share)
        return evidence(share) * (mass / size + totals[1]) / (mass + totals.sum())

    total, mean = (integrate.quad(f, 0, 1, epsabs=0, epsrel=1e-10)[0] for f in (evidence, weighted))
    assert errors.shares[1] == pytest.approx(mean / total, abs=1e-6)


def test_roughness_against_adaptive_quadrature() -> None:
    errors, table = LearnedErrors(*cells(TABLE)), np.array(TABLE)
    q = errors.shares

    def evidence(share: float) -> float:
        mass = 4 * share / (1 - share)
        product = 1e20
        for i, row in enumerate(table):
            others = np.arange(4) != i
            product *= dirichlet_multinomial(row[others], mass * q[others] / (1 - q[i]))
        return product

    def weighted(share: float) -> float:
        return share * evidence(share)

    total, mean = (integrate.quad(f, 0, 1, epsabs=0, epsrel=1e-10)[0] for f in (evidence, weighted))
    rough, _ = errors.draw(200_000, np.random.default_rng(0))
    assert (rough / (rough + 4)).mean() == pytest.approx(mean / total, abs=4e-3)
    grid = np.exp(errors.log_mass)
    assert errors.rough_weight @ (grid / (grid + 4)) == pytest.approx(mean / total, abs=1e-4)


def test_a_sink_is_found_and_twins_are_rough() -> None:
    size = 20
    sink = np.ones((size, size), int)
    sink[:, 0] = 40
    twins = np.kron(np.eye(size // 2, dtype=int), np.ones((2, 2), int)) * 40
    even = np.full((size, size), 4)
    typical = {}
    for name, table in (("sink", sink), ("twins", twins), ("even", even)):
        errors = LearnedErrors(*cells(table))
        typical[name] = np.exp(errors.rough_weight @ errors.log_mass)
        if name == "sink":
            assert errors.shares[0] > 0.5
        else:
            assert errors.shares == pytest.approx(np.full(size, 0.05), abs=0.01)
    assert typical["twins"] < 2 < 100 < typical["even"]


@pytest.mark.parametrize(
    ("size", "rows", "cols", "counts"),
    [
        (1, [], [], []),
        (3, [0], [0], [1]),
        (3, [0], [1], [0]),
        (3, [0], [1], [np.nan]),
    ],
)
def test_impossible_cells_are_refused(size, rows, cols, counts) -> None:
    with pytest.raises(ValueError, match="errors"):
        LearnedErrors(size, rows, cols, counts)
