"""How names and texts are spelled in SQL, and the text of a cell of a text file."""

from __future__ import annotations

import json
from typing import Any

from howsure.errors import InvalidLabels, excerpt
from howsure.files.words import cleaned, is_missing
from howsure.labels import label_text

__all__ = ["cell_text", "json_text", "literal", "quoted"]


def quoted(name: str) -> str:
    """Name of a column in SQL."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Text in SQL."""
    return "'" + text.replace("'", "''") + "'"


def cell_text(value: Any) -> str | None:
    """Text of a cell of a text file, by the rule of `howsure.files`: NA, null and the like are missing."""
    if not isinstance(value, str):
        return label_text(value)
    text = cleaned(value)
    return None if is_missing(text) else text


def json_text(value: Any) -> str | None:
    """Text of a value of JSON, given as JSON.

    Examples
    --------
    >>> json_text('"ill"'), json_text("1.0"), json_text('"1.0"'), json_text("true"), json_text("null")
    ('ill', '1', '1.0', 'true', None)
    """
    if not isinstance(value, str):
        return None
    found_value = json.loads(value)
    if isinstance(found_value, dict | list):
        raise InvalidLabels(f"{excerpt(value)} is no class; one value a case is expected")
    return cell_text(found_value)
