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

`read` gives a `Reading`, one confusion matrix; `read_predictions` the answers of several classifiers to the same cases;
`read_judged` the verdicts of one judge on the answers of several models; `read_items` scores of items;
`matrix_csv` writes what `read` reads. Logs of language models' evaluations are read by `howsure.io.logs`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal

from howsure.data.refusals import say
from howsure.errors import InvalidArgument
from howsure.io.formats.written import matrix_csv
from howsure.io.logs.log import read_repeats
from howsure.io.reading import Reading
from howsure.io.score_files import read_scores
from howsure.io.stages import read, read_judged

if TYPE_CHECKING:
    from howsure.data.case_columns import Missing
    from howsure.data.predictions import Predictions
    from howsure.io.items import read_items
    from howsure.io.rating_files import read_ratings
    from howsure.io.vote_files import read_votes

__all__ = [
    "Reading",
    "matrix_csv",
    "read",
    "read_items",
    "read_judged",
    "read_predictions",
    "read_ratings",
    "read_repeats",
    "read_scores",
    "read_votes",
]


#: Items, ratings and votes need laws, which counting does not load.
_LATER = {"read_items": "items", "read_ratings": "rating_files", "read_votes": "vote_files"}


def __getattr__(name: str) -> Any:
    """Readers that are loaded where they are asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'howsure.io' has no attribute {name!r}")
    return getattr(import_module(f"howsure.io.{_LATER[name]}"), name)


def read_predictions(
    *paths: str | os.PathLike[str],
    labels: Sequence[str] | None = None,
    positive: str | None = None,
    missing: Missing = "error",
    group: str | Literal[True] | None = True,
) -> Predictions:
    r"""Read what classifiers answered to the same cases, for `compare` and `rank`.

    Parameters
    ----------
    *paths : str or path-like
        One file of all answers (``y_true,pred_A,pred_B``), or one file a classifier (``id,y_true,y_pred``), named for
        its file and paired by the ids that all have.
    labels, positive, missing : optional
        As in `Predictions`.
    group : str, True or None
        Column of the patient, document or question that each case belongs to; True: the column called ``group`` or
        ``cluster``, if there is one; None: cases are taken as separate, and a note says so.

    Raises
    ------
    InvalidFile
        Counts, which no case can be told from; no id in common; or as in `read`.
    InvalidArgument
        A list, a data frame: each file is a path of its own.

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

    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise InvalidArgument(say("not_a", "a file", "a path of its own", path))
    return read_together(
        [os.fspath(path) for path in paths], labels=labels, positive=positive, missing=missing, group=group
    )
