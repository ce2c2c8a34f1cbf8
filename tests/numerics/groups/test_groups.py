"""Cases in groups: design effects, means of populations and differences, by grids, draws and formulas."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from howsure.laws import GroupMeans
from howsure.numerics.populations import groups
from howsure.numerics.populations.group_bootstrap import (
    clustered_error,
    design_effect,
    exponent,
    group_weights,
    intraclass_correlation,
    joint_rates,
    membership_correlation,
    paired_difference,
    weighted_cells,
)
from howsure.numerics.populations.groups import MeanBySize, PopulationMean
from howsure.numerics.populations.item_powers import drawn_population, expected_power, population_power

CLUSTERED = json.loads((Path(__file__).parents[2] / "reference" / "clustered.json").read_text(encoding="utf-8"))


def test_the_clustered_error_is_that_of_inspect() -> None:
    for table in CLUSTERED:
        assert clustered_error(table["k"], table["n"]) == pytest.approx(table["error"], rel=1e-9, abs=1e-15)
    assert clustered_error([3], [5]) == 0


def test_intraclass_correlation_by_pairs() -> None:
    """With groups of one size it is near the correlation of all pairs of cases of one group."""
    rng = np.random.default_rng(3)
    k = rng.binomial(8, rng.beta(3, 2, 4000))
    p = k.sum() / (8 * len(k))
    pairs = (k * (k - 1) - 2 * p * k * 7 + 56 * p**2).mean() / 56 / (p * (1 - p))
    assert intraclass_correlation(k, np.full(len(k), 8)) == pytest.approx(pairs, abs=1e-3)
    assert pairs == pytest.approx(1 / 6, abs=0.02)


def test_intraclass_correlation_of_groups_of_unlike_size_by_their_cases() -> None:
    """By mean squares of single cases, with the average size as its mean less a share of its variance (Donner 1986)."""
    k, n = np.array([9, 1, 12, 2, 30]), np.array([10, 4, 14, 9, 32])
    cases = [np.arange(size) < right for right, size in zip(k, n, strict=True)]
    within = sum(((x - x.mean()) ** 2).sum() for x in cases) / (n.sum() - 5)
    between = sum(len(x) * (x.mean() - np.concatenate(cases).mean()) ** 2 for x in cases) / 4
    size = n.mean() - n.var(ddof=1) / n.sum()
    assert intraclass_correlation(k, n) == pytest.approx((between - within) / (between + (size - 1) * within))


def test_design_effect_of_the_documents() -> None:
    assert 400 / design_effect(0.1, np.full(20, 20)) == pytest.approx(137.93, abs=0.01)
    assert design_effect(0.3, np.ones(7)) == 1
    assert membership_correlation(np.array([[3, 3], [3, 3], [3, 3]])) == 0


# -- the bootstrap --------------------------------------------------------------------------------------------------


def test_weights_make_the_variance_of_a_mean_unbiased() -> None:
    x = np.array([0.2, 0.9, 0.5, 0.7, 0.1, 0.8, 0.6, 0.4])
    group = np.arange(8)
    blocks = weighted_cells(group, group % 1, np.ones(8), 8, 1, 60_000, np.random.default_rng(0))
    total = np.concatenate(list(blocks))[:, 0]
    assert total.mean() == pytest.approx(8 * exponent(8), rel=0.01)
    weight = np.random.default_rng(1).dirichlet(np.full(8, exponent(8)), 200_000)
    assert (weight @ x).var() == pytest.approx(x.var(ddof=1) / 8, rel=0.02)


# -- the mean of a population of groups: two routes, and groups of every kind -----------------------------------------

P = np.array([0.025, 0.25, 0.5, 0.75, 0.975])

GROUPS = {
    "equal": ([9, 10, 6, 10, 8, 9, 10, 3], [10] * 8),
    "unequal": ([4, 1, 30, 12, 0, 7], [5, 1, 41, 12, 3, 20]),
    "all right": ([10] * 6, [10] * 6),
    "all or nothing": ([0, 20, 0, 20, 20, 20], [20] * 6),
    "one right throughout": ([10, 5, 6, 7, 4], [10] * 5),
    "alike": ([16] * 12, [20] * 12),
}


@pytest.mark.full
@pytest.mark.parametrize("name", ["unequal", "all right", "all or nothing"])
def test_by_a_plain_grid(name: str) -> None:
    """A third one: Bayes' theorem on a grid of mu and rho, with scipy's own beta functions."""
    k, n = (np.array(x, dtype=float) for x in GROUPS[name])
    mu = (np.arange(600) + 0.5) / 600
    rho = (np.arange(240) + 0.5) / 240
    kappa = (1 / rho - 1)[:, None]
    log = np.zeros((len(rho), len(mu))) + 2 * np.log1p(-rho)[:, None]
    for right, cases in zip(k, n, strict=True):
        log += special.betaln(mu * kappa + right, (1 - mu) * kappa + cases - right)
        log -= special.betaln(mu * kappa, (1 - mu) * kappa)
    over_mu = np.exp(log).sum(axis=0) * 3 / len(rho)
    if np.all((k == n) | (k == 0)) and 0 < k.sum() < n.sum():  # cases of a group may be copies of one
        right = int((k == n).sum())
        over_mu = 0.9 * over_mu + 0.1 * mu**right * (1 - mu) ** (len(k) - right)
    over_mu /= over_mu.sum()
    law = PopulationMean(k, n).law
    below = np.cumsum(over_mu)
    at = np.array([120, 280, 440, 520, 580])
    assert law.cdf((at + 1) / 600) == pytest.approx(below[at], abs=2e-3)
    assert law.mean == pytest.approx(float(over_mu @ mu), abs=5e-4)


@pytest.mark.parametrize("times", [5, 20, 100])
def test_cases_that_are_copied_with_their_original_as_their_group_are_the_same_evidence(times: int) -> None:
    """Of one case each mu is Beta(k + 1, n - k + 1); however often it is copied, that is what is known."""
    right = np.array([1] * 11 + [0] * 2)
    one, many = PopulationMean(right, np.ones(13)), PopulationMean(right * times, np.full(13, times))
    assert one.copies is None
    assert one.law.mean == pytest.approx(12 / 15, abs=1e-6)
    assert many.law.mean == pytest.approx(one.law.mean, abs=0.04 * one.law.sd)
    assert many.law.sd == pytest.approx(one.law.sd, rel=0.02)
    assert many.copies is not None
    assert many.copies[2] > 0.9
    # and of several tries all are right as often as one is
    drawn, log_kappa = drawn_population(many, 20_000, np.random.default_rng(0))
    for power in (1, 5):
        law = population_power(many, power)
        assert law.mean == pytest.approx(many.law.mean, abs=0.02)
        tries = special.expit(expected_power(drawn, log_kappa, power)[0])
        assert tries.mean() == pytest.approx(law.mean, abs=5 * law.sd / 141)
        assert tries.std() == pytest.approx(law.sd, rel=0.03)


@pytest.mark.parametrize(("k", "n", "typical"), [([], [], (1, 1)), ([3], [2], (1, 1)), ([1], [2], (0, 1))])
def test_refused(k: list[int], n: list[int], typical: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="a population needs groups"):
        PopulationMean(k, n, typical)


def test_the_law_of_a_sum() -> None:
    one, other = PopulationMean(*GROUPS["equal"]), PopulationMean(*GROUPS["unequal"])
    both = GroupMeans([(one, 0.5), (other, 0.5)])
    assert (both - both).sd == 0
    assert (both - both).interval() == (0, 0)
    assert (both * 2 - 1).mean == pytest.approx(2 * both.mean - 1)
    gap = GroupMeans([(one, 1.0)]) - GroupMeans([(other, 1.0)])
    drawn = gap.sample(200_000)
    assert gap.sd == pytest.approx(float(np.hypot(one.law.sd, other.law.sd)), rel=1e-6)
    assert gap.quantile(P) == pytest.approx(np.quantile(drawn, P), abs=0.004)
    turned = 1 - GroupMeans([(one, 1.0)])
    assert turned.cdf(0.3) == pytest.approx(one.law.sf(np.array([0.7]))[0], abs=1e-6)
    assert (both / 2).support == (0, 0.5)
    assert both.prob(above=both.median) == pytest.approx(0.5, abs=1e-6)


# -- the mean of groups whose rate may go with their size: a second route, and what size does and does not

Floats = NDArray[np.float64]


GROUPS_OF_MEAN_BY_SIZE = {
    "small are better": ([2, 3, 3, 5, 4, 9, 10, 24], [2, 3, 4, 5, 6, 14, 20, 50]),
    "alike": ([3, 5, 8, 2, 11, 30], [4, 7, 10, 3, 14, 41]),
    "all right": ([5, 3, 8, 20, 2], [5, 3, 8, 20, 2]),
}


def drawn(k: Floats, n: Floats, draws: int, *, by_cases: bool) -> tuple[Floats, Floats]:
    """Means and their weights by Bayes' theorem on draws of the prior, sizes of new groups by a bootstrap."""
    rng = np.random.default_rng(5)
    mean, b, rho = rng.random(draws), rng.standard_normal(draws), rng.beta(1, 3, draws)
    t = np.log(n) - np.log(n).mean()
    share = n / n.sum() if by_cases else np.full(len(n), 1 / len(n))
    low, high = np.full(draws, -40.0), np.full(draws, 40.0)
    for _ in range(50):
        a = (low + high) / 2
        below = special.expit(a[:, None] + b[:, None] * t) @ share < mean
        low, high = np.where(below, a, low), np.where(below, high, a)
    rates = np.clip(special.expit(low[:, None] + b[:, None] * t), 1e-9, 1 - 1e-9)
    kappa = (1 / rho - 1)[:, None]
    log = stats.betabinom.logpmf(k, n, rates * kappa, (1 - rates) * kappa).sum(axis=1)
    weight = len(n) * rng.dirichlet(np.full(len(n), (len(n) - 2) / len(n)), draws) * share
    values = mean + (weight * (rates - mean[:, None])).sum(axis=1)
    return values, np.exp(log - log.max()) / np.exp(log - log.max()).sum()


