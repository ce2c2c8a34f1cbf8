"""What each true class has shown: rows alone, or learned from each other; tables that were drawn last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.laws import Beta, BinaryLaw, DirichletRows, Extreme, Law, LearnedSum, Linear, Part
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.dense_tables import ErrorCells, joint_tables
from howsure.numerics.draws.sparse_tables import BLOCK, MOST_ATOMS, ErrorGammas, atoms_of, draw_errors, numbers_per_draw
from howsure.numerics.populations.error_shares import (
    DirichletShares,
    LearnedErrors,
    LearnedShares,
    OrderedErrors,
    learned_tables,
)
from howsure.numerics.populations.population import Population
from howsure.posterior.grouped_rows import GroupedRows, new_groups
from howsure.posterior.priors import LearnedPrior, Prior
from howsure.posterior.rows import MOST_CELLS, Drawn, Rows, SparseTables, WholeTables

#: Below this many pseudo-counts a law of two classes is nearly all at its ends, and is drawn.
LEAST_ROUGH = 0.05

#: From this many classes on, drawing the non-empty cells is several times quicker than drawing all (measured).
FEWEST_SPARSE = 15


class ClassRows(Rows):
    """Rows of a posterior: class i is Dirichlet(counts_i + pseudo-counts_i), the prevalence Dirichlet(n_i + m/K).

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    prior : Prior
        The pseudo-counts, at this number of classes.

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
        """Mean of every recall, shape (K,); NaN where there is no information."""
        with np.errstate(invalid="ignore"):
            return np.asarray(self._right / (self._right + self._wrong))

    @property
    def recall_sds(self) -> Floats:
        """Standard deviation of every recall, shape (K,); refuses classes without information."""
        self.require()
        mass, mean = self._right + self._wrong, self.recall_means
        return np.asarray(np.sqrt(mean * (self._wrong / mass) / (mass + 1)))

    @property
    def means(self) -> Floats:
        """Expected share of each call among the cases of each class, shape (K, K)."""
        self.require()
        alphas = self._alphas()
        return np.asarray(alphas / alphas.sum(axis=1, keepdims=True))

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear:
        """Law of ``shift + sum c_ij p_ij`` over the class rows (all, or those named); exact."""
        index = np.arange(self.size) if rows is None else np.asarray(rows)
        self.require(index[np.ptp(coefficients, axis=1) > 0])
        return Linear.of_parts([Part(self._block, index, coefficients)], shift)

    def of_recalls(self, weights: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear:
        """Law of ``shift + sum w_i recall_i`` over the classes (all, or those named); exact, without K x K numbers."""
        index = np.arange(self.size) if rows is None else np.asarray(rows)
        self.require(index[weights != 0])
        table = np.stack([weights, np.zeros(len(index))], axis=1)
        return Linear.of_parts([Part(self._block, index, table, lumped=True)], shift)

    def extreme_of_recalls(self, known: Floats | None, *, largest: bool, wrong: bool) -> Law:
        """Law of the smallest or largest recall, or of its complement; of the classes that come where that is known."""
        here = np.arange(self.size) if known is None else np.flatnonzero(known)
        self.require(here)
        right, missed = self._right[here], self._wrong[here]
        return Extreme(*((missed, right) if wrong else (right, missed)), largest=largest)

    def two_class(self, name: str, positive: int, known: Floats | None, **parameters: float) -> Law | None:
        """Law of a metric of two classes, of a prevalence that is uncertain or known; None above."""
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
        """Law of the accuracy as one coin per case, Beta(right + a, wrong + b)."""
        right, (a, b) = self._confusion.correct.sum().item(), self._prior.coin
        if right + a <= 0 or self._confusion.n - right + b <= 0:
            raise NoInformation(self._silence("the whole table", tested=self._confusion.n > 0))
        return Beta(a + right, b + self._confusion.n - right)

    @property
    def shares(self) -> DirichletShares:
        """What is known of the prevalence."""
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
        """Blocks of joint tables, together ``n``; at a ``known`` prevalence, or with its uncertainty.

        The same seed gives the same tables, whatever is read from them.
        """
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
        """Random numbers that one joint table takes."""
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

    Same questions as `howsure.posterior.class_rows.ClassRows`; every one has an answer, whatever the counts.
    Accuracy stays one coin per case; the prevalence is Dirichlet(n_i + A/K), and A is learned.

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    prior : Prior
        For the coin, and for a prevalence that was counted in other cases.
    """

    _same = "recalls"

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        super().__init__(confusion, prior)
        # what a law finds out about itself is worth keeping, also at another prevalence
        self._sums: dict[tuple[bytes, float], LearnedSum] = {}

    @cached_property
    def ordered(self) -> LearnedRows:
        """The same recalls with errors that fall off with the distance of ranks, as ordinal metrics ask for them."""
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
        """Mean of every recall, shape (K,)."""
        return self.recalls.moments[0]

    @property
    def recall_sds(self) -> Floats:
        """Standard deviation of every recall, shape (K,)."""
        return self.recalls.moments[1]

    @property
    def means(self) -> Floats:
        """Expected share of each call among the cases of each class, shape (K, K)."""
        wrong: Floats = (1 - self.recall_means)[:, None] * self._where.means
        return wrong + np.diag(self.recall_means)

    @cached_property
    def errors(self) -> LearnedErrors:
        """Posterior of where errors go."""
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
        """Law of ``shift + sum_i w_i theta_i`` over the recalls (all, or those named)."""
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
        """What is known of the prevalence: learned with its mass, or counted in other cases."""
        if self._elsewhere is not None:
            return DirichletShares(self._elsewhere)
        return LearnedShares(self._confusion.class_sizes)

    @property
    def _whole(self) -> bool:
        """Whether whole tables are drawn, and not their cells that are not empty."""
        return self.size < FEWEST_SPARSE_LEARNED

    @property
    def numbers_per_draw(self) -> int:
        """Random numbers that one joint table takes."""
        if self._whole:
            return self.size**2
        return numbers_per_draw(len(self._wrong.count), self.size, self._atoms + PER_CLASS)

    @cached_property
    def _atoms(self) -> int:
        """Atoms of a row that these errors need."""
        small = self.errors.rough_weight[self.errors.log_mass < np.log(LARGE_MASS)].sum()
        return ATOMS if small > 0.01 else FEW_ATOMS

    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Drawn]:
        """Blocks of joint tables, together ``n``; at a ``known`` prevalence, or with its uncertainty."""
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
    """Rows whose errors have a profile over the distance of ranks."""

    @property
    def ordered(self) -> LearnedRows:
        """These."""
        return self

    @cached_property
    def _where(self) -> OrderedErrors:
        return OrderedErrors(self._confusion.counts * (1.0 - np.eye(self.size)))

    @property
    def _whole(self) -> bool:
        return True


def rows_of(confusion: ConfusionMatrix, prior: Prior) -> Rows:
    """Rows of new groups, where numbers are about these; else learned together or each on its own, by the prior."""
    if new_groups(confusion) is not None:
        return GroupedRows(confusion, prior)
    return (LearnedRows if isinstance(prior, LearnedPrior) else ClassRows)(confusion, prior)


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
