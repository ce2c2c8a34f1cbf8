"""Cases placed among those of the other class: areas, their difference, counts and draws at cuts."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount

# -- DeLong's variance of areas under ROC curves, by placements: O(n log n) and no matrix of pairs ---------------------


def placements(positive: Booleans, scores: Floats) -> tuple[Floats, Floats]:
    """Share of the negatives below each positive, and of the positives above each negative; ties count half."""
    above, below = scores[positive], scores[~positive]
    ups, downs = np.sort(above), np.sort(below)
    of_positives = (np.searchsorted(downs, above, "left") + np.searchsorted(downs, above, "right")) / (2 * len(downs))
    of_negatives = (np.searchsorted(ups, below, "left") + np.searchsorted(ups, below, "right")) / (2 * len(ups))
    return of_positives, 1 - of_negatives


def placement_covariance(positive: Booleans, scores: Floats) -> tuple[Floats, Floats]:
    """Areas (T,) under the curves of T scores (T, n) of the same cases, two or more of a class, and their covariance.

    DeLong, DeLong and Clarke-Pearson 1988, equation 5: the covariance of the placements of each class over its size.
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
    """Paired test of two scores (2, n) of the same cases, two or more of each class.

    DeLong, DeLong and Clarke-Pearson 1988, equation 5 and after. z and the p-value are None where the difference has no
    variance, as of scores in the same order.
    """
    areas, covariance = placement_covariance(positive, scores)
    return _test(areas, float(covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]))


def separate_area_test(sets: tuple[tuple[Booleans, Floats], tuple[Booleans, Floats]]) -> AreaTest:
    """The same for two test sets: variances add up, and t has the degrees of freedom of Welch, as in pROC.

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
    """How many of the scores are at each cut or above, shape (T,); ties are called."""
    ordered = np.sort(scores)
    return np.asarray(len(ordered) - np.searchsorted(ordered, cuts, side="left"), dtype=np.int64)


def distinct_cuts(scores: Floats, positive: Booleans, most: int) -> Floats:
    """Cuts that may be best, increasing: where a run of one class ends; of more than ``most``, even in rank."""
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
    """All different scores, increasing, or at most so many: half of them even in rank of either class."""
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

    With ``top`` pseudo-cases above all and ``bottom`` below, it is Beta(top + called, bottom + size - called).
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
