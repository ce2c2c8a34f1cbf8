"""Equal values get equal numbers without sorting: by a table of hashed words in which every row is compared.

A row whose slot is taken by another value is numbered apart, by sorting the few that are left. So a collision costs
time and never a count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["BLOCK", "Numbered", "Words", "numbered_objects", "numbered_texts", "numbered_words"]

Words = NDArray[np.uint64]
Parts = NDArray[np.unsignedinteger[Any]]

#: The first row of each different value, in the order of the rows, and for each row the number of its value.
Numbered = tuple[NDArray[np.int64], NDArray[np.int64]]

#: Rows of one block: its columns stay in the cache.
BLOCK = 2**16
#: Different values beyond which sorting, or a dictionary, is as good.
MOST_VALUES = 2**18

_SLOT_BITS = 20
_ODD = np.uint64(0x9E3779B97F4A7C15)


def numbered_objects(array: NDArray[np.object_]) -> Numbered | None:
    """Number Python objects by identity: what is one object is one value, though equal values may be several objects.

    Columns of few classes mostly share their objects. None where they do not.

    Examples
    --------
    >>> ill, well = "ill", "well"
    >>> first, number = numbered_objects(np.array([ill, well, ill], dtype=object))
    >>> first.tolist(), number.tolist()
    ([0, 1], [0, 1, 0])
    """
    held = np.ascontiguousarray(array)
    addresses = np.frombuffer(held, dtype=np.uintp)  # numbers only; `held` keeps the objects alive
    return _numbered(len(array), lambda rows: addresses[rows].astype(np.uint64, copy=False))


def numbered_texts(array: NDArray[np.str_]) -> Numbered | None:
    """Number texts of fixed width; None where there are very many different ones.

    Up to eight characters below U+0100 fit into one word, and then the comparison is one of words. Longer texts are
    folded into one word and compared in full afterwards.

    Examples
    --------
    >>> first, number = numbered_texts(np.array(["ill", "well", "ill"]))
    >>> first.tolist(), number.tolist()
    ([0, 1], [0, 1, 0])
    """
    held = np.ascontiguousarray(array)
    wide = array.dtype.itemsize % 8 == 0
    words: Parts = (held.view(np.uint64) if wide else held.view(np.uint32)).reshape(len(array), -1)
    if words.shape[1] == 1:
        return _numbered(len(words), lambda rows: words[rows, 0].astype(np.uint64, copy=False))
    if array.dtype.itemsize <= 32 and _are_narrow(words):
        return _numbered(len(words), lambda rows: _packed(words[rows]))
    found = _numbered(len(words), lambda rows: _folded(words[rows]))
    return found if found is not None and _are_same(words, found) else None


def numbered_words(words: Words) -> Numbered | None:
    """Number words; None where there are very many different ones."""
    return _numbered(len(words), words.__getitem__)


def _are_narrow(words: Parts) -> bool:
    """Whether all characters are below U+0100, so that three of the four bytes of each are 0."""
    high = words.dtype.type(0xFFFFFF00FFFFFF00 & np.iinfo(words.dtype).max)
    flat = words.reshape(-1)
    blocks = range(0, len(flat), 4 * BLOCK)
    return not any(np.bitwise_or.reduce(flat[i : i + 4 * BLOCK]) & high for i in blocks)


def _packed(block: Parts) -> Words:
    """Narrow characters side by side, one byte each."""
    word = block[:, 0].astype(np.uint64)
    for place in range(1, block.shape[1]):
        word |= block[:, place].astype(np.uint64, copy=False) << np.uint64(8 * place)
    return word


def _folded(block: Parts) -> Words:
    """All words of a text mixed into one."""
    word = np.full(len(block), _ODD, dtype=np.uint64)
    for place in range(block.shape[1]):
        word ^= block[:, place]
        word *= _ODD
        word ^= word >> np.uint64(29)
    return word


def _are_same(words: Parts, found: Numbered) -> bool:
    """Whether every row is, word by word, the first row of its number."""
    first, number = found
    examples = words[first]
    blocks = (slice(i, i + BLOCK) for i in range(0, len(words), BLOCK))
    return all(np.array_equal(words[rows], examples[number[rows]]) for rows in blocks)


def _numbered(rows: int, words_of: Callable[[slice], Words]) -> Numbered | None:
    """Number the rows by their words; None beyond `MOST_VALUES`."""
    bits = min(_SLOT_BITS, 4 + rows.bit_length())  # few rows need a small table
    taken = np.full(2**bits, -1, dtype=np.int64)
    value = np.empty(0, dtype=np.uint64)
    first = np.empty(0, dtype=np.int64)
    number = np.empty(rows, dtype=np.int64)
    apart = []
    for start in range(0, rows, BLOCK):
        word = words_of(slice(start, start + BLOCK)) * _ODD  # an odd factor maps words one to one
        slot = (word >> np.uint64(64 - bits)).view(np.int64)
        found = number[start : start + BLOCK]
        np.take(taken, slot, out=found, mode="wrap")
        fresh = np.flatnonzero(found < 0)
        if len(fresh):
            at = fresh[np.sort(np.unique(slot[fresh], return_index=True)[1])]
            taken[slot[at]] = np.arange(len(value), len(value) + len(at))
            value, first = np.append(value, word[at]), np.append(first, at + start)
            if len(value) > MOST_VALUES:
                return None
            found[fresh] = taken[slot[fresh]]
        other = np.flatnonzero(value.take(found) != word)
        if len(other):
            apart.append((other + start, word[other]))
    if not apart:
        return first, number
    where, odd = (np.concatenate(part) for part in zip(*apart, strict=True))
    _, at, codes = np.unique(odd, return_index=True, return_inverse=True)
    if len(at) + len(first) > MOST_VALUES:
        return None
    number[where] = codes + len(first)
    first = np.append(first, where[at])
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return first[order], place[number]
