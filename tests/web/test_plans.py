"""Plans on the page: which are made under a learned prior, and in whose words."""

from __future__ import annotations

from typing import Any

import pytest

from howsure.web.answering import handle
from howsure.web.schema import InvalidRequest

PILOT = {"classes": ["healthy", "ill"], "counts": [[45, 5], [8, 42]], "positive": "ill"}
THREE = {"classes": ["cat", "cow", "dog"], "counts": [[40, 2, 3], [1, 30, 4], [2, 2, 50]], "positive": None}


def planned(metric: str, **request: Any) -> dict[str, Any]:
    return handle({"verb": "plan", "metric": metric, **request})


@pytest.mark.full
def test_widths_of_sums_of_recalls_are_planned_under_a_learned_prior() -> None:
    made = planned("balanced_accuracy", pilot=THREE, prior="learned", width=0.2)
    assert made["result"]["prior"] == "learned"
    assert "no wider than 0.2" in made["shown"]["verdict"]


@pytest.mark.parametrize(
    ("metric", "request_", "field"),
    [
        ("mcc", {"width": 0.2}, "prior"),
        ("balanced_accuracy", {"width": 0.009}, "width"),
        ("balanced_accuracy", {"width": 0.1, "n": 40_000}, "n"),
    ],
)
def test_what_would_learn_for_too_long_is_refused(metric: str, request_: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidRequest, match="learn") as caught:
        planned(metric, pilot=THREE, prior="learned", **request_)
    assert caught.value.field == field


@pytest.mark.full
@pytest.mark.parametrize(
    ("metric", "request_", "name"),
    [
        ("recall", {"width": 0.2, "guess": 0.9}, "sensitivity"),
        ("mcc", {"width": 0.4}, "MCC"),
        ("recall", {"width": 0.2, "pilot": {**PILOT, "positive": None}}, "sensitivity"),
    ],
)
def test_a_plan_is_said_in_plain_names_and_sent_in_ours(metric: str, request_: dict[str, Any], name: str) -> None:
    made = planned(metric, **request_)
    assert f"interval of {name} no wider" in made["shown"]["verdict"]
    assert made["result"]["metric"].partition("@")[0] == metric
    assert made["result"]["verdict"] != made["shown"]["verdict"] or metric == name


@pytest.mark.full
def test_the_columns_of_the_curve_are_even() -> None:
    rows = planned("recall", width=0.004, guess=0.9)["shown"]["sections"][0]["rows"]
    assert len({len(cell.partition(".")[2]) for row in rows for cell in row[1:]}) == 1
    assert not {"0.000", "1.000"}.intersection(cell for row in rows for cell in row[1:])


@pytest.mark.full
def test_a_pilot_without_a_positive_class_is_asked_for_it() -> None:
    pilot = {"classes": ["a", "b"], "counts": [[40, 10], [5, 45]], "positive": None}
    for metric, name in (("recall", "sensitivity"), ("tpr", "sensitivity"), ("f1", "F1")):
        with pytest.raises(InvalidRequest, match=f"{name}.* is of one class.*'a', 'b' is the positive one") as caught:
            planned(metric, pilot=pilot, width=0.3)
        assert caught.value.field == "pilot.positive"
    for metric in ("recall@a", "balanced_accuracy", "accuracy"):
        assert planned(metric, pilot=pilot, width=0.3, prior="flat")["shown"]["rows"]


@pytest.mark.full
def test_the_rule_of_thumb_is_left_out_where_it_does_not_hold() -> None:
    pilot = {"classes": ["negative", "positive"], "counts": [[170, 30], [14, 86]], "positive": "positive"}
    made = planned("precision", width=0.2, pilot=pilot)
    for answer, holds in ((made, False), (planned("recall", width=0.2, pilot=pilot), True)):
        assert ("2/√n" in answer["shown"]["sections"][0]["said"]) == holds
        assert ("2/√n" in str(answer["drawing"])) == holds
