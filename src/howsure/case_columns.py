"""Columns of cases, checked: names of classifiers, ids, clusters, places among the labels, all classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.arguments import items
from howsure.errors import InvalidArgument, InvalidLabels, excerpt, listing
from howsure.labels import in_order, label_texts

__all__ = ["column", "label_names", "names_of", "places", "refuse_doubles", "renumbered"]

Codes = NDArray[np.int32]


def names_of(y_pred: Any) -> tuple[str, ...]:
    """Names of the classifiers, each a text."""
    if not isinstance(y_pred, Mapping) or not y_pred:
        raise InvalidArgument(
            'y_pred holds the answers of each classifier under its name, {"A": [...], "B": [...]}, not '
            + (type(y_pred).__name__ if y_pred is not None else "None")
        )
    odd = [name for name in y_pred if not isinstance(name, str) or not name.strip()]
    if odd:
        raise InvalidArgument(f"the name of a classifier is text, not {excerpt(odd[0])}")
    return tuple(y_pred)


def places(values: Any, what: str, size: int) -> Codes:
    """Places among ``size`` labels, -1 where missing."""
    try:
        array = np.asarray(values if hasattr(values, "__array__") else items(values, what, "a list of whole numbers"))
    except InvalidArgument:
        raise
    except ValueError:  # lists of different lengths
        array = np.empty((0, 0))
    if array.ndim != 1 or (array.size and (array.dtype.kind not in "iu" or array.min() < -1 or array.max() >= size)):
        raise InvalidLabels(
            f"{what} are places among the {size} labels, 0 to {size - 1}, or -1 where missing; not {excerpt(values)}"
        )
    return array.astype(np.int32, copy=False)


def column(values: Any, what: str, cases: int) -> NDArray[Any] | None:
    """One value for each case; None if none were given."""
    if values is None:
        return None
    try:
        array = np.array(values if hasattr(values, "__array__") else items(values, what, "one value for each case"))
    except InvalidArgument:
        raise
    except ValueError:  # lists of different lengths
        array = np.empty((0, 0))
    if array.shape != (cases,):
        raise InvalidLabels(f"{what} has shape {array.shape}, and {cases} cases need shape ({cases},)")
    return array


def refuse_doubles(ids: NDArray[Any]) -> None:
    """Refuse an id that comes twice."""
    distinct, counts = np.unique(ids.astype(str) if ids.dtype == object else ids, return_counts=True)
    if len(distinct) < len(ids):
        name = distinct[counts > 1][0]
        raise InvalidLabels(f"the id {excerpt(str(name))} comes {counts.max()} times; each case is one row")


def label_names(names: Sequence[str], texts: Sequence[list[str]], labels: Sequence[object] | None) -> tuple[str, ...]:
    """All classes; refuses answers that have nothing to do with the truth, or with ``labels``."""
    titles = ["y_true", *(f"classifier {excerpt(name)}" for name in names)]
    if labels is not None:
        given = label_texts(labels)
        for title, found in zip(titles, texts, strict=True):
            odd = [t for t in found if t not in set(given)]
            if odd:
                raise InvalidLabels(f"{title} holds {listing(map(excerpt, odd))}, not among labels {listing(given)}")
        return given
    seen: Iterable[str] = set().union(*texts)
    for title, found in zip(titles, texts, strict=True):
        if found and not set(found) & set(texts[0]):
            here, there = listing(map(excerpt, texts[0])), listing(map(excerpt, found))
            raise InvalidLabels(
                f"y_true holds {here} and {title} holds {there}: no class in common. "
                "Convert one of them, or name all classes with labels= if every case is wrong"
            )
    ordered = tuple(in_order(seen))
    if len(ordered) < 2:
        shown = listing(map(excerpt, ordered)) or "missing"
        raise InvalidLabels(f"all answers are {shown}; name the other classes with labels=, two at the least")
    return ordered


def renumbered(texts: list[str], codes: NDArray[np.int64], place: Mapping[str, int]) -> Codes:
    """Codes as places among all labels; -1 stays."""
    table = np.array([*(place[t] for t in texts), -1], dtype=np.int32)
    return table[codes]
