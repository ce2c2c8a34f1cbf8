"""Counting files by DuckDB: out of core, with a memory limit, and errors that name the file and the line."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.data.folds import REPEATED_ROW
from howsure.data.labels import group_text
from howsure.data.words import MISSING
from howsure.errors import InvalidArgument, InvalidFile, InvalidLabels, MissingExtra, excerpt, listing
from howsure.io.counting.count_columns import CountColumns
from howsure.io.counting.result import SetAside
from howsure.io.counting.tally_to_counts import Tally, Weighed
from howsure.io.engines.coding import Coded, coded, occurring, spanned
from howsure.io.engines.duckdb_errors import first_sentence, teaching
from howsure.io.engines.fetching import NO_NETWORK, Progress, fetched, rows
from howsure.io.engines.numpy_arrays import counts_of, refuse_weights
from howsure.io.engines.sources import LARGEST_OBJECT, TableFiles
from howsure.io.engines.sql_quoting import literal, quoted
from howsure.io.opening import NOT_FETCHED, is_address
from howsure.io.values import json_text
from howsure.text.formats import integer, plain

__all__ = [
    "MOST_CELLS",
    "connected",
    "counted_rows",
    "described",
    "refuse_doubles",
    "selected",
    "table_of",
    "tally_files",
    "tally_query",
]

#: Cells that are brought back; more are ids or scores in the wrong column.
MOST_CELLS = 20_000_000
#: Types whose values arrive in Python as they are; all others are counted as text.
PLAIN = re.compile(r"VARCHAR|BOOLEAN|U?(TINY|SMALL)?INT(EGER)?|U?BIGINT|FLOAT|DOUBLE|JSON|DECIMAL.*")


def tally_files(
    source: TableFiles, ask: CountColumns, *, memory: str | None = None, progress: Progress | None = None
) -> tuple[CountColumns, Tally]:
    """Count files of one format.

    Parameters
    ----------
    source : TableFiles
    ask : CountColumns
    memory : str, optional
        Such as "200MB"; what does not fit goes to the disk.
    progress : callable, optional

    Raises
    ------
    InvalidFile
        With the file, and the line or row group.
    """
    with connected(memory) as db:
        return counted_rows(db, table_of(source, ask), source, ask, progress)


def tally_query(
    path: str, query: str, ask: CountColumns, *, memory: str | None = None, progress: Progress | None = None
) -> tuple[CountColumns, Tally]:
    """Count the rows of a query of a DuckDB database, which is opened for reading only.

    Raises
    ------
    InvalidArgument
        It is not one SELECT.
    InvalidFile
        The database cannot be asked, or the query fails; nothing but the tables of the database can be read.
    """
    source = TableFiles(plain(path, 200), (), "parquet")
    with connected(memory, path) as db:
        return counted_rows(db, _selection(db, query, source), source, ask, progress)


def _selection(db: Any, query: str, source: TableFiles) -> str:
    """A view of what one SELECT gives, on a connection that reaches no file and cannot be told to."""
    import duckdb

    # what runs from here on came from outside
    for setting in (
        "enable_external_access = false",
        "python_enable_replacements = false",
        "lock_configuration = true",
    ):
        db.execute(f"SET {setting}")
    try:
        statements = db.extract_statements(query)
    except duckdb.Error as error:
        raise InvalidArgument(f"query= is not SQL of DuckDB: {first_sentence(error)}") from None
    kinds = [statement.type.name for statement in statements]
    if kinds != ["SELECT"]:
        raise InvalidArgument(
            f"query= is one SELECT, whose rows are the cases; this is {listing(kinds) if kinds else 'no statement'}"
        )
    try:
        # by a view, and not in brackets: the text may end in a semicolon and a comment
        db.execute(f"CREATE TEMP VIEW howsure_rows AS {statements[0].query}")
    except duckdb.PermissionException:
        problem = "the query reads something else than tables of the database; count files without query="
        raise InvalidFile(source.name, problem) from None
    except duckdb.Error as error:
        raise InvalidFile(source.name, f"DuckDB cannot ask it: {first_sentence(error)}") from None
    return "howsure_rows"


@contextmanager
def connected(memory: str | None, path: str = ":memory:") -> Iterator[Any]:
    """A connection that loads nothing from the network and spills into a folder that goes away."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("Counting files", "files") from None
    if path != ":memory:" and not os.path.isfile(path):
        # to DuckDB a name with a colon may be an address, or a database of another kind
        raise InvalidFile(plain(path, 200), NOT_FETCHED if is_address(path) else "there is no such file")
    with tempfile.TemporaryDirectory(prefix="howsure-") as folder:
        options: dict[str, Any] = {**NO_NETWORK, "temp_directory": folder, "preserve_insertion_order": "false"}
        if memory is not None:
            options["memory_limit"] = memory
        try:
            db = duckdb.connect(path, read_only=path != ":memory:", config=options)
        except duckdb.Error as error:
            if path == ":memory:":
                raise InvalidArgument(f"memory is a size such as 200MB, not {excerpt(memory)}") from None
            raise InvalidFile(plain(path, 200), _unopened(str(error))) from None
        try:
            # followed, for `fetched` to tell, and not printed
            db.execute("SET enable_progress_bar_print = false")
            db.execute("SET enable_progress_bar = true")
            yield db
        finally:
            db.close()


