"""Classifiers on the same cases with the slice of each case, from files: what --by names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidFile, listing
from howsure.io.logs.several import is_log
from howsure.io.reading import Contenders, Pair
from howsure.io.refusals import say

__all__ = ["predictions_by", "refuse_beside_by"]

#: What is said of a column of groups, and of one of slices.
OF_SLICES = {"no_group": "no_slice", "group_lacking": "slice_lacking"}

Found = TypeVar("Found", Pair, Contenders)


def refuse_beside_by(given: dict[str, Any]) -> None:
    """Refuse options that mean nothing by slice, of those that are given."""
    odd = [name for name, value in given.items() if value not in (None, False)]
    if odd:
        verb = "goes" if len(odd) == 1 else "go"
        raise InvalidArgument(f"{listing(odd)} {verb} with the whole test set, not with --by; leave it out")


def predictions_by(
    read: Callable[[str | None], Found], by: Sequence[str], files: Sequence[str]
) -> tuple[Found, Predictions, dict[str, Any], tuple[str, ...]]:
    """Read classifiers on the same cases, the values of the columns of each case, and what is to be said of them.

    Parameters
    ----------
    read : callable
        Reads the files with one column beside the cases, or with none.
    by : sequence of str
        The columns.
    files : sequence of str
        For sentences.

    Raises
    ------
    InvalidArgument
        Separate test sets, a column twice, two columns of standard input, logs of several epochs.
    """
    if len(set(by)) < len(by):
        raise InvalidArgument(f"--by names a column twice: {listing(by)}")
    if len(by) > 1 and "-" in files:
        raise InvalidArgument("standard input is read once, and several --by read a file several times; give a file")
    if is_log(files[0]) and (whole := read(None).predictions) is not None and whole.group is not None:
        raise InvalidArgument(
            "the logs have several epochs, and by slice answers are taken as independent, which those to one question "
            "are not; give logs of one epoch, or compare them without --by"
        )
    columns: dict[str, Any] = {}
    for name in by:
        try:
            found = read(name)
        except InvalidFile as error:
            if error.kind not in OF_SLICES:
                raise
            raise InvalidFile(error.source, say(OF_SLICES[error.kind], *error.fields), error.line) from None
        if found.predictions is None or found.predictions.group is None:
            raise InvalidArgument(
                "--by compares classifiers on the same cases, and these are separate test sets; give one file with "
                f"the columns y_true,pred_A,pred_B,{name}, or files with ids in common"
            )
        columns[name] = found.predictions.group
    assert found.predictions is not None
    # of several columns each is unused while another is read
    notes = tuple(note for note in found.notes if len(by) == 1 or not note.startswith("Not used:"))
    return found, found.predictions, columns, notes
