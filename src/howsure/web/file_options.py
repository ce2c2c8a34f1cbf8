"""What an import is told beside the text of a file: its kind by the media type, its options by the query."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from howsure.web.http_error import Refusal
from howsure.web.uploaded import WORKBOOK

__all__ = ["FILES", "options_of"]

#: Media types of files to import, and the ending that each stands for.
FILES = {
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/x-ndjson": ".jsonl",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": WORKBOOK,
}


def options_of(query: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Options of an import, from the pairs of a query.

    Raises
    ------
    Refusal
        An option that comes twice, or that is the body or its type.

    Examples
    --------
    >>> options_of([("n", "80"), ("separate", "true"), ("labels", "cat, dog")])
    {'n': 80, 'separate': True, 'labels': ['cat', 'dog']}
    """
    found: dict[str, Any] = {}
    for key, value in query:
        if key in found:
            raise Refusal(422, "InvalidRequest", "an option of the query comes twice", key[:60])
        found[key] = value
    if str(found.get("n", "")).isdecimal() and len(found["n"]) < 17:
        found["n"] = int(found["n"])
    for key in ("separate", "scores", "tables", "board"):
        if key in found:
            found[key] = {"true": True, "false": False}.get(found[key], found[key])
    for key in ("text", "ending"):
        if key in found:
            raise Refusal(422, "InvalidRequest", f"{key} is the body and its type, not an option", key)
    if "labels" in found:
        found["labels"] = [name.strip() for name in found["labels"].split(",")]
    return found
