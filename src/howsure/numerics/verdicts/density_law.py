"""A law by its density, which an integral tells point by point: panels of Chebyshev series, and their integrals."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.polynomial import chebyshev
from scipy import special

from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.numerics.beta_sum.row_transforms import TooManyNodes
from howsure.numerics.ratio.probit_curve import TRUSTED, CurvedLaw, ProbitCurve

__all__ = [
    "NOWHERE",
    "CarriedNumbers",
    "DensityLaw",
    "Factor",
    "Rule",
    "TwoVerdicts",
    "compatible",
    "crowded_rule",
    "factor",
    "rule",
    "worse_than_chance",
]

FEWER = 0.8  # nodes of the rule that tells the error
WINDOW = 44.0  # e-folds below its greatest value at which the density ends
DEGREE, PANELS = 23, 5
SETTLED, MOST_HALVINGS, MOST_PANELS = 1e-14, 12, 200
ROUNDING, NOWHERE = 1e-13, -1e300

Ends: TypeAlias = tuple[float, float]


class Factor(NamedTuple):
    """A Beta and the ends of the numbers that are not negligible, from 0 and from 1."""

    a: float
    b: float
    low: float
    high: float
    from_high: float

    def log_density(self, r: Floats, rest: Floats) -> Floats:
        """Log density at ``r = 1 - rest``."""
        return np.asarray((self.a - 1) * np.log(r) + (self.b - 1) * np.log(rest) - special.betaln(self.a, self.b))


def factor(a: float, b: float, cut: float) -> Factor:
    """A Beta without the tails beyond ``cut`` e-folds."""
    low, from_high = float(special.betaincinv(a, b, np.exp(-cut))), float(special.betaincinv(b, a, np.exp(-cut)))
    return Factor(a, b, low, 1 - from_high, from_high)


class Rule(NamedTuple):
    """Places u and 1 - u on (0, 1) and weights."""

    u: Floats
    rest: Floats
    weight: Floats


def rule(size: int) -> Rule:
    """Gauss-Legendre in an angle: right for powers that are multiples of 1/2 at the ends."""
    v, w = np.polynomial.legendre.leggauss(size)
    angle = np.pi / 4 * (v + 1)
    return Rule(np.sin(angle) ** 2, np.cos(angle) ** 2, np.pi / 4 * w * np.sin(2 * angle))


def crowded_rule(size: int) -> Rule:
    """Nodes that crowd at the ends with the fourth power, where there are logarithms and corners."""
    v, w = np.polynomial.legendre.leggauss(size)
    v, rest = (1 + v) / 2, (1 - v) / 2
    u = v**4 * (35 - v * (84 - v * (70 - 20 * v)))
    down = rest**4 * (35 - rest * (84 - rest * (70 - 20 * rest)))
    return Rule(u, down, 70 * w * (v * rest) ** 3)


class DensityLaw(CurvedLaw):
    """A law on (0, 1) with a density that is smooth inside."""

    support = (0.0, 1.0)

    @abstractmethod
    def _log_density(self, x: Floats, fewer: float = 1.0) -> Floats:
        """Log density inside (0, 1), by rules of ``fewer`` times their nodes."""

    def _place_panels(self, hint: float) -> float:
        """Find where the density is and lay out series of it, halving those that have not settled; log of its total."""
        window = self._window(hint)
        if window is None:
            return NOWHERE
        low, high, top = window
        t = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
        to_series = np.linalg.inv(chebyshev.chebvander(t, DEGREE))
        edges = np.linspace(low, high, PANELS + 1)
        todo: list[Ends] = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        done: list[tuple[Ends, Floats]] = []
        most = left = 0.0
        for round_ in range(MOST_HALVINGS + 1):
            ends = np.array(todo)
            width = np.diff(ends, axis=1)
            x = ends[:, :1] + width * (1 + t) / 2
            series = np.exp(self._log_density(x.ravel()) - top).reshape(x.shape) @ to_series.T
            most = max(most, float(np.abs(series[:, 0]).max()))
            miss = np.abs(series[:, -3:]).max(axis=1) * width[:, 0]
            rough = miss > SETTLED * most * (high - low)
            if round_ == MOST_HALVINGS or len(done) + 2 * len(todo) > MOST_PANELS:
                left, rough = float(miss.sum()), np.zeros(len(rough), bool)
            done += [(todo[k], series[k]) for k in np.flatnonzero(~rough).tolist()]
            todo = [half for k in np.flatnonzero(rough).tolist() for half in _halves(*todo[k])]
            if not todo:
                break
        done.sort(key=lambda panel: panel[0])
        self._edges = np.array([a for (a, _), _ in done] + [high])
        self._series = np.array([c for _, c in done])
        half = np.diff(self._edges)[:, None] / 2
        rising = np.array([chebyshev.chebint(c, lbnd=-1) for c in self._series]) * half
        falling = -np.array([chebyshev.chebint(c, lbnd=1) for c in self._series]) * half
        mass = rising.sum(axis=1)
        total = float(mass.sum())
        self._unsettled = left / total
        self._rising, self._falling, self._total = rising / total, falling / total, total
        self._before = np.concatenate(([0.0], np.cumsum(mass)[:-1])) / total
        self._behind = np.concatenate((np.cumsum(mass[::-1])[::-1][1:], [0.0])) / total
        return float(np.log(total)) + top

    def _window(self, hint: float) -> tuple[float, float, float] | None:
        """Where the density is not negligible, and about its greatest logarithm; None if nowhere."""
        x = np.sort(np.append(np.linspace(0.5, 31.5, 32) / 32, np.clip(hint, 1e-4, 1 - 1e-4)))
        log = self._log_density(x, 0.5)
        for _ in range(30):
            best = int(np.argmax(log))
            top = float(log[best])
            if top <= NOWHERE:
                return None
            inside = np.flatnonzero(log > top - WINDOW)
            first, last = int(inside[0]), int(inside[-1])
            low = x[first - 1] if first else 0.0
            high = x[last + 1] if last + 1 < len(x) else 1.0
            if last - first >= 7:
                break
            x = low + (high - low) * (np.arange(17) + 0.5) / 17
            log = self._log_density(x, 0.5)
        return float(low), float(high), top

    def _basis(self, x: Floats) -> tuple[Integers, Floats]:
        """Panel of each point, and the Chebyshev polynomials there."""
        k = np.clip(np.searchsorted(self._edges, x, side="right") - 1, 0, len(self._series) - 1)
        left, right = self._edges[k], self._edges[k + 1]
        return k, chebyshev.chebvander(np.clip((2 * x - left - right) / (right - left), -1.0, 1.0), DEGREE + 1)

    def _direct(self, x: Floats) -> tuple[Floats, Floats]:
        k, basis = self._basis(x)
        F = self._before[k] + (basis * self._rising[k]).sum(axis=1)
        S = self._behind[k] + (basis * self._falling[k]).sum(axis=1)
        low, high = self._edges[0], self._edges[-1]
        return np.where(x <= low, 0.0, np.clip(F, 0, 1)), np.where(x >= high, 0.0, np.clip(S, 0, 1))

    def pdf(self, x: Floats) -> Floats:
        """Density; 0 where it is less than 1e-19 of the greatest."""
        flat, result = x.ravel(), np.zeros(x.size)
        inside = (flat > self._edges[0]) & (flat < self._edges[-1])
        k, basis = self._basis(flat[inside])
        result[inside] = (basis[:, :-1] * self._series[k]).sum(axis=1) / self._total
        return np.maximum(result, 0.0).reshape(x.shape)

    @cached_property
    def _curve(self) -> ProbitCurve:
        return ProbitCurve(self._direct, *self._moments, *self.support)

    @cached_property
    def residual(self) -> float:
        """Estimated error of the distribution function."""
        x = self.quantile(np.array([0.025, 0.3, 0.7, 0.975]))
        x = np.clip(x, np.nextafter(self._edges[0], 1), np.nextafter(self._edges[-1], 0))
        fine, coarse = self._log_density(x), self._log_density(x, FEWER)
        gap = float(np.abs(np.expm1(coarse - fine)).max())
        return gap + self._unsettled + ROUNDING + (self._curve.error if self._curve.error <= TRUSTED else 0.0)

    @cached_property
    def _moments(self) -> tuple[float, float]:
        t, w = np.polynomial.legendre.leggauss(DEGREE + 2)
        half = np.diff(self._edges)[:, None] / 2
        x = self._edges[:-1, None] + half * (1 + t)
        weight = (self._series @ chebyshev.chebvander(t, DEGREE).T) * w * half / self._total
        mean = float((weight * x).sum())
        return mean, float(np.sqrt((weight * (x - mean) ** 2).sum()))

    @property
    def mean(self) -> float:
        """Mean."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation."""
        return self._moments[1]


