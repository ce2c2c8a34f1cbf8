"""Print-outs that are pasted into the page by the keys: what is shown, and to what its message belongs."""

from __future__ import annotations

import io
from typing import Any

import pytest
from tests.browser.asking import at, said
from tests.browser.conftest import settled
from tests.print_outs import CARET, PRINT_OUTS, REPORT

pytestmark = pytest.mark.browser

#: What is said where nothing in a text tells what its rows are.
ASSUMED = "Rows were taken as the true class; if they are not, transpose."
#: Texts that are no matrix, and words of what is said of them.
REFUSED = {
    "one\ttwo\nthree\tfour": "the first line (one, two) is no header that is known",
    "true\\pred,a,b\na,90%,10%\nb,16%,80%\n": "or add a column n with the cases of each row",
    "true\\pred,a,b,n\na,90%,10%,500\nb,16%,84%,50\n": "are those of several counts of 500 cases",
    "true\\pred,a,b\na,45/50,6/50\nb,8/50,42/50\n": "must add up to it in each row",
    "a\tb\n45\tn/a\n8\t42\n": "is no header that is known",
    "5\t6\n3\tn/a": "is missing (n/a)",
    "[[45, 5], [8, 42]": "a bracket is not closed",
    REPORT.replace("50", "500").replace("100", "1000"): "howsure reconstruct --sizes 500,500",
    REPORT.replace("    accuracy", "  dead 0.10 0.10 0.10 4\n    accuracy"): "classification report of 3 classes",
    "sensitivity 84%, specificity 90%, n = 100; both\n": "From a published abstract",
    "true\\pred\ta\tb\tTotal\na\t45\t5\t51\nb\t8\t42\t50\nTotal\t53\t47\t100\n": "holds 51 in the row 'a'",
}
#: Texts that are no matrix either: the tab where they belong, and what is said where the matrix is a pilot.
ELSEWHERE = {
    "id,y_true,pred_A,pred_B\n1,x,x,y\n2,y,y,y\n": ("compare", "These are the answers of several classifiers"),
    "name,score,n\na,0.86,50\nb,0.84,50\n": ("leaderboard", "This is a leaderboard"),
}


def cell(tab: Any, row: int, column: int) -> Any:
    return tab.locator(f'[data-row="{row}"][data-column="{column}"]')


def shown(tab: Any) -> tuple[list[list[int]], list[str]]:
    """Counts of the grid and the names of its classes."""
    size = tab.locator(".grid tbody tr").count()
    cells = [[int(cell(tab, i, j).input_value()) for j in range(size)] for i in range(size)]
    return cells, [tab.get_by_label(f"Name of class {i + 1}").input_value() for i in range(size)]


def message(tab: Any) -> Any:
    return tab.locator(".matrix p.hint[role=status]")


def press(tab: Any, text: str, place: Any = None) -> None:
    """Copy a text, and paste it with Control and V."""
    tab.evaluate("text => navigator.clipboard.writeText(text)", text)
    (place or cell(tab, 0, 0)).focus()
    tab.keyboard.press("Control+v")


def pasted(tab: Any, text: str) -> str:
    """Paste a text that the library reads, and give what is said of it."""
    with tab.expect_response("**/api/v1/paste"):
        press(tab, text)
    settled(tab)
    return str(message(tab).inner_text())


def forgive(opened: Any) -> None:
    """The browser logs the status of what is refused."""
    assert all("422" in line for line in opened.complaints)
    opened.complaints.clear()


def test_every_print_out_is_the_matrix_that_it_shows(opened: Any) -> None:
    tab = opened()
    for name, (text, counts, names, says) in PRINT_OUTS.items():
        pasted(tab, "9\t9\n9\t9\n")  # what comes next is not what was there
        kept = shown(tab)[1]
        told = pasted(tab, text)
        assert shown(tab) == (counts, names or kept), name
        assert told.startswith(f"Pasted {len(counts)} classes."), name
        assert (ASSUMED in told) == (not says), name
        assert said(tab, "n") == f"{sum(map(sum, counts)):,}", name


