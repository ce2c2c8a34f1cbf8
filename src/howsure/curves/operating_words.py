"""Words, cells and the picture of operating points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from howsure.answers.sheet import Sheet
from howsure.curves.decision_words import some_of
from howsure.curves.threshold_words import prevalence_words
from howsure.laws.law import Kind
from howsure.metrics.plain_names import plain_name
from howsure.text import formats
from howsure.text.svg import rising

__all__ = ["point_sentence", "points_notes", "points_picture", "points_sheet"]

#: Metrics in the table of many thresholds.
MOST_COLUMNS = 4


class ShownMetric(Protocol):
    """One metric, as far as it is put into words."""

    @property
    def metric(self) -> str: ...
    @property
    def law(self) -> str: ...
    @property
    def shown(self) -> tuple[str, str, str]: ...


class ShownPoint(Protocol):
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
    def metrics(self) -> Sequence[ShownMetric]: ...


class ShownPoints(Protocol):
    """Operating points, as far as they are put into words."""

    @property
    def labels(self) -> tuple[str, str]: ...
    @property
    def sizes(self) -> tuple[int, int]: ...
    @property
    def points(self) -> Sequence[ShownPoint]: ...
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
    def draws(self) -> int: ...
    @property
    def seed(self) -> int: ...
    @property
    def warnings(self) -> tuple[str, ...]: ...


def point_sentence(labels: tuple[str, str], point: ShownPoint) -> str:
    """What happens to cases at a threshold.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> print(point_sentence(("well", "ill"), SimpleNamespace(threshold=0.5, tp=42, fn=34, fp=14, tn=100)))
    From a score of 0.5 on, 42 of 76 ill are found, and 14 of 114 well are called ill by mistake.
    """
    negative, positive = (formats.class_name(label) for label in labels)
    tp, fp, ill, well = map(formats.integer, (point.tp, point.fp, point.tp + point.fn, point.fp + point.tn))
    return (
        f"From a score of {point.threshold:.6g} on, {tp} of {ill} {positive} are found, and {fp} of {well} {negative} "
        f"are called {positive} by mistake."
    )


def points_sheet(made: ShownPoints) -> Sheet:
    """One point metric by metric, or the first metrics of some of many."""
    ends = formats.interval_name(made.kind, made.level)
    notes = points_notes(made)
    if len(made.points) == 1:
        (point,) = made.points
        rows = tuple((plain_name(it.metric, made.labels[1]), *it.shown, it.law) for it in point.metrics)
        return Sheet(
            point_sentence(made.labels, point),
            ("metric", "observed", "mean", ends, "law"),
            rows,
            notes,
            about=_cells_words(point),
            words=frozenset((4,)),
            warnings=made.warnings,
        )
    shown = some_of(len(made.points))
    metrics = made.points[0].metrics[:MOST_COLUMNS]
    header = ("threshold", "TP", "FN", "FP", "TN", *(plain_name(it.metric, made.labels[1]) for it in metrics))
    more = len(made.points) - len(shown)
    every = "CSV, JSON and the page have all thresholds and metrics."
    between = f"and {formats.several(more, 'threshold')} between. " if more else ""
    return Sheet(
        _headline(made),
        header,
        tuple(_row(made.points[i]) for i in shown),
        (f"Each cell: mean ({ends}). {notes[0]}", *notes[1:]),
        left_out=f"{between}{every}",
        warnings=made.warnings,
    )


def _cells_words(point: ShownPoint) -> str:
    counts = zip(("TP", "FN", "FP", "TN"), (point.tp, point.fn, point.fp, point.tn), strict=True)
    return ", ".join(f"{formats.integer(count)} {name}" for name, count in counts) + "."


def _row(point: ShownPoint) -> tuple[str, ...]:
    counts = tuple(formats.integer(count) for count in (point.tp, point.fn, point.fp, point.tn))
    known = (
        f"{mean} ({ends})" if ends else mean for _, mean, ends in (it.shown for it in point.metrics[:MOST_COLUMNS])
    )
    return (f"{point.threshold:.6g}", *counts, *known)


def _headline(made: ShownPoints) -> str:
    first, last = made.points[0].threshold, made.points[-1].threshold
    positive = formats.class_name(made.labels[1])
    return (
        f"{formats.several(len(made.points), 'threshold')} from {first:.6g} to {last:.6g}: what happens to cases if "
        f"they are called {positive} from there on."
    )


def points_notes(made: ShownPoints) -> tuple[str, ...]:
    """What the numbers rest on."""
    drawn = any(it.law == "drawn" for point in made.points for it in point.metrics)
    how = f", {formats.integer(made.draws)} draws where no law is exact, seed {made.seed}" if drawn else ""
    said = prevalence_words(made.prevalence, made.source)
    return (
        f"{said[:1].upper()}{said[1:]}, prior {made.prior}{how}.",
        "Each interval is about its threshold by itself, as if it had been given. A threshold that is chosen on these "
        "cases looks better than it is: howsure threshold --metric says by how much (best_threshold).",
    )


def points_picture(made: ShownPoints) -> str:
    """The points in the plane of the ROC curve as SVG; none of a single one."""
    if len(made.points) < 2:
        return ""
    across = [point.fp / (point.fp + point.tn) for point in made.points]
    up = [point.tp / (point.tp + point.fn) for point in made.points]
    pairs = sorted({(0.0, 0.0), *zip(across, up, strict=True), (1.0, 1.0)})
    return rising(
        [x for x, _ in pairs],
        [y for _, y in pairs],
        (),
        chance=((0.0, 0.0), (1.0, 1.0)),
        xlabel="false positive rate",
        ylabel="true positive rate",
        title=_headline(made),
    )
