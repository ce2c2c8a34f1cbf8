r"""Files to confusion matrices, one format a file.

===========================  ==============================================================================
matrix CSV, TSV              ``true\pred`` in the corner cell, class names in the first line and column
bare numbers                 a square of counts; says nothing of its orientation, so ``rows=`` must
counts CSV, TSV, JSON Lines  columns ``true,pred,count``, one cell of the matrix a row
predictions, the same three  columns ``y_true,y_pred``, one case a row; or ``y_true,pred_A,pred_B``
JSON                         `ConfusionMatrix.to_dict`, results of howsure, lists of lists
===========================  ==============================================================================

A format is recognised by what the file holds. Its orientation is read, or asked for, and never guessed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import IO, Literal

from howsure.files.cases import read_cases
from howsure.files.opening import opened
from howsure.files.reading import Reading, Request
from howsure.files.recognition import recognised
from howsure.files.writers import matrix_csv

__all__ = ["Reading", "matrix_csv", "read"]


def read(
    path: str | os.PathLike[str] | IO[str] | IO[bytes],
    *,
    rows: Literal["true", "pred"] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    model: str | None = None,
    missing: Literal["error", "exclude"] = "error",
) -> Reading:
    r"""Read a confusion matrix, or count one from predictions.

    Parameters
    ----------
    path : str, path-like or stream
        A file; "-" for standard input; a stream of text or bytes, read to its end.
    rows : "true" or "pred", optional
        What a row of the matrix is, where the file does not say.
    positive : str, optional
        For two classes, the one that sensitivity, precision and the like are about.
    labels : sequence of str, optional
        All classes, in order; those that the file does not have get counts of 0.
    model : str, optional
        The classifier, where the file holds several.
    missing : "error" or "exclude"
        Whether cases without a true or a predicted class are refused or set aside (and noted).

    Raises
    ------
    InvalidFile
        One sentence that names the file, the line and the labels, what was expected, what came, what to do.
    InvalidArgument, InvalidLabels
        An argument that no file could agree with.

    Examples
    --------
    >>> import io
    >>> reading = read(io.StringIO("pred\\true,high,low\nhigh,26,2\nlow,0,6\n"))
    >>> print(reading.confusion)
    true\pred  high  low
    high         26    0
    low           2    6
    >>> reading.layout
    'matrix, corner says pred\\true'
    """
    request = Request(rows, positive, labels, model, missing)
    with opened(path) as file:
        return recognised(file, request, read_cases)
