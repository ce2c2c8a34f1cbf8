"""Logs of Inspect: ``.eval`` archives, read with limits, and JSON."""

from __future__ import annotations

import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from howsure.errors import InvalidFile, MissingExtra, excerpt
from howsure.io.unpacking import is_out_of_proportion
from howsure.text.formats import integer, plain

try:
    from lzma import LZMAError
except ImportError:  # a Python that was built without it unpacks no such sample, and says so
    LZMAError = RuntimeError  # type: ignore[assignment,misc]

__all__ = ["archived_samples", "document_samples"]

#: Bytes of one sample, of all of them, and their number.
LARGEST_SAMPLE = 256 * 2**20
LARGEST_ARCHIVE = 16 * 2**30
MOST_SAMPLES = 2_000_000

#: Method of a zip entry that Inspect packs with, and Python knows from 3.14 on only.
ZSTANDARD = 93

#: What `zipfile` and its decompressors raise where bytes are not what they should be: names that are no UTF-8 and
#: places before the file are a `ValueError`, a sample that ends early an `EOFError`, a password a `RuntimeError`.
_DAMAGE = (zipfile.BadZipFile, ValueError, EOFError, RuntimeError, struct.error, zlib.error, LZMAError)


def archived_samples(path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Samples of an ``.eval`` archive with the names they have in it; nothing is written to the disk.

    Raises
    ------
    InvalidFile
        No archive, damaged, or far larger unpacked than packed.
    """
    name = plain(path, 200)
    try:
        with zipfile.ZipFile(path) as archive:
            parts = [
                p for p in archive.infolist() if p.filename.startswith("samples/") and p.filename.endswith(".json")
            ]
            if not parts:
                raise InvalidFile(
                    name, "the archive holds no samples; was the evaluation cut short, or logged without them?"
                )
            _check_sizes(name, parts, os.path.getsize(path))
            for part in parts:
                yield part.filename, _sample(name, archive, part)
    except NotImplementedError as error:
        raise InvalidFile(
            name, f"packed in a way that this Python cannot unpack ({plain(str(error))}); inspect log convert --to json"
        ) from None
    except InvalidFile:
        raise
    except _DAMAGE as error:
        raise InvalidFile(name, f"no whole .eval archive ({_reason(error)}); was the writing cut short?") from None
    except OSError as error:
        raise InvalidFile(name, f"it cannot be opened: {plain(error.strerror or str(error))}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "the name of a file in it is no text"
    if isinstance(error, EOFError):
        return "a sample ends early"
    return plain(str(error), 120)


def _check_sizes(name: str, parts: list[zipfile.ZipInfo], there: int) -> None:
    total = sum(p.file_size for p in parts)
    packed = min(sum(p.compress_size for p in parts), there)  # samples may lie over each other
    if total > LARGEST_ARCHIVE or len(parts) > MOST_SAMPLES:
        raise InvalidFile(name, f"{integer(len(parts))} samples of {integer(total)} bytes are more than is read")
    if is_out_of_proportion(packed, total):
        raise InvalidFile(name, f"it unpacks to {integer(total // max(packed, 1))} times its size, as no log does")


def _sample(name: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> dict[str, Any]:
    where = excerpt(part.filename, 100)
    # the size that the archive states may be wrong
    if part.compress_type == ZSTANDARD:
        data = _unpacked(name, archive, part)
    else:
        with archive.open(part) as file:
            data = file.read(LARGEST_SAMPLE + 1)
    if len(data) > LARGEST_SAMPLE:
        raise InvalidFile(name, f"the sample {where} has more than {integer(LARGEST_SAMPLE)} bytes")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidFile(name, f"the sample {where} is no JSON ({plain(str(error), 80)})") from None
    return _checked(name, f"the sample {where}", value)


def _unpacked(name: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bytes:
    """An entry that is packed with Zstandard: its bytes in the archive, behind a header of their own."""
    try:
        import zstandard
    except ImportError:
        raise MissingExtra("An .eval log packed with Zstandard", "logs") from None
    raw = archive.fp
    assert raw is not None  # the archive is open
    raw.seek(part.header_offset + 26)
    name_length, extra_length = (int.from_bytes(raw.read(2), "little") for _ in range(2))
    raw.seek(name_length + extra_length, 1)
    try:
        with zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(raw.read(part.compress_size)) as stream:
            data: bytes = stream.read(min(part.file_size, LARGEST_SAMPLE) + 1)
    except zstandard.ZstdError:
        data = b""
    if len(data) <= LARGEST_SAMPLE and zlib.crc32(data) != part.CRC:
        raise InvalidFile(name, f"the sample {excerpt(part.filename, 100)} is damaged")
    return data


def document_samples(name: str, document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Samples of a log in JSON."""
    samples = document.get("samples")
    if not isinstance(samples, list) or not samples:
        raise InvalidFile(name, "the log holds no samples; was it written with log_samples?")
    for number, sample in enumerate(samples, start=1):
        yield f"sample {number}", _checked(name, f"sample {number}", sample)


def _checked(name: str, where: str, sample: object) -> dict[str, Any]:
    if not isinstance(sample, dict):
        raise InvalidFile(name, f"{where} is no object")
    scores = sample.get("scores")
    if scores and not isinstance(scores, dict):
        raise InvalidFile(name, f"the scores of {where} are {excerpt(scores)}, and an object was expected")
    return sample