def _halves(a: float, b: float) -> tuple[Ends, Ends]:
    return (a, (a + b) / 2), ((a + b) / 2, b)


# -- Rates that are carried over from elsewhere, and two verdicts of a case --------------------------------------------


# -- The share of a class among cases with two verdicts: its density as a double integral ------------------------------

# For ``theta = q r_1 + (1 - q) r_0`` with q, r_1 and r_0 independent Betas, the rate that counts for more is told by
# the others:
#
#     g(x) = int h_q(q) int h_0(r) h_1((x - (1 - q) r) / q) / q dr dq      where q is above 1/2,
#
# and the same with both exchanged below. At q = x and q = 1 - x both rates reach an end together: the outer integral
# is split there, and its nodes crowd there where the parameters of these ends are small.


CUT = 32.0  # e-folds
OUTER, CROWDED, INNER = 64, 72, 56  # nodes
BLUNT = 30.0  # sum of the parameters at a corner from which it is not felt
BATCH = 16_000


class TwoVerdicts(DensityLaw):
    """Law of ``q r_1 + (1 - q) r_0``.

    Parameters
    ----------
    share, first, second : (float, float)
        Beta parameters of q, r_1 and r_0.
    """

    def __init__(self, share: tuple[float, float], first: tuple[float, float], second: tuple[float, float]) -> None:
        self._share, self._first, self._second = (factor(*each, CUT) for each in (share, first, second))
        self._corners = first[1] + second[0], first[0] + second[1]
        q = share[0] / sum(share)
        self._place_panels(q * first[0] / sum(first) + (1 - q) * second[0] / sum(second))

    @cached_property
    def _moments(self) -> tuple[float, float]:
        """Closed, as those of any sum over verdicts."""
        (q, q_variance), *rates = (_moments_of(each) for each in (self._share, self._first, self._second))
        (one, one_variance), (two, two_variance) = rates
        variance = q_variance * (one - two) ** 2
        variance += (q * q + q_variance) * one_variance + ((1 - q) ** 2 + q_variance) * two_variance
        return q * one + (1 - q) * two, float(np.sqrt(variance))

    def _log_density(self, x: Floats, fewer: float = 1.0) -> Floats:
        q = self._share
        rough = min(self._corners) < BLUNT
        outer = crowded_rule(int(CROWDED * fewer)) if rough else rule(int(OUTER * fewer))
        inner = crowded_rule(int(INNER * fewer)) if min(self._corners) < 4 else rule(int(INNER * fewer))
        ends = [np.full(len(x), q.low), np.full(len(x), q.high)]
        ends += [at for at, corner in zip((x, 1 - x), self._corners, strict=True) if corner < BLUNT]
        edges = np.sort(np.clip(np.stack(ends, axis=1), q.low, q.high), axis=1)
        row, panel = np.nonzero(np.diff(edges, axis=1) > 0)
        start, stop = edges[row, panel, None], edges[row, panel + 1, None]
        at = start + (stop - start) * outer.u
        rest = np.where(stop == q.high, q.from_high, 1 - stop) + (stop - start) * outer.rest
        log = np.full(at.shape, NOWHERE)
        share = np.broadcast_to(x[row, None], at.shape)
        upper = at >= 0.5
        log[upper] = _inner(share[upper], rest[upper], self._second, self._first, inner)
        log[~upper] = _inner(share[~upper], at[~upper], self._first, self._second, inner)
        log += q.log_density(at, rest) + np.log((stop - start) * outer.weight)
        top = np.full(len(x), NOWHERE)
        np.maximum.at(top, row, log.max(axis=1))
        total = bincount(row, np.exp(log - top[row, None]).sum(axis=1), len(x))
        with np.errstate(divide="ignore"):
            return np.asarray(top + np.log(total))


