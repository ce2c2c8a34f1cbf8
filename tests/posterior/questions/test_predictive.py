"""Predictive values as curves: the same numbers as one prevalence at a time."""

from __future__ import annotations

import json

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.questions.predictive import _drawn, _exact

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
THREE = hs.ConfusionMatrix([[45, 5, 1], [8, 42, 3], [3, 3, 20]], labels=["a", "b", "macro"])


@pytest.mark.parametrize(("confusion", "label"), [(TWO, "ill"), (TWO, "healthy"), (THREE, "b"), (THREE, "macro")])
@pytest.mark.parametrize("share", [0.001, 0.02, 0.5, 0.97])
def test_the_curve_is_that_of_each_prevalence(confusion: hs.ConfusionMatrix, label: str, share: float) -> None:
    post = hs.infer(confusion, "flat")
    curve = post.predictive_values(label, level=0.9, prevalence=[share])
    there = post.at_prevalence({label: share})
    tails = [0.05, 0.5, 0.95]
    assert curve.positive[:, 0] == pytest.approx(there.of(f'precision@"{label}"').quantile(tails), rel=1e-6)
    assert curve.negative[:, 0] == pytest.approx(there.of(f'npv@"{label}"').quantile(tails), rel=1e-6)
    assert curve.at(share)[0] == pytest.approx(curve.positive[:, 0].tolist())


def test_the_curves_rise_and_fall() -> None:
    curve = hs.infer(TWO).predictive_values()
    assert curve.label == "ill"
    assert len(curve.prevalence) == 101
    assert np.all(np.diff(curve.positive, axis=1) > 0)
    assert np.all(np.diff(curve.negative, axis=1) < 0)
    assert curve.here == 0.5
    assert json.loads(json.dumps(curve.to_dict()))["kind"] == "predictive_values"


def test_what_has_no_curve_is_said() -> None:
    with pytest.raises(InvalidArgument, match="say which class"):
        hs.infer(THREE).predictive_values()
    for odd in ([0.0], [1.0], [], ["x"]):
        with pytest.raises((InvalidArgument, ValueError)):
            hs.infer(TWO).predictive_values(prevalence=odd)  # type: ignore[arg-type]  # on purpose


def test_drawn_curves_agree_with_exact_ones() -> None:
    tails, post = [0.025, 0.5, 0.975], knowledge_of(hs.infer(THREE, "flat"))
    exact = _exact(post, [0, 1, 2], tails)
    assert exact is not None
    for one, other in zip(exact, _drawn(post, [0, 1, 2], tails), strict=True):
        assert np.log(other.odds) == pytest.approx(np.log(one.odds), abs=0.06)
        assert (other.recall, other.alarm) == pytest.approx((one.recall, one.alarm), abs=0.002)


def test_a_learned_prior_has_curves_by_draws() -> None:
    post = hs.infer(hs.ConfusionMatrix(np.diag([30] * 10) + 1), "learned")
    curve = post.predictive_values("3", prevalence=[0.1])
    known = post.at_prevalence({"3": 0.1}).of("precision@3")
    assert curve.positive[1, 0] == pytest.approx(known.median, abs=0.01)
    assert curve.recall == pytest.approx(post.of("recall@3").mean, abs=0.005)
