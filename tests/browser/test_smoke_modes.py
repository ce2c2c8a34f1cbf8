"""Every mode is opened, and one number of it is the command line's. These tests are run by `make browser`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.browser.page import (
    EXAMPLES,
    FAULTS,
    TABS,
    as_json,
    at,
    cell,
    choose,
    chosen,
    expect,
    field,
    fill,
    fits,
    go,
    grids,
    line_of,
    printed,
    settle,
    start_clock,
    stop_clock,
    value,
    violations,
)

from howsure.metrics.plain_names import put_plainly

pytestmark = pytest.mark.browser

CANCER = EXAMPLES / "breast_cancer.csv"


def test_evaluate(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    for text, low in (("2", 2), ("12", 12)):
        cell(tab, 0, 1).fill(text)
        settle(tab)
        path = tmp_path / "matrix.csv"
        path.write_text(f"true\\pred,low,high\nlow,6,{low}\nhigh,0,26\n")
        report, text = as_json("report", path), printed("report", path)
        assert value(tab, "verdict") == report["verdict"]
        for row in report["metrics"]:
            name = row["metric"] + (f"@{row['label']}" if row["label"] else "")
            for key in ("observed", "mean", "interval"):
                assert value(tab, f"{name}.{key}") in line_of(text, name)
    expect(field(tab, "sentence")).to_have_text("12 true low were called high.")


def test_threshold(opened: Any) -> None:
    tab = at(opened, "threshold")
    fill(tab, "Threshold: positive from this score on", "0.4")
    answer = as_json("threshold", CANCER, "--points", "--at", 0.4)
    assert value(tab, "verdict") == answer["verdict"]
    cells = [value(tab, key) for key in ("negative.no", "negative.yes", "positive.no", "positive.yes")]
    assert cells == [str(answer["points"][0][name]) for name in ("tn", "fp", "fn", "tp")]


def test_compare(opened: Any, tmp_path: Path) -> None:
    files = [tmp_path / "new.csv", tmp_path / "old.csv"]
    files[0].write_text("true\\pred,healthy,ill\nhealthy,45,5\nill,8,42\n")
    files[1].write_text("true\\pred,healthy,ill\nhealthy,40,10\nill,9,41\n")
    tab = at(opened, "compare")
    fill(tab, "Differences up to this size do not matter", "0.02")
    answer, text = as_json("compare", *files, "--rope", 0.02), printed("compare", *files, "--rope", 0.02)
    assert value(tab, "verdict") == answer["verdict"]
    for name in ("new", "old", "new - old"):
        for key in ("observed", "mean", "interval"):
            assert value(tab, f"{name}.{key}") in line_of(text, name)
    for key, name in (("better", "p_better"), ("same", "p_equal"), ("worse", "p_worse")):
        assert float(value(tab, key)) == pytest.approx(answer[name], abs=5e-4)
    parts = tab.locator('[data-picture="chances"] .part')
    widths = [float(parts.nth(i).get_attribute("width")) for i in range(3)]
    shares = [answer["p_worse"], answer["p_equal"], answer["p_better"]]
    assert [width / sum(widths) for width in widths] == pytest.approx(shares, abs=0.002)


def test_leaderboard(opened: Any) -> None:
    tab = at(opened, "leaderboard")
    asked = ("rank", EXAMPLES / "kaggle_recursion.csv", "--prizes", "10000,2000,1000")
    answer, text = as_json(*asked), printed(*asked)
    assert value(tab, "verdict") == answer["verdict"]
    for entry in answer["entries"]:
        for key in ("n", "score", "interval", "rank_interval", "p_best", "p_top", "prize"):
            assert value(tab, f"{entry['name']}.{key}") in line_of(text, entry["name"])
        assert int(value(tab, f"{entry['name']}.tier")) == entry["tier"]
    # those of one tier share the rank of its first
    ranks = [int(value(tab, f"{entry['name']}.rank")) for entry in answer["entries"]]
    assert ranks == [1, 1, 3, 3, 3, 6, 6, 6, 6, 6]


def test_tables(opened: Any) -> None:
    tab = at(opened, "tables")
    text = printed("pool", EXAMPLES / "audit_c.csv")
    assert value(tab, "verdict") in " ".join(text.split())
    for site in ("typical study", "new study", "study 3"):
        for column in (3, 4, 7, 8):
            assert value(tab, f"{site}.{column}") in line_of(text, site)


def test_plan(opened: Any) -> None:
    tab = at(opened, "plan")
    asked = ("plan", "recall", "--width", 0.1, "--guess", 0.9)

    def plainly(answer: Any) -> str:
        return put_plainly(answer["verdict"], [answer["metric"]], "positive")

    answer = as_json(*asked)
    assert value(tab, "verdict") == plainly(answer)
    assert value(tab, "n") == str(answer["n"])
    for n in (100, 250):
        fill(tab, "Cases that I have", str(n))
        assert value(tab, "have") == plainly(as_json(*asked, "--n", n))
    fill(tab, "Cases that I have", "")
    expect(tab.locator("[data-value=have]")).to_have_count(0)


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    path = tmp_path / "test.csv"
    path.write_text("true\\pred,healthy,ill\nhealthy,190,10\nill,5,45\n")
    return path


def test_patient(opened: Any, matrix: Path) -> None:
    tab = at(opened, "patient")
    asked = (matrix, "--positive", "ill", "--pre-test", 0.02, "--result")
    answers = as_json("post-test", *asked, "positive")["answers"][0]["probabilities"]
    ill = next(p for p in answers if p["label"] == "ill")
    assert float(value(tab, "positive@ill.probability")) == pytest.approx(ill["mean"], abs=5e-3)
    for result in ("positive", "negative"):
        choose(tab, "Result 1", result)
        assert value(tab, "verdict") == printed("post-test", *asked, result).splitlines()[0]


#: Whether the sentence is about the place where the slider stands.
THERE = """() => {
  const odds = document.querySelector('input.slider').value;
  const share = document.querySelector('[data-value="verdict"]').textContent.match(/: ([0-9.e-]+) before/)[1];
  return Math.abs(share / (1 / (1 + Math.exp(-odds))) - 1) < 0.01;
}"""


def test_a_slider_moves_the_sentence_as_it_goes(opened: Any, matrix: Path) -> None:
    tab = at(opened, "patient")
    stop_clock(tab)  # a hand that never rests
    slider = tab.get_by_label("Probability of ill before the test, as a slider")
    slider.focus()
    for _ in range(20):
        tab.keyboard.press("ArrowRight")
        tab.wait_for_function(THERE)
    moving = value(tab, "verdict")
    start_clock(tab)
    assert value(tab, "verdict") == moving
    percent = float(tab.get_by_label("Probability of ill before the test", exact=True).input_value())
    # twenty steps of 0.05 are a factor of e in odds
    assert percent / (100 - percent) == pytest.approx(2.718 * 2 / 98, rel=0.05)
    asked = (matrix, "--positive", "ill", "--pre-test", percent / 100, "--result", "positive")
    assert moving == printed("post-test", *asked).splitlines()[0]


def test_one_matrix_and_one_level_are_in_all_tabs_that_have_them(opened: Any) -> None:
    opened.forgiven.append("status of 422")  # the second matrix of Compare waits to be typed
    tab = opened()
    cell(tab, 0, 0).fill("71")
    tab.get_by_role("group", name="Probability inside").get_by_label("90 %").check()
    choose(tab, "Prior", "Jeffreys")
    for mode in ("patient", "plan", "compare"):
        go(tab, mode)
        if mode == "plan":
            tab.get_by_label("My pilot", exact=True).check()
            settle(tab)
        assert grids(tab)[0] == [["71", "2"], ["0", "26"]], mode
        expect(tab.get_by_role("group", name="Probability inside").get_by_label("90 %")).to_be_checked()
        assert chosen(tab, "Prior") == "Jeffreys"
    cell(tab, 0, 0).fill("72")  # and back the other way
    settle(tab)
    go(tab, "evaluate")
    assert grids(tab)[0][0][0] == "72"


def test_axe_finds_nothing_in_any_mode_on_a_phone_in_the_dark(opened: Any) -> None:
    tab = opened(scheme="dark", size=(375, 812))
    for mode in TABS:
        go(tab, mode)
        assert violations(tab) == [], mode
        assert fits(tab), mode


def test_nothing_is_cut_or_covered_in_any_mode(opened: Any) -> None:
    tab = opened(size=(320, 900))
    for mode in TABS:
        go(tab, mode)
        assert tab.evaluate(FAULTS) == [], mode


def test_on_paper_there_is_dark_text_and_nothing_to_press(opened: Any) -> None:
    tab = opened(scheme="dark")
    tab.emulate_media(media="print", color_scheme="dark")
    expect(tab.locator("button:visible, summary:visible, input[type=range]:visible, .drop:visible")).to_have_count(0)
    expect(tab.locator(".verdict")).to_be_visible()
    ink = tab.evaluate("getComputedStyle(document.querySelector('.verdict')).color")
    assert max(int(part) for part in ink.removeprefix("rgb(").rstrip(")").split(",")) < 80
    assert fits(tab)
