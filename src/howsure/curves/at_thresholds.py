"""The confusion matrix at thresholds, and all that is known of it: operating points, and one metric as a curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from howsure.answers.asking import Ask, picked, spelled
from howsure.answers.fields import Keyed, finite, interval_cells, places_of
from howsure.answers.sheet import Sheet
from howsure.curves.cut_tables import (
    AtCuts,
    CutPoint,
    CutTables,
    Cutting,
    Elsewhere,
    benefits_of,
    checked_scores,
    checked_thresholds,
    cut_tables,
    ends_of,
    even_cuts,
    posterior_at,
)
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import items
from howsure.laws.law import DRAWS
from howsure.metrics import Measure, Metric, parse
from howsure.metrics.margins import Margins
from howsure.metrics.measure import TEST_RATES, plain_name
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.curve_numbers import even_in_both
from howsure.text import formats
from howsure.text.svg import rising, threshold_band


@dataclass(frozen=True)
class ThresholdPoint(CutPoint):
    """A metric at one threshold.

    Attributes
    ----------
    threshold : float
        Cases with this score or more are called positive.
    tp, fn, fp, tn : int
        Cases in the cells.
    observed : float or None
        Value of the counts; None where it is undefined.
    mean, low, high : float or None
        Posterior mean and ends of the interval; None where every draw is undefined.
    """

    observed: float | None
    mean: float | None
    low: float | None
    high: float | None

    @property
    def known(self) -> tuple[float, float, float] | None:
        """Mean and ends, where there are all of them."""
        if self.mean is None or self.low is None or self.high is None:
            return None
        return self.mean, self.low, self.high


CURVE_FIELDS = """
metric higher_is_better prevalence source prior level labels interval=kind route error draws seed points
verdict=sentence warnings
"""
CURVE_CSV = "points[threshold tp fn fp tn observed mean low high]"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ThresholdCurve(AtCuts[ThresholdPoint], json="threshold_curve", fields=CURVE_FIELDS, csv=CURVE_CSV):
    """A metric against the threshold; made by `threshold_curve`.

    Attributes
    ----------
    labels : (str, str)
        The negative class and the positive one.
    metric : str
    points : tuple of ThresholdPoint
        By threshold, increasing.
    higher_is_better : bool or None
    prevalence : float
        Share of the positive class: stated, or its posterior mean.
    source : "test set", "stated" or "other cases"
        Where the prevalence comes from.
    prior : str
    level, kind : float and str
        Of the intervals, each of its threshold by itself.
    route : "exact" or "simulated"
    error : float
        Monte Carlo error of the means; 0 where they are exact.
    draws, seed : int
        Behind a metric that is drawn.
    """

    points: tuple[ThresholdPoint, ...] = ()
    metric: str
    higher_is_better: bool | None
    route: str
    error: float

    def sheet(self) -> Sheet:
        """Points of the curve as cells of text."""
        header = ("threshold", "TP", "FN", "FP", "TN", "observed", "mean", self._interval_name)
        drawn = f"{formats.integer(self.draws)} joint draws, seed {self.seed}"
        how = "exact" if self.route == "exact" else f"{drawn}; error of the means at most {self.error:.1g}"
        note = f"A case is predicted positive from the threshold on. {self.prevalence_words.capitalize()}, "
        covers = (
            "Each interval is about its threshold by itself. The best point of a curve looks better than it is: "
            "best_threshold says by how much (howsure threshold --metric)."
        )
        return Sheet(
            self._headline, header, tuple(self._cells(self.points[i]) for i in self.shown),
            (f"{note}prior {self.prior}, {how}.",), left_out=self.left_out("; CSV and JSON have all."),
            warnings=self.warnings, covers=covers,
        )  # fmt: skip

    def _cells(self, point: ThresholdPoint) -> tuple[str, ...]:
        if point.known is None:
            return (*point.named_cells, formats.number(point.observed, 4), "undefined", "")
        mean, low, high = point.known
        seen = formats.parts(point.observed, low, high, self.error)[0]
        return (*point.named_cells, seen, *formats.parts(mean, low, high, self.error))

    @property
    def _headline(self) -> str:
        known = [(point.threshold, *point.known) for point in self.points if point.known is not None]
        told = [
            "{} ({}) at {:.6g}".format(*formats.parts(mean, low, high, self.error), at) for at, mean, low, high in known
        ]
        across = f"{self.metric} at {formats.several(len(self.points), 'threshold')}"
        if not known:
            return f"{across}: undefined at each."
        if len(known) == 1 or self.higher_is_better is None:
            return f"{across}: {'; '.join(told[:3])}{' ...' if len(known) > 3 else ''}."
        best = max if self.higher_is_better else min
        return f"{across}: best {told[best(range(len(known)), key=lambda i: known[i][1])]}."

    def picture(self) -> str:
        """The curve as SVG."""
        found = [(point.threshold, *point.known) for point in self.points if point.known is not None]
        if len(found) < 2:
            return ""
        x, mean, low, high = ([row[i] for row in found] for i in range(4))
        name = formats.plain(self.metric)
        return threshold_band(
            x, (low, mean, high), xlabel="threshold", ylabel=f"{name}, mean and {self._interval_name}",
            title=f"{name} against the threshold with its {self._interval_name}",
        )  # fmt: skip


@spelled(Cutting)
def threshold_curve(
    scores: Scores,
    metric: str | Metric | Measure = "balanced_accuracy",
    thresholds: ArrayLike | None = None,
    **how: Unpack[Cutting],
) -> ThresholdCurve:
    """A metric at many thresholds, each with its interval, in one batch.

    Parameters
    ----------
    scores : Scores
        One classifier, two classes.
    metric : str, Metric or Measure
        Any metric; those of one class are about the positive one. Recall, specificity, their complements, balanced
        accuracy, informedness, accuracy, error rate and costs are exact; all others come from draws that are shared by
        all thresholds.
    thresholds : float or array_like, optional
        The different scores if left out, or 101 of them, even in rank.
    prevalence, cases
        As in `net_benefit`.
    prior : str or Prior, optional
        "calibrated" if left out; not "learned".
    level, kind
        Of the intervals. They are pointwise: each is about its threshold by itself.
    draws, seed : int
        Of metrics that are drawn.

    Raises
    ------
    InvalidArgument, UnknownMetric, UnknownLabel
        Several classifiers, more than two classes or cases in groups; no such metric; thresholds that are no numbers.

    Notes
    -----
    At each threshold the model is that of `howsure.infer` for the confusion matrix there. Draws at all thresholds are
    joint: one Dirichlet over the scores of each class (Rubin 1981), with the pseudo-counts of the prior beyond the
    highest and the lowest score.

    Examples
    --------
    >>> import howsure as hs
    >>> scores = hs.Scores(["ill"] * 3 + ["well"] * 4, [0.9, 0.8, 0.4, 0.5, 0.3, 0.2, 0.1])
    >>> curve = threshold_curve(scores, "recall")
    >>> point = curve.at(0.8)
    >>> point.tp, point.fp, round(point.mean, 2), curve.route
    (2, 0, 0.62, 'exact')
    """
    scores = checked_scores(scores, "threshold_curve()")
    measure = parse(metric, scores.labels, scores.positive)
    cuts = even_cuts(scores.scores, USUAL) if thresholds is None else checked_thresholds(thresholds)
    ask = Ask.of(how)
    tables = cut_tables(scores, cuts, **picked(how, Elsewhere))
    ends = ends_of(tables, measure, ask)
    seen = measure(Margins.around(tables.observed if tables.source != "test set" else tables.counts.astype(float)))
    numbers = zip(*(values.tolist() for values in (seen, ends.mean, ends.low, ends.high)), strict=True)
    points = tuple(
        ThresholdPoint(*cells, *map(finite, values)) for cells, values in zip(tables.cells, numbers, strict=True)
    )
    higher = {"higher": True, "lower": False}.get(measure.metric.better)
    return ThresholdCurve(
        points=points, tables=tables, ask=ask, metric=measure.name, higher_is_better=higher, route=ends.route,
        error=ends.error,
    )  # fmt: skip


#: Thresholds where none are named, even in rank of both classes; every metric of each of them has a law of its own.
USUAL = 101

#: What a matrix is asked where nobody says.
METRICS = (*TEST_RATES, "f1", "accuracy", "balanced_accuracy")

#: Not of the matrix alone: the threshold is a risk, and says what a false alarm costs.
NET_BENEFIT = "net_benefit"

#: Metrics in the table of many thresholds.
MOST_COLUMNS = 4


@dataclass(frozen=True)
class PointMetric(Keyed, fields="metric observed mean low high interval law"):
    """One metric at one threshold.

    Attributes
    ----------
    metric : str
    observed : float or None
        Value of the counts; None where it is undefined or infinite.
    mean, low, high : float or None
        Posterior mean, None where it is infinite, and ends of the interval.
    interval : "hdi" or "central"
        Kind of the interval: central where the densest values are not one interval.
    law : "exact", "approximate" or "simulated"
    shown : (str, str, str)
        Observed value, mean and interval as a report prints them.
    """

    metric: str
    observed: float | None
    mean: float | None
    low: float | None
    high: float | None
    interval: str
    law: str
    shown: tuple[str, str, str]


@dataclass(frozen=True)
class OperatingPoint(CutPoint):
    """The matrix at one threshold and its metrics.

    Attributes
    ----------
    threshold : float
        Cases with this score or more are called positive.
    tp, fn, fp, tn : int
        Cases in the cells.
    metrics : tuple of PointMetric
    """

    metrics: tuple[PointMetric, ...]

    def __getitem__(self, metric: str) -> PointMetric:
        """The metric of that name, with its class or without."""
        for it in self.metrics:
            if metric in (it.metric, it.metric.partition("@")[0]):
                return it
        raise InvalidArgument(
            f"{excerpt(metric)} was not asked for; there are {', '.join(it.metric for it in self.metrics)}"
        )


FIELDS = """
labels sizes prevalence source prior level interval=kind draws seed points verdict=sentence warnings
"""
CSV = "_rows[threshold tp fn fp tn metric observed mean low high interval law]"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class OperatingPoints(AtCuts[OperatingPoint], json="operating_points", fields=FIELDS, csv=CSV):
    """Matrices and metrics at thresholds; made by `operating_points`.

    Attributes
    ----------
    labels : (str, str)
        The negative class and the positive one.
    sizes : (int, int)
        Cases of each.
    points : tuple of OperatingPoint
        By threshold, increasing.
    prevalence : float
        Share of the positive class: stated, or its posterior mean.
    source : "test set", "stated" or "other cases"
        Where the prevalence comes from.
    prior : str
    level, kind : float and str
        Of the intervals, each of its threshold by itself.
    draws, seed : int
        Behind metrics without a law in closed form.
    """

    points: tuple[OperatingPoint, ...] = ()

    @property
    def _rows(self) -> list[dict[str, Any]]:
        """A row for each metric of each threshold."""
        return [point.to_dict() | metric.to_dict() for point in self.points for metric in point.metrics]

    def sheet(self) -> Sheet:
        """One point metric by metric, or the first metrics of some of many, as cells of text."""
        notes = points_notes(self)
        names = [plain_name(it.metric, self.labels[1]) for it in self.points[0].metrics]
        if len(self.points) == 1:
            (point,) = self.points
            rows = tuple((name, *it.shown, it.law) for name, it in zip(names, point.metrics, strict=True))
            columns = ("metric", "observed", "mean", self._interval_name, "method")
            about = "{} TP, {} FN, {} FP, {} TN.".format(*point.named_cells[1:])
            said = point_sentence(self.labels, point)
            return Sheet(said, columns, rows, notes, about=about, words=frozenset((4,)), warnings=self.warnings)
        header = ("threshold", "TP", "FN", "FP", "TN", *names[:MOST_COLUMNS])
        return Sheet(
            self._headline, header, tuple(self._row(self.points[i]) for i in self.shown),
            (f"Each cell: mean ({self._interval_name}). {notes[0]}", *notes[1:]),
            left_out=f"{self.left_out('. ')}CSV, JSON and the page have all thresholds and metrics.",
            warnings=self.warnings,
        )  # fmt: skip

    @staticmethod
    def _row(point: OperatingPoint) -> tuple[str, ...]:
        shown = (it.shown[1:] for it in point.metrics[:MOST_COLUMNS])
        return (*point.named_cells, *(f"{mean} ({ends})" if ends else mean for mean, ends in shown))

    @property
    def _headline(self) -> str:
        first, last = self.points[0].threshold, self.points[-1].threshold
        positive = formats.class_name(self.labels[1])
        return (
            f"{formats.several(len(self.points), 'threshold')} from {first:.6g} to {last:.6g}: what happens to cases "
            f"if they are predicted {positive} from there on."
        )

    def picture(self) -> str:
        """The points in the plane of the ROC curve as SVG; none of a single one."""
        if len(self.points) < 2:
            return ""
        places = {(point.fp / (point.fp + point.tn), point.tp / (point.tp + point.fn)) for point in self.points}
        pairs = sorted({(0.0, 0.0), *places, (1.0, 1.0)})
        xs, ys = ([pair[i] for pair in pairs] for i in (0, 1))
        axes = ("false positive rate", "true positive rate")
        return rising(xs, ys, (), chance=((0.0, 0.0), (1.0, 1.0)), axes=axes, title=self._headline)


@spelled(Cutting)
def operating_points(
    scores: Scores, thresholds: ArrayLike | None = None, metrics: Sequence[str] | None = None, **how: Unpack[Cutting]
) -> OperatingPoints:
    """The confusion matrix and its metrics at one threshold or at many, as `howsure.report` has them of that matrix.

    Parameters
    ----------
    scores : Scores
        One classifier, two classes.
    thresholds : float or array_like, optional
        All different scores if left out, or 101 of them, even in rank of both classes; some hundredths of a second
        each.
    metrics : sequence of str, optional
        Any metrics, those of one class about the positive one, and ``net_benefit`` of scores that are probabilities,
        at the odds of each threshold; sensitivity, specificity, predictive values, likelihood ratios, F1, accuracy and
        balanced accuracy if left out.
    prevalence, cases
        As in `net_benefit`.
    prior : str or Prior, optional
        "calibrated" if left out; not "learned".
    level, kind
        Of the intervals. They are pointwise: each is about its threshold by itself.
    draws, seed : int
        Of metrics without a law in closed form.

    Raises
    ------
    InvalidArgument, UnknownMetric, UnknownLabel
        Several classifiers, more than two classes or cases in groups; no such metric; thresholds that are no numbers;
        net benefit of scores that are no probabilities.

    Examples
    --------
    >>> import howsure as hs
    >>> scores = hs.Scores(["ill"] * 3 + ["well"] * 4, [0.9, 0.8, 0.4, 0.5, 0.3, 0.2, 0.1])
    >>> point = operating_points(scores, 0.8).at(0.8)
    >>> point.tp, point.fp, round(point["recall"].mean, 2), point["precision"].law
    (2, 0, 0.62, 'exact')
    """
    ask = Ask.of(how)
    scores = checked_scores(scores, "operating_points()")
    cuts = _along(scores) if thresholds is None else checked_thresholds(thresholds)
    tables = cut_tables(scores, cuts, **picked(how, Elsewhere))
    asked = METRICS if metrics is None else tuple(items(metrics, "metrics", "a list of names") or METRICS)
    return points_of(tables, asked, ask)


def _along(scores: Scores) -> Floats:
    return even_in_both(scores.scores, scores.truth == 1, USUAL)


def points_along(tables: CutTables, ask: Ask, *, also: float | None = None) -> OperatingPoints:
    """The usual metrics at the usual thresholds, and at one more, of scores that are cut elsewhere already."""
    cuts = _along(tables.scores) if also is None else np.unique(np.append(_along(tables.scores), also))
    return points_of(tables.at(cuts), METRICS, Ask(ask.level, ask.kind, DRAWS, ask.seed))


def points_of(tables: CutTables, metrics: Sequence[str], ask: Ask) -> OperatingPoints:
    """The same of scores that are cut already."""
    scores = tables.scores
    measures = [None if name == NET_BENEFIT else parse(name, scores.labels, scores.positive) for name in metrics]
    benefits = _benefits(tables, ask) if None in measures else []
    points = [
        OperatingPoint(*cells, tuple(benefits[row] if it is None else _metric(tables, row, it, ask) for it in measures))
        for row, cells in enumerate(tables.cells)
    ]
    return OperatingPoints(points=tuple(points), tables=tables, ask=ask)


def _metric(tables: CutTables, row: int, measure: Measure, ask: Ask) -> PointMetric:
    known = posterior_at(tables, row)._knowledge.of(measure, draws=ask.draws, seed=ask.seed)
    law = known.law
    ends = law.interval(ask.level, ask.kind)
    mean, words = interval_cells(law, ask.level, ask.kind)
    shown = (formats.number(known.observed, max(places_of(law, ends), 3)), mean, words)
    seen, centre, low, high = map(finite, (known.observed, law.mean, ends.low, ends.high))
    return PointMetric(measure.name, seen, centre, low, high, ends.kind, law.route, shown)


def _benefits(tables: CutTables, ask: Ask) -> list[PointMetric]:
    """Net benefit at each threshold; undefined at those that are no risk between 0 and 1."""
    values = tables.scores.scores
    odd = values[~((values >= 0) & (values <= 1))]
    if len(odd):
        raise InvalidArgument(
            f"net benefit needs probabilities, for the threshold is a risk, and a score is {excerpt(float(odd[0]))}; "
            "leave net_benefit out, or calibrate the scores first"
        )
    cuts = tables.thresholds
    risks = cuts[(cuts > 0) & (cuts < 1)]
    _, laws, seen = benefits_of(tables.at(risks))
    low, high = laws.ends(ask.level, ask.kind)
    made = {}
    for t, x, mean, least, most in zip(*(part.tolist() for part in (risks, seen, laws.mean, low, high)), strict=True):
        shown = (formats.number(x, max(formats.decimals(least, most), 3)), *formats.parts(mean, least, most))
        made[t] = PointMetric(NET_BENEFIT, x, mean, least, most, ask.kind, "exact", shown)
    none = PointMetric(NET_BENEFIT, None, None, None, None, ask.kind, "exact", ("undefined", "undefined", ""))
    return [made.get(t, none) for t in cuts.tolist()]


def point_sentence(labels: tuple[str, str], point: OperatingPoint) -> str:
    """What happens to cases at a threshold.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> print(point_sentence(("well", "ill"), SimpleNamespace(threshold=0.5, tp=42, fn=34, fp=14, tn=100)))
    From a score of 0.5 on, 42 of 76 ill are found, and 14 of 114 well are predicted ill by mistake.
    """
    negative, positive = (formats.class_name(label) for label in labels)
    tp, fp, ill, well = map(formats.integer, (point.tp, point.fp, point.tp + point.fn, point.fp + point.tn))
    return (
        f"From a score of {point.threshold:.6g} on, {tp} of {ill} {positive} are found, and {fp} of {well} {negative} "
        f"are predicted {positive} by mistake."
    )


def points_notes(made: OperatingPoints) -> tuple[str, ...]:
    """What the numbers rest on."""
    drawn = any(it.law == "simulated" for point in made.points for it in point.metrics)
    how = f", {formats.integer(made.draws)} draws where nothing is exact, seed {made.seed}" if drawn else ""
    return (
        f"{made.prevalence_words.capitalize()}, prior {made.prior}{how}.",
        "Each interval is about its threshold by itself, as if it had been given. A threshold that is chosen on these "
        "cases looks better than it is: howsure threshold --metric says by how much (best_threshold).",
    )
