"""Print-outs and words that are pasted by the keys: what is shown, and to what its message belongs."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from tests.browser.page import REFUSED, expect
from tests.print_outs import CARET, PRINT_OUTS, REPORT

pytestmark = [pytest.mark.browser, pytest.mark.deep]

#: What is said where nothing in a text tells what its rows are.
ASSUMED = "Rows were taken as the true class; if they are not, transpose."


#: Texts that are no matrix, and words of what is said of them.
NONE = {
    "one\ttwo\nthree\tfour": "unrecognized header: one, two",
    "true\\pred,a,b\na,90%,10%\nb,16%,80%\n": "or add a column n with the cases of each row",
    "true\\pred,a,b,n\na,90%,10%,500\nb,16%,84%,50\n": "are those of several counts of 500 cases",
    "true\\pred,a,b\na,45/50,6/50\nb,8/50,42/50\n": "must add up to it in each row",
    "a\tb\n45\tn/a\n8\t42\n": "unrecognized header",
    "5\t6\n3\tn/a": "is missing (n/a)",
    "[[45, 5], [8, 42]": "a bracket is not closed",
    REPORT.replace("50", "500").replace("100", "1000"): "howsure reconstruct --sizes 500,500",
    REPORT.replace("    accuracy", "  dead 0.10 0.10 0.10 4\n    accuracy"): "classification report of 3 classes",
    "sensitivity 84%, specificity 90%, n = 100; both\n": "From a published abstract",
    "true\\pred\ta\tb\tTotal\na\t45\t5\t51\nb\t8\t42\t50\nTotal\t53\t47\t100\n": "holds 51 in 'a'",
}


#: Texts that are no matrix either: the tab where they belong, and what is said where the matrix is a pilot.
ELSEWHERE = {
    "id,y_true,pred_A,pred_B\n1,x,x,y\n2,y,y,y\n": ("compare", "It reads as the answers of several classifiers"),
    "name,score,n\na,0.86,50\nb,0.84,50\n": ("leaderboard", "It reads as a leaderboard"),
}


BAD = "one\ttwo\nthree\tfour"


def message(tab: Any) -> Any:
    return tab.locator(".matrix p.hint[role=status]")


def test_every_print_out_is_the_matrix_that_it_shows(opened: Any) -> None:
    tab = opened()
    for name, (text, numbers, classes, says) in PRINT_OUTS.items():
        tab.paste("9\t9\n9\t9\n", tab.cell(0, 0))  # what comes next is not what was there
        before = tab.names()
        tab.paste(text, tab.cell(0, 0))
        assert tab.counts() == [[str(n) for n in row] for row in numbers], name
        assert tab.names() == (classes or before), name
        expect(message(tab)).to_contain_text(f"Pasted {len(numbers)} classes.")
        assert (ASSUMED in message(tab).inner_text()) == (not says), name
        assert tab.value("n") == f"{sum(map(sum, numbers)):,}", name


def test_what_is_no_matrix_says_so_and_changes_nothing(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    before = tab.counts(), tab.names()
    for text, words in NONE.items():
        tab.paste(text, tab.cell(0, 0))
        expect(message(tab)).to_contain_text(words)
        assert (tab.counts(), tab.names()) == before, text


@pytest.mark.parametrize("text", ELSEWHERE)
def test_what_is_no_matrix_goes_where_it_belongs_and_beside_a_pilot_says_so(opened: Any, text: str) -> None:
    mode, words = ELSEWHERE[text]
    tab = opened.at("plan")
    tab.locator("label:has-text('My pilot') input").check(force=True)
    tab.settle()
    tab.paste(text, tab.cell(0, 0))
    expect(message(tab)).to_contain_text(words)
    tab.go("evaluate")
    tab.paste(text, tab.cell(0, 0))
    expect(tab.locator(f"#tab-{mode}")).to_have_attribute("aria-selected", "true")
    assert len(tab.value("verdict")) > 20
    tab.go_back()
    expect(tab.locator("#tab-evaluate")).to_have_attribute("aria-selected", "true")
    tab.settle()
    assert tab.counts() == [["6", "2"], ["0", "26"]]


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
    tab.settle()


def test_a_word_goes_into_its_box_and_what_is_wrong_is_said_of_the_box(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    for text, count in (("45%", ""), ("n/a", ""), ("1'23", ""), ("45/50", ""), ("45 (90%)", "45")):
        tab.evaluate("text => navigator.clipboard.writeText(text)", text)
        for box, shown in ((tab.get_by_label("Name of class 1"), text), (tab.cell(0, 0), count or text)):
            box.focus()
            box.select_text()
            tab.keyboard.press("Control+v")
            expect(box).to_have_value(shown)
            tab.settle()
        expect(tab.locator(".matrix .wrong")).to_have_text(
            "" if count else re.compile(f"True {text}, predicted {text}: ")
        )


def test_a_message_belongs_to_what_is_shown_now(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.paste(CARET)
    for act, then in [
        (lambda: tab.push("Clear"), "Cleared: type or paste counts, or undo."),
        (lambda: tab.push("Undo"), ""),
        (lambda: tab.push("Transpose"), "Transposed: what were columns are rows now."),
        (lambda: tab.push("+ Class"), ""),
        (lambda: tab.get_by_label("Name of class 1").fill("other"), ""),
        (lambda: tab.push("C1"), ""),
        (lambda: [tab.go(mode) for mode in ("plan", "evaluate")], ""),
        (lambda: tab.drop(("x.csv", "true\\pred,a,b\na,1,2\nb,3,4\n")), ""),
    ]:
        tab.paste(BAD, tab.cell(0, 0))
        expect(message(tab)).to_contain_text("line 1")
        act()
        tab.settle()
        expect(message(tab)).to_have_text(then)
    expect(tab.locator(".drop [role=status]")).to_contain_text("Read x.")
    tab.paste(CARET, tab.cell(0, 0))  # and what was said of the file is gone with it
    expect(tab.locator(".drop [role=status] p")).to_have_count(0)


def test_a_workbook_is_chosen_and_its_sheet_is_asked_for(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    book = pytest.importorskip("openpyxl").Workbook()
    for rows, sheet in [([[9, 1], [2, 8]], book.active), ([[45, 5], [8, 42]], book.create_sheet("Test"))]:
        for row in [["true\\pred", "neg", "pos"], ["neg", *rows[0]], ["pos", *rows[1]]]:
            sheet.append(row)
    file = io.BytesIO()
    book.save(file)
    tab = opened()
    chosen = {"name": "counts.xlsx", "mimeType": "", "buffer": file.getvalue()}
    tab.locator(".drop input[type=file]").set_input_files(chosen)
    expect(tab.locator(".drop .wrong")).to_contain_text("'1 Sheet', '2 Test'")
    tab.enter("Number of the sheet", "2")
    tab.push("Read it")
    assert (tab.counts(), tab.names()) == ([["45", "5"], ["8", "42"]], ["neg", "pos"])
    expect(tab.locator(".drop [role=status]")).to_contain_text("Read counts. Read from the sheet 'Test'.")


@pytest.mark.parametrize("mode", ["evaluate", "patient", "plan"])
def test_counts_without_names_get_those_that_were_typed_and_not_those_of_an_example(opened: Any, mode: str) -> None:
    opened.forgiven.append(REFUSED)  # a plan asks which class is positive
    tab = opened.at(mode)
    if mode == "plan":
        tab.tick("My pilot", exact=True)
    if mode == "patient":
        tab.locator("details:has(table.grid) > summary").click()
    tab.paste("45\t5\n8\t92", tab.cell(0, 0))
    assert tab.names() == ["class 1", "class 2"]
    for box, name in zip(tab.locator("th.name textarea").all(), ("healthy", "ill"), strict=True):
        box.fill(name)  # those of an example too, but typed
    tab.settle()
    tab.paste("44\t6\n8\t92", tab.cell(0, 0))
    assert (tab.counts()[0][0], tab.names()) == ("44", ["healthy", "ill"])


def test_a_leaderboard_is_pasted_into_a_cell_with_or_without_its_header(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("leaderboard")
    entry = tab.locator(".entries input").first
    for text, then in (
        ("name\tcorrect\ttotal\nalpha\t90\t100\nbeta\t80\t100", ["alpha", "90", "100", "beta", "80", "100"]),
        ("alpha\t91\t100\nbeta\t80\t100", ["alpha", "91", "100", "beta", "80", "100"]),
        ("alpha\t90 %\t1,000\nbeta\t80 %\t1,000", ["alpha", "900", "1000", "beta", "800", "1000"]),
    ):
        tab.paste(text, entry)
        assert tab.boxes(".entries tbody :is(textarea, input)") == then
    tab.paste("alpha\t0.91\nbeta\t0.8", entry)
    expect(tab.locator(".pasting .wrong")).to_contain_text("The text, line")
    expect(tab.locator(".pasting .wrong")).not_to_contain_text("--")


def test_percentages_are_no_counts_until_their_cases_are_known(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.paste("90%\t10%\n8%\t92%", tab.cell(0, 0))
    assert tab.counts() == [["90%", "10%"], ["8%", "92%"]]
    for name, cases in (("class 1", "50"), ("class 2", "100")):
        tab.get_by_label(f"Samples of {name}").fill(cases)
    tab.push("Convert to counts")
    assert tab.counts() == [["45", "5"], ["8", "92"]]
    expect(tab.locator(".answer").first).to_contain_text("150 cases")


def test_a_pasted_row_of_cases_without_a_truth_is_read_and_given_up(opened: Any) -> None:
    tab = opened()
    tab.paste("true\\pred\tfail\tpass\nfail\t22\t7\npass\t6\t65\nunlabelled\t572\t1328", tab.cell(0, 0))
    expect(tab.field("verdict")).to_contain_text("People checked 100 of 2,000")
    expect(tab.get_by_label("Predicted pass, not checked")).to_have_value("1328")
    tab.push("All truths are known")
    expect(tab.field("verdict")).to_contain_text("Balanced accuracy is")
    expect(tab.get_by_role("heading", name="Where it will be used")).to_have_count(1)
    tab.push("Undo")
    expect(tab.field("verdict")).to_contain_text("People checked 100 of 2,000")


def test_a_column_called_group_is_taken_and_goes_with_its_counts(opened: Any) -> None:
    rows = [f"p{i // 6},{'ill' if i < 36 else 'well'},{'ill' if i % 7 else 'well'}" for i in range(72)]
    tab = opened()
    tab.drop(("lesions.csv", "\n".join(["group,y_true,y_pred", *rows]) + "\n"))
    expect(tab.field("verdict")).to_contain_text("in new groups")
    tab.put(0, 0, "29")
    expect(tab.field("verdict")).not_to_contain_text("groups")
    tab.push("Undo")
    expect(tab.field("verdict")).to_contain_text("in new groups")
    tab.get_by_label("Cases of one patient, document or question").select_option(label="none, each case is by itself")
    tab.settle()
    expect(tab.field("verdict")).not_to_contain_text("groups")
