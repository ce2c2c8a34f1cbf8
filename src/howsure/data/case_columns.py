"""Columns of cases, checked: names, ids, clusters, places; answers that are missing; long tables made wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any, Literal, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from howsure.data.labels import Column, distinct_answers, group_text, unmasked
from howsure.data.refusals import say
from howsure.data.words import ELSE_TRUE, PARTS, classifier_of, may_answer, role, word_of
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.errors.arguments import items
from howsure.numerics.arrays import Integers, bincount
from howsure.text.formats import integer, several

Codes = NDArray[np.int32]


def names_of(y_pred: Any) -> tuple[str, ...]:
    """Names of the classifiers, each a text."""
    if not isinstance(y_pred, Mapping) or not y_pred:
        raise InvalidArgument(say("answers_by_name", type(y_pred).__name__ if y_pred is not None else "None"))
    odd = [name for name in y_pred if not isinstance(name, str) or not name.strip()]
    if odd:
        raise InvalidArgument(f"the name of a classifier is text, not {excerpt(odd[0])}")
    return tuple(y_pred)


def wide_columns(frame: Any, y_true: str | None, used: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Column of the truth, and columns of the classifiers under their names, by the rule of files."""
    columns = [name for name in (frame.columns if hasattr(frame, "columns") else frame) if name not in used]
    words = {name: word_of(str(name)) for name in columns}
    if y_true is None:
        true = [name for name in columns if role(str(name)) == "true" and words[name] not in ELSE_TRUE]
        true = true or [name for name in columns if words[name] in ELSE_TRUE]
        if len(true) != 1:
            shown = f"{listing(map(excerpt, true))} may be it" if true else f"there are {listing(map(str, columns))}"
            raise InvalidArgument(f"name the column of the true class with y_true=; {shown}")
        (y_true,) = true
    rest = [name for name in columns if name != y_true]
    for part, advice in (("count", "howsure.count(frame) adds counts up"), ("weight", "howsure.count(frame, weight=)")):
        odd = next((name for name in rest if words[name] in PARTS[part]), None)
        if odd is not None and any(str(value).strip() not in ("1", "1.0") for value in frame[odd]):
            problem = f"the column {excerpt(odd)} says that a row is not one case"
            raise InvalidArgument(f"{problem}; {advice}, or name both y_true= and y_pred=")
    named = {name: classifier_of(str(name)) for name in rest}
    if any(named.values()):
        return y_true, {classifier: name for name, classifier in named.items() if classifier}
    truth = set(distinct_answers(frame[y_true], "y_true")[0])
    answers = {str(name): name for name in rest if may_answer(str(name)) and _answers(frame[name], truth)}
    _refuse_other_booleans(frame, y_true, [n for n in rest if str(n) not in answers and may_answer(str(n))], truth)
    if not answers:
        raise InvalidArgument(say("no_answers_of_truth", y_true, map(str, rest)))
    return y_true, answers


#: One thing in two spellings.
_ZERO_ONE, _BOOLEANS = ["0", "1"], ["false", "true"]


def _refuse_other_booleans(frame: Any, y_true: str, left: Sequence[str], truth: set[str]) -> None:
    """Refuse to leave out True and False beside a truth of 0 and 1, or the reverse: nobody would miss one of many."""
    here = sorted(truth)
    if here not in (_ZERO_ONE, _BOOLEANS):
        return
    there = _BOOLEANS if here == _ZERO_ONE else _ZERO_ONE
    for name in left:
        try:
            same = sorted(distinct_answers(frame[name], "y_pred")[0]) == there
        except InvalidLabels:
            continue
        if same:
            raise InvalidArgument(say("other_booleans", y_true, here, name, there))


def _answers(values: Any, truth: set[str]) -> bool:
    """Whether most of what a column holds are classes of the truth; scores and free text are not."""
    try:
        texts, codes = distinct_answers(values, "y_pred")
    except InvalidLabels:
        return False
    right = np.array([text in truth for text in texts], dtype=bool)
    there = codes[codes >= 0]
    return bool(len(there)) and 2 * int(right[there].sum()) >= len(there)


