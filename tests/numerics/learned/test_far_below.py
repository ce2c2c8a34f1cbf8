"""Members far below the others: by sums over fine cells, by what must not matter, and surer the better the others."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import integrate, stats

from howsure.numerics.learned import rate_law as rule
from howsure.numerics.learned.rate_law import far_below


@pytest.mark.full
def test_the_limit_by_sums_over_fine_cells() -> None:
    """The others alone, all with the tallies that they have: e is so small for them that they are the main part."""
    k, n = np.array([3, 44, 45, 46, 45, 44, 47, 45, 46]), np.full(9, 50)
    made = far_below(k, n, 1 / 9)
    mu, share = (np.arange(400) + 0.5) / 400, (np.arange(300) + 0.5) / 300
    m, s = (x.ravel() for x in np.meshgrid(mu, share))
    kappa = (np.minimum(m, 1 - m) + 0.5) / (s * np.minimum(m, 1 - m)) - 1
    log = stats.betabinom.logpmf(k[1:, None], 50, m * kappa, (1 - m) * kappa).sum(axis=0)
    keep = log > log.max() - 12
    weight = np.exp(log[keep] - log.max())
    law = stats.beta((m * kappa)[keep], ((1 - m) * kappa)[keep])

    def quantile(p: float) -> float:
        x = np.linspace(0.01, 0.999, 1500)
        return float(np.interp(p, [weight @ law.cdf(at) / weight.sum() for at in x], x))

    typical, tenth, least = quantile(0.5), quantile(0.1), quantile(rule.BELOW / 9)
    far = stats.t.ppf(rule.BELOW / 9, rule.TAILS) / stats.t.ppf(0.1, rule.TAILS)
    middle, low = (float(stats.logistic.ppf(p)) for p in (typical, tenth))
    tail = float(stats.logistic.cdf(middle - far * (middle - low)))
    assert made.typical[0] == pytest.approx(typical, abs=0.006)
    assert made.limit[0] == pytest.approx(min(typical - 0.1, least, tail), abs=0.03)
    assert made.limit[0] < typical - 0.1


def test_a_member_that_is_surely_of_its_own_is_below_the_limit_as_its_own_cases_say() -> None:
    k, n = np.array([3] + [60] * 11), np.full(12, 60)
    made = far_below(k, n, 0.5)
    density = stats.beta(3.5, 57.5).pdf
    assert made.probability[0] == pytest.approx(integrate.quad(density, 0, made.limit[0])[0], abs=1e-6)


def test_the_better_the_others_the_surer_is_the_name() -> None:
    found = [far_below([4, *[right] * 9], [20] * 10, 0.1).probability[0] for right in range(8, 21)]
    assert all(a <= b + 1e-3 for a, b in pairwise(found))
    assert found[0] < 0.2
    assert found[-1] > 0.999


def test_worse_than_guessing_among_better_ones_has_a_name_and_guessers_have_none() -> None:
    dead = far_below([0, 10, 9], [20] * 3, 1 / 3)
    assert dead.limit[0] == pytest.approx(1 / 6)
    assert dead.probability[0] > 0.95
    assert dead.probability[1:].max() < 0.1
    for right in ([20, 0, 0], [7, 6, 8]):
        assert far_below(right, [20] * 3, 1 / 3).probability.max() < 0.5


def test_neither_the_order_nor_members_without_cases_matter() -> None:
    k, n = np.array([2, 19, 18, 20, 17, 19]), np.array([20, 20, 19, 20, 20, 25])
    made, back = far_below(k, n, 0.2), far_below(k[::-1], n[::-1], 0.2)
    assert back.probability[::-1] == pytest.approx(made.probability)
    more = far_below([*k, 0, 0], [*n, 0, 0], 0.2)
    assert more.probability[:6] == pytest.approx(made.probability, abs=1e-9)
    assert more.probability[6:].tolist() == [0, 0]


def test_odd_members_do_not_hide_each_other() -> None:
    made = far_below([0] * 10 + [18] * 90, [20] * 100, 0.01)
    assert made.probability[:10].min() > 0.99
    assert made.probability[10:].max() < 0.01


def test_near_chance_half_the_distance_to_it_is_far() -> None:
    """Of very many cases the limit is the margin alone."""
    k, n = np.array([50_000] + [58_000] * 9), np.full(10, 100_000)
    made = far_below(k, n, 0.5)
    assert made.limit[0] == pytest.approx(0.54, abs=0.003)
    assert made.probability[0] > 0.99 > 0.01 > far_below(k + 6000 * (k < 58_000), n, 0.5).probability[0]
    assert far_below(k, n, 0.0).limit[0] == pytest.approx(0.48, abs=0.003)
