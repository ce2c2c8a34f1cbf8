"""Any function of tables is a metric, and what is wrong with one is said in a sentence."""

import pickle

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.metrics.own import own

CM = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])
POST = hs.infer(CM, "flat")


def share_of_first(m):
    return m[..., 0, 0] / m.sum((-2, -1))


def test_a_function_has_its_name_its_value_and_a_drawn_law():
    known = POST.of(share_of_first)
    assert known.metric == "share_of_first"
    assert known.observed == pytest.approx(30 / 46)
    assert known.route == "simulated"
    twin = POST.of("detection_rate@a")
    assert (known.mean, known.sd) == pytest.approx((twin.mean, twin.sd))


def test_a_function_of_a_module_can_be_pickled():
    metric = pickle.loads(pickle.dumps(own(np.linalg.det, 3)))
    assert metric.name == "det"
    assert float(metric(np.eye(3))) == pytest.approx(1)


def mutate(m):
    m *= 2
    return m.sum((-2, -1))


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda m: m[..., 5, 5], ["failed", "IndexError", "(..., K, K)"]),
        (lambda m: m, ["shape (3, 3, 3)", "one number for each"]),
        (lambda m: m[..., 0, 0] / m.sum(), ["alone", "stack"]),
        (lambda m: "high", ["'high'", "no number"]),
        (lambda m: m[..., 0, 0] / 0, ["infinite for 3 of 3"]),
        (mutate, ["failed", "read-only"]),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(function, words):
    with pytest.raises(InvalidArgument) as raised:
        POST.of(function)
    assert "\n" not in str(raised.value)
    for word in words:
        assert word in str(raised.value)


def test_undefined_in_some_draws_is_counted_and_in_all_is_no_information():
    known = POST.of(lambda m: np.where(m[..., 0, 0] > 0.6, m[..., 0, 0], np.nan))
    assert 0 < known.law.undefined < 20_000
    with pytest.raises(NoInformation, match=r"lambda is undefined \(0/0\) in every draw"):
        POST.of(lambda m: m[..., 0, 0] * np.nan)
