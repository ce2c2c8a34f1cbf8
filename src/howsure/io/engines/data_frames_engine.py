"""Counting in the frame's own engine, through narwhals: only the cells come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from howsure.data.folds import REPEATED_ROW
from howsure.data.labels import group_text
from howsure.errors import InvalidArgument, InvalidLabels, MissingExtra, excerpt
from howsure.io.counting.count_columns import CountColumns
from howsure.io.counting.result import SetAside
from howsure.io.counting.tally_to_counts import Tally, Weighed
from howsure.io.engines.coding import Coded, Loose, coded, each, occurring
from howsure.io.engines.numpy_arrays import counts_of, refuse_weights, tally_coded
from howsure.io.engines.pivoting import widened
from howsure.io.engines.series import numbered
from howsure.text.formats import integer

__all__ = ["tally_frame"]

#: Cells that are brought back; more are ids or scores in the wrong column.
MOST_CELLS = 20_000_000
#: Rows of a sample, and different cells in it up to which polars groups faster than it numbers texts.
FIRST_ROWS, FEW_CELLS = 2**16, 2**14

_ROWS, _WEIGHT, _SQUARE, _PART, _LOWEST, _GONE = (f"howsure_{x}" for x in ("n", "w", "ww", "part", "low", "gone"))


def tally_frame(frame: Any, ask: CountColumns) -> tuple[CountColumns, Tally]:
    """Count a data frame, eager or lazy, or a relation of a database.

    Parameters
    ----------
    frame : frame of pandas, polars, pyarrow, DuckDB, Dask, PySpark, Modin, Ibis or SQLFrame
    ask : CountColumns

    Returns
    -------
    ask : CountColumns
        With a column for each classifier, where they were in rows.
    tally : Tally

    Raises
    ------
    InvalidArgument
        No such column, or nothing that narwhals knows as a frame.
    InvalidLabels
        An id that comes twice, scores instead of classes, far too many cells.
    MissingExtra
        Without narwhals.
    """
    table = _narwhals(frame)
    schema = table.collect_schema()
    ask.check(schema)
    _check_types(ask, schema)
    table = table.select(*ask.columns)
    if ask.id is None or ask.model is None:
        quick = _numbered(table, ask)
        if quick is not None:
            return ask, quick
    table = _prepared(table, ask, schema)
    if ask.ones is not None:
        _refuse_weights(table, ask.ones)
    if ask.id is not None and ask.model is not None:
        table, ask, aside = _widened(table, ask)
    else:
        aside = []
        if ask.id is not None:
            _refuse_doubles(table, [ask.id])
    return ask, _tally(table, ask, aside)


def _narwhals(frame: Any) -> Any:
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise MissingExtra("Counting a data frame", "frames") from None
    try:
        return nw.from_native(frame)
    except TypeError:
        raise InvalidArgument(
            f"a {type(frame).__name__} is no table; give a data frame, a path, or columns by name ({{'y_true': [...]}})"
        ) from None


def _check_types(ask: CountColumns, schema: Any) -> None:
    """Refuse columns that hold no single values, and weights that are no numbers."""
    import narwhals.stable.v2 as nw

    nested = next((c for c in ask.columns if c != ask.weight and schema[c].is_nested()), None)
    if nested is not None:
        raise InvalidLabels(
            f"column {excerpt(nested)} holds {schema[nested]}, and a class is one value; take the class out of it"
        )
    if ask.weight is not None and not (schema[ask.weight].is_numeric() or schema[ask.weight] == nw.Boolean):
        raise InvalidLabels(
            f"the weight (column {excerpt(ask.weight)}) holds {schema[ask.weight]}; weights are numbers"
        )


def _numbered(table: Any, ask: CountColumns) -> Tally | None:
    """Columns in memory, numbered by their engine and counted as arrays; None where one is of another kind."""
    import narwhals.stable.v2 as nw

    if not isinstance(table, nw.DataFrame) or not len(table) or _has_few_cells(table, ask):
        return None

    def number(column: str) -> Loose | None:
        return numbered(table[column], column, ask.text_of(column))

    found = each(number, ask.told_apart, len(table))
    parts = {column: part for column, part in found.items() if part is not None}
    if len(parts) < len(found):
        return None
    if ask.id is not None:
        _refuse_doubles(table, [ask.id])
    if ask.ones is not None:
        _refuse_weights(table, ask.ones)
    weights = None if ask.weight is None else table[ask.weight].cast(nw.Float64).to_numpy()
    return tally_coded(parts, weights, ask)


def _has_few_cells(table: Any, ask: CountColumns) -> bool:
    """Whether polars is quicker by itself, judged by the first rows."""
    if not table.implementation.is_polars() or ask.weight is not None:
        return False
    return len(table.select(*ask.told_apart).head(FIRST_ROWS).unique()) <= FEW_CELLS


def _where(table: Any, ask: CountColumns) -> Callable[[str], list[str]]:
    """Rows, counted from 1, in which a column has no value; the first three."""

    def rows(column: str) -> list[str]:
        found = numbered(table[column], column, ask.text) or coded(table[column].to_list(), column, ask.text)
        return [f"row {i + 1}" for i in np.flatnonzero(found[1] < 0)[:3]]

    return rows


def _prepared(table: Any, ask: CountColumns, schema: Any) -> Any:
    """Columns that every engine groups alike: categories as texts, mixed objects as labels, weights as doubles."""
    import narwhals.stable.v2 as nw

    eager = isinstance(table, nw.DataFrame)
    for column in dict.fromkeys(c for c in ask.columns if c != ask.weight):
        kind = schema[column]
        label = column in ask.labels
        if kind in (nw.Categorical, nw.Enum):
            table = table.with_columns(nw.col(column).cast(nw.String))
        elif kind == nw.Object and eager:
            # groups of an engine would merge 1, 1.0 and True
            texts, codes = coded(table[column].to_list(), column, ask.text_of(column))
            named = np.array([*texts, None], dtype=object)[codes].tolist()
            fresh = nw.new_series(column, named, nw.String, backend=table.implementation)
            table = table.with_columns(nw.col(column)) if fresh is None else _replaced(table, column, fresh)
        elif label and kind in (nw.Float32, nw.Float64) and not table.implementation.is_ibis():
            # Ibis takes the floor as a whole number, which NaN has none of; there the cells show the fraction
            odd = _few(table.filter(nw.col(column).floor() < nw.col(column)).select(column), 1)
            if odd:
                ask.text(odd[0][0])  # says that a fraction is a score, unless it is the name of a class
    if ask.weight is not None:
        # doubles first: the square of a small integer type wraps silently
        weight = nw.col(ask.weight).cast(nw.Float64)
        table = table.with_columns(weight.alias(_WEIGHT))
        table = table.with_columns((nw.col(_WEIGHT).is_null() | nw.col(_WEIGHT).is_nan()).alias(_GONE))
        table = table.with_columns(nw.when(nw.col(_GONE)).then(0.0).otherwise(nw.col(_WEIGHT)).alias(_WEIGHT))
        w = nw.col(_WEIGHT)
        # each power a column of its own: some engines only sum columns, not expressions
        table = table.with_columns((w * w).alias(_SQUARE), (w - w.floor()).alias(_PART), w.alias(_LOWEST))
    return table


def _replaced(table: Any, column: str, fresh: Any) -> Any:
    import narwhals.stable.v2 as nw

    native = nw.to_native(table)
    if table.implementation.is_pandas_like():
        fresh = nw.from_native(
            type(nw.to_native(fresh))(nw.to_native(fresh).array, index=native.index, name=column), series_only=True
        )
    return table.with_columns(fresh.alias(column))


def _tally(table: Any, ask: CountColumns, aside: Sequence[SetAside]) -> Tally:
    import narwhals.stable.v2 as nw

    keys = [*ask.told_apart, *([] if ask.weight is None else [_GONE])]
    sums = [nw.len().alias(_ROWS)]
    if ask.weight is not None:
        sums += [nw.col(c).sum().alias(c) for c in (_WEIGHT, _SQUARE, _PART)]
        sums.append(nw.col(_LOWEST).min().alias(_LOWEST))
    where = _where(table, ask) if isinstance(table, nw.DataFrame) else None
    if table.implementation.is_polars():
        table = table.lazy()
    cells = _collected(table.group_by(*keys, drop_null_keys=False).agg(*sums), MOST_CELLS + 1)
    if len(cells) > MOST_CELLS:
        raise InvalidLabels(f"more than {integer(MOST_CELLS)} different cells; is an id or a score among the columns?")
    rows = cells[_ROWS].to_numpy().astype(np.int64)
    parts = [_coded(cells, c, ask) for c in keys if c != _GONE]
    weighed = None
    if ask.weight is not None:
        gone = np.array([bool(x) for x in cells[_GONE].to_list()], dtype=bool)
        column = {c: np.array(cells[c].to_list(), dtype=np.float64)[~gone] for c in (_WEIGHT, _SQUARE, _PART, _LOWEST)}
        if gone.any():
            aside = [*aside, SetAside("no weight", int(rows[gone].sum()))]
        parts = [(texts, codes[~gone]) for texts, codes in parts]
        rows = rows[~gone]
        low = float(column[_LOWEST].min(initial=0.0))
        weighed = Weighed(column[_WEIGHT], float(column[_SQUARE].sum()), float(column[_PART].sum()), low)
    split = 1 + len(ask.answers)
    by = parts[split : split + len(ask.by)]
    model = None if ask.model is None else parts[split + len(ask.by)]
    if ask.count is not None:
        rows = rows * counts_of(parts[-1], ask.count)
    return Tally(parts[0], parts[1:split], by, rows, model=model, weight=weighed, aside=aside, where=where)


def _coded(cells: Any, column: str, ask: CountColumns) -> Coded:
    text = ask.text_of(column)
    found = numbered(cells[column], column, text)
    return coded(cells[column].to_list(), column, text) if found is None else occurring(found)


def _collected(table: Any, most: int) -> Any:
    import narwhals.stable.v2 as nw

    if isinstance(table, nw.LazyFrame):
        few = table.head(most)
        # the engine of polars that works in batches is faster, and needs less memory
        return few.collect(engine="streaming") if table.implementation.is_polars() else few.collect()
    return table


def _few(table: Any, most: int) -> list[tuple[Any, ...]]:
    """The first rows of a table."""
    found = table.head(most)
    import narwhals.stable.v2 as nw

    found = found.collect() if isinstance(found, nw.LazyFrame) else found
    return [tuple(row) for row in found.rows()]


def _refuse_doubles(table: Any, columns: Sequence[str]) -> None:
    import narwhals.stable.v2 as nw

    named = table.filter(~nw.col(columns[0]).is_null())
    times = named.group_by(*columns).agg(nw.len().alias(_ROWS)).filter(nw.col(_ROWS) > 1)
    found = _few(times.select(*columns, _ROWS), 1)
    if found:
        *values, number = found[0]
        name = excerpt(group_text(values[0]))
        if len(values) == 1:
            raise InvalidLabels(f"the id {name} comes {number} times; {REPEATED_ROW}")
        raise InvalidLabels(
            f"the id {name} comes {number} times for classifier {excerpt(group_text(values[1]))}; "
            "each classifier answers a case once"
        )


def _refuse_weights(table: Any, column: str) -> None:
    """Refuse weights that nobody asked for, unless all are 1."""
    found = [group_text(row[0]) for row in _few(table.select(column).unique(), 1_000)]
    refuse_weights(column, ([x for x in found if x is not None], np.array([-1][: found.count(None)], dtype=np.int64)))


def _widened(table: Any, ask: CountColumns) -> tuple[Any, CountColumns, list[SetAside]]:
    """Rows of one case side by side, by joins in the engine."""
    import narwhals.stable.v2 as nw

    assert ask.id is not None
    assert ask.model is not None
    if ask.weight is not None:
        raise InvalidArgument("weight= and model= with id= do not go together; a case is counted once")
    (answer,) = ask.answers.values()
    table = table.lazy()
    counted = _few(table.filter(nw.col(ask.id).is_null()).select(nw.len()), 1)[0][0]
    aside = [SetAside(f"no id (column {ask.id})", int(counted))] if counted else []
    table = table.filter(~nw.col(ask.id).is_null())
    _refuse_doubles(table, [ask.id, ask.model])
    found = [row[0] for row in _few(table.select(ask.model).unique(), 10_000)]
    if any(value is None for value in found):
        raise InvalidLabels(f"column {excerpt(ask.model)} does not name the classifier in every row; fill it in")
    names = sorted(found, key=str)
    about = [ask.truth, *ask.by]
    cases = table.filter(~nw.col(ask.truth).is_null()).select(ask.id, *about).unique()
    twice = _few(cases.group_by(ask.id).agg(nw.len().alias(_ROWS)).filter(nw.col(_ROWS) > 1).select(ask.id), 1)
    if twice:
        rows = _few(cases.filter(nw.col(ask.id) == twice[0][0]).select(*about), 2)
        column, values = next((c, v) for c, *v in zip(about, *rows, strict=True) if v[0] != v[1])
        one, two = sorted(excerpt(group_text(v)) for v in values)
        raise InvalidLabels(
            f"the id {excerpt(group_text(twice[0][0]))} has two values in column {excerpt(column)}, {one} and {two}; "
            "a case has one. Are these different test sets?"
        )
    untrue = table.join(cases.select(ask.id), on=ask.id, how="anti").select(ask.id).unique()
    lost = int(_few(untrue.select(nw.len()), 1)[0][0])
    if lost:
        aside.append(SetAside("no true class", lost))
    texts = [str(group_text(name)) for name in names]
    wide = widened(ask, [f"howsure_answer_{i}" for i in range(len(names))])
    for name, column in zip(names, wide.answers, strict=True):
        part = table.filter(nw.col(ask.model) == name).select(ask.id, nw.col(answer).alias(column))
        cases = cases.join(part, on=ask.id, how="left")
    named = dict(zip(texts, wide.answers, strict=True))
    return cases, replace(ask, answers=named, model=None), aside
