"""What may stand in a confusion matrix: whole numbers in a square, checked cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.errors import InvalidCounts, InvalidLabels, excerpt, listing

__all__ = ["LARGEST_COUNT", "checked_counts", "frame_labels"]

#: The largest count that JSON, a spreadsheet and a double all keep exactly.
LARGEST_COUNT = 2**53 - 1


def frame_labels(counts: Any) -> list[str] | None:
    """Class names that a pandas DataFrame carries; index and columns must agree."""
    if not (hasattr(counts, "index") and hasattr(counts, "columns") and hasattr(counts, "iloc")):
        return None
    rows, columns = ([str(x) for x in axis] for axis in (counts.index, counts.columns))
    if rows != columns:
        raise InvalidLabels(
            f"the frame's index (true) has {listing(rows)}, its columns (predicted) have {listing(columns)}; "
            "they must be the same classes in the same order"
        )
    return rows


def checked_counts(counts: Any, labels: Sequence[str] | None) -> NDArray[np.int64]:
    """Square array of whole numbers 0 to 2**53 - 1, or an error that names the first bad cell."""
    try:
        # through object, because NumPy would turn 2**53 + 1 in a list with one float into a float
        given = counts if isinstance(counts, np.ndarray) else np.array(_plain_rows(counts), dtype=object)
    except ValueError:
        raise InvalidCounts(_ragged(counts)) from None
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise InvalidCounts(
            _ragged(counts) if given.ndim == 1 else f"counts must be square, not of shape {given.shape}"
        )
    size = len(given)
    if size < 2:
        raise InvalidCounts("a confusion matrix needs two or more classes; this one has one")
    names = [str(i) for i in range(size)] if labels is None or len(labels) != size else list(labels)

    def name(i: int, j: int) -> str:
        return f"true {excerpt(names[i])} predicted {excerpt(names[j])}"

    if given.dtype.kind in "iu" and given.min() >= 0 and given.max() <= LARGEST_COUNT:
        whole = given.astype(np.int64)
    else:
        whole = np.zeros((size, size), dtype=np.int64)
        for (i, j), value in np.ndenumerate(given):
            whole[i, j] = _whole(value, name(i, j), given)
    if int(whole.astype(object).sum()) > LARGEST_COUNT:
        raise InvalidCounts(f"the counts add up to more than 2**53 - 1 = {LARGEST_COUNT}")
    return whole


def _whole(value: Any, cell: str, given: NDArray[Any]) -> int:
    """One cell as an int, or the sentence that says why not."""
    expected = "counts must be whole numbers, 0 or more"
    if isinstance(value, bool | np.bool_) or not isinstance(value, int | float | np.integer | np.floating):
        if isinstance(value, str) and value.strip().endswith("%"):
            raise InvalidCounts(f"{expected}; {cell} holds the percentage {excerpt(value)}. Enter numbers of cases.")
        raise InvalidCounts(f"{expected}; {cell} holds {excerpt(value)}")
    if value != value:
        raise InvalidCounts(f"{expected}; {cell} is missing (NaN)")
    if value < 0:
        raise InvalidCounts(f"{expected}; {cell} holds {value}")
    if value > LARGEST_COUNT:
        raise InvalidCounts(f"counts above 2**53 - 1 = {LARGEST_COUNT} are not exact; {cell} holds {value}")
    if value != int(value):
        hint = ""
        sums = [float(sum(row)) for row in given.tolist() if all(isinstance(x, int | float) for x in row)]
        if sums and all(abs(s - t) < 0.02 * t for s in sums for t in [1.0 if sums[0] < 50 else 100.0]):
            hint = " These look like shares or percentages; enter numbers of cases (share times class size)."
        raise InvalidCounts(f"{expected}; {cell} holds {value}.{hint}")
    return int(value)


def _plain_rows(counts: Any) -> Any:
    """Nested lists of whatever holds the numbers (frames, tensors, nested sequences)."""
    if hasattr(counts, "__array__"):
        return np.asarray(counts).tolist()
    return counts


def _ragged(counts: Any) -> str:
    try:
        lengths = [len(row) for row in counts]
    except TypeError:
        return f"counts must be a square table of numbers, not {excerpt(counts)}"
    return f"counts must be square; the {len(lengths)} rows hold {listing(map(str, lengths))} numbers"
