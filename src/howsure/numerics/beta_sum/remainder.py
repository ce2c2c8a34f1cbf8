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
from functools import lru_cache
from itertools import product

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats, bincount, repeat
from howsure.numerics.beta_sum.fourier import unit_phase
from howsure.numerics.beta_sum.vertices import RowVertices, VertexTable

__all__ = ["Combinations", "SeriesRemainder", "combination_count", "combine_vertices", "line_step", "summation_line"]

FIRST_NODE, LAST_NODE = -5.6, 62.0
JOINTS = 8.0, 19.0  # where the line is cut: the pieces beyond matter only near a breakpoint
STEP = 0.26
NEGLIGIBLE = 1e-18
DEAD = 42.0  # e^-42 < 1e-18
PAIRS_AT_A_TIME = 1 << 20


def combination_count(sizes: Sequence[int], copies: Sequence[int]) -> float:
    """Count the vertex combinations: per row the multinomial number of ways to spread its copies over its vertices."""
    logs = [
        special.gammaln(n + k) - special.gammaln(n + 1) - special.gammaln(k) for k, n in zip(sizes, copies, strict=True)
    ]
    return float(np.exp(min(sum(logs), 700.0)))


def compositions(copies: int, parts: int) -> np.ndarray:
    """All ways to write ``copies`` as an ordered sum of ``parts`` numbers >= 0."""
    rest = [k for k in product(range(copies + 1), repeat=parts - 1) if sum(k) <= copies]
    return np.array([(copies - sum(k), *k) for k in rest])


@dataclass(frozen=True)
class SummationLine:
    """A piece of the upper line: frequencies ``t``, weights, and rates of decay ``-i (t - t_first)``."""

    t: Complexes
    weight: Complexes
    rate: Complexes


def line_step(steepness: float, lean: bool) -> float:
    """Step in ``v``; a steep algebraic decay ``t^-steepness`` narrows the strip of analyticity, so does leaning.

    The steepness is rounded up, so that few different lines are ever made.
    """
    return STEP / (1 + float(np.ceil(steepness)) / 8) / (1.6 if lean else 1.0)


@lru_cache(maxsize=64)
def standard_line(step: float, lean: bool, start: float, stop: float) -> tuple[Complexes, Complexes, Complexes]:
    """Nodes with ``start <= v < stop`` on the line ``m = first + 1/2 + i sinh(v)/2``: ``m - first``, weight, ``y``.

    ``lean`` turns the line 45 degrees to the right, away from branch points on the imaginary axis. A weight is
    ``i dm/dv / (1 - e^{2 pi i m})`` times the step.
    """
    v = np.arange(start, stop, step)
    y = 0.5 * np.sinh(v) + 0j
    slope = 0.5 * np.cosh(v) + 0j
    offset = 0.5
    if lean:
        bend = 0.25j * np.exp(v)
        y, slope, offset = y - bend, slope - bend, 0.25
    # beyond |y| = 7 the filter is 1 or e^{-2 pi |y|}: its exponential must not overflow
    capped = np.clip(y.real, None, 8.0) + 1j * np.where(y.real < 8, y.imag, 0.0)
    exponent = 2j * np.pi * (offset + 1j * capped)
    falling = exponent.real <= 0
    small = np.exp(np.where(falling, exponent, -exponent))
    filter_ = np.where(falling, 1.0, -small) / (1 - small)
    return offset + 1j * y, 1j * step * slope * filter_, y


def summation_line(period: float, first: int, step: float, lean: bool, start: float, stop: float) -> SummationLine:
    """The same line, in frequencies."""
    beyond, weight, y = standard_line(step, lean, start, stop)
    dt = 2 * np.pi / period
    return SummationLine(dt * (first + beyond), weight, dt * y)


@dataclass(frozen=True)
class Combinations:
    """Positions ``W`` relative to the mean, and values of the summand on the line without its factor in ``z``."""

    position: Floats
    exponent: Floats
    value: Complexes

    def merged(self, tolerance: float) -> Combinations:
        """Add combinations at the same position (equal weights give few positions) and drop negligible ones."""
        if not len(self.position):
            return self
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


