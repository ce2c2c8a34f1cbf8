"""What a table of counts is known by: rows of true classes, alone or learned, and tables as they were drawn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.frozen import Frozen
from howsure.laws import Beta, BinaryLaw, DirichletRows, Extreme, GroupMeans, Law, LearnedSum, Linear, Part
from howsure.metrics import Measure
from howsure.metrics.margins import CostTable, Margins, log_terms
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.dense_tables import ErrorCells, joint_tables
from howsure.numerics.draws.sparse_tables import (
    BLOCK,
    MOST_ATOMS,
    ErrorGammas,
    SparseErrors,
    SparseSums,
    atoms_of,
    draw_errors,
    numbers_per_draw,
)
from howsure.numerics.populations.error_shares import (
    DirichletShares,
    LearnedErrors,
    LearnedShares,
    OrderedErrors,
    learned_tables,
)
from howsure.numerics.populations.population import Population
from howsure.numerics.trials.simulated_tests import new_sparse_counts, new_whole_counts
from howsure.posterior.priors import Prior

# -- Joint tables as they were drawn: whole, or by their non-empty cells -----------------------------------------------


#: Cells of the largest table that a formula of all cells may ask for.
MOST_CELLS = 10**8


@dataclass(frozen=True, eq=False)
class WholeTables:
    """Tables that were drawn whole, shape (m, K, K)."""

    tables: Floats

    @cached_property
    def margins(self) -> Margins:
        return Margins.around(self.tables)

    def whole(self) -> Iterator[Floats]:
        yield self.tables

    def at(self, shares: Floats) -> WholeTables:
        """The same rows at other shares of the classes."""
        return WholeTables(self.tables * weights(shares, self.margins.actual)[..., None])

    def new_test(self, cases: int | Sequence[int], rng: np.random.Generator) -> WholeTables:
        """Counts of new cases from each table."""
        return WholeTables(new_whole_counts(self.tables, cases, rng))


@dataclass(frozen=True, eq=False)
class SparseTables:
    """Tables of many classes: diagonal and row sums, shape (m, K), and errors by cell."""

    hits: Floats
    actual: Floats
    errors: SparseErrors

    @cached_property
    def margins(self) -> Margins:
        return Margins(self.hits, self.actual, self.hits + self.errors.column_sums, SparseCells(self.hits, self.errors))

    def whole(self) -> Iterator[Floats]:
        require_cells(self.hits.shape[1])
        yield from self.errors.tables(self.hits)

    def at(self, shares: Floats) -> SparseTables:
        scale = weights(shares, self.actual)
        actual = np.broadcast_to(shares, self.actual.shape)
        return SparseTables(self.hits * scale, actual, self.errors.weighted(scale.T))

    def new_test(self, cases: int | Sequence[int], rng: np.random.Generator) -> SparseTables:
        return SparseTables(*new_sparse_counts(self.hits, self.actual, self.errors, cases, rng))


@dataclass(frozen=True, eq=False)
class SparseCells:
    """Sums over the cells of such tables, made of those that are not empty.

    Not a part of `SparseTables`, so that margins and tables do not hold each other.
    """

    hits: Floats
    errors: SparseErrors

    def costs(self, table: CostTable) -> Floats:
        """Sum of cell times cost over each row, shape (m, K)."""
        size = self.hits.shape[1]
        require_cells(size)
        costs = table(size)
        return np.asarray(self._wrong.costs(costs).T + self.hits * costs.diagonal())

    def log_sum(self) -> Floats:
        """Sum of x log x over the cells, shape (m,)."""
        return np.asarray(self._wrong.log_sum() + log_terms(self.hits).sum(-1))

    def squares(self, actual: Floats, called: Floats) -> Floats:
        """Sum of x^2 / (row sum times column sum) over the cells, shape (m,); empty ones count 0."""
        rows, columns = (np.divide(1, x, out=np.zeros_like(x), where=x > 0) for x in (actual, called))
        return np.asarray(self._wrong.squares(rows.T, columns.T) + (self.hits**2 * rows * columns).sum(-1))

    @cached_property
    def _wrong(self) -> SparseSums:
        return SparseSums(self.errors)


#: A block of m drawn tables: their margins, shape (m, K) each, answer for the cells in most formulas.
Drawn: TypeAlias = WholeTables | SparseTables


def weights(shares: Floats, actual: Floats) -> Floats:
    """By what rows with these sums, shape (m, K), are multiplied to have others."""
    return np.divide(shares, actual, out=np.zeros(actual.shape), where=actual > 0)


def require_cells(size: int) -> None:
    """Refuse tables of which not one fits."""
    if size**2 > MOST_CELLS:
        raise InvalidArgument(
            f"this needs all {size**2:.2g} cells of each simulated table, which do not fit; "
            "only metrics of the diagonal and the margins can be simulated for so many classes"
        )


def measured(
    measures: Sequence[Measure], blocks: Iterable[Drawn], draws: int, shares: Floats | None = None
) -> list[Floats]:
    """Values of several measures in the same ``draws`` tables, shape (draws,) each, in one pass over the blocks.

    With ``shares``, shape (K,), means over tested classes are taken of the same rows at these shares.
    """
    found = [np.empty(draws) for _ in measures]
    start = 0
    for block in blocks:
        stop = start + len(block.margins.hits)
        held = block if shares is None or not any(m.held for m in measures) else block.at(shares)
        for measure, values in zip(measures, found, strict=True):
            given = held if measure.held else block
            if measure.metric.by_sums:
                values[start:stop] = measure(given.margins)
            else:
                values[start:stop] = np.concatenate([measure(tables) for tables in given.whole()])
        start = stop
    return found


# -- Rows of true classes; what none of them closes is drawn -----------------------------------------------------------


class Rows(Frozen):
    """What counts say about true classes; a kind of rows says what it knows in closed form, and draws the rest."""

    _attributes: tuple[str, ...] = ("size",)
    #: What rows at other shares have in common with these, computed before they part: rows have identity.
    _same: ClassVar[str]

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        self._confusion, self._prior, self.size = confusion, prior, len(confusion.labels)
        self._elsewhere: Floats | None = None

    @property
    def elsewhere(self) -> Floats | None:
        """Dirichlet parameters of a prevalence that was counted in other cases than these, shape (K,), or None."""
        return self._elsewhere

    def at_cases(self, shares: Floats) -> Rows:
        """The same rows under a prevalence that is Dirichlet(shares), independent of them."""
        getattr(self, self._same)
        made = copy(self)
        for name in ("shares", "_alphas_of_shares", "ordered"):
            made.__dict__.pop(name, None)
        made._elsewhere = shares
        return made

    def moved(self, cases: Floats | None) -> Rows:
        """The same rows where the classes come in other shares: stated ones, or learned from so many cases."""
        return self if cases is None else self.at_cases(cases)

    @property
    @abstractmethod
    def shares(self) -> DirichletShares | LearnedShares:
        """What is known of the prevalence."""

    @property
    def share_means(self) -> Floats:
        """Mean share of each class, shape (K,)."""
        return self.shares.means

    @property
    @abstractmethod
    def means(self) -> Floats:
        """Expected share of each call among the cases of each class, shape (K, K)."""

    @property
    @abstractmethod
    def recall_means(self) -> Floats:
        """Mean of every recall, shape (K,); NaN where there is no information."""

    @property
    def recall_sds(self) -> Floats:
        """Standard deviation of every recall, shape (K,); NaN where none is closed."""
        return np.full(self.size, np.nan)

    @property
    @abstractmethod
    def numbers_per_draw(self) -> int:
        """Random numbers that one joint table takes."""

    @abstractmethod
    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Drawn]:
        """Blocks of joint tables, together ``n``; at a ``known`` prevalence, or with its uncertainty.

        The same seed gives the same tables, whatever is read from them.
        """

    def of_recalls(
        self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | LearnedSum | GroupMeans | None:
        """Law of ``shift + sum w_i recall_i`` over the classes (all, or those named); None where it is drawn."""
        return None

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear | None:
        """Law of ``shift + sum c_ij p_ij`` over the class rows (all, or those named); None where it is drawn."""
        return None

    def extreme_of_recalls(self, known: Floats | None, *, largest: bool, wrong: bool) -> Law | None:
        """Law of the smallest or largest recall, or of its complement, of the classes that come; None where drawn."""
        return None

    def two_class(self, name: str, positive: int, known: Floats | None, **parameters: float) -> Law | None:
        """Law of a metric of two classes, of a prevalence that is uncertain or known; None where it is drawn."""
        return None

    @property
    def coin(self) -> Linear | GroupMeans | None:
        """Law of the accuracy as one coin per case, Beta(right + a, wrong + b)."""
        right = self._confusion.correct.sum().item()
        a, b = self._prior.coin
        return Beta(a + right, b + self._confusion.n - right)

    def _generators(self, seed: Sequence[int]) -> tuple[np.random.Generator, np.random.Generator]:
        """Random numbers of rows and of a prevalence: equal cases elsewhere are one survey, others independent."""
        survey = () if self._elsewhere is None else (crc32(self._elsewhere.tobytes()),)
        return np.random.default_rng([*seed, 0]), np.random.default_rng([*seed, 1, *survey])


# -- Each class on its own, and all learned from each other; tables that were drawn last -------------------------------

#: Below this many pseudo-counts a law of two classes is nearly all at its ends, and is drawn.
LEAST_ROUGH = 0.05

#: From this many classes on, drawing the non-empty cells is several times quicker than drawing all (measured).
FEWEST_SPARSE = 15


class ClassRows(Rows):
    """Rows of a posterior: class i is Dirichlet(counts_i + pseudo-counts_i), the prevalence Dirichlet(n_i + m/K).

    Raises
    ------
    NoInformation
        By every use of a class, or of a prevalence, that stays improper.
    """

    _same = "_block"

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        super().__init__(confusion, prior)
        right, wrong = prior.recalls(self.size)
        #: Beta parameters of every recall, shape (K,) each
        self._right = confusion.correct + right
        self._wrong = (confusion.class_sizes - confusion.correct) + wrong

    def recall(self, index: int) -> tuple[float, float]:
        """Beta parameters of the recall of one class."""
        self.require([index])
        return float(self._right[index]), float(self._wrong[index])

    @property
    def recall_means(self) -> Floats:
        with np.errstate(invalid="ignore"):
            return np.asarray(self._right / (self._right + self._wrong))

    @property
    def recall_sds(self) -> Floats:
        self.require()
        mass, mean = self._right + self._wrong, self.recall_means
        return np.asarray(np.sqrt(mean * (self._wrong / mass) / (mass + 1)))

    @property
    def means(self) -> Floats:
        self.require()
        alphas = self._alphas()
        return np.asarray(alphas / alphas.sum(axis=1, keepdims=True))

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear:
        index = np.arange(self.size) if rows is None else np.asarray(rows)
        self.require(index[np.ptp(coefficients, axis=1) > 0])
        return Linear.of_parts([Part(self._block, index, coefficients)], shift)

    def of_recalls(self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear:
        index = np.arange(self.size) if rows is None else np.asarray(rows)
        self.require(index[weights != 0])
        table = np.stack([weights, np.zeros(len(index))], axis=1)
        return Linear.of_parts([Part(self._block, index, table, lumped=True)], shift)

    def extreme_of_recalls(self, known: Floats | None, *, largest: bool, wrong: bool) -> Law:
        here = np.arange(self.size) if known is None else np.flatnonzero(known)
        self.require(here)
        right, missed = self._right[here], self._wrong[here]
        return Extreme(*((missed, right) if wrong else (right, missed)), largest=largest)

    def two_class(self, name: str, positive: int, known: Floats | None, **parameters: float) -> Law | None:
        if self.size != 2 or not 0 <= positive < 2:
            return None
        sensitivity, specificity = self.recall(positive), self.recall(1 - positive)
        share: tuple[float, float] | float
        if known is None:
            share = float(self._alphas_of_shares[positive]), float(self._alphas_of_shares[1 - positive])
        elif 0 < known[positive] < 1:
            share = float(known[positive])
        else:
            return None
        if min(*sensitivity, *specificity, *(share if isinstance(share, tuple) else ())) < LEAST_ROUGH:
            return None
        if not BinaryLaw.closes(name, share, sensitivity, specificity, **parameters):
            return None
        return BinaryLaw(name, share, sensitivity, specificity, **parameters)

    @cached_property
    def coin(self) -> Linear:
        right, (a, b) = self._confusion.correct.sum().item(), self._prior.coin
        if right + a <= 0 or self._confusion.n - right + b <= 0:
            raise NoInformation(self._silence("the whole table", tested=self._confusion.n > 0))
        return Beta(a + right, b + self._confusion.n - right)

    @property
    def shares(self) -> DirichletShares:
        return DirichletShares(self._alphas_of_shares)

    @cached_property
    def _alphas_of_shares(self) -> Floats:
        """Dirichlet parameters of the prevalence, shape (K,)."""
        if self._elsewhere is not None:
            return self._elsewhere
        alphas = self._confusion.class_sizes + self._prior.shares(self.size)
        if not np.all(alphas > 0):
            empty = [x for x, alpha in zip(self._confusion.labels, alphas, strict=True) if alpha <= 0]
            raise NoInformation(self._silence(listing(map(excerpt, empty)), tested=False))
        return np.asarray(alphas)

    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Drawn]:
        self.require()
        rng, rng_shares = self._generators(seed)
        shares = self._alphas_of_shares if known is None else None
        if not self.sparse:
            if self.size**2 > MOST_CELLS:
                raise InvalidArgument(
                    f"prior {self._prior.name!r} adds cases to {self.size**2:.2g} cells, which do not fit; use 'flat'"
                )
            for tables in joint_tables(self._block.alphas, shares, known, n, rng, rng_shares):
                yield WholeTables(tables)
            return
        yield from self._sparse_tables(n, known, rng, rng_shares)

    def _sparse_tables(
        self, n: int, known: Floats | None, rng: np.random.Generator, rng_shares: np.random.Generator
    ) -> Iterator[Drawn]:
        step = max(1, BLOCK // self.numbers_per_draw)
        prior = self._prior.recalls(self.size)[1]
        alike = np.all(prior == prior[0])
        for start in range(0, n, step):
            shape = self.size, min(step, n - start)
            if known is None:
                actual = rng_shares.standard_gamma(self._alphas_of_shares[:, None], shape)
                actual /= actual.sum(axis=0)
            else:
                actual = np.broadcast_to(known[:, None], shape)
            mass = np.full(shape[1], self._prior.b) if alike else np.broadcast_to(prior[:, None], shape)
            # the Gammas of a row over their sum: its recall, and its errors
            right, wrong = rng.standard_gamma(self._right[:, None], shape), ErrorGammas.drawn(self._errors, mass, rng)
            with np.errstate(invalid="ignore"):  # concentrations near 0 can all underflow: undefined
                scale = actual / (right + wrong.counted + wrong.prior)
                errors = wrong.scaled(scale, mass, rng, most=MOST_ATOMS)
            yield SparseTables((right * scale).T, actual.T, errors)

    @property
    def sparse(self) -> bool:
        """Whether tables are drawn by their non-empty cells: many classes, and a prior that is not in every cell."""
        even = self._prior.told is None
        return even and self.size >= FEWEST_SPARSE and 2 * sum(atoms_of(self._prior.b)) < self.size

    @property
    def numbers_per_draw(self) -> int:
        if not self.sparse:
            return self.size**2
        return numbers_per_draw(len(self._errors.count), self.size, sum(atoms_of(self._prior.b)))

    @cached_property
    def _errors(self) -> ErrorCells:
        return ErrorCells(self.size, *self._confusion.cells)

    def require(self, classes: Sequence[int] | NDArray[np.int64] | None = None) -> None:
        """Refuse classes whose recall is improper; all of them by default."""
        index = np.arange(self.size) if classes is None else np.asarray(classes, dtype=np.int64)
        silent = index[(self._right[index] <= 0) | (self._wrong[index] <= 0)]
        if len(silent):
            first = int(silent[0])
            tested = bool(self._right[first] + self._wrong[first] > 0)
            raise NoInformation(self._silence(f"class {excerpt(self._confusion.labels[first])}", tested=tested))

    @cached_property
    def _block(self) -> DirichletRows:
        # a class without information gets a stand-in row; `require` has refused every use of it
        empty = self._right + self._wrong <= 0
        right, rest = np.where(empty, 1.0, self._right), np.where(empty, self.size - 1.0, self._wrong)
        return DirichletRows.of_pairs(right, rest, self._alphas)

    def _alphas(self) -> Floats:
        """Concentrations of every cell, shape (K, K)."""
        alphas = self._confusion.counts + self._prior.row(self.size)
        return np.where(alphas.sum(axis=1, keepdims=True) <= 0, 1.0, alphas)

    def _silence(self, what: str, *, tested: bool) -> str:
        seen = f"all cases of {what} are right, or all are wrong," if tested else f"no case of {what} was tested"
        return (
            f"no information on the other side: {seen} and prior {self._prior.name!r} adds no case, "
            "so there is no posterior. Use prior 'flat' or 'jeffreys', or test more cases."
        )


#: From this many classes on, the non-empty cells are drawn instead of all: half the time (measured), and metrics of
#: single cells, whose noise beyond the atoms is averaged, agree with whole tables to a twentieth of their sd.
FEWEST_SPARSE_LEARNED = 20

#: Atoms of a row; what a large learned mass leaves beyond them is drawn by its column sums. Where the mass is above 12
#: almost surely, most is left beyond six as well, and no atom at all takes half of the time.
ATOMS, FEW_ATOMS, LARGE_MASS = 6, 0, 12.0
#: What the populations of a class cost a draw: its recall, its share and its base, in atoms.
PER_CLASS = 4

#: Up to this many classes an ordinal metric is answered with a profile of errors over the distance of ranks.
MOST_ORDERED = 100


class LearnedRows(Rows):
    """Rows of a posterior whose recalls share a learned Beta, and whose errors share learned columns.

    Every question has an answer, whatever the counts. Accuracy stays one coin per case; the prevalence is
    Dirichlet(n_i + A/K), and A is learned.

    """

    _same = "recalls"

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        super().__init__(confusion, prior)
        # what a law finds out about itself is worth keeping, also at another prevalence
        self._sums: dict[tuple[bytes, float], LearnedSum] = {}

    @cached_property
    def ordered(self) -> LearnedRows:
        if self.size > MOST_ORDERED:
            return self
        made = _OrderedRows(self._confusion, self._prior)
        made.__dict__["recalls"] = self.recalls
        made._sums, made._elsewhere = self._sums, self._elsewhere
        return made

    @cached_property
    def recalls(self) -> Population:
        """Joint posterior of all recalls."""
        return Population(self._confusion.correct, self._confusion.class_sizes)

    @property
    def recall_means(self) -> Floats:
        return self.recalls.moments[0]

    @property
    def recall_sds(self) -> Floats:
        return self.recalls.moments[1]

    @property
    def means(self) -> Floats:
        wrong: Floats = (1 - self.recall_means)[:, None] * self._where.means
        return wrong + np.diag(self.recall_means)

    @cached_property
    def errors(self) -> LearnedErrors:
        return LearnedErrors(self.size, self._wrong.true, self._wrong.pred, self._wrong.count)

    @property
    def _where(self) -> LearnedErrors | OrderedErrors:
        return self.errors

    @cached_property
    def _wrong(self) -> ErrorCells:
        return ErrorCells(self.size, *self._confusion.cells)

    def of_recalls(
        self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None
    ) -> Linear | LearnedSum:
        every = np.zeros(self.size)
        every[slice(None) if rows is None else np.asarray(rows)] = weights
        if not every.any():
            return Linear(shift=shift)
        key = (every.tobytes(), shift)
        if key not in self._sums:
            self._sums[key] = LearnedSum([(self.recalls, every)], Linear(shift=shift))
        return self._sums[key]

    @cached_property
    def shares(self) -> DirichletShares | LearnedShares:
        if self._elsewhere is not None:
            return DirichletShares(self._elsewhere)
        return LearnedShares(self._confusion.class_sizes)

    @property
    def _whole(self) -> bool:
        return self.size < FEWEST_SPARSE_LEARNED

    @property
    def numbers_per_draw(self) -> int:
        if self._whole:
            return self.size**2
        return numbers_per_draw(len(self._wrong.count), self.size, self._atoms + PER_CLASS)

    @cached_property
    def _atoms(self) -> int:
        small = self.errors.rough_weight[self.errors.log_mass < np.log(LARGE_MASS)].sum()
        return ATOMS if small > 0.01 else FEW_ATOMS

    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Drawn]:
        rng, rng_shares = self._generators(seed)
        shares = self.shares if known is None else None
        if self._whole:
            wrong = self._confusion.counts * (1.0 - np.eye(self.size))
            for tables in learned_tables(self.recalls, self._where, wrong, shares, known, n, rng, rng_shares):
                yield WholeTables(tables)
            return
        step = max(1, BLOCK // self.numbers_per_draw)
        for start in range(0, n, step):
            shape = min(step, n - start), self.size
            drawn = None if shares is None else shares.draw(shape[0], rng_shares)
            actual = np.broadcast_to(np.asarray(known), shape) if drawn is None else drawn
            recalls = self.recalls.draw(shape[0], rng)
            mass, base = self.errors.draw(shape[0], rng)
            errors = draw_errors(self._wrong, actual * (1 - recalls), mass, rng, base, most=self._atoms)
            yield SparseTables(actual * recalls, actual, errors)


class _OrderedRows(LearnedRows):
    @cached_property
    def _where(self) -> OrderedErrors:
        return OrderedErrors(self._confusion.counts * (1.0 - np.eye(self.size)))

    @property
    def _whole(self) -> bool:
        return True


#: Numbers of the tables of one posterior that are kept: 20 MB, as ten classes have, and what is made of their margins.
KEPT = 2_500_000
#: Of so many: a report draws from the prior that expects chance between its own tables and the predictive values.
POSTERIORS = 2


def tables_of(rows: Rows, prevalence: Floats | None, n: int, seed: tuple[int, int]) -> Iterator[Drawn]:
    """Blocks of ``n`` joint tables of these rows, drawn now or, where few numbers, as they were drawn last."""
    if n * rows.numbers_per_draw > KEPT:
        return rows.tables(n, prevalence, seed)
    return iter(_last(rows, None if prevalence is None else tuple(prevalence.tolist()), n, seed))


@lru_cache(POSTERIORS)
def _last(rows: Rows, prevalence: tuple[float, ...] | None, n: int, seed: tuple[int, int]) -> tuple[Drawn, ...]:
    blocks = tuple(rows.tables(n, None if prevalence is None else np.array(prevalence), seed))
    for block in blocks:
        if isinstance(block, WholeTables):
            block.tables.flags.writeable = False  # who comes next finds them as they are
    return blocks
