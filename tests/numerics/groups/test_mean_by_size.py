"""The mean of groups whose rate may go with their size: a second route, and what size does and does not change."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import special, stats

from howsure.laws import GroupMeans
from howsure.numerics.groups import mean_by_size
from howsure.numerics.groups.mean_by_size import MeanBySize

Floats = NDArray[np.float64]

P = np.array([0.025, 0.25, 0.5, 0.75, 0.975])

GROUPS = {
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
    k, n = (np.array(x, dtype=float) for x in GROUPS[name])
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
@pytest.mark.parametrize("name", list(GROUPS))
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
        patch.setattr(mean_by_size, "MOST", 10**9)
        exact = MeanBySize(k, n).law
    assert law.cdf(exact.quantile(P)) == pytest.approx(P, abs=2e-3)
