"""Matrices in a JSON document: its orientation and classes, or squares of numbers anywhere in it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure.data.labels import label_texts
from howsure.data.refusals import of_file, refusal
from howsure.data.words import Role, is_total
from howsure.errors import InvalidFile, excerpt
from howsure.io.assembly import (
    MOST_CLASSES,
    assembled_cells,
    cell_name,
    checked_label,
    chosen_model,
    classes_of,
    quoted,
    reading_of,
)
from howsure.io.cells import NotACount, cell_value
from howsure.io.formats.judged import from_plain, is_judged, judged_document
from howsure.io.formats.matrix import bare_names, classes_without_names, unnamed
from howsure.io.reading import Reading, Request
from howsure.text.formats import FORMAT, plain

_KEYS = frozenset(
    ["version", "classes", "labels", "counts", "cells", "matrix", "confusion_matrix", "orientation", "positive",
     "order", "format", "kind", "n", "name", "verdicts", "unlabelled", "folds", "class_sizes"]
)  # fmt: skip
_DOCUMENT = ("counts", "matrix", "confusion_matrix", "classifiers", "classes", "cases")
_ORIENTATIONS: dict[str, Role] = {"true-rows": "true", "pred-rows": "pred"}


def is_document(value: object) -> bool:
    """Whether an object is a whole document and not one case of JSON Lines."""
    if not isinstance(value, dict):
        return False
    # a case or a count may have a key "matrix" or "counts", with a text or a number and no list behind it
    return "format" in value or any(isinstance(value.get(key), list) for key in _DOCUMENT)


def read_document(source: str, value: Any, request: Request) -> Reading:
    """Matrix in a parsed JSON document."""
    if isinstance(value, list):
        return _matrix(source, value, {}, request, "JSON list of lists", [])
    if not isinstance(value, dict):
        raise refusal(source, "not_a", "the document", "an object or a list of lists", value)
    version = value.get("format", FORMAT)
    if version != FORMAT:
        raise refusal(source, "version", version, FORMAT)
    notes = []
    ours = "format" in value
    unused = [key for key in value if key not in _KEYS and key != "classifiers"]
    if unused:
        what = "Only the counts are read" if ours else "Not used"
        notes.append(f"{what}: key{'' if len(unused) == 1 else 's'} {quoted(unused)}{' left aside' if ours else ''}.")
    layout = f"howsure {plain(str(value.get('kind', 'result')), 30)} in JSON" if ours else "matrix in JSON"
    if "classifiers" in value:
        name, holder = _classifier(source, value["classifiers"], request)
        return _matrix(source, _counts_in(source, holder, name), value, request, f"{layout}, {plain(name, 40)}", notes)
    if request.model is not None and request.model != value.get("name", object()):
        raise refusal(source, "nothing_to_choose", "list of classifiers", request.model)
    if is_judged(value):
        return judged_document(source, value, request, layout, notes)
    if value.get("folds") is not None or ("cells" in value and not {"counts", "matrix"} & value.keys()):
        return _rebuilt(source, value, request, layout, notes)
    deeper = [] if {"counts", "matrix", "confusion_matrix"} & value.keys() else matrices_in(value)
    if len(deeper) > 1:
        raise refusal(source, "choose", "matrices", [path for path, _ in deeper], f"{source}#{deeper[0][0]}")
    if deeper:
        ((path, about),) = deeper
        return _matrix(source, about["counts"], about, request, f"matrix in JSON at {plain(path, 60)}", [])
    return _matrix(source, _counts_in(source, value, None), value, request, layout, notes)


def _matrices_in(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Squares of numbers anywhere in a document, with the names of the classes that stand beside them."""
    if not isinstance(value, dict):
        return
    if (names := dict_of_dicts(value)) is not None:
        yield path, {"counts": [[*row.values()] for row in value.values()], "classes": names}
        return
    for key, it in value.items():
        where = f"{path}.{key}" if path else str(key)
        several = it if isinstance(it, list) else []
        rows = [row.get("row") if isinstance(row, dict) and len(row) == 1 else row for row in several]
        square = len(rows) > 1 and all(
            isinstance(row, list) and len(row) == len(rows) and all(isinstance(cell, int | float) for cell in row)
            for row in rows
        )
        if not square:
            yield from _matrices_in(it, where)
            continue
        beside = [_shown_names(other, len(rows)) for other in value.values()]
        about = {"counts": rows, "classes": next((found for found in beside if found), None)}
        yield where, {key: it for key, it in about.items() if it is not None}


