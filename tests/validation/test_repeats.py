"""The section on repeats, short: intervals contain the truth, about new runs of the same items and about new ones."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.sections.repeats import World, of_test


@pytest.mark.full
@pytest.mark.parametrize("population", [("beta", 3.0, 2.0), ("logit", 1.0, 1.0)], ids=lambda p: p[0])
def test_repeats_are_covered(population: tuple[str, float, float]) -> None:
    """Of 48 intervals of each question, in 6 tests, 36 or more hold the truth; they move together within a test."""
    hits = sum((of_test(World(12, 5, *population), 1000 + test) for test in range(6)), np.zeros((8, 2)))
    assert hits[:4].sum() >= 36
    assert hits[4:].sum() >= 36