def places(values: Any, what: str, size: int) -> Codes:
    """Places among ``size`` labels, -1 where missing."""
    try:
        array = np.asarray(values if hasattr(values, "__array__") else items(values, what, "a list of integers"))
    except InvalidArgument:
        raise
    except ValueError:  # lists of different lengths
        array = np.empty((0, 0))
    if array.ndim != 1 or (array.size and (array.dtype.kind not in "iu" or array.min() < -1 or array.max() >= size)):
        raise InvalidLabels(say("not_places", what, size, size - 1, values))
    return array.astype(np.int32, copy=False)


def column(values: Any, what: str, cases: int) -> NDArray[Any] | None:
    """One value for each case; None if none were given."""
    if values is None:
        return None
    try:
        given = unmasked(values) if hasattr(values, "__array__") else items(values, what, "one value for each case")
        array = np.array(given)
        if array.dtype.kind == "U" and any(type(v) is float and v != v for v in given):
            array = np.array(given, dtype=object)  # a missing name is not the name 'nan'
    except InvalidArgument:
        raise
    except ValueError:  # lists of different lengths
        array = np.empty((0, 0))
    if array.shape != (cases,):
        raise InvalidLabels(f"{what} has shape {array.shape}, and {cases} cases need shape ({cases},)")
    return array


def refuse_doubles(ids: NDArray[Any]) -> None:
    """Refuse an id that comes twice."""
    refuse_again(distinct_answers(ids, "id", str), say("repeated_answer"))


def one_of_each(case: Column, told: Column, what: str, why: str = "") -> NDArray[np.int64]:
    """What the rows of each case tell, as a place among the texts; -1 where no row tells."""
    found = np.full(len(case.texts), -1, dtype=np.int64)
    some = told.codes >= 0
    found[case.codes[some]] = told.codes[some]
    odd = np.flatnonzero(some & (found[case.codes] != told.codes))
    if len(odd):
        row = int(odd[0])
        name, both = case.texts[case.codes[row]], [told.texts[at] for at in (told.codes[row], found[case.codes[row]])]
        shown = say("two_of_an_id", name, what, *map(excerpt, both), why)
        raise InvalidLabels(shown if why else say("two_values", name, what, *both, ""))
    return found


def refuse_again(ids: Column, advice: str, within: Column | None = None) -> None:
    """Refuse an id that comes in two rows, or in two of one fold."""
    codes = ids.codes if within is None else ids.codes * len(within.texts) + within.codes
    found, first, times = np.unique(codes, return_index=True, return_counts=True)
    if len(found) == len(codes):
        return
    rows = np.flatnonzero(codes == found[times > 1][np.argmin(first[times > 1])])
    name = [*ids.texts, "None"][ids.codes[rows[0]]]
    where = "" if within is None else f" in fold {excerpt(within.texts[within.codes[rows[0]]])}"
    more = " ..." if len(rows) > 2 else ""
    raise InvalidLabels(
        say("id_again", name, several(len(rows), "time"), where, rows[0] + 1, rows[1] + 1, more, advice)
    )


def place_in_item(item: Integers, size: int) -> Integers:
    """Return how many rows of the same item stand before each row."""
    order = np.argsort(item, kind="stable")
    first = np.concatenate(([0], np.cumsum(bincount(item, minlength=size))))[:-1]
    place = np.empty(len(item), dtype=np.int64)
    place[order] = np.arange(len(item)) - first[item[order]]
    return place


# -- What becomes of cases without an answer: never dropped in silence -------------------------------------------------

Missing = Literal["error", "wrong", "class", "exclude"]


class Labelling(TypedDict, total=False):
    """Keywords of `howsure.Predictions`: its classes, and what becomes of cases without an answer."""

    labels: Sequence[object] | None
    positive: object | None
    missing: Missing
    notes: Sequence[str]


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
    """Fill, count or leave out what is missing (-1)."""
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
        note = say("aside_for_all", cases - int(kept.sum()), several(cases, "case"))
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
        row[gap] = wrong_in_turn(truth[gap], len(labels))
    return Settled(truth, filled, labels, (f"The answer is {' and '.join(said)}: counted as wrong.",))


def wrong_in_turn(true: NDArray[Any], size: int) -> NDArray[np.int64]:
    """A wrong class of each case: of true class t, t + 1, t + 2, ... in turn, as even as whole cases can be.

    Examples
    --------
    >>> wrong_in_turn(np.array([0, 0, 2, 0]), 3).tolist()
    [1, 2, 0, 1]
    """
    return np.asarray((true + 1 + place_in_item(true, size) % max(size - 1, 1)) % size)


