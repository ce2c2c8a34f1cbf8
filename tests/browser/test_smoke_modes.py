"""Every mode is opened, and one number of it is the command line's. These tests are run by `make browser`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import EXAMPLES, FAULTS, TABS, as_json, expect, line_of, printed

from howsure.metrics.measure import put_plainly

pytestmark = pytest.mark.browser

CANCER = EXAMPLES / "breast_cancer.csv"


def test_evaluate(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    for text, low in (("2", 2), ("12", 12)):
        tab.put(0, 1, text)
        path = tmp_path / "matrix.csv"
        path.write_text(f"true\\pred,low,high\nlow,6,{low}\nhigh,0,26\n")
        report, text = as_json("report", path), printed("report", path)
        assert tab.value("verdict") == report["verdict"]
        for row in report["metrics"]:
            name = row["metric"] + (f"@{row['label']}" if row["label"] else "")
            for key in ("observed", "mean", "interval"):
                assert tab.value(f"{name}.{key}") in line_of(text, name)
    expect(tab.field("sentence")).to_have_text("12 true low were predicted high.")


def test_threshold(opened: Any) -> None:
    tab = opened.at("threshold")
    tab.enter("Threshold: positive from this score on", "0.4")
    answer = as_json("threshold", CANCER, "--points", "--at", 0.4)
    assert tab.value("verdict") == answer["verdict"]
    cells = [tab.value(key) for key in ("benign.1", "benign.2", "malignant.1", "malignant.2")]
    assert cells == [str(answer["points"][0][name]) for name in ("tn", "fp", "fn", "tp")]


def test_compare(opened: Any, tmp_path: Path) -> None:
    files = [tmp_path / "new.csv", tmp_path / "old.csv"]
    files[0].write_text("true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n")
    files[1].write_text("true\\pred,healthy,ill\nhealthy,40,10\nill,9,41\n")
    tab = opened.at("compare")
    tab.enter("Differences up to this size do not matter", "0.02")
    answer, text = as_json("compare", *files, "--rope", 0.02), printed("compare", *files, "--rope", 0.02)
    assert tab.value("verdict") == answer["verdict"]
    for name in ("new", "old", "new - old"):
        for column in (1, 2, 3):
            assert tab.value(f"{name}.{column}") in line_of(text, name)
    for row, name in (("new is better", "p_better"), ("within 0.02", "p_equal"), ("old is better", "p_worse")):
        assert float(tab.value(f"chances.{row}.1")) == pytest.approx(answer[name], abs=5e-4)
    parts = tab.locator('[data-picture="chances"] .part')
    widths = [float(parts.nth(i).get_attribute("width")) for i in range(3)]
    shares = [answer["p_worse"], answer["p_equal"], answer["p_better"]]
    assert [width / sum(widths) for width in widths] == pytest.approx(shares, abs=0.002)


def test_leaderboard(opened: Any) -> None:
    tab = opened.at("leaderboard")
    asked = ("rank", EXAMPLES / "kaggle_recursion.csv", "--prizes", "10000,2000,1000")
    answer, text = as_json(*asked), printed(*asked)
    # the page calls the teams of Kaggle by their places
    assert tab.value("verdict").partition(" ")[2].partition(" ")[2] == answer["verdict"].partition(" ")[2]
    header = tab.locator(".answers thead").first.locator("th").all_inner_texts()
    for place, entry in enumerate(answer["entries"], 1):
        for key in ("n", "mean", "rank", "tier", "P(best)", "P(top 3)", "E(prize)"):
            assert tab.value(f"team {place}.{header.index(key)}") in line_of(text, entry["name"])


def test_tables(opened: Any) -> None:
    tab = opened.at("tables")
    text = printed("pool", EXAMPLES / "audit_c.csv")
    assert tab.value("verdict") in " ".join(text.split())
    for site in ("typical study", "new study", "study 3"):
        for column in (3, 4, 7, 8):
            assert tab.value(f"{site}.{column}") in line_of(text, site)


def test_plan(opened: Any) -> None:
    tab = opened.at("plan")
    asked = ("plan", "recall", "--width", 0.1, "--guess", 0.9)

    def plainly(answer: Any) -> str:
        return put_plainly(answer["verdict"], [answer["metric"]], "positive")

    answer = as_json(*asked)
    assert tab.value("verdict") == plainly(answer)
    assert tab.value("needed.1") == str(answer["n"])
    for n in (100, 250):
        tab.enter("Cases that I have", str(n))
        assert tab.value("have") == plainly(as_json(*asked, "--n", n))
    tab.enter("Cases that I have", "")
    expect(tab.locator("[data-value=have]")).to_have_count(0)


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    path = tmp_path / "test.csv"
    path.write_text("true\\pred,healthy,ill\nhealthy,190,10\nill,5,45\n")
    return path


def test_patient(opened: Any, matrix: Path) -> None:
    tab = opened.at("patient")
    asked = (matrix, "--positive", "ill", "--pre-test", 0.02, "--result")
    answers = as_json("post-test", *asked, "positive")["answers"][0]["probabilities"]
    ill = next(p for p in answers if p["label"] == "ill")
    assert float(tab.value("positive.2")) == pytest.approx(ill["mean"], abs=5e-3)
    for result in ("positive", "negative"):
        tab.choose("Result 1", result)
        assert tab.value("verdict") == printed("post-test", *asked, result).splitlines()[0]


#: Whether the sentence is about the place where the slider stands.
THERE = """() => {
  const odds = document.querySelector('input.slider').value;
  const share = document.querySelector('[data-value="verdict"]').textContent.match(/: ([0-9.e-]+) before/)[1];
  return Math.abs(share / (1 / (1 + Math.exp(-odds))) - 1) < 0.01;
}"""


def test_a_slider_moves_the_sentence_as_it_goes(opened: Any, matrix: Path) -> None:
    tab = opened.at("patient")
    tab.stop_clock()  # a hand that never rests
    slider = tab.get_by_label("Probability of ill before the test, as a slider")
    slider.focus()
    for _ in range(20):
        tab.keyboard.press("ArrowRight")
        tab.wait_for_function(THERE)
    moving = tab.value("verdict")
    tab.start_clock()
    assert tab.value("verdict") == moving
    percent = float(tab.get_by_label("Probability of ill before the test", exact=True).input_value())
    # twenty steps of 0.05 are a factor of e in odds
    assert percent / (100 - percent) == pytest.approx(2.718 * 2 / 98, rel=0.05)
    asked = (matrix, "--positive", "ill", "--pre-test", percent / 100, "--result", "positive")
    assert moving == printed("post-test", *asked).splitlines()[0]


def test_one_matrix_and_one_level_are_in_all_tabs_that_have_them(opened: Any) -> None:
    opened.forgiven.append("status of 422")  # the second matrix of Compare waits to be typed
    tab = opened()
    tab.cell(0, 0).fill("71")
    tab.get_by_role("group", name="Probability inside").get_by_label("90%").check()
    tab.choose("Prior", "Jeffreys")
    for mode in ("patient", "plan", "compare"):
        tab.go(mode)
        if mode == "plan":
            tab.tick("My pilot", exact=True)
        assert tab.grids()[0] == [["71", "2"], ["0", "26"]], mode
        expect(tab.get_by_role("group", name="Probability inside").get_by_label("90%")).to_be_checked()
        assert tab.chosen("Prior") == "Jeffreys"
    tab.put(0, 0, "72")  # and back the other way
    tab.go("evaluate")
    assert tab.grids()[0][0][0] == "72"


def test_axe_finds_nothing_in_any_mode_on_a_phone_in_the_dark(opened: Any) -> None:
    tab = opened(scheme="dark", size=(375, 812))
    for mode in TABS:
        tab.go(mode)
        assert tab.violations() == [], mode
        assert tab.fits(), mode


def test_nothing_is_cut_or_covered_in_any_mode(opened: Any) -> None:
    tab = opened(size=(320, 900))
    for mode in TABS:
        tab.go(mode)
        assert tab.evaluate(FAULTS) == [], mode


def test_on_paper_there_is_dark_text_and_nothing_to_press_in_any_mode(opened: Any) -> None:
    tab = opened(scheme="dark")
    for mode in TABS:
        tab.go(mode)
        tab.emulate_media(media="print", color_scheme="dark")
        pressed = tab.locator("button:visible, summary:visible, input[type=range]:visible, .drop:visible")
        expect(pressed).to_have_count(0)
        for part in (".verdict", ".notes"):
            expect(tab.locator(part)).to_be_visible()
        ink = tab.evaluate("getComputedStyle(document.querySelector('.verdict')).color")
        assert max(int(part) for part in ink.removeprefix("rgb(").rstrip(")").split(",")) < 80, mode
        assert tab.fits(), mode
        tab.emulate_media(media="screen")
