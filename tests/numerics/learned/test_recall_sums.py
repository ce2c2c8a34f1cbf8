"""Laws of weighted sums under the learned prior: a mixture of few Betas against exact sums and against draws."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import betainc

from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.learned import node_sums
from howsure.numerics.learned.evidence import ONE_PART
from howsure.numerics.learned.hyperparameters import refinement
from howsure.numerics.learned.node_sum_law import NodeSumLaw
from howsure.numerics.learned.node_transforms import TooDear
from howsure.numerics.learned.population import Population
from howsure.numerics.learned.recall_cumulants import Summands, raw_moments, sum_cumulants
from howsure.numerics.learned.recall_sums import LEAST_MASS, blend

CASES = json.loads((Path(__file__).parents[2] / "reference" / "population.json").read_text())
LEVELS = np.array([0.001, 0.025, 0.1, 0.25, 0.5, 0.75, 0.9, 0.975, 0.999])


def uneven(size: int, mean: float, seed: int):
    rng = np.random.default_rng(seed)
    n = np.ceil(mean * rng.lognormal(-0.5, 1, size)).astype(int)
    return rng.binomial(n, rng.beta(8, 2, size)), n


def exact_cdf(learned: Population, weights, x):
    """Mixture over the nodes of the one-part model, without any fitting, of exact laws of sums of Betas."""
    nodes = learned.nodes
    share = nodes.weight.sum(0)
    many = share > 1e-5
    total = np.zeros(len(x))
    used = weights != 0
    alphas, betas = (
        p[:, learned.tallies.place] for p in learned.main_part(nodes.a[many], nodes.b[many], nodes.y[many])
    )
    for alpha, beta, w in zip(alphas, betas, share[many], strict=True):
        total += w * LinearEngine(betas=(alpha[used], beta[used], weights[used])).cdf(x)
    return total / share[many].sum()


def rate_cdf(learned: Population, i: int, x):
    """Distribution function of one rate, straight from the nodes."""
    nodes, place = learned.nodes, learned.tallies.place[i]
    broad = (nodes.weight * nodes.broad[:, :, place]).sum(0)
    main = nodes.weight.sum(0) - broad
    alpha, beta = (p[:, [place]] for p in learned.main_part(nodes.a, nodes.b, nodes.y))
    wide = betainc(*(p[place] for p in learned.broad_part), x)
    return main @ betainc(alpha, beta, x) + broad.sum() * wide


def quantiles(law, levels):
    low, high = np.full(len(levels), law.support[0]), np.full(len(levels), law.support[1])
    for _ in range(60):
        middle = (low + high) / 2
        reached = law.cdf(middle) >= levels
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return high


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("k", "n", "most"),
    [
        ([16, 9, 18, 5], [20, 12, 20, 8], 1.5e-3),
        ([30, 3, 8], [32, 4, 10], 1e-3),
        ([30, 1, 2], [32, 4, 10], 3e-3),
        (*uneven(10, 20, 5), 1e-3),
    ],
)
def test_fitted_against_exact(k, n, most: float) -> None:
    learned = Population(k, n, nodes=(11, 5, 15), model=ONE_PART)
    weights = np.full(len(k), 1 / len(k))
    law = learned.mixture_of(weights)
    x = quantiles(law, LEVELS)
    wrong = float(np.abs(law.cdf(x) - exact_cdf(learned, weights, x)).max())
    assert wrong < most
    assert wrong < law.error < 30 * most


#: Members and cases beside those of the reference: unlike sizes, equal ones, one wrong answer in all.
MORE = {
    "unlike_30": uneven(30, 20, 30),
    "unlike_300": uneven(300, 20, 300),
    "equal_100": (np.random.default_rng(1).binomial(50, 0.8, 100), [50] * 100),
    "one_wrong": ([10, 10, 10, 10, 9], [10] * 5),
}


@pytest.mark.sweep(
    "carrillo_C1", "three_one_broken", "five_one_broken_n10", "twelve_one_broken", "unlike_300", "one_wrong"
)
@pytest.mark.parametrize("name", [*(x for x in CASES if not x.endswith("_right")), *MORE])
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


def test_many_unlike_members() -> None:
    law = Population(*MORE["unlike_300"]).mixture_of(np.full(300, 1 / 300))
    assert law.error < 1.5e-3


def test_where_it_can_be_no_spike_the_density_is_finite() -> None:
    """One wrong answer in the sum keeps the density finite at the upper end; one right answer at the lower."""
    k, n = np.array([10, 10, 10, 10, 9]), np.full(5, 10)
    average = np.full(5, 0.2)
    law = Population(k, n).mixture_of(average)
    assert law.b[np.isclose(law.low + law.width, 1)].min() >= 1
    mirrored = Population(n - k, n).mixture_of(average)
    assert mirrored.a[np.isclose(mirrored.low, 0)].min() >= 1
    signed = Population([10, 0], [10, 10]).mixture_of([1.0, -1.0], shift=3.0)
    assert signed.support == pytest.approx((2, 4), abs=1e-9)
    assert signed.b.min() < 1  # all right and none right: as far as it goes
    assert Population(n, n).mixture_of(average).b.min() < 1


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


def test_a_single_recall_against_exact() -> None:
    learned = Population([30, 3, 8], [32, 4, 10])
    for i, row in enumerate(np.eye(3)):
        law = learned.mixture_of(row)
        x = quantiles(law, LEVELS)
        wrong = float(np.abs(law.cdf(x) - rate_cdf(learned, i, x)).max())
        assert wrong < law.error
        assert wrong < 4e-3


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("k", "n"),
    [
        ([18, 16], [20, 20]),
        ([30, 3, 8], [32, 4, 10]),
        uneven(10, 20, 5),
        uneven(100, 20, 6),
        (np.random.default_rng(1).binomial(50, 0.8, 100), [50] * 100),
    ],
)
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


@pytest.mark.parametrize(("size", "n"), [(2, 5), (3, 20), (10, 5), (10, 50), (100, 50)])
def test_everything_right_against_draws(size: int, n: int) -> None:
    """Much of the law is a spike at 1: levels are compared where x may move by a hundredth of a standard deviation."""
    learned = Population([n] * size, [n] * size)
    law = learned.mixture_of(np.full(size, 1 / size))
    drawn = np.sort(learned.draw(40_000, np.random.default_rng(2)).mean(1))
    x, slack = np.quantile(drawn, LEVELS), 0.01 * law.sd
    noise = 4.5 * np.sqrt(LEVELS * (1 - LEVELS) / len(drawn)) + law.error
    assert law.error < 0.01
    assert np.all(law.cdf(x - slack) < LEVELS + noise)
    assert np.all((law.cdf(x + slack) > LEVELS - noise) | (x + slack >= 1))
    assert law.cdf(np.quantile(drawn, [0.5])) == pytest.approx([0.5], abs=0.015)


def test_scaling_and_shifting() -> None:
    learned = Population(*uneven(12, 30, 8))
    weights = np.full(12, 1 / 12)
    law, twice = learned.mixture_of(weights), learned.mixture_of(-2 * weights, shift=1.0)
    x = quantiles(law, LEVELS)
    assert twice.mean == pytest.approx(1 - 2 * law.mean)
    assert 1 - twice.cdf(1 - 2 * x) == pytest.approx(law.cdf(x), abs=1e-3)


def test_groups_of_nodes_are_the_nodes_again() -> None:
    """Blending keeps the total and the mean along each axis, and spreads by 1/3 of a squared step."""
    box = np.zeros((1, 5, 7))
    box[0, 2, 3] = 1.0
    wide = blend(box)
    assert wide.shape == (1, 7, 9)
    assert wide.sum() == pytest.approx(1)
    place = np.arange(9)
    along = wide.sum((0, 1))
    assert along @ place == pytest.approx(4)
    assert along @ (place - 4) ** 2 == pytest.approx(1 / 3)
    assert blend(np.ones((2, 1, 3))).shape == (2, 1, 5)


def test_few_components_hold_the_mass() -> None:
    law = Population(*uneven(100, 20, 6)).mixture_of(np.full(100, 0.01))
    assert len(law.weights) < 300
    assert law.weights.sum() == pytest.approx(1)
    assert law.weights.min() > LEAST_MASS / 10
    assert law.low.min() >= -1e-9
    assert (law.low + law.width).max() <= 1 + 1e-9


def test_interpolation_is_exact_for_low_powers() -> None:
    u = np.linspace(-2, 2, 9)
    fine, matrix = refinement(u, 5)
    assert len(fine) == 41
    for power in range(6):
        assert matrix @ u**power == pytest.approx(fine**power, abs=1e-10)
    assert refinement(np.zeros(1), 5)[1].shape == (1, 1)
