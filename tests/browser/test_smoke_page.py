"""What every reader of the page does: typing, pasting, files, keys, links, export. Run by `make browser`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.browser.conftest import Served
from tests.browser.page import MODES, REFUSED, expect, link, packed, printed, unpacked
from tests.hostile import LABELS
from tests.patience import PATIENCE

import howsure as hs
from howsure.io import read

pytestmark = pytest.mark.browser

NASTY = '<img src=x onerror="window.hacked=1"></script><script>window.hacked=2</script>'


def test_counts_are_typed_with_tab_and_enter_and_undone(opened: Any) -> None:
    tab = opened()
    tab.cell(0, 0).click()
    for key in ("92", "Tab", "8", "Tab", "5", "Tab", "45", "Shift+Tab", "6"):
        tab.keyboard.type(key) if key.isdigit() else tab.keyboard.press(key)
    tab.settle()
    assert tab.counts() == [["92", "8"], ["6", "45"]]
    expect(tab.field("n")).to_have_text("151")
    tab.put(0, 0, "93")
    tab.push("Undo")
    assert tab.counts() == [["92", "8"], ["6", "45"]]


def test_a_cell_that_is_no_count_is_named_where_it_stands(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    ink = "getComputedStyle(document.querySelector('.verdict')).color"
    before = tab.evaluate(ink)
    tab.put(0, 1, "-2")
    expect(tab.locator(".matrix .wrong")).to_contain_text("-2")
    expect(tab.cell(0, 1)).to_have_attribute("aria-invalid", "true")
    assert tab.evaluate(ink) != before  # the answer of other counts is quiet, and can be read
    assert tab.violations() == []
    tab.put(0, 1, "2")
    assert tab.evaluate(ink) == before
    expect(tab.locator(".matrix .wrong")).to_have_text("")


def test_a_table_is_pasted_and_the_positive_class_asked_for(opened: Any) -> None:
    tab = opened()
    tab.paste("true\\pred\tcat\tdog\ncat\t9\t1\ndog\t2\t8\n")
    assert (tab.counts(), tab.names()) == ([["9", "1"], ["2", "8"]], ["cat", "dog"])
    asked = tab.get_by_role("group", name="Which class is the positive one?")
    expect(asked.get_by_role("radio", checked=True)).to_have_count(0)
    for guess in ("positive class:", "comes last", "As a test for", "f1@", "What errors cost"):
        expect(tab.locator("main")).not_to_contain_text(guess)
    each = [tab.value(f"recall@{name}.mean") for name in ("cat", "dog")]
    asked.get_by_label("cat").check()
    tab.settle()
    assert tab.locator(".kind").all_inner_texts() == ["TP", "FN", "FP", "TN"]
    expect(tab.field("about")).to_contain_text("positive class: cat")
    assert [tab.value(f"rates.{name}") for name in ("sensitivity", "specificity")] == each
    tab.paste("true\\pred\till\thealthy\nill\t9\t1\nhealthy\t2\t8\n")  # names that everyone knows
    expect(tab.get_by_role("group", name="Positive class").get_by_label("ill")).to_be_checked()


def test_a_text_that_is_no_table_changes_nothing_and_says_why(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.paste("one\ttwo\nthree\tfour", tab.cell(0, 0))
    expect(tab.locator(".matrix p.hint[role=status]")).to_contain_text("line 1")
    assert tab.counts() == [["6", "2"], ["0", "26"]]
    tab.put(0, 0, "7")
    expect(tab.locator(".matrix p.hint[role=status]")).to_have_text("")


WRONG = (0, 1, 2, 3, 9, 25, 26, 27, 40, 54, 55, 56, 57, 63)


def test_a_file_of_cases_in_groups_is_read_and_its_column_chosen(opened: Any, tmp_path: Path) -> None:
    truth = ["ill" if i < 36 else "well" for i in range(72)]
    said = [("well" if t == "ill" else "ill") if i in WRONG else t for i, t in enumerate(truth)]
    rows = [f"<b>p{i // 6:02d}</b>,s{i % 3},{t},{s}" for i, (t, s) in enumerate(zip(truth, said, strict=True))]
    path = tmp_path / "lesions.csv"
    path.write_text("\n".join(["patient,site,y_true,y_pred", *rows]) + "\n")
    tab = opened()
    tab.drop((path.name, path.read_text()))
    alone = hs.report(hs.infer(read(str(path)).confusion)).verdict
    assert tab.value("verdict") == alone
    picker = tab.get_by_label("Cases of one patient, document or question")
    picker.select_option(label="patient (12 groups)")
    tab.locator('[data-value="worth"]').wait_for()
    tab.settle()
    matrix = read(str(path), group="patient").confusion
    assert tab.value("verdict") == hs.report(hs.infer(matrix)).verdict
    tab.get_by_role("group", name="Numbers are about").get_by_label("new cases of the same groups").check()
    tab.settle()
    assert tab.value("verdict") == hs.report(hs.infer(matrix, groups="these")).verdict
    tab.push("Take each case by itself")
    assert tab.value("verdict") == alone


def test_cases_without_a_truth_are_entered(opened: Any) -> None:
    tab = opened()
    tab.paste("true\\pred\tfail\tpass\nfail\t22\t7\npass\t6\t65")
    tab.get_by_text("Some truths are missing").click()
    for name, count in (("fail", "572"), ("pass", "1328")):
        tab.get_by_label(f"Predicted {name}, not checked").fill(count)
    tab.settle()
    matrix = hs.ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"], unlabelled=[572, 1328], positive="pass")
    assert tab.value("verdict") == hs.report(hs.infer(matrix)).verdict
    assert tab.violations() == []


def test_the_figures_of_an_abstract_become_a_table(opened: Any) -> None:
    tab = opened()
    tab.get_by_text("From a published abstract").click()
    for label, text in (
        ("Sensitivity", "84%"), ("Specificity", "90"), ("Cases with the condition", "50"), ("Cases without it", "50"),
    ):  # fmt: skip
        tab.get_by_label(label, exact=True).fill(text)
    with tab.expect_response("**/api/v1/reconstruct"):
        tab.push("Find the table")
    tab.settle()
    assert tab.counts() == [["45", "5"], ["8", "42"]]
    expect(tab.field("verdict")).to_contain_text("0.86 (95% HDI 0.79 to 0.92)")


#: What has the focus: its name, which it is, whether a ring is drawn, and whether it is in sight below the head.
FOCUS = """() => {
  const e = document.activeElement;
  if (e === document.body) return null;
  const ringed = (each) => each && getComputedStyle(each).outlineStyle !== 'none' && parseFloat(getComputedStyle(each).outlineWidth) >= 2;
  const seen = e.matches('.segments input') ? e.nextElementSibling : e;
  const box = seen.getBoundingClientRect();
  const head = document.querySelector('.head').getBoundingClientRect();
  const within = e.closest('.head') ? 0 : head.bottom;
  window.focused ??= new Map();
  if (!window.focused.has(e)) window.focused.set(e, window.focused.size);
  return {
    name: (e.closest('fieldset')?.querySelector('legend')?.textContent ?? e.getAttribute('aria-label') ?? e.textContent).trim(),
    which: window.focused.get(e),
    ringed: Boolean(ringed(seen) || ringed(e.closest('.button'))),
    inSight: box.bottom > within && box.top < innerHeight && box.width > 0,
  };
}"""  # noqa: E501
#: Presses of Tab from one end of the longest page to the other.
MOST = 250


@pytest.mark.parametrize("mode", [
    "evaluate",
    *(pytest.param(mode, marks=pytest.mark.deep) for mode in MODES),
])  # fmt: skip
def test_from_load_to_another_answer_by_keys_alone(opened: Any, mode: str) -> None:
    tab = opened()

    def focus(key: str) -> Any:
        tab.keyboard.press(key)
        return tab.evaluate(FOCUS)

    # from the top of the page, past which nothing on it has moved the focus
    first = [focus("Tab") for _ in range(3)]
    assert [stop and stop["name"].partition(" ")[0] for stop in first] == ["Skip", "howsure", "Evaluate"]
    while tab.evaluate("document.activeElement.id") != f"tab-{mode}":
        focus("ArrowRight")
        tab.settle()
    before, verdict = tab.locator(".mode").inner_text(), tab.value("verdict")
    # another level of the intervals
    stops: list[Any] = []
    while len(stops) < MOST and (not stops or stops[-1]["name"] != "Probability inside"):
        stops.append(focus("Tab"))
    tab.keyboard.press("ArrowRight")
    tab.settle()
    assert tab.locator(".mode").inner_text() != before
    expect(tab.locator(".segments input:focus")).to_have_count(1)
    tab.keyboard.press("ArrowLeft")
    tab.settle()
    assert tab.value("verdict") == verdict
    # to the end of the page and around: each place once
    while len(stops) < MOST and stops[-1] is not None and not stops[-1]["name"].startswith("Skip to"):
        stops.append(focus("Tab"))
    places = [stop for stop in stops if stop is not None]
    assert len(stops) < MOST
    assert [stop["name"] for stop in places if not stop["ringed"]] == []
    assert [stop["name"] for stop in places if not stop["inSight"] and not stop["name"].startswith("Skip")] == []
    assert len({stop["which"] for stop in places}) == len(places)


def test_a_link_brings_back_what_was_shared_and_no_name_of_it_runs(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("Name of class 1").fill(NASTY)
    tab.put(0, 0, "17")
    tab.push("Share")
    shared = tab.locator("input.link").input_value()
    assert tab.violations() == []
    tab.push("Copy link")
    tab.get_by_text("Copied.").wait_for()
    assert tab.evaluate("navigator.clipboard.readText()") == shared
    assert unpacked(shared)["evaluate"]["matrix"]["classes"][0] == NASTY
    other = opened(shared[shared.index("#") :])
    expect(other.get_by_label("Name of class 1")).to_have_value(NASTY)
    assert other.value("verdict") == tab.value("verdict")
    for each in (tab, other):
        assert each.evaluate("window.hacked") is None
        expect(each.locator("img[src=x]")).to_have_count(0)


def test_hostile_names_run_nothing(opened: Any) -> None:
    entries = [name for name in LABELS if name.strip() == name and 0 < len(name) <= 200 and "\0" not in name]
    board = [{"name": name, "correct": 80 + i, "n": 100} for i, name in enumerate(entries)]
    tab = opened(link("leaderboard", {"entries": board}))
    assert tab.value("verdict")
    assert tab.evaluate("window.hacked") is None
    expect(tab.locator(".answers img, .answers script")).to_have_count(0)


def test_the_address_follows_and_a_reload_gives_the_same_page(opened: Any) -> None:
    tab = opened()
    assert "#" not in tab.url  # nothing was done yet
    tab.put(0, 0, "17")
    assert unpacked(tab.address())["evaluate"]["matrix"]["counts"][0][0] == 17
    shown = tab.locator("#main").inner_text()
    tab.reload()
    assert tab.locator("#main").inner_text() == shown
    tab.go("plan")
    tab.go_back()
    expect(tab.locator("#tab-evaluate[aria-selected=true]")).to_have_count(1)
    tab.settle()
    assert tab.counts()[0][0] == "17"


def test_a_damaged_link_is_reported_in_place_of_an_example(opened: Any) -> None:
    fragment = "#v=1&c=00000000&s=" + packed({"v": 1, "mode": "evaluate"})
    tab = opened(fragment)
    expect(tab.get_by_role("alert")).to_contain_text("damaged")
    expect(tab.locator(".grid, .answers")).to_have_count(0)
    assert tab.url.endswith(fragment)
    tab.push("Begin anew")
    assert tab.counts() == [["6", "2"], ["0", "26"]]


def test_what_is_exported_holds_the_number(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    verdict, number = tab.value("verdict"), tab.value("balanced_accuracy.mean")
    tab.push("Export")
    for ending in ("HTML", "SVG"):
        with tab.expect_download() as waiting:
            tab.locator("dialog").get_by_role("button", name=ending).click()
        target = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(target)
        assert number in target.read_text(encoding="utf-8")
    assert tab.violations() == []
    tab.push("Copy Python")
    tab.get_by_text("Python copied.").wait_for()
    code = tab.evaluate("navigator.clipboard.readText()")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert verdict in done.stdout


def test_the_theme_is_chosen_by_its_switch_and_stays(opened: Any) -> None:
    tab = opened()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(paper)
    tab.get_by_role("switch", name="Dark theme").click()
    assert tab.evaluate(paper) != light
    tab.reload()
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"


def test_without_its_server_the_page_keeps_what_was_typed_and_works_on_after(opened: Any) -> None:
    # the browser logs that nobody answered, also what the page asks in silence
    opened.forgiven.append("ERR_CONNECTION")
    own = Served()
    tab = opened(url=own.url)
    own.stop()
    tab.cell(0, 0).fill("60")
    lost = tab.get_by_role("alert").filter(has_text="Connection to the local server lost")
    lost.wait_for()
    tab.cell(0, 1).fill("20")
    assert tab.counts() == [["60", "20"], ["0", "26"]]
    again = Served(own.port)
    try:
        tab.settle()
        expect(tab.field("n")).to_have_text("106")
        expect(lost).to_have_count(0)
    finally:
        again.stop()


def test_a_busy_server_is_asked_again(opened: Any) -> None:
    opened.forgiven.append("status of 503")
    tab = opened()
    before = tab.value("verdict")
    busy = [True]
    reply = {"status": 503, "json": {"code": "Busy", "message": "other questions took all the time", "field": None}}
    tab.route("**/api/v1/report", lambda route: route.fulfill(**reply) if busy[0] else route.continue_())
    tab.cell(0, 0).fill("60")
    tab.get_by_text("it is asked again").wait_for()
    assert tab.value("verdict") == before
    busy[0] = False
    tab.settle()
    expect(tab.get_by_text("it is asked again")).to_have_count(0)
    expect(tab.field("about")).to_contain_text("low 62")


def test_a_written_report_page_moves_its_sentence_and_runs_no_name(chromium: Any, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=LABELS[:2], positive=LABELS[1]))
    hs.save(hs.report(post), target, title=LABELS[0], comment=NASTY)
    tab = chromium.new_page(viewport={"width": 375, "height": 800})
    faults: list[str] = []
    tab.on("console", lambda message: faults.append(message.text))
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("request", lambda request: request.url == target.as_uri() or faults.append(request.url))
    tab.goto(target.as_uri())
    sentence, line = tab.locator("output").first, tab.locator("line.here").first
    first, place = sentence.text_content(), float(line.get_attribute("x1"))
    tab.locator("input[type=range]").first.focus()
    for _ in range(20):
        tab.keyboard.press("ArrowLeft")
    expect(sentence).not_to_have_text(first)
    assert float(line.get_attribute("x1")) < place
    tab.keyboard.press("Home")
    expect(sentence).to_contain_text(f"{post.predictive_values().at(0.001)[0][1]:.3f}")
    assert tab.evaluate("window.hacked") is None
    assert [fault for fault in faults if not fault.startswith("data:")] == []
    tab.close()


def test_examples_and_settings_reach_the_answer(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    tab.get_by_label("Central").check(force=True)
    tab.get_by_label("90%").check(force=True)
    tab.get_by_label("Prior", exact=True).select_option(label="Jeffreys")
    tab.locator(".metrics summary").click()
    tab.get_by_role("group", name="Metrics").get_by_label("informedness", exact=True).check()
    tab.settle()
    path = tmp_path / "matrix.csv"
    path.write_text("true\\pred,low,high\nlow,6,2\nhigh,0,26\n")
    options = ("--kind", "central", "--level", "0.9", "--prior", "jeffreys", "--metric", "informedness@high")
    text = printed("report", path, *options)
    assert tab.value("informedness@high.interval") in next(
        line for line in text.splitlines() if line.startswith("informedness@high")
    )
    tab.push("0 of 25 LLM failures")
    assert tab.counts() == [["12", "0"], ["0", "13"]]
    expect(tab.get_by_label("90%")).to_be_checked()


def test_a_plan_takes_the_pilot_that_is_pasted(opened: Any) -> None:
    tab = opened.at("plan")
    tab.paste("TP 86, FN 14, FP 30, TN 170")
    expect(tab.get_by_label("My pilot", exact=True)).to_be_checked()
    assert tab.counts() == [["170", "30"], ["14", "86"]]
    tab.enter("Width of the interval", "0.2")
    assert int(tab.value("needed.1").replace(",", "")) > 0
