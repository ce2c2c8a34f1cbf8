"""Frequentist companions against SciPy, published tables and their definitions."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import binom, binomtest, chi2, norm, pearsonr, sem
from tests.conftest import matrices
from tests.papers.printed import CASES, shown_then_cut, value

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.reporting.frequentist import (
    above_chance,
    across_folds,
    bowker,
    carrillo_intervals,
    chance_threshold,
    clopper_pearson,
    guess_accuracy,
    mcnemar,
    mcnemar_corrected,
    no_information_rate,
    stuart_maxwell,
    tail_inversion,
    wilson,
    z_interval,
)

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(COUNTS, st.floats(0.5, 0.999))
def test_intervals_of_a_rate_against_scipy(counts: tuple[int, int], level: float) -> None:
    k, n = counts
    test = binomtest(k, n)
    exact, score = (test.proportion_ci(level, how) for how in ("exact", "wilson"))
    assert clopper_pearson(k, n, level) == pytest.approx((exact.low, exact.high), abs=1e-9)
    assert wilson(k, n, level) == pytest.approx((score.low, score.high), abs=1e-9)


@pytest.mark.full
@given(COUNTS, st.floats(0.5, 0.999))
def test_tail_inversion_solves_its_equation_and_is_one_sided_clopper_pearson(
    counts: tuple[int, int], level: float
) -> None:
    k, n = counts
    bound = tail_inversion(k, n, level)
    if k < n:
        assert binom(n, bound).cdf(k) == pytest.approx(1 - level, rel=1e-6)
        assert bound == pytest.approx(clopper_pearson(k, n, 2 * level - 1 if level > 0.5 else 1e-9)[1], abs=1e-6)
    else:
        assert bound == 1


def test_no_information_rate_against_scipy() -> None:
    cm = hs.ConfusionMatrix([[6, 2], [0, 26]])
    assert no_information_rate(cm).p == pytest.approx(binomtest(32, 34, 26 / 34, alternative="greater").pvalue)
    assert no_information_rate(hs.ConfusionMatrix([[5, 0], [0, 0]])).p == 1


@given(st.integers(1, 2000), st.floats(0.5, 0.999), st.floats(0.05, 0.95))
def test_the_threshold_of_brodersen_is_one_more_than_the_binomial_quantile(n: int, level: float, chance: float) -> None:
    known = chance_threshold(n, level, chance=chance)
    assert known == binom(n, chance).isf(1 - level) + 1
    assert binom(n, chance).sf(known - 1) <= 1 - level < binom(n, chance).sf(known - 2)


@given(matrices())
def test_accuracy_above_chance_agrees_with_its_threshold_and_with_scipy(cm: hs.ConfusionMatrix) -> None:
    if not cm.n:
        return
    right, chance = int(cm.correct.sum()), 1 / len(cm.labels)
    p = above_chance(cm).p
    assert p == pytest.approx(binomtest(right, cm.n, chance, alternative="greater").pvalue, rel=1e-9)
    if abs(p - 0.05) > 1e-9:
        assert (p <= 0.05) == (right >= chance_threshold(cm.n, chance=chance))


def test_the_guess_of_the_blog_has_accuracy_0866() -> None:
    cm = hs.ConfusionMatrix(np.diag([90, 5, 5]))
    assert guess_accuracy(cm, [0.96, 0.02, 0.02]) == pytest.approx(0.96 * 0.9 + 0.02 * 0.05 * 2)
    assert round(guess_accuracy(cm, [0.96, 0.02, 0.02]), 3) == 0.866
    assert guess_accuracy(cm, [1, 0, 0]) == guess_accuracy(cm, "majority") == 0.9
    assert guess_accuracy(cm, cm.class_sizes / 100) == pytest.approx(guess_accuracy(cm))
    assert guess_accuracy(cm, "uniform") == pytest.approx(guess_accuracy(cm, [1 / 3] * 3))
    assert hs.infer(cm).of("no_information_rate").observed == guess_accuracy(cm, "majority")
    rng = np.random.default_rng(0)
    truth, guess = rng.choice(3, 200_000, p=[0.9, 0.05, 0.05]), rng.choice(3, 200_000, p=[0.96, 0.02, 0.02])
    assert (truth == guess).mean() == pytest.approx(0.866, abs=5 * (0.866 * 0.134 / 200_000) ** 0.5)


@given(st.floats(0.01, 0.99), st.integers(5, 1000), st.floats(0.5, 0.999))
def test_on_the_z_scale_a_correlation_is_fishers_and_a_rate_the_logit(rate: float, n: int, level: float) -> None:
    width = float(norm.ppf((1 + level) / 2))
    r = 2 * rate - 1
    fisher = np.tanh(np.arctanh(r) + np.array([-1, 1]) * width / (n - 3) ** 0.5)
    assert z_interval(r, (1 - r * r) / (n - 3) ** 0.5, level, ends=(-1, 1)) == pytest.approx(tuple(fisher), abs=1e-12)
    spread = width / (n * rate * (1 - rate)) ** 0.5
    ends = expit(logit(rate) + np.array([-spread, spread]))
    assert z_interval(rate, (rate * (1 - rate) / n) ** 0.5, level) == pytest.approx(tuple(ends), abs=1e-12)


def test_the_mcc_on_the_z_scale_is_scipys_interval_of_a_correlation() -> None:
    cm = hs.ConfusionMatrix([[45, 5], [8, 42]])
    truth, call = (np.repeat(x.ravel(), cm.counts.ravel()) for x in np.indices((2, 2)))
    theirs = pearsonr(truth, call)
    mcc = hs.infer(cm).of("mcc").observed
    assert mcc == pytest.approx(theirs.statistic)
    assert z_interval(mcc, (1 - mcc**2) / 97**0.5, ends=(-1, 1)) == pytest.approx(tuple(theirs.confidence_interval()))


def test_the_z_scale_keeps_the_accuracy_of_c3_inside_its_range() -> None:
    low, high = ends("C3")["accuracy"]
    assert high > 1
    middle = (low + high) / 2
    assert 0 < z_interval(middle, (high - low) / 4)[0] < middle < z_interval(middle, (high - low) / 4)[1] < 1


def test_the_standard_error_across_folds_leaves_the_range_and_depends_on_their_number() -> None:
    right = np.ones(100)
    right[::25] = 0
    means = {folds: [float(fold.mean()) for fold in np.split(right, folds)] for folds in (4, 20)}
    for folds, values in means.items():
        assert across_folds(values) == pytest.approx((0.96, sem(values)))
        assert len(values) == folds
    assert across_folds(means[4])[1] != pytest.approx(across_folds(means[20])[1])
    assert sum(across_folds([1, 1, 1, 0.8, 1])) + across_folds([1, 1, 1, 0.8, 1])[1] > 1


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: chance_threshold(10, chance=1.0), "chance is a rate"),
        (lambda: chance_threshold(0), "right of cases"),
        (lambda: guess_accuracy(hs.ConfusionMatrix(np.zeros((2, 2), dtype=int))), "no cases"),
        (lambda: guess_accuracy(hs.ConfusionMatrix(np.eye(2, dtype=int)), "most"), "'majority', 'proportional' or"),
        (lambda: guess_accuracy(hs.ConfusionMatrix(np.eye(2, dtype=int)), [0.5, 0.6]), "2 shares that add to 1"),
        (lambda: guess_accuracy(hs.ConfusionMatrix(np.eye(2, dtype=int)), [1.0]), "2 shares that add to 1"),
        (lambda: guess_accuracy(hs.ConfusionMatrix(np.eye(2, dtype=int)), ["a", 1]), "2 shares that add to 1"),
        (lambda: z_interval(1.0, 0.1), "strictly between 0 and 1"),
        (lambda: z_interval(0.5, -0.1), "standard error, 0 or more"),
        (lambda: across_folds([0.9]), "two or more"),
        (lambda: across_folds([0.9, float("nan")]), "finite numbers"),
    ],
)
def test_what_has_no_answer_is_said(call: Callable[[], object], sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        call()


def test_companions_say_what_guesses_reach() -> None:
    made = hs.classical(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]))
    said = (
        "Accuracy of guesses: 0.765 for always the largest class, 0.640 for classes as often as they occur, 0.500 for"
    )
    assert said in str(made)
    assert "at 95% from 23 of 34 right on" in str(made)
    assert made.to_dict()["guesses"] == {
        "majority": 26 / 34, "proportional": pytest.approx((26**2 + 8**2) / 34**2), "uniform": 0.5, "threshold": 23,
    }  # fmt: skip
    assert "accuracy above 1/2 (binomial)" in str(made)
    assert "not even 3 right answers" in str(hs.classical(hs.ConfusionMatrix([[2, 0], [0, 1]])))


@given(st.integers(0, 80), st.integers(0, 80))
def test_mcnemar_is_the_sign_test(b: int, c: int) -> None:
    expected = binomtest(b, b + c).pvalue if b + c else 1.0
    assert mcnemar(b, c).p == pytest.approx(expected)
    assert mcnemar(b, c).p == mcnemar(c, b).p


def test_stuart_maxwell_and_bowker_on_a_published_table() -> None:
    """Unaided distance vision of 7477 women, Stuart 1955 and Bishop, Fienberg and Holland 1975, table 8.2-1."""
    vision = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]
    cm = hs.ConfusionMatrix(vision)
    margins, symmetry = stuart_maxwell(cm), bowker(cm)
    assert (round(margins.statistic or 0, 2), margins.freedom) == (11.96, 3)
    assert (round(symmetry.statistic or 0, 2), symmetry.freedom) == (19.11, 6)
    assert margins.p == pytest.approx(0.0075, abs=5e-5)


@given(matrices(max_classes=2))
def test_of_two_classes_both_are_the_chi_squared_of_mcnemar(cm: hs.ConfusionMatrix) -> None:
    b, c = int(cm.counts[0, 1]), int(cm.counts[1, 0])
    expected = (b - c) ** 2 / (b + c) if b + c else 0.0
    for test in (bowker(cm), stuart_maxwell(cm)):
        assert test.statistic == pytest.approx(expected, abs=1e-9)
        assert test.freedom == (1 if b + c else 0)


@given(matrices())
def test_every_table_with_cases_has_companions_and_symmetric_ones_have_no_evidence(cm: hs.ConfusionMatrix) -> None:
    if not cm.n:
        with pytest.raises(InvalidArgument, match="no cases"):
            hs.classical(cm)
        return
    made = hs.classical(cm)
    for row in made.rows:
        assert 0 <= row.clopper_pearson[0] <= row.right / row.cases <= row.clopper_pearson[1] <= 1
        assert -1e-12 <= row.wilson[0] <= row.wilson[1] <= 1 + 1e-12
    assert all(0 <= test.p <= 1 for test in made.tests)
    json.dumps(made.to_dict(), allow_nan=False)
    even = hs.ConfusionMatrix(cm.counts + cm.counts.T)
    assert bowker(even).p == 1
    assert stuart_maxwell(even).p == pytest.approx(1)


@cache
def ends(case: str) -> dict[str, tuple[float, float]]:
    return carrillo_intervals(hs.ConfusionMatrix(CASES[f"carrillo2013_{case}"]["matrix"]))


@pytest.mark.parametrize("case", [f"C{i}" for i in range(1, 10)])
@pytest.mark.parametrize(("key", "metric"), [("acc", "accuracy"), ("bac", "balanced_accuracy"), ("kappa", "kappa")])
def test_table_1_of_carrillo(case: str, key: str, metric: str) -> None:
    printed = value(f"carrillo2013_{case}", f"{key}_ci")
    assert [shown_then_cut(x, 2) for x in ends(case)[metric]] == printed


@pytest.mark.parametrize("given", [(1, 0), (-1, 3), (4, 3), (1.5, 3), (True, 3), ("1", 3)])
def test_rates_that_are_none(given: tuple[int, int]) -> None:
    for interval in (clopper_pearson, wilson, tail_inversion):
        with pytest.raises(InvalidArgument, match="right of cases"):
            interval(*given)


def test_mcnemar_is_the_binomial_and_the_chi_squared_of_scipy() -> None:
    for first, second in ((12, 5), (5, 12), (1, 0), (3, 3), (40, 15), (0, 0)):
        total = first + second
        exact, corrected = mcnemar(first, second), mcnemar_corrected(first, second)
        assert exact.p == pytest.approx(binomtest(first, total).pvalue if total else 1, rel=1e-12)
        statistic = max(abs(first - second) - 1, 0) ** 2 / total if total else 0
        assert corrected.statistic == pytest.approx(statistic)
        assert corrected.p == pytest.approx(chi2.sf(statistic, 1), rel=1e-9)
