"""``howsure threshold``: every answer in every form, and sentences for what is none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.cli import main
from howsure.curves import best_threshold, cost_curve, net_benefit, operating_points, threshold_curve

RNG = np.random.default_rng(0)
ILL = RNG.random(120) < 0.3
RISK = np.round(1 / (1 + np.exp(1.5 - RNG.normal(0, 1, 120) - 2 * ILL)), 4)
SCORES = hs.Scores(np.where(ILL, "ill", "well"), RISK)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "risk.csv"
    rows = "".join(f"{'ill' if ill else 'well'},{risk}\n" for ill, risk in zip(ILL, RISK.tolist(), strict=True))
    path.write_text("y_true,score\n" + rows, encoding="utf-8")
    return str(path)


def answered(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["threshold", *words, "--json"]) in (0, None)
    answer = json.loads(capsys.readouterr().out)
    assert answer.pop("columns")[0]["roles"]["y_true"] == "truth"
    return answer


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["threshold", *words]) not in (0, None)
    out = capsys.readouterr()
    assert not out.out
    assert "Traceback" not in out.err
    return " ".join(out.err.split())


def test_answers_are_those_of_the_library(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert answered(capsys, file) == best_threshold(SCORES).to_dict()
    assert (
        answered(capsys, file, "-m", "f1", "--prior", "jeffreys")
        == best_threshold(SCORES, "f1", prior="jeffreys").to_dict()
    )
    costs = best_threshold(SCORES, cost={"fp": 1, "fn": 5}, prevalence=0.02)
    assert answered(capsys, file, "--cost", "fp=1,fn=5", "--prevalence", "0.02") == costs.to_dict()
    curve = threshold_curve(SCORES, "recall", [0.2, 0.5])
    assert answered(capsys, file, "-m", "recall", "--at", "20%,0.5") == curve.to_dict()
    assert answered(capsys, file, "--curve") == threshold_curve(SCORES).to_dict()
    assert answered(capsys, file, "--net-benefit") == net_benefit(SCORES).to_dict()
    points = operating_points(SCORES, [0.2, 0.5], prevalence=0.1)
    assert answered(capsys, file, "--points", "--at", "20%,0.5", "--prevalence", "0.1") == points.to_dict()
    elsewhere = net_benefit(SCORES, [0.1], cases={"well": 90, "ill": 10})
    assert answered(capsys, file, "--net-benefit", "--cases", "90,10", "--at", "0.1") == elsewhere.to_dict()


def test_costs_may_be_a_file(file: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "cost.csv"
    table.write_text("truth,well,ill\nwell,0,1\nill,5,0\n", encoding="utf-8")
    assert answered(capsys, file, "--cost", str(table)) == answered(capsys, file, "--cost", "fp=1,fn=5")


def test_a_physician_reads_a_sentence(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["threshold", file, "--net-benefit", "--at", "20%"]) in (0, None)
    text = " ".join(capsys.readouterr().out.split())
    assert "At a threshold of 20 %, where 4 needless treatments weigh as much as one ill case missed" in text
    assert "of 100 patients" in text
    assert "better than treating everybody" in text


@pytest.mark.parametrize("form", [".html", ".md", ".csv", ".tex", ".json", ".txt", ".svg", ".png"])
@pytest.mark.parametrize("asked", [["-m", "f1"], ["--curve"], ["--net-benefit"]], ids=" ".join)
def test_every_file(asked: list[str], form: str, file: str, tmp_path: Path) -> None:
    if form in (".svg", ".png"):
        pytest.importorskip("matplotlib")
    out = tmp_path / f"out{form}"
    assert main(["threshold", file, *asked, "-o", str(out)]) in (0, None)
    assert out.stat().st_size > 50


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-m", "f1", "--net-benefit"], "--metric and --net-benefit exclude each other"),
        (["--net-benefit", "--curve"], "leave --curve out"),
        (["--prevalence", "0.1", "--cases", "1,2"], "exclude each other"),
        (["--at", "x"], "such as 0.2,0.5; not"),
        (["--cost", "fp=1,fn="], "the cost of fn"),
        (["--cost", "fp=1,zz=2"], "tp, fn, fp and tn once each"),
        (["--cost", "nowhere.csv"], "cannot be read"),
        (["--net-benefit", "--at", "1.2"], "strictly between 0 and 1"),
        (["-m", "recal"], "recall"),
        (["--score", "risk"], "no column is called"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_wrong_words_are_explained(words: list[str], said: str, file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in refused(capsys, file, *words)


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("y_true,score\nill,3\nwell,-1\n", ["--net-benefit"], "--cost"),
        ("y_true,score\nill,0.5\nwell,0.5\n", [], "all scores are equal"),
        ("y_true,score\nill,0.5\nill,0.7\n", [], "class"),
        ("y_true,score\nill,0.5\nwell,nan\n", [], "without a score"),
        ("y_true,score\nill,0.5\nwell,inf\n", [], "infinite"),
        ("y_true,score\nill,high\nwell,0.2\n", [], "no number"),
    ],
)
def test_files_that_have_no_threshold(
    text: str, words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text(text, encoding="utf-8")
    assert said in refused(capsys, str(path), *words)


def test_a_cost_curve_is_that_of_the_library(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    made = answered(capsys, file, "--cost-curve", "--at", "0.3", "--prior", "jeffreys")
    assert made["points"] == cost_curve(SCORES, 0.3, prior="jeffreys").to_dict()["points"]
    assert "--at 0.2" in refused(capsys, file, "--cost-curve")
    assert "exclude each other" in refused(capsys, file, "--cost-curve", "--points")
    assert "leave --prevalence out" in refused(capsys, file, "--cost-curve", "--at", "0.3", "--prevalence", "0.1")
