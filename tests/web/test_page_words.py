"""Notes and sentences of the page are in its own words: no option of the command line, no argument of Python."""

from __future__ import annotations

from typing import Any

import pytest

from howsure.web.answering import handle

TWO = {"classes": ["healthy", "ill"], "counts": [[190, 10], [5, 45]], "positive": "ill"}
THREE = {"classes": ["one", "two", "three"], "counts": [[30, 0, 2], [0, 3, 1], [1, 1, 8]]}
SCORED = "id,score\n" + "".join(f"{i},{i % 5}\n" for i in range(30))
OPTION = ("--", "groups=", "to_dict", "Predictions")


@pytest.mark.full
@pytest.mark.parametrize("question", [
    {"verb": "report", "matrix": TWO},
    {"verb": "report", "matrix": THREE},
    {"verb": "compare", "classifiers": [{"name": "a", "matrix": TWO}, {"name": "b", "matrix": TWO}]},
    {"verb": "rank", "classifiers": [{"name": "a", "matrix": TWO}, {"name": "b", "matrix": TWO}], "metric": "accuracy"},
    {"verb": "plan", "metric": "recall", "width": 0.2, "guess": 0.9},
    {"verb": "ask", "of": "items", "question": "report", "text": SCORED},
    {"verb": "ask", "of": "items", "question": "report", "text": SCORED, "low": 0, "high": 4},
    {"verb": "post_test", "matrix": TWO, "pre_test": 0.02, "label": "ill", "results": ["positive"]},
], ids=lambda it: it["verb"])  # fmt: skip
def test_no_note_speaks_of_an_option(question: dict[str, Any]) -> None:
    shown = handle(question)["shown"]
    said = [*shown["note"], *shown.get("warnings", []), shown.get("footer", ""), shown["verdict"]]
    assert [it for it in said if any(option in it for option in OPTION)] == []
    assert any(said)


def test_a_metric_of_all_classes_does_not_speak_of_one() -> None:
    rows = handle({"verb": "report", "matrix": THREE, "metrics": ["f1@macro", "recall@one"]})["shown"]["rows"]
    assert "each class as common as in this test" in rows[0]["sentence"]
    assert "common" not in rows[1]["sentence"]


def test_classes_that_are_numbers_are_not_read_as_counts() -> None:
    matrix = {"classes": ["2", "3"], "counts": [[40, 1], [9, 30]]}
    said = handle({"verb": "report", "matrix": matrix, "metrics": ["accuracy"]})["shown"]["matrix"]["sentence"]
    assert said == "9 cases of class 3 were predicted as class 2."


@pytest.mark.full
def test_the_class_that_is_found_least_is_named_where_there_are_three() -> None:
    shown = handle({"verb": "report", "matrix": THREE})["shown"]
    row = next(row for row in shown["rows"] if row["name"] == "recall@two")
    assert shown["worst"] == f"Lowest recall: two, {row['mean']} ({row['interval']})."
    assert handle({"verb": "report", "matrix": TWO})["shown"]["worst"] == ""


@pytest.mark.full
def test_the_difference_of_two_is_that_of_the_one_that_is_ahead() -> None:
    worse = {**TWO, "counts": [[160, 40], [15, 35]]}
    for first, second in ((TWO, worse), (worse, TWO)):
        pair = [{"name": "one", "matrix": first}, {"name": "two", "matrix": second}]
        shown = handle({"verb": "compare", "classifiers": pair})["shown"]
        ahead, behind = ("one", "two") if first is TWO else ("two", "one")
        assert f"{ahead} is better than {behind}" in shown["verdict"]
        assert f"difference {ahead} - {behind} is 0.1" in shown["verdict"]
        # and so are the rows, and what is taken away
        assert [row[0] for row in shown["rows"][:3]] == ["one", "two", f"{ahead} - {behind}"]
        assert shown["header"][4] == f"P({ahead} better)"
        assert [float(row[2]) > 0 and float(row[4].lstrip("> ")) > 0.5 for row in shown["rows"][2:]] == [True] * 3
        whole = handle({"verb": "export", "of": "compare", "request": {"classifiers": pair}, "ending": ".tex"})["text"]
        assert f"$P$({ahead} better)" in whole
        assert "difference & $0.1" in whole
