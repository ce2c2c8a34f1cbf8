"""The axis on which laws are ranked, cut into panels: Betas, laws of any kind, entries of a learned population."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray
from scipy.special import betaln, expit, ndtr

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
from howsure.numerics.betas import beta_cdf, beta_quantile, log_peaks

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
    """A piece of the axis: the kinds of entries that are active, and at its nodes their CDF, survival and mass."""

    active: NDArray[np.intp]
    passed: NDArray[np.intp]  # kinds surely below the whole panel
    certain: int  # entries surely above the whole panel
    below: Floats  # (active, nodes) P(entry <= node)
    mass: Floats  # (active, nodes) density times quadrature weight


def panel_edges(
    windows: tuple[Floats, Floats], centre: Floats, scale: Floats, many: Floats, fineness: float,
    cuts: Floats | None = None,
) -> Iterator[tuple[float, float]]:  # fmt: skip
    """Walk the axis and hand out the panels (left, right); arrays (..., G), of so many entries each.

    A panel is no longer than `SPAN_OF_A_DENSITY` times its narrowest active scale, and than `SPAN_OF_A_RANK` times
    sqrt(sum F(1-F)) / sum f, the width of one rank's density at each of G nodes: over it the number of entries above x
    changes by one standard deviation. Windows (lower, upper) say who is active, Normal laws stand in for F and f. No
    panel straddles one of the ``cuts``; without these the axis is that of logits.
    """
    (lower, upper), rows = windows, tuple(range(centre.ndim - 1))
    position, end = float(lower.min()), float(upper.max())
    while position < end:
        active = (lower <= position) & (upper > position)
        if not active.any():
            position = float(lower[lower > position].min())
            continue
        z = (position - centre) / scale
        part = np.where(active, many, 0.0)
        below = ndtr(z)
        crowding = (part * np.exp(-0.5 * z * z) / scale).sum(rows) / np.sqrt(2 * np.pi)
        spread = (part * below * (1 - below)).sum(rows)
        width = float((np.sqrt(spread + 0.1) / np.maximum(crowding, 1e-300)).min())
        step = min(SPAN_OF_A_DENSITY * float(scale[active].min()), SPAN_OF_A_RANK * width)
        # log(1 + e^u), with its singularities at u = +-i pi, is to be smooth to 16 nodes
        step = fineness * (min(step, 5 + abs(position) / 2) if cuts is None else step)
        newcomers = (lower > position) & (lower < position + step)
        if newcomers.any():  # stop where a narrow one begins, unless the panel is short enough for it anyway
            short = fineness * SPAN_OF_A_DENSITY * float(scale[newcomers].min())
            step = min(step, max(float(lower[newcomers].min()) - position, short))
        right = min(position + step, end)
        if cuts is not None and (cuts > position).any():
            right = min(right, float(cuts[cuts > position].min()))
        right = max(right, float(np.nextafter(position, np.inf)))  # a step may be below the resolution of the axis
        yield position, right
        position = right


#: Values at the Gauss points of (-1, 1) to the integrals from -1 to each of them, through Legendre series.
_SERIES = (legendre.legvander(NODES, len(NODES) - 1) * WEIGHTS[:, None] * (np.arange(len(NODES)) + 0.5)).T
INTEGRALS = legendre.legval(NODES, legendre.legint(_SERIES, lbnd=-1)).T


class BetaEntries:
    """U kinds of entries, one of P Betas each (``share``) at each of G nodes (``weight``), on the axis u = logit(x).

    The columns of a panel are pairs of a node and a point of the axis, and the mass has the node's weight: sums over
    columns are means over nodes. The density of u is proportional to x^a (1-x)^b, without a singular end for any a, b >
    0; it is written around the mean, so that nothing cancels at counts of 1e9. A single Beta(0, b) is the point mass at
    0, Beta(a, 0) the one at 1.
    """

    def __init__(
        self, a: Floats, b: Floats, share: Floats, weight: Floats, place: NDArray[np.intp], tail: float = TAIL
    ) -> None:
        self.place, self.copies, self._weight = place, bincount(place, minlength=a.shape[1]), weight
        point = (a == 0) | (b == 0)
        self._share = np.where(point, 0.0, share)
        self._a, self._b = np.where(point, 1.0, a), np.where(point, 1.0, b)
        self._centre, self._scale = np.log(self._a) - np.log(self._b), np.sqrt(1 / self._a + 1 / self._b)
        used = self._share > 0
        self._lower, self._upper = np.full(a.shape, np.inf), np.full(a.shape, -np.inf)
        self._lower[used] = tail_in_logit(self._a[used], self._b[used], tail)
        self._upper[used] = -tail_in_logit(self._b[used], self._a[used], tail)
        self._single = a.shape[0] == a.shape[2] == 1
        self.atom = point.any((0, 2))
        self.centre = np.where((b == 0).any((0, 2)), np.inf, -np.inf)  # of point masses
        self.lower, self.upper = (
            np.where(self.atom, self.centre, x) for x in (self._lower.min((0, 2)), self._upper.max((0, 2)))
        )

    @classmethod
    def alone(cls, a: Floats, b: Floats) -> BetaEntries:
        """Independent Betas (T,); of a long board equal entries are asked once."""
        a, b = np.where(b == 0, 1.0, a), np.where(a == 0, 1.0, b)  # point masses at one end are alike
        pairs, place = np.unique(np.stack([a, b]), axis=1, return_inverse=True)
        a, b = pairs[:, None, :, None]
        return cls(a, b, np.ones(a.shape), np.ones(1), place.ravel())

    def below(self, point: float, rows: NDArray[np.intp]) -> Floats:
        """F of entries at a point mass, which is at an end."""
        return np.full(len(rows), float(point > 0))

    def panels(self, fineness: float) -> Iterator[RankPanel]:
        """Hand out the panels from left to right; F at a left end is what was integrated."""
        so_far, top = np.zeros(self._a.shape), log_peaks(self._a, self._b)
        many = self._share * self.copies[:, None]
        for left, right in panel_edges((self._lower, self._upper), self._centre, self._scale, many, fineness):
            rows = np.flatnonzero((self.lower < right) & (self.upper > left))
            if not rows.size:
                continue
            half, middle = (right - left) / 2, (left + right) / 2
            ups, downs = _logs_beside(middle, half * NODES)
            share = self._share[:, rows]
            known = np.where(self._upper[:, rows] <= left, 1.0, so_far[:, rows])
            below = repeat((share * known).sum(0)[..., None], len(NODES), axis=2)
            mass = np.zeros_like(below)
            inside = (share > 0) & (self._lower[:, rows] < right) & (self._upper[:, rows] > left)
            for part in range(len(share)):
                e, g = np.nonzero(inside[part])
                i = part, rows[e], g
                a, b = self._a[i], self._b[i]
                there = _log_density(a, b, middle - self._centre[i]) + top[i]
                density = np.exp(a[:, None] * ups + b[:, None] * downs + there[:, None])
                weighed = density * share[part, e, g][:, None]
                mass[e, g] += weighed
                if self._single:  # good to 1e-10, which the integrals are not
                    below[e, g] = _beta_below(a[:, None], b[:, None], middle + half * NODES)
                    continue
                below[e, g] += half * (weighed @ INTEGRALS.T)
                so_far[i] += half * (density @ WEIGHTS)
            below = np.clip(below, 0.0, 1.0).reshape(len(rows), -1)
            mass = (mass * (self._weight[:, None] * (half * WEIGHTS))).reshape(len(rows), -1)
            certain = int(self.copies[self.lower >= right].sum())
            yield RankPanel(rows, np.flatnonzero(self.upper <= left), certain, below, mass)


def _beta_below(a: Floats, b: Floats, u: Floats) -> Floats:
    """F at logits (n,), of Betas (U, 1)."""
    a, b, u = np.broadcast_arrays(a, b, u)
    far, found = u > 0, np.empty(u.shape)
    found[~far] = beta_cdf(a[~far], b[~far], expit(u[~far]))
    # 1 - x beside 1 has lost its digits, x has not: counts of 1e15, all of them right, are that near to an end
    found[far] = 1 - beta_cdf(b[far], a[far], expit(-u[far]))
    for p, q, inward, upper in ((a, b, u, False), (b, a, -u, True)):
        extreme = inward < -500  # x underflows: its leading power x^p / (p B(p, q)) is exact there
        small = np.exp(p[extreme] * inward[extreme] - np.log(p[extreme]) - betaln(p[extreme], q[extreme]))
        found[extreme] = 1 - small if upper else small
    return found


def _logs_beside(middle: float, shift: Floats) -> tuple[Floats, Floats]:
    """Log x and log(1 - x) at logits ``middle + shift``, less those at the middle; nothing cancels at small shifts."""
    x, little = float(expit(middle)), np.clip(shift, -1, 1)
    near = -np.log1p(float(expit(-middle)) * np.expm1(-little)), -np.log1p(x * np.expm1(little))
    u = middle + shift
    far = np.logaddexp(0, -middle) - np.logaddexp(0, -u), np.logaddexp(0, middle) - np.logaddexp(0, u)
    close = np.abs(shift) < 1
    return np.where(close, near[0], far[0]), np.where(close, near[1], far[1])


def _log_density(a: Floats, b: Floats, d: Floats) -> Floats:
    """Log density in the logit at a distance ``d`` from that of the mean, less that at the mean itself."""
    mean, rest = a / (a + b), b / (a + b)
    with np.errstate(over="ignore"):  # l = log(1 + mean (e^d - 1)), and d - l, each from the smaller share
        lift = np.where(d < 500, np.log1p(mean * np.expm1(d)), d + np.log(mean))
        drop = np.where(d > -500, -np.log1p(rest * np.expm1(-d)), d - np.log(rest))
    high = mean > 0.5
    return np.asarray(a * np.where(high, drop, d - lift) - b * np.where(high, d - drop, lift))


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
        scale = np.array([law.sd for law in laws], float)
        ends = np.array([np.asarray(law.quantile(np.array([TAIL, 0.5, 1 - TAIL])), float) for law in laws])
        if not np.all(np.isfinite(ends[:, 1])) or not np.all(np.isfinite(scale)):
            raise ValueError("a law to be ranked needs a finite median and a finite sd")
        ends[scale == 0] = ends[scale == 0, 1:2]
        self._take(laws, ends, scale, np.ones(len(laws), np.int64))
        # distinct objects may be one law: those that agree bit for bit on the whole table
        edges, below, mass = self._table(1.0)
        window = np.column_stack((ends, scale))
        keys = [w.tobytes() + f.tobytes() + m.tobytes() for w, f, m in zip(window, below, mass, strict=True)]
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        self.place = place.ravel()
        self._take([laws[i] for i in first], ends[first], scale[first], bincount(self.place))
        self._at_first = edges, below[first], mass[first]

    def _take(self, laws: Sequence[RankedLaw], ends: Floats, scale: Floats, copies: Integers) -> None:
        self._laws, self._scale, self.copies, self.atom = laws, scale, copies, scale == 0
        self.lower, self.centre, self.upper = ends.T.copy()

    def below(self, point: float, rows: NDArray[np.intp]) -> Floats:
        """F of entries at a point mass."""
        return np.array([float(self._laws[i].cdf(np.array([point]))[0]) for i in rows])

    def panels(self, fineness: float) -> Iterator[RankPanel]:
        """Hand out the panels from left to right."""
        edges, below, mass = self._at_first if fineness == 1 else self._table(fineness)
        for j, (left, right) in enumerate(edges):
            active = np.flatnonzero((self.lower < right) & (self.upper > left) & ~self.atom)
            if active.size:
                certain, passed = int(self.copies[self.lower >= right].sum()), np.flatnonzero(self.upper <= left)
                yield RankPanel(active, passed, certain, below[active, j], mass[active, j])

    def _table(self, fineness: float) -> tuple[Floats, Floats, Floats]:
        """Edges, F and masses of all laws at all nodes; zeros where a law is not active."""
        wide, count = ~self.atom, len(self._laws)
        settled = [(np.empty((0, 2)), *(np.empty((count, 0, NODES.size)) for _ in range(2)))]
        pending = np.empty((0, 2))
        if wide.any():
            windows, cuts = (self.lower[wide, None], self.upper[wide, None]), np.unique(self.centre[self.atom])
            normal = self.centre[wide, None], self._scale[wide, None], self.copies[wide, None].astype(float)
            pending = np.array(list(panel_edges(windows, *normal, fineness, cuts)))
        while pending.size:
            if len(pending) > MOST_WRONG:
                raise ArithmeticError("the ranks cannot be integrated: is each pdf the derivative of its cdf?")
            below, mass, wrong = self._tabulate(pending)
            settled.append((pending[~wrong], below[:, ~wrong], mass[:, ~wrong]))
            split = pending[wrong]
            middle = split.mean(1, keepdims=True)
            pending = np.concatenate((np.hstack((split[:, :1], middle)), np.hstack((middle, split[:, 1:]))))
        edges = np.concatenate([s[0] for s in settled])
        order = np.argsort(edges[:, 0])
        below, mass = (np.concatenate([s[k] for s in settled], axis=1)[:, order] for k in (1, 2))
        return edges[order], below, mass

    def _tabulate(self, edges: Floats) -> tuple[Floats, Floats, Booleans]:
        """F and scaled masses on some panels, and which of these panels must be halved."""
        shape = len(self._laws), len(edges), NODES.size
        below, mass = np.zeros(shape), np.zeros(shape)
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
            F = self._laws[i].cdf(x.ravel()).reshape(x.shape)
            S = self._laws[i].sf(x.ravel()).reshape(x.shape)
            f = self._laws[i].pdf(x[:, 1:-1].ravel()).reshape(len(here), -1) * WEIGHTS * half[here, None]
            exact = np.where(F[:, 0] < 0.5, F[:, -1] - F[:, 0], S[:, 0] - S[:, -1])
            by_rule = f.sum(1)
            wrong[here] |= (np.abs(by_rule - exact) > MASS_ERROR) & (exact > 1e-7) & (half[here] > resolution[here])
            scale = np.divide(exact, by_rule, out=np.zeros_like(exact), where=by_rule > 0)
            below[i, here], mass[i, here] = F[:, 1:-1], f * scale[:, None]
        return below, mass, wrong
