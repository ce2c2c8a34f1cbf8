"""Factors of a pair: closed moments against draws, the Dirichlet of one class, and nobody ahead by the order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.paired_factors import PairedFactors

EQUAL = np.array([[14, 3, 1, 2], [15, 2, 2, 1], [12, 4, 1, 3]])
UNEQUAL = np.array(
    [[140, 9, 4, 12], [40, 5, 3, 2], [18, 2, 3, 2], [9, 1, 0, 2], [4, 0, 1, 0], [2, 1, 0, 0], [1, 0, 0, 1]]
)


def cell_moment(alphas: Floats, powers: tuple[int, ...]) -> float:
    """E prod pi^p under a Dirichlet."""
    total = alphas.sum()
    logs = special.gammaln(total) - special.gammaln(total + sum(powers))
    return float(np.exp(logs + (special.gammaln(alphas + powers) - special.gammaln(alphas)).sum()))


@given(
    st.lists(st.integers(0, 60), min_size=4, max_size=4),
    st.tuples(*[st.integers(0, 3)] * 4),
)
def test_factors_of_one_class_are_the_dirichlet_of_a_half(cells: list[int], powers: tuple[int, int, int, int]) -> None:
    """All moments of the four shares, from the three Betas and from Dirichlet(1/2 x 4)."""
    both, a, b, neither = cells
    p, q, r, s = powers
    # pi11 = (1-d) c, pi10 = d s, pi01 = d (1-s), pi00 = (1-d)(1-c)
    found = (
        cell_moment(np.array([1.0 + a + b, 1.0 + both + neither]), (q + r, p + s))
        * cell_moment(np.array([0.5 + a, 0.5 + b]), (q, r))
        * cell_moment(np.array([0.5 + both, 0.5 + neither]), (p, s))
    )
    assert found == pytest.approx(cell_moment(np.array(cells) + 0.5, powers), rel=1e-9)


@pytest.mark.full
@pytest.mark.parametrize("cells", [EQUAL, UNEQUAL], ids=["equal sizes", "unequal sizes"])
def test_draws_of_a_difference_have_the_closed_moments(cells: np.ndarray) -> None:
    weights = np.full(len(cells), 1 / len(cells))
    factors = PairedFactors(cells)
    values = factors.draw_difference(weights, 5_000, [0])
    assert (values.mean(), values.std(ddof=1)) == pytest.approx(factors.difference_moments(weights), rel=1e-9)
    rates = factors.draw_rates(weights, 5_000, [0])
    assert rates[0] - rates[1] == pytest.approx(values, abs=1e-12)
    again = PairedFactors(cells).draw_difference(weights, 5_000, [0])
    assert np.array_equal(again, values)


@pytest.mark.parametrize(
    "cells",
    [
        [[20, 0, 0, 2], [19, 0, 0, 1], [30, 0, 0, 2]],  # never unlike
        [[0, 0, 0, 0], [9, 1, 0, 2], [5, 0, 1, 0]],  # a class without a case
        [[0, 20, 0, 0], [0, 20, 0, 0], [0, 20, 0, 0]],  # only ever the first
        [[3, 1, 0, 0]],
    ],
)
def test_the_ends_have_answers(cells: list[list[int]]) -> None:
    factors = PairedFactors(cells)
    weights = np.full(len(cells), 1 / len(cells))
    mean, sd = factors.difference_moments(weights)
    values = factors.draw_rates(weights, 500, [0])
    assert np.isfinite([mean, sd]).all()
    assert sd > 0
    assert np.isfinite(values).all()
    assert np.ptp(values) <= 2


@pytest.mark.parametrize("cells", [[[1, 2, 3]], [1, 2, 3, 4], [[1, 2, 3, -1]]])
def test_odd_counts_are_refused(cells: list[object]) -> None:
    with pytest.raises(ValueError, match="shape"):
        PairedFactors(np.array(cells))


def by_prior(k: Floats, n: Floats, scores: Floats, typical: tuple[float, float], rng: np.random.Generator) -> Floats:
    """Draws of the rates by brute force: hyperparameters from their prior, kept in proportion to the evidence."""
    many = 400_000
    a, b = special.logit(rng.beta(*typical, many)), rng.standard_normal(many)
    kappa = 1 / rng.beta(1, 3, many) - 1
    share = rng.beta(1, 9, many)
    eta = a[:, None] + b[:, None] * scores
    alpha, beta = special.expit(eta) * kappa[:, None], special.expit(-eta) * kappa[:, None]
    alpha, beta = np.maximum(alpha, 1e-12), np.maximum(beta, 1e-12)
    main = np.exp(special.betaln(alpha + k, beta + n - k) - special.betaln(alpha, beta)) * (1 - share)[:, None]
    odd = np.exp(special.betaln(0.5 + k, 0.5 + n - k) - special.betaln(0.5, 0.5)) * share[:, None]
    evidence = (main + odd).prod(axis=1)
    kept = rng.choice(many, 100_000, p=evidence / evidence.sum())
    broad = rng.random((len(kept), len(k))) < (odd / (main + odd))[kept]
    right, wrong = np.where(broad, 0.5, alpha[kept]) + k, np.where(broad, 0.5, beta[kept]) + n - k
    return rng.beta(right, wrong)


@pytest.mark.full
def test_the_factors_agree_with_brute_force() -> None:
    """A second route that shares no code: importance sampling from the prior."""
    counts = np.array([[20, 1, 0, 2], [6, 2, 1, 1], [1, 2, 0, 0]], dtype=float)
    both, first, second, neither = counts.T
    size = counts.sum(1)
    scores = np.log(size) - np.log(size).mean()
    rng = np.random.default_rng(1)
    d = by_prior(first + second, size, scores, (1.0, 1.0), rng)
    s = by_prior(first, first + second, scores, (0.5, 0.5), rng)
    c = by_prior(both, both + neither, scores, (0.5, 0.5), rng)
    factors = PairedFactors(counts)
    for drawn, population in ((d, factors.discordance), (s, factors.direction), (c, factors.agreement)):
        means, sds = population.moments
        assert drawn.mean(0) == pytest.approx(means, abs=0.005)
        assert drawn.std(0) == pytest.approx(sds, rel=0.02)
    weights = np.full(len(counts), 1 / len(counts))
    gains = (d * (2 * s - 1)) @ weights
    mean, sd = factors.difference_moments(weights)
    assert gains.mean() == pytest.approx(mean, abs=0.02 * sd)
    assert gains.std() == pytest.approx(sd, rel=0.02)
    values = np.sort(factors.draw_difference(weights, 20_000, [0]))
    grid = np.quantile(gains, np.linspace(0.02, 0.98, 25))
    below = np.searchsorted(values, grid) / len(values)
    assert np.abs(below - np.linspace(0.02, 0.98, 25)).max() < 0.02
