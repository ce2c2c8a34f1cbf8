"""Posterior of a population of sites: importance sampling against quadrature on a grid of all parameters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.laws import Draws
from howsure.numerics.arrays import Floats
from howsure.numerics.sites import (
    ImportanceWeights,
    SitePopulation,
    arcsine_rates,
    half_normal,
    log_likelihood,
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


@pytest.mark.full
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


def test_no_counts_leave_the_prior_of_a_rate() -> None:
    made = drawn(0 * N[:, :1], 0 * N[:, :1])
    law = Draws(special.expit(made.mean[:, 0]), support=(0, 1), strata=ImportanceWeights(made.weight))
    for p in (0.1, 0.25, 0.5, 0.9):  # quantiles of Beta(1/2, 1/2)
        assert law.quantile(p) == pytest.approx(np.sin(np.pi * p / 2) ** 2, abs=0.02)


def test_the_same_call_gives_the_same_bytes() -> None:
    assert drawn(draws=500).weight.tobytes() == drawn(draws=500).weight.tobytes()
    assert drawn(draws=500).weight.tobytes() != drawn(draws=500, seed=1).weight.tobytes()
