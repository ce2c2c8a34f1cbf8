"""Cases placed among those of the other class: areas, their difference, counts and draws at cuts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount

__all__ = [
    "AreaTest",
    "area_test",
    "called_at",
    "distinct_cuts",
    "drawn_rates",
    "even_in_both",
    "placement_covariance",
    "placements",
    "separate_area_test",
]


# -- DeLong's variance of areas under ROC curves, by placements: O(n log n) and no matrix of pairs ---------------------


def placements(positive: Booleans, scores: Floats) -> tuple[Floats, Floats]:
    """Share of the negatives below each positive, and of the positives above each negative; ties count half.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
    scores : ndarray, shape (n,)

    Examples
    --------
    >>> [x.tolist() for x in placements(np.array([True, True, False, False]), np.array([3.0, 1.0, 1.0, 2.0]))]
    [[1.0, 0.25], [0.75, 0.5]]
    """
    above, below = scores[positive], scores[~positive]
    ups, downs = np.sort(above), np.sort(below)
    of_positives = (np.searchsorted(downs, above, "left") + np.searchsorted(downs, above, "right")) / (2 * len(downs))
    of_negatives = (np.searchsorted(ups, below, "left") + np.searchsorted(ups, below, "right")) / (2 * len(ups))
    return of_positives, 1 - of_negatives


def placement_covariance(positive: Booleans, scores: Floats) -> tuple[Floats, Floats]:
    """Areas under the curves of T scores of the same cases, and their covariance matrix.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
        Two cases of each class or more.
    scores : ndarray, shape (T, n)

    Returns
    -------
    areas : ndarray, shape (T,)
    covariance : ndarray, shape (T, T)

    Notes
    -----
    DeLong, DeLong and Clarke-Pearson 1988, equation 5: the covariance of the placements of each class over its size.

    Examples
    --------
    >>> areas, covariance = placement_covariance(np.array([1, 1, 0, 0], bool), np.array([[3.0, 1.0, 1.0, 2.0]]))
    >>> areas.tolist(), covariance.tolist()
    ([0.625], [[0.15625]])
    """
    pairs = [placements(positive, each) for each in scores]
    areas = np.array([up.mean() for up, _ in pairs])
    total = np.zeros((len(pairs), len(pairs)))
    for side in (0, 1):
        rest = [pair[side] - pair[side].mean() for pair in pairs]
        size = len(rest[0])
        total += np.array([[np.einsum("i,i->", x, y) for y in rest] for x in rest]) / (size - 1) / size
    return areas, total


# -- DeLong's test of two areas under ROC curves, on the same cases or on separate ones --------------------------------


class AreaTest(NamedTuple):
    """Two areas, their difference with its standard error, z, and the two-sided p-value.

    ``df`` is None of the same cases, where z is Normal; of separate sets z is Student's t with so many degrees.
    """

    areas: tuple[float, float]
    difference: float
    standard_error: float
    z: float | None
    p_value: float | None
    df: float | None = None

    def interval(self, level: float) -> tuple[float, float]:
        """Confidence interval of the difference: plus and minus standard errors."""
        upper = (1 + level) / 2
        reach = float(ndtri(upper) if self.df is None else stdtrit(self.df, upper)) * self.standard_error
        return self.difference - reach, self.difference + reach


def area_test(positive: Booleans, scores: Floats) -> AreaTest:
    """Paired test: both scores are of the same cases.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
        Two cases of each class or more.
    scores : ndarray, shape (2, n)

    Returns
    -------
    AreaTest
        z and the p-value are None where the difference has no variance, as of scores in the same order.

    Notes
    -----
    DeLong, DeLong and Clarke-Pearson 1988, equation 5 and after.

    Examples
    --------
    >>> positive = np.array([0, 0, 0, 1, 1, 1], bool)
    >>> made = area_test(positive, np.array([[1, 2, 3, 4, 5, 6], [1, 5, 2, 3, 4, 6.0]]))
    >>> round(made.difference, 4), round(made.z, 4)
    (0.2222, 0.8944)
    """
    areas, covariance = placement_covariance(positive, scores)
    return _test(areas, float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]))


def separate_area_test(sets: tuple[tuple[Booleans, Floats], tuple[Booleans, Floats]]) -> AreaTest:
    """The same for two test sets: variances add up, and t has the degrees of freedom of Welch, as in pROC.

    Notes
    -----
    Robin et al. 2011 (``roc.test`` of pROC): each set counts with all its cases less one (Satterthwaite 1946).
    """
    known = [placement_covariance(positive, scores[None, :]) for positive, scores in sets]
    variances = [float(covariance[0, 0]) for _, covariance in known]
    made = _test(np.array([areas[0] for areas, _ in known]), sum(variances))
    if made.z is None:
        return made
    again = sum(v**2 / (len(positive) - 1) for v, (positive, _) in zip(variances, sets, strict=True))
    df = sum(variances) ** 2 / again
    return made._replace(df=df, p_value=float(2 * stdtr(df, -abs(made.z))))


def _test(areas: Floats, variance: float) -> AreaTest:
    a, b = areas.tolist()
    error = math.sqrt(max(variance, 0.0))
    if error < 1e-12:
        return AreaTest((a, b), a - b, 0.0, None, None)
    z = (a - b) / error
    return AreaTest((a, b), a - b, error, z, float(2 * ndtr(-abs(z))))


# -- Cases that are called positive at many thresholds: one sort of each class, and a look-up for each threshold -------


def called_at(scores: Floats, cuts: Floats) -> Integers:
    """How many of the scores are at each cut or above, shape (T,); ties are called.

    Examples
    --------
    >>> called_at(np.array([0.2, 0.5, 0.5, 0.9]), np.array([0.5, 0.6])).tolist()
    [3, 1]
    """
    ordered = np.sort(scores)
    return np.asarray(len(ordered) - np.searchsorted(ordered, cuts, side="left"), dtype=np.int64)


def distinct_cuts(scores: Floats, positive: Booleans, most: int) -> Floats:
    """Cuts that may be best, increasing: where a run of cases of one class ends; of more than ``most``, even in rank.

    A threshold inside a run of scores of one class is beaten by one of its ends for every metric that likes right
    answers, so only scores whose neighbour below holds another class are kept, and the lowest and the highest one.

    Examples
    --------
    >>> distinct_cuts(np.array([0.1, 0.2, 0.3, 0.4]), np.array([False, False, True, True]), 10).tolist()
    [0.1, 0.3, 0.4]
    """
    values, place = np.unique(scores, return_inverse=True)
    hits = bincount(place.ravel(), positive, len(values)) > 0
    misses = bincount(place.ravel(), ~positive, len(values)) > 0
    kept = np.ones(len(values), bool)
    # cuts inside a run of one class lie between those at its ends; the last score ends the last run
    kept[1:-1] = ~((hits[1:-1] & hits[:-2] & ~misses[1:-1] & ~misses[:-2]) | (~hits[1:-1] & ~hits[:-2]))
    found = values[kept]
    if len(found) > most:
        found = found[np.unique(np.linspace(0, len(found) - 1, most).round().astype(np.int64))]
    return np.asarray(found)


def even_in_both(scores: Floats, positive: Booleans, most: int) -> Floats:
    """All different scores, increasing, or at most so many: half of them even in rank of either class.

    So points of a ROC curve are spread along both of its axes, however rare a class is.

    Examples
    --------
    >>> even_in_both(np.arange(1000.0), np.arange(1000) >= 990, 8).tolist()
    [0.0, 330.0, 659.0, 989.0, 990.0, 993.0, 996.0, 999.0]
    """
    values = np.unique(scores)
    if len(values) <= most:
        return np.asarray(values)
    halves = []
    for part, some in ((scores[positive], most // 2), (scores[~positive], most - most // 2)):
        ordered = np.sort(part)
        halves.append(ordered[np.linspace(0, len(ordered) - 1, some).round().astype(np.int64)])
    return np.unique(np.concatenate(halves))


# -- Joint draws of both error rates at many thresholds: one Dirichlet over the scores of each class -------------------

# The cases of a class between two neighbouring thresholds are a cell of a Dirichlet, and the pseudo-counts of the
# prior lie beyond the highest and below the lowest score. At each single threshold the rate is then the Beta of the
# counts there (Ferguson 1973; the Bayesian bootstrap of Rubin 1981 with pseudo-cases), and neighbours go together.


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
