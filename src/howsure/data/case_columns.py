"""Columns of cases, checked: names of classifiers, ids, clusters, places among the labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.folds import refuse_again
from howsure.data.labels import distinct_answers, unmasked
from howsure.data.refusals import say
from howsure.data.words import ELSE_TRUE, PARTS, classifier_of, may_answer, role, word_of
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.errors.arguments import items

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