def _missing(gap: NDArray[np.bool_], ids: NDArray[Any] | None) -> str:
    first = int(np.argmax(gap))
    name = f"case {first + 1}" if ids is None else f"id {excerpt(str(ids[first]))}"
    return f"missing in {integer(int(gap.sum()))} of {several(len(gap), 'case')} (first: {name})"


# -- From one row a case and classifier to one column a classifier: the join on the id of the case ---------------------


def joined(case: Any, model: Any, y_true: Any, y_pred: Any, group: Any = None) -> tuple[dict[str, Any], str]:
    """The rows of all classifiers at the cases that all have answered, as `Predictions` takes them.

    Labels are text, None where missing; and a sentence about the cases that are not shared, or "".
    """
    true, pred = distinct_answers(y_true, "y_true"), distinct_answers(y_pred, "y_pred")
    clusters = None if group is None else distinct_answers(group, "group")
    also = {} if clusters is None else {"group": clusters.codes}
    cases, rows = long_rows(case, model, {"y_true": true.codes, "y_pred": pred.codes, **also})
    ids = cases.texts
    truth = one_of_each(cases, true, "true class", "must be the same case")
    shared = np.flatnonzero(np.all([of >= 0 for of in rows.values()], axis=0))
    if not len(shared):
        firsts = [ids[int(np.argmax(of >= 0))] for of in rows.values()]
        raise InvalidLabels(say("no_id_of_all", list(rows), firsts))
    truths, labels = (np.array([*column.texts, None], dtype=object) for column in (true, pred))
    if clusters is not None:
        of_case = one_of_each(cases, clusters, "group", "belongs to one group")
        named = np.array([*clusters.texts, None], dtype=object)[of_case][shared]
    wide = {
        "y_true": truths[truth[shared]],
        "y_pred": {name: labels[pred.codes[of[shared]]] for name, of in rows.items()},
        "id": np.array(ids)[shared],
        "group": None if clusters is None else named,
    }
    if len(shared) == len(ids):
        return wide, ""
    first = next(name for place, name in enumerate(ids) if place == len(shared) or shared[place] != place)
    return wide, say("cases_unshared", len(shared), len(ids), len(ids) - len(shared), first)


class LongRows(NamedTuple):
    """The id of each row, and the row of each id by classifier; -1 where there is none."""

    case: Column
    rows: dict[str, NDArray[np.int64]]


def long_rows(case: Any, model: Any, columns: Mapping[str, Sized]) -> LongRows:
    """One row a case and classifier, and columns of it by what they are called, by case."""
    ids, names = _keys(case, "id"), _keys(model, "model")
    (models, model_of), case_of = names, ids.codes
    sized: dict[str, Sized] = {"id": case_of, "model": model_of, **columns}
    if len({*map(len, sized.values())}) > 1:
        raise InvalidLabels(say("unlike_lengths", [f"{name} has {len(column)}" for name, column in sized.items()]))
    if not len(case_of):
        raise InvalidLabels("there is no row; at least one case is needed")
    rows = np.full((len(models), len(ids.texts)), -1, dtype=np.int64)
    rows[model_of, case_of] = np.arange(len(case_of))
    doubled = np.flatnonzero(rows[model_of, case_of] != np.arange(len(case_of)))
    if len(doubled):
        row = int(doubled[0])
        raise InvalidLabels(say("answered_twice", ids.texts[case_of[row]], models[model_of[row]]))
    return LongRows(ids, dict(zip(models, rows, strict=True)))


def listed_rows(values: Any, what: str) -> list[Any]:
    """A column as a list."""
    return items(values.tolist() if hasattr(values, "tolist") else values, what, "a column, one value for each row")


def _keys(values: Any, what: str) -> Column:
    """Distinct names, and for each row which one it is; none may be missing."""
    found = distinct_answers(values, what, lambda it: (it.strip() or None) if isinstance(it, str) else group_text(it))
    gaps = np.flatnonzero(found.codes < 0)
    if len(gaps):
        raise InvalidLabels(f"the {what} is missing in row {gaps[0] + 1}; joining needs one in every row")
    return found
