"""Whatever holds a table, opened: its name, its first bytes, and its text line by line, packed or not."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from difflib import get_close_matches
from glob import escape, glob, has_magic
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from howsure.data.refusals import refusal, say
from howsure.errors import InvalidArgument, InvalidFile, MissingExtra, excerpt, listing
from howsure.progress import notice
from howsure.text.formats import plain, several


def each_once(files: Sequence[str], notes: list[str]) -> list[str]:
    """Each file by the first of its names, with a note on the others: its cases are no more for being named again.

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


#: Bytes of text that are read row by row; beyond it an engine counts, or the data's own.
LARGEST_FILE = 512 * 2**20
#: Bytes of a JSON document, which has to be held in memory as a whole.
LARGEST_JSON = 64 * 2**20
#: Characters of one line of a table or of JSON Lines.
LONGEST_LINE = 2_000_000

#: Endings of tables of cases in a folder; packed ones end in another suffix besides.
ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson", ".parquet", ".pq")
PACKED = (".gz", ".zst", ".zstd", ".bz2", ".xz")
_DATABASES = (".duckdb", ".ddb", ".db")

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class ReadLimits(NamedTuple):
    """Characters of a line, bytes of all text, and of a JSON document that is held in memory as a whole."""

    line: int
    text: int
    document: int


