"""Plan in a real browser: each goal, each supposition, and what the cases that one has give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import REFUSED, as_json, expect

from howsure.metrics.measure import put_plainly

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def plainly(answer: Any) -> str:
    """The verdict of the command line, with the metric by the name that people know."""
    return put_plainly(answer["verdict"], [answer["metric"]], "positive")


@pytest.mark.parametrize(("goal", "option"), [
    ("Show that it is above …", ("--above", 0.8)),
    ("Show that it is below …", ("--below", 0.95)),
    ("See which of two is better", ("--difference", 0.05)),
    ("Show that a new one is no worse", ("--margin", 0.05)),
])  # fmt: skip
def test_every_goal(opened: Any, goal: str, option: tuple[str, float]) -> None:
    tab = opened.at("plan")
    tab.choose("and to get", goal)
    assert tab.value("verdict") == plainly(as_json("plan", "recall", *option, "--guess", 0.9))
    expect(tab.locator('[data-picture="plan"] .rule-of-thumb')).to_have_count(0)  # the rule is of widths


def test_a_pilot_and_a_prevalence(opened: Any, tmp_path: Path) -> None:
    pilot = tmp_path / "pilot.csv"
    pilot.write_text("true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n")
    tab = opened.at("plan")
    tab.enter("Width of the interval", "0.2")
    tab.choose("I want to know", "accuracy")
    tab.tick("My pilot")
    question = ("plan", "accuracy", "--width", 0.2, "--pilot", pilot)
    assert tab.value("verdict") == as_json(*question)["verdict"]
    tab.enter("Share of ill where it will be used", "10")
    assert tab.value("verdict") == as_json(*question, "--prevalence", "ill=0.1")["verdict"]


def test_rates_make_a_metric(opened: Any) -> None:
    tab = opened.at("plan")
    tab.enter("Width of the interval", "0.3")
    tab.choose("I want to know", "balanced accuracy")
    tab.enter("specificity", "0.8")
    rates = "recall=0.9,specificity=0.8,prevalence=0.1"
    assert tab.value("verdict") == plainly(as_json("plan", "balanced_accuracy", "--width", 0.3, "--guess", rates))


def test_the_same_cases_need_fewer(opened: Any) -> None:
    tab = opened.at("plan")
    tab.choose("I want to know", "accuracy")
    tab.choose("and to get", "See which of two is better")
    apart = int(tab.value("needed.1").replace(",", ""))
    tab.tick("The same cases")
    assert int(tab.value("needed.1").replace(",", "")) < apart
    question = ("plan", "accuracy", "--difference", 0.05, "--guess", 0.9, "--paired", 0.1)
    assert tab.value("verdict") == as_json(*question)["verdict"]


def test_the_rule_of_thumb_is_dashed_above_twenty_cases_only(opened: Any) -> None:
    tab = opened.at("plan")
    rule = tab.locator('[data-picture="plan"] path.rule-of-thumb')
    expect(rule).to_have_count(1)
    assert rule.evaluate("path => getComputedStyle(path).strokeDasharray") != "none"
    tab.enter("Width of the interval", "0.9")
    assert int(tab.value("needed.1")) < 20
    points = tab.locator('[data-value^="plan."][data-value$=".1"]').count()
    assert sum(path.get_attribute("d").count("L") + 1 for path in rule.all()) < points


def test_what_cases_give_is_not_asked_while_the_positive_class_is_unknown(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    bodies: list[str] = []
    tab.on("request", lambda request: bodies.append(request.post_data or ""))
    tab.paste("true\\pred\tcat\tdog\ncat\t9\t1\ndog\t2\t8\n")
    tab.go("plan")
    tab.tick("My pilot")
    expect(tab.locator(".answer .wrong")).to_contain_text("choose it below the pilot")
    expect(tab.locator(".radios")).not_to_contain_text("both classes are answered for")
    assert sum('"pilot"' in body for body in bodies) == 1
    tab.locator(".radios").get_by_label("dog").check()
    tab.settle()
    expect(tab.field("have")).to_be_visible()
    assert sum('"pilot"' in body for body in bodies) == 2


def test_of_a_pilot_with_many_classes_a_rate_is_that_of_one_of_them(opened: Any) -> None:
    tab = opened()
    tab.paste("true\\pred\tape\tbear\tcat\nape\t90\t6\t4\nbear\t5\t80\t15\ncat\t2\t3\t45")
    tab.go("plan")
    wish = tab.get_by_label("I want to know").locator("option:checked")
    expect(wish).to_contain_text("sensitivity")
    for choice in ("My pilot", "My guess"):
        tab.tick(choice)
        expect(wish).to_have_text("accuracy")
        expect(tab.locator(".wrong:visible")).to_have_count(0)
        if choice == "My pilot":
            tab.choose("I want to know", "recall of cat")
            expect(tab.field("verdict")).to_contain_text("interval of recall of cat")
            expect(tab.field("have")).to_contain_text("50 cases of class 'cat'")