def dict_of_dicts(value: dict[str, Any]) -> list[str] | None:
    """Names of the classes of counts by two names, the same on both sides; None where there are none."""
    rows = [*value.values()]
    if len(rows) < 2 or not all(isinstance(row, dict) and [*row] == [*value] for row in rows):
        return None
    cells = [it for row in rows for it in row.values()]
    return [*value] if all(isinstance(it, int | float) and not isinstance(it, bool) for it in cells) else None


def matrices_in(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """The squares of a document; those of counts alone, where shares stand beside them."""
    found = list(_matrices_in(value))
    whole = [it for it in found if all(float(cell).is_integer() for row in it[1]["counts"] for cell in row)]
    return whole or found


def _shown_names(value: Any, size: int) -> list[str] | None:
    """As many texts, or objects that show one, as there are classes."""
    if not isinstance(value, list) or len(value) != size:
        return None
    texts = [it.get("displayName", it.get("name")) if isinstance(it, dict) else it for it in value]
    return [it for it in texts if isinstance(it, str)] if all(isinstance(it, str) for it in texts) else None


def _rebuilt(source: str, value: dict[str, Any], request: Request, layout: str, notes: list[str]) -> Reading:
    """A matrix with its cells in lists, or with folds of a cross-validation, as `ConfusionMatrix.to_dict` writes it.

    The cells of a table that is mostly empty say themselves which class is true.
    """
    if "cells" in value and value.get("orientation", "true-rows") != "true-rows":
        raise refusal(source, "not_a", "the orientation of cells", "'true-rows'", value["orientation"])
    made = from_plain(source, value, request)
    if value.get("n", made.n) != made.n:
        raise refusal(source, "unlike_n", value["n"], made.n)
    if request.labels is not None and made.folds is not None:
        raise refusal(source, "not_both", "--labels", "a document of folds")
    if request.labels is not None:
        made = assembled_cells(source, made.cells, made.labels, request, positive=made.positive)
    return Reading(made, source, f"{layout}, orientation true-rows", tuple(notes))


def _counts_in(source: str, holder: dict[str, Any], name: str | None) -> Any:
    found = [key for key in ("counts", "matrix", "confusion_matrix") if key in holder]
    of = "" if name is None else f" of classifier {excerpt(name)}"
    if len(found) > 1:
        raise refusal(source, "two_columns", f"the counts{of}", found)
    if not found:
        raise refusal(source, "no_counts", of, list(holder) or "none")
    counts = holder[found[0]]
    size = holder.get("n")
    if size is not None:
        rows = [row for row in counts if isinstance(row, list)] if isinstance(counts, list) else []
        total = sum(cell for row in rows for cell in row if isinstance(cell, int | float))
        if isinstance(size, bool) or not isinstance(size, int | float) or size != total:
            raise refusal(source, "unlike_n", size, total)
    return counts


def _classifier(source: str, found: Any, request: Request) -> tuple[str, dict[str, Any]]:
    if not isinstance(found, list) or not found or not all(isinstance(it, dict) for it in found):
        raise refusal(source, "not_a", "classifiers", 'a list of objects, each with "name" and "matrix"', found)
    names: dict[str, dict[str, Any]] = {}
    for number, it in enumerate(found, start=1):
        name = it.get("name", f"classifier {number}")
        if not isinstance(name, str) or not name.strip():
            raise refusal(source, "not_a", f"the name of classifier {number}", "a text", name)
        if name.strip() in names:
            raise refusal(source, "twice", "the classifier", name)
        names[name.strip()] = it
    name = chosen_model(source, list(names), request.model, "the document")
    return name, names[name]


def _matrix(
    source: str, counts: Any, about: dict[str, Any], request: Request, layout: str, notes: list[str]
) -> Reading:
    """Read a list of lists, with what the document says about it."""
    if not isinstance(counts, list) or not all(isinstance(row, list) for row in counts):
        raise refusal(source, "not_a", "counts", "a list of lists, one a row", _shape(counts))
    size = len(counts)
    if size > MOST_CLASSES:
        raise refusal(source, "too_many", size, "classes", MOST_CLASSES)
    if size < 2:
        raise refusal(source, "one_class", size)
    odd = next((i for i, row in enumerate(counts) if len(row) != size), None)
    if odd is not None:
        raise refusal(source, "not_square", size, len(counts[odd]))
    said = about.get("orientation")
    if said is not None and (not isinstance(said, str) or said not in _ORIENTATIONS):
        raise refusal(source, "not_a", "the orientation", "'true-rows' or 'pred-rows'", said)
    stated = None if said is None else _ORIENTATIONS[said]
    classes = about.get("classes", about.get("labels"))
    # what a document lists as a class is one, unless it is called the total
    listed = None if classes is None else _names(source, classes, size)
    meaning = stated or request.rows
    whole = np.zeros((size, size), dtype=np.int64)
    for i, row in enumerate(counts):
        for j, value in enumerate(row):
            try:
                whole[i, j] = cell_value(_number(value), request)
            except NotACount as reason:
                row, column = (listed[i], listed[j]) if listed else (str(i), str(j))
                raise InvalidFile(source, f"{cell_name(row, column, meaning)} {reason}") from None
    names, whole, left_out = _without_totals(source, listed, whole, request)
    notes = [*notes, *left_out]
    where = "the document says no orientation" if said is None else f"the orientation is {excerpt(said)}"
    positive = about.get("positive")
    if positive is not None:
        positive = _names(source, [positive], 1)[0]
        if request.positive is not None and request.positive != positive:
            notes = [
                *notes,
                f"The file says the positive class is {excerpt(positive)}; {excerpt(request.positive)} was chosen.",
            ]
    return reading_of(
        source, whole, names, request, said=stated, where=where, layout=(layout, f"orientation {said}"), notes=notes,
        positive=positive,
    )  # fmt: skip


def _without_totals(
    source: str, listed: list[str] | None, counts: NDArray[np.int64], request: Request
) -> tuple[list[str], NDArray[np.int64], list[str]]:
    """Names, counts and notes, a last row and column of sums left out."""
    size = len(counts)
    if listed is None:
        size, notes = classes_without_names(source, counts, request)
        names = bare_names(source, size, request)
        return names, counts[:size, :size], [*notes, *unnamed(names, request)]
    if not is_total(listed[-1]):
        return listed, counts, []
    size, _, notes = classes_of(source, listed, listed, counts, request)
    return listed[:size], counts[:size, :size], notes


def _number(value: object) -> object:
    if isinstance(value, str | list | dict | bool) or value is None:
        shown = "is missing (null)" if value is None else f"holds {json.dumps(value)[:60]}, not a number"
        raise NotACount(f"{shown}. Counts are counts of cases, 0 or more, without quotes.")
    return value


def _names(source: str, classes: Any, size: int) -> list[str]:
    """Class names as they are: JSON says exactly where a text begins and ends."""
    if not isinstance(classes, list) or len(classes) != size:
        raise refusal(source, "not_a", "classes", f"a list of {size} names, one a row of the counts", classes)
    with of_file(source):
        names = [checked_label(source, name, None) for name in label_texts(classes)]
    if odd := next((name for name in names if any("\ud800" <= c <= "\udfff" for c in name)), None):
        raise refusal(source, "surrogate", odd)
    return names


def _shape(counts: object) -> str:
    if isinstance(counts, list):
        return f"a list that holds {excerpt(next(row for row in counts if not isinstance(row, list)))}"
    return excerpt(counts)
