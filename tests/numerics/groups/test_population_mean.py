"""The mean of a population of groups: two routes, and groups of every kind."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.laws import GroupMeans
from howsure.numerics.groups.population_mean import PopulationMean, drawn_population, expected_power, population_power

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
