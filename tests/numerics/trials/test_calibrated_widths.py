"""What simulated tests say about expected widths: excesses that are known come out, with their errors."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.trials.simulated_tests import Calibration, Found, controlled, uncontrolled

BEFORE = np.array([1.0, 0.5])
WIDTH = np.log(2 * 1.959964)


def normals(tests: int, draws: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((tests, draws))


def test_a_control_takes_out_most_of_the_noise_and_no_more() -> None:
    straight, other = normals(300, 1000), normals(300, 1000, seed=2)
    metric = (straight + 0.1 * other) / np.sqrt(1.01)
    found, _ = controlled(metric, straight, np.full(300, WIDTH), np.zeros(300), 0.95)
    bare = uncontrolled(metric, np.full(300, WIDTH), 0.95)
    assert found.noise < 0.1 * bare.noise
    assert found.excess.std() == pytest.approx(found.noise**0.5, rel=0.2)
    assert bare.excess.std() == pytest.approx(bare.noise**0.5, rel=0.2)
    assert abs(found.excess.mean()) < 5 * (found.noise / 300) ** 0.5
    assert abs(bare.excess.mean()) < 5 * (bare.noise / 300) ** 0.5


def noisy(tests: int, noise: float, spread: float, seed: int = 5) -> Found:
    rng = np.random.default_rng(seed)
    x = np.stack([np.ones(tests), rng.standard_normal(tests)], axis=1)
    own, drawn = spread * rng.standard_normal(tests), noise * rng.standard_normal(tests)
    return Found(x @ np.array([0.02, -0.05]) + own + drawn, x, noise**2)


def test_what_a_metric_shares_of_the_straight_widths_errors_is_put_back_and_no_more() -> None:
    """Both were expected 3% too narrow, and half of the noise is common: what is found adds up to the 3%."""
    straight, other = normals(400, 1000), normals(400, 1000, seed=2)
    found, (wrong, _) = controlled(
        (straight + other) / np.sqrt(2), straight, np.full(400, WIDTH - 0.03), np.ones(400), 0.95
    )
    error = (found.noise / 400) ** 0.5
    assert found.excess.mean() + wrong == pytest.approx(0.03, abs=5 * error)
    assert wrong < 0.02


def test_tests_that_happen_to_agree_are_no_surer_than_their_draws() -> None:
    made = Calibration.of(Found(np.full(5, 0.1), np.ones((5, 1)), 0.04), BEFORE[:1])
    assert made.error(np.ones((1, 1))) == pytest.approx((5 / 0.04 + 1) ** -0.5)


def test_a_fit_is_that_of_least_squares_where_little_is_known_before() -> None:
    """Also of few tests, whose residuals are smaller than their errors."""
    found = noisy(8, 0.0, 0.01)
    made = Calibration.of(found, np.array([1e4, 1e4]))
    coefficients, covariance = np.polyfit(found.features[:, 1], found.excess, 1, cov=True)
    assert made.coefficients == pytest.approx(coefficients[::-1], rel=1e-6)
    assert made.covariance == pytest.approx(covariance[::-1, ::-1], rel=1e-6)


def test_the_doubt_is_the_spread_of_the_variance() -> None:
    made = [Calibration.of(noisy(60, 0.0, 0.01, seed), BEFORE) for seed in range(200)]
    assert np.std([each.spread**2 for each in made]) == pytest.approx(np.mean([each.doubt for each in made]), rel=0.2)
