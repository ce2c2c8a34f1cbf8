"""compare, rank, gate and plan by numbers of scores, and what is said of the wrong file or metric."""

import json

import pytest

from howsure.cli import main

TWO = "examples/breast_cancer_two.csv"


def test_compare_rank_and_gate_read_a_column_a_classifier(capsys):
    assert main(["compare", TWO, "-m", "roc_auc", "--draws", "2000", "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)
    assert compared["paired"]
    assert compared["names"] == ["score_three", "score_two"]
    assert compared["difference"]["observed"] == pytest.approx(-0.003, abs=0.001)
    assert main(["rank", TWO, "-m", "roc_auc", "--draws", "2000", "--json"]) == 0
    ranked = json.loads(capsys.readouterr().out)
    assert {x["name"]: x["p_best"] for x in ranked["entries"]}["score_three"] == pytest.approx(
        compared["p_better"], abs=1e-3
    )
    gate = ["gate", "--candidate", TWO, "--a", "score_two", "--b", "score_three", "-m", "roc_auc", "--draws", "2000"]
    assert main([*gate, "--margin", "0.05"]) == 0
    assert "Pass" in capsys.readouterr().out
    assert main([*gate, "--mode", "superiority", "--margin", "0.1"]) == 1


def test_two_files_are_separate_test_sets(tmp_path, capsys):
    text = "y_true,score\n" + "".join(f"{i % 2},{i * 7 % 11}\n" for i in range(40))
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(text)
    files = [str(tmp_path / f"{name}.csv") for name in ("a", "b")]
    assert main(["compare", *files, "-m", "roc_auc", "--draws", "1000"]) == 0
    said = capsys.readouterr().out
    assert "separate test sets of 40 and 40" in said
    assert "columns of one file" in said


@pytest.mark.parametrize("what", ["roc", "precision_recall"])
def test_the_difference_of_two_curves(what, capsys, tmp_path):
    page = tmp_path / "out.html"
    assert main(["compare", TWO, "--curves", what, "-o", str(page)]) == 0
    assert "on one side of 0" in page.read_text() or "Nowhere does" in page.read_text()
    capsys.readouterr()
    assert (
        main(["compare", TWO, "--curves", what, "--json", "--draws", "500", "--a", "score_two", "--b", "score_three"])
        == 0
    )
    made = json.loads(capsys.readouterr().out)
    assert (made["names"], made["draws"]) == (["score_two", "score_three"], 500)
    assert len(made["x"]) == 100


def test_plan_of_an_area(capsys):
    assert main(["plan", "roc_auc", "--difference", "0.1", "--guess", "0.8", "--n", "100", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["total"] == 100
    assert 0 < made["assurance"] < 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["compare", "examples/digits_pair.csv", "-m", "roc_auc"], "called have no curve"),
        (["compare", TWO, "-m", "roc_auc", "--prior", "flat"], "leave --prior out"),
        (["rank", TWO, "-m", "roc_auc", "--by", "id"], "leave --by out"),
        (["plan", "roc_auc", "--width", "0.1"], "--guess 0.85"),
        (["plan", "roc_auc", "--width", "0.1", "--guess", "0.8", "--classes", "3"], "leave --classes out"),
        (["compare", "examples/breast_cancer.csv", "-m", "roc_auc"], "two classifiers are compared"),
        (["compare", TWO, "-m", "f1"], "howsure threshold"),
        (["compare", TWO, "--curves", "roc", "-m", "roc_auc"], "leave --metric out"),
        (["compare", "examples/breast_cancer.csv", "--curves", "roc"], "two classifiers are compared"),
    ],
)
def test_what_cannot_be_asked_is_said(given, said, capsys):
    assert main(given) == 2
    assert said in capsys.readouterr().err
