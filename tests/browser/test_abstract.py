"""From the figures of an abstract to the report, in the page."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import settled, violations
from tests.browser.test_evaluate import counts, said

pytestmark = pytest.mark.browser


def test_an_abstract_becomes_a_table_and_what_cannot_be_says_so(opened: Any) -> None:
    tab = opened()
    settled(tab)
    tab.get_by_text("From a published abstract").click()
    for label, typed in (
        ("Sensitivity", "84 %"), ("Specificity", "90"), ("Cases with the condition", "50"), ("Cases without it", "50"),
    ):  # fmt: skip
        tab.get_by_label(label, exact=True).fill(typed)
    tab.get_by_role("button", name="Find the table").click()
    tab.get_by_text("One table fits sensitivity 84 %").wait_for()
    settled(tab)
    assert counts(tab) == [["45", "5"], ["8", "42"]]
    assert "0.86 (95 % HDI 0.79 to 0.92)" in said(tab, "verdict")
    assert violations(tab) == []
    tab.get_by_label("Sensitivity", exact=True).fill("0.83")
    tab.keyboard.press("Enter")
    tab.get_by_text("no table has sensitivity 0.83").wait_for()
    assert tab.get_by_label("Sensitivity", exact=True).get_attribute("aria-invalid") == "true"
    assert counts(tab) == [["45", "5"], ["8", "42"]]
    for label, typed in (
        ("Sensitivity", "90 %"), ("Specificity", "85 %"), ("Cases with the condition", "30 %"),
        ("Cases without it", ""), ("or cases in all", "200"),
    ):  # fmt: skip
        tab.get_by_label(label, exact=True).fill(typed)
    tab.keyboard.press("Enter")
    tab.get_by_text("A prevalence of 30 % is taken for 60 of 200 cases").wait_for()
    settled(tab)
    assert counts(tab) == [["119", "21"], ["6", "54"]]
    opened.complaints[:] = [line for line in opened.complaints if "422" not in line]
