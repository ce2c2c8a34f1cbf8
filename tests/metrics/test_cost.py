"""Metrics with numbers of one's own: costs and class weights."""

import pickle

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.laws import Draws, Linear
from howsure.metrics import REGISTRY

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
