"""Rates of several sites: likelihood and population, against lme4 and grids."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize, special

from howsure.numerics.arrays import Floats
from howsure.numerics.sites import SitePopulation, arcsine_rates, half_normal, log_likelihood, site_population

GOLDEN = json.loads((Path(__file__).parents[2] / "reference/pool.json").read_text(encoding="utf-8"))

K = np.array([[10, 18], [5, 100], [41, 250], [0, 40], [280, 0], [0, 20], [0, 7]], dtype=float)
N = np.array([[10, 20], [5, 100], [50, 300], [0, 40], [300, 12], [20, 20], [20, 7]], dtype=float)


def brute_force(mean: Floats, sd: Floats, rho: float, k: Floats, n: Floats) -> float:
    """The trapezoid rule over both random effects on a fine grid."""
    z = np.linspace(-9, 9, 1401)
    weight = np.exp(-z * z / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    x = mean[0] + sd[0] * z
    y = mean[1] + sd[1] * (rho * z[:, None] + np.sqrt(1 - rho * rho) * z)
    first = np.exp(k[0] * x - n[0] * np.logaddexp(0, x))
    second = np.exp(k[1] * y - n[1] * np.logaddexp(0, y))
    return float(np.log((weight * first) @ (second @ weight)))


@pytest.mark.full
@pytest.mark.parametrize(("sd", "rho"), [((0.3, 0.5), -0.9), ((2.5, 2.0), 0.6)])
def test_the_quadrature_agrees_with_brute_force(sd: tuple[float, float], rho: float) -> None:
    mean = np.array([1.5, 2.0])
    fine, usual = (
        log_likelihood(mean[None], np.array([sd]), np.array([rho]), K, N, **options)[0]
        for options in ({"nodes": 31}, {})
    )
    exact = [brute_force(mean, np.array(sd), rho, k, n) for k, n in zip(K, N, strict=True)]
    assert fine == pytest.approx(exact, abs=1e-5)
    assert usual == pytest.approx(exact, abs=4e-3)


@pytest.mark.full
@pytest.mark.parametrize("name", GOLDEN)
def test_the_mode_is_that_of_lme4(name: str) -> None:
    golden = GOLDEN[name]
    tables = np.array(golden["tables"], dtype=float)
    k, n = tables[:, [0, 3]], np.stack((tables[:, 0] + tables[:, 1], tables[:, 2] + tables[:, 3]), axis=1)
    constant = float((special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)).sum())

    def mode(nodes: int) -> tuple[Floats, float]:
        def lost(x: Floats) -> float:
            found = log_likelihood(x[None, :2], np.exp(x[None, 2:4]), np.tanh(x[4:]), k, n, nodes=nodes)
            return -float(found.sum())

        found = optimize.minimize(lost, [1.0, 1.0, 0.0, 0.0, 0.0], method="BFGS")
        x = found.x
        return np.array([*x[:2], *np.exp(x[2:4]), np.tanh(x[4])]), constant - float(found.fun)

    theirs = [*golden["mean"], *golden["sd"], golden["rho"]]
    laplace, height = mode(1)  # the approximation that lme4 has
    assert laplace == pytest.approx(theirs, abs=1e-3)
    assert height == pytest.approx(golden["log_likelihood"], abs=1e-4)
    ours, _ = mode(7)
    assert ours == pytest.approx(theirs, abs=0.02)
    assert ours[:2] == pytest.approx(theirs[:2], abs=2e-3)


# -- posterior of a population of sites: importance sampling against quadrature on a grid of all parameters -----------

K_OF_SITE_POPULATION = np.array([[12, 30], [9, 41], [20, 17], [15, 38]], dtype=float)
N_OF_SITE_POPULATION = np.array([[12, 36], [14, 44], [22, 20], [19, 40]], dtype=float)


def drawn(k: Floats = K_OF_SITE_POPULATION, n: Floats = N_OF_SITE_POPULATION, **options: int) -> SitePopulation:
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
    log_p = log_likelihood(mean, sd, rho, K_OF_SITE_POPULATION, N_OF_SITE_POPULATION, nodes=3).sum(
        axis=1
    ) + half_normal(sd).sum(axis=1)
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
