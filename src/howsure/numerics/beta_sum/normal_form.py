"""Weighted sums of independent Dirichlet rows: their normal form, and where their mass is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Floats, Integers

# -- The normal form of a linear functional of independent Dirichlet rows, and its moments -----------------------------

# Every law of this layer is ``X = shift + sum_i sum_j c_ij p_ij`` with independent ``p_i ~ Dir(alpha_i)``. Many ways
# of writing it give the same law; the normal form is the cheapest of them: components with equal coefficients are
# merged (a sum of Dirichlet components is a component), a row with one coefficient is a constant, a row with two is a
# Beta, and equal rows are counted instead of repeated.


@dataclass(frozen=True)
class BetaRows:
    """Distinct two-component rows ``w theta``, ``theta ~ Beta(a, b)``, each with the number of its copies.

    ``a <= b``, the weight ``w`` carries the sign: the mean is at most 1/2, so nothing cancels in ``log(1 - theta)``.
    """

    a: Floats
    b: Floats
    w: Floats
    count: Integers

    def __len__(self) -> int:
        return len(self.a)


@dataclass(frozen=True)
class WideRow:
    """A row with three or more distinct coefficients ``c`` (increasing, centred at the mean of the row)."""

    c: Floats
    alpha: Floats
    count: int


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


def stack_rows(wide: Iterable[WideRow], most: int) -> Iterator[tuple[Floats, Floats, Integers]]:
    """Wide rows of equally many vertices side by side, at most ``most`` vertices: ``c``, ``alpha`` and counts."""
    by_size: dict[int, list[WideRow]] = {}
    for row in wide:
        by_size.setdefault(len(row.c), []).append(row)
    for size, rows in by_size.items():
        step = max(1, most // size)
        for part in (rows[k : k + step] for k in range(0, len(rows), step)):
            yield (
                np.array([row.c for row in part]),
                np.array([row.alpha for row in part]),
                np.array([row.count for row in part]),
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


NEGLIGIBLE = 39.2  # e^-39.2 < 1e-17: the mass that may lie outside the window on either side
TILTS = np.geomspace(0.25, 90.0, 18)  # trial tilts, in units of 1/sd; 8.9 is the best one for a normal law
NEAR_SADDLE = 1e-3  # every z gives a bound; it is flat at the best one
ROWS_AT_A_TIME = 50_000


def beta_saddle(betas: BetaRows, s: Floats) -> tuple[Floats, Floats]:
    """Distances ``z - s w`` and ``z`` of the saddle ``a/(z - s w) + b/z = 1`` from its branch points.

    Both solve a quadratic with a positive and a negative root; each positive root is taken in the form that does not
    cancel. Shapes ``s.shape + (rows,)``.
    """
    n = betas.a + betas.b
    tilt = s[..., None] * betas.w
    ahead, behind = n + tilt, n - tilt
    root = np.sqrt(np.maximum(behind * behind + 4 * betas.a * tilt, 0.0))
    to_upper = np.where(
        behind > 0, 0.5 * (behind + root), 2 * betas.a * tilt / np.where(behind > 0, 1.0, root - behind)
    )
    to_lower = np.where(ahead > 0, 0.5 * (ahead + root), -2 * betas.b * tilt / np.where(ahead > 0, 1.0, root - ahead))
    return to_upper, to_lower


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
        betas = BetaRows(form.betas.a[part], form.betas.b[part], form.betas.w[part], form.betas.count[part])
        n = betas.a + betas.b
        to_upper, to_lower = beta_saddle(betas, s)
        tilt = s[..., None] * betas.w
        shape = to_lower - n - tilt * (betas.a / n) - betas.a * np.log(to_upper / n) - betas.b * np.log(to_lower / n)
        bound += np.minimum(shape, tilt * tilt / (8 * (n + 1))) @ betas.count
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
    reach = (bound + NEGLIGIBLE) / np.concatenate((s, s))
    above, below = float(reach[: len(s)].min()), float(reach[len(s) :].min())
    return -min(below, form.below), min(above, form.above)
