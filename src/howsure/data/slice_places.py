"""Which slice each case is of: the values of one column, or the combinations of several that occur."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from howsure.data.labels import distinct_answers, in_order
from howsure.errors import InvalidArgument, InvalidLabels, excerpt
from howsure.numerics.arrays import Integers

__all__ = ["SlicePlaces", "slice_names", "slice_places"]

#: Between the values of several columns, in the name of a slice; and a value that is missing.
BETWEEN, MISSING = " / ", "(missing)"


class SlicePlaces(NamedTuple):
    """Names of the slices, which of them each case is of, and the names of the columns."""

    names: tuple[str, ...]
    place: Integers
    by: tuple[str, ...]


def slice_places(by: Any, cases: int) -> SlicePlaces:
    """Slices of cases by the values of columns, in the order of their values.

    Parameters
    ----------
    by : array_like, shape (n,), or mapping of str to such, or data frame
        The slice of each case; or several columns by name. A missing value is a slice of its own.
    cases : int
        How many there are.

    Raises
    ------
    InvalidArgument, InvalidLabels
        No column, or another number of values.

    Examples
    --------
    >>> found = slice_places({"os": ["b", "a", None], "day": [1, 1, 1]}, 3)
    >>> found.names, found.place.tolist(), found.by
    (('a / 1', 'b / 1', '(missing) / 1'), [1, 0, 2], ('os', 'day'))
    """
    names = by if isinstance(by, Mapping) else getattr(by, "column_names", getattr(by, "columns", None))
    columns = {"": by} if names is None else {name: by[name] for name in names}
    if not columns:
        raise InvalidArgument("by= needs a column: one value a case, or a mapping of names to columns")
    coded = []
    for name, values in columns.items():
        texts, codes = distinct_answers(values, f"by {excerpt(name)}" if name else "by")
        if len(codes) != cases:
            raise InvalidLabels(f"every case needs a slice: there are {cases} cases and {len(codes)} values of by")
        ordered = in_order(texts)
        rank = {text: i for i, text in enumerate(ordered)}
        places = np.array([*(rank[text] for text in texts), len(ordered)], dtype=np.int64)[codes]
        coded.append(([*ordered, None], places))
    combined, place = _combined(coded)
    return SlicePlaces(tuple(slice_names(combined)), place, tuple(str(name) for name in columns if name))


def slice_names(values: Sequence[Sequence[str | None]]) -> list[str]:
    """Names of slices from the values of their columns.

    Raises
    ------
    InvalidLabels
        Two slices would have one name.

    Examples
    --------
    >>> slice_names([("de", "phone"), ("de", None)])
    ['de / phone', 'de / (missing)']
    """
    names = [BETWEEN.join(MISSING if value is None else value for value in each) for each in values]
    if len(set(names)) < len(names):
        seen: set[str] = set()
        double = next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InvalidLabels(
            f"two slices would be called {excerpt(double)}; write one of the values without {BETWEEN!r} or {MISSING!r}"
        )
    return names


def _combined(
    columns: Sequence[tuple[Sequence[str | None], Integers]],
) -> tuple[list[tuple[str | None, ...]], Integers]:
    """Combinations of values that occur, in order, and which of them each case is of."""
    values: list[tuple[str | None, ...]] = [()]
    place = np.zeros(len(columns[0][1]), dtype=np.int64)
    for texts, codes in columns:  # numbered again after each column, so that no product of sizes grows too large
        distinct, place = np.unique(place * len(texts) + codes, return_inverse=True)
        values = [(*values[i // len(texts)], texts[i % len(texts)]) for i in distinct.tolist()]
        place = place.ravel().astype(np.int64)
    return values, place
