"""What the server says instead of an answer: a status, a code, one sentence that teaches, and the field it is about."""

from __future__ import annotations

import json
from typing import Any

__all__ = ["Refusal", "as_json"]


class Refusal(Exception):
    """An answer other than 200.

    Parameters
    ----------
    status : int
        Of HTTP.
    code : str
        One word for programs.
    message : str
        One sentence for people: what was expected, what came, what to do.
    field : str, optional
        The place in the request.
    wait : int, optional
        Seconds after which it is worth another try.
    """

    def __init__(self, status: int, code: str, message: str, field: str | None = None, wait: int | None = None) -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.field, self.wait = status, code, message, field, wait

    @property
    def headers(self) -> dict[str, str]:
        """Nobody keeps it; the connection ends where the rest of a body is not read."""
        made = {"content-type": "application/json", "cache-control": "no-store"}
        if self.wait is not None:
            made["retry-after"] = str(self.wait)
        if self.status in (408, 413):
            made["connection"] = "close"
        return made

    @property
    def body(self) -> bytes:
        """As JSON."""
        return as_json({"code": self.code, "message": self.message, "field": self.field})


def as_json(value: Any) -> bytes:
    """Compact JSON in ASCII; refuses NaN and infinity, which are not JSON."""
    return json.dumps(value, allow_nan=False, ensure_ascii=True, separators=(",", ":")).encode()
