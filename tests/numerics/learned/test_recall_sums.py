"""Laws of weighted sums under the learned prior: a mixture of few Betas against exact sums and against draws."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from howsure.numerics.learned import node_sums
from howsure.numerics.learned.node_sums import NodeSumLaw, TooDear
from howsure.numerics.learned.population import Population
from howsure.numerics.learned.recall_sums import Summands, raw_moments, sum_cumulants

CASES = json.loads((Path(__file__).parents[2] / "reference" / "population.json").read_text())
LEVELS = np.array([0.001, 0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975, 0.999])


def uneven(size: int, mean: float, seed: int):
    rng = np.random.default_rng(seed)
    n = np.ceil(mean * rng.lognormal(-0.5, 1, size)).astype(int)
    return rng.binomial(n, rng.beta(8, 2, size)), n


#: Members and cases beside those of the reference: unlike sizes, equal ones, one wrong answer in all.
MORE = {
    "unlike_300": uneven(300, 20, 300),
    "one_wrong": ([10, 10, 10, 10, 9], [10] * 5),
}


@pytest.mark.full
@pytest.mark.parametrize("name", ["carrillo_C1", "five_one_broken_n10", "twelve_one_broken", *MORE])
def test_the_error_is_that_of_the_fit(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Averages, differences and unequal weights: at least the true error, and not a multiple of it."""
    monkeypatch.setattr(node_sums, "MOST_WORK", 10**12)
    monkeypatch.setattr(node_sums, "MOST_PRODUCTS", 1e15)
    k, n = MORE[name] if name in MORE else (CASES[name]["k"], CASES[name]["n"])
    learned, size = Population(k, n), len(k)
    average = np.full(size, 1 / size)
    several = (average, np.eye(size)[0] - np.eye(size)[-1], np.random.default_rng(5).dirichlet(np.ones(size)))
    for weights in several[: 3 if size <= 100 else 1]:
        terms = learned.sum_terms(weights)
        if min(terms.end_exponents) < 1:
            continue
        try:
            exact = NodeSumLaw([terms])
        except TooDear:  # a spike inside
            continue
        x = exact.mean + exact.sd * np.linspace(-4, 4, 81)
        law = learned.mixture_of(weights)
        wrong = float(np.abs(law.cdf(x) - exact.cdf(x)).max())
        assert wrong <= law.error + exact.residual
        assert law.error < 8 * wrong + 2e-3 or name == "one_wrong"
        assert law.mean == pytest.approx(exact.mean, abs=1e-3 * exact.sd)


def test_what_is_spelled_out_is_the_same_in_moments() -> None:
    """Any number of copies of a term in the broad part, against two parts at once: moments of every node agree."""
    chance = np.array([[[0.3, 0.4]], [[0.1, 0.5]]])
    main, broad = (np.array([[9.0, 12.0]]), np.array([[2.0, 5.0]])), (np.array([2.0, 1.0]), np.array([3.0, 1.0]))
    weight = np.array([[0.25], [0.75]])
    summands = Summands(np.arange(2), np.array([0.2, -0.5]), np.array([2.0, 1.0]))
    mass, cumulants = sum_cumulants(main, broad, chance, weight, summands)
    assert mass.shape == (6, 1)
    assert mass.sum() == pytest.approx(1)
    found = (mass * np.concatenate([raw_moments(cumulants, 0.0)])).sum(axis=(1, 2))
    rng, many = np.random.default_rng(0), 400_000
    share = rng.random(many) < 0.75
    odd = rng.random((many, 3)) < np.where(share[:, None], [0.1, 0.1, 0.5], [0.3, 0.3, 0.4])
    a, b = np.where(odd, [2, 2, 1], [9, 9, 12]), np.where(odd, [3, 3, 1], [2, 2, 5])
    drawn = rng.beta(a, b) @ [0.2, 0.2, -0.5]
    for order, value in enumerate(found, 1):
        powers = drawn**order
        assert value == pytest.approx(powers.mean(), abs=5 * powers.std() / np.sqrt(many))


@pytest.mark.full
@pytest.mark.parametrize(("k", "n"), [([30, 3, 8], [32, 4, 10])])
def test_against_draws(k, n) -> None:
    """Equal, signed, uneven and single weights, from the same joint draws."""
    learned, rng = Population(k, n), np.random.default_rng(7)
    size, many = len(k), 50_000
    recalls = learned.draw(many, rng)
    for weights in (np.full(size, 1 / size), rng.dirichlet(np.ones(size)), np.eye(size)[0] - np.eye(size)[-1]):
        law, drawn = learned.mixture_of(weights, shift=0.25), np.sort(recalls @ weights + 0.25)
        assert law.mean == pytest.approx(drawn.mean(), abs=5 * law.sd / np.sqrt(many))
        assert law.sd == pytest.approx(drawn.std(), rel=0.02)
        noise = 5 * np.sqrt(LEVELS * (1 - LEVELS) / many)
        assert np.all(np.abs(law.cdf(np.quantile(drawn, LEVELS)) - LEVELS) < noise + law.error)
