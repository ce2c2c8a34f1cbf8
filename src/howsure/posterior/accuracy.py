"""What is known when all that is known is how many answers were right: a leaderboard, a log of passes and fails."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from howsure.data.counts import LARGEST_COUNT
from howsure.errors import InvalidArgument, NoInformation, UnknownLabel, excerpt
from howsure.frozen import Frozen
from howsure.laws import Beta, Law, Linear
from howsure.laws.law import DRAWS, SEED
from howsure.metrics import Measure, Metric, parse
from howsure.posterior.distribution import Distribution, MeasureKnowledge, Term
from howsure.posterior.priors import Prior, resolve_prior
from howsure.text import formats

KNOWN = ("accuracy", "error_rate")


class AccuracyPosterior(Frozen):
    """Posterior of the accuracy from the number of right answers alone, Beta(correct + a, wrong + b).

    Made by `Posterior.from_accuracy`. It answers for accuracy and error_rate and says so for anything else, which
    needs a whole confusion matrix.

    Parameters
    ----------
    correct, n : int
        Right answers, and all of them.
    prior : str or Prior, optional
        Its prior of a rate; ``calibrated`` (two thirds of a right and of a wrong answer) if left out.

    Raises
    ------
    InvalidArgument
        Counts that are not whole, or more right answers than answers.
    NoInformation
        A prior without mass, and all answers right or all wrong.

    Examples
    --------
    >>> AccuracyPosterior(correct=25, n=25).of("accuracy")
    accuracy 0.97 (0.91 to 1.00) 95% HDI, prior calibrated, exact
    """

    def __init__(self, *, correct: int, n: int, prior: str | Prior | None = None) -> None:
        for name, value in (("correct", correct), ("n", n)):
            whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
            if not whole or not 0 <= value <= LARGEST_COUNT:
                raise InvalidArgument(f"{name} is an integer, 0 or more; not {excerpt(value)}")
        if correct > n:
            raise InvalidArgument(f"{correct} right answers out of {n} are not possible")
        # a rate of right answers is right against wrong: the default is that of two classes
        self._knowledge = AccuracyKnowledge(int(correct), int(n), resolve_prior(prior, 2))

    @property
    def n(self) -> int:
        """Number of answers."""
        return self._knowledge.n

    @property
    def correct(self) -> int:
        """Number of right answers."""
        return self._knowledge.correct

    @property
    def prior(self) -> Prior:
        """The prior."""
        return self._knowledge.prior

    @property
    def labels(self) -> tuple[str, ...]:
        """No class is known."""
        return ()

    def of(self, metric: str | Metric | Measure, *, draws: int = DRAWS, seed: int = SEED) -> Distribution:
        """What is known about ``accuracy`` or ``error_rate``; both are exact."""
        return self._knowledge.of(metric, draws=draws, seed=seed)

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.of('accuracy')._repr_html_()}"

    def __repr__(self) -> str:
        return (
            f"<AccuracyPosterior: {formats.integer(self.correct)} right of {formats.integer(self.n)}, "
            f"prior {self.prior.name}>"
        )


class AccuracyKnowledge(MeasureKnowledge):
    """What rooms share of such a posterior; the same questions as those of a whole table, as far as they make sense."""

    _attributes = ("n", "correct", "prior")

    #: No class is known.
    labels: tuple[str, ...] = ()
    #: No prevalence is stated.
    known_prevalence: None = None

    def __init__(self, correct: int, n: int, prior: Prior) -> None:
        a, b = prior.coin
        if correct + a <= 0 or n - correct + b <= 0:
            raise NoInformation(
                f"all of the {n} answers are right, or all are wrong, and prior {prior.name!r} adds none, "
                "so there is no posterior. Use prior 'flat' or 'jeffreys'."
            )
        self.correct, self.n, self.prior = correct, n, prior
        self._law = Beta(correct + a, n - correct + b)

    def estimand(self, measure: Measure) -> Measure:
        """The measure itself: no class is known whose share it could be about."""
        return measure

    def recounted(self, correct: int) -> AccuracyKnowledge:
        """Knowledge of another number of right answers, under the same prior; a test set of its own."""
        return AccuracyKnowledge(correct, self.n, self.prior)

    def of(self, metric: str | Metric | Measure, *, draws: int = DRAWS, seed: int = SEED) -> Distribution:
        asked = metric if isinstance(metric, Measure) else _asked(metric)
        if asked.metric.name not in KNOWN:
            raise InvalidArgument(
                f"{asked.metric.name} needs a confusion matrix; the number of right answers alone gives "
                f"{' and '.join(KNOWN)}"
            )
        measure = parse(metric, ())
        return Distribution([Term(1.0, self, measure)], draws=DRAWS if draws is None else draws, seed=seed)

    def exact_law(self, measure: Measure) -> Law | None:
        law: Linear = self._law
        return law if measure.metric.name == "accuracy" else 1 - law

    def observed(self, measure: Measure) -> float | None:
        if not self.n:
            return None
        right = self.correct / self.n
        return right if measure.metric.name == "accuracy" else 1 - right

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[NDArray[np.float64]]:
        right = self._law.sample(draws, seed=[seed, stream])
        return [right if m.metric.name == "accuracy" else 1 - right for m in measures]


def _asked(metric: str | Metric) -> Measure:
    """The metric, whatever classes it names: of two stand-ins if it asks for a class."""
    try:
        return parse(metric, ("wrong", "right"), "right")
    except UnknownLabel:
        raise InvalidArgument("there are no classes here, only right and wrong; ask for the accuracy") from None
