"""Shares whose prior has a learned mass: the grid against quadrature, draws and mixtures against the grid."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, special

from howsure.laws import Mixture
from howsure.numerics.learned.evidence import LearnedShares


@pytest.mark.parametrize("totals", [[5, 0], [100, 1, 1, 0, 3]])
def test_means_against_adaptive_quadrature(totals) -> None:
    counts, size = np.array(totals, dtype=float), len(totals)

    def log_evidence(share: float) -> float:
        mass = size * share / (1 - share)
        rising = special.gammaln(mass / size + counts) - special.gammaln(mass / size)
        return float(rising.sum() - special.gammaln(mass + counts.sum()) + special.gammaln(mass))

    top = max(log_evidence(x) for x in np.linspace(0.001, 0.999, 999))

    def mean_times(share: float, index: int) -> float:
        mass = size * share / (1 - share)
        return float(np.exp(log_evidence(share) - top) * (mass / size + counts[index]) / (mass + counts.sum()))

    whole = integrate.quad(lambda x: np.exp(log_evidence(x) - top), 0, 1, epsabs=0, epsrel=1e-10)[0]
    means = [integrate.quad(mean_times, 0, 1, args=(i,), epsabs=0, epsrel=1e-10)[0] / whole for i in range(size)]
    assert LearnedShares(counts).means == pytest.approx(means, abs=2e-6)


@pytest.mark.full
def test_draws_and_mixtures_of_one_share_agree() -> None:
    shares = LearnedShares([30, 3, 0, 9])
    drawn = shares.draw(50_000, np.random.default_rng(0))
    assert drawn.sum(axis=1) == pytest.approx(1)
    for index in range(4):
        law = Mixture.of_betas(*shares.betas_of(index))
        assert law.mean == pytest.approx(shares.means[index], abs=1e-9)
        share = np.linspace(0.01, 0.99, 50)
        assert law.cdf(np.quantile(drawn[:, index], share)) == pytest.approx(share, abs=0.012)
