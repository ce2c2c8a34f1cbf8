"""The mean of a sample of units whose weights are uncertain: scores of items that are more than right and wrong.

A metric is a function of weighted units (items, or groups of items). Equal weights give what everybody prints; it is
uncertain because the units are a sample. n units, six at least, share the mass n - 5 of a Dirichlet distribution of the
weights, and two imaginary units, a low and a high one, have 1/2 each. The imaginary units stand for scores that were
not seen: 1.5 standard deviations out, unevenly where the scores are skewed, and further where scores are tied, because
ties tell little about where an unseen one lies (right and wrong have Jeffreys' prior so).

A weighted mean is below t where sum G_i (x_i - t) is below 0, with independent gammas G_i; that probability is one
integral (Imhof 1961; Cifarelli and Regazzini 1990), here by the trapezium rule on a logarithmic axis.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.solve.roots import bracketed_root

__all__ = ["FEWEST_UNITS", "TAKEN", "UnitMean", "imaginary_units", "share_below", "tied_share", "unit_mean"]

#: Units from which on there is an answer: each has the mass (n - 5)/n.
FEWEST_UNITS = 6

#: Mass of the units that is taken off, standard deviations from the mean to an imaginary unit.
TAKEN, REACH = 5.0, 1.5

#: The logarithmic axis of the integral: where it begins, its step, and the exponent of what is left where it ends.
FIRST, STEP, NOTHING = -12.0, 0.1, 76.0

#: Numbers that are held at once, steps of Newton's method, and the error in standard deviations where it stops.
BLOCK, NEWTON, CLOSE = 1_000_000, 60, 1e-9

#: Share of what is outside an interval that its tails are known to.
EDGE = 1e-4

#: Scores that differ by less than this share of the largest are one.
SAME = 1e-12


def tied_share(values: Floats) -> float:
    """Share of pairs of units with the same value (Simpson's index): 1 where all are equal, 0 where none are.

    Examples
    --------
    >>> tied_share(np.array([5.0, 5.0, 5.0, 4.0]))
    0.5
    """
    times = np.unique(np.round(values, 12), return_counts=True)[1]
    n = len(values)
    return float((times * (times - 1)).sum() / (n * (n - 1)))


def imaginary_units(
    contributions: Floats,
    limits: tuple[float, float] | None = None,
    *,
    difference: bool = False,
    values: Floats | None = None,
) -> tuple[float, float] | None:
    """Where the low and the high imaginary unit lie; None where nothing tells, all units being equal.

    Parameters
    ----------
    contributions : ndarray, shape (n,)
        What each unit adds to the metric: its score, where that is a mean.
    limits : (float, float), optional
        The least and the largest possible value; either may be infinite.
    difference : bool
        Of two systems on the same units: neither is special, so skewness moves nothing.
    values : ndarray, shape (n,), optional
        The units' own values, whose ties count; the contributions if left out.

    Examples
    --------
    >>> imaginary_units(np.array([1.0, 1.0, 0.0, 1.0, 1.0, 1.0]), (0, 1))
    (0.0, 1.0)
    >>> imaginary_units(np.full(10, 5.0)) is None
    True
    """
    middle, sd = float(contributions.mean()), float(contributions.std())
    flat = sd <= SAME * max(1.0, abs(middle))
    skewness = 0.0 if flat or difference else float(((contributions - middle) ** 3).mean()) / sd**3
    root = (skewness**2 + 4) ** 0.5
    low, high = middle + REACH * sd * (skewness - root) / 2, middle + REACH * sd * (skewness + root) / 2
    ends = limits
    if difference and (most := float(np.abs(contributions).max())) > SAME:
        ends = (-most, most)
    if flat and (ends is None or not np.isfinite(ends).all()):
        return None
    if limits is not None:
        low, high = max(low, limits[0]), min(high, limits[1])
    if ends is not None:
        tied = tied_share(contributions if values is None else values)
        low += tied * (min(ends[0], low) - low) if np.isfinite(ends[0]) else 0.0
        high += tied * (max(ends[1], high) - high) if np.isfinite(ends[1]) else 0.0
    return low, high


def share_below(distances: Floats, mass: Floats) -> tuple[Floats, Floats]:
    """P(sum_i G_i d_i <= 0), G_i gamma of shape ``mass`` i, and how it grows as all distances shrink alike.

    Parameters
    ----------
    distances : ndarray, shape (T, n)
        x_i - t, a row a threshold t.
    mass : ndarray, shape (n,)

    Returns
    -------
    ndarray, ndarray, shape (T,)
        The probability, and its derivative by t.
    """
    below, density = np.empty(len(distances)), np.zeros(len(distances))
    scale = np.sqrt(distances**2 @ mass)
    for at, (row, size) in enumerate(zip(distances, scale.tolist(), strict=True)):
        if size == 0 or row.max() <= 0 or row.min() >= 0:
            below[at] = float(size == 0 or row.max() <= 0)
            continue
        d, top = row / size, 2.0
        while mass @ np.log1p((d * np.exp(top)) ** 2) < NOTHING:
            top += 0.5
        u = np.exp(np.arange(FIRST, top, STEP))
        wide = max(1, BLOCK // len(u))
        log, slope = np.zeros(len(u), dtype=complex), np.zeros(len(u), dtype=complex)
        for first in range(0, len(d), wide):
            part, own = 1 - 1j * np.outer(u, d[first : first + wide]), mass[first : first + wide]
            log -= np.log(part) @ own
            slope += (1 / part) @ own
        value = np.exp(log)
        # before the first node the integrand is u times the mean distance, and the rule's sum a geometric series
        head = float(mass @ d) * u[0] * STEP / np.expm1(STEP)
        below[at] = 0.5 - (value.imag.sum() * STEP + head) / np.pi
        start = float(mass.sum()) * u[0] * STEP / np.expm1(STEP)
        density[at] = ((value * slope).real @ u * STEP + start) / np.pi / size
    return np.clip(below, 0.0, 1.0), np.maximum(density, 0.0)


class UnitMean(NamedTuple):
    """Distribution of sum w_i x_i, the weights w being Dirichlet; equal values are one, with the sum of their mass.

    Examples
    --------
    >>> scores = unit_mean(np.array([5.0, 5, 5, 4, 5, 3, 5, 5, 4, 5]), (1, 5))
    >>> round(scores.mean, 4), scores.quantile(np.array([0.025, 0.975])).round(4).tolist()
    (4.4053, [3.5011, 4.916])
    """

    values: Floats
    mass: Floats

    @property
    def support(self) -> tuple[float, float]:
        """Least and largest possible mean."""
        return float(self.values[0]), float(self.values[-1])

    @property
    def mean(self) -> float:
        """Expected value."""
        return float(self.mass @ self.values / self.mass.sum())

    @property
    def sd(self) -> float:
        """Standard deviation."""
        total = self.mass.sum()
        return float((self.mass @ (self.values - self.mean) ** 2 / (total * (total + 1))) ** 0.5)

    @property
    def residual(self) -> float:
        """Bound on the error of the distribution function."""
        return 1e-10

    def at(self, x: Floats) -> tuple[Floats, Floats]:
        """Distribution function and density."""
        points = np.ravel(x)
        below, density = share_below(self.values[None, :] - points[:, None], self.mass)
        return below.reshape(np.shape(x)), density.reshape(np.shape(x))

    def cdf(self, x: Floats) -> Floats:
        """Distribution function."""
        return self.at(x)[0]

    def sf(self, x: Floats) -> Floats:
        """Probability of more than x."""
        return 1 - self.at(x)[0]

    def pdf(self, x: Floats) -> Floats:
        """Density."""
        return self.at(x)[1]

    def quantile(self, p: Floats) -> Floats:
        """Quantiles by Newton's method, halving where it leaves the bracket."""
        goal = np.ravel(np.asarray(p, dtype=float))
        low, high = (np.full(len(goal), end) for end in self.support)
        start = self.mean + self.sd * ndtri(np.clip(goal, 1e-9, 1 - 1e-9))
        x = np.where((start > low) & (start < high), start, self.mean)
        todo = np.arange(len(goal))
        for _ in range(NEWTON):
            below, density = self.at(x[todo])
            over = below >= goal[todo]
            high[todo], low[todo] = np.where(over, x[todo], high[todo]), np.where(over, low[todo], x[todo])
            with np.errstate(divide="ignore", invalid="ignore"):
                step = x[todo] - (below - goal[todo]) / density
            inside = (step >= low[todo]) & (step <= high[todo])
            following = np.where(inside, step, (low[todo] + high[todo]) / 2)
            moved = np.abs(following - x[todo])
            x[todo] = following
            todo = todo[moved > CLOSE * self.sd]
            if not len(todo):
                break
        x = np.where(goal <= 0, self.support[0], np.where(goal >= 1, self.support[1], x))
        return x.reshape(np.shape(p))

    def highest_density(self, level: float) -> tuple[float, float]:
        """Shortest interval of so much probability: both ends have one density, or one is an end of the support."""
        rest = 1 - level
        if self.support[0] == self.support[1]:
            return self.support

        def ends(below: float) -> tuple[float, float]:
            low, high = self.quantile(np.array([below, below + level])).tolist()
            return low, high

        def rising(below: float) -> float:
            low, high = np.maximum(self.pdf(np.array(ends(below))), 1e-300).tolist()
            return float(np.log(low) - np.log(high))

        left, right = rest * EDGE, rest * (1 - EDGE)
        at_left, at_right = rising(left), rising(right)
        if at_left >= 0:
            return ends(0.0)
        if at_right <= 0:
            return ends(rest)
        return ends(bracketed_root(rising, (left, at_left), (right, at_right), EDGE * rest))

    def mode(self) -> float:
        """Most probable value."""
        low, high = self.highest_density(EDGE)
        return (low + high) / 2

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent values, shape (n,)."""
        gamma = rng.standard_gamma(np.broadcast_to(self.mass, (n, len(self.mass))))
        return np.asarray(gamma @ self.values / gamma.sum(axis=1))


def unit_mean(
    scores: Floats, limits: tuple[float, float] | None = None, *, difference: bool = False
) -> UnitMean | None:
    """Distribution of the mean score of new units like these.

    None below six units, and where all are equal and no limits are known.
    """
    scores = np.asarray(scores, dtype=float)
    n = len(scores)
    ends = imaginary_units(scores, limits, difference=difference) if n >= FEWEST_UNITS else None
    if ends is None:
        return None
    values, place = np.unique(np.append(scores, ends), return_inverse=True)
    mass = np.append(np.full(n, (n - TAKEN) / n), (0.5, 0.5))
    return UnitMean(values, bincount(place.ravel(), weights=mass))
