"""Numbers of calibration by two routes: ours, and scikit-learn's, an optimiser's or the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import optimize, stats
from scipy.special import expit
from sklearn.calibration import calibration_curve as peer_curve
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import brier_score_loss, log_loss

from howsure.numerics.calibration import (
    bins_of,
    confidence_draws,
    fitted,
    forecast_cells,
    intercepts,
    isotonic,
    least_error,
    part_of_many,
    parts,
    random_means,
    rising_band,
    score,
    shrunken_gaps,
)

FORECASTS = arrays(float, st.shared(st.integers(2, 40), key="n"), elements=st.integers(1, 19).map(lambda i: i / 20))
EVENTS = arrays(bool, st.shared(st.integers(2, 40), key="n"))


@given(FORECASTS, EVENTS)
def test_parts_add_up_to_the_scores_of_scikit_learn_and_none_is_negative(p: np.ndarray, event: np.ndarray) -> None:
    cells = forecast_cells(event, p)
    peers = {"brier": brier_score_loss(event, p, labels=[0, 1]), "log": log_loss(event, p, labels=[0, 1])}
    for loss, peer in peers.items():
        mcb, dsc, unc = parts(cells.mean, cells.rate, cells.cases, loss)
        assert mcb - dsc + unc == pytest.approx(peer, abs=1e-12)
        assert min(mcb, dsc, unc) >= -1e-12
        n, k = np.insert(cells.cases, 1, 0)[None, :] * 1.0, np.insert(cells.events, 1, 0)[None, :] * 1.0
        for i, part in enumerate((mcb, dsc)):  # a cell without a case changes nothing
            many = part_of_many(
                np.insert(cells.mean, 1, cells.mean[0]), np.tile(n, (2, 1)), np.tile(k, (2, 1)), loss, i
            )
            assert many == pytest.approx([part] * 2, abs=1e-9)
        assert score(cells.mean, cells.rate, cells.cases / len(p), loss) == pytest.approx(peer, abs=1e-12)


@given(FORECASTS, EVENTS)
def test_the_curve_is_the_isotonic_regression_of_scikit_learn(p: np.ndarray, event: np.ndarray) -> None:
    cells = forecast_cells(event, p)
    ours = isotonic(cells.rate, cells.cases)[cells.place]
    np.testing.assert_allclose(ours, IsotonicRegression().fit_transform(p, event), atol=1e-10)


@given(FORECASTS, EVENTS, st.integers(1, 12), st.sampled_from(["quantile", "uniform"]))
def test_bins_are_those_of_scikit_learn(p: np.ndarray, event: np.ndarray, bins: int, strategy: str) -> None:
    of = bins_of(p, bins, strategy)
    ours = np.array([(event[of == b].mean(), p[of == b].mean()) for b in np.unique(of)])
    np.testing.assert_allclose(ours.T, peer_curve(event, p, n_bins=bins, strategy=strategy), atol=1e-12)


@pytest.mark.parametrize("seed", [1, 2])
def test_intercept_and_slope_maximise_the_likelihood(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(0, [1, 3, 6, 0.2][seed], 60)
    cases = rng.uniform(0.2, 3, (2, 60))
    events = cases * rng.uniform(0.05, 0.95, (2, 60))
    a, b = fitted(x, cases, events)
    alone = intercepts(x, cases, events)
    for i in range(2):

        def loss(ab: np.ndarray, i: int = i) -> float:
            eta = ab[0] + ab[1] * x
            return float((cases[i] * np.logaddexp(0, eta) - events[i] * eta).sum())

        peer = optimize.minimize(loss, [0.0, 0.0], method="BFGS", options={"gtol": 1e-9})
        assert (a[i], b[i]) == pytest.approx(tuple(peer.x), abs=1e-4)
        gradient = (events[i] - cases[i] * expit(alone[i] + x)).sum()
        assert gradient == pytest.approx(0, abs=1e-8)


def test_of_one_cell_confidence_is_that_of_a_binomial_test() -> None:
    """The size of a gap from 1/2 of one rate: its upper end is that at which so small a gap is as rare."""

    def gap(n: np.ndarray, k: np.ndarray) -> np.ndarray:
        return np.abs(k / n - 0.5).sum(axis=1)

    for k in (52, 60, 75):
        values = confidence_draws(
            np.array([100]), np.array([0.5]), np.array([k / 100]), gap, abs(k / 100 - 0.5), 4000, [0]
        )
        assert np.diff(values).min() >= 0
        at_zero = (values == 0).mean()
        more = stats.binom.sf(k, 100, 0.5) + stats.binom.pmf(k, 100, 0.5) / 2
        assert at_zero == pytest.approx(min(2 * more, 0.5), abs=0.03)
        if k == 75:
            ends = 0.5 + np.quantile(values, [0.025, 0.975])
            exact = [stats.beta.ppf(0.025, 75.5, 25.5), stats.beta.ppf(0.975, 75.5, 25.5)]
            np.testing.assert_allclose(ends, exact, atol=0.015)


@pytest.mark.parametrize(("chance", "right", "way"), [(1.0, 20, -1), (0.0, 0, 1), (0.5, 10, 1), (0.999, 20, -1)])
def test_an_error_that_was_not_seen_is_of_the_size_of_noise_and_leads_away_from_an_end(
    chance: float, right: int, way: int
) -> None:
    rate = (right + 0.5) / 21
    there = np.array([chance])
    made = least_error(there, there, np.array([20]), np.array([right]), np.array([0]))
    assert made[0] == pytest.approx(chance + way * np.sqrt(rate * (1 - rate) / 20), abs=1e-15)


def test_a_band_of_one_group_is_a_binomial_interval_and_bands_hold_each_other() -> None:
    rng = np.random.default_rng(1)
    p = np.full(80, 0.3)
    groups = forecast_cells(np.arange(80) < 20, p, 10)
    band = rising_band(groups, np.array([0.3]), 0.9, 2000, rng)
    # the level is found by simulation of a discrete law, so it is near that of Clopper and Pearson
    low, high = stats.beta.ppf(0.05, 20, 61), stats.beta.ppf(0.95, 21, 60)
    assert (band.band_low[0], band.band_high[0]) == pytest.approx((low, high), abs=0.03)
    p = rng.random(300)
    groups = forecast_cells(rng.random(300) < p, p, 20)
    x = np.linspace(0.02, 0.98, 40)
    band = rising_band(groups, x, 0.95, 300, rng)
    for low, high in ((band.low, band.high), (band.band_low, band.band_high)):
        assert (np.diff(low) >= 0).all()
        assert (np.diff(high) >= 0).all()
        assert (low <= high).all()


def test_gaps_are_shrunken_by_the_spread_of_der_simonian_and_laird() -> None:
    n, k, expected = np.array([40, 60, 80]), np.array([10, 33, 60]), np.array([16.0, 30.0, 48.0])
    gap, rate = (k - expected) / n, (k + 0.5) / (n + 1)
    weight = n / (rate * (1 - rate))
    mean = np.average(gap, weights=weight)
    q, freedom = (weight * (gap - mean) ** 2).sum(), len(n) - 1
    between = max(0.0, (q - freedom) / (weight.sum() - (weight**2).sum() / weight.sum()))
    shrunken = mean + (gap - mean) * between / (between + 1 / weight)
    size = (n * np.abs(gap)).sum() / (n * np.abs(shrunken)).sum()
    np.testing.assert_allclose(shrunken_gaps(n, k, expected), shrunken * size, rtol=1e-12)


def test_groups_of_many_cases_weigh_as_groups_of_one() -> None:
    """Groups of one loss, however large, are as many cases: their pseudo-cases are groups as well."""
    drawn = [
        random_means(np.zeros(20 * size), lambda n, _: np.ones(n), 50, [3], group=np.repeat(np.arange(20), size))
        for size in (1, 5)
    ]
    np.testing.assert_allclose(drawn[0], drawn[1])
