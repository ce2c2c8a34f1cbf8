"""Writing a file whole or not at all; whatever howsure writes goes through here."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import BinaryIO

from howsure.errors import InvalidFile
from howsure.io.locking import have_locks, locked
from howsure.text.formats import plain

__all__ = ["replace_bytes", "replace_text", "target_of"]

#: What a file is called until it is whole: the file that it will be (a digest of the name), and chance.
_UNFINISHED = re.compile(r"\.howsure-[0-9a-f]{16}-[0-9a-f]{16}\.part")
# not on every system: no handle for children, nothing through a link, no wait for a pipe
_CLOSED, _NO_LINK, _NO_WAIT = (getattr(os, f"O_{name}", 0) for name in ("CLOEXEC", "NOFOLLOW", "NONBLOCK"))


def replace_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text (UTF-8) so that a reader sees the old file or the new one; see `replace_bytes`."""
    replace_bytes(path, text.encode("utf-8"))


def replace_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write a file so that a reader sees the old one or the new one: write beside it, flush to disk, rename.

    A link stays a link, and what it leads to is replaced. A file keeps its mode and its owner; a new one gets those
    that the system gives. What writers of this file that were killed have left beside it is removed.

    Raises
    ------
    InvalidFile
        What `target_of` refuses, or the disk is full; the old file is as it was.
    """
    target = target_of(path)
    try:
        _clear(target)
        with _beside(target) as (file, name):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if have_locks():
                os.replace(name, target)  # while it is locked, so that nobody takes it for a rest
            else:
                file.close()
                os.replace(name, target)
        with suppress(OSError):  # not every system can open a folder
            folder = os.open(os.path.dirname(target), os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        left = "; the old file is as it was" if os.path.exists(target) else ""
        raise _unwritable(path, f"it cannot be written ({plain(error.strerror or str(error))}){left}") from None


def target_of(path: str | os.PathLike[str]) -> str:
    """The file that a name leads to, through links, if a file can be put there.

    Raises
    ------
    InvalidFile
        No name, a folder, a device, a pipe, standard output, no such folder, or no permission.
    """
    given = os.fspath(path)
    if not given:
        raise InvalidFile("the file to write", "its name is empty; name a file")
    try:
        there: os.stat_result | None = os.stat(given)
    except FileNotFoundError:
        there = None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _unwritable(path, f"it cannot be written ({plain(reason)})") from None
    target = os.path.realpath(given)
    if there is not None:
        _check_kind(path, there, target)
    elif given.endswith(os.sep):
        raise _unwritable(path, "this names a folder; name a file in it")
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise _unwritable(path, "it cannot be written, because its folder does not exist; make it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unwritable(path, "it cannot be written, because its folder does not allow it; choose another")
    if there is not None and not os.access(target, os.W_OK):
        raise _unwritable(path, "it cannot be written: the file is write-protected; write to another")
    return target


def _check_kind(path: str | os.PathLike[str], there: os.stat_result, target: str) -> None:
    """Refuse what is there and no file that can be replaced."""
    if stat.S_ISDIR(there.st_mode):
        raise _unwritable(path, "this is a folder; name a file in it")
    if not stat.S_ISREG(there.st_mode):
        kind = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}.get(stat.S_IFMT(there.st_mode), "a device")
        raise _unwritable(path, f"this is {kind}, and only a file can be replaced; print the answer and redirect it")
    for stream in (1, 2):
        with suppress(OSError):
            if os.path.samestat(there, os.fstat(stream)):
                where = "standard output" if stream == 1 else "standard error"
                raise _unwritable(path, f"{where} is written there already; name another file, or print the answer")
    # another writer may have put a new file there meanwhile, so only that there is one is asked
    if not os.path.exists(target):  # a file without a name, such as /proc/self/fd/5 of a deleted one
        raise _unwritable(path, "it cannot be replaced, because it has no place of its own; name a file")


def _unwritable(path: str | os.PathLike[str], problem: str) -> InvalidFile:
    return InvalidFile(plain(os.fspath(path), 200), problem)


# -- the file beside ----------------------------------------------------------------------------------------


def _unfinished(target: str) -> str:
    """How the names of unfinished files for a target begin, whole paths."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".howsure-{sha256(os.fsencode(name)).hexdigest()[:16]}-")


@contextmanager
def _beside(target: str) -> Iterator[tuple[BinaryIO, str]]:
    """A new file beside a target, with its name; locked while it is written, and gone if that fails."""
    while True:
        name = f"{_unfinished(target)}{secrets.token_hex(8)}.part"
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | _CLOSED, 0o666)
        # who came between and took it for a rest has removed it
        if not locked(handle, wait=True) or os.fstat(handle).st_nlink:
            break
        os.close(handle)
    try:
        with os.fdopen(handle, "wb") as file:
            with suppress(FileNotFoundError):
                _as_before(handle, os.stat(target))
            yield file, name
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _as_before(handle: int, old: os.stat_result) -> None:
    """Give a new file the owner and the mode of the old one, before anything is in it."""
    new = os.fstat(handle)
    if hasattr(os, "fchown") and (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with suppress(PermissionError):
            os.fchown(handle, old.st_uid, old.st_gid)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, stat.S_IMODE(old.st_mode) & 0o777)


def _clear(target: str) -> None:
    """Remove what killed writers of a target have left: files of ours that nobody has locked."""
    if not have_locks():
        return
    folder, start = os.path.split(_unfinished(target))
    with os.scandir(folder) as entries:
        names = [e.path for e in entries if e.name.startswith(start) and _UNFINISHED.fullmatch(e.name)]
    for name in names:
        with suppress(OSError):
            handle = os.open(name, os.O_RDONLY | _NO_LINK | _NO_WAIT | _CLOSED)
            try:
                if stat.S_ISREG(os.fstat(handle).st_mode) and locked(handle, wait=False):
                    os.unlink(name)
            finally:
                os.close(handle)