def _moments_of(beta: Factor) -> tuple[float, float]:
    total = beta.a + beta.b
    return beta.a / total, beta.a * beta.b / (total * total * (total + 1))


def _inner(x: Floats, w: Floats, own: Factor, other: Factor, nodes: Rule) -> Floats:
    """``log int h(r) h'((x - w r) / (1 - w)) / (1 - w) dr``, with w up to 1/2."""
    with np.errstate(over="ignore"):
        by_low, by_high = (x - (1 - w) * other.low) / w, (1 - x - (1 - w) * other.from_high) / w
    high_cut, low_cut = by_low < own.high, by_high < 1 - own.low
    low = np.where(low_cut, 1 - by_high, own.low)
    from_high = np.where(high_cut, 1 - by_low, own.from_high)
    # of the other rate where r is greatest, and of its complement where r is least
    least = np.where(high_cut, other.low, (x - w * own.high) / (1 - w))
    rest_least = np.where(low_cut, other.from_high, (1 - x - w * (1 - own.low)) / (1 - w))
    result = np.full(len(x), NOWHERE)
    at = np.flatnonzero(np.where(high_cut, by_low, own.high) > low)
    rows = max(1, BATCH // len(nodes.u))
    for k in range(0, len(at), rows):
        part = at[k : k + rows]
        span = np.where(high_cut, by_low, own.high)[part, None] - low[part, None]
        step, back = span * nodes.u, span * nodes.rest
        slope = (w / (1 - w))[part, None]
        log = own.log_density(low[part, None] + step, from_high[part, None] + back)
        step *= slope
        back *= slope
        log += other.log_density(least[part, None] + back, rest_least[part, None] + step)
        top = log.max(axis=1)
        log -= top[:, None]
        result[part] = top + np.log((np.exp(log, out=log) @ nodes.weight) * span[:, 0] / (1 - w[part]))
    return result


# -- The prevalence behind the verdicts of a judge whose rates are known from elsewhere --------------------------------

# With ``k`` of ``N`` cases called positive, theta flat on [0, 1], sensitivity s and false positive rate f from a
# calibration, the density of theta is that of the share called positive, ``p = x s + (1 - x) f``, averaged over both:
#
#     g(x) = E L(x s + (1 - x) f),      L = density of Beta(k + 1, N - k + 1).
#
# For x up to 1/2 the inner integral is that over f (above, over s), from end to end of where both f and p are not
# negligible, whichever is narrower: so one rule serves 20 cases and 1,000,000. The outer one is split where these ends
# bend. Nothing is divided by ``s - f``: a judge worse than chance is no special case. The density is analytic in x,
# and a few panels of Chebyshev series tell its integral.


#: Nodes of one integral and e-folds beyond which factors are cut, by how much calibration and verdicts contradict.
EFFORTS = ((64, 38.0), (128, 150.0), (256, 600.0))
LEFT = 30.0  # e-folds between what the contradiction costs and the cut
BATCH_OF_CARRIED = 16_000  # numbers of one array


class CarriedNumbers(DensityLaw):
    """Law of the prevalence.

    Parameters
    ----------
    positives, cases : float
        ``k`` and ``N``.
    recall, specificity : (float, float)
        Beta parameters of the rates of the judge.
    """

    def __init__(
        self, positives: float, cases: float, recall: tuple[float, float], specificity: tuple[float, float]
    ) -> None:
        self._called = positives + 1.0, cases - positives + 1.0
        self._recall, self._false = recall, specificity[::-1]
        spread = _mean(self._recall) - _mean(self._false)
        hint = (_mean(self._called) - _mean(self._false)) / spread if spread else 0.5
        for size, cut in EFFORTS:
            self._size, self._cut = size, cut
            if self._place_panels(hint) > LEFT - cut:
                return
        raise TooManyNodes(
            f"{positives:g} of {cases:g} called positive contradict the calibration of the judge utterly: "
            "no prevalence explains them; check which class is the positive one"
        )

    # -- density -------------------------------------------------------------------------------------------------

    def _log_density(self, x: Floats, fewer: float = 1.0) -> Floats:
        """``log g`` inside (0, 1)."""
        nodes = rule(int(self._size * fewer))
        called, recall, false = (factor(*each, self._cut) for each in (self._called, self._recall, self._false))
        result = np.empty(len(x))
        near_one = x > 0.5
        result[~near_one] = _averaged(x[~near_one], called, recall, false, nodes)
        result[near_one] = _averaged(1 - x[near_one], called, false, recall, nodes)
        return result


def compatible(positives: float, cases: float, recall: tuple[float, float], specificity: tuple[float, float]) -> float:
    """``P(1 - sp <= p <= se)`` where the share called positive and the rates are learned apart."""
    false = specificity[::-1]
    p, rest, weight = _beta_nodes(positives + 1.0, cases - positives + 1.0, recall, false)
    return float(weight @ (special.betainc(*false, p) * special.betainc(*recall[::-1], rest)))


def worse_than_chance(recall: tuple[float, float], specificity: tuple[float, float]) -> float:
    """``P(se + sp < 1)`` by the calibration alone."""
    f, _, weight = _beta_nodes(*specificity[::-1], recall)
    return float(weight @ special.betainc(*recall, f))


def _averaged(x: Floats, called: Factor, own: Factor, other: Factor, nodes: Rule) -> Floats:
    """``log int h(s) int h'(f) L(x s + (1 - x) f) df ds`` for x up to 1/2."""
    # the inner integral bends where an end of the share called positive meets an end of f
    with np.errstate(divide="ignore", over="ignore"):
        met = [called.low / x, (1 - called.from_high) / x, 1 - (1 - called.low) / x, 1 - called.from_high / x]
    ends = np.stack([np.zeros_like(x), *met, np.ones_like(x)], axis=1)
    ends = np.sort(np.clip(ends, own.low, own.high), axis=1)
    row, panel = np.nonzero(np.diff(ends, axis=1) > 0)
    start, stop = ends[row, panel, None], ends[row, panel + 1, None]
    s = start + (stop - start) * nodes.u
    s_rest = np.where(stop == own.high, own.from_high, 1 - stop) + (stop - start) * nodes.rest
    share = x[row, None]
    low = np.maximum(other.low, (called.low - share * s) / (1 - share))
    from_high = np.maximum(other.from_high, (called.from_high - share * s_rest) / (1 - share))
    span = 1 - from_high - low
    log = np.full(s.shape, -np.inf)
    kept = span > 0
    log[kept] = _inner_carried(
        np.broadcast_to(share, s.shape)[kept], s[kept], s_rest[kept], low[kept], from_high[kept], called, other, nodes
    )
    log += own.log_density(s, s_rest) + np.log((stop - start) * nodes.weight)
    top = np.full(len(x), -np.inf)
    np.maximum.at(top, row, log.max(axis=1))
    top = np.maximum(top, NOWHERE)
    total = bincount(row, np.exp(log - top[row, None]).sum(axis=1), len(x))
    with np.errstate(divide="ignore"):
        return np.asarray(top + np.log(total))


def _inner_carried(
    x: Floats, s: Floats, s_rest: Floats, low: Floats, from_high: Floats, called: Factor, other: Factor, nodes: Rule
) -> Floats:
    """``log int h'(f) L(x s + (1 - x) f) df`` from ``low`` to ``1 - from_high``."""
    result = np.empty(len(x))
    rows = max(1, BATCH_OF_CARRIED // len(nodes.u))
    for k in range(0, len(x), rows):
        part = slice(k, k + rows)
        start, rest = low[part, None], from_high[part, None]
        span, share = 1 - rest - start, x[part, None]
        f, f_rest = start + span * nodes.u, rest + span * nodes.rest
        log = other.log_density(f, f_rest)
        f *= 1 - share
        f_rest *= 1 - share
        f += share * s[part, None]
        f_rest += share * s_rest[part, None]
        log += called.log_density(f, f_rest)
        top = log.max(axis=1)
        log -= top[:, None]
        result[part] = top + np.log((np.exp(log, out=log) @ nodes.weight) * span[:, 0])
    return result


def _mean(beta: tuple[float, float]) -> float:
    return beta[0] / (beta[0] + beta[1])


def _beta_nodes(a: float, b: float, *others: tuple[float, float]) -> tuple[Floats, Floats, Floats]:
    """Values, complements and weights of a Beta by the trapezoid rule in the logit, fine enough for other Betas too."""
    s = min(np.sqrt(1 / c + 1 / d) for c, d in ((a, b), *others))
    left, right = (37 / x + 2 + 9.0 * np.sqrt(1 / a + 1 / b) for x in (a, b))
    step = max(min(0.2, s / 3), (left + right) / 20_000)
    k = np.arange(-int(np.ceil(left / step)), int(np.ceil(right / step)) + 1)
    y = np.log(a / b) + step * k
    log = -a * np.logaddexp(0, -y) - b * np.logaddexp(0, y)
    weight = np.exp(log - log.max())
    weight /= weight.sum()
    kept = weight > 1e-18
    return special.expit(y[kept]), special.expit(-y[kept]), weight[kept]
