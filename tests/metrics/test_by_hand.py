"""Metrics by hand: formulas of papers, costs, class weights, infinite values."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike
from tests.papers.printed import CASES

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.laws import Draws, Linear
from howsure.metrics import REGISTRY, parse
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of

ILL = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
BLOG = hs.ConfusionMatrix([[86, 1, 1], [0, 3, 3], [0, 3, 3]], labels=["A", "B", "C"])
GRADES = np.array([[6.0, 3, 1], [2, 5, 3], [0, 0, 0]])


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


def test_an_undefined_table_has_no_mcc() -> None:
    empty = hs.ConfusionMatrix([[30, 2, 0], [1, 9, 0], [0, 0, 0]])
    assert hs.infer(empty, "flat").at_prevalence([0.4, 0.4, 0.2]).of("mcc").observed is None
    assert hs.infer(hs.ConfusionMatrix([[3, 0], [2, 0]]), "flat").of("mcc").observed == 0


def test_one_class_shares_nothing_and_that_is_no_negative_zero():
    shared = observed("mutual_information", [[9, 0], [0, 0]])
    assert shared == 0
    assert not np.signbit(shared)


def test_gains_are_those_of_flach_and_kull():
    for name in ("precision", "recall", "f1", "fbeta(beta=2)"):
        base, _, rest = name.partition("(")
        gain = observed(f"{base}_gain{'(' + rest if rest else ''}", ILL.counts)
        value, share = observed(name, ILL.counts), 0.5
        assert gain == pytest.approx((value - share) / ((1 - share) * value))


def test_errors_of_grades():
    assert observed("mae", GRADES) == pytest.approx((3 + 2 * 1 + 2 + 3) / 20)
    assert observed("macro_mae", GRADES) == pytest.approx(((3 + 2) / 10 + (2 + 3) / 10) / 2)
    assert observed("mse", GRADES) == pytest.approx((3 + 4 + 2 + 3) / 20)
    assert observed("rmse", GRADES) == pytest.approx(observed("mse", GRADES) ** 0.5)
    assert observed("off_by_one_accuracy", GRADES) == pytest.approx(19 / 20)


def test_the_measures_of_the_blog():
    post = hs.infer(BLOG, "flat")
    at = post.at_prevalence([1 / 3, 1 / 3, 1 / 3])
    assert post.of("informedness@macro").observed == pytest.approx(0.63072, abs=5e-6)  # Y_s
    assert post.of("markedness@macro").observed == pytest.approx(0.54992, abs=5e-6)  # Y_c
    assert post.of("worst_rate").observed == 0.5  # T
    assert at.of("informedness@macro").observed == pytest.approx(0.48864, abs=5e-6)
    assert at.of("markedness@macro").observed == pytest.approx(0.49156, abs=5e-6)


@pytest.mark.parametrize("p", [0.01, 0.2, 0.9])
def test_overdiagnosis_is_m_of_the_blog_and_bounded_as_it_says(p):
    known = hs.infer(ILL, "flat").at_prevalence([1 - p, p]).of("overdiagnosis@ill")
    sensitivity, specificity = 42 / 50, 45 / 50
    assert known.observed == pytest.approx(p * sensitivity + (1 - p) * (1 - specificity) - p)
    assert abs(known.observed) <= 1 - min(sensitivity, specificity)
    assert known.route == "exact"


def test_the_bound_of_overdiagnosis_is_reached() -> None:
    cm = hs.ConfusionMatrix([[7, 3, 0], [1, 9, 0], [0, 0, 10]], labels=["a", "b", "c"])
    post = hs.infer(cm, "flat").at_prevalence([1, 0, 0])
    assert post.of("overdiagnosis@a").observed == pytest.approx(-(1 - post.of("recall@a").observed)) == -0.3
    assert post.of("overdiagnosis@b").observed == pytest.approx(0.3)


# -- metrics with numbers of one's own: costs and class weights -------------------------------------------------------

CM = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])
POST = hs.infer(CM, "flat")
COSTS = np.array([[-1, 2, 0.5], [3, 0, 1], [10, 4, 0]])


def test_expected_cost_is_the_mean_cost_of_a_case():
    known = POST.of(hs.expected_cost(COSTS))
    assert known.observed == pytest.approx((CM.counts * COSTS).sum() / 46)
    assert known.support == (-1, 10)
    assert known.route == "simulated"


def test_expected_cost_is_exact_at_a_stated_prevalence_and_agrees_with_draws():
    post = POST.at_prevalence([0.5, 0.2, 0.3])
    known = post.of(hs.expected_cost(COSTS))
    assert isinstance(known.law, Linear)
    drawn = Draws((post.draw(20_000, seed=5) * COSTS).sum((1, 2)))
    assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)
    for p in (0.05, 0.5, 0.95):
        assert known.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))


def test_equal_class_weights_are_balanced_accuracy_and_c_is_that_of_brodersen():
    assert POST.of(hs.class_weighted_accuracy([2, 2, 2])).interval() == POST.of("balanced_accuracy").interval()
    two = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    whole = two.of(hs.class_weighted_accuracy([1, 3]))
    assert whole.observed == pytest.approx(0.25 * 45 / 50 + 0.75 * 42 / 50)
    assert two.of("weighted_balanced_accuracy(c=0.75)@ill").interval() == pytest.approx(whole.interval(), abs=1e-12)
    assert two.of("weighted_balanced_accuracy(c=0)").interval() == pytest.approx(
        two.of("specificity").interval(), abs=1e-12
    )


def test_made_metrics_are_not_in_the_registry_and_can_be_pickled():
    metric = hs.expected_cost(COSTS, name="euros")
    assert "euros" not in REGISTRY
    again = pickle.loads(pickle.dumps(metric))
    assert again(CM.counts) == metric(CM.counts)
    assert POST.of(again).metric == "euros"
    assert pickle.loads(pickle.dumps(REGISTRY["recall"])) is REGISTRY["recall"]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: hs.expected_cost([[0, 1, 2]]), ["square", "(1, 3)"]),
        (lambda: hs.expected_cost([[0, "x"], [1, 0]]), ["numbers", "'x'"]),
        (lambda: hs.expected_cost([[0, np.nan], [1, 0]]), ["finite"]),
        (lambda: hs.expected_cost([[0, 1], [1, 0]], name="my cost"), ["word", "'my cost'"]),
        (lambda: hs.class_weighted_accuracy([1, -1]), ["0 or more"]),
        (lambda: hs.class_weighted_accuracy([0, 0]), ["not all 0"]),
        (lambda: hs.class_weighted_informedness([1, 1.5]), ["0 to 1", "0.5 favours nothing", "1.5"]),
        (lambda: hs.class_weighted_markedness([]), ["one for each class"]),
        (lambda: hs.class_weighted_informedness(0.5), ["one for each class"]),
        (lambda: POST.of(hs.class_weighted_informedness([1, 1])), ["2 classes", "has 3"]),
        (lambda: POST.of(hs.class_weighted_accuracy([1, 1])), ["2 classes", "has 3"]),
        (lambda: hs.infer(CM).of("weighted_balanced_accuracy(c=2)@a"), ["0 to 1", "'2'"]),
        (lambda: hs.infer(CM).of("informedness@harmonic"), ["below 0", "informedness@macro"]),
        (lambda: hs.infer(CM).of(hs.metrics.REGISTRY["precision"]), ["precision@macro", "a, b, c"]),
    ],
)
def test_what_is_wrong_is_said(make, words):
    with pytest.raises(InvalidArgument) as raised:
        make()
    for word in words:
        assert word in str(raised.value)


# -- a weight for each class in Y_s and Y_c of the blog post "The problem with accuracy" ------------------------------

CASE = CASES["blog_problem_with_accuracy"]
BLOG_OF_CLASS_WEIGHTS = hs.infer(hs.ConfusionMatrix(CASE["matrix"], labels=["A", "B", "C"]), "flat")
EQUAL = BLOG_OF_CLASS_WEIGHTS.at_prevalence([1 / 3, 1 / 3, 1 / 3])
TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]), "flat")
MAKERS: dict[str, Callable[[ArrayLike], hs.Metric]] = {
    "informedness": hs.class_weighted_informedness,
    "markedness": hs.class_weighted_markedness,
}
RATES = {"informedness": ("sensitivity", "specificity"), "markedness": ("confidence_top", "confidence_bot")}


def in_words(name: str, weights: list[float], numbers: dict[str, list[float]]) -> float:
    """The blog's formula, (-N + sum_i (first_i 2 w_i + second_i 2 (1 - w_i))) / N."""
    first, second = (numbers[rate] for rate in RATES[name])
    terms = [a * 2 * w + b * 2 * (1 - w) for a, b, w in zip(first, second, weights, strict=True)]
    return (-len(terms) + sum(terms)) / len(terms)


