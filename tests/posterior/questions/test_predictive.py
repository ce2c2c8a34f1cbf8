"""Predictive values as curves: the same numbers as one prevalence at a time."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.laws import Kind
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.questions.predictive import _drawn, _exact

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
THREE = hs.ConfusionMatrix([[45, 5, 1], [8, 42, 3], [3, 3, 20]], labels=["a", "b", "macro"])


SPARSE = hs.ConfusionMatrix([[20, 0], [3, 10]], labels=["healthy", "ill"])


@pytest.mark.parametrize(
    ("confusion", "label"), [(TWO, "ill"), (TWO, "healthy"), (SPARSE, "ill"), (THREE, "b"), (THREE, "macro")]
)
@pytest.mark.parametrize("kind", ["hdi", "central"])
@pytest.mark.parametrize(("share", "level"), [(0.001, 0.9), (0.02, 0.95), (0.5, 0.5), (0.97, 0.999)])
def test_the_curve_is_that_of_each_prevalence(
    confusion: hs.ConfusionMatrix, label: str, kind: Kind, share: float, level: float
) -> None:
    post = hs.infer(confusion, "flat")
    curve = post.predictive_values(label, level=level, kind=kind, prevalence=[share, 0.3])
    there = post.at_prevalence({label: share})
    assert curve.law == "exact"
    for metric, values, call in zip(
        ("precision", "npv"), (curve.positive, curve.negative), curve.at(share), strict=True
    ):
        law = there.of(f'{metric}@"{label}"')
        low, high = law.interval(level, kind)
        assert call == pytest.approx((low, law.mean, high), abs=5e-6 * (high - low))
        assert values[:, 0] == pytest.approx(call, rel=1e-12)


@given(
    cells=st.lists(st.integers(1, 10**5), min_size=4, max_size=4),
    share=st.floats(1e-5, 1 - 1e-5),
    level=st.floats(0.2, 0.999),
)
@settings(max_examples=40, deadline=None)
def test_of_any_two_classes(cells: list[int], share: float, level: float) -> None:
    post = hs.infer(hs.ConfusionMatrix([cells[:2], cells[2:]], labels=["healthy", "ill"]))
    there = post.at_prevalence({"ill": share})
    for metric, (low, mean, high) in zip(
        ("precision", "npv"), post.predictive_values(level=level).at(share), strict=True
    ):
        law = there.of(metric)
        interval = law.interval(level)
        assert (low, mean, high) == pytest.approx((interval[0], law.mean, interval[1]), abs=1e-3 * law.sd)


def test_of_two_cases_the_answer_is_right_to_a_thousandth_of_the_interval() -> None:
    post = hs.infer(hs.ConfusionMatrix([[1, 0], [0, 1]], labels=["healthy", "ill"]), "jeffreys")
    worths = post.predictive_values().worth([0.01, 0.3, 0.9])
    for share, calls in zip([0.01, 0.3, 0.9], worths, strict=True):
        for metric, call in zip(("precision", "npv"), calls, strict=True):
            law = post.at_prevalence({"ill": share}).of(metric)
            interval = law.interval()
            assert call.kind == interval.kind
            assert call[:3] == pytest.approx(
                (interval[0], law.mean, interval[1]), abs=1e-3 * (interval[1] - interval[0])
            )


def test_an_interval_that_is_central_is_called_so() -> None:
    # without false positives and at a small prevalence: much mass near 0, and again at 1
    curve = hs.infer(hs.ConfusionMatrix([[4, 0], [1, 3]], labels=["healthy", "ill"]), "jeffreys").predictive_values()
    kinds = [positive.kind for positive, _ in curve.worth([0.0001, 0.5])]
    there = [curve_at.of("precision").interval().kind for curve_at in (_two_cases(0.0001), _two_cases(0.5))]
    assert kinds == there == ["central", "hdi"]
    told = replace(curve, here=0.0001).sheet()
    assert "(central)" in told.headline
    assert curve.sheet().table.rows[-1][2].count("central") == 0


def _two_cases(share: float) -> hs.Posterior:
    post = hs.infer(hs.ConfusionMatrix([[4, 0], [1, 3]], labels=["healthy", "ill"]), "jeffreys")
    return post.at_prevalence({"ill": share})


def test_no_case_and_every_case() -> None:
    (never, no_case), (always, every_case) = hs.infer(TWO).predictive_values().worth([0.0, 1.0])
    assert never[:3] == pytest.approx((0, 0, 0), abs=1e-12)
    assert no_case[:3] == pytest.approx((1, 1, 1), abs=1e-12)
    assert always[:3] == pytest.approx((1, 1, 1), abs=1e-12)
    assert every_case[:3] == pytest.approx((0, 0, 0), abs=1e-12)


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
    post = knowledge_of(hs.infer(THREE, "flat"))
    exact = _exact(post, [0, 1, 2], 0.95, "hdi")
    assert exact is not None
    for one, other in zip(exact, _drawn(post, [0, 1, 2], 0.95, "hdi", 20_000, 0), strict=True):
        for known, drawn in zip(one.odds, other.odds, strict=True):
            for call, again in zip(known.at([-3.0, 0.0, 2.0]), drawn.at([-3.0, 0.0, 2.0]), strict=True):
                assert again[:3] == pytest.approx(call[:3], abs=6 * again.error)
        assert (other.recall, other.alarm) == pytest.approx((one.recall, one.alarm), abs=0.002)


@pytest.mark.parametrize("kind", ["hdi", "central"])
def test_a_learned_prior_has_the_draws_of_the_metric_itself(kind: Kind) -> None:
    post = hs.infer(hs.ConfusionMatrix(np.diag([30] * 10) + 1), "learned")
    curve = post.predictive_values("3", kind=kind, prevalence=[0.1], draws=4000, seed=3)
    assert curve.law == "drawn"
    for metric, call, values in zip(
        ("precision@3", "npv@3"), curve.worth([0.1])[0], (curve.positive, curve.negative), strict=True
    ):
        known = post.at_prevalence({"3": 0.1}).of(metric, draws=4000, seed=3)
        interval = known.interval(kind=kind)
        assert call[:3] == pytest.approx((interval[0], known.mean, interval[1]), rel=1e-9)
        assert values[:, 0] == pytest.approx(call[:3], abs=5 * call.error)
    assert curve.recall == pytest.approx(post.of("recall@3").mean, abs=0.005)
