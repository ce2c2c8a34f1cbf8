"""Learned errors: the grids against brute force, draws against the grids, limits that must hold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, special, stats

from howsure.numerics.learned.dirichlet_mass import LearnedShares
from howsure.numerics.learned.error_shares import LearnedErrors


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


def slowly(table: list[list[int]], passes: int = 6) -> tuple[np.ndarray, np.ndarray]:
    """Column totals and column shares as they are defined, class by class and pass by pass, on a grid of its own."""
    counts = np.array(table, dtype=float)
    np.fill_diagonal(counts, 0)
    size = len(counts)
    grid = np.exp(np.log(size) + np.linspace(-12, 12, 49))
    prior = grid / size / (1 + grid / size) ** 2

    def learn(totals: np.ndarray) -> tuple[np.ndarray, float]:
        weight = prior * [dirichlet_multinomial(totals, np.full(size, a / size)) for a in grid]
        weight /= weight.sum()
        share = sum(w * (a / size + totals) / (a + totals.sum()) for w, a in zip(weight, grid, strict=True))
        rough = prior.copy()
        for i in range(size):
            others = np.arange(size) != i
            rough *= [dirichlet_multinomial(counts[i, others], a * share[others] / (1 - share[i])) for a in grid]
        rough /= rough.sum()
        return share, float(np.exp(rough @ np.log(grid)))

    totals = counts.sum(axis=0)
    share, mass = learn(totals)
    for _ in range(passes):
        units = [1 / (1 + max(row.sum() - 1, 0) / (1 + mass)) for row in counts]
        seen = np.array([sum(units[i] * counts[i, j] for i in range(size)) for j in range(size)])
        own = np.array([units[j] * counts[j].sum() * share[j] / (1 - share[j]) for j in range(size)])
        totals = (seen + own) * seen.sum() / (seen + own).sum()
        share, mass = learn(totals)
    return totals, share


@pytest.mark.parametrize("table", [TABLE, [[0, 9, 0], [1, 0, 1], [0, 1, 0]], [[0, 1, 0], [4, 0, 1], [8, 0, 0]]])
def test_rows_are_units_and_their_own_column_is_put_back(table) -> None:
    errors = LearnedErrors(*cells(table))
    totals, share = slowly(table)
    assert errors.columns.totals == pytest.approx(totals, rel=1e-8)
    assert errors.shares == pytest.approx(share, rel=1e-8)


def test_one_broken_row_does_not_speak_for_all_columns() -> None:
    """Class 0 is always called 1; the others err evenly, and go on doing so."""
    table = np.ones((8, 8), int)
    table[0] = 0
    table[0, 1] = 20
    errors = LearnedErrors(*cells(table))
    pooled = LearnedShares(np.where(np.eye(8, dtype=bool), 0, table).sum(axis=0)).means
    assert errors.shares[1] < 0.7 * pooled[1]


def test_a_sink_does_not_hide_its_own_share() -> None:
    """Half of all errors are in column 0, whose row has as many cases as all others together."""
    table = np.ones((8, 8), int)
    table[1:, 0] = 6
    table[0, 1:] = 6
    errors = LearnedErrors(*cells(table))
    pooled = LearnedShares(np.where(np.eye(8, dtype=bool), 0, table).sum(axis=0)).means
    assert errors.shares[0] > 1.15 * pooled[0]


@pytest.mark.parametrize("count", [1.0, 3.0, 6.0, 7.0, 2.5])
def test_evidence_of_rows_is_the_same_by_factors_and_by_gamma_functions(count) -> None:
    errors = LearnedErrors(3, [0, 0, 1, 2], [1, 2, 0, 0], [count, 2, 1, count])
    i, j, e = errors._cells
    mass = np.exp(errors.log_mass)[:, None]
    share = errors.shares[j] / (1 - errors.shares[i])
    expected = (special.gammaln(mass * share + e) - special.gammaln(mass * share)).sum(axis=1)
    for total in np.bincount(i, e):
        expected -= (special.gammaln(mass + total) - special.gammaln(mass))[:, 0]
    assert errors._row_evidence() == pytest.approx(expected, rel=1e-8, abs=1e-8)


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


def test_draws_of_shares_have_their_mean() -> None:
    errors = LearnedErrors(*cells(TABLE))
    _, q = errors.draw(50_000, np.random.default_rng(1))
    assert q.sum(axis=1) == pytest.approx(np.ones(len(q)))
    assert q.mean(axis=0) == pytest.approx(errors.shares, abs=3e-3)
    assert np.all(q > 0)


def test_without_errors_it_is_the_prior() -> None:
    errors = LearnedErrors(5, [], [], [])
    assert errors.shares == pytest.approx(np.full(5, 0.2))
    rough, q = errors.draw(20_000, np.random.default_rng(2))
    assert stats.kstest(rough / (rough + 5), "uniform").pvalue > 1e-4
    assert q.mean(axis=0) == pytest.approx(np.full(5, 0.2), abs=0.02)


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


def test_order_of_classes_does_not_matter() -> None:
    rng = np.random.default_rng(3)
    table, order = rng.poisson(0.5, (30, 30)), rng.permutation(30)
    one, other = LearnedErrors(*cells(table)), LearnedErrors(*cells(table[np.ix_(order, order)]))
    assert other.shares == pytest.approx(one.shares[order])
    assert other.rough_weight == pytest.approx(one.rough_weight)


def test_two_classes_have_one_place_for_errors() -> None:
    errors = LearnedErrors(2, [0], [1], [3])
    rough, q = errors.draw(100, np.random.default_rng(4))
    assert np.all(np.isfinite(rough) & (rough > 0))
    assert q.shape == (100, 2)


@pytest.mark.parametrize(
    ("size", "rows", "cols", "counts"),
    [
        (1, [], [], []),
        (3, [0], [0], [1]),
        (3, [0], [3], [1]),
        (3, [-1], [2], [1]),
        (3, [0], [1], [0]),
        (3, [0], [1, 2], [1]),
        (3, [0], [1], [np.nan]),
    ],
)
def test_impossible_cells_are_refused(size, rows, cols, counts) -> None:
    with pytest.raises(ValueError, match="errors"):
        LearnedErrors(size, rows, cols, counts)
