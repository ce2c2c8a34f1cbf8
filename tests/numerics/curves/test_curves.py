"""Areas, placements and cuts of scores, against pROC, scikit-learn and integrals."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from howsure.laws.rates import BinaryLaw
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.cell_worth import CellWorth, mass_ratio
from howsure.numerics.curves.curve_numbers import (
    area_test,
    area_under,
    average_precision,
    called_at,
    distinct_cuts,
    partial_area,
    placement_covariance,
    separate_area_test,
    standardised,
)
from howsure.numerics.curves.curve_weights import grouped_counts, random_rates, score_blocks

GOLDEN = Path(__file__).parents[2] / "reference" / "paired_delong.json"


@pytest.mark.parametrize("case", json.loads(GOLDEN.read_text(encoding="utf-8"))["cases"])
def test_z_and_p_are_those_of_proc(case):
    positive = np.array(case["truth"]) == 1
    made = area_test(positive, np.array([case["a"], case["b"]]))
    np.testing.assert_allclose(made.areas, case["areas"], atol=1e-12)
    assert made.z == pytest.approx(case["z"], rel=1e-9)
    assert made.p_value == pytest.approx(case["p"], rel=1e-8)
    apart = separate_area_test(((positive, np.array(case["a"])), (positive, np.array(case["b"]))))
    a, b = case["variance_a"], case["variance_b"]
    assert apart.standard_error**2 == pytest.approx(a + b, rel=1e-9)
    # roc.test(paired = FALSE) of pROC: t with Welch's degrees of freedom, each set with its cases less one
    df = (a + b) ** 2 / ((a**2 + b**2) / (len(positive) - 1))
    assert apart.df == pytest.approx(df, rel=1e-9)
    assert apart.p_value == pytest.approx(2 * stats.t.sf(abs(made.difference) / np.sqrt(a + b), df), rel=1e-8)
    reach = stats.t.ppf(0.975, df) * np.sqrt(a + b)
    assert apart.interval(0.95) == pytest.approx((made.difference - reach, made.difference + reach), rel=1e-8)
    assert made.df is None


@given(
    strategies.lists(strategies.tuples(strategies.integers(0, 9), strategies.integers(0, 9)), min_size=8, max_size=40)
)
def test_exchanging_the_classifiers_turns_the_sign(pairs):
    positive = np.arange(len(pairs)) % 2 == 0
    scores = np.array(pairs, float).T
    one, other = area_test(positive, scores), area_test(positive, scores[::-1])
    assert one.difference == pytest.approx(-other.difference, abs=1e-12)
    assert one.p_value == pytest.approx(other.p_value) if one.p_value is not None else other.p_value is None


# -- deLong's variances against pROC's, and against all pairs ---------------------------------------------------------

GOLDEN_OF_PLACEMENTS = Path(__file__).parents[2] / "reference" / "delong.json"


def test_areas_variances_and_covariances_are_those_of_proc():
    sets = json.loads(GOLDEN_OF_PLACEMENTS.read_text(encoding="utf-8"))["sets"]
    assert len(sets) == 200
    for one in sets:
        areas, covariance = placement_covariance(np.array(one["truth"]) == 1, np.array([one["a"], one["b"]], float))
        np.testing.assert_allclose(areas, one["auc"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(np.diag(covariance), one["variance"], rtol=1e-10, atol=1e-14)
        np.testing.assert_allclose(covariance[0, 1], one["covariance"][0], rtol=1e-10, atol=1e-14)


# -- blocks of scores and their numbers against scikit-learn, and blocks of neighbours against all scores -------------

cases = strategies.lists(strategies.tuples(strategies.booleans(), strategies.integers(0, 6)), min_size=3).filter(
    lambda rows: 0 < sum(up for up, _ in rows) < len(rows)
)


def numbers(truth, scores, most=1000):
    blocks = score_blocks(truth, scores, most=most)
    true, false = blocks.true_rate[None, :], blocks.false_rate[None, :]
    odds = np.array([(~truth).sum() / truth.sum()])
    return (
        blocks,
        area_under(true, false, blocks.inside)[0],
        average_precision(true, false, odds, blocks.gain)[0],
        standardised(partial_area(true, false, 0.3), 0.3)[0],
    )


@given(cases)
def test_areas_and_precision_are_scikit_learn_s(rows) -> None:
    truth, scores = np.array([up for up, _ in rows]), np.array([float(score) for _, score in rows])
    _, area, precision, part = numbers(truth, scores)
    assert area == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    assert precision == pytest.approx(average_precision_score(truth, scores), abs=1e-12)
    assert part == pytest.approx(roc_auc_score(truth, scores, max_fpr=0.3), abs=1e-12)


@given(cases)
def test_blocks_are_the_points_of_scikit_learn_s_curve(rows) -> None:
    truth, scores = np.array([up for up, _ in rows]), np.array([float(score) for _, score in rows])
    blocks = score_blocks(truth, scores)
    false, true, _ = roc_curve(truth, scores, drop_intermediate=False)
    np.testing.assert_allclose(blocks.false_rate, false, atol=1e-12)
    np.testing.assert_allclose(blocks.true_rate, true, atol=1e-12)


def test_neighbours_in_one_block_leave_both_areas_as_they_are() -> None:
    rng = np.random.default_rng(1)
    truth = rng.random(30_000) < 0.2
    scores = rng.standard_normal(30_000) + truth
    blocks, area, precision, _ = numbers(truth, scores, most=300)
    assert len(blocks) <= 300
    assert blocks.distinct == 30_000
    assert area == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    assert precision == pytest.approx(average_precision_score(truth, scores), abs=1e-12)
    assert blocks.case.tolist() == np.searchsorted(-blocks.lowest, -scores).tolist()


def test_the_error_of_blocks_is_what_weights_within_them_do() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(2000) < 0.5
    scores = rng.standard_normal(2000) + truth
    coarse, area, _, _ = numbers(truth, scores, most=40)
    place = np.arange(2000)
    fine = score_blocks(truth, scores, most=10**6)
    made = []
    # the same weight of each case, whatever block it is in
    for blocks in (fine, coarse):
        counts = grouped_counts(blocks, truth.astype(np.int64), place, 2000)
        inside = np.concatenate(([0.5], blocks.inside, [0.5]))
        drawn = random_rates(blocks, area, 400, 3, grouped=counts)
        made.append(np.concatenate([area_under(x.true, x.false, inside) for x in drawn]))
    gap = made[1] - made[0]
    assert np.sqrt((gap**2).mean()) < 1.2 * coarse.error
    assert coarse.error < 0.2 * made[0].std()
    assert fine.error == 0


# -- counts at thresholds, joint draws of both rates, and what choosing flatters --------------------------------------


@given(st.lists(st.integers(0, 9), min_size=1, max_size=40), st.lists(st.integers(-1, 10), min_size=1, max_size=5))
def test_counts_are_those_of_a_comparison(scores: list[int], cuts: list[int]) -> None:
    given_scores, given_cuts = np.array(scores, float), np.array(cuts, float)
    assert called_at(given_scores, given_cuts).tolist() == [int((given_scores >= cut).sum()) for cut in given_cuts]


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=40))
def test_a_best_cut_is_among_the_distinct_ones(cases: list[tuple[int, bool]]) -> None:
    scores, ill = np.array([score for score, _ in cases], float), np.array([is_ill for _, is_ill in cases])
    every, some = np.unique(scores), distinct_cuts(scores, ill, 100)

    def right(cuts: Floats) -> list[int]:
        return [int(((scores >= cut) == ill).sum()) for cut in cuts]

    assert set(some) <= set(every)
    assert max(right(some)) == max(right(every))
    assert min(right(some)) >= 0
    assert len(distinct_cuts(scores, ill, 3)) <= 3


# -- the law of a mean worth of a case at many thresholds, against integrals that share no code with it ---------------


def law(hit: int, missed: int, false: int, kept: int, odds: float, mass: float = 1.0) -> CellWorth:
    cells = np.array([[hit, missed, false, kept]]) + 1.0
    return CellWorth(np.array([[1.0, 0, -odds, 0]]), cells, (hit + missed + mass, false + kept + mass))


def by_panels(hit: int, missed: int, false: int, kept: int, odds: float, x: float) -> float:
    """P(phi s - odds (1 - phi) v <= x): the prevalence and v by Gauss rules between quantiles, s closed."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    marks = np.array([1e-13, 1e-6, 1e-3, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 0.999, 1 - 1e-6, 1 - 1e-13])

    def panels(beta: stats.rv_continuous, inner: Floats) -> tuple[Floats, Floats]:
        ends = np.unique(np.concatenate(([0.0, 1.0], beta.ppf(marks), np.clip(inner, 0, 1))))
        middle, half = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
        places = (middle[:, None] + half[:, None] * nodes).ravel()
        return places, (half[:, None] * weights).ravel() * beta.pdf(places)

    total = 0.0
    for phi, weight in zip(*panels(stats.beta(hit + missed + 1, false + kept + 1), np.array([])), strict=True):
        scale = odds * (1 - phi)
        v, w = panels(stats.beta(false + 1, kept + 1), np.array([-x / scale, (phi - x) / scale]))
        total += weight * float((w * stats.beta.cdf(np.clip((x + scale * v) / phi, 0, 1), hit + 1, missed + 1)).sum())
    return total


