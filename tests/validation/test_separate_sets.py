"""Of equally good classifiers neither is called better because its test set is larger."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.validation.coverage import LONGER
from tests.validation.separate_sets import SCENES, Scene, compared, rates, shares
from tests.validation.separate_sets import tests as drawn_sets

import howsure as hs
from howsure.numerics.populations.beta_laws import exceedance
from howsure.posterior.priors import CALIBRATED

#: Stands for no pseudo-count at all.
TINY = 1e-9

#: At most so often one is said to be better, of two classes and from three on, and with equal sizes.
TWO, MORE, EQUAL = 0.05, 0.12, 0.07


def bound(scene: Scene) -> float:
    """What is promised."""
    return EQUAL if scene.candidate == scene.baseline else TWO if scene.classes == 2 else MORE


def within(share: float, runs: int, most: float) -> bool:
    """Whether so many are to be expected, but for once in 10,000, at the bound."""
    return bool(stats.binom.sf(round(share * runs) - 1, runs, most) > 1e-4)


@pytest.mark.full
def test_two_classes() -> None:
    scene, runs = Scene(2, 10, 100, 0.95), 80
    found = rates(scene, runs)
    assert within(found.passes, runs, bound(scene))
    assert within(found.fails, runs, bound(scene))
    assert found.passes <= found.above
    assert found.fails <= found.below


@pytest.mark.deep
@pytest.mark.parametrize("scene", SCENES, ids=str)
def test_no_scene_calls_one_of_two_equals_better_more_often_than_is_promised(scene: Scene) -> None:
    runs = 60 * LONGER if scene.classes > 2 else 300 * LONGER
    above, below = shares(scene, runs, compared)
    assert within(above, runs, bound(scene))
    assert within(below, runs, bound(scene))


@pytest.mark.deep
@pytest.mark.parametrize("scene", SCENES, ids=str)
def test_a_gate_has_the_probabilities_of_its_comparison(scene: Scene) -> None:
    candidate, baseline = (hs.infer(x) for x in drawn_sets(scene, np.random.default_rng(0)))
    row = hs.gate(candidate, baseline).rows[0]
    made = hs.compare(candidate, baseline, metric="balanced_accuracy")
    assert (row.metric, row.p_pass, row.p_fail) == (made.metric, made.p_better, pytest.approx(made.p_worse, abs=1e-12))


@pytest.mark.full
@pytest.mark.parametrize(("n", "m"), [(20, 200), (10, 100)])
@pytest.mark.parametrize("rate", [0.85, 0.9, 0.95, 0.98])
def test_one_rate_is_counted_out(n: int, m: int, rate: float) -> None:
    """Exact: every outcome of both tests, under the default, under the flat prior, and with the tail of the smaller."""
    k, j = np.arange(n + 1), np.arange(m + 1)
    weights = np.outer(stats.binom.pmf(k, n, rate), stats.binom.pmf(j, m, rate))
    shares = {}
    s = CALIBRATED
    large = (j + s, m - j + s)
    for name, a, b in (("default", s, s), ("flat", 1.0, 1.0), ("low", 0.0, 1.0), ("high", 1.0, 0.0)):
        beside = (j + 1, m - j + 1) if name == "flat" else large
        rows = [(np.full(m + 1, max(x + a, TINY)), np.full(m + 1, max(n - x + b, TINY))) for x in k]
        shares[name] = np.array([exceedance(row, beside) for row in rows])
    worse, better = shares["default"] <= 0.05, shares["default"] >= 0.95
    assert weights[worse].sum() < weights[shares["flat"] <= 0.05].sum()
    assert weights[worse & (shares["high"] <= 0.05)].sum() <= 0.05
    assert weights[better & (shares["low"] >= 0.95)].sum() <= 0.05
    # and that is what is compared, and what a gate decides by
    for right, of_large in ((n - 2, m - 1), (n, m // 2)):
        one = hs.Posterior.from_accuracy(correct=right, n=n)
        made = hs.compare(one, hs.Posterior.from_accuracy(correct=of_large, n=m), metric="accuracy")
        assert made.p_better == pytest.approx(float(shares["default"][right, of_large]), abs=1e-9)
        side = "low" if made.p_better > 0.5 else "high"
        tail = float(shares[side][right, of_large])
        if made.tail is not None:
            assert made.tail == pytest.approx(max(tail, 1 - tail), abs=1e-4)
        assert (made.tail is None) == (max(made.p_better, made.p_worse) < 0.95)
