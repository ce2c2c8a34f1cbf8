"""Sums of learned recalls: closed under arithmetic, with identity, against joint draws."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.laws import LearnedSum, rank_probabilities
from howsure.numerics.learned.population import Population

THIRD = np.full(3, 1 / 3)


@pytest.fixture(scope="module")
def one() -> Population:
    return Population([30, 3, 8], [32, 4, 10])


@pytest.fixture(scope="module")
def other() -> Population:
    return Population([25, 2, 6], [32, 4, 10])


def test_weights_on_the_same_recalls_add_up(one: Population) -> None:
    mean, first = LearnedSum([(one, THIRD)]), LearnedSum([(one, np.eye(3)[0])])
    assert ((mean - mean).mean, (mean - mean).sd) == (0, 0)
    gap = 2 * mean - first + 1
    alone = LearnedSum([(one, 2 * THIRD - np.eye(3)[0])])
    assert gap.mean == pytest.approx(alone.mean + 1)
    assert gap.interval() == pytest.approx([x + 1 for x in alone.interval()])
    assert gap.blocks == frozenset([one])
    assert (1 - mean).support == pytest.approx((0, 1))


def test_they_can_be_ranked(one: Population, other: Population) -> None:
    laws = [LearnedSum([(one, THIRD)]), LearnedSum([(other, THIRD)])]
    matrix = rank_probabilities(laws)
    assert matrix[0, 0] == pytest.approx((laws[0] - laws[1]).prob(above=0), abs=5e-3)


@pytest.mark.full
@pytest.mark.parametrize(
    ("right", "cases"),
    [([0, 20, 20], [20, 20, 20]), ([0, 20, 20, 20], [1, 20, 20, 20])],
    ids=["twenty cases", "one case"],
)
def test_one_dead_class_among_perfect_ones_is_known_as_well_as_it_says(right: list[int], cases: list[int]) -> None:
    """The law has a peak inside: nodes that were spread wore it away unsaid, by 0.03, and Betas missed it by 0.1."""
    recalls, mean = Population(right, cases), np.full(len(right), 1 / len(right))
    law, peak = LearnedSum([(recalls, mean)]), (len(right) - 1) / len(right)
    drawn = recalls.draw_sum(mean, 100_000, np.random.default_rng(1))
    # at the peak itself a difference in the last digit of a double is a probability
    places = np.append(np.quantile(drawn, [0.025, 0.1, 0.9, 0.975]), peak + np.array([-3e-3, -3e-4, 3e-4, 3e-3]))
    shares = np.searchsorted(np.sort(drawn), places, side="right") / len(drawn)
    assert law.cdf(places) == pytest.approx(shares, abs=law.error + 6e-3)
    assert law.error < 5e-3
    assert law.mean == pytest.approx(drawn.mean(), abs=5 * law.sd / np.sqrt(len(drawn)))


@pytest.mark.full
@pytest.mark.parametrize(("k", "n"), [([10] * 3, [10] * 3), ([20] * 10, [20] * 10), ([10, 40, 5], [10, 40, 5])])
def test_everything_right_is_a_beta_at_each_node(k: list[int], n: list[int]) -> None:
    """Of a spike the lower tail counts: at the drawn quantiles it has their probability."""
    recalls, many = Population(k, n), 200_000
    law = LearnedSum([(recalls, np.full(len(k), 1 / len(k)))])
    drawn = law.sample(many)
    assert law.route == "approximate"
    assert (law.mean, law.sd) == pytest.approx((drawn.mean(), drawn.std()), rel=0.03)
    levels = np.array([0.005, 0.025, 0.1])
    wrong = np.abs(law.cdf(np.quantile(drawn, levels)) - levels)
    assert (wrong < law.error + 4 * np.sqrt(levels * (1 - levels) / many)).all()
    assert law.interval()[1] == 1.0
