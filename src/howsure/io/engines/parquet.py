"""A Parquet file row by row, by DuckDB, which tells a damaged one with its row group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from howsure.io.engines.duck import connected
from howsure.io.engines.duckdb_errors import teaching
from howsure.io.engines.fetching import rows
from howsure.io.engines.sources import TableFiles, check_parquet
from howsure.io.engines.sql_quoting import literal

__all__ = ["parquet_columns", "parquet_rows"]

#: Rows that are fetched in one go.
SOME_ROWS = 2**12


def parquet_columns(path: str, name: str) -> list[str]:
    """Names of the columns."""
    check_parquet(path, name)
    source = TableFiles(name, (path,), "parquet")
    with connected(None) as db, teaching(source):
        return [str(row[0]) for row in rows(db, f"DESCRIBE SELECT * FROM {_table(path)}")]


def parquet_rows(path: str, name: str) -> Iterator[tuple[Any, ...]]:
    """Values of each row, in the order of the file."""
    source = TableFiles(name, (path,), "parquet")
    with connected(None) as db, teaching(source):
        db.execute("SET preserve_insertion_order = true")
        found = db.execute(f"SELECT * FROM {_table(path)}")
        while some := found.fetchmany(SOME_ROWS):
            yield from some


def _table(path: str) -> str:
    return f"read_parquet({literal(path)}, hive_partitioning = false)"
