"""What is checked of true classes and scores before they are `Scores`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from howsure.data.labels import alike, distinct_answers, in_order, label_text, label_texts, unmasked
from howsure.data.positive import positive_by_name
from howsure.errors import InvalidArgument, InvalidLabels, UnknownLabel, excerpt, listing
from howsure.numerics.arrays import Floats, Integers, bincount

__all__ = ["checked_scores", "coded_truth", "known_labels", "score_floats"]

#: How far probabilities of a case may be from adding to 1: printed ones are rounded.
ROUNDED = 0.01

#: Whole numbers in a range as short as this are counted, not sorted.
SHORT_RANGE = 10_000


def coded_truth(y_true: Any) -> tuple[list[str], Integers, bool]:
    """Classes seen, the place of each case's among them, and whether scikit-learn would put them in the same order.

    Raises
    ------
    InvalidLabels
        A missing class, or no case.

    Examples
    --------
    >>> texts, codes, alike = coded_truth([1, 0, 1])
    >>> [texts[i] for i in codes], alike
    (['1', '0', '1'], True)
    """
    y_true = unmasked(y_true)
    whole = isinstance(y_true, np.ndarray) and y_true.ndim == 1 and y_true.dtype.kind in "biu" and len(y_true) > 0
    if whole and int(y_true.max()) - int(y_true.min()) < SHORT_RANGE:
        low = int(y_true.min())
        places = y_true.astype(np.int64) - low
        values = np.flatnonzero(bincount(places))
        place = np.zeros(int(values[-1]) + 1, dtype=np.int64)
        place[values] = np.arange(len(values))
        kind = y_true.dtype.kind
        texts = [str(label_text(bool(v + low) if kind == "b" else int(v + low))) for v in values]
        return texts, place[places], True
    texts, codes = distinct_answers(y_true, "y_true")
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        raise InvalidLabels(
            f"y_true is missing in {len(missing)} of {len(codes)} cases (first: case {missing[0] + 1}); a case counts "
            "only where its truth is known, so leave it out of both arrays"
        )
    if not len(codes):
        raise InvalidLabels("y_true and y_score are empty; cases of two classes are needed")
    first = y_true[0] if isinstance(y_true, np.ndarray | list | tuple) else getattr(y_true, "iloc", texts)[0]
    return texts, codes, not isinstance(first, str) or in_order(texts) == sorted(texts)


def known_labels(
    texts: Sequence[str],
    labels: Sequence[object] | None,
    positive: object | None,
    *,
    single: bool,
    sorted_alike: bool,
) -> tuple[tuple[str, ...], Integers]:
    """All classes, of two the positive one last, and the place of each class seen among them.

    Raises
    ------
    InvalidLabels
        One class only, a class outside ``labels`` or without a case, more classes than a single score can be about, no
        positive class that a name tells.
    UnknownLabel
        A positive class that there is not.
    """
    if len(texts) < 2:
        raise InvalidLabels(
            f"all cases are of class {excerpt(texts[0])}; a score is judged by how it tells the cases of two classes "
            "apart, so some of the other class are needed"
        )
    names = tuple(in_order(texts)) if labels is None else label_texts(labels)
    odd = [text for text in texts if text not in names]
    if odd:
        raise InvalidLabels(f"y_true holds {listing(map(excerpt, odd))}, not among labels {listing(names)}")
    unseen = [name for name in names if name not in texts]
    if unseen:
        raise InvalidLabels(
            f"no case is of class {listing(map(excerpt, unseen))}; a curve needs cases of every class, so leave it out "
            "of labels and of the columns"
        )
    if len(names) > 2:
        if single:
            near = " ".join(alike(names))
            raise InvalidLabels(
                f"y_true holds {len(names)} classes, {listing(map(excerpt, names), 8)}, and y_score is one number a "
                "case, which can tell two apart. Give the probability of each class, shape (n, K), or keep two classes"
                + (f". {near}" if near else "")
            )
        if positive is not None:
            raise InvalidLabels(f"positive= is one of two classes, and there are {len(names)}; leave it out")
    elif positive is None:
        found = positive_by_name(names)
        if found is None:
            first, last = excerpt(names[0]), excerpt(names[1])
            raise InvalidLabels(
                f"nothing says whether high scores stand for {first} or for {last}, and the curve of the one is that "
                f"of the other turned round; name the class: positive={first} or positive={last}"
            )
        positive = found
    if labels is None and not single and not sorted_alike:
        raise InvalidLabels(
            f"the classes {listing(map(excerpt, names), 8)} are texts of numbers, which sort by size or by alphabet; "
            "name them in the order of the columns of y_score: labels="
        )
    if len(names) == 2:
        chosen = label_text(positive)
        if chosen not in names:
            raise UnknownLabel(chosen or "", names)
        names = (names[1 - names.index(chosen)], chosen)
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place[text] for text in texts], dtype=np.int64)


def checked_scores(
    array: Floats,
    labels: tuple[str, ...],
    what: str,
    *,
    cases: int,
    columns: Sequence[object] = (),
    asked: Sequence[object] | None = None,
) -> Floats:
    """Scores as floats: shape (n,) of two classes, (n, K) of more.

    Parameters
    ----------
    array : ndarray, shape (n,) or (n, K)
    labels : tuple of str
        Of two, the positive one last.
    what : str
        What complaints call them.
    cases : int
    columns : sequence
        Names of the columns of a frame.
    asked : sequence, optional
        The order of the columns; of two classes the natural one if left out.

    Raises
    ------
    InvalidArgument
        As in `howsure.Scores`.

    Examples
    --------
    >>> checked_scores(np.array([[0.9, 0.1], [0.2, 0.8]]), ("ill", "well"), "y_score", cases=2).tolist()
    [0.1, 0.8]
    """
    order = [str(label_text(x)) for x in asked] if asked is not None else in_order(labels)
    if array.ndim not in (1, 2) or len(array) != cases:
        raise InvalidArgument(
            f"{what} has shape {array.shape} and y_true has {cases} cases; give one number a case, or one a class"
        )
    bad = np.flatnonzero(~np.isfinite(array).reshape(cases, -1).all(axis=1))
    if len(bad):
        kind = "missing (NaN)" if np.isnan(array[bad[0]]).any() else "infinite"
        advice = (
            "leave the case out of both arrays, or say what its score is"
            if "NaN" in kind
            else "give it a number beyond all others, if that is what is meant"
        )
        raise InvalidArgument(f"{what} is {kind} in {len(bad)} of {cases} cases (first: case {bad[0] + 1}); {advice}")
    if array.ndim == 1:
        return array
    if array.shape[1] == 1 and len(labels) == 2:
        return np.ascontiguousarray(array[:, 0])
    if array.shape[1] != len(labels):
        raise InvalidArgument(
            f"{what} has {array.shape[1]} columns and there are {len(labels)} classes ({listing(labels, 8)}); give the "
            "probability of each class, and name all classes in the order of the columns: labels="
        )
    _refuse_odd_probabilities(array, what)
    named = [label_text(name) for name in columns]
    if named and set(named) == set(labels):
        order = [str(name) for name in named]
    if len(labels) == 2:
        return np.ascontiguousarray(array[:, order.index(labels[1])])
    return np.ascontiguousarray(array[:, [order.index(name) for name in labels]])


def score_floats(values: Any, what: str) -> Floats:
    """Scores as floats of their own, of any shape; NaN where one is missing.

    Raises
    ------
    InvalidArgument
        Text, rows of different lengths, or no numbers.

    Examples
    --------
    >>> score_floats([1, None], "y_score").tolist()
    [1.0, nan]
    """
    try:
        array = np.asarray(unmasked(values))
    except ValueError:
        raise InvalidArgument(f"{what} has rows of different lengths; give one number a case, or one a class") from None
    if array.dtype.kind in "US" or (array.dtype.kind == "O" and any(isinstance(x, str) for x in array.ravel())):
        texts = (x for x in array.ravel().tolist() if isinstance(x, str | bytes))
        raise InvalidArgument(f"{what} holds text ({excerpt(next(texts))}); convert it to numbers first")
    if array.dtype.kind == "O":
        array = np.array(
            [np.nan if x is None or type(x).__name__ == "NAType" else x for x in array.ravel()], dtype=object
        ).reshape(array.shape)
    if array.dtype.kind not in "biufO":
        raise InvalidArgument(f"{what} is one number a case, or one a class, not {excerpt(values)}")
    try:
        return np.array(array, dtype=float, order="C")
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{what} is one number a case, or one a class, not {excerpt(values)}") from None


def _refuse_odd_probabilities(array: Floats, what: str) -> None:
    low = np.flatnonzero((array < 0).any(axis=1))
    if len(low):
        raise InvalidArgument(
            f"{what} holds {array[low[0]].min():g} (case {low[0] + 1}); columns by class are probabilities, from 0 to "
            "1. Of two classes, margins are one number a case, shape (n,)"
        )
    total = array.sum(axis=1)
    off = np.flatnonzero(np.abs(total - 1) > ROUNDED)
    if len(off):
        raise InvalidArgument(
            f"the probabilities of a case add to 1, and those of case {off[0] + 1} in {what} add to "
            f"{total[off[0]]:.4g} ({len(off)} such cases); give probabilities, or divide each row by its sum"
        )
