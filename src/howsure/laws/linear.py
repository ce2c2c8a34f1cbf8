"""Linear functionals of Dirichlet rows: the law of a rate and of a weighted sum of rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import numbers
from howsure.laws.law import SEED, Additive, ComputedLaw, generator, in_words, real
from howsure.numerics.arrays import Floats, repeat
from howsure.numerics.beta_sum.sums import BetaLaw, SeriesLaw, beta_mode, linear_law

# -- Independent Dirichlet rows as objects with identity, and coefficients on some of them -----------------------------


class DirichletRows:
    """Independent Dirichlet rows, as an object with identity: the same object is the same random rows.

    Parameters
    ----------
    alphas : array_like, shape (R, J)
        Positive concentrations; 0 marks a cell that cannot occur.

    Raises
    ------
    InvalidArgument
        Negative, missing or infinite concentrations, or a row without any.
    """

    __slots__ = ("_alphas", "_pairs", "_whole")

    def __init__(self, alphas: ArrayLike) -> None:
        self._alphas: Floats | None = _checked_alphas(alphas)
        self._pairs: Floats | None = None
        self._whole: Callable[[], ArrayLike] | None = None

    @classmethod
    def of_pairs(cls, right: ArrayLike, rest: ArrayLike, whole: Callable[[], ArrayLike]) -> DirichletRows:
        """Square rows by diagonal and rest, (K,) each; ``whole`` is only asked where a law reads single cells."""
        made = cls.__new__(cls)
        made._alphas, made._whole = None, whole
        made._pairs = _checked_alphas(np.stack([np.asarray(right, float), np.asarray(rest, float)], axis=1))
        return made

    @property
    def alphas(self) -> Floats:
        """Concentrations of every cell, shape (R, J), read-only."""
        if self._alphas is None:
            assert self._whole is not None
            self._alphas = _checked_alphas(self._whole())
        return self._alphas

    @property
    def pairs(self) -> Floats:
        """Of square rows, concentrations of the diagonal and of everything else, shape (R, 2)."""
        if self._pairs is None:
            right = self.alphas.diagonal()
            off = self.alphas.copy()
            np.fill_diagonal(off, 0.0)
            self._pairs = np.stack([right, off.sum(axis=1)], axis=1)
        return self._pairs


def _checked_alphas(alphas: ArrayLike) -> Floats:
    table = np.atleast_2d(np.array(alphas, dtype=float))
    if table.ndim != 2 or not np.all(np.isfinite(table) & (table >= 0)) or not np.all(table.sum(axis=1) > 0):
        raise InvalidArgument("Dirichlet rows need concentrations that are finite and 0 or more, at least one above 0")
    table.setflags(write=False)
    return table


@dataclass(frozen=True, eq=False)
class Part:
    """Coefficients on some rows of a block; ``index`` is increasing.

    A table of shape (R, J) has one for each cell. A lumped one, shape (R, 2), sees a row of a square block as
    [diagonal, everything else]: all that a recall needs, and K times smaller.
    """

    block: DirichletRows
    index: NDArray[np.int64]
    table: Floats
    lumped: bool = False

    @property
    def alphas(self) -> Floats:
        """Concentrations that go with the coefficients."""
        return self.block.pairs[self.index] if self.lumped else self.block.alphas[self.index]

    def widened(self) -> Part:
        """The same with a coefficient for each cell."""
        if not self.lumped:
            return self
        table = repeat(self.table[:, 1:], self.block.alphas.shape[1], axis=1)
        table[np.arange(len(table)), self.index] = self.table[:, 0]
        return Part(self.block, self.index, table)


def merged(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Add up the coefficients on the same random rows, so that what cancels is gone."""
    sums: dict[DirichletRows, Part] = {}
    for part in parts:
        before = sums.get(part.block)
        if before is None:
            sums[part.block] = part
            continue
        if before.lumped != part.lumped:
            before, part = before.widened(), part.widened()
        index = np.union1d(before.index, part.index)
        table = np.zeros((len(index), part.table.shape[1]))
        for each in (before, part):
            table[np.searchsorted(index, each.index)] += each.table
        sums[part.block] = Part(part.block, index, table, part.lumped)
    return tuple(part for part in sums.values() if part.table.any())


