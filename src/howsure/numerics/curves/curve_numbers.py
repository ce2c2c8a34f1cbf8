"""Numbers of ROC and precision-recall curves, of one curve or of many: arrays of rates in, one number a curve out."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = [
    "area_under",
    "average_precision",
    "false_rate_at",
    "partial_area",
    "precision_at",
    "standardised",
    "true_rate_at",
    "with_half_cases",
]

#: Cases on either side of a point of a curve that are added to those of its class: Jeffreys' Beta(1/2, 1/2).
HALF = 0.5


def area_under(true: Floats, false: Floats, inside: Floats | None = None) -> Floats:
    """Area under each ROC curve, shape (M,).

    Parameters
    ----------
    true, false : ndarray, shape (M, S + 1)
        Rates from (0, 0) to (1, 1).
    inside : ndarray, shape (S,), optional
        Share of the pairs within each step that are in the right order; 1/2 if left out, the trapezium.

    Examples
    --------
    >>> area_under(np.array([[0, 0.5, 1, 1]]), np.array([[0, 0, 0.5, 1]])).tolist()
    [0.875]
    """
    up, across = np.diff(true, axis=-1), np.diff(false, axis=-1)
    half = 0.5 if inside is None else inside
    return np.asarray(np.einsum("ms,ms->m", up, 1 - false[:, 1:] + across * half))


def average_precision(true: Floats, false: Floats, odds: Floats, gain: Floats | None = None) -> Floats:
    """Mean precision over the positives, each at its own threshold; shape (M,).

    Parameters
    ----------
    true, false : ndarray, shape (M, S + 1)
    odds : ndarray, shape (M,)
        Negatives for each positive, in the population.
    gain : ndarray, shape (S,), optional
        Added to the precision at the end of each step.

    Examples
    --------
    >>> average_precision(np.array([[0, 0.5, 1, 1]]), np.array([[0, 0, 0.5, 1]]), np.ones(1)).round(4).tolist()
    [0.8333]
    """
    up = np.diff(true, axis=-1)
    called = true[:, 1:] + odds[:, None] * false[:, 1:]
    precision = np.divide(true[:, 1:], called, out=np.ones_like(called), where=called > 0)
    if gain is not None:
        precision = np.clip(precision + gain, 0.0, 1.0)
    return np.asarray(np.einsum("ms,ms->m", up, precision))


def true_rate_at(true: Floats, false: Floats, at: Floats) -> Floats:
    """True positive rate at false positive rates, on straight lines between points; the upper end of a vertical line.

    Returns
    -------
    ndarray, shape (M, G)

    Examples
    --------
    >>> true_rate_at(np.array([[0, 0.5, 1, 1]]), np.array([[0, 0, 0.5, 1]]), np.array([0, 0.25])).tolist()
    [[0.5, 0.75]]
    """
    return np.array([np.interp(at, x, y) for x, y in zip(false, true, strict=True)])


def false_rate_at(true: Floats, false: Floats, at: Floats) -> Floats:
    """False positive rate at which true positive rates are reached; the left end of a horizontal line.

    Examples
    --------
    >>> false_rate_at(np.array([[0, 0.5, 1, 1]]), np.array([[0, 0, 0.5, 1]]), np.array([0.5, 0.75])).tolist()
    [[0.0, 0.25]]
    """
    # from the other end, the left end of a line is the last of equal rates
    return np.array([1 - np.interp(1 - at, 1 - y[::-1], 1 - x[::-1]) for x, y in zip(false, true, strict=True)])


def partial_area(true: Floats, false: Floats, most: float) -> Floats:
    """Area under each ROC curve up to a false positive rate, shape (M,).

    Examples
    --------
    >>> partial_area(np.array([[0, 0.5, 1, 1]]), np.array([[0, 0, 0.5, 1]]), 0.25).tolist()
    [0.15625]
    """
    ends = true_rate_at(true, false, np.array([most]))
    x, y = np.minimum(false, most), np.where(false > most, ends, true)
    return np.asarray(np.einsum("ms,ms->m", np.diff(x, axis=-1), (y[:, 1:] + y[:, :-1]) / 2))


def standardised(area: Floats, most: float) -> Floats:
    """Partial area on the scale where 1/2 is chance and 1 is perfect (McClish 1989, equation 5).

    Examples
    --------
    >>> standardised(np.array([0.02, 0.2]), 0.2).round(6).tolist()
    [0.5, 1.0]
    """
    least = most**2 / 2
    return np.asarray((1 + (area - least) / (most - least)) / 2)


def precision_at(recall: Floats, false: Floats, odds: Floats) -> Floats:
    """Precision where a share ``recall`` of the positives and ``false`` of the negatives are called, shape (M, G)."""
    called = recall + odds[:, None] * false
    return np.divide(np.broadcast_to(recall, called.shape), called, out=np.ones_like(called), where=called > 0)


def with_half_cases(rates: Floats, cases: float, rng: np.random.Generator) -> Floats:
    """Draws of shares of so many cases with half a case more on either side: Beta(k, n - k) to Beta(k + 1/2, ...).

    The pseudo-cases of random curves are centred at the area; where that is near 1 they leave a point that all cases
    reach too sure. The half cases of a draw are the same at all points, so that curves stay curves.

    Parameters
    ----------
    rates : ndarray, shape (M, G)
    cases : float
        Of the class, or its groups.
    rng : Generator

    Examples
    --------
    >>> drawn = with_half_cases(np.ones((20_000, 1)), 100, np.random.default_rng(0))
    >>> bool(abs(drawn.mean() - 100.5 / 101) < 0.0002)
    True
    """
    weight = rng.standard_gamma(cases, (len(rates), 1))
    above, below = rng.standard_gamma(HALF, (2, len(rates), 1))
    return np.asarray((rates * weight + above) / (weight + above + below))
