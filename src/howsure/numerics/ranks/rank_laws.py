"""Laws of ranks, and which of two rates is the greater."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, expit

from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.rank_panels import NODES, TAIL, WEIGHTS, RankPanel, panel_edges

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


# -- Probability that one Beta exceeds another, for many pairs at once -------------------------------------------------


#: Nodes where the law in the logit is nearly a Normal one, and where it is not, or where the integrand has a kink.
FEW, MANY = 36, 160
#: Smallest parameter of a Beta for which few nodes are enough.
REGULAR = 10.0


def logit_nodes(a: Floats, b: Floats, nodes: int) -> tuple[Floats, Floats]:
    """Values and normalised weights of Beta(a, b), shape (..., nodes): the trapezoidal rule in the logit.

    The range ends where the density in the logit is e^-36 of its top; each end by Newton from outside, where the log
    density is concave, so that it comes in monotonically.
    """
    a, b = a[..., None], b[..., None]
    centre = np.log(a / b)
    ends = []
    for side, slope in ((-1.0, a), (1.0, b)):
        u = centre + side * (9 * np.sqrt(1 / a + 1 / b) + 40 / slope)
        for _ in range(8):
            theta = expit(u)
            depth = a * (u - centre) - (a + b) * (np.logaddexp(0, u) - np.logaddexp(0, centre)) + 36
            u = u - depth / (a - (a + b) * theta)
        ends.append(u)
    u = ends[0] + (ends[1] - ends[0]) * np.linspace(0, 1, nodes)
    log = a * (u - centre) - (a + b) * (np.logaddexp(0, u) - np.logaddexp(0, centre))
    weight = np.exp(log)
    return expit(u), weight / weight.sum(axis=-1, keepdims=True)


def exceedance(first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike], margin: float = 0.0) -> Floats:
    """P(X > Y - margin) of independent Betas X and Y, each given by its (a, b), elementwise, shape (...).

    On the nodes of the narrower law: within 1e-9 for parameters from 0.5 on; 1e-4 where a margin cuts the range at 0 or
    1 and a law with parameters below about 2 has mass there.
    """
    pairs = np.broadcast_arrays(*(np.asarray(x, dtype=float) for x in (*first, *second)))
    a, b, c, d = (x.ravel() for x in pairs)
    found = np.empty(a.shape)
    narrow = 1 / a + 1 / b <= 1 / c + 1 / d
    regular = np.where(narrow, np.minimum(a, b), np.minimum(c, d)) >= REGULAR
    for by_first in (True, False):
        for few in (True, False):
            i = np.flatnonzero((narrow == by_first) & (regular == few))
            if not len(i):
                continue
            nodes = FEW if few and margin == 0 else MANY
            if by_first:
                x, weight = logit_nodes(a[i], b[i], nodes)
                inside = betainc(c[i, None], d[i, None], np.clip(x + margin, 0, 1))
            else:
                y, weight = logit_nodes(c[i], d[i], nodes)
                inside = betaincc(a[i, None], b[i, None], np.clip(y - margin, 0, 1))
            found[i] = (weight * inside).sum(axis=-1)
    return found.reshape(pairs[0].shape)


# -- The winner's curse: the best of many is partly the luckiest, so its estimate is drawn back towards the others -----


def shrunken(means: Floats, sds: Floats) -> tuple[Floats, Floats] | None:
    """Empirical-Bayes means and sds of entries that are themselves a sample; None below three entries.

    With x_i ~ Normal(m_i, s_i^2) and m_i ~ Normal(mu, tau^2), m_i has mean mu + B_i (x_i - mu) and variance B_i s_i^2 +
    (1 - B_i)^2 var(mu), where B_i = tau^2 / (tau^2 + s_i^2). The spread tau^2 is the root of sum (x_i - mu)^2 / (tau^2
    + s_i^2) = T - 1 with mu the mean weighted by 1 / (tau^2 + s_i^2), found by bisection; 0 where the entries differ by
    less than their uncertainty.

    Efron and Morris (1975), JASA 70, 311; Paule and Mandel (1982), J. Res. Natl. Bur. Stand. 87, 377, for tau^2.
    """
    count = len(means)
    if count < 3:
        return None
    variances = np.maximum(sds**2, 1e-300)

    def centre_and_excess(spread: float) -> tuple[float, float]:
        weights = 1 / (spread + variances)
        weights /= (largest := weights.max())
        centre = float(weights @ means / weights.sum())
        return centre, float(largest * (weights @ (means - centre) ** 2)) - (count - 1)

    low, high = 0.0, float(np.ptp(means)) ** 2 + 1e-300
    if centre_and_excess(0.0)[1] > 0:
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if centre_and_excess(middle)[1] > 0 else (low, middle)
        spread = high
    else:
        spread = 0.0
    centre, _ = centre_and_excess(spread)
    kept = spread / (spread + variances)
    of_centre = 1 / np.sum(1 / (spread + variances))
    return centre + kept * (means - centre), np.sqrt(kept * variances + (1 - kept) ** 2 * of_centre)