@pytest.mark.parametrize("weights", [[1, 0, 0.25], [0.9, 0.2, 0.6]])
@pytest.mark.parametrize("name", MAKERS)
def test_the_formulas_of_the_blog_on_its_tables(name: str, weights: list[float]) -> None:
    for post, numbers in ((BLOG_OF_CLASS_WEIGHTS, CASE["computed"]), (EQUAL, CASE["computed"]["normalised"])):
        known = post.of(MAKERS[name](weights))
        assert known.observed == pytest.approx(in_words(name, weights, numbers), abs=1e-7)


@pytest.mark.sweep(5, full=6)
@pytest.mark.parametrize(
    ("post", "name", "route"),
    [
        (TWO, "informedness", "exact"),
        (TWO, "markedness", "exact"),
        (TWO.at_prevalence([0.9, 0.1]), "markedness", "exact"),
        (EQUAL, "informedness", "exact"),
        (BLOG_OF_CLASS_WEIGHTS.at_prevalence([0.7, 0.3, 0]), "markedness", "simulated"),
        (BLOG_OF_CLASS_WEIGHTS, "informedness", "simulated"),
    ],
)
def test_the_law_is_that_of_the_draws(post: hs.Posterior, name: str, route: str) -> None:
    known = post.of(MAKERS[name]([0.9, 0.2, 0.6][: len(post.labels)]))
    assert known.route == route
    assert measure_of(known) is not None
    drawn = Draws(np.concatenate([measure_of(known)(block) for block in knowledge_of(post).tables(100_000, seed=5)]))
    assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error + 5 * known.error)
    for p in (0.025, 0.5, 0.975):
        assert known.quantile(p) == pytest.approx(drawn.quantile(p), abs=6 * drawn.quantile_error(p) + 6 * known.error)


# -- metrics without an upper end: what is infinite is said, drawn and written as such --------------------------------


@pytest.mark.full
@pytest.mark.parametrize(("counts", "metric"), [([[5, 0], [7, 0]], "f1_gain"), ([[0, 5], [7, 0]], "log_dor")])
def test_ratios_beyond_all_numbers_are_infinite_and_not_a_warning(counts: list[list[int]], metric: str) -> None:
    post = hs.infer(hs.ConfusionMatrix(counts), "learned")
    known = post.of(metric)
    assert known.interval().low <= known.interval().high
    sensitivity = post.prior_sensitivity(metric, draws=500)
    assert "nan" not in str(sensitivity)
    assert "inf sd" not in str(sensitivity)
    assert json.loads(json.dumps(sensitivity.to_dict(), allow_nan=False))["metric"]


def test_what_is_infinite_in_every_draw_says_so() -> None:
    worse = hs.infer(hs.ConfusionMatrix([[0, 500], [700, 0]]), "learned")
    with pytest.raises(NoInformation, match=r"is infinite in every draw"):
        worse.of("number_needed_to_diagnose", draws=500)
