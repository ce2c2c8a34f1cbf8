"""DuckDB: files and databases grouped out of core, with a memory limit; it reaches no network."""

from __future__ import annotations

import json
import os
import re
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import replace
from threading import Thread
from typing import Any

import numpy as np

from howsure.data.refusals import refusal, say
from howsure.data.words import MISSING
from howsure.errors import InvalidArgument, InvalidFile, MissingExtra
from howsure.io.opening import BEGINNING, LONGEST_LINE, is_address, packing_of, unpacked
from howsure.io.table import Origin, TextTable, json_text
from howsure.numerics.arrays import Integers
from howsure.text.formats import plain

#: Bytes of an object of JSON Lines, and bytes that are looked at in one go, fewer than those of the longest line.
LARGEST_OBJECT, BLOCK = 2**24, 2**18


def quoted(name: str) -> str:
    """Name of a column in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def sql(source: Origin, used: Sequence[str] = ()) -> str:
    """The table in SQL; of JSON Lines the columns that are used."""
    files = "[" + ", ".join(map(literal, source.files)) + "]"
    # values of the path (site=a/part.csv) stay texts: "01" and "1" differ
    hive = any("=" in file for file in source.files)
    options = ["hive_partitioning = true, hive_types_autocast = false"] if hive else ["hive_partitioning = false"]
    if source.format == "parquet":
        return f"read_parquet({', '.join([files, *options])})"
    packing = {"": "none", "gzip": "gzip", "Zstandard": "zstd"}[source.packing]
    options.append(f"compression = {literal(packing)}")
    if source.format == "jsonl":
        parts = [p for f in source.files[:1] for p in re.findall(r"([^/\\=]+)=[^/\\]*[/\\]", f)]
        columns = ", ".join(f"{quoted(c)}: 'JSON'" for c in dict.fromkeys(used) if c not in parts)
        options += ["format = 'newline_delimited'", f"maximum_object_size = {LARGEST_OBJECT}"]
        return f"read_json({', '.join([files, *options])}, columns = {{{columns}}})"
    columns = ", ".join(f"{literal(c)}: 'VARCHAR'" for c in source.names)
    options += ["header = false", f"skip = {source.skip}", "quote = '\"'", "escape = '\"'", "auto_detect = false"]
    options += [f"delim = {literal(source.delimiter)}", f"columns = {{{columns}}}"]
    return f"read_csv({', '.join([files, *options])})"


def beside(source: Origin) -> Iterator[None]:
    """Look, a block a step, through what DuckDB would not tell.

    It drops the last line of a file if that is longer than a buffer, and takes a Zstandard stream that is cut short
    for a whole one. Of plain files the last bytes show whether that can be.
    """
    longest = LONGEST_LINE if source.format == "csv" else LARGEST_OBJECT
    for path in source.files if source.format != "parquet" else ():
        name = plain(path, 200)
        with open(path, "rb") as file:
            packing = packing_of(file.read(BEGINNING))
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - longest - 2))
            if not packing and (size <= longest + 2 or b"\n" in file.read().rstrip(b"\r\n")):
                continue
            file.seek(0)
            stream = unpacked(name, packing, file) if packing else file
            lines = length = 0
            while block := stream.read(BLOCK):
                first = block.find(b"\n")
                length += len(block) if first < 0 else first
                if length > longest:
                    raise refusal(name, "long_line", longest, line=lines + 1)
                if first >= 0:
                    length = len(block) - block.rindex(b"\n") - 1
                    lines += block.count(b"\n")
                yield


def source_of(table: TextTable) -> Origin:
    """The files of a table; raises `InvalidFile` where one is of another format, or cut short."""
    origin = table.origin
    assert origin is not None
    assert origin.format != "frame"
    for file in origin.files if origin.format == "parquet" else ():
        check_parquet(file, plain(file, 200))
    return replace(origin, names=_engine_names(table), name=table.source)


def _engine_names(table: TextTable) -> tuple[str, ...]:
    """What the engine calls the columns: to DuckDB pred_a and pred_A are one name, and a blank is none."""
    assert table.origin is not None
    if table.origin.format != "csv":
        return table.origin.names
    own = len(table.header) - len(table.origin.parts)
    names: list[str] = []
    seen = {part.casefold() for part in table.origin.parts}
    for i in range(len(table.origin.names)):
        name = table.header[i] if i < own else ""
        if not name or name.casefold() in seen:
            name = f"{name} (column {i + 1})".lstrip()
        seen.add(name.casefold())
        names.append(name)
    return tuple(names)


def names_there(table: TextTable) -> list[str]:
    """What the engine calls each column of the header."""
    assert table.origin is not None
    names, parts = _engine_names(table), table.origin.parts
    return [*names[: len(table.header) - len(parts)], *parts] if table.origin.format == "csv" else list(names)


def check_parquet(path: str, name: str) -> None:
    """Refuse a file whose end, where Parquet keeps its row groups, is not there."""
    with open(path, "rb") as file:
        head, size = file.read(4), file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 4))
        tail = file.read(4)
    if head != b"PAR1":
        raise refusal(name, "unlike_files", "format", head.decode("latin-1"), "the first", "PAR1")
    if tail != b"PAR1" or size < 12:
        raise refusal(name, "damaged", "it is", "its end, where Parquet keeps the row groups, is missing")


@contextmanager
def teaching(source: Origin) -> Iterator[None]:
    """Say what DuckDB complains about with the file, the line where there is one, and what to do."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        problem = "the cells do not fit in the memory limit; raise it with --memory (memory=)"
        raise InvalidFile(source.name, problem) from None
    except duckdb.Error as error:
        message = str(error)
        file = next((f for f in sorted(source.files, key=len, reverse=True) if f in message), None)
        line = re.search(r"Line: (\d+)|in line (\d+)", message)
        problem = f"DuckDB cannot read it: {first_sentence(message)}"
        if re.search(r"don't match|mismatch|Conversion Error.*(schema|column)", message):
            problem = "its columns have other names or types than those of the first file; count them apart"
        elif source.format == "parquet" and source.files:
            reason = re.sub(r" (in|for|of) file .*", "", first_sentence(message)).rstrip(".")
            problem = f"it is damaged ({reason}); write or download it again"
        name = plain(file, 200) if file else source.name
        raise InvalidFile(name, problem, int(line[1] or line[2]) if line else None) from None


