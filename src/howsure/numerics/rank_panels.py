"""Where the laws to be ranked live: one axis, cut into panels on which all of them are smooth.

A rank is decided where an entry meets its competitors. Both suppliers below walk the same axis from left to right
and hand out `Panel`s; on each, only the entries that have mass there are active, and the others count as surely
above or surely below. `BetaEntries` works in logit(x), where a Beta density is analytic whatever its parameters;
`LawEntries` works in x itself and bisects the panels until every density integrates to its own CDF.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincinv, betaln, expit, ndtr

Array = NDArray[np.float64]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
EDGES_AND_NODES = np.concatenate(([-1.0], NODES, [1.0]))
TAIL = 1e-13  # an entry is active between its quantiles TAIL and 1 - TAIL
SPAN_OF_A_DENSITY = 3.5  # longest panel in sd of its narrowest active entry; 4.2 loses seven digits
SPAN_OF_A_RANK = 5.5  # longest panel in widths of the density of one order statistic
MASS_ERROR = 1e-11  # a panel is bisected until no density misses its own CDF by more
MOST_WRONG = 20_000  # panels at once; kinks and singular ends spoil a few per law, a wrong density spoils all


class Law(Protocol):
    """What a law must offer to be ranked."""

    @property
    def sd(self) -> float:
        """Return the standard deviation; 0 for a point mass."""

    def cdf(self, x: Array, /) -> Array:
        """Return P(X <= x)."""

    def sf(self, x: Array, /) -> Array:
        """Return P(X > x)."""

    def pdf(self, x: Array, /) -> Array:
        """Return the derivative of the CDF."""

    def quantile(self, p: Array, /) -> Array:
        """Return the inverse of the CDF."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A piece of the axis: the active entries, and at its nodes their CDF, survival and probability mass."""

    active: NDArray[np.intp]
    certain: int  # entries surely above the whole panel
    below: Array  # (active, nodes) P(entry <= node)
    above: Array  # (active, nodes) P(entry > node)
    mass: Array  # (active, nodes) density times quadrature weight


def panel_edges(lower: Array, upper: Array, centre: Array, scale: Array, cuts: Array, fineness: float) -> Array:
    """Walk the axis and return the panels as rows (left, right).

    A panel is no longer than `SPAN_OF_A_DENSITY` times its narrowest active scale, and no longer than
    `SPAN_OF_A_RANK` times sqrt(sum F(1-F)) / sum f: the number of entries above x changes by one standard deviation
    over that length, so it is the width of one rank's density. Windows [lower, upper] say who is active, Normal laws
    of the given centre and scale stand in for F and f, and no panel straddles one of the `cuts`.
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
        step = fineness * min(SPAN_OF_A_DENSITY * scale[active].min(), SPAN_OF_A_RANK * rank_width)
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

    The density of u is proportional to x^a (1-x)^b, without a singular end for any a, b > 0. It is written around
    the mean, log density = a (d - l) - b l with d = u - logit(mean) and l = log(1 + mean (e^d - 1)), so that nothing
    cancels at counts of 1e9; its constant is left to the normalisation of the rows.
    """

    def __init__(self, a: Array, b: Array) -> None:
        self.a, self.b = np.asarray(a, float), np.asarray(b, float)
        with np.errstate(divide="ignore"):
            self.centre = np.log(self.a) - np.log(self.b)
            self.scale = np.sqrt(1 / self.a + 1 / self.b)
        self.atom = np.isinf(self.centre)
        self.lower, self.upper = self.centre.copy(), self.centre.copy()
        wide = ~self.atom
        self.lower[wide] = _logit_of_tail(self.a[wide], self.b[wide])
        self.upper[wide] = -_logit_of_tail(self.b[wide], self.a[wide])
        self.same = np.unique(np.column_stack((self.a, self.b)), axis=0, return_inverse=True)[1].ravel()

    def probabilities_at(self, points: Array, entries: NDArray[np.intp]) -> tuple[Array, Array]:
        """F and S of the entries at points of the axis, each entry (row) at each point (column)."""
        a, b = self.a[entries, None], self.b[entries, None]
        right = points > self.centre[entries, None]  # compute the smaller of the two: one call, no cancellation
        p, q = np.where(right, b, a), np.where(right, a, b)
        inward = np.where(right, -points, points)
        small = betainc(p, q, expit(inward))
        extreme = inward < -500  # x underflows: its leading power x^p / (p B(p, q)) is exact there
        if extreme.any():
            p, q = np.broadcast_arrays(p, q)
            p, q = p[extreme], q[extreme]
            small[extreme] = np.exp(p * inward[extreme] - np.log(p) - betaln(p, q))
        return np.where(right, 1 - small, small), np.where(right, small, 1 - small)

    def panels(self, fineness: float) -> Iterator[Panel]:
        """Hand out the panels from left to right."""
        wide = ~self.atom
        if not wide.any():
            return
        windows = self.lower[wide], self.upper[wide], self.centre[wide], self.scale[wide]
        mean = self.a / (self.a + self.b)
        for left, right in panel_edges(*windows, np.empty(0), fineness):
            active = np.flatnonzero((self.lower < right) & (self.upper > left) & wide)
            half = (right - left) / 2
            u = left + half * (1 + NODES)
            below, above = self.probabilities_at(u, active)
            a, b = self.a[active, None], self.b[active, None]
            d = u - self.centre[active, None]
            with np.errstate(over="ignore"):
                lift = np.where(d < 500, np.log1p(mean[active, None] * np.expm1(d)), d + np.log(mean[active, None]))
            mass = np.exp(a * (d - lift) - b * lift) * (half * WEIGHTS)
            yield Panel(active, int(np.sum(self.lower >= right)), below, above, mass)


