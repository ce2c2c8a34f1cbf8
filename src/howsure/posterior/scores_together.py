"""Several classifiers that scored the same cases: joint draws, with one weight a case for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.frozen import Frozen
from howsure.laws.draw_settings import DRAWS
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.curve_weights import grouped_counts, weighed_groups
from howsure.numerics.curves.shared_weights import (
    CaseWeights,
    SharedPart,
    rank_correlation,
    shared_rates,
    weights_of,
)
from howsure.posterior.forecast_knowledge import Forecasts, OfSameCases, SharedCases
from howsure.posterior.score_measures import ScoreMeasure, score_measure
from howsure.posterior.scored_cases import ScoredProblem, ScoresKnowledge, of_two_classes

#: Weights times draws, over all classifiers and problems, that are waited for; more take fewer draws.
PATIENCE = 4 * 10**8

#: Fewest draws of a difference.
FEWEST = 2_000


class ScoresTogether(OfSameCases, Frozen):
    """What scores of the same cases say about several classifiers jointly.

    Parameters
    ----------
    scores : Scores
        Of two classifiers or more.
    names : sequence of str, optional
        The classifiers that are asked about, in order; all of them if left out.

    Raises
    ------
    InvalidArgument
        A classifier that is not there, or is named twice.

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
        many = len(self._keys(score_measure(asked, self.scores.labels)))
        cost = len(self.names) * many * max(len(self.weights.shape), 100)
        return int(min(DRAWS, max(FEWEST, PATIENCE // cost // 1000 * 1000)))

    def drawn(self, measure: ScoreMeasure, draws: int, seed: int, stream: int) -> Floats:
        """Joint draws of a number of all classifiers, shape (T, M)."""
        key = measure.name, draws, seed, stream
        if key not in self._known:
            split = self._split(measure)
            parts = [part for _, part in split]
            made = np.zeros((len(self.names), draws))
            for start, p, t, rates in shared_rates(parts, self.weights, draws, [seed, stream]):
                made[t, start : start + len(rates.odds)] += split[p][0][t]._number(measure, rates, beyond=True)
            self._known.clear()  # one question at a time is asked, of every classifier
            self._known[key] = made / len(parts)
        return self._known[key]

    def _split(self, measure: ScoreMeasure) -> list[tuple[list[ScoredProblem], SharedPart]]:
        """The problems of two classes that a number is the mean of."""
        keys = self._keys(measure)
        return [self._of_class(key) if isinstance(key, str) else self._of_pair(*key) for key in keys]

    def _keys(self, measure: ScoreMeasure) -> Sequence[str | tuple[int, int]]:
        """Pairs of classes, or classes against all others."""
        size = len(self.scores.labels)
        if measure.over == "ovo":
            return [(i, j) for i in range(size) for j in range(size) if i != j]
        return self.scores.labels if measure.over == "ovr" else [measure.label or self.scores.labels[1]]

    def _of_class(self, label: str) -> tuple[list[ScoredProblem], SharedPart]:
        """One class against all others; of two classes the positive one against the other."""
        two = self.scores.one_vs_rest(label)
        return self._part([two.of(name) for name in self.names], np.arange(two.n))

    def _of_pair(self, one: int, other: int) -> tuple[list[ScoredProblem], SharedPart]:
        """One class against one other, by the scores of the first."""
        return self._part(*of_two_classes([self.scores.of(name) for name in self.names], one, other))

    def _part(self, sides: list[Scores], kept: NDArray[np.int64]) -> tuple[list[ScoredProblem], SharedPart]:
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


class ScoresMember(ScoresKnowledge):
    """One classifier of several on the same cases.

    Parameters
    ----------
    together : ScoresTogether
    place : int
        Which of them.
    """

    def __init__(self, together: ScoresTogether, place: int) -> None:
        super().__init__(together.scores.of(together.names[place]))
        self._together, self._place = together, place

    @cached_property
    def test_set(self) -> object:
        """Token of the data, which is that of all members."""
        return self._together

    @cached_property
    def forecasts(self) -> Forecasts:
        """The scores as probabilities, whose cases have the same weights as those of the other members."""
        return Forecasts(self.scores, self._together.shared)

    def _of_curves(
        self, measures: Sequence[ScoreMeasure], draws: int, seed: int, stream: int
    ) -> dict[ScoreMeasure, Floats]:
        return {it: self._together.drawn(it, draws, seed, stream)[self._place] for it in measures}

    def beside(self, measure: Measure) -> str:
        """How cases share weights, where they do."""
        return "many cases share weights" if self._together.weights.crowded else super().beside(measure)
