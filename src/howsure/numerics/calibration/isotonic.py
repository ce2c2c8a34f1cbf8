"""Isotonic curves, and what their scores say: miscalibration, discrimination and uncertainty (CORP)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import xlogy

from howsure.numerics.arrays import Floats, Integers, dot

__all__ = ["Loss", "isotonic", "parts", "score"]

#: The two scores that are taken apart.
Loss = Literal["brier", "log"]


def isotonic(rate: Floats, weight: Floats | Integers) -> Floats:
    """Rising curve nearest to the rates, by pooling adjacent violators; shape (B,).

    Examples
    --------
    >>> isotonic(np.array([0.2, 0.6, 0.4]), np.array([1, 1, 1])).tolist()
    [0.2, 0.5, 0.5]
    """
    from scipy.optimize import isotonic_regression  # a second to load, so where it is needed

    return np.asarray(isotonic_regression(rate, weights=np.asarray(weight, dtype=float)).x, dtype=float)


def score(forecast: Floats, rate: Floats, share: Floats, loss: Loss) -> float:
    """Mean loss of forecasts of cells with these rates and shares of the cases; infinite where a 0 was wrong.

    Examples
    --------
    >>> score(np.array([0.5]), np.array([1.0]), np.array([1.0]), "brier")
    0.25
    """
    if loss == "brier":
        return dot(share, np.asarray(forecast**2 + rate * (1 - 2 * forecast)))
    return -dot(share, np.asarray(xlogy(rate, forecast) + xlogy(1 - rate, 1 - forecast), dtype=np.float64))


def parts(forecast: Floats, rate: Floats, cases: Floats | Integers, loss: Loss) -> tuple[float, float, float]:
    """Miscalibration, discrimination and uncertainty: the first less the second plus the third is the score.

    Notes
    -----
    Dimitriadis, Gneiting and Jordan 2021, PNAS 118(8), equation 4; recalibrated by isotonic regression.

    Examples
    --------
    >>> [round(x, 4) for x in parts(np.array([0.2, 0.8]), np.array([0.5, 1.0]), np.array([2, 2]), "brier")]
    [0.065, 0.0625, 0.1875]
    """
    share = np.asarray(cases, dtype=float) / cases.sum()
    base = np.full(len(rate), dot(share, rate))
    best = isotonic(rate, share)
    recalibrated = score(best, rate, share, loss)
    whole = score(base, rate, share, loss)
    return score(forecast, rate, share, loss) - recalibrated, whole - recalibrated, whole
