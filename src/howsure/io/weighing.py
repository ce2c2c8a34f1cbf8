"""Whether files are work for an engine that counts, before they are read case by case."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.errors import HowsureError
from howsure.io.contents import is_document_file, table_of
from howsure.io.opening import opened
from howsure.io.table import LARGE

__all__ = ["are_counted", "begins_a_state"]

_STATE = b'{"format": "howsure/1", "kind": "counts"'


def are_counted(paths: Sequence[str]) -> bool:
    """Whether one of the files is too large to be kept case by case, or holds counts that grow."""
    return any(_is_counted(path) for path in paths if path != "-")


def _is_counted(path: str) -> bool:
    try:
        with opened(path) as file:
            if is_document_file(file):
                return begins_a_state(file.head)
            return 5 * file.size > LARGE and table_of(file).is_large
    except HowsureError:
        return False  # whoever reads it says why not


def begins_a_state(head: bytes) -> bool:
    """Whether a file begins as `howsure count -o counts.json` writes it."""
    return head.startswith(_STATE)
