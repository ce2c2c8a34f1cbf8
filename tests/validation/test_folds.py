"""Short form of the section on folds: passes divided by their number hold the truth, and summed they do not."""

from __future__ import annotations

import pytest
from tests.validation.sections.folds import World, coverage_of


@pytest.mark.full
def test_divided_passes_hold_the_truth_and_summed_ones_do_not() -> None:
    """Of 40 runs: a coverage of 93% is at 31 or fewer twice in a thousand times, one of 50% at 29 or more thrice."""
    row, percent = coverage_of(World(60, 4, 2.0, "linear"), 40)
    assert percent[:2].min() >= 80, row
    assert percent[2].max() <= 70, row
