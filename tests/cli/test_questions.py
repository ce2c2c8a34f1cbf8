"""The commands that ask: their numbers are the library's, and bad input is one line."""

from __future__ import annotations

import json

import pytest
from tests.cli.test_cli import COCAINE, complaint, howsure

import howsure as hs

POST = hs.infer(hs.ConfusionMatrix([[26, 0], [2, 6]], labels=["high", "low"]))
LOW = hs.infer(POST.confusion.with_positive("low"))


def answer(*arguments: str) -> dict[str, object]:
    done = howsure(*arguments, "--json", stdin=COCAINE)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("post-test", "-", "--pre-test", "30%", "--positive", "low"), lambda: LOW.post_test(0.3)),
        (("post-test", "-", "--pre-test", "low=0.3", "--result", "positive"), lambda: LOW.post_test(0.3, "positive")),
        (
            ("post-test", "-", "--pre-test", "0.7,0.3", "--result", "low", "--result", "high"),
            lambda: POST.post_test([0.7, 0.3], ["low", "high"]),
        ),
        (("frequencies", "-", "--prevalence", "low=0.1"), lambda: POST.natural_frequencies(10_000, {"low": 0.1})),
        (
            ("frequencies", "-", "--of", "500", "--cases", "90,10"),
            lambda: POST.at_prevalence(cases=[90, 10]).natural_frequencies(500),
        ),
        (("predict", "-"), POST.predict),
        (("predict", "-", "--n", "20,10"), lambda: POST.predict([20, 10])),
        (("predict", "-", "--n", "50"), lambda: POST.predict(50)),
        (("sensitivity", "-", "mcc"), lambda: POST.prior_sensitivity("mcc")),
        (("sensitivity", "-", "tpr@low", "--prior", "perks"), lambda: POST.prior_sensitivity("tpr@low", ["perks"])),
    ],
)
def test_the_json_is_the_librarys(arguments: tuple[str, ...], expected: object) -> None:
    assert answer(*arguments) == json.loads(json.dumps(expected().to_dict()))  # type: ignore[operator]


@pytest.mark.parametrize(
    "command", [("post-test", "-", "--pre-test", "low=0.3"), ("frequencies", "-"), ("predict", "-")]
)
def test_text_and_markdown(command: tuple[str, ...]) -> None:
    assert howsure(*command, stdin=COCAINE).stdout.count("\n") > 4
    assert "| --- |" in howsure(*command, "--markdown", stdin=COCAINE).stdout
    assert "exclude each other" in complaint(howsure(*command, "--markdown", "--json", stdin=COCAINE))


def test_the_survey_of_the_example() -> None:
    done = howsure("survey", "examples/toetsch2020.csv", "--json")
    rows = {row["name"]: row for row in json.loads(done.stdout)["classifiers"]}
    assert len(rows) == 24
    assert rows["8"]["p_deceptive"] == pytest.approx(0.1427, abs=5e-5)
    assert howsure("survey", "examples/toetsch2020.csv", "--csv").stdout.startswith("name,n,mu_prevalence,")
    assert "choose one" in complaint(howsure("survey", "examples/toetsch2020.csv", "--csv", "--json"))


def test_a_report_elsewhere_and_with_companions() -> None:
    data = answer("report", "-", "--cases", "high=9,low=91", "--classical")
    assert data["prevalence_source"] == "other cases"
    assert data["classical"]["level"] == 0.95  # type: ignore[index]
    assert "that of the other cases" in howsure("report", "-", "--cases", "9,91", stdin=COCAINE).stdout
    marked = {row["metric"]: row["depends_on_prevalence"] for row in data["metrics"]}  # type: ignore[attr-defined]
    assert marked["precision"] is True
    assert marked["recall"] is False


def test_the_catalogue_marks_what_depends_on_the_prevalence() -> None:
    lines = {line.split()[0]: line for line in howsure("metrics").stdout.splitlines() if line.strip()}
    assert lines["precision"].split()[1] == "*"
    assert lines["balanced_accuracy"].split()[1] != "*"
    assert "depends on the prevalence: above two classes" in howsure("metrics", "specificity").stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("post-test", "-"),
        ("post-test", "-", "--pre-test", "x"),
        ("post-test", "-", "--pre-test", "2"),
        ("post-test", "-", "--pre-test", "nan"),
        ("post-test", "-", "--pre-test", "0.1", "--result", "maybe"),
        ("frequencies", "-", "--of", "0"),
        ("frequencies", "-", "--prevalence", "0.5,0.5", "--cases", "1,1"),
        ("frequencies", "-", "--cases", "1.5,1"),
        ("predict", "-", "--n", "x"),
        ("predict", "-", "--n", "-3"),
        ("predict", "-", "--n", "1.5,2"),
        ("predict", "-", "--n", "99999999999"),
        ("sensitivity", "-", "nothing"),
        ("sensitivity", "examples/cocaine.csv"),
        ("sensitivity", "-", "mcc", "--prior", "nothing"),
        ("survey", "-"),
        ("survey", "no-such-file.csv"),
        ("survey", "examples/toetsch2020.csv", "--margin", "2"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...]) -> None:
    complaint(howsure(*arguments, stdin=COCAINE))
