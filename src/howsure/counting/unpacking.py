"""Packed text as bytes, and the look through it that finds what DuckDB leaves out without a word.

DuckDB drops the last line of a file if it is longer than a buffer, and takes a Zstandard stream that is cut short for a
whole one. Of plain files the last bytes show whether that can be; packed ones have to be unpacked once more, which
takes less time than counting them and is done beside it.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from howsure.errors import InvalidFile, MissingExtra
from howsure.formats import integer, plain

__all__ = ["LONGEST_LINE", "PACKED", "check_last_line", "is_packed", "looked_through", "unpacked"]

PACKED = (".gz", ".zst")

#: Bytes of a line that DuckDB reads.
LONGEST_LINE = 2_000_000
#: Bytes that are looked at in one go; fewer than those of the longest line.
BLOCK = 2**18
#: Packed bytes that are unpacked in one go: of a stream of zeros they become 30,000 times as many.
PIECE = 2**12


def is_packed(path: str) -> bool:
    """Whether the name says that a file is packed.

    Examples
    --------
    >>> is_packed("cases.csv.gz"), is_packed("cases.csv")
    (True, False)
    """
    return path.lower().endswith(PACKED)


@contextmanager
def unpacked(path: str) -> Iterator[IO[bytes]]:
    """Bytes of a file, plain or packed.

    Raises
    ------
    InvalidFile
        Also while it is read: it cannot be opened, is damaged or cut short.
    MissingExtra
        Nothing here unpacks Zstandard.
    """
    name = plain(path, 200)
    packing = "Zstandard" if path.lower().endswith(".zst") else "gzip"
    try:
        with _opened(path) as file:
            yield file
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InvalidFile(name, f"the {packing} stream is damaged or cut short ({plain(str(error))})") from None
    except OSError as error:
        raise InvalidFile(name, f"it cannot be opened: {plain(error.strerror or str(error))}") from None


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
    for path in filter(is_packed, files):
        yield from _measured(path, longest)


def check_last_line(path: str) -> None:
    """Refuse a plain file whose last line DuckDB might drop; only its end is read."""
    with unpacked(path) as file:
        size = file.seek(0, os.SEEK_END)
        if size <= LONGEST_LINE + 2:
            return
        file.seek(size - LONGEST_LINE - 2)
        suspect = b"\n" not in file.read().rstrip(b"\r\n")
    if suspect:
        for _ in _measured(path, LONGEST_LINE):
            pass  # tells the number of the line


def _measured(path: str, longest: int) -> Iterator[None]:
    """Read a file block by block up to a line that is too long."""
    with unpacked(path) as file:
        lines = length = 0
        while block := file.read(BLOCK):
            first = block.find(b"\n")
            length += len(block) if first < 0 else first
            if length > longest:
                problem = f"the line is longer than {integer(longest)} bytes"
                advice = "are its line ends missing, or a quote that ends a cell?"
                raise InvalidFile(plain(path, 200), f"{problem}; {advice}", lines + 1)
            if first >= 0:
                length = len(block) - block.rindex(b"\n") - 1
                lines += block.count(b"\n")
            yield


def _opened(path: str) -> IO[bytes]:
    suffix = Path(path.lower()).suffix
    if suffix == ".zst":
        return io.BufferedReader(_Zstandard(path), BLOCK)
    return cast(IO[bytes], gzip.open(path, "rb")) if suffix == ".gz" else open(path, "rb")


class _Zstandard(io.RawIOBase):
    """Frames of Zstandard one after the other; an `EOFError` where the last is cut short, as gzip has it."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "rb")  # noqa: SIM115  # closed by `close`
        self._pieces, self._ready = _pieces(self._file), memoryview(b"")

    def readable(self) -> bool:
        """Bytes can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill as much of a buffer as one piece does."""
        while not self._ready:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._ready = memoryview(piece)
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def close(self) -> None:
        """Close the file as well."""
        self._file.close()
        super().close()


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("Reading what is packed with Zstandard", "files") from None
    frame = None
    try:
        while packed := file.read(PIECE):
            while packed:
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(packed)
                frame, packed = (None, frame.unused_data) if frame.eof else (frame, b"")
    except zstandard.ZstdError as error:
        raise EOFError(str(error)) from None
    if frame is not None:
        raise EOFError("it ends within a frame")
