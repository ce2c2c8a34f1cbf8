"""What a table of counts is known by: rows of true classes; what none of them closes is drawn."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from typing import ClassVar
from zlib import crc32

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.frozen import Frozen
from howsure.laws import Beta, GroupMeans, Law, LearnedSum, Linear
from howsure.numerics.arrays import Floats
from howsure.numerics.learned.evidence import DirichletShares, LearnedShares
from howsure.posterior.drawn_tables import Drawn
from howsure.posterior.priors import Prior


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
