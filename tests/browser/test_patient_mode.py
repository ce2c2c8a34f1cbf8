"""One patient or sample in a real browser: before, after, again, and in whole people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.browser.asking import as_json, at, choose, fill, printed, said
from tests.browser.conftest import settled

pytestmark = pytest.mark.browser


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    path = tmp_path / "test.csv"
    path.write_text("true\\pred,healthy,ill\nhealthy,190,10\nill,5,45\n")
    return path


def headline(*arguments: object) -> str:
    return printed("post-test", *arguments).splitlines()[0]


def test_after_a_positive_result(opened: Any, matrix: Path) -> None:
    tab = at(opened, "patient")
    asked = (matrix, "--positive", "ill", "--pre-test", 0.02, "--result", "positive")
    assert said(tab, "verdict") == headline(*asked)
    ill = next(p for p in as_json("post-test", *asked)["answers"][0]["probabilities"] if p["label"] == "ill")
    assert float(said(tab, "positive@ill.probability")) == pytest.approx(ill["mean"], abs=5e-3)
    assert said(tab, "positive@ill.interval") == f"{ill['low']:.2f} to {ill['high']:.2f}"
    choose(tab, "Result 1", "negative")
    assert said(tab, "verdict") == headline(*asked[:-1], "negative")


def test_the_slider_moves_by_keys_on_the_scale_of_odds(opened: Any, matrix: Path) -> None:
    tab = at(opened, "patient")
    slider = tab.get_by_label("Probability of ill before the test, as a slider")
    slider.focus()
    for _ in range(20):
        tab.keyboard.press("ArrowRight")
    settled(tab)
    before = float(tab.get_by_label("Probability of ill before the test", exact=True).input_value())
    # twenty steps of 0.05 are a factor of e in odds
    assert before / (100 - before) == pytest.approx(2.718 * 2 / 98, rel=0.05)
    assert said(tab, "verdict") == headline(
        matrix, "--positive", "ill", "--pre-test", before / 100, "--result", "positive"
    )
    assert "ill" in slider.get_attribute("aria-valuetext")


#: Whether the sentence, the table and the dots are about the place where the slider stands.
OF_HERE = """() => {
  const odds = document.querySelector('input.slider').value;
  const share = document.querySelector('[data-value="verdict"]').textContent.match(/: ([0-9.e-]+) before/)[1];
  return Math.abs(share / (1 / (1 + Math.exp(-odds))) - 1) < 0.01;
}"""


def test_a_moving_slider_is_followed_step_by_step_from_few_answers(opened: Any) -> None:
    tab = at(opened, "patient")
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.post_data or ""))
    tab.get_by_label("Probability of ill before the test, as a slider").focus()
    for _ in range(60):
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_function(OF_HERE)
    stops = [share for body in asked if '"stops"' in body for share in json.loads(body)["stops"]]
    questions = sum('"stops"' in body for body in asked)
    assert questions < 16
    assert len(stops) < len(set(stops)) + questions  # none is asked for twice, but where the slider stands
    keys = ("verdict", "positive@ill.probability", "positive@ill.interval")
    moving = [said(tab, key) for key in keys]
    settled(tab)
    assert [said(tab, key) for key in keys] == moving
    # another matrix, other stops
    tab.get_by_text("How good the test is").click()
    tab.get_by_label("true ill, predicted healthy").fill("0")
    settled(tab)
    tab.get_by_label("Probability of ill before the test, as a slider").focus()
    tab.keyboard.press("ArrowRight")
    tab.wait_for_function(OF_HERE)
    moving = [said(tab, key) for key in keys]
    settled(tab)
    assert [said(tab, key) for key in keys] == moving


def test_a_second_test_warns_that_it_may_err_alike(opened: Any, matrix: Path) -> None:
    tab = at(opened, "patient")
    assert tab.locator(".results .warning").count() == 0
    tab.get_by_role("button", name="+ Another test").click()
    settled(tab)
    assert "often errs in the same way" in tab.locator(".results .warning").inner_text()
    expected = headline(matrix, "--positive", "ill", "--pre-test", 0.02, "--result", "positive", "--result", "positive")
    assert said(tab, "verdict") == expected
    # what was known after the first stays in the table
    assert said(tab, "positive@ill.probability") != said(tab, "positive, positive@ill.probability")
    tab.get_by_role("button", name="Remove result 2").click()
    settled(tab)
    assert tab.locator(".results .warning").count() == 0


def test_people_add_up(opened: Any) -> None:
    tab = at(opened, "patient")
    counts = [int(said(tab, f"frequencies.{i}").split()[0].replace(",", "")) for i in range(4)]
    assert sum(counts) == 10_000
    assert counts[0] + counts[1] == 200
    assert tab.locator('[data-picture="frequencies"] path.icon').count() == 8  # four kinds, each with its key


def test_another_class_and_other_counts(opened: Any, matrix: Path) -> None:
    tab = at(opened, "patient")
    choose(tab, "Is it", "healthy")
    fill(tab, "Probability of healthy before the test", "98")
    asked = (matrix, "--positive", "healthy", "--pre-test", 0.98, "--result", "positive")
    assert said(tab, "verdict") == headline(*asked)
    tab.get_by_text("How good the test is").click()
    tab.get_by_label("true ill, predicted healthy").fill("0")
    settled(tab)
    matrix.write_text(matrix.read_text().replace("ill,5,45", "ill,0,45"))
    assert said(tab, "verdict") == headline(*asked)


def test_three_classes_ask_which_was_called(opened: Any, matrix: Path) -> None:
    tab = at(opened, "patient")
    tab.get_by_text("How good the test is").click()
    tab.evaluate("text => navigator.clipboard.writeText(text)", "x,a,b,c\na,30,0,2\nb,0,3,1\nc,1,1,8")
    tab.locator("[data-row='0'][data-column='0']").focus()
    tab.keyboard.press("Control+v")
    settled(tab)
    choose(tab, "Is it", "b")
    choose(tab, "Result 1", "b")
    matrix.write_text("true\\pred,a,b,c\na,30,0,2\nb,0,3,1\nc,1,1,8\n")
    shown = said(tab, "verdict")
    assert "b" in shown
    assert tab.locator(".answer .wrong").count() == 0
    expected = headline(matrix, "--pre-test", "b=0.02", "--result", "b")
    assert shown == expected
