"""Bands of the difference of two curves hold it, in few runs of the section's worlds."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.sections.curve_pairs import PAIRS, Pair, row_of


@pytest.mark.full
def test_the_true_difference_is_that_of_many_cases():
    import howsure as hs

    pair = Pair((1.5, 0.8), 0.5, 60_000, 90_000)
    scores = pair.drawn(np.random.default_rng(0))
    for what in ("roc", "precision_recall"):
        made = hs.compare_curves(scores, what=what, draws=100)
        assert np.array(made.observed)[5:] == pytest.approx(pair.difference(np.array(made.x), what)[5:], abs=0.02)


@pytest.mark.deep
@pytest.mark.parametrize("pair", [PAIRS[1], PAIRS[8], PAIRS[9]], ids=str)
def test_bands_hold(pair):
    # 40 runs: 34 or fewer of them at a true 95 % have a probability of 0.4 %
    _, percent = row_of(pair, 40)
    assert percent.min() >= 87.5
