"""Slices of what was counted by columns: from a file, a frame or a database to `Slices`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from howsure.data.slice_places import slice_names
from howsure.data.slices import SliceCells, Slices
from howsure.errors import InvalidArgument, excerpt
from howsure.io.counting.counted_cells import merged
from howsure.io.counting.result import Counts

__all__ = ["held_slices", "slices_of"]


def slices_of(counts: Counts, model: str | None = None, *, positive: object | None = None) -> Slices:
    """The slices of counts by the values of their columns of groups.

    Parameters
    ----------
    counts : Counts
        Counted with ``by=``.
    model : str, optional
        The classifier; may be left out where there is one.
    positive : str, optional
        The positive one of two classes.

    Raises
    ------
    InvalidArgument
        Nothing was counted by group; several classifiers and none chosen.

    Examples
    --------
    >>> from howsure import count
    >>> cases = {"t": [0, 1, 1], "p": [0, 1, 0], "os": ["a", "a", "b"]}
    >>> made = slices_of(count(cases, y_true="t", y_pred="p", by="os"))
    >>> made.names, made.correct.tolist()
    (('a', 'b'), [2, 0])
    """
    if not counts.by:
        raise InvalidArgument("nothing was counted by slice; name the columns: count(..., by='language')")
    which, cells = counts._model(model), counts.cells
    answers = cells.answers[:, which if counts.paired else 0]
    kept = counts._complete if counts.paired else counts._complete & (cells.model == which)
    keys, total = merged([cells.group[kept], cells.truth[kept], answers[kept]], cells.cases[kept])
    made = SliceCells.added(keys[0], keys[1], keys[2], total, len(counts.labels))
    return Slices._of_cells(
        slice_names(counts.groups), made, counts.confusion(model=model, positive=positive), by=counts.by
    )


def held_slices(slices: Any, call: str) -> Slices:
    """Slices of whatever holds them: themselves, counts by group, or a confusion matrix for each.

    Raises
    ------
    InvalidArgument
        None of these.

    Examples
    --------
    >>> from howsure.data.confusion import ConfusionMatrix
    >>> held_slices({"a": ConfusionMatrix([[3, 1], [0, 2]])}, "slice_report").names
    ('a',)
    """
    if isinstance(slices, Counts):
        return slices_of(slices)
    if isinstance(slices, Slices):
        return slices
    if isinstance(slices, Mapping):
        return Slices(slices)
    raise InvalidArgument(
        f"{call}() takes Slices, Counts (count(..., by=...)) or a mapping of names to confusion matrices, not "
        f"{excerpt(slices)}"
    )
