"""Words and cells of a report by slice."""

from __future__ import annotations

import re
from typing import Protocol

from howsure.answers.sheet import Sheet
from howsure.data.labels import alike
from howsure.data.slices import Slices
from howsure.laws.law import Kind
from howsure.numerics.learned.far_below import MARGIN
from howsure.reporting.slice_row import SliceRow
from howsure.text import formats

__all__ = ["SHOWN", "UNLIKE", "sheet_of"]

NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")

#: Slices in a table, and names in a sentence.
SHOWN, NAMED = 20, 5

#: P(unlike the rest) from which a slice is named.
UNLIKE = 0.8

#: Weight of empty classes from which a slice is mentioned.
EMPTY = 0.1


class Sliced(Protocol):
    """A report by slice, as far as it is put into words."""

    @property
    def slices(self) -> Slices: ...
    @property
    def metric(self) -> str: ...
    @property
    def rows(self) -> tuple[SliceRow, ...]: ...
    @property
    def largest_gap(self) -> tuple[float, float, float]: ...
    @property
    def p_alike(self) -> float | None: ...
    @property
    def unlike(self) -> tuple[str, ...]: ...
    @property
    def borrowed(self) -> bool: ...
    @property
    def higher_is_better(self) -> bool | None: ...
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


def sheet_of(report: Sliced, most: int = SHOWN) -> Sheet:
    """The worst slices, so many, as cells of text, and sentences."""
    ends = formats.interval_name(report.kind, report.level)
    header = (
        "slice",
        "cases",
        "observed",
        "mean",
        ends,
        "alone",
        "minus the rest",
        "P(below rest)",
        "P(worst)",
        "P(unlike)",
    )
    rows = tuple(_cells(report, row) for row in report.rows[:most])
    more = len(report.rows) - most
    left_out = f"and {formats.several(more, 'slice')} more; CSV and JSON have all." if more > 0 else ""
    return Sheet(_headline(report), header, rows, _notes(report), left_out=left_out, below=_findings(report))


def _cells(report: Sliced, row: SliceRow) -> tuple[str, ...]:
    draws = report.draws if report.route == "drawn" else None
    mean, ends = _number(row.mean, row.low, row.high)
    alone = "" if not report.borrowed else " ".join(filter(None, _number(*row.alone, around=True)))
    gap = "" if row.gap is None else " ".join(filter(None, _number(*row.gap, around=True)))
    return (
        formats.plain(row.name),
        formats.integer(row.cases),
        formats.number(row.observed, 3) if row.observed is not None else "undefined",
        mean,
        ends,
        alone,
        gap,
        "" if row.p_below_rest is None else formats.probability(row.p_below_rest, draws),
        "" if len(report.rows) == 1 else formats.probability(row.p_worst, report.draws),
        "" if row.p_unlike is None else formats.probability(row.p_unlike),
    )


def _number(mean: float | None, low: float | None, high: float | None, *, around: bool = False) -> tuple[str, str]:
    if mean is None or low is None or high is None:
        return "undefined", ""
    places = formats.decimals(low, high)
    ends = formats.interval(low, high, places)
    return formats.number(mean, places), f"({ends})" if around else ends


def _headline(report: Sliced) -> str:
    slices = formats.several(len(report.rows), "slice")
    by = f" by {', '.join(formats.plain(name) for name in report.slices.by)}" if report.slices.by else ""
    worst = report.rows[0]
    mean, ends = _number(worst.mean, worst.low, worst.high)
    shown = mean if not ends else f"{mean} ({ends})"
    if len(report.rows) == 1:
        return f"{report.metric} of {slices}{by}: {formats.plain(worst.name)} {shown}."
    first = f"{report.metric} of {slices}{by}: {'highest' if report.higher_is_better is False else 'lowest'}"
    chance = formats.equals(worst.p_worst, report.draws)
    return f"{first} is {formats.plain(worst.name)} with {shown}, the worst of all with P {chance}."


def _findings(report: Sliced) -> tuple[str, ...]:
    said = []
    if len(report.rows) > 1:
        gap, ends = _number(*report.largest_gap)
        all_alike = "" if report.p_alike is None else f", P(all alike) {formats.equals(report.p_alike)}"
        said.append(
            f"Largest gap between any two slices: {gap} ({ends}){all_alike}; having looked at all of them is in it."
        )
    if report.borrowed:
        if report.unlike:
            names = [formats.plain(name) for name in report.unlike[:NAMED]]
            more = len(report.unlike) - NAMED
            rest = f" and {more} more" if more > 0 else ""
            verb = "is" if len(report.unlike) == 1 else "are"
            said.append(f"Unlike the rest with probability {UNLIKE:g} or more {verb}: {', '.join(names)}{rest}.")
        else:
            said.append(f"No slice is unlike the rest with probability {UNLIKE:g} or more.")
        bad = {True: "lower", False: "higher"}.get(report.higher_is_better, "away")  # type: ignore[arg-type]
        near = f"{MARGIN:g} (half its distance to guessing, if that is less)"
        said[-1] += f" Unlike: {bad} than a typical other one by {near}, and than any of so many like it."
    empty = [row for row in report.rows if row.empty > EMPTY]
    if empty:
        where = ", ".join(f"{formats.plain(row.name)} ({100 * row.empty:.0f} %)" for row in empty[:NAMED])
        where += f" and {len(empty) - NAMED} more" if len(empty) > NAMED else ""
        source = "the other slices" if report.borrowed else "the prior"
        said.append(f"In {where} that share of the metric is of classes without a case, and comes from {source}.")
    values = report.slices.names
    if len(values) > SHOWN and len(report.slices.by) == 1 and all(map(NUMBER.fullmatch, values)):
        by = formats.plain(report.slices.by[0])
        said.append(
            f"These {len(values)} slices are single values of {by}: bands of it (such as 40-49) hold more cases each; "
            "write them into a column."
        )
    said += alike(report.slices.names, "slice")
    return tuple(said)


def _notes(report: Sliced) -> tuple[str, ...]:
    if len(report.rows) == 1:
        return (f"One slice has nobody to borrow from, and no rest. Prior {report.prior}, {_route(report)}.",)
    by = "borrowing from the other slices" if report.borrowed else "by each slice's own cases"
    alone = "alone: the slice's own cases. " if report.borrowed else ""
    small = (
        f"mean: {by}. {alone}minus the rest: the slice alone less all other cases together. Prior {report.prior} of a "
        f"slice alone, {_route(report)}."
    )
    if report.borrowed:
        small += " Borrowing: probabilities to 0.01."
    elif report.route == "drawn":
        small += " This metric has no closed law, so its slices do not borrow."
    return small, f"P(worst) and the largest gap: {formats.integer(report.draws)} joint draws, seed {report.seed}."


def _route(report: Sliced) -> str:
    return "exact" if report.route == "exact" else f"drawn ({formats.integer(report.draws)} draws a slice)"
