"""`howsure compare` and `howsure rank` on tables that are counted: Parquet, folders, packed text, counts that grow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from howsure.cli import main

duckdb = pytest.importorskip("duckdb")

TABLE = (
    "SELECT i AS id, chr((97 + i % 3)::INT) AS label, chr((97 + (i + (i % 10 = 0)::INT) % 3)::INT) AS a, "
    "chr((97 + (i + (i % 4 = 0)::INT) % 3)::INT) AS b FROM range(600) r(i)"
)
PAIR = ["--true", "label", "--pred", "a", "--pred", "b"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    data = tmp_path / "data"
    data.mkdir()
    with duckdb.connect() as db:
        db.execute(f"CREATE TABLE t AS {TABLE}")
        for part, rows in (("1", "id < 200"), ("2", "id >= 200")):
            db.execute(f"COPY (FROM t WHERE {rows}) TO '{data}/{part}.parquet'")
        db.execute(f"COPY t TO '{tmp_path}/t.csv.gz'")
        db.execute(f"COPY t TO '{tmp_path}/t.jsonl.zst' (FORMAT json, COMPRESSION zstd)")
        for name, column, rows in (("new", "a", "true"), ("old", "b", "id > 5")):
            db.execute(
                f"COPY (SELECT id, label AS y_true, {column} AS y_pred FROM t WHERE {rows}) "
                f"TO '{tmp_path}/{name}.parquet'"
            )
        db.execute(f"COPY (SELECT label AS y_true, b AS y_pred FROM t) TO '{tmp_path}/nameless.parquet'")
        db.execute(f"COPY (SELECT id, 'a' AS y_true, b AS y_pred FROM t) TO '{tmp_path}/contrary.parquet'")
        db.execute(
            f"COPY (SELECT id, label AS y_true, a AS y_pred, 'A' AS model FROM t UNION ALL "
            f"SELECT id, label, b, 'B' FROM t) TO '{tmp_path}/long.parquet'"
        )
        (tmp_path / "x.duckdb").touch()
        db.execute(f"COPY (SELECT label, a, nullif(b, 'c') AS b FROM t) TO '{tmp_path}/gaps.parquet'")
    return tmp_path


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main([*arguments, "--json"]) == 0, capsys.readouterr().err
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 2
    return capsys.readouterr().err


@pytest.mark.full
def test_a_table_each_is_joined_by_id(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [f"{folder}/new.parquet", f"{folder}/old.parquet"]
    assert main(["compare", *files]) == 0
    out = capsys.readouterr().out
    assert "Paired: 594 cases" in out
    assert "594 of 600 ids are answered by all classifiers" in out
    assert main(["rank", *files]) == 0
    assert "paired, the same cases" in capsys.readouterr().out
    assert answer(capsys, "compare", *files, "--separate")["paired"] is False
    assert answer(capsys, "compare", files[0], f"{folder}/nameless.parquet")["paired"] is False
    assert "has the true class" in refused(capsys, "compare", files[0], f"{folder}/contrary.parquet")
    assert "no column 'id'" in refused(capsys, "compare", files[0], f"{folder}/nameless.parquet", "--id", "id")


@pytest.mark.full
def test_counts_that_grow_are_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(folder / "state.json")
    assert main(["count", f"{folder}/data", *PAIR, "--append", state]) == 0
    capsys.readouterr()
    grown, whole = answer(capsys, "compare", state), answer(capsys, "compare", f"{folder}/data", *PAIR)
    told = {"notes": (), "columns": ()}
    assert {**grown, **told} == {**whole, **told}


@pytest.mark.full
def test_columns_that_answer_are_found(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "compare", f"{folder}/data", "--a", "a", "--b", "b") == answer(
        capsys, "compare", f"{folder}/data", *PAIR
    ) | {"notes": answer(capsys, "compare", f"{folder}/data", "--a", "a", "--b", "b")["notes"]}
    assert main(["compare", f"{folder}/data"]) == 0
    assert "these answer with classes of the truth and are read: 'a', 'b'" in " ".join(capsys.readouterr().out.split())


@pytest.mark.full
def test_gaps_need_a_word(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gaps = [f"{folder}/gaps.parquet", *PAIR]
    err = refused(capsys, "compare", *gaps)
    assert "gaps.parquet: the answer is missing in 200 of 600 cases (first: case 3) of classifier 'b'" in err
    assert answer(capsys, "compare", *gaps, "--missing", "wrong")["p_better"] > 0.99
    assert main(["compare", *gaps, "--missing", "exclude"]) == 0
    assert "Set aside" in capsys.readouterr().out


@pytest.mark.full
@pytest.mark.parametrize("size", [0, 2**62], ids=["engine", "rows"])
def test_engine_and_rows_say_the_same(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr("howsure.io.table.LARGE", size)
    for form in (f"{folder}/data", f"{folder}/t.csv.gz", f"{folder}/t.jsonl.zst"):
        made = answer(capsys, "compare", form, *PAIR, "--metric", "accuracy")
        assert made["paired"] is True
        assert made["p_better"] == pytest.approx(1.0, abs=1e-6)
        assert answer(capsys, "report", form, "--true", "label", "--pred", "a", "-m", "accuracy")["n"] == 600
