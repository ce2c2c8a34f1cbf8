"""Writers of the formats that `read` reads."""

from __future__ import annotations

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.folds import refuse_passes
from howsure.data.plain_matrix import UNLABELLED
from howsure.data.words import UNLABELLED as UNLABELLED_WORDS
from howsure.data.words import cleaned, word_of
from howsure.errors import InvalidLabels, excerpt
from howsure.text.spreadsheet import guarded

__all__ = ["cell", "matrix_csv"]


def cell(text: str) -> str:
    r"""Text as one cell of a CSV file: guarded against spreadsheets that run it, quoted where needed (RFC 4180).

    Parameters
    ----------
    text : str
        A label or a name; numbers need no guard and are written as they are.

    Examples
    --------
    >>> print(cell('=1+1'), cell('a "b", c'))
    '=1+1 "a ""b"", c"
    """
    safe = guarded(text)
    if any(c in safe for c in ',;"\t\r\n') or safe != safe.strip():
        return '"' + safe.replace('"', '""') + '"'
    return safe


def matrix_csv(confusion: ConfusionMatrix) -> str:
    r"""Matrix as CSV with the corner cell ``true\pred``, which `read` reads back; cases without a truth are a row.

    Parameters
    ----------
    confusion : ConfusionMatrix

    Raises
    ------
    InvalidLabels
        Labels that a CSV cannot tell apart or hold: a NUL character, or two that differ in outer blanks only; pairs.

    Examples
    --------
    >>> print(matrix_csv(ConfusionMatrix([[45, 5], [8, 42]], ["healthy", "ill"])), end="")
    true\pred,healthy,ill
    healthy,45,5
    ill,8,42
    """
    refuse_passes(confusion.folds, "a CSV of counts")
    judged = confusion.verdicts
    if judged is not None and judged.audit:
        raise InvalidLabels("the verdicts of an audit are pairs, which no CSV has in one cell; write JSON instead")
    rows = confusion.labels if judged is None else (*confusion.labels[: judged.truths], UNLABELLED)
    columns = confusion.labels if judged is None else judged.names
    counts = confusion.counts if judged is None else np.vstack((judged.labelled, judged.unlabelled))
    labels = confusion.labels
    if judged is not None and any(word_of(label) in UNLABELLED_WORDS for label in labels):
        raise InvalidLabels("a class is called as the row of the cases without a truth is; write JSON instead")
    for label in labels:
        if "\0" in label:
            raise InvalidLabels(f"{excerpt(label)} holds a NUL character, which no CSV can hold; write JSON instead")
    read_back = [cleaned(guarded(label)) for label in labels]
    if len(set(read_back)) < len(labels) or not all(read_back):
        twice = next(
            label for label, back in zip(labels, read_back, strict=True) if not back or read_back.count(back) > 1
        )
        raise InvalidLabels(f"{excerpt(twice)} differs from another label in outer blanks only; write JSON instead")
    lines = ["true\\pred," + ",".join(map(cell, columns))]
    for label, row in zip(rows, counts.tolist(), strict=True):
        lines.append(cell(label) + "," + ",".join(map(str, row)))
    return "\n".join(lines) + "\n"
