"""The law of a share that verdicts of a judge are about."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from howsure.numerics.arrays import Booleans, Complexes, Floats
from howsure.numerics.ratio.probit_curve import TRUSTED, CurvedLaw, ProbitCurve

__all__ = [
    "GammaFactors",
    "InversionLine",
    "LogRatio",
    "RatioNumbers",
    "ShareNumbers",
    "Verdict",
    "VerdictNumbers",
]


# -- The law of the ratio of two verdicts' cases of one class, from its logarithm --------------------------------------

# ``X = q_1 r_1 / (q_1 r_1 + q_0 r_0)`` has the logit ``log(G_1 r_1) - log(G_0 r_0)`` with independent Gammas G, and
#
#     E (G r)^s = Gamma(A + s) / Gamma(A) * Gamma(a + s) / Gamma(a) * Gamma(a + b) / Gamma(a + b + s):
#
# one closed transform for all thresholds, which falls exponentially whatever the parameters.


ALIASING, ENOUGH = 36.0, -39.0
BLOCK, MOST_TERMS = 64, 4096
STIRLING = 40.0  # from here on differences of log Gamma are those of Stirling's series


class Verdict(NamedTuple):
    """Shape of the Gamma, parameters of the Beta."""

    mass: float
    a: float
    b: float


class LogRatio:
    """Tails of the logit of ``T_1 / (T_1 + T_0)``, ``T = G r``, for the verdicts above and below."""

    def __init__(self, above: Verdict, below: Verdict) -> None:
        self._above, self._below = above, below
        self.centre = float(_first(above) - _first(below))
        self._spread = float(np.sqrt(_second(above) + _second(below)))
        self._bounds = -min(above.mass, above.a), min(below.mass, below.a)
        self._lines = self._line(1.0), self._line(-1.0)

    def _log_transform(self, s: Any) -> Any:
        total = -s * self.centre
        for sign, (mass, a, b) in ((1, self._above), (-1, self._below)):
            total = total + _rise(mass, sign * s) + _rise(a, sign * s) - _rise(a + b, sign * s)
        return total

    def _line(self, side: float) -> tuple[Complexes, Complexes]:
        """Points of a line to one side of 0, and their weights in the tail beyond the centre."""
        bound = self._bounds[1] if side > 0 else -self._bounds[0]
        c = side * min(2.0 / self._spread, 0.5 * bound)
        tried = c + (side * bound - c) * np.linspace(0.05, 0.95, 19)
        size = self._log_transform(np.array([c]))[0]
        behind = ((ALIASING + self._log_transform(tried) - size) / np.abs(tried - c)).min()
        # thresholds up to ten spreads away
        period = max((ALIASING - size) / abs(c), float(behind)) + 10 * self._spread
        step = 2 * np.pi / period
        points, weights, start = [], [], 0
        while start < MOST_TERMS:
            s = c + 1j * step * np.arange(start, start + BLOCK)
            log = self._log_transform(s)
            points.append(s)
            weights.append(side * step / np.pi * np.exp(log) / s)
            if start == 0:
                weights[0][0] /= 2
            start += BLOCK
            if float(log.real[-1]) - np.log(abs(s[-1] / c)) - size < ENOUGH:
                break
        return np.concatenate(points), np.concatenate(weights)

    def tails(self, x: Floats) -> tuple[Floats, Floats]:
        """``P(X <= x)`` and ``P(X > x)`` for x strictly inside (0, 1)."""
        logit = np.log(x) - np.log1p(-x) - self.centre
        upper = logit > 0
        F, S = np.empty(x.shape), np.empty(x.shape)
        for chosen, own, other, (s, weight) in zip((upper, ~upper), (S, F), (F, S), self._lines, strict=True):
            tail = (np.exp(-np.multiply.outer(logit[chosen], s)) @ weight).real
            own[chosen] = np.clip(tail, 0.0, 1.0)
            other[chosen] = 1 - own[chosen]
        return F, S


def _rise(x: float, s: Any) -> Any:
    """``log Gamma(x + s) - log Gamma(x)``, without cancellation."""
    if x < STIRLING:
        return special.loggamma(x + s) - special.gammaln(x)
    return (x + s - 0.5) * np.log1p(s / x) + s * (np.log(x) - 1) + _remainder(x + s) - _remainder(x)


def _remainder(x: Any) -> Any:
    y = 1 / (x * x)
    return (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y / 1680))) / x


def _first(v: Verdict) -> float:
    return float(special.digamma(v.mass) + special.digamma(v.a) - special.digamma(v.a + v.b))


def _second(v: Verdict) -> float:
    return float(special.polygamma(1, v.mass) + special.polygamma(1, v.a) - special.polygamma(1, v.a + v.b))


# -- The chance that a sum of Gamma variables with random, signed factors is positive ----------------------------------

# With ``q = G / sum G`` and ``G_v ~ Gamma(A_v)`` independent, ``sum_v q_v Y_v`` is above 0 exactly where ``D = sum_v
# G_v Y_v`` is: a sum of independent terms, with the moment generating function
#
#     phi(z) = prod_v E (1 - z Y_v)^-A_v,      P(D > 0) = 1/(2 pi i) int phi(z) dz / z
#
# along a vertical line to the right of 0. Here ``Y_v = c_v r_v + d_v`` with ``r_v ~ Beta(a_v, b_v)``.
#
# One line serves many thresholds: ``1 - z (Y - x)`` is a multiple of ``1 - z' (Y - x0)``, ``z = z' / (1 - z' (x -
# x0))``, so with ``S = sum A`` and phi that of ``Y - x0``
#
#     P(sum q_v Y_v > x) = 1/(2 pi i) int phi(z) (1 - z (x - x0))^(S - 1) dz / z,
#
# and the density is ``(S - 1)`` times the same integral with the power ``S - 2`` and without ``1 / z``.


#: Weights of the Beta below e^-DROPPED are left out.
DROPPED = 38.0
#: Widest steps: of the nodes of a Beta in its standard deviations and in logits; of the line, in logarithms.
STEP_IN_SD, STEP_IN_LOGITS, STEP_OF_LINE = 0.3, 0.2, 0.15
BEND = 4.0  # logits from the middle at which the nodes of a Beta begin to lie apart
TRIED = np.geomspace(0.1, 30, 16)  # places of the line, relative to that of a Normal law
SLACK = 0.5  # e-folds of accuracy given up for a shorter period
ALIASING_OF_GAMMA_SUM = 35.0  # the points of the line alias e^-ALIASING_OF_GAMMA_SUM of the smaller tail
ENOUGH_OF_GAMMA_SUM = -38.0  # log of the relative size of the last terms
BLOCK_OF_GAMMA_SUM, LAST, MOST_TERMS_OF_GAMMA_SUM = 32, 4, 2048
ROUNDING = 1e-14
SLOW, NEAR = 3.0, 1.6  # phase and distance of a pole, in sd or logits, up to and from which nodes stay on the real line
BROAD, LOOKED_AT = (
    0.3,
    np.linspace(-8.0, 8.0, 9),
)  # sd of a logit that is no longer Normal, and where others are looked at


Nodes: TypeAlias = tuple[Floats, Floats]


@dataclass(frozen=True, eq=False)
class InversionLine:
    """Points of a vertical line, phi there times the weight of the point, relative to e^top, and the period of D."""

    z: Complexes
    weight: Complexes
    top: float
    error: float
    period: float

    @cached_property
    def above(self) -> float:
        """``P(D > 0)`` if the line lies to the right of 0."""
        return float(np.exp(self.top) * (self.weight / self.z).real.sum())

    def beyond(self, step: Floats, mass: float) -> tuple[Floats, Floats]:
        """``P(D > 0)`` where every Y is less by ``step``, and the relative size of its last terms."""
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            terms = np.exp((mass - 1) * np.log(1 - np.multiply.outer(step, self.z)) + self.top) * (self.weight / self.z)
            total = terms.real.sum(axis=1)
            last = np.abs(terms[:, -LAST:]).max(axis=1) / np.abs(total)
        return total, np.where(np.isfinite(last), last, np.inf)


@dataclass(frozen=True, eq=False)
class GammaFactors:
    """Shapes ``A`` of the Gammas and parameters ``a, b`` of the Betas, shape (V,), all above 0."""

    masses: Floats
    a: Floats
    b: Floats

    def tails(self, slope: Floats, shift: Floats) -> tuple[float, float, float]:
        """``P(D <= 0)``, ``P(D > 0)`` and the estimated error of the smaller, relative, for one pair (c, d)."""
        least, most = _range(slope, shift)
        if most <= 0:
            return 1.0, 0.0, 0.0
        if least >= 0:
            return 0.0, 1.0, 0.0
        upper = self.moments(slope, shift)[0] < 0
        line = self.line(slope, shift) if upper else self.line(-slope, -shift)  # P(D <= 0) = P(-D >= 0)
        tail = min(max(line.above, 0.0), 1.0)
        return (1 - tail, tail, line.error) if upper else (tail, 1 - tail, line.error)

    def moments(self, slope: Floats, shift: Floats) -> tuple[float, float]:
        """Mean and standard deviation of D."""
        rate = self.a / (self.a + self.b)
        variance = rate * (1 - rate) / (self.a + self.b + 1) * slope**2
        middle = slope * rate + shift
        A = self.masses
        return float(A @ middle), float(np.sqrt(A @ (middle**2 + variance) + A**2 @ variance))

    def line(self, slope: Floats, shift: Floats, more: int = 0) -> InversionLine:
        """A line to the right of 0 near the saddle of ``phi(z)/z``, and so many blocks of points more than it needs."""
        least, most = _range(slope, shift)
        c, period = self._crossing(slope, shift, most)
        mean, sd = self.moments(slope, shift)
        unit = max(float(self.masses.sum()) / (abs(mean) + sd), 1 / max(most, -least))  # beyond, phases stand still
        step = min(STEP_OF_LINE, 2 * np.pi / (period * unit))
        points, logs = [], []
        top, start, left, decayed = 0.0, 0, more, False
        while start < MOST_TERMS_OF_GAMMA_SUM and (not decayed or left > 0):
            left -= decayed
            tau = step * np.arange(start, start + BLOCK_OF_GAMMA_SUM)
            z = c + 1j * unit * np.sinh(tau)
            log = self._log_transform(z, slope, shift) + np.log(unit * step / np.pi * np.cosh(tau))
            if start == 0:
                top = float(log.real[0])
                log[0] -= np.log(2)
            decayed = bool((log.real[-4:] - np.log(np.abs(z[-4:]) / c) - top < ENOUGH_OF_GAMMA_SUM).all())
            points.append(z)
            logs.append(log)
            start += BLOCK_OF_GAMMA_SUM
        z, weight = np.concatenate(points), np.exp(np.concatenate(logs) - top)
        terms = (weight / z).real
        total = max(abs(float(terms.sum())), 1e-300)
        error = ROUNDING + (abs(2 * float(terms[::2].sum()) - float(terms.sum())) / total) ** 2
        error += 0.0 if decayed else float(np.abs(terms[-8:]).max()) / total
        return InversionLine(z, weight, top, error, 2 * np.pi / (step * unit))

    def _crossing(self, slope: Floats, shift: Floats, most: float) -> tuple[float, float]:
        """Where the line crosses the axis, about the least of ``phi(c)/c``, and the period that its points may have.

        Points 2 pi / P apart add ``e^{k c P} P(D > k P)`` for every k but 0: for k < 0 at most ``e^{k c P}``, for
        k > 0 less than ``phi(c') e^{-(c' - c) k P}`` for every c' > c.
        """
        mean, sd = self.moments(slope, shift)
        first = (-mean + np.hypot(mean, 2 * sd)) / (2 * sd * sd)
        tried = first * TRIED
        tried = tried / (1 + tried * most)  # stay below 1 / most
        size = self._log_transform(tried, slope, shift)
        height = (size - np.log(tried))[:-2]
        places = []
        for k in np.flatnonzero(height <= np.nanmin(height) + SLACK).tolist():
            c = float(tried[k])
            behind = (ALIASING_OF_GAMMA_SUM + size[k + 1 :] - size[k]) / (tried[k + 1 :] - c)
            places.append((max((ALIASING_OF_GAMMA_SUM - float(size[k])) / c, float(np.nanmin(behind))), c))
        period, c = min(places)
        return c, period

    def _log_transform(self, z: Any, slope: Floats, shift: Floats) -> Any:
        """``log phi(z)`` for z (n,) with a real part at which phi is finite and an imaginary part from 0 up."""
        total = np.zeros(z.shape, z.dtype)
        for A, a, b, c, d in zip(*(x.tolist() for x in (self.masses, self.a, self.b, slope, shift)), strict=True):
            total += -A * np.log(1 - z * d) if c == 0 else _one(A, a, b, z, c, d)
        return total


def _range(slope: Floats, shift: Floats) -> tuple[float, float]:
    return float(np.minimum(shift, shift + slope).min()), float(np.maximum(shift, shift + slope).max())


def _one(A: float, a: float, b: float, z: Any, slope: float, shift: float) -> Any:
    """``log E (1 - z (slope r + shift))^-A``, r ~ Beta(a, b), by the trapezoid rule in the logit of r.

    Where the power turns fast, the nodes are lifted off the real line, to where it falls instead.
    """
    s = float(np.sqrt(1 / a + 1 / b))
    fine, away, rate = _tilted(A, a, b, s, float(np.abs(z.real).max()), slope, shift)
    if np.isrealobj(z):
        return _along_reals(A, a, b, z, slope, shift, _nodes(a, b, s, fine, away))
    pole = (1 / z - shift) / slope
    pole = np.log(pole) - np.log(1 - pole)
    fast = _turns(A, a, b, s, z, slope, shift, pole)
    result = np.empty_like(z)
    if not fast.all():
        result[~fast] = _along_reals(A, a, b, z[~fast], slope, shift, _nodes(a, b, s, fine, away))
    if fast.any():
        z = z[fast]
        speed = np.abs(z.imag * slope)
        spread = fine * rate * (1 - rate)
        force = A * speed / np.maximum(np.abs(1 - z * (slope * rate + shift)), speed * spread)
        lift = np.arctan(fine * spread * force + fine * np.minimum(2.5, 2.5 * speed * spread))
        more = float(np.log1p(force.max())) + (min(float(np.abs(np.log(a / b))), 5.0) if s > BROAD else 0.0)
        nodes = _nodes(a, b, s, fine, away, more)
        result[fast] = _lifted(A, a, b, z, slope, shift, np.copysign(lift, slope), nodes)
    return result


def _turns(
    A: float, a: float, b: float, s: float, z: Complexes, slope: float, shift: float, pole: Complexes
) -> Booleans:
    """Where the power turns too fast for nodes on the real line, or is infinite too near to it."""
    width = min(s, 1.0)
    y = np.log(a / b) + s * LOOKED_AT if s < BROAD else _nodes(a, b, s, s, 0.0)[0][::4]
    if s >= BROAD:
        y = y[_log_beta(a, b, y) > -DROPPED]
    rate = special.expit(y)
    turned = slope * np.multiply.outer(z, rate * special.expit(-y)) / (1 - np.multiply.outer(z, slope * rate + shift))
    near = (np.abs(pole.imag) < NEAR * width) & (pole.real > y[0]) & (pole.real < y[-1])
    return np.asarray(near | (A * width * np.abs(turned.imag).max(axis=1) > SLOW))


def _along_reals(A: float, a: float, b: float, z: Any, slope: float, shift: float, nodes: Nodes) -> Any:
    y, step = nodes
    density = _log_beta(a, b, y)
    rate = special.expit(y)
    log = np.log(1 - np.multiply.outer(z, slope * rate + shift))
    log *= -A
    log += density
    top = log.real.max(axis=1)
    log -= top[:, None]
    return top + np.log((np.exp(log) @ step) / (np.exp(density) @ step))


def _tilted(A: float, a: float, b: float, s: float, c: float, slope: float, shift: float) -> tuple[float, float, float]:
    """Under the power at a real c: sd of the logit, at most ``s``, distance of the mode from the middle, its rate."""
    y = _nodes(a, b, s, s, 0.0)[0][::2]
    rest = 1 - c * (slope * special.expit(y) + shift)
    log = _log_beta(a, b, y) - A * np.log(rest)
    mode = float(y[int(np.argmax(log))])
    p = float(special.expit(mode))
    q, base = p * (1 - p), 1 - c * (slope * p + shift)
    pull = c * slope * q / base
    curvature = (a + b) * q - A * (pull * (1 - 2 * p) + pull * pull)
    return min(s, float(np.sqrt(1 / max(curvature, 1e-300)))), abs(mode - float(np.log(a / b))), p


def _lifted(
    A: float, a: float, b: float, z: Complexes, slope: float, shift: float, lift: Floats, nodes: Nodes
) -> Complexes:
    y, weight = nodes
    left = y < 0
    turn = np.exp(1j * lift)[:, None]
    e = np.exp(-np.abs(y)) * np.where(left, turn, 1 / turn)  # r/(1-r) or its inverse, whichever is small
    rate = np.where(left, e, 1.0) / (1 + e)
    # a log r + b log(1 - r), from the smaller of r and 1 - r
    log = np.where(left, a, -b) * (y + 1j * lift[:, None]) - (a + b) * np.log1p(e)
    log -= A * np.log(1 - z[:, None] * (slope * rate + shift))
    top = log.real.max(axis=1)
    plain = np.where(left, a, -b) * y - (a + b) * np.log1p(np.exp(-np.abs(y)))
    most = float(plain.max())
    mass = most + np.log(weight @ np.exp(plain - most))
    return np.asarray(top + np.log(np.exp(log - top[:, None]) @ weight) - mass)


def _log_beta(a: float, b: float, y: Floats) -> Floats:
    """Log density of the logit of a Beta, relative to its mode."""
    d = y - np.log(a / b)
    p = a / (a + b)
    grown = np.where(d < 30, np.log1p(p * np.expm1(np.minimum(d, 30))), d + np.log(p))
    return np.asarray(a * (d - grown) - b * grown)


def _nodes(a: float, b: float, s: float, fine: float, away: float, more: float = 0.0) -> Nodes:
    """Logits and trapezoid weights for a Beta and its tilted form ``away``, in a scale that grows outwards."""
    left, right = (max(DROPPED / x + 2, 9.2 * s) if x < 30 else 9.2 * s + away for x in (a, b))
    bend = min(BEND + away + more, 12 * s + away)
    step = min(STEP_IN_SD * fine, STEP_IN_LOGITS) / bend
    k = np.arange(-int(np.ceil(np.arcsinh(left / bend) / step)), int(np.ceil(np.arcsinh(right / bend) / step)) + 1)
    return np.log(a / b) + bend * np.sinh(step * k), bend * step * np.cosh(step * k)


# -- Laws of sums over verdicts: the share of a class, an accuracy, the judge's own rates ------------------------------


#: How far from its centre a line serves, in e-folds of a tail; the error with which it does; the largest tail it tells.
FARTHEST, SERVED, MOST_TAIL = 6.0, 1e-11, 0.97


class VerdictNumbers(CurvedLaw):
    """A law that one sum of Gammas with random factors tells at every point."""

    def __init__(self, factors: GammaFactors) -> None:
        self._factors = factors
        self._error = 0.0

    @abstractmethod
    def _coefficients(self, x: float) -> tuple[Floats, Floats]:
        """Slopes and shifts, shape (V,), of the factors whose sum is above 0 where the number is above ``x``."""

    @property
    @abstractmethod
    def sd(self) -> float:
        """Standard deviation."""

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._direct, self.mean, self.sd, *self.support)

    @property
    def residual(self) -> float:
        """Estimated error of the distribution function."""
        if self.is_point:
            return 0.0
        curve = self._curve
        return self._error + (curve.error if curve.usable and curve.error <= TRUSTED else 0.0)

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        F, S = np.empty(len(x)), np.empty(len(x))
        for i, at in enumerate(x.tolist()):
            F[i], S[i], error = self._factors.tails(*self._coefficients(at))
            self._error = max(self._error, error * min(F[i], S[i]))
        return F, S


class ShareNumbers(VerdictNumbers):
    """Law of ``sum_v q_v (w_v0 r_v + w_v1 (1 - r_v))``.

    Parameters
    ----------
    factors : GammaFactors
        Masses of the Dirichlet of q, parameters of the Betas of r.
    weights : ndarray, shape (V, 2)
        Values of a case of the class and of one that is not, for each verdict.
    """

    def __init__(self, factors: GammaFactors, weights: Floats) -> None:
        super().__init__(factors)
        self._slope, self._base = weights[:, 0] - weights[:, 1], weights[:, 1]
        self.support = float(weights.min()), float(weights.max())
        self.is_point = self.support[0] == self.support[1]
        self._lines: list[tuple[float, bool, InversionLine]] = []

    def _coefficients(self, x: float) -> tuple[Floats, Floats]:
        return self._slope, self._base - x

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        """A Beta for one verdict; else from lines that serve whole neighbourhoods, a new one where none does."""
        if len(self._slope) == 1:
            a, b = self._factors.a[0], self._factors.b[0]
            r = (x - self._base[0]) / self._slope[0]
            below, above = special.betainc(a, b, r), special.betaincc(a, b, r)
            return (below, above) if self._slope[0] > 0 else (above, below)
        F, S = np.full(len(x), np.nan), np.full(len(x), np.nan)
        while np.isnan(F).any():
            for line in self._lines:
                self._fill(line, x, F, S)
            left = np.flatnonzero(np.isnan(F))
            if not len(left):
                break
            # the middle one of those that are left: it serves the most
            self._lines.append(self._line(float(x[left[len(left) // 2]])))
            if len(left) == 1 or not self._fill(self._lines[-1], x, F, S):
                k = left[len(left) // 2]
                F[k], S[k], error = self._factors.tails(*self._coefficients(float(x[k])))
                self._error = max(self._error, error * min(F[k], S[k]))
        return F, S

    def _line(self, x: float) -> tuple[float, bool, InversionLine]:
        slope, shift = self._coefficients(x)
        upper = x > self.mean
        return (
            x,
            upper,
            self._factors.line(slope, shift, more=1) if upper else self._factors.line(-slope, -shift, more=1),
        )

    def _fill(self, line: tuple[float, bool, InversionLine], x: Floats, F: Floats, S: Floats) -> int:
        """Fill in what a line serves with full accuracy; how many these are."""
        centre, upper, points = line
        mass = float(self._factors.masses.sum())
        step = x - centre if upper else centre - x
        reach = min(FARTHEST / float(points.z[0].real), points.period / 8) / mass
        near = np.flatnonzero(np.isnan(F) & (np.abs(step) < reach))
        if not len(near):
            return 0
        tail, error = points.beyond(step[near], mass)
        good = (error < SERVED) & (tail > 0) & (tail < MOST_TAIL)
        k, tail = near[good], tail[good]
        F[k], S[k] = (1 - tail, tail) if upper else (tail, 1 - tail)
        self._error = max(self._error, float((tail * (error[good] + points.error)).max(initial=0.0)))
        return len(k)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        a, b, A = self._factors.a, self._factors.b, self._factors.masses
        total = A.sum()
        q, rate = A / total, a / (a + b)
        middle = self._base + self._slope * rate
        mean = float(q @ middle)
        within = self._slope**2 * rate * (b / (a + b)) / (a + b + 1)
        # E q_v^2 = q_v (A_v + 1) / (A + 1)
        variance = q @ (middle - mean) ** 2 / (total + 1) + (q * (A + 1) / (total + 1)) @ within
        return mean, float(np.sqrt(variance))

    @property
    def mean(self) -> float:
        """Mean."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._moments[1]


