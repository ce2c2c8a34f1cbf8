"""Characteristic functions of Betas and of Dirichlet rows, and the Fourier series of a law on a window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats, Integers
from howsure.numerics.solve import CurveLaw

# -- Rows of a sum -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BetaRows:
    """Distinct two-component rows ``w theta``, ``theta ~ Beta(a, b)``, each with the number of its copies.

    ``a <= b``, the weight ``w`` carries the sign: the mean is at most 1/2, so nothing cancels in ``log(1 - theta)``.
    """

    a: Floats
    b: Floats
    w: Floats
    count: Integers

    def __len__(self) -> int:
        return len(self.a)

    def part(self, rows: slice) -> BetaRows:
        """Some of them."""
        return BetaRows(self.a[rows], self.b[rows], self.w[rows], self.count[rows])


@dataclass(frozen=True)
class WideRow:
    """A row with three or more distinct coefficients ``c`` (increasing, centred at the mean of the row)."""

    c: Floats
    alpha: Floats
    count: int


def stack_rows(wide: Iterable[WideRow], most: int) -> Iterator[tuple[Floats, Floats, Integers]]:
    """Wide rows of equally many vertices side by side, at most ``most`` vertices: ``c``, ``alpha`` and counts."""
    by_size: dict[int, list[WideRow]] = {}
    for row in wide:
        by_size.setdefault(len(row.c), []).append(row)
    for size, rows in by_size.items():
        step = max(1, most // size)
        for part in (rows[k : k + step] for k in range(0, len(rows), step)):
            yield (
                np.array([row.c for row in part]),
                np.array([row.alpha for row in part]),
                np.array([row.count for row in part]),
            )


# -- Phases, their powers, and the Fourier series of a law on a window that holds all but ``1e-17`` of its mass --------

# With period ``L`` and ``t_m = 2 pi m/L``, and ``z`` the distance from the mean,
#
#     F(z) = 1/2 + z/L - Im sum_{m >= 1} 2 phi(t_m) e^{-i t_m z} / (t_m L),
#
# where ``phi`` is the characteristic function of ``X - mean``. For an analytic density the coefficients decay
# exponentially, and the series is a trapezoidal rule for the inversion integral (Abate and Whitt, 1992); its only
# errors are the mass outside the window and the terms left out. Outside the window the series is periodic and
# meaningless.


POWERS_AT_A_TIME = 1 << 17  # stay in the cache


def power_ladder(z: Complexes, count: int) -> Complexes:
    """``z^0 .. z^(count-1)`` along a new first axis, by doubling: every power is at most ``log2`` products deep."""
    ladder = np.empty((count, *z.shape), complex)
    ladder[0] = 1.0
    filled = 1
    while filled < count:
        more = min(filled, count - filled)
        np.multiply(ladder[:more], z, out=ladder[filled : filled + more])
        filled += more
        if filled < count:
            z = z * z
    return ladder


def unit_phase(angle: Floats) -> Complexes:
    """``e^{i angle}``; the real sine and cosine are several times faster than the complex exponential."""
    phase = np.empty(angle.shape, complex)
    phase.real = np.cos(angle)
    phase.imag = np.sin(angle)
    return phase


def equispaced_transform(deviation: Floats, weight: Floats, t0: float, dt: float, count: int) -> Complexes:
    """``sum_j weight_j e^{i t_m deviation_j}`` at ``t_m = t0 + m dt``, ``m < count``, for every class.

    With ``m = Q p + q`` the sum is a product of a matrix of giant steps ``e^{i Q p dt d}`` and one of baby steps
    ``weight e^{i (t0 + q dt) d}``: three exponentials per node instead of ``count``.
    """
    babies = int(np.ceil(np.sqrt(count)))
    giants = -(-count // babies)
    most = max(1, POWERS_AT_A_TIME // (len(deviation) * (babies + giants)))
    if deviation.shape[1] > 2 * most:
        parts = (slice(k, k + most) for k in range(0, deviation.shape[1], most))
        total = np.zeros((len(deviation), count), complex)
        for part in parts:
            total += equispaced_transform(deviation[:, part], weight[:, part], t0, dt, count)
        return total
    small = power_ladder(unit_phase(dt * deviation), babies)
    small *= weight * unit_phase(t0 * deviation)
    large = power_ladder(unit_phase(babies * dt * deviation), giants)
    product = large.transpose(1, 0, 2) @ small.transpose(1, 2, 0)
    return product.reshape(len(deviation), giants * babies)[:, :count]


def integer_power(base: Complexes, exponent: Integers) -> Complexes:
    """``base_k ^ exponent_k`` by binary powering, the exponent along the first axis."""
    if (exponent == 1).all():
        return base
    result = np.ones_like(base)
    remaining = exponent.copy()
    while True:
        odd = (remaining & 1).astype(bool)
        result[odd] *= base[odd]
        remaining >>= 1
        if not remaining.any():
            return result
        base = base * base


PHASES_AT_A_TIME = 1 << 20
LONG = 128  # terms from which sines and cosines cost more than a matrix product


class FourierSeries:
    """Coefficients ``2 phi(t_m)/(t_m L)`` of the series of one law."""

    def __init__(self, period: float, phi: Complexes) -> None:
        self.period, self.phi = period, phi
        step, terms = 2 * np.pi / period, len(phi)
        t: Floats = step * np.arange(1.0, terms + 1)
        first = phi * (2 / (t * period))
        # columns: the terms of F, f and f' up to a factor i
        table: Complexes = np.empty((terms, 3), complex)
        table[:, 0], table[:, 1], table[:, 2] = first, first * t, first * t * t
        babies = int(np.ceil(np.sqrt(terms))) if terms > LONG else terms
        giants = -(-terms // babies)
        if giants > 1:
            rest = np.zeros((giants * babies - terms, 3), complex)
            table = np.concatenate((table, rest)).reshape(giants, 3 * babies)
        self._table: Complexes = table
        self._babies: Floats = t[:babies]
        self._giants: Floats = step * babies * np.arange(float(giants))

    def evaluate(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative at distances ``z`` (1-D) from the mean."""
        block = max(1, PHASES_AT_A_TIME // (3 * len(self._babies)))
        if len(z) <= block:
            sums = self._sums(z)
        else:
            sums = np.concatenate([self._sums(z[k : k + block]) for k in range(0, len(z), block)])
        return 0.5 + z / self.period - sums[:, 0].imag, 1 / self.period + sums[:, 1].real, sums[:, 2].imag

    def _sums(self, z: Floats) -> Complexes:
        """Sum the three columns; a long series in giant and baby steps, as in `equispaced_transform`."""
        babies, giants, table = self._babies, self._giants, self._table
        small = unit_phase(np.multiply.outer(-z, babies))
        if len(giants) == 1:
            return small @ table
        large = unit_phase(np.multiply.outer(-z, giants)) @ table
        return (small[:, None, :] @ large.reshape(len(z), len(babies), 3))[:, 0]


# -- A law whose Fourier series on a window is known -------------------------------------------------------------------


class WindowedLaw(CurveLaw):
    """A law whose Fourier series on a window a subclass makes; its cdf has the absolute error ``residual`` at most."""

    residual = 0.0
    _series: FourierSeries
    _low: float
    _high: float

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative at ``x`` (1-D), with absolute accuracy."""
        F, f, slope = self._series.evaluate(np.clip(x, self._low, self._high) - self.mean)
        below, above = x < self._low, x > self._high
        F = np.where(below, 0.0, np.where(above, 1.0, np.clip(F, 0.0, 1.0)))
        return F, np.where(below | above, 0.0, np.maximum(f, 0.0)), np.where(below | above, 0.0, slope)


# -- The characteristic function of Beta variables by the trapezoidal rule in the logit --------------------------------

# With ``theta = 1/(1 + e^-u)`` the density ``theta^a (1 - theta)^b du`` is analytic in the strip ``|Im u| < pi`` for
# every ``a, b > 0``: no end point is singular, and the trapezoidal rule converges exponentially (Trefethen and
# Weideman, 2014). The weights are normalised by their own sum, so no Beta function, with its loss of digits at large
# counts, is needed.
#
# All functions work on many classes at once; the class is the first axis.


DROPPED = 39.5  # nodes with weight below e^-39.5 of the largest are left out; the rule errs by e^-37 of the integral
SIDES = np.array([-1.0, 1.0])
LARGEST_LOGIT = 300.0  # where e^u is as good as infinite
STRIP_U = np.linspace(-0.25, 1.25, 19)  # the line is longer than the range of the nodes
STRIP_CENTRE = np.array([-2.4, -1.2, 0.0, 1.2, 2.4])
STRIP_ETA = np.geomspace(0.16, 1.15, 8)
BATCH_ELEMENTS = 1 << 19
STRIPS_AT_A_TIME = 128  # stay in the cache
FEW = 3  # classes that are one batch, whatever their counts of nodes
MOST_NODES = 1 << 22  # of one class; about 50 million cases with a handful of errors
TOO_LOPSIDED = (
    "a class of more than some million million cases with a handful of errors (or of hits) is too lopsided for "
    "averages over classes; ask for its recall, recall@class, which is exact at any size"
)


class TooManyNodes(ArithmeticError):
    """A class whose frequencies outrun every reasonable rule."""


@dataclass(frozen=True)
class LogitWeight:
    """Log of ``theta^a (1 - theta)^b`` relative to its mode ``theta``, as a function of the logit distance."""

    a: Floats
    b: Floats
    theta: Floats
    rest: Floats

    def part(self, k: slice | np.ndarray) -> LogitWeight:
        """The same for some of the classes."""
        return LogitWeight(self.a[k], self.b[k], self.theta[k], self.rest[k])

    @property
    def scale(self) -> Floats:
        """Inverse square root of the curvature at the mode."""
        return np.asarray(1 / np.sqrt((self.a + self.b) * self.theta * self.rest))

    def at(self, du: Floats) -> tuple[Floats, Floats]:
        """Log weight and ``theta (1 - theta)`` at logit distance ``du`` (classes x nodes)."""
        log_weight, _, e = self._at(du)
        grown = 1 + self.theta[:, None] * e
        return log_weight, (self.theta * self.rest)[:, None] * (1 + e) / (grown * grown)

    def weight_at(self, du: Floats) -> tuple[Floats, Floats]:
        """Log weight and ``theta - theta0``."""
        return self._at(du)[:2]

    def _at(self, du: Floats) -> tuple[Floats, Floats, Floats]:
        """Log weight, deviation and ``e^du - 1``.

        ``l = log(1 + theta0 (e^du - 1))`` is the growth of ``log(1 + e^u)``; the deviation from the mode is exact to
        the last digit however small it is.
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
        return log_weight, deviation, e


def cut_ends(weight: LogitWeight, speed: Floats, left_out: float) -> tuple[Floats, Floats]:
    """Logit distances to the left and right of the mode beyond which no node is needed.

    Either the weight is below ``e^-left_out`` there, found by Newton's method, which for a log-concave weight stops on
    the safe side; or ``theta`` (or ``1 - theta``) is so small that the rest of the integrand is a geometric series.
    """
    n = (weight.a + weight.b)[:, None]
    flat = left_out + 4.5 + np.log(speed + n[:, 0] + 1)
    logit = np.log(weight.theta / weight.rest)
    room = flat[:, None] - SIDES * logit[:, None]
    a, theta = weight.a[:, None], weight.theta[:, None]
    du = SIDES * (8.5 * weight.scale)[:, None]
    for _ in range(3):
        log_weight, deviation = weight.weight_at(du)
        slope = a - n * (theta + deviation)
        du = du - (log_weight + left_out) / np.where(SIDES * slope < 0, slope, -SIDES * 1e-300)
        du = SIDES * np.minimum(np.abs(du), 1e5)
    reach = np.minimum(SIDES * du, np.maximum(room, 8.0))
    return reach[:, 0], reach[:, 1]


def strip_step(weight: LogitWeight, left: Floats, right: Floats, speed: Floats, aliasing: float) -> Floats:
    """Largest step that keeps the aliasing error of ``e^{it w theta}``, ``|t w| <= speed``, below ``e^-aliasing``.

    On the line ``Im u = eta`` the integrand grows by at most ``g(eta)``; the trapezoidal error is
    ``e^{g - 2 pi eta/h}``, so ``2 pi/h = min_eta (aliasing + g(eta))/eta``. With ``q = theta(1 - theta)`` and
    ``D = 1 - 2q(1 - cos eta)``

        g(eta) = max_u [log weight + speed q sin(eta)/D - (a+b)/2 log D].
    """
    logit = np.log(weight.theta / weight.rest)[:, None]
    spread = -left[:, None] + (left + right)[:, None] * STRIP_U
    centre = STRIP_CENTRE - logit
    log_weight, q = weight.at(np.concatenate((spread, centre), axis=1))
    eta = np.minimum(8.6 * weight.scale, 2.6)[:, None, None] * STRIP_ETA[:, None]
    turn, q = 2 * np.sin(eta / 2) ** 2, q[:, None, :]
    shrink = 1 - 2 * q * turn
    growth = log_weight[:, None, :] + speed[:, None, None] * np.sin(eta) * q / shrink
    growth -= (0.5 * (weight.a + weight.b))[:, None, None] * np.log1p(-2 * q * turn)
    need = (aliasing + np.maximum(growth.max(axis=2), 0.0)) / eta[:, :, 0]
    return np.asarray(2 * np.pi / need.min(axis=1))


@dataclass(frozen=True)
class BetaNodes:
    """Discrete stand-ins for a batch of Betas: ``E g(w (theta - E theta)) = sum_j weight_j g(deviation_j)``."""

    index: slice | np.ndarray
    deviation: Floats
    weight: Floats


def place_nodes(weight: LogitWeight, w: Floats, left: Floats, right: Floats, count: int) -> tuple[Floats, Floats]:
    """Trapezoidal nodes ``-left .. right``; the end weights carry the geometric series of what lies beyond.

    At a flat end the weight is ``e^{a u}`` (or ``e^{-b u}``): the nodes left out are ``1/(1 - e^{-a h})`` times the
    last.
    """
    step = (left + right) / (count - 1)
    log_weight, deviation = weight.weight_at(-left[:, None] + step[:, None] * np.arange(count))
    mass = np.exp(log_weight)
    mass[:, 0] /= -np.expm1(-weight.a * step)
    mass[:, -1] /= -np.expm1(-weight.b * step)
    return w[:, None] * deviation, mass / mass.sum(axis=1, keepdims=True)


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


def beta_nodes(betas: BetaRows, top_speed: float, left_out: float = DROPPED) -> Iterator[BetaNodes]:
    """Nodes for ``E e^{it w theta}``, ``|t| <= top_speed``, by classes; `TooManyNodes` above four million."""
    chunk = BATCH_ELEMENTS // 256
    for first in range(0, len(betas), chunk):
        part = slice(first, first + chunk)
        a, b, w = betas.a[part], betas.b[part], betas.w[part]
        speed = top_speed * np.abs(w)
        weight = LogitWeight(a, b, a / (a + b), b / (a + b))
        left, right = cut_ends(weight, speed, left_out)
        some = [slice(k, k + STRIPS_AT_A_TIME) for k in range(0, len(a), STRIPS_AT_A_TIME)]
        step = np.concatenate([
            strip_step(weight.part(few), left[few], right[few], speed[few], left_out - 2.5) for few in some
        ])  # fmt: skip
        needed = (left + right) / step
        if needed.max() > MOST_NODES:
            raise TooManyNodes(TOO_LOPSIDED)
        counts = needed.astype(np.int64) + 3
        if len(a) <= FEW:  # one batch, and nothing to choose
            yield BetaNodes(slice(first, first + len(a)), *place_nodes(weight, w, left, right, int(counts.max())))
            continue
        for k in node_batches(counts):
            most = int(counts[k].max())
            yield BetaNodes(first + k, *place_nodes(weight.part(k), w[k], left[k], right[k], most))


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
ELEMENTS_AT_A_TIME = 1 << 15  # stays in the cache


def atan_minus_argument(v: Floats) -> Floats:
    """``atan(v) - v`` without cancellation for small ``v`` (Taylor to v^11 below 0.03: relative error 1e-16)."""
    square = v * v
    series = v * square * (-1 / 3 + square * (1 / 5 + square * (-1 / 7 + square * (1 / 9 - square / 11))))
    if np.abs(v).max(initial=0.0) < SERIES_BELOW:
        return np.asarray(series)
    return np.where(np.abs(v) < SERIES_BELOW, series, np.arctan(v) - v)


def vertical_product(c: Floats, alpha: Floats, count: Integers, t: Floats) -> Complexes:
    """Product of transforms of rows (rows x vertices) of large totals, copies included: integrals over ``A + iy``.

    With ``v_j = (y - t c_j)/A`` the modulus, relative to that at ``A``, is ``prod (1 + v_j^2)^{-alpha_j/2}``. The
    linear part of the phase is 0, the mean of the row, so that only ``atan v - v`` is summed and nothing cancels,
    whatever the counts.
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
        if total.max() < MODERATE_TOTAL:  # so little cancels that half the price is worth more
            phase = (weight @ np.arctan(v))[:, :, 0] - y[:, None]  # sum alpha v = y
        else:
            phase = (weight @ atan_minus_argument(v))[:, :, 0]
        sums = (np.exp(-0.5 * log_modulus)[:, :, None] @ unit_phase(-phase)[..., None])[:, :, 0, 0]
        product *= np.power(sums[:, 1:] / sums[:, :1].real, count[part, None]).prod(axis=0)
    return product


def vertical_nodes(c: Floats, total: Floats, top: float) -> tuple[Integers, Floats]:
    """Numbers of nodes and first nodes of many rows: where the modulus is above ``e^-39`` for some frequency.

    Beyond all branch points ``prod (1 + v_j^2)^{-alpha_j/2}`` is below that of the nearest, ``(1 + v^2)^{-A/2}``.
    """
    reach = total * np.sqrt(np.expm1(2 * DROPPED_OF_CONTOUR / total))
    low, high = np.minimum(0.0, top * c.min(axis=1)), np.maximum(0.0, top * c.max(axis=1))
    nodes = np.ceil((high - low + 2 * reach) / (0.5 * np.sqrt(total))).astype(np.int64) + 1
    return nodes, low - reach


def bent_integral(row: WideRow, t: Floats, z0: float, step: float) -> Complexes:
    """Contour integral on a line that bends left by 45 degrees beyond the branch points: ``e^z`` then decays."""
    widest = 4 * len(row.c) * (float(t[-1] * np.abs(row.c).max()) + CLEARANCE + DROPPED_OF_CONTOUR)
    block = max(4, int(0.5 * ELEMENTS_AT_A_TIME / widest))
    parts = [bent_block(row, t[k : k + block], z0, step) for k in range(0, len(t), block)]
    return np.concatenate(parts)


def bent_block(row: WideRow, t: Floats, z0: float, step: float) -> Complexes:
    """Do so for few frequencies."""
    turn = t[-1] * np.abs(row.c).max() + CLEARANCE
    reach = turn + DROPPED_OF_CONTOUR + 4
    y = np.arange(-reach, reach + step, step)
    up, down = (y - turn) / BEND, (-y - turn) / BEND
    x = -BEND * (np.logaddexp(0.0, up) + np.logaddexp(0.0, down))
    direction = 1 + 1j * (special.expit(up) - special.expit(down))
    v = y - np.multiply.outer(row.c, t)[:, :, None]
    right = x + z0
    log_modulus = x + np.tensordot(-0.5 * row.alpha, np.log(right * right + v * v), axes=1)
    log_modulus += float(row.alpha.sum() * np.log(z0))
    phase = y - np.tensordot(row.alpha, np.arctan2(v, right), axes=1)
    modulus = np.exp(log_modulus)
    result: Complexes = np.empty(len(t), complex)
    even, odd = modulus * np.cos(phase), modulus * np.sin(phase)
    result.real = even @ direction.real - odd @ direction.imag
    result.imag = even @ direction.imag + odd @ direction.real
    result *= step
    return result


def bent_transform(row: WideRow, t: Floats) -> Complexes:
    """``E e^{it(X - E X)}`` of a row of a small total on increasing frequencies ``t >= 0``; error about 1e-13."""
    total = float(row.alpha.sum())
    both = bent_integral(row, np.concatenate((t[-1:] * 0.0, t)), max(total, CLEARANCE), 0.5)
    return both[1:] / float(both[0].real)
