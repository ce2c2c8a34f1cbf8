"""A file, a stream or standard input, opened: its name, its first bytes, and its text line by line."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import IO, Any

from howsure.errors import InvalidFile, excerpt
from howsure.files.disguises import looks_like
from howsure.formats import integer, plain

__all__ = ["LARGEST_FILE", "LARGEST_JSON", "LONGEST_LINE", "Opened", "opened"]

#: Bytes of a whole file; beyond it counting belongs in the engine that holds the data.
LARGEST_FILE = 512 * 2**20
#: Bytes of a JSON document, which has to be held in memory as a whole.
LARGEST_JSON = 64 * 2**20
#: Characters of one line of a table or of JSON Lines.
LONGEST_LINE = 2**20

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Opened:
    """What `opened` gives.

    Parameters
    ----------
    name : str
        What the user calls the file, safe to print.
    raw : file-like
        Bytes.
    suffix : str
        Lower-case suffix of the file name, "" for streams.
    """

    def __init__(self, name: str, raw: IO[bytes], suffix: str = "") -> None:
        self.name, self.suffix = name, suffix
        head = _filled(raw, LONGEST_LINE + 1)
        disguise = looks_like(head)
        if disguise:
            raise InvalidFile(name, disguise)
        self.head = head.removeprefix(_BYTE_ORDER_MARK)
        if not self.head.strip():
            raise InvalidFile(
                name, "the file is empty; a matrix, counts or predictions were expected. Was the export finished?"
            )
        self._stream = io.BufferedReader(_Rejoined(name, self.head, raw), 2**16)

    def lines(self) -> Iterator[str]:
        """Lines with their ends; raises `InvalidFile` at a line that is too long or is not text."""
        # bytes that are no UTF-8 become lone surrogates, so that the line they are in is known when they show
        text = io.TextIOWrapper(self._stream, encoding="utf-8", errors="surrogateescape", newline="")
        number = 0
        while line := text.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                length = len(line)
                while line and line[-1] not in "\r\n":
                    line = text.readline(LONGEST_LINE + 1)
                    length += len(line)
                problem = f"the line has {integer(length)} characters, and at most {integer(LONGEST_LINE)} are read"
                raise InvalidFile(
                    self.name, f"{problem}. Is this the right file, with one case or class a line?", number
                )
            if not line.isascii():
                self._check_bytes(line, number)
            if "\0" in line:
                raise InvalidFile(self.name, "a NUL byte; text was expected. Is this a binary file?", number)
            yield line

    def text(self) -> str:
        """Read the whole as one text, for a JSON document."""
        data = _filled(self._stream, LARGEST_JSON + 1)
        if len(data) > LARGEST_JSON:
            problem = f"a JSON document above {LARGEST_JSON // 2**20} MiB is not read"
            raise InvalidFile(self.name, f"{problem}; write the cases as CSV or JSON Lines, one a line")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            start = data.rfind(b"\n", 0, error.start) + 1
            line = data.count(b"\n", 0, error.start) + 1
            raise InvalidFile(self.name, _not_utf8(data[error.start], error.start - start + 1), line) from None

    def _check_bytes(self, line: str, number: int) -> None:
        try:
            line.encode("utf-8")
        except UnicodeEncodeError as error:
            before = len(line[: error.start].encode("utf-8"))
            raise InvalidFile(self.name, _not_utf8(ord(line[error.start]) & 0xFF, before + 1), number) from None


def _not_utf8(byte: int, position: int) -> str:
    return (
        f"byte 0x{byte:02x} at position {position} of the line is not UTF-8. "
        "Save the file as UTF-8 (in a spreadsheet: CSV UTF-8)."
    )


@contextmanager
def opened(given: Any) -> Iterator[Opened]:
    """Open a path, "-" for standard input, or a stream of text or bytes.

    Parameters
    ----------
    given : str, path-like or stream
        A stream is read to its end and left open.

    Raises
    ------
    InvalidFile
        Missing, not readable, a directory, empty, too large, or not text.
    """
    standard = isinstance(given, str) and given == "-"
    if standard or hasattr(given, "read"):
        stream = getattr(sys.stdin, "buffer", sys.stdin) if standard else given
        name = "standard input" if standard else _stream_name(stream)
        if stream is None:
            raise InvalidFile(name, "there is none; name a file")
        try:
            yield Opened(name, _as_bytes(stream))
        except OSError as error:
            raise InvalidFile(name, f"the stream cannot be read ({_reason(error)})") from None
        return
    path = os.fsdecode(os.fspath(given))
    name = plain(path, 200)
    try:
        handle = open(path, "rb")  # noqa: SIM115 - closed below; the `try` is about opening alone
    except FileNotFoundError:
        raise InvalidFile(name, _not_there(path)) from None
    except IsADirectoryError:
        raise InvalidFile(name, "this is a directory; name a file in it") from None
    except PermissionError:
        raise InvalidFile(name, "no permission to read the file; check its owner and mode") from None
    except (OSError, ValueError) as error:
        raise InvalidFile(name, f"the file cannot be opened ({_reason(error)})") from None
    with handle:
        try:
            if os.fstat(handle.fileno()).st_size > LARGEST_FILE:
                raise InvalidFile(name, _too_large())
            yield Opened(name, handle, Path(path).suffix.lower())
        except OSError as error:
            raise InvalidFile(name, f"the file cannot be read ({_reason(error)})") from None


def _not_there(path: str) -> str:
    if not path:
        return "no file name was given"
    folder, wanted = os.path.split(path)
    try:
        others = [entry for entry in os.listdir(folder or ".") if entry != wanted]
    except OSError:
        return f"there is no such file, and no directory {excerpt(folder, 200)} to look in"
    near = get_close_matches(wanted, others, n=1, cutoff=0.6)
    advice = f"Did you mean {excerpt(os.path.join(folder, near[0]), 200)}?" if near else "Check its name and place."
    return f"there is no such file. {advice}"


def _too_large() -> str:
    return (
        f"the file is above {LARGEST_FILE // 2**20} MiB. Count the cases where the data are, "
        "and give the counts: columns true,pred,count"
    )


def _reason(error: Exception) -> str:
    return plain(getattr(error, "strerror", None) or str(error), 200)


def _stream_name(stream: Any) -> str:
    name = getattr(stream, "name", None)
    if not isinstance(name, str):
        return "the stream"
    return "standard input" if name == "<stdin>" else plain(name, 200)


def _as_bytes(stream: Any) -> IO[bytes]:
    """Bytes of a stream, so that text streams meet the same checks as files."""
    name = _stream_name(stream)
    try:
        probe = stream.read(0)
        if not isinstance(probe, str):
            return stream  # type: ignore[no-any-return]
        text = stream.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise InvalidFile(name, f"the stream cannot be read ({_reason(error)})") from None
    return io.BytesIO(text.encode("utf-8", "surrogatepass"))


def _filled(raw: IO[bytes], size: int) -> bytes:
    """Up to ``size`` bytes: a pipe gives less than was asked for before it is at its end."""
    parts: list[bytes] = []
    while size > 0:
        part = raw.read(size)
        if not part:
            break
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class _Rejoined(io.RawIOBase):
    """The first bytes, which were looked at, followed by the rest."""

    def __init__(self, name: str, head: bytes, rest: IO[bytes]) -> None:
        super().__init__()
        self._name, self._head, self._rest, self._read = name, memoryview(head), rest, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = len(buffer)
        part = self._head[:size] if self._head else memoryview(self._rest.read(size) or b"")
        self._head = self._head[len(part) :]
        self._read += len(part)
        if self._read > LARGEST_FILE:
            raise InvalidFile(self._name, _too_large())
        buffer[: len(part)] = part
        return len(part)
