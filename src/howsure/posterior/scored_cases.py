"""What scores say about all thresholds at once: areas, and points of curves, by the Bayesian bootstrap."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import number
from howsure.frozen import Frozen
from howsure.laws import Law
from howsure.laws.draw_settings import DRAWS, SEED, checked_draws, checked_seed
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.posterior.distribution import Distribution, Term
from howsure.posterior.forecast_knowledge import (
    FORECAST_DRAWS,
    ForecastKnowledge,
    OfSameCases,
    not_elsewhere,
)
from howsure.posterior.forecast_problem import ForecastProblem
from howsure.posterior.score_measures import ScoreMeasure, score_measure
from howsure.posterior.scored_problem import ScoredProblem
from howsure.text import formats

__all__ = ["ScoresKnowledge", "ScoresPosterior", "learned_from_scores"]

#: What outputs call the prior: two pseudo-cases a class, centred at what the cases show.
CENTRED = "centred"

#: Products of draws, cases and classes of more than two classes that are waited for; more take fewer draws, and say so.
PATIENCE = 4 * 10**9


class ScoresPosterior(Frozen):
    """Posterior of scores; made by `howsure.infer`, immutable.

    It answers for ``roc_auc``, ``average_precision``, ``tpr@fpr=0.1``, ``fpr@tpr=0.9`` and ``partial_auc@fpr=0.2`` (on
    McClish's scale, as scikit-learn has it); of three classes or more for ``roc_auc@ovr``, ``roc_auc@ovo``, and each of
    these against all others (``roc_auc@cat``). Where the scores are probabilities, also for ``brier_score``,
    ``log_loss``, the parts of both (``brier_mcb``, ``brier_dsc``, ``brier_unc``), ``ece``,
    ``calibration_in_the_large``, ``calibration_intercept`` and ``calibration_slope``; of three classes or more
    ``ece@confidence`` and ``ece@cat``.

    Attributes
    ----------
    scores : Scores
        True classes and scores.
    labels : tuple of str
        Class names.
    n : int
        Number of cases.
    prevalence : float or None
        Stated share of the positive class; None where it is learned from the cases.

    Examples
    --------
    >>> import howsure as hs
    >>> scores = hs.Scores([0] * 10 + [1] * 10, range(20))
    >>> hs.infer(scores).of("roc_auc").interval().low > 0.8
    True
    """

    def __init__(self, knowledge: ScoresKnowledge) -> None:
        self._knowledge = knowledge

    @property
    def scores(self) -> Scores:
        """True classes and scores."""
        return self._knowledge.scores

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names."""
        return self._knowledge.scores.labels

    @property
    def n(self) -> int:
        """Number of cases."""
        return self._knowledge.scores.n

    @property
    def prevalence(self) -> float | None:
        """Stated share of the positive class; None where it is learned from the cases."""
        return self._knowledge.prevalence

    def at_prevalence(self, prevalence: float) -> ScoresPosterior:
        """The same scores where another share of the cases is positive: the clinic, not the study.

        Raises
        ------
        InvalidArgument
            Not between 0 and 1, or more than two classes.
        """
        if len(self.labels) > 2:
            raise InvalidArgument("at_prevalence() is about two classes; say scores.one_vs_rest(label) first")
        share = number(prevalence)
        if not 0 < share < 1:
            raise InvalidArgument(
                f"prevalence is the share of {excerpt(self.labels[1])}, between 0 and 1, not {excerpt(prevalence)}"
            )
        return ScoresPosterior(ScoresKnowledge(self.scores, share))

    def of(self, metric: str, *, draws: int | None = None, seed: int = SEED) -> Distribution:
        """What is known about one number of the scores.

        Raises
        ------
        UnknownMetric, UnknownLabel, InvalidArgument
            As in `howsure.posterior.score_measures`.
        """
        return self._knowledge.of(metric, draws=draws, seed=seed)

    def _repr_html_(self) -> str:
        main = "roc_auc" if len(self.labels) == 2 else "roc_auc@ovr"
        return f"<p>{escape(repr(self)[1:-1])}</p>{self.of(main)._repr_html_()}"

    def __repr__(self) -> str:
        stated = "" if self.prevalence is None else f", prevalence {self.prevalence:g}"
        classes = formats.several(len(self.labels), "class")
        return f"<ScoresPosterior: {formats.several(self.n, 'case')}, {classes}{stated}>"


def learned_from_scores(scores: Scores, prior: object = None, groups: object = None) -> ScoresPosterior:
    """Posterior of scores; see `howsure.infer`."""
    if prior not in (None, CENTRED):
        raise InvalidArgument(
            f"scores have one prior, two pseudo-cases of each class that are centred at what the cases show; leave "
            f"prior={excerpt(prior)} out"
        )
    if groups is not None and (scores.group is None or groups != "new"):
        known = "no group is known of these" if scores.group is None else "their numbers are about new groups"
        raise InvalidArgument(f"groups= is about cases that come in groups, and {known}; leave it out")
    return ScoresPosterior(ScoresKnowledge(scores))


class ScoresKnowledge(Frozen):
    """What rooms share of such a posterior: joint draws of its measures, and their values on the cases.

    Parameters
    ----------
    scores : Scores
        Of one classifier.
    prevalence : float, optional
        Stated share of the positive class.
    """

    held_at = ""
    prior_name = CENTRED

    def __init__(self, scores: Scores, prevalence: float | None = None) -> None:
        if len(scores.names) > 1:
            raise InvalidArgument(
                f"infer() is about one classifier, and these are the scores of {listing(map(excerpt, scores.names))}; "
                f"say scores.of({excerpt(scores.names[0])})"
            )
        self._scores, self._prevalence = scores, prevalence
        self._test_set: object = OfSameCases()

    @property
    def scores(self) -> Scores:
        """True classes and scores."""
        return self._scores

    @property
    def prevalence(self) -> float | None:
        """Stated share of the positive class."""
        return self._prevalence

    @property
    def test_set(self) -> object:
        """Token of the data."""
        return self._test_set

    @property
    def about_groups(self) -> str:
        """Which groups numbers are about, in words."""
        return "" if self._scores.group is None else "new groups"

    def of(self, metric: Any, *, draws: int | None = None, seed: int = SEED) -> Distribution:
        """What is known about one measure; see `ScoresPosterior.of`."""
        measure = score_measure(metric, self._scores.labels)
        family = measure.kind.family
        if family != "order":
            not_elsewhere(self._prevalence, measure.name)
            usual = FORECAST_DRAWS[family] if draws is None else checked_draws(draws)
            known = self._forecasts[{"share": "flat", "biased": "none"}.get(family, CENTRED)]
            return Distribution([Term(1.0, known, measure)], draws=usual, seed=checked_seed(seed))
        number_of = self.usual_draws if draws is None else checked_draws(draws)
        return Distribution([Term(1.0, self, measure)], draws=number_of, seed=checked_seed(seed))

    @property
    def usual_draws(self) -> int:
        """Draws where nobody says how many."""
        if len(self._scores.labels) == 2 and self._scores.group is None:
            return DRAWS
        products = self._scores.n * len(self._scores.labels)
        return min(DRAWS, max(400, PATIENCE // products // 100 * 100))

    @cached_property
    def _forecasts(self) -> dict[str, ForecastKnowledge]:
        """What is known of the scores as probabilities, by prior."""
        return {prior: ForecastKnowledge(self._scores, self._test_set, prior) for prior in (CENTRED, "flat", "none")}

    def forecast(self, event: str) -> ForecastProblem:
        """Probabilities of one event: a class by its name, or "confidence"."""
        return self._forecasts[CENTRED].problem(None if len(self._scores.labels) == 2 else event)

    # -- the two-class problems it is made of ---------------------------------------------------------------

    @cached_property
    def problem(self) -> ScoredProblem:
        """The one problem of two classes."""
        return ScoredProblem(self._scores)

    @cached_property
    def _problems(self) -> dict[object, ScoredProblem]:
        return {}

    def _of_class(self, label: str) -> ScoredProblem:
        """One class against all others; weights are those of cases, so that classes move together."""
        if label not in self._problems:
            self._problems[label] = ScoredProblem(self._scores.one_vs_rest(label), joint=True)
        return self._problems[label]

    def _of_pair(self, one: int, other: int) -> ScoredProblem:
        """One class against one other, by the scores of the first."""
        if (one, other) not in self._problems:
            self._problems[one, other] = ScoredProblem.of_pair(self._scores, one, other)
        return self._problems[one, other]

    def _parts(self, measure: ScoreMeasure) -> list[ScoredProblem]:
        """Problems that a measure is the mean of."""
        size = len(self._scores.labels)
        if measure.over == "ovo":
            return [self._of_pair(i, j) for i in range(size) for j in range(size) if i != j]
        if measure.over == "ovr":
            return [self._of_class(label) for label in self._scores.labels]
        return [self._of_class(measure.label) if measure.label is not None else self.problem]

    # -- what a distribution asks ---------------------------------------------------------------------------

    def exact_law(self, measure: Measure) -> Law | None:
        """None: areas are drawn."""
        return None

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[NDArray[np.float64]]:
        """Joint draws of several measures: all of them of the same curves."""
        asked = [measure for measure in measures if isinstance(measure, ScoreMeasure)]
        wanted: dict[ScoredProblem, list[ScoreMeasure]] = {}
        for measure in asked:
            for problem in self._parts(measure):
                wanted.setdefault(problem, []).append(measure)
        total: dict[int, Floats] = {}
        for problem, those in wanted.items():
            values = problem.drawn(those, draws, [seed, stream], self._prevalence)
            for measure, some in zip(those, values, strict=True):
                total[id(measure)] = total.get(id(measure), np.zeros(draws)) + some
        return [total[id(measure)] / len(self._parts(measure)) for measure in asked]

    def observed(self, measure: Measure) -> float | None:
        """Value on the cases."""
        assert isinstance(measure, ScoreMeasure)
        parts = self._parts(measure)
        return float(np.mean([problem.observed(measure, self._prevalence) for problem in parts]))

    def chance(self, measure: Measure) -> float | None:
        """Value of scores that say nothing."""
        assert isinstance(measure, ScoreMeasure)
        if measure.kind.name == "average_precision":
            parts = self._parts(measure)
            return float(np.mean([problem.share(self._prevalence) for problem in parts]))
        return 0.5 if measure.kind.name in ("roc_auc", "partial_auc") else measure.at

    def beside(self, measure: Measure) -> str:
        """How the scores were put into blocks, where they were."""
        assert isinstance(measure, ScoreMeasure)
        parts = self._parts(measure)
        error = float(np.sqrt(np.sum([problem.blocks.error**2 for problem in parts])) / len(parts))
        if not error:
            return ""
        return f"neighbouring scores share a weight (error {error:.1g})"
