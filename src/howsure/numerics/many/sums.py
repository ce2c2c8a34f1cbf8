"""Tables as sums of Betas: arrays, moments, ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers

__all__ = ["Sums"]


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
