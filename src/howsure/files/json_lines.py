"""JSON Lines: one object a line, all with the same keys, read as the table they are."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from howsure.errors import InvalidFile, excerpt
from howsure.files.assembly import quoted
from howsure.files.json_text import parsed
from howsure.files.opening import Opened
from howsure.files.table import Nested, Row, Table
from howsure.files.words import bare

__all__ = ["json_lines"]


def json_lines(file: Opened) -> Table:
    """Table of the objects; the keys of the first are its header.

    Parameters
    ----------
    file : Opened

    Raises
    ------
    InvalidFile
        A line that is no object, or has other keys than the first (then or while the rows are read).
    """
    objects = _objects(file)
    line, first = next(objects, (1, {}))
    keys = list(first)
    if not keys:
        raise InvalidFile(file.name, "an object without keys; y_true and y_pred were expected", line)
    return Table(
        file.name, [bare(key) for key in keys], line, _rows(file.name, line, first, objects), bare, "JSON Lines "
    )


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


def _rows(
    source: str, line: int, first: dict[str, Any], objects: Iterator[tuple[int, dict[str, Any]]]
) -> Iterator[Row]:
    keys = list(first)
    yield line, [_text(source, first[key], line) for key in keys]
    for number, value in objects:
        if value.keys() != first.keys():
            absent = [key for key in keys if key not in value]
            extra = [key for key in value if key not in first]
            parts = [f"{word} {quoted(odd)}" for word, odd in (("without", absent), ("with", extra)) if odd]
            problem = f"an object {' and '.join(parts)}, where line {line} has the keys {quoted(keys)}"
            raise InvalidFile(source, f"{problem}. All objects need the same keys; a missing class is null.", number)
        cells = [value[key] for key in keys]
        yield number, [it if type(it) is str and it.isascii() else _text(source, it, number) for it in cells]


def _text(source: str, value: object, line: int) -> str:
    """Write the value as a CSV would have it; null is a blank."""
    if isinstance(value, str):
        if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise InvalidFile(
                source, f"half a character (a lone surrogate) in {excerpt(value)}; the text was cut", line
            )
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidFile(source, "a number too large to be read", line)
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value) if isinstance(value, int) else Nested(json.dumps(value))
