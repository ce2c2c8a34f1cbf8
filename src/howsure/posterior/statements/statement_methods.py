"""The probability of a statement as a method of a posterior."""

from __future__ import annotations

from typing import Protocol

from howsure.data.confusion import ConfusionMatrix
from howsure.laws.draw_settings import SEED, checked_draws, checked_seed
from howsure.posterior.statements.probability import Probability, Weighted, probability_of

__all__ = ["Statements"]


class Stated(Weighted, Protocol):
    """A posterior, as far as a statement needs one."""

    @property
    def confusion(self) -> ConfusionMatrix:
        """The counts."""

    @property
    def usual_draws(self) -> int:
        """Draws when none are asked for."""


class Statements:
    """What every posterior of a confusion matrix can be asked to judge."""

    def prob(self: Stated, statement: str, *, draws: int | None = None, seed: int = SEED) -> Probability:
        """Probability that a statement about one or more metrics holds.

        Parameters
        ----------
        statement : str
            Metrics compared (``<``, ``<=``, ``>``, ``>=``) with numbers or each other, with ``and``, ``or``, ``not``.
        draws, seed : int
            For more than one metric, or one without a closed law.

        Raises
        ------
        InvalidArgument
            Text that is no statement, with the place.

        Examples
        --------
        >>> import howsure as hs
        >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
        >>> post.prob("recall@ill > 0.8")
        P(recall@ill > 0.8) = 0.716, exact
        >>> float(post.prob("recall@ill > 0.8 and precision@ill > 0.8")) < 0.716
        True
        """
        counts, n = self.confusion, self.usual_draws if draws is None else checked_draws(draws)
        return probability_of(statement, self, counts.labels, counts.positive, draws=n, seed=checked_seed(seed))
