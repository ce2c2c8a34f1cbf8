"""``howsure count``, and what other commands do with its inputs and outputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from howsure.cli import main

duckdb = pytest.importorskip("duckdb")


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.csv"
    path.write_text("label,model_a,site\na,a,x\nb,a,x\nb,b,y\nb,,y\n")
    return path


@pytest.mark.full
def test_reports_take_parquet_folders_and_patterns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with duckdb.connect() as db:
        for part in range(2):
            db.execute(
                f"COPY (SELECT i % 3 AS y_true, i % 2 AS y_pred FROM range(30) r(i)) TO '{tmp_path}/{part}.parquet'"
            )
    for source, n in ((f"{tmp_path}/0.parquet", 30), (str(tmp_path), 60), (f"{tmp_path}/*.parquet", 60)):
        assert main(["report", source, "--json", "-m", "accuracy"]) == 0
        assert json.loads(capsys.readouterr().out)["n"] == n
