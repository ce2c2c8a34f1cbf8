"""JSON Lines: one object a line, read as the table they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from howsure.data.words import bare
from howsure.errors import InvalidFile, excerpt
from howsure.io.formats.json_text import parsed
from howsure.io.names_in_files import quoted
from howsure.io.opening import Opened
from howsure.io.table import Origin, Row, TextTable
from howsure.io.values import value_text

__all__ = ["FIRST_LINES", "json_lines"]

#: Lines whose keys are the columns.
FIRST_LINES = 100


def json_lines(file: Opened) -> TextTable:
    """Table of the objects; the keys of the first lines are its header, and a key that is absent is a blank.

    Parameters
    ----------
    file : Opened

    Raises
    ------
    InvalidFile
        A line that is no object, or has keys that none of the first has (then or while the rows are read).
    """
    objects = _objects(file)
    first = list(islice(objects, FIRST_LINES))
    keys = list(dict.fromkeys(key for _, value in first for key in value))
    line = first[0][0] if first else 1
    if not keys:
        raise InvalidFile(file.name, "an object without keys; y_true and y_pred were expected", line)
    origin = None
    if file.path is not None and file.packing in ("", "gzip", "Zstandard"):
        origin = Origin((file.path, *file.others), "jsonl", tuple(keys), file.size, packing=file.packing)
    rows = _rows(file.name, keys, chain(first, objects))
    header = [bare(key) for key in keys]
    return TextTable(file.name, header, line, rows, bare, "JSON Lines ", origin=origin, notes=file.notes)


def _objects(file: Opened) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, text in enumerate(file.lines(), start=1):
        if not text.strip():
            continue
        value = parsed(file.name, text, number)
        if not isinstance(value, dict):
            raise InvalidFile(
                file.name, f"one object a line was expected, and this line holds {excerpt(value)}", number
            )
        yield number, value


def _rows(source: str, keys: list[str], objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Row]:
    known = set(keys)
    for number, value in objects:
        if not value.keys() <= known:
            extra = quoted(key for key in value if key not in known)
            problem = f"an object with the key {extra}, which none of the first {FIRST_LINES} lines has"
            raise InvalidFile(source, f"{problem}. They have {quoted(keys)}.", number)
        cells = [value.get(key) for key in keys]
        yield number, [it if type(it) is str and it.isascii() else _text(source, it, number) for it in cells]


def _text(source: str, value: object, line: int) -> str:
    """Write the value as a CSV would have it; null is a blank."""
    if isinstance(value, str) and not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise InvalidFile(source, f"half a character (a lone surrogate) in {excerpt(value)}; the text was cut", line)
    if isinstance(value, float) and not math.isfinite(value):
        raise InvalidFile(source, "a number too large to be read", line)
    return value_text(value)
