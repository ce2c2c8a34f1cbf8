"""Strict JSON: no doubled keys, no NaN or Infinity, no depth without end."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from howsure.errors import InvalidFile, excerpt
from howsure.text.formats import integer

__all__ = ["DEEPEST", "Document", "parsed"]

#: Lists of one text, an object being worth eight: an empty list is 3 bytes here and 64 in memory.
MOST_PARTS = 4_000_000

#: Lists and objects within each other; the files of this package need four, those of others some more.
DEEPEST = 64


class Document(NamedTuple):
    """What a JSON document holds, and what the user calls it."""

    name: str
    value: Any


class _Refused(Exception):
    pass


def parsed(source: str, text: str, line: int | None = None) -> Any:
    """Value of a JSON text.

    Parameters
    ----------
    source : str
        What the user calls the file.
    text : str
    line : int, optional
        The line, where the text is one line of many.

    Raises
    ------
    InvalidFile
        Not JSON, or JSON with a part that two readers could take differently.

    Examples
    --------
    >>> parsed("a.json", '{"counts": 3, "counts": 4}')
    Traceback (most recent call last):
    ...
    howsure.errors.InvalidFile: a.json: the key 'counts' comes twice in one object; which is meant? Keep one.
    """
    parts = text.count("[") + 8 * text.count("{")
    if parts > MOST_PARTS:
        raise InvalidFile(source, _too_many(), line)
    try:
        value = _DECODER.decode(text)
    except _Refused as refusal:
        raise InvalidFile(source, str(refusal), line) from None
    except json.JSONDecodeError as error:
        where = error.lineno if line is None else line
        # Python 3.13 says more than older versions; the place is what all of them agree on
        raise InvalidFile(
            source, f"no valid JSON at character {error.colno} of the line; {_advice(error)}", where
        ) from None
    except RecursionError:
        raise InvalidFile(source, _too_deep(), line) from None
    except ValueError:
        raise InvalidFile(source, "a number of more than 4,000 digits; counts go to 2**53 - 1", line) from None
    if parts <= DEEPEST:
        return value
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(DEEPEST):
        children = (child for it in level for child in (it.values() if isinstance(it, dict) else it))
        level = [child for child in children if isinstance(child, list | dict)]
    if level:
        raise InvalidFile(source, _too_deep(), line)
    return value


def _advice(error: json.JSONDecodeError) -> str:
    if not error.doc[error.pos :].strip():
        return "the text ends too early. Was the export finished?"
    if error.msg.startswith("Extra data"):
        return "one document was expected and more follows. Is this JSON Lines? Then one object a line, suffix .jsonl."
    return f"it holds {excerpt(error.doc[error.pos : error.pos + 20])}"


def _too_deep() -> str:
    return f"lists and objects within each other more than {DEEPEST} deep"


def _too_many() -> str:
    problem = f"more than {integer(MOST_PARTS)} lists, or {integer(MOST_PARTS // 8)} objects, in one JSON document"
    return f"{problem}; write the cases as CSV or JSON Lines, one a line"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Refused(f"the key {excerpt(twice)} comes twice in one object; which is meant? Keep one.")
    return found


def _no_constant(name: str) -> Any:
    raise _Refused(f"{name} is not JSON and not a count; write null for a missing class, and counts as whole numbers")


# made once: a decoder for each of a million lines would cost more than the lines
_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)
