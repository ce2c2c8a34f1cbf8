"""Counts that `howsure count` wrote as JSON, as a reading of one classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.errors import HowsureError, InvalidFile, listing
from howsure.io.reading import Reading, Request
from howsure.text.formats import integer, plain, several

__all__ = ["is_state", "read_state_of"]


def is_state(value: object) -> bool:
    """Whether a parsed document holds such counts."""
    return isinstance(value, Mapping) and value.get("kind") == "counts" and "cells" in value and "models" in value


def read_state_of(name: str, value: Mapping[str, Any], request: Request) -> Reading:
    """One classifier of counts that were written.

    Raises
    ------
    InvalidFile
        Several classifiers and none chosen, rows without an answer and nothing that sets them aside, damaged counts.
    """
    from howsure.io.counting.state import counts_of_state

    counts = counts_of_state(name, value)
    aside = [str(one) for one in counts.set_aside]
    if aside and request.missing == "error":
        raise InvalidFile(name, f"{'; '.join(aside)}. --missing exclude sets them aside.")
    model = request.model
    if model is None and len(counts.models) > 1:
        first = plain(counts.models[0], 40)
        raise InvalidFile(name, f"it holds {listing(counts.models)}. Choose one classifier with --model {first}.")
    try:
        matrix = counts.confusion(
            model=model if len(counts.models) > 1 else None, labels=request.labels, positive=request.positive
        )
    except HowsureError as error:
        raise InvalidFile(name, plain(str(error), 600)) from None
    notes = [*counts.notes, *(f"Set aside: {one}." for one in aside)]
    if counts.by:
        notes.append(f"The cases of all groups (by {listing(counts.by)}) are taken together.")
    return Reading(matrix, name, f"counted, {integer(counts.n)} of {several(counts.read, 'row')}", tuple(notes))
