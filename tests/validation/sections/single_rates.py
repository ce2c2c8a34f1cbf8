"""One rate: coverage and width of its intervals, summed over all outcomes, so without a random number."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.special import gammaln, ndtri, xlogy
from tests.validation.sections import text_of
from tests.validation.simulated import Floats

import howsure as hs
from howsure.reporting.frequentist import clopper_pearson, wilson

RATES = (0.5, 0.8, 0.9, 0.95, 0.99)
CASES = (10, 20, 50, 100, 1_000)

#: Rates that means and least coverages are taken over: all, and those of good classifiers.
GRID = (np.arange(2_000) + 0.5) / 2_000
GOOD = np.linspace(0.8, 0.99, 400)


def wald(right: int, cases: int) -> tuple[float, float]:
    """The rate and 1.96 of its standard errors, as most papers print it."""
    rate = right / cases
    half = float(ndtri(0.975)) * (rate * (1 - rate) / cases) ** 0.5
    return max(0.0, rate - half), min(1.0, rate + half)


def of_law(pseudo: float, kind: hs.laws.Kind) -> Callable[[int, int], tuple[float, float]]:
    """Interval of the posterior of a rate."""
    return lambda k, n: tuple(hs.laws.Beta(k + pseudo, n - k + pseudo).interval(0.95, kind))


METHODS: dict[str, Callable[[int, int], tuple[float, float]]] = {
    "**calibrated, HDI** (the default)": of_law(2 / 3, "hdi"),
    "calibrated, central": of_law(2 / 3, "central"),
    "flat, HDI": of_law(1.0, "hdi"),
    "flat, central": of_law(1.0, "central"),
    "jeffreys, HDI": of_law(0.5, "hdi"),
    "jeffreys, central": of_law(0.5, "central"),
    "Wilson": wilson,
    "Clopper and Pearson": clopper_pearson,
    "Wald": wald,
}


def chances(n: int, rates: Floats) -> Floats:
    """Binomial probabilities of 0 to n right answers, a row for each rate."""
    k = np.arange(n + 1)
    ways = gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)
    return np.exp(ways + xlogy(k, rates[:, None]) + xlogy(n - k, 1 - rates[:, None]))


def covered(ends: Floats, rates: Floats) -> tuple[Floats, Floats]:
    """Coverage and mean width of intervals (n + 1, 2), at each rate."""
    low, high = ends.T
    inside = (low <= rates[:, None]) & (rates[:, None] <= high)
    weights = chances(len(ends) - 1, rates)
    return (weights * inside).sum(1), weights @ (high - low)


def lines(runs: int) -> Iterator[str]:
    """Every method at every number of cases."""
    yield from text_of("single_rates 1", " | ".join(map(str, RATES)), " --- |" * (len(RATES) + 4))
    for n in CASES:
        for name, method in METHODS.items():
            ends = np.array([method(k, n) for k in range(n + 1)])
            single = covered(ends, np.array(RATES))[0]
            everywhere = covered(ends, GRID)[0]
            good, widths = covered(ends, GOOD)
            cells = " | ".join(f"{100 * share:.1f}" for share in single)
            yield (
                f"| {n} | {name} | {cells} | {100 * everywhere.mean():.1f} | {100 * good.mean():.1f} | "
                f"{100 * good.min():.1f} | {widths.mean():.4f} |"
            )
