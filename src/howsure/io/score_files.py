"""Files of scores, a case a row, to `Scores`: the true class and a number, or the probability of each class."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from howsure.data.labels import Column, positive_by_name
from howsure.data.refusals import of_file, say
from howsure.data.scores import Scores
from howsure.data.words import ITEM, PARTS, is_missing, is_score, may_answer, names_a_case, role, word_of
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import column_name
from howsure.io.case_rows import CodedRows, coded_rows
from howsure.io.cells import looks_numeric
from howsure.io.contents import table_from
from howsure.io.formats.board import is_collection, rows_of_one
from howsure.io.roles import (
    ROWS_LOOKED_AT,
    are_fractions,
    called_for,
    count_column,
    refuse_unnamed_counts,
    repeated_units,
    truths,
)
from howsure.io.table import TextTable
from howsure.numerics.arrays import Floats, repeat
from howsure.text.columns_taken import UNUSED, note_columns
from howsure.text.formats import integer, several

#: Cases that a column of counts may stand for.
MOST_CASES = 20_000_000
#: Beginnings of the name of a probability that is that of one class.
_OF_ONE = ("p_", "prob_", "proba_", "probability_", "p(", "p (", "prob(", "probability(", "confidence(", ".pred_")

#: Ends of the name of one that names the class before.
_ENDS = ("score", "prob", "proba", "probability", "confidence", "conf")

_EXPECTED = "A row a case has the columns y_true,score (and count), or of each class: y_true,p_cat,p_dog,p_owl"


def read_scores(
    data: Any,
    *,
    y_true: str | None = None,
    score: str | Sequence[str] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    group: str | Literal[False] | None = None,
) -> Scores:
    r"""Read the true class and the score of each case.

    Parameters
    ----------
    data : str, path-like, stream, or data frame
        CSV, TSV, JSON Lines or Parquet with a row a case; or one JSON document, a list of objects or an object of
        lists: ``{"y_true": ["ill", "well"], "score": [0.9, 0.2]}``.
    y_true : str, optional
        Column of the true class; by the words of the header if left out.
    score : str or sequence of str, optional
        Column of the score, or one for each of several classifiers (of every column of scores if the list is empty); by
        the words of the header if left out (score, probability, p_ill). Columns called for the classes (p_cat, p_dog)
        hold the probability of each.
    positive, labels : optional
        As in `howsure.Scores`.
    group : str or False, optional
        Column of the patient, document or question that each case belongs to; False: no groups can be taken.

    Raises
    ------
    InvalidFile
        Other columns, several that may be the score, a score that is none; with the file and the line.
    InvalidArgument
        A column that is named and not there.

    Examples
    --------
    >>> import io
    >>> read_scores(io.StringIO("y_true,score\nill,0.9\nwell,0.2\nill,0.7\n"))
    <Scores: 3 cases, 2 'ill' and 1 'well', score>
    >>> read_scores(io.StringIO("y_true,score_a,score_b\nill,0.9,0.6\nwell,0.2,0.3\n"), score=[]).names
    ('score_a', 'score_b')
    """
    with table_from(data, _EXPECTED) as table:
        if is_collection(table.header):
            raise rows_of_one(table)
        spread, labels = _lists_apart(table, y_true, score, labels)
        score, table = score if spread is table else None, spread
        columns = _columns(table, y_true, score, group)
        rows = coded_rows(
            table, [columns.true, *columns.scores, columns.called, columns.count, columns.group], blank=False
        )
        if not len(rows):
            raise table.fault(say("no_rows", "row"))
        rows.multiplied(columns.count, lambda _: "the count")
        truth = rows.truth(columns.true, None)
        if (gaps := np.flatnonzero(truth.codes < 0)).size:
            raise rows.fault(say("lacking", "the true class of a case"), int(gaps[0]))
        arrays = [_numbers(rows, column) for column in columns.scores]
        cases = int(rows.times.sum())
        if cases > MOST_CASES or not cases:
            raise table.fault(say("too_many", cases, "cases by their counts", MOST_CASES))
        if len(columns.scores) == 1:
            arrays, positive = _of_positive(rows, columns, truth, arrays[0], positive)
        if columns.count is not None:
            columns.notes.append(f"{several(len(rows), 'row')} stand for {integer(cases)} cases, by their counts.")
        arrays = [repeat(each, rows.times) for each in arrays]
        truths, *groups = (
            repeat(np.array(it.cells(), dtype=object), rows.times)
            for it in (truth, *([] if columns.group is None else [rows[columns.group].by(table.clean)]))
        )
        with of_file(table.source, InvalidArgument):
            named = columns.named or not isinstance(score, str | None)
            scored, order = _as_given(table, columns.scores, arrays, sorted(truth.texts), positive, named)
            names = order if labels is None else labels
            made = Scores(truths, scored, positive=positive, labels=names, groups=groups[0] if groups else None)
        parts = {columns.true: "truth", columns.count: "counts", columns.group: "group", columns.called: "prediction"}
        parts |= dict.fromkeys(columns.scores, "score")
        roles = {cell: parts.get(at, UNUSED) for at, cell in enumerate(table.header)}
        note_columns(table.source, roles, [*table.notes, *columns.notes])
        return made


@dataclass
class _Columns:
    """Places of the columns of a table of scores.

    ``called`` is the class that was predicted from the score; where no column is called so, ``answers`` may hold it.
    """

    true: int
    scores: list[int]
    named: bool
    called: int | None = None
    count: int | None = None
    group: int | None = None
    notes: list[str] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)


def _columns(
    table: TextTable, y_true: str | None, score: str | Sequence[str] | None, group: str | Literal[False] | None
) -> _Columns:
    names = [score] if isinstance(score, str) else list(score or ())
    named = [table.column(column_name(name, "a column")) for name in names]
    true = _true_column(table, y_true, named)
    beside = None if not group else table.column(column_name(group, "a column"))
    words = [word_of(cell) for cell in table.header]
    free = [i for i in range(len(words)) if i not in (*named, true, beside)]
    if weights := [i for i in free if words[i] in PARTS["weight"]]:
        raise table.fault(say("weighted", table.header[weights[0]], "not 1"))
    again = "repeated answers to a case are not new cases: keep one run"
    again += "" if group is False else ", or name the cases with --group"
    for what, part, advice in (
        ("classifiers", PARTS["model"] - {"name"}, "keep the rows of one, or give each a column of scores"),
        ("runs", PARTS["repeat"] if beside is None else (), again),
    ):
        for at in (i for i in free if words[i] in part):
            there = dict.fromkeys(table.clean(row[at]) for row in table.peek(ROWS_LOOKED_AT))
            if len(there) > 1:
                raise table.fault(say("several_here", table.header[at], len(there), what, there, advice))
    scores = named or _score_columns(table, true, beside, several=not isinstance(score, str | None))
    free = [i for i in free if i not in scores]
    called = [i for i in free if role(table.header[i]) == "pred" and not is_score(table.header[i])]
    if len(called) != 1 and (pair := called_for(table, [i for i in (true, *free) if i is not None])):
        called = [pair[1]] if pair[0] == true else []
    made = _Columns(true, scores, bool(named), called[0] if len(called) == 1 else None, group=beside)
    made.count = count_column(table, free)
    if made.called is None:
        rows = table.peek(ROWS_LOOKED_AT)
        classes = {table.clean(row[true]) for row in rows}
        may = [i for i in free if may_answer(table.header[i])]
        made.answers = [i for i in may if {table.clean(row[i]) for row in rows} <= classes]
    free = [i for i in free if i not in (made.called, made.count)]
    if made.count is None:
        refuse_unnamed_counts(table, free)
    apart = made.count is None and beside is None
    made.notes += repeated_units(table, free, kept=not apart, grouped=group is not False)
    return made


def _list_in(text: str) -> list[str] | None:
    """Numbers of a list in a cell, as Python, NumPy and JSON write it; None where it is none.

    Examples
    --------
    >>> _list_in("[0.25, 0.75]"), _list_in("[0.25 0.75]"), _list_in("0.25")
    (['0.25', '0.75'], ['0.25', '0.75'], None)
    """
    if not (text.strip().startswith(("[", "(")) and text.strip().endswith(("]", ")"))):
        return None
    parts = text.strip()[1:-1].replace(",", " ").split()
    return parts if len(parts) > 1 and all(map(looks_numeric, parts)) else None


def _lists_apart(
    table: TextTable, y_true: str | None, score: str | Sequence[str] | None, labels: Sequence[str] | None
) -> tuple[TextTable, Sequence[str] | None]:
    """The table with a column for each class where all scores stand in one cell, and the classes in their order."""
    some = table.peek(ROWS_LOOKED_AT)
    wanted = [score] if isinstance(score, str) else list(score or ())
    at = [i for i, cell in enumerate(table.header) if some and _list_in(some[0][i]) is not None]
    at = [i for i in at if (table.header[i] in wanted if wanted else is_score(table.header[i]))]
    if len(at) != 1 or len(wanted) > 1:
        return table, labels
    (place,) = at
    size = len(_list_in(some[0][place]) or ())
    true = _true_column(table, y_true, at)
    rows = list(table.filled())
    classes = sorted({table.clean(row[true]) for _, row in rows})
    numbered = all(it.isdecimal() and int(it) < size for it in classes)
    order = list(labels or (map(str, range(size)) if numbered else ()))
    title = table.header[place]
    if len(order) != size:
        raise table.fault(say("order_of_list", title, size, classes, ",".join(classes)))
    made = []
    for line, row in rows:
        numbers = _list_in(row[place])
        if numbers is None or len(numbers) != size:
            raise table.fault(say("not_a", f"each cell of {excerpt(title)}", f"a list of {size}", row[place]), line)
        made.append((line, [*row[:place], *row[place + 1 :], *numbers]))
    header = [*(cell for i, cell in enumerate(table.header) if i != place), *(f"p_{name}" for name in order)]
    return replace(table, header=header, rows=iter(made), origin=None, head=None), order


def _numbers(rows: CodedRows, at: int) -> Floats:
    found, column = [], excerpt(rows.table.header[at])
    # a comma is a decimal one where no number has a point, and one begins with 0,
    texts = [cell.strip() for cell in rows[at].texts]
    commas = not any("." in it for it in texts) and any(it.lstrip("-").startswith("0,") for it in texts)
    percent = all(it.endswith("%") for it in texts if not is_missing(it))
    for cell, row in zip(texts, rows[at].first.tolist(), strict=True):
        text = cell.replace(",", ".") if commas else cell
        text = text.removesuffix("%").rstrip() if percent else text
        if is_missing(text):
            raise rows.fault(say("lacking", f"the score of a case (column {column})"), row)
        try:
            value = float(text) if "_" not in text else math.nan
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise rows.fault(
                say("not_a", f"a score (column {column})", "a finite number, with a decimal point", cell), row
            )
        found.append(value)
    return np.array(found, dtype=np.float64)[rows[at].codes] / (100 if percent else 1)


def _of_positive(
    rows: CodedRows, columns: _Columns, truth: Column, score: Floats, positive: str | None
) -> tuple[list[Floats], str | None]:
    """One column of scores as that of the positive class, and that class where the column is named for it."""
    table = rows.table
    title, classes = table.header[columns.scores[0]], sorted(truth.texts)
    if len(classes) != 2:
        return [score], positive
    known = positive or positive_by_name(classes)
    within = bool(((score >= 0) & (score <= 1)).all())
    of_class = [name for name in classes if _is_of_class(title, name) and title.lower().startswith(_OF_ONE)]
    shown = f"The score {excerpt(title, 40)}"
    if len(of_class) == 1 and known is None:
        return [score], of_class[0]
    if len(of_class) == 1 and of_class[0] != known:
        if not within:
            raise table.fault(say("score_of_other", title, of_class[0]))
        columns.notes.append(f"{shown} is that of {excerpt(of_class[0])}; 1 minus it was taken as that of {known}.")
        return [1 - score], positive
    if of_class or not within or not len(score):
        return [score], positive
    if columns.called is None:
        if (score >= 0.5).all() and len(score) > 9 and is_score(title):
            if columns.answers and not columns.named:
                raise table.fault(say("never_below_half", title, [table.header[i] for i in columns.answers]))
            columns.notes.append(say("above_half", shown))
        return [score], positive
    called = rows[columns.called].by(table.clean)
    if set(called.texts) - set(classes) or known is None:
        return [score], positive
    there = called.among([known]) == 0
    if there.all() or not there.any() or not _is_of_called(score, there):
        return [score], positive
    title, other = excerpt(table.header[columns.called], 40), next(name for name in classes if name != known)
    columns.notes.append(say("score_of_predicted", shown, title, other, known))
    return [np.where(there, score, 1 - score)], positive


def _is_of_called(score: Floats, positive: Any) -> bool:
    """Whether scores are of the class that was predicted: a score of the positive one is lower where it was not."""
    if (score >= 0.5).all():
        return True
    one, other = score[positive], score[~positive]
    apart = one.min() >= other.max() or one.max() <= other.min()  # one threshold of one score
    return not apart and min(float(one.mean()), float(other.mean())) > 0.5


def _as_given(
    table: TextTable, columns: list[int], arrays: list[Any], classes: list[str], positive: str | None, named: bool
) -> tuple[Any, list[str] | None]:
    """What `Scores` takes, and the order of its columns where they are those of classes."""
    titles = [table.header[i] for i in columns]
    if len(columns) == 1:
        return arrays[0], None
    of_class = {name: title for title in titles for name in classes if _is_of_class(title, name)}
    if len(of_class) == len(columns) == len(classes):
        found = [titles.index(of_class[name]) for name in classes]
        return np.column_stack([arrays[i] for i in found]), classes
    if named:
        return dict(zip(titles, arrays, strict=True)), None
    raise table.fault(say("choose", "columns that may be the score", titles, "score=, one or several classifiers"))


def _is_of_class(title: str, name: str) -> bool:
    """Whether a column is the score of this class by its name: p_ill, prob(ill), ill_score, P(class="ill")."""
    word, label = word_of(title.replace('"', "")), word_of(name)
    if word in (label, f"p{label}") or word.endswith(("_" + label, f"({label})", f"={label})")):
        return True
    return is_score(title) and f"_{word}".endswith(tuple(f"_{label}_{end}" for end in _ENDS))


def _true_column(table: TextTable, name: str | None, taken: Sequence[int]) -> int:
    if name is not None:
        return table.column(column_name(name, "a column"))
    free = [i for i in range(len(table.header)) if i not in taken]
    found = truths(table, free)
    if not found and (pair := called_for(table, free)):
        found = [pair[0]]
    if len(found) != 1:
        raise table.fault(
            say("choose", "columns that may be the true class", [table.header[i] for i in found], "y_true=")
            if found
            else say("no_column", "true classes", table.header, f"{_EXPECTED}; y_true= says which column it is")
        )
    return found[0]


def _score_columns(table: TextTable, true: int, beside: int | None, *, several: bool) -> list[int]:
    free = [i for i, cell in enumerate(table.header) if i not in (true, beside) and not names_a_case(cell)]
    scored = [i for i in free if is_score(table.header[i]) and word_of(table.header[i]) not in ITEM]
    found = [i for i in scored if is_score(table.header[i], plainly=True)] or scored
    if not found:  # columns called for the classes, as tidymodels and Orange call them, or a prediction that is a score
        rows = table.peek(ROWS_LOOKED_AT)
        classes = {table.clean(row[true]) for row in rows}
        fractions = [i for i in free if are_fractions(row[i] for row in rows)]
        found = [i for i in fractions if any(_is_of_class(table.header[i], name) for name in classes)]
        found = found or [i for i in fractions if role(table.header[i]) == "pred"]
    if not found:
        advice = "those of several are called score_A, score_B" if several else "score= says which column it is"
        raise table.fault(say("no_column", "scores", table.header, f"{_EXPECTED}; {advice}"))
    return found
