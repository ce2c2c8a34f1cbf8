"""What the counts say about each true class: one Dirichlet row each, independent, and the share of the class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from howsure.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.frozen import Frozen
from howsure.laws import Beta, DirichletRows, Linear, Part
from howsure.numerics.tables import joint_tables
from howsure.priors import Prior

__all__ = ["ClassRows", "checked_draws", "checked_seed"]

Floats = NDArray[np.float64]


class ClassRows(Frozen):
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

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        self._confusion, self._prior = confusion, prior
        self._alphas = confusion.counts + prior.row(self.size)
        self._elsewhere: Floats | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether the prevalence was counted in other cases than these."""
        return self._elsewhere is not None

    def at_cases(self, shares: Floats) -> ClassRows:
        """The same rows under a prevalence that is Dirichlet(shares), independent of them."""
        block = self._block
        made = ClassRows(self._confusion, self._prior)
        made.__dict__["_block"] = block  # rows have identity: they stay the same ones
        made._elsewhere = shares
        return made

    @property
    def size(self) -> int:
        """Number of classes."""
        return len(self._confusion.labels)

    def recall(self, index: int) -> tuple[float, float]:
        """Beta parameters of the recall of one class."""
        self.require(index)
        right, mass = float(self._alphas[index, index]), float(self._alphas[index].sum())
        return right, mass - right

    @property
    def means(self) -> Floats:
        """Expected share of each call among the cases of each class, shape (K, K)."""
        self.require()
        return np.asarray(self._alphas / self._alphas.sum(axis=1, keepdims=True))

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> Linear:
        """Law of ``shift + sum c_ij p_ij`` over the class rows (all, or those named); exact."""
        index = np.arange(self.size) if rows is None else np.asarray(rows)
        for i, row in zip(index.tolist(), coefficients, strict=True):
            if np.ptp(row) > 0:
                self.require(i)
        return Linear.of_parts([Part(self._block, index, coefficients)], shift)

    @cached_property
    def coin(self) -> Linear:
        """Law of the accuracy as one coin per case, Beta(right + a, wrong + b)."""
        right = int(self._confusion.correct.sum())
        a, b = self._prior.coin
        a, b = a + right, b + self._confusion.n - right
        if a <= 0 or b <= 0:
            raise NoInformation(self._silence("the whole table", tested=self._confusion.n > 0))
        return Beta(a, b)

    @cached_property
    def shares(self) -> Floats:
        """Dirichlet parameters of the prevalence, shape (K,)."""
        if self._elsewhere is not None:
            return self._elsewhere
        alphas = self._confusion.class_sizes + self._prior.shares(self.size)
        if not np.all(alphas > 0):
            empty = [x for x, alpha in zip(self._confusion.labels, alphas, strict=True) if alpha <= 0]
            raise NoInformation(self._silence(listing(map(excerpt, empty)), tested=False))
        return np.asarray(alphas)

    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Floats]:
        """Blocks of joint tables (m, K, K), together ``n``; at a ``known`` prevalence, or with its uncertainty."""
        self.require()
        # equal cases elsewhere are one survey, and different ones are independent of each other and of these
        survey = () if self._elsewhere is None else (crc32(self._elsewhere.tobytes()),)
        rngs = [np.random.default_rng([*seed, *part]) for part in ((0,), (1, *survey))]
        return joint_tables(self._block.alphas, self.shares if known is None else None, known, n, *rngs)

    def require(self, *classes: int) -> None:
        """Refuse classes whose recall is improper; all of them by default."""
        for i in classes or range(self.size):
            right, mass = float(self._alphas[i, i]), float(self._alphas[i].sum())
            if right <= 0 or mass - right <= 0:
                raise NoInformation(self._silence(f"class {excerpt(self._confusion.labels[i])}", tested=mass > 0))

    @cached_property
    def _block(self) -> DirichletRows:
        # a class without information gets a stand-in row; `require` has refused every use of it
        empty = self._alphas.sum(axis=1) <= 0
        return DirichletRows(np.where(empty[:, None], 1.0, self._alphas))

    def _silence(self, what: str, *, tested: bool) -> str:
        seen = f"all cases of {what} are right, or all are wrong," if tested else f"no case of {what} was tested"
        return (
            f"no information on the other side: {seen} and prior {self._prior.name!r} adds no case, "
            "so there is no posterior. Use prior 'flat' or 'jeffreys', or test more cases."
        )


def checked_draws(draws: int) -> int:
    """A number of draws from 100 to ten million, or the sentence that says so."""
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or not 100 <= draws <= 10_000_000:
        raise InvalidArgument(f"draws is a whole number from 100 to 10,000,000; not {excerpt(draws)}")
    return int(draws)


def checked_seed(seed: int) -> int:
    """A seed, or the sentence that says what one is."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InvalidArgument(f"seed is a whole number, 0 or more; not {excerpt(seed)}")
    return int(seed)
