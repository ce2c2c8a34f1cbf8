"""Which columns are meant where nobody says: by the words of the header, as in every other file of howsure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.counting.asking import bare_name
from howsure.errors import InvalidArgument, InvalidFile, listing
from howsure.files.columns import columns_of
from howsure.files.table import Table
from howsure.files.words import role, word_of

__all__ = ["guessed", "guessed_id", "named_columns"]

#: Columns that name a case.
_IDS = ("id", "case_id", "case", "item_id", "sample_id", "doc_id")


def guessed(name: str, columns: Sequence[str]) -> tuple[str, dict[str, str], str | None]:
    """Column of the truth, columns of the classifiers, and column of the classifier's name, if there is one.

    Raises
    ------
    InvalidFile
        No column is called a truth or a prediction.

    Examples
    --------
    >>> guessed("x.parquet", ["id", "y_true", "pred_A", "pred_B"])
    ('y_true', {'A': 'pred_A', 'B': 'pred_B'}, None)
    """
    found = columns_of(Table(name, list(columns), 1, iter([])))
    if found is None:
        problem = f"no column is called y_true or y_pred (or a synonym); there are {listing(columns)}"
        raise InvalidFile(name, f"{problem}. Name them: howsure count --true COLUMN --pred COLUMN")
    answers = {key or columns[at]: columns[at] for key, at in found.pred.items()}
    return columns[found.true], answers, None if found.model is None else columns[found.model]


def guessed_id(columns: Sequence[str]) -> str | None:
    """Column of the case's name, if there is one.

    Examples
    --------
    >>> guessed_id(["case id", "y_true"]), guessed_id(["y_true"])
    ('case id', None)
    """
    return next((c for word in _IDS for c in columns if word_of(c) == word), None)


def named_columns(
    data: Any, true: str | None, pred: Sequence[str] | None, query: str | None = None
) -> tuple[str, dict[str, str], str | None]:
    """What `guessed` finds in the files, except what the caller has named.

    Raises
    ------
    InvalidArgument
        With ``query`` all columns have to be named.
    InvalidFile
        The files cannot be read, or no column has a telling name.
    """
    if query is not None:
        raise InvalidArgument("with a query, name the columns: --true COLUMN --pred COLUMN")
    from howsure.counting.duck import columns_of

    name, columns = columns_of(data)
    if true is not None or pred is not None:
        # what is named needs no telling name
        spelled = [_spelled(c, true, pred or ()) for c in columns]
        truth, answers, model = guessed(name, spelled)
        real = dict(zip(spelled, columns, strict=True))
        named = {bare_name(c): c for c in pred} if pred else {k: real[c] for k, c in answers.items()}
        return true or real[truth], named, None if model is None else real[model]
    return guessed(name, columns)


def _spelled(column: str, true: str | None, pred: Sequence[str]) -> str:
    if column == true:
        return "y_true"
    if column in pred:
        return f"pred_{bare_name(column)}"
    # a named truth is the only one, whatever else has the name of one
    return f"other {column}" if true is not None and role(column) == "true" else column
