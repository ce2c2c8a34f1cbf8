"""What three strangers did with the page: a physician with a published table, an engineer, an owner of a board."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.page import REFUSED, expect

from howsure.publish.pages import short_citation

pytestmark = pytest.mark.browser

#: TP 45, FN 5, FP 8, TN 92.
SICK_FIRST = [["45", "5"], ["8", "92"]]


def copied(tab: Any, name: str) -> str:
    tab.get_by_label(f"Copy the sentence on {name}", exact=True).first.click()
    tab.settle()
    return str(tab.evaluate("navigator.clipboard.readText()"))


@pytest.mark.full
def test_a_published_table_is_pasted_in_reading_order_and_each_number_taken_away(opened: Any) -> None:
    tab = opened()
    tab.evaluate("navigator.clipboard.writeText('(45, 5, 8, 92)')")
    tab.keyboard.press("Control+v")
    expect(tab.locator(".matrix [role=status]", has_text="45, 5, 8, 92: in which order?")).to_be_visible()
    assert tab.counts() == [["6", "2"], ["0", "26"]]  # nothing counts before that is known
    tab.push("TP, FN, FP, TN")
    assert (tab.counts(), tab.names()) == (SICK_FIRST, ["sick", "healthy"])
    said = "Sensitivity is 0.89 (95% HDI 0.80 to 0.97; 45 of 50, prior calibrated)."
    assert copied(tab, "sensitivity").startswith(said)
    tab.tick("My population")
    tab.enter("Share of sick", "0.02")
    assert tab.value("rates.PPV") == "0.10"  # of the share before: 0.02% and 2% are both meant so
    expect(tab.locator(".where .wrong")).to_contain_text("Which of the two?")
    tab.push("2%")
    assert tab.value("rates.PPV") == "0.19"
    assert copied(tab, "PPV") == (
        "PPV is 0.19 (95% HDI 0.10 to 0.30; 45 of 53, prior calibrated, where 2% of the cases are sick). "
        f"({short_citation()})"
    )
    assert "where" not in copied(tab, "specificity")


@pytest.mark.deep
def test_an_empty_table_says_which_cell_is_which(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.push("Clear")
    expect(tab.field("verdict")).to_have_text("Type the counts, or paste a table.")
    assert tab.names() == ["sick", "healthy"]
    cells = tab.locator("[data-row]").all()
    assert [cell.get_attribute("placeholder") for cell in cells] == ["TP", "FN", "FP", "TN"]
    for cell, count in zip(cells, ("45", "5", "8", "92"), strict=True):
        cell.fill(count)
    tab.settle()
    assert (tab.value("rates.sensitivity"), tab.value("rates.specificity")) == ("0.89", "0.91")


@pytest.mark.deep
def test_totals_and_shares_are_those_of_the_counts_that_stand_there(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened()
    tab.put(0, 0, "1000")
    assert [tab.value(key) for key in ("share@low@low", "row_total@low", "n")] == ["100%", "1,002", "1,028"]
    tab.put(0, 0, "x")
    assert [tab.value(key) for key in ("share@low@low", "row_total@low", "n")] == ["", "", ""]
    assert tab.value("share@high@high") == "100%"


@pytest.mark.deep
@pytest.mark.parametrize(("typed", "said"), [("0", "above 0 and below 100"), ("100", "above 0 and below 100")])
def test_no_share_is_all_or_nothing_and_the_page_keeps_its_numbers(opened: Any, typed: str, said: str) -> None:
    tab = opened()
    tab.tick("My population")
    before = tab.value("rates.PPV")
    tab.enter("Share of high", typed)
    expect(tab.locator(".where .wrong")).to_contain_text(said)
    assert tab.value("rates.PPV") == before


@pytest.mark.deep
def test_metrics_are_searched_and_chosen_by_sets(opened: Any) -> None:
    tab = opened()
    tab.locator("summary", has_text="Metrics").click()
    tab.get_by_label("Search").fill("kappa")
    tab.settle()
    assert 1 <= tab.locator(".checks label").count() <= 4
    tab.push("A diagnostic paper's")
    rows = tab.locator(".posteriors th[scope=row] bdi").all_inner_texts()
    assert rows == ["sensitivity", "specificity", "PPV", "NPV", "LR+", "LR-"]


@pytest.mark.deep
def test_on_a_phone_a_box_for_a_paste_stands_first_and_four_screens_are_enough(opened: Any) -> None:
    tab = opened(size=(390, 844))
    tab.get_by_label("Paste a table, or four counts").fill("a=45 b=8 c=5 d=92")
    tab.push("Read it")
    tab.push("a true positives, b false positives, c false negatives, d true negatives")
    assert tab.counts() == SICK_FIRST
    assert tab.evaluate("document.documentElement.scrollHeight") <= 4 * 844
    assert tab.fits()


@pytest.mark.deep
def test_a_refused_board_is_told_where_the_eye_is(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("leaderboard", size=(1280, 800))
    tab.paste("team\tgrade\nalpha\tgood\nbeta\tbad\n")
    expect(tab.locator(".inputs .wrong[role=alert]").first).to_be_in_viewport()
    # what is still shown is of another board
    expect(tab.get_by_role("button", name="Copy this sentence")).to_be_hidden()


@pytest.mark.deep
def test_an_empty_second_matrix_is_asked_for_and_the_names_are_letters(opened: Any) -> None:
    opened.forgiven.append(REFUSED)
    tab = opened.at("compare")
    tab.paste("TP 86, FN 14, FP 30, TN 170")
    expect(tab.field("verdict")).to_have_text("Paste or type the matrix of “B”.")
