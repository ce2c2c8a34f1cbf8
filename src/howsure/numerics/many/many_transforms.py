"""Characteristic functions of many Betas at once, each at few equally spaced frequencies.

With ``theta = sin^2(phi/2)`` the density in ``phi`` is ``theta^(a - 1/2) (1 - theta)^(b - 1/2) / B(a, b)``: nearly
Normal for every rate, and analytic at the ends of the support where a and b are whole or half numbers, which they are
under a flat and under Jeffreys' prior. Gauss and Legendre's rule on what holds all but 1e-13 then needs some 45 nodes.
It is believed where its weights add up to 1; other Betas get the nodes of `numerics.beta_sum.logit_nodes`, which always
serve and are three times as many, and at high frequencies the series of `numerics.many.far_frequencies`.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.beta_sum.fourier import equispaced_transform, unit_phase
from howsure.numerics.beta_sum.logit_nodes import beta_nodes
from howsure.numerics.beta_sum.normal_form import BetaRows
from howsure.numerics.learned.beta_mixture import log_peaks
from howsure.numerics.many.far_frequencies import far_frequency, far_transforms

__all__ = ["beta_transforms"]

LEFT_OUT = 30.0  # e^-30 < 1e-13: mass beyond either end of the nodes
NEAR_END = 0.05  # of the width of the nodes: so near to an end of the support they go up to it
DEGREE = 58  # of a polynomial that is a Normal density between its ends, to 1e-12
STEP = 8  # nodes by which rules differ
MOST = 20  # of these steps: longer rules are dear to make
BELIEVED = 2e-12  # what the weights may miss of 1
ELEMENTS = 1 << 14  # nodes held at a time: they stay in the cache


def beta_transforms(a: Floats, b: Floats, w: Floats, count: int) -> Complexes:
    """``E e^{i m w (theta - E theta)}``, ``m = 1 .. count``, for every Beta; shape (R, count).

    Parameters
    ----------
    a, b, w : ndarray, shape (R,)
        Above 0; any weight.
    """
    result = np.empty((len(a), count), complex)
    mean = a / (a + b)
    low, high = _ends(a, b)
    half = 0.5 * (high - low)
    # of e^{i m w theta} as a polynomial between the ends: its fastest oscillation is that of a Bessel function
    fastest = np.where((low < np.pi / 2) & (high > np.pi / 2), 0.5, 0.5 * np.maximum(np.sin(low), np.sin(high)))
    turns = count * np.abs(w) * half * fastest
    wanted = np.ceil((DEGREE + turns + 3 * np.cbrt(turns)) / (2 * STEP)).astype(np.int64)
    missing = wanted > MOST
    for steps in np.unique(wanted[~missing]).tolist():
        rows = np.flatnonzero(wanted == steps)
        x, gauss = _rule(steps * STEP)
        for k in range(0, len(rows), max(1, ELEMENTS // len(x))):
            r = rows[k : k + max(1, ELEMENTS // len(x))]
            middle, angle = 2 * np.arcsin(np.sqrt(mean[r])), 0.5 * (low[r] + high[r])
            beyond = (angle - middle)[:, None] + half[r, None] * x
            deviation = np.sin(middle[:, None] + 0.5 * beyond) * np.sin(0.5 * beyond)
            p, q = mean[r, None], b[r, None] / (a[r, None] + b[r, None])
            with np.errstate(divide="ignore", invalid="ignore"):
                log_weight = (a[r, None] - 0.5) * np.log1p(np.maximum(deviation / p, -1.0))
                log_weight += (b[r, None] - 0.5) * np.log1p(np.maximum(-deviation / q, -1.0))
                scale = log_peaks(a[r], b[r])[:, None] - 0.5 * np.log(p * q)
                weight = np.exp(log_weight + scale) * (half[r, None] * gauss)
            total = weight.sum(axis=1)
            missing[r] = ~(np.abs(total - 1) < BELIEVED)
            result[r] = _powers(weight / total[:, None], unit_phase(w[r, None] * deviation), count)
    if missing.any():
        result[missing] = _by_logits(a[missing], b[missing], w[missing], count)
    return result


def _ends(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Angles between which all but about ``e^-30`` of each Beta lies, or the ends of the support if they are near.

    By Chernoff's bound ``P <= e^{-n KL}``; in the angle the divergence is nearly a parabola, and Newton's method on its
    root from outside stays outside.
    """
    n = a + b
    p, q = a / n, b / n
    middle = 2 * np.arcsin(np.sqrt(p))
    ends = []
    for side, room in ((-1.0, middle), (1.0, np.pi - middle)):
        reach = np.minimum(np.sqrt(2 * LEFT_OUT / n) * 1.1, 0.98 * room)
        for _ in range(4):
            angle = middle + side * reach
            theta, rest = np.sin(0.5 * angle) ** 2, np.cos(0.5 * angle) ** 2
            divergence = n * (p * np.log(p / theta) + q * np.log(q / rest))
            slope = np.maximum(side * n * (theta - p) / np.sqrt(theta * rest), 1e-300)
            reach = np.clip(reach + (LEFT_OUT - divergence) / slope, 0.2 * reach, 0.5 * (reach + room))
        ends.append(np.where(room - reach < NEAR_END * room + NEAR_END * reach, room, reach))
    return middle - ends[0], middle + ends[1]


@cache
def _rule(count: int) -> tuple[Floats, Floats]:
    x, gauss = np.polynomial.legendre.leggauss(count)
    return x, gauss


def _powers(weight: Floats, turn: Complexes, count: int) -> Complexes:
    """``sum_j weight_j turn_j^m``, ``m = 1 .. count``."""
    # nodes first: sums over the first axis are sums of rows
    each = np.ascontiguousarray(turn.T)
    term = weight.T * each
    sums = np.empty((count, len(weight)), complex)
    sums[0] = term.sum(axis=0)
    for m in range(1, count):
        term *= each
        sums[m] = term.sum(axis=0)
    return sums.T


def _by_logits(a: Floats, b: Floats, w: Floats, count: int) -> Complexes:
    """The same by nodes that serve every Beta, up to where the series of the ends take over."""
    result = np.empty((len(a), count), complex)
    first = np.ceil(far_frequency(a, b) / np.maximum(np.abs(w), 1e-300))
    by_nodes = np.where(2 * first <= count, np.exp2(np.ceil(np.log2(np.minimum(first, count)))), count).astype(np.int64)
    for size in np.unique(by_nodes).tolist():
        rows = np.flatnonzero(by_nodes == size)
        result[rows, :size] = _by_nodes(a[rows], b[rows], w[rows], size)
        if size < count:
            T = np.abs(w[rows, None]) * np.arange(size + 1, count + 1)
            far = far_transforms(a[rows], b[rows], T)
            result[rows, size:] = np.where(w[rows, None] < 0, far.conj(), far)
    return result


def _by_nodes(a: Floats, b: Floats, w: Floats, count: int) -> Complexes:
    mirrored = a > b
    rows = BetaRows(np.where(mirrored, b, a), np.where(mirrored, a, b), np.where(mirrored, -w, w), np.ones(1, np.int64))
    result = np.empty((len(a), count), complex)
    for nodes in beta_nodes(rows, float(count + 1)):
        where = np.arange(len(a))[nodes.index]
        step = max(1, ELEMENTS // nodes.weight.shape[1])
        for k in range(0, len(where), step):
            part = slice(k, k + step)
            result[where[part]] = equispaced_transform(nodes.deviation[part], nodes.weight[part], 1.0, 1.0, count)
    return result