def compared(name: str, draws: int, within: float, *, by_cases: bool) -> None:
    k, n = (np.array(x, dtype=float) for x in GROUPS_OF_MEAN_BY_SIZE[name])
    law = MeanBySize(k, n, by_cases=by_cases).law
    values, weight = drawn(k, n, draws, by_cases=by_cases)
    mean = float(weight @ values)
    sd = float(np.sqrt(weight @ (values - mean) ** 2))
    assert law.mean == pytest.approx(mean, abs=within * sd)
    assert law.sd == pytest.approx(sd, rel=within)
    order = np.argsort(values)
    at = np.interp(P, np.cumsum(weight[order]), values[order])
    assert law.cdf(at) == pytest.approx(P, abs=within)


@pytest.mark.full
@pytest.mark.parametrize("by_cases", [False, True])
@pytest.mark.parametrize("name", list(GROUPS_OF_MEAN_BY_SIZE))
def test_by_many_draws_of_the_prior(name: str, *, by_cases: bool) -> None:
    """The spread by sizes is normal in the logit here, and a bootstrap's there; few cases count much where cases do."""
    compared(name, 200_000, 0.06 if by_cases else 0.02, by_cases=by_cases)


def test_groups_count_alike_and_cases_do_where_they_are_asked_for() -> None:
    """Small groups right, large ones wrong: near the mean of the groups' shares, and near that of the cases."""
    n = np.array([3, 4, 4, 5, 6, 8, 20, 40, 60, 80])
    k = np.array([3, 4, 4, 5, 5, 6, 12, 22, 29, 38])
    groups, cases = MeanBySize(k, n), MeanBySize(k, n, by_cases=True)
    assert groups.law.mean == pytest.approx((k / n).mean(), abs=0.05)
    assert cases.law.mean == pytest.approx(k.sum() / n.sum(), abs=0.05)
    assert groups.rises < 0.01
    assert MeanBySize(n - k, n).rises == pytest.approx(1 - groups.rises, abs=1e-3)
    assert GroupMeans([(groups, 1.0)]).route == "approximate"


