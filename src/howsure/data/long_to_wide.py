"""From one row a case and classifier to one column a classifier: the join on the id of the case."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.labels import distinct_answers
from howsure.errors import InvalidLabels, excerpt
from howsure.errors.arguments import items
from howsure.text.formats import integer

__all__ = ["Joined", "joined"]


class Joined(NamedTuple):
    """Shared cases: labels as text (None where missing), and a sentence about those that are not shared."""

    id: NDArray[Any]
    truth: NDArray[Any]
    answers: dict[str, NDArray[Any]]
    group: NDArray[Any] | None
    notes: tuple[str, ...]


def joined(case: Any, model: Any, y_true: Any, y_pred: Any, group: Any = None) -> Joined:
    """Bring the rows of all classifiers to the cases that all have answered.

    Parameters
    ----------
    case, model, y_true, y_pred, group : array_like, shape (rows,)

    Raises
    ------
    InvalidLabels
        Different lengths, a missing id or name, an id twice for one classifier, two true classes for one id, no id
        that all classifiers have.
    """
    ids, case_of = _keys(case, "id")
    models, model_of = _keys(model, "model")
    true_texts, true = distinct_answers(y_true, "y_true")
    pred_texts, pred = distinct_answers(y_pred, "y_pred")
    lengths = {"id": len(case_of), "model": len(model_of), "y_true": len(true), "y_pred": len(pred)}
    if len(set(lengths.values())) > 1:
        raise InvalidLabels(f"the columns differ in length: {', '.join(f'{k} {v}' for k, v in lengths.items())}")
    if not len(case_of):
        raise InvalidLabels("there is no row; at least one case is needed")
    rows = _grid_of_rows(ids, case_of, models, model_of)
    truth = _one_of_each(ids, case_of, true, true_texts, "true class", "must be the same case")
    shared = np.flatnonzero((rows >= 0).all(axis=0))
    if not len(shared):
        raise InvalidLabels(
            f"no id is answered by all of {', '.join(map(excerpt, models))} (first ids: "
            f"{', '.join(excerpt(ids[int(case_of[model_of == m][0])]) for m in range(len(models)))}); "
            "pairing needs the same ids for the same cases"
        )
    labels = np.array([*pred_texts, None], dtype=object)
    clusters = None if group is None else _one_cluster(ids, case_of, group)[shared]
    return Joined(
        np.array(ids)[shared],
        np.array([*true_texts, None], dtype=object)[truth[shared]],
        {name: labels[pred[rows[m, shared]]] for m, name in enumerate(models)},
        clusters,
        _unmatched(ids, shared),
    )


def _keys(values: Any, what: str) -> tuple[list[str], NDArray[np.int64]]:
    """Distinct names in the order of their first row, and for each row which one it is; none may be missing."""
    listed = items(values.tolist() if hasattr(values, "tolist") else values, what, "a column, one value for each row")
    number: dict[str, int] = {}
    codes = np.empty(len(listed), dtype=np.int64)
    for row, value in enumerate(listed):
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if getattr(value, "ndim", 0):
            raise InvalidLabels(f"the {what} of row {row + 1} is one text or number, not {excerpt(value)}")
        # by its name first: pandas' NA is neither equal nor unequal to anything
        missing = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
        text = "" if missing else str(value).strip()
        if not text:
            raise InvalidLabels(f"the {what} is missing in row {row + 1}; joining needs one in every row")
        codes[row] = number.setdefault(text, len(number))
    return list(number), codes


def _one_cluster(ids: list[str], case_of: NDArray[np.int64], group: Any) -> NDArray[Any]:
    """Group of each case by its text, None where no row tells."""
    texts, codes = distinct_answers(group, "group")
    if len(codes) != len(case_of):
        raise InvalidLabels(f"the columns differ in length: id {len(case_of)}, group {len(codes)}")
    found = _one_of_each(ids, case_of, codes, texts, "group", "belongs to one group")
    return np.array([*texts, None], dtype=object)[found]


def _grid_of_rows(
    ids: list[str], case_of: NDArray[np.int64], models: list[str], model_of: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Row of each classifier and case, shape (T, cases); -1 where there is none."""
    rows = np.full((len(models), len(ids)), -1, dtype=np.int64)
    rows[model_of, case_of] = np.arange(len(case_of))
    doubled = np.flatnonzero(rows[model_of, case_of] != np.arange(len(case_of)))
    if len(doubled):
        row = int(doubled[0])
        raise InvalidLabels(
            f"the id {excerpt(ids[case_of[row]])} comes twice for classifier {excerpt(models[model_of[row]])}; "
            "each classifier answers a case once (average or choose repeated answers first)"
        )
    return rows


def _one_of_each(
    ids: list[str], case_of: NDArray[np.int64], told: NDArray[np.int64], texts: list[str], what: str, why: str
) -> NDArray[np.int64]:
    """What the rows of each case tell, as a place among the texts; -1 where no row tells."""
    found = np.full(len(ids), -1, dtype=np.int64)
    some = told >= 0
    found[case_of[some]] = told[some]
    odd = np.flatnonzero(some & (found[case_of] != told))
    if len(odd):
        row = int(odd[0])
        here, there = excerpt(texts[told[row]]), excerpt(texts[found[case_of[row]]])
        raise InvalidLabels(
            f"the id {excerpt(ids[case_of[row]])} has the {what} {here} in one row and {there} in another; "
            f"the same id {why}"
        )
    return found


def _unmatched(ids: list[str], shared: NDArray[np.int64]) -> tuple[str, ...]:
    if len(shared) == len(ids):
        return ()
    first = next(name for place, name in enumerate(ids) if place == len(shared) or shared[place] != place)
    return (
        f"Cases do not match: {integer(len(shared))} of {integer(len(ids))} ids are answered by all classifiers; "
        f"the other {integer(len(ids) - len(shared))} are left out (first: {first}).",
    )
