"""``import`` of scores: a text of true classes and scores, as how many cases of each class have each score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.data.scores import Scores
from howsure.data.words import role
from howsure.errors import HowsureError, InvalidFile
from howsure.io.contents import content_of
from howsure.io.opening import opened
from howsure.io.score_files import read_scores
from howsure.io.table import TextTable
from howsure.numerics.arrays import bincount
from howsure.text import formats
from howsure.web.limits import Limits
from howsure.web.uploaded import stream_of

__all__ = ["scores_read"]


def scores_read(request: Mapping[str, Any], source: str, limits: Limits) -> dict[str, Any]:
    """The classes, and for each different score how many cases of each have it; the positive class if a name tells."""
    given: dict[str, Any] = {"positive": request.get("positive"), "labels": request.get("labels"), "group": False}
    known = True
    try:
        made = read_scores(stream_of(request, source), **given)
    except InvalidFile:
        classes = _two_classes(request, source) if given["positive"] is None else None
        if classes is None:
            raise
        # which of the two it is, is asked; what was wrong besides is said now
        made, known = read_scores(stream_of(request, source), positive=classes[1]), False
    if len(made.labels) > 2:
        raise InvalidFile(
            source,
            f"probabilities of {len(made.labels)} classes; a threshold is between two, so keep two, or use howsure "
            "curve for all of them",
        )
    odd = next((name for name in made.labels if len(name) > limits.label), None)
    if odd is not None:
        raise InvalidFile(source, f"a class name has {len(odd):,} characters, and the page takes {limits.label}")
    values, counts = _counted(made)
    if made.n > limits.cases or len(values) > limits.patterns:
        raise InvalidFile(
            source,
            f"{made.n:,} cases with {len(values):,} different scores, and the page takes {limits.cases:,} with "
            f"{limits.patterns:,}; round the scores to three digits, or use howsure threshold, which has no limit",
        )
    cells = [[value, *pair] for value, pair in zip(values.tolist(), counts.tolist(), strict=True)]
    sizes = ", ".join(
        f"{formats.plain(label, 40)} {formats.integer(size)}"
        for label, size in zip(made.labels, made.class_sizes.tolist(), strict=True)
    )
    notes = [f"{formats.several(made.n, 'case')}: {sizes}."]
    if made.group is not None:
        notes.append("Cases of all groups are taken as separate cases.")
    scores = {"classes": list(made.labels), "positive": made.labels[1] if known else None, "cells": cells}
    return {"kind": "scores", "scores": scores, "notes": notes}


def _counted(scores: Scores) -> tuple[Any, Any]:
    """Different scores, increasing, and cases of each class with them."""
    values, place = np.unique(scores.scores, return_inverse=True)
    counts = np.stack([bincount(place.ravel(), scores.truth == i, len(values)) for i in (0, 1)], axis=-1)
    return values, counts.astype(np.int64)


def _two_classes(request: Mapping[str, Any], source: str) -> list[str] | None:
    """The classes of the column of truths where they are two; None where that is not to be had."""
    try:
        with opened(stream_of(request, source)) as file:
            table = content_of(file)
            if not isinstance(table, TextTable):
                return None
            columns = [i for i, cell in enumerate(table.header) if role(cell) == "true"]
            found = {table.clean(table.fitted(cells, line)[columns[0]]) for line, cells in table.rows if any(cells)}
    except (HowsureError, IndexError):
        return None
    return sorted(found) if len(found) == 2 else None
