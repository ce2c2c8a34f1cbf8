"""The file of an import as a stream: its text, or the bytes of a workbook, which JSON carries in base64."""

from __future__ import annotations

import io
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from howsure.errors import InvalidFile

__all__ = ["WORKBOOK", "stream_of"]

#: Ending of the one kind of file that is no text.
WORKBOOK = ".xlsx"


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