def test_what_is_no_matrix_says_so_and_changes_nothing(opened: Any) -> None:
    tab = opened()
    first = shown(tab)
    for text, words in REFUSED.items():
        assert words in pasted(tab, text), text
        assert shown(tab) == first, text
    forgive(opened)


@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_is_no_matrix_goes_where_it_belongs_and_beside_a_pilot_says_so(opened: Any, text: str) -> None:
    mode, words = ELSEWHERE[text]
    tab = at(opened, "plan")
    tab.locator("label:has-text('My pilot') input").check(force=True)
    settled(tab)
    assert words in pasted(tab, text)
    tab.click("#tab-evaluate")
    settled(tab)
    press(tab, text)
    tab.wait_for_selector(f"#tab-{mode}[aria-selected=true]")
    settled(tab)
    assert len(said(tab, "verdict")) > 20
    tab.go_back()
    tab.wait_for_selector("#tab-evaluate[aria-selected=true]")
    settled(tab)
    assert shown(tab) == ([[6, 2], [0, 26]], ["low", "high"])


def test_a_table_may_just_be_pasted_and_a_tapped_population_takes_its_number(opened: Any) -> None:
    tab = opened()
    tab.evaluate("text => navigator.clipboard.writeText(text)", "TP 86, FN 14, FP 30, TN 170")
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    settled(tab)
    assert shown(tab)[0] == [[170, 30], [14, 86]]
    tab.get_by_text("My population").click(force=True)
    tab.keyboard.type("2")
    settled(tab)
    assert said(tab, "rates.PPV") == "0.104"
    # keys step through the choices and stay with them
    tab.get_by_label("My population").focus()
    tab.keyboard.press("ArrowRight")
    assert tab.evaluate("document.activeElement.type") == "radio"
    # a radio button takes no paste, so the page does
    press = "document.activeElement.dispatchEvent(new ClipboardEvent('paste', {bubbles: true, clipboardData: data}))"
    given = "const data = new DataTransfer(); data.setData('text/plain', 'TP 45, FN 5, FP 8, TN 92');"
    with tab.expect_response("**/api/v1/paste"):
        tab.evaluate(f"() => {{ {given} {press} }}")
    settled(tab)
    assert shown(tab)[0] == [[92, 8], [5, 45]]


def test_a_tapped_population_has_its_box_before_the_next_key_can_come(opened: Any) -> None:
    tab = opened()
    radio = tab.get_by_label("My population").element_handle()
    # the page's own tasks of this click alone: nothing is painted, and no timer has run
    reached = """async radio => {
        radio.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, detail: 1}));
        await Promise.resolve().then(() => Promise.resolve());
        return document.activeElement.type;
    }"""
    assert tab.evaluate(reached, radio) == "text"
    settled(tab)


@pytest.mark.parametrize("text", ["45%", "n/a", "1'23", "not ill", "45/50"])
def test_a_word_goes_into_its_box_and_what_is_wrong_is_said_of_the_box(opened: Any, text: str) -> None:
    tab = opened()
    name = tab.get_by_label("Name of class 1")
    name.focus()
    name.select_text()
    press(tab, text, name)
    settled(tab)
    assert name.input_value() == text
    cell(tab, 0, 0).focus()
    press(tab, text)
    settled(tab)
    assert cell(tab, 0, 0).input_value() == text
    assert f"True {text}, predicted {text}: " in tab.locator(".matrix .wrong").inner_text()
    cell(tab, 0, 0).fill("6")
    settled(tab)
    assert tab.locator(".matrix .wrong").inner_text() == ""
    forgive(opened)


BAD = "one\ttwo\nthree\tfour"


