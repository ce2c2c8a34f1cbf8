"""From cells by name to a `ConfusionMatrix`: the steps that all formats share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from howsure.confusion import LARGEST_COUNT, ConfusionMatrix
from howsure.errors import HowsureError, InvalidFile, excerpt, listing
from howsure.files.reading import Request
from howsure.files.words import Role
from howsure.formats import integer, plain
from howsure.labels import LONGEST_LABEL

__all__ = ["MOST_CLASSES", "assembled", "checked_label", "chosen_model", "quoted", "settled_rows"]

#: Classes of one matrix: more are free text or ids in the wrong column, and K x K cells would not fit.
MOST_CLASSES = 5_000


def quoted(names: Iterable[str]) -> str:
    """Names from a file, safe in a sentence."""
    return listing(excerpt(name, 40) for name in names)


def checked_label(source: str, label: str, line: int | None) -> str:
    """Give the label back, unless it is too long for one."""
    if len(label) > LONGEST_LABEL:
        problem = f"a label of {integer(len(label))} characters, {excerpt(label, 30)}; at most {integer(LONGEST_LABEL)}"
        raise InvalidFile(source, f"{problem} are read. Is this column free text and not a class?", line)
    return label


def settled_rows(source: str, said: Role | None, told: Role | None, *, where: str, meanings: str) -> Role:
    """Settle what the rows are, from what the file says and what the caller says.

    Parameters
    ----------
    source : str
        What the user calls the file.
    said, told : "true", "pred" or None
        By the file, and by ``rows=``.
    where : str
        Clause for the error: what the file says, or that it says nothing.
    meanings : str
        Sentence on what each choice would mean for this file.

    Raises
    ------
    InvalidFile
        Neither says it, or they contradict each other.
    """
    if said is None and told is None:
        raise InvalidFile(source, f"{where}, so nothing says whether a row is a true or a predicted class. {meanings}")
    if said is not None and told is not None and said != told:
        problem = f"{where}, so rows are {_KIND[said]}; --rows {told} says they are {_KIND[told]}"
        raise InvalidFile(source, f"{problem}. Leave --rows out, or correct the file if it is wrong.")
    return said or told or "true"


_KIND: dict[Role, str] = {"true": "true classes", "pred": "predicted classes"}


def chosen_model(source: str, models: list[str], model: str | None, what: str) -> str:
    """Choose the one classifier to read, of those in the file.

    Raises
    ------
    InvalidFile
        Several and none chosen, or one chosen that is not there.
    """
    if model is not None and model.strip() in models:
        return model.strip()
    if model is not None:
        raise InvalidFile(source, f"no classifier {excerpt(model)} in {what}; there are {quoted(models)}")
    if len(models) > 1:
        problem = f"{what} holds {len(models)} classifiers: {quoted(models)}"
        raise InvalidFile(source, f"{problem}. Choose one with --model {plain(models[0], 40)}.")
    return models[0]


def assembled(
    source: str,
    cells: Mapping[tuple[str, str], int],
    names: Iterable[str],
    request: Request,
    *,
    positive: str | None = None,
) -> ConfusionMatrix:
    """Matrix of the counts, its classes in the order of ``names`` or of ``labels=``.

    Parameters
    ----------
    source : str
        What the user calls the file.
    cells : mapping
        {(true, predicted): count}.
    names : iterable of str
        Every class of the file.
    request : Request
    positive : str, optional
        What the file says; ``request.positive`` goes before it.

    Raises
    ------
    InvalidFile
        Fewer than two classes, too many, classes outside ``labels=``, or counts that form no matrix.
    """
    classes = list(dict.fromkeys(names))
    if request.labels is not None:
        given = set(request.labels)
        odd = [name for name in classes if name not in given]
        if odd:
            problem = f"the file has the class {quoted(odd)}, not among the labels {quoted(request.labels)}"
            raise InvalidFile(source, f"{problem}. Labels name every class, with the spelling of the file.")
        classes = list(request.labels)
    if len(classes) < 2:
        only = f"only {excerpt(classes[0])}" if classes else "none"
        advice = "name the others with --labels, two at the least"
        raise InvalidFile(source, f"two or more classes are needed and the file has {only}; {advice}")
    if len(classes) > MOST_CLASSES:
        problem = f"{integer(len(classes))} different classes, and at most {integer(MOST_CLASSES)} are read"
        raise InvalidFile(source, f"{problem}. Is a column free text, a score or an id, and not a class?")
    place = {name: i for i, name in enumerate(classes)}
    counts = np.zeros((len(classes), len(classes)), dtype=np.int64)
    for (true, predicted), count in cells.items():
        if count > LARGEST_COUNT:
            cell = f"true {excerpt(true)} predicted {excerpt(predicted)}"
            raise InvalidFile(source, f"{cell} adds up to more than 2**53 - 1 = {LARGEST_COUNT} cases")
        counts[place[true], place[predicted]] = count
    if request.positive is not None:
        positive = request.positive
    try:
        return ConfusionMatrix(counts, classes, positive=positive)
    except HowsureError as error:
        # the sentences of the library quote labels as they are, which a terminal must not see
        raise InvalidFile(source, plain(str(error), 1000)) from None
