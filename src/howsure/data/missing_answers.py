"""What becomes of cases without an answer: never dropped in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidLabels, excerpt
from howsure.text.formats import integer, several

__all__ = ["NO_ANSWER", "POLICIES", "Missing", "settled"]

Missing = Literal["error", "wrong", "class", "exclude"]
Codes = NDArray[np.int32]

#: What can be done with an answer that is missing.
POLICIES: dict[str, str] = {
    "error": "refuse",
    "wrong": "count as errors, spread evenly over the wrong classes",
    "class": "give them a class of their own",
    "exclude": "leave the case out, for all classifiers alike",
}

#: The class of their own.
NO_ANSWER = "no answer"


class Settled(NamedTuple):
    """Answers without gaps; ``kept`` marks the cases that stay, None if all do."""

    truth: Codes
    answers: Codes
    labels: tuple[str, ...]
    notes: tuple[str, ...] = ()
    kept: NDArray[np.bool_] | None = None


def settled(
    truth: Codes,
    answers: Codes,
    labels: tuple[str, ...],
    names: Sequence[str],
    policy: Missing,
    ids: NDArray[Any] | None,
) -> Settled:
    """Fill, count or leave out what is missing (-1).

    Parameters
    ----------
    truth, answers : ndarray, shapes (n,) and (T, n)
        Places among the labels.
    labels, names : sequence of str
        Classes and classifiers.
    policy : str
        One of `POLICIES`.
    ids : ndarray, shape (n,), optional
        For the message.

    Raises
    ------
    InvalidLabels
        No case at all, a gap that the policy does not cover, or no case left.
    """
    cases = len(truth)
    if not cases:
        raise InvalidLabels("y_true is empty; at least one case is needed")
    gaps = answers < 0
    untrue = truth < 0
    if not gaps.any() and not untrue.any():
        return Settled(truth, answers, labels)
    said = [f"{_missing(gaps[t], ids)} of classifier {excerpt(n)}" for t, n in enumerate(names) if gaps[t].any()]
    if untrue.any() and policy != "exclude":
        raise InvalidLabels(
            f"the true class is {_missing(untrue, ids)}; such a case judges no classifier. "
            "Leave these cases out with missing='exclude', or fill them in"
        )
    if policy == "error":
        raise InvalidLabels(
            f"the answer is {' and '.join(said)}. If no answer is a failure, count it with missing='wrong'; "
            "missing='class' gives it a class of its own, missing='exclude' leaves the case out for all classifiers"
        )
    if policy == "exclude":
        kept = ~(gaps.any(axis=0) | untrue)
        if not kept.any():
            raise InvalidLabels("every case has a missing answer, so none is left to count")
        out = cases - int(kept.sum())
        note = (
            f"Set aside: {integer(out)} of {several(cases, 'case')}, for all classifiers, because an answer is missing."
        )
        return Settled(truth[kept], answers[:, kept], labels, (note,), kept)
    filled = answers.copy()
    if policy == "class":
        if NO_ANSWER in labels:
            raise InvalidLabels(f"a class is called {NO_ANSWER!r} already; rename it, or say missing='wrong'")
        filled[gaps] = len(labels)
        return Settled(
            truth, filled, (*labels, NO_ANSWER), (f"The answer is {' and '.join(said)}: a class of its own.",)
        )
    for row, gap in zip(filled, gaps, strict=True):
        for true in range(len(labels)):
            where = np.flatnonzero(gap & (truth == true))
            # class true + 1, true + 2, ... in turn: as even as whole cases can be
            row[where] = (true + 1 + np.arange(len(where)) % (len(labels) - 1)) % len(labels)
    return Settled(truth, filled, labels, (f"The answer is {' and '.join(said)}: counted as wrong.",))


def _missing(gap: NDArray[np.bool_], ids: NDArray[Any] | None) -> str:
    first = int(np.argmax(gap))
    name = f"case {first + 1}" if ids is None else f"id {excerpt(str(ids[first]))}"
    return f"missing in {integer(int(gap.sum()))} of {several(len(gap), 'case')} (first: {name})"
