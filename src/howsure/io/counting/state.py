"""Counts that grow by batches: one file, always whole, in which no batch is lost and none counted twice."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from howsure.errors import HowsureError, InvalidFile, excerpt
from howsure.io.counting.counts_document import Mark, as_dict, batches_of, from_dict, is_state, marks_of
from howsure.io.counting.result import Counts
from howsure.io.replacing import have_locks, locked, replace_text, target_of
from howsure.text.formats import plain, several

__all__ = ["Appended", "append", "batch_of", "counts_of_state", "read_state"]


class Appended(NamedTuple):
    """All counts so far, and whether the batch was new."""

    counts: Counts
    new: bool


class _State(NamedTuple):
    counts: Counts
    batches: tuple[str, ...]
    marks: dict[str, Mark]


def append(
    path: str | os.PathLike[str],
    counts: Counts,
    batch: str,
    files: Sequence[str] = (),
    *,
    query: str | None = None,
    named: bool = False,
) -> Appended:
    """Add a batch to the counts in a file, which is made if it is not there.

    The new file is written beside the old one, brought to the disk, and put in its place in one step; whoever reads
    sees all of a batch or nothing of it. Whoever writes waits for the others, by whatever name or link they call the
    file. The names of the batches are kept, so that one that is sent again after a crash adds nothing; and so are
    digests of the names of the files, so that a log that has grown is not counted again from its first line.

    Parameters
    ----------
    path : str or path-like
    counts : Counts
    batch : str
        What the batch is called; see `batch_of`.
    files : sequence of str
        The files that were counted, or the database of ``query``.
    query : str, optional
    named : bool
        Somebody says by the name that the batch is new, so its files may have been counted before.

    Raises
    ------
    InvalidFile
        The file is there and holds no counts, or other classifiers or groups; it cannot be written; or files of the
        batch are in an earlier one.
    """
    name = plain(os.fspath(path), 200)
    target = target_of(path)
    with _alone(target, name):
        before = _read(target, name) if os.path.exists(target) else None
        batches = () if before is None else before.batches
        marks = {} if before is None else before.marks
        if before is not None and batch in batches:
            return Appended(before.counts, False)
        new = {_digest(file, query): Mark(batch, _size(file)) for file in files}
        if not named:
            _refuse_grown(name, files, query, marks, new)
        try:
            total = counts if before is None else before.counts + counts
        except HowsureError as error:
            raise InvalidFile(name, plain(str(error), 400)) from None
        text = json.dumps(as_dict(total, (*batches, batch), {**marks, **new}), ensure_ascii=True)
        replace_text(target, text + "\n")
    return Appended(total, True)


def batch_of(files: Sequence[str], question: object) -> str:
    """Name of a batch: which files (path, size, time of the last change), and what was asked of them."""
    digest = hashlib.sha256(repr(question).encode())
    for file in sorted(os.path.abspath(f) for f in files):
        about = os.stat(file)
        digest.update(f"\0{file}\0{about.st_size}\0{about.st_mtime_ns}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:32]


def _size(file: str) -> int:
    try:
        return os.stat(file).st_size
    except OSError as error:
        raise InvalidFile(plain(file, 200), f"it is not there any more ({plain(str(error.strerror))})") from None


def _digest(file: str, query: str | None) -> str:
    """What stands for a file in a state, which may go where names of files should not."""
    place = os.fsencode(os.path.realpath(file))
    return hashlib.sha256(place + (b"" if query is None else b"\0" + query.encode("utf-8"))).hexdigest()[:32]


def _refuse_grown(
    name: str, files: Sequence[str], query: str | None, old: dict[str, Mark], new: dict[str, Mark]
) -> None:
    """Refuse files that are in an earlier batch: they have changed since, and nothing says which rows are new."""
    again = [file for file in files if _digest(file, query) in old]
    if not again:
        return
    mark = old[_digest(again[0], query)]
    size, was = new[_digest(again[0], query)].size, mark.size
    changed = f"it had {several(was, 'byte')} then and has {several(size, 'byte')} now"
    if size == was:
        changed = "it has changed since, or something else is asked of it"
    rest = len(again) - 1
    more = f" (and {several(rest, 'more file')})" if rest else ""
    raise InvalidFile(
        name,
        f"{plain(again[0], 200)}{more} was counted before, in the batch {excerpt(mark.batch)}: {changed}, so some of "
        "its rows may be in the counts already, and nothing was added. Put new rows into a file of their own; if all "
        "its rows are new, say so with a name, --batch NAME",
    )


@contextmanager
def _alone(target: str, name: str) -> Iterator[None]:
    """One writer at a time; the lock goes with the process, however it ends."""
    if not have_locks():  # Windows: the last of two writers at one moment wins
        yield
        return
    lock = os.path.join(os.path.dirname(target), f".{os.path.basename(target)}.lock")
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    while True:
        try:
            handle = os.open(lock, flags, 0o666)
        except OSError as error:
            problem = f"it cannot be locked for one writer ({plain(error.strerror or str(error))})"
            raise InvalidFile(name, problem) from None
        try:
            if not locked(handle, wait=True):
                raise InvalidFile(name, "it cannot be locked for one writer, because its file system has no locks")
            if not _still_there(handle, lock):  # somebody has removed it meanwhile, and another may have a new one
                continue
            yield
            return
        finally:
            os.close(handle)


def _still_there(handle: int, path: str) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def read_state(path: str | os.PathLike[str]) -> tuple[Counts, tuple[str, ...]]:
    """Counts of a file, and the names of the batches in them.

    Raises
    ------
    InvalidFile
        No such file, no JSON, no counts, or counts that contradict themselves.
    """
    found = _read(path, plain(os.fspath(path), 200))
    return found.counts, found.batches


def _read(path: str | os.PathLike[str], name: str) -> _State:
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InvalidFile(name, f"it cannot be opened: {plain(error.strerror or str(error))}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidFile(name, f"its counts are damaged ({plain(str(error), 160)}); nothing was changed") from None
    return _state_of(name, data)


def counts_of_state(name: str, data: Any) -> Counts:
    """Counts from the plain data of a file; raises `InvalidFile` where they are none."""
    return _state_of(name, data).counts


def _state_of(name: str, data: Any) -> _State:
    if not is_state(data):
        raise InvalidFile(name, 'it holds no counts of howsure ({"format": "howsure/1", "kind": "counts", ...})')
    try:
        return _State(from_dict(data), batches_of(data), marks_of(data))
    except KeyError as error:
        raise InvalidFile(name, f"its counts are damaged (no {error}); nothing was changed") from None
    except (ValueError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise InvalidFile(name, f"its counts are damaged ({plain(str(error), 160)}); nothing was changed") from None
