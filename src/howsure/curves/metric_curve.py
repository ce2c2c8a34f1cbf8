"""A metric against the threshold: every point of the curve is a confusion matrix, with its interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from numpy.typing import ArrayLike

from howsure.answers.asking import Ask, picked, spelled
from howsure.answers.law_summary import finite
from howsure.answers.sheet import Sheet
from howsure.curves.cut_tables import (
    AtCuts,
    CutPoint,
    Cutting,
    Elsewhere,
    checked_scores,
    checked_thresholds,
    cut_tables,
    ends_of,
    even_cuts,
)
from howsure.data.scores import Scores
from howsure.metrics import Measure, Metric, parse
from howsure.metrics.margins import Margins
from howsure.text import formats
from howsure.text.svg import threshold_band

__all__ = ["ThresholdCurve", "ThresholdPoint", "threshold_curve"]

#: Thresholds where none are named: the scores themselves, or so many of them, even in rank.
USUAL = 101


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


FIELDS = """
metric higher_is_better prevalence source prior level labels interval=kind route error draws seed points
verdict=sentence warnings
"""
CSV = "points[threshold tp fn fp tn observed mean low high]"


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class ThresholdCurve(AtCuts[ThresholdPoint], json="threshold_curve", fields=FIELDS, csv=CSV):
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
        places = formats.decimals(low, high, self.error)
        numbers = (formats.number(value, places) for value in (point.observed, mean))
        return (*point.named_cells, *numbers, formats.interval(low, high, places))

    @property
    def _headline(self) -> str:
        known = [(point.threshold, *point.known) for point in self.points if point.known is not None]
        told = []
        for threshold, mean, low, high in known:
            places = formats.decimals(low, high, self.error)
            told.append(f"{formats.number(mean, places)} ({formats.interval(low, high, places)}) at {threshold:.6g}")
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
