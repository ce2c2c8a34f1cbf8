"""From what an expert says to pseudo-counts: a Beta of a mean and an interval, a table of three rates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.special import betainc

from howsure.numerics.arrays import Floats

__all__ = ["RATES", "beta_of_belief", "table_of_rates"]


#: Numerator and denominator of each rate over the cells (TN, FP, FN, TP).
RATES: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "accuracy": ((1, 0, 0, 1), (1, 1, 1, 1)),
    "prevalence": ((0, 0, 1, 1), (1, 1, 1, 1)),
    "bias": ((0, 1, 0, 1), (1, 1, 1, 1)),
    "recall": ((0, 0, 0, 1), (0, 0, 1, 1)),
    "specificity": ((1, 0, 0, 0), (1, 1, 0, 0)),
    "precision": ((0, 0, 0, 1), (0, 1, 0, 1)),
    "negative_predictive_value": ((1, 0, 0, 0), (1, 0, 1, 0)),
}

#: Pseudo-counts between which a Beta is looked for.
LEAST, MOST = 1e-6, 1e12


def beta_of_belief(mean: float, low: float, high: float, level: float) -> tuple[float, float] | None:
    """Beta (a, b) with that mean and with probability ``level`` in [low, high]; None where there is none.

    Bisection over the logarithm of a + b: the more pseudo-counts, the more lies around the mean.
    """

    def inside(mass: float) -> float:
        a, b = mean * mass, (1 - mean) * mass
        return float(betainc(a, b, high) - betainc(a, b, low))

    least, most = np.log(LEAST), np.log(MOST)
    if inside(float(np.exp(least))) >= level or inside(float(np.exp(most))) < level:
        return None
    for _ in range(100):
        middle = (least + most) / 2
        least, most = (least, middle) if inside(float(np.exp(middle))) >= level else (middle, most)
    mass = float(np.exp(most))
    return mean * mass, (1 - mean) * mass


def table_of_rates(rates: Mapping[str, float]) -> Floats | None:
    """Cells [[TN, FP], [FN, TP]], adding to 1, at which three rates have given values; None where they have none.

    Each rate is linear in the cells once its value is known, (numerator - value * denominator) . cells = 0, so three of
    them and the sum are four linear equations (Caelen 2017, section on priors).
    """
    equations = [np.array(RATES[name][0]) - value * np.array(RATES[name][1]) for name, value in rates.items()]
    system = np.array([*equations, np.ones(4)])
    if system.shape != (4, 4) or np.linalg.cond(system) > 1e10:
        return None
    cells = np.linalg.solve(system, np.array([0.0, 0.0, 0.0, 1.0]))
    return None if cells.min() < -1e-12 else np.maximum(cells, 0.0).reshape(2, 2)
