"""Lines of delimiters alone at the end of text, as a spreadsheet leaves them: rows to DuckDB, and no cases."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np

from howsure.io.counting.count_columns import CountColumns
from howsure.io.counting.result import SetAside
from howsure.io.counting.tally_to_counts import Tally
from howsure.io.engines.lost_lines import BLOCK
from howsure.io.table import TextTable
from howsure.io.unpacking import BEGINNING, packing_of, unpacked
from howsure.text.formats import plain

__all__ = ["blank_lines_at_end", "without_blank_end"]

#: Bytes of blank cells, quoted or not; those of a no-break space as well.
_BLANK = b' \t\r\n\f\v,;"\xc2\xa0'


def blank_lines_at_end(table: TextTable) -> int:
    """Lines of delimiters alone at the ends of the files of a table.

    Examples
    --------
    >>> blank_lines_at_end(TextTable("x.csv", [], 1, iter([])))
    0
    """
    origin = table.origin
    if origin is None or origin.format != "csv":
        return 0
    delimiter = origin.delimiter.encode()
    # the first is the end of the last row
    return sum(delimiter in line for path in origin.files for line in _end(path).splitlines()[1:])


def without_blank_end(tally: Tally, table: TextTable, ask: CountColumns) -> Tally:
    """What DuckDB counted, less the lines of delimiters alone at the end: they are among the rows without anything."""
    aside = next((one for one in tally.aside if one.reason == "no weight"), None)
    nothing = np.all([codes < 0 for _, codes in (tally.truth, *tally.answers, *tally.by)], axis=0)
    places = np.flatnonzero(nothing & (tally.rows > 0))
    if ask.count is not None or tally.model is not None or not (len(places) or aside):
        return tally
    lines = blank_lines_at_end(table)
    if aside is not None:
        others = [one for one in tally.aside if one is not aside]
        left = aside.rows - lines
        return replace(tally, aside=[*others, SetAside(aside.reason, left, aside.examples)] if left > 0 else others)
    rows = tally.rows.copy()
    for place in places:
        taken = min(lines, int(rows[place]))
        rows[place] -= taken
        lines -= taken
    there = rows > 0
    truth, *columns = ((texts, codes[there]) for texts, codes in (tally.truth, *tally.answers, *tally.by))
    answers, by = columns[: len(tally.answers)], columns[len(tally.answers) :]
    names = (ask.truth, *ask.answers.values())
    gaps = {name: int(rows[there][codes < 0].sum()) for name, (_, codes) in zip(names, (truth, *answers), strict=True)}
    where = tally.where
    # the places of the first gaps are those of the cases, and the lines that are left out come behind them
    named = None if where is None else lambda column: where(column)[: gaps.get(column, 0)]
    return replace(tally, truth=truth, answers=answers, by=by, rows=rows[there], where=named)


def _end(path: str) -> bytes:
    """The blank bytes at the end of a file; of a plain one only these are read."""
    end = last = b""
    with open(path, "rb") as file:
        packing = packing_of(file.read(BEGINNING))
        if packing:
            file.seek(0)
            stream = unpacked(plain(path, 200), packing, file)
            while block := stream.read(BLOCK):
                last = block.rstrip(_BLANK)
                end = block[len(last) :] if last else end + block
            return end
        start = file.seek(0, os.SEEK_END)
        while start and not last:
            size = min(BLOCK, start)
            start = file.seek(start - size)
            block = file.read(size)
            last = block.rstrip(_BLANK)
            end = block[len(last) :] + end
    return end
