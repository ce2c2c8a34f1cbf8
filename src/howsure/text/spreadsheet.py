"""Cells that a spreadsheet would run as formulas: guarded when written, unguarded when read."""

from __future__ import annotations

import re

__all__ = ["guarded", "unguarded"]

_FORMULA = re.compile(r"""['"\s]*[=+\-@\t\r\0]""")


def unguarded(text: str) -> str:
    """Cell of text without surrounding blanks and without the guard that `guarded` adds; a number stays as it is."""
    text = text.lstrip()
    # before the end is stripped, because a tab there may be what the guard was put for
    return (text[1:] if text.startswith("'") and _FORMULA.match(text, 1) else text).strip()


def guarded(text: str) -> str:
    """Text for a CSV cell that no spreadsheet takes for a formula: a leading ``'`` where it would.

    Examples
    --------
    >>> guarded("=cmd|' /C calc'!A0"), guarded("ill")
    ("'=cmd|' /C calc'!A0", 'ill')
    """
    return "'" + text if _FORMULA.match(text) else text


def cell(text: str) -> str:
    r"""Text as one cell of a CSV file: guarded against spreadsheets that run it, quoted where needed (RFC 4180).

    Parameters
    ----------
    text : str
        A label or a name; numbers need no guard and are written as they are.

    Examples
    --------
    >>> print(cell('=1+1'), cell('a "b", c'))
    '=1+1 "a ""b"", c"
    """
    safe = guarded(text)
    if any(c in safe for c in ',;"\t\r\n') or safe != safe.strip():
        return '"' + safe.replace('"', '""') + '"'
    return safe
