"""What every answer as JSON begins with: the format, the kind of the answer, and the version that wrote it."""

from __future__ import annotations

from typing import Any

from howsure._version import __version__

__all__ = ["FORMAT", "envelope"]

#: The one version there is; the number changes when an older reader would take a file wrongly.
FORMAT = "howsure/1"


def envelope(kind: str) -> dict[str, Any]:
    """The first three keys of an answer, before its own.

    Examples
    --------
    >>> list(envelope("report").items())[:2]
    [('format', 'howsure/1'), ('kind', 'report')]
    """
    return {"format": FORMAT, "kind": kind, "version": __version__}
