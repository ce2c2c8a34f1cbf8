"""Short form of the section on two classifiers by slice."""

from __future__ import annotations

import pytest
from tests.validation.sections.slice_pairs import MARGIN, Table, compared, gated


@pytest.mark.deep
def test_equal_classifiers_are_seldom_told_apart_in_a_slice() -> None:
    """Of 60 tables: a share of 5% is at 9 or more twice in a thousand; slices alone at 95% name one in a fourth."""
    row, percent = compared(Table(5, 200), 60)
    assert percent[0] * 60 / 100 <= 8, row
    assert percent[1] >= 92, row


@pytest.mark.deep
def test_a_slice_that_is_much_worse_is_on_top_and_named() -> None:
    """Of 30 tables: a share of 95% is at 24 or fewer three times in a thousand."""
    row, percent = compared(Table(20, 60, 0.3), 30)
    assert percent[4] * 30 / 100 >= 25, row
    assert percent[3] * 30 / 100 >= 23, row


@pytest.mark.deep
def test_a_slice_at_the_margin_seldom_passes() -> None:
    """Of 150 tables: a share of 5% is at 16 or more twice in a thousand; with borrowing alone it is 16 on average."""
    row, percent = gated(Table(5, 300, MARGIN), 150)
    assert percent[0] * 150 / 100 <= 15, row


@pytest.mark.deep
def test_equal_classifiers_pass_with_enough_cases() -> None:
    row, percent = gated(Table(5, 1000), 30)
    assert percent[0] >= 90, row
