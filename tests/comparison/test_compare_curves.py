"""Differences of two curves: what they are made of, and by a second route."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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


@pytest.mark.parametrize("at", [0.1, 0.3, 0.6])
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


def test_the_same_order_is_no_difference():
    truth = [0, 1] * 30
    scores = hs.Scores(truth, {"x": range(60), "y": [3.0 * i for i in range(60)]})
    made = hs.compare_curves(scores, draws=300)
    assert set(made.band_low) == set(made.band_high) == {0.0}
    assert made.stretches == ()
    assert "Nowhere" in made.sentence


def test_the_same_cases_say_more_than_separate_ones():
    scores = two(400)
    paired = hs.compare_curves(scores, draws=1000)
    apart = hs.compare_curves(scores.of("new"), scores.of("old"), names=("new", "old"), draws=1000)
    assert not apart.area.paired
    wide = [np.subtract(made.high, made.low).mean() for made in (paired, apart)]
    assert wide[0] < 0.85 * wide[1]
    assert "separate test sets" in " ".join(apart.notes)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["roc", "precision_recall"]))
def test_bands_hold_intervals_and_names_can_be_exchanged(seed, what):
    scores = two(40, seed, (1.0, 1.0))
    made = hs.compare_curves(scores, "new", "old", what, draws=300)
    other = hs.compare_curves(scores, "old", "new", what, draws=300)
    assert all(
        b <= low <= high <= t
        for b, low, high, t in zip(made.band_low, made.low, made.high, made.band_high, strict=True)
    )
    assert min(made.band_low) >= -1.1
    assert max(made.band_high) <= 1.1
    assert made.observed == pytest.approx(np.negative(other.observed))


def test_it_is_written_in_full():
    made = hs.compare_curves(two(), what="precision_recall", draws=200)
    rows = list(csv.reader(io.StringIO(made.to_csv())))
    assert rows[0][:4] == ["recall", "precision_a", "precision_b", "difference"]
    assert [float(row[3]) for row in rows[1:]] == pytest.approx(made.observed)
    assert made.to_dict()["stretches"] == [{"low": a, "high": b, "higher": n} for a, b, n in made.stretches]
    assert hs.compare_curves(two(), what="precision_recall", draws=200).to_dict() == made.to_dict()


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
