"""Drawn tables, sparse, paired and of verdicts: the moments and margins of their Dirichlet laws."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import special
from scipy.special import gammaln

from howsure.metrics.margins import Margins, WholeCells
from howsure.numerics.draws import pair_tables as paired
from howsure.numerics.draws.dense_tables import ErrorCells
from howsure.numerics.draws.pair_tables import (
    MANY_SINGLE,
    FactoredClass,
    HitPatterns,
    LabelledApart,
    LabelledPairs,
    PairedClass,
    matched_to,
    paired_margins,
    paired_tables,
)
from howsure.numerics.draws.sparse_tables import SparseErrors, _shares, _sticks, atoms_of, draw_errors
from howsure.numerics.trials.simulated_tests import new_sparse_counts, new_whole_counts
from howsure.posterior.rows import SparseTables

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


# -- sums over the cells of sparse tables against the same sums over the whole tables ---------------------------------

SIZE_OF_SPARSE_SUMS, DRAWS_OF_SPARSE_SUMS = 6, 40
CELLS_OF_SPARSE_SUMS = ErrorCells(
    SIZE_OF_SPARSE_SUMS, [0, 0, 1, 3, 3, 3, 5], [1, 4, 0, 0, 1, 2, 4], [1.0, 2, 1, 4, 1, 1, 3]
)


def costs(size: int) -> np.ndarray:
    return np.arange(float(size * size)).reshape(size, size) ** 1.1


@pytest.mark.parametrize(
    ("mass", "most", "base"),
    [
        (1.0, 64, None),
        (0.3, 64, np.arange(1.0, 1 + SIZE_OF_SPARSE_SUMS)),
        (30.0, 3, np.arange(1.0, 1 + SIZE_OF_SPARSE_SUMS)),
    ],
    ids=["uniform", "uneven", "with a rest"],
)
def test_sums_are_those_of_the_whole_tables(mass: float, most: int, base: np.ndarray | None) -> None:
    """Few classes and many atoms, so that atoms lie on cells and on each other."""
    rng = np.random.default_rng(2)
    actual = rng.dirichlet(np.full(SIZE_OF_SPARSE_SUMS, 3.0), DRAWS_OF_SPARSE_SUMS)
    hits = actual * rng.uniform(0.3, 0.9, actual.shape)
    spread = None if base is None else np.tile(base / base.sum(), (DRAWS_OF_SPARSE_SUMS, 1))
    errors = draw_errors(CELLS_OF_SPARSE_SUMS, actual - hits, mass, rng, spread, most=most)
    if errors.rest is not None:  # so concentrated that each cell is at its mean, as in whole tables
        errors = replace(errors, rest=replace(errors.rest, mass=np.full(DRAWS_OF_SPARSE_SUMS, 1e18)))
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


# -- joint draws of several classifiers: margins are the rows of each alone, a pair is Dirichlet(1/2) -----------------

N = 20_000


def a_class(answers: list[list[int]], counts: list[int], size: int, true: int, mass: float = 2.0) -> PairedClass:
    return PairedClass(
        np.array(answers).reshape(len(counts), -1), np.array(counts, float), size, true, mass / 2, mass / 2
    )


def rows_of(it: PairedClass, seed: int) -> np.ndarray:
    rows = np.zeros((it.answers.shape[1], N, it.size))
    it.spread(np.ones(N), it.streams([seed]), rows)
    return rows


def base(it: PairedClass) -> np.ndarray:
    mean = np.full(it.size, it.b / it.mass / (it.size - 1))
    mean[it.true] = it.a / it.mass
    return mean


THREE = a_class([[0, 0], [0, 1], [1, 0], [2, 2]], [9, 2, 1, 3], 3, 0)


def uniform(values: np.ndarray, cdf: np.ndarray) -> float:
    """Kolmogorov's distance times sqrt(n); above 1.95 in one of a thousand."""
    order = np.argsort(values)
    grid = np.arange(1, len(values) + 1) / len(values)
    return float(np.abs(cdf[order] - grid).max() * np.sqrt(len(values)))


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize("mass", [1.0, 5.0])
def test_each_margin_is_the_dirichlet_row_of_that_classifier_alone(mass: float) -> None:
    it = a_class([[0, 0], [0, 1], [1, 0], [2, 2]], [9, 2, 1, 3], 3, 0, mass)
    rows = rows_of(it, 1)
    assert np.allclose(rows.sum(axis=-1), 1)
    for t in range(2):
        alphas = mass * base(it) + np.bincount(it.answers[:, t], it.counts, 3)
        for j, alpha in enumerate(alphas):
            assert uniform(rows[t, :, j], special.betainc(alpha, alphas.sum() - alpha, rows[t, :, j])) < 1.95


