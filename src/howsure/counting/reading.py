"""What `howsure.count` finds, as the `Reading` that every command takes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal

from howsure.counting.count import count
from howsure.counting.result import Counts
from howsure.counting.state import begins_a_state, read_state
from howsure.counting.words import named_columns
from howsure.errors import HowsureError, InvalidFile, listing
from howsure.files import Reading
from howsure.formats import integer, plain, several

__all__ = ["read_counted"]


def read_counted(
    paths: Sequence[str],
    *,
    true: str | None = None,
    pred: str | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    model: str | None = None,
    missing: Literal["error", "exclude"] = "error",
) -> Reading:
    """One classifier's confusion matrix from a folder, a pattern, Parquet, packed text, or counts that grow.

    Raises
    ------
    InvalidFile
        Besides what `howsure.count` refuses: several classifiers and none chosen, or rows without an answer where
        nothing says to set them aside.
    """
    name = plain(paths[0], 200) + (f" and {len(paths) - 1} more" if len(paths) > 1 else "")
    counts = _counts(paths, true, pred, labels)
    aside = [str(one) for one in counts.set_aside]
    if aside and missing == "error":
        raise InvalidFile(name, f"{'; '.join(aside)}. --missing exclude sets them aside.")
    if model is None and len(counts.models) > 1:
        first = plain(counts.models[0], 40)
        raise InvalidFile(name, f"it holds {listing(counts.models)}. Choose one classifier with --model {first}.")
    try:
        matrix = counts.confusion(model=model if len(counts.models) > 1 else None, labels=labels, positive=positive)
    except HowsureError as error:
        raise InvalidFile(name, plain(str(error), 600)) from None
    notes = [*counts.notes, *(f"Set aside: {one}." for one in aside)]
    if counts.by:
        notes.append(f"The cases of all groups (by {listing(counts.by)}) are taken together.")
    return Reading(matrix, name, f"counted, {integer(counts.n)} of {several(counts.read, 'row')}", tuple(notes))


def _counts(paths: Sequence[str], true: str | None, pred: str | None, labels: Sequence[str] | None) -> Counts:
    path = paths[0]
    if len(paths) == 1 and path.lower().endswith(".json") and os.path.isfile(path) and begins_a_state(path):
        return read_state(path)[0]
    truth, answers, model = named_columns(list(paths), true, None if pred is None else [pred])
    options: dict[str, Any] = {} if model is None else {"model": model}
    return count(list(paths), y_true=truth, y_pred=answers, labels=labels, **options)
