"""Shares and numbers as they are typed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.test_cli import complaint, howsure

import howsure as hs
from howsure.cli import main
from howsure.cli.numbers import shares_of
from howsure.errors import InvalidArgument, UnknownLabel
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


# -- shares as people write them: numbers, percentages, fractions, by name, rounded, equal ----------------------------

TWO = hs.ConfusionMatrix([[92, 8], [5, 45]], labels=["healthy", "ill"])
LETTERS = hs.ConfusionMatrix([[92, 8], [5, 45]], labels=["a", "b"])
THREE = hs.ConfusionMatrix([[9, 1, 0], [1, 8, 1], [0, 1, 9]], labels=["a", "b", "c"])


@pytest.mark.parametrize(
    ("text", "confusion", "expected"),
    [
        ("0.02", TWO, {"ill": 0.02}),
        ("2%", TWO, {"ill": 0.02}),
        (" 2% ", TWO, {"ill": 0.02}),
        ("1/50", TWO, {"ill": 0.02}),
        ("2e-2", TWO, {"ill": 0.02}),
        ("ill=2%", TWO, {"ill": 0.02}),
        ("healthy=49/50", TWO, {"healthy": 0.98}),
        ("a=1/3", LETTERS, {"a": 1 / 3}),
        ("0.98,0.02", TWO, {"healthy": 0.98, "ill": 0.02}),
        ("98%,2%", TWO, {"healthy": 0.98, "ill": 0.02}),
        ("equal", THREE, {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}),
        ("Equal", LETTERS, {"a": 0.5, "b": 0.5}),
        ("1/3,1/3,1/3", THREE, {"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}),
        ("c=0.2,a=0.3", THREE, {"c": 0.2, "a": 0.3}),
    ],
)
def test_what_is_written_is_what_is_read(text: str, confusion: hs.ConfusionMatrix, expected: dict[str, float]) -> None:
    found = shares_of(text, confusion, "--prevalence")
    assert found.of == pytest.approx(expected, abs=1e-15)
    assert found.of.keys() == expected.keys()
    assert found.notes == ()


@pytest.mark.parametrize("text", ["a=0.333,b=0.333,c=0.333", "33.3%,33.3%,33.3%", "33%,33%,33%", "0.33,0.33,0.33"])
def test_a_sum_that_misses_one_by_rounding_is_mended_and_said(text: str) -> None:
    found = shares_of(text, THREE, "--prevalence")
    assert found.of == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3})
    assert "which is rounding; each was divided by that" in found.notes[0]


@pytest.mark.parametrize(
    ("text", "confusion", "sentence"),
    [
        ("0.9,0.2", TWO, "add to 1.1"),
        ("0.500,0.490", TWO, "add to 0.99"),
        ("0.3,0.3,0.3", THREE, "add to 0.9"),
        ("0.02", LETTERS, "say a=0.02 or b=0.02"),
        ("1", LETTERS, "strictly between 0 and 1"),
        ("0.02", THREE, "needs 3 shares"),
        ("a=0.2,0.8", LETTERS, "names some classes"),
        ("a=0.2,a=0.8", LETTERS, "names 'a' twice"),
        ("2", TWO, "2% is 0.02"),
        ("-0.1", TWO, "between 0 and 1"),
        ("nan", TWO, "a share is a number"),
        ("inf", TWO, "a share is a number"),
        ("1/0", TWO, "a share is a number"),
        ("", TWO, "a share is a number"),
        ("1_0%", TWO, "a share is a number"),
        ("0", TWO, "strictly between 0 and 1"),
        ("100%", TWO, "strictly between 0 and 1"),
        ("1e999999999", TWO, "a share is a number"),
        ("1e-999999999", TWO, "a share is a number"),
    ],
)
def test_what_is_no_share_gets_a_sentence(text: str, confusion: hs.ConfusionMatrix, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        shares_of(text, confusion, "--prevalence")


def test_classes_that_are_not_there() -> None:
    with pytest.raises(UnknownLabel, match="Did you mean 'ill'"):
        shares_of("il=0.1", TWO, "--prevalence")


@pytest.mark.parametrize("share", ["1e-320", "0", "1", "-0.1", "1.5", "nan", "ten"])
def test_no_prevalence_is_a_crash(share: str) -> None:
    table = ("--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92")
    complaint(howsure("report", *table, "--prevalence", share))
    complaint(howsure("post-test", *table, "--pre-test", share))


def test_a_share_that_cannot_be_met_is_refused_in_python_too() -> None:
    with pytest.raises(InvalidArgument, match="the share of 'ill' is below 1e-12"):
        hs.infer(TWO).at_prevalence({"ill": 1e-320})
