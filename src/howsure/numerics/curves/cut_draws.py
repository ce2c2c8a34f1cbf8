"""Joint draws of both error rates at many thresholds: one Dirichlet over the scores of each class.

The cases of a class between two neighbouring thresholds are a cell of a Dirichlet, and the pseudo-counts of the prior
lie beyond the highest and below the lowest score. At each single threshold the rate is then the Beta of the counts
there (Ferguson 1973; the Bayesian bootstrap of Rubin 1981 with pseudo-cases), and neighbours go together.
"""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Floats, Integers

__all__ = ["drawn_rates"]


def drawn_rates(called: Integers, size: int, top: float, bottom: float, draws: int, rng: np.random.Generator) -> Floats:
    """Draws of the share of a class that is called positive at each of T increasing cuts, shape (draws, T).

    Parameters
    ----------
    called : ndarray, shape (T,)
        Cases called positive, not increasing.
    size : int
        Cases of the class.
    top, bottom : float
        Pseudo-cases above every score and below every score; at every cut the share is
        Beta(top + called, bottom + size - called).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> drawn_rates(np.array([8, 3]), 10, 1.0, 1.0, 50_000, rng).mean(axis=0).round(2).tolist()
    [0.75, 0.33]
    """
    # from the top down: above the last cut, between neighbours, below the first
    bins = np.diff(np.concatenate(([0], called[::-1], [size]))).astype(float)
    bins[0] += top
    bins[-1] += bottom
    used = bins > 0
    gammas = np.zeros((draws, len(bins)))
    gammas[:, used] = rng.standard_gamma(bins[used], (draws, int(used.sum())))
    reached = np.cumsum(gammas, axis=1)
    return np.asarray((reached[:, :-1] / reached[:, -1:])[:, ::-1])
