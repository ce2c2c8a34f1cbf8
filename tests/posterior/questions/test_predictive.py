"""Predictive values as curves: the same numbers as one prevalence at a time."""

from __future__ import annotations

import pytest

import howsure as hs
from howsure.answers.sheet import Ask
from howsure.errors import InvalidArgument
from howsure.laws import Kind
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.questions.predictive import _drawn, _exact

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
THREE = hs.ConfusionMatrix([[45, 5, 1], [8, 42, 3], [3, 3, 20]], labels=["a", "b", "macro"])


SPARSE = hs.ConfusionMatrix([[20, 0], [3, 10]], labels=["healthy", "ill"])


@pytest.mark.sweep(4, full=40)
@pytest.mark.parametrize(
    ("confusion", "label", "kind", "share", "level"),
    [
        (TWO, "ill", "hdi", 0.001, 0.9),
        (TWO, "healthy", "central", 0.5, 0.5),
        (SPARSE, "ill", "hdi", 0.02, 0.95),
    ],
)
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


def test_what_has_no_curve_is_said() -> None:
    with pytest.raises(InvalidArgument, match="say which class"):
        hs.infer(THREE).predictive_values()
    for odd in ([0.0], [1.0], [], ["x"]):
        with pytest.raises((InvalidArgument, ValueError)):
            hs.infer(TWO).predictive_values(prevalence=odd)  # type: ignore[arg-type]  # on purpose


def test_drawn_curves_agree_with_exact_ones() -> None:
    post = knowledge_of(hs.infer(TWO, "flat"))
    exact = _exact(post, [0, 1], 0.95, "hdi")
    assert exact is not None
    for one, other in zip(exact, _drawn(post, [0, 1], Ask(0.95, "hdi")), strict=True):
        for known, drawn in zip(one.odds, other.odds, strict=True):
            for call, again in zip(known.at([-3.0, 0.0, 2.0]), drawn.at([-3.0, 0.0, 2.0]), strict=True):
                assert again[:3] == pytest.approx(call[:3], abs=6 * again.error)
        assert (other.recall, other.alarm) == pytest.approx((one.recall, one.alarm), abs=0.002)
