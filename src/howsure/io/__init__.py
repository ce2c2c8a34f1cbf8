r"""Files to confusion matrices, one format a file.

===========================  ==============================================================================
matrix CSV, TSV              ``true\pred`` in the corner cell, class names in the first line and column
two sides CSV, TSV           names that say which side is truth: ``Test+``, ``Test-`` by ``Disease+``, ``Disease-``
four cells, the same         columns ``name,tp,fn,fp,tn``, one classifier a row; or ``TP=45 FN=5 FP=8 TN=92``
bare numbers                 a square of counts; says nothing of its orientation, so ``rows=`` must
printed                      the same as NumPy, Python, MATLAB, LaTeX, Markdown, R and pandas print them
counts CSV, TSV, JSON Lines  columns ``true,pred,count``, one cell of the matrix a row
predictions, the same three  columns ``y_true,y_pred``, one case a row; or ``y_true,pred_A,pred_B``
JSON                         `ConfusionMatrix.to_dict`, results of howsure, lists of lists
===========================  ==============================================================================

Text, packed text, Parquet, standard input, a folder or a data frame: the same table gives the same answer. A format is
recognised by what the file holds. Its orientation is read, or asked for, and never guessed. Totals are left out, with a
note.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from howsure.io.formats.cases import read_cases
from howsure.io.formats.writers import matrix_csv
from howsure.io.reading import Reading, Request
from howsure.io.recognition import read_any

if TYPE_CHECKING:
    from howsure.data.missing_answers import Missing
    from howsure.data.predictions import Predictions

__all__ = ["Reading", "matrix_csv", "read", "read_predictions"]


def read(
    data: Any,
    *,
    rows: Literal["true", "pred"] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    model: str | None = None,
    missing: Literal["error", "exclude"] = "error",
    y_true: str | None = None,
    y_pred: str | None = None,
) -> Reading:
    r"""Read a confusion matrix, or count one from predictions.

    Parameters
    ----------
    data : str, path-like, stream, sequence of paths, or data frame
        A file, a folder, a pattern, or several files that are one table; "-" for standard input; a stream of text or
        bytes, read to its end. Packed or not, Parquet or text.
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
    y_true, y_pred : str, optional
        Columns of a table of cases or counts; by the words of its header if left out.

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
    pred = () if y_pred is None else (y_pred,)
    return read_any(data, Request(rows, positive, labels, model, missing, y_true, pred), read_cases)


def read_predictions(
    *paths: str | os.PathLike[str],
    labels: Sequence[str] | None = None,
    positive: str | None = None,
    missing: Missing = "error",
) -> Predictions:
    r"""Read what classifiers answered to the same cases, for `compare` and `rank`.

    Parameters
    ----------
    *paths : str or path-like
        One file of all answers (``y_true,pred_A,pred_B``), or one file a classifier (``id,y_true,y_pred``), named for
        its file and paired by the ids that all have.
    labels, positive, missing : optional
        As in `Predictions`.

    Raises
    ------
    InvalidFile
        Counts, which no case can be told from; no id in common; or as in `read`.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     new, old = (pathlib.Path(folder, f"{name}.csv") for name in ("new", "old"))
    ...     _ = new.write_text("id,y_true,y_pred\n1,cat,cat\n2,dog,dog\n")
    ...     _ = old.write_text("id,y_true,y_pred\n2,dog,cat\n1,cat,cat\n")
    ...     read_predictions(new, old).names
    ('new', 'old')
    """
    from howsure.io.contenders import read_together

    return read_together([os.fspath(path) for path in paths], labels=labels, positive=positive, missing=missing)
