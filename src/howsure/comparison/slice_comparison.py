"""Which of two classifiers is better in which slices of the same cases: `compare_slices`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from howsure.answers.sheet import Sheet, row_named
from howsure.comparison.slice_differences import (
    COLUMNS,
    NAMED_FROM,
    SliceDifference,
    Triple,
    cells_of,
    header_of,
    named,
    of_slices,
    paired_cells,
    picture_of,
    slice_differences,
    small_print,
)
from howsure.data.predictions import Predictions
from howsure.errors.arguments import sentences
from howsure.knowledge.protocol import Answered, Ask
from howsure.laws.draw_settings import SEED
from howsure.laws.law import KIND, LEVEL, Kind
from howsure.metrics import Measure, Metric
from howsure.text import formats

__all__ = ["SliceComparison", "compare_slices"]

#: Slices in a table.
SHOWN = 20


FIELDS = """
names by metric higher_is_better better worse p_better_in_all p_worse_in_all borrowed n level draws seed interval=kind
worst_difference(mean=0 low=1 high=2) slices=rows sentence notes
"""


@dataclass(frozen=True, repr=False, eq=False)
class SliceComparison(Answered, json="compare_slices", fields=FIELDS, csv=f"rows[{COLUMNS}]"):
    """Two classifiers by slice, where the first does worst on top; made by `compare_slices`.

    Attributes
    ----------
    names : (str, str)
        The classifiers; differences are the first minus the second.
    by : tuple of str
        The columns.
    metric : str
        What was asked.
    higher_is_better : bool
        Of the metric.
    rows : tuple of SliceDifference
        The worst for the first classifier first.
    better, worse : tuple of str
        Slices in which the first is better, and worse, with probability 0.99 or more.
    p_better_in_all, p_worse_in_all : float
        Joint probability that it is better, and worse, in every slice.
    worst_difference : tuple of float
        Mean and both ends of the difference where the first does worst, whichever slice that is.
    borrowed : bool
        Whether the headline borrows: from three slices on.
    n : int
        Cases.
    level, kind : float and str
        Of the intervals.
    draws, seed : int
        Behind all that is borrowed or joint.
    notes : tuple of str
        What was set aside or filled in.

    Examples
    --------
    >>> from howsure import Predictions, compare_slices
    >>> both = Predictions([1] * 90, {"a": [1] * 90, "b": [1, 1, 0] * 30})
    >>> compare_slices(both, "a", "b", by=["x"] * 40 + ["y"] * 50).better
    ('y', 'x')
    """

    names: tuple[str, str]
    by: tuple[str, ...]
    metric: str
    higher_is_better: bool
    rows: tuple[SliceDifference, ...]
    better: tuple[str, ...]
    worse: tuple[str, ...]
    p_better_in_all: float
    p_worse_in_all: float
    worst_difference: Triple
    borrowed: bool
    n: int
    ask: Ask
    notes: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> SliceDifference:
        """Row of a slice by its name."""
        return row_named(self.rows, name, "slice")

    @property
    def sentence(self) -> str:
        """In which slices the first is better, and where it is worst."""
        one, other = (formats.plain(name, 40) for name in self.names)
        said = [f"{one} is {what} in {named(where)}" for what, where in (("better", self.better), ("worse", self.worse))
                if where]  # fmt: skip
        sure = f" with probability {NAMED_FROM:g} or more"
        found = " and ".join(said) + sure if said else f"no slice has one of them ahead{sure}"
        worst = self.rows[0]
        least, places = formats.estimate(worst.mean, worst.low, worst.high), formats.plain(worst.name, 30)
        least += f", the worst of all with P {formats.equals(worst.p_worst, self.draws)}" if len(self.rows) > 1 else ""
        return (
            f"{one} minus {other} in {self.metric}, {of_slices(len(self.rows), self.by)}: {found}. {one} does worst in "
            f"{places}: {least}."
        )

    def sheet(self) -> Sheet:
        """The worst slices for the first classifier, and what holds of all of them."""
        return self._sheet(SHOWN)

    def _sheet(self, most: int) -> Sheet:
        """The same with so many slices."""
        more = len(self.rows) - most
        one = formats.plain(self.names[0], 20)
        below = []
        if len(self.rows) > 1:
            everywhere, nowhere = (formats.equals(p, self.draws) for p in (self.p_better_in_all, self.p_worse_in_all))
            below = [
                f"{one} is better in every slice with P {everywhere}, worse in every slice with P {nowhere}.",
                f"Where {one} does worst, whichever slice that is: {formats.estimate(*self.worst_difference)}; having "
                "looked at all of them is in it.",
            ]
        return Sheet(
            self.sentence,
            header_of(self.names[0], self.kind, self.level, borrowed=self.borrowed),
            tuple(cells_of(row, self.draws, borrowed=self.borrowed) for row in self.rows[:most]),
            small_print(self.borrowed, self.draws, self.seed),
            about=f"Paired: {formats.several(self.n, 'case')} answered by both.",
            left_out=f"and {formats.several(more, 'slice')} more; CSV and JSON have all." if more > 0 else "",
            below=tuple(below),
            remarks=self.notes,
        )

    def picture(self) -> str:
        """Differences of the worst slices as SVG."""
        return picture_of(self.rows[:SHOWN], f"{self.metric}, {self.names[0]} minus {self.names[1]}, by slice")


def compare_slices(
    predictions: Predictions,
    a: str,
    b: str,
    *,
    by: Any,
    metric: str | Metric | Measure | None = None,
    level: float = LEVEL,
    kind: Kind = KIND,
    seed: int = SEED,
    notes: Sequence[str] = (),
) -> SliceComparison:
    """In which slices of the same cases is one classifier better than another.

    Parameters
    ----------
    predictions : Predictions
        The cases, which are taken as independent.
    a, b : str
        The classifiers; differences are a minus b.
    by : array_like, shape (n,), or mapping of str to such
        The slice of each case; or several columns by name, whose combinations are the slices. A missing value is a
        slice of its own.
    metric : str, Metric or Measure, optional
        "accuracy" if left out; recall, specificity, balanced accuracy, and what these leave of 1.
    level, kind
        Of the intervals.
    seed : int
        Of the draws.
    notes : sequence of str
        Sentences to print with the answer.

    Raises
    ------
    InvalidArgument, InvalidLabels
        No predictions, one classifier twice, another metric, another number of values than cases.
    UnknownClassifier, UnknownMetric, UnknownLabel
        A name that is not there.

    Notes
    -----
    How often exactly one of the two is right, and how often that is the first, are populations over the slices, those
    of `compare` over classes with slices in their place (``docs/slices.md``). A slice alone has Dirichlet(1/2, 1/2,
    1/2, 1/2) over both right, only a, only b, neither, and is exact.

    Examples
    --------
    >>> from howsure import Predictions
    >>> truth, place = [0, 1] * 150, ["north", "south", "west"] * 100
    >>> new = [1 - t if p == "west" and i % 4 else t for i, (t, p) in enumerate(zip(truth, place))]
    >>> old = [1 - t if i % 10 == 0 else t for i, t in enumerate(truth)]
    >>> made = compare_slices(Predictions(truth, {"new": new, "old": old}), "new", "old", by=place)
    >>> made.better, made.worse, made.rows[0].name
    (('south', 'north'), ('west',), 'west')
    """
    ask = Ask(level, kind, seed=seed)
    cells = paired_cells(predictions, a, b, by, metric, "compare_slices")
    found = slice_differences(cells, ask)
    rows = tuple(sorted(found.rows, key=lambda row: (cells.sign * row.mean, row.name)))
    better = tuple(row.name for row in reversed(rows) if row.p_better >= NAMED_FROM)
    worse = tuple(row.name for row in rows if 1 - row.p_better >= NAMED_FROM)
    return SliceComparison(
        (a, b), cells.by, cells.measure.name, cells.sign > 0, rows, better, worse, found.p_better_in_all,
        found.p_worse_in_all, found.least, found.borrowed, cells.n, replace(ask, draws=found.draws),
        (*predictions.notes, *sentences(notes)),
    )  # fmt: skip
