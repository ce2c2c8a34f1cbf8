"""Posterior of a population of sites: importance sampling against quadrature on a grid of all parameters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.laws import Draws
from howsure.numerics.arrays import Floats
from howsure.numerics.sites.importance_weights import ImportanceWeights
from howsure.numerics.sites.site_likelihood import log_likelihood
from howsure.numerics.sites.site_population import (
    SitePopulation,
    arcsine_rates,
    half_cauchy,
    half_normal,
    site_population,
)

K = np.array([[12, 30], [9, 41], [20, 17], [15, 38]], dtype=float)
N = np.array([[12, 36], [14, 44], [22, 20], [19, 40]], dtype=float)


def drawn(k: Floats = K, n: Floats = N, **options: int) -> SitePopulation:
    return site_population(k, n, **{"draws": 10_000, "seed": 0, **options})  # type: ignore[arg-type]


def test_one_rate_agrees_with_a_grid() -> None:
    k, n = K[:, :1], N[:, :1]
    mean, sd = (x.ravel() for x in np.meshgrid(np.linspace(-4, 7.9, 240), np.linspace(0.005, 5, 300), indexing="ij"))
    log_p = log_likelihood(mean[:, None], sd[:, None], 0 * mean, k, n, nodes=15).sum(axis=1) + half_normal(sd)
    log_p += arcsine_rates(mean)
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    made = drawn(k, n)
    for at, ours in (
        (special.expit(mean), special.expit(made.mean[:, 0])),
        (mean, made.mean[:, 0]),
        (sd, made.sd[:, 0]),
    ):
        centre = p @ at
        spread = np.sqrt(p @ (at - centre) ** 2)
        assert made.weight @ ours == pytest.approx(centre, abs=0.03 * spread)
        assert np.sqrt(made.weight @ (ours - centre) ** 2) == pytest.approx(spread, rel=0.03)


def test_two_rates_agree_with_a_grid_of_all_five_parameters() -> None:
    axes = [
        np.linspace(0, 5, 15),
        np.linspace(0, 5, 15),
        np.linspace(0.1, 3.5, 12),
        np.linspace(0.1, 3.5, 12),
        np.linspace(-0.95, 0.95, 9),
    ]
    a, b, s, t, rho = (x.ravel() for x in np.meshgrid(*axes, indexing="ij"))
    mean, sd = np.stack((a, b), axis=1), np.stack((s, t), axis=1)
    log_p = log_likelihood(mean, sd, rho, K, N, nodes=3).sum(axis=1) + half_normal(sd).sum(axis=1)
    log_p += arcsine_rates(mean).sum(axis=1)
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    made = drawn()
    ours = [made.mean[:, 0], made.mean[:, 1], made.sd[:, 0], made.sd[:, 1], made.rho]
    for grid, values in zip((a, b, s, t, rho), ours, strict=True):
        centre = p @ grid
        spread = np.sqrt(p @ (grid - centre) ** 2)
        assert made.weight @ values == pytest.approx(centre, abs=0.1 * spread)  # the grid is coarse
        assert np.sqrt(made.weight @ (values - centre) ** 2) == pytest.approx(spread, rel=0.1)


def test_a_site_that_was_seen_agrees_with_a_grid() -> None:
    k, n = K[:, :1], N[:, :1]
    made = drawn(k, n)
    x = np.linspace(-6, 12, 1200)
    normal = np.exp(-((x - made.mean) ** 2) / (2 * made.sd**2)) / made.sd
    # given the draw, the logit of site 0 has its normal density times what the site showed, over its probability
    given = normal * np.exp(k[0] * x - n[0] * np.logaddexp(0, x))
    smooth = made.sd[:, 0] > 0.05  # a spike of a smaller sd falls between points
    density = (made.weight[smooth] @ (given[smooth] / given[smooth].sum(axis=1, keepdims=True))) / made.weight[
        smooth
    ].sum()
    logits, weight = made.site(0)
    rates = special.expit(logits[:, 0])
    assert weight @ rates == pytest.approx(density @ special.expit(x), abs=2e-3)


@pytest.mark.parametrize("k", [K, N, 0 * N, np.minimum(K, [[5, 50]])])
def test_draws_are_worth_a_good_part_of_their_number(k: Floats) -> None:
    assert drawn(k).worth > 2_500
    assert drawn(k[:, :1], N[:, :1]).worth > 4_000


def test_no_counts_leave_the_prior_of_a_rate() -> None:
    made = drawn(0 * N[:, :1], 0 * N[:, :1])
    law = Draws(special.expit(made.mean[:, 0]), support=(0, 1), strata=ImportanceWeights(made.weight))
    for p in (0.1, 0.25, 0.5, 0.9):  # quantiles of Beta(1/2, 1/2)
        assert law.quantile(p) == pytest.approx(np.sin(np.pi * p / 2) ** 2, abs=0.02)


def test_sites_where_all_are_right_leave_a_proper_posterior() -> None:
    made = drawn(N, N)
    assert np.isfinite(made.mean).all()
    assert made.worth > 2_500
    assert (made.sd > 0).all()
    assert (np.abs(made.rho) < 1).all()


@pytest.mark.parametrize("wrong", [0, 7])
@pytest.mark.parametrize("right", [100, 10**5, 10**9, 10**12, 10**15])
def test_equal_sites_are_pooled_to_their_rate_however_near_to_one(right: int, wrong: int) -> None:
    n = np.full((10, 1), float(right + wrong))
    made = drawn(n - wrong, n, draws=4_000)
    odds = made.weight @ np.exp(-made.mean[:, 0])
    total = 10 * wrong + 0.5
    assert 0.2 * total / (10 * right) < odds < 1.3 * total / (10 * right)


def test_the_stated_error_is_that_between_seeds() -> None:
    k, n = K[:, :1], N[:, :1]
    laws = []
    for seed in range(30):
        made = drawn(k, n, draws=2_000, seed=seed)
        laws.append(Draws(special.expit(made.mean[:, 0]), support=(0, 1), strata=ImportanceWeights(made.weight)))
    spread = np.std([law.mean for law in laws], ddof=1)
    stated = np.sqrt(np.mean([law.mean_error**2 for law in laws]))
    assert 0.5 < spread / stated < 2
    share = np.std([law.prob(above=0.9) for law in laws], ddof=1)
    said = np.sqrt(np.mean([law.prob_error(above=0.9) ** 2 for law in laws]))
    assert 0.5 < share / said < 2


def test_errors_of_independent_weighted_draws_are_those_of_the_ratio() -> None:
    rng = np.random.default_rng(3)
    x, w = rng.normal(size=50_000), rng.exponential(size=50_000)
    w /= w.sum()
    law = Draws(x, strata=ImportanceWeights(w))
    assert law.mean == pytest.approx(w @ x)
    assert law.mean_error == pytest.approx(np.sqrt((w * w) @ (x - w @ x) ** 2), rel=0.4)


def test_the_rival_prior_has_longer_tails() -> None:
    plain, rival = (site_population(K, N, draws=4_000, seed=0, spread=prior) for prior in (half_normal, half_cauchy))
    assert plain.weight @ plain.sd[:, 0] < rival.weight @ rival.sd[:, 0]


def test_the_same_call_gives_the_same_bytes() -> None:
    assert drawn(draws=500).weight.tobytes() == drawn(draws=500).weight.tobytes()
    assert drawn(draws=500).weight.tobytes() != drawn(draws=500, seed=1).weight.tobytes()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_one_huge_site_beside_small_ones_leaves_enough_draws(seed: int) -> None:
    # where sites are alike a mean is at the huge one, where they differ it is in the middle of all
    k, n = np.array([[9e8], [9], [6], [20]]), np.array([[1e9], [12], [8], [25]])
    made = site_population(k, n, draws=8000, seed=seed)
    assert made.worth > 5000
    # 260 spreads times 1,501 to 4,001 means, each small site by 80 Gauss-Hermite nodes, the huge one as known
    assert float(made.weight @ special.expit(made.mean[:, 0])) == pytest.approx(0.83480, abs=0.002)
    assert float(made.weight @ made.sd[:, 0]) == pytest.approx(0.62419, abs=0.01)


@pytest.mark.parametrize("seed", [2, 4])
def test_of_two_rates_as_well(seed: int) -> None:
    k, n = np.array([[9e8, 9.5e8], [9, 25], [6, 12], [20, 30]]), np.array([[1e9, 1e9], [12, 29], [8, 13], [25, 35]])
    assert site_population(k, n, draws=8000, seed=seed).worth > 2000
