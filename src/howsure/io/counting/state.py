"""Counts that grow by batches: one file, always whole, in which no batch is lost and none counted twice."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from howsure.data.count_checks import LARGEST_COUNT
from howsure.errors import HowsureError, InvalidFile, excerpt
from howsure.io.counting.result import CountedCells, Counts, Group, SetAside
from howsure.io.replacing import have_locks, locked, replace_text, target_of
from howsure.text.formats import integer, plain, several
from howsure.text.json_envelope import FORMAT

_KIND = "counts"


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


# -- counts as plain data, and back: what contradicts itself is refused, never mended -----------------------


class Mark(NamedTuple):
    """What is remembered of a file that was counted: in which batch, and how many bytes it had."""

    batch: str
    size: int


def as_dict(counts: Counts, batches: Sequence[str] = (), marks: Mapping[str, Mark] | None = None) -> dict[str, Any]:
    """Plain data, ready for JSON; `from_dict` reads them back."""
    cells = counts.cells
    return {
        "format": FORMAT,
        "kind": _KIND,
        "orientation": "true-rows",
        "classes": list(counts.labels),
        "models": list(counts.models),
        "paired": counts.paired,
        "weighted": counts.weighted,
        "by": list(counts.by),
        "groups": [list(group) for group in counts.groups],
        "read": counts.read,
        "n": counts.n,
        "cells": {name: column.tolist() for name, column in cells._asdict().items()},
        "set_aside": [{"reason": a.reason, "rows": a.rows, "examples": list(a.examples)} for a in counts.set_aside],
        "notes": list(counts.notes),
        "batches": list(batches),
        "files": {file: {"batch": mark.batch, "bytes": mark.size} for file, mark in (marks or {}).items()},
    }


def is_state(value: object) -> bool:
    """Whether plain data are those of `Counts`."""
    return isinstance(value, Mapping) and value.get("format") == FORMAT and value.get("kind") == _KIND


def from_dict(data: Mapping[str, Any]) -> Counts:
    """Counts from the plain data of `as_dict`.

    Raises
    ------
    ValueError, TypeError, KeyError, OverflowError
        What is missing, of another type, or contradicts the rest.
    """
    if data.get("orientation", "true-rows") != "true-rows":
        raise ValueError(f"its orientation is {excerpt(data['orientation'])}, and true-rows is expected")
    labels, models, by = (_different(data[key], key) for key in ("classes", "models", "by"))
    groups = _groups(data["groups"], len(by))
    paired = _truth(data["paired"], "paired")
    # version 0.1 did not write it
    weighted = _truth(data["weighted"], "weighted") if "weighted" in data else None
    aside = [
        SetAside(_text(a["reason"], "a reason"), _whole(a["rows"], "rows set aside"), tuple(_texts(a["examples"])))
        for a in data["set_aside"]
    ]
    cells = _cells(data["cells"], len(labels), len(groups), len(models), paired)
    read, said = _whole(data["read"], "read"), tuple(_texts(data["notes"]))
    names, titles, columns, keys = tuple(labels), tuple(models), tuple(by), tuple(groups)
    counts = Counts(cells, names, titles, columns, keys, read, tuple(aside), paired, said, bool(weighted))
    _check_sums(counts, _whole(data["n"], "n"), weighted)
    return counts


def batches_of(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the batches; raises as `from_dict` does."""
    return tuple(_different(data["batches"], "batches"))


def marks_of(data: Mapping[str, Any]) -> dict[str, Mark]:
    """What is remembered of each file, by the digest of its name; nothing in a state of version 0.1."""
    known = set(data["batches"])
    marks = {
        _text(file, "a file"): Mark(_text(mark["batch"], "a batch"), _whole(mark["bytes"], "bytes"))
        for file, mark in data.get("files", {}).items()
    }
    odd = next((mark.batch for mark in marks.values() if mark.batch not in known), None)
    if odd is not None:
        raise ValueError(f"a file is of the batch {excerpt(odd, 40)}, which is not among the batches")
    return marks


# -- what has to hold ---------------------------------------------------------------------------------------


def _check_sums(counts: Counts, n: int, weighted: bool | None) -> None:
    """Cells, rows set aside and rows read have to agree."""
    cases = sum(counts.cells.cases.tolist())
    if cases > LARGEST_COUNT:
        raise ValueError("the cells add up to more than 2**53 - 1 cases")
    if counts.n != n:
        raise ValueError(f"the cells add up to {several(counts.n, 'case')}, and n is {n}")
    aside = sum(one.rows for one in counts.set_aside)
    if aside > counts.read:
        raise ValueError(f"{several(aside, 'row')} set aside of {integer(counts.read)} read")
    # by weights there may be more cases than rows, and version 0.1 does not say whether there were any
    if weighted is False and n + aside != counts.read:
        raise ValueError(f"{integer(n)} counted and {integer(aside)} set aside are not the {integer(counts.read)} read")


def _cells(data: Mapping[str, Any], labels: int, groups: int, models: int, paired: bool) -> CountedCells:
    size = len(data["cases"])
    wide = models if paired else 1
    rows = data["answers"]
    if len(rows) != size or any(not isinstance(row, list) or len(row) != wide for row in rows):
        raise ValueError(f"the answers of each cell are a list of {wide}")
    flat = {**data, "answers": list(chain.from_iterable(rows))}
    columns = {}
    for name, low, high in (
        ("truth", 0, labels),
        ("answers", -1 if paired and models > 1 else 0, labels),
        ("group", 0, groups),
        ("model", -1 if paired else 0, 0 if paired else models),
        ("cases", 1, LARGEST_COUNT + 1),
    ):
        column = flat[name]
        if not isinstance(column, list) or not set(map(type, column)) <= {int}:
            raise TypeError(f"{name} holds something else than whole numbers")
        if len(column) != size * (wide if name == "answers" else 1):
            raise ValueError(f"{name} and cases are not of one length")
        if column and not low <= min(column) <= max(column) < high:
            raise ValueError(f"{name} holds a number outside {low} to {high - 1}")
        columns[name] = np.array(column, dtype=np.int64)
    columns["answers"] = columns["answers"].reshape(size, wide)
    cells = CountedCells(**columns)
    if len(CountedCells.of(*cells).cases) != size:
        raise ValueError("a cell comes twice")
    return cells


def _groups(data: Any, by: int) -> list[Group]:
    if not isinstance(data, list) or any(not isinstance(g, list) or len(g) != by for g in data):
        raise ValueError(f"each group is a list of {by}, one value for each column of by")
    groups: list[Group] = [tuple(None if v is None else _text(v, "a group") for v in g) for g in data]
    if len(set(groups)) < len(groups):
        raise ValueError("a group comes twice")
    return groups


def _different(data: Any, what: str) -> list[str]:
    found = _texts(data, what)
    seen: set[str] = set()
    for text in found:
        if text in seen:
            raise ValueError(f"{what} name {excerpt(text, 40)} twice")
        seen.add(text)
    return found


def _texts(data: Any, what: str = "texts") -> list[str]:
    if not isinstance(data, list):
        raise TypeError(f"{what} are a list of texts, not {excerpt(data, 40)}")
    return [_text(text, f"one of {what}") for text in data]


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{what} is a text, not {excerpt(value, 40)}")
    return value


def _truth(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{what} is true or false, not {excerpt(value, 40)}")
    return value


def _whole(value: Any, what: str) -> int:
    if type(value) is not int or not 0 <= value <= LARGEST_COUNT:
        raise ValueError(f"{what} is a whole number from 0, not {excerpt(value, 40)}")
    return value
