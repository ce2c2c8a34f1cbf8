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


def test_counts_to_standard_output_and_the_account_to_standard_error(
    cases: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["count", str(cases), "--true", "label", "--pred", "model_a", "--by", "site"]) == 0
    out, err = capsys.readouterr()
    assert out == "site,true,pred,count\nx,a,a,1\nx,b,a,1\ny,b,b,1\n"
    assert err.startswith("3 cases of 4 rows, 2 classes, 2 groups\nset aside, 1 row: no predicted class (")
    assert err.endswith("cases.csv, row 4)\n")


def test_a_file_of_counts_is_reported(cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("counts.csv", "counts.json"):
        out = str(tmp_path / name)
        assert main(["count", str(cases), "--pred", "model_a", "-o", out]) == 0
        capsys.readouterr()
        assert main(["report", out, "--missing", "exclude", "--json", "-m", "accuracy"]) == 0
        assert json.loads(capsys.readouterr().out)["n"] == 3


def test_a_batch_is_appended_once(cases: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(tmp_path / "state.json")
    ask = ["count", str(cases), "--true", "label", "--pred", "model_a", "--append", state]
    assert main(ask) == 0
    assert main(ask) == 0
    assert "nothing added" in capsys.readouterr().err
    assert main([*ask, "--batch", "again, on purpose"]) == 0
    assert json.loads(Path(state).read_text())["n"] == 6


def test_reports_take_parquet_folders_and_patterns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with duckdb.connect() as db:
        for part in range(2):
            db.execute(
                f"COPY (SELECT i % 3 AS y_true, i % 2 AS y_pred FROM range(30) r(i)) TO '{tmp_path}/{part}.parquet'"
            )
    for source, n in ((f"{tmp_path}/0.parquet", 30), (str(tmp_path), 60), (f"{tmp_path}/*.parquet", 60)):
        assert main(["report", source, "--json", "-m", "accuracy"]) == 0
        assert json.loads(capsys.readouterr().out)["n"] == n


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--batch", "x"], "--append"),
        (["--true", "nope", "--pred", "model_a"], "no column 'nope'"),
        (["--memory", "much", "--true", "label", "--pred", "model_a"], "200MB"),
        (["--query", "SELECT 1"], "--true"),
    ],
)
def test_bad_usage_is_refused(cases: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert main(["count", str(cases), *arguments]) == 2
    assert says in capsys.readouterr().err
