"""Laws of one number: closed forms, a quadrature written here, and draws."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, factorial, sqrt

import numpy as np
from scipy import special

from howsure.laws import Beta, BetaBinomial, BetaSum, BinaryLaw, Extreme, Mixture
from howsure.verify.checks import Check, Checker, close, within_draws

__all__ = ["CHECKS", "mean_below"]

RUNS = 40_000


def mean_below(x: float, one: tuple[float, float], two: tuple[float, float]) -> float:
    """P((s + t) / 2 <= x) of independent Betas: the density of one, times the other's distribution function."""
    nodes, weights = np.polynomial.legendre.leggauss(400)
    low, high = max(0.0, 2 * x - 1), min(1.0, 2 * x)
    s = low + (high - low) * (nodes + 1) / 2
    a, b = one
    density = np.exp(special.xlogy(a - 1, s) + special.xlog1py(b - 1, -s) - special.betaln(a, b))
    inside = float((weights * density * special.betainc(*two, 2 * x - s)).sum() * (high - low) / 2)
    return float(special.betainc(a, b, low)) + inside


def _one_rate() -> Iterator[Check]:
    law = Beta(28, 2)
    yield close("mean of Beta(28, 2)", law.mean, 28 / 30, 1e-14, "a / (a + b)")
    yield close("sd of Beta(28, 2)", law.sd, sqrt(28 * 2 / (30**2 * 31)), 1e-14, "closed form")
    yield close("97.5% quantile of Beta(28, 2)", law.quantile(0.975), special.betaincinv(28, 2, 0.975), 1e-10, "SciPy")
    shortest = Beta(27, 1).interval(0.95, "hdi")
    yield close("low end of the HDI, 26 of 26 right", shortest[0], 0.05 ** (1 / 27), 1e-9, "0.05^(1/27)")
    yield close("its high end", shortest[1], 1.0, 0.0, "the density rises up to 1")
    ends = law.interval(0.95, "hdi")
    held = special.betainc(28, 2, ends[1]) - special.betainc(28, 2, ends[0])
    yield close("share that the HDI of Beta(28, 2) holds", held, 0.95, 1e-9, "the definition of an HDI")
    ratio = (ends[1] / ends[0]) ** 27 * (1 - ends[1]) / (1 - ends[0])
    yield close("density at its high end over its low end", ratio, 1.0, 1e-4, "the definition of an HDI")


def _sums() -> Iterator[Check]:
    yield close("mean of two uniforms below 1/4", BetaSum([1, 1], [1, 1]).cdf(0.25), 0.125, 1e-12, "triangle, 2 x^2")
    ten = BetaSum([1] * 10, [1] * 10)
    hall = sum((-1) ** k * comb(10, k) * (3.5 - k) ** 10 for k in range(4)) / factorial(10)
    yield close("mean of ten uniforms below 0.35", ten.cdf(0.35), hall, 1e-9, "Irwin-Hall distribution")
    one, two = (27.0, 1.0), (7.0, 3.0)
    law = BetaSum([27, 7], [1, 3])
    for x in (0.65, 0.83, 0.95):
        expected = mean_below(x, one, two)
        yield close(
            f"mean of Beta(27, 1) and Beta(7, 3) below {x}", law.cdf(x), expected, 1e-9, "quadrature, 400 nodes"
        )
    three = BetaSum([31, 4, 9], [3, 2, 3])
    variance = sum(a * b / ((a + b) ** 2 * (a + b + 1)) for a, b in ((31, 3), (4, 2), (9, 3))) / 9
    yield close("sd of the mean of three Betas", three.sd, sqrt(variance), 1e-12, "closed form")
    drawn = np.random.default_rng(1).beta([31, 4, 9], [3, 2, 3], (RUNS, 3)).mean(1)
    yield within_draws(
        "mean of three Betas", drawn.mean(), three.mean, three.sd, RUNS, "exact distribution against NumPy's draws"
    )
    for x in (0.65, 0.78, 0.88):
        p = float(three.cdf(x))
        share = float((drawn <= x).mean())
        yield within_draws(
            f"mean of three Betas below {x}", share, p, sqrt(p * (1 - p)), RUNS, "exact closed form against draws"
        )
    wide = BetaSum([0.5, 8], [0.5, 4], [1, 0.001])
    yield close("median, weights 1 and 1/1000", wide.median, 0.500666666666, 1e-8, "30-digit quadrature")


def _others() -> Iterator[Check]:
    few = BetaBinomial(10, 1, 1)
    yield close("Beta-binomial(10, 1, 1) at most 3 of 10", few.cdf(0.3), 4 / 11, 1e-12, "uniform on 0 to 10")
    mixed = Mixture([Beta(2, 1), Beta(1, 2)], [0.25, 0.75])
    yield close("mixture of Betas below 1/2", mixed.cdf(0.5), 0.25 * 0.25 + 0.75 * 0.75, 1e-12, "closed form")
    least = Extreme([1, 1, 1], [1, 1, 1])
    yield close("smallest of three uniforms below 0.2", least.cdf(0.2), 1 - 0.8**3, 1e-12, "1 - (1 - x)^3")
    most = Extreme([1, 1, 1], [1, 1, 1], largest=True)
    yield close("mean of the largest of three uniforms", most.mean, 0.75, 1e-9, "3/4")
    known = BinaryLaw("precision", 0.5, (1, 1), (1, 1))
    # u / (u + v) of two uniforms: x / (2 (1 - x)) up to one half
    yield close("PPV at prevalence 1/2, no data, below 1/3", known.cdf(1 / 3), 0.25, 1e-8, "ratio of two uniforms")
    law = BinaryLaw("precision", (27, 9), (27, 1), (7, 3))
    ends = law.interval(0.95, "central")
    yield close("low end of the PPV, central", ends[0], 0.78133860578, 1e-7, "two quadratures, 1e-8 apart")
    yield close("its high end", ends[1], 0.98002899660, 1e-7, "two quadratures, 1e-8 apart")
    rng = np.random.default_rng(2)
    share, right, well = rng.beta(27, 9, RUNS), rng.beta(27, 1, RUNS), rng.beta(7, 3, RUNS)
    values = share * right / (share * right + (1 - share) * (1 - well))
    yield within_draws("mean PPV, prevalence uncertain", values.mean(), law.mean, law.sd, RUNS, "exact against draws")


CHECKS: tuple[Checker, ...] = (_one_rate, _sums, _others)
