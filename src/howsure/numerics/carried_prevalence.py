"""The prevalence behind the verdicts of a judge whose rates are known from elsewhere.

With ``k`` of ``N`` cases called positive, theta flat on [0, 1], sensitivity s and false positive rate f, its density is
that of the share called positive, ``p = x s + (1 - x) f``, averaged over both:

    g(x) = E L(x s + (1 - x) f),      L = density of Beta(k + 1, N - k + 1).

The inner integral is that over f up to x = 1/2 (above, over s), from end to end of where both f and p are not
negligible. Nothing is divided by ``s - f``: a judge worse than chance is no special case.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.beta_sum.transforms import TooManyNodes
from howsure.numerics.populations.logit_laws import NODES, UNRESOLVED, VALUES, WEIGHTS, LogitLaw

FEWER = 0.8  # nodes of the rule that tells the error
WINDOW = 44.0  # e-folds below its greatest value at which the density ends
ROUNDING, NOWHERE = 1e-13, -1e300
#: Nodes of one integral and e-folds beyond which factors are cut, by how much calibration and verdicts contradict.
EFFORTS = ((64, 38.0), (128, 150.0), (256, 600.0))
LEFT = 30.0  # e-folds between what the contradiction costs and the cut
BATCH = 16_000  # numbers of one array
#: Edges of panels beside the middle of the logits, in their sd, and the farthest logit from there at which one ends.
BESIDE, FARTHEST = np.array([-6.0, -3.0, -1.0, 1.0, 3.0, 6.0]), 30.0


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


class CarriedNumbers(LogitLaw):
    """Law of the prevalence behind ``positives`` of ``cases``, by a judge with Beta rates of these parameters."""

    def __init__(
        self, positives: float, cases: float, recall: tuple[float, float], specificity: tuple[float, float]
    ) -> None:
        super().__init__(0.0, 1.0)
        self._called = positives + 1.0, cases - positives + 1.0
        self._recall, self._false = recall, specificity[::-1]
        spread = _mean(self._recall) - _mean(self._false)
        hint = (_mean(self._called) - _mean(self._false)) / spread if spread else 0.5
        for size, cut in EFFORTS:
            self._size, self._cut = size, cut
            edges = self._first_edges(hint)
            if edges is not None and self._log_total > LEFT - cut:
                break
        else:
            raise TooManyNodes(
                f"{positives:g} of {cases:g} called positive contradict the calibration of the judge utterly: "
                "no prevalence explains them; check which class is the positive one"
            )
        self._resolve(edges)
        beyond = [float(self._density(edges[[k]])[0]) for k in (0, -1)]  # the density of theta is level out there
        self._log_total += float(np.log(self._integrate(*beyond)))
        halves = self._halves[:, None]
        at = special.expit(self._edges[:-1, None] + halves * (1 + NODES))
        weight = np.maximum(self._series @ VALUES.T, 0.0) * WEIGHTS * halves
        self.mean = float((weight * at).sum())
        self.sd = self._z_sd = float(np.sqrt((weight * (at - self.mean) ** 2).sum()))

    def _first_edges(self, hint: float) -> Floats | None:
        """Edges of panels where the density is not negligible, None if nowhere; notes about the log of its total."""
        x = np.sort(np.append(np.linspace(0.5, 31.5, 32) / 32, np.clip(hint, 1e-4, 1 - 1e-4)))
        log = self._log_density(x, 0.5)
        for _ in range(30):
            best = int(np.argmax(log))
            if log[best] <= NOWHERE:
                return None
            inside = np.flatnonzero(log > log[best] - WINDOW)
            first, last = int(inside[0]), int(inside[-1])
            low, high = x[first - 1] if first else 0.0, x[last + 1] if last + 1 < len(x) else 1.0
            if last - first >= 7:
                break
            x = low + (high - low) * (np.arange(17) + 0.5) / 17
            log = self._log_density(x, 0.5)
        mass = np.exp(log - log[best]) * np.gradient(x)
        self._log_total = float(log[best] + np.log(mass.sum()))
        logits = special.logit(x)
        middle = float(mass @ logits / mass.sum())
        sd = float(np.sqrt(mass @ (logits - middle) ** 2 / mass.sum()))
        start, stop = np.clip(special.logit(np.array([low, high])), middle - FARTHEST, middle + FARTHEST)
        around = middle + sd * BESIDE
        return np.concatenate(([start], around[(around > start) & (around < stop)], [stop]))

    def _density(self, t: Floats) -> Floats:
        x = special.expit(t)
        return np.asarray(np.exp(self._log_density(x) - self._log_total) * x * special.expit(-t))

    def _log_density(self, x: Floats, fewer: float = 1.0) -> Floats:
        nodes = rule(int(self._size * fewer))
        called, recall, false = (factor(*each, self._cut) for each in (self._called, self._recall, self._false))
        result = np.empty(len(x))
        near_one = x > 0.5
        result[~near_one] = _averaged(x[~near_one], called, recall, false, nodes)
        result[near_one] = _averaged(1 - x[near_one], called, false, recall, nodes)
        return result

    @cached_property
    def _ends(self) -> tuple[float, float]:
        at_zero, at_one = np.exp(self._log_density(np.array([1e-12, 1 - 1e-12])) - self._log_total).tolist()
        return at_zero, at_one

    @cached_property
    def residual(self) -> float:
        """Estimated error of the distribution function."""
        x = np.clip(self.quantile(np.array([0.025, 0.3, 0.7, 0.975])), 1e-12, 1 - 1e-12)
        gap = self._log_density(x, FEWER) - self._log_density(x)
        return float(np.abs(np.expm1(gap)).max()) + UNRESOLVED + ROUNDING


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
    rows = max(1, BATCH // len(nodes.u))
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
