"""What may stand in a confusion matrix: whole numbers in a square, or cell by cell, each checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.refusals import say
from howsure.data.words import is_total, role
from howsure.errors import InvalidCounts, InvalidLabels, excerpt, listing

#: The largest count that JSON, a spreadsheet and a double all keep exactly.
LARGEST_COUNT = 2**53 - 1


def framed(counts: Any, labels: Sequence[str] | None, *, turned: bool) -> tuple[Any, list[str] | None, bool]:
    """Counts of a pandas DataFrame by the names that it carries, its class names, and whether its rows are predicted.

    Rows and columns are matched by name. Index and columns may say which of them is the truth.
    """
    if not (hasattr(counts, "index") and hasattr(counts, "columns") and hasattr(counts, "iloc")):
        return counts, None, turned
    rows, columns = ([str(x) for x in axis] for axis in (counts.index, counts.columns))
    if sorted(rows) != sorted(columns) or len(set(rows)) < len(rows):
        if labels is not None:
            return counts, None, turned
        raise InvalidLabels(say("frame_unlike", rows, columns))
    names = [str(getattr(axis, "name", None) or "") for axis in (counts.index, counts.columns)]
    said = [role(name) for name in names]
    predicted = said[0] == "pred" or said[1] == "true"
    if (predicted and (said[0] == "true" or said[1] == "pred")) or (turned and said[0] == "true"):
        shown = listing(excerpt(name) if name else "nothing" for name in names)
        raise InvalidLabels(say("frame_contradicts", shown))
    order = list(labels) if labels is not None and sorted(labels) == sorted(rows) else rows
    at, across = [rows.index(name) for name in order], [columns.index(name) for name in order]
    return counts.iloc[at, across], order if labels is None else None, turned or predicted


def refuse_totals(names: Sequence[str], counts: NDArray[np.int64]) -> None:
    """Refuse a frame whose last row and column are the sums of the others by name and by number (``margins=True``).

    Examples
    --------
    >>> refuse_totals(["a", "b"], np.array([[1, 2], [3, 4]]))
    """
    inner = counts[:-1, :-1]
    if not (len(names) > 2 and is_total(names[-1]) and inner.any()):
        return
    if np.array_equal(inner.sum(axis=0), counts[-1, :-1]) and np.array_equal(inner.sum(axis=1), counts[:-1, -1]):
        raise InvalidCounts(say("sums_as_class", names[-1]))


def checked_counts(counts: Any, labels: Sequence[str] | None) -> NDArray[np.int64]:
    """Square array of whole numbers 0 to 2**53 - 1, or an error that names the first bad cell."""
    given = _array_of(counts)
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        if not len(given if given.ndim else [1]):
            raise InvalidCounts("a confusion matrix needs two or more classes; this one has none")
        if not given.ndim or isinstance(counts, Mapping):
            raise InvalidCounts(f"counts must be a square table, a row for each true class; not {excerpt(counts)}")
        raise InvalidCounts(
            _ragged(counts) if given.ndim == 1 else f"counts must be square, not of shape {given.shape}"
        )
    return _whole_table(given, labels, labels)


def checked_table(
    counts: Any, rows: Sequence[str] | None, columns: Sequence[str] | None, *, turned: bool
) -> NDArray[np.int64]:
    """Array of whole numbers, true classes by verdicts (the other way round if ``turned``); or an error."""
    given = _array_of(counts)
    if given.ndim != 2 or not given.size:
        shape = f"an array of shape {given.shape}" if given.size else "nothing"
        raise InvalidCounts(f"counts are a table of true classes (rows) by verdicts (columns), not {shape}")
    return _whole_table(given.T if turned else given, rows, rows if columns is None else columns)


def _array_of(counts: Any) -> NDArray[Any]:
    if isinstance(counts, np.ma.MaskedArray) and np.ma.is_masked(counts):
        raise InvalidCounts("the counts are a masked array with masked cells; fill them in (0 where there were none)")
    try:
        # through object, because NumPy would turn 2**53 + 1 in a list with one float into a float
        rows = np.asarray(counts).tolist() if hasattr(counts, "__array__") else counts
        return counts if isinstance(counts, np.ndarray) else np.array(rows, dtype=object)
    except ValueError:
        raise InvalidCounts(_ragged(counts)) from None


def _whole_table(
    given: NDArray[Any], row_labels: Sequence[str] | None, column_labels: Sequence[str] | None
) -> NDArray[np.int64]:
    if len(given) < 2:
        raise InvalidCounts("a confusion matrix needs two or more classes; this one has one")
    rows, columns = (
        [str(i) for i in range(size)] if labels is None or len(labels) != size else list(labels)
        for labels, size in zip((row_labels, column_labels), given.shape, strict=True)
    )

    def cell(at: int) -> str:
        i, j = divmod(at, given.shape[1])
        return f"true {excerpt(rows[i])} predicted {excerpt(columns[j])}"

    return _whole_counts(given, cell)


def _whole_counts(given: NDArray[Any], cell: Callable[[int], str]) -> NDArray[np.int64]:
    """Counts as whole numbers that are not too many; ``cell`` says which one is none."""
    if given.dtype.kind in "iu" and given.min(initial=0) >= 0 and given.max(initial=0) <= LARGEST_COUNT:
        whole = given.astype(np.int64)
    else:
        checked = [_whole(value, cell(at), given) for at, value in enumerate(given.ravel().tolist())]
        whole = np.array(checked, dtype=np.int64).reshape(given.shape)
    # a sum of doubles is close enough to say when the exact one must be made
    if whole.sum(dtype=float) > LARGEST_COUNT / 2 and int(whole.astype(object).sum()) > LARGEST_COUNT:
        raise InvalidCounts(f"the counts add up to more than 2**53 - 1 = {LARGEST_COUNT}")
    return whole


def whole_number(value: Any, what: str) -> int:
    """A count of its own, or an error that says what it counts."""
    return _whole(value, what, np.empty((0, 0)))


def checked_cells(
    true: Any, pred: Any, counts: Any, labels: Sequence[str] | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], int]:
    """Rows, columns and counts of single cells, and the number of classes; or an error that names the first bad one."""
    rows, columns = _codes(true, "y_true_codes"), _codes(pred, "y_pred_codes")
    given = np.asarray(counts if hasattr(counts, "__array__") else _objects(counts))
    if given.ndim != 1 or not len(rows) == len(columns) == len(given):
        raise InvalidCounts(say("unlike_cells", len(rows), len(columns), str(given.shape)))
    seen = int(max(rows.max(initial=-1), columns.max(initial=-1))) + 1
    size = seen if labels is None else len(labels)
    if size < 2:
        raise InvalidCounts("a confusion matrix needs two or more classes; name them with labels=")
    for codes, what in ((rows, "y_true_codes"), (columns, "y_pred_codes")):
        odd = np.flatnonzero((codes < 0) | (codes >= size))
        if len(odd):
            raise InvalidLabels(say("codes_outside", what, size - 1, size, odd[0] + 1, codes[odd[0]]))
    names = [str(i) for i in range(size)] if labels is None else labels
    whole = _whole_counts(given, lambda at: f"true {excerpt(names[rows[at]])} predicted {excerpt(names[columns[at]])}")
    return rows, columns, whole, size


def _codes(values: Any, what: str) -> NDArray[np.int64]:
    """Places of classes as whole numbers, whatever their size."""
    try:
        array = np.asarray(values)
    except ValueError:  # lists of different lengths
        array = np.empty((0, 0))
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise InvalidLabels(say("no_codes", what, values))
    return array.astype(np.int64)


def _objects(values: Any) -> NDArray[Any]:
    """Values as they are, so that a bool or a text stays what it is."""
    if isinstance(values, str | bytes | set | frozenset) or not isinstance(values, Iterable):
        raise InvalidCounts(f"counts must be one integer for each cell, not {excerpt(values)}")
    listed = list(values)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def _whole(value: Any, cell: str, given: NDArray[Any]) -> int:
    """One cell as an int, or the sentence that says why not."""
    expected = "counts must be integers, 0 or more"
    if isinstance(value, bool | np.bool_ | np.timedelta64) or not isinstance(
        value, int | float | np.integer | np.floating
    ):
        if isinstance(value, str) and value.strip().endswith("%"):
            raise InvalidCounts(f"{expected}; {cell} holds the percentage {excerpt(value)}. Enter numbers of cases.")
        raise InvalidCounts(f"{expected}; {cell} holds {excerpt(value)}")
    if value != value:
        raise InvalidCounts(f"{expected}; {cell} is missing (NaN)")
    if value < 0:
        raise InvalidCounts(f"{expected}; {cell} holds {_shown(value)}")
    if value > LARGEST_COUNT:
        raise InvalidCounts(f"counts above 2**53 - 1 = {LARGEST_COUNT} are not exact; {cell} holds {_shown(value)}")
    if value != int(value):
        hint = ""
        rows = given.tolist() if given.ndim == 2 else [given.tolist()]
        sums = [float(sum(row)) for row in rows if all(isinstance(x, int | float) for x in row)]
        if sums and all(abs(s - t) < 0.02 * t for s in sums for t in [1.0 if sums[0] < 50 else 100.0]):
            hint = " These look like shares or percentages; enter numbers of cases (share times class size)."
        raise InvalidCounts(f"{expected}; {cell} holds {value}.{hint}")
    return int(value)


def _shown(value: Any) -> str:
    """A number as it came, cut where it has hundreds of digits."""
    return excerpt(value.item() if isinstance(value, np.generic) else value)


def _ragged(counts: Any) -> str:
    try:
        lengths = [len(row) for row in counts]
    except TypeError:
        return f"counts must be a square table of numbers, not {excerpt(counts)}"
    return f"counts must be square; the {len(lengths)} rows hold {listing(map(str, lengths))} numbers"


def call(given: object, beside: object = None) -> str:
    """Call that makes a `ConfusionMatrix` of what was given in its place, for the sentence that refuses it.

    Examples
    --------
    >>> call([0, 1, 1], [0, 1, 0]), call([[45, 5], [8, 42]])
    ('ConfusionMatrix.from_predictions(y_true, y_pred)', 'ConfusionMatrix(counts)')
    """
    if hasattr(given, "cells"):
        return "confusion"
    cases = _is_column(given) and _is_column(beside)
    return "ConfusionMatrix.from_predictions(y_true, y_pred)" if cases else "ConfusionMatrix(counts)"


def _is_column(given: object) -> bool:
    """Whether it is one value a case: a list, an array or a series, and no table."""
    if isinstance(given, str | bytes) or not hasattr(given, "__len__") or not hasattr(given, "__iter__"):
        return False
    if hasattr(given, "shape"):
        return len(given.shape) == 1
    return not any(isinstance(value, list | tuple | np.ndarray) for value in given)
