"""`howsure outlook`, `stopping-rule` and `digits`: the library's numbers, and bad input in one line."""

import json
from pathlib import Path

import pytest

import howsure as hs
from howsure.cli import main
from howsure.io.pairs import read_pair


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def test_an_outlook(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("outlook", "accuracy", "--correct", "88", "--n", "100", "--above", "0.8", "--more")
    known = hs.Posterior.from_accuracy(correct=88, n=100)
    one, other = (hs.outlook(known, "accuracy", above=0.8, more=more) for more in (50, 200))
    assert json.loads(run(capsys, *asked, "50", "--json")) == json.loads(json.dumps(one.to_dict()))
    assert json.loads(run(capsys, *asked, "50,200", "--json"))[1]["change"] == other.change
    text = run(capsys, *asked, "50,200")
    assert text.startswith(str(one))
    assert text.count("#") > 4
    of_file = (
        "outlook",
        "precision@low",
        "examples/cocaine.csv",
        "--above",
        "0.3",
        "--prevalence",
        "low=0.1",
        "--json",
    )
    assert json.loads(run(capsys, *of_file))["metric"] == "precision@low"


def test_an_outlook_of_two(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pair = read_pair("examples/digits_pair.csv")
    assert pair.predictions is not None
    one, other = (
        hs.outlook(hs.compare(pair.predictions, *pair.names, metric="accuracy"), more=more) for more in (50, 200)
    )
    asked = ("outlook", "accuracy", "examples/digits_pair.csv", "--more")
    assert json.loads(run(capsys, *asked, "50", "--json")) == one.to_dict() | {"names": [*one.names], "n": [*one.n]}
    text = run(capsys, *asked, "50,200")
    assert text.startswith(f"{one}\n{other}\n")
    assert "then better" in text
    turned = json.loads(run(capsys, *asked, "50", "--a", "knn9", "--b", "knn3", "--json"))
    assert turned["now"] == "worse"
    assert not json.loads(run(capsys, *asked, "50", "--separate", "--json"))["paired"]
    files = []
    for name, counts in (("new", "45,5\nill,8,42"), ("old", "40,10\nill,10,40")):
        files.append(str(tmp_path / f"{name}.csv"))
        Path(files[-1]).write_text(f"true\\pred,healthy,ill\nhealthy,{counts}\n")
    apart = run(capsys, "outlook", "accuracy", *files, "--more", "100", "--prior", "jeffreys")
    assert "100 more of each would leave it open with probability 0.405, show new better" in apart


def test_a_stopping_rule(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("stopping-rule", "50,100,200", "--threshold", "0.8")
    rule = hs.stopping_rule([50, 100, 200], 0.8)
    assert json.loads(run(capsys, *asked, "--json")) == json.loads(json.dumps(rule.to_dict()))
    tried = json.loads(run(capsys, *asked, "--truth", "0.9", "--json"))["rates"]
    assert tried == [{"truth": 0.9, **rule.rates(0.9)}]
    lines = run(capsys, *asked).splitlines()
    assert lines[0] == str(rule)
    assert len(lines) == 3 + len(rule.around)


def test_digits(capsys: pytest.CaptureFixture[str]) -> None:
    known = hs.digits(hs.Posterior.from_accuracy(correct=880, n=1000), "accuracy")
    asked = ("digits", "accuracy", "--correct", "880", "--n", "1000")
    assert json.loads(run(capsys, *asked, "--json")) == known.to_dict()
    assert run(capsys, *asked) == f"{known}\n"


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv", "json", "txt", "svg", "png"])
def test_a_plan_becomes_a_file(ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / f"out.{ending}"
    assert run(capsys, "plan", "accuracy", "--width", "0.2", "--guess", "0.8", "-o", str(target)) == ""
    assert target.stat().st_size > 200


def test_a_pair_as_a_pilot(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("plan", "accuracy", "--difference", "0.03", "--pilot", "examples/digits_pair.csv", "--json")
    made = json.loads(run(capsys, *asked))
    assert made["pairing"] == "the same cases"
    assert "of 899 cases of the pilot" in made["supposed"][0]
    turned = json.loads(run(capsys, *asked, "--a", "knn9", "--b", "knn3"))
    assert turned["n"] == made["n"]
    one = run(capsys, "plan", "accuracy", "--width", "0.05", "--pilot", "examples/digits_pair.csv", "--model", "knn9")
    assert "pilot" in one


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("outlook", "accuracy", "--above", "0.8"), "name a FILE"),
        (("outlook", "accuracy", "--correct", "8", "--n", "10", "--above", "80"), "threshold between 0 and 1"),
        (("outlook", "accuracy", "--correct", "8", "--n", "10", "--above", "nan"), "threshold between 0 and 1"),
        (("outlook", "accuracy", "--correct", "8", "--n", "10", "--above", "0.8", "--more", "ten"), "whole numbers"),
        (("outlook", "accuracy", "--correct", "8", "--n", "10", "--above", "0.8", "--more", "-5"), "1 or more"),
        (("outlook", "accuracy", "examples/cocaine.csv", "--n", "10", "--above", "0.8"), "exclude each other"),
        (("outlook", "accuracy", "--correct", "8", "--n", "10"), "say --above: the threshold for one classifier"),
        (("outlook", "accuracy"), "or name files of two classifiers"),
        (("outlook", "accuracy", "examples/cocaine.csv"), "holds one classifier: say --above"),
        (("outlook", "accuracy", "missing.csv"), "there is no such file"),
        (("outlook", "accuracy", "examples/digits_pair.csv", "--prevalence", "0=0.5"), "are for one classifier"),
        (("outlook", "accuracy", "examples/digits_pair.csv", "--a", "knn3", "--b", "knn4"), "knn4"),
        (
            ("outlook", "accuracy", "examples/cocaine.csv", "--above", "0.5", "--separate"),
            "leave it out to compare two",
        ),
        (("outlook", "accuracy", *["examples/cocaine.csv"] * 2, "--above", "0.5"), "leave it out to compare two"),
        (("outlook", "accuracy", *["examples/cocaine.csv"] * 3), "two are compared"),
        (("outlook", "f1", "--correct", "8", "--n", "10", "--above", "0.8"), "needs a confusion matrix"),
        (("digits", "accuracy", "--correct", "12", "--n", "10"), "not possible"),
        (("digits", "accuracy", "--correct", "8", "--n", "10", "--assurance", "1"), "no finite test"),
        (("stopping-rule", "100,50", "--threshold", "0.8"), "increasing numbers of cases"),
        (("stopping-rule", "50", "--threshold", "1"), "strictly between 0 and 1"),
        (("stopping-rule", "50", "--threshold", "0.8", "--truth", "1.2"), "truth is a number from 0 to 1"),
        (("stopping-rule", "many", "--threshold", "0.8"), "whole numbers"),
    ],
    ids=str,
)
def test_bad_input_is_one_readable_line(
    arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(arguments)) == 2
    complaint = capsys.readouterr().err
    assert sentence in complaint
    assert complaint.count("\n") == 1
