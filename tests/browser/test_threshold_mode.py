"""Threshold in a real browser: a point that is dragged, and the matrix and the numbers that follow it."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.page import EXAMPLES, REFUSED, as_json, expect

import howsure as hs
from howsure.io import read_scores
from howsure.metrics.measure import put_plainly
from howsure.numerics.curves.curve_numbers import even_in_both

pytestmark = [pytest.mark.browser, pytest.mark.deep]

CANCER = EXAMPLES / "breast_cancer.csv"
CELLS = ("benign.1", "benign.2", "malignant.1", "malignant.2")
TYPED = "Threshold: positive from this score on"
METRICS = {
    "sensitivity": "recall",
    "specificity": "specificity",
    "PPV": "precision",
    "F1": "f1",
    "accuracy": "accuracy",
}


def numbers(tab: Any) -> list[tuple[str, str]]:
    return [(tab.value(f"{name}.2"), tab.value(f"{name}.3")) for name in METRICS]


def test_the_numbers_at_a_threshold_are_those_of_a_report_and_the_matrix_goes_there(opened: Any) -> None:
    tab = opened.at("threshold")
    before = tab.value("verdict"), tab.value("about"), numbers(tab)
    tab.drop(("cancer.csv", CANCER.read_text()))  # which the example is
    assert (tab.value("verdict"), tab.value("about"), numbers(tab)) == before
    tab.enter(TYPED, "0.4")
    matrix = read_scores(str(CANCER)).confusion_at(0.4)
    report = hs.report(hs.infer(matrix), list(METRICS.values()))
    assert numbers(tab) == [tuple(row[2:4]) for row in report.sheet().rows]
    tab.push("Open this matrix under Evaluate")
    expect(tab.locator("#tab-evaluate")).to_have_attribute("aria-selected", "true")
    for j, name in enumerate(("benign", "malignant")):
        expect(tab.get_by_label(f"true malignant, predicted {name}")).to_have_value(str(matrix.counts[1][j]))


def test_every_step_of_a_drag_is_shown(opened: Any) -> None:
    tab = opened.at("threshold")
    # along the curve itself, a place of the slider a step
    scores = read_scores(str(CANCER))
    stops = even_in_both(scores.scores, scores.truth == 1, 100)[80:20:-1].tolist()
    box = tab.locator(".square rect.hand").bounding_box()
    for step, stop in enumerate(stops):
        (tn, fp), (fn, tp) = scores.confusion_at(stop).counts.tolist()
        found, alarms = tp / (tp + fn), fp / (fp + tn)
        tab.mouse.move(box["x"] + box["width"] * alarms, box["y"] + box["height"] * (1 - found))
        if step == 0:
            tab.mouse.down()
        expect(tab.field("verdict")).to_contain_text(f"{tp} of 76 malignant are found, and {fp} of 114 benign")
        assert [tab.value(key) for key in CELLS] == [str(n) for n in (tn, fp, fn, tp)]
        expect(tab.field("sensitivity.1")).to_have_text(f"{tp / 76:.3f}")
    tab.mouse.up()
    assert len(stops) == 60


def test_the_slider_moves_by_keys_and_says_where_it_is(opened: Any) -> None:
    tab = opened.at("threshold")
    slider = tab.get_by_label("Threshold, as a slider")
    before = float(tab.value("threshold"))
    slider.focus()
    for _ in range(60):
        tab.keyboard.press("ArrowRight")
    tab.settle()
    after = float(tab.value("threshold"))
    assert after > before
    words = slider.get_attribute("aria-valuetext")
    assert words.startswith(f"{after:g}: ")
    assert "% found" in words
    expect(tab.field("verdict")).to_contain_text(f"From a score of {after:g} on")


def test_best_for_says_what_choosing_flatters_and_net_benefit_is_that_of_the_decision_curve(opened: Any) -> None:
    tab = opened.at("threshold")
    for label, options in (("F1", ("-m", "f1")), ("Cost", ("--cost", "fp=1,fn=5"))):
        tab.tick(label, exact=True)
        answer = as_json("threshold", CANCER, *options)
        assert tab.value("best.0") == put_plainly(answer["verdict"], [answer["metric"]], "malignant")
        expect(tab.field("best.1")).to_contain_text("Choosing flatters")
        assert float(tab.value("threshold")) == pytest.approx(answer["threshold"])
    tab.enter(TYPED, "0.2")
    tab.locator("label.check input").check()
    tab.settle()
    point = as_json("threshold", CANCER, "--net-benefit", "--at", 0.2)["points"][0]
    expect(tab.field("net benefit.3")).to_have_text(f"{point['low']:.2f} to {point['high']:.2f}")


def test_which_class_high_scores_stand_for_is_asked_and_what_is_no_score_is_named(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("threshold")
    tab.drop(("cats.csv", "y_true,score\n" + "cat,0.1\ncat,0.4\ndog,0.3\ndog,0.9\n" * 5))
    expect(tab.locator(".drop [role=status]")).to_contain_text("choose it below")
    expect(tab.locator(".answer .wrong")).to_contain_text("high scores stand for")
    tab.tick("dog", exact=True)
    expect(tab.field("about")).to_contain_text("high scores stand for dog")
    expect(tab.locator(".answer .wrong")).to_have_count(0)
    tab.get_by_text("Paste scores").click()
    tab.get_by_label("CSV or cells of a spreadsheet").fill("y_true,score\nill,0.9\nwell,high\n")
    tab.push("Read it")
    expect(tab.locator(".pasting .wrong")).to_contain_text("line 3")


def test_a_finger_moves_the_point(opened: Any) -> None:
    tab = opened.at("threshold", size=(375, 812), has_touch=True)
    before = tab.value("verdict")
    square = tab.locator(".square svg")
    square.scroll_into_view_if_needed()
    box = square.bounding_box()
    tab.touchscreen.tap(box["x"] + 0.8 * box["width"], box["y"] + 0.1 * box["height"])
    tab.settle()
    assert tab.value("verdict") != before
