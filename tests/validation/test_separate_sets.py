"""Of equally good classifiers neither is called better because its test set is larger."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from tests.validation.coverage import LONGER
from tests.validation.separate_sets import SCENES, Scene, compared, rates, shares
from tests.validation.separate_sets import tests as drawn_sets

import howsure as hs
from howsure.numerics.ranks.exceedance import exceedance

#: At most so often P >= 0.95 for one side, of two classes and from three on, and with equal sizes.
TWO, MORE, EQUAL = 0.11, 0.12, 0.07


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
    assert within(found.above, runs, bound(scene))
    assert within(found.below, runs, bound(scene))
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
    """Exact: every outcome of both tests, under Jeffreys' prior and under the flat one."""
    k, j = np.arange(n + 1), np.arange(m + 1)
    weights = np.outer(stats.binom.pmf(k, n, rate), stats.binom.pmf(j, m, rate))
    shares = {}
    for prior, a in (("jeffreys", 0.5), ("flat", 1.0)):
        p = np.array([exceedance((np.full(m + 1, x + a), np.full(m + 1, n - x + a)), (j + a, m - j + a)) for x in k])
        shares[prior] = float(weights[p <= 0.05].sum()), float(weights[p >= 0.95].sum())
    assert max(shares["jeffreys"]) <= 0.085
    assert shares["jeffreys"][0] < shares["flat"][0]
    # and that is what is compared
    made = hs.compare(*(hs.Posterior.from_accuracy(correct=x - 1, n=x) for x in (n, m)), metric="accuracy")
    here, there = ((np.array(x - 0.5), np.array(1.5)) for x in (n, m))
    assert made.p_better == pytest.approx(float(exceedance(here, there)), abs=1e-9)
