"""The law of a sum: the inverted series inside its window, conditioning on a narrow part, tilting in the tails."""

from __future__ import annotations

from functools import cached_property
from typing import Protocol

import numpy as np
from scipy import special

from howsure.numerics.arrays import Booleans, Floats
from howsure.numerics.beta_sum.closed_forms import BetaLaw, Positive, is_pair, pair_tail
from howsure.numerics.beta_sum.inversion import Inversion
from howsure.numerics.beta_sum.normal_form import BetaRows, LinearForm, chernoff_window, combined_form
from howsure.numerics.beta_sum.tilting import tail_integrals
from howsure.numerics.beta_sum.vertices import end_distance, end_mass, starting_frequency
from howsure.numerics.solve.roots import Sketch, invert

__all__ = [
    "Convolution",
    "SeriesLaw",
    "breakpoints",
    "law_of",
    "split_by_width",
    "tanh_sinh",
]


# -- Sums of very unequal widths: condition on the narrow part ---------------------------------------------------------

# A class of a billion cases next to an empty one has a characteristic function that neither decays (the empty one has
# a rough law) nor is in the range of its vertex expansion (the large class is not). But then ``X = R + N`` with narrow
# and smooth ``N``, and
#
#     F(x) = int f_N(y) F_R(x - y) dy
#
# is done by tanh-sinh quadrature (Takahasi and Mori, 1974) on panels split at the breakpoints of ``R``, where ``F_R``
# may have infinite slope: end-point singularities do not disturb that rule. All terms are positive, so the relative
# accuracy of the parts in their tails is inherited.


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


# -- The law of a sum in absolute terms: the inverted series inside its window, tilting and end series in the tails ----


FEW_ROWS, NARROW = 8, 1e-6  # a part of a few rows that is so narrow is conditioned on without trying the series
AT_END = 1e-3  # of the support: a distance from an end that must not be computed by way of the mean
SERIES_ERROR = 2e-12  # of a probability, generously
TAIL = 1e-4  # below this probability the absolute accuracy of the series is not enough
CLOSE_ENOUGH = 1e-6  # of the log of a far tail: the last Newton step squares it
FAR = 1e-6  # and below this one not even for a quantile: 1e-14 in probability is 1e-8 of the tail's scale


def law_of(form: LinearForm) -> BetaLaw | SeriesLaw:
    """Choose the closed form for a single Beta, inversion otherwise."""
    return BetaLaw(form) if form.row_count == 1 and len(form.betas) else SeriesLaw(form)


def invert_form(form: LinearForm) -> Inversion | Convolution:
    """Invert directly, or by conditioning on the narrow part if the series would be very long."""
    parts = split_by_width(form) if form.row_count <= FEW_ROWS and form.narrowest <= NARROW * form.sd else None
    if parts is None or parts[1].sd > NARROW * form.sd:
        direct = Inversion(form)
        if not direct.slow:
            return direct
        parts = parts or split_by_width(form)
    if parts is None:
        return Inversion(form, patient=True)
    wide, narrow = parts
    wide_law = law_of(wide)
    inner = split_by_width(wide) if is_conditioned(wide_law) else None
    if inner is not None:  # an integral within an integral: the two narrower parts of three together may be smooth
        both = joined(inner[1], narrow)
        both_law = law_of(both)
        if not is_conditioned(both_law):
            return Convolution(form, inner[0], law_of(inner[0]), both, both_law)
    return Convolution(form, wide, wide_law, narrow, law_of(narrow))


def is_slow(form: LinearForm) -> bool:
    """Whether `invert_form` would have to be patient."""
    return form.row_count > FEW_ROWS and Inversion(form).slow and split_by_width(form) is None


def is_conditioned(law: BetaLaw | SeriesLaw) -> bool:
    """Whether a law is itself computed by conditioning on a part of it."""
    return isinstance(law, SeriesLaw) and isinstance(law._inversion, Convolution)


def joined(first: LinearForm, second: LinearForm) -> LinearForm:
    """Form of the sum of two independent parts with mean 0."""
    a, b, w, count = (
        np.concatenate((getattr(first.betas, name), getattr(second.betas, name))) for name in ("a", "b", "w", "count")
    )
    return combined_form(BetaRows(a, b, w, count), first.wide + second.wide)


