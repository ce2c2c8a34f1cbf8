"""Differences of two curves: what they are made of, and by a second route."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_curve

import howsure as hs
from howsure.curves import precision_recall_curve
from howsure.curves import roc_curve as own_curve


def two(n=120, seed=0, gaps=(1.8, 1.0)):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3 == 0
    shared = rng.standard_normal(n)
    scores = {
        name: shared + 0.7 * rng.standard_normal(n) + gap * truth
        for name, gap in zip(("new", "old"), gaps, strict=True)
    }
    return hs.Scores(truth.astype(int), scores)


def test_heights_are_those_of_scikit_learn():
    scores = two()
    made = hs.compare_curves(scores, draws=200)
    for name, heights in (("new", made.a), ("old", made.b)):
        fpr, tpr, _ = roc_curve(scores.truth, scores.of(name).scores, drop_intermediate=False)
        assert heights == pytest.approx(np.interp(made.x, fpr, tpr))
    assert made.observed == pytest.approx(np.subtract(made.a, made.b))


@pytest.mark.parametrize(("what", "alone"), [("roc", own_curve), ("precision_recall", precision_recall_curve)])
def test_each_is_the_curve_it_is_alone(what, alone):
    scores = two()
    made = hs.compare_curves(scores, what=what, draws=200)
    assert made.a == pytest.approx(alone(scores.of("new"), draws=200).observed)
    assert made.b == pytest.approx(alone(scores.of("old"), draws=200).observed)


@pytest.mark.full
@pytest.mark.parametrize("at", [0.1, 0.6])
def test_a_point_has_the_sd_of_the_bootstrap(at):
    # the second route: cases drawn again, scikit-learn's curves
    scores = two(900)
    made = hs.compare_curves(scores, draws=2000)
    rng = np.random.default_rng(1)
    found = []
    for _ in range(500):
        chosen = np.concatenate(
            [rng.choice(np.flatnonzero(scores.truth == k), (scores.truth == k).sum()) for k in (0, 1)]
        )
        rates = []
        for name in ("new", "old"):
            fpr, tpr, _ = roc_curve(scores.truth[chosen], scores.of(name).scores[chosen], drop_intermediate=False)
            rates.append(np.interp(at, fpr, tpr))
        found.append(rates[0] - rates[1])
    i = made.x.index(at)
    assert (made.high[i] - made.low[i]) / (2 * 1.96) == pytest.approx(np.std(found), rel=0.15)


def test_what_cannot_be_compared_is_refused():
    three = hs.Scores([0, 1, 2, 0], {"a": np.full((4, 3), 1 / 3), "b": np.full((4, 3), 1 / 3)})
    with pytest.raises(hs.HowsureError, match="two classes"):
        hs.compare_curves(three)
    with pytest.raises(hs.HowsureError, match="two classifiers are compared"):
        hs.compare_curves(two().of("new"))
    with pytest.raises(hs.HowsureError, match="what is 'roc' or"):
        hs.compare_curves(two(), what="lift")
    with pytest.raises(hs.HowsureError, match="takes the names"):
        hs.compare_curves(two(), "new")
