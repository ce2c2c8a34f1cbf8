"""Right and wrong in any table: a row an answer, of one model or of several, in one run or more; or a column a model.

Items are known by a column that names them, whatever it is called, and never by their place. An item that comes again
is answered again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from howsure.data.words import (
    ITEM,
    MARKS,
    MODEL,
    OF_A_KEY,
    OUTCOME,
    PARTS,
    RESERVED,
    RIGHT,
    RUN,
    UNITS,
    is_missing,
    role,
    word_of,
)
from howsure.errors import InvalidFile, excerpt, listing
from howsure.io.contents import content_of
from howsure.io.formats.json_text import Document
from howsure.io.logs.log_rows import ScoreChoice, ScoredAnswer, gathered
from howsure.io.logs.outcomes import Outcomes
from howsure.io.opening import opened
from howsure.io.roles import repeated_units
from howsure.io.table import TextTable
from howsure.text.columns_taken import UNUSED, note_columns
from howsure.text.formats import integer, plain

__all__ = ["AnswerRow", "answers_by_model", "table_logs"]

TABLE = (
    "it is a table, and one of right and wrong has the columns item,model_a,model_b or item,model,correct; classes "
    "(y_true,y_pred) are read by howsure report and howsure compare"
)
#: Beginnings of what is read by others: archives, Parquet, JSON and JSON Lines.
_OTHERS = (b"PK", b"PAR1", b"{", b"[")
#: Names of a row rather than of what was asked: an item only where nothing else names one.
_OF_ROWS = frozenset(["id", "uuid", "uid", "hash", "event_id", "case", "case_id"])
#: Texts that tell items apart where no column names them.
_TEXTS = ("name", "title", "question", "prompt", "input", "query", "text")


class AnswerRow(NamedTuple):
    """A row by column: its line where there are lines, where it stands, and what it holds."""

    line: int | None
    where: str
    cells: Mapping[str, Any]


def table_logs(path: str, ask: ScoreChoice) -> dict[str, Outcomes] | None:
    """Right and wrong by model, "" where the table names none; None where the file is no table of text.

    Raises
    ------
    InvalidFile
        No column of items, truths beside the answers, no column of right and wrong.
    """
    with open(path, "rb") as raw:
        if raw.read(4).startswith(_OTHERS) and not path.lower().endswith(".xlsx"):
            return None
    if path.lower().endswith((".json", ".jsonl", ".ndjson")):
        return None
    with opened(path) as file:
        if file.head.lstrip()[:1] in (b"{", b"["):
            return None
        table = content_of(file)
        return None if isinstance(table, Document) else _of_table(table, ask)


def _of_table(table: TextTable, ask: ScoreChoice) -> dict[str, Outcomes]:
    header = table.header
    words = [word_of(cell) for cell in header]
    rows = [(line, table.fitted(cells, line)) for line, cells in table.rows]
    rows = [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]
    answers = [
        AnswerRow(
            line, table.place(line), {title: _value(table, cell) for title, cell in zip(header, row, strict=True)}
        )
        for line, row in rows
    ]
    marked = ask.field is not None or any(word in OUTCOME for word in words)
    if not marked and any(role(cell) == "true" for cell in header):
        raise table.fault(TABLE)
    item = _item(header, answers, ask, []) if answers else next((it for it in header if word_of(it) in ITEM), None)
    if item is None:
        raise table.fault(TABLE)
    if not rows:
        raise table.fault("there is no row below the header")
    if marked:
        return answers_by_model(table.source, answers, ask, notes=table.notes, fault=table.fault)
    marks = [title for title in header if title not in (item, ask.group) and _is_marked(title, answers)]
    if not marks:
        raise table.fault(f"{TABLE}. There are {listing(map(excerpt, header))}; --field names a column")
    if len(marks) == 1 or any(word in PARTS["model"] for word in words):
        chosen = ScoreChoice(field=marks[0], threshold=ask.threshold, group=ask.group, item=ask.item)
        return answers_by_model(table.source, answers, chosen, notes=table.notes, fault=table.fault)
    note = f"Each column of right and wrong is a model: {listing(map(excerpt, marks))}."
    note_columns(
        table.source, {it: "item" if it == item else "right or wrong" if it in marks else UNUSED for it in header}
    )
    return {
        title: gathered(
            table.source, _scored(table.source, answers, item, title, None, numbered=False), ScoreChoice(
                group=ask.group, threshold=ask.threshold
            ), (*table.notes, note),
        )
        for title in marks
    }  # fmt: skip


def _value(table: TextTable, cell: str) -> str | None:
    text = table.clean(cell)
    return None if is_missing(text) else text


def _is_marked(title: str, rows: Sequence[AnswerRow]) -> bool:
    """Whether most of what a column holds says right or wrong."""
    said = [value for row in rows if (value := row.cells.get(title)) is not None]
    if word_of(title) in RESERVED | UNITS or not said:
        return False
    return 2 * sum(_mark(value, None) is not value for value in said) > len(said)


def _mark(value: Any, threshold: float | None) -> Any:
    """What a cell says: right or wrong in any usual word, a number with a point or a comma, else the cell itself."""
    if not isinstance(value, str):
        return value
    if threshold is None and (word := MARKS.get(value.strip().lower())) is not None:
        return word == RIGHT
    try:
        return float(value.strip().replace(",", "."))
    except ValueError:
        return value


def answers_by_model(
    name: str, rows: Sequence[AnswerRow], ask: ScoreChoice, *, notes: Sequence[str] = (), fault: Any = None
) -> dict[str, Outcomes]:
    """Right and wrong by model, "" where the rows name none, of rows that hold an answer each.

    Parameters
    ----------
    name : str
        What the user calls the file.
    rows : sequence of AnswerRow
    ask : ScoreChoice
    notes : sequence of str
        What was said before.
    fault : callable, optional
        The error for a row of a table; of other files with the line.

    Raises
    ------
    InvalidFile
        No field that says right or wrong, or several; weights; a row without a model or an item.
    """
    fault = fault or (lambda problem, line=None: InvalidFile(name, problem, line))
    said = list(notes)
    fields = list(dict.fromkeys(key for row in rows for key in row.cells))
    for key in fields:
        if word_of(key) in PARTS["weight"] and any(row.cells.get(key) not in (1, "1", "1.0", None) for row in rows):
            raise fault(f"the weight (column {excerpt(key)}) is not 1, and every answer counts once; leave it out")
    field = _field(name, fields, rows, ask)
    there = [row for row in rows if field in row.cells]
    if len(there) < len(rows):
        said.append(f"Not answers: {integer(len(rows) - len(there))} of {integer(len(rows))} rows have no {field!r}.")
    if not there:
        raise fault(f"no field {excerpt(field)}; there are {listing(map(excerpt, fields), 20)}", rows[0].line)
    models = _models(fields, there, field)
    parts: dict[str, list[AnswerRow]] = {}
    for row in there:
        called = [row.cells.get(key) for key in models]
        if any(it in (None, "") for it in called):
            raise fault("a row without a model; name the model", row.line)
        parts.setdefault(", ".join(str(it) for it in called), []).append(row)
    item = _item(fields, there, ask, [field, *models])
    if item is None:
        said.append("No column names the items, so each row is one of its own, and can be paired with no other.")
    elif word_of(item.rsplit(".", 1)[-1]) not in ITEM:
        said.append(f"Items are known by {excerpt(item, 40)}; --item names another column.")
    runs = [it for it in fields if word_of(it) in RUN and it not in (field, item, *models)]
    run = next((it for it in runs if len({str(row.cells.get(it)) for row in there}) > 1), None)
    taken: dict[str | None, str] = {item: "item", run: "run", ask.group: "group", field: "right or wrong"}
    taken.update(dict.fromkeys(models, "model"))
    single = [key for key in fields if not isinstance(there[0].cells.get(key), list | dict)]
    cells = ((i, [str(row.cells.get(key, "")) for key in single]) for i, row in enumerate(there, start=1))
    unused = [i for i, key in enumerate(single) if key not in taken]
    units = repeated_units(TextTable(name, single, 1, cells), unused, kept=ask.group is not None)
    said += [note for note in units if len(there) > 1]
    note_columns(name, {key: taken.get(key, UNUSED) for key in single}, units, answered=True)
    chosen = ScoreChoice(group=ask.group, threshold=ask.threshold)
    return {
        plain(model, 80): gathered(name, _scored(name, part, item, field, run, ask.threshold), chosen, said)
        for model, part in parts.items()
    }


def _scored(
    name: str,
    rows: Sequence[AnswerRow],
    item: str | None,
    field: str,
    run: str | None,
    threshold: float | None = None,
    *,
    numbered: bool = True,
) -> Iterator[ScoredAnswer]:
    """The answers of one model; those to one item that no run tells apart are numbered."""
    keys = [(row.cells.get(item or ""), row.cells.get(run or "")) for row in rows]
    if run is not None and len(set(keys)) < len(keys):
        run = None
    times: Counter[str] = Counter()
    for row in rows:
        asked = f"{name}, {row.where}" if item is None else row.cells.get(item)
        if asked is None:
            raise InvalidFile(name, "a row without an item; name the item", row.line)
        asked = str(asked)
        times[asked] += 1
        epoch = str(row.cells.get(run) if run is not None else times[asked] if numbered else 1)
        score = {field: _mark(row.cells[field], threshold)}
        yield ScoredAnswer(asked, score, "", epoch, row.line, row.where, row.cells)


def _field(name: str, fields: Sequence[str], rows: Sequence[AnswerRow], ask: ScoreChoice) -> str:
    """The field of right and wrong: as named, else by its word, the outermost of several."""
    if ask.field is not None:
        if ask.field not in fields:
            shown = listing(map(excerpt, fields), 20)
            raise InvalidFile(name, f"no field {excerpt(ask.field)}; there are {shown}", rows[0].line)
        return ask.field
    marks = {
        key: [_mark(row.cells.get(key), ask.threshold) for row in rows]
        for key in fields
        if word_of(key.rsplit(".", 1)[-1]) in OUTCOME
    }
    marks = {key: them for key, them in marks.items() if all(isinstance(it, bool | int | float | None) for it in them)}
    depth = min((key.count(".") for key in marks), default=0)
    found = [key for key in marks if key.count(".") == depth]
    if not found:
        raise InvalidFile(
            name,
            "no log of a known tool; name the field that says right or wrong with --field. There are "
            f"{listing(fields, 20)}",
        )
    alike = [key for key in found if marks[key] == marks[found[0]]]
    if len(alike) < len(found):
        shown = listing(map(excerpt, found))
        raise InvalidFile(name, f"each answer has {len(found)} marks, {shown}. Choose one with --field")
    return next((key for key in alike if all(isinstance(it, bool) for it in marks[key])), alike[0])


def _models(fields: Sequence[str], rows: Sequence[AnswerRow], field: str) -> list[str]:
    """Fields that name the model, and the prompt where there are several."""
    found: dict[str, str] = {}
    for key in fields:
        first, _, rest = key.partition(".")
        if key != field and word_of(first) in MODEL | {"classifier"} and rest in ("", "id", "name"):
            found.setdefault(first, key)
    prompts = [key for key in fields if word_of(key) in ("promptidx", "prompt_idx")]
    several = [key for key in (*found.values(), *prompts) if len({str(row.cells.get(key)) for row in rows}) > 1]
    return several or [key for key in found.values() if "." not in key and word_of(key) in ("model", "classifier")]


def _item(fields: Sequence[str], rows: Sequence[AnswerRow], ask: ScoreChoice, taken: Sequence[str]) -> str | None:
    """The field that names what was asked: by its word, else by its values; None where nothing does."""
    if ask.item is not None:
        if ask.item not in fields:
            raise InvalidFile(rows[0].where, f"no column {excerpt(ask.item)}; there are {listing(fields, 20)}")
        return ask.item
    values = {key: [row.cells.get(key) for row in rows] for key in fields if key not in (*taken, ask.group, ask.field)}
    single = {key: them for key, them in values.items() if all(isinstance(it, str | int) and not isinstance(it, bool)
                                                               for it in them if it is not None)}  # fmt: skip
    several = len(rows) > 1
    varied = {key: them for key, them in single.items() if len(set(them)) > 1 or not several}
    ranks: dict[str, tuple[int, int]] = {}
    for place, key in enumerate(fields):
        word = word_of(key.rsplit(".", 1)[-1])
        named = word in ITEM or word.endswith(OF_A_KEY) or key in ("item", "task", "question")
        if key in varied and named and word not in RUN and word not in UNITS and word not in ("promptidx", "run_id"):
            ranks[key] = (2 if word in _OF_ROWS else 0 if word in ITEM else 1, place)
    if ranks:
        return min(ranks, key=ranks.__getitem__)
    named_only = next((key for key in fields if word_of(key) in ITEM and key in values), None)
    if named_only is not None:
        return named_only
    unique = [key for key, them in varied.items() if len(set(them)) == len(rows) and several
            and role(key) is None and word_of(key) not in RUN | MODEL]  # fmt: skip
    texts = sorted((_TEXTS.index(word), key) for key in unique if (word := word_of(key)) in _TEXTS)
    return texts[0][1] if texts else unique[0] if len(unique) == 1 else None
