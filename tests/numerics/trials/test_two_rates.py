"""Comparison of two rates: probabilities by two routes, assurance by every pair of outcomes."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import betaincc, betaln, gammaln, xlog1py, xlogy

from howsure.laws import PairedDifference
from howsure.numerics.ranks.rank_laws import exceedance
from howsure.numerics.trials.two_rates import (
    from_there_on,
    paired_assurance,
    paired_better,
    separate_assurance,
)


def binomial(n: int, p: float) -> np.ndarray:
    k = np.arange(n + 1)
    return np.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) + xlogy(k, p) + xlog1py(n - k, -p))


@pytest.mark.parametrize("margin", [0.02, -0.03])
def test_better_with_a_margin_is_the_integral(margin: float) -> None:
    a, b, c, d = 60.0, 15.0, 70.0, 9.0

    def integrand(y: float) -> float:
        density = np.exp(xlogy(c - 1, y) + xlog1py(d - 1, -y) - betaln(c, d))
        return float(density * betaincc(a, b, np.clip(y - margin, 0, 1)))

    expected = quad(integrand, 0, 1, epsabs=1e-12, limit=200)[0]
    assert exceedance(([a], [b]), ([c], [d]), margin)[0] == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("wins", "losses", "n"), [(0, 0, 25), (10, 4, 80)])
def test_paired_better_is_the_exact_law(wins: int, losses: int, n: int) -> None:
    both = (n - wins - losses) // 2
    cells = [[both + 0.5, wins + 0.5, losses + 0.5, n - wins - losses - both + 0.5]]
    law = PairedDifference(cells)
    assert paired_better([wins], [losses], float(n))[0] == pytest.approx(law.prob(above=0), abs=1e-8)
    for margin in (0.01, 0.05):
        found = paired_better([wins], [losses], float(n), margin)[0]
        assert found == pytest.approx(law.prob(above=-margin), abs=1e-6 if wins else 2e-3)


@pytest.mark.full
@pytest.mark.parametrize(("old", "new", "n", "margin"), [(0.8, 0.9, 40, 0.0), (0.5, 0.5, 60, 0.1)])
def test_separate_assurance_is_the_sum_over_all_pairs(old: float, new: float, n: int, margin: float) -> None:
    k = np.arange(n + 1)
    first, second = np.meshgrid(k, k, indexing="ij")
    sure = exceedance((first + 1.0, n - first + 1.0), (second + 1.0, n - second + 1.0), margin) >= 0.9
    expected = (np.outer(binomial(n, new), binomial(n, old)) * sure).sum()
    found = separate_assurance(n, np.array([old]), np.array([new]), 0.9, margin=margin)
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("margin", [0.04])
def test_paired_assurance_is_the_sum_over_all_outcomes(margin: float) -> None:
    n, wins, losses = 50, 0.12, 0.05
    i, j = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
    inside = i + j <= n
    i, j = i[inside], j[inside]
    log = gammaln(n + 1) - gammaln(i + 1) - gammaln(j + 1) - gammaln(n - i - j + 1)
    chance = np.exp(log + i * np.log(wins) + j * np.log(losses) + (n - i - j) * np.log(1 - wins - losses))
    expected = chance[paired_better(i, j, float(n), margin) >= 0.95].sum()
    found = paired_assurance(n, np.array([wins]), np.array([losses]), 0.95, margin=margin)
    assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.full
def test_two_classifiers_of_80_and_85_per_cent() -> None:
    old, new = np.array([0.80]), np.array([0.85])
    reached = [separate_assurance(n, old, new, 0.95) for n in (711, 712)]
    assert reached == pytest.approx([0.79953, 0.80007], abs=1e-5)
    assert from_there_on(lambda n: separate_assurance(n, old, new, 0.95), 0.8, most=10**6, window=4)[0] == 712


def test_a_search_goes_on_after_a_dip() -> None:
    """Reached from 50 on but for 60 and 75: bisection alone would say 50."""
    reached = {n: float(n >= 50 and n not in (60, 75)) for n in range(1, 400)}
    assert from_there_on(lambda n: reached[n], 0.5, most=399) == (76, 50)
