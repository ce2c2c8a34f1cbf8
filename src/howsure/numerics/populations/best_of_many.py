"""The best of many: which entries can be it, and how much of its lead is luck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import Floats

# -- Which entries can be the best, whatever the true scores: Hsu's multiple comparisons with the best -----------------


#: Half the width, in standard deviations, of the window over which an entry's own error is integrated.
REACH = 6.5

#: Gauss-Legendre nodes on it, and their weights times the normal density.
NODES, WEIGHTS = np.polynomial.legendre.leggauss(64)
NODES = REACH * NODES
WEIGHTS = REACH * WEIGHTS * np.exp(-NODES * NODES / 2) / np.sqrt(2 * np.pi)

#: Numbers that one block of draws may hold.
BLOCK_OF_CONTENDERS = 4_000_000


def contenders(
    scores: Floats, covariance: Floats, level: float, draws: int = 20_000, seed: int = 0
) -> NDArray[np.intp]:
    """Places of the entries that are not shown to be worse than some other one, the largest score among them.

    Entry j stays unless t_j = max_i (score_i - score_j) / se_ij exceeds the ``level`` quantile of max_i (Z_i - Z_j) /
    se_ij, where Z ~ Normal(0, covariance), (T, T) or (T,): the set holds the true best with that probability. ``draws``
    are of Z, for a matrix. Hsu (1984), Annals of Statistics 12, 1136; Mogstad, Romano, Shaikh and Wilhelm (2024),
    Review of Economic Studies 91, 476.
    """
    scores, covariance = np.asarray(scores, dtype=float), np.asarray(covariance, dtype=float)
    together = covariance.ndim == 2
    errors = _Errors(covariance)
    # no maximum of several has a smaller quantile than one of them, or a larger one than Bonferroni's
    surely, never = float(ndtri(level)), float(-ndtri((1 - level) / max(1, len(scores) - 1)))
    if together:
        behind = np.array([_farthest(scores, errors(j), j) for j in range(len(scores))])
    else:  # a long board has few different entries
        alike, place = np.unique(np.stack([scores, covariance]), axis=1, return_inverse=True)
        of_kind = _Errors(alike[1])
        behind = np.array([_farthest(alike[0], of_kind(j), j) for j in range(alike.shape[1])])[place.reshape(-1)]
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
    step = max(1, BLOCK_OF_CONTENDERS // len(covariance))
    for start in range(0, draws, step):
        noise = rng.standard_normal((min(step, draws - start), len(covariance))) @ root.T
        for place, j in enumerate(asked.tolist()):
            count[place] += np.count_nonzero((noise - noise[:, [j]] <= behind[j] * errors(j)).all(1))
    return count / draws


# -- The winner's curse: the best of many is partly the luckiest, so its estimate is drawn back towards the others -----


def shrunken(means: Floats, sds: Floats) -> tuple[Floats, Floats] | None:
    """Empirical-Bayes means and sds of entries that are themselves a sample; None below three entries.

    With x_i ~ Normal(m_i, s_i^2) and m_i ~ Normal(mu, tau^2), m_i has mean mu + B_i (x_i - mu) and variance B_i s_i^2 +
    (1 - B_i)^2 var(mu), where B_i = tau^2 / (tau^2 + s_i^2). The spread tau^2 is the root of sum (x_i - mu)^2 / (tau^2
    + s_i^2) = T - 1 with mu the mean weighted by 1 / (tau^2 + s_i^2), found by bisection; 0 where the entries differ by
    less than their uncertainty.

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
