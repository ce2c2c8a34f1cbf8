"""What is to be decided with one matrix: costs, more cases, and numbers between two others; kept by its address."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import settled, violations

pytestmark = pytest.mark.browser

PARTS = (".thresholds", ".costs", ".more-cases")


def test_decisions_are_answered_from_the_matrix_and_survive_a_reload(opened: Any) -> None:
    tab = opened()
    tab.get_by_label("A miss costs").fill("5")
    tab.get_by_label("Further cases").fill("100")
    asked = tab.get_by_label("How probably does it lie above or below a number?")
    asked.select_option(label="balanced accuracy")
    tab.get_by_label("balanced accuracy below").fill("0.95")
    tab.get_by_label("Prior", exact=True).select_option(label="A Beta for each rate")
    tab.get_by_label("Sensitivity: right").fill("8")
    cost = tab.locator("[data-value='cost.verdict']")
    cost.get_by_text("0.02 to 0.40").wait_for()
    settled(tab)
    said = [tab.locator(part).inner_text().replace("\u00a0", " ") for part in PARTS]
    assert "P = " in said[0]
    assert "P(less than calling all high)" in said[1]
    assert "After 34 cases accuracy is above 0.8 (P(above) = 0." in said[2]
    assert "100 more cases would leave it at that with probability 0." in said[2]
    assert "reopen the question with probability 0." in said[2]
    assert "show accuracy below 0.8 with probability < 0.001." in said[2]
    assert violations(tab) == []
    tab.reload()
    settled(tab)
    cost.wait_for()
    assert [tab.locator(part).inner_text().replace("\u00a0", " ") for part in PARTS] == said
    assert tab.get_by_label("Sensitivity: right").input_value() == "8"
    tab.get_by_label("Remove the threshold of balanced accuracy").click()
    settled(tab)
    assert tab.locator(".thresholds li").count() == 0
    assert asked.locator("option", has_text="balanced accuracy").count() == 1
