"""What a table of counts is known by: rows of true classes, and joint tables as they were drawn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, TypeAlias
from zlib import crc32

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation
from howsure.frozen import Frozen
from howsure.laws import Beta, GroupMeans, Law, LearnedSum, Linear
from howsure.metrics import Measure
from howsure.metrics.margins import CostTable, Margins, log_terms
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.sparse_tables import SparseErrors, SparseSums
from howsure.numerics.populations.error_shares import DirichletShares, LearnedShares
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
        """Diagonal and margins."""
        return Margins.around(self.tables)

    def whole(self) -> Iterator[Floats]:
        """All at once."""
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
        """Diagonal and margins; no table is made for them."""
        return Margins(self.hits, self.actual, self.hits + self.errors.column_sums, SparseCells(self.hits, self.errors))

    def whole(self) -> Iterator[Floats]:
        """Some tables at a time. Raises `InvalidArgument` where even one does not fit."""
        require_cells(self.hits.shape[1])
        yield from self.errors.tables(self.hits)

    def at(self, shares: Floats) -> SparseTables:
        """The same rows at other shares of the classes."""
        scale = weights(shares, self.actual)
        actual = np.broadcast_to(shares, self.actual.shape)
        return SparseTables(self.hits * scale, actual, self.errors.weighted(scale.T))

    def new_test(self, cases: int | Sequence[int], rng: np.random.Generator) -> SparseTables:
        """Counts of new cases from each table."""
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


def defined(values: Floats, measure: Measure) -> Floats:
    """The same draws of a measure. Raises `NoInformation` where they make no law."""
    if np.count_nonzero(np.isfinite(values)) < 2:
        if np.isinf(values).any():
            raise NoInformation(f"{measure.name} is infinite in every draw, so it has no interval")
        raise NoInformation(f"{measure.name} is undefined (0/0) in every draw: too few counts and prior")
    return values


# -- Rows of true classes; what none of them closes is drawn -----------------------------------------------------------


class Rows(Frozen):
    """What counts say about true classes; a kind of rows says what it knows in closed form, and draws the rest.

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    prior : Prior
        The prior, at this number of classes.
    """

    #: What rows at other shares have in common with these, computed before they part: rows have identity.
    _same: ClassVar[str]

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        self._confusion, self._prior = confusion, prior
        self._elsewhere: Floats | None = None

    @property
    def size(self) -> int:
        """Number of classes."""
        return len(self._confusion.labels)

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
