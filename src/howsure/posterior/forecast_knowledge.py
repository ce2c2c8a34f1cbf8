"""What is known of probabilities, their scores and calibration: numbers on the cases, random values, distributions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit, xlogy

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.frozen import kept
from howsure.laws import Draws
from howsure.laws.law import SEED
from howsure.metrics import Measure
from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
from howsure.numerics.calibration import (
    ForecastCells,
    Loss,
    Statistic,
    bins_of,
    confidence_draws,
    fitted,
    forecast_cells,
    intercepts,
    isotonic,
    least_error,
    least_rise,
    part_of_many,
    parts,
    random_means,
    shrunken_gaps,
    simulated_counts,
    weighed_cells,
)
from howsure.posterior.distribution import Term
from howsure.posterior.score_measures import CONFIDENCE, ScoreMeasure
from howsure.text import formats

#: Cells of neighbouring forecasts behind simulated tests, and behind recalibration.
SIMULATED_CELLS, FITTED_CELLS = 200, 300

#: Cases of the rarer class from which on there is a slope: of 5 to 14, the 98.75% interval of calibrated forecasts
#: left out 1 in 4 to 17% of tests, of 15 to 19 in 4%, of 20 and more in 1.4% (150 tests each of 8 to 100 cases).
SLOPE_CASES = 20

#: Simulated tests of calibrated forecasts, for what they show on average.
CALIBRATED = 400


class SharedCases(NamedTuple):
    """What forecasts of several classifiers for the same cases have in common: weights, and truths of pseudo-cases."""

    place: Integers
    likely: Floats


class ForecastProblem:
    """Probabilities of one event, and in which cases it was."""

    def __init__(
        self, event: Booleans, p: Floats, group: Integers | None = None, shared: SharedCases | None = None
    ) -> None:
        self.event, self.p, self.group = event, p, group
        self.place: Integers | None = None if shared is None else shared.place
        self.likely = p if shared is None else shared.likely

    @cached_property
    def cells(self) -> ForecastCells:
        return forecast_cells(self.event, self.p)

    @property
    def units(self) -> float:
        return float(len(self.p) if self.group is None else int(self.group.max()) + 1)

    # -- on the cases ---------------------------------------------------------------------------------------

    def observed(self, measure: ScoreMeasure) -> float:
        name = measure.kind.name
        if measure.kind.family == "mean":
            return float(self._losses(name).mean())
        if name == "ece":
            statistic, _, cells = self._binned(measure)
            return _seen(statistic, cells)
        if measure.kind.family in ("biased", "share"):
            loss, part = _parted(name)
            self._finite_log(loss, name)
            return parts(self.cells.mean, self.cells.rate, self.cells.cases, loss)[part]
        self.refuse_logits(name)
        x, cases, events = logit(self.cells.mean), self.cells.cases[None, :], self.cells.events[None, :]
        if name == "calibration_intercept":
            return float(intercepts(x, cases.astype(float), events.astype(float))[0])
        self._refuse_slope()
        return float(fitted(x, cases.astype(float), events.astype(float))[1][0])

    def _losses(self, name: str) -> Floats:
        return _losses_of(name, self.event, self.p)

    # -- random values --------------------------------------------------------------------------------------

    def drawn(self, measure: ScoreMeasure, draws: int, seed: list[int]) -> Floats:
        name, family = measure.kind.name, measure.kind.family
        if family == "mean":
            losses = self._losses(name)
            if name == "log_loss":
                refuse_endless(losses)
            return random_means(
                losses, lambda m, rng: self._imagined(name, m, rng), draws, seed, self.group, self.place
            )
        if family == "fit":
            self.refuse_logits(name)
            return self._fits(name, draws, seed)
        if family == "share":
            return entropy_or_variance(self._share(draws, seed), name)
        if self.group is not None:
            raise InvalidArgument(
                f"{measure.name} takes cases for independent, and these come in groups; brier_score, log_loss, "
                "calibration_in_the_large, calibration_intercept and calibration_slope allow for it"
            )
        return self._confident(measure, draws, seed)

    def _imagined(self, name: str, size: int, rng: np.random.Generator) -> Floats:
        """Losses of pseudo-cases: forecasts as they were seen, and the event by them, a little nearer to one half."""
        at = rng.integers(0, len(self.p), size)
        p = self.p[at]
        h = np.sqrt(self.units)
        came = rng.random(size) < (h * self.likely[at] + 0.5) / (h + 1)
        if name == "log_loss":  # what was called impossible does not come
            came = np.where((p == 0) | (p == 1), p == 1, came)
        return _losses_of(name, came, p)

    def _fits(self, name: str, draws: int, seed: list[int]) -> Floats:
        cells = forecast_cells(self.event, self.p, FITTED_CELLS)
        x = bincount(cells.place, logit(self.p)) / cells.cases
        if name == "calibration_slope":
            self._refuse_slope()
        made = np.empty(draws)
        groups = 1 if self.group is None else int(self.units)
        step = max(1, 2_000_000 // max(len(cells), groups))
        for turn, start in enumerate(range(0, draws, step)):
            some = min(step, draws - start)
            weights = weighed_cells(cells, some, [*seed, turn], self.event.astype(np.int64), self.group)
            made[start : start + some] = (
                intercepts(x, *weights) if name != "calibration_slope" else fitted(x, *weights)[1]
            )
        return made

    def _share(self, draws: int, seed: list[int]) -> Floats:
        """Share of events: a Beta of the flat prior, or by weights of groups."""
        if self.group is None:
            events = float(self.event.sum())
            return np.random.default_rng(seed).beta(events + 1, len(self.p) - events + 1, draws)
        middle = self.event.mean()
        return random_means(self.event.astype(float), lambda m, rng: np.full(m, middle), draws, seed, self.group)

    def _confident(self, measure: ScoreMeasure, draws: int, seed: list[int]) -> Floats:
        statistic, towards, base, cells = self._simulable(measure)
        seen = _seen(statistic, cells)
        values = confidence_draws(cells.cases, base, towards, statistic, seen, draws, seed)
        # in an order that says nothing, as other draws have
        return np.random.default_rng([*seed, 9]).permutation(values)

    def by_chance(self, measure: ScoreMeasure, seed: int = SEED) -> float:
        """What perfect forecasts (or, for discrimination, empty ones) show on average, in a test like this one."""
        statistic, _, base, cells = self._simulable(measure)
        n, k = simulated_counts(cells.cases, base, CALIBRATED, np.random.default_rng([seed, 11]))
        return float(statistic(n.astype(float), k.astype(float)).mean())

    def _simulable(self, measure: ScoreMeasure) -> tuple[Statistic, Floats, Floats, ForecastCells]:
        """Number of a test, chances where it is as it was seen and where it is 0, and the cells of both."""
        if measure.kind.name == "ece":
            binned, towards, cells = self._binned(measure)
            return binned, towards, cells.mean, cells
        loss, part = _parted(measure.kind.name)
        self._finite_log(loss, measure.kind.name)
        cells = forecast_cells(self.event, self.p, SIMULATED_CELLS)

        def statistic(n: Floats, k: Floats) -> Floats:
            return part_of_many(cells.mean, n, k, loss, part)

        base = cells.mean if part == 0 else np.full(len(cells), self.event.mean())
        towards = isotonic(cells.rate, cells.cases)
        if part == 0:
            starts = np.flatnonzero(np.diff(towards, prepend=-1.0))
            towards = least_error(base, towards, cells.cases, cells.events, starts)
        elif part == 1:
            towards = least_rise(base, towards, cells.cases)
        return statistic, towards, base, cells

    def _binned(self, measure: ScoreMeasure) -> tuple[Statistic, Floats, ForecastCells]:
        """Calibration error of a test, chances of events where it is as it was seen, and the cells of both."""
        assert measure.at is not None
        bins = bins_of(self.p, int(measure.at), str(measure.kind.at))
        cells = forecast_cells(self.event, self.p, SIMULATED_CELLS, bins)
        of = np.empty(len(cells), dtype=np.int64)
        of[cells.place] = bins
        starts = np.concatenate(([0], np.flatnonzero(np.diff(of)) + 1))

        def statistic(n: Floats, k: Floats) -> Floats:
            gaps = np.abs(np.add.reduceat(k - n * cells.mean, starts, axis=1))
            return np.asarray(gaps.sum(axis=1) / n.sum(axis=1))

        sizes = np.diff(np.append(starts, len(cells)))
        n, k = np.add.reduceat(cells.cases, starts), np.add.reduceat(cells.events, starts)
        gaps = shrunken_gaps(n, k, np.add.reduceat(cells.cases * cells.mean, starts))
        towards = least_error(cells.mean, cells.mean + repeat(gaps, sizes), cells.cases, cells.events, starts)
        return statistic, towards, cells

    # -- what does not exist --------------------------------------------------------------------------------

    def refuse_logits(self, name: str) -> None:
        """Complain where a forecast has no logit."""
        ends = int(((self.p <= 0) | (self.p >= 1)).sum())
        if ends:
            raise InvalidArgument(
                f"{name} is on the logit scale, and {ends} of {len(self.p)} probabilities are exactly 0 or 1, which "
                "have no logit; keep more digits, or say where you cut them: np.clip(p, 0.001, 0.999)"
            )

    def _refuse_slope(self) -> None:
        low, high = float(self.p.min()), float(self.p.max())
        if low == high:
            raise InvalidArgument(
                f"all probabilities are {low:g}, so there is no calibration_slope; ask calibration_in_the_large"
            )
        for one, other in ((self.event, ~self.event), (~self.event, self.event)):
            if self.p[one].min() > self.p[other].max():
                raise InvalidArgument(
                    "the probabilities tell the classes apart without an error, so any calibration_slope is too "
                    "small for these cases; ask brier_score, or test with more cases"
                )
        few = int(min(self.event.sum(), (~self.event).sum()))
        if few < SLOPE_CASES:
            raise InvalidArgument(
                f"too few cases for a calibration_slope, {few} of the rarer of the event and its absence: slopes of "
                f"such tests come out too large. Ask calibration_in_the_large, or test until there are {SLOPE_CASES}"
            )

    def _finite_log(self, loss: Loss, name: str) -> None:
        if loss == "log" and name != "log_loss_unc" and bool(((self.p <= 0) | (self.p >= 1)).any()):
            raise InvalidArgument(
                f"{name} is infinite as soon as a probability of exactly 0 or 1 is wrong, and "
                f"{int(((self.p <= 0) | (self.p >= 1)).sum())} of {len(self.p)} are such; ask the parts of brier_score"
            )


def _losses_of(name: str, event: Booleans, p: Floats) -> Floats:
    if name == "brier_score":
        return np.asarray((p - event) ** 2, dtype=np.float64)
    if name == "log_loss":
        return np.asarray(-xlogy(1.0, np.where(event, p, 1 - p)), dtype=np.float64)
    return np.asarray(event - p, dtype=np.float64)


def _seen(statistic: Statistic, cells: ForecastCells) -> float:
    """A number of the cases themselves."""
    return float(statistic(cells.cases[None, :].astype(float), cells.events[None, :].astype(float))[0])


def _parted(name: str) -> tuple[Loss, int]:
    loss, _, part = name.rpartition("_")
    return ("brier" if loss == "brier" else "log"), ("mcb", "dsc", "unc").index(part)


def entropy_or_variance(share: Floats, name: str) -> Floats:
    """Uncertainty of a share of events: of the Brier score, or of the log loss."""
    if name.startswith("brier"):
        return share * (1 - share)
    return np.asarray(-xlogy(share, share) - xlogy(1 - share, 1 - share))


def refuse_endless(losses: Floats) -> None:
    """Complain of a log loss that is infinite, or would be with the first case that is wrong."""
    wrong = int(np.isinf(losses).sum())
    if not wrong and losses.any():
        return
    happened = (
        f"log_loss is infinite: in {wrong} of {len(losses)} cases what happened had a probability of exactly 0"
        if wrong
        else "log_loss is 0 or infinite: all probabilities are exactly 0 or 1, and so far none was wrong"
    )
    raise InvalidArgument(
        f"{happened}. Ask brier_score, or let the classifier leave a rest to every class and say so: "
        "np.clip(p, 0.001, 0.999)"
    )


#: Draws where nobody says how many: a logistic fit, or a simulated test, is behind each.
FORECAST_DRAWS = {"mean": 20_000, "share": 20_000, "fit": 4_000, "biased": 4_000}


class OfSameCases:
    """Token of the cases of scores: numbers that are biased upwards have no joint law with others."""

    def combined(
        self, terms: Sequence[Term], constant: float, support: tuple[float, float], draws: int, seed: tuple[int, int]
    ) -> Draws | None:
        """None, for draws are joint ones; or a complaint."""
        refuse_together([term.measure for term in terms])
        return None


def refuse_together(measures: Sequence[Measure]) -> None:
    """Refuse a number that is known by itself only, where it is asked together with others of the same cases."""
    for measure in measures:
        if isinstance(measure, ScoreMeasure) and measure.kind.family == "biased":
            raise InvalidArgument(
                f"{measure.name} is known by itself and not together with other numbers of the same cases, so "
                "there is no difference and no sum of them"
            )


def forecast_of(scores: Scores, label: str | None, shared: SharedCases | None = None) -> ForecastProblem:
    """Probabilities of one event: of the positive class, of one of K, or of being right ("confidence")."""
    values = scores.scores
    low, high = float(values.min()), float(values.max())
    if low < 0 or high > 1:
        raise InvalidArgument(
            f"calibration is about probabilities, from 0 to 1, and these scores go from {low:g} to {high:g}. Give "
            "predict_proba(X), or turn them into probabilities on other cases first "
            "(sklearn.calibration.CalibratedClassifierCV); areas and curves take them as they are"
        )
    if values.ndim == 1:
        return ForecastProblem(scores.truth == 1, values, scores.group, shared)
    if label == CONFIDENCE:
        event, p = values.argmax(axis=1) == scores.truth, values.max(axis=1)
        return ForecastProblem(event, p, scores.group, shared and SharedCases(shared.place, p))
    i = scores.labels.index(str(label))
    shared = shared and SharedCases(shared.place, shared.likely[:, i])
    return ForecastProblem(scores.truth == i, np.ascontiguousarray(values[:, i]), scores.group, shared)


class Forecasts:
    """The probabilities of one classifier: of each event, or of all classes at once."""

    def __init__(self, scores: Scores, shared: SharedCases | None = None) -> None:
        self._scores, self._shared = scores, shared

    @kept
    def problem(self, label: str | None) -> ForecastProblem:
        return forecast_of(self._scores, label, self._shared)

    def drawn(self, measure: ScoreMeasure, draws: int, seed: list[int]) -> Floats:
        """Random values; those of means have the same weights of cases, or groups."""
        if not self._of_all(measure):
            return self.problem(measure.label).drawn(measure, draws, seed)
        losses, group = self._losses(measure), self._scores.group
        place = None if self._shared is None else self._shared.place
        if measure.kind.name == "log_loss":
            refuse_endless(losses)
        return random_means(losses, lambda m, rng: self._imagined(measure, m, rng), draws, seed, group, place)

    def _of_all(self, measure: ScoreMeasure) -> bool:
        """Whether the number is about all of three classes or more at once."""
        return len(self._scores.labels) > 2 and measure.label is None

    def _losses(self, measure: ScoreMeasure) -> Floats:
        """Brier score, summed over classes, or log loss, of each case."""
        forecast_of(self._scores, CONFIDENCE)  # complains of what is no probability
        return _all_losses(measure.kind.name, self._scores.scores, self._scores.truth)

    def _imagined(self, measure: ScoreMeasure, size: int, rng: np.random.Generator) -> Floats:
        """Losses of pseudo-cases; see `ForecastProblem`."""
        at = rng.integers(0, self._scores.n, size)
        p, likely = self._scores.scores[at], (self._scores.scores if self._shared is None else self._shared.likely)[at]
        h, classes = float(np.sqrt(self._scores.n)), p.shape[1]
        chance = h * likely + 1 / classes
        if measure.kind.name == "log_loss":
            chance = np.where(p > 0, chance, 0.0)
        total = np.cumsum(chance, axis=1)
        came = (rng.random(size)[:, None] * total[:, -1:] >= total[:, :-1]).sum(axis=1)
        return _all_losses(measure.kind.name, p, came)

    def observed(self, measure: ScoreMeasure) -> float:
        if self._of_all(measure):
            return float(self._losses(measure).mean())
        return self.problem(measure.label).observed(measure)

    def chance(self, measure: ScoreMeasure) -> float | None:
        """Value of forecasts that always say how frequent the event is; None where that is no yardstick."""
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

    def beside(self, measure: ScoreMeasure) -> str:
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
