"""Sums of very unequal widths: condition on the narrow part.

A class of a billion cases next to an empty one has a characteristic function that neither decays (the empty one has a
rough law) nor is in the range of its vertex expansion (the large class is not). But then ``X = R + N`` with narrow and
smooth ``N``, and

    F(x) = int f_N(y) F_R(x - y) dy

is done by tanh-sinh quadrature (Takahasi and Mori, 1974) on panels split at the breakpoints of ``R``, where ``F_R`` may
have infinite slope: end-point singularities do not disturb that rule. All terms are positive, so the relative accuracy
of the parts in their tails is inherited.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.closed_forms import BetaLaw, Positive
from howsure.numerics.beta_sum.normal_form import BetaRows, LinearForm, combined_form
from howsure.numerics.beta_sum.vertices import starting_frequency
from howsure.numerics.beta_sum.window import chernoff_window

__all__ = ["Convolution", "breakpoints", "split_by_width", "tanh_sinh"]

NODES_PER_SIDE, REACH = 26, 3.3
SINGULAR_NODES, SINGULAR_REACH = 40, 4.8  # down to e^-190 from an end where a density is infinite
MARKS = np.array([-5.0, -2.0, 0.0, 2.0, 5.0])  # panel ends, in standard deviations of the narrow part
LEAST_GAP = 4.0
MOST_BREAKPOINTS = 4096


class Evaluable(Protocol):
    """A law that can be evaluated anywhere."""

    def cdf(self, x: Floats) -> Floats: ...
    def sf(self, x: Floats) -> Floats: ...
    def density(self, x: Floats) -> Floats: ...
    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]: ...


def tanh_sinh(per_side: int = NODES_PER_SIDE, reach: float = REACH) -> tuple[Floats, Floats]:
    """Nodes in (0, 1) and weights of the double exponential rule; error about 1e-14 for end-point singularities.

    The rule is symmetric: the nodes in reverse are the distances from 1, to the last digit.
    """
    t = np.linspace(-reach, reach, 2 * per_side + 1)
    s = 0.5 * np.pi * np.sinh(t)
    weight = (t[1] - t[0]) * 0.25 * np.pi * np.cosh(t) / np.cosh(s) ** 2
    return 1 / (1 + np.exp(-2 * s)), weight / weight.sum()


def breakpoints(form: LinearForm) -> Floats:
    """Sum one vertex of every row in all ways (relative to the mean): there a derivative of the density is singular."""
    points = np.zeros(1)
    betas = form.betas
    rows = []
    for a, b, w, n in zip(betas.a, betas.b, betas.w, betas.count, strict=True):
        rows.append((np.array([-w * a, w * b]) / (a + b), int(n)))
    rows.extend((row.c, row.count) for row in form.wide)
    for c, count in rows:
        for _ in range(count):
            points = np.unique(np.add.outer(points, c).ravel())
            if len(points) > MOST_BREAKPOINTS:
                return np.empty(0)
    return points


def split_by_width(form: LinearForm) -> tuple[LinearForm, LinearForm] | None:
    """Split a form in a wide and a narrow part, at the largest gap between the frequencies where its rows settle."""
    betas = form.betas
    starts = [
        starting_frequency(np.array([0.0, w]), np.array([b, a]))
        for a, b, w in zip(betas.a, betas.b, betas.w, strict=True)
    ]
    starts.extend(starting_frequency(row.c, row.alpha) for row in form.wide)
    order = np.argsort(starts)
    log_starts = np.log(np.array(starts)[order])
    if len(order) < 2:
        return None
    gap = int(np.argmax(np.diff(log_starts)))
    if log_starts[gap + 1] - log_starts[gap] < np.log(LEAST_GAP):
        return None
    parts = []
    for chosen in (np.sort(order[: gap + 1]), np.sort(order[gap + 1 :])):
        k = chosen[chosen < len(betas)]
        wide = tuple(form.wide[i - len(betas)] for i in chosen if i >= len(betas))
        parts.append(combined_form(BetaRows(betas.a[k], betas.b[k], betas.w[k], betas.count[k]), wide))
    return parts[0], parts[1]


class Convolution:
    """Law of ``R + N`` from the laws of its parts, relative to the mean (both parts have mean 0)."""

    method = "fourier series, conditioned on the narrow part"
    expansion = None

    def __init__(
        self, form: LinearForm, wide: LinearForm, wide_law: Evaluable, narrow: LinearForm, narrow_law: Evaluable
    ) -> None:
        self.low, self.high = chernoff_window(form)
        self._wide, self._narrow = wide_law, narrow_law
        self._window = chernoff_window(narrow)
        # the narrow part may be a sum with kinks of its own
        self._marks = np.clip(np.concatenate((MARKS * narrow.sd, breakpoints(narrow))), *self._window)
        self._breaks = breakpoints(wide)
        self.terms = int(getattr(wide_law, "terms", 0)) + int(getattr(narrow_law, "terms", 0))
        self.residual = float(getattr(wide_law, "residual", 0.0)) + float(getattr(narrow_law, "residual", 0.0)) + 1e-13
        # a single narrow Beta is known by its distances from both ends, however close
        self._single: Positive | None = None
        if narrow.row_count == 1 and len(narrow.betas):
            a, b, w = (float(v[0]) for v in (narrow.betas.a, narrow.betas.b, narrow.betas.w))
            self._single = Positive(a, b, w) if w > 0 else Positive(b, a, -w)
        self._ends = narrow.below, narrow.above
        singular = self._single is not None and min(self._single.a, self._single.b) < 1
        self._nodes, self._weights = tanh_sinh(SINGULAR_NODES, SINGULAR_REACH) if singular else tanh_sinh()

    def _panels(self, z: float) -> tuple[Floats, Floats]:
        """Quadrature nodes ``y`` and weights including ``f_N(y)`` for the point ``z``."""
        low, high = self._window
        inside = z - self._breaks
        inside = inside[(inside > low) & (inside < high)]
        edges = np.unique(np.concatenate(([low, high], self._marks, inside)))
        width = np.diff(edges)
        y = (edges[:-1, None] + width[:, None] * self._nodes).ravel()
        weight = (width[:, None] * self._weights).ravel()
        # where rounding puts nodes on an end with infinite density, their share goes to the others
        mass = weight * self._narrow_density(edges, width, y)
        return y, mass / mass.sum()

    def _narrow_density(self, edges: Floats, width: Floats, y: Floats) -> Floats:
        """Density of the narrow part at the nodes ``y`` of the panels between ``edges``."""
        if self._single is None:
            density = np.maximum(self._narrow.density(y), 0.0)
            return np.where(np.isfinite(density), density, 0.0)
        below, above = self._ends
        from_low = ((edges[:-1] + below)[:, None] + width[:, None] * self._nodes).ravel()
        from_high = ((above - edges[1:])[:, None] + width[:, None] * self._nodes[::-1]).ravel()
        return np.exp(self._single.log_density(from_low, from_high))

    def _gather(self, z: Floats) -> tuple[Floats, Floats, np.ndarray]:
        panels = [self._panels(float(at)) for at in z]
        starts = np.cumsum([0] + [len(y) for y, _ in panels])[:-1]
        u = np.concatenate([at - y for at, (y, _) in zip(z, panels, strict=True)])
        return u, np.concatenate([weight for _, weight in panels]), starts

    def evaluate(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and slope at distances ``z`` from the mean."""
        u, weight, starts = self._gather(z)
        F, f, slope = self._wide.evaluate(u)
        with np.errstate(invalid="ignore", over="ignore"):
            slope = np.where(np.isfinite(slope), slope, 0.0) * weight
            f = np.where(np.isfinite(f), f, 0.0) * weight
        return np.add.reduceat(F * weight, starts), np.add.reduceat(f, starts), np.add.reduceat(slope, starts)

    def tails(self, z: Floats, upper: bool) -> tuple[Floats, Floats]:
        """Tail probability, with the relative accuracy of the wide part if that is in closed form, and density."""
        u, weight, starts = self._gather(z)
        if isinstance(self._wide, BetaLaw):
            tail = self._wide.sf(u) if upper else self._wide.cdf(u)
        else:
            F = self._wide.evaluate(u)[0]
            tail = np.clip(1 - F if upper else F, 0.0, 1.0)
        return np.add.reduceat(tail * weight, starts), np.maximum(self.evaluate(z)[1], 0.0)
