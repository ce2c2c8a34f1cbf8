"""The transform of a Dirichlet row at large frequencies by its vertices, and the rest of a Fourier series by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats, Integers, bincount, repeat
from howsure.numerics.beta_sum.transforms import BetaRows, power_ladder, unit_phase

# -- Large frequencies: the characteristic function of a row as a sum over the vertices of its simplex -----------------

# Each vertex ``j`` contributes a pure oscillation times an algebraic series in ``1/t`` (steepest descent at a branch
# point of the contour integral, or Watson's lemma for a Beta): with ``d_k = c_k - c_j``
#
#     phi(t) ~ sum_j e^{it c_j} G_j(t),
#     G_j(t) = Gamma(A)/Gamma(alpha_j) prod_{k != j} (-it d_k)^{-alpha_k} sum_n e_n (alpha_j-1) .. (alpha_j-n) (it)^-n,
#
# where ``sum e_n z^n = prod_k (1 - z/d_k)^{-alpha_k}``. A narrow Beta (one huge parameter) has a second expansion, in
# which ``(1 - v)^beta`` is split as ``e^{-beta v}`` times a slow factor; it holds from ``t ~ 10 sqrt(beta)`` on
# instead of ``t ~ beta``. Each ``G`` is analytic to the right of a vertical line, which is what the remainder of the
# Fourier series needs.


MOST_TERMS = 64
CONVERGED = 1e-17  # two consecutive terms below it: a single one can vanish by accident
LARGEST_TERM = 50.0
GROWTH = 1.25 ** np.arange(24)  # trial starts, in units of the first one
GROWTH_POWERS = GROWTH[:, None] ** -np.arange(float(MOST_TERMS))
VERTEX_POWERS = 1 << 19
LARGEST_RESCALING = 100.0
NARROW_ABOVE = 200.0
NARROW_OTHER = 20.0


def log_gamma_ratio(a: float, b: float) -> float:
    """``log Gamma(a + b)/Gamma(a)`` by the difference of two Stirling series: no cancellation at large ``a``."""
    if a < 30:
        return float(special.gammaln(a + b) - special.gammaln(a))

    def correction(z: float) -> float:
        return 1 / (12 * z) - 1 / (360 * z**3) + 1 / (1260 * z**5) - 1 / (1680 * z**7)

    return float((a - 0.5) * np.log1p(b / a) + b * np.log(a + b) - b + correction(a + b) - correction(a))


@dataclass(frozen=True)
class VertexSeries:
    """``exp(log_factor - exponent log base) sum_n terms_n (scale/base)^n`` with ``base = base0 + base1 t``."""

    c: float
    terms: Complexes
    scale: complex
    base0: complex
    base1: complex
    log_factor: complex
    exponent: float


@dataclass(frozen=True)
class RowVertices:
    """All vertices of one row, valid for ``t >= start``; ``narrow`` if a branch point lies on the imaginary axis."""

    vertices: tuple[VertexSeries, ...]
    start: float
    narrow: bool
    count: int


def is_narrow(alpha: Floats) -> bool:
    """Whether a Beta is so lopsided that its expansion around the other end would start too late."""
    return len(alpha) == 2 and float(alpha.max()) > NARROW_ABOVE and float(alpha.min()) < NARROW_OTHER


def starting_frequency(c: Floats, alpha: Floats) -> float:
    """Rough frequency from which the vertex expansion of a row holds to rounding (c increasing or two values)."""
    gap = float(np.abs(np.diff(np.sort(c))).min())
    if is_narrow(alpha):
        return 10 * float(np.sqrt(alpha.max() - 1)) / gap
    return max(34.0, 2 * float(alpha.max())) / gap


def beta_starting_frequency(betas: BetaRows) -> Floats:
    """The same for many Betas."""
    narrow = (betas.b > NARROW_ABOVE) & (betas.a < NARROW_OTHER)
    usual = np.maximum(34.0, 2 * betas.b)
    return np.where(narrow, 10 * np.sqrt(np.maximum(betas.b - 1, 0.0)), usual) / np.abs(betas.w)


def generating_coefficients(p: Floats, alpha: Floats, count: int) -> Floats:
    """Coefficients of ``prod_k (1 - p_k z)^{-alpha_k}`` (``k`` along the last axis, which they replace).

    From ``n e_n = sum_m e_{n-m} sum_k alpha_k p_k^m``, or directly for a single factor.
    """
    if p.shape[-1] == 1:
        n = np.arange(1, count)
        return np.concatenate((np.ones_like(p), np.cumprod((alpha + n - 1) / n * p, axis=-1)), axis=-1)
    powers = np.cumprod(repeat(p.astype(np.longdouble)[..., None], count - 1, axis=-1), axis=-1)
    sums = (alpha[..., None] * powers).sum(axis=-2)
    e = np.zeros((*p.shape[:-1], count), np.longdouble)
    e[..., 0] = 1
    for k in range(1, count):
        e[..., k] = (sums[..., :k] * e[..., k - 1 :: -1]).sum(axis=-1) / k
    return e.astype(float)


def scaled_terms(c: Floats, alpha: Floats, start: Floats) -> Floats:
    """Terms of the usual expansion of every vertex of some rows, shape (R, V), at ``t = start``: (R, V, terms)."""
    n, size = np.arange(1, MOST_TERMS), c.shape[1]
    others = np.array([[k for k in range(size) if k != j] for j in range(size)])
    d = c[:, others] - c[:, :, None]
    unit = np.abs(d).min(axis=2, keepdims=True)  # both factors stay of moderate size in units of the nearest vertex
    terms = generating_coefficients(unit / d, alpha[:, others], MOST_TERMS)
    terms[..., 1:] *= np.cumprod((alpha[..., None] - n) / (start[:, None, None] * unit), axis=2)
    return terms


def usual_start(c: Floats, alpha: Floats) -> Floats:
    """Smallest frequency that is tried as the start of the usual expansion (last axis: vertices)."""
    gap = np.abs(np.diff(np.sort(c, axis=-1), axis=-1)).min(axis=-1)
    return np.asarray(np.maximum(34.0, 2 * np.minimum(alpha.max(axis=-1), 1e7)) / gap)


def usual_vertices(c: Floats, alpha: Floats, counts: Sequence[int]) -> list[RowVertices]:
    """Expansion of rows of equally many vertices, from where all terms die below ``1e-17``."""
    first = usual_start(c, alpha)
    with np.errstate(over="ignore", invalid="ignore"):  # a start that is too early is found out
        terms = scaled_terms(c, alpha, first)
        size = np.abs(terms)[:, None] * GROWTH_POWERS[:, None, :]
        dead = np.maximum(size[..., 1:], size[..., :-1]) < CONVERGED
        good = dead.any(axis=3).all(axis=2) & (size.max(axis=3) < LARGEST_TERM).all(axis=2)
    d = c[:, None, :] - c[:, :, None]
    weight = np.where(d == 0, 0.0, alpha[:, None, :])
    exponent = weight.sum(axis=2)
    log_distance = (weight * np.log(np.where(d == 0, 1.0, np.abs(d)))).sum(axis=2)
    turn = 0.5 * np.pi * (weight * np.sign(d)).sum(axis=2)
    rows = []
    for r, count in enumerate(counts):
        if not good[r].any():
            rows.append(RowVertices((), np.inf, False, count))
            continue
        k = int(np.argmax(good[r]))
        start = float(first[r] * GROWTH[k])
        vertices = []
        for j in range(c.shape[1]):
            length = int(np.argmax(dead[r, k, j])) + 1
            kept = np.zeros(MOST_TERMS, complex)
            kept[:length] = terms[r, j, :length] * GROWTH_POWERS[k, :length]
            others = float(exponent[r, j])
            log_factor = log_gamma_ratio(float(alpha[r, j]), others) - float(log_distance[r, j])
            vertices.append(
                VertexSeries(
                    float(c[r, j]), kept, -1j * start, 0.0, 1.0, complex(log_factor, float(turn[r, j])), others
                )
            )
        rows.append(RowVertices(tuple(vertices), start, False, count))
    return rows


def narrow_terms(small: float, beta: float) -> Floats:
    """Terms ``d_k (small)_k beta^-k`` where ``(1 - v)^beta = e^{-beta v} sum d_k v^k``.

    The differential equation gives ``(k+1) d_{k+1} = k d_k - beta d_{k-1}``.
    """
    d = np.zeros(MOST_TERMS)
    d[0] = 1.0
    for k in range(1, MOST_TERMS - 1):
        d[k + 1] = (k * d[k] - d[k - 1]) / ((k + 1) * beta)
    terms = d * np.concatenate(([1.0], np.cumprod(small + np.arange(MOST_TERMS - 1))))
    large = np.flatnonzero(np.abs(terms) > 0.1 * CONVERGED)
    terms[int(large[-1]) + 1 :] = 0.0
    return terms


def narrow_vertices(c: Floats, alpha: Floats, count: int) -> RowVertices:
    """Expand a Beta with one huge parameter, beta = alpha_j - 1: one vertex carries all, the other is below rounding.

    ``Gamma(A)/Gamma(alpha_j) beta^-small sum_k d_k (small)_k beta^-k (1 - itd/beta)^{-small-k}`` is its part.
    """
    j = int(np.argmax(alpha))
    d, beta, small = float(c[1 - j] - c[j]), float(alpha[j]) - 1, float(alpha[1 - j])
    log_factor = log_gamma_ratio(float(alpha[j]), small) - small * np.log(beta)
    vertex = VertexSeries(
        float(c[j]), narrow_terms(small, beta).astype(complex), 1.0, 1.0, -1j * d / beta, complex(log_factor), small
    )
    return RowVertices((vertex,), starting_frequency(c, alpha), True, count)


def row_vertices(c: Floats, alpha: Floats, count: int) -> RowVertices:
    """Large-frequency expansion of one row."""
    if is_narrow(alpha):
        return narrow_vertices(c, alpha, count)
    return usual_vertices(c[None], alpha[None], [count])[0]


def expand_betas(betas: BetaRows) -> list[RowVertices]:
    """Expansions of Betas, the usual ones all at once."""
    p = betas.a / (betas.a + betas.b)
    q = betas.b / (betas.a + betas.b)
    c, alpha = np.stack((-betas.w * p, betas.w * q), axis=1), np.stack((betas.b, betas.a), axis=1)
    counts = betas.count.tolist()
    usual = [i for i in range(len(betas)) if not is_narrow(alpha[i])]
    found: dict[int, RowVertices] = {}
    if usual:
        many = usual_vertices(c[usual], alpha[usual], [counts[i] for i in usual])
        found = dict(zip(usual, many, strict=True))
    return [found[i] if i in found else narrow_vertices(c[i], alpha[i], counts[i]) for i in range(len(betas))]


@dataclass(frozen=True)
class PowerGroup:
    """Vertices whose series run in the powers of one and the same ratio ``scale/(base0 + base1 t)``."""

    index: list[int]
    terms: Complexes
    scale: complex
    base0: complex
    base1: complex


def power_groups(vertices: Sequence[VertexSeries]) -> list[PowerGroup]:
    """Put vertices with the same base side by side: one ladder of powers serves a group, by a matrix product.

    The scale of a series is free: those with different scales are rescaled to the largest one, as long as the powers
    stay far from the largest double.
    """
    left = sorted(range(len(vertices)), key=lambda i: -abs(vertices[i].scale))
    powers = np.arange(float(MOST_TERMS))
    groups = []
    while left:
        head = vertices[left[0]]
        index = [
            i
            for i in left
            if (vertices[i].base0, vertices[i].base1) == (head.base0, head.base1)
            and abs(head.scale) <= LARGEST_RESCALING * abs(vertices[i].scale)
        ]
        shrink = np.array([(vertices[i].scale / head.scale).real for i in index])
        terms: Complexes = np.array([vertices[i].terms for i in index]) * shrink[:, None] ** powers
        used = int(np.flatnonzero((np.abs(terms) > 1e-40).any(axis=0))[-1]) + 1
        groups.append(PowerGroup(index, terms[:, :used], head.scale, head.base0, head.base1))
        left = [i for i in left if i not in index]
    return groups


def polynomials(terms: Complexes, r: Complexes) -> Complexes:
    """``sum_n terms_vn r_k^n``, in blocks of bounded memory; powers that are below every rounding are left out."""
    largest = float(np.abs(r).max(initial=0.0))
    if largest < 0.5:  # |terms| < 50
        terms = terms[:, : int(np.log(1e-19) / np.log(max(largest, 1e-19))) + 2]
    block = VERTEX_POWERS // terms.shape[1]
    parts = [terms @ power_ladder(r[k : k + block], terms.shape[1]) for k in range(0, len(r), block)]
    return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=1)


class VertexTable:
    """The expansions of several rows side by side."""

    def __init__(self, rows: Sequence[RowVertices]) -> None:
        flat = [vertex for row in rows for vertex in row.vertices]
        self._groups = power_groups(flat)
        self.exponent: Floats = np.array([vertex.exponent for vertex in flat])
        self.c: Floats = np.array([vertex.c for vertex in flat])
        self._log_factor = np.array([vertex.log_factor for vertex in flat])
        self.offsets: Integers = np.cumsum([0] + [len(row.vertices) for row in rows])

    def log_size(self, t: float) -> Floats:
        """Log of the modulus of the leading term of every vertex at one frequency."""
        sizes = np.empty(len(self.c))
        for group in self._groups:
            log_base = np.log(np.abs(group.base0 + group.base1 * t))
            sizes[group.index] = self._log_factor[group.index].real - self.exponent[group.index] * log_base
        return sizes

    def evaluate(self, t: Floats | Complexes) -> Complexes:
        """``G(t)`` of every vertex (vertices x frequencies)."""
        values = np.empty((len(self.c), len(t)), complex)
        with np.errstate(under="ignore", over="ignore", invalid="ignore"):
            for group in self._groups:
                base = np.asarray(group.base0 + group.base1 * t, complex)
                log_lead = self._log_factor[group.index, None] - np.multiply.outer(
                    self.exponent[group.index], np.log(base)
                )
                values[group.index] = np.exp(log_lead) * polynomials(group.terms, group.scale / base)
        return values


# -- The rest of a Fourier series, exactly: Lindelof summation of its vertex expansion ---------------------------------

# Beyond the first ``M`` terms the characteristic function is a sum over combinations of vertices, one per row:
# ``phi(t) = sum_S e^{i t W_S} G_S(t)`` with ``W_S`` the sum of the chosen coefficients. For ``W_S >= z`` the summand
# ``f(m) = e^{i t_m (W_S - z)} G_S(t_m)/t_m`` is analytic and bounded in the upper right quarter plane, and (Lindelof,
# 1905)
#
#     sum_{m > M} f(m) = i * int_{-inf}^{inf} f(M + 1/2 + iy) / (1 + e^{-2 pi y}) dy,
#
# the mirror image for ``W_S < z``. The oscillation has become exponential decay: a law with a density that is infinite
# at its breakpoints costs as little as a smooth one, and ``z`` may lie as close to a breakpoint as floating point
# allows. The integral is done with ``y = sinh(v)/2`` and the trapezoidal rule; the nodes do not depend on ``z``.


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
    """Step in ``v``, narrower for steep algebraic decay ``t^-steepness`` (rounded up: few lines) and for leaning."""
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
        """``F``, ``f``, ``f'`` (three columns) of the combinations (column) within a distance of each point (row)."""
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
    """Sum of the terms ``m > first`` of the series of ``F``, ``f`` and ``f'``.

    The real parts of ``-k/r``, ``k`` and ``-k r`` times ``phi e^{-itz}``, with ``r = it`` and ``k = 2/L``.
    """

    def __init__(self, rows: Sequence[RowVertices], period: float, first: int, scale: float) -> None:
        self._rows, self._period, self._first, self._scale = rows, period, first, scale
        self._table = VertexTable(rows)
        self._lean = any(row.narrow for row in rows)
        self._step = line_step(self._steepness(), self._lean)
        # the pieces of the line meet half-way between two nodes
        self._joints = [
            FIRST_NODE + (np.ceil((joint - FIRST_NODE) / self._step) - 0.5) * self._step for joint in JOINTS
        ]
        self._pieces: dict[int, LineSum] = {}

    def _steepness(self) -> float:
        """Largest exponent of a combination that is not negligible from the first term on."""
        t = 2 * np.pi / self._period * (self._first + 0.25)
        size, exponent, offsets = self._table.log_size(t), self._table.exponent, self._table.offsets
        copies = np.array([row.count for row in self._rows])
        best = np.maximum.reduceat(size, offsets[:-1])
        room = float(copies @ best) - float(np.log(0.01 * NEGLIGIBLE * self._period * t))
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
        r = 1j * t
        with np.errstate(over="ignore", invalid="ignore"):
            factor = weight * (-2 / self._period) / r
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
