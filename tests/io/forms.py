"""One table in every form: packed, without a suffix, on standard input, in a folder, as Parquet, as data frames."""

from __future__ import annotations

import csv
import gzip
import io
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from howsure.errors import HowsureError
from howsure.io import Reading, read
from howsure.io.opening import packing_of

#: What is compared of a reading, or the sentence that it is refused with.
Said = tuple[Any, ...]


def said(given: Any, **keywords: Any) -> Said:
    """What is read, or the sentence; without the name of the file."""
    try:
        found: Reading = read(given, **keywords)
    except HowsureError as error:
        return (type(error).__name__, nameless(str(error)))
    cells = tuple(part.tolist() for part in found.confusion.cells)
    about = (
        found.confusion.labels,
        found.confusion.positive,
        found.layout,
        cells,
        tuple(found.confusion.unlabelled.items()),
    )
    return (*about, *map(nameless, found.notes))


def nameless(sentence: str) -> str:
    """A sentence without the name that the file has in this form."""
    return re.sub(r"standard input|the data frame|the stream|forms/[\w./]*|x(\.\w+)+|\bx\b(?=[,:])", "FILE", sentence)


def other_forms(data: bytes, name: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """The same bytes in other forms: what the form is called, and what to hand to the reader."""
    folder = Path("forms")
    folder.mkdir(exist_ok=True)
    suffix = Path(name).suffix

    def written(path: Path, content: bytes) -> str:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return str(path)

    if packing_of(data):
        return
    yield "gzip", lambda: written(folder / f"x{suffix}.gz", gzip.compress(data, 1))
    zstandard = pytest.importorskip("zstandard")
    yield "Zstandard", lambda: written(folder / f"x{suffix}.zst", zstandard.compress(data))
    shutil.rmtree(folder / "one", ignore_errors=True)
    yield "folder of one", lambda: str(Path(written(folder / "one" / f"x{suffix}", data)).parent)
    if suffix not in (".json", ".jsonl", ".ndjson") or data.lstrip()[:1] in (b"{", b"["):
        # of a broken document the suffix is the only word that it was meant to be one
        yield "no suffix", lambda: written(folder / "x", data)
        yield "standard input", lambda: "-"


def columns_of(data: bytes) -> dict[str, list[str]] | None:
    """Columns of a plain table of text with one header and a line a row; None where it is none."""
    try:
        text = data.decode("utf-8")
        rows = list(csv.reader(io.StringIO(text), strict=True))
    except (UnicodeDecodeError, csv.Error):
        return None
    if text.lstrip()[:1] in ("{", "["):
        return None
    if "\ufeff" in text or "\0" in text or len(rows) < 2 or len(rows) != text.rstrip("\n").count("\n") + 1:
        return None
    header, *body = rows
    plain = len(header) > 1 and all(header) and len(set(map(str.casefold, header))) == len(header)
    if not plain or any(len(row) != len(header) for row in body) or len(rows) > 2_000:
        return None
    if not any(map(str.strip, rows[-1])):  # a frame has the rows it has; a spreadsheet leaves such lines in text
        return None
    if any(len(cell) > 20_000 for row in rows for cell in row):
        return None
    return {name: [row[i] for row in body] for i, name in enumerate(header)}


def with_types(columns: dict[str, list[str]]) -> Iterator[tuple[str, Callable[[], Any]]]:
    """A table of text as Parquet and as data frames."""
    polars = pytest.importorskip("polars")

    def parquet() -> str:
        Path("forms").mkdir(exist_ok=True)
        polars.DataFrame(columns).write_parquet("forms/x.parquet")
        return "forms/x.parquet"

    yield "Parquet", parquet
    yield "polars", lambda: polars.DataFrame(columns)
    yield "pandas", lambda: pytest.importorskip("pandas").DataFrame(columns)


def in_rows(answer: Said) -> Said:
    """An answer as data with types give it: they have rows below their header, and no lines."""

    def row(match: re.Match[str]) -> str:
        return f"row {int(match[1]) - 1}"

    texts = (part.replace("FILE, line 1: ", "FILE: ") if isinstance(part, str) else part for part in answer)
    return tuple(re.sub(r"\bline (\d+)", row, part) if isinstance(part, str) else part for part in texts)


def check_forms(monkeypatch: pytest.MonkeyPatch, data: bytes, name: str, keywords: dict[str, Any]) -> None:
    """Every form of a file says what the plain file says."""
    plain = said(name, **keywords)
    for form, make in other_forms(data, name):
        given = make()
        if given == "-":
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        same(said(given, **keywords), plain, form)
    if len(plain) > 2 and re.match("(JSON Lines )?(predictions|list)", plain[2]):
        with monkeypatch.context() as patch:
            patch.setattr("howsure.io.table.LARGE", -1)
            # what groups rows does not say which of them comes first
            grouped = [re.sub(r" in line \d+", "", part) if isinstance(part, str) else part for part in plain]
            same(said(name, **keywords), tuple(grouped), "grouped by an engine")
    columns = columns_of(data) if Path(name).suffix in (".csv", ".txt", ".tsv", "") else None
    for form, make in with_types(columns) if columns is not None else ():
        same(said(make(), **keywords), in_rows(plain), form)


def same(found: Said, plain: Said, form: str) -> None:
    """Show both where they differ."""
    assert found == plain, f"{form}: {found}, and the plain file: {plain}"


def kind_of(error: BaseException) -> str:
    """The kind of a refusal, the key of its sentence; the sentence, where it is that of the library."""
    return str(getattr(getattr(error, "problem", error.args[0]), "kind", error))


def told(error: HowsureError) -> str:
    """The line of a refusal and its kind, which tests ask for; and the sentence."""
    kind, line = (
        getattr(error, "kind", None) or getattr(getattr(error, "problem", None), "kind", None),
        getattr(error, "line", None),
    )
    return f"{'' if line is None else f'line {line}: '}{kind}: {error}" if kind else str(error)
