"""The axis on which laws are ranked, cut into panels: Betas, laws of any kind, entries of a learned population."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, expit, ndtr

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.peaks import beta_cdf, beta_quantile, beta_sf

# -- The axis on which laws are ranked, cut into panels on which all of them are smooth; Betas on it -------------------

# A rank is decided where an entry meets its competitors. A supplier of entries walks its axis from left to right and
# hands out `RankPanel`s; on each, only the entries that have mass there are active, and the others count as surely
# above or surely below. `BetaEntries` works in logit(x), where a Beta density is analytic whatever its parameters.


NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
TAIL = 1e-13  # an entry is active between its quantiles TAIL and 1 - TAIL
SPAN_OF_A_DENSITY = 3.5  # longest panel in sd of its narrowest active entry; 4.2 loses seven digits
SPAN_OF_A_RANK = 5.5  # longest panel in widths of the density of one order statistic


@dataclass(frozen=True, slots=True)
class RankPanel:
    """A piece of the axis: the active entries, and at its nodes their CDF, survival and probability mass."""

    active: NDArray[np.intp]
    certain: int  # entries surely above the whole panel
    below: Floats  # (active, nodes) P(entry <= node)
    above: Floats  # (active, nodes) P(entry > node)
    mass: Floats  # (active, nodes) density times quadrature weight


def panel_edges(
    lower: Floats,
    upper: Floats,
    centre: Floats,
    scale: Floats,
    cuts: Floats,
    fineness: float,
    longest: Callable[[float], float] | None = None,
) -> Floats:
    """Walk the axis and return the panels as rows (left, right).

    A panel is no longer than `SPAN_OF_A_DENSITY` times its narrowest active scale, and than `SPAN_OF_A_RANK` times
    sqrt(sum F(1-F)) / sum f, the width of one rank's density: over it the number of entries above x changes by one
    standard deviation. Windows [lower, upper] say who is active, Normal laws stand in for F and f, no panel straddles
    one of the `cuts`, and `longest` bounds the length of the panel that begins at a position.
    """
    panels = []
    position, end = lower.min(), upper.max()
    while position < end:
        active = (lower <= position) & (upper > position)
        if not active.any():
            position = lower[lower > position].min()
            continue
        z = (position - centre[active]) / scale[active]
        below = ndtr(z)
        crowding = np.sum(np.exp(-0.5 * z * z) / scale[active]) / np.sqrt(2 * np.pi)
        rank_width = np.sqrt(np.sum(below * (1 - below)) + 0.1) / max(crowding, 1e-300)
        step = min(SPAN_OF_A_DENSITY * scale[active].min(), SPAN_OF_A_RANK * rank_width)
        if longest is not None:
            step = min(step, longest(position))
        step *= fineness
        newcomers = (lower > position) & (lower < position + step)
        if newcomers.any():  # stop where a narrow one begins, unless the panel is short enough for it anyway
            short = fineness * SPAN_OF_A_DENSITY * scale[newcomers].min()
            step = min(step, max(lower[newcomers].min() - position, short))
        right = min(position + step, end)
        ahead = cuts[cuts > position]
        if ahead.size:
            right = min(right, ahead.min())
        if right <= position:  # the step is below the resolution of the axis
            right = np.nextafter(position, np.inf)
        panels.append((position, right))
        position = right
    return np.array(panels).reshape(-1, 2)


class BetaEntries:
    """Independent Betas on the axis u = logit(x); a = 0 is the point mass at 0, b = 0 the one at 1.

    The density of u is proportional to x^a (1-x)^b, without a singular end for any a, b > 0. It is written around the
    mean, log density = a (d - l) - b l with d = u - logit(mean) and l = log(1 + mean (e^d - 1)), so that nothing
    cancels at counts of 1e9; its constant is left to the normalisation of the rows.
    """

    def __init__(self, a: Floats, b: Floats) -> None:
        self.a, self.b = np.asarray(a, float), np.asarray(b, float)
        with np.errstate(divide="ignore"):
            self.centre = np.log(self.a) - np.log(self.b)
            self.scale = np.sqrt(1 / self.a + 1 / self.b)
        self.atom = np.isinf(self.centre)
        self.lower, self.upper = self.centre.copy(), self.centre.copy()
        wide = ~self.atom
        self.lower[wide] = tail_in_logit(self.a[wide], self.b[wide])
        self.upper[wide] = -tail_in_logit(self.b[wide], self.a[wide])
        self.same = np.unique(np.column_stack((self.a, self.b)), axis=0, return_inverse=True)[1].ravel()

    def probabilities_at(self, points: Floats, entries: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """F and S of the entries at points of the axis, each entry (row) at each point (column)."""
        a, b = self.a[entries, None], self.b[entries, None]
        right = points > self.centre[entries, None]  # compute the smaller of the two: one call, no cancellation
        p, q = np.where(right, b, a), np.where(right, a, b)
        inward = np.where(right, -points, points)
        # 1 - x beside 1 has lost its digits, x has not: counts of 1e15, all of them right, are that near to an end
        small, p, q = np.empty(inward.shape), *np.broadcast_arrays(p, q)
        far = inward > 0
        small[~far] = beta_cdf(p[~far], q[~far], expit(inward[~far]))
        small[far] = beta_sf(q[far], p[far], expit(-inward[far]))
        extreme = inward < -500  # x underflows: its leading power x^p / (p B(p, q)) is exact there
        if extreme.any():
            p, q = p[extreme], q[extreme]
            small[extreme] = np.exp(p * inward[extreme] - np.log(p) - betaln(p, q))
        return np.where(right, 1 - small, small), np.where(right, small, 1 - small)

    def panels(self, fineness: float) -> Iterator[RankPanel]:
        """Hand out the panels from left to right."""
        wide = ~self.atom
        if not wide.any():
            return
        windows = self.lower[wide], self.upper[wide], self.centre[wide], self.scale[wide]
        mean, rest = self.a / (self.a + self.b), self.b / (self.a + self.b)
        for left, right in panel_edges(*windows, np.empty(0), fineness, longest_in_logit):
            active = np.flatnonzero((self.lower < right) & (self.upper > left) & wide)
            half = (right - left) / 2
            u = left + half * (1 + NODES)
            # a long board has many equal entries, asked once
            first, twin = np.unique(self.same[active], return_index=True, return_inverse=True)[1:]
            below, above = (x[twin.ravel()] for x in self.probabilities_at(u, active[first]))
            a, b = self.a[active, None], self.b[active, None]
            d = u - self.centre[active, None]
            with np.errstate(over="ignore"):
                # l, and d - l, each from the smaller share
                lift = np.where(d < 500, np.log1p(mean[active, None] * np.expm1(d)), d + np.log(mean[active, None]))
                drop = np.where(d > -500, -np.log1p(rest[active, None] * np.expm1(-d)), d - np.log(rest[active, None]))
            high = mean[active, None] > 0.5
            mass = np.exp(a * np.where(high, drop, d - lift) - b * np.where(high, d - drop, lift)) * (half * WEIGHTS)
            yield RankPanel(active, int(np.sum(self.lower >= right)), below, above, mass)


def longest_in_logit(position: float) -> float:
    """Length of a panel on which log(1 + e^u), with its singularities at u = +-i pi, is smooth to 16 nodes."""
    return 5 + abs(position) / 2


def tail_in_logit(a: Floats, b: Floats, tail: float = TAIL) -> Floats:
    """Logit of the lower ``tail`` quantile of Beta(a, b), also where the quantile itself underflows."""
    leading = (np.log(tail) + np.log(a) + betaln(a, b)) / a
    x = beta_quantile(a, b, tail)
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(leading < -100, leading, np.log(x) - np.log1p(-x)))


# -- Laws of any kind on the real axis, as entries to be ranked --------------------------------------------------------


EDGES_AND_NODES = np.concatenate(([-1.0], NODES, [1.0]))
MASS_ERROR = 1e-11  # a panel is bisected until no density misses its own CDF by more
MOST_WRONG = 20_000  # panels at once; kinks and singular ends spoil a few per law, a wrong density spoils all


class RankedLaw(Protocol):
    """What a law must offer to be ranked."""

    @property
    def sd(self) -> float:
        """Return the standard deviation; 0 for a point mass."""

    def cdf(self, x: Floats, /) -> Floats:
        """Return P(X <= x)."""

    def sf(self, x: Floats, /) -> Floats:
        """Return P(X > x)."""

    def pdf(self, x: Floats, /) -> Floats:
        """Return the derivative of the CDF."""

    def quantile(self, p: Floats, /) -> Floats:
        """Return the inverse of the CDF."""


class LawEntries:
    """Any independent laws on the real axis, asked for values only on whole batches of nodes.

    Panels are bisected until the Gauss rule has F(right) - F(left) of every active law within `MASS_ERROR`, and
    densities are scaled to exactly that mass: at a singular end an error of the order of the mass squared is left.
    """

    def __init__(self, laws: Sequence[RankedLaw]) -> None:
        self.laws = laws
        self.scale = np.array([law.sd for law in laws], float)
        ends = np.array([np.asarray(law.quantile(np.array([TAIL, 0.5, 1 - TAIL])), float) for law in laws])
        self.lower, self.centre, self.upper = ends.T.copy()
        self.atom = self.scale == 0
        if not np.all(np.isfinite(ends[:, 1])) or not np.all(np.isfinite(self.scale)):
            raise ValueError("a law to be ranked needs a finite median and a finite sd")
        self.lower[self.atom] = self.upper[self.atom] = self.centre[self.atom]
        self._tables: dict[float, tuple[Floats, Floats, Floats, Floats]] = {}
        self.same = self._group_equal()

    def probabilities_at(self, points: Floats, entries: NDArray[np.intp]) -> tuple[Floats, Floats]:
        """F and S of the entries at points of the axis, each entry (row) at each point (column)."""
        below = [self.laws[i].cdf(points) for i in entries]
        above = [self.laws[i].sf(points) for i in entries]
        return np.array(below).reshape(len(entries), -1), np.array(above).reshape(len(entries), -1)

    def panels(self, fineness: float) -> Iterator[RankPanel]:
        """Hand out the panels from left to right."""
        wide = ~self.atom
        edges, below, above, mass = self._table(fineness)
        for j, (left, right) in enumerate(edges):
            active = np.flatnonzero((self.lower < right) & (self.upper > left) & wide)
            if active.size:
                certain = int(np.sum(self.lower >= right))
                yield RankPanel(active, certain, below[active, j], above[active, j], mass[active, j])

    def _group_equal(self) -> NDArray[np.intp]:
        """Give laws one number if they agree bit for bit on the whole table: distinct objects may be one law."""
        _, below, _, mass = self._table(1.0)
        window = np.column_stack((self.lower, self.centre, self.upper, self.scale))
        keys = [w.tobytes() + f.tobytes() + m.tobytes() for w, f, m in zip(window, below, mass, strict=True)]
        first = {key: i for i, key in reversed(list(enumerate(keys)))}
        return np.array([first[key] for key in keys])

    def _table(self, fineness: float) -> tuple[Floats, Floats, Floats, Floats]:
        """Edges, F, S and masses of all laws at all nodes; zeros where a law is not active."""
        if fineness in self._tables:
            return self._tables[fineness]
        wide = ~self.atom
        count = len(self.laws)
        settled = [(np.empty((0, 2)), *(np.empty((count, 0, NODES.size)) for _ in range(3)))]
        pending = np.empty((0, 2))
        if wide.any():
            windows = self.lower[wide], self.upper[wide], self.centre[wide], self.scale[wide]
            pending = panel_edges(*windows, np.unique(self.centre[self.atom]), fineness)
        while pending.size:
            if len(pending) > MOST_WRONG:
                raise ArithmeticError("the ranks cannot be integrated: is each pdf the derivative of its cdf?")
            below, above, mass, wrong = self._tabulate(pending)
            settled.append((pending[~wrong], below[:, ~wrong], above[:, ~wrong], mass[:, ~wrong]))
            split = pending[wrong]
            middle = split.mean(1, keepdims=True)
            pending = np.concatenate((np.hstack((split[:, :1], middle)), np.hstack((middle, split[:, 1:]))))
        edges = np.concatenate([s[0] for s in settled])
        order = np.argsort(edges[:, 0])
        below, above, mass = (np.concatenate([s[k] for s in settled], axis=1)[:, order] for k in (1, 2, 3))
        self._tables[fineness] = edges[order], below, above, mass
        return self._tables[fineness]

    def _tabulate(self, edges: Floats) -> tuple[Floats, Floats, Floats, NDArray[np.bool_]]:
        """F, S and scaled masses on some panels, and which of these panels must be halved."""
        shape = len(self.laws), len(edges), NODES.size
        below, above, mass = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        wrong = np.zeros(len(edges), bool)
        half = (edges[:, 1] - edges[:, 0]) / 2
        points = edges[:, :1] + half[:, None] * (1 + EDGES_AND_NODES)
        points[:, -1] = edges[:, 1]
        resolution = 1e-12 * np.abs(edges).max(1)
        for i in np.flatnonzero(~self.atom).tolist():
            here = np.flatnonzero((edges[:, 1] > self.lower[i]) & (edges[:, 0] < self.upper[i]))
            if not here.size:
                continue
            x = points[here]
            F = self.laws[i].cdf(x.ravel()).reshape(x.shape)
            S = self.laws[i].sf(x.ravel()).reshape(x.shape)
            f = self.laws[i].pdf(x[:, 1:-1].ravel()).reshape(len(here), -1) * WEIGHTS * half[here, None]
            exact = np.where(F[:, 0] < 0.5, F[:, -1] - F[:, 0], S[:, 0] - S[:, -1])
            by_rule = f.sum(1)
            wrong[here] |= (np.abs(by_rule - exact) > MASS_ERROR) & (exact > 1e-7) & (half[here] > resolution[here])
            scale = np.divide(exact, by_rule, out=np.zeros_like(exact), where=by_rule > 0)
            below[i, here], above[i, here] = F[:, 1:-1], S[:, 1:-1]
            mass[i, here] = f * scale[:, None]
        return below, above, mass, wrong
