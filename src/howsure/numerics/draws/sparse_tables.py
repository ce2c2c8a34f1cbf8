"""Draws of tables of many classes: only the cells that are not empty."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.numerics.draws.dense_tables import ErrorCells

# -- Joint probability tables of many classes, drawn without their K x K numbers ---------------------------------------

# The errors of true class i are a Dirichlet over the K - 1 wrong columns with concentrations ``b q_j + c_ij``: a prior
# of mass ``b`` spread like ``q``, and counts ``c`` that are nearly all 0. A Dirichlet is its Gammas over their sum, so
#
#     errors_i  =  (sum_c Gamma(c) at the cells with counts  +  G_i sum_k w_ik at column J_ik) / (sum of both)
#
# with ``G_i ~ Gamma(b)``. Its second part is a Dirichlet(b q) as a Dirichlet process (Sethuraman 1994): sticks ``w_1 =
# V_1, w_2 = V_2 (1 - V_1), ...`` with ``V ~ Beta(1, b)``, columns ``J ~ q``. What is left after S breaks is a
# Dirichlet process again; T last atoms take its place, whose shares of it have the squares ``1 / (1 + b)`` together.
# That makes all means, variances and covariances exact; third moments are off by ``E[left^3] = (b / (b + 3))^S`` of
# those of the prior's part, 1% at most. Cost: cells with counts + 2 (S + T) K numbers a draw.


#: Atoms that a row gets at most, unasked.
MOST_ATOMS = 64

#: Third moment of what is left of a stick, as a share of its beginning.
LEFT = 1e-2

#: Numbers that one block of draws takes: small enough for the caches, and 50 MB with all that is made of them.
#: A single draw of more is a block of its own.
BLOCK = 500_000


def atoms_of(mass: float) -> tuple[int, int]:
    """Atoms of a Dirichlet process of this mass: those that break off, and the last ones."""
    if mass <= 0:
        return 0, 1
    return math.ceil(math.log(LEFT) / math.log(mass / (mass + 3))), 1 + math.ceil(mass)


def numbers_per_draw(cells: int, size: int, atoms: int) -> int:
    """Random numbers that one draw with so many atoms a row takes."""
    return cells + size * (2 * atoms + 4)


@dataclass(frozen=True, eq=False)
class Rest:
    """What many small atoms hold together: spread as their base is, with the noise of its column sums."""

    left: Floats  # (K, m), probability that is left in each row
    base: Floats  # (m, K), how it is spread over the columns; a row takes it without its own column
    column_sums: Floats  # (m, K), drawn column sums
    mass: Floats  # (m,), of the Dirichlet by which a row is spread

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
        return cls(left, base, total * gammas / np.maximum(gammas.sum(axis=1, keepdims=True), 1e-300), mass)

    def weighted(self, scale: Floats) -> Rest:
        """The same with every row times its scale, shape (K, m); column sums keep their distance from their mean."""
        left, shares = self.left * scale, (self.left * scale).T / np.maximum(1 - self.base, 1e-15)
        before = self.left.T / np.maximum(1 - self.base, 1e-15)
        was, now = (self.base * (x.sum(axis=1, keepdims=True) - x) for x in (before, shares))
        sums = now * np.divide(self.column_sums, was, out=np.ones(was.shape), where=was > 0)
        total = left.sum(axis=0)[:, None]
        sums *= total / np.maximum(sums.sum(axis=1, keepdims=True), 1e-300)
        return Rest(left, self.base, sums, self.mass)

    def table(self, draw: int) -> Floats:
        """What is left of one draw, at its mean, shape (K, K)."""
        base = self.base[draw]
        spread = np.outer(self.left[:, draw] / np.maximum(1 - base, 1e-15), base)
        np.fill_diagonal(spread, 0.0)
        return spread


@dataclass(frozen=True, eq=False)
class SparseErrors:
    """Drawn probabilities of the errors: at the cells with counts, and at atoms of the prior."""

    cells: ErrorCells
    at_cells: Floats  # (E, m), probability of each cell from its counts, in each of m draws
    columns: Integers  # (S, K, m), columns of the atoms of each row; they may repeat, and may be cells with counts
    at_atoms: Floats  # (S, K, m), their probabilities
    rest: Rest | None = None  # what is left beyond the atoms, where they are not enough

    @cached_property
    def column_sums(self) -> Floats:
        """Probability to be called each class wrongly, shape (m, K)."""
        size, many = self.at_atoms.shape[1:]
        place = self.columns * many + np.arange(many)
        atoms: Floats = bincount(place.ravel(), weights=self.at_atoms.ravel(), minlength=size * many)
        sums = (self.cells.column_sums(self.at_cells) + atoms.reshape(size, many)).T
        return sums if self.rest is None else sums + self.rest.column_sums

    def weighted(self, scale: Floats) -> SparseErrors:
        """The same errors with every row times its scale, shape (K, m)."""
        rest = None if self.rest is None else self.rest.weighted(scale)
        at_cells = self.at_cells * scale[self.cells.true]
        return SparseErrors(self.cells, at_cells, self.columns, self.at_atoms * scale, rest)

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


@dataclass(frozen=True, eq=False)
class ErrorGammas:
    """Gammas of the errors of each row, not yet over their sum: a Dirichlet once they are."""

    cells: ErrorCells
    at_cells: Floats  # (E, m), Gamma(count) of each cell
    prior: Floats  # (K, m), Gamma(b) of each row, for the prior's part

    @classmethod
    def drawn(cls, cells: ErrorCells, mass: Floats, rng: np.random.Generator) -> ErrorGammas:
        """Draw with the prior mass ``b`` of each draw, shape (m,), or of each row in each draw, shape (K, m)."""
        many = mass.shape[-1]
        if np.all(mass == 1):  # a Gamma(1) is the exponential
            return cls(cells, cells.gammas(many, rng), rng.standard_exponential((cells.size, many)))
        return cls(cells, cells.gammas(many, rng), rng.standard_gamma(mass, (cells.size, many)))

    @cached_property
    def counted(self) -> Floats:
        """Sum over the cells of each row, shape (K, m)."""
        return self.cells.row_sums(self.at_cells)

    def scaled(
        self, scale: Floats, mass: Floats, rng: np.random.Generator, base: Floats | None = None, *, most: int
    ) -> SparseErrors:
        """Rows times their scale (K, m), the prior's part as in `draw_errors`, of masses fit for ``most`` atoms."""
        size, many = scale.shape
        at_cells = self.at_cells
        at_cells *= scale[self.cells.true]
        breaks, last = atoms_of(float(mass.max(initial=0.0)))
        if breaks + last <= most:
            weights, left = _sticks(breaks, size, mass, rng)
            shares = _shares(mass, last)
            at_atoms, rest = np.concatenate((weights, left * (shares if mass.ndim > 1 else shares[:, None]))), None
        else:
            at_atoms, left = _sticks(most, size, mass, rng)
            spread = np.broadcast_to(1.0 if base is None else base, (many, size))
            spread = spread / spread.sum(axis=1, keepdims=True)
            rest = Rest.drawn(left * (self.prior * scale), mass, spread, rng)
        at_atoms *= self.prior * scale
        return SparseErrors(self.cells, at_cells, wrong_columns(len(at_atoms), size, many, base, rng), at_atoms, rest)


