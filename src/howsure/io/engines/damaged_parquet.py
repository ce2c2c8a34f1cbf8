"""Where a Parquet file is damaged: the first row group that DuckDB cannot decode, looked for after an error only."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from howsure.errors import InvalidFile, excerpt
from howsure.io.engines.fetching import NO_NETWORK, rows
from howsure.io.engines.sql_quoting import literal, quoted
from howsure.text.formats import integer, plain

__all__ = ["damaged_row_group"]


def damaged_row_group(files: Sequence[str], columns: Sequence[str] = ()) -> InvalidFile | None:
    """The sentence on the first row group that does not decode; None if all do, or if none can be reached.

    Each file is read once, and the damaged one by halves, so that it takes twice the time of reading them.

    Parameters
    ----------
    files : sequence of str
        Parquet, whose ends are sound.
    columns : sequence of str
        The columns that were asked for; all if left out.
    """
    import duckdb

    with duckdb.connect(config=dict(NO_NETWORK)) as db:
        for file in files:
            try:
                wanted, ends = _columns(db, file, columns), _ends(db, file)
            except duckdb.Error:
                continue  # not this file's row groups, but the file
            if wanted and ends and not _decodes(db, file, wanted, 0, ends[-1]):
                return _described(db, file, wanted, [0, *ends])
    return None


def _columns(db: Any, file: str, columns: Sequence[str]) -> list[str]:
    there = [name for name, *_ in rows(db, f"DESCRIBE SELECT * FROM read_parquet({literal(file)})")]
    return [name for name in there if not columns or name in columns]


def _ends(db: Any, file: str) -> list[int]:
    """Row after the last one of each row group, rows counted from 0."""
    groups = "SELECT row_group_id, any_value(row_group_num_rows)"
    found = rows(db, f"{groups} FROM parquet_metadata({literal(file)}) GROUP BY ALL ORDER BY 1")
    return list(accumulate(int(length) for _, length in found))


def _decodes(db: Any, file: str, columns: Sequence[str], start: int, end: int) -> bool:
    """Whether the values of these rows can be read; DuckDB leaves out the row groups that have none of them."""
    import duckdb

    values = ", ".join(map(quoted, columns))
    table = f"read_parquet({literal(file)}, file_row_number = true, hive_partitioning = false)"
    try:
        rows(db, f"SELECT count(hash({values})) FROM {table} WHERE file_row_number BETWEEN {start} AND {end - 1}")
    except duckdb.Error:
        return False
    return True


def _described(db: Any, file: str, columns: Sequence[str], bounds: Sequence[int]) -> InvalidFile:
    """Halve until one row group is left, and say which of its columns it is."""
    first, last = 0, len(bounds) - 1
    while last - first > 1:
        middle = (first + last) // 2
        if _decodes(db, file, columns, bounds[first], bounds[middle]):
            first = middle
        else:
            last = middle
    start, end = bounds[first], bounds[last]
    column = next((c for c in columns if not _decodes(db, file, [c], start, end)), None)
    where = "" if column is None else f" in column {excerpt(column)}"
    shown = (
        f"row group {integer(first + 1)} of {integer(len(bounds) - 1)} (rows {integer(start + 1)} to {integer(end)})"
    )
    return InvalidFile(plain(file, 200), f"{shown} is damaged{where}: its pages do not decode; write the file again")
