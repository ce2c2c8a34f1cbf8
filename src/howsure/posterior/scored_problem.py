"""Scores of two classes as a problem of weights: blocks, random curves, and numbers of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument
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
    DrawnRates,
    GroupedCounts,
    grouped_counts,
    random_rates,
    weighed_groups,
)
from howsure.numerics.curves.score_blocks import ScoreBlocks, score_blocks
from howsure.posterior.score_measures import ScoreMeasure

__all__ = ["ScoredProblem"]


class ScoredProblem:
    """Two classes and one score.

    Parameters
    ----------
    scores : Scores
        Of two classes and one classifier.
    joint : bool
        Whether weights are those of cases and not of blocks, so that other problems with the same cases share them.
    kept : ndarray of int, optional
        Place of the weight of each case among all weights, where they are other cases' as well (``joint``).
    size : int, optional
        Number of all weights.
    """

    def __init__(
        self, scores: Scores, *, joint: bool = False, kept: Integers | None = None, size: int | None = None
    ) -> None:
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
        elif joint:
            place = np.arange(scores.n) if kept is None else kept
            self.grouped = grouped_counts(self.blocks, scores.truth, place, size or scores.n)

    @classmethod
    def of_pair(cls, scores: Scores, one: int, other: int) -> ScoredProblem:
        """Cases of two of K classes, by the scores of the first, which is positive."""
        kept = np.flatnonzero((scores.truth == one) | (scores.truth == other))
        labels = f"not {scores.labels[one]}", scores.labels[one]
        truth = (scores.truth[kept] == one).astype(np.int64)
        made = Scores(np.array(labels)[truth], scores.scores[kept, one], labels=labels, positive=labels[1])
        if scores.group is not None:
            return cls(made, joint=True, kept=scores.group[kept], size=len(scores.group_names))
        return cls(made, joint=True, kept=kept, size=scores.n)

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


def _padded(values: Floats, ends: float) -> Floats:
    return np.concatenate(([ends], values, [ends]))
