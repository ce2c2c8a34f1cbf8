"""Weighted sums of independent Dirichlet rows: their normal form, where their mass is, and their Fourier inversion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Complexes, Floats, Integers
from howsure.numerics.beta_sum.transforms import (
    LARGE_TOTAL,
    TOO_LOPSIDED,
    BetaRows,
    FourierSeries,
    TooManyNodes,
    WideRow,
    bent_transform,
    beta_nodes,
    equispaced_transform,
    integer_power,
    stack_rows,
    unit_phase,
    vertical_product,
)
from howsure.numerics.beta_sum.vertices import (
    RowVertices,
    SeriesRemainder,
    VertexTable,
    beta_starting_frequency,
    combination_count,
    expand_betas,
    log_gamma_ratio,
    row_vertices,
    starting_frequency,
)

# -- The normal form of a linear functional of independent Dirichlet rows, and its moments -----------------------------

# Every law of this layer is ``X = shift + sum_i sum_j c_ij p_ij`` with independent ``p_i ~ Dir(alpha_i)``. Many ways
# of writing it give the same law; the normal form is the cheapest of them: components with equal coefficients are
# merged (a sum of Dirichlet components is a component), a row with one coefficient is a constant, a row with two is a
# Beta, and equal rows are counted instead of repeated.


@dataclass(frozen=True)
class LinearForm:
    """The normal form; ``below`` and ``above`` are the distances from the mean to the ends of the support."""

    betas: BetaRows
    wide: tuple[WideRow, ...]
    mean: float
    variance: float
    third: float
    support: tuple[float, float]
    below: float
    above: float

    @cached_property
    def sd(self) -> float:
        """Standard deviation."""
        return float(np.sqrt(self.variance))

    @property
    def skewness(self) -> float:
        """Third central moment over the cube of the standard deviation."""
        return self.third / self.variance**1.5 if self.variance > 0 else 0.0

    @cached_property
    def row_count(self) -> int:
        """Number of random rows, copies included."""
        return int(self.betas.count.sum()) + sum(row.count for row in self.wide)

    @cached_property
    def unimodal(self) -> bool:
        """Whether the density of the sum is known to have one peak; False says nothing.

        A density with one peak keeps to one when convolved with log-concave ones (Ibragimov, 1956). A Beta with only
        one of its parameters below 1 is monotone: one such term may join the log-concave ones.
        """
        betas = self.betas
        steep = betas.a < 1
        return (
            int(betas.count[steep].sum()) <= 1
            and bool((betas.b[steep] >= 1).all())
            and all(bool((row.alpha >= 1).all()) for row in self.wide)
        )

    @cached_property
    def end_exponents(self) -> tuple[float, float]:
        """Exponents ``S`` of the tail masses ``P ~ v^S`` at distance ``v`` from the lower and the upper end."""
        betas = self.betas
        lower = float((betas.count * np.where(betas.w > 0, betas.a, betas.b)).sum())
        upper = float((betas.count * np.where(betas.w > 0, betas.b, betas.a)).sum())
        for row in self.wide:
            total = float(row.alpha.sum())
            lower += row.count * (total - float(row.alpha[0]))
            upper += row.count * (total - float(row.alpha[-1]))
        return lower, upper

    @cached_property
    def decay_exponent(self) -> float:
        """Exponent ``S`` of the algebraic decay ``t^-S`` of the characteristic function."""
        return float((self.betas.count * self.betas.a).sum()) + sum(
            row.count * float(row.alpha.sum() - row.alpha.max()) for row in self.wide
        )


def merge_equal_coefficients(c: Floats, alpha: Floats) -> tuple[Floats, Floats]:
    """Sort the coefficients and add the alphas of equal ones (aggregation property of the Dirichlet law)."""
    order = np.argsort(c, kind="stable")
    c = c[order]
    first = np.flatnonzero(np.concatenate(([True], c[1:] > c[:-1])))
    return c[first], np.add.reduceat(alpha[order], first)


def group_equal_betas(a: Floats, b: Floats, w: Floats, count: Integers) -> BetaRows:
    """Orient every Beta to ``a <= b`` and replace equal ``(a, b, w)`` by one row with a count."""
    swap = a > b
    a, b, w = np.where(swap, b, a), np.where(swap, a, b), np.where(swap, -w, w)
    if len(a) > 1:
        order = np.lexsort((w, b, a))
        a, b, w, count = a[order], b[order], w[order], count[order]
        new = (a[1:] != a[:-1]) | (b[1:] != b[:-1]) | (w[1:] != w[:-1])
        first = np.flatnonzero(np.concatenate(([True], new)))
        a, b, w, count = a[first], b[first], w[first], np.add.reduceat(count, first)
    return BetaRows(a, b, w, count)


def _columns(betas: tuple[ArrayLike, ArrayLike, ArrayLike]) -> tuple[Floats, Floats, Floats]:
    a, b, w = (np.asarray(column, float) for column in betas)
    if not (a.ndim == 1 and a.shape == b.shape == w.shape):
        a, b, w = (column.ravel() for column in np.broadcast_arrays(*(np.atleast_1d(x) for x in (a, b, w))))
    return a, b, w


def _checked(name: str, values: Floats, positive: bool) -> Floats:
    if not np.isfinite(values).all() or (positive and not (values > 0).all()):
        raise ValueError(f"{name} must be finite{' and positive' if positive else ''}")
    return values


def linear_form(
    rows: Sequence[tuple[ArrayLike, ArrayLike, int]],
    betas: tuple[ArrayLike, ArrayLike, ArrayLike] | None,
    shift: float,
) -> LinearForm:
    """Normal form of ``shift + sum_i c_i . p_i``: rows (c, alphas, copies), and ``betas`` arrays ``a, b, w``."""
    lowest = highest = mean = float(shift)
    pairs: list[tuple[float, float, float, int]] = []
    wide: dict[tuple[bytes, bytes], WideRow] = {}
    for coefficients, alphas, copies in rows:
        c, alpha = np.array(coefficients, float).ravel(), np.array(alphas, float).ravel()
        if c.shape != alpha.shape or len(c) == 0 or copies < 0:
            raise ValueError("a row needs as many coefficients as alphas, and a count of 0 or more")
        c, alpha = merge_equal_coefficients(_checked("coefficients", c, False), _checked("alphas", alpha, True))
        if copies == 0:
            continue
        if len(c) <= 2:
            lowest, highest, mean = lowest + copies * c[0], highest + copies * c[0], mean + copies * c[0]
            if len(c) == 2:
                pairs.append((alpha[1], alpha[0], c[1] - c[0], copies))
            continue
        total = alpha.sum()
        centre = c[0] + (alpha * (c - c[0])).sum() / total
        d = c - centre
        lowest, highest, mean = lowest + copies * c[0], highest + copies * c[-1], mean + copies * centre
        key = (d.tobytes(), alpha.tobytes())
        known = wide[key].count if key in wide else 0
        wide[key] = WideRow(d, alpha, known + int(copies))
    a, b, w, count = (np.array(column, float) for column in (zip(*pairs, strict=True) if pairs else ((), (), (), ())))
    if betas is not None:
        new = _columns(betas)
        added = np.ones(len(new[0]))
        if pairs:
            a, b, w, count = (
                np.concatenate((old, more)) for old, more in zip((a, b, w, count), (*new, added), strict=True)
            )
        else:
            a, b, w, count = *new, added
        _checked("alphas", a, True), _checked("alphas", b, True), _checked("weights", w, False)
        # a term that no double would notice beside the largest is a constant; its square would underflow
        seen = np.abs(w) > 1e-100 * np.abs(w).max(initial=0.0)
        if not seen.all():
            a, b, w, count = (column[seen] for column in (a, b, w, count))
    if len(a):
        n = a + b
        mean += float((count * w * (a / n)).sum())
        lowest += float((count * np.minimum(w, 0)).sum())
        highest += float((count * np.maximum(w, 0)).sum())
    grouped = group_equal_betas(a, b, w, count.astype(np.int64))
    n = grouped.a + grouped.b
    p, q, w, count = grouped.a / n, grouped.b / n, grouped.w, grouped.count
    spread = p * q / (n + 1)
    variance = float((count * w * w * spread).sum())
    third = float((count * w**3 * 2 * spread * (q - p) / (n + 2)).sum())
    below = float((count * np.where(w > 0, w * p, -w * q)).sum())
    above = float((count * np.where(w > 0, w * q, -w * p)).sum())
    for row in wide.values():
        total = float(row.alpha.sum())
        below, above = below - row.count * float(row.c[0]), above + row.count * float(row.c[-1])
        variance += row.count * float((row.alpha * row.c**2).sum()) / (total * (total + 1))
        third += row.count * 2 * float((row.alpha * row.c**3).sum()) / (total * (total + 1) * (total + 2))
    ends = float(lowest), float(highest)
    return LinearForm(grouped, tuple(wide.values()), float(mean), variance, third, ends, below, above)


# -- Where the mass is: a rigorous Chernoff window from a closed-form bound of the cumulant generating function --------

# The Markov-Krein identity ``E (1 - lam X)^-A = prod_j (1 - lam c_j)^-alpha_j`` for ``X = sum c_j p_j``, ``A = sum
# alpha_j``, and the convexity of ``-A log(1 - lam X)`` in ``X`` give, for every ``z > max s c_j``,
#
#     log E e^{sX}  <=  z - A - sum_j alpha_j log((z - s c_j) / A),
#
# which is least where ``sum_j alpha_j / (z - s c_j) = 1``, the saddle point of the contour integral of the same
# transform. A Beta is moreover sub-Gaussian: ``log E e^{s (theta - p)} <= s^2 / (8 (a + b + 1))`` (Marchal and Arbel,
# 2017). Per row the smaller of the two bounds is taken.


OUTSIDE = 39.2  # e^-39.2 < 1e-17: the mass that may lie outside the window on either side
TILTS = np.geomspace(0.25, 90.0, 18)  # trial tilts, in units of 1/sd; 8.9 is the best one for a normal law
NEAR_SADDLE = 1e-3  # every z gives a bound; it is flat at the best one
ROWS_AT_A_TIME = 50_000


def beta_cumulants(a: Floats, b: Floats, w: Floats, s: Floats) -> Floats:
    """Upper bounds of ``log E exp(s w (theta - E theta))``, shape ``s.shape + (rows,)``.

    The distances ``z - s w`` and ``z`` of the saddle ``a/(z - s w) + b/z = 1`` from its branch points solve a quadratic
    with a positive and a negative root; each positive root is taken in the form that does not cancel.
    """
    n, tilt = a + b, s[..., None] * w
    ahead, behind = n + tilt, n - tilt
    root = np.sqrt(np.maximum(behind * behind + 4 * a * tilt, 0.0))
    to_upper = np.where(behind > 0, 0.5 * (behind + root), 2 * a * tilt / np.where(behind > 0, 1.0, root - behind))
    to_lower = np.where(ahead > 0, 0.5 * (ahead + root), -2 * b * tilt / np.where(ahead > 0, 1.0, root - ahead))
    shape = to_lower - n - tilt * (a / n) - a * np.log(to_upper / n) - b * np.log(to_lower / n)
    return np.minimum(shape, tilt * tilt / (8 * (n + 1)))


def saddles(branch: Floats, alpha: Floats, tolerance: float) -> Floats:
    """Root ``z > max branch`` of ``sum_j alpha_j / (z - branch_j) = 1`` (last axis), by Newton on the reciprocal.

    The reciprocal of the sum, a weighted harmonic mean, is increasing and concave in ``z``, and at most 1 at distance
    ``alpha`` from the largest branch point: Newton's method climbs from there to the root without overshooting.
    """
    top = branch.max(axis=-1)
    z = top + np.where(branch == top[..., None], alpha, 0.0).max(axis=-1)
    for _ in range(60):
        gap = z[..., None] - branch
        ratio = alpha / gap
        total = ratio.sum(axis=-1)
        step = (total - 1) * total / (ratio / gap).sum(axis=-1)
        z = z + np.maximum(step, 0.0)
        if (step <= tolerance * (z - top)).all():
            break
    return np.asarray(z)


def cumulant_bound(form: LinearForm, s: Floats) -> Floats:
    """Upper bound of ``log E exp(s (X - mean))`` for every ``s``."""
    bound = np.zeros(s.shape)
    for start in range(0, len(form.betas), ROWS_AT_A_TIME):
        part = slice(start, start + ROWS_AT_A_TIME)
        betas = form.betas.part(part)
        bound += beta_cumulants(betas.a, betas.b, betas.w, s) @ betas.count
    for c, alpha, count in stack_rows(form.wide, ROWS_AT_A_TIME // 10):
        branch = s[:, None, None] * c
        z, total = saddles(branch, alpha, NEAR_SADDLE), alpha.sum(axis=1)
        logs = (np.log((z[..., None] - branch) / total[:, None]) * alpha).sum(axis=-1)
        bound += (z - total - logs) @ count
    return bound


def chernoff_window(form: LinearForm) -> tuple[float, float]:
    """Interval around the mean (given relative to it) that misses at most ``1e-17`` on either side.

    ``P(X - mean > v) <= exp(K(s) - s v)`` for every ``s > 0``, hence ``v = min_s (K(s) + 39.2)/s`` will do for any set
    of trial ``s``; the support bounds it.
    """
    s = TILTS / form.sd
    bound = cumulant_bound(form, np.concatenate((s, -s)))
    reach = (bound + OUTSIDE) / np.concatenate((s, s))
    above, below = float(reach[: len(s)].min()), float(reach[len(s) :].min())
    return -min(below, form.below), min(above, form.above)


# -- The ends of the support: near one, one vertex of every row is in play, and the tail is a power of the distance ----

#     P(W - X <= v) ~ prod_rows [Gamma(A)/Gamma(alpha_j) prod_k |d_k|^-alpha_k] v^S/Gamma(S+1),
#
# with ``S`` the sum of the alphas of all other vertices.


def end_rows(form: LinearForm, upper: bool) -> list[tuple[Floats, Floats, float, int]]:
    """For every row: distances ``|d_k|`` of the other vertices, their alphas, the alpha at the end, the count."""
    rows: list[tuple[Floats, Floats, float, int]] = []
    for a, b, w, n in zip(form.betas.a, form.betas.b, form.betas.w, form.betas.count, strict=True):
        at, other = (a, b) if (w > 0) == upper else (b, a)
        rows.append((np.array([abs(w)]), np.array([other]), float(at), int(n)))
    for row in form.wide:
        j = len(row.c) - 1 if upper else 0
        others = np.arange(len(row.c)) != j
        rows.append((np.abs(row.c[others] - row.c[j]), row.alpha[others], float(row.alpha[j]), row.count))
    return rows


def log_end_factor(form: LinearForm, upper: bool) -> float:
    """Log of the product in front of ``v^S/Gamma(S + 1)``."""
    return sum(
        count * (log_gamma_ratio(at, float(alpha.sum())) - float((alpha * np.log(d)).sum()))
        for d, alpha, at, count in end_rows(form, upper)
    )


def end_density(form: LinearForm, upper: bool) -> float:
    """Limit of the density at an end of the support: 0, a finite number (exponent exactly 1) or infinite."""
    exponent = form.end_exponents[1 if upper else 0]
    if exponent != 1.0:
        return 0.0 if exponent > 1 else float(np.inf)
    return float(np.exp(log_end_factor(form, upper)))


# -- The transform of a form, and its series: more terms, or the exact rest --------------------------------------------


FREQUENCIES_AT_A_TIME = 2048
POWERS_AT_A_TIME = 1 << 18  # stay in the cache


def beta_product(betas: BetaRows, t0: float, dt: float, count: int) -> Complexes:
    """``prod_k E e^{it w_k (theta_k - E theta_k)}`` (copies included) at ``t0 + m dt``, ``m < count``."""
    product = np.ones(count, complex)
    for first in range(0, count if len(betas) else 0, FREQUENCIES_AT_A_TIME):
        size = min(FREQUENCIES_AT_A_TIME, count - first)
        start = t0 + first * dt
        for nodes in beta_nodes(betas, start + size * dt):
            rows = max(1, POWERS_AT_A_TIME // (nodes.weight.shape[1] * 2 * int(np.sqrt(size) + 1)))
            copies = betas.count[nodes.index]
            for k in range(0, len(copies), rows):
                part = slice(k, k + rows)
                each = equispaced_transform(nodes.deviation[part], nodes.weight[part], start, dt, size)
                product[first : first + size] *= integer_power(each, copies[part]).prod(axis=0)
    return product


def wide_product(rows: tuple[WideRow, ...], t0: float, dt: float, count: int) -> Complexes:
    """Do the same for wide rows."""
    product = np.ones(count, complex)
    large = [row.alpha.sum() > LARGE_TOTAL for row in rows]
    alike = list(stack_rows(compress(rows, large), POWERS_AT_A_TIME))
    rest = [row for row, known in zip(rows, large, strict=True) if not known]
    for first in range(0, count if rows else 0, FREQUENCIES_AT_A_TIME):
        part = slice(first, min(first + FREQUENCIES_AT_A_TIME, count))
        t: Floats = t0 + dt * np.arange(part.start, part.stop, dtype=float)
        for c, alpha, copies in alike:
            product[part] *= vertical_product(c, alpha, copies, t)
        for row in rest:
            product[part] *= np.power(bent_transform(row, t), row.count)
    return product


TOLERANCE = 1e-13  # size of the first term left out, relative to a probability
FIRST_REACH = 9.0  # the first pass goes to t = 9/sd, where a normal characteristic function is 3e-18
LONGER = np.linspace(1.0, 4.0, 13)  # trial lengths of it
MANY_ROWS = 1000
FEW_ROWS = 8  # up to which the most patient series is taken
MARGIN = 1.12  # the remainder needs |W - z| < L
MOST_TERMS, UTMOST_TERMS = 40_000, 1 << 18
MOST_COMBINATIONS = 3000.0
MOST_ROWS_EXPANDED = 400
FINEST = 1e-12  # sd beside the mean: below, a hundredth of it is not told apart by floats of that size
FAR_BEYOND = 8.0  # times the start of a row's vertices: from there on they are cheaper than its nodes


def log_decay(form: LinearForm, t: Floats) -> Floats:
    """Log of the size of the characteristic function at frequencies ``t``, if its rows were as skewed as Gammas."""
    n = form.betas.a + form.betas.b
    spread = form.betas.w**2 * form.betas.b / (n * n * (n + 1))  # variance over shape
    log_size: Floats = -0.5 * np.log1p(np.multiply.outer(t * t, spread)) @ (form.betas.count * form.betas.a)
    for row in form.wide:
        total, shape = float(row.alpha.sum()), float(row.alpha.sum() - row.alpha.max())
        variance = float((row.alpha * row.c**2).sum()) / (total * (total + 1))
        log_size -= 0.5 * row.count * shape * np.log1p(t * t * variance / shape)
    return log_size


class Inversion:
    """Fourier inversion of one linear form; everything is relative to the mean."""

    def __init__(self, form: LinearForm) -> None:
        if form.sd < FINEST * max(abs(form.mean), form.sd):
            raise TooManyNodes(TOO_LOPSIDED)
        self.form = form
        self.low, self.high = chernoff_window(form)
        self._phi: Complexes = np.empty(0, complex)
        self._remainder: SeriesRemainder | None = None
        self.rough = form.decay_exponent < 12.0 and form.row_count <= MOST_ROWS_EXPANDED
        self.period = (self.high - self.low) * (MARGIN if self.rough else 1.0)
        self._invert()
        self._series = FourierSeries(self.period, self._phi)

    @property
    def _dt(self) -> float:
        return 2 * np.pi / self.period

    def _invert(self) -> None:
        """Decide between a longer plain series and the exact remainder, and take the series that far."""
        first = self._first_pass()
        start = self._vertex_terms() if self.rough else np.inf
        if start > 1.5 * first or self.form.decay_exponent > 4:
            self._extend(first)
            if self._last() <= TOLERANCE:
                return self._truncate()
            wanted = self._terms_wanted()
        else:
            wanted = np.inf
        if wanted > 48 and wanted > 1.2 * start + 40 and start <= MOST_TERMS and self._sum_remainder():
            return None
        # the decay may only begin beyond the first pass: look further before giving up
        while self._last() > TOLERANCE and wanted > MOST_TERMS and len(self._phi) < MOST_TERMS // 4:
            self._extend(2 * len(self._phi) if len(self._phi) else first)
            wanted = self._terms_wanted()
        utmost = UTMOST_TERMS if self.form.row_count <= FEW_ROWS else MOST_TERMS
        while self._last() > TOLERANCE and len(self._phi) < utmost:
            self._extend(min(utmost, int(max(1.1 * min(wanted, utmost), 1.5 * len(self._phi), first))))
            wanted = self._terms_wanted()
        return self._truncate()

    def _last(self) -> float:
        """Size of the last term, in probability; 1 if there is none."""
        return float(np.abs(self._phi[-2:]).max()) / len(self._phi) if len(self._phi) else 1.0

    def _terms_wanted(self) -> float:
        """How many terms a plain series needs, if the decay goes on as over the last octave."""
        count, last = len(self._phi), self._last()
        half = float(np.abs(self._phi[count // 2 - 2 : count // 2]).max()) / (count / 2)
        rate = np.log2(max(half, 1e-300) / max(last, 1e-300))
        return float(count * min(max(last / TOLERANCE, 1.0) ** (1 / max(rate, 0.1)), 1e9))

    @cached_property
    def _vertices(self) -> list[RowVertices]:
        """Vertex expansions of all rows, Betas first; one that does not exist begins at infinity."""
        wide = [row_vertices(row.c, row.alpha, row.count) for row in self.form.wide]
        return expand_betas(self.form.betas) + wide

    @property
    def _expansion(self) -> list[RowVertices] | None:
        """Vertex expansions of all rows, unless they do not exist or have too many combinations."""
        if not self.rough:
            return None
        rows = self._vertices
        if (
            any(row.start == np.inf for row in rows)
            or combination_count([len(r.vertices) for r in rows], [r.count for r in rows]) > MOST_COMBINATIONS
        ):
            return None
        return rows

    def _extend(self, count: int) -> None:
        have = len(self._phi)
        if count <= have:
            return
        t0, dt = (have + 1) * self._dt, self._dt
        if self._first_vertex < count * dt / FAR_BEYOND:
            # a wide row beside a narrow one: nodes by the ten thousand, where two vertices say the same
            self._extend_by_vertices(count, self._vertices)
            return
        more = beta_product(self.form.betas, t0, dt, count - have)
        if self.form.wide:
            more *= wide_product(self.form.wide, t0, dt, count - have)
        self._phi = np.concatenate((self._phi, more))

    def _extend_by_vertices(self, count: int, rows: Sequence[RowVertices]) -> None:
        """Do the same where some rows are in the range of their vertex expansions: those cost next to nothing."""
        have, dt = len(self._phi), self._dt
        betas, wide = self.form.betas, self.form.wide
        t: Floats = dt * np.arange(have + 1, count + 1, dtype=float)
        more = np.ones(len(t), complex)
        earliest = int(np.searchsorted(t, min(row.start for row in rows)))
        table = VertexTable(rows)
        with np.errstate(over="ignore", invalid="ignore"):  # what comes before a row's own start is not used
            waves = unit_phase(np.multiply.outer(table.c, t[earliest:])) * table.evaluate(t[earliest:])
        for i, row in enumerate(rows):
            near = int(np.searchsorted(t, row.start))
            if near:
                if i < len(betas):
                    more[:near] *= beta_product(betas.part(slice(i, i + 1)), t[0], dt, near)
                else:
                    more[:near] *= wide_product(wide[i - len(betas) : i - len(betas) + 1], t[0], dt, near)
            far = waves[int(table.offsets[i]) : int(table.offsets[i + 1]), near - earliest :].sum(axis=0)
            more[near:] *= far**row.count
        self._phi = np.concatenate((self._phi, more))

    def _truncate(self) -> None:
        large = np.flatnonzero(np.abs(self._phi) > 1e-17)
        self._phi = self._phi[: int(large[-1]) + 1] if len(large) else self._phi[:1]
        self.residual = max(self._last() * 4, self._rounding())

    def _rounding(self) -> float:
        return 4e-16 * (4 + float(np.sqrt(self.form.row_count)))

    @cached_property
    def _starts(self) -> Floats:
        wide = [starting_frequency(row.c, row.alpha) for row in self.form.wide]
        return np.append(beta_starting_frequency(self.form.betas), wide)

    @cached_property
    def _first_vertex(self) -> float:
        """Frequency from which the vertices of a row hold, of the first for which they do."""
        return np.inf if self.form.row_count > MOST_ROWS_EXPANDED else float(self._starts.min())

    def _vertex_terms(self) -> float:
        """Count the terms after which the vertex expansions of all rows hold."""
        return float(self._starts.max()) / self._dt

    def _first_pass(self) -> int:
        """Number of terms to start with: where a normal law, or Gammas as skewed as the rows, would have decayed."""
        form, dt = self.form, self._dt
        first = max(16, int(np.ceil(FIRST_REACH / (form.sd * dt))))
        if self.rough or form.row_count > MANY_ROWS:
            return first
        count = first * LONGER
        log_size = log_decay(form, dt * count)
        return int(count[int(np.argmax(np.append(log_size[:-1] - np.log(count[:-1]) < np.log(0.3 * TOLERANCE), True)))])

    def _sum_remainder(self) -> bool:
        """Sum the rest of the series exactly, if the vertex expansions allow; otherwise change nothing."""
        expanded = self._expansion
        if expanded is None:
            return False
        count = int(max(row.start for row in expanded) / self._dt) + 1
        if count > MOST_TERMS:
            return False
        if count <= len(self._phi):
            self._phi = self._phi[:count]
        elif min(row.start for row in expanded) > 0.5 * count * self._dt:
            self._extend(count)
        else:
            self._extend_by_vertices(count, expanded)
        self._remainder = SeriesRemainder(expanded, self.period, count, self.high - self.low)
        self.residual = max(1e-14, self._rounding())
        return True

    def evaluate(self, z: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and slope at distances ``z`` (1-D, inside the window) from the mean."""
        F, f, slope = self._series.evaluate(z)
        if self._remainder is not None:
            more = self._remainder.evaluate(z)
            return F + more[:, 0], f + more[:, 1], slope + more[:, 2]
        return F, f, slope
