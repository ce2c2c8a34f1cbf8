"""Cases without a truth on the page: entered, answered, undone, shared."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import settled, violations

import howsure as hs

pytestmark = pytest.mark.browser


def said(tab: Any, key: str) -> str:
    return " ".join(tab.locator(f'[data-value="{key}"]').first.inner_text().split())


def entered(opened: Any) -> Any:
    """The matrix of 100 checked answers among 2,000."""
    tab = opened()
    tab.evaluate("text => navigator.clipboard.writeText(text)", "true\\pred\tfail\tpass\nfail\t22\t7\npass\t6\t65")
    tab.locator('[data-row="0"][data-column="0"]').focus()
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    settled(tab)
    tab.get_by_text("Some truths are missing").click()
    for name, count in (("fail", "572"), ("pass", "1328")):
        box = tab.get_by_label(f"Called {name}, not checked")
        box.fill(count)
        box.press("Tab")
    settled(tab)
    return tab


def test_the_answer_is_the_librarys_and_says_what_it_assumes(opened: Any) -> None:
    tab = entered(opened)
    matrix = hs.ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"], unlabelled=[572, 1328], positive="pass")
    expected = hs.report(hs.infer(matrix)).verdict
    assert said(tab, "verdict") == expected
    assert "People checked 100 of 2,000" in expected
    assert tab.get_by_role("heading", name="At every prevalence").count() == 0
    assert violations(tab) == []


def test_back_to_an_ordinary_matrix(opened: Any) -> None:
    tab = entered(opened)
    tab.get_by_role("button", name="All truths are known").click()
    settled(tab)
    assert "Balanced accuracy is" in said(tab, "verdict")
    assert tab.get_by_role("heading", name="Where it will be used").count() == 1
    tab.get_by_role("button", name="Undo").click()
    settled(tab)
    assert "People checked 100 of 2,000" in said(tab, "verdict")


def test_a_pasted_row_of_cases_without_a_truth_is_read(opened: Any) -> None:
    tab = opened()
    text = "true\\pred\tfail\tpass\nfail\t22\t7\npass\t6\t65\nunlabelled\t572\t1328"
    tab.evaluate("text => navigator.clipboard.writeText(text)", text)
    tab.locator('[data-row="0"][data-column="0"]').focus()
    with tab.expect_response("**/api/v1/paste"):
        tab.keyboard.press("Control+v")
    settled(tab)
    assert "People checked 100 of 2,000" in said(tab, "verdict")
    assert tab.get_by_label("Called pass, not checked").input_value() == "1328"
