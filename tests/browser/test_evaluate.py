"""Evaluate in a real browser: every number is the library's, and each way of entering a matrix leads there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.browser.asking import printed as command_line
from tests.browser.conftest import settled, violations

EXAMPLE = Path(__file__).parents[2] / "examples" / "cocaine.csv"

pytestmark = pytest.mark.browser


def said(tab: Any, key: str) -> str:
    """The text of a value on the page, its spaces made plain."""
    return " ".join(tab.locator(f'[data-value="{key}"]').first.inner_text().split())


def cell(tab: Any, row: int, column: int) -> Any:
    return tab.locator(f'[data-row="{row}"][data-column="{column}"]')


def counts(tab: Any) -> list[list[str]]:
    size = tab.locator(".grid tbody tr").count()
    return [[cell(tab, i, j).input_value() for j in range(size)] for i in range(size)]


def paste(tab: Any, text: str) -> None:
    """As the keyboard does it, through the clipboard."""
    tab.evaluate("text => navigator.clipboard.writeText(text)", text)
    cell(tab, 0, 0).focus()
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    settled(tab)


def test_the_first_sight_is_the_command_lines_answer(opened: Any) -> None:
    tab = opened()
    expected = json.loads(command_line("report", str(EXAMPLE), "--json"))
    assert said(tab, "verdict") == expected["verdict"]
    assert "Balanced accuracy is 0.83 (95 % HDI 0.69 to 0.96)" in said(tab, "verdict")
    printed = command_line("report", str(EXAMPLE))
    for row in expected["metrics"]:
        name = row["metric"] + (f"@{row['label']}" if row["label"] else "")
        line = next(line for line in printed.splitlines() if re.match(rf"{re.escape(name)} (\*)?", line))
        for key in ("observed", "mean", "interval"):
            assert said(tab, f"{name}.{key}") in line
    # the published interval of the paper: 89 to 100 %
    assert said(tab, "recall@high.interval") == "0.89 to 1.00"
    assert said(tab, "n") == "34"


def test_an_edited_cell_changes_the_numbers_to_the_librarys(opened: Any, tmp_path: Path) -> None:
    tab = opened()
    cell(tab, 0, 1).fill("12")
    settled(tab)
    other = tmp_path / "other.csv"
    other.write_text("true\\pred,low,high\nlow,6,12\nhigh,0,26\n")
    expected = json.loads(command_line("report", str(other), "--json"))
    assert said(tab, "verdict") == expected["verdict"]
    assert said(tab, "row_total@low") == "18"
    assert said(tab, "share@low@high") == "67 %"
    assert said(tab, "sentence") == "12 true low were called high."


@pytest.mark.parametrize(
    "text",
    [
        "9\t1\n2\t8\n",
        "9,1\n2,8",
        "np.array([[9, 1],\n          [2, 8]])",
        "[9 1; 2 8]",
        "9 & 1 \\\\\n2 & 8 \\\\",
        "[[9, 1], [2, 8]]",
        "true\\pred\tlow\thigh\nlow\t9\t1\nhigh\t2\t8\n",
        "9\t1\t10\n2\t8\t10\n11\t9\t20\n",
        "TP=8 FN=2 FP=1 TN=9",
    ],
    ids=["tsv", "csv", "numpy", "matlab", "latex", "python", "labelled", "totals", "cells"],
)
def test_a_matrix_is_pasted_in_many_dialects(opened: Any, text: str) -> None:
    tab = opened()
    paste(tab, text)
    assert counts(tab) == [["9", "1"], ["2", "8"]]
    assert said(tab, "n") == "20"


def test_what_is_pasted_and_is_no_matrix_gets_a_sentence_that_the_next_edit_takes_away(opened: Any) -> None:
    tab = opened()
    first, said_of = counts(tab), tab.locator(".matrix p.hint[role=status]")
    paste(tab, "one\ttwo\nthree\tfour")
    assert all("422" in line for line in opened.complaints)
    opened.complaints.clear()
    assert "the pasted text, line 1: the first line (one, two) is no header that is known" in said_of.inner_text()
    assert counts(tab) == first
    cell(tab, 0, 0).fill("7")
    settled(tab)
    assert said_of.inner_text() == ""


@pytest.mark.parametrize("word", ["n/a", "45%", "1'23", "cat"])
def test_a_word_that_is_pasted_into_a_box_goes_there(opened: Any, word: str) -> None:
    tab = opened()
    tab.evaluate("text => navigator.clipboard.writeText(text)", word)
    name = tab.get_by_label("Name of class 1")
    name.focus()
    name.select_text()
    tab.keyboard.press("Control+v")
    settled(tab)
    assert name.input_value() == word
    assert "Balanced accuracy is 0.83" in said(tab, "verdict")
    cell(tab, 0, 0).focus()
    tab.keyboard.press("Control+v")
    settled(tab)
    assert cell(tab, 0, 0).input_value() == word
    assert f"True {word}, predicted {word}: " in tab.locator(".matrix .wrong").inner_text()
    assert all("422" in line for line in opened.complaints)
    opened.complaints.clear()


def test_transposing_twice_is_the_same_and_the_sentence_says_what_a_row_is(opened: Any) -> None:
    tab = opened()
    first, sentence = counts(tab), said(tab, "sentence")
    tab.get_by_role("button", name="Transpose").click()
    settled(tab)
    assert counts(tab) == [["6", "0"], ["2", "26"]]
    assert said(tab, "sentence") == "2 true high were called low."
    tab.get_by_role("button", name="Transpose").click()
    settled(tab)
    assert counts(tab) == first
    assert said(tab, "sentence") == sentence


def test_undo_and_redo_by_key_and_by_button(opened: Any) -> None:
    tab = opened()
    first = counts(tab)
    cell(tab, 1, 0).focus()
    tab.keyboard.type("123")
    settled(tab)
    assert counts(tab)[1][0] == "123"
    tab.keyboard.press("Control+z")
    settled(tab)
    assert counts(tab) == first  # one series of keys is one step
    tab.get_by_role("button", name="Redo").click()
    settled(tab)
    assert counts(tab)[1][0] == "123"


def test_keys_move_in_the_grid(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 0).focus()
    at = "[document.activeElement.dataset.row, document.activeElement.dataset.column].join()"
    for key, place in [("ArrowRight", "0,1"), ("ArrowDown", "1,1"), ("ArrowLeft", "1,0"), ("ArrowUp", "0,0"),
                       ("Enter", "1,0"), ("Shift+Enter", "0,0"), ("Tab", "0,1")]:  # fmt: skip
        tab.keyboard.press(key)
        assert tab.evaluate(at) == place


def test_a_count_that_is_none_is_refused_in_words_and_stays_as_typed(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 1).fill("-2")
    settled(tab)
    # the browser itself logs the status 422 of the refusal
    assert len(opened.complaints) >= 1
    assert all("422" in line for line in opened.complaints)
    opened.complaints.clear()
    assert "-2" in tab.locator(".matrix .wrong").inner_text()
    assert cell(tab, 0, 1).get_attribute("aria-invalid") == "true"
    assert cell(tab, 0, 1).input_value() == "-2"
    cell(tab, 0, 1).fill("2")
    settled(tab)
    assert "Balanced accuracy is 0.83" in said(tab, "verdict")


def test_shares_become_counts(opened: Any) -> None:
    tab = opened()
    paste(tab, "0.75\t0.25\n0\t1")
    opened.complaints.clear()  # shares are no counts, which the server says
    for name, n in [("class 1", "8"), ("class 2", "26")]:
        tab.get_by_label(f"Samples of {name}").fill(n)
    tab.get_by_role("button", name="Convert to counts").click()
    settled(tab)
    assert counts(tab) == [["6", "2"], ["0", "26"]]
    assert "Balanced accuracy is 0.83" in said(tab, "verdict")


def test_classes_are_added_renamed_and_removed(opened: Any) -> None:
    tab = opened()
    tab.get_by_role("button", name="+ Class").click()
    settled(tab)
    assert tab.locator(".grid tbody tr").count() == 3
    tab.get_by_label("Name of class 3").fill("middling")
    cell(tab, 2, 2).fill("9")
    settled(tab)
    assert said(tab, "row_total@middling") == "9"
    assert "recall of middling" in tab.locator(".data").first.inner_text()
    tab.get_by_role("button", name="Remove class low").click()
    settled(tab)
    assert counts(tab) == [["26", "0"], ["0", "9"]]


def test_the_prevalence_slider_moves_what_calls_are_worth(opened: Any) -> None:
    tab = opened()
    slider = tab.get_by_label("Prevalence of high")
    first, ppv = said(tab, "predictive.verdict"), said(tab, "precision@high.mean")
    recall = said(tab, "recall@high.mean")
    slider.focus()
    for _ in range(30):
        tab.keyboard.press("ArrowLeft")
    settled(tab)
    assert said(tab, "predictive.verdict") != first
    assert float(said(tab, "precision@high.mean")) < float(ppv)
    assert said(tab, "recall@high.mean") == recall
    assert "Stated prevalence" in said(tab, "about")
    tab.get_by_label("k of n cases").check(force=True)
    settled(tab)
    assert "Prevalence of other cases" in said(tab, "about")
    tab.get_by_label("As in the test set").check(force=True)
    settled(tab)
    assert said(tab, "predictive.verdict") == first


def test_a_moving_slider_is_followed_step_by_step_from_a_few_answers(opened: Any) -> None:
    tab = opened()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.post_data or ""))
    cell(tab, 0, 1).fill("6")
    # a page that rests asks for the places about its slider
    with tab.expect_response(lambda answer: places_asked_for([answer.request.post_data or ""], 6) != []):
        settled(tab)
    assert [len(each) for each in places_asked_for(asked, 6)] == [128]
    tab.get_by_label("Prevalence of high").focus()
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_function(OF_HERE)
    for _ in range(60):
        tab.keyboard.press("ArrowLeft")
        tab.wait_for_function(OF_HERE)
    stops = places_asked_for(asked, 6)
    # the nearest first, and then as many as are known; none twice, but where the slider stood
    assert [len(each) for each in stops][:2] == [128, 128]
    assert len(stops) < 5
    assert len({share for each in stops for share in each}) == 277
    assert sum(map(len, stops)) < 277 + len(stops)
    here = np.mean(stops[0])
    assert abs(np.array(stops[0]) - here).max() < abs(np.array(stops[-1]) - here).max()
    moving = said(tab, "predictive.verdict"), tab.locator("[data-value^='predictive.']").all_text_contents()
    settled(tab)
    assert (said(tab, "predictive.verdict"), tab.locator("[data-value^='predictive.']").all_text_contents()) == moving
    # where it rested is another question, and the stops are still the same
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate(OF_HERE)
    settled(tab)
    assert places_asked_for(asked, 6) == stops
    cell(tab, 0, 1).fill("7")
    settled(tab)
    tab.get_by_label("Prevalence of high").focus()
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_function(OF_HERE)
    moving = said(tab, "predictive.verdict")
    settled(tab)
    assert said(tab, "predictive.verdict") == moving
    assert places_asked_for(asked, 7)


def places_asked_for(bodies: list[str], count: int) -> list[list[float]]:
    """Of each question about the slider, where the second cell has that count."""
    asked = [json.loads(body) for body in bodies if '"stops"' in body]
    return [body["stops"] for body in asked if body["matrix"]["counts"][0][1] == count]


#: Whether the sentence is about the place where the slider stands.
OF_HERE = """() => {
  const odds = document.querySelector('input.slider').value;
  const sentence = document.querySelector('[data-value="predictive.verdict"]').textContent;
  // "where about 0.75 of" is the share of the test set, before the slider moves
  const found = sentence.match(/where ([0-9.e-]+) of/);
  return found !== null && Math.abs(found[1] / (1 / (1 + Math.exp(-odds))) - 1) < 0.01;
}"""


def test_a_threshold_is_dragged_by_keys_and_typed(opened: Any) -> None:
    tab = opened()
    slider = tab.get_by_label("Threshold of balanced accuracy")
    slider.focus()
    tab.keyboard.press("ArrowRight")
    settled(tab)
    tab.get_by_label("Balanced accuracy above").fill("0.7")
    settled(tab)
    known = command_line_probability(0.7)
    assert said(tab, "balanced_accuracy.above") == f"P {known}"
    tab.get_by_role("button", name="Remove the threshold of Balanced accuracy").click()
    settled(tab)
    assert tab.get_by_label("Balanced accuracy above").count() == 0


def command_line_probability(x: float) -> str:
    import howsure as hs
    from howsure.text import formats

    post = hs.infer(hs.ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"], positive="high"))
    return formats.equals(post.of("balanced_accuracy").prob(above=x))


def test_choices_of_kind_level_prior_and_metrics_reach_the_answer(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("Central").check(force=True)
    tab.get_by_label("90 %").check(force=True)
    tab.get_by_label("Prior", exact=True).select_option(label="Jeffreys")
    tab.locator(".metrics summary").click()
    tab.get_by_role("group", name="Metrics").get_by_label("informedness", exact=True).check()
    settled(tab)
    printed = command_line(
        "report",
        str(EXAMPLE),
        "--kind",
        "central",
        "--level",
        "0.9",
        "--prior",
        "jeffreys",
        "--metric",
        "informedness@high",
    )
    line = next(line for line in printed.splitlines() if line.startswith("informedness@high"))
    assert said(tab, "informedness@high.interval") in line
    assert "Prior: jeffreys" in said(tab, "about")


def test_a_prior_for_two_classes_is_offered_for_two(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("Prior", exact=True).select_option(label="Caelen")
    settled(tab)
    assert "Prior: caelen" in said(tab, "about")
    printed = command_line("report", str(EXAMPLE), "--prior", "caelen")
    line = next(line for line in printed.splitlines() if line.startswith("balanced_accuracy"))
    assert said(tab, "balanced_accuracy.interval") in line
    assert "drawn jointly" in tab.locator(".settings .hint").inner_text()
    tab.get_by_role("button", name="C1", exact=True).click()
    settled(tab)
    options = tab.get_by_label("Prior", exact=True).locator("option").all_text_contents()
    assert "Jeffreys" in options
    assert "Caelen" not in options


def test_another_laboratory(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("Cases of the other test").fill("100")
    settled(tab)
    assert "100" in said(tab, "replication.verdict")
    assert tab.locator('figure[data-picture="replication"] svg').count() == 1


def test_many_classes_are_shown_by_a_window_and_their_worst_confusions(opened: Any) -> None:
    tab = opened()
    size = 24
    rows = ["\t".join(str(40 if i == j else (7 if (i, j) == (3, 21) else 0)) for j in range(size)) for i in range(size)]
    paste(tab, "\n".join(rows))
    assert tab.locator(".cell").count() == 100
    assert "Commonest confusions" in tab.locator(".matrix").inner_text()
    tab.get_by_role("button", name="Show true 3, predicted 21").click()
    assert cell(tab, 3, 21).input_value() == "7"
    assert said(tab, "n") == "967"
    assert said(tab, "recall@3.observed") == "0.851"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(375, 812), (1440, 900)], ids=["phone", "desk"])
def test_axe_finds_nothing(opened: Any, scheme: str, size: tuple[int, int]) -> None:
    tab = opened(scheme=scheme, size=size)
    tab.get_by_label("Cases of the other test").fill("50")
    tab.get_by_label("Threshold of balanced accuracy").focus()
    tab.keyboard.press("ArrowRight")
    settled(tab)
    assert violations(tab) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for name in ("Share", "Export"):
        tab.get_by_role("button", name=name, exact=True).click()
        tab.wait_for_timeout(100)
        assert violations(tab) == []
        tab.keyboard.press("Escape")
