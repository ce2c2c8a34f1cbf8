"""The law of a binary metric's log odds along Normal scores of its rates."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainccinv, betaincinv, betaln, expit, log_ndtr, ndtr, ndtri

from howsure.numerics.arrays import LEAST, MOST, Floats, cut
from howsure.numerics.betas import beside_mistaken, log_peaks
from howsure.numerics.two_by_two.log_odds import BinaryRates, Formula

# -- Bounded random numbers as smooth functions of a standard Normal variable ------------------------------------------

# In z every Beta, narrow or with an infinite density at its end, has the same weight exp(-z^2/2), and logit theta(z)
# is analytic in the strip |Im z| < 2.8 (the nearest complex zeros of Phi). The trapezoid rule in z therefore needs
# about twenty nodes per variable for ten digits, for one observation as for 1e8.
#
# With ``T = low + width expit(u)`` the function ``u(z)``, for which ``T`` has the law of interest when ``z`` is
# standard Normal, is smooth however rough the law is at its ends: a power law there is a parabola in ``z``.


REACH = 6.3  # |z| of the outermost trapezoid node: 3e-10 of the mass lies beyond
TABLE_REACH = 12.0
FARTHEST = 38.0  # Normal score of the least number
HUGE = 1e9  # parameters from which a Beta is its Cornish and Fisher series
CELL = 0.2  # widest table cell: the quintic Hermite error is then below 2e-9 in z


def logit_quantile(a: float, b: float, z: Floats) -> Floats:
    """Return u(z) = logit of the Beta(a, b) quantile of Phi(z).

    The smaller of the two tails gives the smaller of theta and 1 - theta, so that neither probability nor quantile is
    ever a rounded 1; of very many cases it is a series.
    """
    if min(a, b) > HUGE:
        return _cornish_fisher(a, b, z)[0]
    if a < b:
        return -logit_quantile(b, a, -z)
    a, b = (float(beside_mistaken(each)) for each in (a, b))
    u, below = np.zeros(z.shape), z < 0  # the median is one half or more
    u[below] = _lower_logit(a, b, z[below])
    above = u >= 0
    u[above] = -_lower_logit(b, a, -z[above])
    return u


def _lower_logit(a: float, b: float, z: Floats) -> Floats:
    """Logit of the quantile of Phi(z); below e^-28 / (1 + b), right to 1e-12, by its leading power x^a / (a B(a, b)).

    There SciPy 1.17 may be level or nan, of a a little above 1 and b below: for Beta(1.05, 0.4) at z = -8.8.
    """
    leading = (log_ndtr(z) + np.log(a) + betaln(a, b)) / a
    upper = z > 0
    x = np.empty(z.shape)
    x[~upper] = betaincinv(a, b, ndtr(z[~upper]))
    x[upper] = betainccinv(a, b, ndtr(-z[upper]))
    x = np.clip(x, 1e-300, 1 - 1e-16)
    return np.where(leading < -28 - np.log1p(b), leading, np.log(x) - np.log1p(-x))


def logit_density(a: float, b: float, u: Floats) -> Floats:
    """Return the log density of u = logit theta, theta ~ Beta(a, b), good to 1e-14 at counts of 1e9.

    a (d - l) - b l + log peak, with d = u - logit(mean), l = log(1 + mean (e^d - 1)). Of a mean next to 1 the
    difference from 1 would have few digits left, so it is taken from the other end.
    """
    if a > b:
        return logit_density(b, a, -u)
    mean, d = a / (a + b), u - np.log(a / b)
    with np.errstate(over="ignore"):
        lift = np.where(d < 500, np.log1p(mean * np.expm1(d)), d + np.log(mean))
    return np.asarray(a * (d - lift) - b * lift + log_peaks(np.array(a), np.array(b)))


def normal_rule(step: float) -> tuple[Floats, Floats]:
    """Trapezoid nodes and weights for a mean over a standard Normal: 4 k + 1 nodes, so every second one is a rule."""
    half = 2 * int(np.ceil(REACH / step / 2))
    z = step * np.arange(-half, half + 1.0)
    weight: Floats = np.exp(-0.5 * z * z)
    return z, weight / weight.sum()


class NormalScores:
    """Several Betas tabulated as u(z) = logit theta(z), evaluated together by quintic Hermite interpolation.

    u' = phi(z) / g(u) with g the density of u, and u'' = -u' (z + u' g'(u) / g(u)) cost nothing more than u.
    """

    def __init__(self, *betas: tuple[float, float]) -> None:
        widest = max(np.sqrt(1 / a + 1 / b) for a, b in betas)  # sd of u: u(z) bends within pi / sd
        cells = round(2 * TABLE_REACH / CELL * min(max(widest / 2, 1), 20))
        self._cell = 2 * TABLE_REACH / cells
        self.count = len(betas)
        self._first_cell = cells * np.arange(len(betas))
        self._last = cells - 1
        self._coefficients = np.concatenate([_table(a, b, cells) for a, b in betas], axis=1)

    def __call__(self, z: Floats) -> tuple[Floats, Floats]:
        """Return u and du/dz at z of shape (betas, ...), its first axis running over the Betas."""
        t = (z + TABLE_REACH) / self._cell
        cell = t.astype(np.intp)
        np.minimum(np.maximum(cell, 0, out=cell), self._last, out=cell)
        t -= cell
        cell += self._first_cell.reshape(-1, *(1,) * (z.ndim - 1))
        return _horner(self._coefficients.take(cell, axis=1), t, self._cell)


def _horner(c: Floats, t: Floats, width: Floats | float) -> tuple[Floats, Floats]:
    """Quintics at t in [0, 1] of their cells, and their slopes, whose coefficients are the sums of Horner's scheme."""
    u, slope = c[5] * t, c[5] * t
    u += c[4]
    slope += u
    for power in (3, 2, 1):
        u *= t
        u += c[power]
        slope *= t
        slope += u
    u *= t
    u += c[0]
    slope /= width
    return u, slope


