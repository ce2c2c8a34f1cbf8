"""Powers of rates of items, by two routes each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from tests.conftest import tries

from howsure.laws import Beta
from howsure.laws.group_means import NewItemTries, TheseItemTries
from howsure.numerics.groups.item_powers import ItemPowers, ItemRates
from howsure.numerics.groups.population_mean import PopulationMean, drawn_population, expected_power, population_power

ONE = np.ones(1)
RIGHT = [3, 5, 0, 4, 5, 2, 5, 1, 5, 4]


@pytest.fixture(scope="module")
def population() -> PopulationMean:
    return PopulationMean(RIGHT, [5] * 10)


@pytest.mark.parametrize(("power", "wrong"), [(1, True), (5, False)])
def test_law_of_a_new_item_is_the_mixture_over_nodes(population: PopulationMean, power: int, wrong: bool) -> None:
    law = population_power(population, power, wrong=wrong)
    y, a, mass = population.nodes
    values = special.expit(expected_power(-a if wrong else a, y[:, None], power)[0])
    mean = float((mass * values).sum())
    assert law.mean == pytest.approx(mean, abs=1e-7)
    assert law.sd == pytest.approx(float(np.sqrt((mass * (values - mean) ** 2).sum())), abs=1e-7)


def test_law_of_a_new_item_against_draws(population: PopulationMean) -> None:
    logits, log_kappa = drawn_population(population, 40_000, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    p, kappa = special.expit(logits), np.exp(log_kappa)
    assert stats.kstest(p, population.law.cdf).statistic < 0.01
    theta = rng.beta(p * kappa, special.expit(-logits) * kappa)
    assert (theta**3).mean() == pytest.approx(population_power(population, 3).mean, abs=0.006)
    values = special.expit(expected_power(logits, log_kappa, 3)[0])
    assert stats.kstest(values, NewItemTries(population, 3).cdf).statistic < 0.01


def test_flat_rows_of_one_run_are_the_sum_of_betas() -> None:
    right = np.array(RIGHT)
    law = TheseItemTries(ItemRates(right, 5 - right, ONE, ONE, ONE), 1)
    exact = sum((Beta(1 + k, 6 - k) * 0.1 for k in RIGHT[1:]), Beta(1 + RIGHT[0], 6 - RIGHT[0]) * 0.1)
    x = np.linspace(0.4, 0.85, 10)
    assert law.cdf(x) == pytest.approx(exact.cdf(x), abs=1e-7)
    assert (law.mean, law.sd) == pytest.approx((exact.mean, exact.sd), abs=1e-12)
    assert law.interval() == pytest.approx(exact.interval(), abs=1e-6)


@given(
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12),
    st.integers(1, 6),
    st.sampled_from([(1.0, 1.0), (0.5, 0.5), (2.0, 0.3)]),
)
@settings(max_examples=tries(20), deadline=None)
def test_moments_of_these_items_are_closed(
    runs: list[tuple[int, int]], power: int, pseudo: tuple[float, float]
) -> None:
    right, wrong = np.array(runs).T
    a, b = (np.array([x]) for x in pseudo)
    law = ItemPowers(ItemRates(right, wrong, a, b, ONE), power)
    alpha, beta = right + pseudo[0], wrong + pseudo[1]
    means, squares = (np.exp(special.betaln(alpha + p, beta) - special.betaln(alpha, beta)) for p in (power, 2 * power))
    variances = squares - means**2
    assert law.mean == pytest.approx(means.mean(), rel=1e-9)
    assert law.sd == pytest.approx(np.sqrt(np.maximum(variances, 0).sum()) / len(runs), rel=1e-5)


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize(("items", "runs", "power"), [(10, 5, 2), (2_000, 4, 2)])
def test_law_of_these_items_against_draws(items: int, runs: int, power: int) -> None:
    rng = np.random.default_rng(items)
    right = rng.binomial(runs, rng.beta(4, 2, items))
    nodes = np.array([2.0, 8.0, 30.0]), np.array([1.0, 4.0, 15.0]), np.array([0.2, 0.5, 0.3])
    rates = ItemRates(right, runs - right, *nodes)
    for wrong in (False, True):
        law = TheseItemTries(rates, power, any_right=wrong)
        values = rates.draw(8_000, np.random.default_rng(2), [(power, wrong)])[0]
        assert law.route == "exact"
        assert stats.kstest(1 - values if wrong else values, law.cdf).statistic < 0.02
