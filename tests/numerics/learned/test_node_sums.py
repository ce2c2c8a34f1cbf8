"""Exact sums of learned recalls: against a full series by Gauss points, against importance sampling, and mirrored."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from howsure.laws import LearnedSum
from howsure.numerics.learned.node_sums import NodeSumLaw, TooDear
from howsure.numerics.learned.population import Population

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "population.json").read_text())


@pytest.mark.parametrize("name", ["ten_unequal_one_zero"])
def test_against_importance_sampling(name: str) -> None:
    """The noise of the sampled quantiles is .002, the default nodes' own error up to .004."""
    case = REFERENCE[name]
    law = LearnedSum([(Population(case["k"], case["n"]), np.full(len(case["k"]), 1 / len(case["k"])))])
    assert law.route == "exact"
    found = law.cdf(np.array(case["importance"]["quantiles"]))
    assert np.abs(found - np.array(case["importance"]["probabilities"])).max() < 0.007


def test_a_difference_is_a_product_of_transforms() -> None:
    one, two = Population([30, 12, 8], [32, 14, 10]), Population([25, 9, 6], [32, 14, 10])
    third = np.full(3, 1 / 3)
    law = NodeSumLaw([one.sum_terms(third, 0.5), two.sum_terms(-third)])
    first, second = (NodeSumLaw([p.sum_terms(third)]) for p in (one, two))
    assert law.mean == pytest.approx(0.5 + first.mean - second.mean)
    assert law.sd == pytest.approx(np.hypot(first.sd, second.sd))
    y = np.linspace(*second.support, 4001)
    middle, mass = (y[1:] + y[:-1]) / 2, np.diff(second.cdf(y))
    for x in law.mean + law.sd * np.linspace(-2, 2, 5):
        assert law.cdf(np.array([x]))[0] == pytest.approx(mass @ first.cdf(x - 0.5 + middle), abs=5e-5)
    low, high = law.quantile(np.array([0.025, 0.975]))
    assert law.cdf(np.array([low, high])) == pytest.approx([0.025, 0.975], abs=1e-9)


def test_a_spike_at_an_end_is_left_to_betas() -> None:
    everything = Population([10] * 3, [10] * 3)
    with pytest.raises(TooDear):
        NodeSumLaw([everything.sum_terms(np.full(3, 1 / 3))])
    law = LearnedSum([(everything, np.full(3, 1 / 3))])
    assert law.route == "approximate"
    assert law.interval().high == pytest.approx(1, abs=1e-6)
