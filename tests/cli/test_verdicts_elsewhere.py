"""``--verdicts``: the rates of a file, a calibration, carried over to verdicts of other cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from howsure.cli import main

TABLE = "true\\pred,fail,pass\nfail,80,20\npass,15,85\n"


@pytest.fixture
def calibration(tmp_path: Path) -> str:
    """A file of a judge on 200 cases."""
    path = tmp_path / "calibration.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def test_a_report_of_verdicts_elsewhere(calibration: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", calibration, "--verdicts", "pass=700,fail=300", "-m", "prevalence@pass"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("prevalence@pass is 0.78 (95 % HDI 0.68 to 0.89), rates carried over.\n")
    assert "It assumes that the judge errs as often there as in the calibration of 200 cases" in shown
    assert "Gibbs" not in shown
    assert main(["report", calibration, "--verdicts", "300,700", "-m", "prevalence@pass", "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("**prevalence@pass is 0.78")


def test_its_json(calibration: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", calibration, "--verdicts", "pass=20,fail=980", "-m", "prevalence@pass", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["carried"]["verdicts"] == {"fail": 980, "pass": 20}
    assert made["carried"]["compatible"] < 0.05
    assert made["warnings"][0].startswith("The judge called 2.0 % pass")
    assert made["prevalence_source"] == "verdicts elsewhere"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--verdicts", "pass=700"], "'fail' is missing in --verdicts"),
        (["--verdicts", "pass=700,ok=1"], "No class named 'ok'"),
        (["--verdicts", "pass=-7,fail=1"], "whole numbers, 0 or more"),
        (["--verdicts", "pass=7.5,fail=1"], "whole numbers, 0 or more"),
        (["--verdicts", "pass=0,fail=0"], "--verdicts counts no case at all"),
        (["--verdicts", "700"], "--verdicts needs 2 counts"),
        (["--verdicts", "pass=7,pass=8"], "--verdicts names 'pass' twice"),
        (["--verdicts", "pass=x,fail=1"], "counts are numbers such as 700"),
        (["--verdicts", "7,3", "--prevalence", "pass=2%"], "--prevalence and --verdicts exclude each other"),
        (["--verdicts", "7,3", "--cases", "7,3"], "--cases and --verdicts exclude each other"),
        (["--pool-anyway"], "--pool-anyway is about calibrations, and goes with --verdicts"),
    ],
)
def test_what_cannot_be_meant(
    calibration: str, options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", calibration, *options]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err


def test_several_calibrations(calibration: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alike, other = tmp_path / "alike.csv", tmp_path / "other.csv"
    alike.write_text("true\\pred,fail,pass\nfail,40,12\npass,8,41\n", encoding="utf-8")
    other.write_text("true\\pred,fail,pass\nfail,30,20\npass,25,25\n", encoding="utf-8")
    asked = ["--verdicts", "pass=700,fail=300", "-m", "prevalence@pass"]
    assert main(["report", calibration, str(alike), *asked]) == 0
    assert "2 calibrations of 200, 101 cases are pooled; that their rates are the same: for, 48 to 1" in (
        capsys.readouterr().out
    )
    assert main(["report", calibration, str(other), *asked]) == 2
    assert "or pool them with --pool-anyway" in capsys.readouterr().err
    assert main(["report", calibration, str(other), *asked, "--pool-anyway"]) == 0
    assert "against, 12,000 to 1" in capsys.readouterr().out


def test_the_other_questions_that_have_a_prevalence(calibration: str, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["frequencies", calibration], ["sensitivity", calibration, "prevalence@pass"]):
        assert main([*command, "--verdicts", "pass=700,fail=300"]) == 0
    assert "Prevalence that behind the verdicts" in capsys.readouterr().out
