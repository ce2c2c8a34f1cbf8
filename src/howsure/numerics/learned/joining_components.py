"""Fewer components for a mixture: which of them to join, and how far that moves the distribution function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from howsure.numerics.arrays import Floats, Integers

__all__ = ["joined_groups", "largest_difference", "matched_beta"]

BLOCK = 512  # components whose pairs are compared at once
FLOOR = 1e-6  # of the total variance: below it two components are equally narrow
LEAST_COUNT = 0.1  # a matched Beta with fewer pseudo-counts is two points


def joined_groups(weights: Floats, means: Floats, variances: Floats, most: int) -> list[Integers]:
    """Index groups, at most ``most``, found by joining the pair that loses least until few enough are left.

    The loss of a pair is Runnalls's bound on the Kullback-Leibler divergence,
    ``[(w_i + w_j) log v_ij - w_i log v_i - w_j log v_j] / 2`` with the variance ``v_ij`` of the pair together.

    References
    ----------
    Runnalls (2007), IEEE Transactions on Aerospace and Electronic Systems 43, 989, equation 16.
    """
    groups = [np.array([k]) for k in np.lexsort((variances, means))]
    mean = float(weights @ means)
    floor = FLOOR * float(weights @ (variances + (means - mean) ** 2))
    w, m, v = (column[np.concatenate(groups)] for column in (weights, means, variances + floor))
    while len(groups) > most:
        kept: list[Integers] = []
        columns: list[tuple[Floats, Floats, Floats]] = []
        for start in range(0, len(groups), BLOCK):  # in order of the means, so that neighbours meet
            part = slice(start, start + BLOCK)
            share = max(most * len(groups[part]) // len(groups), BLOCK // 2) if len(groups) > BLOCK else most
            block, *moments = _joined_block(groups[part], w[part], m[part], v[part], share)
            kept += block
            columns.append((moments[0], moments[1], moments[2]))
        groups = kept
        w, m, v = (np.concatenate(column) for column in zip(*columns, strict=True))
    return groups


def _joined_block(
    groups: list[Integers], w: Floats, m: Floats, v: Floats, most: int
) -> tuple[list[Integers], Floats, Floats, Floats]:
    """Join greedily within a block; groups and moments in order of the means."""
    groups, w, m, v = list(groups), w.copy(), m.copy(), v.copy()
    alive = np.ones(len(groups), dtype=bool)

    def losses(i: int) -> Floats:
        both = w[i] + w
        together = (w[i] * v[i] + w * v) / both + w[i] * w * ((m[i] - m) / both) ** 2
        loss = both * np.log(together) - w[i] * np.log(v[i]) - w * np.log(v)
        loss[~alive] = np.inf
        loss[i] = np.inf
        return np.asarray(loss)

    table = np.array([losses(i) for i in range(len(groups))])
    for _ in range(len(groups) - most):
        i, j = divmod(int(np.argmin(table)), len(groups))
        both = w[i] + w[j]
        v[i] = (w[i] * v[i] + w[j] * v[j]) / both + w[i] * w[j] * ((m[i] - m[j]) / both) ** 2
        m[i] = (w[i] * m[i] + w[j] * m[j]) / both
        w[i] = both
        groups[i] = np.concatenate((groups[i], groups[j]))
        alive[j] = False
        table[j] = table[:, j] = np.inf
        table[i] = table[:, i] = losses(i)
    left = np.flatnonzero(alive)
    left = left[np.argsort(m[left], kind="stable")]
    return [groups[i] for i in left.tolist()], w[left], m[left], v[left]


def matched_beta(mean: float, variance: float, low: float, high: float) -> tuple[float, float, float, float]:
    """Return (a, b, low, width) of the Beta on [low, high] with these moments; wider where they are two points'."""

    def count(low: float, high: float) -> float:
        return (mean - low) * (high - mean) / variance - 1

    if count(low, high) < LEAST_COUNT:
        low, high = low - variance**0.5, high + variance**0.5
    n, width = count(low, high), high - low
    return n * (mean - low) / width, n * (high - mean) / width, low, width


def largest_difference(
    first: Callable[[Floats], tuple[Floats, Floats, Floats]],
    second: Callable[[Floats], tuple[Floats, Floats, Floats]],
    points: Floats,
) -> float:
    """Largest difference of two distribution functions, from F and f at increasing points.

    Between two points the difference is taken for a parabola, which leaves its chord by an eighth of the step times
    the change of its slope.
    """
    (F0, f0, _), (F1, f1, _) = first(points), second(points)
    gap, slope = np.abs(F0 - F1), f0 - f1
    with np.errstate(invalid="ignore"):
        bulge = np.nan_to_num(np.diff(points) * np.abs(np.diff(slope)) / 8, nan=0.0, posinf=0.0)
    return float((np.maximum(gap[1:], gap[:-1]) + np.minimum(bulge, gap.max())).max())