def _unopened(message: str) -> str:
    """Why a database cannot be asked, as a sentence of ours."""
    if "not a valid DuckDB" in message or "in-memory" in message:
        return "it is no DuckDB database, and query= asks one; a table in a file is counted without it"
    if "lock" in message:
        return "another program has it open to write; close it there first"
    return f"DuckDB cannot open it: {first_sentence(message)}"


# -- the table ----------------------------------------------------------------------------------------------


def table_of(source: TableFiles, ask: CountColumns) -> str:
    """SQL of the table."""
    files = "[" + ", ".join(map(literal, source.files)) + "]"
    # values of the path (site=a/part.csv) stay texts: "01" and "1" differ
    hive = "hive_partitioning = true, hive_types_autocast = false" if any("=" in f for f in source.files) else ""
    parts = [p for f in source.files[:1] for p in re.findall(r"([^/\\=]+)=[^/\\]*[/\\]", f)]
    options = [hive] if hive else []
    if source.format == "parquet":
        return f"read_parquet({', '.join([files, *options])})"
    packing = {"": "none", "gzip": "gzip", "Zstandard": "zstd"}[source.packing]
    options.append(f"compression = {literal(packing)}")
    if source.format == "jsonl":
        used = [c for c in ask.columns if c not in parts]
        options += ["format = 'newline_delimited'", f"maximum_object_size = {LARGEST_OBJECT}"]
        options.append("columns = {" + ", ".join(f"{quoted(c)}: 'JSON'" for c in used) + "}")
        return f"read_json({', '.join([files, *options])})"
    columns = ", ".join(f"{literal(c)}: 'VARCHAR'" for c in source.columns)
    options += ["header = false", f"skip = {source.skip}", "quote = '\"'", "escape = '\"'", "auto_detect = false"]
    options += [f"delim = {literal(source.delimiter)}", f"columns = {{{columns}}}"]
    return f"read_csv({', '.join([files, *options])})"


def described(db: Any, table: str, source: TableFiles, ask: CountColumns) -> dict[str, str]:
    """Type of each column."""
    with teaching(source, ask.columns):
        columns = rows(db, f"DESCRIBE SELECT * FROM {table}")
    types = {name: kind for name, kind, *_ in columns}
    ask.check(types, source.name)
    nested = next((c for c in ask.columns if types[c].endswith("]") or types[c].startswith(("STRUCT", "MAP"))), None)
    if nested is not None:
        raise InvalidFile(
            source.name, f"column {excerpt(nested)} holds {plain(types[nested], 40)}, and a class is one value"
        )
    return types


# -- the count ----------------------------------------------------------------------------------------------


