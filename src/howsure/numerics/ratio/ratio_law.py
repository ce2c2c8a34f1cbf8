"""Ratios of two sums that share what they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, Integers, bincount, repeat
from howsure.numerics.beta_sum.sum_law import LinearEngine
from howsure.numerics.ratio.normal_scores import ScoreCurves, ScoreTable, logit_quantile, matched_beta
from howsure.numerics.ratio.probit_curve import TRUSTED, CurvedLaw, ProbitCurve

__all__ = [
    "Fraction",
    "FractionPart",
    "FractionRow",
    "FractionalEngine",
    "TwoParts",
    "fraction_of",
    "two_parts_of",
]


# -- The normal form of a ratio of two linear functionals of the same independent Dirichlet rows -----------------------

#     X = N / D,    N = n0 + sum_i sum_j n_ij p_ij,    D = d0 + sum_i sum_j d_ij p_ij > 0
#
#     P(X <= x) = P(N - x D <= 0),    N - x D = (n0 - x d0) + sum_i sum_j (n_ij - x d_ij) p_ij
#
# so that every probability is one of a linear functional. Cells of a row with the same pair (n_ij, d_ij) are merged,
# and one pair of every row goes into the constants. What is left of a row often lies on a line through the origin,
# (n_ij, d_ij) = s_ij (p, q): then the row enters N and D through the one number sum_j s_ij p_ij, whatever x is, and
# rows with the same direction (p, q) through one number together, a *part*. Precision, F1 and Jaccard of a class have
# two parts: its own row and the sum of all the others.


PARALLEL = 1e-13  # sine of the angle between two directions that are the same but for rounding
MOST_STEPS = 100


@dataclass(frozen=True)
class FractionRow:
    """Distinct pairs of one row, less the first one, with the concentrations that belong to them."""

    n: Floats
    d: Floats
    alpha: Floats

    @property
    def direction(self) -> tuple[float, float] | None:
        """Unit vector (p, q) along which all pairs lie, or None."""
        k = int(np.argmax(np.hypot(self.n, self.d)))
        size = float(np.hypot(self.n[k], self.d[k]))
        p, q = float(self.n[k]) / size, float(self.d[k]) / size
        off_line = np.abs(self.n * q - self.d * p)
        return (p, q) if bool((off_line <= PARALLEL * size).all()) else None


@dataclass(frozen=True)
class FractionPart:
    """A random number ``T`` that adds ``p T`` to the numerator and ``q T`` to the denominator."""

    p: float
    q: float
    law: LinearEngine


@dataclass(frozen=True)
class Fraction:
    """The normal form; rows that are constant have become constants."""

    n0: float
    d0: float
    rows: tuple[FractionRow, ...]

    def functional(self, x: float) -> LinearEngine:
        """Law of ``N - x D``."""
        pairs = [row for row in self.rows if len(row.alpha) == 2]
        wide = [(row.n - x * row.d, row.alpha, 1) for row in self.rows if len(row.alpha) > 2]
        columns = np.array([(r.alpha[1], r.alpha[0], r.n[1] - x * r.d[1]) for r in pairs]).reshape(-1, 3).T
        return LinearEngine(wide, betas=(columns[0], columns[1], columns[2]), shift=self.n0 - x * self.d0)

    @property
    def means(self) -> tuple[float, float]:
        """Means of numerator and denominator."""
        weights = [row.alpha / row.alpha.sum() for row in self.rows]
        n = self.n0 + sum(float(row.n @ w) for row, w in zip(self.rows, weights, strict=True))
        d = self.d0 + sum(float(row.d @ w) for row, w in zip(self.rows, weights, strict=True))
        return n, d

    @property
    def mean(self) -> float:
        """Mean of the ratio, about."""
        n, d = self.means
        return n / d

    @property
    def sd(self) -> float:
        """Standard deviation of the ratio, about (the delta method)."""
        return self.functional(self.mean).sd / self.means[1]

    @property
    def denominator_range(self) -> tuple[float, float]:
        """Smallest and largest value of the denominator."""
        return (
            self.d0 + sum(float(row.d.min()) for row in self.rows),
            self.d0 + sum(float(row.d.max()) for row in self.rows),
        )

    def extreme(self, upper: bool) -> float:
        """Largest (or smallest) value, by the iteration of Dinkelbach (1967): the vertex that is best at the last x.

        The value rises from vertex to vertex, so that the iteration ends; infinite if the denominator vanishes first.
        """
        sign = 1.0 if upper else -1.0
        n, d = self.means
        x = n / d
        for _ in range(MOST_STEPS):
            best = [int(np.argmax(sign * (row.n - x * row.d))) for row in self.rows]
            top = self.n0 + sum(float(row.n[j]) for row, j in zip(self.rows, best, strict=True))
            bottom = self.d0 + sum(float(row.d[j]) for row, j in zip(self.rows, best, strict=True))
            gain = sign * (top - x * bottom)
            if gain <= 1e-15 * (abs(top) + abs(x * bottom)):
                return x
            if bottom <= 0:
                return sign * np.inf
            if sign * (top / bottom - x) <= 0:
                return x
            x = top / bottom
        return x

    def parts(self, most: int = 2) -> tuple[FractionPart, ...] | None:
        """The numbers through which the rows enter; None if there are more than ``most`` or rows off a line."""
        groups: list[tuple[tuple[float, float], list[FractionRow]]] = []
        for row in self.rows:
            direction = row.direction
            if direction is None:
                return None
            p, q = direction
            for (p0, q0), members in groups:
                if abs(p * q0 - q * p0) <= PARALLEL:
                    members.append(row)
                    break
            else:
                groups.append((direction, [row]))
            if len(groups) > most:
                return None
        return tuple(_part(direction, members) for direction, members in groups)


def _part(direction: tuple[float, float], members: Sequence[FractionRow]) -> FractionPart:
    p, q = direction
    rows = [(row.n * p + row.d * q, row.alpha, 1) for row in members]
    return FractionPart(p, q, LinearEngine(rows))


def fraction_of(n: Floats, d: Floats, alphas: Floats, n0: float, d0: float) -> Fraction:
    """Bring coefficients ``n``, ``d`` and concentrations, all of shape (R, J), to the normal form.

    A concentration of 0 marks a cell that cannot occur.
    """
    rows = []
    for n_row, d_row, alpha_row in zip(n, d, alphas, strict=True):
        possible = alpha_row > 0
        pairs, place = np.unique(np.stack((n_row, d_row), axis=1)[possible], axis=0, return_inverse=True)
        n0, d0 = n0 + float(pairs[0, 0]), d0 + float(pairs[0, 1])
        if len(pairs) > 1:
            alpha = bincount(place.ravel(), weights=alpha_row[possible]).astype(float)
            rows.append(FractionRow(pairs[:, 0] - pairs[0, 0], pairs[:, 1] - pairs[0, 1], alpha))
    return Fraction(n0, d0, tuple(rows))


# -- The law of a ratio that depends on two independent random numbers, whatever their laws are ------------------------

#     X = (n0 + p1 T1 + p2 T2) / (d0 + q1 T1 + q2 T2),  monotone in each
#
# With ``T_i`` as functions of Normal scores the points with ``X <= x`` lie on one side of a smooth curve that runs
# from infinity to infinity. In coordinates turned so that X grows along ``t``,
#
#     P(X <= x) = int phi(y) Phi(t(y; x)) dy,
#
# and the trapezoid rule in ``y`` converges exponentially (Trefethen and Weideman, 2014), also for a perfect or an
# empty class: their singularities are at infinity. ``t`` is found by Newton's method on the log odds of the place of
# ``x`` between its ends, in which only positive numbers are added.


REACH, STEP = 8.0, 0.25
PROBES = np.linspace(-3.0, 3.0, 7)  # Normal scores of the points at which the step is judged
HALVINGS, SETTLED = 3, 2e-11
GAIN, CORNER_GAIN = 0.1, 1 / 3  # error of the rule over its distance from that of twice the step
TABLE_ERROR = 1e-11
LIMIT = 12.0  # of t: Phi(-12) is 2e-33
MOST_STEPS_OF_TWO_PARTS = 80
CLOSE, NEGLIGIBLE, SPLIT = 1e-6, 1e-9, 1e-13  # a Newton step that is close leaves its square
ROUNDING = 1e-14
LEAST_TURN = 0.15  # sine of the angle to either score: along an axis the curve may run parallel to it
PAIRS_AT_A_TIME = 1 << 14
NEIGHBOURS = 4
OTHERS = ~np.eye(NEIGHBOURS, dtype=bool)


class TwoParts:
    """Distribution function of the ratio at many points at once."""

    method = "trapezoid rule over two normal scores"

    def __init__(
        self, fraction: Fraction, parts: tuple[FractionPart, FractionPart], signs: tuple[float, float]
    ) -> None:
        self._ends = fraction.extreme(False), fraction.extreme(True)
        tables = [ScoreTable(part.law) for part in parts]
        self.usable = all(table.usable for table in tables)
        # the corners where the ratio is least and greatest, as numerator and denominator; the edges from the first one
        self._least = _corner(fraction, parts, signs)
        self._greatest = _corner(fraction, parts, (-signs[0], -signs[1]))
        edges = [sign * table.width for sign, table in zip(signs, tables, strict=True)]
        self._edges = np.array([(part.p * edge, part.q * edge) for part, edge in zip(parts, edges, strict=True)])
        self.residual = max(table.residual for table in tables)
        self._gain = CORNER_GAIN if any(table.rough for table in tables) else GAIN
        if self.usable:
            self._curves = ScoreCurves(*(table.cells(sign) for table, sign in zip(tables, signs, strict=True)))
            self._turn = self._direction()
            self._refine(fraction)

    def _refine(self, fraction: Fraction) -> None:
        """Halve the step until the rule agrees with that of twice the step, at points all over the law."""
        low, high = self._ends
        a, b = matched_beta(fraction.mean, fraction.sd, low, high)
        probes = low + (high - low) * special.expit(logit_quantile(a, b, PROBES))
        probes = probes[(probes > low) & (probes < high)]
        goal, step = self._goal(probes), STEP
        t: Floats = np.zeros((len(probes), 0))
        for _ in range(HALVINGS + 1):
            half = 2 * round(0.5 * REACH / step)
            self._y: Floats = step * np.arange(-half, half + 1.0)
            self._weight: Floats = np.exp(-0.5 * self._y**2) * step / np.sqrt(2 * np.pi)
            t = self._curve(probes, goal, _between(t) if t.size else np.zeros((len(probes), len(self._y))))
            error = self._summed(t)[2]
            step /= 2
            if error < SETTLED:
                break
        # what `evaluate` starts from; kept to these, so that no answer depends on what was asked before
        distinct = np.isfinite(goal)
        distinct[1:] &= goal[1:] > goal[:-1]
        self._probed: tuple[Floats, Floats] = (goal[distinct], t[distinct])
        self.residual = max(self.residual, error, TABLE_ERROR)

    def _direction(self) -> tuple[float, float]:
        """Direction in which the ratio grows fastest at the medians."""
        u, slope = (each[:, 0] for each in self._curves(np.zeros((2, 1))))
        v = special.expit(u)
        n, d = np.array(self._least) + v @ self._edges
        slopes = (self._edges[:, 0] - n / d * self._edges[:, 1]) * v * (1 - v) * slope
        least = float(np.sqrt(1 - LEAST_TURN**2))
        cosine = min(max(float(slopes[0] / np.hypot(slopes[0], slopes[1])), LEAST_TURN), least)
        return cosine, float(np.sqrt(1 - cosine**2))

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, float]:
        """``P(X <= x)``, ``P(X > x)`` and the estimated error, for ``x`` inside the support; all terms are positive."""
        F, S = np.empty(len(x)), np.empty(len(x))
        error = 0.0
        block = max(1, PAIRS_AT_A_TIME // len(self._y))
        goal = self._goal(x)
        for start in range(0, len(x), block):
            part = slice(start, start + block)
            F[part], S[part], missed = self._summed(self._curve(x[part], goal[part], self._near(goal[part])))
            error = max(error, missed)
        return F, S, error

    def _summed(self, t: Floats) -> tuple[Floats, Floats, float]:
        """The same of curves ``t``, shape (x, y)."""
        below = special.ndtr(t)
        F, S = below @ self._weight, special.ndtr(-t) @ self._weight
        coarse = 2 * (below[:, ::2] @ self._weight[::2])
        # halving the step squares the error of a smooth curve; a sharp bend gains less, a corner a quarter
        return F, S, self._gain * float(np.abs(coarse - F).max(initial=0.0))

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation, by the trapezoid rule in both Normal scores."""
        z = STEP * np.arange(-round(REACH / STEP), round(REACH / STEP) + 1.0)
        weight = np.exp(-0.5 * z * z)
        u = self._curves(np.stack((z, z)))[0]
        n, d = (self._added(i, special.expit(u), special.expit(-u)) for i in (0, 1))
        value = np.clip(n / np.maximum(d, np.finfo(float).tiny), *self._ends)
        joint = np.outer(weight, weight) / weight.sum() ** 2
        mean = float((joint * value).sum())
        return mean, float(np.sqrt((joint * (value - mean) ** 2).sum()))

    def _added(self, i: int, v: Floats, rest: Floats) -> Floats:
        """Numerator (0) or denominator (1) at all pairs of places ``v = 1 - rest``: the least, and what is positive."""
        edges = self._edges[:, i]
        least = self._least[i] + float(np.minimum(edges, 0.0).sum())
        if abs(least) <= ROUNDING * float(np.abs(edges).sum()):
            least = 0.0  # it is where the ratio is 0/0, and a rounding would be divided by a rounding
        terms = [abs(edge) * (up if edge > 0 else down) for edge, up, down in zip(edges, v, rest, strict=True)]
        return np.asarray(least + np.add.outer(*terms))

    def _goal(self, x: Floats) -> Floats:
        """Log odds of the place of ``x`` between the ends."""
        missing, left = x * self._least[1] - self._least[0], self._greatest[0] - x * self._greatest[1]
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(np.maximum(missing, 0.0)) - np.log(np.maximum(left, 0.0)))

    def _near(self, goal: Floats) -> Floats:
        """About the curves at such places: for every ``y`` the cubic through the four nearest that were probed."""
        places, t = self._probed
        if len(places) < NEIGHBOURS:
            return np.zeros((len(goal), len(self._y)))
        first = np.clip(places.searchsorted(goal) - NEIGHBOURS // 2, 0, len(places) - NEIGHBOURS)
        neighbours = first[:, None] + np.arange(NEIGHBOURS)
        at = places.take(neighbours)
        # Lagrange's weights; the distance of a place from itself is left out of the products
        inside = np.clip(goal, at[:, 0] - at[:, 1] + at[:, 0], at[:, -1] - at[:, -2] + at[:, -1])
        distance = np.where(OTHERS, inside[:, None, None] - at[:, None, :], 1.0)
        apart = np.where(OTHERS, at[:, :, None] - at[:, None, :], 1.0)
        weight = (distance / apart).prod(axis=2)
        return np.asarray(np.clip((weight[:, None, :] @ t.take(neighbours, axis=0))[:, 0], -LIMIT, LIMIT))

    def _curve(self, x: Floats, goal: Floats, start: Floats) -> Floats:
        """``t`` on the curve of every ``x`` at every ``y``, shape (x, y), by Newton's method from ``start``."""
        pairs = len(x) * len(self._y)
        t: Floats = np.zeros(pairs)
        # of the pairs that are still sought: their place, and what belongs to each
        place: Integers = np.arange(pairs)
        y: Floats = np.tile(self._y, len(x))
        heavy: Floats = np.tile(self._weight / self._weight.max(), len(x))
        goal = repeat(goal, len(self._y))
        edges: Floats = np.stack([repeat(edge[0] - x * edge[1], len(self._y)) for edge in self._edges])
        here: Floats = start.ravel()
        below: Floats = np.full(pairs, -LIMIT)
        above: Floats = np.full(pairs, LIMIT)
        last: Floats = np.full(pairs, np.inf)
        for _ in range(MOST_STEPS_OF_TWO_PARTS):
            value, slope = self._log_odds(here, y, edges)
            miss = value - goal
            size = np.abs(miss)
            below, above = np.where(miss < 0, here, below), np.where(miss > 0, here, above)
            with np.errstate(divide="ignore", invalid="ignore"):
                new = here - miss / slope
            good = (new >= below) & (new <= above) & (size <= 0.5 * last)
            if not good.all():
                new = np.where(good, new, _halved(here, below, above))
            t[place] = new
            step = np.abs(new - here)
            settled = good & ((step < CLOSE) | (step * heavy < NEGLIGIBLE))
            rest = np.flatnonzero(~settled & (above - below > SPLIT))
            if not len(rest):
                break
            place, edges = place.take(rest), edges.take(rest, axis=1)
            still: list[Floats] = [new, size, y, heavy, goal, below, above]
            here, last, y, heavy, goal, below, above = (each.take(rest) for each in still)
        return t.reshape(len(x), len(self._y))

    def _log_odds(self, t: Floats, y: Floats, edges: Floats) -> tuple[Floats, Floats]:
        """Log of ``sum W v`` over ``sum W (1 - v)``, and its slope along ``t``; weights ``W`` of shape (2, n)."""
        cosine, sine = self._turn
        u, slope = self._curves(np.stack((cosine * t - sine * y, sine * t + cosine * y)))
        up, rest = edges * special.expit(u), special.expit(-u)
        slope *= up
        slope *= rest
        rise = cosine * slope[0] + sine * slope[1]
        rest *= edges
        above, under = up[0] + up[1], rest[0] + rest[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log(above) - np.log(under), rise / above + rise / under


def _between(t: Floats) -> Floats:
    """Curves at the steps of half the size, the new ones between their neighbours."""
    finer = np.empty((len(t), 2 * t.shape[1] - 1))
    finer[:, ::2], finer[:, 1::2] = t, 0.5 * (t[:, 1:] + t[:, :-1])
    return finer


def _halved(here: Floats, below: Floats, above: Floats) -> Floats:
    """Middles of brackets; one that still reaches to the limit is asked there first: most such roots lie beyond it."""
    up, down = (above == LIMIT) & (below > 0) & (here < LIMIT), (below == -LIMIT) & (above < 0) & (here > -LIMIT)
    return np.where(up, LIMIT, np.where(down, -LIMIT, 0.5 * (below + above)))


def _corner(
    fraction: Fraction, parts: tuple[FractionPart, FractionPart], signs: tuple[float, float]
) -> tuple[float, float]:
    """Numerator and denominator where every part is at the end it comes from."""
    ends = [part.law.support[0 if sign > 0 else 1] for part, sign in zip(parts, signs, strict=True)]
    n = fraction.n0 + sum(part.p * end for part, end in zip(parts, ends, strict=True))
    d = fraction.d0 + sum(part.q * end for part, end in zip(parts, ends, strict=True))
    return n, d


def two_parts_of(fraction: Fraction) -> TwoParts | None:
    """The ratio as one of two random numbers, if it is one, monotone in each, and both laws are quick."""
    parts = fraction.parts()
    if parts is None or len(parts) != 2:
        return None
    first, second = parts
    signs = (_growth(fraction, first, second), _growth(fraction, second, first))
    if 0.0 in signs or any(part.law.is_slow for part in parts):
        return None
    made = TwoParts(fraction, (first, second), signs)
    return made if made.usable else None


def _growth(fraction: Fraction, part: FractionPart, other: FractionPart) -> float:
    """Sign of the slope along one part, that of ``p D - q N``, which is linear in the other; 0 if it changes."""
    values = [
        part.p * (fraction.d0 + other.q * end) - part.q * (fraction.n0 + other.p * end) for end in other.law.support
    ]
    size = max(abs(v) for v in values)
    if min(values) >= -1e-14 * size:
        return 1.0
    return -1.0 if max(values) <= 1e-14 * size else 0.0


# -- The law of a ratio of two linear functionals of independent Dirichlet rows, ready to be asked ---------------------


DEAR = 1.8e6  # logarithms from which one of the fifty probabilities of a general ratio costs 30 ms and more
MOST_CELLS = 1000  # of a general ratio: beyond, fifty inversions cost more than drawing


class FractionalEngine(CurvedLaw):
    """Law of ``(n0 + sum n_ij p_ij) / (d0 + sum d_ij p_ij)`` for independent Dirichlet rows ``p_i``.

    ``P(X <= x)`` is a probability of a linear functional, one for each ``x``; where the rows enter through two
    independent numbers all of them come from one integral. A curve through a few dozen of these gives everything else.

    Parameters
    ----------
    n, d, alphas : ndarray, shape (R, J)
        Coefficients of numerator and denominator, and concentrations (0: a cell that cannot occur).
    n0, d0 : float
        Constants.

    Raises
    ------
    ValueError
        A denominator that can be negative or is always 0, or a ratio without a bound.
    """

    def __init__(self, n: Floats, d: Floats, alphas: Floats, n0: float = 0.0, d0: float = 0.0) -> None:
        self._fraction: Fraction = fraction_of(n, d, alphas, n0, d0)
        least, most = self._fraction.denominator_range
        if not (most > 0 and least >= -1e-14 * most):
            raise ValueError("the denominator must be positive")
        low, high = self._fraction.extreme(False), self._fraction.extreme(True)
        if not np.isfinite(low + high):
            raise ValueError("the ratio must be bounded")
        self.is_point: bool = not high - low > 1e-14 * max(abs(low), abs(high), 1e-300)
        self.support: tuple[float, float] = (high, high) if self.is_point else (low, high)
        self._series_error = 0.0

    @property
    def cheap(self) -> bool:
        """Whether the law costs no more than drawing: not a general ratio of many cells, or of nearly empty ones."""
        if self.is_point or self._two_parts is not None:
            return True
        if sum(len(row.alpha) for row in self._fraction.rows) > MOST_CELLS:
            return False
        return self._fraction.functional(self._fraction.mean).price < DEAR

    @property
    def method(self) -> str:
        """How a probability is computed."""
        if self.is_point:
            return "point"
        return "inversion at every point" if self._two_parts is None else self._two_parts.method

    @property
    def residual(self) -> float:
        """Estimated error of the distribution function."""
        if self.is_point:
            return 0.0
        parts = 0.0 if self._two_parts is None else self._two_parts.residual
        fit = self._curve.error if self._curve.usable and self._curve.error <= TRUSTED else 0.0
        return max(self._series_error, parts) + fit

    @cached_property
    def _two_parts(self) -> TwoParts | None:
        return two_parts_of(self._fraction)

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._direct, self._fraction.mean, self._fraction.sd, *self.support)

    # -- probabilities -------------------------------------------------------------------------------------------

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        """``F`` and ``1 - F``; from the integral over two numbers, or one by one and with absolute accuracy only."""
        if self._two_parts is not None:
            F, S, error = self._two_parts.evaluate(x)
            self._series_error = max(self._series_error, error)
            return F, S
        F = np.empty(len(x))
        for i, at in enumerate(x.tolist()):
            law = self._fraction.functional(at)
            low, high = law.support
            F[i] = float(high <= 0) if not low < 0 < high else law.evaluate(np.zeros(1))[0][0]
            self._series_error = max(self._series_error, law.residual)
        return F, 1 - F

    # -- moments ----------------------------------------------------------------------------------------------------

    @property
    def mean(self) -> float:
        """Mean."""
        return self.support[0] if self.is_point else self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return 0.0 if self.is_point else self._moments[1]

    @cached_property
    def _moments(self) -> tuple[float, float]:
        if self._two_parts is not None:
            return self._two_parts.moments
        if self._curve.usable:
            return self._curve.moments
        x = self.quantile((np.arange(400) + 0.5) / 400)  # a law that is all at its ends
        return float(x.mean()), float(x.std())
