"""Twelve hard cases with the counts they must have, and how to hand them to each engine."""

from __future__ import annotations

import datetime as dt
import importlib
import os
import shutil
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NoReturn

import pytest

NAN = float("nan")
DAY = dt.date(2026, 1, 1)


@dataclass(frozen=True)
class Case:
    """Columns by name, their Arrow types, and what to ask."""

    columns: dict[str, list[Any]]
    types: dict[str, str]
    options: dict[str, Any] = field(default_factory=dict)


CASES = {
    "texts": Case({"t": ["a", "b", "b", "B"], "p": ["a", "a", "b", "b"]}, {"t": "string", "p": "string"}),
    "null labels": Case({"t": ["a", None, "b", "b"], "p": ["a", "a", None, "b"]}, {"t": "string", "p": "string"}),
    "blank labels": Case({"t": ["a", "", "b", "b"], "p": ["a", "a", "  ", "b"]}, {"t": "string", "p": "string"}),
    "texts like numbers": Case(
        {"t": ["1", "01", "1", "1.0"], "p": ["1", "1", "01", "1"]}, {"t": "string", "p": "string"}
    ),
    "integers": Case({"t": [0, 1, 2, -1], "p": [0, 1, 1, -1]}, {"t": "int64", "p": "int8"}),
    "integers with gaps": Case({"t": [0, 1, None, 1], "p": [0, 1, 1, None]}, {"t": "int64", "p": "int64"}),
    "numbers with NaN": Case({"t": [0.0, 1.0, NAN, 1.0], "p": [0, 1, 1, 0]}, {"t": "float64", "p": "int64"}),
    "booleans": Case({"t": [True, False, True, True], "p": [True, True, False, True]}, {"t": "bool", "p": "bool"}),
    "booleans with gaps": Case(
        {"t": [True, False, None, True], "p": [True, True, False, None]}, {"t": "bool", "p": "bool"}
    ),
    "categories with gaps": Case(
        {"t": ["a", "b", None, "b"], "p": ["a", "b", "a", None]}, {"t": "category", "p": "category"}
    ),
    "number against text": Case({"t": [1, 0, 1, 0], "p": ["1", "0", "0", "01"]}, {"t": "int64", "p": "string"}),
    "null group, reserved name, small weights": Case(
        {
            "t": ["a", "a", "a", "b"],
            "p": ["a", "a", "a", "a"],
            "group": ["x", "x", None, None],
            "w": [100, 100, 100, 3],
        },
        {"t": "string", "p": "string", "group": "string", "w": "int8"},
        {"by": "group", "weight": "w"},
    ),
}


def text(value: Any) -> str | None:
    """The rule, written once more."""
    if value is None or value != value or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    value = {"1.0": "1", "True": "true", "False": "false"}.get(value, value) if isinstance(value, str) else value
    return str(int(value)) if isinstance(value, float) else str(value)


def expected(case: Case) -> dict[tuple[str | None, ...], int]:
    """Count row by row."""
    found: Counter[tuple[str | None, ...]] = Counter()
    by = [case.options["by"]] if "by" in case.options else []
    for i in range(len(case.columns["t"])):
        key = tuple(text(case.columns[c][i]) for c in ("t", "p", *by))
        if key[0] is not None and key[1] is not None:
            found[key] += case.columns["w"][i] if "weight" in case.options else 1
    return dict(found)


def arrow(case: Case) -> Any:
    """The case as an Arrow table."""
    pa = pytest.importorskip("pyarrow")

    def column(name: str) -> Any:
        kind = case.types[name]
        if kind == "category":
            return pa.array(case.columns[name], pa.string()).dictionary_encode()
        return pa.array(case.columns[name], pa.type_for_alias(kind))

    return pa.table({name: column(name) for name in case.columns})


def plain(case: Case) -> Any:
    """Categories as texts, for engines of SQL."""
    types = {n: "string" if t == "category" else t for n, t in case.types.items()}
    return arrow(Case(case.columns, types, case.options))


def database(table: Any) -> Any:
    """A DuckDB of its own that holds an Arrow table as ``cases``.

    Copied, because threads of DuckDB that read Python's memory need Python's lock, which whoever waits for them may
    hold; and no connection is shared, so that no test waits for another one's.
    """
    db = pytest.importorskip("duckdb").connect()
    db.register("given", table)
    db.execute("CREATE TABLE cases AS FROM given")
    db.unregister("given")
    return db


def _pandas(case: Case) -> Any:
    pytest.importorskip("pandas")
    return arrow(case).to_pandas()


def _pandas_arrow(case: Case) -> Any:
    pd = pytest.importorskip("pandas")
    return arrow(case).to_pandas(types_mapper=pd.ArrowDtype)


def _polars(case: Case) -> Any:
    return pytest.importorskip("polars").from_arrow(arrow(case))


def _polars_lazy(case: Case) -> Any:
    return _polars(case).lazy()


def _duckdb(case: Case) -> Any:
    return database(plain(case)).table("cases")


def _dask(case: Case) -> Any:
    return pytest.importorskip("dask.dataframe").from_pandas(_pandas(case), npartitions=2)


def _ibis(case: Case) -> Any:
    ibis = pytest.importorskip("ibis")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Ibis asks DuckDB for the columns in an old way
        return ibis.duckdb.from_connection(database(plain(case))).table("cases")


def _sqlframe(case: Case) -> Any:
    session = pytest.importorskip("sqlframe.duckdb").DuckDBSession()
    rows = plain(case).to_pylist()
    names = list(case.columns)
    kinds = {"string": "string", "int64": "bigint", "int8": "tinyint", "float64": "double", "bool": "boolean"}
    schema = ", ".join(f"`{n}` {kinds.get(case.types[n], 'string')}" for n in names)
    return session.createDataFrame([tuple(row[n] for n in names) for row in rows], schema=schema)


def _or_absent(module: str) -> Any:
    """A module of an environment of its own: a user need not have it, continuous integration must."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        absent(f"{module} cannot be imported: {error}")


def absent(reason: str) -> NoReturn:
    """Skip with the reason; fail in continuous integration."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def _modin(case: Case) -> Any:
    return _or_absent("modin.pandas").DataFrame(_pandas(case))


def _spark(case: Case) -> Any:
    sql = _or_absent("pyspark.sql")
    home = os.environ.get("JAVA_HOME")
    if not shutil.which("java") and not (home and os.access(f"{home}/bin/java", os.X_OK)):
        absent("Spark needs a Java runtime (Debian: apt-get install default-jre-headless)")
    builder = sql.SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    # a machine without a network need not know its own name
    here = {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"}
    session = builder.config(map=here).getOrCreate()
    kinds = {"string": "string", "int64": "bigint", "int8": "tinyint", "float64": "double", "bool": "boolean"}
    names = list(case.columns)
    schema = ", ".join(f"`{n}` {kinds.get(case.types[n], 'string')}" for n in names)
    return session.createDataFrame([tuple(r[n] for n in names) for r in plain(case).to_pylist()], schema=schema)


def _columns(case: Case) -> Any:
    return case.columns


ENGINES: dict[str, Callable[[Case], Any]] = {
    "lists": _columns,
    "pandas": _pandas,
    "pandas on arrow": _pandas_arrow,
    "polars": _polars,
    "polars lazy": _polars_lazy,
    "pyarrow": arrow,
    "duckdb": _duckdb,
    "dask": _dask,
    "ibis": _ibis,
    "sqlframe": _sqlframe,
    "modin": _modin,
    "spark": _spark,
}
