"""The normal form of a ratio of two linear functionals of the same independent Dirichlet rows.

    X = N / D,    N = n0 + sum_i sum_j n_ij p_ij,    D = d0 + sum_i sum_j d_ij p_ij > 0

    P(X <= x) = P(N - x D <= 0),    N - x D = (n0 - x d0) + sum_i sum_j (n_ij - x d_ij) p_ij

so that every probability is one of a linear functional. Cells of a row with the same pair (n_ij, d_ij) are merged, and
one pair of every row goes into the constants. What is left of a row often lies on a line through the origin,
(n_ij, d_ij) = s_ij (p, q): then the row enters N and D through the one number sum_j s_ij p_ij, whatever x is, and rows
with the same direction (p, q) through one number together, a *part*. Precision, F1 and Jaccard of a class have two
parts: its own row and the sum of all the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Floats, bincount
from howsure.numerics.beta_sum.sum_law import LinearEngine

__all__ = ["Fraction", "FractionPart", "FractionRow", "fraction_of"]

PARALLEL = 1e-13  # sine of the angle between two directions that are the same but for rounding
MOST_STEPS = 100


@dataclass(frozen=True)
class FractionRow:
    """Distinct pairs of one row, less the first one, with the concentrations that belong to them."""

    n: Floats
    d: Floats
    alpha: Floats

    @property
    def direction(self) -> tuple[float, float] | None:
        """Unit vector (p, q) along which all pairs lie, or None."""
        k = int(np.argmax(np.hypot(self.n, self.d)))
        size = float(np.hypot(self.n[k], self.d[k]))
        p, q = float(self.n[k]) / size, float(self.d[k]) / size
        off_line = np.abs(self.n * q - self.d * p)
        return (p, q) if bool((off_line <= PARALLEL * size).all()) else None


@dataclass(frozen=True)
class FractionPart:
    """A random number ``T`` that adds ``p T`` to the numerator and ``q T`` to the denominator."""

    p: float
    q: float
    law: LinearEngine


@dataclass(frozen=True)
class Fraction:
    """The normal form; rows that are constant have become constants."""

    n0: float
    d0: float
    rows: tuple[FractionRow, ...]

    def functional(self, x: float) -> LinearEngine:
        """Law of ``N - x D``."""
        pairs = [row for row in self.rows if len(row.alpha) == 2]
        wide = [(row.n - x * row.d, row.alpha, 1) for row in self.rows if len(row.alpha) > 2]
        columns = np.array([(r.alpha[1], r.alpha[0], r.n[1] - x * r.d[1]) for r in pairs]).reshape(-1, 3).T
        return LinearEngine(wide, betas=(columns[0], columns[1], columns[2]), shift=self.n0 - x * self.d0)

    @property
    def means(self) -> tuple[float, float]:
        """Means of numerator and denominator."""
        weights = [row.alpha / row.alpha.sum() for row in self.rows]
        n = self.n0 + sum(float(row.n @ w) for row, w in zip(self.rows, weights, strict=True))
        d = self.d0 + sum(float(row.d @ w) for row, w in zip(self.rows, weights, strict=True))
        return n, d

    @property
    def mean(self) -> float:
        """Mean of the ratio, about."""
        n, d = self.means
        return n / d

    @property
    def sd(self) -> float:
        """Standard deviation of the ratio, about (the delta method)."""
        return self.functional(self.mean).sd / self.means[1]

    @property
    def denominator_range(self) -> tuple[float, float]:
        """Smallest and largest value of the denominator."""
        return (
            self.d0 + sum(float(row.d.min()) for row in self.rows),
            self.d0 + sum(float(row.d.max()) for row in self.rows),
        )

    def extreme(self, upper: bool) -> float:
        """Largest (or smallest) value, by the iteration of Dinkelbach (1967): the vertex that is best at the last x.

        The value rises from vertex to vertex, so that the iteration ends; infinite if the denominator vanishes first.
        """
        sign = 1.0 if upper else -1.0
        n, d = self.means
        x = n / d
        for _ in range(MOST_STEPS):
            best = [int(np.argmax(sign * (row.n - x * row.d))) for row in self.rows]
            top = self.n0 + sum(float(row.n[j]) for row, j in zip(self.rows, best, strict=True))
            bottom = self.d0 + sum(float(row.d[j]) for row, j in zip(self.rows, best, strict=True))
            gain = sign * (top - x * bottom)
            if gain <= 1e-15 * (abs(top) + abs(x * bottom)):
                return x
            if bottom <= 0:
                return sign * np.inf
            if sign * (top / bottom - x) <= 0:
                return x
            x = top / bottom
        return x

    def parts(self, most: int = 2) -> tuple[FractionPart, ...] | None:
        """The numbers through which the rows enter; None if there are more than ``most`` or rows off a line."""
        groups: list[tuple[tuple[float, float], list[FractionRow]]] = []
        for row in self.rows:
            direction = row.direction
            if direction is None:
                return None
            p, q = direction
            for (p0, q0), members in groups:
                if abs(p * q0 - q * p0) <= PARALLEL:
                    members.append(row)
                    break
            else:
                groups.append((direction, [row]))
            if len(groups) > most:
                return None
        return tuple(_part(direction, members) for direction, members in groups)


def _part(direction: tuple[float, float], members: Sequence[FractionRow]) -> FractionPart:
    p, q = direction
    rows = [(row.n * p + row.d * q, row.alpha, 1) for row in members]
    return FractionPart(p, q, LinearEngine(rows))


def fraction_of(n: Floats, d: Floats, alphas: Floats, n0: float, d0: float) -> Fraction:
    """Bring coefficients ``n``, ``d`` and concentrations, all of shape (R, J), to the normal form.

    A concentration of 0 marks a cell that cannot occur.
    """
    rows = []
    for n_row, d_row, alpha_row in zip(n, d, alphas, strict=True):
        possible = alpha_row > 0
        pairs, place = np.unique(np.stack((n_row, d_row), axis=1)[possible], axis=0, return_inverse=True)
        n0, d0 = n0 + float(pairs[0, 0]), d0 + float(pairs[0, 1])
        if len(pairs) > 1:
            alpha = bincount(place.ravel(), weights=alpha_row[possible]).astype(float)
            rows.append(FractionRow(pairs[:, 0] - pairs[0, 0], pairs[:, 1] - pairs[0, 1], alpha))
    return Fraction(n0, d0, tuple(rows))
