"""Weighted drawings and Gibbs' method are two ways to one posterior; the weight matters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betaincinv

from howsure.numerics.draws.dense_tables import LatentTables

ROWS = np.array([[81.0, 21.0], [16.0, 86.0]])


@pytest.mark.full
def test_gibbs_method_against_a_grid() -> None:
    called = [960, 40]
    latent = LatentTables(ROWS, np.array(called))
    memory = latent.memory([0])
    assert memory < 60  # also of a million verdicts, because the rates slide
    drawn = np.concatenate(list(latent.tables(4_000, memory, [1])))[:, 1].sum(axis=1)
    mean, sd = by_grid(*called)
    assert drawn.mean() == pytest.approx(mean, abs=5 * sd / np.sqrt(2_000))
    assert drawn.std() == pytest.approx(sd, rel=0.1)


def by_grid(negative: int, positive: int) -> tuple[float, float]:
    """Mean and sd of the prevalence: verdicts and rates on grids, the weight 1 / |J|, and theta within 0 and 1."""
    middle = (np.arange(400) + 0.5) / 400
    shares = betaincinv(positive + 1, negative + 1, (np.arange(60) + 0.5) / 60)
    total = np.zeros(3)
    for p in shares:
        beyond = max(0.6 - p, 0.0)
        false = np.concatenate([middle * p, p + middle * beyond])  # a corner at v = p
        weight = np.repeat([p, beyond], 400) * np.exp(20 * np.log(false) + 80 * np.log1p(-false))
        right = 0.5 + middle[:, None] / 2
        weight = weight * np.exp(85 * np.log(right) + 15 * np.log1p(-right)) / np.abs(right - false)
        theta = (p - false) / (right - false)
        weight = np.where((theta >= 0) & (theta <= 1), weight, 0.0)
        total += [weight.sum(), (weight * theta).sum(), (weight * theta**2).sum()]
    mean = total[1] / total[0]
    return float(mean), float(np.sqrt(total[2] / total[0] - mean**2))
