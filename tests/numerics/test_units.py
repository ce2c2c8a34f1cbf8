"""Items as units: weights, metrics and tries, as in the references and by draws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats
from tests.conftest import tries

from howsure.laws.population_sums import NewItemTries, TheseItemTries
from howsure.numerics import units
from howsure.numerics.figures import (
    Detections,
    Figure,
    LabelMeans,
    OrderLaw,
    OwnFigure,
    UnitSums,
    average_precision,
    corpus_bleu,
    difference_law,
    drawn,
    drawn_difference,
    drawn_together,
    law_of,
    slopes,
)
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.populations.item_powers import (
    ItemPowers,
    ItemRates,
    drawn_population,
    expected_power,
    population_power,
)
from howsure.numerics.units import imaginary_units, unit_mean

CASES = [
    case
    for case in json.loads(Path("tests/reference/graded.json").read_text(encoding="utf-8"))["cases"]
    if case["metric"] in ("mean", "difference of means, same items")
]


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_reference_numbers(case: dict[str, object]) -> None:
    scores, limits, paired = np.array(case["x"]), case["range"], "b" in case
    if paired:
        scores = scores - np.array(case["b"])
        limits = None if limits is None else (limits[0] - limits[1], limits[1] - limits[0])
    made = unit_mean(scores, None if limits is None else (limits[0], limits[1]), difference=paired)
    assert made is not None
    assert imaginary_units(scores, limits, difference=paired) == pytest.approx((case["low"], case["high"]), abs=1e-12)
    assert (made.mean, made.sd) == pytest.approx((case["mean"], case["sd"]), abs=1e-12)
    p, quantiles = np.array([float(key) for key in case["quantiles"]]), [*case["quantiles"].values()]
    assert made.quantile(p).tolist() == pytest.approx(quantiles, abs=1e-9)
    at, above = np.array([float(key) for key in case["above"]]), [*case["above"].values()]
    assert made.sf(at).tolist() == pytest.approx(above, abs=1e-9)


def test_right_and_wrong_is_a_beta() -> None:
    for right, n in ((9, 10), (3, 8), (40, 50)):
        made = unit_mean(np.array([1.0] * right + [0.0] * (n - right)), (0, 1))
        assert made is not None
        a, b = right * (n - 5) / n + 0.5, (n - right) * (n - 5) / n + 0.5
        x = np.linspace(0.01, 0.99, 23)
        assert made.cdf(x) == pytest.approx(special.betainc(a, b, x), abs=1e-12)
        assert made.pdf(x) == pytest.approx(stats.beta.pdf(x, a, b), rel=1e-8)
        low, high = made.highest_density(0.9)
        assert stats.beta.cdf(high, a, b) - stats.beta.cdf(low, a, b) == pytest.approx(0.9, abs=1e-7)


def test_what_has_no_answer_has_none() -> None:
    assert unit_mean(np.arange(5.0)) is None
    assert unit_mean(np.full(12, 3.0)) is None
    assert unit_mean(np.full(12, 3.0), (0, np.inf)) is None
    assert unit_mean(np.full(12, 3.0), (1, 5)) is not None


@pytest.mark.full
def test_draws_are_of_the_same_distribution() -> None:
    made = unit_mean(np.random.default_rng(4).beta(4, 2, 15), (0, 1))
    assert made is not None
    assert stats.kstest(made.draw(4_000, np.random.default_rng(5)), made.cdf).statistic < 0.03


WORLDS = {
    "rubric near its top": lambda rng, n: rng.choice([1, 2, 3, 4, 5], n, p=[0.02, 0.03, 0.05, 0.15, 0.75]) / 4 - 0.25,
    "rubric in its middle": lambda rng, n: rng.choice([1, 2, 3, 4, 5], n, p=[0.1, 0.2, 0.4, 0.2, 0.1]) / 4 - 0.25,
    "even": lambda rng, n: rng.beta(4, 4, n),
    "near 1": lambda rng, n: rng.beta(5, 0.5, n),
    "many zeros": lambda rng, n: np.where(rng.random(n) < 0.9, 0.0, rng.beta(2, 2, n)),
}


@pytest.mark.deep
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("items", [10, 30])
def test_intervals_contain_the_truth(world: str, items: int) -> None:
    rng = np.random.default_rng(7)
    truth, inside = WORLDS[world](rng, 2_000_000).mean(), 0
    for _ in range(400):
        made = unit_mean(WORLDS[world](rng, items), (0, 1))
        assert made is not None
        inside += 0.025 <= made.cdf(np.array([truth]))[0] <= 0.975
    assert inside / 400 >= 0.91


# -- any metric of units with uncertain weights: reference numbers, special cases, draws beside exact

CASES_OF_UNIT_METRICS: list[dict[str, Any]] = json.loads(
    Path("tests/reference/graded.json").read_text(encoding="utf-8")
)["cases"]
RATIOS = [case for case in CASES_OF_UNIT_METRICS if case["metric"] == "ratio of sums"]
DRAWN = [case for case in CASES_OF_UNIT_METRICS if "drawn" in case]
QUANTILES = [case for case in CASES_OF_UNIT_METRICS if case["metric"].startswith("quantile")]


def figure_of(case: dict[str, Any]) -> Figure:
    """The figure of a reference case."""
    if case["metric"] == "mean of ratios":
        return LabelMeans(np.array(case["num"]), np.array(case["den"]), tuple(case["range"]))
    if case["metric"] == "corpus_bleu":
        parts = [np.array(case[name], dtype=float) for name in ("match", "total", "hyp", "ref")]
        return OwnFigure(corpus_bleu(*parts), len(case["hyp"]))
    found = Detections(*(np.array(case[name]) for name in ("image", "score", "hit", "positives")))
    return OwnFigure(average_precision(found), len(case["positives"]), average_precision(found, None))


@pytest.mark.parametrize("case", RATIOS, ids=[case["name"] for case in RATIOS])
def test_ratios_of_sums_as_in_the_reference(case: dict[str, Any]) -> None:
    sums = UnitSums(np.array(case["num"]), np.array(case["den"]))
    limits = tuple(np.inf if end is None else end for end in case["range"])
    law = law_of(sums, (limits[0], limits[1]))
    assert law is not None
    assert sums.observed == pytest.approx(case["observed"], abs=1e-12)
    ends = imaginary_units(sums.contributions, (limits[0], limits[1]), values=sums.values)
    assert ends == pytest.approx((case["low"], case["high"]), abs=1e-12)
    p, quantiles = np.array([float(key) for key in case["quantiles"]]), [*case["quantiles"].values()]
    assert law.quantile(p).tolist() == pytest.approx(quantiles, abs=1e-9)
    at, above = np.array([float(key) for key in case["above"]]), [*case["above"].values()]
    assert law.sf(at).tolist() == pytest.approx(above, abs=1e-9)


@pytest.mark.full
@pytest.mark.parametrize("case", DRAWN, ids=[case["name"] for case in DRAWN])
def test_drawn_metrics_as_in_the_reference(case: dict[str, Any]) -> None:
    figure = figure_of(case)
    assert figure.observed == pytest.approx(case.get("observed", case.get("observed_of_seen")), abs=1e-9)
    if isinstance(figure, LabelMeans):
        assert figure.by_label.tolist() == pytest.approx(case["by_label"], abs=1e-12)
        assert figure.imaginary.ravel().tolist() == pytest.approx(np.ravel(case["low_high_size"]).tolist(), abs=1e-12)
        assert figure.level == pytest.approx(case["level"], abs=1e-12)
    else:
        assert figure.contributions.tolist() == pytest.approx(case["contributions"], abs=1e-6)
        ends = imaginary_units(figure.contributions, tuple(case["range"]))
        assert ends == pytest.approx((case["low"], case["high"]), abs=1e-6)
    draws = drawn(figure, tuple(case["range"]), 20_000, np.random.default_rng(3))
    assert draws is not None
    its = case["drawn"]
    for (p, value), error in zip(its["quantiles"].items(), its["monte_carlo_error"], strict=True):
        ours = error * (its["draws"] / 20_000) ** 0.5
        assert abs(float(np.quantile(draws, float(p))) - value) < 4 * float(np.hypot(ours, error))


@pytest.mark.parametrize("case", QUANTILES, ids=[case["name"] for case in QUANTILES])
def test_quantiles_as_in_the_reference(case: dict[str, Any]) -> None:
    law = OrderLaw(np.array(case["x"]), float(case["metric"].split()[1]), (0, 1))
    assert law.quantile(np.array([0.025, 0.975])).tolist() == case["interval"]


@pytest.mark.full
def test_mean_and_sd_of_a_ratio_are_those_of_its_draws() -> None:
    rng = np.random.default_rng(8)
    words = rng.integers(1, 30, 12).astype(float)
    law = units.ratio_of_units(rng.binomial(30, 0.1, 12).astype(float), words, (0, np.inf))
    assert law is not None
    draws = law.draw(200_000, rng)
    assert law.mean == pytest.approx(draws.mean(), abs=4 * draws.std() / 400)
    assert law.sd == pytest.approx(draws.std(), rel=0.02)


@pytest.mark.full
@pytest.mark.parametrize("world", ["beta", "lognormal"])
def test_many_units_joined_in_bins_are_as_good_as_each_alone(world: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    law = unit_mean(rng.beta(5, 0.8, 900) if world == "beta" else rng.lognormal(0, 1.5, 900))
    assert law is not None
    x = law.mean + law.sd * np.array([-4, -2, -0.5, 0, 0.01, 1, 3, 5])
    joined = law.evaluate(x)
    monkeypatch.setattr(units, "MANY", 10**9)
    alone = law.evaluate(x)
    assert np.abs(joined[0] - alone[0]).max() < 1e-10
    assert np.abs(joined[1] - alone[1]).max() * law.sd < 1e-9


@pytest.mark.full
def test_joint_draws_of_several_are_about_as_sure_as_each_pair() -> None:
    rng = np.random.default_rng(11)
    ability = rng.random((3, 1)) * 0.1
    scores = np.clip(rng.beta(4, 2, 40) + ability + rng.normal(0, 0.1, (3, 40)), 0, 1)
    figures = [UnitSums(row, np.ones(40)) for row in scores]
    draws = drawn_together(figures, 20_000, np.random.default_rng(1))
    for i, j in ((0, 1), (0, 2), (1, 2)):
        law = difference_law(figures[i], figures[j], (0, 1))
        assert law is not None
        assert float((draws[:, i] > draws[:, j]).mean()) == pytest.approx(float(law.sf(np.zeros(1))[0]), abs=0.05)


def test_slopes_of_average_precision_are_its_derivatives() -> None:
    (case,) = [case for case in DRAWN if "hit" in case]
    found = Detections(*(np.array(case[name]) for name in ("image", "score", "hit", "positives")))
    figure = OwnFigure(average_precision(found), len(case["positives"]), slopes=slopes(found))
    assert figure.contributions.tolist() == pytest.approx(case["contributions"], abs=1e-6)
    nothing = Detections(found.image, found.score, np.zeros(len(found.hit)), found.positives)
    assert slopes(nothing).tolist() == [0.0] * 15
    assert average_precision(nothing)(np.full((2, 15), 1 / 15)).tolist() == [0.0, 0.0]


def test_nothing_is_drawn_of_equal_units_without_a_range() -> None:
    same = UnitSums(np.full(10, 5.0), np.ones(10))
    assert drawn(same, None, 10, np.random.default_rng(0)) is None
    assert drawn_difference(same, same, None, 10, np.random.default_rng(0)) is None
    assert law_of(UnitSums(np.arange(5.0), np.ones(5)), (0, 5)) is None
    far = law_of(UnitSums(np.full(10, 5.0), np.ones(10)), (1, 5), far=True)
    assert far is not None
    assert far.support == (1.0, 5.0)


# -- powers of rates of items, by two routes each ---------------------------------------------------------------------

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