def _logit_of_tail(a: Array, b: Array) -> Array:
    """Logit of the lower `TAIL` quantile of Beta(a, b), also where the quantile itself underflows."""
    leading = (np.log(TAIL) + np.log(a) + betaln(a, b)) / a
    x = betaincinv(a, b, TAIL)
    with np.errstate(divide="ignore"):
        return np.asarray(np.where(leading < -100, leading, np.log(x) - np.log1p(-x)))


class LawEntries:
    """Any independent laws on the real axis, asked for values only on whole batches of nodes.

    Panels start as in `panel_edges` and are bisected until the Gauss rule reproduces F(right) - F(left) of every
    active law within `MASS_ERROR`; kinks and infinite ends are thus fenced in by short panels. The densities are
    then scaled to exactly that mass, which leaves at a singular end an error of the order of the mass squared.
    """

    def __init__(self, laws: Sequence[Law]) -> None:
        self.laws = laws
        self.scale = np.array([law.sd for law in laws], float)
        ends = np.array([np.asarray(law.quantile(np.array([TAIL, 0.5, 1 - TAIL])), float) for law in laws])
        self.lower, self.centre, self.upper = ends.T.copy()
        self.atom = self.scale == 0
        if not np.all(np.isfinite(ends[:, 1])) or not np.all(np.isfinite(self.scale)):
            raise ValueError("a law to be ranked needs a finite median and a finite sd")
        self.lower[self.atom] = self.upper[self.atom] = self.centre[self.atom]
        self._tables: dict[float, tuple[Array, Array, Array, Array]] = {}
        self.same = self._group_equal()

    def probabilities_at(self, points: Array, entries: NDArray[np.intp]) -> tuple[Array, Array]:
        """F and S of the entries at points of the axis, each entry (row) at each point (column)."""
        below = [self.laws[i].cdf(points) for i in entries]
        above = [self.laws[i].sf(points) for i in entries]
        return np.array(below).reshape(len(entries), -1), np.array(above).reshape(len(entries), -1)

    def panels(self, fineness: float) -> Iterator[Panel]:
        """Hand out the panels from left to right."""
        wide = ~self.atom
        edges, below, above, mass = self._table(fineness)
        for j, (left, right) in enumerate(edges):
            active = np.flatnonzero((self.lower < right) & (self.upper > left) & wide)
            if active.size:
                certain = int(np.sum(self.lower >= right))
                yield Panel(active, certain, below[active, j], above[active, j], mass[active, j])

    def _group_equal(self) -> NDArray[np.intp]:
        """Give laws one number if they agree bit for bit on the whole table: distinct objects may be one law."""
        _, below, _, mass = self._table(1.0)
        window = np.column_stack((self.lower, self.centre, self.upper, self.scale))
        keys = [w.tobytes() + f.tobytes() + m.tobytes() for w, f, m in zip(window, below, mass, strict=True)]
        first = {key: i for i, key in reversed(list(enumerate(keys)))}
        return np.array([first[key] for key in keys])

    def _table(self, fineness: float) -> tuple[Array, Array, Array, Array]:
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

    def _tabulate(self, edges: Array) -> tuple[Array, Array, Array, NDArray[np.bool_]]:
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
