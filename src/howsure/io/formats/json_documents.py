"""JSON: matrices in a document, squares of numbers and tables anywhere in it, and JSON Lines as a table."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from howsure.data.labels import label_texts
from howsure.data.refusals import of_file, refusal, say
from howsure.data.words import Role, bare, is_total
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
from howsure.io.formats.cases import from_plain, is_judged, judged_document
from howsure.io.formats.matrix import without_names
from howsure.io.opening import Opened
from howsure.io.reading import Reading, Request
from howsure.io.table import Origin, Row, TextTable, value_text
from howsure.text.formats import FORMAT, plain, several

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
    if listed is None:
        names, whole, left_out = without_names(source, whole, request)
    elif is_total(listed[-1]):
        size, _, left_out = classes_of(source, listed, listed, whole, request)
        names, whole = listed[:size], whole[:size, :size]
    else:
        names, left_out = listed, []
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


def _number(value: object) -> object:
    if isinstance(value, str | list | dict | bool) or value is None:
        shown = "is missing (null)" if value is None else f"holds {json.dumps(value)[:60]}, not a number"
        raise NotACount(f"{shown}. Counts are counts of cases, 0 or more, without quotes.")
    return value


def _names(source: str, classes: Any, size: int) -> list[str]:
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


# -- JSON, read strictly: tables anywhere in a document, and JSON Lines --

#: Lists of one text, an object being worth eight: an empty list is 3 bytes here and 64 in memory.
MOST_PARTS = 4_000_000

#: Lists and objects within each other; the files of this package need four, those of others some more.
DEEPEST = 64


class Document(NamedTuple):
    """What a JSON document holds, and what the user calls it."""

    name: str
    value: Any


class _Refused(Exception):
    pass


def parsed(source: str, text: str, line: int | None = None) -> Any:
    """Value of a JSON text.

    Examples
    --------
    >>> parsed("a.json", '{"counts": 3, "counts": 4}')
    Traceback (most recent call last):
    ...
    howsure.errors.InvalidFile: a.json: the key 'counts' comes twice; each needs a name of its own
    """
    parts = text.count("[") + 8 * text.count("{")
    if parts > MOST_PARTS:
        raise refusal(source, "too_many", parts, "lists and objects in one JSON document", MOST_PARTS, line=line)
    try:
        value = _DECODER.decode(text)
    except _Refused as refused:
        raise InvalidFile(source, str(refused), line) from None
    except json.JSONDecodeError as error:
        where = error.lineno if line is None else line
        # Python 3.13 says more than older versions; the place is what all of them agree on
        raise refusal(source, "no_json", error.colno, _advice(error), line=where) from None
    except RecursionError:
        raise refusal(source, "too_deep", DEEPEST, line=line) from None
    except ValueError:
        raise refusal(
            source, "not_a", "a number", "a count up to 2**53 - 1", "thousands of digits", line=line
        ) from None
    if parts <= DEEPEST:
        return value
    level = [value] if isinstance(value, list | dict) else []
    for _ in range(DEEPEST):
        children = (child for it in level for child in (it.values() if isinstance(it, dict) else it))
        level = [child for child in children if isinstance(child, list | dict)]
    if level:
        raise refusal(source, "too_deep", DEEPEST, line=line)
    return value


def _advice(error: json.JSONDecodeError) -> str:
    if not error.doc[error.pos :].strip():
        return "the text ends too early. Was the export finished?"
    if error.msg.startswith("Extra data"):
        return "one document was expected and more follows. Is this JSON Lines? Then one object a line, suffix .jsonl."
    return f"it holds {excerpt(error.doc[error.pos : error.pos + 20])}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise _Refused(say("twice", "the key", twice))
    return found


def _no_constant(name: str) -> Any:
    raise _Refused(say("not_a", "a value", "an integer for a count, null for a missing class", name))


# made once: a decoder for each of a million lines would cost more than the lines
_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


#: Objects within each other whose values are columns of their own, such as provider.id.
DEEPEST_COLUMN = 3
#: Objects and lists that are looked into on the way to a table.
MOST_STEPS = 10_000


class JsonTable(NamedTuple):
    """Where a table is in its document, "" for the whole, and its rows by column."""

    path: str
    rows: list[dict[str, Any]]


def flattened(row: Mapping[str, Any], depth: int = DEEPEST_COLUMN) -> dict[str, Any]:
    """A row with the values of objects in it as columns of their own.

    Examples
    --------
    >>> flattened({"provider": {"id": "gpt"}, "success": True, "asserts": [1]})
    {'provider.id': 'gpt', 'success': True, 'asserts': [1]}
    """
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping) and value and depth > 1:
            found |= {f"{key}.{inner}": it for inner, it in flattened(value, depth - 1).items()}
        else:
            found[key] = value
    return found


def tables_in(value: Any, *, keyed: bool = False) -> Iterator[JsonTable]:
    """Tables of a document from the outside in; what is within the rows of one is no table of its own.

    Examples
    --------
    >>> [(it.path, len(it.rows)) for it in tables_in({"run": {"cases": [{"ok": 1}, {"ok": 0}], "notes": []}})]
    [('run.cases', 2)]
    >>> list(tables_in({"columns": ["a", "b"], "data": [[1, 2]]}))
    [JsonTable(path='', rows=[{'a': 1, 'b': 2}])]
    """
    level = [("", value)]
    steps = 0
    while level and steps < MOST_STEPS:
        steps += 1
        where, it = level.pop(0)
        rows = _rows(it, keyed)
        if rows and any(rows):  # objects without keys are no rows
            yield JsonTable(where, rows)
        elif isinstance(it, dict):
            level += [(f"{where}.{key}" if where else str(key), inner) for key, inner in it.items()
                      if isinstance(inner, dict | list)]  # fmt: skip


def _rows(value: Any, keyed: bool) -> list[dict[str, Any]] | None:
    if isinstance(value, list):
        if not all(isinstance(row, dict) for row in value):
            return None
        return [flattened(row) for row in _chosen(value) or value]
    if not isinstance(value, dict) or not value:
        return None
    names, data = value.get("columns"), value.get("data", value.get("rows"))
    if isinstance(names, list) and isinstance(data, list) and all(isinstance(name, str) for name in names):
        if data and all(isinstance(row, list) and len(row) == len(names) for row in data):
            return [dict(zip(names, row, strict=True)) for row in data]
        return None
    columns = {key: it for key, it in value.items() if isinstance(it, list) and it}  # beside single figures
    cells = [cell for column in columns.values() for cell in column]
    cells += [it for key, it in value.items() if key not in columns]
    alike = len(columns) > 1 and len({*map(len, columns.values())}) == 1
    if alike and not any(isinstance(cell, list | dict) for cell in cells):
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    first = next(iter(value.values()))
    numbered = (
        isinstance(first, dict) and [*first] == [str(i) for i in range(len(first))] != [] and {*first} != {*value}
    )
    if numbered and len(value) > 1 and all(isinstance(it, dict) and [*it] == [*first] for it in value.values()):
        return [dict(zip(value, row, strict=True)) for row in zip(*(it.values() for it in value.values()), strict=True)]
    if not keyed or len(value) < 2:
        return None
    if all(isinstance(row, dict) and row for row in value.values()):
        return [{"item": key, **flattened(row)} for key, row in value.items()]
    if all(isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows) for rows in value.values()):
        return [{"item": key, **flattened(row)} for key, rows in value.items() for row in rows]
    return None


def _chosen(tasks: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """Tasks of Label Studio by what was chosen: the label, or that of each person, and the prediction."""
    if not all(isinstance(task.get("annotations"), list) for task in tasks):
        return None
    annotations = [[it for it in task["annotations"] if isinstance(it, dict) and not it.get("was_cancelled")]
                   for task in tasks]  # fmt: skip
    several_people, rows = any(len(it) > 1 for it in annotations), []
    for task, made in zip(tasks, annotations, strict=True):
        data = task.get("data")
        row = {"id": task.get("id"), **(data if isinstance(data, dict) else {})}
        for number, it in enumerate(made, start=1):
            person = it.get("completed_by", number)
            person = person.get("id", number) if isinstance(person, dict) else person
            row[f"annotator_{person}" if several_people else "true_label"] = _choice(it)
        predictions = task.get("predictions")
        if isinstance(predictions, list) and predictions and isinstance(predictions[0], dict):
            row["y_pred"] = _choice(predictions[0])
        rows.append(row)
    labels = [it for row in rows for key, it in row.items() if key == "true_label" or key.startswith("annotator_")]
    return rows if any(it is not None for it in labels) else None


def _choice(annotation: Mapping[str, Any]) -> Any:
    """What one annotation says, its choice or a rating; a list of several, None of none."""
    found: list[Any] = []
    for part in annotation.get("result") or []:
        value = part.get("value") if isinstance(part, dict) else None
        value = value if isinstance(value, dict) else {}
        said = value.get("choices", value.get("rating", []))
        found += said if isinstance(said, list) else [said]
    return found[0] if len(found) == 1 else found or None


def part_of(source: str, value: Any, path: str) -> Any:
    """What stands at a path of a document, such as ``results.results``."""
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            raise refusal(source, "absent", f"{path} in the document:", key, value)
        value = value[key]
    return value


def table_of_document(document: Document, expected: str) -> TextTable:
    """The same, where a table is ``expected``; a document without one is refused."""
    found = table_in(document, expected)
    if found is None:
        raise refusal(document.name, "no_table", f"{expected}, as a list of objects or an object of lists")
    return found


def table_in(document: Document, expected: str = "") -> TextTable | None:
    """The one table of a document, with a note on where in it it was; None where there is none.

    Examples
    --------
    >>> made = table_of_document(Document("x.json", {"y_true": ["ill", "well"], "score": [0.9, 0.25]}), "rows")
    >>> made.header, list(made.rows)
    (['y_true', 'score'], [(1, ['ill', '0.9']), (2, ['well', '0.25'])])
    >>> list(table_of_document(Document("x.json", [{"y_true": "ill", "score": 1}]), "rows").rows)
    [(1, ['ill', '1'])]
    """
    name, value = document
    found = list(tables_in(value))
    if len(found) > 1:
        there = [f"{it.path} ({several(len(it.rows), 'row')})" for it in found]
        raise refusal(name, "choose", "tables", there, f"{name}#{found[0].path}")
    if not found:
        if isinstance(value, dict) and len(value) > 1 and all(isinstance(column, list) for column in value.values()):
            sizes = {key: len(column) for key, column in value.items()}
            if expected and len(set(sizes.values())) > 1:
                raise refusal(name, "unlike_lengths", [f"{k} has {n}" for k, n in sizes.items()])
            nested = next(
                (k for k, column in value.items() if any(isinstance(cell, list | dict) for cell in column)), ""
            )
            if expected and nested:
                raise refusal(name, "nested_column", nested, "a list or an object in a row")
        return None
    ((path, rows),) = found
    keys = list(dict.fromkeys(key for row in rows for key in row))
    lines = ((number, [value_text(row.get(key)) for key in keys]) for number, row in enumerate(rows, start=1))
    notes = [f"Read from {excerpt(path, 60)} in the document."] if path else []
    return TextTable(name, [bare(key) for key in keys], 0, lines, bare, "JSON ", unit="row", notes=notes)


#: Lines whose keys are the columns.
FIRST_LINES = 100


def json_lines(file: Opened) -> TextTable:
    """Table of the objects; the keys of the first lines are its header, and a key that is absent is a blank."""
    rows_of = objects(file)
    first = list(islice(rows_of, FIRST_LINES))
    cells = [(key, it) for _, value in first for key, it in value.items() if it is not None]
    nested = {key for key, it in cells if isinstance(it, dict)} - {key for key, it in cells if not isinstance(it, dict)}

    def flat(value: dict[str, Any]) -> dict[str, Any]:
        """The values of objects, where a column holds nothing else, as columns of their own."""
        parts = (flattened({key: it}) if key in nested else {key: it} for key, it in value.items())
        return {key: it for part in parts for key, it in part.items()}

    if nested:
        first, rows_of = [(n, flat(it)) for n, it in first], ((n, flat(it)) for n, it in rows_of)
    keys = list(dict.fromkeys(key for _, value in first for key in value))
    line = first[0][0] if first else 1
    if not keys:
        raise refusal(file.name, "no_keys", line=line)
    origin = None
    if file.path is not None and file.is_grouped and not nested:
        origin = Origin((file.path, *file.others), "jsonl", tuple(keys), file.size, packing=file.packing)
    rows = _json_rows(file.name, keys, chain(first, rows_of))
    header = [bare(key) for key in keys]
    return TextTable(file.name, header, line, rows, bare, "JSON Lines ", origin=origin, notes=file.notes)


def objects(file: Opened, parse: Callable[[str, str, int], Any] = parsed) -> Iterator[tuple[int, dict[str, Any]]]:
    """Objects of JSON Lines with their line numbers."""
    for number, text in enumerate(file.lines(), start=1):
        if not text.strip():
            continue
        value = parse(file.name, text, number)
        if not isinstance(value, dict):
            raise refusal(file.name, "not_a", "a line", "one object a line", value, line=number)
        yield number, value


def _json_rows(source: str, keys: list[str], objects: Iterable[tuple[int, dict[str, Any]]]) -> Iterator[Row]:
    known = set(keys)
    for number, value in objects:
        if not value.keys() <= known:
            new, what = [key for key in value if key not in known], f"one of the first {FIRST_LINES} lines has the key"
            raise refusal(source, "absent", what, new, keys, line=number)
        cells = [value.get(key) for key in keys]
        yield number, [it if type(it) is str and it.isascii() else _text(source, it, number) for it in cells]


def _text(source: str, value: object, line: int) -> str:
    """Write the value as a CSV would have it; null is a blank."""
    if isinstance(value, str) and not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
        raise refusal(source, "surrogate", value, line=line)
    if isinstance(value, float) and not math.isfinite(value):
        raise refusal(source, "not_a", "a number", "a finite one", value, line=line)
    return value_text(value)
