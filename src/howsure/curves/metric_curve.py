"""A metric against the threshold: every point of the curve is a confusion matrix, with its interval."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from howsure.answers.fields import Keyed
from howsure.answers.sheet import Record, Sheet
from howsure.curves.cut_laws import ends_of
from howsure.curves.cut_tables import Prevalence, checked_scores, checked_thresholds, cut_tables, even_cuts
from howsure.curves.lower_scores import lower_scores
from howsure.curves.threshold_words import curve_picture, curve_sheet
from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws.draw_settings import DRAWS, SEED, checked_draws, checked_seed
from howsure.laws.law import KIND, LEVEL, Kind, checked_kind, checked_level
from howsure.metrics import Measure, Metric, parse
from howsure.metrics.margins import Margins
from howsure.posterior.priors import Prior

__all__ = ["ThresholdCurve", "ThresholdPoint", "threshold_curve"]

#: Thresholds where none are named: the scores themselves, or so many of them, even in rank.
USUAL = 101


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
    route : "exact" or "drawn"
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
