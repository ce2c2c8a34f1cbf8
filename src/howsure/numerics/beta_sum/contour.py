"""The transform of a Dirichlet row with any number of components, by a contour integral.

For ``X = sum_j c_j p_j``, ``p ~ Dir(alpha)``, ``A = sum alpha_j`` and any complex ``r``,

    E e^{rX} = Gamma(A) / (2 pi i) * int e^z prod_j (z - r c_j)^{-alpha_j} dz

over a line to the right of all branch points ``r c_j``: normalising independent Gamma variables is a Laplace inversion
in their total. The trapezoidal rule converges exponentially because the integrand is analytic, and its nodes serve
every frequency. It is normalised by the same rule at a known value instead of by ``Gamma(A)``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats, Integers
from howsure.numerics.beta_sum.fourier import unit_phase
from howsure.numerics.beta_sum.normal_form import WideRow
from howsure.numerics.beta_sum.window import row_saddle

__all__ = ["LARGE_TOTAL", "MODERATE_TOTAL", "RowTransform", "contour_nodes", "row_transform", "vertical_product"]

DROPPED = 39.0
LARGE_TOTAL = 30.0  # above it the integrand dies on the vertical line; below it the line is bent to the left
BEND = 3.0  # width of the bend
CLEARANCE = 5.0  # distance of the bent line from the branch points
SERIES_BELOW = 0.03
MODERATE_TOTAL = 1000.0
VERTICAL_NODES = 40.0
ELEMENTS_AT_A_TIME = 1 << 15  # stays in the cache


@dataclass(frozen=True)
class RowTransform:
    """``E e^{(s + it)(X - centre)}`` over its value at ``t = 0``, and the log of that value up to a constant.

    The constant is the ``log_mass`` of the untilted row: subtract it.
    """

    transform: Complexes
    centre: float
    log_mass: float


def atan_minus_argument(v: Floats) -> Floats:
    """``atan(v) - v`` without cancellation for small ``v`` (Taylor to v^11 below 0.03: relative error 1e-16)."""
    square = v * v
    series = v * square * (-1 / 3 + square * (1 / 5 + square * (-1 / 7 + square * (1 / 9 - square / 11))))
    if np.abs(v).max(initial=0.0) < SERIES_BELOW:
        return np.asarray(series)
    return np.where(np.abs(v) < SERIES_BELOW, series, np.arctan(v) - v)


def vertical_integral(row: WideRow, t: Floats, gap: Floats, step: float) -> Complexes:
    """Evaluate the contour integral on ``z0 + iy``, relative to the integrand at ``z0``; ``gap_j = z0 - s c_j``.

    With ``v_j = (y - t c_j)/gap_j`` the modulus is ``prod (1 + v_j^2)^{-alpha_j/2}``. If ``sum alpha_j/gap_j = 1`` the
    linear part of the phase is ``t sum alpha_j c_j/gap_j`` exactly, so that only ``atan v - v`` is summed and nothing
    cancels, whatever the counts; this linear part is left to the caller.
    """
    reach = t[-1] * row.c
    low, high = np.minimum(0.0, reach), np.maximum(0.0, reach)
    # half width: solve sum_j alpha_j/2 log(1 + (y/gap_j)^2) = 39 roughly, by doubling
    half = float(np.sqrt(2 * DROPPED / (row.alpha / gap**2).sum()))
    while (row.alpha / 2 * np.log1p((half / gap) ** 2)).sum() < DROPPED:
        half *= 1.3
    y = np.arange(-half + low.min(), half + high.max() + step, step)
    distance = np.maximum(0.0, np.maximum(low[:, None] - y, y - high[:, None])) / gap[:, None]
    y = y[(row.alpha[:, None] / 2 * np.log1p(distance * distance)).sum(axis=0) < DROPPED]
    v = (y - np.multiply.outer(row.c, t)[:, :, None]) / gap[:, None, None]
    log_modulus = np.tensordot(-0.5 * row.alpha, np.log1p(v * v), axes=1)
    phase = np.tensordot(-row.alpha, atan_minus_argument(v), axes=1)
    modulus = np.exp(log_modulus)
    result: Complexes = np.empty(len(t), complex)
    result.real = (modulus * np.cos(phase)).sum(axis=1)
    result.imag = (modulus * np.sin(phase)).sum(axis=1)
    result *= step
    return result


def vertical_product(c: Floats, alpha: Floats, count: Integers, t: Floats) -> Complexes:
    """Product of the untilted transforms of many rows (rows x vertices) of moderate total, copies included.

    The vertical integral again; without a tilt the saddle of a row is its total and all its gaps are equal. With a
    total below 1000 the linear part of the phase may be subtracted as it is.
    """
    total = alpha.sum(axis=1)
    step = 0.5 * np.sqrt(total)
    nodes, first = vertical_nodes(c, total, t[-1])
    t = np.concatenate((t[:1] * 0.0, t))
    product = np.ones(len(t) - 1, complex)
    block = max(1, ELEMENTS_AT_A_TIME // (len(t) * c.shape[1] * int(nodes.max())))
    order = np.argsort(nodes)
    for part in (order[k : k + block] for k in range(0, len(order), block)):
        y = first[part, None] + step[part, None] * np.arange(int(nodes[part].max()))
        v = y[:, None, None, :] - (t[:, None] * c[part, None, :])[..., None]
        v /= total[part, None, None, None]
        weight = alpha[part, None, None, :]
        log_modulus = (weight @ np.log1p(v * v))[:, :, 0]
        phase = (weight @ np.arctan(v))[:, :, 0] - y[:, None]  # sum alpha v = y
        sums = (np.exp(-0.5 * log_modulus)[:, :, None] @ unit_phase(-phase)[..., None])[:, :, 0, 0]
        product *= np.power(sums[:, 1:] / sums[:, :1].real, count[part, None]).prod(axis=0)
    return product


def vertical_nodes(c: Floats, total: Floats, top: float) -> tuple[Integers, Floats]:
    """Numbers of nodes and first nodes of many rows: where the modulus is above ``e^-39`` for some frequency.

    Beyond all branch points ``prod (1 + v_j^2)^{-alpha_j/2}`` is below its value for the nearest of them,
    ``(1 + v^2)^{-A/2}``.
    """
    reach = total * np.sqrt(np.expm1(2 * DROPPED / total))
    low, high = np.minimum(0.0, top * c.min(axis=1)), np.maximum(0.0, top * c.max(axis=1))
    nodes = np.ceil((high - low + 2 * reach) / (0.5 * np.sqrt(total))).astype(np.int64) + 1
    return nodes, low - reach


def contour_nodes(row: WideRow, t: float) -> float:
    """Return about how many nodes the contour of an untilted row has for frequencies up to ``t``."""
    if row.alpha.sum() > LARGE_TOTAL:
        return VERTICAL_NODES
    return 4 * (t * float(np.abs(row.c).max()) + CLEARANCE + DROPPED)


def bent_integral(row: WideRow, t: Floats, gap: Floats, step: float) -> Complexes:
    """Evaluate the contour integral on a line that turns left at 45 degrees beyond the branch points.

    ``e^z`` then decays, whatever the total of alpha. The linear part of the phase is left out as above. Small
    frequencies have a shorter line, and a few at a time stay in the cache.
    """
    widest = len(row.c) * contour_nodes(row, float(t[-1]))
    block = max(4, int(0.5 * ELEMENTS_AT_A_TIME / widest))
    parts = [bent_block(row, t[k : k + block], gap, step) for k in range(0, len(t), block)]
    return np.concatenate(parts)


def bent_block(row: WideRow, t: Floats, gap: Floats, step: float) -> Complexes:
    """Do so for few frequencies."""
    turn = t[-1] * np.abs(row.c).max() + CLEARANCE
    # the branch points lie at z0 - gap_j: the decay of e^z must also beat the approach to a distant one
    reach = turn + DROPPED + 4 + 2 * float(np.sqrt(DROPPED * gap.max())) * (gap.max() > 4 * gap.min())
    y = np.arange(-reach, reach + step, step)
    up, down = (y - turn) / BEND, (-y - turn) / BEND
    x = -BEND * (np.logaddexp(0.0, up) + np.logaddexp(0.0, down))
    direction = 1 + 1j * (special.expit(up) - special.expit(down))
    tangent = float((row.alpha * row.c / gap).sum())
    v = y - np.multiply.outer(row.c, t)[:, :, None]
    right = x + gap[:, None]
    log_modulus = x + np.tensordot(-0.5 * row.alpha, np.log((right * right)[:, None, :] + v * v), axes=1)
    log_modulus += float((row.alpha * np.log(gap)).sum())
    phase = y - (t * tangent)[:, None] - np.tensordot(row.alpha, np.arctan2(v, right[:, None, :]), axes=1)
    modulus = np.exp(log_modulus)
    result: Complexes = np.empty(len(t), complex)
    even, odd = modulus * np.cos(phase), modulus * np.sin(phase)
    result.real = even @ direction.real - odd @ direction.imag
    result.imag = even @ direction.imag + odd @ direction.real
    result *= step
    return result


def row_transform(row: WideRow, t: Floats, s: float = 0.0) -> RowTransform:
    """Transform of a row on increasing frequencies ``t >= 0``, tilted by ``s``.

    ``centre`` is the derivative of the log transform at the saddle, the mean of the row if ``s = 0``; it is taken out
    as a factor, so that only the spread of the row is resolved. Error about 1e-13 or better at any count.
    """
    total = float(row.alpha.sum())
    top = float((s * row.c).max())
    saddle = float(row_saddle(row, np.array([s]))[0]) if s else total
    vertical = total > LARGE_TOTAL
    z0 = top + max(saddle - top, 0.0 if vertical else CLEARANCE)
    gap = z0 - s * row.c
    if vertical:
        width = 1 / float(np.sqrt((row.alpha / gap**2).sum()))
        step = min(0.5 * width, gap.min() / 10)
        integrate = vertical_integral
    else:
        step, integrate = 0.5, bent_integral
    both = integrate(row, np.concatenate((t[-1:] * 0.0, t)), gap, step)
    start = float(both[0].real)
    centre = float((row.alpha * row.c / gap).sum())
    log_mass = (z0 - total) - float((row.alpha * np.log(gap / total)).sum()) + np.log(start) - s * centre
    return RowTransform(both[1:] / start, centre, float(log_mass))
