"""P(informative) and P(deceptive), on the published classifiers and for any number of classes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score
from tests.conftest import matrices

import howsure as hs
from howsure.errors import InvalidArgument

TWO = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))


def test_all_published_classifiers(published: dict[str, Any]) -> None:
    names = [n for n, c in published.items() if n.startswith("toetsch2020") and "matrix" in c]
    assert len(names) == 24
    for name in names:
        known = hs.infer(hs.ConfusionMatrix(published[name]["matrix"])).informative()
        rel = 2e-4 if name == "toetsch2020_16" else 6e-6  # that one's stored tail has four digits
        assert known.deceptive == pytest.approx(published[name]["computed"]["r_deceptive"], rel=rel, abs=0)
        assert known.informative + known.deceptive == pytest.approx(1)


@given(matrices(), st.floats(0, 0.9))
def test_the_three_probabilities_add_to_one(cm: hs.ConfusionMatrix, margin: float) -> None:
    known = hs.infer(cm, "flat").informative(margin)
    assert known.informative + known.chance + known.deceptive == pytest.approx(1, abs=1e-8)
    assert known.informative <= hs.infer(cm, "flat").informative().informative + 1e-9
    json.dumps(known.to_dict(), allow_nan=False)
    assert str(known)


def test_informedness_of_several_classes_is_adjusted_balanced_accuracy() -> None:
    cm = hs.ConfusionMatrix([[3000, 0, 200], [0, 300, 100], [100, 100, 800]])
    true = [i for i in range(3) for j in range(3) for _ in range(cm.counts[i, j])]
    pred = [j for i in range(3) for j in range(3) for _ in range(cm.counts[i, j])]
    law = hs.infer(cm).informative().informedness
    assert law.mean == pytest.approx(balanced_accuracy_score(true, pred, adjusted=True), abs=0.005)
    assert law.support == pytest.approx((-0.5, 1))


def test_of_two_classes_it_is_the_metric_informedness() -> None:
    law = TWO.informative().informedness
    assert tuple(law.interval()) == pytest.approx(tuple(TWO.of("informedness").interval()), abs=1e-9)
    assert TWO.informative(0.1).informative == pytest.approx(TWO.of("informedness").prob(above=0.1))


def test_a_coin_is_as_likely_either() -> None:
    coin = hs.infer(hs.ConfusionMatrix([[10, 10], [10, 10]])).informative()
    assert coin.informative == pytest.approx(0.5)


@pytest.mark.parametrize("margin", [-0.1, 1, float("nan"), True, "0.1"])
def test_margins_that_are_none(margin: object) -> None:
    with pytest.raises(InvalidArgument, match="margin is an informedness"):
        TWO.informative(margin)  # type: ignore[arg-type]
