"""Four counts of a paired comparison: on how many cases both were right, only one of them, and neither."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from howsure.data.predictions import Predictions
from howsure.data.words import MARKS, RIGHT, WRONG
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt
from howsure.io.cells import NotACount, count_of
from howsure.io.contents import content_of
from howsure.io.entrants import Pair
from howsure.io.opening import opened
from howsure.io.table import TextTable
from howsure.numerics.arrays import repeat
from howsure.text.formats import integer

__all__ = ["pair_of_counts", "pair_of_table"]

#: Cases that four counts stand for.
MOST_CASES = 20_000_000
_MARKED = re.compile(r"(?P<name>.*?)[\s_:=(-]*(?P<mark>[^\W\d_]+|[+\u2212-])\)?")
_SIGNS = {"+": RIGHT, "-": WRONG, "\u2212": WRONG}


def pair_of_counts(names: tuple[str, str], both: int, only_a: int, only_b: int, neither: int) -> Pair:
    """Two classifiers on the same cases, from on how many they were right.

    Raises
    ------
    InvalidArgument
        No case, or too many; a count below 0; one name for both.

    Examples
    --------
    >>> pair_of_counts(("A", "B"), 5, 2, 1, 3).predictions.patterns("A", "B").counts.tolist()
    [3, 1, 2, 5]
    """
    counts = (both, only_a, only_b, neither)
    if min(counts) < 0 or not 1 <= sum(counts) <= MOST_CASES:
        raise InvalidArgument(f"four counts are of 1 to {integer(MOST_CASES)} cases, each 0 or more; not {counts}")
    if names[0] == names[1]:
        raise InvalidArgument(f"both classifiers are called {excerpt(names[0])}; name them apart")
    right = {names[0]: [1, 1, 0, 0], names[1]: [1, 0, 1, 0]}
    codes = {name: repeat(np.array(them), counts) for name, them in right.items()}
    made = Predictions.from_codes(np.ones(sum(counts), dtype=np.int64), codes, [WRONG, RIGHT])
    return Pair(names, made, None)


def pair_of_table(paths: Sequence[str]) -> Pair | None:
    """The same from a file with two rows and two columns, such as ``A correct, A wrong`` by ``B correct, B wrong``.

    Raises
    ------
    InvalidFile
        A cell that is no count.
    """
    if len(paths) != 1 or paths[0] == "-":
        return None
    try:
        with opened(paths[0]) as file:
            content = content_of(file)
            if not isinstance(content, TextTable) or len(content.header) != 3:
                return None
            rows = [row for row in content.peek(4) if len(row) == 3]
    except HowsureError:
        return None  # whoever reads it says why not
    sides = [_marks([row[0] for row in rows]), _marks(content.header[1:])]
    if len(rows) != 2 or sides[0] is None or sides[1] is None:
        return None
    (one, across), (two, down) = sides[0], sides[1]
    cells = {}
    for row, mark in zip(rows, across, strict=True):
        for cell, other in zip(row[1:], down, strict=True):
            try:
                cells[mark, other] = count_of(cell)
            except NotACount as reason:
                raise InvalidFile(content.source, f"{one} {mark} and {two} {other} {reason}") from None
    order = [(RIGHT, RIGHT), (RIGHT, WRONG), (WRONG, RIGHT), (WRONG, WRONG)]
    return pair_of_counts((one, two), *(cells[key] for key in order))


def _marks(names: Sequence[str]) -> tuple[str, list[str]] | None:
    """The classifier that two names are of, and what each says of it; None where they are no right and wrong."""
    found = [_MARKED.fullmatch(name.strip()) for name in names]
    if len(found) != 2 or not all(found):
        return None
    marks = [_SIGNS.get(it["mark"]) or MARKS.get(it["mark"].lower(), "") for it in found if it]
    titles = {it["name"].strip() for it in found if it}
    return (titles.pop(), marks) if len(titles) == 1 and titles != {""} and set(marks) == {RIGHT, WRONG} else None
