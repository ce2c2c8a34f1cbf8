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

from importlib import import_module
from typing import TYPE_CHECKING, Any

from howsure.io.formats.written import matrix_csv
from howsure.io.logs.log import read_repeats
from howsure.io.reading import Reading
from howsure.io.score_files import read_scores
from howsure.io.stages import read, read_judged

if TYPE_CHECKING:
    from howsure.io.contenders import read_predictions
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


#: What counting does not load: some of it needs laws.
_LATER = {
    "read_items": "items",
    "read_predictions": "contenders",
    "read_ratings": "rating_files",
    "read_votes": "vote_files",
}


def __getattr__(name: str) -> Any:
    """Readers that are loaded where they are asked for."""
    if name not in _LATER:
        raise AttributeError(f"module 'howsure.io' has no attribute {name!r}")
    return getattr(import_module(f"howsure.io.{_LATER[name]}"), name)
