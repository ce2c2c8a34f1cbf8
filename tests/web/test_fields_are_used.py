"""Every field of a request is refused or changes the answer; a setting changes numbers, not only what repeats it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from tests.moved import moved_numbers, unmoved_ends
from tests.web.sample_questions import QUESTIONS

from howsure.errors import HowsureError
from howsure.web import handle

#: Questions of unlike kinds, and the fields that are tried on each: those that rightly change nothing behind a bar, as
#: exact answers have no draws, two entries no third, and words that nobody wants are not written.
ASKED = {
    "report": "prior level kind metrics shares thresholds | draws seed replicate label cost",
    "report, all parts": "thresholds replicate label prior | cost",
    "report, decisions": "prior level kind shares cost | draws seed",
    "report, stated share": "prior level kind metrics prevalence | draws seed shares",
    "report, held shares": "prior level kind draws seed metrics shares",
    "compare": "metric prior level kind draws seed rope",
    "compare, three classes": "metric prior level kind draws seed rope",
    "compare, paired": "metric prior level kind draws seed rope",
    "rank": "prior level kind draws seed prizes top new_test",
    "rank, matrices": "metric prior level kind prizes top | draws seed",
    "rank, paired": "metric prior level kind draws seed prizes top",
    "plan": "prior level seed metric width n assurance guess design",
    "post-test": "prior level kind label results pre_test | draws seed",
    "post-test, two results": "prior level kind draws seed label results pre_test",
    "threshold": "prior level kind prevalence at curve best net_benefit | cost",
    "threshold, elsewhere": "prior level prevalence at curve best",
    "pool, one rate": "metric level seed unit",
    "slices": "metric prior level kind seed",
}  # fmt: skip

FIELDS: dict[str, Any] = {
    "prior": {"a": 3, "b": 4}, "level": 0.7, "kind": "central", "draws": 1000, "seed": 9, "metric": "error_rate",
    "metrics": ["mcc", "accuracy"], "prevalence": {"label": "ill", "share": 0.3}, "shares": "chosen", "rope": 0.03,
    "thresholds": {"balanced_accuracy": 0.7}, "replicate": 77, "prizes": [7, 2], "top": 1, "new_test": 55, "width": 0.3,
    "n": 333, "assurance": 0.7, "guess": 0.7, "design": [0.4, 0.6], "label": "healthy", "results": ["negative"],
    "at": 0.35, "curve": "precision_recall", "best": "balanced_accuracy", "net_benefit": True, "unit": "study",
    "cost": {"fp": 1, "fn": 3}, "pre_test": 0.4, "threshold prevalence": 0.3, "threshold, elsewhere curve": "roc",
    "report, all parts label": "healthy",
}  # fmt: skip

#: What changes words or drawings of the page beside the answer of the library.
BESIDE = {"thresholds", "replicate", "cost", "label", "curve", "best", "net_benefit", "unit"}


@cache
def answered(name: str, field: str = "") -> Any:
    """What the page is given for a question with another value of a field; None where that is refused."""
    verb = QUESTIONS[name]["verb"]
    value = next((FIELDS[key] for key in (f"{name} {field}", f"{verb} {field}", field) if key in FIELDS), None)
    try:
        answer = handle({**QUESTIONS[name], field: value} if field else QUESTIONS[name])
    except HowsureError:
        return None
    return json.loads(json.dumps({part: answer[part] for part in ("result", "shown", "drawing")}))


@pytest.mark.sweep(30, full=200)
@pytest.mark.parametrize(
    ("name", "field"), [(name, field) for name, fields in ASKED.items() for field in fields.replace("|", "").split()]
)
def test_a_field_is_used(name: str, field: str) -> None:
    usual, other = answered(name), answered(name, field)
    assert other is not None
    moved = moved_numbers(usual["result"], other["result"])
    if field in ASKED[name].partition("|")[2].split():
        assert moved == set()
    elif field in BESIDE:
        assert moved_numbers(usual, other)
    else:
        assert moved
    if field in ("level", "kind"):
        assert [at for at in unmoved_ends(usual["result"], other["result"]) if "largest_gap" not in at] == []


@pytest.mark.parametrize("name", ["compare", "compare, three classes", "compare, paired"])
def test_the_page_says_the_probabilities_of_the_answer(name: str) -> None:
    result, said = (answered(name)[part] for part in ("result", "shown"))
    rows = said["sections"][0]["rows"]
    for key, (_, words) in (("better", rows[0]), ("worse", rows[-1])):
        assert float(words.lstrip("<> ")) == pytest.approx(result[f"p_{key}"], abs=0.01)


def test_a_page_about_these_groups_is_not_about_new_ones() -> None:
    counts = [[45, 9], [18, 54]]
    matrix = {"classes": ["healthy", "ill"], "counts": counts, "positive": "ill"}
    groups = [[g, i, j, counts[i][j] // 9] for g in range(9) for i in (0, 1) for j in (0, 1)]
    asked = {"verb": "report", "matrix": matrix, "groups": groups, "metrics": ["accuracy"]}
    new, these = (handle({**asked, "about": about})["result"]["metrics"][0] for about in ("new", "these"))
    assert (new["low"], new["high"]) != (these["low"], these["high"])
