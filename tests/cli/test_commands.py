"""Commands in groups of cases, by slices, sites, items, votes and counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.test_cli import answers, howsure

import howsure as hs
from howsure.cli import main
from howsure.io import read

TRUTH = [c for c in ("ill", "well") for _ in range(60)]
WRONG = (0, 1, 2, 3, 9, 25, 26, 27, 40, 54, 61, 70, 71, 72, 73, 93)
SAID = [("well" if t == "ill" else "ill") if i in WRONG else t for i, t in enumerate(TRUTH)]
WHO = [f"<b>p{i // 10:02d}</b>" for i in range(120)]


def written(folder: Path, header: str = "patient", groups: list[str] | None = None) -> str:
    """A file of lesions in patients."""
    rows = zip(groups or WHO, TRUTH, SAID, strict=True)
    path = folder / "lesions.csv"
    path.write_text(f"{header},y_true,y_pred\n" + "".join(f"{','.join(row)}\n" for row in rows), encoding="utf-8")
    return str(path)


def shown(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert main(["report", *argv, "-m", "accuracy"]) == 0
    return capsys.readouterr().out


def test_one_case_a_group_is_as_without_groups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "group", [f"p{i}" for i in range(120)])
    made = read(path, group=True).confusion
    new, plain = hs.infer(made).of("accuracy"), hs.infer(read(path).confusion).of("accuracy")
    assert tuple(new.interval()) == pytest.approx(tuple(plain.interval()), abs=1e-6)
    assert "each of the 120 groups has one case, so groups make no difference." in shown(capsys, path)


@pytest.mark.full
def test_twenty_thousand_groups_are_all_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "many.csv"
    rows = (f"p{i // 2},{TRUTH[i % 120]},{SAID[i % 120]}\n" for i in range(40_000))
    path.write_text("group,y_true,y_pred\n" + "".join(rows), encoding="utf-8")
    assert "the 40,000 cases of 20,000 groups are equivalent to about" in shown(capsys, str(path))


# -- ``howsure compare`` and ``howsure gate`` of cases in groups, by a column of the file -----------------------------

Written = Callable[..., str]


def rows_of(groups: int, size: int = 8) -> list[tuple[str, str, str, str, str]]:
    """Id, group, truth and two answers: the new one is right more often, in some groups more than in others."""
    rng = np.random.default_rng(groups)
    rows = []
    for g in range(groups):
        ease = rng.normal(0, 0.8)
        for i in range(size):
            truth = int(rng.integers(2))
            new, old = (bool(rng.random() < 1 / (1 + np.exp(-c - ease))) for c in (2.6, 0.9))
            told = ["ill" if (truth == 1) == right else "well" for right in (new, old)]
            rows.append((f"c{g}-{i}", f"<b>p{g:02d}</b>", "ill" if truth else "well", *told))
    return rows


@pytest.fixture
def write(tmp_path: Path) -> Written:
    def written(name: str, header: str, rows: list[tuple[str, ...]]) -> str:
        path = tmp_path / name
        path.write_text("\n".join([header, *(",".join(row) for row in rows)]) + "\n", encoding="utf-8")
        return str(path)

    return written


def asked(capsys: pytest.CaptureFixture[str], *command: str) -> dict[str, object]:
    capsys.readouterr()
    main([*command, "--json"])
    made: dict[str, object] = json.loads(capsys.readouterr().out)
    return made


def test_a_gate_beside_a_baseline_without_groups(
    write: Written, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The baseline holds ids, answers and no groups; the candidate's file has them."""
    rows = rows_of(12)
    new = write("new.csv", "id,patient,y_true,y_pred", [row[:4] for row in rows])
    old = write("old.csv", "id,patient,y_true,y_pred", [(*row[:3], row[4]) for row in rows])
    baseline = str(tmp_path / "baseline.json")
    assert main(["gate", "--candidate", old, "--baseline", baseline, "--update-baseline"]) == 0
    made = asked(capsys, "gate", "--candidate", new, "--baseline", baseline, "--group", "patient", "-m", "accuracy")
    assert made["groups"] == {"question": "new", "groups": [12], "few": False}
    assert made["paired"] is True