def counted_rows(
    db: Any, table: str, source: TableFiles, ask: CountColumns, progress: Progress | None = None
) -> tuple[CountColumns, Tally]:
    """Count the rows of a table of SQL."""
    types = described(db, table, source, ask)
    if ask.id is not None and ask.model is not None:
        return _joined(db, table, source, ask, types, progress)
    with teaching(source, ask.columns):
        if ask.id is not None:
            refuse_doubles(db, table, ask, source)
        for column in (ask.truth, *ask.answers.values()):
            if types[column] in ("FLOAT", "DOUBLE"):
                _refuse_scores(db, table, column, ask)
        if ask.ones is not None:
            _refuse_weights(db, table, ask.ones, source)
        keys = [*ask.told_apart]
        named = ", ".join(f"{selected(c, types)} AS k{i}" for i, c in enumerate(keys))
        groups = ", ".join(f"k{i}" for i in range(len(keys)))
        sums, inner = "count(*)::BIGINT AS n", named
        if ask.weight is not None:
            w = f"try_cast({_weight(ask.weight, source)} AS DOUBLE)"
            odd = f"{quoted(ask.weight)} IS NOT NULL AND {w} IS NULL"
            inner += f", {w} AS howsure_w, ({w} IS NULL OR isnan({w})) AS gone, {odd} AS howsure_odd"
            sums += ", gone, sum(howsure_w) AS w, sum(howsure_w * howsure_w) AS ww, min(howsure_w) AS low"
            sums += ", sum(howsure_w - floor(howsure_w)) AS part, bool_or(howsure_odd) AS odd"
            groups += ", gone"
        kept = groups.replace(", gone", "")
        inside = f"SELECT {inner} FROM {table}"
        query = f"SELECT {kept}, {sums} FROM ({inside}) GROUP BY {groups} LIMIT {MOST_CELLS + 1}"
        cells = fetched(db, query, source.beside(), progress)
    times = _plain(cells["n"]).astype(np.int64)
    if len(times) > MOST_CELLS:
        raise InvalidFile(
            source.name, f"more than {integer(MOST_CELLS)} different cells; is an id or a score among the columns?"
        )
    weighed, aside = None, []
    if ask.weight is not None:
        gone = _plain(cells["gone"]).astype(bool)
        if _plain(cells["odd"]).astype(bool).any():
            raise InvalidFile(source.name, f"the weight (column {excerpt(ask.weight)}) is not a number in every row")
        if gone.any():
            aside.append(SetAside("no weight", int(times[gone].sum())))
        cells = {name: values[~gone] for name, values in cells.items()}
        times = times[~gone]
        low = float(_plain(cells["low"]).min(initial=0.0))
        squares, fractions = (float(_plain(cells[c]).sum()) for c in ("ww", "part"))
        weighed = Weighed(_plain(cells["w"]).astype(np.float64), squares, fractions, low)
    parts = {c: _coded(cells[f"k{i}"], c, ask, source) for i, c in enumerate(keys)}
    if ask.count is not None:
        times = times * _counts(parts[ask.count], ask.count, source)
    return ask, Tally(
        parts[ask.truth],
        [parts[c] for c in ask.answers.values()],
        [parts[c] for c in ask.by],
        times,
        model=None if ask.model is None else parts[ask.model],
        weight=weighed,
        aside=aside,
        where=_FileRowsWithoutValue(source, ask, types),
    )


def selected(column: str, types: dict[str, str]) -> str:
    """A column as Python can take it."""
    name = quoted(column)
    if types[column].startswith("DECIMAL"):
        return f"{name}::DOUBLE"
    return name if PLAIN.fullmatch(types[column]) else f"{name}::VARCHAR"


def _weight(column: str, source: TableFiles) -> str:
    return f"json_extract_string({quoted(column)}, '$')" if source.format == "jsonl" else quoted(column)


def _plain(values: Any) -> Any:
    return values.filled(0) if isinstance(values, np.ma.MaskedArray) else values


def _coded(values: Any, column: str, ask: CountColumns, source: TableFiles) -> Coded:
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist() if np.ma.is_masked(values) else values.data
    whole = spanned(values)
    if whole is not None:
        return occurring(whole)
    rule = ask.text_of(column)
    try:
        if source.format == "jsonl":
            return coded(values, column, lambda value: rule(json_text(value)))
        return coded(values, column, rule)
    except InvalidLabels as error:
        raise InvalidFile(source.name, f"column {excerpt(column)}: {plain(str(error), 400)}") from None


def _counts(column: Coded, name: str, source: TableFiles) -> Any:
    try:
        return counts_of(column, name)
    except InvalidLabels as error:
        raise InvalidFile(source.name, plain(str(error), 400)) from None