@lru_cache(64)
def _table(a: float, b: float, cells: int) -> Floats:
    """Coefficients of one Beta, kept: the metrics of a report, and the places of a slider, share their rates."""
    z = np.linspace(-TABLE_REACH, TABLE_REACH, cells + 1)
    coefficients = _hermite(*_taylor(a, b, z), z[1] - z[0])
    coefficients.flags.writeable = False
    return coefficients


def _taylor(a: float, b: float, z: Floats) -> tuple[Floats, Floats, Floats]:
    """u, u' and u'' at the nodes of the table."""
    if min(a, b) > HUGE:
        return _cornish_fisher(a, b, z)
    u = logit_quantile(a, b, z)
    slope = np.exp(-0.5 * z * z - 0.5 * np.log(2 * np.pi) - logit_density(a, b, u))
    tilt = a * expit(-u) - b * expit(u)
    return u, slope, -slope * (z + slope * tilt)


def _cornish_fisher(a: float, b: float, z: Floats) -> tuple[Floats, Floats, Floats]:
    """u, u' and u'' of a Beta of very many cases, where the quantiles themselves would be rounded.

    The logit is the log of a quotient of two Gamma variables, so its cumulants are polygamma functions; what is left
    out beyond the skewness is ``sd^2 z^3`` of its sd, some 1e-9.
    """
    variance = 1 / a + 1 / b + 0.5 * (1 / a**2 + 1 / b**2)
    sd, skewed = np.sqrt(variance), (1 / b**2 - 1 / a**2) / (6 * variance)
    u = np.log(a) - np.log(b) - 0.5 / a + 0.5 / b + sd * z + skewed * (z * z - 1)
    return u, sd + 2 * skewed * z, np.full(z.shape, 2 * skewed)


def _hermite(value: Floats, slope: Floats, bend: Floats, cell: Floats | float) -> Floats:
    """Coefficients (6, cells) in t in [0, 1] of the quintic that matches value and two derivatives at both ends."""
    v0, v1 = value[:-1], value[1:]
    s0, s1 = cell * slope[:-1], cell * slope[1:]
    c0, c1 = cell**2 * bend[:-1], cell**2 * bend[1:]
    rise = v1 - v0 - s0 - c0 / 2
    turn = s1 - s0 - c0
    curl = c1 - c0
    return np.stack(
        (v0, s0, c0 / 2, 10 * rise - 4 * turn + curl / 2, -15 * rise + 7 * turn - curl, 6 * rise - 3 * turn + curl / 2),
    )


