"""Numbers of whole curves, their bands, and the cut that is chosen on one."""

from __future__ import annotations

import math
from collections.abc import Callable
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


# -- Bands around a curve from many random ones: at each point, and around all of it at once ---------------------------


#: Mean weight, in cases, by which lower curves are moved down and upper ones up before the band of all of a curve is
#: taken. Random curves have steps at the cases that were seen and nowhere else; without it such bands are too narrow
#: where a rate is near 0 or 1 (docs/validity.md says what they hold with it).
SLACK = 0.05


def pointwise(draws: Floats, level: float) -> tuple[Floats, Floats]:
    """Central intervals at each point, shape (G,) each, of curves of shape (M, G)."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def simultaneous(lower: Floats, upper: Floats, level: float) -> tuple[Floats, Floats]:
    """Band, shape (G,) each end, that holds a share ``level`` of M curves wholly: between equal ranks at every point.

    ``lower`` and ``upper``, shape (M, G), are the same random curves moved down and up (or twice the same). The
    envelope of ranks of Besag et al. 1995 (Statistical Science 10, section 6.3), with ties in favour of a curve.
    """
    draws = len(lower)
    low, high = np.sort(lower, axis=0), np.sort(upper, axis=0)
    depth = np.full(draws, draws)
    for g in range(lower.shape[1]):
        depth = np.minimum(depth, np.searchsorted(low[:, g], lower[:, g], "right"))
        depth = np.minimum(depth, draws - np.searchsorted(high[:, g], upper[:, g], "left"))
    rank = max(1, int(np.sort(depth)[int((1 - level) * draws + 1e-9)]))
    return low[rank - 1], high[draws - rank]


def shifted(x: Floats, y: Floats, at: Floats, across: Floats, up: Floats, *, higher: bool) -> Floats:
    """Values (M, G) at ``at`` (G,) of rising curves (M, S), moved left and up (``higher``), or right and down."""
    sign = 1.0 if higher else -1.0
    made = np.array([np.interp(at + sign * dx, a, b) for dx, a, b in zip(across, x, y, strict=True)])
    if not higher:
        # right of where a moved curve begins there is nothing yet, not the height of its first step
        made[at[None, :] < across[:, None]] = 0.0
    return np.clip(made + sign * up[:, None], 0.0, 1.0)


# -- A threshold that is chosen and judged on the same cases: where the best one may lie, and what choosing flatters ---


#: Values of tables that are held at once.
BLOCK = 4_000_000


def tables_of(called: Floats, share: Floats | float) -> Floats:
    """Tables (..., T, 2, 2) from rates of being called (..., T, 2), negative class first, and the positive share."""
    phi = np.asarray(share, dtype=float)[..., None]
    made = np.empty((*called.shape[:-1], 2, 2))
    made[..., 0, 1] = (1 - phi) * called[..., 0]
    made[..., 0, 0] = (1 - phi) * (1 - called[..., 0])
    made[..., 1, 1] = phi * called[..., 1]
    made[..., 1, 0] = phi * (1 - called[..., 1])
    return made


def best_cut(values: Floats) -> Integers:
    """Place of the largest value, shape (...,), of values (..., T); of equal ones the middle; NaN is never best."""
    filled = np.where(np.isnan(values), -np.inf, values)
    tied = filled == filled.max(axis=-1, keepdims=True)
    reached = np.cumsum(tied, axis=-1)
    middle = (reached[..., -1:] + 1) // 2
    return np.asarray((reached >= middle).argmax(axis=-1), dtype=np.int64)


def optimism(
    called: Integers,
    sizes: Integers,
    share: float,
    worth: Callable[[Floats], Floats],
    resamples: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """How much better the chosen threshold looks on the cases it was chosen on than on new ones, and its error.

    ``called`` (T, 2) are cases at T increasing cuts or above, negative first. Efron's bootstrap within classes: the
    mean gain of the resample's best cut there over the cases themselves (Efron and Gong 1983; Harrell, Lee and Mark
    1996).
    """
    bins = [np.diff(np.concatenate(([0], called[::-1, i], [sizes[i]]))) / sizes[i] for i in (0, 1)]
    original = worth(tables_of(called / sizes, share))
    gains = []
    step = max(1, BLOCK // (8 * len(called)))
    for start in range(0, resamples, step):
        many = min(step, resamples - start)
        drawn = np.stack(
            [np.cumsum(rng.multinomial(sizes[i], bins[i], many), axis=1)[:, :-1][:, ::-1] / sizes[i] for i in (0, 1)],
            axis=-1,
        )
        values = worth(tables_of(drawn, share))
        at = best_cut(values)
        gains.append(np.take_along_axis(values, at[:, None], axis=1)[:, 0] - original[at])
    found = np.concatenate(gains)
    found = found[np.isfinite(found)]
    if not len(found):
        return 0.0, 0.0
    return float(found.mean()), float(found.std() / np.sqrt(len(found)))


# -- Numbers of ROC and precision-recall curves, of one curve or of many: arrays of rates in, one number a curve out ---


#: Cases on either side of a point of a curve that are added to those of its class: Jeffreys' Beta(1/2, 1/2).
HALF = 0.5


def area_under(true: Floats, false: Floats, inside: Floats | None = None) -> Floats:
    """Area under each of M ROC curves of rates (M, S + 1) from (0, 0) to (1, 1).

    ``inside`` (S,) is the share of the pairs within each step that are in the right order; by default 1/2, the
    trapezium.
    """
    up, across = np.diff(true, axis=-1), np.diff(false, axis=-1)
    half = 0.5 if inside is None else inside
    return np.asarray(np.einsum("ms,ms->m", up, 1 - false[:, 1:] + across * half))


def average_precision(true: Floats, false: Floats, odds: Floats, gain: Floats | None = None) -> Floats:
    """Mean precision over the positives of M curves; ``odds`` (M,) of negatives, ``gain`` (S,) to add to it."""
    up = np.diff(true, axis=-1)
    called = true[:, 1:] + odds[:, None] * false[:, 1:]
    precision = np.divide(true[:, 1:], called, out=np.ones_like(called), where=called > 0)
    if gain is not None:
        precision = np.clip(precision + gain, 0.0, 1.0)
    return np.asarray(np.einsum("ms,ms->m", up, precision))


def true_rate_at(true: Floats, false: Floats, at: Floats) -> Floats:
    """True positive rates (M, G) at false ones, on straight lines between points; the upper end of a vertical line."""
    return np.array([np.interp(at, x, y) for x, y in zip(false, true, strict=True)])


def false_rate_at(true: Floats, false: Floats, at: Floats) -> Floats:
    """False positive rate at which true positive rates are reached; the left end of a horizontal line."""
    # from the other end, the left end of a line is the last of equal rates
    return np.array([1 - np.interp(1 - at, 1 - y[::-1], 1 - x[::-1]) for x, y in zip(false, true, strict=True)])


def partial_area(true: Floats, false: Floats, most: float) -> Floats:
    """Area under each ROC curve up to a false positive rate, shape (M,)."""
    ends = true_rate_at(true, false, np.array([most]))
    x, y = np.minimum(false, most), np.where(false > most, ends, true)
    return np.asarray(np.einsum("ms,ms->m", np.diff(x, axis=-1), (y[:, 1:] + y[:, :-1]) / 2))


def standardised(area: Floats, most: float) -> Floats:
    """Partial area on the scale where 1/2 is chance and 1 is perfect (McClish 1989, equation 5)."""
    least = most**2 / 2
    return np.asarray((1 + (area - least) / (most - least)) / 2)


def precision_at(recall: Floats, false: Floats, odds: Floats) -> Floats:
    """Precision where a share ``recall`` of the positives and ``false`` of the negatives are called, shape (M, G)."""
    called = recall + odds[:, None] * false
    return np.divide(np.broadcast_to(recall, called.shape), called, out=np.ones_like(called), where=called > 0)


def with_half_cases(rates: Floats, cases: float, rng: np.random.Generator) -> Floats:
    """Draws of shares (M, G) of so many cases with half a case more on either side, the same at all points of a curve.

    Beta(k, n - k) becomes Beta(k + 1/2, ...): near an area of 1 pseudo-cases leave a point that all reach too sure.
    """
    weight = rng.standard_gamma(cases, (len(rates), 1))
    above, below = rng.standard_gamma(HALF, (2, len(rates), 1))
    return np.asarray((rates * weight + above) / (weight + above + below))
