"""Operating points: the confusion matrix at a threshold and all that is known of it, at one threshold or at many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from howsure.answers.asking import Ask, picked, spelled
from howsure.answers.fields import Keyed
from howsure.answers.law_summary import finite, interval_cells
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
    posterior_at,
)
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import items
from howsure.laws.law import DRAWS
from howsure.metrics import Measure, parse
from howsure.metrics.measure import TEST_RATES, plain_name
from howsure.numerics.curves.curve_numbers import even_in_both
from howsure.text import formats
from howsure.text.svg import rising

__all__ = [
    "OperatingPoint",
    "OperatingPoints",
    "PointMetric",
    "operating_points",
    "point_sentence",
    "points_along",
    "points_notes",
    "points_of",
]

#: Thresholds where none are named, even in rank of both classes; every metric of each of them has a law of its own.
USUAL = 101

#: What a matrix is asked where nobody says.
METRICS = (
    *TEST_RATES,
    "f1",
    "accuracy",
    "balanced_accuracy",
)

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
            counts = zip(("TP", "FN", "FP", "TN"), point.named_cells[1:], strict=True)
            return Sheet(
                point_sentence(self.labels, point), ("metric", "observed", "mean", self._interval_name, "method"), rows,
                notes,
                about=", ".join(f"{count} {name}" for name, count in counts) + ".", words=frozenset((4,)),
                warnings=self.warnings,
            )  # fmt: skip
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
        return rising(
            [x for x, _ in pairs],
            [y for _, y in pairs],
            (),
            chance=((0.0, 0.0), (1.0, 1.0)),
            axes=("false positive rate", "true positive rate"),
            title=self._headline,
        )


@spelled(Cutting)
def operating_points(
    scores: Scores,
    thresholds: ArrayLike | None = None,
    metrics: Sequence[str] | None = None,
    **how: Unpack[Cutting],
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
    cuts = (
        even_in_both(scores.scores, scores.truth == 1, USUAL) if thresholds is None else checked_thresholds(thresholds)
    )
    tables = cut_tables(scores, cuts, **picked(how, Elsewhere))
    asked = METRICS if metrics is None else tuple(items(metrics, "metrics", "a list of names") or METRICS)
    return points_of(tables, asked, Ask(ask.level, ask.kind, ask.draws, ask.seed))


def points_along(tables: CutTables, ask: Ask, *, also: float | None = None) -> OperatingPoints:
    """The usual metrics at the usual thresholds, and at one more, of scores that are cut elsewhere already."""
    scores = tables.scores
    cuts = even_in_both(scores.scores, scores.truth == 1, USUAL)
    cuts = cuts if also is None else np.unique(np.append(cuts, also))
    return points_of(tables.at(cuts), METRICS, Ask(ask.level, ask.kind, DRAWS, ask.seed))


def points_of(tables: CutTables, metrics: Sequence[str], ask: Ask) -> OperatingPoints:
    """The same of scores that are cut already."""
    scores = tables.scores
    measures = [parse(name, scores.labels, scores.positive) for name in metrics if name != NET_BENEFIT]
    benefits = _benefits(tables, ask) if NET_BENEFIT in metrics else None
    points = []
    for row, cells in enumerate(tables.cells):
        found = [_metric(tables, row, measure, ask) for measure in measures]
        if benefits is not None:
            found.insert(list(metrics).index(NET_BENEFIT), benefits[row])
        points.append(OperatingPoint(*cells, tuple(found)))
    return OperatingPoints(points=tuple(points), tables=tables, ask=ask)


def _metric(tables: CutTables, row: int, measure: Measure, ask: Ask) -> PointMetric:
    known = posterior_at(tables, row)._knowledge.of(measure, draws=ask.draws, seed=ask.seed)
    law = known.law
    ends = law.interval(ask.level, ask.kind)
    mean, words = interval_cells(law, ask.level, ask.kind)
    places = formats.decimals(ends.low, ends.high, error=law.error if law.route == "simulated" else 0.0)
    shown = (formats.number(known.observed, max(places, 3)), mean, words)
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
        places = formats.decimals(least, most)
        ends = formats.interval(least, most, places)
        shown = (formats.number(x, max(places, 3)), formats.number(mean, places), ends)
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
