"""Laws of many slices at once against the laws of each alone, and the population against its own exact law."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.laws import BetaSum
from howsure.laws.learned import LearnedSum
from howsure.numerics.learned.population import Population
from howsure.numerics.slices.rates import BorrowedRates, RateMixtures, RateSums

SHARES = (0.001, 0.025, 0.3, 0.5, 0.9, 0.975)


@pytest.mark.parametrize(
    ("a", "b", "weights", "close"),
    [
        ((200, 30), (4, 9), (1, -1), 2e-4),
        ((11, 21, 5), (1, 1, 1), (1 / 3, 1 / 3, 1 / 3), 4e-4),
        ((6, 3), (1, 1), (0.5, 0.5), 1e-3),
    ],
)
def test_a_sum_is_the_sum_of_betas(
    a: tuple[float, ...], b: tuple[float, ...], weights: tuple[float, ...], close: float
) -> None:
    law = BetaSum(a, b, weights)
    made = RateSums(
        [RateMixtures(np.array([[float(x)]]), np.array([[float(y)]])) for x, y in zip(a, b, strict=True)], weights
    )
    assert float(made.mean[0]) == pytest.approx(law.mean)
    assert float(made.sd[0]) == pytest.approx(law.sd)
    for p in SHARES:
        assert float(made.below(law.quantile(p))[0]) == pytest.approx(p, abs=close)


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(
    ("k", "n"),
    [
        ([19, 20, 1], [20, 20, 20]),
        ([0] + [19] * 99, [20] * 100),
    ],
)
def test_borrowed_rates_are_those_of_the_population(k: list[int], n: list[int]) -> None:
    made, population = BorrowedRates(k, n), Population(k, n)
    rates = made.rates.taken(made.place)
    means, sds = population.moments
    assert rates.mean == pytest.approx(means, abs=1e-9)
    assert rates.sd == pytest.approx(sds, abs=1e-7)
    for i in range(min(3, len(k))):
        weights = np.zeros(len(k))
        weights[i] = 1
        law = LearnedSum([(population, weights)])
        for p in (0.025, 0.25, 0.5, 0.75):
            assert float(rates.below(law.quantile(p))[i]) == pytest.approx(p, abs=0.009)
        drawn = made.draw(4000, np.random.default_rng(0))[:, i]
        assert float(drawn.mean()) == pytest.approx(float(means[i]), abs=4 * float(sds[i]) / 60)
