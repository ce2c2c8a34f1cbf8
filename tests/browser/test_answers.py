"""What Evaluate answers beyond its first numbers: other populations, thresholds, decisions, the choice of metrics."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.page import EXAMPLES, PAUSE, expect, line_of, link, printed

import howsure as hs
from howsure.text import formats

pytestmark = [pytest.mark.browser, pytest.mark.deep]


def test_the_prevalence_moves_what_calls_are_worth(opened: Any) -> None:
    tab = opened()
    first, ppv = tab.value("predictive.verdict"), tab.value("precision@high.mean")
    recall = tab.value("recall@high.mean")
    tab.get_by_label("Prevalence of high").focus()
    for _ in range(30):
        tab.keyboard.press("ArrowLeft")
    tab.settle()
    assert tab.value("predictive.verdict") != first
    assert float(tab.value("precision@high.mean")) < float(ppv)
    assert tab.value("recall@high.mean") == recall
    expect(tab.field("about")).to_contain_text("Stated prevalence")
    for choice, words in (("k of n cases", "Prevalence of other cases"), ("As in the test set", "")):
        tab.tick(choice)
        expect(tab.field("about")).to_contain_text(words)
    assert tab.value("predictive.verdict") == first


#: Whether the sentence is about the place where the slider stands.
THERE = """() => {
  const odds = document.querySelector('input.slider').value;
  const sentence = document.querySelector('[data-value="predictive.verdict"]').textContent;
  // "where about 0.75 of" is the share of the test set, before the slider moves
  const found = sentence.match(/where ([0-9.e-]+) of/);
  return found !== null && Math.abs(found[1] / (1 / (1 + Math.exp(-odds))) - 1) < 0.01;
}"""


def test_a_moving_slider_is_followed_step_by_step(opened: Any) -> None:
    tab = opened()
    tab.cell(0, 1).fill("6")
    tab.stop_clock()  # a hand that never rests
    tab.get_by_label("Prevalence of high").focus()
    for _ in range(61):
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_function(THERE)
    moving = tab.locator("[data-value^='predictive.']").all_text_contents()
    tab.start_clock()
    tab.settle()
    assert tab.locator("[data-value^='predictive.']").all_text_contents() == moving


def test_a_threshold_is_dragged_by_keys_and_typed(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("Threshold of balanced accuracy").focus()
    tab.keyboard.press("ArrowRight")
    tab.settle()
    tab.get_by_label("Balanced accuracy above").fill("0.7")
    tab.settle()
    post = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"], positive="high"))
    above = post.of("balanced_accuracy").prob(above=0.7)
    expect(tab.field("balanced_accuracy.above")).to_have_text(f"P {formats.equals(above)}")
    tab.get_by_role("button", name="Remove the threshold of Balanced accuracy").click()
    tab.settle()
    expect(tab.get_by_label("Balanced accuracy above")).to_have_count(0)


def test_a_prior_for_two_classes_is_offered_for_two(opened: Any) -> None:
    tab = opened()
    tab.choose("Prior", "Caelen")
    text = printed("report", EXAMPLES / "cocaine.csv", "--prior", "caelen")
    assert tab.value("balanced_accuracy.interval") in line_of(text, "balanced_accuracy")
    tab.push("C1")  # an example of three classes
    options = tab.get_by_label("Prior", exact=True).locator("option").all_text_contents()
    assert "Jeffreys" in options
    assert "Caelen" not in options


def test_many_classes_are_shown_by_a_window_and_their_worst_confusions(opened: Any) -> None:
    tab = opened()
    size = 24
    rows = ["\t".join(str(40 if i == j else (7 if (i, j) == (3, 21) else 0)) for j in range(size)) for i in range(size)]
    tab.paste("\n".join(rows))
    expect(tab.locator(".cell")).to_have_count(100)
    tab.push("Show true 3, predicted 21")
    expect(tab.cell(3, 21)).to_have_value("7")
    expect(tab.field("n")).to_have_text("967")
    expect(tab.field("recall@3.observed")).to_have_text("0.851")


PARTS = (".thresholds", ".costs", ".more-cases", ".again")


def test_decisions_are_answered_from_the_matrix_and_survive_a_reload(opened: Any) -> None:
    tab = opened()
    metric = tab.get_by_label("How probably does it lie above or below a number?")
    metric.select_option(label="balanced accuracy")
    tab.choose("Prior", "A Beta for each rate")
    for label, text in (
        ("A miss costs", "5"), ("Further cases", "100"), ("balanced accuracy below", "0.95"),
        ("Sensitivity: right", "8"), ("Cases of the other test", "100"),
    ):  # fmt: skip
        tab.get_by_label(label).fill(text)
    tab.settle()
    expect(tab.field("cost.verdict")).to_contain_text("0.02 to 0.40")
    texts = [tab.locator(part).inner_text().replace("\u00a0", " ") for part in PARTS]
    for text, words in zip(
        texts, ("P = ", "P(less than predicting all high)", "100 more cases", "100 cases"), strict=True
    ):
        assert words in text
    assert tab.violations() == []
    tab.reload()
    assert [tab.locator(part).inner_text().replace("\u00a0", " ") for part in PARTS] == texts
    expect(tab.get_by_label("Sensitivity: right")).to_have_value("8")
    tab.push("Remove the threshold of balanced accuracy")
    expect(tab.locator(".thresholds li")).to_have_count(0)
    expect(metric.locator("option", has_text="balanced accuracy")).to_have_count(1)


def test_what_is_shown_stands_in_the_list_and_can_be_taken_away(opened: Any) -> None:
    # two names of one number, and one that no list has
    chosen = ["recall@healthy", "specificity@ill", "fbeta(beta=2)@ill", "accuracy"]
    matrix = {"classes": ["healthy", "ill"], "counts": [[45, 5], [8, 42]], "positive": "ill"}
    tab = opened(link("evaluate", {"matrix": matrix, "metrics": chosen}))
    summary = tab.locator("details.metrics > summary")
    summary.click()
    listed = tab.locator(".metrics .checks label")
    on = [label.inner_text().split("\n")[0] for label in listed.all() if label.locator("input").is_checked()]
    assert sorted(on) == ["F2", "accuracy", "recall of healthy", "specificity"]
    # one more, and those that no list has stay
    tab.get_by_role("checkbox", name="MCC", exact=True).check()
    tab.settle()
    expect(summary).to_contain_text("5 chosen")
    for name in ("F2", "recall of healthy", "specificity"):
        listed.filter(has_text=name).locator("input:checked").last.click()
        tab.settle()
    expect(summary).to_contain_text("2 chosen")


LATE = {"code": "TooLong", "message": "the answer takes more than 10 s", "field": None}


def test_an_answer_that_takes_too_long_is_not_asked_for_again(opened: Any) -> None:
    opened.forgiven.append("status of 503")
    tab = opened()
    asked: list[str] = []
    tab.route("**/api/v1/report", lambda route: (asked.append(route.request.url), route.fulfill(status=503, json=LATE)))
    tab.put(0, 0, "60")
    expect(tab.locator(".answer [role=alert]")).to_contain_text("takes more than 10 s")
    count = len(asked)
    tab.clock.fast_forward(PAUSE)
    tab.settle()
    assert len(asked) == count
