"""The normal form of a linear functional of independent Dirichlet rows, and its moments.

Every law of this layer is ``X = shift + sum_i sum_j c_ij p_ij`` with independent ``p_i ~ Dir(alpha_i)``. Many ways of
writing it give the same law; the normal form is the cheapest of them: components with equal coefficients are merged (a
sum of Dirichlet components is a component), a row with one coefficient is a constant, a row with two is a Beta, and
equal rows are counted instead of repeated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Floats, Integers

__all__ = ["BetaRows", "LinearForm", "WideRow", "combined_form", "linear_form", "stack_rows"]


@dataclass(frozen=True)
class BetaRows:
    """Distinct two-component rows ``w theta``, ``theta ~ Beta(a, b)``, each with the number of its copies.

    Oriented so that ``a <= b``; the weight ``w`` carries the sign. The logit of the mean is then never positive, which
    keeps ``log(1 - theta)`` free of cancellation for the nearly perfect classifier.
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
    def narrowest(self) -> float:
        """Least standard deviation of a row."""
        betas = self.betas
        n = betas.a + betas.b
        least = float((betas.w * betas.w * (betas.a / n) * (betas.b / n) / (n + 1)).min(initial=np.inf))
        for row in self.wide:
            total = float(row.alpha.sum())
            least = min(least, float((row.alpha * row.c**2).sum()) / (total * (total + 1)))
        return float(np.sqrt(least))

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
    """Wide rows with the same number of vertices side by side: ``c``, ``alpha`` (rows x vertices) and counts.

    At most ``most`` vertices at a time.
    """
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


def combined_form(
    betas: BetaRows, wide: tuple[WideRow, ...], mean: float = 0.0, support: tuple[float, float] | None = None
) -> LinearForm:
    """Return the form of grouped Betas and centred wide rows, with mean 0 if none is given."""
    n = betas.a + betas.b
    p, q, w, count = betas.a / n, betas.b / n, betas.w, betas.count
    spread = p * q / (n + 1)
    variance = float((count * w * w * spread).sum())
    third = float((count * w**3 * 2 * spread * (q - p) / (n + 2)).sum())
    below = float((count * np.where(w > 0, w * p, -w * q)).sum())
    above = float((count * np.where(w > 0, w * q, -w * p)).sum())
    for row in wide:
        total = float(row.alpha.sum())
        below, above = below - row.count * float(row.c[0]), above + row.count * float(row.c[-1])
        variance += row.count * float((row.alpha * row.c**2).sum()) / (total * (total + 1))
        third += row.count * 2 * float((row.alpha * row.c**3).sum()) / (total * (total + 1) * (total + 2))
    ends = (mean - below, mean + above) if support is None else support
    return LinearForm(betas, wide, mean, variance, third, ends, below, above)


def _columns(betas: tuple[ArrayLike, ArrayLike, ArrayLike]) -> tuple[Floats, Floats, Floats]:
    """Arrays ``a, b, w`` of one length."""
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
    """Bring ``shift + sum_i c_i . p_i`` to its normal form.

    Parameters
    ----------
    rows
        Triples (coefficients, alphas, number of copies).
    betas
        Arrays ``a, b, w`` of further terms ``w theta``, ``theta ~ Beta(a, b)``.
    shift
        A constant.
    """
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
    return combined_form(grouped, tuple(wide.values()), float(mean), (float(lowest), float(highest)))
