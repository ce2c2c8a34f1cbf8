"""The characteristic function of Beta variables by the trapezoidal rule in the logit.

With ``theta = 1/(1 + e^-u)`` the density ``theta^a (1 - theta)^b du`` is analytic in the strip ``|Im u| < pi`` for
every ``a, b > 0``: no end point is singular, and the trapezoidal rule converges exponentially (Trefethen and Weideman,
2014). The weights are normalised by their own sum, so no Beta function, with its loss of digits at large counts, is
needed. An exponential tilt ``e^{s w theta}`` changes the weights only.

All functions work on many classes at once; the class is the first axis.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.normal_form import BetaRows

__all__ = [
    "BetaNodes",
    "LogitWeight",
    "TooManyNodes",
    "beta_nodes",
    "cut_ends",
    "node_batches",
    "strip_step",
    "tilted_mode",
]

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