# -- compare --by of logs, and of two files ---------------------------------------------------------------------------


def asked_of_by_slice(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
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
    made = json.loads(asked_of_by_slice(capsys, "compare", *map(str, files), "--by", "category", "--json")[1])
    assert {row["name"]: row["cases"] for row in made["slices"]} == {"a": 20, "b": 20, "c": 20}
    assert "no 'topic' to name its slice" in asked_of_by_slice(capsys, "compare", *map(str, files), "--by", "topic")[2]
    again = [json.loads(path.read_text(encoding="utf-8")) for path in files]
    for path, log in zip(files, again, strict=True):
        log["samples"] += [{**sample, "epoch": 2} for sample in log["samples"]]
        path.write_text(json.dumps(log), encoding="utf-8")
    status, _, err = asked_of_by_slice(capsys, "compare", *map(str, files), "--by", "category")
    assert (status, "several epochs" in err) == (2, True), err


def test_separate_test_sets_have_no_slices_in_common(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for path in files:
        path.write_text("y_true,y_pred,os\n1,1,x\n0,1,y\n0,0,x\n", encoding="utf-8")
    status, _, err = asked_of_by_slice(capsys, "compare", *map(str, files), "--by", "os")
    assert (status, "separate test sets" in err) == (2, True), err


def test_a_column_of_ids_that_nobody_named_is_told_of(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.csv"
    path.write_text("id,lang,y_true,y_pred\n1,en,a,a\n2,en,a,b\n1,fr,a,a\n3,fr,b,b\n")
    for command in (["slices", str(path)], ["fairness", str(path), "--positive", "b"]):
        assert main([*command, "--by", "lang"]) in (0, None)
        assert "Each 'id' comes 1 to 2 times; the rows are taken as 4 separate cases" in capsys.readouterr().err
        assert main([*command, "--by", "lang", "--id", "id"]) == 2
        assert "the id '1' comes 2 times" in capsys.readouterr().err


# -- ``howsure pool``: every layout of sites, and sentences for files that are none -----------------------------------

CASES = [
    (f"{site}{i}", site, truth, truth if i % 7 else other)
    for site in "ABCD"
    for i, (truth, other) in enumerate([("ill", "healthy")] * 15 + [("healthy", "ill")] * 20)
]


def written_of_pool(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def cases(rows: list[tuple[str, str, str, str]]) -> str:
    return "id,site,y_true,y_pred\n" + "".join(",".join(row) + "\n" for row in rows)


def asked_of_pool(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["pool", *words, "--json"]) in (0, None)
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


@pytest.mark.full
def test_a_column_of_sites_and_a_file_a_site_are_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = asked_of_pool(capsys, written_of_pool(tmp_path, "cases.csv", cases(CASES)), "--site", "site")
    files = [written_of_pool(tmp_path, f"{s}.csv", cases([row for row in CASES if row[1] == s])) for s in "ABCD"]
    apart = asked_of_pool(capsys, *files)
    assert [x["name"] for x in whole["sites"]] == ["A", "B", "C", "D"]
    assert whole["sites"][0]["sensitivity"]["n"] == 15
    said = {"notes": (), "columns": ()}
    assert {**whole, **said} == {**apart, **said}
    named = asked_of_pool(capsys, *files, "--metric", "accuracy", "--positive", "ill")
    assert named["rates"] == ["accuracy"]
    (tmp_path / "folder").mkdir()
    for s in "ABCD":
        written_of_pool(tmp_path / "folder", f"{s}.csv", cases([row for row in CASES if row[1] == s]))
    assert asked_of_pool(capsys, str(tmp_path / "folder"))["sites"] == apart["sites"]


# -- the four commands on files of items with scores, as GRADED asks for: read aloud by what they print ---------------


def judged(path: Path) -> str:
    """Twelve questions, two systems, two runs."""
    rows = [
        f"q{i},{model},{run},{min(5, 3 + (i + run) % 3 + (model == 'new') * (i % 2))}"
        for i in range(12) for model in ("new", "old") for run in (1, 2)
    ]  # fmt: skip
    path.write_text("question,model,run,score\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


def test_report_prints_observed_first_and_these_items_below(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", judged(tmp_path / "judged.csv"), "--range", "1,5", "--above", "4"]) == 0
    shown = capsys.readouterr().out
    assert "12 items, 2 runs each, scores 1 to 5 (stated); a unit is an item, its score the mean of its runs." in shown
    assert "95% central" in shown
    assert "note: new: Same items, new runs: " in shown
    assert "one more run of every item narrows the interval by" in shown
    assert "If there are failures that these 12 items do not show" in shown
    assert main(["report", judged(tmp_path / "judged.csv"), "--range", "1,5", "--kind", "hdi", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["interval"] == "hdi"


def test_compare_rank_and_gate_are_paired_by_item(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = judged(tmp_path / "judged.csv")
    assert main(["compare", path, "--range", "1,5", "--a", "new", "--b", "old", "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert (compared["paired"], compared["difference"]["interval"]) == (True, "central")
    assert main(["gate", "--candidate", path, "--a", "new", "--b", "old", "--range", "1,5", "--mode", "superiority",
                 "--json"]) in (0, 3)  # fmt: skip
    gated = json.loads(capsys.readouterr().out)
    assert gated["metrics"][0]["p_pass"] == compared["p_better"]
    assert main(["rank", path, "--range", "1,5", "--draws", "2000"]) == 0
    assert "2 systems by mean of score" in capsys.readouterr().out


# -- votes from the command line: a leaderboard, one for each slice, two models, and a gate ---------------------------

ARENA = str(Path("tests/reference/realworld/arena_votes.csv").resolve())


def answer(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main([*words, "--json", "--draws", "2000"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_slices_compare_and_gate(capsys: pytest.CaptureFixture[str]) -> None:
    by = answer(capsys, "rank", ARENA, "--by", "language")
    assert by["kind"] == "votes_by"
    compared = answer(capsys, "compare", ARENA, "--a", "koala-13b", "--b", "alpaca-13b")
    assert "In their next battle koala-13b beats alpaca-13b with probability" in str(compared["notes"])
    gated = answer(capsys, "gate", "--candidate", ARENA, "--a", "gpt-4", "--b", "alpaca-13b", "--metric",
                   "win_rate@alpaca-13b", "--margin", "0.1", "--mode", "superiority")  # fmt: skip
    assert gated["verdict"] == "pass"


def test_what_says_nothing_about_battles_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["rank", ARENA, "--prior", "flat"], ["compare", ARENA, "--prior", "flat"],
                  ["gate", "--candidate", ARENA, "--prior", "flat"]):  # fmt: skip
        assert main(words) == 2
        assert "leave --prior out: of battles there is nothing to say about that" in capsys.readouterr().err
    assert main(["rank", "examples/kaggle_recursion.csv", "--simultaneous"]) == 2
    assert "--simultaneous is for battles" in capsys.readouterr().err
    assert main(["rank", ARENA, "--new-test", "100"]) == 2
    assert main(["compare", ARENA]) == 2
    assert "name the two that are compared" in capsys.readouterr().err


# -- ``howsure count``, and what other commands do with its inputs and outputs ----------------------------------------

duckdb = pytest.importorskip("duckdb")


# -- a published table in one command: --tp, --fn, --fp, --tn or --table, and which class is positive -----------------

CELLS = ("--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92")
#: rows and columns in an order in which the last class is the healthy one
TURNED = "true\\pred,ill,healthy\nill,45,5\nhealthy,8,92\n"


@pytest.mark.full
def test_ways_to_type_the_same_table() -> None:
    first = howsure("report", *CELLS, "--json").stdout
    assert howsure("report", "--table", "45,5,8,92", "--json").stdout == first
    assert howsure("report", "--TP", "45", "--FN", "5", "--FP", "8", "--TN", "92", "--json").stdout == first
    assert howsure("report", "--table", " 45, 5, 8, 92 ", "--json").stdout == first
    data = json.loads(first)
    assert (data["classes"], data["counts"]) == (["negative", "positive"], [[92, 8], [5, 45]])
    for labels, counts in (("healthy,ill", [[92, 8], [5, 45]]), ("ill,healthy", [[45, 5], [8, 92]])):
        named = json.loads(howsure("report", *CELLS, "--labels", labels, "--json").stdout)
        assert (named["counts"], named["positive"]) == (counts, "ill")
    odd = json.loads(howsure("report", *CELLS, "--labels", "low,high", "--positive", "low", "--json").stdout)
    assert (odd["counts"], odd["positive"]) == ([[45, 5], [8, 92]], "low")
    rows = json.loads(howsure("report", "--table", "9,1,0;2,7,1;0,0,5", "--labels", "a,b,c", "--json").stdout)
    assert (rows["classes"], rows["counts"]) == (["a", "b", "c"], [[9, 1, 0], [2, 7, 1], [0, 0, 5]])
    assert "rows truth: of 10 truly a 9 called a, 1 called b, 0 called c." in rows["notes"][0]


@pytest.mark.sweep(3, full=4)
@pytest.mark.parametrize(
    "command",
    [
        ("post-test", "--pre-test", "2%"),
        ("frequencies", "--prevalence", "1/50"),
        ("predict", "--n", "50"),
        ("sensitivity", "-m", "ppv"),
    ],
)
def test_every_command_of_one_classifier_takes_the_table_and_says_it_back(command: tuple[str, ...]) -> None:
    done = howsure(*command, *CELLS)
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("note: TP 45, FN 5, FP 8, TN 92")
    name, *rest = command
    file = "true\\pred,negative,positive\nnegative,92,8\npositive,5,45\n"
    from_file = howsure(name, *rest, "-", stdin=file)
    assert (from_file.returncode, from_file.stdout) == (0, done.stdout)


def test_the_class_that_the_prevalence_names_is_the_one_that_is_asked_about() -> None:
    """The worst fault of version 0.1.0: PPV at 2% ill was that of the healthy, 0.9974 instead of 0.18."""
    expected = hs.infer(hs.ConfusionMatrix([[92, 8], [5, 45]])).at_prevalence([0.98, 0.02]).of("precision@1").mean
    for table in (TURNED, TURNED.replace("ill", "b").replace("healthy", "a")):
        name = "ill" if "ill" in table else "b"
        rows = answers(howsure("report", "-", "--prevalence", f"{name}=0.02", "-m", "ppv", "--json", stdin=table))
        assert list(rows) == [f"precision@{name}"]
        assert rows[f"precision@{name}"]["mean"] == pytest.approx(expected, abs=1e-9)


# -- weights of classes, costs from a file and priors as text, on the command line ------------------------------------

POST = hs.infer(hs.ConfusionMatrix.from_counts(tp=45, fn=5, fp=8, tn=92))


def test_costs_come_from_a_file_in_any_order_of_the_classes(tmp_path: Path) -> None:
    known = POST.at_prevalence([0.98, 0.02]).of(hs.expected_cost([[0, 1], [20, 0]]))
    tables = (
        "true\\pred,negative,positive\nnegative,0,1\npositive,20,0\n",
        "\ufeff,positive,negative\r\npositive,0,20\r\n\r\nnegative, 1.0,0\r\n",
    )
    for text in tables:
        path = tmp_path / "cost.csv"
        path.write_text(text, encoding="utf-8")
        done = howsure("report", *CELLS, "--cost", str(path), "--prevalence", "2%", "-m", "ppv", "--json")
        rows = answers(done)
        assert list(rows) == ["precision@positive", "expected_cost"]
        assert (rows["expected_cost"]["mean"], rows["expected_cost"]["low"]) == (known.mean, known.interval().low)
