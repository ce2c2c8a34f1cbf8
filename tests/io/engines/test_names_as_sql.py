"""Names of files, folders, columns and classes that are SQL as well: to DuckDB they are names and values."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path

import pytest

from howsure.io.counting.count import count

duckdb = pytest.importorskip("duckdb")

NAMES = (
    'a"; DROP TABLE cases; --',
    "a'; COPY (SELECT 1) TO 'written.csv'; --",
    "a') UNION ALL SELECT content, content FROM read_text('/etc/hostname') --",
    'a" || (SELECT 1) || "',
    "a\\'; SELECT 1",
    "{a: 'VARCHAR'}",
    "$1 ? :a %s",
)


@pytest.mark.sweep(4, full=21)
@pytest.mark.parametrize(("name", "form"), list(zip(NAMES, ["csv", "csv", "jsonl", "parquet"] * 2, strict=False)))
def test_a_name_that_is_sql_is_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, form: str) -> None:
    monkeypatch.setattr("howsure.io.table.LARGE", 0)  # DuckDB counts, however few
    monkeypatch.chdir(tmp_path)
    columns = ["id", f"true {name}", f"pred {name}", f"site {name}"]
    rows = [[str(i), name if i % 3 else "b", name if i % 2 else "b", f"s {name}"] for i in range(12)]
    folder = tmp_path / f"d {name}".replace("/", "_")
    folder.mkdir()
    path = folder / f"f {name}.{form}".replace("/", "_")
    if form == "csv":
        text = io.StringIO(newline="")
        csv.writer(text, quoting=csv.QUOTE_ALL).writerows([columns, *rows])
        path.write_text(text.getvalue(), encoding="utf-8")
    elif form == "jsonl":
        lines = (json.dumps(dict(zip(columns, row, strict=True))) for row in rows)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    else:
        pyarrow = pytest.importorskip("pyarrow")
        parquet = pytest.importorskip("pyarrow.parquet")
        parquet.write_table(pyarrow.table(dict(zip(columns, zip(*rows, strict=True), strict=True))), path)
    before = sorted(os.listdir(folder)), sorted(os.listdir())
    counts = count(path, y_true=columns[1], y_pred=columns[2], by=columns[3], id="id")
    assert counts.n == 12
    assert set(counts.labels) == {name, "b"}
    assert counts.groups == ((f"s {name}",),)
    in_memory = dict(zip(columns, zip(*rows, strict=True), strict=True))
    assert counts.confusion() == count(in_memory, y_true=columns[1], y_pred=columns[2], id="id").confusion()
    assert (sorted(os.listdir(folder)), sorted(os.listdir())) == before
