"""Cost curves: the line of a threshold by a second route, where it pays, and what is refused."""

from __future__ import annotations

import csv
import io
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import howsure as hs
from howsure.curves import cost_curve


def scored(n: int = 90, seed: int = 0, gap: float = 1.5) -> hs.Scores:
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % 3 == 0)
    return hs.Scores(truth.astype(int), rng.standard_normal(n) + gap * truth)


def test_the_line_is_that_of_draws_of_two_rates() -> None:
    scores = scored()
    made = cost_curve(scores, 0.8, kind="central")
    (tn, fp), (fn, tp) = scores.confusion_at(0.8).counts.tolist()
    rng = np.random.default_rng(1)
    missed, alarms = rng.beta(fn + 1, tp + 1, 200_000), rng.beta(fp + 1, tn + 1, 200_000)
    for point in made.points[4::15]:
        cost = point.probability_cost * missed + (1 - point.probability_cost) * alarms
        assert point.mean == pytest.approx(cost.mean(), abs=5e-4)
        assert [point.low, point.high] == pytest.approx(np.quantile(cost, [0.025, 0.975]), abs=2e-3)
        assert point.p_cheaper == pytest.approx((cost < point.trivial).mean(), abs=4e-3)
        assert point.observed == pytest.approx(
            point.probability_cost * fn / (fn + tp) + (1 - point.probability_cost) * fp / (fp + tn)
        )


def test_in_the_middle_it_is_the_balanced_error() -> None:
    scores = scored()
    half = cost_curve(scores, 0.8).points[49]
    law = hs.infer(scores.confusion_at(0.8), "flat").of("balanced_accuracy")
    assert half.mean == pytest.approx(1 - law.mean, abs=1e-9)
    assert half.p_cheaper == pytest.approx(law.prob(above=0.5), abs=1e-8)


def test_the_best_of_the_cases_is_the_least_of_all_thresholds() -> None:
    scores = scored(40, 3)
    made = cost_curve(scores, 0.5)
    tables = [scores.confusion_at(t).counts for t in [*np.unique(scores.scores), 99.0]]
    rates = np.array([(t[0, 1] / t[0].sum(), t[1, 0] / t[1].sum()) for t in tables])
    for point in made.points[::7]:
        cost = point.probability_cost
        assert point.least == pytest.approx((cost * rates[:, 1] + (1 - cost) * rates[:, 0]).min())
        assert point.least <= min(point.observed, point.trivial) + 1e-12


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.floats(-3, 4), st.sampled_from(["flat", "jeffreys"]))
def test_where_it_pays_is_one_stretch(seed: int, cut: float, prior: str) -> None:
    made = cost_curve(scored(30, seed), cut, prior=prior)
    sure = [point.p_cheaper >= 0.95 for point in made.points]
    assert sum(a != b for a, b in pairwise(sure)) <= 2
    assert (made.pays is None) == (not any(sure))
    for point in made.points:
        assert 0 <= point.low <= point.mean <= point.high <= 1


def test_it_is_written_in_full() -> None:
    made = cost_curve(scored(), 0.8)
    rows = list(csv.DictReader(io.StringIO(made.to_csv())))
    assert len(rows) == len(made.points) == 99
    assert float(rows[49]["mean"]) == made.points[49].mean
    assert made.to_dict()["pays"] == list(made.pays or ())
    worst = cost_curve(scored(30, gap=-3.0), 0.0)
    assert "nowhere cheaper" in worst.sentence
    assert worst.to_dict()["pays"] is None


def test_a_single_rate_at_the_end_is_a_beta() -> None:
    scores = scored()
    (tn, fp), _ = scores.confusion_at(0.8).counts.tolist()
    first = cost_curve(scores, 0.8, kind="central").points[0]
    ends = 0.99 * stats.beta(fp + 1, tn + 1).ppf([0.025, 0.975])
    assert [first.low, first.high] == pytest.approx(ends, abs=0.01)


@pytest.mark.parametrize(("given", "said"), [([0.1, 0.2], "one threshold"), ("x", "number"), (float("nan"), "number")])
def test_what_is_no_threshold_is_refused(given: object, said: str) -> None:
    with pytest.raises(hs.HowsureError, match=said):
        cost_curve(scored(), given)  # type: ignore[arg-type]