class ScoreCurve:
    """A number with a continuous law as a function of its Normal score: quintics, beyond the last values parabolas.

    Parameters
    ----------
    value, score, slope : ndarray, shape (n,)
        Values in rising order, s with P(X <= value) = Phi(s), and ds / d value.
    """

    def __init__(self, value: Floats, score: Floats, slope: Floats) -> None:
        with np.errstate(divide="ignore"):
            rate = 1 / slope
        good = np.isfinite(rate) & np.isfinite(score) & (np.diff(value, prepend=-np.inf) > 0)
        good[good] &= np.diff(score[good], prepend=-np.inf) > 0
        self._value, self._at, rate = value[good], score[good], rate[good]
        cell = np.diff(self._at)
        bend = _bends(self._value, rate, cell)
        inner = _hermite(self._value, rate, bend, cell)
        before, behind = (np.array([[self._value[k]], [rate[k]], [bend[k] / 2], [0.0], [0.0], [0.0]]) for k in (0, -1))
        self._coefficients = np.concatenate((before, inner, behind), axis=1)
        self._cell = np.concatenate(([1.0], cell, [1.0]))
        self._start = np.concatenate((self._at[:1], self._at))

    @property
    def scores(self) -> Floats:
        """Those between which it is interpolated, rising."""
        return self._at

    def __call__(self, scores: Floats) -> tuple[Floats, Floats]:
        """Values at scores, and the slopes there."""
        k = self._at.searchsorted(scores)
        return _horner(self._coefficients.take(k, axis=1), (scores - self._start[k]) / self._cell[k], self._cell[k])

    def score(self, values: Floats) -> Floats:
        """Scores of values, by Newton's method from the chord."""
        k = np.clip(self._value.searchsorted(values) - 1, 0, len(self._value) - 2)
        chord = (self._value[k + 1] - self._value[k]) / (self._at[k + 1] - self._at[k])
        scores = self._at[k] + (values - self._value[k]) / chord
        for _ in range(8):
            value, slope = self(scores)
            with np.errstate(divide="ignore", invalid="ignore"):
                step = cut(np.nan_to_num((values - value) / slope), -0.5, 0.5)
            scores = cut(scores + step, -FARTHEST, FARTHEST)
            if np.abs(step).max(initial=0.0) < 1e-7:
                break
        return np.asarray(scores)


def _bends(value: Floats, slope: Floats, cell: Floats) -> Floats:
    """Second derivatives of the quintics through three points and their slopes each; at the ends of cubics."""
    here, width = value[1:-1], slope[1:-1]
    behind, ahead = -cell[:-1], cell[1:]
    # value = here + slope u + u^2 q(u): q is a cubic, known with its slope on both sides
    q, dq = [], []
    for u, other, rate in ((behind, value[:-2], slope[:-2]), (ahead, value[2:], slope[2:])):
        q.append((other - here - width * u) / u**2)
        dq.append((rate - width - 2 * u * q[-1]) / u**2)
    whole = ahead - behind
    share = -behind / whole
    middle = _cubic(share, q[0], q[1], whole * dq[0], whole * dq[1])
    first = (6 * (value[1] - value[0]) / cell[0] - 4 * slope[0] - 2 * slope[1]) / cell[0]
    last = (-6 * (value[-1] - value[-2]) / cell[-1] + 4 * slope[-1] + 2 * slope[-2]) / cell[-1]
    return np.concatenate(([first], 2 * middle, [last]))


def _cubic(t: Floats, first: Floats, last: Floats, rise: Floats, fall: Floats) -> Floats:
    """Cubic at t in [0, 1] with given values and slopes at both ends."""
    rest, chord = t * (1 - t), last - first
    return np.asarray(first + t * chord + rest * ((1 - t) * (rise - chord) - t * (fall - chord)))


# -- The law of a binary metric's log odds L: one curve of L along Normal scores, made once ----------------------------

# In Normal scores the three independent Betas (prevalence, TPR, TNR) are three standard Normals. Turn the plane of the
# two rates so that one axis, t, points along the gradient of the metric, with a positive component of both rates: on
# every line in that direction, given the prevalence z and the other coordinate y, both rates run from 0 to 1 and the
# metric from its least to its greatest value, strictly. (Precision and F grow with the prevalence too; there all three
# are turned, and z is a second coordinate across the lines.) So on each line there is one t where L = l, and
#
#     P(L <= l) = E Phi(t(z, y; l)),
#
# a mean over two Normals of a smooth function without ends, for which the trapezoid rule converges exponentially
# (Trefethen and Weideman 2014, SIAM Review 56, 385).