def first_sentence(error: object) -> str:
    """First line of a message, without its kind."""
    return plain(re.sub(r"^[A-Za-z ]+ Error: ", "", str(error)).split("\n", 1)[0], 300)


_STATE = b'{"format": "howsure/1", "kind": "counts"'


def begins_a_state(head: bytes) -> bool:
    """Whether a file begins as `howsure count -o counts.json` writes it."""
    return head.startswith(_STATE)


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


#: Cells that are brought back; more are ids or scores in the wrong column.
MOST_CELLS = 20_000_000

Rule = Callable[[Any], str | None]


class Engine(ABC):
    """What holds columns and groups them; its ``name`` is what the user calls the files, "" in memory."""

    name = ""

    @abstractmethod
    def cells(self, columns: Sequence[str]) -> tuple[Mapping[str, Any], Integers | None]:
        """Values of the columns, and how many rows each line stands for; None where each is a row."""

    @abstractmethod
    def repeated(self, columns: Sequence[str], *, gaps: bool = False) -> tuple[Any, ...] | None:
        """Values that several rows have together, and how many; None if there are none.

        The first is not missing; with ``gaps``, one that is missing is a finding too.
        """

    def gaps(self, column: str) -> Sequence[str]:
        """The first three rows without a value in a column, where rows have an order and are grouped."""
        return ()

    def read(self, rule: Rule) -> Rule:
        """The rule for a value as it comes from here."""
        return rule

    def blank_lines(self) -> int:
        """Lines of delimiters alone at the end, as a spreadsheet leaves them: they are no rows."""
        return 0


