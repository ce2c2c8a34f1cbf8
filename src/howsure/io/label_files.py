"""Labels in a file of their own joined by the id of each item, and what a judge found of answers of several models."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from howsure.data.judged_answers import JudgedAnswers
from howsure.data.refusals import ONE_LABEL, of_file, refusal, say
from howsure.data.words import (
    ELSE_TRUE,
    HUMAN,
    LABEL_OF,
    MARKS,
    PARTS,
    RIGHT,
    VERDICT,
    VERDICT_OF,
    WRONG,
    bare,
    is_missing,
    names_a_case,
    role,
    word_of,
)
from howsure.errors import excerpt, listing
from howsure.io.case_rows import coded_rows
from howsure.io.contents import table_from
from howsure.io.formats.json_documents import Document
from howsure.io.reading import Request
from howsure.io.roles import columns_of, roles_of
from howsure.io.table import Row, TextTable
from howsure.text.formats import several

#: Words of lm-evaluation-harness, and of Inspect.
LOG = re.compile(rb'"doc_(id|hash)"\s*:|"(eval|plan)"\s*:\s*\{|"run_id"\s*:')

#: Bytes at the beginning of a file that show that it is a log.
BEGINNING = 2**16

#: Parts of the name of a column of labels in a file that holds little else.
SAID_BY_PEOPLE = frozenset(["human", "label", "labels", "truth", "gold", "annotation", "annotator", "expert"])

#: Classifier ("" if there is no column) and item.
Item = tuple[str, str]


def log_table(given: Any, request: Request) -> TextTable | None:
    """Items and verdicts, right or wrong, of a log of an evaluation; None where it is another file."""
    path = given[0] if isinstance(given, list | tuple) and len(given) == 1 else given
    if not isinstance(path, str | os.PathLike) or not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        head = file.read(BEGINNING)
    if not head.startswith(b"PK") and not LOG.search(head):
        return None
    from howsure.io.logs.log import read_by_score

    log = read_by_score(os.fspath(path), request.pred[0] if request.pred else None, None)
    rows: Iterator[Row] = (
        (number, [item, RIGHT if right else WRONG])
        for number, (item, right) in enumerate(zip(log.items, log.right.tolist(), strict=True), start=1)
    )
    return TextTable(log.source, ["item", "verdict"], 1, rows, bare, unit="row", notes=list(log.notes))


def with_labels(content: TextTable | Document, path: str, request: Request, *, log: bool) -> tuple[TextTable, Request]:
    """The table with a column of labels, and the request that names it."""
    if isinstance(content, Document):
        raise refusal(content[0], "of_cases", "labels", request.labels_from, "a matrix")
    name = "label"
    while name in content.header:
        name += " "
    header = TextTable(content.source, [*content.header, name], content.line, iter([]), unit=content.unit)
    asked = request
    request = replace(request, true=name)
    if log:
        labels, positive = request.labels or (WRONG, RIGHT), request.positive or RIGHT
        request = replace(request, pred=(), labels=labels, positive=positive)
    columns = columns_of(header, request)
    assert columns is not None  # the truth is named
    if columns.id is None:
        raise content.fault(
            say("no_column", "items (id, item, ...) to join the labels by", content.header, "Call it item")
        )
    source, by_item, has_models = _labels_of(path, asked, log=log)
    if has_models != (columns.model is not None):
        there, absent = (source, content.source) if has_models else (content.source, source)
        raise refusal(source, "models_in_one", there, absent)
    left = set(by_item)
    rows: list[Row] = []
    item, model = columns.id, columns.model
    for line, row in content.rows:
        cells = content.fitted(row, line)
        key = ("" if model is None else content.clean(cells[model]), content.clean(cells[item]))
        rows.append((line, [*cells, by_item.get(key, "")]))
        left.discard(key)
    if left:
        first = next(key for key in by_item if key in left)
        shown = " of ".join(excerpt(part, 40) for part in reversed(first) if part)
        raise refusal(source, "labels_of_others", len(left), len(by_item), content.source, shown)
    notes = [*content.notes, f"Labels of {several(len(by_item), 'item')} are from {source}."]
    return replace(content, header=header.header, rows=iter(rows), origin=None, notes=notes), request


def _labels_of(path: str, request: Request, *, log: bool) -> tuple[str, dict[Item, str], bool]:
    """What a file of labels is called, its labels by item, and whether they are of several classifiers."""
    with table_from(path, "one of items and labels is expected") as table:
        item, label, model = _places(table, request.true)
        given = set(request.labels or ())
        found: dict[Item, str] = {}
        lines: dict[Item, int] = {}
        for line, cells in table.filled():
            key = ("" if model is None else table.clean(cells[model]), table.clean(cells[item]))
            text = table.clean(cells[label])
            if is_missing(text) and text not in given:
                continue
            if not key[1]:
                raise table.fault(say("lacking", "the item of a label"), line)
            if key in found:
                raise table.fault(
                    say("twice_in", "the item", key[1], f"also in {table.place(lines[key])}; {ONE_LABEL}"), line
                )
            if log and text.strip().casefold() not in MARKS:
                words = listing(MARKS, 30)
                raise table.fault(say("not_a", "a label", f"right or wrong ({words})", text), line)
            text = MARKS[text.strip().casefold()] if log else text
            found[key], lines[key] = text, line
    if not found:
        raise refusal(table.source, "no_label")
    return table.source, found, model is not None


def _places(table: TextTable, true: str | None) -> tuple[int, int, int | None]:
    words = [word_of(cell) for cell in table.header]
    places = range(len(words))
    items = [i for i in places if words[i] in PARTS["id"]] or [i for i in places if names_a_case(table.header[i])]
    models = [i for i in places if words[i] in PARTS["model"] and i not in items]
    rest = [i for i in places if i not in items and i not in models]
    if not items and len(words) == 2:
        items, rest = [0], [1]
    labels = rest
    if true is not None:
        labels = [i for i in rest if table.header[i] == true]
    elif len(rest) > 1:
        labels = [i for i in rest if words[i] in ELSE_TRUE] or [i for i in rest if role(table.header[i]) == "true"]
        labels = labels or [i for i in rest if SAID_BY_PEOPLE.intersection(words[i].split("_"))]
    if len(items) != 1 or len(labels) != 1 or len(models) > 1:
        raise table.fault(
            say("no_column", f"items and one for labels ({true or 'label'})", table.header, "--true names the labels")
        )
    return items[0], labels[0], models[0] if models else None


def read_judged(path: str | os.PathLike[str], *, labels: Sequence[str] | None = None) -> JudgedAnswers:
    r"""Read a table of the answers of several models, with verdicts of one judge and people's labels of some.

    Parameters
    ----------
    path : str or path-like
        CSV, TSV, JSON Lines or Parquet, packed or not, "-" for standard input: columns ``item,model,verdict,label``, or
        ``verdict_NAME`` and ``label_NAME`` of each model. A label may be empty.
    labels : sequence of str, optional
        The two true classes of an answer, as in `JudgedAnswers`.

    Raises
    ------
    InvalidFile
        Another table, or what `JudgedAnswers` refuses.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "judged.csv")
    ...     _ = file.write_text("item,model,verdict,label\n1,A,pass,pass\n1,B,pass,fail\n2,A,fail,\n2,B,fail,\n")
    ...     read_judged(file)
    <JudgedAnswers: models A, B, 2 items, truths fail, pass>
    """
    with table_from(path, say("judged_columns")) as table:
        places = _columns(table)
        rows = coded_rows(table, places.values())
        notes = tuple(table.notes)
    frame = {name: rows.labels(at) for name, at in places.items()}
    with of_file(table.source):
        if "model" in frame:
            parts = (frame[part] for part in ("id", "model", "verdict", "label"))
            return JudgedAnswers.from_long(*parts, labels=labels, notes=notes)
        return JudgedAnswers.from_wide(frame, id="id" if "id" in frame else None, labels=labels, notes=notes)


def _columns(table: TextTable) -> dict[str, int]:
    found = roles_of(table, {"id": PARTS["id"]}, alone=True)
    wide, human = (
        {cell: i for i, cell in enumerate(table.header) if word_of(cell).startswith(starts)}
        for starts in (VERDICT_OF, LABEL_OF)
    )
    if wide and human:
        return found | wide | human
    found = roles_of(table, {"model": PARTS["model"], "verdict": VERDICT, "label": HUMAN}, found, alone=True)
    true = [i for i, cell in enumerate(table.header) if role(cell) == "true"]
    if "label" not in found and len(true) == 1:
        found["label"] = true[0]
    if lacking := [part for part in ("id", "model", "verdict", "label") if part not in found]:
        raise table.fault(
            say("no_column", f"{lacking[0].replace('id', 'item')} alone", table.header, say("judged_columns"))
        )
    return found
