"""Files to be counted: paths, patterns and folders become a list of files of one format, each looked at first."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path
from typing import Any, Literal

from howsure.counting.unpacking import LONGEST_LINE, PACKED, check_last_line, is_packed, looked_through, unpacked
from howsure.errors import InvalidFile, excerpt, listing
from howsure.files.disguises import looks_like
from howsure.formats import plain

__all__ = ["LARGEST_OBJECT", "Format", "Source", "first_bad_line", "found"]

Format = Literal["csv", "jsonl", "parquet"]

SUFFIXES: dict[str, Format] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}

#: Lines of JSON that are looked at for the names of the columns.
FIRST_LINES = 100
#: Bytes of a first line; a longer one is no header.
LONGEST_HEADER = 2**20
#: Bytes of an object of JSON Lines.
LARGEST_OBJECT = 2**24


@dataclass(frozen=True)
class Source:
    """Files of one format, and the columns that all of them have.

    Parameters
    ----------
    name : str
        What the user calls them.
    files : tuple of str
    format : "csv", "jsonl" or "parquet"
    columns : tuple of str or None
        None where only DuckDB can tell (Parquet).
    delimiter : str or None
        For CSV, where it is known.
    """

    name: str
    files: tuple[str, ...]
    format: Format
    columns: tuple[str, ...] | None = None
    delimiter: str | None = None

    def beside(self) -> Iterator[None] | None:
        """What is to be looked through beside DuckDB, which does not say all; None where nothing is packed."""
        if self.format == "parquet" or not any(map(is_packed, self.files)):
            return None
        return looked_through(self.files, LONGEST_LINE if self.format == "csv" else LARGEST_OBJECT)


def found(data: Any) -> Source:
    """Find the files of a path, a pattern, a folder, or several of them; read their headers.

    Raises
    ------
    InvalidFile
        Nothing there, unknown or mixed formats, a file that is not what its name says, different headers.
    """
    given = [data] if isinstance(data, str | os.PathLike) else list(data)
    name = plain(str(given[0]), 200) + (f" and {len(given) - 1} more" if len(given) > 1 else "")
    files = list(dict.fromkeys(file for one in given for file in _files(str(one))))
    formats = {file: _format(file) for file in files}
    if len(set(formats.values())) > 1:
        kinds = {kind: next(f for f in files if formats[f] == kind) for kind in formats.values()}
        shown = listing(f"{kind} ({plain(Path(f).name)})" for kind, f in kinds.items())
        what = "the directory holds files" if any(map(os.path.isdir, given)) else "the files are"
        raise InvalidFile(name, f"{what} of several formats: {shown}; count them one format at a time")
    kind = formats[files[0]]
    source = Source(name, tuple(files), kind)
    if kind == "parquet":
        for file in files:
            _check_parquet(file)
        return source
    headers = {file: _header(file, kind) for file in files}
    first = next(iter(headers.values()))
    if kind == "jsonl":
        common = [c for c in first[0] if all(c in h[0] for h in headers.values())]
        return Source(name, tuple(files), kind, tuple(common))
    for file, header in headers.items():
        if header != first:
            here, there = (listing(map(excerpt, columns)) for columns, _ in (header, first))
            problem = f"its header is {here}, that of {plain(files[0], 200)} is {there}"
            raise InvalidFile(plain(file, 200), f"{problem}; files that are counted together have the same columns", 1)
    return Source(name, tuple(files), kind, first[0], first[1])


def _files(path: str) -> Iterable[str]:
    name = plain(path, 200)
    if os.path.isdir(path):
        inside = sorted(str(p) for p in Path(path).rglob("*") if p.is_file() and not p.name.startswith((".", "_")))
        inside = [p for p in inside if _suffix(p) in SUFFIXES]
        if not inside:
            raise InvalidFile(name, f"the folder holds no file that ends in {listing(SUFFIXES)}")
        return inside
    if os.path.exists(path):
        return [path]
    if has_magic(path):
        matching = sorted(p for p in glob(path, recursive=True) if os.path.isfile(p))
        if not matching:
            raise InvalidFile(name, "no file matches this pattern")
        return matching
    raise InvalidFile(name, "there is no such file or folder")


def _suffix(path: str) -> str:
    p = Path(path.lower())
    return Path(p.stem).suffix if p.suffix in PACKED else p.suffix


def _format(path: str) -> Format:
    suffix = _suffix(path)
    if suffix in (".duckdb", ".ddb", ".db"):
        raise InvalidFile(plain(path, 200), "a database holds tables; say which rows are the cases with --query SQL")
    if suffix not in SUFFIXES:
        raise InvalidFile(
            plain(path, 200),
            f"its name ends in {excerpt(suffix)}; tables of cases end in {listing(SUFFIXES)} (and .gz or .zst)",
        )
    return SUFFIXES[suffix]


def _check_parquet(path: str) -> None:
    with open(path, "rb") as file:
        head = file.read(4)
        size = os.path.getsize(path)
        file.seek(max(0, size - 4))
        tail = file.read(4)
    if head != b"PAR1":
        raise InvalidFile(plain(path, 200), f"it begins with {head!r} and not with PAR1, so it is no Parquet file")
    if tail != b"PAR1" or size < 12:
        raise InvalidFile(
            plain(path, 200),
            "its end, where Parquet keeps the row groups, is missing; was the download or the writing cut short?",
        )


def _header(path: str, kind: Format) -> tuple[tuple[str, ...], str]:
    """Names of the columns, and the delimiter."""
    name = plain(path, 200)
    with unpacked(path) as file:
        head = file.read(LONGEST_HEADER)
    disguise = looks_like(head[:4096])
    if disguise:
        raise InvalidFile(name, disguise)
    head = head.removeprefix(b"\xef\xbb\xbf")
    if not head.strip():
        raise InvalidFile(name, "the file is empty; was the export finished?")
    if kind == "jsonl":
        return _keys(name, head), ""
    line = head.split(b"\n", 1)[0]
    if len(line) >= LONGEST_HEADER:
        raise InvalidFile(name, "the first line is longer than 1 MiB, so it is no header", 1)
    if b"\r" in line.rstrip(b"\r") and b'"' not in line:
        raise InvalidFile(name, "its lines end in CR alone (old Macintosh); save it with line ends LF or CR LF", 1)
    if not is_packed(path):
        check_last_line(path)
    try:
        text = line.decode("utf-8").rstrip("\r")
    except UnicodeDecodeError as error:
        raise InvalidFile(
            name, f"byte 0x{line[error.start]:02x} of the header is not UTF-8; save the file as UTF-8", 1
        ) from None
    delimiter = max(",;\t", key=text.count)
    columns = next(csv.reader([text], delimiter=delimiter), [])
    twice = next((c for c in columns if columns.count(c) > 1), None)
    if twice is not None:
        raise InvalidFile(name, f"the header names the column {excerpt(twice)} twice", 1)
    return tuple(columns), delimiter


def _keys(name: str, head: bytes) -> tuple[str, ...]:
    keys: dict[str, None] = {}
    lines = head.split(b"\n")
    complete = lines if len(head) < LONGEST_HEADER else lines[:-1]
    for number, line in enumerate(complete[:FIRST_LINES], start=1):
        if line.strip():
            keys.update(dict.fromkeys(_object(name, line, number)))
    return tuple(keys)


def _object(name: str, line: bytes, number: int) -> dict[str, Any]:
    """One line of JSON, or the sentence that says why not."""
    try:
        value = json.loads(line)
    except UnicodeDecodeError:
        raise InvalidFile(name, "the line is not UTF-8; save the file as UTF-8", number) from None
    except (ValueError, RecursionError) as error:
        raise InvalidFile(
            name, f"the line is no JSON ({plain(str(error), 80)}); one object a line is expected", number
        ) from None
    if not isinstance(value, dict):
        shown = f"the line holds {excerpt(value)}; one object a line is expected, such as"
        raise InvalidFile(name, f'{shown} {{"y_true": "a", "y_pred": "b"}}', number)
    return value


def first_bad_line(files: Sequence[str]) -> InvalidFile | None:
    """The first line of JSON Lines that is no object, found by reading them all; for an error that is certain."""
    for path in files:
        with unpacked(path) as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    try:
                        _object(plain(path, 200), line, number)
                    except InvalidFile as error:
                        return error
    return None
