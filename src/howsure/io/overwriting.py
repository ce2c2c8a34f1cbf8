"""What is read is never written over."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from glob import escape, glob, has_magic

from howsure.errors import InvalidArgument, excerpt

__all__ = ["spare"]


def spare(out: str, inputs: Iterable[str | None], option: str = "--out") -> None:
    """Refuse a file to be written that is read, or would be read the next time.

    Parameters
    ----------
    out : str
        The file to be written.
    inputs : iterable of str
        Files, folders, patterns, or - for standard input; None is nothing.
    option : str
        What the user calls the file to be written.

    Raises
    ------
    InvalidArgument
        It is one of the inputs, by its name, a link or a hard link, is in a folder that is read, or fits a pattern.

    Examples
    --------
    >>> spare("counts.csv", ["data", "logs/*.csv"])
    >>> spare("logs/counts.csv", ["data", "logs/*.csv"])
    Traceback (most recent call last):
        ...
    howsure.errors.InvalidArgument: --out 'logs/counts.csv' fits 'logs/*.csv', which is read; write to another place
    """
    for given in filter(None, inputs):
        if given != "-" and os.path.isdir(given) and _inside(out, given):
            raise InvalidArgument(f"{option} {excerpt(out)} is in {excerpt(given)}, which is read; write beside it")
        is_pattern = has_magic(given) and not os.path.exists(given)
        if is_pattern and _fits(_parts(os.path.abspath(out)), _parts(os.path.join(escape(os.getcwd()), given))):
            raise InvalidArgument(
                f"{option} {excerpt(out)} fits {excerpt(given)}, which is read; write to another place"
            )
        if _one_place(out, given) or any(_same(out, file) for file in _files(given)):
            raise InvalidArgument(f"{option} {excerpt(out)} is a file that is read; write to another")


def _files(given: str) -> Iterator[str | int]:
    """The files of an input, as names or, of standard input, as the handle."""
    if given == "-":
        yield 0
    elif os.path.isdir(given):
        for folder, _, names in os.walk(given):
            yield from (os.path.join(folder, name) for name in names)
    elif os.path.exists(given):
        yield given
    elif has_magic(given):
        yield from glob(given, recursive=True)


def _same(out: str, file: str | int) -> bool:
    try:
        return os.path.samestat(os.stat(out), os.stat(file))
    except OSError:  # one of them is not there
        return False


def _one_place(out: str, given: str) -> bool:
    """Whether both names lead to one place, where there may be nothing yet."""
    return given != "-" and os.path.realpath(out) == os.path.realpath(given)


def _inside(out: str, folder: str) -> bool:
    target, top = os.path.realpath(out), os.path.realpath(folder)
    return target.startswith(os.path.join(top, ""))


def _parts(path: str) -> Sequence[str]:
    return os.path.normpath(path).split(os.sep)


def _fits(name: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path fits a pattern, part by part; ``**`` stands for any number of folders."""
    if not pattern:
        return not name
    if pattern[0] == "**":
        return any(_fits(name[i:], pattern[1:]) for i in range(len(name) + 1))
    return bool(name) and fnmatchcase(name[0], pattern[0]) and _fits(name[1:], pattern[1:])
