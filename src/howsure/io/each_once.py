"""Files that are one table: each is read once, whatever names it has."""

from __future__ import annotations

import os
from collections.abc import Sequence

from howsure.errors import excerpt, listing

__all__ = ["each_once"]


def each_once(files: Sequence[str], notes: list[str]) -> list[str]:
    """Each file by the first of its names, with a note on the others: its cases are no more for being named again.

    Parameters
    ----------
    files : sequence of str
    notes : list of str
        Gets the note.

    Examples
    --------
    >>> notes = []
    >>> each_once(["a.csv", "b.csv", "./a.csv"], notes), notes
    (['a.csv', 'b.csv'], ["Named before, and read once: './a.csv'."])
    """
    once: dict[str, str] = {}
    again = []
    for file in files:
        try:
            real = os.path.realpath(file)
        except ValueError:  # no name of a file, which opening complains about
            real = file
        if real in once:
            again.append(excerpt(file))
        once.setdefault(real, file)
    if again:
        notes.append(f"Named before, and read once: {listing(again)}.")
    return list(once.values())
