"""The rest of a Fourier series, exactly: Lindelof summation of its vertex expansion.

Beyond the first ``M`` terms the characteristic function is a sum over combinations of vertices, one per row: ``phi(t) =
sum_S e^{i t W_S} G_S(t)`` with ``W_S`` the sum of the chosen coefficients. For ``W_S >= z`` the summand ``f(m) = 2
e^{i t_m (W_S - z)} G_S(t_m)/(t_m L)`` is analytic and bounded in the upper right quarter plane, and (Lindelof, 1905)

    sum_{m > M} f(m) = i * int_{-inf}^{inf} f(M + 1/2 + iy) / (1 + e^{-2 pi y}) dy,

the mirror image for ``W_S < z``. The oscillation has become exponential decay: a law with a density that is infinite at
its breakpoints costs as little as a smooth one, and ``z`` may lie as close to a breakpoint as floating point allows.
The integral is done with ``y = sinh(v)/2`` and the trapezoidal rule; the nodes do not depend on ``z``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.vertices import RowVertices, VertexTable

__all__ = ["Combinations", "SeriesRemainder", "combination_count", "combine_vertices", "summation_line"]

FIRST_NODE, LAST_NODE = -5.6, 62.0
STEP = 0.26
NEGLIGIBLE = 1e-18
PAIRS_AT_A_TIME = 1 << 20


def combination_count(sizes: Sequence[int], copies: Sequence[int]) -> float:
    """Number of vertex combinations: per row the multinomial number of ways to spread its copies over its vertices."""
    logs = [
        special.gammaln(n + k) - special.gammaln(n + 1) - special.gammaln(k) for k, n in zip(sizes, copies, strict=True)
    ]
    return float(np.exp(min(sum(logs), 700.0)))


def compositions(copies: int, parts: int) -> np.ndarray:
    """All ways to write ``copies`` as an ordered sum of ``parts`` numbers >= 0."""
    rest = [k for k in product(range(copies + 1), repeat=parts - 1) if sum(k) <= copies]
    return np.array([(copies - sum(k), *k) for k in rest])


def summation_line(period: float, first: int, steepness: float, lean: bool) -> tuple[Complexes, Complexes, Complexes]:
    """Nodes of the upper line: complex frequencies ``t``, weights, and ``-i (t - t_first)``, the rates of decay.

    ``lean`` turns the line 45 degrees to the right, away from branch points on the imaginary axis. A steep algebraic
    decay ``t^-steepness`` narrows the strip of analyticity in ``v``, hence the smaller step.
    """
    step = STEP / (1 + steepness / 8) / (1.6 if lean else 1.0)
    v = np.arange(FIRST_NODE, LAST_NODE, step)
    grow = np.exp(v)
    y = 0.5 * np.sinh(v) + 0j
    slope = 0.5 * np.cosh(v) + 0j
    offset = 0.5
    if lean:
        y, slope, offset = y - 0.25j * grow, slope - 0.25j * grow, 0.25
    # 1/(1 - e^{2 pi i z}) at z = offset + i y, arranged so that the exponential cannot overflow
    exponent = 2j * np.pi * (offset + 1j * y)
    falling = exponent.real <= 0
    small = np.exp(np.where(falling, exponent, -exponent))
    filter_ = np.where(falling, 1 / (1 - small), -small / (1 - small))
    dt = 2 * np.pi / period
    return dt * (first + offset + 1j * y), 1j * step * slope * filter_, dt * y


@dataclass(frozen=True)
class Combinations:
    """Positions ``W`` (relative to the mean) and values of the summand on the line, without its exponential in ``z``."""

    position: Floats
    exponent: Floats
    value: Complexes

    def merged(self, tolerance: float) -> Combinations:
        """Add combinations at the same position (equal weights give few positions) and drop negligible ones."""
        order = np.argsort(self.position, kind="stable")
        position = self.position[order]
        first = np.flatnonzero(np.concatenate(([True], np.diff(position) > tolerance)))
        if len(first) == len(position):
            merged = self
        else:
            merged = Combinations(
                position[first],
                np.minimum.reduceat(self.exponent[order], first),
                np.add.reduceat(self.value[order], first, axis=0),
            )
        keep = np.abs(merged.value).max(axis=1) > NEGLIGIBLE
        return Combinations(merged.position[keep], merged.exponent[keep], merged.value[keep])


def combine_vertices(
    rows: Sequence[RowVertices], table: VertexTable, t: Complexes, start: Complexes, tolerance: float
) -> Combinations:
    """Products of vertex expansions over all rows at the nodes ``t``, multiplied by ``start``."""
    values = table.evaluate(t)
    total = Combinations(np.zeros(1), np.zeros(1), start[None, :])
    for i, row in enumerate(rows):
        part = slice(int(table.offsets[i]), int(table.offsets[i + 1]))
        c, exponent, value = table.c[part], table.exponent[part], values[part]
        if row.count > 1:
            ways = compositions(row.count, len(c))
            log_number = special.gammaln(row.count + 1) - special.gammaln(ways + 1.0).sum(axis=1)
            with np.errstate(under="ignore"):
                power = np.prod([value[j] ** ways[:, j, None] for j in range(len(c))], axis=0)
            c, exponent, value = ways @ c, ways @ exponent, np.exp(log_number)[:, None] * power
        total = Combinations(
            np.add.outer(total.position, c).ravel(),
            np.add.outer(total.exponent, exponent).ravel(),
            (total.value[:, None, :] * value[None, :, :]).reshape(-1, len(t)),
        ).merged(tolerance)
    return total


class SeriesRemainder:
    """Sum of the terms ``m > first`` of the series of ``F``, ``f`` and ``f'``."""

    def __init__(self, rows: Sequence[RowVertices], period: float, first: int, scale: float) -> None:
        table = VertexTable(rows)
        lean = any(row.narrow for row in rows)
        steepness = sum(row.count * max(v.exponent for v in row.vertices) for row in rows)
        self._step = STEP / (1 + steepness / 8) / (1.6 if lean else 1.0)
        t, weight, rate = summation_line(period, first, steepness, lean)
        # the lower line is the mirror image of the upper one
        t, weight = np.concatenate((t, np.conj(t))), np.concatenate((weight, np.conj(weight)))
        nodes = len(rate)
        combos = combine_vertices(rows, table, t, weight * 2 / (t * period), 4e-16 * scale)
        self.count = len(combos.position)
        value = combos.value
        # at a breakpoint itself only the algebraic decay is left: the nodes beyond the last one are a geometric series
        with np.errstate(divide="ignore"):
            rest = -1 / np.expm1(-np.maximum(combos.exponent, 1e-12) * self._step)
        value[:, nodes - 1] *= rest
        value[:, -1] *= rest
        keep = np.abs(value).max(axis=0, initial=0.0) > 0.1 * NEGLIGIBLE
        keep = keep[:nodes] | keep[nodes:] | (rate.real < 0)
        self._position = combos.position
        self._upper, self._lower = value[:, :nodes][:, keep], value[:, nodes:][:, keep]
        self._rate, self._t = rate[keep], t[:nodes][keep]
        self._start = float(2 * np.pi / period * (first + (0.25 if lean else 0.5)))
        self._real = not lean

    def evaluate(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """What to add to ``F``, ``f`` and ``f'`` at distances ``z`` from the mean."""
        results = np.zeros((3, len(z)))
        block = max(1, PAIRS_AT_A_TIME // max(1, self.count * len(self._rate)))
        for k in range(0, len(z), block):
            part = z[k : k + block]
            distance = self._position[None, :] - part[:, None]
            for above in (True, False):
                row, column = np.nonzero((distance >= 0) == above)
                if not len(row):
                    continue
                d = distance[row, column]
                rate = self._rate if above else np.conj(self._rate)
                decay = np.exp(-np.abs(d)[:, None] * (rate.real if self._real else rate))
                decay = decay * (self._upper if above else self._lower)[column]
                it = 1j * (self._t if above else np.conj(self._t))
                turn = np.exp(1j * self._start * d)
                sums = turn[:, None] * (decay @ np.stack((np.ones(len(it)), it, it * it), axis=1))
                # F takes -Im of the sum; each derivative in z brings a factor -it
                for order, sign in enumerate((-1.0, 1.0, -1.0)):
                    results[order, k : k + block] += sign * np.bincount(row, sums[:, order].imag, len(part))
        return results[0], results[1], results[2]
