"""What howsure itself writes, and reads back: a matrix as CSV, cases as a committed baseline, counts that grow."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.counts import LARGEST_COUNT
from howsure.data.groups import refuse_passes
from howsure.data.matrix import UNLABELLED
from howsure.data.predictions import Predictions
from howsure.data.refusals import of_file, refusal, say
from howsure.data.words import UNLABELLED as UNLABELLED_WORDS
from howsure.data.words import cleaned, word_of
from howsure.errors import InvalidLabels, excerpt, listing
from howsure.io.counting.result import CountedCells, Counts, SetAside
from howsure.io.reading import Reading, Request
from howsure.io.replacing import HAVE_LOCKS, locked, replace_text, target_of
from howsure.io.table import Row, TextTable
from howsure.text.formats import FORMAT, cell, envelope, guarded, integer, plain, several

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
        with of_file(name):
            total = counts if before is None else before.counts + counts
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
        raise refusal(plain(file, 200), "cannot", "it", "found any more", plain(str(error.strerror))) from None


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
    raise refusal(name, "counted_before", f"{plain(again[0], 200)}{more}", mark.batch, changed)


@contextmanager
def _alone(target: str, name: str) -> Iterator[None]:
    """One writer at a time; the lock goes with the process, however it ends."""
    if not HAVE_LOCKS:  # Windows: the last of two writers at one moment wins
        yield
        return
    lock = os.path.join(os.path.dirname(target), f".{os.path.basename(target)}.lock")
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW
    while True:
        try:
            handle = os.open(lock, flags, 0o666)
        except OSError as error:
            raise refusal(name, "cannot", "it", "locked for one writer", plain(error.strerror or str(error))) from None
        try:
            if not locked(handle, wait=True):
                raise refusal(name, "cannot", "it", "locked for one writer", "its file system has no locks")
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
    """Counts of a file, and the names of the batches in them."""
    found = _read(path, plain(os.fspath(path), 200))
    return found.counts, found.batches


def _read(path: str | os.PathLike[str], name: str) -> _State:
    try:
        data = json.loads(Path(path).read_bytes())
    except OSError as error:
        raise refusal(name, "cannot", "it", "opened", plain(error.strerror or str(error))) from None
    except (ValueError, RecursionError) as error:
        raise refusal(name, "damaged", "its counts are", plain(str(error), 160)) from None
    return _state_of(name, data)


def read_state_of(name: str, value: Mapping[str, Any], request: Request) -> Reading:
    """One classifier of counts that were written."""
    counts = _state_of(name, value).counts
    aside = [str(one) for one in counts.set_aside]
    if aside and request.missing == "error":
        raise refusal(name, "set_aside", "; ".join(aside), "")
    model = request.model
    if model is None and len(counts.models) > 1:
        first = plain(counts.models[0], 40)
        raise refusal(name, "choose", "classifiers", counts.models, f"--model {first}")
    with of_file(name):
        matrix = counts.confusion(
            model=model if len(counts.models) > 1 else None, labels=request.labels, positive=request.positive
        )
    notes = [*counts.notes, *(f"Set aside: {one}." for one in aside)]
    if counts.by:
        notes.append(f"The cases of all groups (by {listing(counts.by)}) are taken together.")
    return Reading(matrix, name, f"counted, {integer(counts.n)} of {several(counts.read, 'row')}", tuple(notes))


def _state_of(name: str, data: Any) -> _State:
    """The state that plain data say, which have to be what would be written of it: nothing is mended."""
    if not is_state(data):
        raise refusal(name, "no_state")
    try:
        state = _parsed(data)
        again = as_dict(state.counts, state.batches, state.marks)
        # as text, where True is no 1, and 1.0 neither
        here, there = ({key: json.dumps(it, sort_keys=True) for key, it in them.items()} for them in (data, again))
        odd = [key for key, text in there.items() if here.get(key, text) != text]
    except KeyError as error:
        raise refusal(name, "damaged", "its counts are", f"no {error}") from None
    except (ValueError, TypeError, IndexError, AttributeError, OverflowError, RecursionError) as error:
        raise refusal(name, "damaged", "its counts are", plain(str(error), 160)) from None
    if odd:
        raise refusal(name, "damaged", "its counts are", f"{odd[0]} contradicts the rest")
    return state


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


def _parsed(data: Mapping[str, Any]) -> _State:
    labels, models, by, batches = (tuple(dict.fromkeys(data[key])) for key in ("classes", "models", "by", "batches"))
    groups = tuple(dict.fromkeys(map(tuple, data["groups"])))
    values = (it for group in groups for it in group if it is not None)
    texts = [*labels, *models, *by, *batches, *data["notes"], *values]
    if not all(isinstance(it, str) for it in texts) or any(len(group) != len(by) for group in groups):
        raise ValueError("names are texts, and a group has one for each column of by")
    paired, cases = bool(data["paired"]), data["cells"]["cases"]
    bounds = {
        "truth": (0, len(labels)),
        "answers": (-1 if paired and len(models) > 1 else 0, len(labels)),
        "group": (0, len(groups)),
        "model": (-1, 0) if paired else (0, len(models)),
        "cases": (1, LARGEST_COUNT + 1),
    }
    columns = {}
    for name, (low, high) in bounds.items():
        column = np.array(data["cells"][name], dtype=None if cases else np.int64)
        if column.dtype.kind != "i" or (column.size and not low <= column.min() <= column.max() < high):
            raise ValueError(f"{name} holds a number outside {low} to {high - 1}")
        columns[name] = column
    columns["answers"] = columns["answers"].reshape(len(cases), len(models) if paired else 1)
    aside = tuple(SetAside(it["reason"], it["rows"], tuple(it["examples"])) for it in data["set_aside"])
    read, weighted = data["read"], bool(data.get("weighted"))
    notes, cells = tuple(data["notes"]), CountedCells.of(*columns.values())
    counts = Counts(cells, labels, models, by, groups, read, aside, paired, notes, weighted)
    rows = counts.n + sum(it.rows for it in aside)
    # by weights there may be more cases than rows, and version 0.1 does not say whether there were any
    if rows > LARGEST_COUNT or (not weighted and "weighted" in data and rows != read):
        raise ValueError(f"{integer(rows)} counted or set aside are not the {read} read")
    marks = {file: Mark(it["batch"], it["bytes"]) for file, it in data.get("files", {}).items()}
    if odd := next((it.batch for it in marks.values() if it.batch not in batches), None):
        raise ValueError(f"a file is of the batch {excerpt(odd, 40)}, which is not among the batches")
    return _State(counts, batches, marks)


def matrix_csv(confusion: ConfusionMatrix) -> str:
    r"""Matrix as CSV with the corner cell ``true\pred``, which `read` reads back; cases without a truth are a row.

    Parameters
    ----------
    confusion : ConfusionMatrix

    Raises
    ------
    InvalidLabels
        Labels that a CSV cannot tell apart or hold: a NUL character, or two that differ in outer blanks only; pairs.

    Examples
    --------
    >>> print(matrix_csv(ConfusionMatrix([[45, 5], [8, 42]], ["healthy", "ill"])), end="")
    true\pred,healthy,ill
    healthy,45,5
    ill,8,42
    """
    refuse_passes(confusion.folds, "a CSV of counts")
    judged = confusion.verdicts
    if judged is not None and judged.audit:
        raise InvalidLabels(say("no_csv", "an audit, whose verdicts are pairs"))
    rows = confusion.labels if judged is None else (*confusion.labels[: judged.truths], UNLABELLED)
    columns = confusion.labels if judged is None else judged.names
    counts = confusion.counts if judged is None else np.vstack((judged.labelled, judged.unlabelled))
    labels = confusion.labels
    if judged is not None and any(word_of(label) in UNLABELLED_WORDS for label in labels):
        raise InvalidLabels(say("no_csv", "a class called as the row of the cases without a truth is"))
    for label in labels:
        if "\0" in label:
            raise InvalidLabels(say("no_csv", f"{excerpt(label)}, with a NUL character"))
    read_back = [cleaned(guarded(label)) for label in labels]
    if len(set(read_back)) < len(labels) or not all(read_back):
        twice = next(
            label for label, back in zip(labels, read_back, strict=True) if not back or read_back.count(back) > 1
        )
        raise InvalidLabels(say("no_csv", f"{excerpt(twice)}, which differs from another label in outer blanks only"))
    lines = ["true\\pred," + ",".join(map(cell, columns))]
    for label, row in zip(rows, counts.tolist(), strict=True):
        lines.append(cell(label) + "," + ",".join(map(str, row)))
    return "\n".join(lines) + "\n"


def is_case_document(value: object) -> bool:
    """Whether a parsed document holds cases."""
    return isinstance(value, dict) and value.get("kind") == "predictions"


def case_table(source: str, value: dict[str, Any]) -> TextTable:
    """Table of a document of cases."""
    version = value.get("format", FORMAT)
    if version != FORMAT:
        raise refusal(source, "version", version, FORMAT)
    columns, cases = value.get("columns"), value.get("cases")
    if not isinstance(columns, list) or not columns or not all(isinstance(name, str) for name in columns):
        raise refusal(source, "not_a", "columns", 'a list of names such as ["id", "y_true", "y_pred"]', columns)
    if not isinstance(cases, list):
        raise refusal(source, "not_a", "cases", "a list of lists, one a case", cases)
    return TextTable(source, list(columns), 1, _rows(source, cases, len(columns)), clean=str, kind="JSON ")


def _rows(source: str, cases: list[Any], width: int) -> Iterator[Row]:
    for number, case in enumerate(cases, start=1):
        if not isinstance(case, list) or len(case) != width:
            raise refusal(source, "not_a", f"case {number}", f"a list of {width} cells", case)
        odd = [cell for cell in case if not isinstance(cell, str | type(None))]
        if odd:
            raise refusal(source, "not_a", f"a cell of case {number}", "a text in quotes, or null", odd[0])
        yield number, ["" if cell is None else cell for cell in case]


def with_classes(request: Request, value: dict[str, Any]) -> Request:
    """The request with the classes and the positive class that the document states, where it names none."""
    classes, positive = value.get("classes"), value.get("positive")
    if request.labels is not None or not isinstance(classes, list) or not all(isinstance(x, str) for x in classes):
        return request
    stated = positive if request.positive is None and positive in classes else request.positive
    return replace(request, labels=classes, positive=stated)


def case_document(predictions: Predictions, name: str) -> str:
    """Write predictions of one classifier with ids, as JSON that `case_table` reads back.

    Examples
    --------
    >>> alone = Predictions(["x", "y"], {"A": ["x", "x"]}, id=["1", "2"], positive="y")
    >>> print(case_document(alone, "A").splitlines()[-4])
     ["1", "x", "x"],
    """
    assert predictions.id is not None
    labels = predictions.labels
    (only,) = predictions.names
    answers, truth = predictions.answers(only), predictions.truth
    ids = [str(x) for x in predictions.id.tolist()]
    lines = [
        json.dumps([case, labels[true], labels[answer]], ensure_ascii=False)
        for case, true, answer in zip(ids, truth.tolist(), answers.tolist(), strict=True)
    ]
    head = _head("predictions", name, labels, predictions.confusion(only).positive)
    return f'{{{head}\n "columns": ["id", "y_true", "y_pred"],\n "cases": [\n ' + ",\n ".join(lines) + "\n ]\n}\n"


def matrix_document(confusion: ConfusionMatrix, name: str) -> str:
    """Write a matrix, one line a row, as JSON that `howsure.io.read` reads back.

    Examples
    --------
    >>> print(matrix_document(ConfusionMatrix([[9, 1], [2, 8]]), "main").splitlines()[-4])
     [9, 1],
    """
    lines = [json.dumps(row) for row in confusion.counts.tolist()]
    head = _head("matrix", name, confusion.labels, confusion.positive)
    return f'{{{head}\n "orientation": "true-rows",\n "counts": [\n ' + ",\n ".join(lines) + "\n ]\n}\n"


def _head(kind: str, name: str, labels: Sequence[str], positive: str | None) -> str:
    about = {**envelope(kind), "name": name, "classes": list(labels)}
    about |= {} if positive is None else {"positive": positive}
    return (
        ",".join(f"\n {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in about.items()) + ","
    )
