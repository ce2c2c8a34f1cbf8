"""Cases some of which have no truth: of a list, of a matrix with a row of them, of a JSON document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.count_checks import LARGEST_COUNT
from howsure.data.judged_cases import JudgedTable, judged_cases, told_apart
from howsure.data.labels import ESTIMATE
from howsure.data.refusals import of_file, refusal, say
from howsure.data.words import UNLABELLED, is_total, word_of
from howsure.errors import HowsureError, InvalidFile, excerpt
from howsure.io.assembly import MOST_CLASSES, called, refuse_odd, sides_of
from howsure.io.case_rows import NEEDLESS_ROWS, CodedRows, check_names
from howsure.io.reading import Reading, Request
from howsure.io.table import TextTable
from howsure.numerics.arrays import Booleans
from howsure.text.formats import integer, plain, several

#: How the sentence about a missing truth ends, in a file.
ESTIMATE_OPTION = ESTIMATE.removeprefix(", or, if").replace("missing='estimate'", "--missing estimate.")
ESTIMATE_OPTION = f" Or, if{ESTIMATE_OPTION}"


def judged_confusion(
    rows: CodedRows, places: Sequence[int], some: Booleans, request: Request, *, repeats: bool
) -> tuple[ConfusionMatrix | None, list[str]]:
    """Matrix of cases of which some have no truth, with notes; None where all have one, and every verdict is a class.

    Parameters
    ----------
    rows : CodedRows
    places : sequence of int
        Columns of the truth, of what was predicted, and of a judge where there is one.
    some : ndarray of bool, shape (rows,)
    request : Request
    repeats : bool
        Whether a case has several rows.
    """
    table = rows.table
    if repeats:
        raise table.fault(say("not_both", "several folds", "--missing estimate"))
    kept = np.flatnonzero(some & (rows.times > 0))
    if not len(kept):
        raise refusal(table.source, "all_zero")
    sides = [rows.classes(at, request.labels) for at in places]
    for side, what in zip(sides[1:], ("verdict" if len(sides) < 3 else "prediction", "verdict"), strict=False):
        if len(gaps := kept[side.codes[kept] < 0]):
            raise rows.fault(say("no_verdict", what), int(gaps[0]))
    true, *answers = (side.part(kept) for side in sides)
    if not true.texts:
        raise refusal(table.source, "no_label")
    lines = rows.first_lines(sides, some)
    check_names(table, true.texts, rows.first_lines(sides[:1], some), request)
    others = [name for name in lines if name not in (request.labels or ())]
    check_names(table, others, lines, replace(request, labels=None))
    times = rows.times[kept]
    if times.sum() > LARGEST_COUNT:
        raise refusal(table.source, "overflow", "the table")
    if len(lines) > MOST_CLASSES:
        raise refusal(table.source, "too_many_classes", len(lines), "labels and verdicts", MOST_CLASSES)
    with of_file(table.source):
        judge = answers[1] if len(answers) > 1 else None
        found = judged_cases(true, answers[0], judge, request.labels, request.order, times=times)
        if found is None:
            return None, []
        confusion, notes = _made(found, request)
    return confusion, [*notes, *([NEEDLESS_ROWS] if request.rows is not None else [])]


def _made(table: JudgedTable, request: Request, positive: str | None = None) -> tuple[ConfusionMatrix, list[str]]:
    confusion = ConfusionMatrix(
        table.counts,
        table.labels,
        positive=request.positive or positive,
        verdicts=table.verdicts,
        unlabelled=table.unlabelled.tolist(),
        order=request.order,
    )
    verdicts = confusion.verdicts
    return confusion, told_apart(confusion.labels, verdicts) if verdicts and request.labels is None else []


# -- a matrix with a row of cases without a truth ----------------------------------------------------------------


def unlabelled_rows(rows: Sequence[str], columns: Sequence[str]) -> tuple[str | None, str | None]:
    """Row, and column, of the cases without a truth by its name; None where there is none, or it is a class.

    Examples
    --------
    >>> unlabelled_rows(["fail", "pass", "Unlabelled"], ["fail", "pass"]), unlabelled_rows(["a", "b"], ["a", "b"])
    (('Unlabelled', None), (None, None))
    """
    row = next((name for name in rows if word_of(name) in UNLABELLED and name not in columns), None)
    column = next((name for name in columns if word_of(name) in UNLABELLED and name not in rows), None)
    return row, None if row is not None else column


def judged_square(
    table: TextTable, rows: Sequence[str], columns: Sequence[str], counts: NDArray[np.int64], request: Request
) -> tuple[ConfusionMatrix, list[str]] | None:
    """Matrix with a row of cases without a truth, or with verdicts that are no true class; rows are truth.

    Parameters
    ----------
    table : TextTable
    rows, columns : sequence of str
    counts : ndarray, shape (rows, columns)
    request : Request
    """
    name, _ = unlabelled_rows(rows, columns)
    rows, columns, counts, notes = _without_totals(table, rows, columns, counts)
    if name is None and (request.missing != "estimate" or not set(rows) < set(columns)):
        return None
    keep = [i for i, row in enumerate(rows) if row != name]
    rest = np.zeros(len(columns), dtype=np.int64) if name is None else counts[rows.index(name)]
    truths, counts = [rows[i] for i in keep], counts[keep]
    _settled_policy(table.source, f"the row {excerpt(name)}", int(rest.sum()), int(counts.sum() + rest.sum()), request)
    sides = sides_of(truths, columns, "true")
    positive = None
    if sides is not None and sides.rows != "pred":
        order = [*sides.column_order]
        counts, rest = counts[np.ix_(sides.row_order, sides.column_order)], rest[order]
        truths, columns, positive = [*sides.classes], [*sides.classes], sides.positive
        notes.append(called(sides.classes, sides.positive))
    if request.missing == "exclude":
        n = several(int(counts.sum() + rest.sum()), "case")
        notes.append(f"Set aside: {integer(int(rest.sum()))} of {n}, which have no true class.")
        rest = 0 * rest
        if set(truths) != set(columns):
            advice = "they have to be where cases without a truth are set aside"
            raise refusal(table.source, "unlike_sides", truths, columns, advice)
    if request.labels is not None:
        odd = [truth for truth in truths if truth not in request.labels]
        if odd:
            raise refusal(table.source, "outside", odd, request.labels)
        whole = np.zeros((len(request.labels), len(columns)), dtype=np.int64)
        whole[[request.labels.index(truth) for truth in truths]] = counts
        truths, counts = list(request.labels), whole
    if not counts.any():
        raise refusal(table.source, "no_label")
    with of_file(table.source):
        confusion, said = _made(JudgedTable(counts, tuple(truths), columns, rest), request, positive)
    return confusion, [*notes, *said]


def _without_totals(
    table: TextTable, rows: Sequence[str], columns: Sequence[str], counts: NDArray[np.int64]
) -> tuple[list[str], list[str], NDArray[np.int64], list[str]]:
    """Leave out a last row and a last column that are called totals and add up."""
    rows, columns, notes = list(rows), list(columns), []
    for axis, names in ((0, rows), (1, columns)):
        others = columns if axis == 0 else rows
        if len(names) < 3 or not is_total(names[-1], surely=names[-1] in others):
            continue
        turned = counts if axis == 0 else counts.T
        what = "row" if axis == 0 else "column"
        refuse_odd(table.source, what, names[-1], others, turned)
        notes.append(f"The last {what} ({excerpt(names[-1])}) is the total and was left out.")
        names.pop()
        counts = turned[:-1] if axis == 0 else turned[:-1].T
    return rows, columns, counts, notes


def _settled_policy(source: str, where: str, rest: int, n: int, request: Request) -> None:
    """Refuse cases without a truth, unless it is said what becomes of them."""
    if request.missing == "error" and rest:
        problem = f"{integer(rest)} of {several(n, 'case')} have no true class ({where})"
        raise refusal(source, "set_aside", problem, ESTIMATE_OPTION)


# -- a JSON document ---------------------------------------------------------------------------------------------


def is_judged(value: Mapping[str, Any]) -> bool:
    """Whether a document holds the columns or the cases of verdicts, as `ConfusionMatrix.to_dict` writes them."""
    return isinstance(value.get("verdicts"), list) or isinstance(value.get("unlabelled"), list | dict)


def from_plain(source: str, value: Mapping[str, Any], request: Request) -> ConfusionMatrix:
    """The matrix of plain data, as `ConfusionMatrix.to_dict` writes them."""
    try:
        return ConfusionMatrix.from_dict({**value, "positive": request.positive or value.get("positive")})
    except (HowsureError, TypeError, AttributeError) as error:
        raise InvalidFile(source, plain(str(error), 1000)) from None


def judged_document(
    source: str, value: Mapping[str, Any], request: Request, layout: str, notes: Sequence[str]
) -> Reading:
    """Matrix with verdicts, from a JSON document as `ConfusionMatrix.to_dict` writes it."""
    found = from_plain(source, value, request)
    judged = found.verdicts
    if judged is None:
        return Reading(found, source, layout, tuple(notes))
    rest = int(judged.unlabelled.sum())
    _settled_policy(source, "unlabelled", rest, judged.n, request)
    if request.missing == "exclude":
        notes = [*notes, f"Set aside: {integer(rest)} of {several(judged.n, 'case')}, which have no true class."]
        labelled, names = judged.labelled, found.labels
        if judged.audit or len(names) > judged.truths:
            raise refusal(source, "unlike_sides", judged.names, found.labels, "Or leave --missing out")
        place = [judged.names.index(name) for name in names]
        return Reading(
            ConfusionMatrix(labelled[:, place], names, positive=found.positive), source, layout, tuple(notes)
        )
    if request.labels is not None and set(request.labels) != set(found.labels[: judged.truths]):
        truths = found.labels[: judged.truths]
        raise refusal(source, "outside", truths, request.labels)
    if request.order is not None:
        data = found.to_dict() | {"order": list(request.order)}
        with of_file(source):
            found = ConfusionMatrix.from_dict(data)
    return Reading(found, source, layout, tuple(notes))