Pair: TypeAlias = tuple[float, float]

STEPS = (0.7, 0.5, 0.36, 0.26, 0.17)  # of both trapezoid rules, until the error is small enough
ENOUGH = 2e-9  # error of a probability that is called none
RADIUS = 6.3  # in (z, y), beyond which 2e-9 of the mass is left out
LEAST_COMPONENT = 0.4  # of each variable in the direction t
SOMEBODY = 500.0  # logit of a prevalence beyond which there is no less of a class: products of its odds are numbers
LARGEST = 700.0  # logit whose odds are a number
UTMOST = 2e3  # log odds beyond those of any number: where a rate underflows they are infinite
PLACES = np.linspace(-7.5, 7.5, 31)  # t of a table of L on every line
FAR = 8.5  # a root beyond the table is as good as infinite
CLOSE = 5e-6  # a step by Newton's method is right to its square
TRIED = np.linspace(-5.5, 5.5, 15)  # scores at whose levels a rule is judged, and between which the curve goes
FALLS = 0.25, 0.67  # of the error of a slow rule from one step to the next, at least and at most
HALVED = 1 / 4  # of the error of a cell of the curve is at most left when it is cut in two; of a smooth curve 1/64
THIN = 4e-5  # density of a Normal score below which the curve is not in need of more digits
MOST_ROOTS = 400_000  # of all its levels
ROOT = float(np.sqrt(2 * np.pi))


class Lines:
    """The lines of one formula under independent Betas, their weights, and the log odds L along them."""

    def __init__(self, formula: Formula, prevalence: Pair | float, tpr: Pair, tnr: Pair, step: float) -> None:
        self._odds = formula.odds
        self._prevalence = prevalence if formula.random_prevalence else 0.5
        if formula.grows_with_prevalence and isinstance(prevalence, tuple):
            self._scores = NormalScores(tpr, tnr, prevalence)  # all three turn
        else:
            self._scores = NormalScores(tpr, tnr)
        self._basis = self._turned()
        self._place(step)

    def _turned(self) -> Floats:
        """A basis whose first axis points along the gradient at the medians, as columns."""
        count = self._scores.count
        slopes = self._gradient(np.zeros((count, 1)), *self._shares(np.zeros(1)))[1]
        gradient = np.array([slope.item() for slope in slopes[:count]])
        direction = np.maximum(gradient / np.linalg.norm(gradient), LEAST_COMPONENT)
        direction /= np.linalg.norm(direction)
        q = np.linalg.qr(np.column_stack((direction, np.eye(count)[:, 1:])))[0]
        q[:, 0] = direction  # the first column of Q is it up to its sign
        return np.asarray(q)

    def _shares(self, z: Floats) -> tuple[Floats, Floats]:
        """Prevalence at its scores z, and its complement."""
        if isinstance(self._prevalence, tuple):
            # where one class is next to nobody a metric would be level, and no tangent would lead to a root
            u = np.clip(logit_quantile(*self._prevalence, z), -SOMEBODY, SOMEBODY)
        else:
            u = np.full(z.shape, np.log(self._prevalence) - np.log1p(-self._prevalence))
        return expit(u), expit(-u)

    def _place(self, step: float) -> None:
        """Lay out the product of two trapezoid rules, without its corners, and the rules of some of its nodes."""
        random = isinstance(self._prevalence, tuple)
        nodes, weight = normal_rule(step if random else step / 4)  # of one rule alone more lines cost nothing
        i, j = np.indices((nodes.size if random else 1, nodes.size))
        z = nodes[i] if random else np.zeros(i.shape)
        inside = z * z + nodes[j] ** 2 <= RADIUS**2
        i, j, z, y = i[inside], j[inside], z[inside], nodes[j[inside]]
        full = weight[i] * weight[j] if random else weight[j]
        kept = [np.ones(z.shape, bool), j % 2 == 0]
        if random:  # every second in z, and those of one colour of a board: across both a kink hides from the others
            kept += [i % 2 == 0, (i + j) % 2 == 0]
        rules = np.stack([np.where(some, full, 0.0) for some in kept], axis=1)
        self.rules = rules / rules.sum(axis=0)
        if self._scores.count == 3:
            self._across = self._basis[:, 1:2] * z + self._basis[:, 2:] * y
            self._phi, self._psi = z, z  # the third of the turned
        else:
            self._across = self._basis[:, 1:] * y
            self._phi, self._psi = self._shares(nodes)
            self._phi, self._psi = (x[i] for x in ((self._phi, self._psi)))
        self.weight = self.rules[:, 0]

    def _gradient(self, z: Floats, phi: Floats, psi: Floats) -> tuple[Floats, list[Floats]]:
        """L, and its slopes along the scores z of the turned variables, which are the first axis of z."""
        u, du = self._scores(z)
        with np.errstate(divide="ignore", invalid="ignore"):  # odds of 0 where a rate underflows, beyond all mass
            odds = np.exp(np.minimum(-u, LARGEST))
            p = 1 / (1 + odds)
            q = odds * p
            p[u < -LARGEST] = 0.0  # not the least number, on which L would be level through all mass farther out
            if self._scores.count == 3:
                phi, psi = p[2], q[2]
            value, *slopes = self._odds(BinaryRates(phi, psi, p[0], q[0], p[1], q[1]))
        return np.broadcast_to(value, z.shape[1:]), [s * d for s, d in zip(slopes, du, strict=False)]

    def along(self, t: Floats, line: Any = np.s_[:]) -> tuple[Floats, Floats]:
        """L and dL/dt at t, whose last axis runs over the lines, or over those that are named."""
        direction = self._basis[:, 0].reshape(-1, *(1,) * t.ndim)
        across = self._across[:, line].reshape(len(direction), *(1,) * (t.ndim - 1), -1)
        value, slopes = self._gradient(direction * t + across, self._phi[line], self._psi[line])
        return value, sum((g * s for g, s in zip(direction[1:], slopes[1:], strict=True)), direction[0] * slopes[0])


