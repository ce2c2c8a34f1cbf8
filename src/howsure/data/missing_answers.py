"""Cases without an answer, and long tables made wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.labels import distinct_answers
from howsure.data.refusals import say
from howsure.errors import InvalidLabels, excerpt
from howsure.errors.arguments import items
from howsure.text.formats import integer, several

__all__ = ["NO_ANSWER", "POLICIES", "Joined", "Missing", "joined", "listed_rows", "long_rows", "settled"]


# -- What becomes of cases without an answer: never dropped in silence -------------------------------------------------


Missing = Literal["error", "wrong", "class", "exclude"]
Codes = NDArray[np.int32]

#: What can be done with an answer that is missing.
POLICIES: dict[str, str] = {
    "error": "refuse",
    "wrong": "count as errors, spread evenly over the wrong classes",
    "class": "give them a class of their own",
    "exclude": "leave the case out, for all classifiers alike",
}

#: The class of their own.
NO_ANSWER = "no answer"


class Settled(NamedTuple):
    """Answers without gaps; ``kept`` marks the cases that stay, None if all do."""

    truth: Codes
    answers: Codes
    labels: tuple[str, ...]
    notes: tuple[str, ...] = ()
    kept: NDArray[np.bool_] | None = None


def settled(
    truth: Codes,
    answers: Codes,
    labels: tuple[str, ...],
    names: Sequence[str],
    policy: Missing,
    ids: NDArray[Any] | None,
) -> Settled:
    """Fill, count or leave out what is missing (-1).

    Parameters
    ----------
    truth, answers : ndarray, shapes (n,) and (T, n)
        Places among the labels.
    labels, names : sequence of str
        Classes and classifiers.
    policy : str
        One of `POLICIES`.
    ids : ndarray, shape (n,), optional
        For the message.

    Raises
    ------
    InvalidLabels
        No case at all, a gap that the policy does not cover, or no case left.
    """
    cases = len(truth)
    if not cases:
        raise InvalidLabels("y_true is empty; at least one case is needed")
    gaps = answers < 0
    untrue = truth < 0
    if not gaps.any() and not untrue.any():
        return Settled(truth, answers, labels)
    said = [f"{_missing(gaps[t], ids)} of classifier {excerpt(n)}" for t, n in enumerate(names) if gaps[t].any()]
    if untrue.any() and policy != "exclude":
        raise InvalidLabels(say("true_missing", _missing(untrue, ids)))
    if policy == "error":
        raise InvalidLabels(say("answer_missing", " and ".join(said)))
    if policy == "exclude":
        kept = ~(gaps.any(axis=0) | untrue)
        if not kept.any():
            raise InvalidLabels("every case has a missing answer, so none is left to count")
        out = cases - int(kept.sum())
        note = (
            f"Set aside: {integer(out)} of {several(cases, 'case')}, for all classifiers, because an answer is missing."
        )
        return Settled(truth[kept], answers[:, kept], labels, (note,), kept)
    filled = answers.copy()
    if policy == "class":
        if NO_ANSWER in labels:
            raise InvalidLabels(f"a class is called {NO_ANSWER!r} already; rename it, or say missing='wrong'")
        filled[gaps] = len(labels)
        return Settled(
            truth, filled, (*labels, NO_ANSWER), (f"The answer is {' and '.join(said)}: a class of its own.",)
        )
    for row, gap in zip(filled, gaps, strict=True):
        for true in range(len(labels)):
            where = np.flatnonzero(gap & (truth == true))
            # class true + 1, true + 2, ... in turn: as even as whole cases can be
            row[where] = (true + 1 + np.arange(len(where)) % (len(labels) - 1)) % len(labels)
    return Settled(truth, filled, labels, (f"The answer is {' and '.join(said)}: counted as wrong.",))


def _missing(gap: NDArray[np.bool_], ids: NDArray[Any] | None) -> str:
    first = int(np.argmax(gap))
    name = f"case {first + 1}" if ids is None else f"id {excerpt(str(ids[first]))}"
    return f"missing in {integer(int(gap.sum()))} of {several(len(gap), 'case')} (first: {name})"


# -- From one row a case and classifier to one column a classifier: the join on the id of the case ---------------------


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
    true_texts, true = distinct_answers(y_true, "y_true")
    pred_texts, pred = distinct_answers(y_pred, "y_pred")
    ids, case_of, rows = long_rows(case, model, {"y_true": true, "y_pred": pred})
    truth = _one_of_each(ids, case_of, true, true_texts, "true class", "must be the same case")
    shared = np.flatnonzero(np.all([of >= 0 for of in rows.values()], axis=0))
    if not len(shared):
        firsts = [ids[int(np.argmax(of >= 0))] for of in rows.values()]
        raise InvalidLabels(say("no_id_of_all", list(rows), firsts))
    labels = np.array([*pred_texts, None], dtype=object)
    clusters = None if group is None else _one_cluster(ids, case_of, group)[shared]
    return Joined(
        np.array(ids)[shared],
        np.array([*true_texts, None], dtype=object)[truth[shared]],
        {name: labels[pred[of[shared]]] for name, of in rows.items()},
        clusters,
        _unmatched(ids, shared),
    )


class LongRows(NamedTuple):
    """Ids, the place of each row's among them, and the row of each id by classifier; -1 where there is none."""

    ids: list[str]
    case: NDArray[np.int64]
    rows: dict[str, NDArray[np.int64]]


