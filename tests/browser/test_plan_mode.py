"""Plan in a real browser: each goal, each supposition, and what the cases that one has give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.asking import as_json, at, choose, fill, printed, said
from tests.browser.conftest import settled
from tests.browser.test_evaluate import paste

from howsure.metrics.plain_names import put_plainly

pytestmark = pytest.mark.browser

WIDTH = ("plan", "recall", "--width", 0.1, "--guess", 0.9)


def plainly(made: Any) -> str:
    """The verdict of the command line, with the metric by the name that people know."""
    return put_plainly(made["verdict"], [made["metric"]], "positive")


def test_the_number_of_cases_is_the_command_lines(opened: Any) -> None:
    tab = at(opened, "plan")
    expected = as_json(*WIDTH)
    assert said(tab, "verdict") == plainly(expected)
    assert said(tab, "n") == str(expected["n"])
    tab.get_by_text("As a table").click()
    for row in printed(*WIDTH).splitlines():
        cells = row.split()
        if cells[:1] == ["182"] and len(cells) == 4:
            assert [said(tab, f"curve.182.{i}") for i in (1, 2, 3)] == cells[1:]
            break
    else:
        pytest.fail("the curve has no line of 182 cases")


def test_what_the_cases_at_hand_give(opened: Any) -> None:
    tab = at(opened, "plan")
    tab.wait_for_selector("[data-value=have]")
    assert said(tab, "have") == plainly(as_json(*WIDTH, "--n", 100))
    fill(tab, "Cases that I have", "250")
    tab.wait_for_selector("[data-value=have]:has-text('250')")
    assert said(tab, "have") == plainly(as_json(*WIDTH, "--n", 250))
    fill(tab, "Cases that I have", "")
    tab.wait_for_selector("[data-value=have]", state="detached")


@pytest.mark.parametrize(
    ("goal", "option"),
    [
        ("Show that it is above …", ("--above", 0.8)),
        ("Show that it is below …", ("--below", 0.95)),
        ("See which of two is better", ("--difference", 0.05)),
        ("Show that a new one is no worse", ("--margin", 0.05)),
    ],
)
def test_every_goal(opened: Any, goal: str, option: tuple[str, float]) -> None:
    tab = at(opened, "plan")
    choose(tab, "and to get", goal)
    assert said(tab, "verdict") == plainly(as_json("plan", "recall", *option, "--guess", 0.9))
    assert tab.locator('[data-picture="plan"] .rule-of-thumb').count() == 0  # the rule is of widths


def test_a_pilot_and_a_prevalence(opened: Any, tmp_path: Path) -> None:
    pilot = tmp_path / "pilot.csv"
    pilot.write_text("true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n")
    tab = at(opened, "plan")
    fill(tab, "Cases that I have", "")
    fill(tab, "Width of the interval", "0.2")
    choose(tab, "I want to know", "accuracy")
    tab.get_by_label("My pilot").check()
    settled(tab)
    asked = ("plan", "accuracy", "--width", 0.2, "--pilot", pilot)
    assert said(tab, "verdict") == as_json(*asked)["verdict"]
    fill(tab, "Share of ill where it will be used", "10")
    assert said(tab, "verdict") == as_json(*asked, "--prevalence", "ill=0.1")["verdict"]


def test_rates_make_a_metric(opened: Any) -> None:
    tab = at(opened, "plan")
    fill(tab, "Cases that I have", "")
    fill(tab, "Width of the interval", "0.3")
    choose(tab, "I want to know", "balanced accuracy")
    fill(tab, "specificity", "0.8")
    rates = "recall=0.9,specificity=0.8,prevalence=0.1"
    assert said(tab, "verdict") == plainly(as_json("plan", "balanced_accuracy", "--width", 0.3, "--guess", rates))


def test_the_same_cases_need_fewer(opened: Any) -> None:
    tab = at(opened, "plan")
    choose(tab, "I want to know", "accuracy")
    choose(tab, "and to get", "See which of two is better")
    apart = int(said(tab, "n").replace(",", ""))
    tab.get_by_label("The same cases").check()
    settled(tab)
    assert int(said(tab, "n").replace(",", "")) < apart
    asked = ("plan", "accuracy", "--difference", 0.05, "--guess", 0.9, "--paired", 0.1)
    assert said(tab, "verdict") == as_json(*asked)["verdict"]


def test_the_rule_of_thumb_is_dashed_above_twenty_cases_only(opened: Any) -> None:
    tab = at(opened, "plan")
    rule = tab.locator('[data-picture="plan"] path.rule-of-thumb')
    assert rule.count() == 1
    assert rule.evaluate("path => getComputedStyle(path).strokeDasharray") != "none"
    fill(tab, "Width of the interval", "0.9")
    assert int(said(tab, "n")) < 20
    points = [tab.locator(f'[data-value^="curve."][data-value$=".{i}"]').count() for i in (1,)]
    drawn = rule.get_attribute("d").count("L") + 1 if rule.count() else 0
    assert drawn < points[0]


def test_what_cases_give_is_not_asked_while_the_positive_class_is_unknown(opened: Any) -> None:
    asked: list[int] = []
    tab = opened()
    tab.on("response", lambda reply: '"pilot"' in (reply.request.post_data or "") and asked.append(reply.status))
    opened.forgiven.append("status of 422")
    paste(tab, "true\\pred\tcat\tdog\ncat\t9\t1\ndog\t2\t8\n")
    tab.click("#tab-plan")
    settled(tab)
    tab.get_by_label("My pilot").check()
    settled(tab)
    tab.get_by_text("choose it below the pilot").first.wait_for()
    tab.wait_for_timeout(1000)
    assert asked == [422], asked
    assert "choose it below the pilot" in tab.locator(".answer .wrong").inner_text()
    assert "both classes are answered for" not in tab.locator(".radios").inner_text()
    tab.locator(".radios").get_by_label("dog").check()
    tab.locator("[data-value=have]").wait_for()
    settled(tab)
    assert asked == [422, 200, 200]


def test_of_a_pilot_with_many_classes_a_rate_is_that_of_one_of_them(opened: Any) -> None:
    tab = opened()
    rows = (("ape", 90, 6, 4), ("bear", 5, 80, 15), ("cat", 2, 3, 45))
    paste(tab, "true\\pred\tape\tbear\tcat\n" + "\n".join("\t".join(map(str, row)) for row in rows))
    tab.click("#tab-plan")
    settled(tab)
    wish = tab.get_by_label("I want to know")
    assert "sensitivity" in wish.locator("option:checked").inner_text()
    tab.get_by_label("My pilot").check()
    settled(tab)
    assert wish.locator("option:checked").inner_text() == "accuracy"
    assert tab.locator(".wrong:visible").count() == 0
    choose(tab, "I want to know", "recall of cat")
    assert "cases of class 'cat' give a 95 % interval of recall of cat" in said(tab, "verdict")
    tab.locator("[data-value=have]").wait_for()
    assert said(tab, "have").startswith("50 cases of class 'cat'")
    tab.get_by_label("My guess").check()
    settled(tab)
    assert wish.locator("option:checked").inner_text() == "accuracy"
    assert tab.locator(".wrong:visible").count() == 0
