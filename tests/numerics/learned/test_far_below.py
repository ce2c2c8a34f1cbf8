"""Members far below the others: by sums over fine cells, by what must not matter, and surer the better the others."""

from __future__ import annotations

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