def reconciled(tail: Floats, series: Floats) -> Floats:
    """Prefer the tail value, unless it differs by more than the series can err: then it has not converged."""
    return np.where(np.abs(tail - series) <= SERIES_ERROR + 1e-8 * series, tail, series)


class SeriesLaw:
    """Law of a sum of at least two random components."""

    def __init__(self, form: LinearForm) -> None:
        self.form = form

    @cached_property
    def _inversion(self) -> Inversion | Convolution:
        return invert_form(self.form)

    @cached_property
    def _sketch(self) -> Sketch:
        form, inversion = self.form, self._inversion
        return Sketch(self.evaluate, form.mean, form.sd, form.mean + inversion.low, form.mean + inversion.high)

    @property
    def method(self) -> str:
        """Plain series, or series with its exact remainder."""
        return self._inversion.method

    @property
    def terms(self) -> int:
        """Number of terms of the series."""
        return self._inversion.terms

    @property
    def residual(self) -> float:
        """Estimated bound of the error of the distribution function."""
        return self._inversion.residual

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and slope with absolute accuracy; constant outside the window."""
        inversion = self._inversion
        z = x - self.form.mean
        low, high = inversion.low, inversion.high
        if z.min() >= low and z.max() <= high:
            return inversion.evaluate(z)
        F, f, slope = inversion.evaluate(np.minimum(np.maximum(z, low), high))
        inside = (z >= low) & (z <= high)
        return np.where(inside, F, z > 0), np.where(inside, f, 0.0), np.where(inside, slope, 0.0)

    def cdf(self, x: Floats) -> Floats:
        """``P(X <= x)``."""
        return self._probability(x, upper=False)

    def sf(self, x: Floats) -> Floats:
        """``P(X > x)``."""
        return self._probability(x, upper=True)

    def _probability(self, x: Floats, upper: bool) -> Floats:
        F = self.evaluate(x)[0]
        mass = np.clip(1 - F if upper else F, 0.0, 1.0)
        tail = mass < TAIL
        if tail.any():
            mass[tail] = reconciled(self.tails(x[tail], upper=upper)[0], mass[tail])
        for end in self._steep_ends:
            for i in np.flatnonzero(self._at_end(x, end)):
                found = end_mass(self.form, self._distance(float(x[i]), end), end)
                if found is not None:
                    mass[i] = found[0] if end == upper else 1 - found[0]
        return mass

    def _distance(self, x: float, upper: bool) -> float:
        """Return the distance from an end of the support."""
        return self.form.support[1] - x if upper else x - self.form.support[0]

    @cached_property
    def _steep_ends(self) -> tuple[bool, ...]:
        """Ends (lower False, upper True) with infinite density."""
        return tuple(upper for upper in (False, True) if self.form.end_exponents[upper] < 1)

    def _at_end(self, x: Floats, upper: bool) -> Booleans:
        """Points so near an end that, where its density is infinite, the distance from the mean is too coarse."""
        low, high = self.form.support
        return (high - x if upper else x - low) < AT_END * (high - low)

    def pdf(self, x: Floats) -> Floats:
        """Density."""
        F, f, _ = self.evaluate(x)
        f = np.maximum(f, 0.0)
        for upper, mass in ((False, F), (True, 1 - F)):
            tail = (mass < 1e-8) & (f * self.form.sd < 1e-6)
            if tail.any():
                f[tail] = self.tails(x[tail], upper=upper)[1]
        return f

    def density(self, x: Floats) -> Floats:
        """Density with absolute accuracy only."""
        return self.evaluate(x)[1]

    def tails(self, x: Floats, upper: bool) -> tuple[Floats, Floats]:
        """Tail probability and density with relative accuracy, for points well out on one side."""
        form, inversion = self.form, self._inversion
        if is_pair(form) and not (upper in self._steep_ends and self._at_end(x, upper).any()):
            return pair_tail(form, form.support[1] - x if upper else x - form.support[0], upper)
        if isinstance(inversion, Convolution):
            mass, density = inversion.tails(x - form.mean, upper)
            tiny = mass < 1e-9  # no closed form behind it: tilt the whole sum
            if tiny.any():
                mass[tiny], density[tiny] = tail_integrals(form, x[tiny] - form.mean)
            return mass, density
        mass, density = np.empty(len(x)), np.empty(len(x))
        rest = []
        for i, at in enumerate(x):
            near = end_mass(form, self._distance(float(at), upper), upper)
            if near is None:
                rest.append(i)
            else:
                mass[i], density[i] = near
        if rest:
            mass[rest], density[rest] = tail_integrals(form, x[rest] - form.mean, inversion.expansion)
        unknown = np.isnan(mass)
        if unknown.any():
            F, f, _ = self.evaluate(x[unknown])
            mass[unknown], density[unknown] = np.maximum(1 - F if upper else F, 0.0), np.maximum(f, 0.0)
        return mass, density

    def quantile(self, p: Floats) -> Floats:
        """Inverse distribution function, 0 < p < 1."""
        form, inversion = self.form, self._inversion
        x = np.empty(len(p))
        far = np.minimum(p, 1 - p) < FAR
        if not far.all():
            low, high = form.mean + inversion.low, form.mean + inversion.high
            x[~far] = invert(self.evaluate, p[~far], self._start(p[~far]), low, high, form.sd)
        for i in np.flatnonzero(far):
            x[i] = self._far_quantile(float(p[i]))
        for upper in self._steep_ends:
            for i in np.flatnonzero(self._at_end(x, upper) & ~far):
                x[i] = self._end_quantile(float(1 - p[i] if upper else p[i]), upper)
        return np.clip(x, *form.support)

    def _end_quantile(self, mass: float, upper: bool) -> float:
        """Newton's method for the log of the distance at which the end series has the given mass."""
        v = end_distance(self.form, mass, upper)
        for _ in range(6):
            found = end_mass(self.form, v, upper)
            if found is None:
                break
            v *= (mass / found[0]) ** (found[0] / (found[1] * v))
        return self.form.support[1] - v if upper else self.form.support[0] + v

    def _start(self, p: Floats) -> Floats:
        """First guess of quantiles, strictly inside the window."""
        form, inversion = self.form, self._inversion
        low, high = form.mean + inversion.low, form.mean + inversion.high
        if self._sketch.usable:
            return np.clip(self._sketch.at(p)[0], low + 1e-3 * (form.mean - low), high - 1e-3 * (high - form.mean))
        u = special.ndtri(p)
        start = form.mean + form.sd * (u + form.skewness * (u * u - 1) / 6)
        return np.clip(start, low + 0.05 * (form.mean - low), high - 0.05 * (high - form.mean))

    def highest_guess(self, level: float) -> tuple[float, float] | None:
        """First guess of the ends of a highest-density interval inside the support."""
        return self._sketch.highest(level) if self._sketch.usable else None

    def _far_quantile(self, p: float) -> float:
        """Newton's method on the log of the tail probability against the log of the distance from the end.

        At the end the one is a straight line in the other, and further in it bends down: from a point too near the end
        the steps fall short and never overshoot. It starts at the further of the leading power and a normal tail, and
        stays inside a bracket.
        """
        upper = p > 0.5
        mass = 1 - p if upper else p
        form = self.form
        end, side = (form.support[1], -1.0) if upper else (form.support[0], 1.0)
        inner = form.above if upper else form.below  # distance of the mean from the end
        low, high = 0.0, inner
        v = max(inner + form.sd * float(special.ndtri(mass)), end_distance(form, mass, upper))
        if not 0 < v < inner:
            v = 0.5 * inner
        for _ in range(100):
            tail, density = (float(value[0]) for value in self.tails(np.array([end + side * v]), upper))
            low, high = (low, v) if tail > mass else (v, high)
            miss = np.log(mass / tail) if tail > 0 else np.inf
            new = v * float(np.exp(np.clip(miss * tail / (density * v), -50, 50))) if tail > 0 and density > 0 else high
            if abs(miss) < CLOSE_ENOUGH or high - low < 4e-16 * max(abs(end), v):
                return end + side * (new if low <= new <= high else v)
            v = new if low < new < high else (0.5 * (low + high) if low else 0.01 * high)
        return end + side * v
