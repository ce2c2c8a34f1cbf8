"""Cases as one JSON document, one line a case: small, readable in a diff, and what a committed baseline is.

::

    {"format": "howsure/1", "kind": "predictions", "classes": ["healthy", "ill"], "positive": "ill",
     "columns": ["id", "y_true", "y_pred"],
     "cases": [
      ["a1", "ill", "ill"],
      ["a2", "healthy", "ill"]
     ]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.errors import InvalidFile, excerpt
from howsure.io.reading import Request
from howsure.io.table import Row, TextTable
from howsure.text.json_envelope import FORMAT, envelope

__all__ = ["case_document", "case_table", "is_case_document", "matrix_document", "with_classes"]


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
        raise InvalidFile(source, f"the format is {excerpt(version)}, and {FORMAT!r} can be read")
    columns, cases = value.get("columns"), value.get("cases")
    if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
        raise InvalidFile(source, '"columns" must be a list of names such as ["id", "y_true", "y_pred"]')
    if not isinstance(cases, list):
        raise InvalidFile(source, f'"cases" must be a list of lists, one a case, not {excerpt(cases)}')
    return TextTable(source, list(columns), 1, _rows(source, cases, len(columns)), clean=str, kind="JSON ")


def _rows(source: str, cases: list[Any], width: int) -> Iterator[Row]:
    for number, case in enumerate(cases, start=1):
        if not isinstance(case, list) or len(case) != width:
            raise InvalidFile(source, f"case {number} must be a list of {width} cells, not {excerpt(case)}")
        odd = [cell for cell in case if not isinstance(cell, str | type(None))]
        if odd:
            raise InvalidFile(source, f"case {number} holds {excerpt(odd[0])}; every cell is a text in quotes, or null")
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
