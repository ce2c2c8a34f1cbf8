"""What DuckDB complains about, as our sentences: the file, the line, what came, what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from howsure.errors import InvalidFile, InvalidLabels
from howsure.io.engines.damaged_parquet import damaged_row_group
from howsure.io.engines.sources import TableFiles
from howsure.text.formats import plain

__all__ = ["explained", "first_sentence", "teaching"]


@contextmanager
def teaching(source: TableFiles, columns: Sequence[str] = ()) -> Iterator[None]:
    """Sentences of DuckDB as ours: the file, the line or row group, what came, what to do.

    Parameters
    ----------
    source : TableFiles
    columns : sequence of str
        The columns that are read; all if left out.
    """
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
        raise explained(source, str(error), columns) from None


def explained(source: TableFiles, message: str, columns: Sequence[str] = ()) -> InvalidFile:
    """One error of DuckDB, with the file and line or row group that it is about."""
    named = re.search(r"file = (.+)", message) or re.search(r"""["'](/[^"']+|[^"']+\.\w+)["']""", message)
    file = next((f for f in source.files if named and named[1].strip() == f), None)
    file = file or next((f for f in source.files if f in message), None)
    name = plain(file, 200) if file else source.name
    parquet = source.format == "parquet"
    line = re.search(r"Line: (\d+)", message) or re.search(r"in line (\d+)", message)
    number = int(line[1]) if line else None
    known = (*_OF_PARQUET, *_OF_TEXT) if not source.files else _OF_PARQUET if parquet else _OF_TEXT
    for pattern, sentence in known:
        match = re.search(pattern, message)
        if match:
            return InvalidFile(name, sentence.format(*match.groups()), number)
    if parquet:
        # what its decoders say is of any kind ("Out of buffer"), so the row groups are looked at
        exact = damaged_row_group(source.files, columns)
        if exact is not None:
            return exact
    return InvalidFile(name, f"DuckDB cannot read it: {first_sentence(message)}", number)


_MIXED = (
    r"don't match|mismatch|Conversion Error.*(schema|column)",
    "its columns have other names or types than those of the first file; count them apart",
)
_OF_PARQUET: Sequence[tuple[str, str]] = (
    (
        r"magic bytes|Footer length|too small to be a Parquet",
        "its end, where Parquet keeps the row groups, is damaged; was the writing cut short?",
    ),
    _MIXED,
)
_OF_TEXT: Sequence[tuple[str, str]] = (
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
    _MIXED,
)


def first_sentence(error: object) -> str:
    """First line of a message, without its kind."""
    return plain(re.sub(r"^[A-Za-z ]+ Error: ", "", str(error)).split("\n", 1)[0], 300)
