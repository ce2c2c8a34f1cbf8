"""The metrics of a report while some labels of the reference may be wrong: their ranges, as a table of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from howsure.answers.sheet import Record, Sheet
from howsure.errors import NoInformation, OutOfReach, listing
from howsure.laws import Kind
from howsure.metrics import Measure
from howsure.posterior.distribution import Distribution
from howsure.posterior.wrong_labels import RANGE, LabelErrorRange, checked_wrong
from howsure.text import formats

__all__ = ["WrongLabels", "ranges"]


@dataclass(frozen=True, repr=False, eq=False)
class WrongLabels(Record, fields=f"wrong n metrics=rows[{RANGE}] silent[why=0 metrics=1]"):
    """Ranges of the metrics of a report while at most so many reference labels are wrong.

    Attributes
    ----------
    wrong, n : int
        Labels that may be wrong, and all of them.
    rows : tuple of LabelErrorRange
        One for each metric that has a range.
    silent : tuple of (str, tuple of str)
        Why others have none, and which.
    """

    wrong: int
    n: int
    level: float
    kind: Kind
    rows: tuple[LabelErrorRange, ...]
    silent: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def sheet(self) -> Sheet:
        """A row for each metric: as counted, the range, and the range with sampling."""
        name = formats.interval_name(self.kind, self.level)
        share = f"{100 * self.wrong / self.n:.3g}%" if self.n else ""
        header = ("metric", "observed", "range", f"with sampling, {name}", f"if {share} wrong at random", "range is")
        notes = [
            "range: lowest and highest value on the counts over all ways in which so many labels are wrong; a wrong "
            "label moves a case to another true class, and what was predicted stays. With sampling: the interval at "
            "both ends. At random: just that share wrong, whatever was predicted; where the reference was made with "
            "the help of the classifier only the range holds.",
        ]
        if any(row.found == "search" for row in self.rows):
            notes.append("search: the range was looked for step by step, and is at least as wide as this.")
        if some := [formats.plain(row.metric) for row in self.rows if row.undefined]:
            notes.append(f"{listing(some)}: some of these tables leave it undefined (0/0); the range is of the others.")
        against = dict.fromkeys(row.contradiction for row in self.rows if row.contradiction)
        return Sheet(
            f"With up to {formats.integer(self.wrong)} of the {formats.several(self.n, 'reference label')} wrong:",
            header,
            tuple(_cells(row) for row in self.rows),
            tuple(notes),
            warnings=tuple(f"No range for {listing(names)}: {why}" for why, names in self.silent),
            remarks=tuple(f"If {share} of the labels were wrong at random: {why}." for why in against),
            words=frozenset([5]),
        )


def _cells(row: LabelErrorRange) -> tuple[str, ...]:
    both = row.with_sampling
    return (
        formats.plain(row.metric),
        "undefined" if row.observed is None else formats.number(row.observed, max(row.places, 3)),
        formats.interval(row.low, row.high, row.places),
        "no answer" if both is None else formats.interval(*both, formats.decimals(*both)),
        "" if row.if_independent is None else formats.number(row.if_independent, max(row.places, 3)),
        row.found,
    )


def ranges(
    known: Mapping[Measure, Distribution], n: int, wrong: float | None, level: float, kind: Kind
) -> WrongLabels | None:
    """Ranges of these metrics, or None where nobody asked for wrong labels."""
    if wrong is None:
        return None
    most, rows, silent = checked_wrong(wrong, n), [], dict[str, list[str]]()
    for measure, answer in known.items():
        try:
            rows.append(answer.with_wrong_labels(most, level=level, kind=kind))
        except (NoInformation, OutOfReach) as error:
            silent.setdefault(str(error), []).append(measure.name)
    return WrongLabels(most, n, level, kind, tuple(rows), tuple((why, tuple(names)) for why, names in silent.items()))
