"""Whether probabilities hold: the reliability diagram with bands and bins, and scores of calibration in one answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack, get_args

import numpy as np

from howsure.answers.asking import Ask, Asking, Showing, picked, spelled
from howsure.answers.fields import Keyed, interval_cells
from howsure.answers.sheet import Sheet
from howsure.data.scores import Scores, scores_of_one
from howsure.errors import InvalidArgument, UnknownLabel, excerpt
from howsure.errors.arguments import number, one_of
from howsure.knowledge.protocol import Answered
from howsure.laws import Beta
from howsure.laws.law import Kind
from howsure.numerics.calibration import MOST_GROUPS, bins_of, consistency_curves, forecast_cells, isotonic, rising_band
from howsure.numerics.curves.curve_numbers import simultaneous
from howsure.posterior.distribution import Distribution
from howsure.posterior.forecast_knowledge import SLOPE_CASES, ForecastProblem, forecast_of
from howsure.posterior.posterior import infer
from howsure.posterior.score_measures import CONFIDENCE, MOST_BINS
from howsure.text import formats
from howsure.text.svg import rising

#: Simulated tests behind both bands.
BAND_DRAWS = 1000

#: Cells of neighbouring probabilities of isotonic curves, and points of a curve: even in p, and even in rank.
BAND_CELLS, POINTS = 1000, 51

#: Of a curve: the axis, what was observed, both bands, and where calibrated probabilities lie.
COURSES = ("x", "observed", "low", "high", "band_low", "band_high", "calibrated_low", "calibrated_high")

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


DIAGRAM_FIELDS = """
event sizes level interval=kind x observed low high band_low band_high calibrated_low calibrated_high leaves strategy
bins draws seed verdict=sentence notes
"""
DIAGRAM_CSV = "bins[least most predicted n events observed mean low high]"


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationCurve(Answered, json="calibration_curve", fields=DIAGRAM_FIELDS, csv=DIAGRAM_CSV):
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
    scores: Scores, of: str | None = None, *, bins: int = 10, strategy: Strategy = "quantile", **how: Unpack[Asking]
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
    bins = checked_bins(bins, strategy)
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
    columns = (x, observed, band.low, band.high, band.band_low, band.band_high, calibrated_low, calibrated_high)
    rows, events = _bins(problem, bins, strategy, ask), int(problem.event.sum())
    sizes = len(problem.p) - events, events
    named: dict[str, Any] = {name: tuple(it.tolist()) for name, it in zip(COURSES, columns, strict=True)}
    return CalibrationCurve(event, bins=rows, strategy=strategy, sizes=sizes, ask=ask, **named)


def _bins(problem: ForecastProblem, bins: int, strategy: Strategy, ask: Ask) -> tuple[CalibrationBin, ...]:
    of = bins_of(problem.p, bins, strategy)
    made = []
    for b in np.unique(of).tolist():
        p, event = problem.p[of == b], problem.event[of == b]
        n, events = len(p), int(event.sum())
        law, (least, most, mean) = Beta(events + 1, n - events + 1), map(float, (p.min(), p.max(), p.mean()))
        low, high = law.interval(ask.level, ask.kind)
        made.append(CalibrationBin(least, most, mean, n, events, events / n, law.mean, low, high))
    return tuple(made)


def event_of(scores: Any, of: str | None, asked: str) -> str:
    """Which event probabilities are about, by name."""
    labels = scores_of_one(scores, asked).labels
    if len(labels) == 2:
        if of not in (None, labels[1]):
            raise InvalidArgument(
                f"the probabilities are those of {excerpt(labels[1])}, and nothing else is asked of two "
                f"classes; leave of={excerpt(of)} out"
            )
        return labels[1]
    if of is None:
        return CONFIDENCE
    if of not in (*labels, CONFIDENCE):
        raise UnknownLabel(str(of), (*labels, CONFIDENCE))
    return of


def event_words(event: str) -> str:
    """What cases do in which the event comes."""
    return "are predicted correctly" if event == CONFIDENCE else f"are {formats.plain(repr(event))}"


def checked_bins(bins: int, strategy: Strategy) -> int:
    """The number of bins, or a complaint about it or about how they are made."""
    found = number(bins)
    if not 1 <= found <= MOST_BINS or found != int(found):
        raise InvalidArgument(f"bins is an integer from 1 to {MOST_BINS}, not {excerpt(bins)}")
    one_of(strategy, get_args(Strategy), "strategy")
    return int(found)


def _cells(row: CalibrationBin) -> tuple[str, ...]:
    places = max(2, formats.decimals(row.low, row.high))
    counts = map(formats.integer, (row.n, row.events))
    ends = formats.interval(row.low, row.high, places)
    return (f"{row.predicted:.3f}", *counts, f"{row.observed:.3f}", formats.number(row.mean, places), ends)


#: What to do; "unclear" where one of several looks says that the probabilities do not hold, and together they do not.
Decision = Literal["recalibrate", "unclear", "no sign"]

#: What the numbers cover, and what not.
EVENTS_COVER = (
    "The numbers cover the sampling of cases only, and this share of the event; not label noise, leakage or drift."
)

#: Numbers of one event in order, and what each is, for someone who has never seen it; "ece" is followed by its bins.
MEANINGS = {
    "brier_score": "mean squared distance of probability and outcome; 0 is best",
    "brier_mcb": "part of the Brier score that recalibration would take away",
    "brier_dsc": "part explained by discrimination",
    "brier_unc": "Brier score of always saying the share of the event",
    "log_loss": "mean of -log of the probability of what happened; 0 is best",
    "ece": "mean gap between predicted and observed frequency, over bins",
    "calibration_in_the_large": "share of the event less mean probability; 0 is right on average",
    "calibration_intercept": "the same on the logit scale; above 0: too low on average",
    "calibration_slope": "1 is right; below 1: too extreme, above 1: not extreme enough",
}

#: Numbers that decide, and what they are of calibrated probabilities.
RIGHT = {"brier_mcb": 0.0, "ece": 0.0, "calibration_in_the_large": 0.0, "calibration_slope": 1.0}

#: Why there is no slope, by how its refusal begins.
UNTESTED = {
    "all prob": "all probabilities are equal",
    "the prob": "they tell the classes apart without an error",
    "too few ": f"there are fewer than {SLOPE_CASES} cases of a class",
    "": "a probability is 0 or 1",
}

#: Below so many cases with, or without, the event a curve says little (Van Calster et al. 2016).
FEW_EVENTS = 100


FIELDS = """
event labels sizes level interval=kind decision numbers[metric observed no_skill=chance *law] refused[metric=0 why=1]
curve seed verdict=sentence findings warnings notes
"""
CSV = "numbers[number=metric observed *law(mean low high)]"


@dataclass(frozen=True, repr=False, eq=False)
class CalibrationReport(Answered, json="calibration", fields=FIELDS, csv=CSV):
    """Scores and calibration of probabilities with their intervals; made by `calibration_report`.

    Attributes
    ----------
    event : str
        The positive class, one of K classes, or "confidence".
    labels : tuple of str
    sizes : (int, int)
        Cases without the event, and with it.
    numbers : tuple of Distribution
    curve : CalibrationCurve or None
        None of cases in groups.
    decision : "recalibrate", "unclear" or "no sign"
        Whether an interval excludes calibration: that of ``brier_mcb`` or ``ece`` 0, of ``calibration_in_the_large`` 0,
        or of ``calibration_slope`` 1, each at a level that leaves a quarter of the error to it. Unclear: one does at
        its own level, or the curve leaves the band.
    refused : tuple of (str, str)
        Numbers that there are not, and why.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    seed : int
    """

    event: str
    labels: tuple[str, ...]
    sizes: tuple[int, int]
    numbers: tuple[Distribution, ...]
    curve: CalibrationCurve | None
    decision: Decision
    refused: tuple[tuple[str, str], ...]
    ask: Ask

    def __getitem__(self, metric: str) -> Distribution:
        """The number of that name; ``ece`` without its bins is enough."""
        for made in self.numbers:
            if metric == made.metric:
                return made
        for made in reversed(self.numbers):
            if metric == str(made.metric).partition("@")[0]:
                return made
        raise InvalidArgument(
            f"{metric!r} is not in this report; there are {', '.join(str(x.metric) for x in self.numbers)}"
        )

    @property
    def sentence(self) -> str:
        """The answer in a sentence or two, and what to do."""
        found = self.faults
        gain = self._told("brier_mcb")
        cost = "" if gain is None else f" Recalibration would take {gain[0]} ({gain[1]}) off the Brier score."
        if gain is not None and self.decision != "recalibrate":
            cost = f" Recalibration would take {gain[1].split()[-1]} off the Brier score at most."
        if self.decision == "recalibrate":
            what = " and ".join(found) or "shares and probabilities differ, if not all to one side"
            return (
                f"The probabilities are not well calibrated: {what}.{cost} Recalibrate on other cases, then test again."
            )
        untested = dict(self.refused).get("calibration_slope")
        if untested is not None and len(self.labels) == 2:
            # the one number that tells too extreme from not extreme enough is missing
            why = next(words for start, words in UNTESTED.items() if untested.startswith(start))
            cost += f" The slope was not tested, for {why}: they may be too extreme, or not enough."
            if self.decision == "no sign":
                return f"No test shows that the probabilities are badly calibrated.{cost}"
        if self.decision == "unclear":
            what = "These cases do not show whether the probabilities are well calibrated."
            return f"{what}{cost} Collect more cases before you recalibrate."
        few = formats.several(min(self.sizes), "case")
        little = f", and test more: {few} of a class show little" if self.warnings else ""
        return f"Nothing here shows that the probabilities are badly calibrated.{cost} Leave them as they are{little}."

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong with the probabilities, in words."""
        found = []
        large, slope = self._ends("calibration_in_the_large"), self._ends("calibration_slope")
        if large is not None and (large[0] > 0 or large[1] < 0):
            found.append(f"they are too {'low' if large[0] > 0 else 'high'} on average")
        if slope is not None and (slope[0] > 1 or slope[1] < 1):
            found.append("not extreme enough" if slope[0] > 1 else "too extreme")
        return tuple(found)

    def _made(self, metric: str) -> Distribution | None:
        return next((made for made in self.numbers if str(made.metric).partition("@")[0] == metric), None)

    def _ends(self, metric: str) -> tuple[float, float] | None:
        made = self._made(metric)
        return None if made is None else made.interval(strict(self.level), self.kind)[:2]

    def _told(self, metric: str) -> tuple[str, str] | None:
        made = self._made(metric)
        return None if made is None else interval_cells(made.law, self.level, self.kind)

    @property
    def findings(self) -> tuple[str, ...]:
        """Each answer in a sentence that needs no statistics."""
        found = []
        if (curve := self.curve) is not None:
            i = curve._typical
            found.append(
                f"Of 100 cases with a probability of {curve.x[i]:.2f}, about {100 * curve.observed[i]:.0f} "
                f"({100 * curve.low[i]:.0f} to {100 * curve.high[i]:.0f}) {event_words(self.event)}."
                if curve.low[i] <= curve.high[i]
                else f"No rising curve fits these cases: the higher the probability, the fewer "
                f"{event_words(self.event)}. Perhaps they are the probabilities of the other class."
            )
        if large := self._told("calibration_in_the_large"):
            gap = self["calibration_in_the_large"].mean
            found.append(
                f"Per 100 cases {abs(100 * gap):.1f} {'more' if gap >= 0 else 'fewer'} {event_words(self.event)} than "
                f"the probabilities add up to (share less mean probability {large[0]}, {large[1]})."
            )
        if curve is not None and curve.leaves is not None:
            found.append(
                f"The curve leaves where that of calibrated probabilities lies, at {curve.leaves:.2f}; "
                f"{100 * (1 - self.level):.3g} of 100 tests of calibrated probabilities do."
            )
        if slope := self._told("calibration_slope"):
            found.append(
                f"Calibration slope {slope[0]} ({slope[1]}): 1 is right, below 1 high probabilities are too high and "
                "low ones too low."
            )
        return tuple(found)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        few = min(self.sizes)
        if few >= FEW_EVENTS:
            return ()
        what = "with" if self.sizes[1] == few else "without"
        are = "is" if few == 1 else "are"
        return (
            f"there {are} only {formats.several(few, 'case')} {what} the event. With fewer "
            f"than {FEW_EVENTS} much miscalibration goes unseen: that nothing shows it is no proof of calibration.",
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        return (
            "Miscalibration, discrimination and ece are raised by noise: observed is what the cases show, mean and "
            "interval are what is left when simulated tests have taken the noise away; an interval that begins at 0 "
            "says that there may be none.",
            f"Scores, intercept and slope: Bayesian bootstrap, two pseudo-cases. {EVENTS_COVER}",
        )

    def sheet(self) -> Sheet:
        """A row for each number."""
        rows = []
        for made in self.numbers:
            mean, ends = interval_cells(made.law, self.level, self.kind)
            name, places = str(made.metric), formats.decimals(*made.interval(self.level, self.kind))
            shown = formats.number(made.observed, min(max(3, places), 6))
            rows.append((formats.plain(name), shown, mean, ends, _meaning(name, len(self.labels))))
        header = ("number", "observed", "mean", self._interval_name, "what it is")
        event = "the predicted class is the true one" if self.event == CONFIDENCE else formats.plain(self.event, 40)
        about = f"{formats.several(sum(self.sizes), 'case')}, {formats.integer(self.sizes[1])} with the event: {event}."
        notes = tuple(note.removesuffix(EVENTS_COVER).rstrip() for note in self.notes)
        return Sheet(
            self.sentence, header, tuple(rows), notes, about=about, below=self.findings, warnings=self.warnings,
            remarks=tuple(why for _, why in self.refused), words=frozenset({4}), covers=EVENTS_COVER,
        )  # fmt: skip

    def picture(self) -> str:
        """The reliability diagram as SVG."""
        return "" if self.curve is None else self.curve.picture()


@spelled(Asking, draws=None)
def calibration_report(
    scores: Scores, of: str | None = None, *, bins: int = 10, strategy: Strategy = "quantile", **how: Unpack[Asking]
) -> CalibrationReport:
    """Whether probabilities hold, and what recalibration would gain: all numbers and the reliability diagram.

    Parameters
    ----------
    scores, of, bins, strategy, level, kind
        As in `calibration_curve`.
    draws : int, optional
        Of each number; 20,000 for means, 4,000 for logistic fits and for what simulated tests say.
    seed : int

    Raises
    ------
    InvalidArgument, UnknownLabel
        As `calibration_curve`, but cases in groups are taken, and have no curve. Numbers that do not exist (a slope
        of probabilities of exactly 0 or 1) are left out, and the report says why.

    Examples
    --------
    >>> import numpy as np
    >>> p = np.tile(np.linspace(0.02, 0.98, 25), 40)
    >>> made = calibration_report(Scores(np.random.default_rng(0).random(1000) < p**2, p))
    >>> made.decision, made.faults[0]
    ('recalibrate', 'they are too high on average')
    """
    ask, draws = Ask.of(picked(how, Showing)), how["draws"]
    event = event_of(scores, of, "calibration_report()")
    found = checked_bins(bins, strategy)
    where = "" if len(scores.labels) == 2 else f"@{event}"
    posterior = infer(scores)
    problem = posterior.forecast(event)
    numbers, refused = [], []
    names = [f"{name}@{strategy}={found}{where}" if name == "ece" else f"{name}{where}" for name in MEANINGS]
    if event == CONFIDENCE:
        names = ["brier_score", "log_loss", *names]
    for asked in names:
        try:
            made = posterior.of(asked, draws=draws, seed=ask.seed)
            made.law, made.observed  # noqa: B018  computed now, so that what does not exist is known now
            numbers.append(made)
        except InvalidArgument as error:
            refused.append((asked, str(error)))
    curve = None
    if scores.group is None:
        few = BAND_DRAWS if draws is None else min(draws, BAND_DRAWS)
        curve = calibration_curve(scores, of, bins=found, strategy=strategy, **vars(replace(ask, draws=few)))
    events = int(problem.event.sum())
    return CalibrationReport(
        event, scores.labels, (len(problem.p) - events, events), tuple(numbers), curve,
        _decision(numbers, curve, ask.level, ask.kind), tuple(refused), ask,
    )  # fmt: skip


def _decision(numbers: list[Distribution], curve: CalibrationCurve | None, level: float, kind: Kind) -> Decision:
    held = [(made, RIGHT[name]) for made in numbers if (name := str(made.metric).partition("@")[0]) in RIGHT]
    alone, together = (
        any(not low <= right <= high for made, right in held for low, high, *_ in [made.interval(each, kind)])
        for each in (level, strict(level))
    )
    if together:
        return "recalibrate"
    return "unclear" if alone or (curve is not None and curve.leaves is not None) else "no sign"


def strict(level: float) -> float:
    """Level of each of the intervals that decide together."""
    return 1 - (1 - level) / len(RIGHT)


def _meaning(name: str, classes: int) -> str:
    what = MEANINGS[name.partition("@")[0]]
    if classes == 2 or "@" in name:
        return what
    return "squared distances summed over all classes; 0 is best" if name == "brier_score" else f"{what}; all classes"
