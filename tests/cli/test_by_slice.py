"""compare, gate and rank --by, and slices --in-time: the same answers as in Python, and what does not go together."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from howsure.cli import main

HEADER = "id,y_true,pred_new,pred_old,pred_third,language,os,day"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng, n = np.random.default_rng(0), 600
    truth, place = rng.integers(0, 2, n), np.array(["de", "en", "fr"])[rng.integers(0, 3, n)]
    new, old, third = (np.where(rng.random(n) < p, truth, 1 - truth) for p in (0.92, 0.86, 0.8))
    new = np.where((place == "fr") & (rng.random(n) < 0.4), 1 - truth, new)
    lines = [
        f"{i},{truth[i]},{new[i]},{old[i]},{third[i]},{place[i]},{'ab'[i % 2]},2024-03-{1 + i % 28:02d}"
        for i in range(n)
    ]
    path = tmp_path / "cases.csv"
    path.write_text("\n".join([HEADER, *lines]) + "\n", encoding="utf-8")
    return path


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


def test_a_case_without_a_slice_and_separate_sets_are_refused(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = table.read_text(encoding="utf-8").splitlines()
    lines[3] = lines[3].replace(",de,", ",,").replace(",en,", ",,").replace(",fr,", ",,")
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    status, _, err = asked(capsys, "compare", str(table), "--a", "new", "--b", "old", "--by", "language")
    assert (status, "line 4: the slice (column 'language') is missing" in err) == (2, True), err
    parts = []
    for name, at in (("one", 2), ("two", 3)):
        rows = [",".join((row.split(",")[1], row.split(",")[at], row.split(",")[6])) for row in lines[1:]]
        parts.append(table.parent / f"{name}.csv")
        parts[-1].write_text("\n".join(["y_true,y_pred,os", *rows]) + "\n", encoding="utf-8")
    status, _, err = asked(capsys, "compare", *map(str, parts), "--by", "os")
    assert (status, "separate test sets" in err) == (2, True), err