class LevelTable:
    """L at even places t along all lines: where searches for roots begin."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        shape = len(PLACES), lines.weight.size
        level, slope = lines.along(np.broadcast_to(PLACES[:, None], shape))
        self._level = np.maximum.accumulate(cut(np.nan_to_num(level), -UTMOST, UTMOST), axis=0)
        with np.errstate(divide="ignore"):
            self._rate = 1 / np.maximum(np.nan_to_num(slope), 0.0)

    @property
    def lines(self) -> int:
        """How many there are."""
        return int(self._lines.weight.size)

    def levels(self, scores: Floats) -> Floats:
        """About those of some scores."""
        middle = (0.5 * (self._level[1:] + self._level[:-1])).ravel()
        mass = (np.diff(ndtr(PLACES))[:, None] * self._lines.weight).ravel()
        order = middle.argsort(kind="stable")
        below = ndtri(cut(np.cumsum(mass[order]) - 0.5 * mass[order], LEAST, MOST))
        return np.interp(scores, below, middle[order])

    def roots(self, levels: Floats) -> tuple[Floats, Floats]:
        """Where L = l on each line, shape (levels, lines), and dt/dl there: by Newton's method inside a cell."""
        target, line = levels[:, None], np.arange(self._lines.weight.size)
        cell = (self._level[None] < target[:, None]).sum(axis=1) - 1
        beyond = (cell < 0) | (cell > len(PLACES) - 2)
        k = cut(cell, 0, len(PLACES) - 2)
        low, high = PLACES[k], PLACES[k + 1]
        width, rise = high - low, self._level[k + 1, line] - self._level[k, line]
        with np.errstate(invalid="ignore", divide="ignore"):
            share = cut(np.nan_to_num((target - self._level[k, line]) / rise), 0.0, 1.0)
            # slopes of a monotone cubic, at most three times that of the chord
            left, right = (np.minimum(np.nan_to_num(self._rate[at, line] * rise / width), 3.0) for at in (k, k + 1))
        rest = share * (1 - share)
        t = low + width * (share + rest * ((1 - share) * (left - 1) + share * (1 - right)))
        value, slope = self._lines.along(t)
        t, rate, low, high, open_ = _stepped(t, target, value, slope, low, high)
        open_ &= ~beyond
        for _ in range(60):
            rows, columns = np.nonzero(open_)
            if not rows.size:
                break
            value, slope = self._lines.along(t[open_], columns)
            t[open_], rate[open_], low[open_], high[open_], still = _stepped(
                t[open_], levels[rows], value, slope, low[open_], high[open_]
            )
            open_[open_] = still
        return np.where(beyond, np.where(cell < 0, -FAR, FAR), t), np.where(beyond, 0.0, rate)

    def law(self, levels: Floats) -> LevelLaw:
        """Scores of P(L <= l), their slopes, and how far the rules of some nodes are from the rule of all."""
        roots, rate = self.roots(levels)
        below, above = ndtr(roots) @ self._lines.rules, ndtr(-roots) @ self._lines.weight
        chance = below[:, 0]
        score = np.where(chance < above, ndtri(chance), -ndtri(above))
        density = (np.exp(-0.5 * roots * roots) * rate) @ self._lines.weight
        gap = float(np.abs(below[:, 1:] - chance[:, None]).max())
        return LevelLaw(levels, score, density * np.exp(0.5 * score * score), chance, gap)


