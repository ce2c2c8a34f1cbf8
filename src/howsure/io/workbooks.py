"""Workbooks of Excel, ``.xlsx``: the one sheet that holds a table, as the text that is pasted when it is copied.

A workbook is a zip of XML. What the library that reads it is given is a copy: parts of text alone, unpacked within
bounds, without any declaration of entities, so that neither the zip nor the XML can grow beyond what was counted.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import IO, Any

from howsure.data.refusals import AS_CSV, refusal
from howsure.data.words import is_total, role
from howsure.errors import InvalidFile, MissingExtra, excerpt, listing
from howsure.io.opening import MOST_PACKED, SMALL
from howsure.io.table import value_text
from howsure.text.formats import plain

#: Bytes of a workbook, of all its parts when they are unpacked, and how many parts.
LARGEST_WORKBOOK = 64 * 2**20
LARGEST_UNPACKED = 128 * 2**20
MOST_PARTS = 10_000
#: Cells of all sheets with the blank ones before the last of each row; a row, blank or not, takes the time of four.
MOST_CELLS, ROW = 10_000_000, 4
MOST_ROWS = 2**20
#: Signs that begin a tag, whatever the size of the file, and for each of its bytes; honest ones have 1.5 a byte.
MARKUP, MARKUP_A_BYTE = 500_000, 4
#: Likewise tags that are of no cell: of styles and rules each costs the library the time of thirty cells.
OTHER_TAGS, OTHER_A_BYTE = 2**15, 1
#: Bytes from one tag to the next; a cell has at most 32,767 characters, of six bytes where they are escaped.
LONGEST_PIECE = 200_000

_CELLS = rb"/|[?]|(?:[A-Za-z0-9]{1,9}:)?(?:c|row|v|t|is|si|f)[\s/>]"
_OTHER = re.compile(rb"<(?!" + _CELLS + rb")")
_PIECE = re.compile(rb"<[^<]{%d}" % LONGEST_PIECE)
#: What makes entities, and what only a declaration can begin with.
_DECLARED = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
#: A formula that no program has computed; one that came out as an empty text says that it is text.
_UNCOMPUTED = re.compile(
    rb"<(?:\w+:)?c\b(?![^<>]*\bt=.str)[^<>]*>\s*<(?:\w+:)?f\b[^<>]*(?:/>|>[^<>]*</(?:\w+:)?f>)\s*"
    rb"(?:(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)\s*)?</(?:\w+:)?c>"
)
#: A row that is not shown.
_HIDDEN = re.compile(rb"<(?:\w+:)?row\b[^<>]*\shidden=[\"'](?:1|true)[\"']")
#: Parts that hold no cells: pictures, charts, links to other workbooks, macros.
_NO_CELLS = ("xl/externalLinks/", "xl/media/", "xl/drawings/", "xl/charts/", "xl/pivot", "xl/embeddings/", "customXml/")
_DAMAGE = (zipfile.BadZipFile, ValueError, EOFError, RuntimeError, NotImplementedError, struct.error, zlib.error)


def sheet_text(name: str, raw: IO[bytes], sheet: str | None = None) -> tuple[bytes, list[str]]:
    """The table of a workbook as lines of cells that tabs set apart, and notes."""
    try:
        from openpyxl import load_workbook  # type: ignore[import-untyped]
    except ImportError:
        raise MissingExtra("Reading a workbook of Excel", "excel") from None
    copy = _checked(name, raw)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of extensions, of styles: nothing that is read here
            book = load_workbook(copy, read_only=True, data_only=True, keep_links=False)
            title, rows, notes = _table(name, book, sheet)
            part = getattr(book[title], "_worksheet_path", None)
            if part in copy.uncomputed:  # a blank cell would be no case, or a missing label
                raise refusal(name, "uncomputed", title)
            if part in copy.hidden:
                notes.append("Rows of the workbook are hidden, by hand or by a filter; they are read like the others.")
            return _written(rows, notes), notes
    except InvalidFile:
        raise
    except Exception as error:  # the library has no error of its own for parts that are not what they should be
        raise refusal(
            name, "cannot", "the workbook", "read", f"{type(error).__name__}: {plain(str(error), 80)}; {AS_CSV}"
        ) from None


# -- what the library is given ------------------------------------------------------------------------------


class _Parts(io.BytesIO):
    """The zip that the library reads; many sheets that are the same part would be read once for each."""

    left = 0
    uncomputed: frozenset[str] = frozenset()
    hidden: frozenset[str] = frozenset()

    def read(self, size: int | None = -1, /) -> bytes:
        """Some bytes, as long as there are fewer than what each part needs."""
        found = super().read(size)
        self.left -= len(found)
        if self.left < 0:
            raise RuntimeError("several sheets are one part")
        return found


def _checked(name: str, raw: IO[bytes]) -> _Parts:
    """The parts of text of a workbook in a zip of our own, or a sentence."""
    data = raw.read(LARGEST_WORKBOOK + 1)
    if len(data) > LARGEST_WORKBOOK:
        raise refusal(name, "too_large", "a workbook", LARGEST_WORKBOOK // 2**20)
    copy = _Parts()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(copy, "w") as checked:
            parts = [it for it in archive.infolist() if it.filename.endswith((".xml", ".rels"))]
            parts = [it for it in parts if not it.filename.startswith(_NO_CELLS)]
            names = {it.filename for it in parts}
            if not any(re.fullmatch(r"xl/workbook\w*\.xml", part) for part in names):
                other = "a binary one (.xlsb)" if "xl/workbook.bin" in archive.namelist() else "no workbook"
                raise refusal(name, "not_a", "the workbook of Excel", ".xlsx or CSV", other)
            if len(parts) > MOST_PARTS or len(names) < len(parts):
                raise refusal(name, "too_many", len(parts), "parts", MOST_PARTS)
            most, total = min(LARGEST_UNPACKED, max(SMALL, MOST_PACKED * len(data))), 0
            tags, others = max(MARKUP, MARKUP_A_BYTE * len(data)), max(OTHER_TAGS, OTHER_A_BYTE * len(data))
            for part in parts:
                if part.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                    raise refusal(name, "cannot", "the workbook", "unpacked", "no program packs one so; save it anew")
                with archive.open(part) as file:
                    text = file.read(most - total + 1)
                total += len(text)
                if total > most:
                    raise refusal(name, "grows", len(data), total, MOST_PACKED)
                # declared entities may grow without end or name files; other encodings than UTF-8 could hide them
                if b"\0" in text or _DECLARED.search(text):
                    raise refusal(name, "hostile", part.filename, "declared entities, or other text than UTF-8")
                tags -= text.count(b"<")
                others -= sum(1 for _ in _OTHER.finditer(text))
                if tags < 0 or others < 0 or _PIECE.search(text):
                    raise refusal(name, "hostile", part.filename, "a longer text, or more markup")
                if _HIDDEN.search(text):
                    copy.hidden |= {part.filename}
                if _UNCOMPUTED.search(text):
                    copy.uncomputed |= {part.filename}
                checked.writestr(part.filename, text)
    except InvalidFile:
        raise
    except _DAMAGE as error:
        raise refusal(name, "damaged", "the workbook is", plain(str(error), 80)) from None
    copy.seek(0)
    copy.left = 4 * len(copy.getbuffer()) + 2**20
    return copy


# -- what it gives ------------------------------------------------------------------------------------------


def _table(name: str, book: Any, sheet: str | None) -> tuple[str, list[list[str]], list[str]]:
    chosen = [_named(name, book, sheet)] if sheet is not None else book.worksheets
    tables: dict[str, list[list[str]]] = {}
    left = MOST_CELLS
    for it in chosen:
        if it.sheet_state != "visible" and sheet is None:
            continue
        rows, left = _rows(name, it, left)
        if sum(sum(map(bool, row)) > 1 for row in rows) > 1:
            tables[it.title] = rows
    if not tables:
        raise refusal(name, "no_sheet_with_table")
    if len(tables) > 1:
        known = [it.title for it in book.worksheets]
        example = plain(f"{name}#{next(iter(tables))}", 250)
        raise refusal(
            name, "choose", "sheets with a table", [f"{known.index(title) + 1} {title}" for title in tables], example
        )
    ((title, rows),) = tables.items()
    notes = [f"Read from the sheet {excerpt(title)}."] if len(book.worksheets) > 1 else []
    return title, rows, notes


def _named(name: str, book: Any, sheet: str) -> Any:
    found = next((it for it in book.worksheets if it.title == sheet), None)
    if found is None and sheet.isdecimal() and 1 <= int(sheet[:6]) <= len(book.worksheets):
        return book.worksheets[int(sheet[:6]) - 1]
    if found is None:
        raise refusal(name, "absent", "sheet", sheet, [it.title for it in book.worksheets])
    return found


def _rows(name: str, sheet: Any, left: int) -> tuple[list[list[str]], int]:
    sheet.reset_dimensions()  # what the file says of its own size is not believed
    rows: list[list[str]] = []
    for row in sheet.iter_rows(values_only=True):
        left -= len(row) + ROW
        if left < 0 or len(rows) > MOST_ROWS:
            raise refusal(name, "too_many", MOST_CELLS, "cells, blank ones counted", MOST_CELLS)
        rows.append([_cell(value) for value in row])
    return rows, left


def _cell(value: Any) -> str:
    """Text of one cell, on one line, as a value with a type has it in every form of a table."""
    return value_text(value).translate(_ONE_LINE)


_ONE_LINE = str.maketrans(dict.fromkeys("\t\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029\0", " "))


def _written(rows: list[list[str]], notes: list[str]) -> bytes:
    """Lines of cells; each row of the sheet is a line, so that a complaint names it by its number."""
    made = io.StringIO(newline="")
    writer = csv.writer(made, delimiter="\t", lineterminator="\n")
    first = _beginning(rows)
    body, below = _parted_below(rows[first:])
    margin = min((place for row in body for place, cell in enumerate(row) if cell.strip()), default=0)
    last, beside = _parted_beside(body, margin)
    for where, left in (("above", [it for row in rows[:first] for it in row]), ("below", below), ("beside", beside)):
        if texts := [excerpt(it) for it in left if it.strip()]:
            notes.append(f"Left out, {where} the table: {listing(texts)}.")
    made.write("\n" * first)
    for row in _trimmed([row[:last] for row in body], margin):
        writer.writerow(row) if row else made.write("\n")
    return made.getvalue().encode("utf-8", "replace")


#: Rows below a table that are told as notes; more are no notes.
MOST_NOTES = 50


def _parted_below(rows: list[list[str]]) -> tuple[list[list[str]], list[str]]:
    """The table, and cells of what stands alone below a blank row, or below a matrix: remarks and figures.

    Examples
    --------
    >>> _parted_below([["true", "pred"], ["a", "a"], ["b", "a"], ["", ""], ["Source: X", ""]])
    ([['true', 'pred'], ['a', 'a'], ['b', 'a']], ['Source: X'])
    """
    end, cut = len(rows), None
    classes = _names_of_matrix(rows)
    for place in range(end - 1, 1, -1):
        filled = [it.strip() for it in rows[place] if it.strip()]
        if len(filled) > (2 if classes else 1) or (cut is not None and cut - place > MOST_NOTES):
            break
        blank = not filled and place + 1 < end and any(it.strip() for it in rows[place + 1])
        if blank or (classes and len(filled) == 1 and filled[0] not in classes):
            cut = place
    body = rows[:cut]
    if cut is None or sum(sum(1 for it in row if it.strip()) > 1 for row in body) < 2:
        return rows, []
    below = [(place, it) for row in rows[cut:] for place, it in enumerate(row) if it.strip()]
    known = [{row[place] for row in body if place < len(row)} for place in range(max(it[0] for it in below) + 1)]
    # a class, so it is a case or a row of the matrix whose other cells are missing
    if any(it in known[place] or it.strip() in classes for place, it in below):
        return rows, []
    return body, [it for _, it in below]


def _names_of_matrix(rows: Sequence[list[str]]) -> set[str]:
    """What stands in the first row, or below its title, if two of it are in one of the first columns as well."""
    titled = bool(rows) and len({it.strip() for it in rows[0] if it.strip() and not is_total(it)}) == 1
    names = {it.strip() for row in rows[titled : titled + 1] for it in row if it.strip()}
    below = rows[titled + 1 :]
    shared = (names & {row[place].strip() for row in below if place < len(row)} for place in (0, 1))
    return names if any(len(both) > 1 for both in shared) else set()


def _parted_beside(rows: Sequence[list[str]], margin: int) -> tuple[int, list[str]]:
    """Where the columns of the table end, and cells of what stands behind a blank column and below no header.

    Examples
    --------
    >>> _parted_beside([["true", "pred"], ["a", "a", "", "odd"], ["b", "a"]], 0)
    (2, ['odd'])
    """
    wide = max(map(len, rows), default=0)
    if not rows:
        return wide, []
    headed = max((place + 1 for place, it in enumerate(rows[0]) if it.strip()), default=wide)
    used = {place for row in rows for place, it in enumerate(row[headed:], headed) if it.strip()}
    last = next((place for place in range(max(headed, margin + 2), wide) if place not in used), wide)
    return last, [it for row in rows for it in row[last:] if it.strip()]


def _beginning(rows: Sequence[list[str]]) -> int:
    """The first row that is no title: one with two cells, or with a word for a side of the matrix."""
    for place, row in enumerate(rows):
        filled = [it for it in row if it.strip()]
        if len(filled) > 1 or (filled and role(filled[0]) is not None):
            return place
    return 0


def _trimmed(rows: Sequence[list[str]], margin: int) -> Iterator[list[str]]:
    """Rows without the blank columns before all of them, as wide as they need to be."""
    wide = max((place + 1 for row in rows for place, cell in enumerate(row) if cell.strip()), default=0)
    for row in rows:
        cells = row[margin:wide]
        yield [*cells, *[""] * (wide - margin - len(cells))] if any(it.strip() for it in cells) else []