def test_a_pair_right_or_wrong_is_dirichlet_one_half() -> None:
    it = a_class([[0, 0], [0, 1], [1, 0], [1, 1]], [5, 3, 1, 2], 2, 0)
    rows = rows_of(it, 2)
    difference = rows[0, :, 0] - rows[1, :, 0]
    a = np.array([5.5, 3.5, 1.5, 2.5])
    mean = (a[1] - a[2]) / a.sum()
    variance = ((a[1] + a[2]) / a.sum() - mean**2) / (a.sum() + 1)
    assert difference.mean() == pytest.approx(mean, abs=5 * np.sqrt(variance / N))
    assert difference.var() == pytest.approx(variance, rel=0.05)
    above = special.betainc(1.5, 3.5, 0.5)
    assert (difference > 0).mean() == pytest.approx(above, abs=5 * np.sqrt(above * (1 - above) / N))


@pytest.mark.parametrize("known", [None, np.array([0.5, 0.2, 0.3])])
def test_tables_and_margins_are_the_same_draws_whatever_the_blocks(
    known: np.ndarray | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    classes = [THREE, a_class([[1, 1], [1, 2]], [4, 1], 3, 1), a_class([[2, 2]], [7], 3, 2)]
    shares = None if known is not None else np.array([15.7, 5.7, 7.7])
    whole = np.concatenate(list(paired_tables(classes, shares, known, 500, [0, 1])), axis=1)
    monkeypatch.setattr(paired, "BLOCK", 3_000)
    parts = list(paired_tables(classes, shares, known, 500, [0, 1]))
    assert len(parts) > 3
    assert np.array_equal(np.concatenate(parts, axis=1), whole)
    assert np.allclose(whole.sum((-2, -1)), 1)
    margins = list(paired_margins(classes, shares, known, 500, [0, 1]))
    assert np.allclose(np.concatenate([m.hits for m in margins], 1), np.diagonal(whole, axis1=-2, axis2=-1), atol=1e-15)
    assert np.allclose(np.concatenate([m.called for m in margins], 1), whole.sum(-2), atol=1e-15)
    assert np.allclose(np.concatenate([m.actual for m in margins], 0), whole[0].sum(-1), atol=1e-15)
    if known is not None:
        assert np.allclose(whole.sum(-1), known)


@pytest.mark.full
@pytest.mark.parametrize("single", [MANY_SINGLE - 1, MANY_SINGLE])
def test_many_patterns_of_one_case_change_no_law(single: int) -> None:
    rng = np.random.default_rng(single)
    right = rng.integers(0, 2, (single + 2, 3)).astype(float)
    counts = np.ones(single + 2)
    counts[[5, 40]] = 30.0, 7.0  # between those of one case
    patterns = HitPatterns(right, counts, 1.0, 1.0)
    drawn, hits, cases = patterns.rates(4000, [3]), counts @ right, counts.sum()
    for rates, k in zip(drawn, hits, strict=True):
        assert uniform(rates, special.betainc(1 + k, 1 + cases - k, rates)) < 1.95
    # of two: both right, only one, neither, half a pseudo-case each
    apart = drawn[0] - drawn[1]
    cells = np.array([counts @ (right[:, 0] * (1 - right[:, 1])), counts @ (right[:, 1] * (1 - right[:, 0]))]) + 0.5
    p, total = cells / (cases + 2), cases + 3
    mean, variance = p[0] - p[1], (p.sum() - (p[0] - p[1]) ** 2) / total
    assert abs(apart.mean() - mean) < 5 * np.sqrt(variance / 4000)
    assert apart.var() == pytest.approx(variance, rel=0.1)
    new = patterns.replays(4000, 50, [3])
    assert np.abs(new.mean(axis=1) - drawn.mean(axis=1)).max() < 5 * np.sqrt(0.25 / 50 / 4000)


# -- tables of pairs whose cells have given masses: with the masses of the Dirichlet process they are its

SIZE_OF_FACTORED_TABLES = 4
#: Answers of both, and cases with each, of every true class.
SEEN = [
    ([[0, 0], [0, 1], [2, 0], [1, 1], [3, 2]], [12, 3, 1, 2, 1]),
    ([[1, 1], [1, 0], [0, 0]], [7, 2, 2]),
    ([[2, 2]], [3]),
    ([[0, 3], [3, 3], [1, 2]], [1, 1, 1]),
]
N_OF_FACTORED_TABLES = 30_000


def classes() -> tuple[list[FactoredClass], list[PairedClass], np.ndarray]:
    factored, plain, cells = [], [], np.full((SIZE_OF_FACTORED_TABLES, 4), 0.5)
    for true, (answers, counts) in enumerate(SEEN):
        made = np.array(answers), np.array(counts, dtype=float)
        factored.append(FactoredClass(*made, SIZE_OF_FACTORED_TABLES, true, 0.5))
        plain.append(PairedClass(*made, SIZE_OF_FACTORED_TABLES, true, 1.0, 1.0))
        np.add.at(cells[true], 3 - 2 * (made[0][:, 0] == true) - (made[0][:, 1] == true), made[1])
    return factored, plain, cells


def dirichlet(cells: np.ndarray, seed: int):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    return lambda many: np.stack([rng.dirichlet(row, many) for row in cells], axis=1)


@pytest.mark.full
def test_the_process_given_its_masses_is_the_process() -> None:
    factored, plain, cells = classes()
    known = np.full(SIZE_OF_FACTORED_TABLES, 1 / SIZE_OF_FACTORED_TABLES)
    one = np.concatenate(
        list(paired_tables(factored, None, known, N_OF_FACTORED_TABLES, [0], dirichlet(cells, 1))), axis=1
    )
    other = np.concatenate(list(paired_tables(plain, None, known, N_OF_FACTORED_TABLES, [1])), axis=1)
    assert one.shape == other.shape == (2, N_OF_FACTORED_TABLES, SIZE_OF_FACTORED_TABLES, SIZE_OF_FACTORED_TABLES)
    assert one.sum((2, 3)) == pytest.approx(1)
    assert one.mean(1) == pytest.approx(other.mean(1), abs=5 * 0.08 / np.sqrt(N_OF_FACTORED_TABLES))
    assert one.std(1) == pytest.approx(other.std(1), rel=0.06, abs=1e-3)
    # what both share: products of cells of the two tables
    for true in range(SIZE_OF_FACTORED_TABLES):
        products = [np.einsum("ni,nj->ij", x[0][:, true], x[1][:, true]) / N_OF_FACTORED_TABLES for x in (one, other)]
        assert products[0] == pytest.approx(products[1], abs=2e-3)
    gains = [np.sort(((x[0] - x[1]) * np.arange(16).reshape(4, 4)).sum((-2, -1))) for x in (one, other)]
    grid = np.quantile(gains[1], np.linspace(0.02, 0.98, 40))
    cdfs = [np.searchsorted(x, grid) / N_OF_FACTORED_TABLES for x in gains]
    assert np.abs(cdfs[0] - cdfs[1]).max() < 1.95 * np.sqrt(2 / N_OF_FACTORED_TABLES)


def test_margins_are_those_of_the_tables() -> None:
    factored, _, cells = classes()
    shares = np.array([19.5, 11.5, 3.5, 3.5])
    tables = np.concatenate(list(paired_tables(factored, shares, None, 3_000, [5], dirichlet(cells, 2))), axis=1)
    margins = list(paired_margins(factored, shares, None, 3_000, [5], dirichlet(cells, 2)))
    hits, actual, called = (np.concatenate([x[i] for x in margins], axis=-2) for i in range(3))
    # as far as the masses came in blocks of one size
    first = len(margins[0].actual)
    same = slice(0, min(first, 500))
    assert np.einsum("tnii->tni", tables)[:, same] == pytest.approx(hits[:, same])
    assert tables.sum(3)[0][same] == pytest.approx(actual[same])
    assert tables.sum(2)[:, same] == pytest.approx(called[:, same])


# -- two models under one judge: closed moments against the reference, against draws, and against every way

CASES = json.loads((Path(__file__).parents[2] / "reference" / "judge.json").read_text(encoding="utf-8"))
PAIR = next(case for case in CASES if case.get("kind") == "pair")
NONE = np.zeros((4, 2), dtype=np.int64)


def published() -> LabelledPairs:
    return LabelledPairs(np.array(PAIR["totals"]), np.array(PAIR["labelled"]), NONE, NONE)


def test_the_reference_pair_has_its_moments_and_its_drawn_law() -> None:
    mean, sd = published().moments()
    assert (mean, sd) == pytest.approx((PAIR["mean"], PAIR["sd"]), abs=1e-8)
    a, b = published().draws(20_000, np.random.default_rng(0))
    d = matched_to(a - b, mean, sd)
    assert (d.mean(), d.std(ddof=1)) == pytest.approx((mean, sd), abs=1e-12)
    error = np.sqrt(PAIR["p_positive_drawn"] * (1 - PAIR["p_positive_drawn"]) / len(d))
    assert (d > 0).mean() == pytest.approx(PAIR["p_positive_drawn"], abs=5 * error)
    # an end's Monte Carlo error: sqrt(p (1 - p) / n) over the density, about that of a normal law
    end = np.sqrt(0.025 * 0.975 / len(d)) / 0.0584 * sd
    assert np.quantile(d, [0.025, 0.975]) == pytest.approx(PAIR["central_drawn"], abs=4 * end)


def enumerated(both: np.ndarray, only_a: np.ndarray, only_b: np.ndarray) -> tuple[float, float]:
    """Mean of the gain of one cell and of its square, over every way in which the labels that nobody gave could be."""
    total = norm = square = 0.0
    for hidden_a in itertools.product(range(2), repeat=int(only_a.sum())):
        for hidden_b in itertools.product(range(2), repeat=int(only_b.sum())):
            n = both + 0.25
            for told, other in zip([0] * only_a[0] + [1] * only_a[1], hidden_a, strict=True):
                n[2 * told + other] += 1
            for told, other in zip([0] * only_b[0] + [1] * only_b[1], hidden_b, strict=True):
                n[2 * other + told] += 1
            weight, s = np.exp(gammaln(n).sum() - gammaln(n.sum())), n.sum()
            norm += weight
            total += weight * (n[2] - n[1]) / s
            square += weight * (n[2] * (n[2] + 1) + n[1] * (n[1] + 1) - 2 * n[1] * n[2]) / (s * (s + 1))
    return total / norm, square / norm


@pytest.mark.parametrize("only_a", [(0, 0), (2, 1)])
@pytest.mark.parametrize("only_b", [(1, 2), (4, 0)])
def test_a_label_of_one_answer_counts_whatever_the_other_answer_is(
    only_a: tuple[int, int], only_b: tuple[int, int]
) -> None:
    both, one, other = np.array([3, 1, 2, 4]), np.array(only_a), np.array(only_b)
    mean, square = enumerated(both, one, other)
    # one cell that is all there is: q is 1
    made = LabelledPairs(np.array([10**12]), both[None], one[None], other[None]).moments()
    assert made == pytest.approx((mean, np.sqrt(square - mean**2)), rel=1e-9)


def test_labels_apart_are_drawn_with_the_moments_that_are_closed() -> None:
    of_a, of_b = np.repeat([0, 1], 2), np.tile([0, 1], 2)
    labels = np.array([[30, 4], [3, 50]]), np.array([[20, 8], [6, 44]])
    made = LabelledApart(np.array(PAIR["totals"]), of_a, of_b, *labels)
    a, b = made.draws(400_000, np.random.default_rng(0))
    mean, sd = made.moments()
    assert ((a - b).mean(), (a - b).std()) == pytest.approx((mean, sd), abs=4 * sd / np.sqrt(400_000))


# -- counts of a new test, drawn cell by cell, against NumPy's multinomial of whole tables ----------------------------

SIZE_OF_NEW_COUNTS, DRAWS_OF_NEW_COUNTS = 5, 30_000
CELLS_OF_NEW_COUNTS = ErrorCells(SIZE_OF_NEW_COUNTS, [0, 0, 1, 3, 3, 3], [1, 4, 0, 0, 1, 2], [1.0, 2, 1, 4, 1, 1])
HITS = np.array([0.1, 0.15, 0.2, 0.05, 0.1])
ACTUAL = np.array([0.2, 0.2, 0.25, 0.2, 0.15])


def one_table(mass: float, most: int) -> tuple[SparseErrors, np.ndarray]:
    """One drawn table, repeated, and its cells."""
    rng = np.random.default_rng(4)
    one = draw_errors(
        CELLS_OF_NEW_COUNTS, (ACTUAL - HITS)[None], mass, rng, np.arange(1.0, 1 + SIZE_OF_NEW_COUNTS), most=most
    )
    (table,) = next(one.tables(HITS[None]))
    errors = SparseErrors(
        CELLS_OF_NEW_COUNTS,
        np.repeat(one.at_cells, DRAWS_OF_NEW_COUNTS, axis=1),
        np.repeat(one.columns, DRAWS_OF_NEW_COUNTS, axis=2),
        np.repeat(one.at_atoms, DRAWS_OF_NEW_COUNTS, axis=2),
        None
        if one.rest is None
        else type(one.rest)(
            np.repeat(one.rest.left, DRAWS_OF_NEW_COUNTS, axis=1),
            np.repeat(np.broadcast_to(one.rest.base, (1, SIZE_OF_NEW_COUNTS)), DRAWS_OF_NEW_COUNTS, axis=0),
            np.repeat(one.rest.column_sums, DRAWS_OF_NEW_COUNTS, axis=0),
            np.repeat(one.rest.mass, DRAWS_OF_NEW_COUNTS),
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
    hits, actual = np.tile(HITS, (DRAWS_OF_NEW_COUNTS, 1)), np.tile(ACTUAL, (DRAWS_OF_NEW_COUNTS, 1))
    right, sizes, wrong = new_sparse_counts(hits, actual, errors, cases, np.random.default_rng(5))
    sparse = np.concatenate(list(wrong.tables(right)))
    whole = new_whole_counts(
        np.broadcast_to(table, (DRAWS_OF_NEW_COUNTS, SIZE_OF_NEW_COUNTS, SIZE_OF_NEW_COUNTS)),
        cases,
        np.random.default_rng(6),
    )
    np.testing.assert_array_equal(sparse.sum(2), sizes)
    np.testing.assert_array_equal(sparse.sum(1), right + wrong.column_sums)
    share = table if isinstance(cases, int) else table / table.sum(1, keepdims=True)
    of = np.full((SIZE_OF_NEW_COUNTS, 1), cases) if isinstance(cases, int) else np.array(cases)[:, None]
    mean, variance = of * share, of * share * (1 - share)
    for counts in (sparse, whole):
        assert counts.min() >= 0
        assert np.all(counts.sum((1, 2)) == np.sum(cases))
        assert np.all(np.abs(counts.mean(0) - mean) <= 5 * np.sqrt(variance / DRAWS_OF_NEW_COUNTS) + 1e-12)
        assert np.allclose(counts.var(0), variance, rtol=0.08, atol=0.004)
    # columns of a row move against each other, whoever drew them
    off = [np.cov(counts[:, 3, 0], counts[:, 3, 1])[0, 1] for counts in (sparse, whole)]
    assert off == pytest.approx([-(of[3, 0] * share[3, 0] * share[3, 1])] * 2, abs=0.06)
