"""What DuckDB complains about, as our sentences: the file, the line, what came, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from howsure.counting.sources import Source, first_bad_line
from howsure.errors import InvalidFile, InvalidLabels
from howsure.formats import plain

__all__ = ["explained", "first_sentence", "teaching"]


@contextmanager
def teaching(source: Source) -> Iterator[None]:
    """Sentences of DuckDB as ours: the file, the line, what came, what to do."""
    import duckdb

    try:
        yield
    except duckdb.OutOfMemoryException:
        raise InvalidFile(
            source.name, "the cells do not fit in the memory limit; raise it with --memory (memory=)"
        ) from None
    except InvalidLabels as error:
        raise InvalidFile(source.name, plain(str(error), 600)) from None
    except duckdb.Error as error:
        raise explained(source, str(error)) from None


def explained(source: Source, message: str) -> InvalidFile:
    """One error of DuckDB, with the file and line that it is about."""
    named = re.search(r"file = (.+)", message) or re.search(r"""["'](/[^"']+|[^"']+\.\w+)["']""", message)
    file = next((f for f in source.files if named and named[1].strip() == f), None)
    file = file or next((f for f in source.files if f in message), None)
    name = plain(file, 200) if file else source.name
    if source.format == "jsonl":
        exact = first_bad_line(source.files)
        if exact is not None:
            return exact
    line = re.search(r"Line: (\d+)", message) or re.search(r"in line (\d+)", message)
    number = int(line[1]) if line else None
    for pattern, sentence in _SENTENCES:
        match = re.search(pattern, message)
        if match:
            return InvalidFile(name, sentence.format(*match.groups()), number)
    return InvalidFile(name, f"DuckDB cannot read it: {first_sentence(message)}", number)


_CUT = "its end, where Parquet keeps the row groups, is damaged; was the writing cut short?"
_SENTENCES: Sequence[tuple[str, str]] = (
    (
        r"Expected Number of Columns: (\d+) Found: (\d+)",
        "the header has {0} cells, this line {1}; a cell that holds the delimiter needs quotes",
    ),
    (r"unterminated quote", "a quote that does not end, or text after one; a quote inside a cell is written twice"),
    (r"not utf-8 encoded", "the line is not UTF-8; save the file as UTF-8 (in a spreadsheet: CSV UTF-8)"),
    (r"Maximum line size of (\d+) bytes", "the line is longer than {0} bytes; is a quote missing that ends a cell?"),
    (
        r"Parallel CSV Reader",
        "a line is too long, or a quoted cell goes over too many lines; is a quote missing that ends a cell?",
    ),
    (r"duplicate key (\S+)", "the object has the key {0} twice"),
    (r"(?i)gzip", "the gzip stream is damaged or cut short"),
    (r"(?i)zstd", "the Zstandard stream is damaged or cut short"),
    (r"magic bytes|Footer length|too small to be a Parquet", _CUT),
    (
        r"(?i)thrift|don't know what type|TProtocol|Invalid.*page",
        "a row group is damaged: its pages do not decode; write the file again",
    ),
    (
        r"don't match|mismatch|Conversion Error.*(schema|column)",
        "its columns have other names or types than those of the first file; count them apart",
    ),
)


def first_sentence(error: object) -> str:
    """First line of a message, without its kind."""
    return plain(re.sub(r"^[A-Za-z ]+ Error: ", "", str(error)).split("\n", 1)[0], 300)
