"""Files of items that were tried several times, to `Repeats`: a row a run, or a row an item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from howsure.data.repeat_rows import Absent
from howsure.data.repeats import Repeats
from howsure.data.words import ITEM, MODEL, OUTCOME, PARTS, RIGHT, RUN, is_missing, role, word_of
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, excerpt, listing
from howsure.io.contents import content_of
from howsure.io.formats.json_text import Document
from howsure.io.label_files import log_table
from howsure.io.opening import opened
from howsure.io.reading import Request
from howsure.io.roles import repeated_units
from howsure.io.stages import knowing_logs
from howsure.io.table import TextTable
from howsure.io.typed import frame_table, is_frame
from howsure.text.columns_taken import UNUSED, note_columns
from howsure.text.formats import plain

__all__ = ["read_repeats"]

_EXPECTED = (
    "a row a run has the columns item,run,correct (or score, or true and pred), a row an item the columns item and one "
    "for each run"
)


@dataclass(frozen=True)
class _Columns:
    """Places of the columns: of the item, the run, the score, truth and prediction, or of all runs of an item."""

    item: int
    run: int | None = None
    score: int | None = None
    sides: tuple[int, int] | None = None
    runs: tuple[int, ...] = ()


def read_repeats(
    data: Any,
    *,
    item: str | None = None,
    run: str | None = None,
    score: str | None = None,
    outcomes: Sequence[float] | None = None,
    threshold: float | None = None,
    missing: Absent = "error",
) -> Repeats:
    r"""Read items x runs.

    Parameters
    ----------
    data : str, path-like, stream, or data frame
        CSV, TSV, JSON Lines or Parquet with a row a run (``item,run,correct``, ``item,run,true,pred``) or a row an item
        (``item,1,2,3``); or a log of an evaluation, whose epochs are the runs.
    item, run, score : str, optional
        Columns by name; by the words of the header if left out.
    outcomes, threshold, missing
        As in `howsure.Repeats.from_columns`. Where a row is an item, a blank cell is a run that was not made.

    Raises
    ------
    InvalidFile
        Other columns, an item twice in one run, a score that is none; with the file and the line where there is one.

    Examples
    --------
    >>> import io
    >>> read_repeats(io.StringIO("item,epoch,correct\na,1,true\na,2,false\nb,1,true\nb,2,true\n"))
    <Repeats: 2 items, 2 runs of each, outcomes 0, 1>
    >>> read_repeats(io.StringIO("task,1,2,3\na,1,0,1\nb,1,1,\n")).times.tolist()
    [3, 2]
    """
    options = {"outcomes": outcomes, "threshold": threshold}
    log = log_table(data, Request())
    if log is not None:
        rows = [cells for _, cells in log.rows]
        right = [said == RIGHT for _, said in rows]
        return _named(log.source, Repeats.from_columns, [x for x, _ in rows], None, right, **options, notes=log.notes)
    if is_frame(data):
        return _of_table(frame_table(data), item, run, score, missing, options)
    with opened(data) as file, knowing_logs(file):
        content = content_of(file)
        if isinstance(content, Document):
            raise InvalidFile(content[0], f"it is one JSON document, and a table of runs is expected: {_EXPECTED}")
        return _of_table(content, item, run, score, missing, options)


def _of_table(
    table: TextTable, item: str | None, run: str | None, score: str | None, missing: Absent, options: dict[str, Any]
) -> Repeats:
    columns = _columns(table, item, run, score)
    parts: dict[int | None, str] = {columns.item: "item", columns.run: "run", columns.score: "score"}
    parts.update(dict.fromkeys(columns.runs, "run"))
    parts.update(zip(columns.sides or (), ("truth", "prediction"), strict=False))
    weights = [i for i, cell in enumerate(table.header) if word_of(cell) in PARTS["weight"] | PARTS["count"]]
    if weights and weights[0] not in parts:
        raise table.fault(
            f"the column {excerpt(table.header[weights[0]])} weighs or counts rows, and every row is one answer here; "
            "leave it out, or repeat the rows"
        )
    note_columns(table.source, {cell: parts.get(i, UNUSED) for i, cell in enumerate(table.header)}, repeated_units(
        table, [i for i in range(len(table.header)) if i not in parts]
    ))  # fmt: skip
    rows = [(line, table.fitted(cells, line)) for line, cells in table.rows]
    rows = [(line, cells) for line, cells in rows if any(cell.strip() for cell in cells)]
    if not rows:
        raise table.fault("there is no row below the header")
    names = [table.clean(cells[columns.item]) for _, cells in rows]
    for (line, _), name in zip(rows, names, strict=True):
        if not name or is_missing(name):
            raise table.fault("a row without an item; name the item", line)
    if columns.runs:
        seen: dict[str, int] = {}
        for (line, _), name in zip(rows, names, strict=True):
            if name in seen:
                raise table.fault(
                    f"item {excerpt(name)} has a row above ({table.unit} {seen[name]}); an item is one row where each "
                    "run is a column",
                    line,
                )
            seen[name] = line
        titles = [table.header[i] for i in columns.runs]
        notes = list(table.notes)
        if not any(letter.isdigit() for title in titles for letter in title):
            shown = listing(map(excerpt, titles))
            notes.append(
                f"each column is a run of the items: {shown}; models side by side are compared by howsure log."
            )
        cells = [[_cell(row[i]) for i in columns.runs] for _, row in rows]
        if missing != "error":
            flat = [value for row in cells for value in row]
            item_of = [name for name in names for _ in titles]
            return _named(
                table.source, Repeats.from_columns, item_of, titles * len(names), flat, missing=missing, **options,
                notes=notes,
            )  # fmt: skip
        return _named(table.source, Repeats.from_array, cells, items=names, runs=titles, **options, notes=notes)
    _one_model(table, rows, {columns.item, columns.run, columns.score, *(columns.sides or ())})
    runs = None
    notes = list(table.notes)
    if columns.run is None:
        notes.append("no column says which run a row is; the rows of an item are its runs in their order.")
    else:
        runs = [table.clean(cells[columns.run]) for _, cells in rows]
    scores: list[Any]
    if columns.sides is not None:
        scores = [_agree(table, [cells[i] for i in columns.sides]) for _, cells in rows]
    else:
        assert columns.score is not None
        scores = [_cell(cells[columns.score]) for _, cells in rows]
    return _named(table.source, Repeats.from_columns, names, runs, scores, missing=missing, **options, notes=notes)


def _one_model(table: TextTable, rows: list[tuple[int, list[str]]], taken: set[int | None]) -> None:
    """Refuse answers of several models: those of one are no runs of another."""
    for i, title in enumerate(table.header):
        if i in taken or word_of(title) not in MODEL:
            continue
        models = dict.fromkeys(table.clean(cells[i]) for _, cells in rows)
        if len(models) > 1:
            raise table.fault(
                f"the column {excerpt(title)} names {len(models)} models, {listing(map(excerpt, models))}, whose "
                "answers are no runs of one another; keep the rows of one, or compare them with howsure log"
            )


def _cell(text: str) -> str | None:
    return None if is_missing(text.strip()) else text.strip()


def _agree(table: TextTable, sides: Iterable[str]) -> bool | None:
    true, pred = (table.clean(side) for side in sides)
    return None if is_missing(true) or is_missing(pred) else true == pred


def _named(source: str, make: Any, *columns: Any, **options: Any) -> Repeats:
    """Say of which file a complaint is."""
    try:
        made: Repeats = make(*columns, **options)
    except InvalidArgument:
        raise
    except HowsureError as error:
        raise InvalidFile(source, plain(str(error), 800)) from None
    return made


def _columns(table: TextTable, item: str | None, run: str | None, score: str | None) -> _Columns:
    at = _named_column(table, item, "item")
    when, what = _named_column(table, run, "run"), _named_column(table, score, "score")
    free = [i for i in range(len(table.header)) if i not in (at, when, what)]
    words = {i: word_of(table.header[i]) for i in free}
    if at is None:
        at = _only(
            table, [i for i in free if words[i] in ITEM] or [i for i in free if words[i].endswith("_id")], "item"
        )
    free = [i for i in free if i != at]
    if when is None:
        when = _only(table, [i for i in free if words[i] in RUN], "run")
    if at is None:
        raise table.fault(
            f"no column of items; {_EXPECTED}, or --item names the column. There are "
            f"{listing(map(excerpt, table.header))}"
        )
    free = [i for i in free if i != when]
    if what is None:
        what = _only(table, [i for i in free if words[i] in OUTCOME], "score")
    if what is not None:
        return _Columns(at, when, what)
    sides = [[i for i in free if role(table.header[i]) == side] for side in ("true", "pred")]
    if all(len(side) == 1 for side in sides):
        return _Columns(at, when, sides=(sides[0][0], sides[1][0]))
    if when is None and free:
        return _Columns(at, runs=tuple(free))
    raise table.fault(
        f"no column of scores; {_EXPECTED}, or --score names the column. There are "
        f"{listing(map(excerpt, table.header))}"
    )


def _named_column(table: TextTable, name: str | None, what: str) -> int | None:
    if name is None:
        return None
    found = [i for i, cell in enumerate(table.header) if cell == name]
    if len(found) != 1:
        many = "two columns are" if found else "no column is"
        raise table.fault(f"{many} called {excerpt(name)} ({what}); there are {listing(map(excerpt, table.header))}")
    return found[0]


def _only(table: TextTable, found: Sequence[int], what: str) -> int | None:
    if len(found) > 1:
        option = "repeat" if what == "run" else what
        names = listing(excerpt(table.header[i]) for i in found)
        raise table.fault(f"several columns may be the {what}: {names}; --{option} names the one")
    return found[0] if found else None
