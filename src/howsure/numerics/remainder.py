"""The rest of a Fourier series, exactly: Lindelof summation of its vertex expansion.

Beyond the first ``M`` terms the characteristic function is a sum over combinations of vertices, one per row: ``phi(t) =
sum_S e^{i t W_S} G_S(t)`` with ``W_S`` the sum of the chosen coefficients. For ``W_S >= z`` the summand ``f(m) =
e^{i t_m (W_S - z)} G_S(t_m)/t_m`` is analytic and bounded in the upper right quarter plane, and (Lindelof, 1905)

    sum_{m > M} f(m) = i * int_{-inf}^{inf} f(M + 1/2 + iy) / (1 + e^{-2 pi y}) dy,

the mirror image for ``W_S < z``. The oscillation has become exponential decay: a law with a density that is infinite at
its breakpoints costs as little as a smooth one, and ``z`` may lie as close to a breakpoint as floating point allows.
The integral is done with ``y = sinh(v)/2`` and the trapezoidal rule; the nodes do not depend on ``z``.

A law tilted by ``e^{sX}`` has the same expansion at ``t - is``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.logit_nodes import unit_phase
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


def summation_line(period: float, first: int, steepness: float, lean: bool) -> tuple[Complexes, Complexes, Complexes, float]:
    """Nodes of the upper line: complex frequencies ``t``, weights, rates of decay ``-i (t - t_first)``, and the step.

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
    return dt * (first + offset + 1j * y), 1j * step * slope * filter_, dt * y, step


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
        keep = ~(np.abs(merged.value).max(axis=1) <= NEGLIGIBLE)
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
            with np.errstate(under="ignore", over="ignore", invalid="ignore"):
                power = np.prod([value[j] ** ways[:, j, None] for j in range(len(c))], axis=0)
            c, exponent, value = ways @ c, ways @ exponent, np.exp(log_number)[:, None] * power
        total = Combinations(
            np.add.outer(total.position, c).ravel(),
            np.add.outer(total.exponent, exponent).ravel(),
            (total.value[:, None, :] * value[None, :, :]).reshape(-1, len(t)),
        ).merged(tolerance)
    return total


class SeriesRemainder:
    """Sum of the terms ``m > first`` of the series of ``F``, ``f`` and ``f'`` of a law or of a tilted law.

    With ``r = s + it`` and ``k = 2/L`` the terms are the real parts of ``-k/r``, ``k`` and ``-k r`` times ``phi e^{-itz}``;
    ``log_mass`` is the log of ``E e^{s(X - mean)}``, by which a tilted law is normalised.
    """

    def __init__(
        self,
        rows: Sequence[RowVertices],
        period: float,
        first: int,
        scale: float,
        tilt: float = 0.0,
        log_mass: float = 0.0,
    ) -> None:
        table = VertexTable(rows, tilt)
        lean = any(row.narrow for row in rows)
        steepness = sum(row.count * max(v.exponent for v in row.vertices) for row in rows)
        t, weight, rate, step = summation_line(period, first, steepness, lean)
        # the lower line is the mirror image of the upper one
        nodes = len(rate)
        t, weight = np.concatenate((t, np.conj(t))), np.concatenate((weight, np.conj(weight)))
        r = tilt + 1j * t
        with np.errstate(over="ignore"):
            combos = combine_vertices(rows, table, t, weight * (-2 / period * np.exp(-log_mass)) / r, 4e-16 * scale)
        value = combos.value
        # at a breakpoint itself only the algebraic decay is left: the nodes beyond the last one are a geometric series
        rest = -1 / np.expm1(-np.maximum(combos.exponent, 1e-12) * step)
        value[:, nodes - 1] *= rest
        value[:, -1] *= rest
        keep = np.abs(value).max(axis=0, initial=0.0) > 0.1 * NEGLIGIBLE
        keep = keep[:nodes] | keep[nodes:] | (rate.real < 0)
        self.count = len(combos.position)
        self.finite = bool(np.isfinite(value).all())
        self._position = combos.position
        self._start = float(2 * np.pi / period * (first + (0.25 if lean else 0.5)))
        self._lines = []
        for half, frequency, decay in ((slice(0, nodes), r[:nodes], rate), (slice(nodes, None), r[nodes:], rate.conj())):
            kept = frequency[keep]
            orders = np.stack((np.ones(len(kept)), -kept, kept * kept), axis=1)
            self._lines.append((value[:, half][:, keep], orders, decay[keep] if lean else decay[keep].real))

    def evaluate(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """What to add to ``F``, ``f`` and ``f'`` at distances ``z`` from the mean."""
        results = np.zeros((3, len(z)))
        block = max(1, PAIRS_AT_A_TIME // max(1, self.count * len(self._lines[0][2])))
        for k in range(0, len(z), block):
            part = z[k : k + block]
            distance = self._position[None, :] - part[:, None]
            for (value, orders, rate), side in zip(self._lines, (distance >= 0, distance < 0), strict=True):
                row, column = np.nonzero(side)
                if not len(row):
                    continue
                d = distance[row, column]
                terms = np.exp(np.multiply.outer(-np.abs(d), rate)) * value[column]
                sums = ((terms @ orders) * unit_phase(self._start * d)[:, None]).real
                for order in range(3):
                    results[order, k : k + block] += np.bincount(row, sums[:, order], len(part))
        return results[0], results[1], results[2]
