"""A table a classifier: the answers to one case side by side, joined by the case's id in DuckDB, out of core."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.contents import table_of as table_of_file
from howsure.io.counting.count_columns import CountColumns
from howsure.io.counting.tally_to_counts import Tally
from howsure.io.engines.damaged_parquet import damaged_row_group
from howsure.io.engines.duck import connected, counted_rows, refuse_doubles, table_of
from howsure.io.engines.duckdb_errors import teaching
from howsure.io.engines.fetching import rows
from howsure.io.engines.sources import TableFiles, source_of
from howsure.io.engines.sql_quoting import quoted
from howsure.io.opening import opened
from howsure.io.values import class_text
from howsure.text.formats import integer

__all__ = ["tally_side_by_side"]


def tally_side_by_side(
    paths: Mapping[str, str],
    truth: str,
    answer: str,
    case: str,
    labels: Sequence[str] | None = None,
    *,
    memory: str | None = None,
) -> tuple[CountColumns, Tally]:
    """Count the cases that all tables have.

    Parameters
    ----------
    paths : mapping of str to str
        Tables by the names of the classifiers; of one format.
    truth, answer, case : str
        Columns that all of them have.
    memory : str, optional

    Raises
    ------
    InvalidFile
        An id that comes twice in a table, has two true classes, or is in no two tables.
    """
    sources = {name: _source(path) for name, path in paths.items()}
    formats = {source.format for source in sources.values()}
    if len(formats) > 1:
        raise InvalidArgument(f"tables that are paired are of one format, not {listing(sorted(formats))}")
    ask = CountColumns(truth, {"": answer}, id=case, text=class_text(labels))
    first = next(iter(sources.values()))
    with connected(memory) as db:
        tables, total = {}, 0
        for i, source in enumerate(sources.values()):
            for _ in source.beside() or ():
                pass  # what DuckDB would leave out is refused
            with teaching(source, ask.columns):
                table = table_of(source, ask)
                refuse_doubles(db, table, ask, source)
                total = max(total, rows(db, f"SELECT count(*) FROM {table}")[0][0])
            columns = ((case, "howsure_case"), (truth, "howsure_true"), (answer, f"howsure_answer_{i}"))
            chosen = ", ".join(f"{quoted(c)} AS {name}" for c, name in columns)
            tables[i] = f"(SELECT {chosen} FROM {table}) AS s{i}"
        joined = tables[0] + "".join(f" JOIN {tables[i]} USING (howsure_case)" for i in list(tables)[1:])
        whole = replace(first, files=tuple(file for source in sources.values() for file in source.files))
        with teaching(whole, ask.columns):
            odd = " OR ".join(
                f"s{a}.howsure_true::VARCHAR IS DISTINCT FROM s{b}.howsure_true::VARCHAR" for a, b in pairwise(tables)
            )
            two = ", ".join(f"s{i}.howsure_true::VARCHAR" for i in tables)
            found_odd = rows(db, f"SELECT howsure_case::VARCHAR, {two} FROM {joined} WHERE {odd} LIMIT 1")
        for contrary in found_odd:
            shown = listing(dict.fromkeys(excerpt(value) for value in contrary[1:]))
            problem = f"the id {excerpt(contrary[0])} has the true classes {shown}"
            advice = "If they are different cases, --separate takes them as separate test sets"
            raise InvalidFile(first.name, f"{problem} in the tables; the same id must be the same case. {advice}")
        named = {name: f"howsure_answer_{i}" for i, name in enumerate(sources)}
        answers = ", ".join(named.values())
        table = f"(SELECT s0.howsure_true AS howsure_true, {answers} FROM {joined})"
        try:
            wide, tally = counted_rows(
                db, table, replace(first, files=()), replace(ask, truth="howsure_true", answers=named, id=None)
            )
        except InvalidFile as error:
            # the join has no file to name; one of its tables may be damaged
            exact = damaged_row_group(whole.files, ask.columns) if whole.format == "parquet" else None
            raise (exact or error) from None
    shared = int(tally.rows.sum())
    if not shared:
        raise InvalidFile(first.name, f"no id (column {excerpt(case)}) is in all tables; --separate does not pair them")
    if shared < total:
        text_ = f"Cases do not match: {integer(shared)} of {integer(total)} ids are answered by all classifiers"
        tally = replace(tally, notes=(f"{text_}; the others are left out.",))
    return wide, tally


def _source(path: str) -> TableFiles:
    with opened(path) as file:
        return source_of(table_of_file(file))
