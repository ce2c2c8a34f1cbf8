"""Writing a file whole or not at all, and never over what is read; whatever howsure writes goes through here."""

from __future__ import annotations

import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from glob import escape, glob, has_magic
from hashlib import sha256
from types import ModuleType
from typing import BinaryIO

from howsure.data.refusals import refusal, say
from howsure.errors import InvalidArgument, InvalidFile
from howsure.text.formats import plain

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows has other locks
    fcntl = None

HAVE_LOCKS = fcntl is not None
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
    """
    target = target_of(path)
    try:
        _clear(target)
        with _beside(target) as (file, name):
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if not HAVE_LOCKS:
                file.close()
            os.replace(name, target)  # while it is locked, so that nobody takes it for a rest
        with suppress(OSError):  # not every system can open a folder
            folder = os.open(os.path.dirname(target), os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    except OSError as error:
        left = "; the old file is as it was" if os.path.exists(target) else ""
        raise _unwritable(
            path, say("cannot", "it", "written", f"{plain(error.strerror or str(error))}{left}")
        ) from None


def target_of(path: str | os.PathLike[str]) -> str:
    """The file that a name leads to, through links, if a file can be put there."""
    given = os.fspath(path)
    if not given:
        raise refusal("the file to write", "no_file")
    try:
        there: os.stat_result | None = os.stat(given)
    except FileNotFoundError:
        there = None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _unwritable(path, say("cannot", "it", "written", plain(reason))) from None
    target = os.path.realpath(given)
    if there is not None:
        _check_kind(path, there, target)
    elif given.endswith(os.sep):
        raise _unwritable(path, say("this_is", "a folder; name a file in it"))
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise _unwritable(path, say("cannot", "it", "written", "its folder does not exist; make it first"))
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _unwritable(path, say("cannot", "it", "written", "its folder does not allow it; choose another"))
    if there is not None and not os.access(target, os.W_OK):
        raise _unwritable(path, say("cannot", "it", "written", "the file is write-protected; write to another"))
    return target


def _check_kind(path: str | os.PathLike[str], there: os.stat_result, target: str) -> None:
    if stat.S_ISDIR(there.st_mode):
        raise _unwritable(path, say("this_is", "a folder; name a file in it"))
    if not stat.S_ISREG(there.st_mode):
        kind = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}.get(stat.S_IFMT(there.st_mode), "a device")
        raise _unwritable(
            path, say("this_is", f"{kind}, and only a file can be replaced; print the answer and redirect it")
        )
    for stream in (1, 2):
        with suppress(OSError):
            if os.path.samestat(there, os.fstat(stream)):
                where = "standard output" if stream == 1 else "standard error"
                raise _unwritable(
                    path, say("this_is", f"where {where} is written already; name another file, or print the answer")
                )
    # another writer may have put a new file there meanwhile, so only that there is one is asked
    if not os.path.exists(target):  # a file without a name, such as /proc/self/fd/5 of a deleted one
        raise _unwritable(path, say("cannot", "it", "replaced", "it has no place of its own; name a file"))


def _unwritable(path: str | os.PathLike[str], problem: str) -> InvalidFile:
    return InvalidFile(plain(os.fspath(path), 200), problem)


# -- the file beside ----------------------------------------------------------------------------------------


def _unfinished(target: str) -> str:
    """How the names of unfinished files for a target begin, whole paths."""
    folder, name = os.path.split(target)
    return os.path.join(folder, f".howsure-{sha256(os.fsencode(name)).hexdigest()[:16]}-")


@contextmanager
def _beside(target: str) -> Iterator[tuple[BinaryIO, str]]:
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
    if not HAVE_LOCKS:
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


# -- one writer at a time, and never what is read -----------------------------------------------------------


def locked(handle: int, *, wait: bool) -> bool:
    """Lock an open file for its holder alone; False where another has it and none waits, or where nothing can lock.

    The lock ends when the handle is closed.
    """
    if fcntl is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def spare(out: str, inputs: Iterable[str | None], option: str = "--out") -> None:
    """Refuse a file to be written that is read, or would be read the next time.

    Examples
    --------
    >>> spare("counts.csv", ["data", "logs/*.csv"])
    >>> spare("logs/counts.csv", ["data", "logs/*.csv"])
    Traceback (most recent call last):
        ...
    howsure.errors.InvalidArgument: --out 'logs/counts.csv' fits 'logs/*.csv', which is read; write to another place
    """
    for given in filter(None, inputs):
        if how := _read_at(out, given):
            raise InvalidArgument(say("is_read", option, out, how, given))


def _read_at(out: str, given: str) -> str:
    """How a file is among what an input reads: "is in" a folder, "fits" a pattern, or "is" one of its files."""
    files: Iterable[str | int] = [given]
    if given == "-":
        files = [0]  # its handle
    elif os.path.isdir(given):
        if os.path.realpath(out).startswith(os.path.join(os.path.realpath(given), "")):
            return "is in"
        files = (os.path.join(folder, name) for folder, _, names in os.walk(given) for name in names)
    elif has_magic(given) and not os.path.exists(given):
        if _fits(_parts(os.path.abspath(out)), _parts(os.path.join(escape(os.getcwd()), given))):
            return "fits"
        files = glob(given, recursive=True)
    # where there may be nothing yet, names that lead to one place are one
    there = given != "-" and os.path.realpath(out) == os.path.realpath(given)
    return "is" if there or any(_same(out, file) for file in files) else ""


def _same(out: str, file: str | int) -> bool:
    try:
        return os.path.samestat(os.stat(out), os.stat(file))
    except OSError:  # one of them is not there
        return False


def _parts(path: str) -> Sequence[str]:
    return os.path.normpath(path).split(os.sep)


def _fits(name: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path fits a pattern, part by part; ``**`` stands for any number of folders."""
    if not pattern:
        return not name
    if pattern[0] == "**":
        return any(_fits(name[i:], pattern[1:]) for i in range(len(name) + 1))
    return bool(name) and fnmatchcase(name[0], pattern[0]) and _fits(name[1:], pattern[1:])
