"""What a gate remembers: the candidate as the next baseline, case by case where the cases have ids."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from howsure.data.missing_answers import Missing
from howsure.data.predictions import Predictions
from howsure.errors import HowsureError, InvalidFile
from howsure.io.answers import chosen, read_answers
from howsure.io.formats.case_document import case_document, matrix_document
from howsure.io.reading import Reading, Request
from howsure.io.replacing import replace_text
from howsure.text.formats import plain, several

__all__ = ["write_baseline"]


def write_baseline(
    path: str,
    candidate: str,
    *,
    model: str | None = None,
    rows: Literal["true", "pred"] | None = None,
    positive: str | None = None,
    labels: Sequence[str] | None = None,
    missing: Missing = "error",
) -> str:
    """Write the classifier of one file as the baseline, whole or not at all; give a sentence that says what.

    Parameters
    ----------
    path : str
        The baseline, JSON.
    candidate : str
        File with the candidate.
    model : str, optional
        Its column.
    rows, positive, labels, missing
        As in `howsure.io.pairs.read_pair`.

    Raises
    ------
    InvalidFile
        What cannot be read or written.
    """
    if Path(path).suffix.lower() != ".json":
        raise InvalidFile(path, "a baseline is written as JSON; name it baseline.json, or leave --update-baseline out")
    if candidate == "-":
        raise InvalidFile("standard input", "--update-baseline reads the candidate twice; put it into a file")
    request = Request(rows, positive, labels, model, "exclude" if missing == "exclude" else "error")
    found = read_answers(candidate, request, [] if model is None else [model])
    name = model or Path(candidate).stem
    if isinstance(found, Reading):
        replace_text(path, matrix_document(found.confusion, name))
        return f"{path} now holds the matrix of {plain(name, 40)}."
    answers = found.classifiers[chosen(found, model)]
    try:
        alone = Predictions(
            answers.true,
            {name: answers.pred},
            id=answers.id,
            labels=request.labels,
            positive=request.positive,
            missing=missing,
        )
    except HowsureError as error:
        raise InvalidFile(found.source, plain(str(error), 1000)) from None
    if alone.id is None:
        replace_text(path, matrix_document(alone.confusion(name), name))
        return (
            f"{path} now holds the matrix of {plain(name, 40)}; with a column id it would hold the cases, to be paired."
        )
    replace_text(path, case_document(alone, name))
    return f"{path} now holds the {several(alone.n, 'case')} of {plain(name, 40)}."
