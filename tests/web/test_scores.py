"""Scores on the page: what is read, what is refused, and that every place of the slider has the numbers of a report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.web.sample_questions import SCORES

import howsure as hs
from howsure.curves import best_threshold
from howsure.errors import HowsureError, InvalidFile
from howsure.web import handle
from howsure.web.limits import PRIVATE
from howsure.web.schema import InvalidRequest

TEXT = "y_true,score\nill,0.9\nwell,0.2\nill,0.9\nwell,0.4\nill,0.4\n"


def read(text: str, **more: Any) -> dict[str, Any]:
    return handle({"verb": "import", "text": text, "scores": True, **more})


def test_cases_become_cells() -> None:
    found = read(TEXT)
    assert found["kind"] == "scores"
    assert found["scores"] == {
        "classes": ["well", "ill"],
        "positive": "ill",
        "cells": [[0.2, 1, 0], [0.4, 1, 1], [0.9, 0, 2]],
    }
    assert found["notes"] == ["5 cases: well 2, ill 3."]
    lines = "".join(f'{{"y_true": "{a}", "score": {b}}}\n' for a, b in (row.split(",") for row in TEXT.split()[1:]))
    assert read(lines, ending=".jsonl")["scores"] == found["scores"]


def test_the_positive_class_is_left_open_where_no_name_says_it() -> None:
    text = TEXT.replace("ill", "cat").replace("well", "dog")
    found = read(text)["scores"]
    assert (found["classes"], found["positive"]) == (["cat", "dog"], None)
    assert read(text, positive="cat")["scores"]["positive"] == "cat"
    with pytest.raises(HowsureError, match="nothing says whether high scores stand for"):
        handle({"verb": "threshold", "scores": {key: found[key] for key in ("classes", "cells")}})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("y_true,score\nill,high\nwell,1\n", "line 2"),
        ("y_true,y_pred\nill,well\nwell,ill\n", "there is no column for scores among 'y_true',"),
        ("y_true,score\nill,1\nill,2\n", "all cases are of class"),
        ("y_true,score\na,1\nb,2\nc,3\n", "3 classes"),
        ("y_true,p_a,p_b,p_c\na,1,0,0\nb,0,1,0\nc,0,0,1\n", "howsure curve for all of them"),
        ("[1", "the file"),
    ],
)
def test_what_is_no_list_of_scores_gets_a_sentence(text: str, words: str) -> None:
    with pytest.raises(InvalidFile) as caught:
        read(text)
    assert words in str(caught.value)


def test_what_is_too_large_is_refused_with_another_way() -> None:
    text = "y_true,score\n" + "".join(f"{'ill' if i % 2 else 'well'},{i}\n" for i in range(60))
    for limits in (replace(PRIVATE, patterns=50), replace(PRIVATE, cases=50)):
        with pytest.raises(InvalidFile, match="round the scores"):
            handle({"verb": "import", "text": text, "scores": True}, limits=limits)
    many = {**SCORES, "cells": [[0.1, 10**6, 1], [0.2, 1, 1]]}
    with pytest.raises(InvalidRequest, match="the page takes 200,000"):
        handle({"verb": "threshold", "scores": many})


@pytest.mark.parametrize(
    ("scores", "field"),
    [
        ({"cells": [[0.1, 1.5, 1], [0.2, 1, 1]]}, "scores.cells[0]"),
        ({"classes": ["a", "a"]}, "scores.classes"),
        ({"cells": [[0.1, 1, 1]]}, "scores.cells"),
    ],
)
def test_cells_that_are_none_are_named(scores: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRequest) as caught:
        handle({"verb": "threshold", "scores": {**SCORES, **scores}})
    assert caught.value.field == field


@pytest.mark.full
def test_every_place_has_the_numbers_of_a_report() -> None:
    question = {"verb": "threshold", "scores": SCORES, "prior": "jeffreys"}
    answer = handle(question)
    places = answer["drawing"]["stops"]
    assert places == [cell[0] for cell in SCORES["cells"]]
    names = [it["metric"] for it in answer["result"]["points"][0]["metrics"]]
    for place, stop in zip(places, answer["shown"]["stops"], strict=True):
        rows = handle({**question, "at": place})["shown"]["rows"]
        matrix = hs.ConfusionMatrix(stop["cells"], ["healthy", "ill"], positive="ill")
        report = hs.report(hs.infer(matrix, "jeffreys"), names)
        assert [row[1:] for row in rows] == [list(row[1:4]) for row in report.sheet().rows]
        tp, fn = stop["cells"][1][1], stop["cells"][1][0]
        assert f"{tp} of {tp + fn} ill are found" in stop["said"]


def test_the_best_threshold_is_that_of_the_library() -> None:
    answer = handle({"verb": "threshold", "scores": SCORES, "best": "cost", "cost": {"fp": 1, "fn": 5}})
    rows = [
        (name, value)
        for value, *counts in SCORES["cells"]
        for name, n in zip(SCORES["classes"], counts, strict=True)
        for _ in range(n)
    ]
    scores = hs.Scores([name for name, _ in rows], [value for _, value in rows])
    made = best_threshold(scores, cost={"fp": 1, "fn": 5})
    assert answer["shown"]["best"][0] == made.sheet().headline.replace("expected_cost", "expected cost")
    assert "Choosing flatters" in answer["shown"]["best"][1]
    assert answer["drawing"]["stops"][answer["drawing"]["best"]] == made.threshold
    assert answer["drawing"]["here"] == answer["drawing"]["best"]


def test_the_best_threshold_is_the_one_of_the_stated_prevalence() -> None:
    here, there = (
        handle({"verb": "threshold", "scores": SCORES, "best": "f1", **stated})["shown"]["best"]
        for stated in ({}, {"prevalence": 0.02})
    )
    assert here[0] != there[0]
