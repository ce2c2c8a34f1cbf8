"""What howsure itself writes, and reads back: a matrix as CSV, cases as a committed baseline, counts that grow."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.folds import refuse_passes
from howsure.data.plain_matrix import UNLABELLED
from howsure.data.predictions import Predictions
from howsure.data.words import UNLABELLED as UNLABELLED_WORDS
from howsure.data.words import cleaned, word_of
from howsure.errors import InvalidLabels, excerpt
from howsure.io.reading import Request
from howsure.io.refusals import refusal, say
from howsure.io.table import Row, TextTable
from howsure.text.json_envelope import FORMAT, envelope
from howsure.text.spreadsheet import guarded


def cell(text: str) -> str:
    r"""Text as one cell of a CSV file: guarded against spreadsheets that run it, quoted where needed (RFC 4180).

    Parameters
    ----------
    text : str
        A label or a name; numbers need no guard and are written as they are.

    Examples
    --------
    >>> print(cell('=1+1'), cell('a "b", c'))
    '=1+1 "a ""b"", c"
    """
    safe = guarded(text)
    if any(c in safe for c in ',;"\t\r\n') or safe != safe.strip():
        return '"' + safe.replace('"', '""') + '"'
    return safe


def matrix_csv(confusion: ConfusionMatrix) -> str:
    r"""Matrix as CSV with the corner cell ``true\pred``, which `read` reads back; cases without a truth are a row.

    Parameters
    ----------
    confusion : ConfusionMatrix

    Raises
    ------
    InvalidLabels
        Labels that a CSV cannot tell apart or hold: a NUL character, or two that differ in outer blanks only; pairs.

    Examples
    --------
    >>> print(matrix_csv(ConfusionMatrix([[45, 5], [8, 42]], ["healthy", "ill"])), end="")
    true\pred,healthy,ill
    healthy,45,5
    ill,8,42
    """
    refuse_passes(confusion.folds, "a CSV of counts")
    judged = confusion.verdicts
    if judged is not None and judged.audit:
        raise InvalidLabels(say("no_csv", "an audit, whose verdicts are pairs"))
    rows = confusion.labels if judged is None else (*confusion.labels[: judged.truths], UNLABELLED)
    columns = confusion.labels if judged is None else judged.names
    counts = confusion.counts if judged is None else np.vstack((judged.labelled, judged.unlabelled))
    labels = confusion.labels
    if judged is not None and any(word_of(label) in UNLABELLED_WORDS for label in labels):
        raise InvalidLabels(say("no_csv", "a class called as the row of the cases without a truth is"))
    for label in labels:
        if "\0" in label:
            raise InvalidLabels(say("no_csv", f"{excerpt(label)}, with a NUL character"))
    read_back = [cleaned(guarded(label)) for label in labels]
    if len(set(read_back)) < len(labels) or not all(read_back):
        twice = next(
            label for label, back in zip(labels, read_back, strict=True) if not back or read_back.count(back) > 1
        )
        raise InvalidLabels(say("no_csv", f"{excerpt(twice)}, which differs from another label in outer blanks only"))
    lines = ["true\\pred," + ",".join(map(cell, columns))]
    for label, row in zip(rows, counts.tolist(), strict=True):
        lines.append(cell(label) + "," + ",".join(map(str, row)))
    return "\n".join(lines) + "\n"


def is_case_document(value: object) -> bool:
    """Whether a parsed document holds cases."""
    return isinstance(value, dict) and value.get("kind") == "predictions"


def case_table(source: str, value: dict[str, Any]) -> TextTable:
    """Table of a document of cases.

    Raises
    ------
    InvalidFile
        Another format, no columns or no cases, cells that are no text.
    """
    version = value.get("format", FORMAT)
    if version != FORMAT:
        raise refusal(source, "version", version, FORMAT)
    columns, cases = value.get("columns"), value.get("cases")
    if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
        raise refusal(source, "not_a", "columns", 'a list of names such as ["id", "y_true", "y_pred"]', columns)
    if not isinstance(cases, list):
        raise refusal(source, "not_a", "cases", "a list of lists, one a case", cases)
    return TextTable(source, list(columns), 1, _rows(source, cases, len(columns)), clean=str, kind="JSON ")


def _rows(source: str, cases: list[Any], width: int) -> Iterator[Row]:
    for number, case in enumerate(cases, start=1):
        if not isinstance(case, list) or len(case) != width:
            raise refusal(source, "not_a", f"case {number}", f"a list of {width} cells", case)
        odd = [cell for cell in case if not isinstance(cell, str | type(None))]
        if odd:
            raise refusal(source, "not_a", f"a cell of case {number}", "a text in quotes, or null", odd[0])
        yield number, ["" if cell is None else cell for cell in case]


def with_classes(request: Request, value: dict[str, Any]) -> Request:
    """The request with the classes and the positive class that the document states, where it names none."""
    classes, positive = value.get("classes"), value.get("positive")
    if request.labels is not None or not isinstance(classes, list) or not all(isinstance(x, str) for x in classes):
        return request
    stated = positive if request.positive is None and positive in classes else request.positive
    return replace(request, labels=classes, positive=stated)


def case_document(predictions: Predictions, name: str) -> str:
    """Write predictions of one classifier with ids, as JSON that `case_table` reads back.

    Parameters
    ----------
    predictions : Predictions
        With ids.
    name : str
        What to call the classifier.

    Examples
    --------
    >>> alone = Predictions(["x", "y"], {"A": ["x", "x"]}, id=["1", "2"], positive="y")
    >>> print(case_document(alone, "A").splitlines()[-4])
     ["1", "x", "x"],
    """
    assert predictions.id is not None
    labels = predictions.labels
    (only,) = predictions.names
    answers, truth = predictions.answers(only), predictions.truth
    ids = [str(x) for x in predictions.id.tolist()]
    lines = [
        json.dumps([case, labels[true], labels[answer]], ensure_ascii=False)
        for case, true, answer in zip(ids, truth.tolist(), answers.tolist(), strict=True)
    ]
    head = _head("predictions", name, labels, predictions.confusion(only).positive)
    return f'{{{head}\n "columns": ["id", "y_true", "y_pred"],\n "cases": [\n ' + ",\n ".join(lines) + "\n ]\n}\n"


def matrix_document(confusion: ConfusionMatrix, name: str) -> str:
    """Write a matrix, one line a row, as JSON that `howsure.io.read` reads back.

    Examples
    --------
    >>> print(matrix_document(ConfusionMatrix([[9, 1], [2, 8]]), "main").splitlines()[-4])
     [9, 1],
    """
    lines = [json.dumps(row) for row in confusion.counts.tolist()]
    head = _head("matrix", name, confusion.labels, confusion.positive)
    return f'{{{head}\n "orientation": "true-rows",\n "counts": [\n ' + ",\n ".join(lines) + "\n ]\n}\n"


def _head(kind: str, name: str, labels: Sequence[str], positive: str | None) -> str:
    about = {**envelope(kind), "name": name, "classes": list(labels)}
    about |= {} if positive is None else {"positive": positive}
    return (
        ",".join(f"\n {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in about.items()) + ","
    )