class Opened:
    """What `opened` gives.

    Attributes
    ----------
    name : str
        What the user calls the file, safe to print.
    suffix, path : str, str or None
        Lower-case suffix of the name without that of a packing, and where it is on the disk; "" and None for streams.
    head : bytes
        The beginning, unpacked.
    packing : str
        "gzip", "Zstandard", "Excel" ..., "" for none.
    size : int
        Bytes on the disk, of all files; 0 for streams.
    others : tuple of str
        Further files that are one table with this one.
    notes, part : list of str, and the path of the part of a JSON document that is meant, or None
    """

    def __init__(
        self, name: str, raw: IO[bytes], suffix: str = "", path: str | None = None, sheet: str | None = None,
        limits: ReadLimits | None = None,
    ) -> None:  # fmt: skip
        self.name, self.suffix, self.path = name, suffix, path
        self._limits = limits or ReadLimits(LONGEST_LINE, LARGEST_FILE, LARGEST_JSON)
        self.others: tuple[str, ...] = ()
        self._copy: Any = None
        self.part: str | None = None
        self.size = 0 if path is None else os.path.getsize(path)
        self.notes: list[str] = []
        start = _filled(raw, BEGINNING)
        self.packing = packing_of(start)
        raw = io.BufferedReader(_Rejoined(name, start, raw, None), 2**16)
        if self.packing:
            raw = unpacked(name, self.packing, raw)
        head = _filled(raw, LONGEST_LINE + 1)
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):  # of spreadsheets ("Unicode text") and of PowerShell
            whole = head + _filled(raw, LARGEST_JSON)
            if len(whole) > LARGEST_JSON:
                raise refusal(name, "too_large", "text in UTF-16", LARGEST_JSON // 2**20)
            raw, self.packing = io.BytesIO(whole.decode("utf-16", "replace").encode("utf-8")), "UTF-16"
            head = _filled(raw, LONGEST_LINE + 1)
        if is_workbook(head):
            from howsure.io.workbooks import sheet_text  # loads zipfile, for what few files need

            text, self.notes = sheet_text(name, io.BufferedReader(_Rejoined(name, head, raw, None), 2**16), sheet)
            raw, self.packing, self.suffix = io.BytesIO(text), "Excel", ""
            head = _filled(raw, LONGEST_LINE + 1)
        elif sheet is not None and head.lstrip()[:1] in (b"{", b"["):
            self.part = sheet
        elif sheet is not None:
            raise InvalidFile(name, "a sheet is named, and the file is no workbook of Excel (.xlsx)")
        self.is_parquet = head.startswith(b"PAR1")
        disguise = None if self.is_parquet else looks_like(head)
        if disguise:
            raise InvalidFile(name, disguise)
        self.head = head.removeprefix(_BYTE_ORDER_MARK)
        if not self.head.strip():
            raise refusal(name, "empty")
        self._stream = io.BufferedReader(_Rejoined(name, self.head, raw, self._limits.text), 2**16)

    def on_disk(self) -> str:
        """A path of the unpacked bytes, for a reader that has to jump about in them; until `close`."""
        if self.path is None or self.packing:
            import tempfile  # loads much, for what few files need

            self._copy = tempfile.NamedTemporaryFile(prefix="howsure-")  # noqa: SIM115  # closed by `close`
            while part := self._stream.read(2**20):
                self._copy.write(part)
            self._copy.flush()
            self.path, self.packing, self.size = self._copy.name, "", self._copy.tell()
        return self.path

    @property
    def is_grouped(self) -> bool:
        """Whether an engine can read it where it is: on the disk, packed in a way that it unpacks itself."""
        return self.path is not None and self.packing in ("", "gzip", "Zstandard")

    def close(self) -> None:
        """Let go of what `on_disk` wrote."""
        if self._copy is not None:
            self._copy.close()

    def lines(self) -> Iterator[str]:
        """Lines with their ends; raises `InvalidFile` at a line that is too long or is not text."""
        # bytes that are no UTF-8 become lone surrogates, so that the line they are in is known when they show
        text = io.TextIOWrapper(self._stream, encoding="utf-8", errors="surrogateescape", newline="")
        number = 0
        while line := text.readline(self._limits.line + 1):
            number += 1
            if len(line) > self._limits.line:
                raise refusal(self.name, "long_line", self._limits.line, line=number)
            if not line.isascii():
                _checked_bytes(self.name, line.encode("utf-8", "surrogateescape"), number)
            if "\0" in line:
                raise refusal(self.name, "nul", line=number)
            yield line

    def text(self) -> str:
        """Read the whole as one text, for a JSON document."""
        data = _filled(self._stream, self._limits.document + 1)
        if len(data) > self._limits.document:
            raise refusal(self.name, "too_large", "a JSON document", self._limits.document // 2**20)
        return _checked_bytes(self.name, data, 1)


def _checked_bytes(name: str, data: bytes, line: int) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        at, line = error.start, line + data.count(b"\n", 0, error.start)
        position = at - data.rfind(b"\n", 0, at)
        where = f" (byte 0x{data[at]:02x} at position {position} of the line)"
        raise refusal(name, "not_utf8", where, line=line) from None


@contextmanager
def opened(given: Any, limits: ReadLimits | None = None) -> Iterator[Opened]:
    """Open a path, a folder, a pattern, several of them, "-" for standard input, or a stream of text or bytes."""
    if isinstance(given, list | tuple) and len(given) == 1:
        (given,) = given
    standard = isinstance(given, str) and given == "-"
    if standard or hasattr(given, "read"):
        stream = getattr(sys.stdin, "buffer", sys.stdin) if standard else given
        name = "standard input" if standard else _stream_name(stream)
        if stream is None:
            raise refusal(name, "no_file")
        try:
            name, sheet = without_sheet(name)
            with closing(Opened(name, _as_bytes(stream), sheet=sheet, limits=limits)) as file:
                yield file
        except OSError as error:
            raise refusal(name, "cannot", "the stream", "read", _reason(error)) from None
        return
    files, notes = located(given)
    files = each_once(files, notes)
    with opened_file(files[0], limits) as file:
        if len(files) > 1:
            first = given if isinstance(given, str | os.PathLike) else next(iter(given))
            more = 0 if isinstance(given, str | os.PathLike) else len(list(given)) - 1
            file.name = plain(os.fspath(first), 200) + (f" and {more} more" if more else "")
        file.others = tuple(files[1:])
        file.size += sum(map(_size, file.others))
        file.notes += notes
        yield file


@contextmanager
def opened_file(path: str, limits: ReadLimits | None = None) -> Iterator[Opened]:
    """Open one file."""
    name = plain(path, 200)
    path, sheet = (path, None) if os.path.lexists(path) else without_sheet(path)
    try:
        handle = open(path, "rb")  # noqa: SIM115 - closed below; the `try` is about opening alone
    except FileNotFoundError:
        raise InvalidFile(name, _not_there(path)) from None
    except IsADirectoryError:
        raise refusal(name, "this_is", "a directory; name a file in it") from None
    except PermissionError:
        raise refusal(name, "cannot", "the file", "read", "no permission; check its owner and mode") from None
    except (OSError, ValueError) as error:
        raise refusal(name, "cannot", "the file", "opened", _reason(error)) from None
    with handle:
        try:
            regular = stat.S_ISREG(os.fstat(handle.fileno()).st_mode)
            # a named pipe is read once, like standard input
            with closing(Opened(name, handle, _suffix(path), path if regular else None, sheet, limits)) as file:
                yield file
        except OSError as error:
            raise refusal(name, "cannot", "the file", "read", _reason(error)) from None


def located(given: Any) -> tuple[list[str], list[str]]:
    """Files of a path, a folder, a pattern or several of them, and sentences on what is left out.

    A file whose name holds ``*``, ``?`` or ``[`` is that file; only what does not exist is a pattern.
    """
    none = isinstance(given, bytes | bytearray | Mapping) or getattr(given, "ndim", 1) != 1
    if not isinstance(given, str | os.PathLike) and (none or not isinstance(given, Iterable)):
        raise InvalidArgument(
            say("not_a", "the file", "a path, several paths or a stream (of bytes: io.BytesIO)", given)
        )
    paths = [given] if isinstance(given, str | os.PathLike) else list(given)
    for odd in (path for path in paths if not isinstance(path, str | os.PathLike)):
        raise InvalidArgument(say("not_a", "the name of a file", "a text", odd))
    if "-" in paths:
        raise refusal("standard input", "not_both", "standard input", "files")
    notes: list[str] = []
    files = [file for path in paths for file in _files(os.fsdecode(os.fspath(path)), notes)]
    if not files:
        raise refusal("the files", "no_file")
    return files, notes


def is_address(path: str) -> bool:
    """Whether a name that is no file here is that of something in a network.

    Examples
    --------
    >>> is_address("https://example.org/cases.csv"), is_address("cases.csv")
    (True, False)
    """
    return re.match(r"[A-Za-z][A-Za-z0-9+.-]+:/", path) is not None


def _files(path: str, notes: list[str]) -> Sequence[str]:
    name = plain(path, 200)
    try:
        is_folder = os.path.isdir(path)
    except ValueError:  # a NUL character in the name, which opening complains about
        return [path]
    if is_folder:
        there = sorted(str(p) for p in Path(path).rglob("*") if p.is_file() and not p.name.startswith((".", "_")))
        tables = there if len(there) == 1 else [p for p in there if _suffix(p) in ENDINGS]
        if not tables:
            raise refusal(name, "no_tables_in_folder", listing(ENDINGS))
        left = [plain(Path(p).name, 40) for p in there if p not in set(tables)]
        if left:
            what = f"{several(len(left), 'file')} of the folder that {'is' if len(left) == 1 else 'are'} no table"
            notes.append(f"Not read: {what}, {listing(left)}.")
        return tables
    if is_address(path) and not os.path.lexists(path):
        raise refusal(name, "address")
    if not os.path.lexists(path) and has_magic(path):
        folder, last = os.path.split(path)
        # a folder that is there is itself, as a file is
        pattern = os.path.join(escape(folder), last) if os.path.isdir(folder) else path
        matching = sorted(p for p in glob(pattern, recursive=True) if os.path.isfile(p))
        if not matching:
            raise refusal(name, "no_file")
        return matching
    if Path(path.lower()).suffix in _DATABASES and os.path.exists(path):
        raise refusal(
            name, "this_is", "a database, which holds tables; howsure count --query SQL says which rows are the cases"
        )
    return [path]


def _suffix(path: str) -> str:
    p = Path(path.lower())
    return Path(p.stem).suffix if p.suffix in PACKED else p.suffix


def _size(path: str) -> int:
    try:
        return os.path.getsize(without_sheet(path)[0])
    except FileNotFoundError:
        raise InvalidFile(plain(path, 200), _not_there(path)) from None


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
        raise refusal(name, "cannot", "the stream", "read", _reason(error)) from None
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
    """The first bytes, which were looked at, followed by the rest, up to ``most`` of all."""

    def __init__(self, name: str, head: bytes, rest: IO[bytes], most: int | None) -> None:
        super().__init__()
        self._name, self._head, self._rest, self._read, self._most = name, memoryview(head), rest, 0, most

    def readable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._read

    def readinto(self, buffer: Any) -> int:
        size = len(buffer)
        part = self._head[:size] if self._head else memoryview(self._rest.read(size) or b"")
        self._head = self._head[len(part) :]
        self._read += len(part)
        if self._most is not None and self._read > self._most:
            if self._most != LARGEST_FILE:
                raise refusal(self._name, "too_large", "a log", self._most // 2**20)
            from howsure.errors.installing import install_hint  # reads the metadata of what is installed

            raise refusal(self._name, "too_large_text", LARGEST_FILE // 2**20, install_hint("files"))
        buffer[: len(part)] = part
        return len(part)


# -- files that are not text --------------------------------------------------------------------------------

_AS_TEXT = "write it as Parquet or CSV"

#: First bytes, what they mean, what to do.
_BEGINNINGS: tuple[tuple[bytes, str, str], ...] = (
    (b"ARROW1", "an Arrow or Feather file", _AS_TEXT),
    # one packing is undone before the bytes are looked at
    (b"\x1f\x8b", "a file that was packed twice", "unpack it once"),
    (b"\x28\xb5\x2f\xfd", "a file that was packed twice", "unpack it once"),
    (b"\x93NUMPY", "a NumPy array file", "save it as text: numpy.savetxt(file, matrix, fmt='%d', delimiter=',')"),
    (b"\x89HDF", "an HDF5 file", _AS_TEXT),
    (b"SQLite format 3", "an SQLite database", "export its table of cases as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook, or one with a password", "save it as .xlsx or CSV UTF-8"),
    (b"%PDF", "a PDF", "copy the table into a CSV file"),
    (b"\x89PNG", "a picture", "type the numbers into a CSV file"),
    (b"\xff\xd8\xff", "a picture", "type the numbers into a CSV file"),
)

#: A part of a workbook in the zip's own headers.
_PART = re.compile(rb"PK\x03\x04.{26}(?:xl/|\[Content_Types\]\.xml|docProps/|_rels/\.rels)", re.DOTALL)


def is_workbook(head: bytes) -> bool:
    """Whether a file begins as a workbook, or another document of Office, does.

    Examples
    --------
    >>> is_workbook(b"PK" + bytes([3, 4]) + bytes(26) + b"xl/workbook.xml"), is_workbook(b"PK")
    (True, False)
    """
    return head.startswith(b"PK\x03\x04") and _PART.search(head[: 2**16]) is not None


def without_sheet(path: str) -> tuple[str, str | None]:
    """Path and sheet of a name such as ``cases.xlsx#Test``; None where no sheet is named.

    Examples
    --------
    >>> without_sheet("cases.xlsx#Test 1"), without_sheet("cases#1.xlsx")
    (('cases.xlsx', 'Test 1'), ('cases#1.xlsx', None))
    """
    found = re.fullmatch(r"(.+\.(?:xls[xm]|json))#(.+)", path, re.IGNORECASE | re.DOTALL)
    return (path, None) if found is None else (found[1], found[2])


def looks_like(head: bytes) -> str | None:
    """Sentence on a file that is not text, from its first bytes; None for text.

    Examples
    --------
    >>> looks_like(b"ARROW1..")
    'this looks like an Arrow or Feather file, and text was expected; write it as Parquet or CSV'
    """
    for beginning, what, advice in _BEGINNINGS:
        if head.startswith(beginning):
            return _sentence(what, advice)
    if head.startswith(b"PK\x03\x04"):
        if any(mark in head for mark in (b"_journal/", b"samples/", b"header.json")):
            return _sentence("a log of Inspect", "howsure log reads it")
        return _sentence("a zip archive", "unpack it first")
    if head[:1] == b"\x80" and head[1:2] in (b"\x02", b"\x03", b"\x04", b"\x05"):
        # unpickling runs whatever the file says, so it is not an option, not even on request
        return _sentence("a Python pickle", "pickles can run code and are never opened; save as CSV or JSON")
    if b"\0" in head:
        return _sentence("a binary file (it holds NUL bytes)", "save it as UTF-8 text: CSV, TSV or JSON")
    return None


def _sentence(what: str, advice: str) -> str:
    return f"this looks like {what}, and text was expected; {advice}"


# -- packed bytes, known by how they begin and never by a name --

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
    return cast(IO[bytes], io.BufferedReader(_Whole(name, packing, raw), 2**16))


class _Whole(io.RawIOBase):
    """What is unpacked, with our sentence where it cannot be."""

    def __init__(self, name: str, packing: str, raw: IO[bytes]) -> None:
        super().__init__()
        self._name, self._packing, self._raw, self._given = name, packing, raw, 0
        self._start: float | None = time.monotonic()
        self._complaints: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error)
        if packing == "Zstandard":
            self._inside: Any = _Zstandard(raw)
            return
        module = import_module({"gzip": "gzip", "bzip2": "bz2", "xz": "lzma"}[packing])
        self._inside = module.open(raw)
        self._complaints += (getattr(module, "LZMAError", EOFError),)

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
        if is_out_of_proportion(taken := self._raw.tell(), self._given):
            raise refusal(self._name, "grows", taken, self._given, MOST_PACKED)
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
