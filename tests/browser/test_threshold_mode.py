"""Threshold in a real browser: a point that is dragged, and the matrix and the numbers that follow it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.asking import EXAMPLES, as_json, at, drop, fill, said
from tests.browser.conftest import settled
from tests.patience import PATIENCE

import howsure as hs
from howsure.io import read_scores
from howsure.metrics.plain_names import put_plainly
from howsure.numerics.curves.cut_counts import even_in_both

pytestmark = pytest.mark.browser

CANCER = EXAMPLES / "breast_cancer.csv"

#: Whether all places of the slider have their numbers.
KNOWN = "() => !document.querySelector('.at-numbers').textContent.includes('…')"


def opened_at(opened: Any, **how: Any) -> Any:
    tab = at(opened, "threshold", **how)
    tab.wait_for_function(KNOWN)
    return tab


def numbers(tab: Any) -> dict[str, tuple[str, str]]:
    names = ("sensitivity", "specificity", "PPV", "NPV", "LR+", "LR-", "F1", "accuracy", "balanced accuracy")
    return {name: (said(tab, f"{name}.mean"), said(tab, f"{name}.interval")) for name in names}


def test_the_example_is_the_file(opened: Any) -> None:
    tab = opened_at(opened)
    before = said(tab, "verdict"), said(tab, "about"), numbers(tab)
    drop(tab, ("cancer.csv", CANCER.read_text()))
    tab.wait_for_function(KNOWN)
    assert (said(tab, "verdict"), said(tab, "about"), numbers(tab)) == before


def test_a_typed_threshold_has_the_numbers_of_the_command_line_and_of_a_report(opened: Any) -> None:
    tab = opened_at(opened)
    fill(tab, "Threshold: positive from this score on", "0.4")
    tab.wait_for_function(KNOWN)
    made = as_json("threshold", CANCER, "--points", "--at", 0.4)
    assert said(tab, "verdict") == made["verdict"]
    cells = [said(tab, key) for key in ("negative.no", "negative.yes", "positive.no", "positive.yes")]
    point = made["points"][0]
    assert cells == [str(point[name]) for name in ("tn", "fp", "fn", "tp")]
    names = ["recall", "specificity", "precision", "f1", "accuracy"]
    report = hs.report(hs.infer(read_scores(str(CANCER)).confusion_at(0.4)), names)
    shown = numbers(tab)
    for title, row in zip(("sensitivity", "specificity", "PPV", "F1", "accuracy"), report.sheet().rows, strict=True):
        assert shown[title] == row[2:4]


def test_every_step_of_a_drag_is_shown(opened: Any) -> None:
    tab, asked, known = opened(), [], set()

    def hear(response: Any) -> None:
        if response.ok and response.url.endswith("/api/v1/threshold"):
            known.update(response.request.post_data_json.get("stops") or ())

    tab.on("response", hear)
    # questions only: the browser fetches its icon when it likes
    tab.on("request", lambda request: "/api/" in request.url and asked.append(request.url))
    tab.click("#tab-threshold")
    settled(tab)
    places = int(tab.get_by_label("Threshold, as a slider").get_attribute("max")) + 1
    for _ in range(4 * PATIENCE):  # until all that is asked for beforehand is there
        if len(known) == places:
            break
        tab.wait_for_timeout(250)
    assert len(known) == places
    settled(tab)
    asked.clear()
    # along the curve itself, a place of the slider a step
    scores = read_scores(str(CANCER))
    stops = even_in_both(scores.scores, scores.truth == 1, 100)[80:20:-1]
    box = tab.locator(".square svg").bounding_box()
    side = box["width"] - 40 - 14
    followed = 0
    for step, stop in enumerate(stops.tolist()):
        (tn, fp), (fn, tp) = scores.confusion_at(stop).counts.tolist()
        x, y = box["x"] + 40 + side * fp / (fp + tn), box["y"] + 26 + side * (1 - tp / (tp + fn))
        tab.mouse.move(x, y)
        if step == 0:
            tab.mouse.down()
        tab.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert tab.evaluate(KNOWN)
        cells = [said(tab, key) for key in ("negative.no", "negative.yes", "positive.no", "positive.yes")]
        assert cells == [str(n) for n in (tn, fp, fn, tp)]
        assert f"{tp} of 76 malignant are found, and {fp} of 114 benign" in said(tab, "verdict")
        followed += said(tab, "sensitivity.observed") == f"{tp / 76:.3f}"
    tab.mouse.up()
    assert followed == len(stops) == 60
    assert asked == []


def test_the_slider_moves_by_keys_and_says_where_it_is(opened: Any) -> None:
    tab = opened_at(opened)
    slider = tab.get_by_label("Threshold, as a slider")
    slider.focus()
    before = float(said(tab, "threshold"))
    for _ in range(60):
        tab.keyboard.press("ArrowRight")
    settled(tab)
    after = float(said(tab, "threshold"))
    assert after > before
    assert slider.get_attribute("aria-valuetext").startswith(f"{after:g}: ")
    assert "% found" in slider.get_attribute("aria-valuetext")
    assert f"From a score of {after:g} on" in said(tab, "verdict")


def test_best_for_says_what_choosing_flatters(opened: Any) -> None:
    tab = opened_at(opened)
    for label, options in (("F1", ("-m", "f1")), ("Cost", ("--cost", "fp=1,fn=5"))):
        tab.get_by_label(label, exact=True).check()
        settled(tab)
        made = as_json("threshold", CANCER, *options)
        assert said(tab, "best.0") == put_plainly(made["verdict"], [made["metric"]], "malignant")
        assert "Choosing flatters" in said(tab, "best.1")
        assert float(said(tab, "threshold")) == pytest.approx(made["threshold"])


def test_net_benefit_is_that_of_the_decision_curve(opened: Any) -> None:
    tab = opened_at(opened)
    fill(tab, "Threshold: positive from this score on", "0.2")
    tab.locator("label.check input").check()
    settled(tab)
    tab.wait_for_function(KNOWN)
    point = as_json("threshold", CANCER, "--net-benefit", "--at", 0.2)["points"][0]
    assert said(tab, "net benefit.interval") == f"{point['low']:.2f} to {point['high']:.2f}"


def test_the_matrix_goes_to_the_report(opened: Any) -> None:
    tab = opened_at(opened)
    verdict = said(tab, "verdict")
    tab.get_by_role("button", name="Open this matrix under Evaluate").click()
    settled(tab)
    assert tab.locator("#tab-evaluate").get_attribute("aria-selected") == "true"
    count = tab.get_by_label("true malignant, predicted malignant").input_value()
    assert f"{count} of 76 malignant" in verdict
    assert tab.get_by_label("true malignant, predicted benign").input_value() == str(76 - int(count))


def test_which_class_high_scores_stand_for_is_asked(opened: Any) -> None:
    tab = opened_at(opened)
    drop(tab, ("cats.csv", "y_true,score\n" + "cat,0.1\ncat,0.4\ndog,0.3\ndog,0.9\n" * 5))
    assert "choose it below" in tab.locator(".drop [role=status]").inner_text()
    assert "high scores stand for" in tab.locator(".answer .wrong").inner_text()
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]
    tab.get_by_label("dog", exact=True).check()
    settled(tab)
    assert "high scores stand for dog" in said(tab, "about")
    assert tab.locator(".answer .wrong").count() == 0


def test_what_is_no_score_is_told(opened: Any) -> None:
    tab = opened_at(opened)
    tab.get_by_text("Paste scores").click()
    tab.get_by_label("CSV or cells of a spreadsheet").fill("y_true,score\nill,0.9\nwell,high\n")
    tab.get_by_role("button", name="Read it").click()
    tab.wait_for_selector(".pasting .wrong")
    assert "line 3" in tab.locator(".pasting .wrong").inner_text()
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]


def test_a_finger_moves_the_point(opened: Any) -> None:
    tab = opened_at(opened, size=(375, 812), has_touch=True)
    before = said(tab, "verdict")
    square = tab.locator(".square svg")
    square.scroll_into_view_if_needed()
    box = square.bounding_box()
    tab.touchscreen.tap(box["x"] + 0.8 * box["width"], box["y"] + 0.1 * box["height"])
    settled(tab)
    assert said(tab, "verdict") != before


def test_a_report_page_moves_without_a_server(chromium: Any, tmp_path: Path) -> None:
    from howsure.curves import curve_report

    target = tmp_path / "curve.html"
    made = curve_report(read_scores(str(CANCER)), draws=500)
    hs.save(made, target)
    points = made.operating_points()
    assert points is not None
    tab = chromium.new_page(viewport={"width": 900, "height": 800})
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(message.text))
    tab.goto(target.as_uri())
    slider = tab.get_by_role("slider")
    slider.focus()
    tab.keyboard.press("Home")
    for step in range(60):
        point = points.points[step]
        cells = [tab.locator(f"[data-cell='{i}']").text_content() for i in range(4)]
        assert cells == [str(n) for n in (point.tn, point.fp, point.fn, point.tp)]
        row = tab.locator("[data-row='5'] td").all_text_contents()
        assert row == list(point["negative_likelihood_ratio"].shown)
        assert slider.get_attribute("aria-valuetext").startswith(f"{point.threshold:.6g}: ")
        tab.keyboard.press("ArrowRight")
    place = tab.locator("[data-curve=roc] .here").first.get_attribute("cx")
    box = tab.locator("[data-curve=roc] svg").bounding_box()
    tab.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.05 * box["height"])
    tab.mouse.down()
    assert float(tab.locator("[data-curve=roc] .here").first.get_attribute("cx")) > float(place)
    tab.mouse.up()
    tab.emulate_media(media="print")
    assert not slider.is_visible()
    assert tab.locator("[data-cell='0']").is_visible()
    assert complaints == []
    tab.close()
