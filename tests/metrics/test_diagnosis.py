"""Diagnostic ratios and overdiagnosis, by hand and against their bounds."""

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import matrices

import howsure as hs
from howsure.metrics import REGISTRY, parse

ILL = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


@pytest.mark.parametrize("p", [0.01, 0.2, 0.9])
def test_overdiagnosis_is_m_of_the_blog_and_bounded_as_it_says(p):
    known = hs.infer(ILL, "flat").at_prevalence([1 - p, p]).of("overdiagnosis@ill")
    sensitivity, specificity = 42 / 50, 45 / 50
    assert known.observed == pytest.approx(p * sensitivity + (1 - p) * (1 - specificity) - p)
    assert abs(known.observed) <= 1 - min(sensitivity, specificity)
    assert known.route == "exact"


@given(matrices(), st.integers(0, 2**32 - 1))
def test_overdiagnosis_of_any_class_at_any_prevalence_is_at_most_one_less_the_worst_rate(
    cm: hs.ConfusionMatrix, seed: int
) -> None:
    size = len(cm.labels)
    rng = np.random.default_rng(seed)
    rows = cm.counts + rng.dirichlet(np.ones(size), size)  # every class has a rate
    mixes = rng.dirichlet(np.full(size, 0.3), 20)
    tables = mixes[:, :, None] * rows / rows.sum(axis=1, keepdims=True)
    bound = 1 - REGISTRY["worst_rate"](rows)
    assert np.abs(REGISTRY["overdiagnosis"](tables)).max() <= bound + 1e-12
    specificity = REGISTRY["specificity"](tables)
    assert np.nanmin(np.where(mixes < 1 - 1e-9, specificity, np.nan)) >= 1 - bound - 1e-6


def test_the_bound_of_overdiagnosis_is_reached() -> None:
    cm = hs.ConfusionMatrix([[7, 3, 0], [1, 9, 0], [0, 0, 10]], labels=["a", "b", "c"])
    post = hs.infer(cm, "flat").at_prevalence([1, 0, 0])
    assert post.of("overdiagnosis@a").observed == pytest.approx(-(1 - post.of("recall@a").observed)) == -0.3
    assert post.of("overdiagnosis@b").observed == pytest.approx(0.3)


def test_likelihood_ratios_are_those_of_scikit_learn():
    truth, call = (np.repeat(x.ravel(), ILL.counts.ravel()) for x in np.indices((2, 2)))
    expected = sklearn.metrics.class_likelihood_ratios(truth, call)
    assert (observed("lr+", ILL.counts), observed("lr-", ILL.counts)) == pytest.approx(expected)


def test_the_ratios_hang_together():
    get = {name: observed(name, ILL.counts) for name in ("plr", "nlr", "dor", "log_dor", "yule_q", "pt", "nnd", "lift")}
    assert get["dor"] == pytest.approx(get["plr"] / get["nlr"])
    assert get["log_dor"] == pytest.approx(np.log(get["dor"]))
    assert get["yule_q"] == pytest.approx((get["dor"] - 1) / (get["dor"] + 1))
    assert get["pt"] == pytest.approx(1 / (1 + get["plr"] ** 0.5))
    assert get["nnd"] == pytest.approx(1 / observed("informedness", ILL.counts))
    assert get["lift"] == pytest.approx(observed("precision", ILL.counts) / 0.5)
