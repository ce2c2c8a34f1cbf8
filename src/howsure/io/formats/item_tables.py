"""Tables of items: several labels in a cell or a column a label; scores by query, as trec_eval prints them."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Sequence
from dataclasses import replace

from howsure.data.words import classifier_of, role, usual_range
from howsure.io.table import TextTable

__all__ = ["MEASURED", "between_labels", "indicator_columns", "is_number", "label_columns", "labels_of", "with_header"]

#: Between the labels of one cell.
BETWEEN = "|;"

#: What stands before a label, or behind it, where a column says whether an item has it.
_HAS = re.compile(
    r"(?:y_)?(true|gold|actual|truth|pred|predicted|prediction)[_.](.+)|(.+)[_.](true|gold|actual|pred|predicted)"
)


def label_columns(header: Sequence[str]) -> tuple[int, dict[str, int]] | None:
    """The column of true labels, and those of answers by system."""
    true = [i for i, cell in enumerate(header) if role(cell) == "true"]
    wide = {name: i for i, cell in enumerate(header) if (name := classifier_of(cell)) is not None}
    one = [i for i, cell in enumerate(header) if role(cell) == "pred" and i not in wide.values()]
    answers = wide or ({"": one[0]} if len(one) == 1 else {})
    return (true[0], answers) if len(true) == 1 and answers else None


def labels_of(cell: str | None, between: str) -> set[str]:
    """The labels of a cell."""
    if cell is not None and cell.startswith("["):  # a list as JSON and Python write it
        try:
            return {str(part) for part in literal_eval(cell)}
        except (ValueError, SyntaxError, TypeError):
            pass
    return {part.strip() for part in (cell or "").split(between) if part.strip()}


def between_labels(table: TextTable) -> str | None:
    """What stands between the labels of one cell; None where cells hold one class each.

    A semicolon may be part of a name: between labels these come again in other company.
    """
    found = label_columns(table.header)
    if found is None:
        return None
    at = (found[0], *found[1].values())
    cells = {row[i].strip() for row in table.peek(1000) for i in at}
    if any(BETWEEN[0] in cell for cell in cells) or any(cell[:1] == "[" and cell[-1:] == "]" for cell in cells):
        return BETWEEN[0]
    many = [cell for cell in cells if BETWEEN[1] in cell]
    parts = {part for cell in cells for part in labels_of(cell, BETWEEN[1])}
    return BETWEEN[1] if many and len(parts) <= len(cells) else None


def indicator_columns(table: TextTable) -> dict[str, dict[str, int]]:
    """Columns of 0 and 1 by label: whether an item has it, and whether it was said to; nothing where others are."""
    found: dict[str, dict[str, int]] = {}
    for i, cell in enumerate(table.header):
        if (match := _HAS.fullmatch(cell.strip())) is not None:
            side, label = (match[1], match[2]) if match[1] else (match[4], match[3])
            found.setdefault(label, {})["pred" if side.startswith("pred") else "true"] = i
    complete = len(found) > 1 and all(len(sides) == 2 for sides in found.values())
    at = [i for sides in found.values() for i in sides.values()]
    marks = {row[i].strip().casefold() for row in table.peek(1000) for i in at}
    return found if complete and marks <= {"0", "1", "0.0", "1.0", "true", "false"} else {}


# -- measure, query and value in some order, without a header -----------------------------------------------------

#: Scores by query, each of some metric.
MEASURED = ("item", "metric", "value")


def with_header(table: TextTable) -> TextTable:
    """Scores by query as trec_eval and ir_measures print them, measure, query and value, which have no header.

    The rows of all queries are no query.
    """
    first = table.header
    if len(first) != 3 or not (is_number(first[2]) or first[0] == "runid"):
        return table
    rows = [(table.line, first), *((line, table.fitted(cells, line)) for line, cells in table.rows)]
    cells = [[cell.strip() for cell in row] for _, row in rows]
    at = 0 if any(row[1] == "all" for row in cells) or usual_range(cells[0][0]) else 1
    if not (at == 0 and any(row[1] == "all" for row in cells)) and usual_range(cells[0][at]) is None:
        return replace(table, rows=iter(rows[1:]))
    kept = [
        (line, [row[1 - at], row[at], row[2]])
        for (line, _), row in zip(rows, cells, strict=True)
        if row[1 - at] not in ("all", "amean") and is_number(row[2])
    ]
    names = {row[1] for _, row in kept}
    if len(names) == 1:
        return replace(
            table, header=["item", *names], rows=((line, [row[0], row[2]]) for line, row in kept), origin=None
        )
    return replace(table, header=[*MEASURED], rows=iter(kept), origin=None)


def is_number(text: str) -> bool:
    """Whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True
