"""A metric against the threshold: every point of the curve is a confusion matrix, with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from howsure.answers.fields import Keyed
from howsure.answers.sheet import Record, Sheet
from howsure.curves.cut_tables import (
    Prevalence,
    checked_scores,
    checked_thresholds,
    cut_tables,
    ends_of,
    even_cuts,
    lower_scores,
)
from howsure.curves.decision_curve import some_of
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws.draw_settings import DRAWS, SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, Kind, checked_kind, checked_level
from howsure.metrics import Measure, Metric, parse
from howsure.metrics.margins import Margins
from howsure.posterior.priors import Prior
from howsure.text import formats
from howsure.text.svg import threshold_band

__all__ = ["ThresholdCurve", "ThresholdPoint", "threshold_curve"]

#: Thresholds where none are named: the scores themselves, or so many of them, even in rank.
USUAL = 101

#: How the prevalence is known, in words.
SOURCES = {
    "test set": "as in these cases (uncertain)",
    "stated": "stated",
    "other cases": "of other cases (uncertain)",
}


@dataclass(frozen=True)
class ThresholdPoint(Keyed):
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

    threshold: float
    tp: int
    fn: int
    fp: int
    tn: int
    observed: float | None
    mean: float | None
    low: float | None
    high: float | None


#: Keyed of a point, in the order of the CSV.


FIELDS = """
metric higher_is_better prevalence source prior level labels interval=kind route error draws seed points
verdict=sentence warnings
"""
CSV = "points[threshold tp fn fp tn observed mean low high]"


@dataclass(frozen=True, repr=False, eq=False)
class ThresholdCurve(Record, json="threshold_curve", fields=FIELDS, csv=CSV):
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

    labels: tuple[str, str]
    metric: str
    points: tuple[ThresholdPoint, ...]
    higher_is_better: bool | None
    prevalence: float
    source: str
    prior: str
    level: float
    kind: Kind
    route: str
    error: float
    draws: int
    seed: int
    warnings: tuple[str, ...] = ()

    def at(self, threshold: float) -> ThresholdPoint:
        """The point of a threshold that was asked for.

        Raises
        ------
        InvalidArgument
            Another threshold.
        """
        for point in self.points:
            if math.isclose(point.threshold, number(threshold), rel_tol=1e-12, abs_tol=1e-12):
                return point
        raise InvalidArgument(
            f"no point at {excerpt(threshold)}; name it: threshold_curve(..., thresholds={excerpt(threshold)})"
        )

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return self.sheet().headline

    def sheet(self) -> Sheet:
        """Points of the curve as cells of text."""
        return curve_sheet(self)

    def picture(self) -> str:
        """The curve as SVG."""
        return curve_picture(self)


def threshold_curve(
    scores: Scores,
    metric: str | Metric | Measure = "balanced_accuracy",
    thresholds: ArrayLike | None = None,
    *,
    prevalence: Prevalence | None = None,
    cases: Sequence[int] | Mapping[str, int] | None = None,
    prior: str | Prior | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
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
    checked_kind(kind)
    level, draws, seed = checked_level(level), checked_draws(draws), checked_seed(seed)
    tables = cut_tables(scores, cuts, prior, prevalence, cases)
    ends = ends_of(tables, measure, level, kind, draws, seed)
    seen = measure(Margins.around(tables.observed if tables.source != "test set" else tables.counts.astype(float)))
    points = tuple(
        ThresholdPoint(t, tp, fn, fp, tn, *map(_finite, values))
        for t, ((tn, fp), (fn, tp)), *values in zip(
            cuts.tolist(), tables.counts.tolist(), seen.tolist(), ends.mean.tolist(), ends.low.tolist(),
            ends.high.tolist(), strict=True,
        )
    )  # fmt: skip
    return ThresholdCurve(
        tables.labels,
        measure.name,
        points,
        {"higher": True, "lower": False}.get(measure.metric.better),
        tables.mean_share,
        tables.source,
        tables.prior.name,
        level,
        kind,
        ends.route,
        ends.error,
        draws,
        seed,
        lower_scores(scores),
    )


def _finite(x: float) -> float | None:
    return x if math.isfinite(x) else None


def prevalence_words(prevalence: float, source: str) -> str:
    """The prevalence and how it is known.

    Examples
    --------
    >>> prevalence_words(0.02, "stated")
    'prevalence 2% stated'
    """
    return f"prevalence {100 * prevalence:.3g}% {SOURCES[source]}"


def curve_sheet(curve: ThresholdCurve) -> Sheet:
    """Points of the curve as cells of text."""
    ends = formats.interval_name(curve.kind, curve.level)
    header = ("threshold", "TP", "FN", "FP", "TN", "observed", "mean", ends)
    rows = some_of(len(curve.points))
    more = len(curve.points) - len(rows)
    left_out = f"and {formats.several(more, 'threshold')} between; CSV and JSON have all." if more else ""
    drawn = f"{formats.integer(curve.draws)} joint draws, seed {curve.seed}"
    how = "exact" if curve.route == "exact" else f"{drawn}; error of the means at most {curve.error:.1g}"
    notes = (
        f"A case is predicted positive from the threshold on. {prevalence_words(curve.prevalence, curve.source)}, "
        "prior "
        f"{curve.prior}, {how}.".replace("on. p", "on. P"),
    )
    covers = (
        "Each interval is about its threshold by itself. The best point of a curve looks better than it is: "
        "best_threshold says by how much (howsure threshold --metric)."
    )
    return Sheet(
        _headline(curve),
        header,
        tuple(_cells(curve, curve.points[i]) for i in rows),
        notes,
        left_out=left_out,
        warnings=curve.warnings,
        covers=covers,
    )


def _cells(curve: ThresholdCurve, point: ThresholdPoint) -> tuple[str, ...]:
    counts = tuple(formats.integer(count) for count in (point.tp, point.fn, point.fp, point.tn))
    if point.mean is None or point.low is None or point.high is None:
        return (f"{point.threshold:.6g}", *counts, formats.number(point.observed, 4), "undefined", "")
    places = formats.decimals(point.low, point.high, curve.error)
    return (
        f"{point.threshold:.6g}",
        *counts,
        formats.number(point.observed, places),
        formats.number(point.mean, places),
        formats.interval(point.low, point.high, places),
    )


def _headline(curve: ThresholdCurve) -> str:
    known = [point for point in curve.points if point.mean is not None]
    across = f"{curve.metric} at {formats.several(len(curve.points), 'threshold')}"
    if not known:
        return f"{across}: undefined at each."
    if len(known) == 1 or curve.higher_is_better is None:
        return f"{across}: {'; '.join(_told(curve, point) for point in known[:3])}{' ...' if len(known) > 3 else ''}."
    best = (max if curve.higher_is_better else min)(known, key=lambda point: point.mean or 0.0)
    return f"{across}: best {_told(curve, best)}."


def _told(curve: ThresholdCurve, point: ThresholdPoint) -> str:
    assert point.mean is not None
    assert point.low is not None
    assert point.high is not None
    places = formats.decimals(point.low, point.high, curve.error)
    ends = formats.interval(point.low, point.high, places)
    return f"{formats.number(point.mean, places)} ({ends}) at {point.threshold:.6g}"


def curve_picture(curve: ThresholdCurve) -> str:
    """The curve as SVG."""
    found = [
        (point.threshold, point.low, point.mean, point.high)
        for point in curve.points
        if point.low is not None and point.mean is not None and point.high is not None
    ]
    if len(found) < 2:
        return ""
    x, low, mean, high = ([row[i] for row in found] for i in range(4))
    name = formats.interval_name(curve.kind, curve.level)
    return threshold_band(
        x,
        (low, mean, high),
        xlabel="threshold",
        ylabel=f"{formats.plain(curve.metric)}, mean and {name}",
        title=f"{formats.plain(curve.metric)} against the threshold with its {name}",
    )