# -- The one exact law: a linear functional of independent Dirichlet rows ----------------------------------------------

#     X = shift + sum_i sum_j c_ij p_ij,    p_i ~ Dirichlet(alpha_i1, ..., alpha_iJ) independent
#
# It is a rate (one Beta), a weighted signed sum of rates (balanced accuracy, accuracy at a known prevalence, the
# difference of either between two classifiers), a paired difference, an expected cost. Rows have identity: two laws
# made from the same `DirichletRows` stay dependent, so that ``x - x`` is exactly 0.


#: Largest size of a coefficient; squares and cubes of it must stay inside a double.
LARGEST = 1e60
#: Part of the widest coefficient below which a rate only shifts the sum.
NARROW = 1e-18


class Linear(Additive["Linear"], ComputedLaw):
    """Law of ``shift + sum c . p`` over independent Dirichlet rows; exact.

    Parameters
    ----------
    rows : sequence of (coefficients, alphas)
        Arrays of one shape, (J,) for one row or (R, J) for several. ``alphas`` may be a `DirichletRows`, to say
        that these are the same random rows as in another law.
    shift : float
        A constant to add.

    Raises
    ------
    InvalidArgument
        Shapes that differ, coefficients that are not finite.

    Notes
    -----
    Closed under addition, subtraction and scaling. The cdf is within 1e-9 (``error`` tells the estimate for this
    law); see `howsure.numerics.beta_sum.sums` for how.

    Examples
    --------
    >>> expected_cost = Linear([([0, 1, 5], [8.5, 2.5, 1.5])])
    >>> round(expected_cost.mean, 4)
    0.8
    """

    def __init__(self, rows: Sequence[tuple[ArrayLike, ArrayLike | DirichletRows]] = (), *, shift: float = 0.0) -> None:
        parts: list[Part] = []
        for coefficients, alphas in rows:
            block = alphas if isinstance(alphas, DirichletRows) else DirichletRows(alphas)
            table = np.atleast_2d(np.array(coefficients, dtype=float))
            if table.shape != block.alphas.shape:
                raise InvalidArgument(
                    f"coefficients of shape {table.shape} do not fit Dirichlet rows of shape {block.alphas.shape}"
                )
            largest = float(np.abs(table).max(initial=0.0))
            if not np.isfinite(largest) or largest > LARGEST or 0 < largest < 1 / LARGEST:
                raise InvalidArgument(
                    f"coefficients of a linear law must be finite and within {LARGEST:g}; got {largest:g}"
                )
            parts.append(Part(block, np.arange(len(table)), table))
        if not np.isfinite(shift):
            raise InvalidArgument(f"the shift of a linear law must be finite, not {shift}")
        self._parts = merged(parts)
        self._shift = float(shift)

    @classmethod
    def of_parts(cls, parts: Iterable[Part], shift: float = 0.0) -> Linear:
        """Law of some rows of each block only; a class row costs its own length, not the table's."""
        made = cls(shift=shift)
        made._parts = merged(parts)
        return made

    @property
    def blocks(self) -> frozenset[DirichletRows]:
        """The random rows that this law depends on."""
        return frozenset(part.block for part in self._parts)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Coefficients on the rows of every block."""
        return self._parts

    @property
    def shift(self) -> float:
        """The constant."""
        return self._shift

    @cached_property
    def _numbers(self) -> BetaLaw | SeriesLaw:
        shift = self._shift
        a, b, w = [np.empty(0)], [np.empty(0)], [np.empty(0)]
        wide: list[tuple[ArrayLike, ArrayLike, int]] = []
        for part in self._parts:
            alphas, table = part.alphas, part.table
            possible = alphas > 0
            top = np.where(possible, table, -np.inf).max(axis=1)
            bottom = np.where(possible, table, np.inf).min(axis=1)
            shift += float(bottom.sum())
            at_top, at_bottom = possible & (table == top[:, None]), possible & (table == bottom[:, None])
            simple = np.all(~possible | at_top | at_bottom, axis=1)
            two = simple & (top > bottom)
            # cells that share a coefficient add up to one cell, so a row with two values is a Beta
            a.append((alphas * at_top).sum(axis=1)[two])
            b.append((alphas * at_bottom).sum(axis=1)[two])
            w.append((top - bottom)[two])
            wide += [
                (table[i, possible[i]] - bottom[i], alphas[i, possible[i]], 1) for i in np.flatnonzero(~simple).tolist()
            ]
        first, second, weight = np.concatenate(a), np.concatenate(b), np.concatenate(w)
        # what is narrower than the rounding of the sum is a constant
        kept = weight > NARROW * max([weight.max(initial=0.0), *(float(np.max(c)) for c, _, _ in wide)])
        shift += float((weight * first / (first + second))[~kept].sum())
        return linear_law(wide, betas=(first[kept], second[kept], weight[kept]), shift=shift)

    # -- the law --------------------------------------------------------------------------------------------

    @in_words()
    def _prob_below(self, x: float) -> float:
        if self.sd == 0:
            return float(x > self.mean)
        return float(self._numbers.cdf(np.asarray(x)))

    @in_words()
    def _evaluate(self, x: Floats) -> tuple[Floats, Floats, Floats]:
        return self._numbers.everywhere(x)

    def sample(self, n: int, *, seed: int | Sequence[int] = SEED) -> Floats:
        """Draw ``n`` independent values by drawing the rows."""
        rng = generator(n, seed)
        total = np.full(n, self._shift)
        for part in self._parts:
            for alphas, coefficients in zip(part.alphas, part.table, strict=True):
                gammas = rng.standard_gamma(alphas, (n, len(alphas)))
                total += np.einsum("nj,j->n", gammas, coefficients) / gammas.sum(axis=1)
        return total

    # -- arithmetic -----------------------------------------------------------------------------------------

    def _moved(self, factor: float, shift: float) -> Linear:
        """Law of ``factor X + shift``."""
        parts = self._parts if factor == 1 else (replace(p, table=p.table * factor) for p in self._parts)
        return Linear.of_parts(parts, self._shift * factor + shift)

    def _plus(self, other: object) -> Linear | None:
        if not isinstance(other, Linear):
            return None
        return Linear.of_parts((*self._parts, *other._parts), self._shift + other._shift)

    def __repr__(self) -> str:
        if (rate := self._numbers.beta) is not None and self._numbers.support == (0.0, 1.0):
            return f"Beta({rate[0]:g}, {rate[1]:g})"
        rows = sum(len(part.index) for part in self._parts)
        return f"<Linear: {rows} independent row{'s' if rows != 1 else ''}, mean {self.mean:.4g}, sd {self.sd:.2g}>"


class BetaSum(Linear):
    """Weighted signed sum of independent Betas, ``sum_k w_k theta_k``; exact.

    Parameters
    ----------
    a, b : array_like, shape (K,)
        Positive Beta parameters.
    weights : array_like, shape (K,), optional
        Any real weights; 1/K each if left out, which makes it balanced accuracy (Brodersen et al. 2010,
        equation 7; Carrillo et al. 2013, equation 13).

    Raises
    ------
    InvalidArgument
        Parameters that are not positive, or shapes that differ.

    Examples
    --------
    >>> law = BetaSum([31, 4, 9], [3, 2, 3])
    >>> low, high = law.interval(kind="central")
    >>> round(law.mean, 4), round(low, 4), round(high, 4)
    (0.7761, 0.6215, 0.9032)
    """

    def __init__(self, a: ArrayLike, b: ArrayLike, weights: ArrayLike | None = None) -> None:
        first, second = np.atleast_1d(numbers(a, "a")), np.atleast_1d(numbers(b, "b"))
        equal = np.full(first.shape, 1 / max(1, first.size))
        w = equal if weights is None else np.atleast_1d(numbers(weights, "weights"))
        if first.ndim != 1 or first.shape != second.shape or first.shape != w.shape or not len(first):
            raise InvalidArgument(
                f"a, b and weights must be of one length; got {first.shape}, {second.shape}, {w.shape}"
            )
        if not np.all((first > 0) & (second > 0)):
            raise InvalidArgument("the parameters a and b of a Beta must be above 0")
        super().__init__([(np.stack([w, np.zeros_like(w)], axis=1), np.stack([first, second], axis=1))])


class Beta(BetaSum):
    """One rate, Beta(a, b); exact.

    Parameters
    ----------
    a, b : float
        Above 0.

    Examples
    --------
    >>> rate = Beta(27, 1)
    >>> round(rate.mean, 4), rate.mode
    (0.9643, 1.0)
    """

    def __init__(self, a: float, b: float) -> None:
        for value in (a, b):
            if not real(value) or value <= 0:
                raise InvalidArgument(f"the parameters of a Beta are numbers above 0, not {excerpt(value)}")
        super().__init__([a], [b], [1.0])
        self._ab = float(a), float(b)

    @property
    def a(self) -> float:
        """First parameter."""
        return self._ab[0]

    @property
    def b(self) -> float:
        """Second parameter."""
        return self._ab[1]

    @property
    def mean(self) -> float:
        """Expected value, a / (a + b)."""
        return self.a / (self.a + self.b)

    @property
    def sd(self) -> float:
        """Standard deviation, sqrt(mean (1 - mean) / (a + b + 1))."""
        total = self.a + self.b
        return math.sqrt(self.a / total * (self.b / total) / (total + 1))

    @property
    def mode(self) -> float:
        """Most probable value; the middle of a uniform law, the heavier end of a U-shaped one."""
        return beta_mode(self.a, self.b)

    def __repr__(self) -> str:
        return f"Beta({self.a:g}, {self.b:g})"


class PairedDifference(Linear):
    """Difference of balanced accuracy of two classifiers A - B on the same cases; exact.

    Parameters
    ----------
    cells : array_like, shape (K, 4)
        Dirichlet concentrations of each true class over: both right, only A, only B, neither. Positive (0 marks a cell
        that cannot occur).
    weights : array_like, shape (K,), optional
        Weight of each class; 1/K if left out.

    Raises
    ------
    InvalidArgument
        Other shapes, or concentrations below 0.

    Examples
    --------
    >>> gain = PairedDifference([[60.5, 12.5, 5.5, 23.5]])
    >>> round(gain.mean, 4), round(gain.prob(above=0), 4)
    (0.0686, 0.9567)
    """

    def __init__(self, cells: ArrayLike, weights: ArrayLike | None = None) -> None:
        table = np.atleast_2d(np.asarray(cells, dtype=float))
        if table.ndim != 2 or table.shape[1] != 4:
            raise InvalidArgument(f"cells are both right, only A, only B, neither, for each class; not {table.shape}")
        w = np.full(len(table), 1 / len(table)) if weights is None else np.atleast_1d(np.asarray(weights, dtype=float))
        if w.shape != (len(table),):
            raise InvalidArgument(f"{len(table)} classes need {len(table)} weights, not {w.shape}")
        super().__init__([(np.outer(w, [0.0, 1.0, -1.0, 0.0]), table)])


# -- What a mixture needs to know of its components: whether one is a single Beta --------------


def scaled_beta(a: float, b: float, low: float, width: float) -> Linear:
    """Law of ``low + width theta``, ``theta ~ Beta(a, b)``."""
    return Linear([([width, 0.0], [a, b])], shift=low)


def single_beta(law: Linear) -> tuple[float, float, float, float] | None:
    """(a, b, low, width) of a law that is ``low + width theta``, ``theta ~ Beta(a, b)``; None for any other."""
    if len(law._parts) != 1 or len(law._parts[0].index) != 1:
        return None
    part = law._parts[0]
    alphas = part.alphas[0].tolist()
    cells = [(c, alpha) for c, alpha in zip(part.table[0].tolist(), alphas, strict=True) if alpha > 0]
    bottom, top = min(c for c, _ in cells), max(c for c, _ in cells)
    if bottom == top or any(bottom < c < top for c, _ in cells):
        return None
    a, b = (sum(alpha for c, alpha in cells if c == end) for end in (top, bottom))
    return a, b, law._shift + bottom, top - bottom
