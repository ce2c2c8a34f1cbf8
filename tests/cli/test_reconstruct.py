"""`howsure reconstruct` on the command line."""

from __future__ import annotations

import json

import pytest

from howsure.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["reconstruct", *arguments]) == 0
    return capsys.readouterr().out


FORENSIC = ("--n", "34", "--recall", "1.00", "--specificity=0.75", "--accuracy", "0.94")


def test_one_table_is_shown_with_its_report(capsys: pytest.CaptureFixture[str]) -> None:
    text = run(capsys, *FORENSIC)
    assert text.startswith("One table fits recall 1.00, specificity 0.75, accuracy 0.94: what each metric may be.")
    assert "positive          0        26" in text
    assert run(capsys, *FORENSIC, "--markdown", "-m", "accuracy").startswith("**One table fits")
    data = json.loads(run(capsys, *FORENSIC, "--json"))
    assert data["candidates"] == [[[6, 2], [0, 26]]]
    assert data["metrics"][0]["mean"] == pytest.approx(33 / 36)


def test_three_classes_by_figures_and_by_a_printed_matrix(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ("--sizes", "10,20,30", "--labels", "a,b,c")
    shares = ("--shares", "80,10,10", "--shares", "5,90,5", "--shares", "0,3,97")
    data = json.loads(run(capsys, *sizes, *shares, "--json"))
    assert data["candidates"] == [[[8, 1, 1], [1, 18, 1], [0, 1, 29]]]
    figures = ("recall@a=0.80", "recall@b=0.90", "recall@c=0.97", "precision@a=0.89", "precision@b=0.90")
    data = json.loads(run(capsys, *sizes, *figures, "--json"))
    assert [[8, 1, 1], [1, 18, 1], [0, 1, 29]] in data["candidates"]


def test_a_contradiction_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--n", "20", "--accuracy", "0.88").startswith("Inconsistent: no table has accuracy 0.88.")
    data = json.loads(run(capsys, "--n", "20", "--accuracy", "0.88", "--json"))
    assert (data["tables"], data["contradictions"]) == (0, ["accuracy 0.88"])


def test_figures_that_were_cut_are_offered_as_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    figures = ("--n", "3", "--accuracy", "0.66", "--recall", "0.50")
    assert "--rounding truncated" in run(capsys, *figures)
    assert json.loads(run(capsys, *figures, "--json"))["otherwise"] == {"rounding": "truncated", "tables": 1}
    assert run(capsys, *figures, "--rounding", "truncated").startswith("One table fits accuracy 0.66, recall 0.50")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--n", "20"], "at least one figure"),
        (["--n", "20", "--acuracy", "0.9"], "Did you mean 'accuracy'"),
        (["--n", "20", "--accuracy"], "is no figure"),
        (["--n", "20", "0.9"], "is no figure"),
        (["--n", "20", "--accuracy", "0.9", "--accuracy", "0.8"], "twice"),
        (["--n", "20", "--accuracy", "good"], "'good'"),
        (["--n", "20", "--accuracy", "88.5"], "88.5 %"),
        (["--accuracy", "0.9"], "how many cases there were"),
        (["--sensitivity", "86/100", "--specificity", "170/200"], "--tp 86 --fn 14 --fp 30 --tn 170"),
        (["--n", "x", "--accuracy", "0.9"], "--n"),
        (["--sizes", "8;26", "--accuracy", "0.9"], "8;26"),
        (["--labels", "a,b,c", "--accuracy", "0.9", "--n", "30"], "sizes="),
        (["--sizes", "500,500,500,500", "--accuracy", "0.9"], "more tables to be tried"),
        (["--n", "20", "--accuracy", "0.9", "--json", "--markdown"], "exclude each other"),
    ],
)
def test_bad_questions_get_a_sentence(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert main(["reconstruct", *arguments]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1
