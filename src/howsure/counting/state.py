"""Counts that grow by batches: one file, always whole, in which no batch is lost and none counted twice."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from howsure.counting.cells import Cells
from howsure.counting.result import Counts, SetAside
from howsure.errors import HowsureError, InvalidFile
from howsure.formats import plain

__all__ = [
    "Appended",
    "append",
    "as_dict",
    "batch_of",
    "counts_of_state",
    "from_dict",
    "is_state",
    "read_state",
    "written",
]

FORMAT = "howsure/1"
KIND = "counts"


class Appended(NamedTuple):
    """All counts so far, and whether the batch was new."""

    counts: Counts
    new: bool


def append(path: str | os.PathLike[str], counts: Counts, batch: str) -> Appended:
    """Add a batch to the counts in a file, which is made if it is not there.

    The new file is written beside the old one, brought to the disk, and put in its place in one step; whoever reads
    sees all of a batch or nothing of it. The names of the batches are kept, so that one that is sent again after a
    crash adds nothing.

    Parameters
    ----------
    path : str or path-like
    counts : Counts
    batch : str
        What the batch is called; see `batch_of`.

    Raises
    ------
    InvalidFile
        The file is there and holds no counts, or other classifiers or groups.
    """
    name = plain(os.fspath(path), 200)
    with _alone(path):
        before, batches = read_state(path) if os.path.exists(path) else (None, ())
        if before is not None and batch in batches:
            return Appended(before, False)
        try:
            total = counts if before is None else before + counts
        except HowsureError as error:
            raise InvalidFile(name, plain(str(error), 400)) from None
        written(path, json.dumps(as_dict(total, (*batches, batch)), ensure_ascii=True) + "\n")
    return Appended(total, True)


def batch_of(files: Sequence[str], question: object) -> str:
    """Name of a batch: which files (path, size, time of the last change), and what was asked of them."""
    digest = hashlib.sha256(repr(question).encode())
    for file in sorted(os.path.abspath(f) for f in files):
        about = os.stat(file)
        digest.update(f"\0{file}\0{about.st_size}\0{about.st_mtime_ns}".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:32]


def written(path: str | os.PathLike[str], text: str) -> None:
    """Write a file whole or not at all: beside it, to the disk, then in its place."""
    target = Path(path)
    handle, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent or ".")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    with suppress(OSError, PermissionError):  # not every system can open a folder
        folder = os.open(target.parent or ".", os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def _alone(path: str | os.PathLike[str]) -> Iterator[None]:
    """One writer at a time; the lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # Windows: the last of two writers at one moment wins
        yield
        return
    folder = Path(path).parent
    if not folder.is_dir():
        raise InvalidFile(plain(os.fspath(path), 200), "its folder does not exist")
    with open(folder / f".{Path(path).name}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# -- as plain data ------------------------------------------------------------------------------------------


def as_dict(counts: Counts, batches: Sequence[str] = ()) -> dict[str, Any]:
    """Plain data, ready for JSON; `from_dict` reads them back."""
    cells = counts.cells
    return {
        "format": FORMAT,
        "kind": KIND,
        "orientation": "true-rows",
        "classes": list(counts.labels),
        "models": list(counts.models),
        "paired": counts.paired,
        "by": list(counts.by),
        "groups": [list(group) for group in counts.groups],
        "read": counts.read,
        "n": counts.n,
        "cells": {name: column.tolist() for name, column in cells._asdict().items()},
        "set_aside": [{"reason": a.reason, "rows": a.rows, "examples": list(a.examples)} for a in counts.set_aside],
        "notes": list(counts.notes),
        "batches": list(batches),
    }


def is_state(value: object) -> bool:
    """Whether plain data are those of `Counts`."""
    return isinstance(value, Mapping) and value.get("format") == FORMAT and value.get("kind") == KIND


def from_dict(data: Mapping[str, Any]) -> Counts:
    """Counts from the plain data of `as_dict`; raises ValueError, TypeError or KeyError where they are none."""
    columns = {name: np.asarray(data["cells"][name], dtype=np.int64) for name in Cells._fields}
    size = len(columns["cases"])
    columns["answers"] = columns["answers"].reshape(size, -1 if size else max(1, len(data["models"])))
    cells = Cells(**columns)
    labels, groups = [str(x) for x in data["classes"]], [tuple(g) for g in data["groups"]]
    for codes, low, high in (
        (cells.truth, 0, len(labels)),
        (cells.answers, -1, len(labels)),
        (cells.group, 0, len(groups)),
        (cells.cases, 1, 2**53),
    ):
        if len(codes) != size or (codes < low).any() or (codes >= high).any():
            raise ValueError("a cell is outside its range")
    counts = Counts(
        cells,
        labels=labels,
        models=[str(x) for x in data["models"]],
        by=[str(x) for x in data["by"]],
        groups=groups,
        read=int(data["read"]),
        set_aside=[
            SetAside(str(a["reason"]), int(a["rows"]), tuple(map(str, a["examples"]))) for a in data["set_aside"]
        ],
        paired=bool(data["paired"]),
        notes=[str(x) for x in data["notes"]],
    )
    if counts.n != data["n"]:
        raise ValueError(f"the cells add up to {counts.n} cases, and n is {data['n']}")
    return counts


def read_state(path: str | os.PathLike[str]) -> tuple[Counts, tuple[str, ...]]:
    """Counts of a file, and the names of the batches in them.

    Raises
    ------
    InvalidFile
        No such file, no JSON, or no counts.
    """
    name = plain(os.fspath(path), 200)
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise InvalidFile(name, f"it cannot be opened: {plain(error.strerror or str(error))}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidFile(name, f"its counts are damaged ({plain(str(error), 80)}); nothing was changed") from None
    return counts_of_state(name, data), tuple(str(x) for x in data.get("batches", ()))


def counts_of_state(name: str, data: Any) -> Counts:
    """Counts from the plain data of a file; raises `InvalidFile` where they are none."""
    if not is_state(data):
        raise InvalidFile(name, 'it holds no counts of howsure ({"format": "howsure/1", "kind": "counts", ...})')
    try:
        return from_dict(data)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError) as error:
        raise InvalidFile(name, f"its counts are damaged ({plain(str(error), 80)}); nothing was changed") from None
