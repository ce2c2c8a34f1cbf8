"""What a browser says of the copy it has and of the codings it reads (RFC 9110, 12.5.3 and 13.1.2)."""

from __future__ import annotations

import gzip

__all__ = ["has_copy", "packed", "takes_gzip"]

#: Below it a coding saves no packet.
WORTH_PACKING = 1000


def takes_gzip(accepted: str | None) -> bool:
    """Whether an Accept-Encoding header takes gzip; without one a body goes as it is.

    Examples
    --------
    >>> takes_gzip("br;q=1.0, gzip;q=0.8"), takes_gzip("*"), takes_gzip("gzip;q=0, *"), takes_gzip(None)
    (True, True, False, False)
    """
    weights: dict[str, float] = {}
    for offer in (accepted or "").lower().split(","):
        coding, *parameters = (part.strip() for part in offer.split(";"))
        weights[coding] = _weight(parameters)
    named = [weights[name] for name in ("gzip", "x-gzip") if name in weights]
    return (max(named) if named else weights.get("*", 0.0)) > 0


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                return float(value)
            except ValueError:
                return 0.0  # what cannot be read is not taken
    return 1.0


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