def _refuse_weights(db: Any, table: str, column: str, source: TableFiles) -> None:
    """Refuse weights that nobody asked for, unless all are 1."""
    weight = _weight(column, source)
    odd = f"SELECT {weight}::VARCHAR FROM {table} WHERE try_cast({weight} AS DOUBLE) IS DISTINCT FROM 1 LIMIT 1"
    found = [group_text(value) for (value,) in rows(db, odd, source.beside())]
    try:
        refuse_weights(column, ([text for text in found if text is not None], np.array([-1][: found.count(None)])))
    except InvalidLabels as error:
        raise InvalidFile(source.name, plain(str(error), 600)) from None


def refuse_doubles(db: Any, table: str, ask: CountColumns, source: TableFiles) -> None:
    """Refuse an id that comes twice."""
    assert ask.id is not None
    name = quoted(ask.id)
    query = (
        f"SELECT {name}::VARCHAR, count(*) AS n FROM {table} WHERE {name} IS NOT NULL GROUP BY ALL HAVING n > 1 LIMIT 1"
    )
    twice = rows(db, query, source.beside())
    if twice:
        shown = twice[0][0].strip('"') if source.format == "jsonl" else twice[0][0]
        raise InvalidFile(source.name, f"the id {excerpt(shown)} comes {twice[0][1]} times; {REPEATED_ROW}")


def _refuse_scores(db: Any, table: str, column: str, ask: CountColumns) -> None:
    name = quoted(column)
    odd = rows(db, f"SELECT {name} FROM {table} WHERE NOT isnan({name}) AND {name} <> floor({name}) LIMIT 1")
    if odd:
        ask.text(float(odd[0][0]))  # says that a fraction is a score, unless it is the name of a class


def _joined(
    db: Any,
    table: str,
    source: TableFiles,
    ask: CountColumns,
    types: dict[str, str],
    progress: Progress | None,
) -> tuple[CountColumns, Tally]:
    """Rows of one case side by side: the needed columns are brought into memory."""
    from howsure.io.engines.pivoting import joined

    if ask.weight is not None:
        raise InvalidArgument("weight= and model= with id= do not go together; a case is counted once")
    names = [*ask.columns]
    with teaching(source, ask.columns):
        chosen = ", ".join(f"{selected(c, types)} AS k{i}" for i, c in enumerate(names))
        cells = fetched(db, f"SELECT {chosen} FROM {table}", source.beside(), progress)
    parts = {c: _coded(cells[f"k{i}"], c, ask, source) for i, c in enumerate(names)}
    assert ask.id is not None
    assert ask.model is not None
    (answer,) = ask.answers.values()
    try:
        return joined(parts[ask.id], parts[ask.model], parts[ask.truth], parts[answer], [parts[c] for c in ask.by], ask)
    except InvalidLabels as error:
        raise InvalidFile(source.name, plain(str(error), 600)) from None


# -- where something is -------------------------------------------------------------------------------------


class _FileRowsWithoutValue:
    """Rows without a value in a column, by a second look: file and row, counted from 1 below the header."""

    def __init__(self, source: TableFiles, ask: CountColumns, types: dict[str, str]) -> None:
        self._source, self._ask, self._types = source, ask, types

    def __call__(self, column: str) -> list[str]:
        name = quoted(column)
        blank = ", ".join(literal(word) for word in sorted(MISSING))
        text = f"json_extract_string({name}, '$')" if self._source.format == "jsonl" else f"{name}::VARCHAR"
        gap = f"{text} IS NULL OR trim({text}) IN ({blank})"
        if self._types.get(column) in ("FLOAT", "DOUBLE"):
            gap = f"{name} IS NULL OR isnan({name})"
        found_rows: list[str] = []
        with connected(None) as db:
            db.execute("SET preserve_insertion_order = true")
            for file in self._source.files:
                table = table_of(replace(self._source, files=(file,)), self._ask)
                inner = f"SELECT {name}, row_number() OVER () AS howsure_row FROM {table}"
                first = f"SELECT howsure_row FROM ({inner}) WHERE {gap} ORDER BY 1 LIMIT {3 - len(found_rows)}"
                found_rows += [f"{plain(file, 200)}, row {row}" for (row,) in rows(db, first)]
                if len(found_rows) == 3:
                    break
        return found_rows
