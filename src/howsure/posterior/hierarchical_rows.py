"""What the counts say about each true class where the prior of the recalls is learned from all classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from zlib import crc32

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.frozen import Frozen
from howsure.laws import Beta, LearnedSum, Linear
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.error_cells import ErrorCells
from howsure.numerics.draws.sparse_tables import BLOCK, draw_errors, numbers_per_draw
from howsure.numerics.learned.dirichlet_mass import DirichletShares, LearnedShares
from howsure.numerics.learned.error_shares import LearnedErrors
from howsure.numerics.learned.hierarchical_draws import learned_tables
from howsure.numerics.learned.ordered_errors import OrderedErrors
from howsure.numerics.learned.population import Population
from howsure.posterior.drawn_tables import Drawn, SparseTables, WholeTables
from howsure.posterior.priors import Prior

__all__ = ["LearnedRows"]


#: From this many classes on, the non-empty cells are drawn instead of all: half the time (measured), and metrics of
#: single cells, whose noise beyond the atoms is averaged, agree with whole tables to a twentieth of their sd.
FEWEST_SPARSE = 20

#: Atoms of a row; what a large learned mass leaves beyond them is drawn by its column sums. Where the mass is above 12
#: almost surely, most is left beyond six as well, and no atom at all takes half of the time.
ATOMS, FEW_ATOMS, LARGE_MASS = 6, 0, 12.0


#: Up to this many classes an ordinal metric is answered with a profile of errors over the distance of ranks.
MOST_ORDERED = 100


class LearnedRows(Frozen):
    """Rows of a posterior whose recalls share a learned Beta, and whose errors share learned columns.

    Same questions as `howsure.posterior.independent_rows.ClassRows`; every one has an answer, whatever the counts.
    Accuracy stays one coin per case; the prevalence is Dirichlet(n_i + A/K), and A is learned.

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    prior : Prior
        For the coin, and for a prevalence that was counted in other cases.
    """

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        self._confusion, self._prior = confusion, prior
        self._elsewhere: Floats | None = None
        # what a law finds out about itself is worth keeping, also at another prevalence
        self._sums: dict[tuple[bytes, float], LearnedSum] = {}

    @property
    def elsewhere(self) -> Floats | None:
        """Dirichlet parameters of a prevalence that was counted in other cases than these, shape (K,), or None."""
        return self._elsewhere

    @property
    def independent(self) -> None:
        """None: what is known of one class rests on all the others."""
        return

    def at_cases(self, shares: Floats) -> LearnedRows:
        """The same recalls and errors under a prevalence that is Dirichlet(shares), independent of them."""
        made = LearnedRows(self._confusion, self._prior)
        made.__dict__["recalls"] = self.recalls  # recalls have identity: they stay the same ones
        made._sums = self._sums
        made._elsewhere = shares
        return made

    @cached_property
    def ordered(self) -> LearnedRows:
        """The same recalls with errors that fall off with the distance of ranks, as ordinal metrics ask for them."""
        if self.size > MOST_ORDERED:
            return self
        made = _OrderedRows(self._confusion, self._prior)
        made.__dict__["recalls"] = self.recalls
        made._sums, made._elsewhere = self._sums, self._elsewhere
        return made

    @property
    def size(self) -> int:
        """Number of classes."""
        return len(self._confusion.labels)

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

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> None:
        """Never closed: errors of different rows share what was learned about columns."""
        return

    def extreme_of_recalls(self, known: Floats | None, *, largest: bool, wrong: bool) -> None:
        """Not closed in less time than by simulation: given each of thousands of nodes, a product over the classes."""
        return

    def two_class(self, name: str, positive: int, known: Floats | None, **parameters: float) -> None:
        """Never closed: both recalls rest on what was learned."""
        return

    @cached_property
    def coin(self) -> Linear:
        """Law of the accuracy as one coin per case, Beta(right + a, wrong + b)."""
        right = self._confusion.correct.sum().item()
        a, b = self._prior.coin
        return Beta(a + right, b + self._confusion.n - right)

    @cached_property
    def shares(self) -> DirichletShares | LearnedShares:
        """What is known of the prevalence: learned with its mass, or counted in other cases."""
        if self._elsewhere is not None:
            return DirichletShares(self._elsewhere)
        return LearnedShares(self._confusion.class_sizes)

    @property
    def _whole(self) -> bool:
        """Whether whole tables are drawn, and not their cells that are not empty."""
        return self.size < FEWEST_SPARSE

    @property
    def numbers_per_draw(self) -> int:
        """Random numbers that one joint table takes."""
        if self._whole:
            return self.size**2
        return numbers_per_draw(len(self._wrong.count), self.size, self._atoms)

    @cached_property
    def _atoms(self) -> int:
        """Atoms of a row that these errors need."""
        small = self.errors.rough_weight[self.errors.log_mass < np.log(LARGE_MASS)].sum()
        return ATOMS if small > 0.01 else FEW_ATOMS

    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Drawn]:
        """Blocks of joint tables, together ``n``; at a ``known`` prevalence, or with its uncertainty."""
        # equal cases elsewhere are one survey, and different ones are independent of each other and of these
        survey = () if self._elsewhere is None else (crc32(self._elsewhere.tobytes()),)
        rng, rng_shares = (np.random.default_rng([*seed, *part]) for part in ((0,), (1, *survey)))
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
