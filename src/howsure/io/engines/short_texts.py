"""Texts of up to eight bytes in a column of Arrow, as words: a word a row, compared like a whole number.

Arrow keeps the bytes of all texts end to end and the place of each; or, as views, sixteen bytes a text, in which its
size is followed by the text itself if that is short. Neither has to be made into Python's texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.io.engines.numbering import BLOCK, Words

__all__ = ["short_words"]

#: Bytes that a word holds.
LONGEST = 8

_WORD = np.dtype("<u8")
#: Of a word with so many bytes of a text: which bits are the text's, and the least value if its last byte is not NUL.
_OWN = np.array([2 ** (8 * size) - 1 for size in range(LONGEST + 1)], dtype=_WORD)
_LEAST = np.array([0, *(2 ** (8 * size) for size in range(LONGEST))], dtype=_WORD)

#: Words of some rows, and how many bytes of each belong to the text.
Block = tuple[Words, NDArray[np.integer[Any]]]


def short_words(column: Any) -> Words | None:
    """The bytes of each text as a number, 0 where it is missing or empty; None where a text is longer, or ends in NUL.

    Parameters
    ----------
    column : pyarrow.ChunkedArray
        Of type string, large_string or string_view.

    Examples
    --------
    >>> import pyarrow as pa
    >>> short_words(pa.chunked_array([["a", "b", None], ["ab"]])).tolist()
    [97, 98, 0, 25185]
    """
    words = np.empty(len(column), dtype=_WORD)
    start = 0
    for chunk in filter(len, column.chunks):
        filled = words[start : start + len(chunk)]
        block = _viewed(chunk) if str(chunk.type) == "string_view" else _placed(chunk)
        if block is None or not _fill(filled, block):
            return None
        if chunk.null_count:
            filled[chunk.is_null().to_numpy(zero_copy_only=False)] = 0
        start += len(chunk)
    return words


def _fill(words: Words, block: Callable[[slice], Block]) -> bool:
    """Fill in block by block; whether equal words are equal texts."""
    for begin in range(0, len(words), BLOCK):
        rows = slice(begin, min(begin + BLOCK, len(words)))
        words[rows], sizes = block(rows)
        # texts that differ in NULs at their end only would have one word
        if sizes.max() > LONGEST or (words[rows] < _LEAST.take(sizes)).any():
            return False
    return True


def _placed(chunk: Any) -> Callable[[slice], Block] | None:
    """Texts end to end, each with the place where it begins."""
    _, where, text = chunk.buffers()
    kind = np.int64 if str(chunk.type).startswith("large") else np.int32
    places = np.frombuffer(where, kind)[chunk.offset : chunk.offset + len(chunk) + 1]
    first, last = int(places[0]), int(places[-1])
    if last - first > LONGEST * len(chunk):
        return None
    data = np.zeros(last - first + LONGEST, dtype=np.uint8)
    if last > first:
        data[: last - first] = np.frombuffer(text, np.uint8)[first:last]
    at_any_place = np.ndarray((last - first + 1,), _WORD, data, strides=(1,))

    def block(rows: slice) -> Block:
        sizes = np.diff(places[rows.start : rows.stop + 1])
        return at_any_place[places[rows] - first] & _OWN.take(sizes, mode="clip"), sizes

    return block


def _viewed(chunk: Any) -> Callable[[slice], Block]:
    """Sixteen bytes a text: four of its size, and the text if it has up to twelve."""
    views = np.frombuffer(chunk.buffers()[1], _WORD).reshape(-1, 2)[chunk.offset : chunk.offset + len(chunk)]

    def block(rows: slice) -> Block:
        head, tail = views[rows].T
        return (head >> np.uint64(32)) | (tail << np.uint64(32)), head.astype(np.uint32).astype(np.int64)

    return block
