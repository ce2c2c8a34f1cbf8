"""What a file that is open holds, by how it begins: one JSON document, or a table of text."""

from __future__ import annotations

from howsure.errors import InvalidFile
from howsure.io.formats.json_document import is_document
from howsure.io.formats.json_lines import json_lines
from howsure.io.formats.json_tables import part_of, table_in
from howsure.io.formats.json_text import Document, parsed
from howsure.io.formats.printed import printed
from howsure.io.formats.written_counts import is_state
from howsure.io.opening import Opened
from howsure.io.several_files import folder_parts, joined_tables
from howsure.io.table import TextTable, delimited
from howsure.io.typed import parquet_table

__all__ = ["content_of", "document_of", "is_document_file", "table_of"]


def content_of(file: Opened) -> TextTable | Document:
    """The JSON document or the table that a file holds; a table may stand anywhere in a document."""
    document = document_of(file)
    if document is None:
        return table_of(file)
    if is_document(document.value) or is_state(document.value):
        return document
    return table_in(document) or document


def is_document_file(file: Opened) -> bool:
    """Whether a file is one JSON document and no table."""
    if file.is_parquet or _has_lines_of_json(file):
        return False
    # a list that NumPy or MATLAB printed begins as JSON does
    return (file.suffix == ".json" and b"weighted avg" not in file.head) or (
        file.head.lstrip()[:1] in (b"{", b"[") and printed(file) is None
    )


def document_of(file: Opened) -> Document | None:
    """The JSON document that a file is; None where it is a table."""
    if not is_document_file(file):
        return None
    if file.others:
        raise InvalidFile(file.name, "several files are one table only if they hold cases, and the first is JSON")
    value = parsed(file.name, file.text())
    return Document(file.name, value if file.part is None else part_of(file.name, value, file.part))


def table_of(file: Opened) -> TextTable:
    """The table that a file holds, or several files together."""
    first = _table_of_one(file)
    return joined_tables(first, _table_of_one) if file.others or folder_parts(file.path) else first


def _table_of_one(file: Opened) -> TextTable:
    if file.is_parquet:
        return parquet_table(file)
    return json_lines(file) if _has_lines_of_json(file) else printed(file) or delimited(file)


def _has_lines_of_json(file: Opened) -> bool:
    beginning = file.head.lstrip()
    if file.suffix in (".jsonl", ".ndjson"):
        return not file.is_parquet
    if file.part is not None:
        return False
    return beginning.startswith(b"{") and _one_object_a_line(file, beginning)


def _one_object_a_line(file: Opened, beginning: bytes) -> bool:
    """Whether the first line is a complete object, and of a case or count instead of a whole matrix."""
    line, _, below = beginning.partition(b"\n")
    line = line.strip()
    if not line.endswith(b"}"):
        return False
    try:
        value = parsed(file.name, line.decode("utf-8", "replace"))
        # alone, an object with others in it is a document and not the one case of a list
        alone = not below.strip() and any(isinstance(it, list | dict) for it in value.values())
        return not alone and not is_document(value)
    except ValueError:
        # a case with a doubled key or a NaN is a fault of its line, and more lines show that there are lines
        return b"\n{" in beginning
