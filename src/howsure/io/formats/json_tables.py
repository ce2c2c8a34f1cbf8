"""One JSON document that is a table: a list of objects, a case each, or an object of lists, a column each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from howsure.data.words import bare
from howsure.errors import InvalidFile, excerpt
from howsure.io.formats.json_text import Document
from howsure.io.names_in_files import quoted
from howsure.io.table import Row, TextTable
from howsure.io.values import value_text

__all__ = ["table_of_document"]


def table_of_document(document: Document, expected: str) -> TextTable:
    """The document as the table that it is.

    Parameters
    ----------
    document : Document
    expected : str
        What a table is expected to hold, for a document that is none.

    Raises
    ------
    InvalidFile
        Another document, lists of different lengths, a value that is a list or an object, an object without a key that
        the first one has.

    Examples
    --------
    >>> made = table_of_document(Document("x.json", {"y_true": ["ill", "well"], "score": [0.9, 0.25]}), "rows")
    >>> made.header, list(made.rows)
    (['y_true', 'score'], [(1, ['ill', '0.9']), (2, ['well', '0.25'])])
    >>> list(table_of_document(Document("x.json", [{"y_true": "ill", "score": 1}]), "rows").rows)
    [(1, ['ill', '1'])]
    """
    name, value = document
    if isinstance(value, dict) and value and all(isinstance(column, list) for column in value.values()):
        sizes = {key: len(column) for key, column in value.items()}
        if len(set(sizes.values())) > 1:
            raise InvalidFile(
                name, f"lists of different lengths: {', '.join(f'{excerpt(k)} has {n}' for k, n in sizes.items())}"
            )
        keys, rows = list(value), list(zip(*value.values(), strict=True))
    elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        keys = list(value[0])
        odd = next((i for i, row in enumerate(value, start=1) if row.keys() != value[0].keys()), None)
        if odd is not None:
            raise InvalidFile(
                name, f"object {odd} has the keys {quoted(value[odd - 1])}, and the first one {quoted(keys)}"
            )
        rows = [tuple(row[key] for key in keys) for row in value]
    else:
        raise InvalidFile(
            name, f"it is one JSON document and no table: {expected}, as a list of objects or an object of lists"
        )
    return TextTable(name, [bare(key) for key in keys], 0, _rows(name, keys, rows), bare, "JSON ", unit="row")


def _rows(name: str, keys: list[str], rows: list[tuple[Any, ...]]) -> Iterator[Row]:
    for number, row in enumerate(rows, start=1):
        for key, value in zip(keys, row, strict=True):
            if isinstance(value, list | dict):
                raise InvalidFile(
                    name,
                    f"row {number} has {excerpt(value)} for {excerpt(key)}, and a single value is expected; "
                    "probabilities of classes are columns of their own, p_cat, p_dog",
                )
        yield number, [value_text(value) for value in row]
