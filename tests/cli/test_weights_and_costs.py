"""Weights of classes, costs from a file and priors as text, on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.test_cli import answers, complaint, howsure

import howsure as hs

CELLS = ("--tp", "45", "--fn", "5", "--fp", "8", "--tn", "92")
POST = hs.infer(hs.ConfusionMatrix.from_counts(tp=45, fn=5, fp=8, tn=92))


def test_weights_are_the_librarys() -> None:
    rows = answers(howsure("report", *CELLS, "--weights", "positive=2,negative=1", "--json"))
    known = POST.of(hs.class_weighted_accuracy([1, 2]))
    assert list(rows) == ["class_weighted_accuracy"]
    assert (rows["class_weighted_accuracy"]["mean"], rows["class_weighted_accuracy"]["law"]) == (known.mean, "exact")
    named = answers(
        howsure("report", *CELLS, "-m", "class_weighted_accuracy", "-m", "mcc", "--weights", "1,2", "--json")
    )
    assert list(named) == ["class_weighted_accuracy", "mcc"]
    assert named["class_weighted_accuracy"]["mean"] == known.mean


@pytest.mark.parametrize("name", ["class_weighted_informedness", "class_weighted_markedness"])
def test_weights_are_those_of_the_metric_that_is_named(name: str) -> None:
    rows = answers(howsure("report", *CELLS, "-m", name, "--weights", "positive=0.9,negative=0.5", "--json"))
    known = POST.of(getattr(hs, name)([0.5, 0.9]))
    assert list(rows) == [name]
    assert (rows[name]["mean"], rows[name]["law"]) == (known.mean, "exact")
    assert "from 0 to 1" in complaint(howsure("report", *CELLS, "-m", name, "--weights", "2,1"))
    assert "--weights" in complaint(howsure("report", *CELLS, "-m", name))


def test_costs_come_from_a_file_in_any_order_of_the_classes(tmp_path: Path) -> None:
    known = POST.at_prevalence([0.98, 0.02]).of(hs.expected_cost([[0, 1], [20, 0]]))
    tables = (
        "true\\pred,negative,positive\nnegative,0,1\npositive,20,0\n",
        "\ufeff,positive,negative\r\npositive,0,20\r\n\r\nnegative, 1.0,0\r\n",
    )
    for text in tables:
        path = tmp_path / "cost.csv"
        path.write_text(text, encoding="utf-8")
        done = howsure("report", *CELLS, "--cost", str(path), "--prevalence", "2%", "-m", "ppv", "--json")
        rows = answers(done)
        assert list(rows) == ["precision@positive", "expected_cost"]
        assert (rows["expected_cost"]["mean"], rows["expected_cost"]["low"]) == (known.mean, known.interval().low)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "it is empty"),
        ("0,1\n20,0\n", "its columns are '1'"),
        ("x,negative,positive\nnegative,0,1\n", "its rows are 'negative'"),
        ("x,negative,positive\nnegative,0,1\npositive,20\n", "line 3: 3 cells are expected and 2 came"),
        ("x,negative,positive\nnegative,0,1\npositive,much,0\n", "true 'positive' predicted 'negative' is 'much'"),
        ("x,negative,positive\nnegative,0,1\npositive,nan,0\n", "finite numbers"),
        ("pred\\true,negative,positive\nnegative,0,1\npositive,20,0\n", "the rows of costs are true classes"),
        ("x,negative,positive,other\nnegative,0,1,2\npositive,20,0,2\n", "costs have one row and one column"),
    ],
)
def test_costs_that_are_none_get_a_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "cost.csv"
    path.write_text(text, encoding="utf-8")
    assert sentence in complaint(howsure("report", *CELLS, "--cost", str(path)))


def test_numbers_that_are_missing_are_asked_for(tmp_path: Path) -> None:
    assert "--cost" in complaint(howsure("report", *CELLS, "-m", "expected_cost"))
    assert "--weights" in complaint(howsure("report", *CELLS, "-m", "class_weighted_accuracy"))
    assert "cannot be read" in complaint(howsure("report", *CELLS, "--cost", str(tmp_path / "none.csv")))
    assert "cannot be read" in complaint(howsure("report", *CELLS, "--cost", str(tmp_path)))
    for bare in ("1,10", "1:10", "5"):
        assert "such as fp=1,fn=5" in complaint(howsure("report", *CELLS, "--cost", bare))
    assert "none for 'negative'" in complaint(howsure("report", *CELLS, "--weights", "positive=2"))
    assert "not all 0" in complaint(howsure("report", *CELLS, "--weights", "0,0"))
    assert "needs 2 weights" in complaint(howsure("report", *CELLS, "--weights", "1"))


def test_a_prior_as_text_is_that_of_the_library() -> None:
    for text, known in (
        ("beta(2,2)", hs.Prior(2, 2)),
        ("Beta( 2 , 2 )", hs.Prior(2, 2)),
        ("negative=beta(2,2),positive=beta(2,2)", hs.Prior(2, 2)),
    ):
        rows = answers(howsure("report", *CELLS, "--prior", text, "--json"))
        mine = hs.infer(POST.confusion, known)
        for name in ("accuracy", "balanced_accuracy", "recall@positive", "precision@positive", "mcc"):
            assert rows[name]["mean"] == pytest.approx(mine.of(name).mean, abs=1e-12), (text, name)
    rows = answers(howsure("report", *CELLS, "--prior", "positive=beta(20,2),negative=beta(9,1)", "--json"))
    assert rows["recall@positive"]["mean"] == pytest.approx((45 + 20) / (50 + 22), abs=1e-12)
    assert rows["recall@negative"]["mean"] == pytest.approx((92 + 9) / (100 + 10), abs=1e-12)


def test_a_class_that_is_called_like_an_option_keeps_its_name_in_a_complaint() -> None:
    said = complaint(howsure("report", *CELLS, "--prior", "negative=beta(1,1),positive=bta(9,1)"))
    assert "'negative=beta(1,1),positive=bta(9,1)'" in said
