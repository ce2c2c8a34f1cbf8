"""A ratio of sums over units whose weights are uncertain: its exact distribution.

Units are items, or groups of items. n of them, six at least, share the mass n - 5 of a Dirichlet distribution of the
weights, and two imaginary units, a low and a high one, have 1/2 each: scores that were not seen, 1.5 standard
deviations out, unevenly where scores are skewed, further where they are tied. A weighted mean is below t where sum G_i
(x_i - t) is below 0, with independent gammas G_i; that probability is one integral (Imhof 1961; Cifarelli and Regazzini
1990), by the trapezium rule on a logarithmic axis. A ratio of sums has num_i - t den_i for x_i - t. Many units are
joined in bins that keep three moments, which costs less than 1e-9.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.solve import CurveLaw

#: Units from which on there is an answer: each has the mass (n - 5)/n.
FEWEST_UNITS = 6

#: Mass of the units that is taken off, standard deviations from the mean to an imaginary unit.
TAKEN, REACH = 5.0, 1.5

#: The logarithmic axis of the integral: where it begins, its step, and the exponent of what is left where it ends.
FIRST, STEP, NOTHING = -12.0, 0.1, 76.0

#: The step of that of the mean of a ratio, whose integrand has no waves.
STEP_OF_SIZES = 0.3

#: Numbers that are held at once.
BLOCK = 1_000_000

#: Standard deviations from the mean beyond which nothing is sought.
FARTHEST = 1e6

#: Scores that differ by less than this share of the largest are one.
SAME = 1e-12

#: Different units beyond which they are joined in bins, the number of bins, and the error of that.
MANY, BINS, JOINED_ERROR = 200, 80, 1e-10


def tied_share(values: Floats) -> float:
    """Share of pairs of units with the same value (Simpson's index): 1 where all are equal, 0 where none are."""
    times = np.unique(np.round(values, 12), return_counts=True)[1]
    n = len(values)
    return float((times * (times - 1)).sum() / (n * (n - 1)))


def imaginary_units(
    contributions: Floats,
    limits: tuple[float, float] | None = None,
    *,
    difference: bool = False,
    values: Floats | None = None,
    far: bool = False,
) -> tuple[float, float] | None:
    """Where the low and the high imaginary unit lie; None where nothing tells, all units being equal.

    ``contributions`` (n,) are what each unit adds to the metric, ``limits`` the least and the largest value. Skewness
    moves nothing in a ``difference`` of two systems. The ties of ``values`` (n,) count, or of the contributions.
    ``far`` puts the units at the ends of what is possible, for failures that no unit shows.
    """
    middle, sd = float(contributions.mean()), float(contributions.std())
    flat = sd <= SAME * max(1.0, abs(middle))
    skewness = 0.0 if flat or difference else float(((contributions - middle) ** 3).mean()) / sd**3
    root = (skewness**2 + 4) ** 0.5
    low, high = middle + REACH * sd * (skewness - root) / 2, middle + REACH * sd * (skewness + root) / 2
    ends = limits
    if difference and not far and (most := float(np.abs(contributions).max())) > SAME:
        ends = (-most, most)
    if (flat or far) and (ends is None or not np.isfinite(ends).all()):
        return None
    if limits is not None:
        low, high = max(low, limits[0]), min(high, limits[1])
    if ends is not None:
        tied = 1.0 if far else tied_share(contributions if values is None else values)
        low += tied * (min(ends[0], low) - low) if np.isfinite(ends[0]) else 0.0
        high += tied * (max(ends[1], high) - high) if np.isfinite(ends[1]) else 0.0
    return low, high


def share_below(distances: Floats, mass: Floats, size: Floats | None = None) -> tuple[Floats, Floats, Floats]:
    """P(sum_i G_i d_i <= 0), G_i gamma of ``mass`` i, of ``distances`` x_i - t (T, n), and two derivatives by t."""
    found = np.zeros((len(distances), 3))
    heavy = mass if size is None else mass * size
    for at, row in enumerate(distances):
        if row.max() <= 0 or row.min() >= 0:
            found[at, 0] = float(row.max() <= 0)
        else:
            found[at] = _integral(*(_joined(row, mass, heavy) if len(row) > MANY else (row, mass, heavy)))
    return np.clip(found[:, 0], 0.0, 1.0), np.maximum(found[:, 1], 0.0), found[:, 2]


def _integral(distances: Floats, mass: Floats, heavy: Floats) -> tuple[float, float, float]:
    scale = float(mass @ distances**2) ** 0.5
    d, top = distances / scale, 2.0
    while mass @ np.log1p((d * np.exp(top)) ** 2) < NOTHING:
        top += 0.5
    u = np.exp(np.arange(FIRST, top, STEP))
    wide = max(1, BLOCK // len(u))
    log, slope, bend = (np.zeros(len(u), dtype=complex) for _ in range(3))
    square = np.divide(heavy**2, mass, out=np.zeros(len(mass)), where=mass > 0)
    for first in range(0, len(d), wide):
        part = slice(first, first + wide)
        factor = 1 - 1j * np.outer(u, d[part])
        log -= np.log(factor) @ mass[part]
        factor = 1 / factor
        slope += factor @ heavy[part]
        bend += (factor * factor) @ square[part]
    value = np.exp(log)
    # before the first node the integrand is u times the mean distance, and the rule's sum a geometric series
    rest = u[0] * STEP / np.expm1(STEP)
    below = 0.5 - (value.imag.sum() * STEP + float(mass @ d) * rest) / np.pi
    density = ((value * slope).real @ u * STEP + float(heavy.sum()) * rest) / np.pi / scale
    return below, density, (value * (slope * slope + bend)).imag @ (u * u) * STEP / np.pi / scale**2


def _joined(d: Floats, mass: Floats, heavy: Floats) -> tuple[Floats, Floats, Floats]:
    """Many units as two in each of `BINS` bins, narrow near 0, which keep mass, mean, variance and third moment."""
    axis = np.arcsinh(d / float((mass @ d**2 / mass.sum()) ** 0.5))
    least = float(axis.min())
    place = np.minimum(((axis - least) * (BINS / (float(axis.max()) - least))).astype(np.int64), BINS - 1)
    whole = bincount(place, weights=mass, minlength=BINS)
    some = whole > 0
    whole = whole[some]
    mean = bincount(place, weights=mass * d, minlength=BINS)[some] / whole
    place = (np.cumsum(some) - 1)[place]
    off = d - mean[place]
    variance = bincount(place, weights=mass * off**2) / whole
    sd = np.sqrt(variance)
    spread = sd > 0
    skew = np.where(spread, bincount(place, weights=mass * off**3) / whole / np.where(spread, sd, 1.0) ** 3, 0.0)
    root = np.sqrt(skew**2 + 4)
    low, high = (skew - root) / 2, (skew + root) / 2
    upper = -low / (high - low)
    weight = bincount(place, weights=heavy)
    tilt = np.where(spread, bincount(place, weights=heavy * off) / np.where(spread, sd, 1.0), 0.0)
    part = (tilt - weight * low) / (high - low)
    return (
        np.concatenate([mean + sd * low, mean + sd * high]),
        np.concatenate([whole * (1 - upper), whole * upper]),
        np.concatenate([weight - part, part]),
    )


@dataclass(frozen=True, eq=False)
class UnitRatio(CurveLaw):
    """Distribution of sum w_i num_i / sum w_i den_i, the weights w being Dirichlet; equal units are one, mass added."""

    numerator: Floats
    denominator: Floats
    mass: Floats
    support: tuple[float, float]
    mean: float
    sd: float
    residual = JOINED_ERROR
    one_peak = True

    def evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f'."""
        wide = max(1, BLOCK // len(self.mass))
        parts = [x[first : first + wide, None] for first in range(0, len(x), wide)]
        found = [share_below(self.numerator - at * self.denominator, self.mass, self.denominator) for at in parts]
        F, f, slope = (np.concatenate(each) for each in zip(*found, strict=True))
        return F, f, slope

    @cached_property
    def ends(self) -> tuple[float, float]:
        """Limits of the density: a power of the distance, by the mass of the units that are not at the end."""
        with np.errstate(divide="ignore", invalid="ignore"):
            away = [float(self.mass[self.numerator != end * self.denominator].sum()) for end in self.support]
        low, high = (0.0 if mass > 1 else np.inf for mass in away)
        return low, high

    @property
    def window(self) -> tuple[float, float]:
        """Where numbers are finite."""
        low, high = np.clip(self.support, self.mean - FARTHEST * self.sd, self.mean + FARTHEST * self.sd).tolist()
        return low, high

    @cached_property
    def skewness(self) -> float:  # type: ignore[override]  # worked out when asked
        """About that of the values, as far as a start needs it."""
        d = self.numerator - self.mean * self.denominator
        spread = float(self.mass @ d**2)
        return float(np.clip(2 * float(self.mass @ d**3) / spread**1.5, -1, 1)) if spread > 0 else 0.0

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent values, shape (n,)."""
        wide, values = max(1, BLOCK // len(self.mass)), np.empty(n)
        for first in range(0, n, wide):
            some = values[first : first + wide]
            gamma = rng.standard_gamma(np.broadcast_to(self.mass, (len(some), len(self.mass))))
            some[:] = (gamma @ self.numerator) / (gamma @ self.denominator)
        return values


def unit_mean(
    scores: Floats, limits: tuple[float, float] | None = None, *, difference: bool = False, far: bool = False
) -> UnitRatio | None:
    """Distribution of the mean score of new units like these; None below six, or all equal and without limits."""
    scores = np.asarray(scores, dtype=float)
    return ratio_of_units(scores, np.ones(len(scores)), limits, difference=difference, far=far)


def ratio_of_units(
    numerator: Floats,
    denominator: Floats,
    limits: tuple[float, float] | None = None,
    *,
    difference: bool = False,
    far: bool = False,
) -> UnitRatio | None:
    """Distribution of a ratio of sums over new units like these; imaginary units are of average size.

    None below six units, where all are equal and no limits are known, and where the denominators (n,) add up to
    nothing. A difference of two systems on the same units has the difference of their numerators, and one denominator.
    """
    n, size = len(numerator), float(denominator.mean()) if len(denominator) else 0.0
    if n < FEWEST_UNITS or not size > 0:
        return None
    ratio = float(numerator.sum() / denominator.sum())
    plain = bool((denominator == 1).all())
    contributions = numerator if plain else ratio + (numerator - ratio * denominator) / size
    ends = imaginary_units(
        contributions, limits, difference=difference, far=far, values=own_values(numerator, denominator)
    )
    if ends is None:
        return None
    tops, bottoms = np.append(numerator, np.multiply(ends, size)), np.append(denominator, (size, size))
    mass = np.append(np.full(n, (n - TAKEN) / n), (0.5, 0.5))
    if plain:
        tops, place = np.unique(tops, return_inverse=True)
        mass = bincount(place.ravel(), weights=mass)
        bottoms = np.ones(len(tops))
    return _with_moments(tops, bottoms, mass)


def own_values(numerator: Floats, denominator: Floats) -> Floats:
    """What ties are counted among: each unit's own ratio; of units without a size, what they have."""
    return np.where(denominator > 0, numerator / np.where(denominator > 0, denominator, 1.0), -1.0 - numerator)


def _with_moments(top: Floats, bottom: Floats, mass: Floats) -> UnitRatio:
    """Mean and sd are closed for equal sizes; else E[N/D] is the integral of E[N exp(-s D)] over s > 0."""
    total = float(mass.sum())
    sized = bottom > 0
    ratios = top[sized] / bottom[sized]
    low, high = float(ratios.min()), float(ratios.max())
    if sized.all() and bottom.min() == bottom.max():
        mean = float(mass @ ratios / total)
        sd = float((mass @ (ratios - mean) ** 2 / (total * (total + 1))) ** 0.5)
        return UnitRatio(top, bottom, mass, (low, high), mean, sd)
    if (top[~sized] < 0).any():
        low = -np.inf
    if (top[~sized] > 0).any():
        high = np.inf
    # about a value in the middle, so that nothing cancels
    middle = float(mass @ top / (mass @ bottom))
    d, scale = top - middle * bottom, float(mass @ bottom)
    s = np.exp(np.arange(-14.0, 26.0 if len(mass) < MANY else 5.0, STEP_OF_SIZES)) / scale
    first, second = 0.0, 0.0
    for part in np.array_split(s, max(1, len(s) * len(mass) // BLOCK)):
        factor = 1 + np.outer(part, bottom)
        kernel = np.exp(-np.log(factor) @ mass) * part * STEP_OF_SIZES
        inner = (d / factor) @ mass
        first += float(kernel @ inner)
        second += float((kernel * part) @ (inner**2 + (d / factor) ** 2 @ mass))
    return UnitRatio(top, bottom, mass, (low, high), middle + first, max(second - first**2, 0.0) ** 0.5)
