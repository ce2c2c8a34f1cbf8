"""Numbers as people type them: 0.1, 10%, 1/10; and what is said where they type something else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.house.test_declared_once import options_of

from howsure.cli import main
from howsure.cli.program import COMMANDS

#: Options that are numbers, and neither a share, a probability nor a value of a metric.
OTHERS = {"--concentration", "--threshold"}


def test_every_option_that_is_a_share_takes_a_percentage() -> None:
    bare = {
        max(option.opts, key=len) for name in COMMANDS for option in options_of(name) if "float" in repr(option.type)
    }
    assert bare <= OTHERS


@pytest.mark.parametrize(
    ("percent", "plain"),
    [
        ("plan accuracy --width 10% --guess 90% --level 90% --assurance 80%",
         "plan accuracy --width 0.1 --guess 0.9 --level 0.9 --assurance 0.8"),
        ("plan accuracy --above 80% --guess 9/10", "plan accuracy --above 0.8 --guess 0.9"),
        ("plan accuracy --board 90%,80%", "plan accuracy --board 0.9,0.8"),
        ("report examples/cocaine.csv -m accuracy --level 90% --above 80% --between 80% 90%",
         "report examples/cocaine.csv -m accuracy --level 0.9 --above 0.8 --between 0.8 0.9"),
        ("stopping-rule 50,100 --threshold 80% --truth 85%", "stopping-rule 50,100 --threshold 0.8 --truth 0.85"),
    ],
)  # fmt: skip
def test_a_percentage_is_the_number_that_it_is(percent: str, plain: str, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for asked in (percent, plain):
        assert main([*asked.split(), "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("plan accuracy --width 10", "10 % is --width 0.1"),
        ("plan accuracy --width 0,1", "'--width': it is a number (0.1), a percentage (10%) or a fraction (1/10), not "
         "'0,1'; decimals have a point: 0.1 (see howsure plan --help)"),
        ("report examples/cocaine.csv --nonsense", "(see howsure report --help)"),
        ("report examples/cocaine.csv --kind equal-tailed", "equal tails are --kind central"),
        ("report --tp 1,000 --fn 2 --fp 3 --tn 4", "a count of cases is a whole number, 0 or more; say 1000"),
        ("gate new.csv old.csv", "howsure gate --candidate NEW.csv --baseline OLD.csv"),
    ],
)  # fmt: skip
def test_what_was_meant_is_said(asked: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(asked.split()) == 2
    assert said in capsys.readouterr().err


def test_an_option_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.csv"
    file.write_text("y_true,y_pred\na,a\nb,b\n")
    assert main(["curve", str(file)]) == 2
    assert capsys.readouterr().err.count("--score") == 1


def test_cases_alone_say_how_wide_the_interval_is(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["plan", "accuracy", "--n", "100", "--guess", "90%"]
    assert main(asked) == 0
    said = capsys.readouterr().out
    assert said.startswith("With 100 cases, the best to be had is a 95 % interval of accuracy no wider than 0.")
    assert main([*asked, "--detect", "width"]) == 0
    assert capsys.readouterr().out == said
    assert main(["plan", "accuracy", "--guess", "0.9"]) == 2
    assert "--width 0.1 (of the interval), --above 0.8 or --below 0.1" in capsys.readouterr().err


def test_slices_tell_of_patients_and_of_single_years(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lesions.csv"
    rows = [f"{'ab'[i % 2]},{'ab'[i % 3 % 2]},{i // 2},{30 + i % 40}" for i in range(160)]
    file.write_text("\n".join(["y_true,y_pred,patient,age", *rows]))
    assert main(["slices", str(file), "--by", "age"]) == 0
    both = capsys.readouterr()
    assert "Each 'patient' comes 2 times; the rows are taken as 160 separate cases" in both.err
    assert "40 slices are single values of age: bands of it" in " ".join(both.out.split())
