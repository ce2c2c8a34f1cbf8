"""The winner's curse: the best of many is partly the luckiest, so its estimate is drawn back towards the others."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["shrunken"]


def shrunken(means: Floats, sds: Floats) -> tuple[Floats, Floats] | None:
    """Empirical-Bayes means and sds of entries that are themselves a sample; None below three entries.

    With x_i ~ Normal(m_i, s_i^2) and m_i ~ Normal(mu, tau^2), m_i has mean mu + B_i (x_i - mu) and variance
    B_i s_i^2 + (1 - B_i)^2 var(mu), where B_i = tau^2 / (tau^2 + s_i^2). The spread tau^2 is the root of
    sum (x_i - mu)^2 / (tau^2 + s_i^2) = T - 1 with mu the mean weighted by 1 / (tau^2 + s_i^2), found by bisection;
    0 where the entries differ by less than their uncertainty.

    References
    ----------
    Efron and Morris (1975), JASA 70, 311; Paule and Mandel (1982), J. Res. Natl. Bur. Stand. 87, 377, for tau^2.
    """
    count = len(means)
    if count < 3:
        return None
    variances = np.maximum(sds**2, 1e-300)

    def centre_and_excess(spread: float) -> tuple[float, float]:
        weights = 1 / (spread + variances)
        weights /= (largest := weights.max())
        centre = float(weights @ means / weights.sum())
        return centre, float(largest * (weights @ (means - centre) ** 2)) - (count - 1)

    low, high = 0.0, float(np.ptp(means)) ** 2 + 1e-300
    if centre_and_excess(0.0)[1] > 0:
        for _ in range(200):
            middle = (low + high) / 2
            low, high = (middle, high) if centre_and_excess(middle)[1] > 0 else (low, middle)
        spread = high
    else:
        spread = 0.0
    centre, _ = centre_and_excess(spread)
    kept = spread / (spread + variances)
    of_centre = 1 / np.sum(1 / (spread + variances))
    return centre + kept * (means - centre), np.sqrt(kept * variances + (1 - kept) ** 2 * of_centre)