class LevelLaw(NamedTuple):
    """Of some levels l the score s with P(L <= l) = Phi(s), ds / dl, that probability, and the gap of the rules."""

    level: Floats
    score: Floats
    slope: Floats
    below: Floats
    gap: float


def _stepped(
    t: Floats, target: Floats, value: Floats, slope: Floats, low: Floats, high: Floats
) -> tuple[Floats, Floats, Floats, Floats, NDArray[np.bool_]]:
    """One step by Newton's method inside a bracket, or to its middle: t, dt/dl, the bracket, and what is not found."""
    short = value < target
    low, high = np.where(short, t, low), np.where(short, high, t)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where(slope > 0, 1 / slope, 0.0)
        step = (target - value) * rate
    inside = (t + step >= low) & (t + step <= high) & (slope > 0)
    new = np.where(inside, t + step, 0.5 * (low + high))
    return new, rate, low, high, (np.abs(new - t) > CLOSE) & (high - low > 1e-9)


class LineLaw(NamedTuple):
    """The law of L: its curve along Normal scores, and the estimated error of a probability."""

    curve: ScoreCurve
    error: float
    lines: int


@lru_cache(16)
def line_law(formula: Formula, prevalence: Pair | float, tpr: Pair, tnr: Pair) -> LineLaw:
    """The law of the log odds of a formula; kept, for several metrics have the same.

    The error of a trapezoid rule of an analytic function is e^{-c / step}: if the rule with every second node left out
    is in error by d, the full one is by d^2, of which d^1.5 is believed, and the same of the levels of the curve. Where
    the rule before was off by more than was believed of it, as beside a kink, what is left is what it moved since, as
    if the next moves fell as d does.
    """
    before, error, trusted = None, np.inf, True
    for step in STEPS:
        lines = Lines(formula, prevalence, tpr, tnr, step)
        table = LevelTable(lines)
        tried = table.law(table.levels(TRIED) if before is None else before.level)
        believed = tried.gap**1.5
        if before is not None:
            moved = float(np.abs(tried.below - before.below).max())
            trusted &= moved <= 2 * error
            left = float(np.clip(tried.gap / max(before.gap, LEAST), *FALLS))
            believed = believed if trusted else moved * left / (1 - left)
        error = believed
        if error <= ENOUGH:
            break
        before = tried
    curve, missed = _refined(table, tried, max(ENOUGH, error) / 4)
    return LineLaw(curve, max(error, missed), table.lines)


def _refined(table: LevelTable, known: LevelLaw, enough: float) -> tuple[ScoreCurve, float]:
    """The curve through some levels and through more where it misses them, and how far it may still be off.

    A curve at the middle of a cell has the score of the middle: what the law says of that level tells its error.
    """
    level, score, slope = known[:3]
    curve, known_error = ScoreCurve(level, score, slope), 0.0
    left, right = curve.scores[:-1], curve.scores[1:]
    while True:
        middle = 0.5 * (left + right)
        new = table.law(curve(middle)[0])
        off = HALVED * np.abs(new.score - middle) * np.maximum(np.exp(-0.5 * middle**2) / ROOT, THIN)
        level, score, slope = (np.concatenate(pair) for pair in zip((level, score, slope), new[:3], strict=True))
        order = level.argsort(kind="stable")
        level, score, slope = level[order], score[order], slope[order]
        curve, wide = ScoreCurve(level, score, slope), ~(off <= enough)
        if not wide.any() or level.size * table.lines > MOST_ROOTS:
            return curve, float(off.max(initial=known_error))
        known_error = float(off[~wide].max(initial=known_error))
        left, middle, right = left[wide], new.score[wide], right[wide]
        left, right = np.column_stack((left, middle)).ravel(), np.column_stack((middle, right)).ravel()
