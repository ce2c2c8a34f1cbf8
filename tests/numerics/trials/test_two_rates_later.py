"""Two rates after further cases, against every outcome summed one by one with SciPy's laws."""

import numpy as np
import pytest
from scipy.stats import betabinom

from howsure.numerics.ranks.rank_laws import exceedance
from howsure.numerics.trials.two_rates import paired_better, paired_later, separate_later


@pytest.mark.sweep(4, full=9)
@pytest.mark.parametrize(("more", "certainty"), [(7, 0.6), (60, 0.95)])
def test_separate_rates_are_every_pair_of_outcomes(more: int, certainty: float) -> None:
    first, second = (46.0, 6.0), (30.5, 12.5)
    k = np.arange(more + 1)
    known = exceedance((first[0] + k[:, None], first[1] + more - k[:, None]), (second[0] + k, second[1] + more - k))
    chance = np.outer(betabinom.pmf(k, more, *first), betabinom.pmf(k, more, *second))
    assert separate_later(first, second, more, certainty) == pytest.approx(chance[known >= certainty].sum(), abs=1e-10)
    assert separate_later(second, first, more, certainty) == pytest.approx(
        chance[1 - known >= certainty].sum(), abs=1e-10
    )


@pytest.mark.parametrize(("more", "cases"), [(60, (12, 3, 30)), (7, (0, 0, 5)), (7, (2, 9, 0))])
def test_rates_on_the_same_cases_are_every_triple_of_outcomes(more: int, cases: tuple[int, int, int]) -> None:
    only_first, only_second, alike = cases[0] + 0.5, cases[1] + 0.5, cases[2] + 1.0
    expected = np.zeros(2)
    for d in range(more + 1):
        x = np.arange(d + 1)
        chance = betabinom.pmf(d, more, only_first + only_second, alike) * betabinom.pmf(x, d, only_first, only_second)
        better = paired_better(cases[0] + x, cases[1] + d - x, 1.0)
        expected += chance[better >= 0.9].sum(), chance[better <= 0.1].sum()
    assert paired_later(only_first, only_second, alike, more, 0.9) == pytest.approx(expected[0], abs=1e-9)
    assert paired_later(only_second, only_first, alike, more, 0.9) == pytest.approx(expected[1], abs=1e-9)
