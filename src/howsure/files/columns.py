"""What each column of a list of cases or counts is, from its header."""

from __future__ import annotations

import re
from dataclasses import dataclass

from howsure.errors import InvalidFile
from howsure.files.assembly import quoted
from howsure.files.table import Table
from howsure.files.words import COUNT, role, word_of

__all__ = ["Columns", "columns_of", "is_score"]

_CLASSIFIER = frozenset(["classifier", "model", "name"])
_ID = frozenset(["id", "case_id", "item_id", "sample_id"])
_FOLD = frozenset(["fold"])
_GROUP = frozenset(["group", "cluster"])
_WEIGHT = frozenset(["weight", "weights", "sample_weight"])
_PREDICTION_OF = ("y_pred_", "pred_", "predicted_", "prediction_")
_SCORE = re.compile(r"(scores?|p|probs?|proba|probability|probabilities|confidence)(_.*)?")


@dataclass(frozen=True)
class Columns:
    """Positions in a row.

    Parameters
    ----------
    true : int
    pred : dict
        {"": position} of the one predicted column, or {classifier: position} of the wide form.
    count, model, id, fold, group, weight : int or None
    unused : tuple of int
        The columns that are not read.
    """

    true: int
    pred: dict[str, int]
    count: int | None
    model: int | None
    id: int | None
    fold: int | None
    group: int | None
    weight: int | None
    unused: tuple[int, ...]


def columns_of(table: Table) -> Columns | None:
    """Columns by the words of the header; None if neither truth nor prediction is among them.

    Parameters
    ----------
    table : Table

    Raises
    ------
    InvalidFile
        Truth without prediction or the reverse, or two columns for one part.

    Examples
    --------
    >>> columns = columns_of(Table("board.csv", ["id", "y_true", "pred_A", "pred_B", "text"], 1, iter([])))
    >>> columns.true, columns.pred, columns.unused
    (1, {'A': 2, 'B': 3}, (4,))
    """
    words = [word_of(cell) for cell in table.header]
    roles = [role(cell) for cell in table.header]
    true = [i for i, it in enumerate(roles) if it == "true"]
    pred = [i for i, it in enumerate(roles) if it == "pred" and words[i] not in _CLASSIFIER]
    wide: dict[str, int] = {}
    for i, cell in enumerate(table.header):
        name = _classifier_of(cell) if roles[i] is None else None
        if name is not None and name in wide:
            names = quoted([table.header[wide[name]], cell])
            raise InvalidFile(
                table.source, f"two columns for one classifier: {names}. Rename or remove one.", table.line
            )
        if name is not None:
            wide[name] = i
    models = [i for i, word in enumerate(words) if word in _CLASSIFIER]
    if not pred and not wide:
        # "model" is a word for the prediction, too, and means it where no other column does
        pred = [i for i in models if roles[i] == "pred"]
        models = [i for i in models if i not in pred]
    if not true and not pred and not wide:
        return None

    def one(found: list[int], what: str) -> int | None:
        if len(found) > 1:
            names = quoted(table.header[i] for i in found)
            raise InvalidFile(table.source, f"two columns for {what}: {names}. Rename or remove one.", table.line)
        return found[0] if found else None

    def named(among: frozenset[str], what: str) -> int | None:
        return one([i for i, word in enumerate(words) if word in among], what)

    truth = one(true, "the true class")
    prediction = one(pred, "the predicted class")
    if truth is None or (prediction is None and not wide):
        there, absent = ("a predicted", "true") if truth is None else ("a true", "predicted")
        example = "y_true" if truth is None else "y_pred"
        problem = f"there is {there} class (column {quoted([table.header[(true + pred + [*wide.values()])[0]]])})"
        raise InvalidFile(table.source, f"{problem} but no {absent} one; name its column {example}", table.line)
    if prediction is not None and wide:
        names = quoted(table.header[i] for i in (prediction, *wide.values()))
        problem = f"two kinds of columns for the predicted class: {names}"
        raise InvalidFile(table.source, f"{problem}. Keep y_pred alone, or one pred_NAME a classifier.", table.line)
    parts = {
        "count": named(COUNT, "the counts"),
        "model": one(models, "the classifier"),
        "id": named(_ID, "the id of a case"),
        "fold": named(_FOLD, "the fold"),
        "group": named(_GROUP, "the group"),
        "weight": named(_WEIGHT, "the weight"),
    }
    if wide and parts["model"] is not None:
        problem = f"both a column of classifiers ({quoted([table.header[parts['model']]])}) and one column each"
        raise InvalidFile(table.source, f"{problem} ({quoted(wide)}). Keep one of the two forms.", table.line)
    predictions = {"": prediction} if prediction is not None else wide
    used = {truth, *predictions.values(), *(i for i in parts.values() if i is not None)}
    unused = tuple(i for i in range(len(table.header)) if i not in used)
    return Columns(truth, predictions, **parts, unused=unused)


def is_score(cell: str) -> bool:
    """Whether a column is a score or a probability by its name.

    Examples
    --------
    >>> is_score("p_ill"), is_score("pred_proba"), is_score("share")
    (True, True, False)
    """
    word = word_of(cell)
    return any(_SCORE.fullmatch(word.removeprefix(beginning)) is not None for beginning in ("", *_PREDICTION_OF))


def _classifier_of(cell: str) -> str | None:
    """Name behind ``pred_``, with its own spelling; None for scores such as ``pred_proba``."""
    for beginning in _PREDICTION_OF:
        if cell.lower().startswith(beginning) and len(cell) > len(beginning):
            name = cell[len(beginning) :]
            return None if is_score(name) else name
    return None
