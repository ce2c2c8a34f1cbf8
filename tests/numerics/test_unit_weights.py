"""Means of units with uncertain weights: reference numbers, known special cases, and how often intervals are right."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats

from howsure.numerics.unit_weights import imaginary_units, unit_mean

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
