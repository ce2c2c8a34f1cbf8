"""DuckDB: files and databases grouped out of core, with a memory limit; it reaches no network."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np

from howsure.data.words import MISSING
from howsure.errors import InvalidArgument, InvalidFile, MissingExtra
from howsure.io.counting.tally import CountColumns, Tally
from howsure.io.engines.table_files import TableFiles, check_parquet, first_sentence, literal, quoted, teaching
from howsure.io.engines.tallying import MOST_CELLS, Engine, Rule, tally
from howsure.io.opening import is_address
from howsure.io.refusals import refusal, say
from howsure.io.table import json_text
from howsure.numerics.arrays import Integers
from howsure.text.formats import plain

#: Called now and then with the share that is done, 0 to 1.
Progress = Callable[[float], None]

#: Parquet and JSON are built in; what reaches a network or another database would have to be loaded first.
NO_NETWORK = {"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"}
#: Seconds between two looks at a query.
PAUSE = 0.1
#: Rows that are fetched in one go.
SOME_ROWS = 2**12
#: Types whose values arrive in Python as they are; all others are counted as text.
_PLAIN = re.compile(r"VARCHAR|BOOLEAN|U?(TINY|SMALL)?INT(EGER)?|U?BIGINT|FLOAT|DOUBLE|JSON")


class Duck(Engine):
    """A table of SQL, as an engine that groups.

    Parameters
    ----------
    db : connection of DuckDB
    table : str
        SQL of the table.
    source : TableFiles
        What it is of, for messages.
    progress : callable, optional
    """

    def __init__(self, db: Any, table: str, source: TableFiles, progress: Progress | None = None) -> None:
        self.name, self.table = source.name, table
        self._db, self._source, self._progress = db, source, progress
        with teaching(source):
            self._types = {name: kind for name, kind, *_ in self._rows(f"DESCRIBE SELECT * FROM {table}")}

    def names(self) -> Sequence[str]:
        """Names of the columns."""
        return list(self._types)

    def cells(self, columns: Sequence[str]) -> tuple[Mapping[str, Any], Integers | None]:
        """The combinations that occur, and how many rows have each."""
        chosen = ", ".join(f"{self._selected(c)} AS k{i}" for i, c in enumerate(columns))
        inner = f"SELECT {chosen} FROM {self.table}"
        query = f"SELECT *, count(*)::BIGINT AS n FROM ({inner}) GROUP BY ALL LIMIT {MOST_CELLS + 1}"
        with teaching(self._source):
            found = fetched(self._db, query, self._source.beside(), self._progress)
        return {c: found[f"k{i}"] for i, c in enumerate(columns)}, np.ma.getdata(found["n"])

    def repeated(self, columns: Sequence[str]) -> tuple[Any, ...] | None:
        """Values that several rows have together."""
        names = ", ".join(map(quoted, columns))
        where = f"WHERE {quoted(columns[0])} IS NOT NULL GROUP BY ALL HAVING n > 1 LIMIT 1"
        with teaching(self._source):
            found = self._rows(f"SELECT {names}, count(*) AS n FROM {self.table} {where}")
        return next((tuple(map(self.read(lambda value: value), row[:-1])) + row[-1:] for row in found), None)

    def sizes(self, columns: Sequence[str]) -> tuple[int, int]:
        """How many combinations of values occur, and how many rows there are."""
        query = f"SELECT count(*) AS n FROM {self.table}" + (
            f" GROUP BY {', '.join(map(quoted, columns))}" if columns else ""
        )
        with teaching(self._source):
            ((groups, rows),) = self._rows(f"SELECT count(*), sum(n)::BIGINT FROM ({query})")
        return groups, rows or 0

    def has_gaps(self, column: str) -> bool:
        """Whether a column is blank in any row."""
        text = f"trim({quoted(column)}::VARCHAR)"
        with teaching(self._source):
            query = f"SELECT 1 FROM {self.table} WHERE {text} IS NULL OR {text} IN ('', 'null', '\"\"') LIMIT 1"
            return bool(self._rows(query))

    def read(self, rule: Rule) -> Rule:
        """The rule for a value as it comes from here: that of JSON is text of JSON."""
        return (lambda value: rule(json_text(value))) if self._source.format == "jsonl" else rule

    def gaps(self, column: str) -> Sequence[str]:
        """Rows without a value, by a second look: file and row, counted from 1 below the header."""
        name = quoted(column)
        text = f"json_extract_string({name}, '$')" if self._source.format == "jsonl" else f"{name}::VARCHAR"
        gap = f"{text} IS NULL OR trim({text}) IN ({', '.join(map(literal, sorted(MISSING)))})"
        found = self._in_order(gap, "unnest(min(r, 3) FILTER (b))", [column])
        return [f"{plain(file, 200)}, row {row}" for file, row in found][:3]

    def blank_lines(self) -> int:
        """Lines of delimiters alone at the end of each file, by a second look."""
        if self._source.format != "csv":
            return 0
        blank = f"regexp_full_match(concat({', '.join(map(quoted, self._source.columns))}), '[\\s\\x{{a0}}]*')"
        return sum(n for _, n in self._in_order(blank, "count(*) - coalesce(max(r) FILTER (NOT b), 0)"))

    def _in_order(self, holds: str, select: str, used: Sequence[str] = ()) -> list[tuple[str, int]]:
        """What is asked of the rows of each file, by their numbers r and whether a condition b holds."""
        found = []
        with connected(None) as db, teaching(self._source):
            db.execute("SET preserve_insertion_order = true")
            for file in self._source.files:
                table = replace(self._source, files=(file,)).sql(used)
                inner = f"SELECT row_number() OVER () AS r, coalesce({holds}, false) AS b FROM {table}"
                found += [(file, n) for (n,) in db.execute(f"SELECT {select} FROM ({inner})").fetchall()]
        return found

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = _awaited(self._db, lambda: self._db.execute(query).fetchall())
        return found

    def _selected(self, column: str) -> str:
        """A column as Python can take it."""
        name, kind = quoted(column), self._types[column]
        if kind.endswith("]") or kind.startswith(("STRUCT", "MAP")):
            raise refusal(self.name, "nested_column", column, kind)
        if kind.startswith("DECIMAL"):
            return f"{name}::DOUBLE"
        return name if _PLAIN.fullmatch(kind) else f"{name}::VARCHAR"


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
    """
    with connected(memory) as db:
        return tally(Duck(db, source.sql(ask.columns), source, progress), ask)


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
    import duckdb

    source = TableFiles(plain(path, 200), (), "parquet")
    with connected(memory, path) as db:
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
            raise InvalidArgument(
                say("not_a", "query", "one SELECT of DuckDB, whose rows are the cases", first_sentence(error))
            ) from None
        kinds = [statement.type.name for statement in statements]
        if kinds != ["SELECT"]:
            raise InvalidArgument(say("not_a", "query", "one SELECT of DuckDB, whose rows are the cases", kinds))
        try:
            # by a view, and not in brackets: the text may end in a semicolon and a comment
            db.execute(f"CREATE TEMP VIEW howsure_rows AS {statements[0].query}")
        except duckdb.PermissionException:
            raise refusal(
                source.name, "cannot", "the query", "run", "it reads something else than tables of the database"
            ) from None
        except duckdb.Error as error:
            raise refusal(source.name, "cannot", "the query", "run", first_sentence(error)) from None
        return tally(Duck(db, "howsure_rows", source, progress), ask)


