"""Packed bytes as bytes: gzip, Zstandard, bzip2 and xz, known by how they begin and never by a name."""

from __future__ import annotations

import io
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO, Any, cast

from howsure.data.refusals import refusal
from howsure.errors import MissingExtra
from howsure.progress import notice
from howsure.text.formats import plain

#: Bytes that show a packing.
BEGINNING = 6
#: Packed bytes that are unpacked in one go: of a stream of zeros they become 30,000 times as many.
PIECE = 2**12
#: Times its size that anything unpacks to. Tables of cases have 15 to 100 in gzip and up to 200 in xz; only sorted ones
#: and those with one row over and over have more, as a small file may.
MOST_PACKED = 200
SMALL = 32 * 2**20
#: Seconds after which somebody is told.
PATIENCE = 1.5
_MOST: ContextVar[int] = ContextVar("howsure_unpacked", default=2**62)


@contextmanager
def unpacked_at_most(size: int) -> Iterator[None]:
    """Within this ``with``, refuse packed bytes that become more than ``size``: a server reads for strangers."""
    token = _MOST.set(size)
    try:
        yield
    finally:
        _MOST.reset(token)


def is_out_of_proportion(packed: int, size: int) -> bool:
    """Whether so many bytes come of so few that somebody wants to keep a reader busy.

    Examples
    --------
    >>> is_out_of_proportion(50_000, 30_000_000), is_out_of_proportion(50_000, 40_000_000)
    (False, True)
    """
    return size > SMALL and size > MOST_PACKED * packed


def packing_of(head: bytes) -> str:
    """Name of the packing that bytes begin with; "" for none.

    Examples
    --------
    >>> packing_of(bytes.fromhex("1f8b0800")), packing_of(b"y_true")
    ('gzip', '')
    """
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    # a frame of Zstandard, or one of those that are to be skipped
    if head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and 0x50 <= head[0] <= 0x5F):
        return "Zstandard"
    if head.startswith(b"BZh"):
        return "bzip2"
    return "xz" if head.startswith(b"\xfd7zXZ") else ""


def unpacked(name: str, packing: str, raw: IO[bytes]) -> IO[bytes]:
    """Bytes of a packed stream."""
    return cast(IO[bytes], io.BufferedReader(_Whole(name, packing, _Counted(raw)), 2**16))


def _inside(packing: str, raw: Any) -> tuple[Any, tuple[type[Exception], ...]]:
    """What unpacks, and its complaints besides those of all; loaded where something is packed."""
    if packing == "gzip":
        import gzip

        return gzip.GzipFile(fileobj=raw), ()
    if packing == "bzip2":
        import bz2

        return bz2.BZ2File(raw), ()
    if packing == "xz":
        import lzma

        return lzma.LZMAFile(raw), (lzma.LZMAError,)
    return _Zstandard(raw), ()


class _Counted:
    """A stream that is read once, and how many bytes were taken of it."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw, self.taken = raw, 0

    def read(self, size: int = -1) -> bytes:
        part = self._raw.read(size)
        self.taken += len(part)
        return part


class _Whole(io.RawIOBase):
    """What is unpacked, with our sentence where it cannot be."""

    def __init__(self, name: str, packing: str, raw: _Counted) -> None:
        super().__init__()
        self._name, self._packing, self._raw, self._given = name, packing, raw, 0
        self._start: float | None = time.monotonic()
        self._inside, complaints = _inside(packing, raw)
        self._complaints: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, *complaints)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            part = self._inside.read(len(buffer))
        except self._complaints as error:
            raise refusal(self._name, "damaged", f"the {self._packing} stream is", plain(str(error))) from None
        self._given += len(part)
        if self._start is not None and time.monotonic() > self._start + PATIENCE:
            self._start = None
            notice(f"unpacking {self._name}")
        if self._given > _MOST.get():
            raise refusal(self._name, "too_large", "an unpacked file", _MOST.get() // 2**20)
        if is_out_of_proportion(self._raw.taken, self._given):
            raise refusal(self._name, "grows", self._raw.taken, self._given, MOST_PACKED)
        buffer[: len(part)] = part
        return len(part)


class _Zstandard:
    """Frames of Zstandard one after the other; an `EOFError` where the last is cut short, as gzip has it."""

    def __init__(self, raw: Any) -> None:
        self._pieces, self._ready = _pieces(raw), memoryview(b"")

    def read(self, size: int) -> bytes:
        while not self._ready:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._ready = memoryview(piece)
        part, self._ready = self._ready[:size], self._ready[size:]
        return bytes(part)


def _pieces(raw: Any) -> Iterator[bytes]:
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("Reading what is packed with Zstandard", "files") from None
    frame = None
    try:
        while packed := raw.read(PIECE):
            while packed:
                frame = frame or zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(packed)
                frame, packed = (None, frame.unused_data) if frame.eof else (frame, b"")
    except zstandard.ZstdError as error:
        raise EOFError(str(error)) from None
    if frame is not None:
        raise EOFError("it ends within a frame")
