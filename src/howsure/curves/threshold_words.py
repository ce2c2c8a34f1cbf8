"""Words, cells and the picture of a metric against the threshold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from howsure.answers.sheet import Sheet
from howsure.curves.decision_words import some_of
from howsure.laws.law import Kind
from howsure.text import formats
from howsure.text.svg import threshold_band

__all__ = ["curve_picture", "curve_sheet", "prevalence_words"]

#: How the prevalence is known, in words.
SOURCES = {
    "test set": "as in these cases (uncertain)",
    "stated": "stated",
    "other cases": "of other cases (uncertain)",
}


class Cut(Protocol):
    """One threshold, as far as it is put into words."""

    @property
    def threshold(self) -> float: ...
    @property
    def tp(self) -> int: ...
    @property
    def fn(self) -> int: ...
    @property
    def fp(self) -> int: ...
    @property
    def tn(self) -> int: ...
    @property
    def observed(self) -> float | None: ...
    @property
    def mean(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


class MetricCurve(Protocol):
    """A metric against the threshold, as far as it is put into words."""

    @property
    def metric(self) -> str: ...
    @property
    def points(self) -> Sequence[Cut]: ...
    @property
    def higher_is_better(self) -> bool | None: ...
    @property
    def prevalence(self) -> float: ...
    @property
    def source(self) -> str: ...
    @property
    def prior(self) -> str: ...
    @property
    def level(self) -> float: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def route(self) -> str: ...
    @property
    def error(self) -> float: ...
    @property
    def draws(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def warnings(self) -> tuple[str, ...]: ...


def prevalence_words(prevalence: float, source: str) -> str:
    """The prevalence and how it is known.

    Examples
    --------
    >>> prevalence_words(0.02, "stated")
    'prevalence 2 % stated'
    """
    return f"prevalence {100 * prevalence:.3g} % {SOURCES[source]}"


def curve_sheet(curve: MetricCurve) -> Sheet:
    """Points of the curve as cells of text."""
    ends = formats.interval_name(curve.kind, curve.level)
    header = ("threshold", "TP", "FN", "FP", "TN", "observed", "mean", ends)
    rows = some_of(len(curve.points))
    more = len(curve.points) - len(rows)
    left_out = f"and {formats.several(more, 'threshold')} between; CSV and JSON have all." if more else ""
    drawn = f"{formats.integer(curve.draws)} joint draws, seed {curve.seed}"
    how = "exact" if curve.route == "exact" else f"{drawn}; error of the means at most {curve.error:.1g}"
    notes = (
        f"A case is called positive from the threshold on. {prevalence_words(curve.prevalence, curve.source)}, prior "
        f"{curve.prior}, {how}.".replace("on. p", "on. P"),
        "Each interval is about its threshold by itself. The best point of a curve looks better than it is: "
        "best_threshold says by how much (howsure threshold --metric).",
    )
    return Sheet(
        _headline(curve),
        header,
        tuple(_cells(curve, curve.points[i]) for i in rows),
        notes,
        left_out=left_out,
        warnings=curve.warnings,
    )


def _cells(curve: MetricCurve, point: Cut) -> tuple[str, ...]:
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


def _headline(curve: MetricCurve) -> str:
    known = [point for point in curve.points if point.mean is not None]
    across = f"{curve.metric} at {formats.several(len(curve.points), 'threshold')}"
    if not known:
        return f"{across}: undefined at each."
    if len(known) == 1 or curve.higher_is_better is None:
        return f"{across}: {'; '.join(_told(curve, point) for point in known[:3])}{' ...' if len(known) > 3 else ''}."
    best = (max if curve.higher_is_better else min)(known, key=lambda point: point.mean or 0.0)
    return f"{across}: best {_told(curve, best)}."


def _told(curve: MetricCurve, point: Cut) -> str:
    assert point.mean is not None
    assert point.low is not None
    assert point.high is not None
    places = formats.decimals(point.low, point.high, curve.error)
    ends = formats.interval(point.low, point.high, places)
    return f"{formats.number(point.mean, places)} ({ends}) at {point.threshold:.6g}"


def curve_picture(curve: MetricCurve) -> str:
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
