"""Short forms of the section on groups: intervals of new groups hold the truth, and equals are seldom called unlike."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.sections.groups import ASKED, Sizes, World, coverage_of, drawn_row, size_row
from tests.validation.sections.paired_groups import Pairs, equals_row, held_row

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


@pytest.mark.full
@pytest.mark.parametrize(
    "world",
    [World(8, 6, (0.85, 0.92), 0.15), World(16, 30, (0.75, 0.9), 0.4), World(12, 8, (0.8, 0.9), 0.2, "unequal")],
    ids=lambda world: f"{world.groups} {world.kind}",
)
def test_new_groups_are_covered(world: World) -> None:
    """Of 30 tests 24 or more: 95% intervals do so but once in ten thousand times."""
    row = coverage_of(world, ASKED, 30)
    cells = [int(cell) for text in row.split(" | ")[4:7] for cell in text.split("/")]
    assert min(cells) >= 80, row


@pytest.mark.full
@pytest.mark.parametrize("together", [1.0, -0.5])
def test_a_new_group_is_covered_where_its_rate_goes_with_its_size(together: float) -> None:
    """Of 40 tests 33 or more: 95% intervals do so but once in a thousand times; with the mean of cases 5 would."""
    row = size_row(Sizes(20, 0.8, together), 40).split(" | ")
    assert all(int(cell.split()[0]) >= 82 for cell in row[3:5]), row
    if together == 1:
        assert int(row[10]) >= 90, row


@pytest.mark.full
def test_equals_are_seldom_called_unlike() -> None:
    """Accuracy, a recall, balanced accuracy and F1 of 60 pairs: 8 on a side come once in a hundred times, of 3."""
    cells = equals_row(Pairs(12, 10, (0.8, 0.8), 0.3), 60).split(" | ")[5:9]
    assert all(int(side) <= 13 for cell in cells for side in cell.split("/"))


@pytest.mark.full
def test_differences_are_held() -> None:
    """Of 60 intervals 50 or more: those of 95% do so but once in a thousand times."""
    cells = held_row(Pairs(10, 10, (0.9, 0.75), 0.3), 60).split(" | ")[5:8]
    assert all(int(side) >= 83 for cell in cells for side in cell.split("/"))


@pytest.mark.full
def test_drawn_metrics_are_covered() -> None:
    row = drawn_row(World(24, 10, (0.8, 0.9), 0.15, "mixed"), 12)
    assert np.mean([int(cell) for text in row.split(" | ")[4:7] for cell in text.split("/")]) >= 75, row
