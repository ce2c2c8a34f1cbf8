"""ROC and precision-recall curves as answers, with their bands, areas, and DeLong's interval; a report of all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Unpack

import numpy as np
from scipy.special import expit, logit, ndtri

from howsure.answers.asking import Ask, Asking, spelled
from howsure.answers.fields import interval_cells
from howsure.answers.sheet import Answered, Record, Sheet
from howsure.curves.at_thresholds import OperatingPoints, points_along
from howsure.curves.cut_tables import cut_tables, turned_words
from howsure.data.scores import Scores, one_score, scores_of_one
from howsure.errors import InvalidArgument
from howsure.errors.arguments import items
from howsure.laws import Draws
from howsure.laws.law import LEVEL, Kind, checked_level
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.curve_numbers import (
    SLACK,
    false_rate_at,
    placement_covariance,
    pointwise,
    precision_at,
    shifted,
    simultaneous,
    true_rate_at,
    with_half_cases,
)
from howsure.posterior.distribution import Distribution, Term
from howsure.posterior.posterior import infer
from howsure.posterior.score_measures import ScoreMeasure
from howsure.posterior.scored_cases import ScoresPosterior
from howsure.text import formats
from howsure.text.svg import rising
from howsure.text.text_table import csv_text

#: Of a curve: the axis, what was observed, and both bands.
COLUMNS = ("x", "observed", "low", "high", "band_low", "band_high")

#: Below so many cases of a class intervals are known to be short where scores are skewed.
FEW_CASES = 30

#: Points of the table that is read; all of them are in JSON and CSV.
SHOWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 0.9)

CURVE_FIELDS = """
what labels sizes prevalence level x observed low high band_low band_high area(observed *law) draws seed
verdict=sentence warnings notes
"""


@dataclass(frozen=True, repr=False, eq=False)
class Curve(Answered, json="curve", fields=CURVE_FIELDS):
    """A curve over all thresholds with its bands; made by `roc_curve` and `precision_recall_curve`.

    Attributes
    ----------
    what : "roc" or "precision_recall"
    x : tuple of float
        False positive rates, or recalls: 0.01 to 1.
    observed : tuple of float
        True positive rate, or precision, of the cases.
    low, high : tuple of float
        Central intervals at each point by itself.
    band_low, band_high : tuple of float
        The band that holds all of the curve with probability ``level``.
    area : Distribution
        Of ``roc_auc``, or of ``average_precision``.
    labels : (str, str)
        The negative and the positive class.
    sizes : (int, int)
        Cases of each.
    prevalence : float or None
        Stated share of the positive class.
    level, kind : float, "hdi" or "central"
        Of the bands, and the kind of the interval of the area.
    draws, seed : int
        Behind the bands.
    """

    what: Literal["roc", "precision_recall"]
    x: tuple[float, ...]
    observed: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    band_low: tuple[float, ...]
    band_high: tuple[float, ...]
    area: Distribution
    labels: tuple[str, str]
    sizes: tuple[int, int]
    prevalence: float | None
    ask: Ask

    @property
    def axes(self) -> tuple[str, str]:
        """What both axes are."""
        return ("false positive rate", "true positive rate") if self.what == "roc" else ("recall", "precision")

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return area_sentence(self.area, self.labels, self.level, self.kind)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        name = formats.level_words(self.level)
        across, up = self.axes
        found = [
            f"interval: {name} at one {across} by itself. band: all of the curve lies in it with probability {name}.",
            f"Bayesian bootstrap of {formats.several(sum(self.sizes), 'case')}, two pseudo-cases a class, "
            f"{formats.integer(self.draws)} draws.",
        ]
        if self.what == "precision_recall":
            share = (
                "their share is that of the cases, and as uncertain"
                if self.prevalence is None
                else f"their share is stated: {self.prevalence:g}"
            )
            found.insert(1, f"{up.capitalize()} depends on how many cases are positive; {share}.")
        return tuple(found)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return area_warnings(self.area, self.labels, self.sizes)

    def sheet(self) -> Sheet:
        """Some points as cells of text."""
        across, up = self.axes
        rows = []
        for i in dict.fromkeys(min(range(len(self.x)), key=lambda i: abs(self.x[i] - at)) for at in SHOWN):
            places = formats.decimals(self.low[i], self.high[i])
            both = ((self.low, self.high), (self.band_low, self.band_high))
            ends = (formats.interval(low[i], high[i], places) for low, high in both)
            rows.append((f"{self.x[i]:.2f}", f"{self.observed[i]:.3f}", *ends))
        name = formats.level_words(self.level)
        header = (across, up, f"{name} interval", f"{name} band")
        left = f"{formats.integer(len(self.x))} points in --json and --csv."
        return Sheet(self.sentence, header, tuple(rows), self.notes, left_out=left, warnings=self.warnings)

    def picture(self, *, width: float | None = None) -> str:
        """The curve with both bands as SVG; with a width, one in which a hand moves a point."""
        share = self.sizes[1] / sum(self.sizes) if self.prevalence is None else self.prevalence
        chance = ((0.0, 0.0), (1.0, 1.0)) if self.what == "roc" else ((0.0, share), (1.0, share))
        bands = ((self.band_low, self.band_high), (self.low, self.high))
        return rising(self.x, self.observed, bands, chance=chance, axes=self.axes, title=self.sentence, width=width)

    def to_csv(self) -> str:
        """CSV with every point and every number in full."""
        header = [name.replace(" ", "_") for name in self.axes] + [*COLUMNS[2:]]
        return csv_text(header, list(zip(*(getattr(self, name) for name in COLUMNS), strict=True)))


def area_sentence(area: Distribution, labels: tuple[str, ...], level: float, kind: Kind) -> str:
    """What an area says, in a sentence for someone who has never seen a curve."""
    mean, ends = interval_cells(area.law, level, kind)
    said = f"{mean} ({formats.interval_name(kind, level)} {ends})"
    negative, positive = (formats.plain(repr(label)) for label in labels)
    if area.metric == "roc_auc":
        pairs = formats.number(100 * area.mean, 0)
        return (
            f"ROC AUC is {said}: of a case of {positive} and one of {negative}, the first has the higher score in "
            f"about {pairs} of 100 such pairs."
        )
    chance = 0.0 if area.chance is None else area.chance
    return (
        f"Average precision is {said}, where scores that say nothing have {chance:.2g}: the mean share of {positive} "
        "among the cases predicted so, over thresholds."
    )


def area_warnings(area: Distribution, labels: tuple[str, ...], sizes: tuple[int, ...]) -> tuple[str, ...]:
    """What would mislead a reader of an area."""
    found = []
    negative, positive = (formats.plain(repr(label)) for label in labels)
    if area.metric == "roc_auc" and area.observed is not None and area.observed < 0.5:
        found.append(turned_words(labels[1]))
    few = next(((size, name) for size, name in ((sizes[1], positive), (sizes[0], negative)) if size < FEW_CASES), None)
    if few is not None:
        found.append(
            f"there are only {formats.several(few[0], 'case')} of {few[1]}. With 10 and 20 of them, 95% intervals of "
            "the area contained the truth in 92% to 100% of simulated tests (docs/validity.md, Curves of scores)."
        )
    return tuple(found)


#: What the numbers cover, and what not.
CURVES_COVER = (
    "The numbers cover the sampling of cases only; not label noise, leakage or drift, nor a threshold or model that "
    "was chosen on these cases."
)


@dataclass(frozen=True, repr=False, eq=False)
class DeLong(Record, json="delong"):
    """The area under the ROC curve with two confidence intervals; made by `delong`.

    Attributes
    ----------
    area : float
    variance : float
    normal : (float, float)
        Area plus and minus standard errors; it may leave [0, 1].
    logit : (float, float) or None
        The same on the logit scale; None where the area is 0 or 1.
    level : float
    """

    area: float
    variance: float
    normal: tuple[float, float]
    logit: tuple[float, float] | None
    level: float

    def sheet(self) -> Sheet:
        """A row for each interval."""
        name = f"{formats.level_words(self.level)} confidence interval"
        rows = [("DeLong", formats.interval(*self.normal, 3))]
        rows.append(("logit DeLong", "none" if self.logit is None else formats.interval(*self.logit, 3)))
        notes = (
            "Confidence intervals cover the true area in repeated tests; not a probability of the area. Both are far "
            "too short where the classes are nearly separated.",
        )
        return Sheet(f"Area under the ROC curve {self.area:.3f}.", ("method", name), tuple(rows), notes)


def delong(scores: Scores, *, level: float = LEVEL) -> DeLong:
    """Confidence intervals of the area under the ROC curve by DeLong's variance.

    Parameters
    ----------
    scores : Scores
        Of two classes and one classifier, two cases or more of each.
    level : float
        Coverage that they aim at.

    Raises
    ------
    InvalidArgument
        A class of one case, more than two classes, several classifiers, or cases in groups.

    Notes
    -----
    DeLong, DeLong and Clarke-Pearson 1988; on the logit scale Pepe 2003, equation 5.8.

    Examples
    --------
    >>> made = delong(Scores([0, 0, 0, 1, 1, 1], [1, 2, 4, 3, 5, 6]))
    >>> round(made.area, 4), round(made.variance, 4), [round(x, 2) for x in made.normal]
    (0.8889, 0.0247, [0.58, 1.2])
    """
    scores, level = one_score(scores, "delong()"), checked_level(level)
    if scores.group is not None:
        raise InvalidArgument(
            "delong() takes cases for independent, and these come in groups; infer(scores) allows for it"
        )
    if scores.class_sizes.min() < 2:
        raise InvalidArgument("a variance needs two cases of each class or more; infer(scores) has an interval for one")
    areas, covariance = placement_covariance(scores.truth == 1, scores.scores[None, :])
    area, variance = float(areas[0]), float(covariance[0, 0])
    z, error = float(ndtri((1 + level) / 2)), math.sqrt(variance)
    ends = None
    if 0 < area < 1:
        half = z * error / (area * (1 - area))
        ends = (float(expit(logit(area) - half)), float(expit(logit(area) + half)))
    return DeLong(area, variance, (area - z * error, area + z * error), ends, level)


#: Random curves behind a band, and draws of the area for each of them: a band is slower.
CURVE_DRAWS, AREA_DRAWS = 5_000, 4


@spelled(Asking, draws=CURVE_DRAWS)
def roc_curve(scores: Scores, **how: Unpack[Asking]) -> Curve:
    """True positive rate by false positive rate, over all thresholds, with the band at each point and that of all.

    Parameters
    ----------
    scores : Scores
        Of two classes and one classifier.
    level : float
        Probability inside the bands, and inside the interval of the area.
    kind : "hdi" or "central"
        Of the interval of the area; bands are central.
    draws, seed : int
        Random curves behind the bands.

    Returns
    -------
    Curve
        At 100 false positive rates from 0.01 to 1.

    Raises
    ------
    InvalidArgument
        More than two classes, several classifiers, or scores that are all the same.

    Examples
    --------
    >>> made = roc_curve(Scores([0] * 20 + [1] * 20, range(40)), draws=500)
    >>> made.observed[9], made.low[9] < 1.0
    (1.0, True)
    """
    ask = Ask.of(how)
    return curve_of(infer(one_score(scores, "roc_curve()")), "roc", ask)


@spelled(Asking, draws=CURVE_DRAWS)
def precision_recall_curve(scores: Scores, prevalence: float | None = None, **how: Unpack[Asking]) -> Curve:
    """Precision by recall, over all thresholds, with the band at each point and that of all.

    Parameters
    ----------
    scores, level, kind, draws, seed
        As in `roc_curve`.
    prevalence : float, optional
        Stated share of the positive class; learned from the cases if left out.

    Returns
    -------
    Curve
        At 100 recalls from 0.01 to 1. Between two thresholds precision follows the straight line of the ROC curve
        (Davis and Goadrich 2006), not one between precisions.

    Raises
    ------
    InvalidArgument
        As in `roc_curve`; a prevalence that is not between 0 and 1.

    Examples
    --------
    >>> made = precision_recall_curve(Scores([0] * 20 + [1] * 20, range(40)), prevalence=0.02, draws=500)
    >>> made.axes, made.observed[50]
    (('recall', 'precision'), 1.0)
    """
    ask = Ask.of(how)
    posterior = infer(one_score(scores, "precision_recall_curve()"))
    if prevalence is not None:
        posterior = posterior.at_prevalence(prevalence)
    return curve_of(posterior, "precision_recall", ask)


def curve_of(posterior: ScoresPosterior, what: str, ask: Ask, area: Distribution | None = None) -> Curve:
    """The curve of a posterior of scores of two classes, and the area under it if that is not known already."""
    level, draws, seed = ask.level, ask.draws, ask.seed
    scores, prevalence = posterior.scores, posterior.prevalence
    problem = posterior.problem
    roc = what == "roc"
    x = np.arange(1, 101) / 100
    rng, points = (np.random.default_rng([seed, stream]) for stream in (7, 8))
    cases = problem.weighing
    middle: list[Floats] = []
    lower: list[Floats] = []
    upper: list[Floats] = []
    for rates in problem.curves(draws, [seed, 0], prevalence):
        some = len(rates.odds)
        up, across = (rng.standard_gamma(SLACK, some) / size for size in cases)
        if roc:
            middle.append(with_half_cases(true_rate_at(rates.true, rates.false, x), cases[0], points))
        else:
            # no half cases here: at a recall of less than a case they would be most of those called
            middle.append(precision_at(x, false_rate_at(rates.true, rates.false, x), rates.odds))
        for held, more in ((lower, False), (upper, True)):
            if roc:
                held.append(shifted(rates.false, rates.true, x, across, up, higher=more))
                continue
            # the mirror image of a curve is its false positive rate by recall, from the other end
            mirrored = shifted(1 - rates.true[:, ::-1], 1 - rates.false[:, ::-1], 1 - x, up, across, higher=more)
            held.append(precision_at(x, 1 - mirrored, rates.odds))
    low, high = pointwise(np.concatenate(middle), level)
    band_low, band_high = simultaneous(np.concatenate(lower), np.concatenate(upper), level)
    # the half cases of a point are no part of the band, which has a slack of its own; the band is the wider one
    band_low, band_high = np.minimum(band_low, low), np.maximum(band_high, high)
    true, false = problem.blocks.true_rate[None, :], problem.blocks.false_rate[None, :]
    if roc:
        observed = true_rate_at(true, false, x)[0]
    else:
        odds = problem.odds if prevalence is None else (1 - prevalence) / prevalence
        observed = precision_at(x, false_rate_at(true, false, x), np.array([odds]))[0]
    known = area or posterior.of("roc_auc" if roc else "average_precision", draws=AREA_DRAWS * draws, seed=seed)
    (negative, positive), (without, having) = scores.labels, scores.class_sizes.tolist()
    columns = zip(COLUMNS, (x, observed, low, high, band_low, band_high), strict=True)
    return Curve(
        what="roc" if roc else "precision_recall", area=known, labels=(negative, positive), sizes=(without, having),
        prevalence=prevalence, ask=ask, **{name: tuple(column.tolist()) for name, column in columns},
    )  # fmt: skip


#: What is answered where nobody says: of two classes, and of more.
OF_TWO = ("roc_auc", "average_precision", "tpr@fpr=0.05", "tpr@fpr=0.1", "tpr@fpr=0.2")
OF_MORE = ("roc_auc@ovr", "roc_auc@ovo", "average_precision@ovr")

#: Classes that are answered one by one.
MOST_CLASSES = 20


FIELDS = """
labels sizes prevalence level interval=kind numbers[metric observed chance *law] classical roc precision_recall draws
seed verdict=sentence warnings notes
"""
CSV = "numbers[number=metric observed *law(mean low high) chance]"


@dataclass(frozen=True, repr=False, eq=False)
class CurveReport(Answered, json="curves", fields=FIELDS, csv=CSV):
    """Numbers of scores with their intervals, and for two classes both curves; made by `curve_report`.

    Attributes
    ----------
    numbers : tuple of Distribution
        In the order that was asked for.
    labels : tuple of str
        Of two classes the positive one last.
    sizes : tuple of int
        Cases of each class.
    roc, precision_recall : Curve or None
        None of three classes or more.
    classical : DeLong or None
        Confidence intervals of the area; None of three classes or more, of groups, and of a class of one case.
    prevalence : float or None
        Stated share of the positive class.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    draws, seed : int
        Behind the numbers.
    """

    numbers: tuple[Distribution, ...]
    labels: tuple[str, ...]
    sizes: tuple[int, ...]
    roc: Curve | None
    precision_recall: Curve | None
    classical: DeLong | None
    prevalence: float | None
    _scores: Scores = field(repr=False)
    ask: Ask

    def operating_points(self) -> OperatingPoints | None:
        """The matrix and its metrics at 101 thresholds along the ROC curve, some seconds; None of other cases.

        Those are cases of three classes or more, and cases in groups.
        """
        if len(self.labels) > 2 or self._scores.group is not None:
            return None
        tables = cut_tables(self._scores, np.zeros(0), prevalence=self.prevalence)
        return points_along(tables, Ask(self.level, self.kind, seed=self.seed))

    def __getitem__(self, metric: str) -> Distribution:
        """The number of that name."""
        for number in self.numbers:
            if number.metric == metric:
                return number
        raise InvalidArgument(
            f"{metric!r} was not asked for; there are {', '.join(str(x.metric) for x in self.numbers)}"
        )

    @property
    def sentence(self) -> str:
        """The answer in one sentence, or two where a point of the curve says what it means for cases."""
        first = self.numbers[0]
        if len(self.labels) > 2:
            mean, ends = interval_cells(first.law, self.level, self.kind)
            shown = f"{mean} ({self._interval_name} {ends})"
            return f"{formats.plain(str(first.metric))} is {shown}; {len(self.labels)} classes."
        said = area_sentence(first, self.labels, self.level, self.kind) if first.metric in OF_TWO[:2] else ""
        point = next((x for x in self.numbers if str(x.metric) == "tpr@fpr=0.1"), None)
        if point is not None:
            mean, ends = interval_cells(point.law, self.level, self.kind)
            negative, positive = (formats.plain(repr(label)) for label in self.labels)
            said += f" Where 10% of {negative} are false alarms, {mean} ({ends}) of {positive} are found."
        return said.strip() or f"{formats.plain(str(first.metric))} of {formats.several(sum(self.sizes), 'case')}."

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        if len(self.labels) > 2:
            return ()
        area = next((x for x in self.numbers if x.metric == "roc_auc"), self.numbers[0])
        return area_warnings(area, self.labels, self.sizes)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the numbers rest on."""
        found = []
        if self.classical is not None:
            both = [("DeLong", self.classical.normal), ("logit DeLong", self.classical.logit)]
            shown = "; ".join(f"{name} {formats.interval(*ends, 3)}" for name, ends in both if ends is not None)
            found.append(f"Classical companions of the area ({formats.level_words(self.level)} confidence): {shown}.")
        return (*found, f"{self._method} {CURVES_COVER}")

    @property
    def _method(self) -> str:
        share = "" if self.prevalence is None else f" Prevalence stated: {self.prevalence:g}."
        return (
            f"Bayesian bootstrap, two pseudo-cases a class, {formats.integer(self.draws)} draws.{share} observed: of "
            "the cases, as scikit-learn has it."
        )

    def sheet(self) -> Sheet:
        """A row for each number."""
        rows = []
        for number in self.numbers:
            mean, ends = interval_cells(number.law, self.level, self.kind)
            shown = "none" if number.observed is None else f"{number.observed:.3f}"
            chance = "" if number.chance is None else f"{number.chance:.2g}"
            rows.append((formats.plain(str(number.metric)), shown, mean, ends, chance))
        header = ("number", "observed", "mean", self._interval_name, "chance")
        sizes = [f"{formats.plain(x, 40)} {formats.integer(n)}" for x, n in zip(self.labels, self.sizes, strict=True)]
        some, rest = ", ".join(sizes[:MOST_CLASSES]), len(sizes) - MOST_CLASSES
        more = f" and {rest} classes more" if rest > 0 else ""
        positive = f"; high scores stand for {formats.plain(self.labels[1])}" if len(self.labels) == 2 else ""
        about = f"{formats.several(sum(self.sizes), 'case')}: {some}{more}{positive}."
        return Sheet(self.sentence, header, tuple(rows), (self._method,), about=about, warnings=self.warnings,
                     below=self.notes[:-1], covers=CURVES_COVER)  # fmt: skip

    def picture(self) -> str:
        """The ROC curve with its bands as SVG, of two classes."""
        return "" if self.roc is None else self.roc.picture()


