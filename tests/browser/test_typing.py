"""Numbers are typed one after the other, and what is typed takes the place of what stood there."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import said
from tests.browser.conftest import settled
from tests.browser.test_one_matrix import cell, counts, go

pytestmark = pytest.mark.browser


def keys(tab: Any, *pressed: str) -> None:
    for key in pressed:
        if key in {"Tab", "Enter", "Shift+Tab", "ArrowLeft"}:
            tab.keyboard.press(key)
        else:
            tab.keyboard.type(key)
    settled(tab)


def test_tab_goes_from_count_to_count(opened: Any) -> None:
    tab = opened()
    names = [box.input_value() for box in tab.locator("th.name textarea").all()]
    cell(tab, 0, 0).click()
    keys(tab, "92", "Tab", "8", "Tab", "5", "Tab", "45")
    assert counts(tab) == [["92", "8"], ["5", "45"]]
    assert [box.input_value() for box in tab.locator("th.name textarea").all()] == names
    keys(tab, "Shift+Tab", "6")
    assert counts(tab) == [["92", "8"], ["6", "45"]]


def test_tab_leads_through_the_names_to_the_counts_and_out(opened: Any) -> None:
    tab = opened()
    tab.locator("th.name textarea").first.click()
    keys(tab, "Tab")
    assert tab.evaluate("document.activeElement.getAttribute('aria-label')") == "Name of class 2"
    keys(tab, "Tab")
    assert tab.evaluate("document.activeElement.dataset.row + document.activeElement.dataset.column") == "00"
    keys(tab, "Tab", "Tab", "Tab", "Tab")
    assert tab.evaluate("document.activeElement.dataset.row ?? 'out'") == "out"
    assert tab.evaluate("document.activeElement.closest('.matrix') !== null")


def test_enter_goes_down_and_to_the_top_of_the_next_column(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 0).click()
    keys(tab, "92", "Enter", "5", "Enter", "8", "Enter", "45", "Enter", "44")
    assert counts(tab) == [["92", "8"], ["5", "44"]]


def test_a_click_into_a_box_takes_what_stands_there(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("My population", exact=True).first.check(force=True)
    settled(tab)
    box = tab.get_by_label("Share of high").first
    box.click()
    keys(tab, "2 %")
    assert box.input_value() == "2 %"
    assert box.get_attribute("aria-invalid") is None
    tab.get_by_text("high 0.02").first.wait_for()


def test_an_empty_matrix_invites_and_does_not_complain(opened: Any) -> None:
    tab = opened()
    tab.get_by_role("button", name="Clear", exact=True).first.click()
    tab.locator(".matrix .wrong").first.wait_for()
    assert tab.locator(".matrix .wrong").first.inner_text() == "Type the counts, or paste a table into a cell."
    opened.complaints.clear()


def test_another_tab_begins_at_its_top(opened: Any) -> None:
    tab = opened()
    tab.evaluate("scrollTo(0, 900)")
    go(tab, "leaderboard")
    assert tab.evaluate("scrollY") == 0


PASTE = """([where, text]) => {
    const carried = new DataTransfer();
    carried.setData('text/plain', text);
    const event = new ClipboardEvent('paste', {clipboardData: carried, bubbles: true, cancelable: true});
    document.querySelector(where).dispatchEvent(event);
}"""


def test_counts_without_names_do_not_get_those_of_an_example(opened: Any) -> None:
    tab = opened()
    tab.evaluate(PASTE, ["[data-row]", "45\t5\n8\t92"])
    tab.get_by_text("Pasted 2 classes").wait_for()
    settled(tab)
    assert [box.input_value() for box in tab.locator("th.name textarea").all()] == ["class 1", "class 2"]
    tab.get_by_role("group", name="Which class is the positive one?").get_by_label("class 1", exact=True).check()
    settled(tab)
    tab.locator("th.name textarea").first.fill("relapse")
    settled(tab)
    tab.evaluate(PASTE, ["[data-row]", "44\t6\n8\t92"])
    tab.get_by_text("Pasted 2 classes").wait_for()
    assert cell(tab, 0, 0).input_value() == "44"
    assert tab.locator("th.name textarea").first.input_value() == "relapse"


def names(tab: Any) -> list[str]:
    return [box.input_value() for box in tab.locator("th.name textarea").all()]


def test_names_that_were_typed_stay_when_they_are_those_of_an_example_too(opened: Any) -> None:
    tab = opened()
    for box, name in zip(tab.locator("th.name textarea").all(), ("healthy", "ill"), strict=True):
        box.fill(name)
    settled(tab)
    tab.evaluate(PASTE, ["[data-row]", "45\t5\n8\t92"])
    tab.get_by_text("Pasted 2 classes").wait_for()
    assert names(tab) == ["healthy", "ill"]
    assert counts(tab) == [["45", "5"], ["8", "92"]]
    settled(tab)


@pytest.mark.parametrize("mode", ["patient", "compare", "plan"])
def test_the_names_of_an_example_are_those_of_no_paste_in_any_tab(opened: Any, mode: str) -> None:
    tab = opened()
    go(tab, mode)
    if mode == "plan":
        tab.get_by_label("My pilot", exact=True).check()
        settled(tab)
    if mode == "patient":
        tab.locator("details:has(table.grid) > summary").click()
    assert names(tab)[:2] == ["healthy", "ill"]
    tab.evaluate(PASTE, ["[data-row]", "45\t5\n8\t92"])
    tab.get_by_text("Pasted 2 classes").wait_for()
    assert names(tab)[:2] == ["class 1", "class 2"]
    settled(tab)
    opened.complaints.clear()  # the other classifier of Compare is still about healthy and ill


def test_a_board_is_pasted_into_a_cell_with_or_without_its_header(opened: Any) -> None:
    tab = opened()
    go(tab, "leaderboard")
    tab.evaluate(PASTE, [".entries input", "name\tcorrect\ttotal\nalpha\t90\t100\nbeta\t80\t100"])
    tab.get_by_text("Read the text.").wait_for()
    settled(tab)
    first = [box.input_value() for box in tab.locator(".entries tbody :is(textarea, input)").all()]
    assert first == ["alpha", "90", "100", "beta", "80", "100"]
    tab.evaluate(PASTE, [".entries input", "alpha\t91\t100\nbeta\t80\t100\ngamma\t70\t100"])
    tab.get_by_text("taken as name, right answers, number of cases").wait_for()
    settled(tab)
    assert [box.input_value() for box in tab.locator(".entries tbody tr").first.locator("textarea, input").all()] == [
        "alpha",
        "91",
        "100",
    ]
    tab.evaluate(PASTE, [".entries input", "alpha\t90 %\t1,000\nbeta\t80 %\t1,000"])
    tab.get_by_text("taken as name, score, number of cases").wait_for()
    settled(tab)
    assert [box.input_value() for box in tab.locator(".entries tbody tr").first.locator("textarea, input").all()] == [
        "alpha",
        "900",
        "1000",
    ]
    tab.evaluate(PASTE, [".entries input", "alpha\t0.91\nbeta\t0.8"])
    tab.get_by_text("The text, line", exact=False).wait_for()
    assert "--" not in tab.locator(".pasting .wrong").inner_text()
    opened.complaints.clear()


def test_tables_are_pasted_into_a_cell(opened: Any) -> None:
    tab = opened()
    go(tab, "tables")
    tab.evaluate(PASTE, [".fours input", "study\ttp\tfn\tfp\ttn\nOslo\t1947\t9\t101\t738\nRome\t36\t3\t78\t276"])
    tab.get_by_text("Read the text.").wait_for()
    settled(tab)
    assert [box.input_value() for box in tab.locator(".fours tbody tr").first.locator("input, textarea").all()] == [
        "Oslo",
        "1947",
        "9",
        "101",
        "738",
    ]


def test_percentages_are_no_counts_until_their_cases_are_known(opened: Any) -> None:
    tab = opened()
    tab.evaluate(PASTE, ["[data-row]", "90%\t10%\n8%\t92%"])
    tab.get_by_label("Samples of class 1").wait_for()
    assert counts(tab) == [["90%", "10%"], ["8%", "92%"]]
    tab.get_by_label("Samples of class 1").fill("50")
    tab.get_by_label("Samples of class 2").fill("100")
    tab.get_by_role("button", name="Convert to counts").click()
    settled(tab)
    assert counts(tab) == [["45", "5"], ["8", "92"]]
    assert "150 cases" in tab.locator(".answer").first.inner_text()
    opened.complaints.clear()


def test_thousands_may_be_set_apart(opened: Any) -> None:
    tab = opened()
    cell(tab, 0, 0).click()
    for text in ("1,234,567", "1'234'567", "1 234 567"):
        tab.keyboard.press("Control+a")
        keys(tab, text)
        assert counts(tab)[0][0] == "1234567", text
    tab.keyboard.press("Control+a")
    keys(tab, "0,123")  # a share is no count
    assert counts(tab)[0][0] == "0,123"
    assert cell(tab, 0, 0).get_attribute("aria-invalid") == "true"
    cell(tab, 0, 0).fill("12")
    settled(tab)
    other = tab.get_by_label("Cases of the other test")
    for text in ("10,000", "10.000", "10 000"):
        other.fill(text)
        settled(tab)
        assert "new test of 10,000 cases" in tab.locator(".again .said").inner_text(), text
    tab.get_by_label("My population").check()
    tab.get_by_label("Share of high").fill("2,125")
    settled(tab)
    assert "0.02125" in tab.locator("[data-value=about]").inner_text()
    opened.complaints.clear()  # the refusal of the share


def test_a_number_that_was_too_much_counts_once_it_fits(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("k of n cases").check()
    tab.get_by_label("Cases of it").fill("500")
    settled(tab)
    assert tab.get_by_label("Cases of it").get_attribute("aria-invalid") == "true"
    tab.get_by_label("among").fill("1000")
    settled(tab)
    state = tab.evaluate("history.state.document.evaluate.prevalence")
    assert (state["cases"], state["of"]) == (500, 1000)
    assert tab.get_by_label("Cases of it").get_attribute("aria-invalid") is None


def test_nothing_is_said_of_counts_that_were_cleared(opened: Any) -> None:
    opened.forgiven.append("status of 422")  # the refusals of cells that are empty
    tab = opened()
    before = said(tab, "verdict")
    tab.get_by_role("button", name="Clear", exact=True).click()
    settled(tab)
    assert said(tab, "verdict") == "No answer yet."
    assert tab.locator(".answers section").count() == 0
    keys(tab, "45", "Tab", "5", "Tab", "8")
    assert said(tab, "verdict") == "No answer yet."
    assert "this cell is empty" in tab.locator(".matrix .wrong").inner_text()
    keys(tab, "Tab", "92")
    assert "Balanced accuracy" in said(tab, "verdict")
    assert "low 50, high 100" in said(tab, "about")
    tab.get_by_role("button", name="Clear", exact=True).click()
    settled(tab)
    for _ in range(6):
        if said(tab, "verdict") == before:
            break
        tab.get_by_role("button", name="Undo").click()
        settled(tab)
    assert said(tab, "verdict") == before


@pytest.mark.parametrize("mode", ["evaluate", "compare", "patient", "plan"])
def test_what_is_wrong_with_a_name_is_said_once_beside_it(opened: Any, mode: str) -> None:
    opened.forgiven.append("status of 422")
    tab = opened()
    go(tab, mode)
    if mode == "plan":
        tab.get_by_label("My pilot").check(force=True)
    if mode == "patient":
        tab.get_by_text("How good the test is").first.click()
    settled(tab)
    box = tab.get_by_label("Name of class 1").first
    other = tab.get_by_label("Name of class 2").first.input_value()
    for wrong in ("", " ", other):
        box.fill(wrong)
        settled(tab)
        alerts = [text for text in tab.locator("[role=alert]").all_inner_texts() if text]
        assert len(alerts) == 1, (wrong, alerts)
        assert tab.locator(".matrix .wrong").first.inner_text() == alerts[0]


def test_a_count_may_be_pasted_with_its_share(opened: Any) -> None:
    tab = opened()
    for text, then in (("45 (90%)", "45"), ("1,234 (90.5 %)", "1234"), ("0 (0%)", "0")):
        box = cell(tab, 0, 0)
        box.select_text()
        tab.evaluate("text => navigator.clipboard.writeText(text)", text)
        tab.keyboard.press("Control+V")
        settled(tab)
        assert box.input_value() == then
    assert not any(tab.locator("[role=alert]").all_inner_texts())


def test_it_is_said_how_a_point_before_three_digits_is_read(opened: Any) -> None:
    tab = opened()
    go(tab, "leaderboard")
    box = tab.get_by_label("2nd", exact=True)
    said_of_it = "small[id=" + box.get_attribute("id") + "-hint]"
    for text, words in (
        ("1.000", "Read as 1."),
        ("12.500", "Read as 12.5."),
        ("1,000", ""),
        ("2000.5", ""),
        ("0.125", ""),
    ):
        box.fill(text)
        settled(tab)
        found = tab.locator(said_of_it)
        assert found.count() == bool(words), text
        assert not words or found.inner_text().startswith(words)
