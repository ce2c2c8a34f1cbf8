"""Cells as the rows of a file spell them, and the step to labels: what is missing, and what is no class."""

from __future__ import annotations

from dataclasses import dataclass, field

from howsure.data.labels import in_order
from howsure.data.words import is_missing
from howsure.errors import InvalidFile, excerpt
from howsure.io.assembly import checked_label, quoted
from howsure.io.reading import Request
from howsure.io.table import Nested, TextTable
from howsure.io.values import SCORE, is_fraction
from howsure.text.formats import integer, several

__all__ = ["CellTally", "Key", "answered", "check_names", "refuse_strangers"]

#: Classifier ("" if there is no column), true and predicted label, as the file has them.
Key = tuple[str, str, str]


@dataclass
class CellTally:
    """Cases by what the cells say, and the line where each combination comes first."""

    cells: dict[Key, int] = field(default_factory=dict)
    first: dict[Key, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def answered(
    table: TextTable, tally: CellTally, model: str, request: Request
) -> tuple[dict[tuple[str, str], int], dict[str, int], list[str]]:
    """Cells of one classifier by cleaned labels, the first line of each label, and what was set aside."""
    given = set(request.labels or ())
    cells: dict[tuple[str, str], int] = {}
    lines: dict[str, int] = {}
    total = missing = 0
    gap: tuple[int, str] | None = None
    for key, count in tally.cells.items():
        nested = next((text for text in key if isinstance(text, Nested)), None)
        if nested is not None:
            raise table.fault(f"{excerpt(nested)} is no class; one text a case is expected", tally.first[key])
        name, true, pred = (table.clean(text) for text in key)
        if name != model:
            continue
        line = tally.first[key]
        total += count
        absent = [label for label in (true, pred) if is_missing(label) and label not in given]
        # a class whose cases are all set aside is one still, as it is in `Predictions` and in `Counts`
        for label in (true, pred):
            if label not in absent and label not in lines:
                lines[checked_label(table, label, line)] = line
        if absent:
            missing += count
            if count and gap is None:
                gap = (line, absent[0])
            continue
        cells[true, pred] = cells.get((true, pred), 0) + count
    if gap is None:
        return cells, lines, []
    line, text = gap
    shown = excerpt(text) if text else "a blank"
    if line:  # an engine that groups does not say where
        shown += f" in {table.place(line)}"
    have = "has" if missing == 1 else "have"
    problem = f"{integer(missing)} of {several(total, 'case')} {have} no true or no predicted class (first: {shown})"
    if request.missing == "error":
        advice = f" If {excerpt(text)} is a class, name all classes with --labels." if text else ""
        raise table.fault(f"{problem}. --missing exclude sets them aside.{advice}", line)
    if not cells:
        raise table.fault(f"{problem}, so none is left to count", line)
    return cells, lines, [f"Set aside: {problem}."]


def check_names(table: TextTable, names: list[str], lines: dict[str, int], request: Request) -> None:
    """Refuse labels that are scores, or outside ``labels=``."""
    if request.labels is not None:
        odd = [name for name in names if name not in set(request.labels)]
        if odd:
            problem = f"the class {excerpt(odd[0])} is not among the labels {quoted(request.labels)}"
            raise table.fault(f"{problem}. Labels name every class.", lines[odd[0]])
        return
    for name in names:
        if is_fraction(name):
            raise table.fault(f"the class is {excerpt(name)}, {SCORE}", lines[name])


def refuse_strangers(table: TextTable, cells: dict[tuple[str, str], int]) -> None:
    """Refuse answers that have no class in common with the truth: 0 and 1 beside false and true are never right."""
    true, pred = ({pair[side] for pair in cells} for side in (0, 1))
    if len(true) > 1 and not true & pred:  # of a single class all may well be wrong
        raise InvalidFile(
            table.source,
            f"the true classes are {quoted(in_order(true))}, the predicted ones {quoted(in_order(pred))}: no class in "
            "common. Spell them alike, or name all classes with --labels if every case is wrong",
        )
