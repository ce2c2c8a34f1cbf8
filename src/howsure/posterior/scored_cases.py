"""What scores say about all thresholds at once: areas, and points of curves, by the Bayesian bootstrap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from html import escape
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import number
from howsure.frozen import Frozen, kept
from howsure.laws.law import DRAWS, SEED, checked_draws, checked_seed
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.curves.curve_numbers import (
    area_under,
    average_precision,
    false_rate_at,
    partial_area,
    standardised,
    true_rate_at,
    with_half_cases,
)
from howsure.numerics.curves.curve_weights import (
    CaseWeights,
    DrawnRates,
    GroupedCounts,
    ScoreBlocks,
    SharedPart,
    grouped_counts,
    random_rates,
    rank_correlation,
    score_blocks,
    shared_rates,
    weighed_groups,
    weights_of,
)
from howsure.posterior.distribution import Distribution, MeasureKnowledge, Term
from howsure.posterior.forecast_knowledge import (
    FORECAST_DRAWS,
    ForecastProblem,
    Forecasts,
    OfSameCases,
    SharedCases,
    not_elsewhere,
)
from howsure.posterior.score_measures import ScoreMeasure, score_measure
from howsure.text import formats

# -- One classifier ----------------------------------------------------------------------------------------------------


class ScoredProblem:
    """Two classes and one score."""

    def __init__(self, scores: Scores, place: Integers | None = None, size: int = 0) -> None:
        positive = scores.truth == 1
        self.blocks: ScoreBlocks = score_blocks(positive, scores.scores)
        if self.blocks.distinct < 2:
            raise InvalidArgument(
                f"all scores are {scores.scores[0]:g}: they tell no case from another, so there is no curve and no "
                "area. Were classes rounded, or is it the wrong column?"
            )
        self.grouped: GroupedCounts | None = None
        if scores.group is not None:
            self.grouped = grouped_counts(self.blocks, scores.truth, scores.group, len(scores.group_names))
        elif place is not None:
            self.grouped = grouped_counts(self.blocks, scores.truth, place, size)

    @property
    def odds(self) -> float:
        """Negatives for each positive among the cases."""
        return float(self.blocks.negatives.sum() / self.blocks.positives.sum())

    def share(self, prevalence: float | None) -> float:
        """Share of the positives, stated or among the cases."""
        return 1 / (1 + self.odds) if prevalence is None else prevalence

    @property
    def weighing(self) -> tuple[float, float]:
        """Positives and negatives by number of weights: cases, or groups that have one."""
        if self.grouped is None:
            return float(self.blocks.positives.sum()), float(self.blocks.negatives.sum())
        return weighed_groups(self.grouped)

    @cached_property
    def area(self) -> float:
        """Area under the curve of the cases."""
        return float(area_under(self._true, self._false, self.blocks.inside)[0])

    @property
    def _true(self) -> Floats:
        return self.blocks.true_rate[None, :]

    @property
    def _false(self) -> Floats:
        return self.blocks.false_rate[None, :]

    def curves(self, draws: int, seed: list[int], prevalence: float | None = None) -> Iterator[DrawnRates]:
        """Random curves, some at a time; the odds are those of the stated prevalence, if there is one."""
        for rates in random_rates(self.blocks, self.area, draws, seed, grouped=self.grouped):
            odds = rates.odds if prevalence is None else np.full(len(rates.odds), (1 - prevalence) / prevalence)
            yield DrawnRates(rates.true, rates.false, odds)

    def drawn(
        self, measures: Sequence[ScoreMeasure], draws: int, seed: list[int], prevalence: float | None
    ) -> list[Floats]:
        """Numbers of random curves, shape (M,) for each measure."""
        made = [np.empty(draws) for _ in measures]
        start = 0
        rng = np.random.default_rng([*seed, 2])
        for rates in self.curves(draws, seed, prevalence):
            end = start + len(rates.odds)
            for values, measure in zip(made, measures, strict=True):
                values[start:end] = self._number(measure, rates, beyond=True)
            start = end
        for values, measure in zip(made, measures, strict=True):
            if measure.kind.name in ("tpr", "fpr"):
                cases = self.weighing[0 if measure.kind.name == "tpr" else 1]
                values[:] = with_half_cases(values[:, None], cases, rng)[:, 0]
        return made

    def observed(self, measure: ScoreMeasure, prevalence: float | None) -> float:
        """The number of the cases themselves."""
        odds = self.odds if prevalence is None else (1 - prevalence) / prevalence
        return float(self._number(measure, DrawnRates(self._true, self._false, np.array([odds])))[0])

    def _number(self, measure: ScoreMeasure, rates: DrawnRates, *, beyond: bool = False) -> Floats:
        """One measure of curves, which have a block more at both ends or not."""
        name = measure.kind.name
        if name == "roc_auc":
            inside = self.blocks.inside
            return area_under(rates.true, rates.false, _padded(inside, 0.5) if beyond else inside)
        if name == "average_precision":
            gain = self.blocks.gain
            return average_precision(rates.true, rates.false, rates.odds, _padded(gain, 0.0) if beyond else gain)
        assert measure.at is not None
        if name == "partial_auc":
            return standardised(partial_area(rates.true, rates.false, measure.at), measure.at)
        number = true_rate_at if name == "tpr" else false_rate_at
        return number(rates.true, rates.false, np.array([measure.at]))[:, 0]


#: One class against all others, or against one other; None of two classes.
TwoClasses: TypeAlias = str | tuple[int, int] | None


def problems_of(measure: ScoreMeasure, labels: Sequence[str]) -> list[TwoClasses]:
    """The problems of two classes that a number is the mean of."""
    if measure.over == "ovo":
        return [(i, j) for i in range(len(labels)) for j in range(len(labels)) if i != j]
    return list(labels) if measure.over == "ovr" else [measure.label]


def of_two_classes(sides: Sequence[Scores], one: int, other: int) -> tuple[list[Scores], Integers]:
    """Cases of two of K classes by the scores of the first, which is positive, of each classifier; and which they are.

    They are in no groups.
    """
    first = sides[0]
    kept = np.flatnonzero((first.truth == one) | (first.truth == other))
    labels = f"not {first.labels[one]}", first.labels[one]
    truth = np.array(labels)[(first.truth[kept] == one).astype(np.int64)]
    return [Scores(truth, each.scores[kept, one], labels=labels, positive=labels[1]) for each in sides], kept


def _padded(values: Floats, ends: float) -> Floats:
    return np.concatenate(([ends], values, [ends]))


#: What outputs call the prior: two pseudo-cases a class, centred at what the cases show.
CENTRED = "centred"

#: Products of draws, cases and classes of more than two classes that are waited for; more take fewer draws, and say so.
PATIENCE = 4 * 10**9


class ScoresPosterior(MeasureKnowledge):
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

    _attributes = ("scores", "labels", "n", "prevalence")
    prior_name = CENTRED

    def __init__(self, scores: Scores, prevalence: float | None = None) -> None:
        if len(scores.names) > 1:
            raise InvalidArgument(
                f"infer() is about one classifier, and these are the scores of {listing(map(excerpt, scores.names))}; "
                f"say scores.of({excerpt(scores.names[0])})"
            )
        self.scores, self.labels, self.n, self.prevalence = scores, scores.labels, scores.n, prevalence

    def at_prevalence(self, prevalence: float) -> ScoresPosterior:
        """The same scores where another share of the cases is positive: the clinic, not the study."""
        if len(self.labels) > 2:
            raise InvalidArgument("at_prevalence() is about two classes; say scores.one_vs_rest(label) first")
        share = number(prevalence)
        if not 0 < share < 1:
            raise InvalidArgument(
                f"prevalence is the share of {excerpt(self.labels[1])}, between 0 and 1, not {excerpt(prevalence)}"
            )
        return ScoresPosterior(self.scores, share)

    @cached_property
    def test_set(self) -> object:
        return OfSameCases()

    @property
    def about_groups(self) -> str:
        return "" if self.scores.group is None else "new groups"

    def prior_of(self, measure: Measure) -> str:
        assert isinstance(measure, ScoreMeasure)
        return {"share": "flat", "biased": "none"}.get(measure.kind.family, CENTRED)

    def of(self, metric: str | ScoreMeasure, *, draws: int | None = None, seed: int = SEED) -> Distribution:
        """What is known about one number of the scores."""
        measure = score_measure(metric, self.labels)
        if measure.kind.family != "order":
            not_elsewhere(self.prevalence, measure.name)
        usual = FORECAST_DRAWS.get(measure.kind.family, self.usual_draws)
        return Distribution(
            [Term(1.0, self, measure)], draws=usual if draws is None else checked_draws(draws), seed=checked_seed(seed)
        )

    @property
    def usual_draws(self) -> int:
        if len(self.labels) == 2 and self.scores.group is None:
            return DRAWS
        products = self.n * len(self.labels)
        return min(DRAWS, max(400, PATIENCE // products // 100 * 100))

    @cached_property
    def forecasts(self) -> Forecasts:
        """The scores as probabilities."""
        return Forecasts(self.scores)

    def forecast(self, event: str) -> ForecastProblem:
        """Probabilities of one event: a class by its name, or "confidence"."""
        return self.forecasts.problem(None if len(self.labels) == 2 else event)

    # -- the two-class problems it is made of ---------------------------------------------------------------

    @property
    def problem(self) -> ScoredProblem:
        return self._of_two(None)

    @kept
    def _of_two(self, classes: TwoClasses) -> ScoredProblem:
        """One problem; of more than two classes weights are those of cases, so that classes move together."""
        if classes is None:
            return ScoredProblem(self.scores)
        if isinstance(classes, str):
            return ScoredProblem(self.scores.one_vs_rest(classes), np.arange(self.n), self.n)
        (pair,), which = of_two_classes([self.scores], *classes)
        group, size = self.scores.group, len(self.scores.group_names) or self.n
        return ScoredProblem(pair, which if group is None else group[which], size)

    def _parts(self, measure: ScoreMeasure) -> list[ScoredProblem]:
        return [self._of_two(classes) for classes in problems_of(measure, self.labels)]

    # -- what a distribution asks ---------------------------------------------------------------------------

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[NDArray[np.float64]]:
        asked = [measure for measure in measures if isinstance(measure, ScoreMeasure)]
        curved = self._of_curves([it for it in asked if it.kind.family == "order"], draws, seed, stream)
        return [curved[it] if it in curved else self.forecasts.drawn(it, draws, [seed, stream]) for it in asked]

    def _of_curves(
        self, measures: Sequence[ScoreMeasure], draws: int, seed: int, stream: int
    ) -> dict[ScoreMeasure, Floats]:
        wanted: dict[ScoredProblem, list[ScoreMeasure]] = {}
        for measure in measures:
            for problem in self._parts(measure):
                wanted.setdefault(problem, []).append(measure)
        total: dict[ScoreMeasure, Floats] = {}
        for problem, those in wanted.items():
            for measure, some in zip(those, problem.drawn(those, draws, [seed, stream], self.prevalence), strict=True):
                total[measure] = total.get(measure, np.zeros(draws)) + some
        return {measure: values / len(self._parts(measure)) for measure, values in total.items()}

    def observed(self, measure: Measure) -> float | None:
        assert isinstance(measure, ScoreMeasure)
        if measure.kind.family != "order":
            return self.forecasts.observed(measure)
        return float(np.mean([problem.observed(measure, self.prevalence) for problem in self._parts(measure)]))

    def chance(self, measure: Measure) -> float | None:
        assert isinstance(measure, ScoreMeasure)
        if measure.kind.family != "order":
            return self.forecasts.chance(measure)
        if measure.kind.name == "average_precision":
            return float(np.mean([problem.share(self.prevalence) for problem in self._parts(measure)]))
        return 0.5 if measure.kind.name in ("roc_auc", "partial_auc") else measure.at

    def beside(self, measure: Measure) -> str:
        assert isinstance(measure, ScoreMeasure)
        if measure.kind.family != "order":
            return self.forecasts.beside(measure)
        parts = self._parts(measure)
        error = float(np.sqrt(np.sum([problem.blocks.error**2 for problem in parts])) / len(parts))
        return f"neighbouring scores share a weight (error {error:.1g})" if error else ""

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
    return ScoresPosterior(scores)


# -- Several classifiers that scored the same cases: joint draws, with one weight a case for all of them ---------------


#: Weights times draws, over all classifiers and problems, that are waited for; more take fewer draws.
PATIENCE_TOGETHER = 4 * 10**8

#: Fewest draws of a difference.
FEWEST = 2_000


class ScoresTogether(OfSameCases, Frozen):
    """What scores of the same cases say about several classifiers jointly.

    Examples
    --------
    >>> both = ScoresTogether(Scores([0] * 9 + [1] * 9, {"a": range(18), "b": [*range(9), *range(9)]}))
    >>> a, b = both.drawn(score_measure("roc_auc", both.scores.labels), 2000, 0, 0)
    >>> bool((a - b > 0.1).mean() > 0.99)
    True
    """

    _attributes = ("scores", "names", "members")

    def __init__(self, scores: Scores, names: Sequence[str] | None = None) -> None:
        chosen = list(scores.names if names is None else names)
        for name in chosen:
            if name not in scores.names:
                raise InvalidArgument(
                    f"no classifier is called {excerpt(name)}; there are {listing(map(excerpt, scores.names))}"
                )
        if len(set(chosen)) < len(chosen):
            raise InvalidArgument(f"each classifier is named once, not {listing(map(excerpt, chosen))}")
        self.scores, self.names = scores, tuple(chosen)
        self.members = tuple(ScoresMember(self, place) for place in range(len(chosen)))
        self._known: dict[tuple[str, int, int, int], Floats] = {}

    @cached_property
    def weights(self) -> CaseWeights:
        """One weight for each case, or group."""
        scores = self.scores
        return weights_of(scores.truth, len(scores.labels), scores.group, len(scores.group_names))

    @cached_property
    def shared(self) -> SharedCases:
        """What the forecasts of all have in common."""
        return SharedCases(self.weights.place, np.mean([self.scores.of(name).scores for name in self.names], axis=0))

    def usual_draws(self, asked: str | ScoreMeasure) -> int:
        """Draws where nobody says how many: 20,000, or fewer where weights, problems and classifiers are many."""
        many = len(problems_of(score_measure(asked, self.scores.labels), self.scores.labels))
        cost = len(self.names) * many * max(len(self.weights.shape), 100)
        return int(min(DRAWS, max(FEWEST, PATIENCE_TOGETHER // cost // 1000 * 1000)))

    def drawn(self, measure: ScoreMeasure, draws: int, seed: int, stream: int) -> Floats:
        """Joint draws of a number of all classifiers, shape (T, M)."""
        key = measure.name, draws, seed, stream
        if key not in self._known:
            split = [self._part(classes) for classes in problems_of(measure, self.scores.labels)]
            parts = [part for _, part in split]
            made = np.zeros((len(self.names), draws))
            for start, p, t, rates in shared_rates(parts, self.weights, draws, [seed, stream]):
                made[t, start : start + len(rates.odds)] += split[p][0][t]._number(measure, rates, beyond=True)
            self._known.clear()  # one question at a time is asked, of every classifier
            self._known[key] = made / len(parts)
        return self._known[key]

    def _part(self, classes: TwoClasses) -> tuple[list[ScoredProblem], SharedPart]:
        if isinstance(classes, tuple):
            sides, kept = of_two_classes([self.scores.of(name) for name in self.names], *classes)
        else:
            two = self.scores.one_vs_rest(classes or self.scores.labels[1])
            sides, kept = [two.of(name) for name in self.names], np.arange(two.n)
        problems = [ScoredProblem(each) for each in sides]
        truth, place = sides[0].truth, self.weights.place[kept]
        cells = [grouped_counts(x.blocks, truth, place, len(self.weights.shape)) for x in problems]
        sizes = float((truth == 1).sum()), float((truth == 0).sum())
        if self.scores.group is not None:
            groups = grouped_counts(problems[0].blocks, truth, self.scores.group[kept], len(self.scores.group_names))
            sizes = weighed_groups(groups)
        alike = rank_correlation(truth, np.array([each.scores for each in sides]))
        areas = np.array([x.area for x in problems])
        return problems, SharedPart([x.blocks for x in problems], cells, areas, sizes, alike)


class ScoresMember(ScoresPosterior):
    """One classifier of several on the same cases."""

    def __init__(self, together: ScoresTogether, place: int) -> None:
        super().__init__(together.scores.of(together.names[place]))
        self._together, self._place = together, place

    @cached_property
    def test_set(self) -> object:
        return self._together

    @cached_property
    def forecasts(self) -> Forecasts:
        return Forecasts(self.scores, self._together.shared)

    def _of_curves(
        self, measures: Sequence[ScoreMeasure], draws: int, seed: int, stream: int
    ) -> dict[ScoreMeasure, Floats]:
        return {it: self._together.drawn(it, draws, seed, stream)[self._place] for it in measures}

    def beside(self, measure: Measure) -> str:
        return "many cases share weights" if self._together.weights.crowded else super().beside(measure)
