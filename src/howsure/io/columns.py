"""What each column of a list of cases or counts is: by what the caller names, else by the words of the header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from howsure.data.words import (
    ELSE_TRUE,
    OUTCOME,
    PARTS,
    VERDICT,
    bare_name,
    classifier_of,
    is_score,
    may_answer,
    role,
    word_of,
)
from howsure.errors import InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.names_in_files import quoted
from howsure.io.reading import Request
from howsure.io.table import MARKED, TextTable

__all__ = ["Columns", "columns_of", "half"]

#: Of a column that may hold classifiers or the names of cases.
ROWS_LOOKED_AT = 1_000


@dataclass(frozen=True)
class Columns:
    """Positions in a row.

    Parameters
    ----------
    true : int
    pred : dict
        {"": position} of the one predicted column, or {classifier: position} of the wide form.
    count, model, id, fold, repeat, group, weight : int or None
    unused : tuple of int
        The columns that are not read.
    supposed : bool
        The classifiers are all columns that are nothing else; what they hold has to show that they are.
    judge : int or None
        What a judge says is true, beside a prediction, where cases without a truth are estimated.
    verdict : int or None
        A column that would be the prediction if none of the supposed ones is.
    """

    true: int
    pred: dict[str, int]
    count: int | None
    model: int | None
    id: int | None
    fold: int | None
    repeat: int | None
    group: int | None
    weight: int | None
    unused: tuple[int, ...]
    supposed: bool = False
    judge: int | None = None
    verdict: int | None = None


def columns_of(table: TextTable, request: Request | None = None) -> Columns | None:
    """Columns by their names; None if neither truth nor prediction is among them.

    Parameters
    ----------
    table : TextTable
    request : Request, optional
        Its ``true``, ``pred``, ``id`` and units are columns by name, whatever the words of the header.

    Raises
    ------
    InvalidFile
        Truth without prediction or the reverse, or two columns for one part.
    InvalidArgument
        A column that is named and not there.

    Examples
    --------
    >>> columns = columns_of(TextTable("board.csv", ["id", "y_true", "pred_A", "pred_B", "text"], 1, iter([])))
    >>> columns.true, columns.pred, columns.unused
    (1, {'A': 2, 'B': 3}, (4,))
    >>> columns = columns_of(TextTable("board.csv", ["id", "answer", "forest", "bayes"], 1, iter([])))
    >>> columns.true, columns.pred, columns.supposed
    (1, {'forest': 2, 'bayes': 3}, True)
    """
    request = request or Request()
    chosen = _chosen(table, request)
    words = [word_of(cell) for cell in table.header]
    # a column that the caller names has that part and no other
    free = [i for i in range(len(words)) if i not in chosen.values()]
    roles = {i: role(table.header[i]) for i in free}
    models = [i for i in free if words[i] in PARTS["model"]]
    verdicts = [i for i in free if words[i] in VERDICT]
    estimated = request.missing == "estimate"
    pred = [chosen[f"pred {name}"] for name in request.pred]
    wide: dict[str, int] = {}
    if request.pred:
        if len(request.pred) > 1:
            wide, pred = {bare_name(name): chosen[f"pred {name}"] for name in request.pred}, []
        models = [] if wide else models
    else:
        wide = _wide(table, [i for i in free if roles[i] is None or table.header[i] in request.models], request.models)
        pred = [i for i in free if roles[i] == "pred" and i not in models and i not in wide.values()]
        if not pred and not wide and (estimated or models):
            pred = verdicts
        if not pred and not wide:
            # "model" is a word for the prediction, too, and means it where no other column does
            pred = [i for i in models if roles[i] == "pred"]
            models = [i for i in models if i not in pred]
    true = [chosen["true"]] if "true" in chosen else _true(words, roles, free)
    parts = {what: _part(table, what, words, free, chosen, models) for what in PARTS}
    supposed = False
    if "true" in chosen and request.pred and request.model is None and _names_cases(table, parts["model"], parts):
        parts["model"] = None
    if true and not pred and not wide:
        taken = {*true, *(at for at in parts.values() if at is not None)}
        wide = {table.header[i]: i for i in free if i not in taken and may_answer(table.header[i])}
        supposed = bool(wide)
        pred = [] if supposed else verdicts
    if not true and not pred and (not wide or supposed):
        return None
    truth, prediction = _one(table, true, "the true class"), _one(table, pred, "the predicted class")
    if truth is None or (prediction is None and not wide):
        raise half(table, truth, true + pred + [*wide.values()])
    if prediction is not None and wide:
        names = quoted(table.header[i] for i in (prediction, *wide.values()))
        problem = f"two kinds of columns for the predicted class: {names}"
        raise table.fault(f"{problem}. Keep y_pred alone, or one pred_NAME a classifier.")
    if wide and parts["model"] is not None and not supposed:
        problem = f"both a column of classifiers ({quoted([table.header[parts['model']]])}) and one column each"
        raise table.fault(f"{problem} ({quoted(wide)}). Keep one of the two forms.")
    predictions = {"": prediction} if prediction is not None else wide
    beside = [i for i in verdicts if i not in predictions.values()]
    judge = _one(table, beside, "the judge's verdict") if estimated else None
    used = {truth, *predictions.values(), judge, *parts.values()}
    unused = tuple(i for i in range(len(table.header)) if i not in used)
    verdict = beside[0] if supposed and len(beside) == 1 else None
    return Columns(truth, predictions, **parts, unused=unused, supposed=supposed, judge=judge, verdict=verdict)


def _chosen(table: TextTable, request: Request) -> dict[str, int]:
    """Places of the columns that the caller names."""
    group = None if request.group is True else request.group
    units = {"group": group, "fold": request.folds, "repeat": request.repeat}
    named = {"true": request.true, "id": request.id, **units} | {f"pred {name}": name for name in request.pred}
    places: dict[str, int] = {}
    absent = []
    for part, name in named.items():
        if name is None:
            continue
        at = [i for i, cell in enumerate(table.header) if name in (cell, classifier_of(cell))]
        at = [i for i in at if table.header[i] == name] or at
        if len(at) > 1:
            raise table.fault(f"two columns are called {excerpt(name)}; rename one")
        if not at:
            absent.append(name)
        elif at[0] in places.values():
            raise InvalidArgument(f"the column {excerpt(name)} is named twice; each has one part to play")
        else:
            places[part] = at[0]
    if absent:
        there = listing(map(excerpt, table.header), 20)
        raise InvalidArgument(f"no column {listing(map(excerpt, absent))} in {table.source}; there are {there}")
    return places


def _names_cases(table: TextTable, at: int | None, parts: Mapping[str, int | None]) -> bool:
    """Whether a column called "name" or so has nearly as many values as rows: those of patients, and no classifiers."""
    if at is None or parts["count"] is not None:
        return False
    rows = list(islice(table.rows, ROWS_LOOKED_AT))
    table.rows = chain(rows, table.rows)
    names = [row[at].strip() for _, row in rows if len(row) > at]
    return len(names) > 2 and 2 * len(set(names)) > len(names)


def _wide(table: TextTable, free: Sequence[int], models: Sequence[str]) -> dict[str, int]:
    """Columns of classifiers by their names: ``pred_NAME``, or those that the caller calls classifiers."""
    wide: dict[str, int] = {}
    for i in free:
        cell = table.header[i]
        name = classifier_of(cell) or (cell if cell in models and role(cell) != "true" else None)
        if name is not None and name in wide:
            names = quoted([table.header[wide[name]], cell])
            problem = f"two columns for one classifier: {names}. Rename or remove one."
            raise table.fault(problem)
        if name is not None:
            wide[name] = i
    return wide


def _true(words: Sequence[str], roles: Mapping[int, str | None], free: Sequence[int]) -> list[int]:
    """Columns of the truth; "answer" and "label" are among them only where there is no better word."""
    found = [i for i in free if roles[i] == "true"]
    better = [i for i in found if words[i] not in ELSE_TRUE]
    beside_verdict = any(words[i] == "verdict" for i in free)
    if better:
        return better if beside_verdict else found
    return found or [i for i in free if words[i] in ELSE_TRUE]


def _part(
    table: TextTable,
    what: str,
    words: Sequence[str],
    free: Sequence[int],
    chosen: dict[str, int],
    models: Sequence[int],
) -> int | None:
    if what in chosen:
        return chosen[what]
    found = [i for i in (models if what == "model" else free) if words[i] in PARTS[what]]
    # "id" before "item", "count" before "total": the plainest word of several
    plainest = [i for i in found if words[i] == what]
    return _one(table, plainest or found, _MEANING[what])


_MEANING = {
    "count": "the counts",
    "model": "the classifier",
    "id": "the id of a case",
    "fold": "the fold",
    "repeat": "the repeat",
    "group": "the group",
    "weight": "the weight",
}


def _one(table: TextTable, found: Sequence[int], what: str) -> int | None:
    if len(found) > 1:
        names = quoted(table.header[i] for i in found)
        raise table.fault(f"two columns for {what}: {names}. Rename or remove one.")
    return found[0] if found else None


def half(table: TextTable, truth: int | None, found: Sequence[int]) -> InvalidFile:
    """Truth without answers, or answers without a truth."""
    there, absent = ("a predicted", "true") if truth is None else ("a true", "predicted")
    example = "y_true" if truth is None else "y_pred"
    problem = f"there is {there} class (column {quoted([table.header[found[0]]])}) but no {absent} one"
    several = "" if truth is None else " (of several classifiers: pred_NAME each)"
    which = f"; or say which column it is: {example}='COLUMN'"
    scored = [title for title in table.header if is_score(title)] if truth is not None else []
    hint = ""
    if scored:
        hint = (
            f". {quoted(scored)} may be scores: howsure curve and howsure threshold read them, and compare, rank and "
            "gate by --metric roc_auc"
        )
    if truth is None and any(word_of(title) in OUTCOME for title in table.header):
        hint = f". {MARKED}"
    elif truth is None and all(word_of(table.header[i]) in PARTS["model"] for i in found):
        hint = (
            ". If it is a leaderboard: its columns are name,correct,n or name,score,n, and the score is an accuracy; "
            "an F1 or AUC and n do not say how sure it is, the confusion matrix does"
        )
    return table.fault(f"{problem}; name its column {example}{several}{which}{hint}")
