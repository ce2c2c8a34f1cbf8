"""Short forms of the section on groups: intervals of new groups hold the truth, and equals are seldom called unlike."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.sections.groups import ASKED, World, coverage_of, drawn_row, pair_row

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


@pytest.mark.parametrize(
    "world",
    [World(8, 6, (0.85, 0.92), 0.15), World(16, 30, (0.75, 0.9), 0.4), World(12, 8, (0.8, 0.9), 0.2, "unequal")],
    ids=lambda world: f"{world.groups} {world.kind}",
)
def test_new_groups_are_covered(world: World) -> None:
    """Of 30 tests 24 or more: 95 % intervals do so but once in ten thousand times."""
    row = coverage_of(world, ASKED, 30)[0]
    cells = [int(cell) for text in row.split(" | ")[4:7] for cell in text.split("/")]
    assert min(cells) >= 80, row


def test_equals_are_seldom_called_unlike() -> None:
    better, worse = (int(x) for x in pair_row(12, 10, 0.8, 0.5, 200).split(" | ")[3].split("/"))
    assert better + worse <= 20


def test_drawn_metrics_are_covered() -> None:
    row = drawn_row(World(24, 10, (0.8, 0.9), 0.15, "mixed"), 12)
    assert np.mean([int(cell) for text in row.split(" | ")[4:7] for cell in text.split("/")]) >= 75, row
