"""Numbers as people type them: 0.1, 10%, 1/10; what only Python reads as one (``1_0``, other scripts) is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from howsure.cli import main
from howsure.errors.arguments import written


@pytest.mark.full
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
    "option",
    [
        "--prior=beta(1_0,2)",
        "--prior=beta(2,\uff12)",
        "--level=0.9_5",
        "--level=9_5%",
        "--level=1_9/20",
        "--prevalence=high=0.0_2",
        "--prevalence=high=1/5_0",
        "--prevalence=high=1_0%",
    ],
)
def test_no_option_reads_an_underscore_or_a_foreign_digit(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["report", "examples/cocaine.csv", option])
    assert (status, capsys.readouterr().out) == (2, "")


@pytest.mark.parametrize("text", ["1_0", "\uff12", "", "one", "1,5"])
def test_such_a_number_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="could not convert"):
        written(text)


@pytest.mark.full
def test_slices_tell_of_patients_and_of_single_years(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lesions.csv"
    rows = [f"{'ab'[i % 2]},{'ab'[i % 3 % 2]},{i // 2},{30 + i % 40}" for i in range(160)]
    file.write_text("\n".join(["y_true,y_pred,patient,age", *rows]))
    assert main(["slices", str(file), "--by", "age"]) == 0
    both = capsys.readouterr()
    assert "Each 'patient' comes 2 times; the rows are taken as 160 separate cases" in both.err
    assert "40 slices are single values of age: bands of it" in " ".join(both.out.split())