def parquet_columns(path: str, name: str) -> list[str]:
    """Names of the columns of a Parquet file."""
    check_parquet(path, name)
    source = TableFiles(name, (path,), "parquet")
    with connected(None) as db:
        return list(Duck(db, f"read_parquet({literal(path)}, hive_partitioning = false)", source).names())


def parquet_rows(path: str, name: str, *, as_json: bool = False) -> Iterator[tuple[Any, ...]]:
    """Values of each row of a Parquet file, in its order; or one object of JSON a row."""
    source = TableFiles(name, (path,), "parquet")
    with connected(None) as db, teaching(source):
        db.execute("SET preserve_insertion_order = true")
        chosen = "to_json(r)" if as_json else "*"
        found = db.execute(f"SELECT {chosen} FROM read_parquet({literal(path)}, hive_partitioning = false) r")
        while some := found.fetchmany(SOME_ROWS):
            yield from ([(json.loads(text),) for (text,) in some] if as_json else some)


@contextmanager
def connected(memory: str | None, path: str = ":memory:") -> Iterator[Any]:
    """A connection that loads nothing from the network and spills into a folder that goes away."""
    try:
        import duckdb
    except ImportError:
        raise MissingExtra("Counting files", "files") from None
    name = plain(path, 200)
    if path != ":memory:" and not os.path.isfile(path):
        # to DuckDB a name with a colon may be an address, or a database of another kind
        raise InvalidFile(name, say("address" if is_address(path) else "no_file"))
    with tempfile.TemporaryDirectory(prefix="howsure-") as folder:
        options: dict[str, Any] = {**NO_NETWORK, "temp_directory": folder, "preserve_insertion_order": "false"}
        if memory is not None:
            options["memory_limit"] = memory
        try:
            db = duckdb.connect(path, read_only=path != ":memory:", config=options)
        except duckdb.Error as error:
            message = str(error)
            if path == ":memory:":
                raise InvalidArgument(say("not_a", "memory", "a size such as 200MB", memory)) from None
            problem = f"DuckDB cannot open it: {first_sentence(message)}"
            if "not a valid DuckDB" in message or "in-memory" in message:
                problem = "it is no DuckDB database, and query= asks one; a table in a file is counted without it"
            elif "lock" in message:
                problem = "another program has it open to write; close it there first"
            raise InvalidFile(name, problem) from None
        try:
            # followed, for `fetched` to tell, and not printed
            db.execute("SET enable_progress_bar_print = false")
            db.execute("SET enable_progress_bar = true")
            yield db
        finally:
            db.close()


