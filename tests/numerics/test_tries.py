"""Powers of rates of items, by two routes each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from tests.conftest import tries

from howsure.laws import Beta
from howsure.laws.item_laws import NewItemTries, TheseItemTries
from howsure.numerics.groups.item_powers import ItemPowers, ItemRates, log_raw_moment
from howsure.numerics.groups.outcome_population import OutcomePopulation
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.numerics.groups.population_power import drawn_population, expected_power, population_power

ONE = np.ones(1)
RIGHT = [3, 5, 0, 4, 5, 2, 5, 1, 5, 4]


@pytest.fixture(scope="module")
def population() -> PopulationMean:
    return PopulationMean(RIGHT, [5] * 10)


def test_moments_of_a_beta() -> None:
    a, b = np.array([0.3, 2.0, 40.0]), np.array([1.0, 5.0, 0.2])
    for power in (1, 2, 7):
        closed = special.betaln(a + power, b) - special.betaln(a, b)
        assert log_raw_moment(a, b, power) == pytest.approx(closed, rel=1e-12)


def test_expected_power_and_its_slope() -> None:
    a, y = np.array([-30.0, -2.0, 0.5, 4.0, 30.0]), np.array([-3.0, 0.0, 2.0, 9.0, 1.0])
    p, kappa = special.expit(a), np.exp(y)
    for power in (1, 2, 6):
        t, slope = expected_power(a, y, power)
        log = special.betaln(p * kappa + power, special.expit(-a) * kappa) - special.betaln(
            p * kappa, special.expit(-a) * kappa
        )
        assert special.log_expit(t) == pytest.approx(log, abs=1e-6)
        step = 1e-5
        difference = expected_power(a + step, y, power)[0] - expected_power(a - step, y, power)[0]
        assert slope == pytest.approx(difference / (2 * step), rel=1e-5)


@pytest.mark.parametrize("power", [1, 2, 5])
@pytest.mark.parametrize("wrong", [False, True])
def test_law_of_a_new_item_is_the_mixture_over_nodes(population: PopulationMean, power: int, wrong: bool) -> None:
    law = population_power(population, power, wrong=wrong)
    y, a, mass = population.nodes
    values = special.expit(expected_power(-a if wrong else a, y[:, None], power)[0])
    mean = float((mass * values).sum())
    assert law.mean == pytest.approx(mean, abs=1e-7)
    assert law.sd == pytest.approx(float(np.sqrt((mass * (values - mean) ** 2).sum())), abs=1e-7)


def test_one_run_of_a_new_item_is_the_mean(population: PopulationMean) -> None:
    x = np.linspace(0.05, 0.95, 19)
    assert population_power(population, 1).cdf(x) == pytest.approx(population.law.cdf(x), abs=1e-7)


def test_law_of_a_new_item_against_draws(population: PopulationMean) -> None:
    logits, log_kappa = drawn_population(population, 40_000, np.random.default_rng(0))
    rng = np.random.default_rng(1)
    p, kappa = special.expit(logits), np.exp(log_kappa)
    assert stats.kstest(p, population.law.cdf).statistic < 0.01
    theta = rng.beta(p * kappa, special.expit(-logits) * kappa)
    assert (theta**3).mean() == pytest.approx(population_power(population, 3).mean, abs=0.006)
    values = special.expit(expected_power(logits, log_kappa, 3)[0])
    assert stats.kstest(values, NewItemTries(population, 3).cdf).statistic < 0.01


def test_any_of_k_is_one_less_none(population: PopulationMean) -> None:
    mirrored = PopulationMean([5 - k for k in RIGHT], [5] * 10)
    any_right, none_right = NewItemTries(population, 4, any_right=True), NewItemTries(mirrored, 4)
    x = np.linspace(0.3, 0.98, 15)
    assert any_right.mean == pytest.approx(1 - none_right.mean, abs=1e-6)
    assert any_right.cdf(x) == pytest.approx(none_right.sf(1 - x), abs=1e-6)


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
@settings(max_examples=tries(40), deadline=None)
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


@pytest.mark.parametrize(("items", "runs", "power"), [(10, 5, 2), (40, 8, 3), (2_000, 4, 2)])
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


def test_very_many_kinds_of_items_go_by_their_moments() -> None:
    rng = np.random.default_rng(3)
    right, wrong = rng.integers(1, 400, 4_000), rng.integers(1, 400, 4_000)
    nodes = np.linspace(1, 2, 6), np.linspace(1, 3, 6), np.full(6, 1 / 6)
    rates = ItemRates(right, wrong, *nodes)
    law = TheseItemTries(rates, 3)
    values = rates.draw(2_000, rng, [(3, False)])[0]
    assert law.error < 1e-3
    assert stats.kstest(values, law.cdf).statistic < 0.05


def test_a_few_items_of_which_little_is_known_are_not_called_exact() -> None:
    zero = np.zeros(2, dtype=int)
    assert TheseItemTries(ItemRates(zero, zero, ONE, ONE, ONE), 8).route == "approximate"


@pytest.mark.parametrize(("items", "runs"), [(10, 5), (60, 3)])
def test_a_population_of_two_outcomes_is_that_of_right_and_wrong(items: int, runs: int) -> None:
    rng = np.random.default_rng(items)
    right = rng.binomial(runs, rng.beta(3, 1, items))
    exact = PopulationMean(right, np.full(items, runs))
    share, kappa = OutcomePopulation(np.stack([runs - right, right], axis=1)).draw(20_000, np.random.default_rng(5))
    assert stats.kstest(share[:, 1], exact.law.cdf).statistic < 0.02
    assert stats.kstest(1 / (1 + kappa), exact.correlation.cdf).statistic < 0.05


def test_means_of_many_alike_items_are_normal_around_exact_moments() -> None:
    counts = np.tile([1, 2, 2], (5_000, 1))
    scores, pseudo = np.array([0.0, 0.5, 1.0]), np.ones((20_000, 3))
    values = OutcomePopulation(counts).draw_means(scores, pseudo, np.random.default_rng(0))
    alpha = np.array([2.0, 3.0, 3.0])
    mean = alpha @ scores / 8
    sd = np.sqrt((alpha @ scores**2 / 8 - mean**2) / 9 / 5_000)
    assert values.mean() == pytest.approx(mean, abs=4 * sd / 141)
    assert values.std() == pytest.approx(sd, rel=0.03)