class Duck(Engine):
    """A table of SQL, as an engine that groups; ``source`` is what it is of, for messages."""

    def __init__(self, db: Any, table: str, source: Origin, progress: Progress | None = None) -> None:
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
            found = fetched(self._db, query, beside(self._source), self._progress)
        return {c: found[f"k{i}"] for i, c in enumerate(columns)}, np.ma.getdata(found["n"])

    def repeated(self, columns: Sequence[str], *, gaps: bool = False) -> tuple[Any, ...] | None:
        """Values that several rows have together."""
        names, text = ", ".join(map(quoted, columns)), f"trim({quoted(columns[0])}::VARCHAR)"
        keys, having = "ALL", f"n > 1 AND {text} IS NOT NULL"
        if gaps:  # whether there is any is seen by a hash in half the time
            keys, names = f"hash({names})", "NULL"
            having = f"n > 1 OR bool_or({text} IS NULL OR {text} IN ('', 'null', '\"\"'))"
        found = self._rows(f"SELECT {names}, count(*) AS n FROM {self.table} GROUP BY {keys} HAVING {having} LIMIT 1")
        return next((tuple(map(self.read(lambda value: value), row[:-1])) + row[-1:] for row in found), None)

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
        blank = f"regexp_full_match(concat({', '.join(map(quoted, self._source.names))}), '[\\s\\x{{a0}}]*')"
        return sum(n for _, n in self._in_order(blank, "count(*) - coalesce(max(r) FILTER (NOT b), 0)"))

    def _in_order(self, holds: str, select: str, used: Sequence[str] = ()) -> list[tuple[str, int]]:
        """What is asked of the rows of each file, by their numbers r and whether a condition b holds."""
        found = []
        with connected(None) as db, teaching(self._source):
            db.execute("SET preserve_insertion_order = true")
            for file in self._source.files:
                table = sql(replace(self._source, files=(file,)), used)
                inner = f"SELECT row_number() OVER () AS r, coalesce({holds}, false) AS b FROM {table}"
                found += [(file, n) for (n,) in db.execute(f"SELECT {select} FROM ({inner})").fetchall()]
        return found

    def _rows(self, query: str) -> list[tuple[Any, ...]]:
        with teaching(self._source):
            found: list[tuple[Any, ...]] = _awaited(self._db, lambda: self._db.execute(query).fetchall())
        return found

    def _selected(self, column: str) -> str:
        name, kind = quoted(column), self._types[column]
        if kind.endswith("]") or kind.startswith(("STRUCT", "MAP")):
            raise refusal(self.name, "nested_column", column, kind)
        if kind.startswith("DECIMAL"):
            return f"{name}::DOUBLE"
        return name if _PLAIN.fullmatch(kind) else f"{name}::VARCHAR"


@contextmanager
def queried(path: str, query: str, *, memory: str | None = None, progress: Progress | None = None) -> Iterator[Duck]:
    """The rows of a query of a DuckDB database, which is opened for reading only."""
    with connected(memory, path) as db:
        import duckdb

        name = plain(path, 200)
        # what runs from here on came from outside
        db.execute("SET enable_external_access = false")
        db.execute("SET python_enable_replacements = false")
        db.execute("SET lock_configuration = true")
        kinds: Any
        try:
            statements = db.extract_statements(query)
            kinds = [statement.type.name for statement in statements]
        except duckdb.Error as error:
            kinds = first_sentence(error)
        if kinds != ["SELECT"]:
            raise InvalidArgument(say("not_a", "query", "one SELECT of DuckDB that gives the cases as rows", kinds))
        try:
            # by a view, and not in brackets: the text may end in a semicolon and a comment
            db.execute(f"CREATE TEMP VIEW howsure_rows AS {statements[0].query}")
        except duckdb.PermissionException:
            problem = "it reads something else than tables of the database"
            raise refusal(name, "cannot", "the query", "run", problem) from None
        except duckdb.Error as error:
            raise refusal(name, "cannot", "the query", "run", first_sentence(error)) from None
        yield Duck(db, "howsure_rows", Origin((), "parquet", name=name), progress)


def parquet_columns(path: str, name: str) -> list[str]:
    """Names of the columns of a Parquet file."""
    check_parquet(path, name)
    source = Origin((path,), "parquet", name=name)
    with connected(None) as db:
        return list(Duck(db, f"read_parquet({literal(path)}, hive_partitioning = false)", source).names())


def parquet_rows(path: str, name: str, *, as_json: bool = False) -> Iterator[tuple[Any, ...]]:
    """Values of each row of a Parquet file, in its order; or one object of JSON a row."""
    source = Origin((path,), "parquet", name=name)
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
    """Columns of the result."""
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