def draw_errors(
    cells: ErrorCells,
    missed: Floats,
    mass: float | Floats,
    rng: np.random.Generator,
    base: Floats | None = None,
    *,
    most: int = MOST_ATOMS,
) -> SparseErrors:
    """Draw where the errors of each class go, so that they sum over a row to ``missed`` (m, K).

    The prior ``mass`` of the errors of a class, a number or (m,), is 0 only where every class has errors; ``base``,
    (K,) or (m, K), uniform if left out, is how it spreads over columns other than the class's own. Where it needs more
    than ``most`` atoms, what they leave is taken for many small ones: column sums are drawn, single cells stand at
    their mean.
    """
    weight = np.broadcast_to(np.asarray(mass, dtype=float), missed.shape[:1])
    gammas = ErrorGammas.drawn(cells, weight, rng)
    total = gammas.counted + gammas.prior
    # without counts all errors are the prior's, however small its Gamma came out
    only = np.all(gammas.counted == 0, axis=1)
    gammas.prior[only], total[only] = 1.0, 1.0
    return gammas.scaled(missed.T / total, weight, rng, base, most=most)


def _sticks(breaks: int, size: int, mass: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Parts that break off a stick of each row, shape (breaks, K, m), and what is left, (K, m): V_k ~ Beta(1, b)."""
    weights = rng.random((breaks, size, mass.shape[-1]))
    if np.any(mass != 1):
        with np.errstate(divide="ignore"):
            weights **= 1 / mass  # 1 - V = U^(1/b)
    left = np.ones((size, mass.shape[-1]))
    for weight in weights:
        after = left * weight
        np.subtract(left, after, out=weight)
        left = after
    return weights, left


def _shares(mass: Floats, last: int) -> Floats:
    """Shares of the last atoms, (T, m) or (T, K, m): all alike but one; squares add to 1 / (1 + b); T >= 1 + b."""
    if last == 1:
        return np.ones((1, *mass.shape))
    alike = (1 - np.sqrt((last / (1 + mass) - 1) / (last - 1))) / last
    return np.concatenate((np.broadcast_to(alike, (last - 1, *mass.shape)), [1 - (last - 1) * alike]))


def wrong_columns(atoms: int, size: int, many: int, base: Floats | None, rng: np.random.Generator) -> Integers:
    """Columns of the atoms, shape (atoms, K, m): from the base without the row's own column."""
    own = np.arange(size)[:, None]
    if base is None:
        columns = rng.integers(0, size - 1, (atoms, size, many))
        columns += columns >= own
        return columns
    shares = np.broadcast_to(base, (many, size)).T
    width = shares / shares.sum(axis=0)
    ends = np.cumsum(width, axis=0)
    point = rng.random((atoms, size, many)) * (1 - width)
    point += np.where(point >= ends - width, width, 0.0)  # jump over the own column
    found = _first_beyond(ends, point)
    # rounding may land on an edge of the own column
    return np.asarray(np.where(found == own, (found + 1) % size, found))


def _first_beyond(ends: Floats, point: Floats) -> Integers:
    """Place of the first of the ends (K, m) beyond a point (..., K, m), by a guide table (Chen and Asau 1974)."""
    size, many = ends.shape
    draw = np.arange(many)
    # an end within a cell is counted from the next one on
    cell = np.minimum((ends * size).astype(np.int64), size - 1) + 1
    before = bincount((cell * many + draw).ravel(), minlength=(size + 1) * many).reshape(size + 1, many).cumsum(axis=0)
    start = np.minimum((point * size).astype(np.int64), size - 1)
    place = np.minimum(before.ravel()[start * many + draw], size - 1) * many + draw
    ends, last = ends.ravel(), (size - 1) * many
    flat, points = place.ravel(), point.ravel()
    behind = np.flatnonzero(ends[flat] <= points)
    while len(behind):
        flat[behind] += many
        behind = behind[flat[behind] < last]
        behind = behind[ends[flat[behind]] <= points[behind]]
    return np.asarray(flat.reshape(point.shape) // many)


# -- Sums over the cells of tables that were drawn by their non-empty ones ---------------------------------------------

# Atoms of the prior may lie on cells with cases, or on each other: for sums of anything but multiples of x they are
# put together first. What is left beyond the atoms, ``left_i q_j / (1 - q_i)`` in every cell on average, has expected
# sums in closed form; a cell that holds more than that is corrected.


#: Numbers below this are 0 to a logarithm.
LEAST = 1e-300


@dataclass(frozen=True, eq=False)
class SparseSums:
    """Sums over the wrong cells of m drawn tables; the diagonal is not theirs."""

    errors: SparseErrors

    def costs(self, table: Floats) -> Floats:
        """Sum of cell times cost over each row, shape (K, m)."""
        cells, errors = self.errors.cells, self.errors
        found = cells.weighted_row_sums(table[cells.true, cells.pred], errors.at_cells)
        for columns, values in zip(self._flat, errors.at_atoms, strict=True):
            found += table.ravel()[columns] * values
        if errors.rest is not None:
            base = errors.rest.base
            found += self._level * (base @ table.T - base * table.diagonal()).T
        return found

    def log_sum(self) -> Floats:
        """Sum of x log x, shape (m,)."""
        at_cells, at_atoms = self._put_together
        if self.errors.rest is None:
            return np.asarray(_log_terms(at_cells).sum(0) + _log_terms(at_atoms).sum(1).sum(0))
        base, level = self.errors.rest.base.T, self._level
        logs = _log_terms(base)
        # sum over j of (l q_j) log(l q_j) without the row's own column
        all_cells = (_log_terms(level) * (1 - base) + level * (logs.sum(0) - logs)).sum(0)
        below_cells, below_atoms = self._below
        more = [_log_terms(x + y) - _log_terms(y) for x, y in ((at_cells, below_cells), (at_atoms, below_atoms))]
        excess = self._excess
        both = zip(more, (at_cells, at_atoms), (below_cells, below_atoms), self._there(excess), strict=True)
        for part, x, below, over in both:  # var(y)/(2y) of a cell becomes var(y)/(2(x + y)) beside x
            part -= below * over * x / np.maximum(x + below, LEAST)
        more[1][at_atoms == 0] = 0.0  # put together with another one
        all_cells += (level * ((base * excess).sum(0) - base * excess)).sum(0)
        return np.asarray(all_cells + more[0].sum(0) + more[1].sum(1).sum(0))

    def squares(self, rows: Floats, columns: Floats) -> Floats:
        """Sum of x^2 / (row sum times column sum), shape (m,), from the inverses of those, shape (K, m) each."""
        at_cells, at_atoms = self._put_together
        cells, draw = self.errors.cells, np.arange(rows.shape[1])
        row_of_atoms, column_of_atoms = rows[None], columns[self.errors.columns, draw]
        if self.errors.rest is None:
            found = (at_cells**2 * columns[cells.pred] * rows[cells.true]).sum(0)
            return np.asarray(found + ((at_atoms**2 * column_of_atoms).sum(0) * rows).sum(0))
        base, level = self.errors.rest.base.T, self._level
        each = base**2 * columns
        all_cells = (level**2 * rows * (each.sum(0) - each)).sum(0)
        # a share p = q_j / (1 - q_i) has the variance p (1 - p)/(b + 1), also where a cell has counts besides
        each = base * (1 - self._share) / (self.errors.rest.mass + 1) * columns
        all_cells += (level**2 * (1 - base) * rows * (each.sum(0) - each)).sum(0)
        below_cells, below_atoms = self._below
        more = (at_cells * (at_cells + 2 * below_cells) * columns[cells.pred] * rows[cells.true]).sum(0)
        more += (at_atoms * (at_atoms + 2 * below_atoms) * column_of_atoms * row_of_atoms).sum(1).sum(0)
        return np.asarray(all_cells + more)

    @cached_property
    def _flat(self) -> Integers:
        """Place of each atom in its table, shape (S, K, m)."""
        size = self.errors.cells.size
        return self.errors.columns + size * np.arange(size)[:, None]

    @cached_property
    def _put_together(self) -> tuple[Floats, Floats]:
        """Cells (E, m) and atoms (S, K, m), each place once; atoms that joined another are 0."""
        at_cells, at_atoms = self.errors.at_cells.copy(), self.errors.at_atoms.copy()
        columns, many = self.errors.columns, at_cells.shape[1]
        flat = at_atoms.reshape(len(at_atoms), self.errors.cells.size * many)
        for s, values in enumerate(flat):
            for t in range(s):  # onto an earlier atom of the row
                same = np.flatnonzero(columns[t] == columns[s])
                flat[t][same] += values[same]
                values[same] = 0.0
        for places, values in zip(self._flat, flat, strict=True):
            cell = self.errors.cells.find(places.ravel())
            there = np.flatnonzero(cell >= 0)
            # no place twice: a cell is of one row
            at_cells.reshape(-1)[cell[there] * many + there % many] += values[there]
            values[there] = 0.0
        return at_cells, at_atoms

    @cached_property
    def _level(self) -> Floats:
        """What is left of each row over the base of all columns but its own, shape (K, m)."""
        rest = self.errors.rest
        assert rest is not None
        return np.asarray(rest.left / np.maximum(1 - rest.base.T, 1e-15))

    @cached_property
    def _excess(self) -> Floats:
        """By how much ``E[x log x]`` of a cell is above that of its mean, over the mean, shape (K, m).

        A share is Beta(b p, b (1 - p)), ``p = q_j / (1 - q_i)``: ``E[x log x] = p (psi(b p + 1) - psi(b + 1))``; here
        the own column of a row is taken for an average one.
        """
        rest = self.errors.rest
        assert rest is not None
        digammas = special.digamma(rest.mass * self._share + 1) - special.digamma(rest.mass + 1)
        return np.asarray(digammas - np.log(np.maximum(self._share, LEAST)))

    @cached_property
    def _share(self) -> Floats:
        """Share of each column of what is left of an average row, shape (K, m)."""
        rest = self.errors.rest
        assert rest is not None
        return np.asarray(np.minimum(rest.base / (1 - (rest.base**2).sum(axis=1, keepdims=True)), 1.0).T)

    def _there(self, of_columns: Floats) -> tuple[Floats, Floats]:
        return of_columns[self.errors.cells.pred], of_columns[self.errors.columns, np.arange(of_columns.shape[1])]

    @cached_property
    def _below(self) -> tuple[Floats, Floats]:
        """What is left beyond the atoms, at the cells and at the atoms."""
        rest, cells = self.errors.rest, self.errors.cells
        assert rest is not None
        at_cells, at_atoms = self._there(rest.base.T)
        return at_cells * self._level[cells.true], at_atoms * self._level


def _log_terms(x: Floats) -> Floats:
    return np.asarray(x * np.log(np.maximum(x, LEAST)))
