"""Simulated tests in which a judge answers every case and people label some of them: the law of the share of a class.

With N_v cases of each verdict and n_v labels among them, q ~ Dirichlet(N_v + 1) and r_v ~ Beta(n_v1 + 1/2, n_v0 + 1/2),
all independent, mean and variance of sum q_v r_v are closed; the Beta with these two moments gives the interval.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.highest_density.of_betas import hdi_width

__all__ = ["allotted", "fewest_doubts", "matched_width", "share_moments", "simulated_labels", "width_by_formula"]

Counts = NDArray[np.int64]


def share_moments(cases: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of sum q_v r_v, q ~ Dirichlet(cases + 1), r_v ~ Beta(a_v, b_v); shapes (..., V) to (...).

    Examples
    --------
    >>> mean, variance = share_moments(np.array([80.0, 20]), np.array([78.5, 7.5]), np.array([2.5, 13.5]))
    >>> round(float(mean), 8), round(float(variance) ** 0.5, 8)  # all labelled: Beta(86, 16)
    (0.84313725, 0.0358336)
    """
    mass = cases + 1
    total = mass.sum(-1, keepdims=True)
    q, r, size = mass / total, a / (a + b), a + b
    mean = (q * r).sum(-1)
    between = ((q * r**2).sum(-1) - mean**2) / (total[..., 0] + 1)
    square = q * (mass + 1) / (total + 1)  # E q_v^2
    return mean, between + (square * r * (1 - r) / (size + 1)).sum(-1)


def matched_width(mean: Floats, variance: Floats, level: float) -> Floats:
    """Width of the highest-density interval of the Beta with these moments."""
    mass = mean * (1 - mean) / variance - 1
    return hdi_width(mean * mass, (1 - mean) * mass, level)


def width_by_formula(q: Floats, r: Floats, labels: float, cases: float, level: float) -> float:
    """Width to expect of labels at random: 2 z sqrt(inner / (n + 3) + between / N).

    Examples
    --------
    >>> round(width_by_formula(np.array([0.79, 0.21]), np.array([0.962, 0.1905]), 50, 2000, 0.95), 3)
    0.136
    """
    theta = float(q @ r)
    inner, between = float(q @ (r * (1 - r))), float(q @ (r - theta) ** 2)
    return float(2 * ndtri((1 + level) / 2) * np.sqrt(inner / (labels + 3) + between / cases))


def allotted(labels: int, weights: Floats, room: Counts, least: int = 0) -> Counts:
    """Whole numbers that add to ``labels`` (or to all the room), in proportion to weights, within the room of each.

    Parameters
    ----------
    labels : int
        How many.
    weights : ndarray, shape (V,)
        0 or more.
    room : ndarray, shape (V,)
        Most of each.
    least : int
        Of each, where there is room for it and it is not more than an equal part.

    Examples
    --------
    >>> allotted(40, np.array([3.0, 1.0]), np.array([1000, 1000])).tolist()
    [30, 10]
    >>> allotted(40, np.array([3.0, 1.0]), np.array([25, 1000])).tolist()
    [25, 15]
    """
    labels = int(min(labels, room.sum()))
    given = np.minimum(np.full(len(room), min(least, labels // len(room))), room)
    wanted = np.maximum(weights, 1e-12 * max(float(weights.max()), 1e-300))
    while (left := labels - int(given.sum())) > 0:
        # the next label where the share that is there lags most behind the share that is wanted; many at once
        free = given < room
        target = np.where(free, wanted, 0) * (given[free].sum() + left) / wanted[free].sum()
        step = np.floor(np.clip(target - given, 0, room - given)).astype(np.int64)
        if step.sum() > left or not step.any():
            step = np.zeros_like(given)
            step[int(np.argmax(np.where(free, target - given, -np.inf)))] = 1
        given = given + step
    return np.asarray(given)


def fewest_doubts(labels: int, cases: Floats, a: Floats, b: Floats, room: Counts) -> Counts:
    """Spread labels over verdicts with r_v ~ Beta(a_v, b_v) so that the expected variance of sum q_v r_v is least.

    Each label takes q_v^2 Var(r_v) m_v / (a_v + b_v + m_v) off it, less the more of them; so the best next one, again
    and again, is the best spread. Without the room it is in proportion to q_v sqrt(E r_v (1 - r_v)), which many labels
    begin with.

    Examples
    --------
    >>> fewest_doubts(5, np.array([80.0, 20]), np.array([9.5, 0.5]), np.array([0.5, 0.5]), np.array([60, 20])).tolist()
    [3, 2]
    """
    q, size = (cases + 1) / (cases + 1).sum(), a + b
    doubt = q * np.sqrt(a * b / (size * (size + 1)))  # gain of a label: doubt^2 / ((size + m) (size + m + 1))
    low, high = 0.0, float((doubt / size).max())
    given = np.zeros(len(room), dtype=np.int64)
    for _ in range(80):  # the price of a label at which about so many are worth it, and no more
        price = (low + high) / 2
        tried = np.clip(np.floor(doubt / price - size), 0, room).astype(np.int64) if price > 0 else room
        low, high, given = (low, price, tried) if tried.sum() <= labels else (price, high, given)
    given = np.maximum(given - 1, 0)  # the last one of each may be worth less than the first of another
    for _ in range(labels - int(given.sum())):
        gain = np.where(given < room, doubt**2 / ((size + given) * (size + given + 1)), -1.0)
        given[int(gain.argmax())] += 1
    return given


def simulated_labels(
    labels: int,
    cases: int,
    q: Floats,
    r: Floats,
    weights: Floats | None,
    least: int,
    many: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Posterior mean and variance of the share in simulated tests, shapes (many,).

    Parameters
    ----------
    labels, cases : int
        Labels of people, and cases that the judge answers.
    q, r : ndarray, shape (V,)
        True shares of the verdicts, and of the class among the cases of each.
    weights : ndarray, shape (V,), or None
        Labels go to the verdicts in proportion to these; None: to cases at random.
    least : int
        Of each verdict, where labels are not at random.
    """
    totals = rng.multinomial(cases, q, many)
    if weights is None:
        there = np.stack([rng.multivariate_hypergeometric(row, min(labels, cases)) for row in totals])
    else:
        there = np.stack([allotted(labels, weights, row, least) for row in totals])
    hits = rng.binomial(there, r).astype(np.float64)
    return share_moments(totals.astype(np.float64), hits + 0.5, there - hits + 0.5)