@pytest.mark.full
def test_very_many_groups_stand_on_nodes() -> None:
    """The same law where every size and count is taken as it is."""
    rng = np.random.default_rng(4)
    n = np.round(30 * np.exp(0.8 * rng.standard_normal(500))).astype(int) + 1
    k = rng.binomial(n, rng.beta(3.2, 0.8, 500))
    law = MeanBySize(k, n).law
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "MOST", 10**9)
        exact = MeanBySize(k, n).law
    assert law.cdf(exact.quantile(P)) == pytest.approx(P, abs=2e-3)


# -- rates of several classifiers on a new group: two routes to their laws, and to what the cases of groups

HITS = np.array([[5, 4], [4, 4], [5, 3], [4, 5], [3, 3], [9, 6], [4, 3], [2, 3]])
CASES = np.array([5, 5, 6, 5, 5, 12, 5, 4])


def drawn_of_joint_groups(hits: np.ndarray, cases: np.ndarray, n: int = 20_000) -> np.ndarray:
    rng = np.random.default_rng(3)
    blocks = [
        joint_rates(weight, hits, cases, rng)[0] for weight in group_weights(len(cases), 1, n, np.random.default_rng(4))
    ]
    return np.concatenate(blocks)


def test_the_difference_of_two_is_the_paired_difference() -> None:
    """The same law by two routes: rates of both, and gains alone."""
    rates = drawn_of_joint_groups(HITS, CASES)
    alone = paired_difference(HITS[:, 0] - HITS[:, 1], CASES, 20_000, np.random.default_rng(5))
    assert stats.ks_2samp(rates[:, 0] - rates[:, 1], alone).statistic < 0.02


@pytest.mark.parametrize("groups", [8, 60])
def test_a_difference_is_not_pulled_and_has_a_variance_like_that_of_students_t(groups: int) -> None:
    """Of large groups of one size: the mean is that of the leads, the variance G/(G - 2) times the unbiased one."""
    hits = np.stack([500 + np.tile([90, 10, 60, 0], groups // 4), np.full(groups, 500)], axis=1)
    rates = drawn_of_joint_groups(hits, np.full(groups, 1000))
    lead, leads = rates[:, 0] - rates[:, 1], (hits[:, 0] - hits[:, 1]) / 1000
    assert lead.mean() == pytest.approx(leads.mean(), abs=0.001)
    assert lead.var() == pytest.approx(leads.var(ddof=1) / groups * groups / (groups - 2), rel=0.05)
