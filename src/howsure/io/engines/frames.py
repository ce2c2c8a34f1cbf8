"""Data frames: those in memory column by column, and what is lazy or a relation grouped by its own engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from howsure.data.words import is_missing
from howsure.errors import InvalidArgument, InvalidLabels, MissingExtra, excerpt
from howsure.io.engines.tallying import MOST_CELLS, Arrays, Engine
from howsure.io.values import value_text
from howsure.numerics.arrays import Integers

__all__ = ["engine_of_frame"]

_ROWS = "howsure_n"


def engine_of_frame(frame: Any, columns: Sequence[str]) -> Engine:
    """What counts a data frame, eager or lazy, or a relation of a database.

    Parameters
    ----------
    frame : frame of pandas, polars, pyarrow, DuckDB, Dask, PySpark, Modin, Ibis or SQLFrame
    columns : sequence of str
        Those that are used.

    Raises
    ------
    InvalidArgument
        Nothing that narwhals knows as a frame.
    InvalidLabels
        A column that holds no single values.
    MissingExtra
        Without narwhals.
    """
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise MissingExtra("Counting a data frame", "frames") from None
    try:
        table = nw.from_native(frame)
    except TypeError:
        raise InvalidArgument(
            f"a {type(frame).__name__} is no table; give a data frame, a path, or columns by name ({{'y_true': [...]}})"
        ) from None
    schema = table.collect_schema()
    here = [c for c in dict.fromkeys(columns) if c in schema]
    nested = next((c for c in here if schema[c].is_nested()), None)
    if nested is not None:
        raise InvalidLabels(
            f"column {excerpt(nested)} holds {schema[nested]}, and a class is one value; take the class out of it"
        )
    # groups of an engine would merge 1, 1.0 and True
    mixed = any(schema[c] == nw.Object for c in here)
    if isinstance(table, nw.DataFrame) and (mixed or table.implementation.is_pandas_like()):
        native = table.implementation.is_pandas_like()
        return Arrays({c: nw.to_native(table[c]) if native else table[c].to_list() for c in schema})
    # engines of SQL cannot group what they call a category
    texts = [nw.col(c).cast(nw.String) for c in here if schema[c] in (nw.Categorical, nw.Enum)]
    return _Groups(table.with_columns(*texts) if texts else table)


class _Groups(Engine):
    """A table that its own engine groups; only the cells come back."""

    def __init__(self, table: Any) -> None:
        import narwhals.stable.v2 as nw

        self._lazy = isinstance(table, nw.LazyFrame)
        self._table = table.lazy() if table.implementation.is_polars() else table

    def names(self) -> Sequence[str]:
        """Names of the columns."""
        return list(self._table.collect_schema())

    def cells(self, columns: Sequence[str]) -> tuple[Mapping[str, Any], Integers | None]:
        """The combinations that occur, and how many rows have each."""
        found = _brought(self._grouped(columns).head(MOST_CELLS + 1))
        return {c: found[c].to_list() for c in columns}, found[_ROWS].to_numpy().astype(np.int64)

    def repeated(self, columns: Sequence[str]) -> tuple[Any, ...] | None:
        """Values that several rows have together."""
        import narwhals.stable.v2 as nw

        found = _brought(self._grouped(columns).filter((nw.col(_ROWS) > 1) & ~nw.col(columns[0]).is_null()).head(1))
        return next((tuple(row) for row in found.select(*columns, _ROWS).rows()), None)

    def sizes(self, columns: Sequence[str]) -> tuple[int, int]:
        """How many combinations of values occur, and how many rows there are."""
        import narwhals.stable.v2 as nw

        found = _brought(self._grouped(columns).select(nw.len().alias("groups"), nw.col(_ROWS).sum()))
        return int(found["groups"][0]), int(found[_ROWS][0])

    def has_gaps(self, column: str) -> bool:
        """Whether a column is blank in any row."""
        import narwhals.stable.v2 as nw

        return len(_brought(self._table.filter(nw.col(column).is_null()).select(column).head(1))) > 0

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
