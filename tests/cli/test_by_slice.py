"""compare, gate and rank --by, and slices --in-time: the same answers as in Python, and what does not go together."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import howsure as hs
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


def test_compare_by_slice(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("compare", str(table), "--a", "new", "--b", "old", "--by", "language")
    made = json.loads(asked(capsys, *command, "--json")[1])
    assert (made["kind"], made["worse"], made["slices"][0]["name"]) == ("compare_slices", ["fr"], "fr")
    rows = [line.split(",") for line in table.read_text(encoding="utf-8").splitlines()[1:]]
    columns = list(zip(*rows, strict=True))
    both = hs.Predictions(columns[1], {"new": columns[2], "old": columns[3]})
    known = hs.compare_slices(both, "new", "old", by={"language": columns[5]}).to_dict()
    assert {k: made[k] for k in made if k not in ("notes", "columns")} == {k: known[k] for k in known if k != "notes"}
    assert asked(capsys, *command, "--csv")[1].startswith("slice,cases,")
    two = json.loads(asked(capsys, *command, "--by", "os", "--json")[1])
    assert two["by"] == ["language", "os"]
    assert len(two["slices"]) == 6


def test_gate_by_slice_has_the_exit_status_of_a_gate(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("gate", "--candidate", str(table), "--by", "language")
    status, out, _ = asked(capsys, *command, "--a", "new", "--b", "old", "--margin", "0.05")
    assert (status, out.startswith("Fail: new is worse than old in accuracy by more than 0.05 in slice fr")) == (
        1,
        True,
    )
    assert asked(capsys, *command, "--a", "old", "--b", "new", "--margin", "0.2")[0] == 0
    status, out, _ = asked(capsys, *command, "--a", "old", "--b", "third")
    assert (status, out.startswith("Inconclusive: ")) == (3, True)
    junit = table.parent / "gate.xml"
    options = ("--on-inconclusive", "fail", "--junit", str(junit))
    assert asked(capsys, *command, "--a", "old", "--b", "third", *options)[0] == 1
    assert 'failures="1"' in junit.read_text(encoding="utf-8")


def test_rank_by_slice(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = json.loads(asked(capsys, "rank", str(table), "--by", "language", "--json")[1])
    assert (made["kind"], made["by"], len(made["slices"])) == ("rank_slices", ["language"], 3)
    assert set(made["names"]) == {"new", "old", "third"}


def test_slices_in_time(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("slices", str(table), "--pred", "pred_new", "--by", "day", "--in-time")
    made = json.loads(asked(capsys, *command, "--cut", "week", "--json")[1])
    assert [row["name"] for row in made["slices"]] == [f"2024-W{week:02d}" for week in range(9, 14)]
    assert made["slices"][0]["p_lower"] is None  # nothing before it
    assert 0 < made["slices"][-1]["p_lower"] < 1
    assert "2024-03-28, the last of 28" in asked(capsys, *command)[1]


@pytest.mark.parametrize("ending", [".html", ".md", ".tex", ".csv", ".json", ".txt"])
def test_every_answer_by_slice_is_a_file(
    table: Path, tmp_path: Path, ending: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / f"out{ending}"
    two = ("--a", "new", "--b", "old")
    for command in (
        ("compare", str(table), *two, "--by", "language"),
        ("gate", "--candidate", str(table), *two, "--by", "language", "--margin", "0.05"),
        ("rank", str(table), "--by", "language"),
        ("slices", str(table), "--pred", "pred_new", "--by", "day", "--in-time", "--cut", "week"),
        ("slices", str(table), "--pred", "pred_new", "--by", "language", "--strata", "equal"),
    ):
        assert asked(capsys, *command, "--out", str(out))[1] == ""
        text = out.read_text(encoding="utf-8")
        assert ("2024-W11" if "--in-time" in command else "fr") in text
        out.unlink()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (("compare", "FILE", "--a", "new", "--b", "old", "--by", "language", "--rope", "0.1"), "--rope goes"),
        (("compare", "FILE", "--a", "new", "--b", "old", "--by", "language", "--by", "language"), "twice"),
        (("compare", "FILE", "--a", "new", "--b", "old", "--by", "nothing"), "no column 'nothing'"),
        (("compare", "-", "--a", "new", "--b", "old", "--by", "os", "--by", "day"), "read once"),
        (("gate", "--candidate", "FILE", "--by", "os", "--floor", "0.8"), "--floor goes"),
        (("gate", "--candidate", "FILE", "--by", "os", "-m", "accuracy", "-m", "recall"), "one metric"),
        (("rank", "FILE", "--by", "os", "--prizes", "3,2"), "--prizes goes"),
        (("slices", "FILE", "--pred", "pred_new", "--by", "day", "--cut", "week"), "give --in-time"),
        (("slices", "FILE", "--pred", "pred_new", "--by", "os", "--in-time"), "one form"),
        (("slices", "FILE", "--pred", "pred_new", "--by", "day", "--in-time", "--strata", "equal"), "--strata"),
    ],
)
def test_what_does_not_go_together_is_told(
    table: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], words: str
) -> None:
    status, _, err = asked(capsys, *(str(table) if word == "FILE" else word for word in command))
    assert (status, words in err) == (2, True), err


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


def test_a_column_of_ids_that_nobody_named_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("id,lang,y_true,y_pred\n1,en,a,a\n2,en,a,b\n1,fr,a,a\n3,fr,b,b\n")
    for command in (["slices", str(path)], ["fairness", str(path), "--positive", "b"]):
        assert main([*command, "--by", "lang"]) in (0, None)
        assert "Each 'id' comes 1 to 2 times; the rows are taken as 4 separate cases" in capsys.readouterr().err
        assert main([*command, "--by", "lang", "--id", "id"]) == 2
        assert "the id '1' comes 2 times" in capsys.readouterr().err


def test_data_sets_are_refused_beside_numbers_of_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("y_true,score_A,score_B,site\n1,.9,.8,x\n0,.2,.3,x\n1,.7,.4,y\n0,.1,.6,y\n")
    for asked in (["--metric", "roc_auc"], ["--curves", "roc"]):
        assert main(["compare", str(path), "--site", "site", *asked]) == 2
        assert "leave --site out" in capsys.readouterr().err


@pytest.mark.parametrize("command", [("rank",), ("compare", "--a", "new", "--b", "old"), ("gate",)])
def test_draws_are_those_of_the_whole_set(
    table: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    name, *rest = command
    files = ["--candidate", str(table), "--a", "new", "--b", "old"] if name == "gate" else [str(table), *rest]
    status, out, err = asked(capsys, name, *files, "--by", "language", "--draws", "500")
    assert (status, out) == (2, "")
    assert "--draws goes with the whole test set, not with --by" in err