class LineSum:
    """One piece of the integral over both lines, for all combinations; the lower line mirrors the upper one."""

    def __init__(self, combos: Combinations, line: SummationLine, r: Complexes, start: float, lean: bool) -> None:
        nodes = len(line.rate)
        value = combos.value
        keep = np.abs(value).max(axis=0, initial=0.0) > 0.1 * NEGLIGIBLE
        # nodes with y < 0 are multiplied by a growing exponential: none of them is small
        keep = np.flatnonzero(keep[:nodes] | keep[nodes:] | (line.rate.real < 0))
        both = np.concatenate((keep, keep + nodes))
        self.count = len(combos.position)
        self.finite = bool(np.isfinite(value).all())
        self.positions = combos.position
        self._start = start
        r = r[both]
        orders = np.stack((np.ones(len(r)), -r, r * r), axis=1)
        terms = value[:, both, None] * orders
        rate = line.rate[keep]
        self._rate = rate if lean else rate.real
        self._reach: Floats = rate.real
        # combinations x nodes x (three orders on the upper line, the conjugates of three on the lower one)
        self._table: Complexes = np.concatenate((terms[:, : len(keep)], terms[:, len(keep) :].conj()), axis=2)

    def evaluate(self, distance: Floats, within: float) -> Floats:
        """Contributions to ``F``, ``f``, ``f'`` (three columns) of the combinations within a distance.

        ``distance`` is that of every combination (column) from every point (row).
        """
        results = np.zeros((len(distance), 3))
        if within < np.inf:
            row, column = np.nonzero(np.abs(distance) <= within)
            sums = self._sums(distance[row, column][:, None], self._table[column])[:, 0]
            for order in range(3):
                results[:, order] = bincount(row, sums[:, order], len(distance))
            return results
        block = max(1, PAIRS_AT_A_TIME // max(1, self.count * len(self._reach)))
        for k in range(0, len(distance), block):
            results[k : k + block] = self._sums(distance[k : k + block].T, self._table).sum(axis=0)
        return results

    def _sums(self, distance: Floats, table: Complexes) -> Floats:
        """Contributions of combinations (first axis, also of their ``table``) at several distances each."""
        if not distance.size:
            return np.zeros((*distance.shape, 3))
        away = np.abs(distance)
        # nodes increase: those past the last useful one would only be noise, and slow
        last = int(np.searchsorted(self._reach, DEAD / max(float(away.min()), 1e-300))) + 1
        decay = np.exp(-away[..., None] * self._rate[:last])
        table = table[:, :last]
        # a real matrix product where it can be
        sums = decay @ table if np.iscomplexobj(decay) else (decay @ table.view(float)).view(complex)
        chosen = np.where(distance[..., None] < 0, sums[..., 3:].conj(), sums[..., :3])
        return np.asarray((chosen * unit_phase(self._start * distance)[..., None]).real)


class SeriesRemainder:
    """Sum of the terms ``m > first`` of the series of ``F``, ``f`` and ``f'`` of a law or of a tilted law.

    With ``r = s + it`` and ``k = 2/L`` the terms are the real parts of ``-k/r``, ``k`` and ``-k r``, times
    ``phi e^{-itz}``; ``log_mass`` is the log of ``E e^{s(X - mean)}``, by which a tilted law is normalised. The far
    pieces of the lines matter only near a breakpoint; they are prepared when first needed.
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
        self._rows, self._period, self._first, self._scale = rows, period, first, scale
        self._tilt, self._log_mass = tilt, log_mass
        self._table = VertexTable(rows, tilt)
        self._lean = any(row.narrow for row in rows)
        self._step = line_step(self._steepness(), self._lean)
        # the pieces of the line meet half-way between two nodes
        self._joints = [
            FIRST_NODE + (np.ceil((joint - FIRST_NODE) / self._step) - 0.5) * self._step for joint in JOINTS
        ]
        self._pieces: dict[int, LineSum] = {}
        self.count, self.finite = self._near.count, self._near.finite

    def _steepness(self) -> float:
        """Largest exponent of a combination that is not negligible from the first term on."""
        t = 2 * np.pi / self._period * (self._first + 0.25)
        size, exponent, offsets = self._table.log_size(t), self._table.exponent, self._table.offsets
        copies = np.array([row.count for row in self._rows])
        best = np.maximum.reduceat(size, offsets[:-1])
        room = float(copies @ best) - self._log_mass - float(np.log(0.01 * NEGLIGIBLE * self._period * t))
        kept = size - repeat(best, np.diff(offsets)) >= -max(room, 0.0)
        return float(copies @ np.maximum.reduceat(np.where(kept, exponent, 0.0), offsets[:-1]))

    def _piece(self, number: int) -> LineSum:
        """A piece of the line; made when first needed."""
        if number not in self._pieces:
            joints = [FIRST_NODE - 0.5 * self._step, *self._joints, LAST_NODE]
            self._pieces[number] = self._line_sum(joints[number] + 0.5 * self._step, joints[number + 1])
        return self._pieces[number]

    @property
    def _near(self) -> LineSum:
        return self._piece(0)

    def _line_sum(self, start: float, stop: float) -> LineSum:
        line = summation_line(self._period, self._first, self._step, self._lean, start, stop)
        t, weight = np.concatenate((line.t, line.t.conj())), np.concatenate((line.weight, line.weight.conj()))
        r = self._tilt + 1j * t
        with np.errstate(over="ignore", invalid="ignore"):  # judged by `finite` afterwards
            factor = weight * (-2 / self._period * np.exp(-self._log_mass)) / r
            combos = combine_vertices(self._rows, self._table, t, factor, 4e-16 * self._scale)
        if stop == LAST_NODE:
            # at a breakpoint itself only the algebraic decay is left: the nodes beyond are a geometric series
            rest = -1 / np.expm1(-np.maximum(combos.exponent, 1e-12) * self._step)
            combos.value[:, len(line.t) - 1] *= rest
            combos.value[:, -1] *= rest
        offset = 0.25 if self._lean else 0.5
        return LineSum(combos, line, r, 2 * np.pi / self._period * (self._first + offset), self._lean)

    @property
    def positions(self) -> Floats:
        """Breakpoints of the density, relative to the mean, as far as they matter."""
        return self._near.positions

    def evaluate(self, z: Floats) -> Floats:
        """Evaluate what to add to ``F``, ``f`` and ``f'`` (three columns) at distances ``z`` from the mean."""
        distance = self._near.positions - z[:, None]
        results = self._near.evaluate(distance, np.inf)
        closest = float(np.abs(distance).min(initial=np.inf))
        for number, joint in enumerate(self._joints, start=1):
            # beyond the joint |e^{i(t - t_first) d}| < 1e-18
            reach = DEAD * self._period / (2 * np.pi * 0.5 * np.sinh(joint - self._step))
            if closest >= reach:
                break
            piece = self._piece(number)
            results += piece.evaluate(piece.positions - z[:, None], reach)
        return results