def long_rows(case: Any, model: Any, columns: Mapping[str, Sized]) -> LongRows:
    """One row a case and classifier, and columns of it by what they are called, by case.

    Raises
    ------
    InvalidLabels
        Different lengths, no row, a missing id or name, an id twice for one classifier.
    """
    (ids, case_of), (models, model_of) = _keys(case, "id"), _keys(model, "model")
    sized: dict[str, Sized] = {"id": case_of, "model": model_of, **columns}
    if len({*map(len, sized.values())}) > 1:
        raise InvalidLabels(say("unlike_lengths", [f"{name} has {len(column)}" for name, column in sized.items()]))
    if not len(case_of):
        raise InvalidLabels("there is no row; at least one case is needed")
    rows = np.full((len(models), len(ids)), -1, dtype=np.int64)
    rows[model_of, case_of] = np.arange(len(case_of))
    doubled = np.flatnonzero(rows[model_of, case_of] != np.arange(len(case_of)))
    if len(doubled):
        row = int(doubled[0])
        raise InvalidLabels(say("answered_twice", ids[case_of[row]], models[model_of[row]]))
    return LongRows(ids, case_of, dict(zip(models, rows, strict=True)))


def listed_rows(values: Any, what: str) -> list[Any]:
    """A column as a list."""
    return items(values.tolist() if hasattr(values, "tolist") else values, what, "a column, one value for each row")


def _keys(values: Any, what: str) -> tuple[list[str], NDArray[np.int64]]:
    """Distinct names in the order of their first row, and for each row which one it is; none may be missing."""
    number: dict[str, int] = {}
    codes = []
    for row, value in enumerate(listed_rows(values, what)):
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if getattr(value, "ndim", 0):
            raise InvalidLabels(f"the {what} of row {row + 1} is one text or number, not {excerpt(value)}")
        # by its name first: pandas' NA is neither equal nor unequal to anything
        missing = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
        text = "" if missing else str(value).strip()
        if not text:
            raise InvalidLabels(f"the {what} is missing in row {row + 1}; joining needs one in every row")
        codes.append(number.setdefault(text, len(number)))
    return list(number), np.array(codes, dtype=np.int64)


def _one_cluster(ids: list[str], case_of: NDArray[np.int64], group: Any) -> NDArray[Any]:
    """Group of each case by its text, None where no row tells."""
    texts, codes = distinct_answers(group, "group")
    if len(codes) != len(case_of):
        raise InvalidLabels(f"the columns differ in length: id {len(case_of)}, group {len(codes)}")
    found = _one_of_each(ids, case_of, codes, texts, "group", "belongs to one group")
    return np.array([*texts, None], dtype=object)[found]


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
        raise InvalidLabels(say("two_of_an_id", ids[case_of[row]], what, here, there, why))
    return found


def _unmatched(ids: list[str], shared: NDArray[np.int64]) -> tuple[str, ...]:
    if len(shared) == len(ids):
        return ()
    first = next(name for place, name in enumerate(ids) if place == len(shared) or shared[place] != place)
    return (
        f"Cases do not match: {integer(len(shared))} of {integer(len(ids))} ids are answered by all classifiers; "
        f"the other {integer(len(ids) - len(shared))} are left out (first: {first}).",
    )
