"""Whether probabilities hold: scores, calibration and the reliability diagram, in one answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Unpack, get_args

from howsure.answers.asking import Ask, Asking, Showing, picked, spelled
from howsure.answers.law_summary import interval_cells
from howsure.answers.sheet import Sheet
from howsure.curves.reliability import (
    BAND_DRAWS,
    CalibrationCurve,
    Strategy,
    calibration_curve,
    checked_bins,
    event_of,
    event_words,
)
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument
from howsure.errors.arguments import one_of
from howsure.knowledge.protocol import Answered
from howsure.laws.law import Kind
from howsure.posterior.distribution import Distribution
from howsure.posterior.forecast_knowledge import SLOPE_CASES
from howsure.posterior.posterior import infer
from howsure.posterior.score_measures import CONFIDENCE
from howsure.text import formats

__all__ = ["CalibrationReport", "calibration_report"]

#: What to do; "unclear" where one of several looks says that the probabilities do not hold, and together they do not.
Decision = Literal["recalibrate", "unclear", "no sign"]

#: Numbers of one event, in the order in which they are told; "ece" is followed by its bins.
NUMBERS = (
    "brier_score",
    "brier_mcb",
    "brier_dsc",
    "brier_unc",
    "log_loss",
    "ece",
    "calibration_in_the_large",
    "calibration_intercept",
    "calibration_slope",
)

#: What the numbers cover, and what not.
EVENTS_COVER = (
    "The numbers cover the sampling of cases only, and this share of the event; not label noise, leakage or drift."
)

#: What each number is, for someone who has never seen it.
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
            return (
                f"These cases do not show whether the probabilities are well calibrated.{cost} Collect more "
                "cases before you recalibrate."
            )
        little = (
            f", and test more: {formats.several(min(self.sizes), 'case')} of a class show little"
            if self.warnings
            else ""
        )
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
        if self.curve is not None:
            curve = self.curve
            i = curve._typical
            found.append(
                f"Of 100 cases with a probability of {curve.x[i]:.2f}, about {100 * curve.observed[i]:.0f} "
                f"({100 * curve.low[i]:.0f} to {100 * curve.high[i]:.0f}) {event_words(self.event)}."
                if curve.low[i] <= curve.high[i]
                else f"No rising curve fits these cases: the higher the probability, the fewer "
                f"{event_words(self.event)}. Perhaps they are the probabilities of the other class."
            )
        if large := self._told("calibration_in_the_large"):
            found.append(
                f"Per 100 cases {_hundred(self['calibration_in_the_large'].mean)} "
                f"{event_words(self.event)} than the probabilities add up to (share less mean probability {large[0]}, "
                f"{large[1]})."
            )
        if self.curve is not None and self.curve.leaves is not None:
            rare = f"{100 * (1 - self.level):.3g} of 100"
            found.append(
                f"The curve leaves where that of calibrated probabilities lies, at {self.curve.leaves:.2f}; {rare} "
                "tests of calibrated probabilities do."
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
        return (
            f"there {'is' if few == 1 else 'are'} only {formats.several(few, 'case')} {what} the event. With fewer "
            f"than {FEW_EVENTS} much miscalibration goes unseen: "
            "that nothing shows it is no proof of calibration.",
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
            name = str(made.metric)
            low, high = made.interval(self.level, self.kind)[:2]
            shown = formats.number(made.observed, min(max(3, formats.decimals(low, high)), 6))
            rows.append((formats.plain(name), shown, mean, ends, _meaning(name, len(self.labels))))
        header = ("number", "observed", "mean", self._interval_name, "what it is")
        with_it = self.sizes[1]
        event = "the predicted class is the true one" if self.event == CONFIDENCE else formats.plain(self.event, 40)
        about = f"{formats.several(sum(self.sizes), 'case')}, {formats.integer(with_it)} with the event: {event}."
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
    scores: Scores,
    of: str | None = None,
    *,
    bins: int = 10,
    strategy: Strategy = "quantile",
    **how: Unpack[Asking],
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
    found = checked_bins(bins)
    one_of(strategy, get_args(Strategy), "strategy")
    where = "" if len(scores.labels) == 2 else f"@{event}"
    posterior = infer(scores)
    problem = posterior.forecast(event)
    numbers, refused = [], []
    names = [f"{name}@{strategy}={found}{where}" if name == "ece" else f"{name}{where}" for name in NUMBERS]
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
    made_of = (len(problem.p) - events, events)
    decision = _decision(numbers, curve, ask.level, ask.kind)
    told = tuple(numbers), curve, decision, tuple(refused)
    return CalibrationReport(event, scores.labels, made_of, *told, ask=ask)


def _decision(numbers: list[Distribution], curve: CalibrationCurve | None, level: float, kind: Kind) -> Decision:
    if _excluded(numbers, strict(level), kind):
        return "recalibrate"
    leaves = curve is not None and curve.leaves is not None
    return "unclear" if leaves or _excluded(numbers, level, kind) else "no sign"


def _excluded(numbers: list[Distribution], level: float, kind: Kind) -> bool:
    """Whether an interval leaves out what the number is of calibrated probabilities."""
    for made in numbers:
        right = RIGHT.get(str(made.metric).partition("@")[0])
        if right is not None:
            ends = made.interval(level, kind)
            if not ends.low <= right <= ends.high:
                return True
    return False


def strict(level: float) -> float:
    """Level of each of the intervals that decide together."""
    return 1 - (1 - level) / len(RIGHT)


def _meaning(name: str, classes: int) -> str:
    whole = classes > 2 and "@" not in name
    what = MEANINGS[name.partition("@")[0]]
    if not whole:
        return what
    return "squared distances summed over all classes; 0 is best" if name == "brier_score" else f"{what}; all classes"


def _hundred(gap: float) -> str:
    return f"{abs(100 * gap):.1f} {'more' if gap >= 0 else 'fewer'}"
