"""One way to count: an engine gives the columns, grouped or row by row, and each column is numbered once.

Each text of a column is looked at once: a column is its distinct texts and, for each row, which of them it is.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.data.case_columns import one_of_each
from howsure.data.counts import summed
from howsure.data.labels import Column, distinct_answers, group_text
from howsure.data.refusals import of_file, say
from howsure.data.words import is_missing
from howsure.errors import HowsureError, InvalidArgument, InvalidFile, InvalidLabels, excerpt
from howsure.io.assembly import cell_name
from howsure.io.case_rows import WEIGHT_ONE, coded_rows
from howsure.io.cells import NotACount, count_of
from howsure.io.counting.result import Counts, SetAside
from howsure.io.counting.tally import CountColumns, Tally, settled
from howsure.io.table import TextTable, value_text
from howsure.numerics.arrays import Integers
from howsure.text.formats import plain

#: Cells that are brought back; more are ids or scores in the wrong column.
MOST_CELLS = 20_000_000
#: Rows from which columns are worth a thread each: NumPy and the engines work without Python's lock.
MANY_ROWS = 2**20

Rule = Callable[[Any], str | None]


class Engine(ABC):
    """What holds columns and groups them.

    Attributes
    ----------
    name : str
        What the user calls the files; "" in memory.
    """

    name = ""

    @abstractmethod
    def cells(self, columns: Sequence[str]) -> tuple[Mapping[str, Any], Integers | None]:
        """Values of the columns, and how many rows each line stands for; None where each is a row."""

    @abstractmethod
    def repeated(self, columns: Sequence[str], *, gaps: bool = False) -> tuple[Any, ...] | None:
        """Values that several rows have together, and how many; None if there are none.

        The first is not missing; with ``gaps``, one that is missing is a finding too.
        """

    def gaps(self, column: str) -> Sequence[str]:
        """The first three rows without a value in a column, where rows have an order and are grouped."""
        return ()

    def place(self, row: int) -> str:
        """Where a row is, counted from 0, if each line is a row."""
        return f"row {row + 1}"

    def read(self, rule: Rule) -> Rule:
        """The rule for a value as it comes from here."""
        return rule

    def blank_lines(self) -> int:
        """Lines of delimiters alone at the end, as a spreadsheet leaves them: they are no rows."""
        return 0


class Arrays(Engine):
    """Columns that are in memory.

    Parameters
    ----------
    columns : mapping of str to array_like, shape (n,)
    place : callable, optional
        What a row is called, counted from 0.
    """

    def __init__(self, columns: Mapping[str, Any], place: Callable[[int], str] | None = None) -> None:
        self.columns, self._place = columns, place

    def check(self, columns: Sequence[str]) -> dict[str, int]:
        """Rows of each column; raises `InvalidLabels` where one is no list."""
        for name in columns:
            values = self.columns[name]
            if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
                raise InvalidLabels(say("not_a", excerpt(name), "one value a row", values))
        return {name: len(self.columns[name]) for name in columns}

    def cells(self, columns: Sequence[str]) -> tuple[Mapping[str, Any], Integers | None]:
        """The columns as they are; refused where they are of different lengths."""
        lengths = self.check(columns)
        if len(set(lengths.values())) > 1:
            raise InvalidLabels(say("unlike_lengths", [f"{k} has {v}" for k, v in lengths.items()]))
        return {name: self.columns[name] for name in columns}, None

    def repeated(self, columns: Sequence[str], *, gaps: bool = False) -> tuple[Any, ...] | None:
        """Values that several rows have together."""
        parts = [distinct_answers(self.columns[c], c, group_text) for c in columns]
        named = parts[0][1] >= 0
        if gaps and not named.all():
            return (None, 1)
        keys, times = summed([codes[named] for _, codes in parts], None)
        if not len(times) or times.max() < 2:
            return None
        at = int(np.argmax(times))
        return (
            *(texts[key[at]] if key[at] >= 0 else None for (texts, _), key in zip(parts, keys, strict=True)),
            times[at],
        )

    def place(self, row: int) -> str:
        """Where a row is."""
        return super().place(row) if self._place is None else self._place(row)


def counted(
    engine: Engine,
    ask: CountColumns,
    labels: Sequence[object] | None,
    *,
    notes: Sequence[str] = (),
    name: str = "",
    by: Sequence[str] | None = None,
) -> Counts:
    """Count the rows that an engine holds, of a source with a name (that of the engine if left out).

    ``by`` are the columns of groups as they are called where the rows are not.
    """
    name = name or engine.name
    with of_file(name, InvalidArgument) if name else nullcontext():
        wide, found = _tally(engine, ask)
        wide = wide if by is None else replace(wide, by=tuple(by))
        return settled(replace(found, notes=(*notes, *found.notes)), wide, labels)


def combined(
    engine: Engine, parts: Mapping[Any, Column], rows: Integers | None, *, blank: bool = True
) -> tuple[dict[Any, Integers], Integers]:
    """Codes of the combinations of columns that occur, and how many rows have each; blank lines at the end are no rows.

    Where ``blank`` is False, no row without any value is one, wherever it stands.
    """
    codes, times = summed([codes for _, codes in parts.values()], rows, [len(texts) for texts, _ in parts.values()])
    nothing = np.all([code < 0 for code in codes], axis=0)
    if rows is not None and nothing.any():
        lines = engine.blank_lines() if blank else int(times.max())
        times = times - np.where(nothing, np.minimum(times, lines), 0)
        codes, times = [code[times > 0] for code in codes], times[times > 0]
    return dict(zip(parts, codes, strict=True)), times


def _tally(engine: Engine, ask: CountColumns) -> tuple[CountColumns, Tally]:
    paired = ask.id is not None and ask.model is not None
    if paired and ask.weight is not None:
        raise InvalidArgument(say("not_both", "weight=", "model= with id="))
    if ask.id is not None and not paired:
        refuse_repeated(engine, ask.id)
    used = [c for c in ask.columns if paired or c != ask.id]
    values, rows = engine.cells(used)

    def numbered(column: str) -> Column:
        rule = _weight_text if column in (ask.weight, ask.ones) else ask.text_of(column)
        try:
            return distinct_answers(values[column], column, engine.read(rule))
        except HowsureError as error:
            if not engine.name:
                raise
            raise InvalidLabels(f"column {excerpt(column)}: {error}") from None

    if rows is None and len(values[ask.truth]) >= MANY_ROWS:
        with ThreadPoolExecutor(min(len(used), os.cpu_count() or 1)) as pool:
            parts = dict(zip(used, pool.map(numbered, used), strict=True))
    else:
        parts = {column: numbered(column) for column in used}
    if ask.ones is not None:
        _refuse_weights(parts[ask.ones], ask.ones)
    if rows is not None and len(rows) > MOST_CELLS:
        raise InvalidLabels(say("too_many_classes", len(rows), "different cells", MOST_CELLS))

    def where(column: str) -> Sequence[str]:
        if rows is not None:
            # lines that are no rows come last
            return engine.gaps(column)[: int(times[code_of[column] < 0].sum())] if code_of else engine.gaps(column)
        return [engine.place(row) for row in np.flatnonzero(parts[column][1] < 0)[:3].tolist()]

    code_of: dict[str, Integers] = {}
    if paired:
        return _paired(parts, rows, ask, where)
    code_of, times = combined(engine, {c: parts[c] for c in ask.keys}, rows, blank=ask.count is None)
    cells = {c: Column(parts[c].texts, code).part() for c, code in code_of.items()}
    aside: list[SetAside] = []
    weight, cases = None, times
    if ask.weight is not None:
        texts, code = cells.pop(ask.weight)
        there = code >= 0
        if not there.all():
            aside.append(SetAside("no weight", int(times[~there].sum()), tuple(where(ask.weight))))
        cells = {c: Column(found, its[there]) for c, (found, its) in cells.items()}
        try:
            weight = np.array([*map(float, texts), 0.0])[code[there]]
        except ValueError:
            of = f"the weight (column {excerpt(ask.weight)})"
            raise InvalidLabels(say("not_a", of, "a number in every row", texts)) from None
        cases = cases[there]
    if ask.count is not None:
        cases = cases * _counts(cells[ask.count], ask.count)
    answers, by = [cells[c] for c in ask.answers.values()], [cells[c] for c in ask.by]
    model = None if ask.model is None else cells[ask.model]
    return ask, Tally(cells[ask.truth], answers, by, cases, model=model, weight=weight, aside=aside, where=where)


def refuse_repeated(engine: Engine, column: str) -> None:
    """Refuse an id that comes twice; raises `InvalidLabels`, of files `InvalidFile`."""
    twice = engine.repeated([column])
    if twice is not None:
        problem = f"the id {excerpt(group_text(twice[0]))} comes {twice[-1]} times; {say('repeated_row')}"
        raise InvalidFile(engine.name, problem) if engine.name else InvalidLabels(problem)


def _weight_text(value: Any) -> str | None:
    text = value_text(value).strip()
    return None if is_missing(text) else text


def _refuse_weights(column: Column, name: str) -> None:
    """Refuse weights that nobody asked for, unless all are 1."""
    texts, codes = column
    odd = next((text for text in texts if not WEIGHT_ONE.fullmatch(text)), None)
    if odd is not None or (codes < 0).any():
        raise InvalidLabels(say("weighted", name, "blank" if odd is None else odd))


def _counts(column: Column, name: str) -> Integers:
    """Counts in the cells of a column."""
    texts, codes = column
    if (codes < 0).any():
        raise InvalidLabels(say("lacking", f"the count (column {excerpt(name)})"))
    try:
        return np.array([*map(count_of, texts), 0], dtype=np.int64)[codes]
    except NotACount as reason:
        raise InvalidLabels(f"the count (column {excerpt(name)}) {reason}") from None


# -- one row a case and classifier --------------------------------------------------------------------------


def _paired(
    parts: Mapping[str, Column], rows: Integers | None, ask: CountColumns, where: Callable[[str], Sequence[str]]
) -> tuple[CountColumns, Tally]:
    """Rows of one case put side by side by its id, in which another row may say what is missing in one."""
    assert ask.id is not None
    assert ask.model is not None
    named = parts[ask.id][1] >= 0
    aside = []
    if not named.all():
        lost = int((~named).sum() if rows is None else rows[~named].sum())
        aside.append(SetAside(f"no id (column {ask.id})", lost, tuple(where(ask.id))))
    here = {c: Column(texts, codes[named]) for c, (texts, codes) in parts.items()}
    case, (names, which) = here[ask.id].part(), here[ask.model].part().ordered
    if (which < 0).any():
        raise InvalidLabels(say("name_lacking", "classifier", ask.model))
    (pair,), times = summed([case[1] * len(names) + which], None if rows is None else rows[named])
    if len(times) and times.max() > 1:
        twice = int(pair[np.argmax(times)])
        name, model = case[0][twice // len(names)], names[twice % len(names)]
        raise InvalidLabels(say("twice_in", "the id", name, f"for classifier {excerpt(model)}"))
    (answer,) = ask.answers.values()
    told = {c: one_of_each(case, here[c], f"column {excerpt(c)}") for c in (ask.truth, *ask.by)}
    truth, *by = (Column(here[c].texts, codes) for c, codes in told.items())
    answers = np.full((len(names), len(case[0])), -1, dtype=np.int64)
    answers[which, case[1]] = here[answer][1]
    wide = replace(ask, answers={n: n for n in names}, model=None)
    ones = np.ones(len(case[0]), dtype=np.int64)
    return wide, Tally(truth, [Column(here[answer].texts, row) for row in answers], by, ones, aside=aside)


def counted_rows(table: TextTable, ask: CountColumns, labels: Sequence[object] | None) -> Counts:
    """Count the rows of a table of text."""
    at = {name: i for i, name in enumerate(table.names)}
    rows = coded_rows(table, [at[column] for column in ask.columns], blank=ask.count is None)
    rows.check_weights(None if ask.ones is None else at[ask.ones])

    def numbered(column: str) -> Column:
        found, rule = rows[at[column]], _rule(table, column, ask)
        for text, row in zip(found.texts, found.first.tolist(), strict=True):
            try:
                rule(text)
            except InvalidLabels as error:
                raise rows.fault(plain(str(error), 600), row) from None
            except NotACount as reason:
                true, pred = (rows[at[c]].cells()[row] or "" for c in [*ask.labels][:2])
                raise rows.fault(f"{cell_name(true, pred, 'true')} {reason}", row) from None
        return found.by(rule)

    def place(row: int) -> str:
        file = bisect_right(rows.files, row, key=lambda it: it[0])
        start, name = rows.files[file - 1] if file else (0, table.source)
        return f"{name}, row {row + 1 - start}"

    # the cells are texts by now
    plain_ask = replace(ask, text=lambda value: value, ones=None)
    here = Arrays({c: numbered(c) for c in plain_ask.columns}, place)
    return counted(here, plain_ask, labels, notes=table.notes, name=table.source)


def _rule(table: TextTable, column: str, ask: CountColumns) -> Callable[[str], str | None]:
    """From a cell of one column to what is counted."""

    def weight(cell: str) -> str | None:
        try:
            return None if is_missing(cell.strip()) else str(float(cell))
        except ValueError:
            raise InvalidLabels(say("not_a", "the weight", "a number", cell.strip())) from None

    def group(cell: str) -> str | None:
        text = table.clean(cell)
        return None if is_missing(text) else text

    if column == ask.weight:
        return weight
    if column == ask.count:
        return lambda cell: str(count_of(cell))
    return (lambda cell: ask.text(cell) or None) if column in ask.labels else group
