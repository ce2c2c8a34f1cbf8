"""The look through text that finds what DuckDB leaves out without a word.

DuckDB drops the last line of a file if it is longer than a buffer, and takes a Zstandard stream that is cut short for a
whole one. Of plain files the last bytes show whether that can be; packed ones have to be unpacked once more, which
takes less time than counting them and is done beside it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import IO

from howsure.errors import InvalidFile
from howsure.io.unpacking import BEGINNING, packing_of, unpacked
from howsure.text.formats import integer, plain

__all__ = ["LONGEST_LINE", "check_last_line", "looked_through"]

#: Bytes of a line that DuckDB reads.
LONGEST_LINE = 2_000_000
#: Bytes that are looked at in one go; fewer than those of the longest line.
BLOCK = 2**18


def looked_through(files: Sequence[str], longest: int = LONGEST_LINE) -> Iterator[None]:
    """Read what is packed to its end, a block at each step.

    Parameters
    ----------
    files : sequence of str
    longest : int
        Bytes of a line that are read.

    Raises
    ------
    InvalidFile
        A stream that is damaged or cut short, or a line that is too long.
    """
    for path in files:
        name = plain(path, 200)
        with open(path, "rb") as file:
            packing = packing_of(file.read(BEGINNING))
            file.seek(0)
            yield from _measured(name, unpacked(name, packing, file) if packing else file, longest)


def check_last_line(path: str) -> None:
    """Refuse a plain file whose last line DuckDB might drop; only its end is read."""
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size <= LONGEST_LINE + 2:
            return
        file.seek(size - LONGEST_LINE - 2)
        if b"\n" in file.read().rstrip(b"\r\n"):
            return
        file.seek(0)
        for _ in _measured(plain(path, 200), file, LONGEST_LINE):
            pass  # tells the number of the line


def _measured(name: str, file: IO[bytes], longest: int) -> Iterator[None]:
    """Read a file block by block up to a line that is too long."""
    lines = length = 0
    while block := file.read(BLOCK):
        first = block.find(b"\n")
        length += len(block) if first < 0 else first
        if length > longest:
            problem = f"the line is longer than {integer(longest)} bytes"
            advice = "are its line ends missing, or a quote that ends a cell?"
            raise InvalidFile(name, f"{problem}; {advice}", lines + 1)
        if first >= 0:
            length = len(block) - block.rindex(b"\n") - 1
            lines += block.count(b"\n")
        yield
