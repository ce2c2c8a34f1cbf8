"""Tables as sums of Betas: arrays, moments, ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers
from howsure.numerics.learned.beta_mixture import log_peaks, log_ratio
from howsure.numerics.solve.highest_density.of_betas import hdi_beta
from howsure.numerics.solve.peaks import beta_cdf, beta_quantile
from howsure.numerics.solve.roots import equal_densities


@dataclass(frozen=True)
class Sums:
    """Tables as sums ``sum_k w_k theta_k``, ``theta_k ~ Beta(a_k, b_k)``; arrays of shape (N, K)."""

    a: Floats
    b: Floats
    w: Floats

    def __len__(self) -> int:
        return len(self.a)

    def part(self, rows: Integers | Booleans) -> Sums:
        """Some of the tables."""
        return Sums(self.a[rows], self.b[rows], self.w[rows])

    def moments(self) -> tuple[Floats, Floats, Floats]:
        """Mean, standard deviation and skewness, shape (N,); 0 skewness of a constant."""
        n = self.a + self.b
        p, q = self.a / n, self.b / n
        second = self.w * self.w * (p * q / (n + 1))
        third = 2 * self.w * second * ((q - p) / (n + 2))
        variance = second.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            skewness = np.where(variance > 0, third.sum(axis=1) / variance**1.5, 0.0)
        return (self.w * p).sum(axis=1), np.sqrt(variance), skewness

    @property
    def low(self) -> Floats:
        """Lower ends of the supports."""
        return np.asarray(np.minimum(self.w, 0.0).sum(axis=1))

    @property
    def high(self) -> Floats:
        """Upper ends of the supports."""
        return np.asarray(np.maximum(self.w, 0.0).sum(axis=1))

    @property
    def count(self) -> Integers:
        """How many rates have a weight, shape (N,)."""
        return np.asarray((self.w != 0).sum(axis=1))

    @property
    def one_peak(self) -> Booleans:
        """Where the density is known to rise from 0 to one peak and to fall to 0 (False says nothing), shape (N,).

        A density with one peak keeps to one when convolved with log-concave ones (Ibragimov, 1956): those of Betas
        without a parameter below 1. At an end of the support it is 0 if the exponents there add up to more than 1.
        """
        real = self.w != 0
        steep = real & (np.minimum(self.a, self.b) < 1)
        at_low, at_high = np.where(self.w > 0, self.a, self.b), np.where(self.w > 0, self.b, self.a)
        ends = [np.where(real, exponent, 0.0).sum(axis=1) > 1 for exponent in (at_low, at_high)]
        return np.asarray(
            (steep.sum(axis=1) <= 1) & ~(steep & (np.maximum(self.a, self.b) < 1)).any(axis=1) & ends[0] & ends[1]
        )


# -- Single Betas, many at once: closed forms, elementwise -------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class RatesOfMany:
    """Laws of ``low + width theta``, ``theta ~ Beta(a, b)``, shape (R,) each; ``index`` says which tables they are."""

    index: Integers
    a: Floats
    b: Floats
    low: Floats
    width: Floats

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """F, f and f' of the laws ``rows`` at points of shape (rows, m), strictly inside the support."""
        a, b, width = self.a[rows, None], self.b[rows, None], self.width[rows, None]
        theta = (x - self.low[rows, None]) / width
        n = a + b
        with np.errstate(divide="ignore", over="ignore", under="ignore", invalid="ignore"):
            log_density = log_peaks(a, b) + a * log_ratio(theta, a / n) + b * log_ratio(1 - theta, b / n)
            f = np.exp(log_density - np.log(theta) - np.log1p(-theta))
            slope = f * ((a - 1) / theta - (b - 1) / (1 - theta))
        return beta_cdf(a, b, theta), f / width, slope / (width * width)

    def cdf(self, rows: Integers, x: Floats) -> Floats:
        """P(X <= x) of the laws ``rows`` at points of shape (rows, m)."""
        theta = (x - self.low[rows, None]) / self.width[rows, None]
        return beta_cdf(self.a[rows, None], self.b[rows, None], np.clip(theta, 0.0, 1.0))

    def quantile(self, p: Floats) -> Floats:
        """Values below which shares ``p`` lie, shape (R, m); ``p`` of shape (m,)."""
        theta = beta_quantile(self.a[:, None], self.b[:, None], p)
        return np.asarray(self.low[:, None] + self.width[:, None] * theta)

    def highest(self, level: float) -> tuple[Floats, Booleans]:
        """Ends of the highest-density intervals, and where that set is one interval (not of a U or a plateau).

        A density that rises or falls all the way has one at the end of the support; for the others Newton's method
        starts at the central interval, and where it fails there is `hdi_beta`.
        """
        a, b = self.a, self.b
        theta = np.full((len(a), 2), np.nan)
        one = ~((a < 1) & (b < 1) | (a == 1) & (b == 1))
        tops = np.flatnonzero((a > 1) & (b > 1))
        if len(tops):
            unit = RatesOfMany(tops, a[tops], b[tops], np.zeros(len(tops)), np.ones(len(tops)))
            central = unit.quantile(np.array([(1 - level) / 2, (1 + level) / 2]))
            theta[tops], found = equal_densities(unit.evaluate, level, central, unit.low, unit.width)
            hard = tops[~found]
            if len(hard):
                theta[hard] = np.stack(hdi_beta(a[hard], b[hard], level), axis=1)
        for rises in (False, True):
            rows = np.flatnonzero(one & ((b <= 1) & (b < a) if rises else (a <= 1) & (a < b)))
            tail = np.full(len(rows), 1 - level if rises else level)
            cut = beta_quantile(a[rows], b[rows], tail)
            theta[rows] = np.stack((cut, np.ones(len(rows))) if rises else (np.zeros(len(rows)), cut), axis=1)
        return self.low[:, None] + self.width[:, None] * theta, one
