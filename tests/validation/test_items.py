"""A short form of the section on scores of items: intervals hold the truth, equal systems stay equal."""

from __future__ import annotations

import pytest
from tests.validation.sections.items import PAIRS, WORLDS, differences, means


@pytest.mark.validate
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("n", [10, 30])
def test_means_are_covered(world: str, n: int) -> None:
    inside, width = means(world, n, 400)
    assert 0.91 <= inside[0] <= 1
    assert width[0] < 1.7


@pytest.mark.validate
@pytest.mark.parametrize("world", PAIRS)
@pytest.mark.parametrize("n", [10, 30])
def test_equal_systems_are_seldom_told_apart(world: str, n: int) -> None:
    inside, false, _ = differences(world, n, 400)
    assert inside >= 0.92
    assert false <= 0.08
