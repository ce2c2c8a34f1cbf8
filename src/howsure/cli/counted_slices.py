"""Slices as the command line has them: counted from tables, or from logs, and what is said of the counting."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.cli.column_options import label_names
from howsure.cli.keywords_as_options import as_options
from howsure.cli.progress_line import watched
from howsure.cli.terminal import say
from howsure.data.slices import Slices
from howsure.errors import InvalidArgument

__all__ = ["counted_slices"]


def counted_slices(
    files: Sequence[str],
    by: Sequence[str] | None,
    example: str,
    *,
    true: str | None,
    pred: str | None,
    case: str | None,
    labels: str | None,
    positive: str | None,
) -> Slices:
    """Count cases by slice; what was set aside or chosen is said beside the answer.

    Parameters
    ----------
    by : sequence of str
        The columns; ``example`` shows how one is named.
    true, pred, case, labels, positive : str, optional
        As `howsure.count` has them.

    Raises
    ------
    InvalidArgument
        No column is named.
    """
    from howsure.io.counting.count import count
    from howsure.io.counting.result import slices_of

    if not by:
        raise InvalidArgument(example)
    with watched("counting") as progress:
        counts = count(
            files[0] if len(files) == 1 else list(files),
            y_true=true,
            y_pred=pred,
            by=list(by),
            id=case,
            labels=label_names(labels),
            progress=progress,
        )
    for aside in counts.set_aside:
        say(f"set aside, {aside}", error=True)
    for note in counts.notes:
        say(as_options(note), error=True)
    return slices_of(counts, positive=positive)
