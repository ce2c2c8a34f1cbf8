"""Posterior of a population of sites: importance sampling against quadrature on a grid of all parameters."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.arrays import Floats
from howsure.numerics.sites.site_population import (
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
