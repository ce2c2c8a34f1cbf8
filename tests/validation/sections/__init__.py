"""The sections of docs/validity.md, one file each: a function ``lines(runs)`` that yields the lines of the page."""

from __future__ import annotations

import re
from pathlib import Path

_PARTS = re.split(r"^==== (.*)\n", (Path(__file__).parent / "words.md").read_text("utf-8"), flags=re.MULTILINE)
_TEXTS = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True))


def text_of(place: str, *values: object) -> list[str]:
    """Lines of words.md at a place, with the values that it names."""
    return _TEXTS[place].format(*values).removesuffix("\n").split("\n")
