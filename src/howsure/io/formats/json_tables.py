"""JSON, read strictly: one document, tables anywhere in it, and JSON Lines as the table that they are."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from howsure.data.refusals import refusal, say
from howsure.data.words import bare
from howsure.errors import InvalidFile, excerpt
from howsure.io.opening import Opened
from howsure.io.table import Origin, Row, TextTable, value_text
from howsure.text.formats import several

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

    Parameters
    ----------
    keyed : bool
        Whether an object of objects, or of lists of objects, is a table too, whose keys name the items.

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
