"""Counts as plain data, and back: what contradicts itself is refused, never mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from howsure.data.count_checks import LARGEST_COUNT
from howsure.errors import excerpt
from howsure.io.counting.counted_cells import CountedCells
from howsure.io.counting.result import Counts, Group, SetAside
from howsure.text.formats import integer, several
from howsure.text.json_envelope import FORMAT

__all__ = ["KIND", "Mark", "as_dict", "batches_of", "from_dict", "is_state", "marks_of"]

KIND = "counts"


class Mark(NamedTuple):
    """What is remembered of a file that was counted: in which batch, and how many bytes it had."""

    batch: str
    size: int


def as_dict(counts: Counts, batches: Sequence[str] = (), marks: Mapping[str, Mark] | None = None) -> dict[str, Any]:
    """Plain data, ready for JSON; `from_dict` reads them back."""
    cells = counts.cells
    return {
        "format": FORMAT,
        "kind": KIND,
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
    return isinstance(value, Mapping) and value.get("format") == FORMAT and value.get("kind") == KIND


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
    counts = Counts(
        _cells(data["cells"], len(labels), len(groups), len(models), paired),
        labels=labels,
        models=models,
        by=by,
        groups=groups,
        read=_whole(data["read"], "read"),
        set_aside=aside,
        paired=paired,
        notes=_texts(data["notes"]),
        weighted=bool(weighted),
    )
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
