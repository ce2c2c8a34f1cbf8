"""From a path to its count, stage by stage: each takes what the one before gives, and knows nothing of it.

`opened` gives bytes and text, `content_of` a table or a document of them, `recognised` its layout, and the reader of
that layout the counts. A stage calls what helps it, below it, and never the stages before it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain, islice
from typing import Any, Literal, TypeVar, Unpack

from howsure.data.judged_answers import JudgedAnswers
from howsure.data.labels import alike
from howsure.data.refusals import ONE_LABEL, of_file, refusal, say
from howsure.data.words import (
    ELSE_TRUE,
    HUMAN,
    LABEL_OF,
    MARKS,
    PARTS,
    RIGHT,
    VERDICT,
    VERDICT_OF,
    WRONG,
    bare,
    corner_rows,
    corner_says,
    is_abstention,
    is_missing,
    names_a_case,
    role,
    word_of,
)
from howsure.errors import InvalidFile, excerpt, listing
from howsure.io.assembly import MOST_CLASSES, quoted, sides_of
from howsure.io.case_rows import coded_rows
from howsure.io.cells import is_no_name, looks_numeric
from howsure.io.contents import content_of, frame_table, is_frame, table_from
from howsure.io.formats.board import is_collection, read_four_cells
from howsure.io.formats.cases import read_cases
from howsure.io.formats.json_documents import Document, read_document
from howsure.io.formats.matrix import read_bare, read_labelled
from howsure.io.formats.printed import RATE, RATE_NAME
from howsure.io.formats.written import case_table, is_case_document, is_state, read_state_of, with_classes
from howsure.io.opening import Opened, opened
from howsure.io.reading import About, Reading, Request
from howsure.io.roles import Columns, columns_of, is_board, roles_of
from howsure.io.table import Row, TextTable
from howsure.params import spelled
from howsure.text.formats import plain, several

#: Rows of a table of answers by true class.
MOST_ANSWERS = 30


T = TypeVar("T")

#: Reader of a list of cases or counts whose columns are known.
CaseReader = Callable[[TextTable, Columns, Request], T]


def recognised(content: TextTable | Document, request: Request, cases: CaseReader[T]) -> Reading | T:
    """Tell which layout it is, and read it: a matrix here, a list of cases or counts by ``cases``."""
    if isinstance(content, TextTable):
        return _of_table(content, request, cases)
    name, value = content
    if is_case_document(value):
        return _of_table(case_table(name, value), with_classes(request, value), cases)
    for what, named in request.units.items():
        raise refusal(name, "of_cases", what, named, "a document of counts")
    return (read_state_of if is_state(value) else read_document)(name, value, request)


def _of_table(table: TextTable, request: Request, cases: CaseReader[T]) -> Reading | T:
    if request.true is not None or request.pred or request.units:
        chosen = columns_of(table, request)
        if chosen is None:
            raise _unrecognised(table)
        return cases(table, chosen, request)
    if is_collection(table.header):
        return _noted(table, read_four_cells(table, request))
    corner, others = table.header[0], table.header[1:]
    # a matrix has as many rows as columns, so this looks no further than it has to
    peeked = table.ahead(min(len(others), MOST_CLASSES) + 1)
    if corner_rows(corner) is not None:
        return _matrix(_without_rates(table, peeked) or table, request)
    named = [table.clean(row[0]) for _, row in peeked if any(cell.strip() for cell in row)]
    if set(named) != set(others) and set(named) == {name.removeprefix("_") for name in others}:
        others = [name.removeprefix("_") for name in others]  # BigQuery calls columns so that begin with a digit
        table = replace(table, header=[corner, *others])
    if (square := _without_rates(table, peeked)) is not None:
        return _matrix(square, request)
    # of numbers alone, the first row and column may well be the same
    bare = all(is_no_name(cell) for cell in table.header)
    squared = not bare and len(named) == len(others) and set(named) == set(others)
    if squared or sides_of(named, others) is not None:
        return _matrix(table, request)
    if (examined := _examined(table)) is not None:
        return _matrix(examined, request)
    like_matrix = not corner or not set(named).isdisjoint(others)
    columns = None
    try:
        columns = columns_of(table, request)
    except ValueError:
        # a class may be called "true" or "test"; a matrix is then the better guess of what to complain about
        if not like_matrix:
            square = _named_on_both_sides(table)
            if square is None:
                raise
            return _half_named(table, square, request)
    if columns is not None:
        return cases(table, columns, request)
    if bare:
        first = (table.line, list(table.written[: len(table.header)] or table.header))
        rows = (row for row in table.rows if any(cell.strip() for cell in row[1]))
        lines = [first, *islice(rows, MOST_CLASSES)]
        return _noted(table, read_bare(table, lines, _one_classifier(table, request)))
    if like_matrix:
        return _matrix(table, request)
    square = _named_on_both_sides(table)
    if square is None:
        raise _unrecognised(table)
    return _half_named(table, square, request)


def _examined(table: TextTable) -> TextTable | None:
    """Counts of answers, of which some are none, by true class, with rows that are classes; None of another table.

    So are tables of examiners: Ground truth, Identification, Inconclusive, Exclusion. What is inconclusive is an
    answer, which says what the other side is.
    """
    rows = table.ahead(MOST_ANSWERS)
    body = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
    down, across = [table.clean(row[0]) for _, row in body], table.header[1:]
    inside = [cell for _, row in body for cell in row[1:]]
    if len(rows) == MOST_ANSWERS or len(down) < 2 or any(len(row) != len(table.header) for _, row in body):
        return None
    if {len({*down}), len({*across})} != {len(down), len(across)} or not all(map(is_no_name, inside)):
        return None
    sides = [any(map(is_abstention, names)) for names in (down, across)]
    if sides == [False, True] and len(down) <= len(across) and corner_says(table.header[0]) != "pred":
        return replace(table, header=["true\\pred", *across])
    if sides == [True, False] and len(across) <= len(down) and corner_says(table.header[0]) != "true":
        turned = [[name, *(row[at] for _, row in body)] for at, name in enumerate(across, start=1)]
        lines = zip((line for line, _ in body), turned, strict=False)
        return replace(table, header=["true\\pred", *down], rows=iter([*lines]))
    return None


def _noted(table: TextTable, reading: Reading) -> Reading:
    return replace(reading, notes=(*table.notes, *reading.notes)) if table.notes else reading


def _matrix(table: TextTable, request: Request) -> Reading:
    if table.origin is not None and len(files := table.origin.files) > 1:
        there = quoted(map(os.path.basename, files))
        together = f"and this is one confusion matrix of {there}; name one"
        raise refusal(plain(files[0], 200), "no_table_together", together)
    return _noted(table, read_labelled(table, _one_classifier(table, request)))


def _without_rates(table: TextTable, rows: Sequence[Row]) -> TextTable | None:
    """A table of two sides without the rates that stand behind its rows, or below them; None where it is none."""
    body = [(line, row) for line, row in rows if any(map(str.strip, row)) and not RATE_NAME.match(row[0].strip())]
    last = [row[-1].strip() for _, row in body if len(row) == len(table.header)]
    rates = all(RATE.fullmatch(cell) or (RATE_NAME.match(table.header[-1]) and looks_numeric(cell)) for cell in last)
    header = table.header[:-1] if last and rates else table.header
    if len(body) == len(rows) and header is table.header:
        return None
    named = [table.clean(row[0]) for _, row in body]
    fractions = header is not table.header and all("." in cell or "%" in cell for cell in last)
    if sides_of(named, header[1:]) is None and not (fractions and {*named} == {*header[1:]}):
        return None
    table.notes.append("Left out: rates behind the rows, or below them.")
    return replace(table, header=header, rows=iter((line, row[: len(header)]) for line, row in body))


def _half_named(table: TextTable, square: TextTable, request: Request) -> Reading:
    """Square with names on one side; without any word on its rows it may as well be a list of cases."""
    if request.rows is None and request.grid is None:
        unknown = table.unrecognised()
        problem = f"{unknown.problem} If it is a square of counts with its class names on one side"
        advice = "it is unclear whether a row is a true or a predicted class: --rows true, or --rows pred"
        raise InvalidFile(table.source, f"{problem}, {advice}.", table.line)
    return _noted(square, read_labelled(square, _one_classifier(square, request)))


def _unrecognised(table: TextTable) -> InvalidFile:
    if is_board(table.header):
        names = excerpt(", ".join(table.header), 60)
        problem = f"the first line, {names}, is that of a leaderboard, one classifier a row, which is ranked"
        return table.fault(f"{problem}: howsure rank FILE")
    return table.unrecognised()


def _one_classifier(table: TextTable, request: Request) -> Request:
    if request.model is not None:
        raise refusal(table.source, "nothing_to_choose", "column of classifiers", request.model)
    return request


# -- names on one side -------------------------------------------------------------------------------------


def _named_on_both_sides(table: TextTable) -> TextTable | None:
    """Square of numbers with names above it or beside it only, as one with names on both sides; else None.

    Examples
    --------
    >>> table = _named_on_both_sides(TextTable("x.csv", ["low", "high"], 1, iter([(2, ["6", "2"]), (3, ["0", "26"])])))
    >>> table.header, list(table.rows)
    (['', 'low', 'high'], [(2, ['low', '6', '2']), (3, ['high', '0', '26'])])
    """
    head = table.header
    if len(head) < 2:
        return None
    filled = [(line, row) for line, row in table.ahead(len(head) + 1) if any(cell.strip() for cell in row)]
    if not any(is_no_name(cell) for cell in head):
        fits = len(filled) == len(head) and all(_numbers(row, len(head)) for _, row in filled)
        named: Iterator[Row] = ((line, [name, *row]) for name, (line, row) in zip(head, filled, strict=False))
        return replace(table, header=["", *head], rows=named) if fits else None
    names = [head[0], *(table.clean(row[0]) for _, row in filled)]
    size = len(head) - 1
    if len(names) != size or is_no_name(head[0]) or not _numbers(head[1:], size):
        return None
    if not all(_numbers(row[1:], size) for _, row in filled):
        return None
    return replace(table, header=["", *names], rows=chain([(table.line, list(head))], filled))


def _numbers(cells: list[str], size: int) -> bool:
    return len(cells) == size and all(is_no_name(cell) for cell in cells)


@spelled(About)
def read(
    data: Any,
    *,
    rows: Literal["true", "pred"] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    model: str | None = None,
    missing: Literal["error", "exclude", "wrong", "estimate"] = "error",
    y_true: str | None = None,
    y_pred: str | None = None,
    **about: Unpack[About],
) -> Reading:
    r"""Read a confusion matrix, or count one from predictions.

    Parameters
    ----------
    data : str, path-like, stream, sequence of paths, or data frame
        A file, a folder, a pattern, or several files that are one table; "-" for standard input; a stream of text or
        bytes, read to its end. Packed or not, Parquet or text.
    rows : "true" or "pred", optional
        What a row of the matrix is, where the file does not say.
    positive : str, optional
        For two classes, the one that sensitivity, precision and the like are about.
    labels : sequence of str, optional
        All classes, in order; those that the file does not have get counts of 0.
    model : str, optional
        The classifier, where the file holds several.
    missing : "error", "exclude", "wrong" or "estimate"
        Whether cases without a true or a predicted class are refused or set aside (and noted), and whether those
        without an answer ("inconclusive" is none) count as errors; or those without a true class are counted by their
        verdict, because the others were chosen at random among those with the same one.
    y_true, y_pred : str, optional
        Columns of a table of cases or counts; by the words of its header if left out.
    order : sequence of str, optional
        With "estimate", the verdicts from low to high.
    labels_from : str, optional
        A second file, with the labels of some cases: columns of the item and its label, joined by the item. The first
        may then be a log of an evaluation, whose verdicts are right and wrong.
    group : str or True, optional
        Column of the patient, document or question that each case belongs to; True: the column called ``group`` or
        ``cluster``, if there is one; else the ids, if answers come in runs. Left out, all cases are separate ones.
    folds : str, optional
        Column of the fold of a cross-validation that tested each case, if it is not called ``fold``. Of ids that come
        R times, in other folds, the counts are divided by R.
    repeat : str, optional
        Column that tells repeated answers of one id apart (``run``, ``epoch``, ``seed``): the answers of an id are then
        one group.

    Raises
    ------
    InvalidFile
        One sentence that names the file, the line and the labels, what was expected, what came, what to do.
    InvalidArgument, InvalidLabels
        An argument that no file could agree with.

    Examples
    --------
    >>> import io
    >>> reading = read(io.StringIO("pred\\true,high,low\nhigh,26,2\nlow,0,6\n"))
    >>> print(reading.confusion)
    true\pred  high  low
    high         26    0
    low           2    6
    >>> reading.layout
    'matrix, corner says pred\\true'
    """
    pred = () if y_pred is None else (y_pred,)
    return read_with(data, Request(rows, positive, labels, model, missing, y_true, pred, **about), read_cases)


def read_with(given: Any, request: Request, cases: CaseReader[T]) -> Reading | T:
    """Read a matrix, or leave a list of cases or counts to ``cases``, from whatever holds it."""
    log = None if request.labels_from is None else log_table(given, request)
    if log is not None:
        found = read_content(log, request, cases, log=True)
    elif is_frame(given):
        found = read_content(frame_table(given), request, cases)
    else:
        with opened(given) as file:
            found = read_opened(file, request, cases)
    if not isinstance(found, Reading):
        return found
    return replace(found, notes=tuple(dict.fromkeys((*found.notes, *alike(found.confusion.labels)))))


def read_opened(file: Opened, request: Request, cases: CaseReader[T]) -> Reading | T:
    """The same of a file that is open."""
    with knowing_logs(file):
        return read_content(content_of(file), request, cases)


def read_content(
    content: TextTable | Document, request: Request, cases: CaseReader[T], *, log: bool = False
) -> Reading | T:
    """The same of what a file holds, or of a log as a table."""
    if request.labels_from is not None:
        content, request = with_labels(content, request.labels_from, request, log=log)
    return recognised(content, request, cases)


@contextmanager
def knowing_logs(file: Opened) -> Iterator[None]:
    """Say of a log of an evaluation, which is refused here, what reads it."""
    try:
        yield
    except InvalidFile as error:
        if not LOG.search(file.head):
            raise
        advice = "It looks like a log of a language model's evaluation: howsure log reads it, and compares two"
        raise InvalidFile(error.source, f"{error.problem.rstrip('.')}. {advice}.", error.line) from None


# -- labels in a file of their own, joined by the id of each item; what a judge found of answers of several models --

#: Words of lm-evaluation-harness, and of Inspect.
LOG = re.compile(rb'"doc_(id|hash)"\s*:|"(eval|plan)"\s*:\s*\{|"run_id"\s*:')

#: Bytes at the beginning of a file that show that it is a log.
BEGINNING = 2**16

#: Parts of the name of a column of labels in a file that holds little else.
SAID_BY_PEOPLE = frozenset(["human", "label", "labels", "truth", "gold", "annotation", "annotator", "expert"])

#: Classifier ("" if there is no column) and item.
Item = tuple[str, str]


def log_table(given: Any, request: Request) -> TextTable | None:
    """Items and verdicts, right or wrong, of a log of an evaluation; None where it is another file."""
    path = given[0] if isinstance(given, list | tuple) and len(given) == 1 else given
    if not isinstance(path, str | os.PathLike) or not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        head = file.read(BEGINNING)
    if not head.startswith(b"PK") and not LOG.search(head):
        return None
    from howsure.io.logs.log import read_by_score

    log = read_by_score(os.fspath(path), request.pred[0] if request.pred else None, None)
    rows: Iterator[Row] = (
        (number, [item, RIGHT if right else WRONG])
        for number, (item, right) in enumerate(zip(log.items, log.right.tolist(), strict=True), start=1)
    )
    return TextTable(log.source, ["item", "verdict"], 1, rows, bare, unit="row", notes=list(log.notes))


def with_labels(content: TextTable | Document, path: str, request: Request, *, log: bool) -> tuple[TextTable, Request]:
    """The table with a column of labels, and the request that names it."""
    if isinstance(content, Document):
        raise refusal(content[0], "of_cases", "labels", request.labels_from, "a matrix")
    name = "label"
    while name in content.header:
        name += " "
    header = TextTable(content.source, [*content.header, name], content.line, iter([]), unit=content.unit)
    asked = request
    request = replace(request, true=name)
    if log:
        labels, positive = request.labels or (WRONG, RIGHT), request.positive or RIGHT
        request = replace(request, pred=(), labels=labels, positive=positive)
    columns = columns_of(header, request)
    assert columns is not None  # the truth is named
    if columns.id is None:
        raise content.fault(
            say("no_column", "items (id, item, ...) to join the labels by", content.header, "Call it item")
        )
    source, by_item, has_models = _labels_of(path, asked, log=log)
    if has_models != (columns.model is not None):
        there, absent = (source, content.source) if has_models else (content.source, source)
        raise refusal(source, "models_in_one", there, absent)
    left = set(by_item)
    rows: list[Row] = []
    item, model = columns.id, columns.model
    for line, row in content.rows:
        cells = content.fitted(row, line)
        key = ("" if model is None else content.clean(cells[model]), content.clean(cells[item]))
        rows.append((line, [*cells, by_item.get(key, "")]))
        left.discard(key)
    if left:
        first = next(key for key in by_item if key in left)
        shown = " of ".join(excerpt(part, 40) for part in reversed(first) if part)
        raise refusal(source, "labels_of_others", len(left), len(by_item), content.source, shown)
    notes = [*content.notes, f"Labels of {several(len(by_item), 'item')} are from {source}."]
    return replace(content, header=header.header, rows=iter(rows), origin=None, notes=notes), request


def _labels_of(path: str, request: Request, *, log: bool) -> tuple[str, dict[Item, str], bool]:
    """What a file of labels is called, its labels by item, and whether they are of several classifiers."""
    with table_from(path, "one of items and labels is expected") as table:
        item, label, model = _places(table, request.true)
        given = set(request.labels or ())
        found: dict[Item, str] = {}
        lines: dict[Item, int] = {}
        for line, cells in table.filled():
            key = ("" if model is None else table.clean(cells[model]), table.clean(cells[item]))
            text = table.clean(cells[label])
            if is_missing(text) and text not in given:
                continue
            if not key[1]:
                raise table.fault(say("lacking", "the item of a label"), line)
            if key in found:
                raise table.fault(
                    say("twice_in", "the item", key[1], f"also in {table.place(lines[key])}; {ONE_LABEL}"), line
                )
            if log and text.strip().casefold() not in MARKS:
                words = listing(MARKS, 30)
                raise table.fault(say("not_a", "a label", f"right or wrong ({words})", text), line)
            text = MARKS[text.strip().casefold()] if log else text
            found[key], lines[key] = text, line
    if not found:
        raise refusal(table.source, "no_label")
    return table.source, found, model is not None


def _places(table: TextTable, true: str | None) -> tuple[int, int, int | None]:
    words = [word_of(cell) for cell in table.header]
    places = range(len(words))
    items = [i for i in places if words[i] in PARTS["id"]] or [i for i in places if names_a_case(table.header[i])]
    models = [i for i in places if words[i] in PARTS["model"] and i not in items]
    rest = [i for i in places if i not in items and i not in models]
    if not items and len(words) == 2:
        items, rest = [0], [1]
    labels = rest
    if true is not None:
        labels = [i for i in rest if table.header[i] == true]
    elif len(rest) > 1:
        labels = [i for i in rest if words[i] in ELSE_TRUE] or [i for i in rest if role(table.header[i]) == "true"]
        labels = labels or [i for i in rest if SAID_BY_PEOPLE.intersection(words[i].split("_"))]
    if len(items) != 1 or len(labels) != 1 or len(models) > 1:
        raise table.fault(
            say("no_column", f"items and one for labels ({true or 'label'})", table.header, "--true names the labels")
        )
    return items[0], labels[0], models[0] if models else None


def read_judged(path: str | os.PathLike[str], *, labels: Sequence[str] | None = None) -> JudgedAnswers:
    r"""Read a table of the answers of several models, with verdicts of one judge and people's labels of some.

    Parameters
    ----------
    path : str or path-like
        CSV, TSV, JSON Lines or Parquet, packed or not, "-" for standard input: columns ``item,model,verdict,label``, or
        ``verdict_NAME`` and ``label_NAME`` of each model. A label may be empty.
    labels : sequence of str, optional
        The two true classes of an answer, as in `JudgedAnswers`.

    Raises
    ------
    InvalidFile
        Another table, or what `JudgedAnswers` refuses.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "judged.csv")
    ...     _ = file.write_text("item,model,verdict,label\n1,A,pass,pass\n1,B,pass,fail\n2,A,fail,\n2,B,fail,\n")
    ...     read_judged(file)
    <JudgedAnswers: models A, B, 2 items, truths fail, pass>
    """
    with table_from(path, say("judged_columns")) as table:
        places = _columns(table)
        rows = coded_rows(table, places.values())
        notes = tuple(table.notes)
    frame = {name: rows.labels(at) for name, at in places.items()}
    with of_file(table.source):
        if "model" in frame:
            parts = (frame[part] for part in ("id", "model", "verdict", "label"))
            return JudgedAnswers.from_long(*parts, labels=labels, notes=notes)
        return JudgedAnswers.from_wide(frame, id="id" if "id" in frame else None, labels=labels, notes=notes)


def _columns(table: TextTable) -> dict[str, int]:
    found = roles_of(table, {"id": PARTS["id"]}, alone=True)
    wide, human = (
        {cell: i for i, cell in enumerate(table.header) if word_of(cell).startswith(starts)}
        for starts in (VERDICT_OF, LABEL_OF)
    )
    if wide and human:
        return found | wide | human
    found = roles_of(table, {"model": PARTS["model"], "verdict": VERDICT, "label": HUMAN}, found, alone=True)
    true = [i for i, cell in enumerate(table.header) if role(cell) == "true"]
    if "label" not in found and len(true) == 1:
        found["label"] = true[0]
    if lacking := [part for part in ("id", "model", "verdict", "label") if part not in found]:
        raise table.fault(
            say("no_column", f"{lacking[0].replace('id', 'item')} alone", table.header, say("judged_columns"))
        )
    return found
