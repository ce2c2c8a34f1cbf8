"""Isotonic curves, and what their scores say: miscalibration, discrimination and uncertainty (CORP)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.special import xlogy

from howsure.numerics.arrays import Floats, Integers, dot

__all__ = ["Loss", "isotonic", "part_of_many", "parts", "score"]

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


def part_of_many(forecast: Floats, cases: Floats, events: Floats, loss: Loss, part: int) -> Floats:
    """One of the `parts`, of many tests, shape (M,): cases and events of shape (M, B); cells may be without a case.

    Examples
    --------
    >>> n, k = np.array([[2.0, 0.0, 2.0]]), np.array([[1.0, 0.0, 2.0]])
    >>> part_of_many(np.array([0.2, 0.5, 0.8]), n, k, "brier", 0).round(4).tolist()
    [0.065]
    """
    share = cases / cases.sum(axis=1, keepdims=True)
    rate = np.divide(events, cases, out=np.zeros_like(events), where=cases > 0)
    weight = np.maximum(cases, 1e-9)  # a cell without a case has none to speak of
    best = np.array([isotonic(row, w) for row, w in zip(rate, weight, strict=True)])

    def mean(said: Floats) -> Floats:
        if loss == "brier":
            return np.asarray(np.einsum("mb,mb->m", share, said**2 + rate * (1 - 2 * said)))
        terms = xlogy(rate, said) + xlogy(1 - rate, 1 - said)
        return -np.asarray(np.einsum("mb,mb->m", share, np.where(cases > 0, terms, 0.0)))

    if part == 0:
        return mean(np.broadcast_to(forecast, rate.shape)) - mean(best)
    base = np.einsum("mb,mb->m", share, rate)[:, None]
    return mean(np.broadcast_to(base, rate.shape)) - mean(best)
