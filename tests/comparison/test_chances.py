"""Probabilities of better, equal and worse."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.comparison.chances import chances
from howsure.laws import Draws


@pytest.mark.parametrize("higher", [True, False])
def test_drawn_ties_are_split_between_both(higher: bool) -> None:
    made = chances(Draws(np.repeat([-1.0, 0.0, 1.0], [100, 600, 300])), None, higher=higher)
    assert made.better == pytest.approx(0.6 if higher else 0.4)
    assert made.worse == pytest.approx(0.4 if higher else 0.6)
    assert made.equal == 0