class RatioNumbers(VerdictNumbers):
    """Law of ``sum_v part_v q_v r_v / sum_v q_v r_v``.

    Parameters
    ----------
    factors : GammaFactors
        Masses of the Dirichlet of q, parameters of the Betas of r.
    part : ndarray, shape (V,)
        Numbers from 0 to 1.
    """

    def __init__(self, factors: GammaFactors, part: Floats) -> None:
        super().__init__(factors)
        self._part = part
        self.support = float(part.min()), float(part.max())
        self.is_point = self.support[0] == self.support[1]

    def _coefficients(self, x: float) -> tuple[Floats, Floats]:
        return self._part - x, np.zeros(len(self._part))

    @cached_property
    def _log_ratio(self) -> LogRatio | None:
        """The ratio by its logarithm, where one verdict stands above and one below; 0 and 1 are their parts."""
        if len(self._part) != 2 or set(self._part.tolist()) != {0.0, 1.0}:
            return None
        factors = zip(self._factors.masses.tolist(), self._factors.a.tolist(), self._factors.b.tolist(), strict=True)
        first, second = (Verdict(*each) for each in factors)
        return LogRatio(first, second) if self._part[0] == 1 else LogRatio(second, first)

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        return super()._direct(x) if self._log_ratio is None else self._log_ratio.tails(x)

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._direct, *self._guess, *self.support)

    @cached_property
    def _guess(self) -> tuple[float, float]:
        """Mean and sd to first order: they only place the points of the curve."""
        a, b, A = self._factors.a, self._factors.b, self._factors.masses
        rate = a / (a + b)
        size = A * rate
        mean = float(size @ self._part / size.sum())
        spread = A * rate * (a + 1) / (a + b + 1) * (A + 1) - size**2  # of G_v r_v
        low, high = self.support
        variance = float((self._part - mean) ** 2 @ spread) / size.sum() ** 2
        return mean, float(np.sqrt(min(variance, 0.5 * (mean - low) * (high - mean))))

    @property
    def mean(self) -> float:
        """Mean."""
        return self.support[0] if self.is_point else self._curve.moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return 0.0 if self.is_point else self._curve.moments[1]
