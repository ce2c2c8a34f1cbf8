"""Which of two classes is the positive one: chosen, said by its name, or asked for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.browser.asking import said
from tests.browser.conftest import settled, violations
from tests.browser.test_evaluate import paste

pytestmark = pytest.mark.browser


def test_the_positive_class_is_chosen_and_named_in_the_cells(opened: Any) -> None:
    tab = opened()
    assert tab.locator(".kind").all_inner_texts() == ["TN", "FP", "FN", "TP"]
    tab.get_by_role("group", name="Positive class").get_by_label("low").check()
    settled(tab)
    assert tab.locator(".kind").all_inner_texts() == ["TP", "FN", "FP", "TN"]
    assert "positive class: low" in said(tab, "about")
    assert said(tab, "f1@low.mean")


def test_a_positive_class_that_no_name_says_is_asked_for_and_not_guessed(opened: Any) -> None:
    tab = opened()
    paste(tab, "true\\pred\tcat\tdog\ncat\t9\t1\ndog\t2\t8\n")
    asked = tab.get_by_role("group", name="Which class is the positive one?")
    assert asked.get_by_role("radio", checked=True).count() == 0
    assert tab.locator(".kind").count() == 0
    words = tab.locator("main").inner_text()
    for guess in ("positive class:", "comes last", "As a test for", "f1@", "What errors cost"):
        assert guess not in words
    each = [said(tab, f"recall@{name}.mean") for name in ("cat", "dog")]
    assert violations(tab) == []
    asked.get_by_label("cat").check()
    settled(tab)
    assert tab.locator(".kind").all_inner_texts() == ["TP", "FN", "FP", "TN"]
    assert "positive class: cat" in said(tab, "about")
    assert [said(tab, f"rates.{name}") for name in ("sensitivity", "specificity")] == each
    assert tab.get_by_role("heading", name="What errors cost").count() == 1
    # names that everyone knows are not asked about
    paste(tab, "true\\pred\till\thealthy\nill\t9\t1\nhealthy\t2\t8\n")
    assert tab.get_by_role("group", name="Positive class").get_by_label("ill").is_checked()
