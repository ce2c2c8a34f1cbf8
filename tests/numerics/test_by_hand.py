"""Numbers of small cases, counted or integrated by hand: ties, a calibration by chance, equal components."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from howsure.numerics.carried_prevalence import worse_than_chance
from howsure.numerics.curves.curve_weights import rank_correlation


def test_tied_scores_have_the_middle_of_their_ranks() -> None:
    rng = np.random.default_rng(4)
    truth = np.repeat([0, 1], 30)
    scores = rng.integers(0, 5, (3, 60)).astype(float)
    for given in (scores, -scores):
        made = rank_correlation(truth, given)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            apart = [stats.spearmanr(given[i, truth == k], given[j, truth == k]).statistic for k in (0, 1)]
            assert made[i, j] == pytest.approx(np.mean(apart), abs=1e-12)


@pytest.mark.parametrize(("recall", "specificity"), [((5, 4), (3, 4)), ((9, 2), (4, 6)), ((2.5, 3.5), (7, 1.5))])
def test_worse_than_chance_is_one_integral(recall: tuple[float, float], specificity: tuple[float, float]) -> None:
    se, sp = stats.beta(*recall), stats.beta(*specificity)
    by_hand = integrate.quad(lambda x: sp.pdf(x) * se.cdf(1 - x), 0, 1)[0]
    assert worse_than_chance(recall, specificity) == pytest.approx(by_hand, abs=1e-6)
