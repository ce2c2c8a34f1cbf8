"""`howsure plan` on the command line."""

import json

import pytest

from howsure.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["plan", *arguments]) == 0
    return capsys.readouterr().out


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["plan", *arguments]) == 2
    return capsys.readouterr().err


def test_text_json_markdown_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("recall", "--width", "0.1", "--guess", "0.9")
    text = run(capsys, *asked)
    assert text.startswith("182 cases of class 'positive' give a 95 % interval of recall@positive")
    assert "---" not in text
    assert "---" in run(capsys, *asked, "--plot")
    data = json.loads(run(capsys, *asked, "--json"))
    assert (data["kind"], data["n"]) == ("plan", 182)
    assert run(capsys, *asked, "--markdown").startswith("**182 cases")
    assert run(capsys, *asked, "--csv").startswith("n,low,middle,high")


COMPARED = "accuracy --difference 0.05 --guess 0.8 --assurance 0.8"
PILOT = "--pilot examples/cocaine.csv"
ASKED = [
    (f"{COMPARED} --paired 0.15", "n", 398),
    (f"{COMPARED} --paired correlation=0.6", "pairing", "the same cases"),
    ("accuracy --n 198 --detect difference --guess 0.8 --assurance 0.8", "target", 0.0896),
    ("accuracy --n 198 --detect difference --guess 0.8 --assurance 0.8 --prior flat", "target", 0.0899),
    ("accuracy --width 0.19 --mode 0.8 --concentration 10", "n", 103),
    ("recall --width 0.1 --guess recall=0.9,specificity=0.8,prevalence=0.1", "total", 1820),
    (f"precision@high --width 0.5 {PILOT} --prevalence 0.5,0.5 --n 60", "n", 60),
    ("accuracy --board 0.9,0.8", "goal", "leader"),
]


@pytest.mark.parametrize(("asked", "key", "value"), ASKED)
def test_every_option_reaches_the_library(
    asked: str, key: str, value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert json.loads(run(capsys, *asked.split(), "--json"))[key] == value


def test_a_pilot_reaches_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("recall@low", "--width", "0.2", *PILOT.split(), "--json")
    assert json.loads(run(capsys, *asked))["per_class"].keys() == {"low"}


@pytest.mark.deep  # the page on plans shows the rule on the command line every day
def test_the_rule_reaches_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert "2/sqrt(n)" in run(capsys, "accuracy", "--rule")
    assert run(capsys, "accuracy", "--rule", "--csv").startswith("n,typical")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("accuracy", "--width", "0"), "interval without width"),
        (("accuracy", "--width", "0.1", "--assurance", "1"), "no finite test is certain"),
        (("accuracy", "--difference", "0"), "difference of 0"),
        (("accuracy", "--above", "0.8"), "needs a guess"),
        (("accuracy", "--above", "high"), "the word chance"),
        (("accuracy", "--width", "0.1", "--guess", "good"), "--guess is a number"),
        (("accuracy", "--width", "0.1", "--design", "a"), "--design is shares"),
        (("accuracy", "--width", "0.1", "--json", "--csv"), "exclude each other"),
        (("accuracy", "--detect", "width"), "needs --n"),
        (("accuracy", "--detect", "width", "--n", "10", "--width", "0.1"), "finds the goal itself"),
        (("accuracy", "--width", "0.1", "--prevalence", "0.5,0.5"), "is for a --pilot"),
        (("accurcy", "--width", "0.1"), "Did you mean 'accuracy'"),
        (("accuracy", "--board", "best"), "--board is numbers"),
    ],
    ids=str,
)
def test_bad_input_is_one_readable_line(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    complaint = fails(capsys, *arguments)
    assert sentence in complaint
    assert complaint.count("\n") == 1
