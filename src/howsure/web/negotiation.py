"""Bodies as gzip, and what a browser says of the copy it has (RFC 9110, 13.1.2)."""

from __future__ import annotations

import gzip

__all__ = ["has_copy", "packed"]

#: Below it a coding saves no packet.
WORTH_PACKING = 1000


def has_copy(known: str | None, tag: str) -> bool:
    """Whether an If-None-Match header names this tag, compared weakly, as for a GET.

    Examples
    --------
    >>> has_copy('"a", W/"b"', '"b"'), has_copy("*", '"b"'), has_copy('"a"', '"b"'), has_copy(None, '"b"')
    (True, True, False, False)
    """
    tags = [given.strip().removeprefix("W/") for given in (known or "").split(",")]
    return tag in tags or tags == ["*"]


def packed(body: bytes, *, effort: int = 9) -> bytes | None:
    """A body as gzip, the same bytes for the same body and effort (1 to 9); None where that would not be shorter.

    Examples
    --------
    >>> packed(b"howsure"), len(packed(b"howsure " * 1000)) < 100
    (None, True)
    """
    if len(body) < WORTH_PACKING:
        return None
    made = gzip.compress(body, effort, mtime=0)
    return made if len(made) < len(body) else None
