"""``howsure curve``: what it prints, writes, and says of a file that will not do."""

from __future__ import annotations

import json

import pytest

from howsure.cli import main

FILE = "examples/breast_cancer.csv"


def test_a_table_a_sentence_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["curve", FILE, "--draws", "500"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("ROC AUC is 0.8")
    assert "tpr@fpr=0.1" in said
    assert main(["curve", FILE, "-m", "partial_auc@fpr=0.2", "--prevalence", "1%", "--draws", "500", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["kind"] == "curves"
    assert made["prevalence"] == 0.01
    assert [number["metric"] for number in made["numbers"]] == ["partial_auc@fpr=0.2"]


def test_three_classes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["curve", "examples/wine_scores.csv", "--draws", "500"]) == 0
    assert "roc_auc@ovo" in capsys.readouterr().out


@pytest.mark.parametrize("ending", [".svg", ".html", ".tex", ".csv"])
def test_a_file_of_every_kind(tmp_path, ending: str) -> None:
    out = tmp_path / f"curve{ending}"
    assert main(["curve", FILE, "--draws", "500", "-o", str(out)]) == 0
    assert out.stat().st_size > 100


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--score", "nothing"], "no column is called 'nothing'"),
        (["--prevalence", "many"], "--prevalence is the share"),
        (["--metric", "auc"], "No metric named 'auc'"),
        (["--positive", "bad"], "No class named 'bad'"),
    ],
    ids=lambda x: x[0] if isinstance(x, list) else "",
)
def test_what_is_wrong_is_said(capsys: pytest.CaptureFixture[str], options: list[str], said: str) -> None:
    assert main(["curve", FILE, *options]) == 2
    assert said in capsys.readouterr().err


def test_a_picture_of_three_classes_is_refused(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["curve", "examples/wine_scores.csv", "--draws", "500", "-o", str(tmp_path / "x.png")]) == 2
    assert "has no picture" in capsys.readouterr().err
