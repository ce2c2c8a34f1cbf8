"""Scores by query as trec_eval and ir_measures print them: measure, query and value in some order, without a header."""

from __future__ import annotations

from dataclasses import replace

from howsure.data.words import usual_range
from howsure.io.table import TextTable

__all__ = ["MEASURED", "is_number", "with_header"]

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
