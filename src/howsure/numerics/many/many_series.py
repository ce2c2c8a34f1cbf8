"""Sums of Betas, many at once: the Fourier series of their distribution functions.

The series of `numerics.beta_sum.fourier` for tables that need about the same number of terms. Weights are scaled so
that every period is 2 pi; then one call makes the transforms of all. A law that decays too slowly for a short series
(two perfect classes, a narrow one beside a wide one) is left out, to be computed otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri

from howsure.numerics.arrays import Booleans, Complexes, Floats, Integers
from howsure.numerics.beta_sum.fourier import power_ladder, unit_phase
from howsure.numerics.beta_sum.normal_form import BetaRows
from howsure.numerics.beta_sum.window import beta_saddle
from howsure.numerics.many.many_newton import equal_densities, inverted
from howsure.numerics.many.many_transforms import beta_transforms
from howsure.numerics.many.sums import Sums

__all__ = ["FAR", "SeriesOfMany", "series_of"]

NEGLIGIBLE = 29.0  # e^-29 < 3e-13: mass that may lie outside the window on either side
TILTS = np.geomspace(1.0, 40.0, 7)  # trial tilts, in units of 1/sd; 7.6 is the best one for a normal law
TERMS = np.array([12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 2048])
MOST_OF_PAIRS = 9  # of these counts: a sum of two has another way
TOLERANCE = 1e-12  # size of the first term left out, relative to a probability
ROWS = 512  # tables at a time: they stay in the cache
FAR = 1e-8  # of a probability: nearer to 0 or 1 the absolute accuracy of the series is not enough


def windows(sums: Sums, mean: Floats, sd: Floats) -> tuple[Floats, Floats]:
    """Distances below and above the mean beyond which at most ``e^-29`` of each law lies, shape (N,).

    As `numerics.beta_sum.window.chernoff_window`, which says why.
    """
    n = (sums.a + sums.b)[:, None, :]
    a, b, w = sums.a[:, None, :], sums.b[:, None, :], sums.w[:, None, :]
    s = np.concatenate((TILTS, -TILTS)) / sd[:, None]
    to_upper, to_lower = beta_saddle(BetaRows(a, b, w, np.ones(1, np.int64)), s)
    tilt = s[:, :, None] * w
    shape = to_lower - n - tilt * (a / n) - a * np.log(to_upper / n) - b * np.log(to_lower / n)
    bound = np.minimum(shape, tilt * tilt / (8 * (n + 1))).sum(axis=2)
    reach = (bound + NEGLIGIBLE) / np.abs(s)
    above, below = reach[:, : len(TILTS)].min(axis=1), reach[:, len(TILTS) :].min(axis=1)
    return np.minimum(below, mean - sums.low), np.minimum(above, sums.high - mean)


def terms_wanted(sums: Sums, period: Floats) -> Integers:
    """Index into ``TERMS`` of the count that suffices if rows decay as Gammas of their skewness; its length if none."""
    a, b = np.minimum(sums.a, sums.b), np.maximum(sums.a, sums.b)
    n = a + b
    spread = sums.w**2 * b / (n * n * (n + 1))  # variance over shape
    t = 2 * np.pi / period[:, None] * TERMS
    log_size = -0.5 * (a[:, None, :] * np.log1p(t[:, :, None] ** 2 * spread[:, None, :])).sum(axis=2)
    enough = log_size - np.log(TERMS) < np.log(TOLERANCE)
    return np.asarray(np.where(enough.any(axis=1), enough.argmax(axis=1), len(TERMS)))


def transforms(sums: Sums, period: Floats, count: int) -> Complexes:
    """``E e^{i t_m (X - E X)}`` at ``t_m = 2 pi m / period``, ``m = 1 .. count``; shape (N, count)."""
    scaled = (2 * np.pi / period)[:, None] * sums.w
    real = scaled != 0
    whole = np.ones((*real.shape, count), complex)
    whole[real] = beta_transforms(sums.a[real], sums.b[real], scaled[real], count)
    return np.asarray(whole.prod(axis=1))


@dataclass(frozen=True, eq=False)
class SeriesOfMany:
    """Laws whose series have the same number of terms.

    Parameters
    ----------
    index : ndarray of int, shape (R,)
        Which tables they are.
    mean, sd, skewness : ndarray, shape (R,)
    reach, support : ndarray, shape (2, R)
        Distances of the ends of the windows below and above the mean; ends of the support.
    phi : ndarray of complex, shape (R, M)
        Characteristic functions around the mean at ``2 pi m / period``, ``m = 1 .. M``.
    """

    index: Integers
    mean: Floats
    sd: Floats
    skewness: Floats
    reach: Floats
    support: Floats
    phi: Complexes

    def __post_init__(self) -> None:
        period = self.reach.sum(axis=0)
        m = np.arange(1, self.phi.shape[1] + 1)
        first = self.phi / (np.pi * m)
        t = 2 * np.pi / period[:, None] * m
        object.__setattr__(self, "_period", period)
        object.__setattr__(self, "_columns", np.stack((first, first * t, first * t * t), axis=1))

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' of the laws ``rows`` at points of shape (rows, m), with absolute accuracy."""
        period: Floats = self._period[rows, None]  # type: ignore[attr-defined]
        columns: Complexes = self._columns[rows]  # type: ignore[attr-defined]
        z = x - self.mean[rows, None]
        low, high = -self.reach[0, rows, None], self.reach[1, rows, None]
        inside = (z >= low) & (z <= high)
        at = np.clip(z, low, high)
        turn = unit_phase(-2 * np.pi / period * at)
        powers = power_ladder(turn, columns.shape[2] + 1)[1:]
        sums = columns @ powers.transpose(1, 0, 2)
        F = np.where(inside, 0.5 + at / period - sums[:, 0].imag, z > 0)
        return F, np.where(inside, 1 / period + sums[:, 1].real, 0.0), np.where(inside, sums[:, 2].imag, 0.0)

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x) of the laws ``rows`` at points of shape (rows, m)."""
        return np.clip(self.evaluate(rows, x)[0], 0.0, 1.0)

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p`` lie, shape (R, m); ``p`` of shape (m,), between 1e-8 and 1 - 1e-8."""
        u = ndtri(p)
        start = self.mean[:, None] + self.sd[:, None] * (u + self.skewness[:, None] * (u * u - 1) / 6)
        low, high = self.mean - self.reach[0], self.mean + self.reach[1]
        inner_low, inner_high = self._inner
        start = np.clip(start, inner_low[:, None], inner_high[:, None])
        return inverted(self.evaluate, np.broadcast_to(p, start.shape), start, low, high, self.sd)

    def part(self, rows: Integers) -> SeriesOfMany:
        """Some of the laws."""
        return SeriesOfMany(
            self.index[rows],
            self.mean[rows],
            self.sd[rows],
            self.skewness[rows],
            self.reach[:, rows],
            self.support[:, rows],
            self.phi[rows],
        )

    @property
    def range(self) -> tuple[Floats, Floats]:
        """Ends of what `evaluate` knows."""
        return self.mean - self.reach[0], self.mean + self.reach[1]

    @property
    def _inner(self) -> tuple[Floats, Floats]:
        """Points well inside the window, below and above the mean."""
        return self.mean - 0.95 * self.reach[0], self.mean + 0.95 * self.reach[1]

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of the highest-density intervals of laws with one peak, and where they were found.

        The first guess is that of a law whose quantiles are a parabola in the normal score (Cornish and Fisher).
        """
        z, g = float(ndtri((1 + level) / 2)), self.skewness
        centre, half = g * (z * z - 3) / 6, z
        inner_low, inner_high = self._inner
        start = np.stack(
            (
                np.maximum(self.mean + self.sd * (centre - half), inner_low),
                np.minimum(self.mean + self.sd * (centre + half), inner_high),
            ),
            axis=1,
        )
        return equal_densities(self.evaluate, level, start, *self.support)


def series_of(sums: Sums, names: Integers) -> tuple[list[SeriesOfMany], Integers]:
    """Laws that a short series gives, in groups of about equal length, and the tables that it does not give.

    ``names`` are the numbers that the tables go by.
    """
    mean, sd, skewness = sums.moments()
    below, above = windows(sums, mean, sd)
    wanted = terms_wanted(sums, below + above)
    wanted[(sums.count == 2) & (wanted >= MOST_OF_PAIRS)] = len(TERMS)
    groups: list[SeriesOfMany] = []
    left = [np.flatnonzero(wanted == len(TERMS))]
    for k, count in enumerate(TERMS.tolist()):
        rows = np.flatnonzero(wanted == k)
        for first in range(0, len(rows), ROWS):
            index = rows[first : first + ROWS]
            period = below[index] + above[index]
            phi = transforms(sums.part(index), period, count)
            short = np.abs(phi[:, -2:]).max(axis=1) > 4 * TOLERANCE * count
            longer = (k + 1 < np.where(sums.count[index] == 2, MOST_OF_PAIRS, len(TERMS))) & short
            wanted[index[longer]] = k + 1
            left.append(index[short & ~longer])
            kept = index[~short]
            if len(kept):
                groups.append(
                    SeriesOfMany(
                        names[kept],
                        mean[kept],
                        sd[kept],
                        skewness[kept],
                        np.stack((below[kept], above[kept])),
                        np.stack((sums.low[kept], sums.high[kept])),
                        phi[~short],
                    )
                )
    return groups, names[np.sort(np.concatenate(left))]
