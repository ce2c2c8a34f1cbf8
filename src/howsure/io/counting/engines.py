"""Columns grouped where they are: in memory, in a data frame by its own engine, in files by DuckDB.

Each text of a column is looked at once: a column is its distinct texts and, for each row, which of them it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from howsure.data.counts import summed
from howsure.data.labels import Column, distinct_answers, group_text
from howsure.data.refusals import refusal, say
from howsure.data.words import is_missing
from howsure.errors import InvalidArgument, InvalidFile, InvalidLabels, MissingExtra, excerpt
from howsure.io.case_rows import CodedRows, group_asked
from howsure.io.counting.duck import MOST_CELLS, Duck, Engine, Progress, connected, names_there, source_of, sql
from howsure.io.reading import Request
from howsure.io.roles import Columns
from howsure.io.table import TextTable, value_text
from howsure.numerics.arrays import Integers

#: Cells of one classifier that are brought into Python one by one.
MOST_PAIRS = 5_000_000
_ROWS = "howsure_n"


class Arrays(Engine):
    """Columns that are in memory; ``place`` is what a row is called, counted from 0."""

    def __init__(self, columns: Mapping[str, Any], place: Callable[[int], str] = lambda row: f"row {row + 1}") -> None:
        self.columns, self.place = columns, place

    def check(self, columns: Sequence[str]) -> None:
        """Refuse columns that are no lists, or of different lengths."""
        for name in columns:
            values = self.columns[name]
            if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
                raise InvalidLabels(say("not_a", excerpt(name), "one value a row", values))

    def cells(self, columns: Sequence[str]) -> tuple[Mapping[str, Any], None]:
        """The columns as they are; refused where they are of different lengths."""
        self.check(columns)
        lengths = {name: len(self.columns[name]) for name in columns}
        if len(set(lengths.values())) > 1:
            raise InvalidLabels(say("unlike_lengths", [f"{k} has {v}" for k, v in lengths.items()]))
        return {name: self.columns[name] for name in columns}, None

    def repeated(self, columns: Sequence[str], *, gaps: bool = False) -> tuple[Any, ...] | None:
        """Values that several rows have together."""
        parts = [distinct_answers(self.columns[c], c, group_text) for c in columns]
        named = parts[0].codes >= 0
        if gaps and not named.all():
            return (None, 1)
        keys, times = summed([part.codes[named] for part in parts], None)
        if not len(times) or times.max() < 2:
            return None
        at = int(np.argmax(times))
        return (*([*part.texts, None][key[at]] for part, key in zip(parts, keys, strict=True)), times[at])


class Frame(Engine):
    """A data frame or a relation that its own engine groups; only the cells come back."""

    def __init__(self, table: Any) -> None:
        import narwhals.stable.v2 as nw

        self._lazy = isinstance(table, nw.LazyFrame)
        self._table = table.lazy() if table.implementation.is_polars() else table

    def cells(self, columns: Sequence[str]) -> tuple[Mapping[str, Any], Integers]:
        """The combinations that occur, and how many rows have each."""
        found = _brought(self._grouped(columns).head(MOST_CELLS + 1))
        return {c: found[c].to_list() for c in columns}, found[_ROWS].to_numpy().astype(np.int64)

    def repeated(self, columns: Sequence[str], *, gaps: bool = False) -> tuple[Any, ...] | None:
        """Values that several rows have together."""
        import narwhals.stable.v2 as nw

        again, gap = nw.col(_ROWS) > 1, nw.col(columns[0]).is_null()
        found = _brought(self._grouped(columns).filter(again | gap if gaps else again & ~gap).head(1))
        return next((tuple(row) for row in found.select(*columns, _ROWS).rows()), None)

    def gaps(self, column: str) -> Sequence[str]:
        """The first rows without a value; what is lazy has no order."""
        if self._lazy:
            return ()
        values = _brought(self._table.select(column))[column].to_list()
        return [f"row {i + 1}" for i, value in enumerate(values) if is_missing(value_text(value))][:3]

    def _grouped(self, columns: Sequence[str]) -> Any:
        import narwhals.stable.v2 as nw

        return self._table.group_by(*dict.fromkeys(columns), drop_null_keys=False).agg(nw.len().alias(_ROWS))


def _brought(table: Any) -> Any:
    import narwhals.stable.v2 as nw

    if not isinstance(table, nw.LazyFrame):
        return table
    # the engine of polars that works in batches is faster, and needs less memory
    return table.collect(engine="streaming") if table.implementation.is_polars() else table.collect()


def engine_of_frame(frame: Any, columns: Sequence[str]) -> Engine:
    """What counts a data frame, eager or lazy, or a relation of a database."""
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise MissingExtra("Counting a data frame", "frames") from None
    try:
        table = nw.from_native(frame)
    except TypeError:
        raise InvalidArgument(say("no_frame", type(frame).__name__, "give a path, or columns by name")) from None
    schema = table.collect_schema()
    here = [c for c in dict.fromkeys(columns) if c in schema]
    nested = next((c for c in here if schema[c].is_nested()), None)
    if nested is not None:
        raise InvalidLabels(say("nested_column", nested, str(schema[nested])))
    # groups of an engine would merge 1, 1.0 and True
    mixed = any(schema[c] == nw.Object for c in here)
    if isinstance(table, nw.DataFrame) and (mixed or table.implementation.is_pandas_like()):
        native = table.implementation.is_pandas_like()
        return Arrays({c: nw.to_native(table[c]) if native else table[c].to_list() for c in schema})
    # engines of SQL cannot group what they call a category
    texts = [nw.col(c).cast(nw.String) for c in here if schema[c] in (nw.Categorical, nw.Enum)]
    return Frame(table.with_columns(*texts) if texts else table)


@contextmanager
def engine_of(
    table: TextTable, used: Sequence[str], *, memory: str | None = None, progress: Progress | None = None
) -> Iterator[Engine]:
    """What groups the rows of a table where they are."""
    assert table.origin is not None
    if table.origin.format == "frame":
        yield engine_of_frame(table.origin.frame, used)
        return
    source = source_of(table)
    with connected(memory) as db:
        yield Duck(db, sql(source, used), source, progress)


def grouped(table: TextTable, columns: Columns, request: Request) -> CodedRows:
    """Pairs of true and predicted text, and a judge's beside them, with their numbers."""
    if columns.fold is not None or (columns.repeat is not None and columns.id is not None):
        raise refusal(table.source, "not_both", "folds or runs", "so many rows")
    answers = columns.pred.values()
    parts = (columns.model, columns.true, *answers, columns.judge, columns.count, group_asked(columns, request))
    places = list(dict.fromkeys(at for at in (*parts, columns.weight) if at is not None))
    names = names_there(table)
    case = None if columns.id is None else names[columns.id]
    used = dict.fromkeys([*(names[at] for at in places), *([] if case is None else [case])])
    with engine_of(table, list(used)) as engine:
        if case is not None:
            within = [case] if columns.model is None else [case, names[columns.model]]
            if engine.repeated(within, gaps=True) is not None:
                raise InvalidFile(table.source, "an id is blank or comes twice")
        result = combinations(engine, table, places, blank=columns.count is None)
    if len(result) > MOST_PAIRS:
        raise refusal(table.source, "too_many_classes", len(result), "pairs of classes", MOST_PAIRS)
    header = [result[at].by(table.clean).among([table.header[at]]) == 0 for at in places]
    if np.all(header, axis=0).any():
        raise refusal(table.source, "header_again")
    result.check_weights(columns.weight)
    result.multiplied(columns.count, lambda _: "a count")
    return result


def combinations(engine: Engine, table: TextTable, places: Sequence[int], *, blank: bool = False) -> CodedRows:
    """Combinations of texts of columns, and how many rows have each; ``blank`` as `combined` has it."""
    names = names_there(table)
    values, rows = engine.cells([names[at] for at in places])
    parts = {at: distinct_answers(values[names[at]], names[at], engine.read(_cell)) for at in places}
    codes, times = combined(engine, parts, rows, blank=blank)
    found = {}
    for at, code in codes.items():
        texts = parts[at][0]
        found[at] = Column([*texts, ""], np.where(code < 0, len(texts), code)).part()
    return CodedRows(table, found, times)


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


def _cell(value: Any) -> str | None:
    text = value_text(value)
    return text if text.strip() else None
