"""Joint probability tables of many classes, drawn without their K x K numbers.

The errors of true class i are a Dirichlet over the K - 1 wrong columns with concentrations ``b q_j + c_ij``: a prior of
mass ``b`` spread like ``q``, and counts ``c`` that are nearly all 0. A Dirichlet is its Gammas over their sum, so

    errors_i  =  (sum_c Gamma(c) at the cells with counts  +  G_i sum_k w_ik at column J_ik) / (sum of both)

with ``G_i ~ Gamma(b)``. Its second part is a Dirichlet(b q) as a Dirichlet process (Sethuraman 1994): sticks
``w_1 = V_1, w_2 = V_2 (1 - V_1), ...`` with ``V ~ Beta(1, b)``, columns ``J ~ q``. After S atoms the rest of the stick,
which goes to the last of them, has second moment ``(b / (b + 2))^(S - 1)``: below 1e-5 with 12 atoms at b = 1. Means
are not touched by that at all. Cost: cells with counts + S K numbers a draw.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Floats, Integers

__all__ = ["BLOCK", "ErrorCells", "Rest", "SparseErrors", "draw_errors", "numbers_per_draw", "sticks"]

#: Atoms that a row gets at most, unasked.
MOST_ATOMS = 64

#: Second moment of what is left of a stick, as a share of it; below the noise of ten million draws.
LEFT = 1e-5

#: Numbers that one block of draws takes: small enough for the caches, and 50 MB with all that is made of them.
#: A single draw of more is a block of its own.
BLOCK = 500_000


@dataclass(frozen=True, eq=False)
class ErrorCells:
    """Wrong cells that hold cases, in the order of rows.

    Parameters
    ----------
    size : int
        Number of classes.
    true, pred : ndarray, shape (E,)
        Row and column, never equal.
    count : ndarray, shape (E,)
        Cases, above 0.
    """

    size: int
    true: Integers
    pred: Integers
    count: Floats

    def row_sums(self, values: Floats) -> Floats:
        """Sums over the cells of each row, (E, m) to (K, m)."""
        return _grouped(self._rows, values, self.size)

    def column_sums(self, values: Floats) -> Floats:
        """Sums over the cells of each column, (E, m) to (K, m)."""
        return _grouped(self._columns, values[self._by_column], self.size)

    @cached_property
    def _by_column(self) -> Integers:
        return np.argsort(self.pred, kind="stable")

    @cached_property
    def _rows(self) -> tuple[Integers, Integers]:
        return _runs(self.true)

    @cached_property
    def _columns(self) -> tuple[Integers, Integers]:
        return _runs(self.pred[self._by_column])


def _runs(ordered: Integers) -> tuple[Integers, Integers]:
    """Values of a sorted array, and where each begins."""
    values, starts = np.unique(ordered, return_index=True)
    return values, starts


def _grouped(runs: tuple[Integers, Integers], values: Floats, size: int) -> Floats:
    sums = np.zeros((size, values.shape[1]))
    if not len(values):
        return sums
    if values.shape[1] == 1:  # reduceat is slow along rows of one number
        sums[runs[0], 0] = np.add.reduceat(values[:, 0], runs[1])
    else:
        sums[runs[0]] = np.add.reduceat(values, runs[1], axis=0)
    return sums


def sticks(mass: float) -> int:
    """Atoms that a Dirichlet process of this mass needs to be exact but for a second moment of 1e-5."""
    return 1 if mass <= 0 else 1 + math.ceil(math.log(LEFT) / math.log(mass / (mass + 2)))


def numbers_per_draw(cells: int, size: int, atoms: int) -> int:
    """Random numbers that one draw with so many atoms a row takes."""
    return cells + size * (2 * atoms + 4)


@dataclass(frozen=True, eq=False)
class Rest:
    """What many small atoms hold together: spread as their base is, with the noise of its column sums.

    Parameters
    ----------
    left : ndarray, shape (K, m)
        Probability that is left in each row.
    base : ndarray, shape (m, K)
        How it is spread over the columns; a row takes it without its own column.
    column_sums : ndarray, shape (m, K)
        Drawn column sums.
    """

    left: Floats
    base: Floats
    column_sums: Floats

    @classmethod
    def drawn(cls, left: Floats, mass: Floats, base: Floats, rng: np.random.Generator) -> Rest:
        """Draw the column sums of ``sum_i left_i D_i``, ``D_i ~ Dirichlet(mass base)`` without its own column.

        Their mean is ``base_j sum_(i != j) left_i / (1 - base_i)``. A Dirichlet of that mean is drawn whose mass
        ``(mass + 1) (sum left)^2 / sum left^2 - 1`` gives each column the variance of the sum.
        """
        shares = left.T / np.maximum(1 - base, 1e-15)
        mean = base * (shares.sum(axis=1, keepdims=True) - shares)
        total = left.sum(axis=0)[:, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            together = np.maximum((mass[:, None] + 1) * total**2 / (left**2).sum(axis=0)[:, None] - 1, mass[:, None])
            gammas = rng.standard_gamma(np.maximum(np.nan_to_num(together * mean / total), 1e-200))
        return cls(left, base, total * gammas / np.maximum(gammas.sum(axis=1, keepdims=True), 1e-300))

    def table(self, draw: int) -> Floats:
        """What is left of one draw, at its mean, shape (K, K)."""
        base = self.base[draw]
        spread = np.outer(self.left[:, draw] / np.maximum(1 - base, 1e-15), base)
        np.fill_diagonal(spread, 0.0)
        return spread


@dataclass(frozen=True, eq=False)
class SparseErrors:
    """Drawn probabilities of the errors: at the cells with counts, and at atoms of the prior.

    Parameters
    ----------
    cells : ErrorCells
    at_cells : ndarray, shape (E, m)
        Probability of each cell from its counts, in each of m draws.
    columns, at_atoms : ndarray, shape (S, K, m)
        Column and probability of the atoms of each row; columns may repeat, and may be cells with counts.
    rest : Rest or None
        What is left beyond the atoms, where they are not enough.
    """

    cells: ErrorCells
    at_cells: Floats
    columns: Integers
    at_atoms: Floats
    rest: Rest | None = None

    @cached_property
    def column_sums(self) -> Floats:
        """Probability to be called each class wrongly, shape (m, K)."""
        size, many = self.at_atoms.shape[1:]
        place = self.columns * many + np.arange(many)
        atoms = np.bincount(place.ravel(), weights=self.at_atoms.ravel(), minlength=size * many)
        sums = np.ascontiguousarray((self.cells.column_sums(self.at_cells) + atoms.reshape(size, many)).T)
        return sums if self.rest is None else sums + self.rest.column_sums

    def tables(self, diagonal: Floats) -> Iterator[Floats]:
        """Whole tables with this diagonal, shape (m, K), in blocks of shape (some, K, K)."""
        size, many = self.at_atoms.shape[1:]
        cells, rows = self.cells, np.arange(size)[:, None]
        step = max(1, BLOCK // size**2)
        for start in range(0, many, step):
            some = range(start, min(start + step, many))
            block = np.zeros((len(some), size, size))
            for table, draw in zip(block, some, strict=True):
                table[cells.true, cells.pred] = self.at_cells[:, draw]
                np.add.at(table, (rows, self.columns[:, :, draw].T), self.at_atoms[:, :, draw].T)
                if self.rest is not None:
                    table += self.rest.table(draw)
                np.fill_diagonal(table, diagonal[draw])
            yield block


def draw_errors(
    cells: ErrorCells,
    missed: Floats,
    mass: float | Floats,
    rng: np.random.Generator,
    base: Floats | None = None,
    *,
    most: int = MOST_ATOMS,
) -> SparseErrors:
    """Draw where the errors of each class go.

    Parameters
    ----------
    cells : ErrorCells
        The counts.
    missed : ndarray, shape (m, K)
        Probability of an error of each class in each draw: share of the class times 1 - recall, whoever drew them.
    mass : float or ndarray of shape (m,)
        Prior mass b of the errors of a class, 0 or more (0 only where every class has errors).
    rng : Generator
    base : ndarray of shape (K,) or (m, K), optional
        How the prior spreads errors over columns, positive; a class takes it without its own column, normalised.
        Uniform if left out.
    most : int
        Atoms of a row at most. Where the mass needs more, what they leave is taken for many small atoms: its column
        sums are drawn with their mean and variance, single cells stand at their mean.

    Returns
    -------
    SparseErrors
        Whose sum over a row is ``missed``.
    """
    many, size = missed.shape
    weight = np.broadcast_to(np.asarray(mass, dtype=float), (many,))
    at_cells = rng.standard_gamma(cells.count[:, None], (len(cells.count), many))
    prior = rng.standard_gamma(weight, (size, many))
    counted = cells.row_sums(at_cells)
    # without counts all errors are the prior's, however small its Gamma came out
    share = np.where(counted > 0, prior / np.where(counted > 0, counted + prior, 1.0), 1.0)
    scale = missed.T / np.where(counted > 0, counted + prior, 1.0)
    at_cells *= scale[cells.true]
    needed = sticks(float(weight.max(initial=0.0)))
    atoms = min(needed, most)
    at_atoms = _stick_weights(atoms + (needed > atoms), size, weight, rng) * (missed.T * share)
    columns = _wrong_columns(atoms, size, many, base, rng)
    if needed == atoms:
        return SparseErrors(cells, at_cells, columns, at_atoms)
    spread = np.broadcast_to(1 / size if base is None else base, (many, size))
    return SparseErrors(cells, at_cells, columns, at_atoms[:-1], Rest.drawn(at_atoms[-1], weight, spread, rng))


def _stick_weights(atoms: int, size: int, mass: Floats, rng: np.random.Generator) -> Floats:
    """Weights of the atoms of each row, shape (atoms, K, m), adding to 1: V_k ~ Beta(1, b) breaks off what is left."""
    left = np.zeros((atoms + 1, size, len(mass)))
    left[0] = 1.0
    kept = rng.random((atoms - 1, size, len(mass)))
    if np.any(mass != 1):
        with np.errstate(divide="ignore"):
            kept **= 1 / mass  # 1 - V = U^(1/b)
    np.cumprod(kept, axis=0, out=left[1:-1])
    return left[:-1] - left[1:]


def _wrong_columns(atoms: int, size: int, many: int, base: Floats | None, rng: np.random.Generator) -> Integers:
    """Columns of the atoms, shape (atoms, K, m): from the base without the row's own column."""
    own = np.arange(size)[:, None]
    if base is None:
        columns = rng.integers(0, size - 1, (atoms, size, many))
        columns += columns >= own
        return columns
    width = np.broadcast_to(base, (many, size)) / np.sum(np.broadcast_to(base, (many, size)), axis=1, keepdims=True)
    ends = np.cumsum(width, axis=1)
    point = rng.random((atoms, size, many)) * (1 - width.T)
    point += np.where(point >= (ends - width).T, width.T, 0.0)  # jump over the own column
    # all draws at once: draw d has the numbers from d to d + 1 for itself
    draw = np.arange(many)
    found = np.searchsorted((ends + draw[:, None]).ravel(), (point + draw).ravel(), side="right").reshape(point.shape)
    found = np.clip(found - draw * size, 0, size - 1)
    # rounding may land on an edge of the own column
    return np.asarray(np.where(found == own, (found + 1) % size, found))
