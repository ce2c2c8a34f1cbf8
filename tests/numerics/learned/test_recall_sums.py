"""Laws of weighted sums under the learned prior: a mixture of few Betas against exact sums and against draws."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc

from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.learned.evidence import ONE_PART
from howsure.numerics.learned.hyperparameters import refinement
from howsure.numerics.learned.population import Population
from howsure.numerics.learned.recall_sums import LEAST_MASS, blend

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
        ([30, 3, 8], [32, 4, 10], 6e-4),
        ([30, 1, 2], [32, 4, 10], 2.5e-3),
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


def test_a_single_recall_against_exact() -> None:
    learned = Population([30, 3, 8], [32, 4, 10])
    for i, row in enumerate(np.eye(3)):
        law = learned.mixture_of(row)
        x = quantiles(law, LEVELS)
        assert law.cdf(x) == pytest.approx(rate_cdf(learned, i, x), abs=1.5e-3)


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
        noise = 4.5 * np.sqrt(LEVELS * (1 - LEVELS) / many)
        assert np.all(np.abs(law.cdf(np.quantile(drawn, LEVELS)) - LEVELS) < noise + law.error)


@pytest.mark.parametrize(("size", "n"), [(2, 5), (3, 20), (10, 5), (10, 50), (100, 50)])
def test_everything_right_against_draws(size: int, n: int) -> None:
    """Much of the law is a spike at 1: levels are compared where x may move by a hundredth of a standard deviation."""
    learned = Population([n] * size, [n] * size)
    law = learned.mixture_of(np.full(size, 1 / size))
    drawn = np.sort(learned.draw(40_000, np.random.default_rng(2)).mean(1))
    x, slack = np.quantile(drawn, LEVELS), 0.01 * law.sd
    noise = 4.5 * np.sqrt(LEVELS * (1 - LEVELS) / len(drawn)) + law.error
    assert law.error < 0.02
    assert np.all(law.cdf(x - slack) < LEVELS + noise)
    assert np.all((law.cdf(x + slack) > LEVELS - noise) | (x + slack >= 1))
    assert law.cdf(np.quantile(drawn, [0.5])) == pytest.approx([0.5], abs=0.015)


def test_the_law_of_a_typical_recall() -> None:
    learned = Population(*uneven(12, 30, 8))
    law, summary = learned.typical_rate(), learned.summary()
    assert law.mean == pytest.approx(summary.recall, abs=1e-6)
    average = learned.mixture_of(np.full(12, 1 / 12))
    assert law.sd > average.sd


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
