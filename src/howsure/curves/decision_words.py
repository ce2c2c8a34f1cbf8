"""Words, cells and the picture of a decision curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from howsure.answers.sheet import Sheet
from howsure.laws.law import Kind
from howsure.text import formats
from howsure.text.svg import threshold_band

__all__ = ["SHOWN", "picture_of", "sheet_of", "some_of"]

#: Thresholds in a table.
SHOWN = 20

#: Probability from which the test is called useful.
SURE = 0.95


class DecisionRow(Protocol):
    """One threshold, as far as it is put into words."""

    @property
    def threshold(self) -> float: ...
    @property
    def observed(self) -> float: ...
    @property
    def treat_all(self) -> float: ...
    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def p_over_none(self) -> float: ...
    @property
    def p_over_all(self) -> float: ...
    @property
    def p_useful(self) -> float: ...


class DecisionCurve(Protocol):
    """A decision curve, as far as it is put into words."""

    @property
    def labels(self) -> tuple[str, str]: ...
    @property
    def n(self) -> int: ...
    @property
    def points(self) -> Sequence[DecisionRow]: ...
    @property
    def evpi(self) -> tuple[float, ...]: ...
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
    def draws(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def warnings(self) -> tuple[str, ...]: ...


def some_of(count: int) -> list[int]:
    """Which rows of so many a table shows: even, with the first and the last.

    Examples
    --------
    >>> some_of(3), len(some_of(99))
    ([0, 1, 2], 20)
    """
    if count <= SHOWN:
        return list(range(count))
    return sorted({round(i * (count - 1) / (SHOWN - 1)) for i in range(SHOWN)})


def sheet_of(curve: DecisionCurve) -> Sheet:
    """The curve as cells of text, and sentences."""
    ends = formats.interval_name(curve.kind, curve.level)
    header = ("threshold", "observed", "mean", ends, "treat all", "P(> none)", "P(> all)", "P(> both)", "EVPI")
    rows = some_of(len(curve.points))
    cells = tuple(_cells(curve, curve.points[i], curve.evpi[i]) for i in rows)
    more = len(curve.points) - len(rows)
    left_out = f"and {formats.several(more, 'threshold')} between; CSV and JSON have all." if more else ""
    below = (_sentence(curve, curve.points[_told(curve)]),) if len(curve.points) > 1 else ()
    return Sheet(
        _headline(curve), header, cells, _notes(curve), left_out=left_out, below=below, warnings=curve.warnings
    )


def _cells(curve: DecisionCurve, point: DecisionRow, evpi: float) -> tuple[str, ...]:
    places = formats.decimals(point.low, point.high)
    drawn = curve.draws if curve.route == "drawn" else None
    return (
        f"{point.threshold:g}",
        formats.number(point.observed, places),
        formats.number(point.mean, places),
        formats.interval(point.low, point.high, places),
        formats.number(point.treat_all, places),
        formats.probability(point.p_over_none, drawn),
        formats.probability(point.p_over_all, drawn),
        formats.probability(point.p_useful, drawn),
        f"{evpi:.1g}" if evpi >= 5e-5 else "< 0.0001",
    )


def _told(curve: DecisionCurve) -> int:
    """Of which threshold a sentence is made: where treating everybody is worth as much as treating nobody."""
    return min(range(len(curve.points)), key=lambda i: abs(curve.points[i].threshold - curve.prevalence))


def _headline(curve: DecisionCurve) -> str:
    if len(curve.points) == 1:
        return _sentence(curve, curve.points[0])
    sure = [point.p_useful >= SURE for point in curve.points]
    runs, start = [], None
    for i, is_sure in enumerate([*sure, False]):
        if is_sure and start is None:
            start = i
        elif not is_sure and start is not None:
            runs.append((curve.points[start].threshold, curve.points[i - 1].threshold, i - start))
            start = None
    what = "treating by the score is better than treating everybody and than treating nobody"
    if not runs:
        best = max(curve.points, key=lambda point: point.p_useful)
        drawn = curve.draws if curve.route == "drawn" else None
        chance = formats.probability(best.p_useful, drawn)
        return (
            f"At no threshold asked for is it sure ({SURE:g}) that {what}; at most {chance}, at "
            f"{_percent(best.threshold)}."
        )
    few = len(curve.points) <= SHOWN  # what is between them was not asked for
    told = " and ".join(
        f"at {_percent(low)}"
        if low == high
        else (f"at each of the {count} thresholds asked for " if few else "")
        + f"from {_percent(low)} to {_percent(high)}"
        for low, high, count in runs
    )
    where = told if told.startswith("at ") else f"at thresholds {told}"
    return f"With probability {SURE:g} or more {what} {where}."


def _sentence(curve: DecisionCurve, point: DecisionRow) -> str:
    """What one threshold is worth to a hundred patients."""
    low, high = 100 * point.low, 100 * point.high
    places = formats.decimals(low, high)
    ends = formats.interval(low, high, places)
    drawn = curve.draws if curve.route == "drawn" else None
    harm = (1 - point.threshold) / point.threshold
    ratio = f"{harm:.0f}" if harm >= 10 else f"{harm:.2g}"
    needless = "1 needless treatment weighs" if ratio == "1" else f"{ratio} needless treatments weigh"
    return (
        f"At a threshold of {_percent(point.threshold)}, where {needless} as much as one "
        f"{formats.class_name(curve.labels[1])} case missed: of 100 patients "
        f"{formats.number(100 * point.mean, places)} net true positives ({ends}), better than treating everybody "
        f"({formats.number(100 * point.treat_all, places)}) with probability "
        f"{formats.probability(point.p_over_all, drawn)}, than treating nobody with "
        f"{formats.probability(point.p_over_none, drawn)}."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.6g} %"


def _notes(curve: DecisionCurve) -> tuple[str, ...]:
    where = {
        "test set": "as in these cases (uncertain)",
        "stated": "stated",
        "other cases": "of other cases (uncertain)",
    }[curve.source]
    both = "exact" if curve.route == "exact" else f"from {formats.integer(curve.draws)} draws"
    return (
        f"{formats.several(curve.n, 'case')}, prevalence {100 * curve.prevalence:.3g} % {where}, prior {curve.prior}. "
        f"Means and intervals: exact; probabilities: {both}. They are about each threshold by itself.",
        "Net benefit of a patient: share of hits, less share of false alarms times threshold / (1 - threshold). "
        "The scores have to be calibrated risks for a threshold to mean what it says.",
        "EVPI: net benefit lost, on average, for not knowing which of the three is best; "
        f"{formats.integer(curve.draws)} draws, seed {curve.seed}.",
    )


def picture_of(curve: DecisionCurve) -> str:
    """The decision curve as SVG."""
    points = curve.points
    if len(points) < 2:
        return ""
    name = formats.interval_name(curve.kind, curve.level)
    most = max(*(point.high for point in points), 1e-09)
    return threshold_band(
        [point.threshold for point in points],
        ([point.low for point in points], [point.mean for point in points], [point.high for point in points]),
        others=[("treat all", [point.treat_all for point in points]), ("treat none", [0.0] * len(points))],
        floor=-0.25 * most,
        xlabel="threshold probability",
        ylabel=f"net benefit, mean and {name}",
        title=f"Net benefit against the threshold probability with its {name}",
    )
