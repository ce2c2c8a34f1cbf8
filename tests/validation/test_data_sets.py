"""Short form of the section on many data sets."""

from __future__ import annotations

import pytest
from tests.validation.sections.data_sets import Contest, Suite, over, ranked


@pytest.mark.deep
@pytest.mark.parametrize("suite", [Suite(10, True), Suite(10, False)], ids=["paired", "separate"])
def test_means_and_new_data_sets_are_held_and_equals_raise_no_alarm(suite: Suite) -> None:
    """Of 60 answers: a coverage of 95% is at 51 or fewer four times in a thousand; 6 alarms of 30 are as rare."""
    row, percent = over(suite, 30)
    assert percent[:2].min() * 60 / 100 >= 52, row
    assert percent[2] * 30 / 100 <= 5, row


@pytest.mark.deep
def test_of_equal_classifiers_none_is_surely_the_best() -> None:
    """Of 60 runs: a share of 1% is at 4 or more three times in a thousand."""
    row, found = ranked(Contest(10, 0.03, 0.0), 60)
    assert found[4] * 60 <= 3, row
