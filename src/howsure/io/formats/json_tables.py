"""Tables within a JSON document, however deep: a list of objects, an object of lists, or columns and their data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from howsure.data.words import bare
from howsure.errors import InvalidFile, excerpt, listing
from howsure.io.formats.json_text import Document
from howsure.io.table import TextTable
from howsure.io.values import value_text
from howsure.text.formats import integer, several

__all__ = ["JsonTable", "flattened", "part_of", "table_in", "table_of_document", "tables_in"]

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


def tables_in(value: Any, path: str = "", *, keyed: bool = False) -> Iterator[JsonTable]:
    """Tables of a document from the outside in; what is within the rows of one is no table of its own.

    Parameters
    ----------
    value : dict, list or any other value of JSON
    path : str
        Where it is.
    keyed : bool
        Whether an object of objects, or of lists of objects, is a table too, whose keys name the items.

    Examples
    --------
    >>> [(it.path, len(it.rows)) for it in tables_in({"run": {"cases": [{"ok": 1}, {"ok": 0}], "notes": []}})]
    [('run.cases', 2)]
    >>> list(tables_in({"columns": ["a", "b"], "data": [[1, 2]]}))
    [JsonTable(path='', rows=[{'a': 1, 'b': 2}])]
    """
    level = [(path, value)]
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
        return [flattened(row) for row in value] if all(isinstance(row, dict) for row in value) else None
    if not isinstance(value, dict) or not value:
        return None
    names, data = value.get("columns"), value.get("data", value.get("rows"))
    if isinstance(names, list) and isinstance(data, list) and all(isinstance(name, str) for name in names):
        if data and all(isinstance(row, list) and len(row) == len(names) for row in data):
            return [dict(zip(names, row, strict=True)) for row in data]
        return None
    if len(value) > 1 and all(isinstance(column, list) and column for column in value.values()):
        columns = list(value.values())
        if len({len(column) for column in columns}) == 1 and not any(
            isinstance(cell, list | dict) for column in columns for cell in column
        ):
            return [dict(zip(value, row, strict=True)) for row in zip(*columns, strict=True)]
    if not keyed or len(value) < 2:
        return None
    if all(isinstance(row, dict) and row for row in value.values()):
        return [{"item": key, **flattened(row)} for key, row in value.items()]
    if all(isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows) for rows in value.values()):
        return [{"item": key, **flattened(row)} for key, rows in value.items() for row in rows]
    return None


def part_of(source: str, value: Any, path: str) -> Any:
    """What stands at a path of a document, such as ``results.results``.

    Raises
    ------
    InvalidFile
        There is nothing.
    """
    for key in path.split("."):
        if not isinstance(value, dict) or key not in value:
            there = listing(map(excerpt, value), 20) if isinstance(value, dict) else excerpt(value)
            raise InvalidFile(source, f"the document has nothing at {excerpt(path)}: no {excerpt(key)} in {there}")
        value = value[key]
    return value


def table_of_document(document: Document, expected: str) -> TextTable:
    """The same, where a table is ``expected``; a document without one is refused."""
    found = table_in(document, expected)
    if found is None:
        problem = "it is one JSON document and no table"
        raise InvalidFile(document.name, f"{problem}: {expected}, as a list of objects or an object of lists")
    return found


def table_in(document: Document, expected: str = "") -> TextTable | None:
    """The one table of a document, with a note on where in it it was; None where there is none.

    Parameters
    ----------
    document : Document
    expected : str
        What a table is expected to hold, where nothing else will do.

    Raises
    ------
    InvalidFile
        Several tables; lists of different lengths, where a table is expected.

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
        shown = listing(f"{excerpt(it.path, 60)} ({several(len(it.rows), 'row')})" for it in found)
        raise InvalidFile(
            name, f"the document holds {integer(len(found))} tables, {shown}. Name one: {name}#{found[0].path}"
        )
    if not found:
        if isinstance(value, dict) and len(value) > 1 and all(isinstance(column, list) for column in value.values()):
            sizes = {key: len(column) for key, column in value.items()}
            if expected and len(set(sizes.values())) > 1:
                shown = ", ".join(f"{excerpt(k)} has {n}" for k, n in sizes.items())
                raise InvalidFile(name, f"lists of different lengths: {shown}")
            nested = next(
                (k for k, column in value.items() if any(isinstance(cell, list | dict) for cell in column)), ""
            )
            if expected and nested:
                problem = f"a row has a list or an object for {excerpt(nested)}, and a single value is expected"
                raise InvalidFile(name, f"{problem}; probabilities of classes are columns of their own, p_cat, p_dog")
        return None
    ((path, rows),) = found
    keys = list(dict.fromkeys(key for row in rows for key in row))
    lines = ((number, [value_text(row.get(key)) for key in keys]) for number, row in enumerate(rows, start=1))
    notes = [f"Read from {excerpt(path, 60)} in the document."] if path else []
    return TextTable(name, [bare(key) for key in keys], 0, lines, bare, "JSON ", unit="row", notes=notes)
