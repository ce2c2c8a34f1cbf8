"""The list of metrics: what is shown stands in it, by a name of its own, and can be taken away."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.conftest import settled
from tests.browser.test_modes import link

pytestmark = pytest.mark.browser

ILL = {"classes": ["healthy", "ill"], "counts": [[45, 5], [8, 42]], "positive": "ill"}
#: Two names of one number, and one that no list has.
CHOSEN = ["recall@healthy", "specificity@ill", "fbeta(beta=2)@ill", "accuracy"]


def test_what_is_shown_stands_in_the_list_and_can_be_taken_away(opened: Any) -> None:
    tab = opened(link("evaluate", {"matrix": ILL, "metrics": CHOSEN}))
    settled(tab)
    tab.locator("details.metrics > summary").click()
    listed = tab.locator(".metrics .checks label")
    on = [label.inner_text().split("\n")[0] for label in listed.all() if label.locator("input").is_checked()]
    assert sorted(on) == ["F2", "accuracy", "recall of healthy", "specificity"]
    assert "4 chosen" in tab.locator("details.metrics > summary").inner_text()
    assert tab.locator("[data-value='fbeta(beta=2)@ill.mean']").count() == 1
    # one more, and those that no list has stay
    tab.get_by_role("checkbox", name="MCC", exact=True).check()
    settled(tab)
    assert "5 chosen" in tab.locator("details.metrics > summary").inner_text()
    for name in ("F2", "recall of healthy", "specificity"):
        listed.filter(has_text=name).locator("input:checked").last.click()
        settled(tab)
    assert "2 chosen" in tab.locator("details.metrics > summary").inner_text()


def test_an_f_is_called_by_its_number(opened: Any) -> None:
    tab = opened(link("evaluate", {"matrix": ILL, "metrics": ["fbeta(beta=2)@ill", "fbeta(beta=0.5)@healthy"]}))
    settled(tab)
    text = tab.locator(".posteriors").inner_text()
    assert "F2" in text
    assert "F0.5 of healthy" in text
    assert "fbeta" not in text
