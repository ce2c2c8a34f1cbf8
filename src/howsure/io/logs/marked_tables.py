"""Tables that say right or wrong of each item: a column a model, or a row an item and model."""

from __future__ import annotations

from collections.abc import Iterator

from howsure.data.words import ITEM, MARKS, OUTCOME, PARTS, RESERVED, RIGHT, RUN, UNITS, is_missing, role, word_of
from howsure.errors import excerpt, listing
from howsure.io.contents import content_of
from howsure.io.formats.json_text import Document
from howsure.io.logs.log_rows import ScoreChoice, ScoredAnswer, gathered
from howsure.io.logs.outcomes import Outcomes
from howsure.io.opening import opened
from howsure.io.table import TextTable

__all__ = ["table_logs"]

TABLE = (
    "it is a table, and one of right and wrong has the columns item,model_a,model_b or item,model,correct. Items that "
    "are tried several times (question,run,correct) are read by howsure repeats, classes (y_true,y_pred) by howsure "
    "report and howsure compare"
)
#: Beginnings of what is read by others: archives, Parquet, JSON and JSON Lines.
_OTHERS = (b"PK", b"PAR1", b"{", b"[")
_Rows = list[tuple[int, list[str]]]


def table_logs(path: str, ask: ScoreChoice) -> dict[str, Outcomes] | None:
    """Right and wrong by model, "" where the table names none; None where the file is no table of text.

    Raises
    ------
    InvalidFile
        No column of items, runs or truths beside the answers, no column of right and wrong, an item twice.
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
        if isinstance(table, Document):
            return None
        return _of_table(table, ask)


def _of_table(table: TextTable, ask: ScoreChoice) -> dict[str, Outcomes]:
    header = table.header
    words = [word_of(cell) for cell in header]
    items = [i for i, word in enumerate(words) if word in ITEM]
    if len(items) != 1 or set(words) & RUN or any(role(cell) == "true" for cell in header):
        raise table.fault(TABLE)
    rows = [(line, table.fitted(cells, line)) for line, cells in table.rows]
    rows = [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]
    if not rows:
        raise table.fault("there is no row below the header")
    models = [i for i, word in enumerate(words) if word in PARTS["model"]]
    marks = _marked(table, ask, [i for i in range(len(header)) if i not in (*items, *models)], rows)
    shown = listing(excerpt(header[i]) for i in marks)
    if models and len(marks) > 1:
        raise table.fault(f"each answer has {len(marks)} marks, {shown}. Choose one with --field")
    if models:
        parts: dict[str, _Rows] = {}
        for line, cells in rows:
            model = table.clean(cells[models[0]])
            if is_missing(model):
                raise table.fault("a row without a model; name the model", line)
            parts.setdefault(model, []).append((line, cells))
        return {name: _outcomes(table, items[0], marks[0], part, ask) for name, part in parts.items()}
    if len(marks) == 1:
        return {"": _outcomes(table, items[0], marks[0], rows, ask)}
    note = f"Each column of right and wrong is a model: {shown}."
    return {header[i]: _outcomes(table, items[0], i, rows, ask, note) for i in marks}


def _marked(table: TextTable, ask: ScoreChoice, free: list[int], rows: _Rows) -> list[int]:
    """Columns of right and wrong: as named, else by their word, else by what most of their cells hold."""
    header = table.header
    if ask.field is not None:
        named = [i for i in free if header[i] == ask.field]
        if len(named) != 1:
            raise table.fault(f"no column {excerpt(ask.field)}; there are {listing(map(excerpt, header))}")
        return named
    free = [i for i in free if header[i] != ask.group]
    by_word = [i for i in free if word_of(header[i]) in OUTCOME]
    if by_word:
        return by_word
    kept = []
    for i in free:
        said = [cells[i] for _, cells in rows if not is_missing(cells[i].strip())]
        if word_of(header[i]) in RESERVED | UNITS or not said:
            continue
        if 2 * sum(_mark(cell, ask) is not cell for cell in said) > len(said):
            kept.append(i)
    if not kept:
        raise table.fault(f"{TABLE}. There are {listing(map(excerpt, header))}; --field names a column")
    return kept


def _mark(cell: str, ask: ScoreChoice) -> str | bool | float:
    """What a cell says: right or wrong in any usual word, a number with a point or a comma, else the cell itself."""
    if ask.threshold is None and (word := MARKS.get(cell.strip().lower())) is not None:
        return word == RIGHT
    try:
        return float(cell.strip().replace(",", "."))
    except ValueError:
        return cell


def _outcomes(table: TextTable, item: int, column: int, rows: _Rows, ask: ScoreChoice, *notes: str) -> Outcomes:
    title = table.header[column]

    def answers() -> Iterator[ScoredAnswer]:
        for line, cells in rows:
            name = table.clean(cells[item])
            if is_missing(name):
                raise table.fault("a row without an item; name the item", line)
            value = None if is_missing(cells[column].strip()) else _mark(cells[column], ask)
            yield ScoredAnswer(
                name, {title: value}, "", "1", line, table.place(line), dict(zip(table.header, cells, strict=True))
            )

    asked = ScoreChoice(group=ask.group, threshold=ask.threshold)
    return gathered(table.source, answers(), asked, (*table.notes, *notes))