@spelled(Asking, draws=None)
def curve_report(
    scores: Scores, metrics: Sequence[str] | None = None, *, prevalence: float | None = None, **how: Unpack[Asking]
) -> CurveReport:
    """Areas and points of the curves of scores, each with its interval.

    Parameters
    ----------
    scores : Scores
        Of one classifier.
    metrics : sequence of str, optional
        ``roc_auc``, ``average_precision``, ``tpr@fpr=0.1``, ``partial_auc@fpr=0.2`` and so on; the usual ones if left
        out.
    prevalence : float, optional
        Stated share of the positive class of two.
    level, kind : float, "hdi" or "central"
        Of the intervals.
    draws, seed : int
        20,000 draws if left out; fewer of many cases of three classes or more, or in groups, and it says so.

    Raises
    ------
    UnknownMetric, UnknownLabel, InvalidArgument
        As in `ScoresPosterior.of`.

    Examples
    --------
    >>> made = curve_report(Scores([0] * 20 + [1] * 20, range(40)), ["roc_auc"], draws=500)
    >>> made["roc_auc"].observed, made.classical.area
    (1.0, 1.0)
    """
    ask = Ask.of(how, CURVE_DRAWS)
    posterior = infer(scores_of_one(scores, "curve_report()"))
    if prevalence is not None:
        posterior = posterior.at_prevalence(prevalence)
    known = posterior
    two = len(scores.labels) == 2
    usual = OF_TWO if two else (*OF_MORE, *(f"roc_auc@{label}" for label in scores.labels[:MOST_CLASSES]))
    asked = list(usual) if metrics is None else items(metrics, "metrics", "a list of names") or list(usual)
    numbers, used = _together(known, asked, how["draws"], ask.seed)
    sizes = tuple(scores.class_sizes.tolist())
    roc = precision = classical = None
    if two:
        areas = {number.metric: number for number in numbers}
        roc = curve_of(posterior, "roc", ask, areas.get("roc_auc"))
        precision = curve_of(posterior, "precision_recall", ask, areas.get("average_precision"))
        if scores.group is None and min(sizes) > 1:
            classical = delong(scores, level=ask.level)
    ask = replace(ask, draws=used)
    return CurveReport(numbers, scores.labels, sizes, roc, precision, classical, prevalence, scores, ask=ask)


def _together(
    known: ScoresPosterior, asked: Sequence[str], draws: int | None, seed: int
) -> tuple[tuple[Distribution, ...], int]:
    """All numbers from the same random curves, and how many of these."""
    each = [known.of(metric, draws=draws, seed=seed) for metric in asked]
    measures = [distribution._terms[0].measure for distribution in each]
    for measure in measures:
        if isinstance(measure, ScoreMeasure) and measure.kind.family != "order":
            raise InvalidArgument(
                f"{measure.name} is about probabilities and not about a curve; ask calibration_report() (howsure "
                "calibration FILE)"
            )
    used = each[0]._draws
    values = known.drawn(measures, used, seed, 0)
    made = tuple(
        Distribution([Term(1.0, known, measure)], draws=used, seed=seed, law=Draws(some, support=measure.metric.range))
        for measure, some in zip(measures, values, strict=True)
    )
    return made, used
