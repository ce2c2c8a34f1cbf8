"""The population of entries on a working scale: closed forms, brute force, the order of entries, reference boards."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from howsure.numerics.ranks.joint_population import (
    ARCSINE,
    ARCSINE_OF_BOTH_SIDES,
    NormalPopulation,
    apart,
    scale_of,
    without_prior,
)
from howsure.numerics.ranks.rank_matrix import drawn_ranks

BOARDS = json.loads((Path(__file__).parents[2] / "reference" / "ranks.json").read_text(encoding="utf-8"))
TWINS = [name for name in BOARDS["general recipe"] if name != "paired six"]


def population(centre: float, spread: float, entries: int) -> NormalPopulation:
    """One node and one part."""
    one = np.ones((1, 1))
    return NormalPopulation(
        np.ones(1), np.full(1, centre), np.full(1, spread), np.ones((1, 1, entries)), centre * one, spread**2 * one
    )


@pytest.mark.parametrize("together", [True, False])
def test_matherons_rule_is_the_conjugate_posterior_for_normal_draws(together: bool) -> None:
    """g | s ~ N(mu + s, t^2), s flat: precision C^-1 + (I - J/T) / t^2, found without C + D."""
    rng = np.random.default_rng(2)
    size, spread = 5, 0.03
    root = rng.normal(0, 0.02, (size, size))
    covariance = root @ root.T + 2e-4 * np.eye(size)
    if not together:
        covariance = np.diag(np.diag(covariance))
    means = np.array([1.10, 1.15, 1.08, 1.2, 1.12])
    draws = means[:, None] + np.linalg.cholesky(covariance) @ rng.standard_normal((size, 200_000))
    handed = covariance if together else np.diag(covariance)
    made = population(1.0, spread, size).moved(draws, handed, [1])
    inverse = np.linalg.inv(covariance)
    after = np.linalg.inv(inverse + (np.eye(size) - 1 / size) / spread**2)
    close = 5 * np.sqrt(np.diag(after) / 200_000)
    assert (np.abs(made.mean(1) - after @ inverse @ means) < close).all()
    assert np.cov(made) == pytest.approx(after, abs=6 * float(np.diag(after).max()) / np.sqrt(200_000))


@pytest.mark.sweep(2, full=7)
@pytest.mark.parametrize("name", TWINS)
def test_the_normal_twin_and_the_population_of_tallies(name: str) -> None:
    """Boards of accuracy by both engines: within .02, but .022 at 10 cases and .035 at 40 beside 2,000."""
    board = BOARDS[name]
    k, n = np.array(board["k"]), np.array(board["n"])
    rng = np.random.default_rng(3)
    drawn = ARCSINE.forward(rng.beta((k + 1)[:, None], (n - k + 1)[:, None], (len(k), 60_000)))
    flat = np.full(len(k), np.pi / 4), np.full(len(k), np.pi**2 / 16 - 0.5)
    drawn, variances = without_prior(drawn, drawn.var(1, ddof=1), *flat)
    made = NormalPopulation.learned(drawn.mean(1), apart(variances), ARCSINE.broad)
    ranks = drawn_ranks(made.moved(drawn, variances, [4]))[:, 0]
    assert ranks == pytest.approx(BOARDS["general recipe"][name]["p_best"], abs=0.008)
    allowed = {"twelve of ten cases": 0.026, "uneven n": 0.037}.get(name, 0.02)
    assert ranks == pytest.approx(board["learned_p_best"], abs=allowed)
    assert made.second == pytest.approx(BOARDS["general recipe"][name]["second"], abs=0.004)


def test_the_same_seed_gives_the_same_bytes_and_weights_are_met_to_one_draw() -> None:
    rng = np.random.default_rng(0)
    draws = 1.1 + 0.02 * rng.standard_normal((6, 3_000))
    made = NormalPopulation.learned(draws.mean(1), apart(draws.var(1)), 0.35)
    once, again = (made.moved(draws, draws.var(1), [7, 1]) for _ in range(2))
    assert once.tobytes() == again.tobytes()
    assert once.tobytes() != made.moved(draws, draws.var(1), [8, 1]).tobytes()
    count = np.bincount(made._nodes_of(3_000, np.random.default_rng(1)), minlength=len(made.weights))
    assert (np.abs(count - 3_000 * made.weights) <= 1).all()


def test_scales_go_there_and_back_and_know_their_ends() -> None:
    x = np.linspace(0.001, 0.999, 50)
    assert ARCSINE.back(ARCSINE.forward(x)) == pytest.approx(x)
    assert ARCSINE_OF_BOTH_SIDES.back(ARCSINE_OF_BOTH_SIDES.forward(2 * x - 1)) == pytest.approx(2 * x - 1)
    assert ARCSINE.back(np.array([-0.2, 1.8])).tolist() == [0.0, 1.0]
    for scale, g in ((ARCSINE, np.linspace(0.1, 1.4, 9)), (ARCSINE_OF_BOTH_SIDES, np.linspace(0.1, 1.4, 9))):
        assert scale.slope(g) == pytest.approx((scale.back(g + 1e-6) - scale.back(g - 1e-6)) / 2e-6, rel=1e-6)
    even = np.random.default_rng(0).random(400_000)
    assert ARCSINE.forward(even).std() == pytest.approx(ARCSINE.broad, abs=0.01)
    assert ARCSINE_OF_BOTH_SIDES.forward(2 * even - 1).std() == pytest.approx(ARCSINE_OF_BOTH_SIDES.broad, abs=0.01)
    assert (scale_of(0, 1), scale_of(-1, 1), scale_of(0, np.inf), scale_of(-np.inf, 1)) == (
        ARCSINE,
        ARCSINE_OF_BOTH_SIDES,
        None,
        None,
    )


@pytest.mark.parametrize("together", [True, False])
def test_taking_a_normal_prior_out_leaves_the_likelihood(together: bool) -> None:
    prior_mean, prior_variance = np.array([0.7, 0.8]), np.array([0.02, 0.03])
    seen, noise = np.array([1.2, 1.0]), np.array([0.001, 0.004])
    after = 1 / (1 / prior_variance + 1 / noise)
    means = after * (prior_mean / prior_variance + seen / noise)
    rng = np.random.default_rng(1)
    drawn = rng.standard_normal((2, 1000))
    drawn = (drawn - drawn.mean(1, keepdims=True)) * np.sqrt(after)[:, None] + means[:, None]
    handed = np.diag(after) if together else after
    made, variances = without_prior(drawn, handed, prior_mean, prior_variance)
    assert made.mean(1) == pytest.approx(seen)
    assert (np.diag(variances) if together else variances) == pytest.approx(noise)
    untouched, same = without_prior(drawn, handed, np.zeros(2), np.full(2, np.inf))
    assert untouched == pytest.approx(drawn)
    assert same == pytest.approx(handed)
