"""Pairs that are learned over the classes keep their word, in small simulations; `tests.validation.pairs` has all."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.pairs import WORLDS, cells_of, simulated, zipf


def test_the_worlds_are_what_they_say() -> None:
    cells = cells_of(np.array([0.8, 0.9]), np.array([0.1, 0.0]), 0.5)
    assert cells.sum(1) == pytest.approx(1)
    assert cells[:, 0] + cells[:, 1] == pytest.approx([0.85, 0.9])
    assert cells[:, 1] - cells[:, 2] == pytest.approx([0.1, 0.0])
    assert zipf(10, 20).mean() == pytest.approx(20, abs=1)
    sizes, shares = WORLDS["long tail"](np.random.default_rng(0), 10)
    assert sizes.tolist() == [100] * 5 + [3] * 5
    assert (shares[:, 1] - shares[:, 2]).mean() == pytest.approx(0.15)


@pytest.mark.deep
@pytest.mark.parametrize(("classes", "tests"), [(3, 60), (10, 50), (50, 30)])
def test_with_nothing_between_them_few_are_called_better(classes: int, tests: int) -> None:
    """5% on either side, within three standard errors; intervals cover."""
    found = simulated("nothing between them", classes, tests)
    room = 3 * np.sqrt(0.05 * 0.95 / tests)
    assert max(found.better, found.worse) < 0.05 + room
    assert found.covered > 0.95 - room
    assert abs(found.bias) < 0.5


@pytest.mark.deep
@pytest.mark.parametrize(("classes", "tests"), [(10, 40), (50, 25)])
def test_what_is_there_is_found_at_least_as_often_as_by_pseudo_counts(classes: int, tests: int) -> None:
    learned, fixed = (simulated("+.05 everywhere", classes, tests, model) for model in ("learned", "fixed"))
    assert learned.better >= fixed.better
    assert learned.covered >= 0.85
    assert learned.width < fixed.width


@pytest.mark.deep
def test_a_difference_in_small_classes_is_not_shrunk_away() -> None:
    """Half of 50 classes have 3 cases and differ by .3; the other half have 100 and do not."""
    learned, fixed = (simulated("long tail", 50, 40, model) for model in ("learned", "fixed"))
    assert learned.covered >= 0.8
    assert fixed.covered <= 0.6
    assert abs(learned.bias) < 1 < abs(fixed.bias)
