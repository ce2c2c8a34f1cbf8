"""Which entries can be the best, whatever the true scores: Hsu's multiple comparisons with the best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import Floats

__all__ = ["contenders"]

#: Half the width, in standard deviations, of the window over which an entry's own error is integrated.
REACH = 6.5

#: Gauss-Legendre nodes on it, and their weights times the normal density.
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
NODES = REACH * NODES
WEIGHTS = REACH * WEIGHTS * np.exp(-NODES * NODES / 2) / np.sqrt(2 * np.pi)

#: Numbers that one block of draws may hold.
BLOCK = 4_000_000


def contenders(
    scores: Floats, covariance: Floats, level: float, draws: int = 20_000, seed: int = 0
) -> NDArray[np.intp]:
    """Find the entries that are not shown to be worse than some other one.

    Entry j stays unless t_j = max_i (score_i - score_j) / se_ij exceeds the ``level`` quantile of
    max_i (Z_i - Z_j) / se_ij, where Z ~ Normal(0, covariance) and se_ij is the standard error of a difference. The set
    holds the true best with probability ``level`` whatever the true scores are, as far as scores are normal.

    Parameters
    ----------
    scores : ndarray, shape (T,)
        Estimates, of which more is better.
    covariance : ndarray, shape (T,) or (T, T)
        Variances of independent entries, or the covariance of entries that answered the same cases.
    level : float
        Probability between 0 and 1.
    draws, seed : int
        Of Z, for a covariance matrix; independent entries are integrated and need none.

    Returns
    -------
    ndarray of int
        Places of the contenders, in order; the largest score is among them.

    References
    ----------
    Hsu (1984), Annals of Statistics 12, 1136; Mogstad, Romano, Shaikh and Wilhelm (2024), Review of Economic Studies
    91, 476.

    Examples
    --------
    >>> import numpy as np
    >>> contenders(np.array([0.86, 0.845, 0.78]), np.full(3, 0.0155**2), 0.95)
    array([0, 1])
    """
    scores, covariance = np.asarray(scores, dtype=float), np.asarray(covariance, dtype=float)
    together = covariance.ndim == 2
    errors = _Errors(covariance)
    # no maximum of several has a smaller quantile than one of them, or a larger one than Bonferroni's
    surely, never = float(ndtri(level)), float(-ndtri((1 - level) / max(1, len(scores) - 1)))
    behind = np.array([_farthest(scores, errors(j), j) for j in range(len(scores))])
    stays = behind <= surely
    asked = np.flatnonzero(~stays & (behind <= never))
    if asked.size and together:
        stays[asked] = _drawn(covariance, errors, behind, asked, draws, seed) <= level
    elif asked.size:
        stays[asked] = [_integrated(np.sqrt(covariance), errors(j), behind[j], j) <= level for j in asked.tolist()]
    return np.flatnonzero(stays)


class _Errors:
    """Standard errors of the differences of all entries from one."""

    def __init__(self, covariance: Floats) -> None:
        self._covariance = covariance
        self._own = np.diagonal(covariance) if covariance.ndim == 2 else covariance

    def __call__(self, j: int) -> Floats:
        shared = 2 * self._covariance[j] if self._covariance.ndim == 2 else 0.0
        variances = self._own + self._own[j] - shared
        # what rounding leaves of two equal columns is no error
        variances = np.where(variances > 1e-12 * (self._own + self._own[j]), variances, 0.0)
        variances[j] = 0.0
        return np.asarray(np.sqrt(variances))


def _farthest(scores: Floats, errors: Floats, j: int) -> float:
    """Largest standardised distance by which another entry is ahead; equal columns are not ahead of each other."""
    apart = errors > 0
    return float(((scores - scores[j])[apart] / errors[apart]).max(initial=0.0))


def _integrated(sds: Floats, errors: Floats, behind: float, j: int) -> float:
    """P(max_i (Z_i - Z_j) / se_ij <= t), as an integral over the error of entry j."""
    others = np.flatnonzero(errors > 0)
    others = others[others != j]
    # entries of one standard deviation have one probability
    of_sd, copies = np.unique(sds[others], return_counts=True)
    reach = behind * np.hypot(of_sd, sds[j])
    inside = ndtr((reach[:, None] + sds[j] * NODES) / np.maximum(of_sd, 1e-300)[:, None])
    return float(WEIGHTS @ np.prod(inside ** copies[:, None], axis=0))


def _drawn(
    covariance: Floats, errors: _Errors, behind: Floats, asked: NDArray[np.intp], draws: int, seed: int
) -> Floats:
    """The same probabilities under a joint law, for the entries that are asked."""
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    rng = np.random.default_rng([seed, 0xC0])
    count = np.zeros(len(asked))
    step = max(1, BLOCK // len(covariance))
    for start in range(0, draws, step):
        noise = rng.standard_normal((min(step, draws - start), len(covariance))) @ root.T
        for place, j in enumerate(asked.tolist()):
            count[place] += np.count_nonzero((noise - noise[:, [j]] <= behind[j] * errors(j)).all(1))
    return count / draws
