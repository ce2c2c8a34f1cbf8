"""Rates of several classifiers on a new group: two routes to their laws, and to what the cases of groups are worth."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from howsure.numerics.groups.group_bootstrap import exponent_beside_unseen, paired_difference
from howsure.numerics.groups.simulated_groups import (
    group_weights,
    joint_rates,
    of_fewer_groups,
)

HITS = np.array([[5, 4], [4, 4], [5, 3], [4, 5], [3, 3], [9, 6], [4, 3], [2, 3]])
CASES = np.array([5, 5, 6, 5, 5, 12, 5, 4])


def drawn(hits: np.ndarray, cases: np.ndarray, n: int = 20_000) -> np.ndarray:
    rng = np.random.default_rng(3)
    blocks = [
        joint_rates(weight, hits, cases, rng)[0] for weight in group_weights(len(cases), 1, n, np.random.default_rng(4))
    ]
    return np.concatenate(blocks)


def test_the_difference_of_two_is_the_paired_difference() -> None:
    """The same law by two routes: rates of both, and gains alone."""
    rates = drawn(HITS, CASES)
    alone = paired_difference(HITS[:, 0] - HITS[:, 1], CASES, 20_000, np.random.default_rng(5))
    assert stats.ks_2samp(rates[:, 0] - rates[:, 1], alone).statistic < 0.02


@pytest.mark.parametrize("groups", [8, 60])
def test_a_difference_is_not_pulled_and_has_a_variance_like_that_of_students_t(groups: int) -> None:
    """Of large groups of one size: the mean is that of the leads, the variance G/(G - 2) times the unbiased one."""
    hits = np.stack([500 + np.tile([90, 10, 60, 0], groups // 4), np.full(groups, 500)], axis=1)
    rates = drawn(hits, np.full(groups, 1000))
    lead, leads = rates[:, 0] - rates[:, 1], (hits[:, 0] - hits[:, 1]) / 1000
    assert lead.mean() == pytest.approx(leads.mean(), abs=0.001)
    assert lead.var() == pytest.approx(leads.var(ddof=1) / groups * groups / (groups - 2), rel=0.05)


def test_weights_of_fewer_groups_have_the_exponent_of_these() -> None:
    (weight,) = group_weights(20, 1, 20_000, np.random.default_rng(6))
    some = of_fewer_groups(weight[:, :4], 20)
    assert stats.kstest(some[:, 2], stats.gamma(exponent_beside_unseen(4)).cdf).statistic < 0.02
    assert stats.spearmanr(some[:, 1], weight[:, 1]).statistic == pytest.approx(1)
    assert of_fewer_groups(weight, 20) is weight
