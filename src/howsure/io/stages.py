"""From a path to its count, stage by stage: each takes what the one before gives, and knows nothing of it.

`opened` gives bytes and text, `content_of` a table or a document of them, `recognised` its layout, and the reader of
that layout the counts. A stage calls what helps it, below it, and never the stages before it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, Literal, NamedTuple, TypeVar

from howsure.data.labels import alike
from howsure.data.refusals import refusal
from howsure.data.words import corner_rows, corner_says, is_abstention
from howsure.errors import InvalidFile, excerpt
from howsure.io.assembly import MOST_CLASSES, quoted, sides_of
from howsure.io.cells import is_no_name, looks_numeric
from howsure.io.contents import content_of, frame_table, is_frame
from howsure.io.formats.board import is_collection, read_four_cells
from howsure.io.formats.cases import read_cases
from howsure.io.formats.json_documents import Document, read_document
from howsure.io.formats.matrix import read_bare, read_labelled
from howsure.io.formats.printed import RATE, RATE_NAME
from howsure.io.formats.written import case_table, is_case_document, is_state, read_state_of, with_classes
from howsure.io.label_files import LOG, log_table, with_labels
from howsure.io.opening import Opened, opened
from howsure.io.reading import Reading, Request
from howsure.io.roles import Columns, columns_of, is_board
from howsure.io.table import Row, TextTable
from howsure.text.formats import plain

#: Rows of a table of answers by true class.
MOST_ANSWERS = 30


class ListOfCases(NamedTuple):
    """A table with a case, or a count, in each row, and what its columns are."""

    table: TextTable
    columns: Columns
    request: Request


class OneMatrix(NamedTuple):
    """The reader of a layout, with what it reads, and notes on what was left out before."""

    read: Callable[[], Reading]
    notes: Sequence[str] = ()


def recognised(content: TextTable | Document, request: Request) -> ListOfCases | OneMatrix:
    """Tell which layout it is."""
    if isinstance(content, TextTable):
        return _of_table(content, request)
    name, value = content
    if is_case_document(value):
        return _of_table(case_table(name, value), with_classes(request, value))
    for what, named in request.units.items():
        raise refusal(name, "of_cases", what, named, "a document of counts")
    return OneMatrix(partial(read_state_of if is_state(value) else read_document, name, value, request))


def _of_table(table: TextTable, request: Request) -> ListOfCases | OneMatrix:
    if request.true is not None or request.pred or request.units:
        chosen = columns_of(table, request)
        if chosen is None:
            raise _unrecognised(table)
        return ListOfCases(table, chosen, request)
    if is_collection(table.header):
        return OneMatrix(partial(read_four_cells, table, request), table.notes)
    corner, others = table.header[0], table.header[1:]
    # a matrix has as many rows as columns, so this looks no further than it has to
    peeked = list(islice(table.rows, min(len(others), MOST_CLASSES) + 1))
    table.rows = chain(peeked, table.rows)
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
    try:
        columns = columns_of(table, request)
    except ValueError:
        # a class may be called "true" or "test"; a matrix is then the better guess of what to complain about
        if not like_matrix:
            square = _named_on_both_sides(table)
            if square is None:
                raise
            return _half_named(table, square, request)
        columns = None
    if columns is not None:
        return ListOfCases(table, columns, request)
    if bare:
        first = (table.line, list(table.written[: len(table.header)] or table.header))
        rows = (row for row in table.rows if any(cell.strip() for cell in row[1]))
        lines = [first, *islice(rows, MOST_CLASSES)]
        return OneMatrix(partial(read_bare, table, lines, _one_classifier(table, request)), table.notes)
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
    rows = list(islice(table.rows, MOST_ANSWERS))
    table.rows = chain(rows, table.rows)
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


def _matrix(table: TextTable, request: Request) -> OneMatrix:
    if table.origin is not None and len(files := table.origin.files) > 1:
        there = quoted(map(os.path.basename, files))
        raise refusal(
            plain(files[0], 200), "no_table_together", f"and this is one confusion matrix of {there}; name one"
        )
    return OneMatrix(partial(read_labelled, table, _one_classifier(table, request)), table.notes)


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


def _half_named(table: TextTable, square: TextTable, request: Request) -> OneMatrix:
    """Square with names on one side; without any word on its rows it may as well be a list of cases."""
    if request.rows is None and request.grid is None:
        unknown = table.unrecognised()
        problem = f"{unknown.problem} If it is a square of counts with its class names on one side"
        advice = "it is unclear whether a row is a true or a predicted class: --rows true, or --rows pred"
        raise InvalidFile(table.source, f"{problem}, {advice}.", table.line)
    return OneMatrix(partial(read_labelled, square, _one_classifier(square, request)), table.notes)


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
    rows = list(islice(table.rows, len(head) + 1))
    table.rows = chain(rows, table.rows)
    filled = [(line, row) for line, row in rows if any(cell.strip() for cell in row)]
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


T = TypeVar("T")

#: Reader of a list of cases or counts whose columns are known.
CaseReader = Callable[[TextTable, Columns, Request], T]


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
    order: Sequence[str] | None = None,
    labels_from: str | None = None,
    group: str | Literal[True] | None = None,
    folds: str | None = None,
    repeat: str | None = None,
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
    units = {"group": group, "folds": folds, "repeat": repeat}
    about = {"order": order, "labels_from": labels_from, **units}
    request = Request(rows, positive, labels, model, missing, y_true, pred, **about)  # type: ignore[arg-type]  # by name
    return read_with(data, request, read_cases)


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
    layout = recognised(content, request)
    if isinstance(layout, ListOfCases):
        return cases(*layout)
    reading = layout.read()
    return replace(reading, notes=(*layout.notes, *reading.notes)) if layout.notes else reading


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