CASES = [
    (12, 5, 7, 40, 0.25),
    (0, 100, 0, 1000, 50.0),  # two exponentials and a kink between them
    (3, 0, 10, 0, 5.0),
    (100, 0, 52, 948, 0.01),
]


@pytest.mark.full
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_distribution_function_is_the_integral(case: tuple[int, int, int, int, float]) -> None:
    made = law(*case)
    x = float(np.clip(made.mean[0] + 0.5 * made.sd[0], -case[4] + 1e-9, 1 - 1e-9))
    # the integral has kinks that move with the prevalence: in the last case it is itself known to 1e-4
    few = min(case[0] + case[1], case[2] + case[3]) < 6
    assert made.below(x)[0] == pytest.approx(
        by_panels(*case, x), abs=1e-4 if case == CASES[-1] else 2e-5 if few else 3e-6
    )


@given(st.tuples(*[st.integers(0, 60)] * 4), st.sampled_from([0.01, 0.3, 1.0, 9.0]), st.floats(-2.5, 2.5))
def test_a_law_of_the_middle_agrees_with_the_library_s_own(
    cells: tuple[int, int, int, int], odds: float, z: float
) -> None:
    cells = tuple(5 + cell for cell in cells)  # type: ignore[assignment]
    made = law(*cells, odds)
    hit, missed, false, kept = cells
    base = odds / (1 + odds)
    other = BinaryLaw(
        "worth", (hit + missed + 1, false + kept + 1), (hit + 1, missed + 1), (kept + 1, false + 1),
        hit=1.0, missed=base, kept=base, false=0.0,
    )  # fmt: skip
    x = float(made.mean[0] + z * made.sd[0])
    assert made.mean[0] == pytest.approx(other.mean * (1 + odds) - odds, abs=1e-8)
    assert made.below(x)[0] == pytest.approx(other.prob(below=(x + odds) / (1 + odds)), abs=1e-5)


def test_the_ratio_of_the_masses_is_a_rule_of_few_nodes() -> None:
    ratio, weight = mass_ratio(102.0, 402.0, (101.0, 401.0))
    rng = np.random.default_rng(0)
    drawn = rng.beta(401, 1, 400_000) / rng.beta(101, 1, 400_000)
    assert len(ratio) == 3
    assert weight.sum() == pytest.approx(1)
    for power in (1, 2, -1):
        assert (weight * ratio**power).sum() == pytest.approx((drawn**power).mean(), abs=5e-4)
    with pytest.raises(ValueError, match="more mass"):
        mass_ratio(10.0, 10.0, (11.0, 5.0))