def test_a_message_belongs_to_what_is_shown_now(opened: Any) -> None:
    tab = opened()

    def wrong() -> None:
        assert "is no header that is known" in pasted(tab, BAD)

    wrong()
    assert "known" not in pasted(tab, CARET)  # a good paste
    for act, then in [
        (
            lambda: tab.get_by_role("button", name="Clear", exact=True).click(),
            "Cleared: type or paste counts, or undo.",
        ),
        (lambda: tab.get_by_role("button", name="Undo").click(), ""),
        (lambda: tab.get_by_role("button", name="Redo").click(), ""),
        (lambda: tab.get_by_role("button", name="Undo").click(), ""),
        (lambda: tab.get_by_role("button", name="Transpose").click(), "Transposed: what were columns are rows now."),
        (lambda: tab.get_by_role("button", name="+ Class").click(), ""),
        (lambda: tab.get_by_role("button", name="Remove class healthy").click(), ""),
        (tab.locator(".matrix fieldset").get_by_role("radio").first.check, ""),
        (lambda: cell(tab, 0, 0).fill("4"), ""),
        (lambda: tab.get_by_label("Name of class 1").fill("other"), ""),
        (lambda: tab.get_by_role("button", name="C1", exact=True).click(), ""),
    ]:
        wrong()
        act()
        settled(tab)
        assert message(tab).inner_text() == then
    forgive(opened)


def test_a_message_goes_with_its_tab_and_its_file(opened: Any) -> None:
    tab = opened()
    assert "is no header that is known" in pasted(tab, BAD)
    tab.click("#tab-plan")
    settled(tab)
    tab.click("#tab-evaluate")
    settled(tab)
    assert message(tab).inner_text() == ""
    assert "is no header that is known" in pasted(tab, BAD)
    chosen = {"name": "x.csv", "mimeType": "text/csv", "buffer": b"true\\pred,a,b\na,1,2\nb,3,4\n"}
    tab.locator(".drop input[type=file]").set_input_files(chosen)
    tab.wait_for_selector(".drop [role=status] p")
    settled(tab)
    assert message(tab).inner_text() == ""
    assert "Read x." in tab.locator(".drop [role=status]").inner_text()
    pasted(tab, CARET)  # and what was said of the file is gone with it
    assert tab.locator(".drop [role=status] p").count() == 0
    forgive(opened)


def test_a_workbook_is_chosen_and_its_sheet_is_asked_for(opened: Any) -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    for rows, sheet in [([[9, 1], [2, 8]], book.active), ([[45, 5], [8, 42]], book.create_sheet("Test"))]:
        for row in [["true\\pred", "neg", "pos"], ["neg", *rows[0]], ["pos", *rows[1]]]:
            sheet.append(row)
    made = io.BytesIO()
    book.save(made)
    tab = at(opened, "evaluate")
    tab.locator(".drop input[type=file]").set_input_files(
        {"name": "counts.xlsx", "mimeType": "", "buffer": made.getvalue()}
    )
    tab.wait_for_selector(".drop .wrong")
    assert "several sheets hold a table: 1 'Sheet', 2 'Test'" in tab.locator(".drop .wrong").inner_text()
    tab.get_by_label("Number of the sheet").fill("2")
    tab.get_by_role("button", name="Read it").click()
    tab.wait_for_selector(".drop [role=status] p")
    settled(tab)
    assert shown(tab) == ([[45, 5], [8, 42]], ["neg", "pos"])
    assert "Read counts. Read from the sheet 'Test'." in tab.locator(".drop [role=status]").inner_text()
    forgive(opened)


@pytest.mark.parametrize("size", [(1280, 900), (390, 844)], ids=["desk", "phone"])
def test_a_long_message_stays_inside_the_page(opened: Any, size: tuple[int, int]) -> None:
    tab = opened(size=size)
    pasted(tab, REPORT.replace("50", "500").replace("100", "1000"))
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    pasted(tab, "true\\pred,healthy,ill,n\nhealthy,90%,10%,50\nill,16%,84%,50\n")
    assert tab.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    forgive(opened)
