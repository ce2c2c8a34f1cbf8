"""The reliability diagram: how often the event comes where a probability is said, with bands, and bins as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Unpack, get_args

import numpy as np

from howsure.answers.asking import Ask, Asking, spelled
from howsure.answers.fields import Keyed
from howsure.answers.sheet import Sheet
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, UnknownLabel, excerpt, listing
from howsure.errors.arguments import number, one_of
from howsure.knowledge.protocol import Answered
from howsure.laws import Beta
from howsure.numerics.calibration import MOST_GROUPS, bins_of, consistency_curves, forecast_cells, isotonic, rising_band
from howsure.numerics.curves.curve_numbers import simultaneous
from howsure.posterior.forecast_knowledge import ForecastProblem, forecast_of
from howsure.posterior.score_measures import CONFIDENCE, MOST_BINS
from howsure.text import formats
from howsure.text.svg import rising

__all__ = ["BAND_DRAWS", "CalibrationBin", "CalibrationCurve", "calibration_curve", "event_of"]

#: Simulated tests behind both bands.
BAND_DRAWS = 1000

#: Cells of neighbouring probabilities of isotonic curves, and points of a curve: even in p, and even in rank.
BAND_CELLS, POINTS = 1000, 51

Strategy = Literal["quantile", "uniform"]


@dataclass(frozen=True)
class CalibrationBin(Keyed):
    """Cases with neighbouring probabilities.

    Attributes
    ----------
    least, most : float
        Smallest and largest probability in it.
    predicted : float
        Mean probability.
    n, events : int
        Cases, and those in which the event came.
    observed : float
        Share of these.
    mean, low, high : float
        Of the exact law of the share, a Beta with the flat prior.
    """

    least: float
    most: float
    predicted: float
    n: int
    events: int
    observed: float
    mean: float
    low: float
    high: float


FIELDS = """
event sizes level interval=kind x observed low high band_low band_high calibrated_low calibrated_high leaves strategy
bins draws seed verdict=sentence notes
"""
CSV = "bins[least most predicted n events observed mean low high]"


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationCurve(Answered, json="calibration_curve", fields=FIELDS, csv=CSV):
    """A reliability diagram; made by `calibration_curve`.

    Attributes
    ----------
    event : str
        The positive class, one of K classes, or "confidence": the predicted class is the true one.
    x : tuple of float
        Probabilities, from the smallest that was said to the largest.
    observed : tuple of float
        Share of the event at each, by isotonic regression (CORP).
    low, high : tuple of float
        Interval of the true share at each point by itself.
    band_low, band_high : tuple of float
        Band that holds all of the true curve, if it rises.
    calibrated_low, calibrated_high : tuple of float
        Where all of the isotonic curve of calibrated forecasts lies.
    bins : tuple of CalibrationBin
    strategy : "quantile" or "uniform"
        Bins with as many cases each, or equally wide.
    sizes : (int, int)
        Cases without the event, and with it.
    level, kind : float, "hdi" or "central"
        Of bands and intervals, and the kind of the intervals of bins.
    draws, seed : int
        Simulated tests behind the bands.
    """

    event: str
    x: tuple[float, ...]
    observed: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    band_low: tuple[float, ...]
    band_high: tuple[float, ...]
    calibrated_low: tuple[float, ...]
    calibrated_high: tuple[float, ...]
    bins: tuple[CalibrationBin, ...]
    strategy: Strategy
    sizes: tuple[int, int]
    ask: Ask

    @property
    def leaves(self) -> float | None:
        """The first probability at which the curve lies outside of where calibrated forecasts would; None if none."""
        ends = zip(self.x, self.calibrated_low, self.observed, self.calibrated_high, strict=True)
        return next((x for x, low, y, high in ends if not low - 1e-9 <= y <= high + 1e-9), None)

    @property
    def sentence(self) -> str:
        """The answer in one sentence or two."""
        cases = formats.several(sum(self.sizes), "case")
        i = self._typical
        told = (
            f"Where {self.x[i]:.2f} is said, between {formats.number(self.low[i], 2)} and "
            f"{formats.number(self.high[i], 2)} of the cases {event_words(self.event)}."
        )
        if self.leaves is None:
            return f"{cases}: the curve lies where that of calibrated probabilities would. {told}"
        return f"The curve leaves where that of calibrated probabilities lies at {self.leaves:.2f} ({cases}). {told}"

    @property
    def _typical(self) -> int:
        """The point nearest to the mean probability."""
        mean = sum(row.n * row.predicted for row in self.bins) / sum(self.sizes)
        return min(range(len(self.x)), key=lambda i: abs(self.x[i] - mean))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        name = formats.level_words(self.level)
        how = "as many cases each" if self.strategy == "quantile" else "equally wide"
        return (
            f"Bins ({how}): exact Beta distribution of the share in each, flat prior. A bin is about the mean of its "
            "cases.",
            f"Curve: isotonic regression (CORP). Interval: {name} at one probability by itself; band: all of the true "
            f"curve lies in it in {name} of tests, if it rises. Calibrated: of calibrated probabilities, all of the "
            f"isotonic curve lies there in {name} of tests. {formats.integer(self.draws)} simulated tests, seed "
            f"{self.seed}.",
        )

    def sheet(self) -> Sheet:
        """The bins as cells of text."""
        header = ("predicted", "cases", "events", "observed", "mean", self._interval_name)
        left = f"{formats.integer(len(self.x))} points of the curve with its bands in --json."
        return Sheet(self.sentence, header, tuple(map(_cells, self.bins)), self.notes, left_out=left)

    def picture(self) -> str:
        """The diagram as SVG."""
        bands = ((self.band_low, self.band_high), (self.low, self.high))
        return rising(
            self.x,
            self.observed,
            bands,
            chance=((0.0, 0.0), (1.0, 1.0)),
            axes=("predicted probability", "observed share"),
            title=self.sentence,
            under=(self.calibrated_low, self.calibrated_high),
            points=[(row.predicted, row.low, row.observed, row.high) for row in self.bins],
        )


@spelled(Asking, draws=BAND_DRAWS)
def calibration_curve(
    scores: Scores,
    of: str | None = None,
    *,
    bins: int = 10,
    strategy: Strategy = "quantile",
    **how: Unpack[Asking],
) -> CalibrationCurve:
    """The share of events against the probability that was said, with bands, and bins as rows.

    Parameters
    ----------
    scores : Scores
        Probabilities of one classifier.
    of : str, optional
        Of three classes or more: one class, or "confidence", which is the default (the probability of the class that
        is called, and whether it is the true one). Of two the positive class.
    bins : int
        1 to 1,000. Only the rows are about bins; the curve has none.
    strategy : "quantile" or "uniform"
        As many cases each, or equally wide; as scikit-learn's `calibration_curve`.
    level, kind : float, "hdi" or "central"
        Of bands and intervals, and the kind of the intervals of bins.
    draws, seed : int
        Simulated tests behind the bands.

    Raises
    ------
    InvalidArgument
        Scores that are no probabilities, several classifiers, cases in groups, bins that cannot be.
    UnknownLabel
        No such class.

    Notes
    -----
    Dimitriadis, Gneiting and Jordan 2021 (CORP); the band of the true curve is that of Dimitriadis et al. 2023 with
    its level found by simulation. ``docs/curves.md`` has what both hold.

    Examples
    --------
    >>> scores = Scores([0, 0, 0, 1, 0, 1, 1, 1], [0.1, 0.1, 0.4, 0.4, 0.6, 0.6, 0.9, 0.9])
    >>> made = calibration_curve(scores, bins=2, draws=200)
    >>> [(row.predicted, row.n, row.events, round(row.mean, 2)) for row in made.bins]
    [(0.25, 4, 1, 0.33), (0.75, 4, 3, 0.67)]
    """
    ask = Ask.of(how)
    event = event_of(scores, of, "calibration_curve()")
    problem = forecast_of(scores, event)
    if problem.group is not None:
        raise InvalidArgument(
            "calibration_curve() takes cases for independent, and these come in groups; infer(scores).of("
            "'calibration_slope') and 'calibration_in_the_large' allow for it"
        )
    bins = checked_bins(bins)
    one_of(strategy, get_args(Strategy), "strategy")
    low, high = float(problem.p.min()), float(problem.p.max())
    ranks = np.linspace(0, len(problem.p) - 1, POINTS).astype(np.int64)
    x = np.unique(np.concatenate((np.sort(problem.p)[ranks], np.linspace(low, high, POINTS))))
    few = forecast_cells(problem.event, problem.p, BAND_CELLS)
    expected = consistency_curves(few, ask.draws, np.random.default_rng([ask.seed, 21]))
    expected = np.array([np.interp(x, few.mean, row) for row in expected])
    calibrated_low, calibrated_high = simultaneous(expected, expected, ask.level)
    groups = forecast_cells(problem.event, problem.p, MOST_GROUPS)
    band = rising_band(groups, x, ask.level, ask.draws, np.random.default_rng([ask.seed, 22]))
    observed = np.interp(x, few.mean, isotonic(few.rate, few.cases))
    rows = _bins(problem, bins, strategy, ask)
    events = int(problem.event.sum())
    columns = {
        "x": x, "observed": observed, "low": band.low, "high": band.high, "band_low": band.band_low,
        "band_high": band.band_high, "calibrated_low": calibrated_low, "calibrated_high": calibrated_high,
    }  # fmt: skip
    return CalibrationCurve(
        event=event, bins=rows, strategy=strategy, sizes=(len(problem.p) - events, events), ask=ask,
        **{name: tuple(column.tolist()) for name, column in columns.items()},
    )  # fmt: skip


def _bins(problem: ForecastProblem, bins: int, strategy: Strategy, ask: Ask) -> tuple[CalibrationBin, ...]:
    of = bins_of(problem.p, bins, strategy)
    made = []
    for b in np.unique(of).tolist():
        p, event = problem.p[of == b], problem.event[of == b]
        n, events = len(p), int(event.sum())
        law = Beta(events + 1, n - events + 1)
        ends = law.interval(ask.level, ask.kind)
        made.append(
            CalibrationBin(
                float(p.min()), float(p.max()), float(p.mean()), n, events, events / n, law.mean, ends.low, ends.high
            )
        )
    return tuple(made)


def event_of(scores: Any, of: str | None, asked: str) -> str:
    """Which event probabilities are about, by name.

    Raises
    ------
    InvalidArgument, UnknownLabel
        No scores, several classifiers, another class than the positive one of two, no such class.
    """
    if not isinstance(scores, Scores):
        raise InvalidArgument(
            f"{asked} takes Scores, not {type(scores).__name__}; make them with howsure.Scores(y_true, y_score)"
        )
    if len(scores.names) > 1:
        raise InvalidArgument(
            f"{asked} is about one classifier, and these are the scores of {listing(map(excerpt, scores.names))}; "
            f"say scores.of({excerpt(scores.names[0])})"
        )
    if len(scores.labels) == 2:
        if of not in (None, scores.labels[1]):
            raise InvalidArgument(
                f"the probabilities are those of {excerpt(scores.labels[1])}, and nothing else is asked of two "
                f"classes; leave of={excerpt(of)} out"
            )
        return scores.labels[1]
    if of is None:
        return CONFIDENCE
    if of not in (*scores.labels, CONFIDENCE):
        raise UnknownLabel(str(of), (*scores.labels, CONFIDENCE))
    return of


def event_words(event: str) -> str:
    """What cases do in which the event comes."""
    return "are predicted correctly" if event == CONFIDENCE else f"are {formats.plain(repr(event))}"


def checked_bins(bins: int) -> int:
    """The number of bins, or a complaint."""
    found = number(bins)
    if found != found or found != int(found) or not 1 <= found <= MOST_BINS:
        raise InvalidArgument(f"bins is an integer from 1 to {MOST_BINS}, not {excerpt(bins)}")
    return int(found)


def _cells(row: CalibrationBin) -> tuple[str, ...]:
    places = max(2, formats.decimals(row.low, row.high))
    return (
        f"{row.predicted:.3f}",
        formats.integer(row.n),
        formats.integer(row.events),
        f"{row.observed:.3f}",
        formats.number(row.mean, places),
        formats.interval(row.low, row.high, places),
    )