def fetched(db: Any, query: str, beside: Iterable[None] = (), progress: Progress | None = None) -> dict[str, Any]:
    """Columns of the result.

    Parameters
    ----------
    db : connection of DuckDB
    query : str
    beside : iterable
        Work in small steps; whatever it raises ends the query.
    progress : callable, optional
    """
    found: dict[str, Any] = _awaited(db, lambda: db.execute(query).fetchnumpy(), beside, progress)
    return found


def _awaited(db: Any, run: Callable[[], Any], beside: Iterable[None] = (), progress: Progress | None = None) -> Any:
    """Run in a thread: whoever waits here hears an interruption at once, and DuckDB by itself after half a minute."""
    answer: Future[Any] = Future()

    def work() -> None:
        if not answer.set_running_or_notify_cancel():
            return  # interrupted before the first step
        try:
            answer.set_result(run())
        except BaseException as error:
            answer.set_exception(error)

    def tell() -> None:
        if progress is not None:
            progress(max(0.0, min(1.0, float(db.query_progress()) / 100)))

    thread = Thread(target=work, daemon=True)
    try:  # from the start on: an interruption may come while the thread begins
        thread.start()
        for _ in beside:
            if answer.done() and answer.exception() is not None:
                break
            tell()
        while not wait([answer], PAUSE).done:
            tell()
        if progress is not None:
            progress(1.0)
        return answer.result()
    finally:
        # again and again, because an interruption before the first step is forgotten; what was taken back never begins
        while not (answer.cancel() or answer.done()):
            with suppress(KeyboardInterrupt):  # who presses again is heard already
                if not wait([answer], PAUSE).done:
                    db.interrupt()
