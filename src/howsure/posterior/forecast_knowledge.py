"""What is known of probabilities: their scores and their calibration, as a distribution asks for it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.frozen import Frozen
from howsure.laws import Draws, Law
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.calibration.weighted_losses import random_means
from howsure.posterior.distribution import Term
from howsure.posterior.forecast_problem import ForecastProblem, refuse_endless
from howsure.posterior.score_measures import CONFIDENCE, ScoreMeasure
from howsure.text import formats

__all__ = ["FORECAST_DRAWS", "ForecastKnowledge", "OfSameCases", "forecast_of"]

#: Draws where nobody says how many: a logistic fit, or a simulated test, is behind each.
FORECAST_DRAWS = {"mean": 20_000, "share": 20_000, "fit": 4_000, "biased": 4_000}


class OfSameCases:
    """Token of the cases of scores: numbers that are biased upwards have no joint law with others."""

    def combined(
        self, terms: Sequence[Term], constant: float, support: tuple[float, float], draws: int, seed: tuple[int, int]
    ) -> Draws | None:
        """None, for draws are joint ones; or a complaint."""
        for term in terms:
            if isinstance(term.measure, ScoreMeasure) and term.measure.kind.family == "biased":
                raise InvalidArgument(
                    f"{term.measure.name} is known by itself and not together with other numbers of the same cases, so "
                    "there is no difference and no sum of them"
                )
        return None


def forecast_of(scores: Scores, label: str | None) -> ForecastProblem:
    """Probabilities of one event: of the positive class, of one of K, or of being right ("confidence").

    Raises
    ------
    InvalidArgument
        Scores that are no probabilities.
    """
    values = scores.scores
    low, high = float(values.min()), float(values.max())
    if low < 0 or high > 1:
        raise InvalidArgument(
            f"calibration is about probabilities, from 0 to 1, and these scores go from {low:g} to {high:g}. Give "
            "predict_proba(X), or turn them into probabilities on other cases first "
            "(sklearn.calibration.CalibratedClassifierCV); areas and curves take them as they are"
        )
    if values.ndim == 1:
        return ForecastProblem(scores.truth == 1, values, scores.group)
    if label == CONFIDENCE:
        called = values.argmax(axis=1)
        return ForecastProblem(called == scores.truth, values.max(axis=1), scores.group)
    i = scores.labels.index(str(label))
    return ForecastProblem(scores.truth == i, np.ascontiguousarray(values[:, i]), scores.group)


class ForecastKnowledge(Frozen):
    """What is known of the probabilities of one classifier.

    Parameters
    ----------
    scores : Scores
    test_set : object
        Token of the cases.
    prior : str
        What outputs call the prior: "centred", "flat" or "none".
    """

    held_at = ""

    def __init__(self, scores: Scores, test_set: object, prior: str) -> None:
        self._scores, self._test_set, self._prior = scores, test_set, prior

    @property
    def prior_name(self) -> str:
        """What outputs call the prior."""
        return self._prior

    @property
    def test_set(self) -> object:
        """Token of the data."""
        return self._test_set

    @property
    def about_groups(self) -> str:
        """Which groups numbers are about, in words."""
        return "" if self._scores.group is None else "new groups"

    @cached_property
    def _problems(self) -> dict[str | None, ForecastProblem]:
        return {}

    def problem(self, label: str | None) -> ForecastProblem:
        """Probabilities of one event."""
        if label not in self._problems:
            self._problems[label] = forecast_of(self._scores, label)
        return self._problems[label]

    def exact_law(self, measure: Measure) -> Law | None:
        """None: all are drawn."""
        return None

    def drawn(self, measures: Sequence[Measure], draws: int, seed: int, stream: int) -> list[NDArray[np.float64]]:
        """Random values; those of means and fits have the same weights of groups."""
        return [
            self._values(measure, draws, [seed, stream]) for measure in measures if isinstance(measure, ScoreMeasure)
        ]

    def _values(self, measure: ScoreMeasure, draws: int, seed: list[int]) -> Floats:
        if not self._of_all(measure):
            return self.problem(measure.label).drawn(measure, draws, seed)
        losses = self._losses(measure)
        if measure.kind.name == "log_loss":
            refuse_endless(losses)
        return random_means(losses, lambda m, rng: self._imagined(measure, m, rng), draws, seed, self._scores.group)

    def _of_all(self, measure: ScoreMeasure) -> bool:
        """Whether the number is about all of three classes or more at once."""
        return len(self._scores.labels) > 2 and measure.label is None

    def _losses(self, measure: ScoreMeasure) -> Floats:
        """Brier score, summed over classes, or log loss, of each case."""
        forecast_of(self._scores, CONFIDENCE)  # complains of what is no probability
        return _all_losses(measure.kind.name, self._scores.scores, self._scores.truth)

    def _imagined(self, measure: ScoreMeasure, size: int, rng: np.random.Generator) -> Floats:
        """Losses of pseudo-cases; see `ForecastProblem`."""
        p = self._scores.scores[rng.integers(0, self._scores.n, size)]
        h, classes = float(np.sqrt(self._scores.n)), p.shape[1]
        chance = h * p + 1 / classes
        if measure.kind.name == "log_loss":
            chance = np.where(p > 0, chance, 0.0)
        total = np.cumsum(chance, axis=1)
        came = (rng.random(size)[:, None] * total[:, -1:] >= total[:, :-1]).sum(axis=1)
        return _all_losses(measure.kind.name, p, came)

    def observed(self, measure: Measure) -> float | None:
        """Value on the cases."""
        assert isinstance(measure, ScoreMeasure)
        if self._of_all(measure):
            return float(self._losses(measure).mean())
        return self.problem(measure.label).observed(measure)

    def chance(self, measure: Measure) -> float | None:
        """Value of forecasts that always say how frequent the event is; None where that is no yardstick."""
        assert isinstance(measure, ScoreMeasure)
        name = measure.kind.name
        if name not in ("brier_score", "log_loss"):
            return None
        if self._of_all(measure):
            shares = self._scores.class_sizes / self._scores.n
            return float(1 - (shares**2).sum() if name == "brier_score" else -xlogy(shares, shares).sum())
        share = float(self.problem(measure.label).event.mean())
        return (
            share * (1 - share) if name == "brier_score" else float(-xlogy(share, share) - xlogy(1 - share, 1 - share))
        )

    def beside(self, measure: Measure) -> str:
        """What noise alone would show, where it can only add."""
        assert isinstance(measure, ScoreMeasure)
        if measure.kind.family != "biased":
            return ""
        shown = self.problem(measure.label).by_chance(measure)
        who = "empty" if measure.kind.name.endswith("dsc") else "calibrated"
        return f"{who} forecasts would show {formats.number(shown, 3 if shown >= 0.01 else 4)}"


def _all_losses(name: str, p: Floats, truth: NDArray[np.int64]) -> Floats:
    at = p[np.arange(len(p)), truth]
    if name == "log_loss":
        return np.asarray(-xlogy(1.0, at))
    return np.asarray((p**2).sum(axis=1) - 2 * at + 1)


def not_elsewhere(prevalence: float | None, name: str) -> None:
    """Complain where calibration is asked of another share of events than that of the cases."""
    if prevalence is not None:
        raise InvalidArgument(
            f"{excerpt(name)} is about the share of events among these cases, for calibration changes with it; leave "
            "prevalence out, or test on cases from there"
        )
