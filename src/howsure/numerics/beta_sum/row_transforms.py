"""Characteristic functions of Betas and of Dirichlet rows, untilted and tilted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats, Integers
from howsure.numerics.beta_sum.fourier import unit_phase
from howsure.numerics.beta_sum.normal_form import BetaRows, WideRow, row_saddle

__all__ = [
    "LARGE_TOTAL",
    "MODERATE_TOTAL",
    "BetaNodes",
    "LogitWeight",
    "RowTransform",
    "TooManyNodes",
    "beta_nodes",
    "contour_nodes",
    "cut_ends",
    "node_batches",
    "row_transform",
    "strip_step",
    "tilted_mode",
    "vertical_product",
]


# -- The characteristic function of Beta variables by the trapezoidal rule in the logit --------------------------------

# With ``theta = 1/(1 + e^-u)`` the density ``theta^a (1 - theta)^b du`` is analytic in the strip ``|Im u| < pi`` for
# every ``a, b > 0``: no end point is singular, and the trapezoidal rule converges exponentially (Trefethen and
# Weideman, 2014). The weights are normalised by their own sum, so no Beta function, with its loss of digits at large
# counts, is needed. An exponential tilt ``e^{s w theta}`` changes the weights only.
#
# All functions work on many classes at once; the class is the first axis.


DROPPED = 39.5  # nodes with weight below e^-39.5 of the largest are left out
FLAT = 44.0  # beyond theta < e^-44 / (everything multiplying it) the integrand is a pure exponential
ALIASING = 37.0  # the trapezoidal rule errs by about e^-37 of the integral
SIDES = np.array([-1.0, 1.0])
LARGEST_LOGIT = 300.0  # where e^u is as good as infinite
STRIP_U = np.linspace(-0.25, 1.25, 19)  # the line is longer than the range of the nodes
STRIP_CENTRE = np.array([-2.4, -1.2, 0.0, 1.2, 2.4])
STRIP_ETA = np.geomspace(0.16, 1.15, 8)
BATCH_ELEMENTS = 1 << 19
STRIPS_AT_A_TIME = 128  # stay in the cache
FEW = 3  # classes that are one batch, whatever their counts of nodes
MOST_NODES = 1 << 16  # of one tilted class
MOST_PLAIN_NODES = 1 << 22  # of one class that is not; about 50 million cases with a handful of errors
TOO_LOPSIDED = (
    "a class of more than some million million cases with a handful of errors (or of hits) is too lopsided for "
    "averages over classes; ask for its recall, recall@class, which is exact at any size"
)


class TooManyNodes(ArithmeticError):
    """A class that is tilted into a singular end of its law: its frequencies outrun every reasonable rule."""


def tilted_mode(a: Floats, b: Floats, tilt: Floats) -> tuple[Floats, Floats]:
    """Mode in the logit of ``theta^a (1 - theta)^b e^{tilt theta}``, as the pair ``theta, 1 - theta``.

    It is the positive root of ``tilt theta^2 + (a + b - tilt) theta - a = 0``, unique in (0, 1); its complement solves
    the mirrored equation, so that neither loses digits near its end.
    """
    n = a + b
    if not tilt.any():
        return a / n, b / n
    root = np.sqrt(np.maximum((n - tilt) ** 2 + 4 * a * tilt, 0.0))
    below, above = n - tilt, n + tilt
    up, down = np.where(below < 0, tilt, 1.0), np.where(above < 0, tilt, -1.0)
    theta = np.where(below < 0, (root - below) / (2 * up), 2 * a / np.where(below < 0, 1.0, below + root))
    rest = np.where(above < 0, (above - root) / (2 * down), 2 * b / np.where(above < 0, 1.0, above + root))
    return theta, rest


@dataclass(frozen=True)
class LogitWeight:
    """Log of ``theta^a (1 - theta)^b e^{tilt theta}`` relative to its mode, as a function of the logit distance."""

    a: Floats
    b: Floats
    tilt: Floats
    theta: Floats
    rest: Floats

    def part(self, k: slice | np.ndarray) -> LogitWeight:
        """The same for some of the classes."""
        return LogitWeight(self.a[k], self.b[k], self.tilt[k], self.theta[k], self.rest[k])

    @cached_property
    def tilted(self) -> bool:
        """Whether any class is tilted; most laws are asked without, and then its terms are left out."""
        return bool(self.tilt.any())

    @cached_property
    def scale(self) -> Floats:
        """Inverse square root of the curvature at the mode."""
        q = self.theta * self.rest
        curvature = (self.a + self.b) * q
        if self.tilted:
            curvature = curvature - self.tilt * q * (self.rest - self.theta)
        return np.asarray(1 / np.sqrt(curvature))

    def at(self, du: Floats) -> tuple[Floats, Floats, Floats]:
        """Log weight, ``theta - theta0`` and ``theta (1 - theta)`` at logit distance ``du`` (classes x nodes)."""
        log_weight, deviation, e = self._at(du)
        q = (self.theta * self.rest)[:, None]
        grown = 1 + self.theta[:, None] * e
        return log_weight, deviation, q * (1 + e) / (grown * grown)

    def weight_at(self, du: Floats) -> tuple[Floats, Floats]:
        """The first two of them, where the third is not wanted."""
        return self._at(du)[:2]

    def _at(self, du: Floats) -> tuple[Floats, Floats, Floats]:
        """Log weight, deviation and ``e^du - 1``.

        ``l = log(1 + theta0 (e^du - 1))`` is the growth of ``log(1 + e^u)``; the deviation from the mode is exact
        to the last digit however small it is.
        """
        d = np.minimum(du, LARGEST_LOGIT)
        e = np.expm1(d)
        lift = self.theta[:, None] * e
        log_grown = np.log1p(lift)
        log_grown += du - d
        deviation = (self.theta * self.rest)[:, None] * e
        lift += 1
        deviation /= lift
        log_weight = self.a[:, None] * (du - log_grown)
        log_weight -= self.b[:, None] * log_grown
        if self.tilted:
            log_weight += self.tilt[:, None] * deviation
        return log_weight, deviation, e


def cut_ends(weight: LogitWeight, speed: Floats) -> tuple[Floats, Floats]:
    """Logit distances to the left and right of the mode beyond which no node is needed.

    Either the weight is below ``e^-39.5`` there, found by Newton's method, which for a log-concave weight stops on
    the safe side; or ``theta`` (or ``1 - theta``) is so small that the rest of the integrand is a geometric series.
    """
    n = (weight.a + weight.b)[:, None]
    flat = FLAT + np.log(speed + np.abs(weight.tilt) + n[:, 0] + 1)
    logit = np.log(weight.theta / weight.rest)
    room = flat[:, None] - SIDES * logit[:, None]
    a, tilt, theta = weight.a[:, None], weight.tilt[:, None], weight.theta[:, None]
    du = SIDES * (8.5 * weight.scale)[:, None]
    for _ in range(3):
        if weight.tilted:
            log_weight, deviation, q = weight.at(du)
            slope = a - n * (theta + deviation) + tilt * q
        else:
            log_weight, deviation = weight.weight_at(du)
            slope = a - n * (theta + deviation)
        du = du - (log_weight + DROPPED) / np.where(SIDES * slope < 0, slope, -SIDES * 1e-300)
        du = SIDES * np.minimum(np.abs(du), 1e5)
    if weight.tilted:  # a tilted weight need not be log-concave: make sure of it
        for _ in range(20):
            short = weight.weight_at(du)[0] > 1 - DROPPED
            if not short.any():
                break
            du = np.where(short, 1.3 * du, du)
    reach = np.minimum(SIDES * du, np.maximum(room, 8.0))
    return reach[:, 0], reach[:, 1]


def strip_step(weight: LogitWeight, left: Floats, right: Floats, speed: Floats) -> Floats:
    """Largest step that keeps the aliasing error of ``e^{it w theta}``, ``|t w| <= speed``, below about ``e^-37``.

    On the line ``Im u = eta`` the integrand grows by at most ``g(eta)``; the trapezoidal error is ``e^{g - 2 pi
    eta/h}``, so ``2 pi/h = min_eta (37 + g(eta))/eta``. With ``q = theta(1 - theta)`` and ``D = 1 - 2q(1 - cos eta)``

        g(eta) = max_u [log weight + speed q sin(eta)/D - (a+b)/2 log D + tilt (Re theta(u + i eta) - theta)].
    """
    logit = np.log(weight.theta / weight.rest)[:, None]
    spread = -left[:, None] + (left + right)[:, None] * STRIP_U
    centre = STRIP_CENTRE - logit
    log_weight, deviation, q = weight.at(np.concatenate((spread, centre), axis=1))
    eta = np.minimum(8.6 * weight.scale, 2.6)[:, None, None] * STRIP_ETA[:, None]
    turn, q = 2 * np.sin(eta / 2) ** 2, q[:, None, :]
    shrink = 1 - 2 * q * turn
    growth = log_weight[:, None, :] + speed[:, None, None] * np.sin(eta) * q / shrink
    growth -= (0.5 * (weight.a + weight.b))[:, None, None] * np.log1p(-2 * q * turn)
    if weight.tilted:
        theta = (weight.theta[:, None] + deviation)[:, None, :]
        growth += weight.tilt[:, None, None] * q * turn * (2 * theta - 1) / shrink
    need = (ALIASING + np.maximum(growth.max(axis=2), 0.0)) / eta[:, :, 0]
    return np.asarray(2 * np.pi / need.min(axis=1))


def _strip_steps(weight: LogitWeight, left: Floats, right: Floats, speed: Floats) -> Floats:
    """The same for many classes, some at a time."""
    if len(left) <= STRIPS_AT_A_TIME:
        return strip_step(weight, left, right, speed)
    parts = [slice(k, k + STRIPS_AT_A_TIME) for k in range(0, len(left), STRIPS_AT_A_TIME)]
    return np.concatenate([strip_step(weight.part(few), left[few], right[few], speed[few]) for few in parts])


@dataclass(frozen=True)
class BetaNodes:
    """Discrete stand-ins for a batch of Betas: ``E g(w theta) = sum_j weight_j g(centre + deviation_j)``.

    ``log_mass`` is the log of the integral of the weight relative to its value at the mode.
    """

    index: slice | np.ndarray
    centre: Floats
    deviation: Floats
    weight: Floats
    log_mass: Floats


def place_nodes(weight: LogitWeight, w: Floats, left: Floats, right: Floats, count: int) -> tuple[Floats, ...]:
    """Trapezoidal nodes ``-left .. right``; the end weights carry the geometric series of what lies beyond.

    At a flat end the weight is ``e^{a u}`` (or ``e^{-b u}``), so the nodes left out sum to ``1/(1 - e^{-a h})``
    times the last one kept.
    """
    step = (left + right) / (count - 1)
    log_weight, deviation = weight.weight_at(-left[:, None] + step[:, None] * np.arange(count))
    mass = np.exp(log_weight)
    mass[:, 0] /= -np.expm1(-weight.a * step)
    mass[:, -1] /= -np.expm1(-weight.b * step)
    total = mass.sum(axis=1)
    return w[:, None] * deviation, mass / total[:, None], np.log(total * step)


def node_batches(counts: np.ndarray) -> Iterator[np.ndarray]:
    """Split classes into batches of similar node counts and bounded memory (indices, largest count first)."""
    if len(counts) <= FEW:
        yield np.arange(len(counts))
        return
    order = np.argsort(-counts, kind="stable")
    start = 0
    while start < len(order):
        most = int(counts[order[start]])
        stop = start + max(1, min(len(order) - start, BATCH_ELEMENTS // most))
        alike = int(np.searchsorted(-counts[order[start:stop]], -0.7 * most + 8, side="right"))
        stop = start + max(1, alike)
        yield order[start:stop]
        start = stop


def beta_nodes(betas: BetaRows, top_speed: float, s: float = 0.0) -> Iterator[BetaNodes]:
    """Nodes for ``E e^{(s + it) w theta}``, good for all ``|t| <= top_speed``, in batches of classes.

    Raises `TooManyNodes` where a tilted law would need more than 65,536 of them, or any other more than four million.
    """
    chunk = BATCH_ELEMENTS // 256
    for first in range(0, len(betas), chunk):
        part = slice(first, first + chunk)
        a, b, w = betas.a[part], betas.b[part], betas.w[part]
        tilt, speed = s * w, top_speed * np.abs(w)
        weight = LogitWeight(a, b, tilt, *tilted_mode(a, b, tilt))
        left, right = cut_ends(weight, speed)
        step = _strip_steps(weight, left, right, speed)
        needed = (left + right) / step
        if needed.max() > MOST_PLAIN_NODES:
            raise TooManyNodes(TOO_LOPSIDED)
        counts = needed.astype(np.int64) + 3
        if s and int(counts.max()) > MOST_NODES:
            raise TooManyNodes
        if len(a) <= FEW:  # one batch, and nothing to choose
            deviation, mass, log_mass = place_nodes(weight, w, left, right, int(counts.max()))
            yield BetaNodes(slice(first, first + len(a)), w * weight.theta, deviation, mass, log_mass)
            continue
        for k in node_batches(counts):
            chosen = weight.part(k)
            deviation, mass, log_mass = place_nodes(chosen, w[k], left[k], right[k], int(counts[k].max()))
            yield BetaNodes(first + k, w[k] * chosen.theta, deviation, mass, log_mass)


# -- The transform of a Dirichlet row with any number of components, by a contour integral -----------------------------

# For ``X = sum_j c_j p_j``, ``p ~ Dir(alpha)``, ``A = sum alpha_j`` and any complex ``r``,
#
#     E e^{rX} = Gamma(A) / (2 pi i) * int e^z prod_j (z - r c_j)^{-alpha_j} dz
#
# over a line to the right of all branch points ``r c_j``: normalising independent Gamma variables is a Laplace
# inversion in their total. The trapezoidal rule converges exponentially because the integrand is analytic, and its
# nodes serve every frequency. It is normalised by the same rule at a known value instead of by ``Gamma(A)``.


DROPPED_OF_CONTOUR = 39.0
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
    half = float(np.sqrt(2 * DROPPED_OF_CONTOUR / (row.alpha / gap**2).sum()))
    while (row.alpha / 2 * np.log1p((half / gap) ** 2)).sum() < DROPPED_OF_CONTOUR:
        half *= 1.3
    y = np.arange(-half + low.min(), half + high.max() + step, step)
    distance = np.maximum(0.0, np.maximum(low[:, None] - y, y - high[:, None])) / gap[:, None]
    y = y[(row.alpha[:, None] / 2 * np.log1p(distance * distance)).sum(axis=0) < DROPPED_OF_CONTOUR]
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
    reach = total * np.sqrt(np.expm1(2 * DROPPED_OF_CONTOUR / total))
    low, high = np.minimum(0.0, top * c.min(axis=1)), np.maximum(0.0, top * c.max(axis=1))
    nodes = np.ceil((high - low + 2 * reach) / (0.5 * np.sqrt(total))).astype(np.int64) + 1
    return nodes, low - reach


def contour_nodes(row: WideRow, t: float) -> float:
    """Return about how many nodes the contour of an untilted row has for frequencies up to ``t``."""
    if row.alpha.sum() > LARGE_TOTAL:
        return VERTICAL_NODES
    return 4 * (t * float(np.abs(row.c).max()) + CLEARANCE + DROPPED_OF_CONTOUR)


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
    reach = (
        turn + DROPPED_OF_CONTOUR + 4 + 2 * float(np.sqrt(DROPPED_OF_CONTOUR * gap.max())) * (gap.max() > 4 * gap.min())
    )
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
