"""Cells of one classifier from a table that is too large to be read row by row: its engine groups and counts.

What is asked is what the row reader asks: pairs of texts with their numbers, ids that come once, weights that are 1.
Where the answer is no, the row reader is asked for the sentence, because it knows the line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from howsure.errors import InvalidFile, MissingExtra
from howsure.io.case_rows import HEADER_AGAIN, CodedRows, Column
from howsure.io.counting.count_columns import CountColumns
from howsure.io.engines.duck import MOST_CELLS, connected, described, selected, table_of
from howsure.io.engines.duckdb_errors import teaching
from howsure.io.engines.fetching import fetched, rows
from howsure.io.engines.sources import names_there, source_of
from howsure.io.engines.sql_quoting import quoted
from howsure.io.reading import Request
from howsure.io.roles import Columns
from howsure.io.table import TextTable
from howsure.io.units_of_cases import group_asked
from howsure.io.values import json_text, value_text
from howsure.text.formats import integer

__all__ = ["grouped"]

#: Cells of one classifier that are brought into Python one by one.
MOST_PAIRS = 5_000_000


def grouped(table: TextTable, columns: Columns, request: Request) -> CodedRows:
    """Pairs of true and predicted text, and a judge's beside them, with their numbers.

    Parameters
    ----------
    table : TextTable
        With an origin.
    columns : Columns
        Of one classifier.
    request : Request
        Whether groups or repeats are kept.

    Raises
    ------
    HowsureError
        Anything that is not as it should be.
    """
    assert table.origin is not None
    (predicted,) = columns.pred.values()
    parts = (columns.model, columns.true, predicted, columns.judge, columns.count, group_asked(columns, request))
    places = list(dict.fromkeys(at for at in parts if at is not None))
    names = names_there(table)
    engine = _of_frame if table.origin.format == "frame" else _of_files
    units = (columns.id, columns.repeat, columns.model, columns.weight)
    cells, ids = engine(table, [names[at] for at in places], *(_name(names, at) for at in units))
    again = [table.header[at] for at in places]
    numbers: list[dict[str, int]] = [{} for _ in places]
    codes: list[list[int]] = []
    times: list[int] = []
    for *values, n in cells:
        if [*map(table.clean, values)] == again:
            raise InvalidFile(table.source, HEADER_AGAIN)
        if columns.count is None or any(text.strip() for text in values):
            codes.append([known.setdefault(text, len(known)) for known, text in zip(numbers, values, strict=True)])
            times.append(n)
        if len(times) > MOST_PAIRS:
            problem = f"more than {integer(MOST_PAIRS)} different pairs of classes"
            raise InvalidFile(table.source, f"{problem}; is a column free text, a score or an id?")
    coded = np.array(codes, dtype=np.int64).reshape(-1, len(places)).T
    found = {at: Column(list(known), each) for at, known, each in zip(places, numbers, coded, strict=True)}
    rows_ = CodedRows(table, found, np.array(times, dtype=np.int64), counted=ids[::-1])
    rows_.multiplied(columns.count, lambda _: "a count")
    return rows_


GroupedCells = Iterable[Sequence[Any]]


def _name(names: Sequence[str], at: int | None) -> str | None:
    return None if at is None else names[at]


def _of_files(
    table: TextTable, keys: Sequence[str], case: str | None, repeat: str | None, model: str | None, weight: str | None
) -> tuple[GroupedCells, tuple[int, int]]:
    source = source_of(table)
    used = list(dict.fromkeys([*keys, *(c for c in (case, repeat, weight) if c is not None)]))
    ask = CountColumns(used[0], {c: c for c in used[1:]})
    text: Callable[[Any], str] = json_text if source.format == "jsonl" else value_text
    with connected(None) as db, teaching(source, used):
        sql = table_of(source, ask)
        types = described(db, sql, source, ask)
        if weight is not None:
            value = f"json_extract_string({quoted(weight)}, '$')" if source.format == "jsonl" else quoted(weight)
            if rows(db, f"SELECT 1 FROM {sql} WHERE try_cast({value} AS DOUBLE) IS DISTINCT FROM 1 LIMIT 1"):
                raise InvalidFile(table.source, "a weight is not 1")
        distinct = total = 0
        if case is not None:
            within = ", ".join(quoted(c) for c in (model, repeat, case) if c is not None)
            name = f"trim({quoted(case)}::VARCHAR)"
            blank = f"{name} IS NULL OR {name} IN ('', 'null', '\"\"')"
            odd = f"SELECT 1 FROM {sql} WHERE {blank} LIMIT 1"
            twice = f"SELECT 1 FROM {sql} GROUP BY {within} HAVING count(*) > 1 LIMIT 1"
            if rows(db, odd) or rows(db, twice):
                raise InvalidFile(table.source, "an id is blank or comes twice")
            if repeat is not None:
                of = ", ".join(quoted(c) for c in (model, case) if c is not None)
                ((distinct, total),) = rows(db, f"SELECT count(DISTINCT ({of})), count(*) FROM {sql}")
        chosen = ", ".join(f"{selected(c, types)} AS k{i}" for i, c in enumerate(keys))
        query = f"SELECT *, count(*)::BIGINT AS n FROM (SELECT {chosen} FROM {sql}) GROUP BY ALL LIMIT {MOST_CELLS + 1}"
        found = fetched(db, query, source.beside())
    listed = [found[f"k{i}"].tolist() for i in range(len(keys))]
    cells = zip(*([text(value) for value in column] for column in listed), found["n"].tolist(), strict=True)
    return cells, (distinct, total)


def _of_frame(
    table: TextTable, keys: Sequence[str], case: str | None, repeat: str | None, model: str | None, weight: str | None
) -> tuple[GroupedCells, tuple[int, int]]:
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise MissingExtra("Reading a data frame", "frames") from None
    assert table.origin is not None
    frame = nw.from_native(table.origin.frame).lazy()

    def brought(query: Any) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in query.collect().iter_rows()]

    def times(*columns: str) -> Any:
        return frame.group_by(*columns, drop_null_keys=False).agg(nw.len().alias("howsure_n"))

    if weight is not None:
        odd = [value for (value, _) in brought(times(weight).head(1_000)) if value_text(value) != "1"]
        if odd:
            raise InvalidFile(table.source, "a weight is not 1")
    distinct = total = 0
    if case is not None:
        within = [c for c in (model, repeat, case) if c is not None]
        twice = brought(times(*within).filter(nw.col("howsure_n") > 1).head(1))
        if twice or brought(frame.filter(nw.col(case).is_null()).select(case).head(1)):
            raise InvalidFile(table.source, "an id is blank or comes twice")
        if repeat is not None:
            of = [c for c in (model, case) if c is not None]
            ((distinct,),) = brought(frame.select(*of).unique().select(nw.len()))
            ((total,),) = brought(frame.select(nw.len()))
    found = brought(times(*keys))
    return [[*(value_text(value) for value in row[:-1]), int(row[-1])] for row in found], (distinct, total)
