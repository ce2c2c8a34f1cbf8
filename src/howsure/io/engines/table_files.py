"""The files of a table as DuckDB is told about them, what it passes over in silence, and what it complains about."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from howsure.errors import InvalidFile
from howsure.io.opening import LONGEST_LINE
from howsure.io.refusals import refusal
from howsure.io.table import TextTable
from howsure.io.unpacking import BEGINNING, packing_of, unpacked
from howsure.text.formats import plain

#: Bytes of an object of JSON Lines, and bytes that are looked at in one go, fewer than those of the longest line.
LARGEST_OBJECT, BLOCK = 2**24, 2**18


def quoted(name: str) -> str:
    """Name of a column in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Text in SQL."""
    return "'" + text.replace("'", "''") + "'"


@dataclass(frozen=True)
class TableFiles:
    """Files of one format, and the columns that all of them have.

    Parameters
    ----------
    name : str
        What the user calls them.
    files : tuple of str
    format : "csv", "jsonl" or "parquet"
    columns : tuple of str
        Names of the columns; for CSV as many as its lines have cells.
    delimiter, skip, packing
        Of text: what separates cells, the lines up to and with the header, how it is packed.
    """

    name: str
    files: tuple[str, ...]
    format: Literal["csv", "jsonl", "parquet"]
    columns: tuple[str, ...] = ()
    delimiter: str = ""
    skip: int = 0
    packing: str = ""

    def sql(self, used: Sequence[str] = ()) -> str:
        """The table in SQL; of JSON Lines the columns that are used."""
        files = "[" + ", ".join(map(literal, self.files)) + "]"
        # values of the path (site=a/part.csv) stay texts: "01" and "1" differ
        hive = any("=" in file for file in self.files)
        options = ["hive_partitioning = true, hive_types_autocast = false"] if hive else ["hive_partitioning = false"]
        if self.format == "parquet":
            return f"read_parquet({', '.join([files, *options])})"
        packing = {"": "none", "gzip": "gzip", "Zstandard": "zstd"}[self.packing]
        options.append(f"compression = {literal(packing)}")
        if self.format == "jsonl":
            parts = [p for f in self.files[:1] for p in re.findall(r"([^/\\=]+)=[^/\\]*[/\\]", f)]
            columns = ", ".join(f"{quoted(c)}: 'JSON'" for c in dict.fromkeys(used) if c not in parts)
            options += ["format = 'newline_delimited'", f"maximum_object_size = {LARGEST_OBJECT}"]
            return f"read_json({', '.join([files, *options])}, columns = {{{columns}}})"
        columns = ", ".join(f"{literal(c)}: 'VARCHAR'" for c in self.columns)
        options += ["header = false", f"skip = {self.skip}", "quote = '\"'", "escape = '\"'", "auto_detect = false"]
        options += [f"delim = {literal(self.delimiter)}", f"columns = {{{columns}}}"]
        return f"read_csv({', '.join([files, *options])})"

    def beside(self) -> Iterator[None]:
        """Look, a block a step, through what DuckDB would not tell.

        It drops the last line of a file if that is longer than a buffer, and takes a Zstandard stream that is cut short
        for a whole one. Of plain files the last bytes show whether that can be.
        """
        longest = LONGEST_LINE if self.format == "csv" else LARGEST_OBJECT
        for path in self.files if self.format != "parquet" else ():
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


def source_of(table: TextTable) -> TableFiles:
    """The files of a table; raises `InvalidFile` where one is of another format, or cut short."""
    origin = table.origin
    assert origin is not None
    assert origin.format != "frame"
    for file in origin.files if origin.format == "parquet" else ():
        check_parquet(file, plain(file, 200))
    text = (origin.delimiter, origin.skip, origin.packing)
    return TableFiles(table.source, origin.files, origin.format, _engine_names(table), *text)


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
def teaching(source: TableFiles) -> Iterator[None]:
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
