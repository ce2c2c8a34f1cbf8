"""compare --by of logs, and of two files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from howsure.cli import main


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main([*words])
    said = capsys.readouterr()
    return int(status or 0), said.out, said.err


def test_fields_of_logs_are_slices(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for name, wrong in (("new", 7), ("old", 3)):
        samples = [
            {"id": f"q{i}", "epoch": 1, "metadata": {"category": "abc"[i % 3]},
             "scores": {"match": {"value": "I" if i % wrong == 0 else "C"}}} for i in range(60)
        ]  # fmt: skip
        log = {"version": 2, "status": "success", "eval": {"task": "t", "model": f"none/{name}"}, "samples": samples}
        files.append(tmp_path / f"{name}.json")
        files[-1].write_text(json.dumps(log), encoding="utf-8")
    made = json.loads(asked(capsys, "compare", *map(str, files), "--by", "category", "--json")[1])
    assert {row["name"]: row["cases"] for row in made["slices"]} == {"a": 20, "b": 20, "c": 20}
    assert "no 'topic' to name its slice" in asked(capsys, "compare", *map(str, files), "--by", "topic")[2]
    again = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    for path, log in zip(files, again, strict=True):
        log["samples"] += [{**sample, "epoch": 2} for sample in log["samples"]]
        path.write_text(json.dumps(log), encoding="utf-8")
    status, _, err = asked(capsys, "compare", *map(str, files), "--by", "category")
    assert (status, "several epochs" in err) == (2, True), err


def test_separate_test_sets_have_no_slices_in_common(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path in files:
        path.write_text("y_true,y_pred,os\n1,1,x\n0,1,y\n0,0,x\n", encoding="utf-8")
    status, _, err = asked(capsys, "compare", *map(str, files), "--by", "os")
    assert (status, "separate test sets" in err) == (2, True), err


def test_a_column_of_ids_that_nobody_named_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("id,lang,y_true,y_pred\n1,en,a,a\n2,en,a,b\n1,fr,a,a\n3,fr,b,b\n")
    for command in (["slices", str(path)], ["fairness", str(path), "--positive", "b"]):
        assert main([*command, "--by", "lang"]) in (0, None)
        assert "Each 'id' comes 1 to 2 times; the rows are taken as 4 separate cases" in capsys.readouterr().err
        assert main([*command, "--by", "lang", "--id", "id"]) == 2
        assert "the id '1' comes 2 times" in capsys.readouterr().err
