"""Files that are not text: what they look like, and what to do with them. None is ever unpickled."""

from __future__ import annotations

import re

__all__ = ["is_workbook", "looks_like", "without_sheet"]

_AS_TEXT = "write it as Parquet or CSV"

#: First bytes, what they mean, what to do.
_BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"ARROW1", "an Arrow or Feather file", _AS_TEXT),
    # one packing is undone before the bytes are looked at
    (b"\x1f\x8b", "a file that was packed twice", "unpack it once"),
    (b"\x28\xb5\x2f\xfd", "a file that was packed twice", "unpack it once"),
    (b"\x93NUMPY", "a NumPy array file", "save it as text: numpy.savetxt(file, matrix, fmt='%d', delimiter=',')"),
    (b"\x89HDF", "an HDF5 file", _AS_TEXT),
    (b"SQLite format 3", "an SQLite database", "export its table of cases as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook, or one with a password", "save it as .xlsx or CSV UTF-8"),
    (b"%PDF", "a PDF", "copy the table into a CSV file"),
    (b"\x89PNG", "a picture", "type the numbers into a CSV file"),
    (b"\xff\xd8\xff", "a picture", "type the numbers into a CSV file"),
    (b"\xff\xfe", "UTF-16 text", "save the file as UTF-8 (in a spreadsheet: CSV UTF-8)"),
    (b"\xfe\xff", "UTF-16 text", "save the file as UTF-8 (in a spreadsheet: CSV UTF-8)"),
)

#: A part of a workbook in the zip's own headers.
_PART = re.compile(rb"PK\x03\x04.{26}(?:xl/|\[Content_Types\]\.xml|docProps/|_rels/\.rels)", re.DOTALL)


def is_workbook(head: bytes) -> bool:
    """Whether a file begins as a workbook, or another document of Office, does.

    Examples
    --------
    >>> is_workbook(b"PK" + bytes([3, 4]) + bytes(26) + b"xl/workbook.xml"), is_workbook(b"PK")
    (True, False)
    """
    return head.startswith(b"PK\x03\x04") and _PART.search(head[: 2**16]) is not None


def without_sheet(path: str) -> tuple[str, str | None]:
    """Path and sheet of a name such as ``cases.xlsx#Test``; None where no sheet is named.

    Examples
    --------
    >>> without_sheet("cases.xlsx#Test 1"), without_sheet("cases#1.xlsx")
    (('cases.xlsx', 'Test 1'), ('cases#1.xlsx', None))
    """
    found = re.fullmatch(r"(.+\.(?:xls[xm]|json))#(.+)", path, re.IGNORECASE | re.DOTALL)
    return (path, None) if found is None else (found[1], found[2])


def looks_like(head: bytes) -> str | None:
    """Sentence on a file that is not text, from its first bytes; None for text.

    Parameters
    ----------
    head : bytes
        The beginning of the file.

    Examples
    --------
    >>> looks_like(b"ARROW1..")
    'this looks like an Arrow or Feather file, and text was expected; write it as Parquet or CSV'
    """
    for beginning, what, advice in _BEGINNINGS:
        if head.startswith(beginning):
            return _sentence(what, advice)
    if head.startswith(b"PK\x03\x04"):
        if any(mark in head for mark in (b"_journal/", b"samples/", b"header.json")):
            return _sentence("a log of Inspect", "howsure log reads it")
        return _sentence("a zip archive", "unpack it first")
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        # unpickling runs whatever the file says, so it is not an option, not even on request
        return _sentence("a Python pickle", "pickles can run code and are never opened; save as CSV or JSON")
    if b"\0" in head:
        return _sentence("a binary file (it holds NUL bytes)", "save it as UTF-8 text: CSV, TSV or JSON")
    return None


def _sentence(what: str, advice: str) -> str:
    return f"this looks like {what}, and text was expected; {advice}"
