"""From a path to its count, stage by stage: each takes what the one before gives, and knows nothing of it.

`opened` gives bytes and text, `content_of` a table or a document of them, `recognised` its layout, and the reader of
that layout the counts. A stage calls what helps it, below it, and never the stages before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Literal, TypeVar

from howsure.data.labels import alike
from howsure.errors import InvalidFile
from howsure.io.contents import content_of
from howsure.io.formats.cases import read_cases
from howsure.io.formats.json_text import Document
from howsure.io.label_files import LOG, log_table, with_labels
from howsure.io.opening import Opened, opened
from howsure.io.reading import Reading, Request
from howsure.io.recognition import ListOfCases, recognised
from howsure.io.roles import Columns
from howsure.io.table import TextTable
from howsure.io.typed import frame_table, is_frame

__all__ = ["knowing_logs", "read", "read_content", "read_opened", "read_with"]

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
    """Read a matrix, or leave a list of cases or counts to ``cases``, from whatever holds it.

    Parameters
    ----------
    given : str, path-like, stream, sequence of paths, or data frame
    request : Request
    cases : callable
        Reader of a table whose columns are known.

    Raises
    ------
    InvalidFile
        Nothing that is known, or broken.
    """
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
