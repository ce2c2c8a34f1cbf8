"""Probabilities of better, practically equal and worse are one split of the same whole."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.comparison.chances import chances
from howsure.laws import Draws


@pytest.mark.parametrize("centre", [-1.0, -0.01, 0.0, 0.01, 1.0])
@pytest.mark.parametrize("rope", [None, 0.02, 0.5])
def test_chances_of_draws_add_up_to_1(centre: float, rope: float | None) -> None:
    law = Draws(np.random.default_rng(0).normal(centre, 0.005, 1000), support=(-2.0, 2.0))
    split = chances(law, rope, higher=True)
    assert sum(split) == pytest.approx(1, abs=1e-12)
    assert all(0 <= p < 1 for p in split)
