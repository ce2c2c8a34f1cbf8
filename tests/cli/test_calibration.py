"""``howsure calibration``: what it prints, writes, and says of a file that will not do."""

from __future__ import annotations

import json

import pytest

from howsure.cli import main

FILE = "examples/breast_cancer.csv"


def test_a_sentence_a_table_and_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibration", FILE, "--draws", "300"]) == 0
    said = capsys.readouterr().out
    assert "Recalibration would take" in said
    assert "calibration_slope" in said
    assert main(["calibration", FILE, "--bins", "4", "--strategy", "uniform", "--draws", "300", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["kind"] == "calibration"
    assert "ece@uniform=4" in [number["metric"] for number in made["numbers"]]
    assert len(made["curve"]["bins"]) == 4


def test_the_curve_alone_and_three_classes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibration", FILE, "--diagram", "--draws", "300"]) == 0
    assert "predicted  cases  events" in capsys.readouterr().out
    assert main(["calibration", "examples/wine_scores.csv", "--event", "barolo", "--draws", "300"]) == 0
    assert "with the event: barolo" in capsys.readouterr().out


@pytest.mark.parametrize("ending", [".svg", ".html", ".tex", ".csv", ".md"])
def test_a_file_of_every_kind(tmp_path, ending: str) -> None:
    out = tmp_path / f"calibration{ending}"
    assert main(["calibration", FILE, "--draws", "300", "-o", str(out)]) == 0
    assert out.stat().st_size > 100


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--event", "bad"], "nothing else is asked of two classes"),
        (["--bins", "0"], "1 to 1000"),
        (["--strategy", "width"], "width"),
        (["--score", "id"], "these scores go from 0 to"),
    ],
    ids=lambda x: x[0] if isinstance(x, list) else "",
)
def test_what_is_wrong_is_said(capsys: pytest.CaptureFixture[str], options: list[str], said: str) -> None:
    assert main(["calibration", FILE, *options]) == 2
    assert said in capsys.readouterr().err
