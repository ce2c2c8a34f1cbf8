"""From cells by name to a `ConfusionMatrix`: the steps that all formats share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.words import BACKGROUND, Role
from howsure.errors import HowsureError, InvalidFile, excerpt
from howsure.io.names_in_files import quoted
from howsure.io.reading import Reading, Request
from howsure.text.formats import plain, several

__all__ = ["assembled", "assembled_cells", "meanings", "reading_of", "settled_rows", "taken_as_true"]


def settled_rows(source: str, said: Role | None, request: Request, *, where: str, meanings: str) -> Role:
    """Settle what the rows are, from what the file says and what the caller says.

    Parameters
    ----------
    source : str
        What the user calls the file.
    said : "true", "pred" or None
        By the file.
    request : Request
        Its ``rows``, and whether there is a grid whose rows are truth.
    where : str
        Clause for the error: what the file says, or that it says nothing.
    meanings : str
        Sentence on what each choice would mean for this file.

    Raises
    ------
    InvalidFile
        Neither says it, or they contradict each other.
    """
    told = request.rows
    if said is None and told is None and request.grid is None:
        raise InvalidFile(source, f"{where}, so nothing says whether a row is a true or a predicted class. {meanings}")
    if said is not None and told is not None and said != told:
        problem = f"{where}, so rows are {_KIND[said]}; --rows {told} says they are {_KIND[told]}"
        raise InvalidFile(source, f"{problem}. Leave --rows out, or correct the file if it is wrong.")
    return said or told or "true"


def taken_as_true(said: Role | None, request: Request) -> list[str]:
    """Note where the rows are truth because those of the grid are, which a text is pasted into."""
    unsaid = said is None and request.rows is None
    return ["Rows were taken as the true class; if they are not, transpose."] if unsaid else []


_KIND: dict[Role, str] = {"true": "true classes", "pred": "predicted classes"}


def assembled(
    source: str, counts: NDArray[np.int64], names: Sequence[str], request: Request, *, positive: str | None = None
) -> ConfusionMatrix:
    """Matrix of the counts, its classes in the order of ``names`` or of ``labels=``.

    Parameters
    ----------
    source : str
        What the user calls the file.
    counts : ndarray, shape (K, K)
        Rows are truth.
    names : sequence of str
        Every class of the file.
    request : Request
    positive : str, optional
        What the file says; ``request.positive`` goes before it.

    Raises
    ------
    InvalidFile
        Fewer than two classes, classes outside ``labels=``, or counts that form no matrix.
    """
    true, pred = np.nonzero(counts)
    made = assembled_cells(source, (true, pred, counts[true, pred]), names, request, positive=positive)
    return ConfusionMatrix(made.counts, made.labels, positive=made.positive)  # which remembers that it was entered


def assembled_cells(
    source: str,
    cells: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    names: Sequence[str],
    request: Request,
    *,
    positive: str | None = None,
) -> ConfusionMatrix:
    """Matrix of single cells: places of the true and the predicted class among ``names``, and counts.

    See `assembled`.
    """
    true, pred, counts = cells
    if request.labels is not None:
        labels = list(request.labels)
        number = {label: i for i, label in enumerate(labels)}
        odd = [name for name in names if name not in number]
        if odd:
            problem = f"the file has the class {quoted(odd)}, not among the labels {quoted(labels)}"
            raise InvalidFile(source, f"{problem}. Labels name every class, with the spelling of the file.")
        place = np.array([number[name] for name in names], dtype=np.int64)
        true, pred, names = place[true], place[pred], labels
    elif any(name.casefold() == BACKGROUND for name in names):
        at = next(i for i, name in enumerate(names) if name.casefold() == BACKGROUND)
        if not counts[(true == at) & (pred == at)].any():
            raise InvalidFile(
                source,
                f"{excerpt(names[at])} is no class of a detector: it stands for objects that were missed, and for "
                "detections of nothing, and nobody counted where nothing was rightly detected. Remove its row and "
                "column (then all is about objects that were detected), or name all classes with --labels",
            )
    if len(names) < 2:
        advice = "name the others with --labels, two at the least"
        raise InvalidFile(source, f"two or more classes are needed and the file has only {quoted(names)}; {advice}")
    if not counts.any():
        raise InvalidFile(source, "every count is 0, so there is no case to learn from. Enter numbers of cases.")
    if request.positive is not None:
        positive = request.positive
    try:
        return ConfusionMatrix.from_cells(true, pred, counts, labels=names, positive=positive)
    except HowsureError as error:
        # the sentences of the library quote labels as they are, which a terminal must not see
        raise InvalidFile(source, plain(str(error), 1000)) from None


def reading_of(
    source: str,
    counts: NDArray[np.int64],
    names: Sequence[str],
    request: Request,
    *,
    meaning: Role,
    because: str | None,
    layout: str,
    notes: Sequence[str],
    positive: str | None = None,
) -> Reading:
    """The reading of a square of counts, turned to rows = truth, with a note where the file had them the other way.

    Parameters
    ----------
    source, counts, names, request, positive
        As in `assembled`; the rows of ``counts`` are what ``meaning`` says.
    meaning : "true" or "pred"
    because : str or None
        What says so; None where the caller does.
    layout : str
    notes : sequence of str
    """
    if meaning == "pred":
        reason = "As chosen" if because is None else because[:1].upper() + because[1:]
        notes = (f"{reason}: rows are predicted classes. The matrix was turned and is shown with rows = truth.", *notes)
        counts = counts.T
    return Reading(assembled(source, counts, names, request, positive=positive), source, layout, tuple(notes))


def meanings(names: Sequence[str], counts: NDArray[np.int64]) -> str:
    """Say what each choice of rows would mean, of one cell off the diagonal."""
    off = counts.copy()
    np.fill_diagonal(off, 0)
    i, j = np.argwhere(off)[0] if off.any() else (0, 1)
    row, column, count = excerpt(names[i], 40), excerpt(names[j], 40), several(int(counts[i, j]), "case")
    return (
        f"--rows true: {count} truly {row} called {column}. "
        f"--rows pred: {count} called {row} and truly {column}. Say which it is."
    )
