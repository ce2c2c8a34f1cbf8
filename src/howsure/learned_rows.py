"""What the counts say about each true class where the prior of the recalls is learned from all classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Never
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from howsure.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument
from howsure.frozen import Frozen
from howsure.laws import Beta, LearnedSum, Linear
from howsure.numerics.learned import LearnedRecalls
from howsure.numerics.learned_errors import LearnedErrors
from howsure.numerics.learned_tables import learned_tables
from howsure.priors import Prior

__all__ = ["LearnedRows"]

Floats = NDArray[np.float64]


class LearnedRows(Frozen):
    """Rows of a posterior whose recalls share a learned Beta, and whose errors share learned columns.

    Same questions as `howsure.rows.ClassRows`; every one has an answer, whatever the counts. Accuracy stays one coin
    per case, and the prevalence Dirichlet(n_i + m/K).

    Parameters
    ----------
    confusion : ConfusionMatrix
        The counts.
    prior : Prior
        For the coin and the prevalence.
    """

    def __init__(self, confusion: ConfusionMatrix, prior: Prior) -> None:
        self._confusion, self._prior = confusion, prior
        self._elsewhere: Floats | None = None

    @property
    def elsewhere(self) -> bool:
        """Whether the prevalence was counted in other cases than these."""
        return self._elsewhere is not None

    @property
    def independent(self) -> Never:
        """Refused: what is known of one class rests on all the others."""
        raise InvalidArgument(
            "this question is about classes that are independent, and prior 'learned' learns each from all others; "
            "ask posterior.under('flat') or under('jeffreys')"
        )

    def at_cases(self, shares: Floats) -> LearnedRows:
        """The same recalls and errors under a prevalence that is Dirichlet(shares), independent of them."""
        made = LearnedRows(self._confusion, self._prior)
        made.__dict__["recalls"] = self.recalls  # recalls have identity: they stay the same ones
        made._elsewhere = shares
        return made

    @property
    def size(self) -> int:
        """Number of classes."""
        return len(self._confusion.labels)

    @cached_property
    def recalls(self) -> LearnedRecalls:
        """Joint posterior of all recalls."""
        return LearnedRecalls(self._confusion.correct, self._confusion.class_sizes)

    @cached_property
    def errors(self) -> LearnedErrors:
        """Posterior of where errors go."""
        rows, cols = np.nonzero(self._wrong)
        return LearnedErrors(self.size, rows, cols, self._wrong[rows, cols])

    @cached_property
    def _wrong(self) -> Floats:
        counts = self._confusion.counts.astype(float)
        np.fill_diagonal(counts, 0.0)
        return counts

    def recall_sum(self, weights: Floats, shift: float = 0.0) -> LearnedSum:
        """Law of ``shift + sum_i w_i theta_i`` over the recalls, ``weights`` of shape (K,)."""
        return LearnedSum([(self.recalls, weights)], Linear(shift=shift))

    def linear(self, coefficients: Floats, shift: float = 0.0, *, rows: Sequence[int] | None = None) -> None:
        """Never closed: errors of different rows share what was learned about columns."""
        return

    @cached_property
    def coin(self) -> Linear:
        """Law of the accuracy as one coin per case, Beta(right + a, wrong + b)."""
        right = int(self._confusion.correct.sum())
        a, b = self._prior.coin
        return Beta(a + right, b + self._confusion.n - right)

    @cached_property
    def shares(self) -> Floats:
        """Dirichlet parameters of the prevalence, shape (K,)."""
        if self._elsewhere is not None:
            return self._elsewhere
        return np.asarray(self._confusion.class_sizes + self._prior.shares(self.size))

    def tables(self, n: int, known: Floats | None, seed: Sequence[int]) -> Iterator[Floats]:
        """Blocks of joint tables (m, K, K), together ``n``; at a ``known`` prevalence, or with its uncertainty."""
        # equal cases elsewhere are one survey, and different ones are independent of each other and of these
        survey = () if self._elsewhere is None else (crc32(self._elsewhere.tobytes()),)
        rngs = [np.random.default_rng([*seed, *part]) for part in ((0,), (1, *survey))]
        shares = self.shares if known is None else None
        return learned_tables(self.recalls, self.errors, self._wrong, shares, known, n, *rngs)
