"""The file of an import: as a stream of text or of the bytes of a workbook, its kind, and the options of a query."""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import Iterable, Mapping
from typing import Any

from howsure.errors import InvalidFile
from howsure.web.http_error import Refusal

__all__ = ["FILES", "WORKBOOK", "options_of", "stream_of"]

#: Ending of the one kind of file that is no text.
WORKBOOK = ".xlsx"

#: Media types of files to import, and the ending that each stands for.
FILES = {
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/x-ndjson": ".jsonl",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": WORKBOOK,
}


def stream_of(request: Mapping[str, Any], source: str) -> io.BytesIO:
    """Bytes of the file, named by what the page calls it, its ending and its sheet.

    Raises
    ------
    InvalidFile
        A workbook that is no base64.

    Examples
    --------
    >>> stream_of({"text": "a,b", "ending": ".tsv"}, "the file").name
    'the file.tsv'
    >>> stream_of({"text": "UEs=", "ending": ".xlsx", "sheet": "2"}, "the file").name
    'the file.xlsx#2'
    """
    ending = request.get("ending", ".csv")
    data = request["text"].encode()
    if ending == WORKBOOK:
        try:
            data = b64decode(data, validate=True)
        except ValueError:
            raise InvalidFile(source, "a workbook is sent as its bytes, in JSON in base64; this is neither") from None
    stream = io.BytesIO(data)
    sheet = request.get("sheet")
    stream.name = f"{source}{ending}" + ("" if sheet is None else f"#{sheet}")
    return stream


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
