"""Laws of any kind on the real axis, as entries to be ranked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.rank_panels import NODES, TAIL, WEIGHTS, Panel, panel_edges

EDGES_AND_NODES = np.concatenate(([-1.0], NODES, [1.0]))
MASS_ERROR = 1e-11  # a panel is bisected until no density misses its own CDF by more
MOST_WRONG = 20_000  # panels at once; kinks and singular ends spoil a few per law, a wrong density spoils all


class Law(Protocol):
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
        self._tables: dict[float, tuple[Floats, Floats, Floats, Floats]] = {}
        self.same = self._group_equal()

    def probabilities_at(self, points: Floats, entries: NDArray[np.intp]) -> tuple[Floats, Floats]:
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
