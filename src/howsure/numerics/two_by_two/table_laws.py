"""Laws of metrics of a table of two classes, and their moments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, log_expit, ndtr, ndtri

from howsure.numerics.arrays import LEAST, MOST, Booleans, Floats, dot
from howsure.numerics.draws.weighted_draws import densest, quantiles
from howsure.numerics.solve import Run, runs_of, scores_of_equal_density, vertex
from howsure.numerics.two_by_two.lines import ScoreCurve, line_law, normal_rule
from howsure.numerics.two_by_two.log_odds import (
    Formula,
    diagnostic_odds_ratio,
    formula,
    lift,
    positive_likelihood_ratio,
    precision,
)

# -- Mean and standard deviation in closed form ------------------------------------------------------------------------


Pair: TypeAlias = tuple[float, float]


def _closed_moments(formula: Formula, prevalence: Pair | float, tpr: Pair, tnr: Pair) -> Pair | None:
    """(mean, sd) of a ratio or a gain, of which they may be infinite; None of what is bounded, or a log."""
    if formula.scale == "ratio" and formula.odds is not lift:
        return _of_ratio(formula, tpr, tnr)
    return _of_gain(formula, prevalence, tpr, tnr) if formula.scale == "gain" else None


def _of_ratio(formula: Formula, tpr: Pair, tnr: Pair) -> Pair:
    """Moments of a product of two independent factors: of s / v or v / s, or of the odds s / e times c / v."""
    false = tnr[1], tnr[0]
    if formula.odds is diagnostic_odds_ratio:
        first, second = odds_moments(*tpr), odds_moments(*tnr)
    elif formula.reflected:
        first, second = _beta_moments(*false), _inverse_moments(*tpr)
    else:
        first, second = _beta_moments(*tpr), _inverse_moments(*false)
    (m, v), (n, w) = first, second
    if not np.isfinite(m * n):
        return np.inf, np.inf
    return m * n, float(np.sqrt(v * w + m * m * w + n * n * v))


def _of_gain(formula: Formula, prevalence: Pair | float, tpr: Pair, tnr: Pair) -> Pair:
    """Moments of 1 - X, where X is (e / s)(v / c) or (b o q + v (1 + q)) / (1 + b), q = e / s, o = phi / psi."""
    if formula.odds is diagnostic_odds_ratio:
        (m, v), (n, w) = odds_moments(*tpr[::-1]), odds_moments(*tnr[::-1])
        return -_finite(m * n - 1), _root(v * w + m * m * w + n * n * v)
    if formula.swapped:  # the classes were exchanged to make it grow with the prevalence
        tpr, tnr = tnr, tpr
        prevalence = prevalence[::-1] if isinstance(prevalence, tuple) else 1 - prevalence
    (q, vq), (f, vf), (o, vo) = odds_moments(*tpr[::-1]), _beta_moments(*tnr[::-1]), (0.0, 0.0)
    weight = formula.recall_weight
    if weight:
        o, vo = odds_moments(*prevalence) if isinstance(prevalence, tuple) else (prevalence / (1 - prevalence), 0.0)
        o, vo = weight * o, weight * weight * vo
    if not np.isfinite(o * q):
        return -np.inf, np.inf
    # X = f + q (o + f), with f, q and o independent
    mean, square = f + q * (o + f), (vq + q * q) * (vo + o * o + 2 * o * f + vf + f * f)
    square += vf + f * f + 2 * q * (f * o + vf + f * f)
    return 1 - mean / (1 + weight), _root(square - mean * mean) / (1 + weight)


def _finite(x: float) -> float:
    return x if np.isfinite(x) else np.inf


def _root(x: float) -> float:
    return float(np.sqrt(max(x, 0.0))) if np.isfinite(x) else np.inf


def _beta_moments(a: float, b: float) -> Pair:
    """Mean and variance of theta."""
    return a / (a + b), a / (a + b) * b / (a + b) / (a + b + 1)


def odds_moments(a: float, b: float) -> Pair:
    """Mean and variance of theta / (1 - theta), infinite for b <= 1 and b <= 2."""
    mean = a / (b - 1) if b > 1 else np.inf
    return mean, mean * (a + b - 1) / (b - 1) / (b - 2) if b > 2 else np.inf


def _inverse_moments(a: float, b: float) -> Pair:
    """Mean and variance of 1 / theta = 1 + (1 - theta) / theta."""
    mean, variance = odds_moments(b, a)
    return 1 + mean, variance


# -- The laws of the metrics of a 2 x 2 table when prevalence, TPR and TNR are three independent Betas -----------------


PROBES = np.linspace(-3.6, 3.6, 9)  # Normal scores at which the shape of a density is judged
FINE = np.linspace(-3.6, 3.6, 145)  # and among which its top is found
SMOOTH = 2.0  # of fewer cases, priors included, there are needles and kinks
STEP = 0.2  # of the rule of a mean along the curve
SUPPORT = {
    "fraction": (0.0, 1.0),
    "signed": (-1.0, 1.0),
    "ratio": (0.0, np.inf),
    "log": (-np.inf, np.inf),
    "gain": (-np.inf, 1.0),
}


def resolvable(metric: str, prevalence: Pair | float, tpr: Pair, tnr: Pair, **parameters: float) -> bool:
    """Whether the density of a metric comes out of the rule over lines.

    Where the least and the greatest value depend on the prevalence, the density on a line is a power of the distance
    to them, which is infinite if both rates are known to be at that end and by less than one case each; at either end
    of lift one rate alone matters, and a kink is left below two cases. Where a metric
    vanishes with a class of one case or none, it has a needle at 0. And where two rates of which nothing else was seen
    meet at a corner in the middle of its range, as those of a perfect table for the share called positive, the
    prevalence alone tells on which side of a value it lies: the rule is a staircase.
    """
    roles = formula(metric, **parameters)
    if roles.odds is lift and min(tpr[0], tnr[1]) < SMOOTH:
        return False
    first = (tpr[1], tpr[0]) if roles.misses else tpr
    second = (tnr[1], tnr[0]) if roles.false_positives else tnr
    if isinstance(prevalence, tuple):
        if roles.vanishing and min(prevalence) <= SMOOTH:
            return False
        corner = min(first[1] + second[0], first[0] + second[1])
        if roles.random_prevalence and not roles.grows_with_prevalence and corner <= SMOOTH:
            return False
    return not roles.bounded or (max(first[0], second[0]) >= 1 and max(first[1], second[1]) >= 1)


class BinaryMetric:
    """The law of one metric under prevalence ~ Beta (or fixed), TPR ~ Beta, TNR ~ Beta, independent.

    One curve of its log odds along Normal scores (`line_law`) gives all of it. The estimated error of a probability,
    kept as `residual`, is at most 1e-6 but where the density has a kink or a needle, or two parameters near 0 meet.

    Parameters
    ----------
    metric
        A name in `howsure.numerics.two_by_two.log_odds.NAMES`.
    prevalence
        Parameters (a, b) of its Beta, or a number in (0, 1) that is known by design.
    tpr, tnr
        Parameters (a, b) of the Betas of sensitivity and specificity, all positive.
    parameters
        Of a metric in `howsure.numerics.two_by_two.log_odds.PARAMETRIC`.

    References
    ----------
    Toetsch and Hoffmann (2021), PeerJ Computer Science 7, e398, for the model.
    """

    def __init__(self, metric: str, prevalence: Pair | float, tpr: Pair, tnr: Pair, **parameters: float) -> None:
        self._formula = formula(metric, **parameters)
        tpr, tnr = _positive("tpr", tpr), _positive("tnr", tnr)
        if isinstance(prevalence, int | float):
            if not 0 < prevalence < 1:
                raise ValueError(f"a fixed prevalence must lie between 0 and 1; it is {prevalence}")
        else:
            prevalence = _positive("prevalence", prevalence)
        if self._formula.swapped:
            prevalence = prevalence[::-1] if isinstance(prevalence, tuple) else 1 - prevalence
            tpr, tnr = tnr, tpr
        if self._formula.misses:
            tpr = tpr[1], tpr[0]
        if self._formula.false_positives:
            tnr = tnr[1], tnr[0]
        self._model = prevalence, tpr, tnr
        if self._formula.odds is precision and not isinstance(prevalence, tuple):
            self._formula = _of_likelihood_ratio(self._formula, prevalence)
        # whichever class it is asked of, one integral has one set of lines
        alike = replace(self._formula, scale="log", reflected=False, shift=0.0, swapped=False)
        alike = replace(alike, misses=False, false_positives=False)
        self._law = line_law(alike, prevalence if alike.random_prevalence else 0.5, tpr, tnr)
        self.support = SUPPORT[self._formula.scale]

    @property
    def terms(self) -> int:
        """Number of lines integrated over."""
        return self._law.lines

    @property
    def residual(self) -> float:
        """Estimated error of the CDF."""
        return self._law.error

    def cdf(self, x: ArrayLike) -> Floats:
        """Return P(metric <= x)."""
        return self._probability(x, upper=self._formula.reflected)

    def sf(self, x: ArrayLike) -> Floats:
        """Return P(metric > x)."""
        return self._probability(x, upper=not self._formula.reflected)

    def pdf(self, x: ArrayLike) -> Floats:
        """Return the density; 0 outside the open support."""
        x = np.asarray(x, float)
        result = np.zeros(x.shape)
        inside = (x > self.support[0]) & (x < self.support[1])
        if inside.any():
            scores = self._law.curve.score(self._formula.log_odds(x[inside]))
            result[inside] = np.exp(self._at(-scores if self._formula.reflected else scores)[1])
        return result

    def quantile(self, p: ArrayLike) -> Floats:
        """Return x with P(metric <= x) = p; the ends of the support at p = 0 and 1."""
        p = np.asarray(p, float)
        if not np.all((p >= 0) & (p <= 1)):
            raise ValueError("probabilities must lie between 0 and 1")
        result = np.where(p == 0, *self.support)
        inside = (p > 0) & (p < 1)
        if inside.any():
            result[inside] = self._at(ndtri(p[inside]))[0]
        return result

    def quantile_with_density(self, p: Floats) -> tuple[Floats, Floats]:
        """Return x with P(metric <= x) = p for each 0 < p < 1 of a 1-D array, and the density there."""
        x, log_density = self._at(ndtri(p))
        return x, np.exp(log_density)

    def _at(self, scores: Floats) -> tuple[Floats, Floats]:
        """The metric where P(metric <= x) is Phi of some scores, and the log density there."""
        odds, slope = self._law.curve(-scores if self._formula.reflected else scores)
        with np.errstate(divide="ignore", invalid="ignore"):
            height = -0.5 * scores * scores - 0.5 * np.log(2 * np.pi) - np.log(slope)
        return self._formula.metric(odds), height + self._formula.log_odds_slope(odds)

    def highest_density(self, level: float) -> Pair | None:
        """Return the interval of highest density; None where that is not one interval.

        It has equal densities at its ends, f(Q(p)) = f(Q(p + level)); of a monotone density it begins or stops at the
        end of the support.
        """
        run = self._shape
        if run in ("rising", "falling"):
            cut = float(self.quantile(1 - level if run == "rising" else level))
            return (cut, self.support[1]) if run == "rising" else (self.support[0], cut)
        return self._equal_densities(level) if run == "one" else None

    def outline(self, points: int) -> tuple[Floats, Floats] | None:
        """Return the density as a curve for pictures, between the outermost probes; None if it has several tops."""
        x, log_density = self._at(np.linspace(PROBES[0], PROBES[-1], points))
        if self._shape == "many" or not (np.isfinite(log_density).all() and (np.diff(x) > 0).all()):
            return None
        return x, np.exp(log_density)

    def mode(self) -> float:
        """Return where the density is greatest; an end of the support if it rises to there."""
        if self._shape in ("rising", "falling"):
            return self.support[self._shape == "rising"]
        x, log_density = self._at(FINE)
        best = int(np.argmax(log_density))
        if best in (0, len(FINE) - 1):
            end = self.support[best > 0]
            return end if np.isfinite(end) else float(x[best])
        x, log_density = self._at(np.linspace(FINE[best - 1], FINE[best + 1], 9))
        return vertex(x, log_density, min(max(int(np.argmax(log_density)), 1), 7))

    @property
    def mean(self) -> float:
        """Mean; infinite for a ratio whose denominator has too much mass near 0."""
        return self._moments[0]

    @property
    def sd(self) -> float:
        """Standard deviation; infinite where the second moment is."""
        return self._moments[1]

    @cached_property
    def _moments(self) -> Pair:
        closed = _closed_moments(self._formula, *self._model)
        if closed is not None:
            return closed
        scores, weight = normal_rule(STEP)
        x = self._at(scores)[0]
        mean = float(weight @ x)
        return mean, float(np.sqrt(weight @ (x - mean) ** 2))

    def _probability(self, x: ArrayLike, upper: bool) -> Floats:
        """P(L <= l(x)), or P(L > l(x)) if `upper`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = self._formula.log_odds(np.clip(np.asarray(x, float), *self.support))
        result = np.where((odds > 0) != upper, 1.0, 0.0)
        inside = np.isfinite(odds)
        if inside.any():
            scores = self._law.curve.score(odds[inside])
            result[inside] = ndtr(-scores if upper else scores)
        return np.where(np.isnan(odds), np.nan, result)

    @property
    def _shape(self) -> Run:
        """How the density runs between its quantiles at the outermost probes; none rises for ever."""
        run = runs_of(self._at(PROBES)[1][None])[0]
        end = self.support[run == "rising"]
        return "one" if run in ("rising", "falling") and not np.isfinite(end) else run

    def _equal_densities(self, level: float) -> Pair:
        """Both ends where they have one density, of a density with one top."""

        def excess(low: Floats, high: Floats) -> Floats:
            return self._at(high)[1] - self._at(low)[1]

        low, high = (float(self._at(end)[0][0]) for end in scores_of_equal_density(excess, level, 1))
        return low, high


def _of_likelihood_ratio(predictive: Formula, prevalence: float) -> Formula:
    """A predictive value at a known prevalence, whose odds are so many times a likelihood ratio."""
    shift = float(np.log(prevalence) - np.log1p(-prevalence))
    return replace(
        predictive,
        odds=positive_likelihood_ratio,
        shift=-shift if predictive.reflected else shift,
        random_prevalence=False,
        grows_with_prevalence=False,
    )


def _positive(name: str, pair: Pair) -> Pair:
    """Check one pair of Beta parameters."""
    a, b = float(pair[0]), float(pair[1])
    if not (0 < a < np.inf and 0 < b < np.inf):
        raise ValueError(f"{name} needs two positive, finite Beta parameters; they are {a:g} and {b:g}")
    return a, b


# -- The law of a probability at many prior odds at once: its log odds have one law, moved by those of the prior -------

# Bayes' theorem in odds (Fagan 1975, "Nomogram for Bayes's theorem"): the odds after a result are those before it times
# a likelihood ratio. So one law of log odds serves every prevalence: its quantiles are moved along, and what is no
# quantile, the mean and the interval of highest density, is found from them for all prevalences together.


# Normal scores between which the log odds are known, of intervals up to the level .99 and of others: further out
# quantiles are dear, and the law's own error is no longer small beside the tail
FARTHEST, SPACING = (4.25, 6.0), 0.25
MEANS = np.linspace(-6.5, 6.5, 209)  # the trapezoid rule of the mean
WEIGHTS = np.exp(-0.5 * MEANS**2) / np.exp(-0.5 * MEANS**2).sum()


def log_odds(probabilities: Floats) -> Floats:
    """Log odds, of 0 and 1 those of the nearest probabilities where they are finite."""
    inside = np.clip(probabilities, LEAST, MOST)
    return np.asarray(np.log(inside) - np.log1p(-inside))


class Moved(NamedTuple):
    """Low ends, means and high ends, shape (n,) each, and where the interval is the one of highest density."""

    low: Floats
    mean: Floats
    high: Floats
    densest: Booleans


class SmoothOdds:
    """Log odds of a probability whose quantiles and density are known.

    Parameters
    ----------
    quantile_with_density : callable
        Of the probability itself, a number between 0 and 1: its quantiles of given shares, and the densities there.
    level : float
        Of the intervals that will be asked for, at most.
    """

    def __init__(self, quantile_with_density: Callable[[Floats], tuple[Floats, Floats]], level: float) -> None:
        reach = FARTHEST[level > 0.99]
        scores = np.linspace(-reach, reach, round(2 * reach / SPACING) + 1)
        x, density = quantile_with_density(ndtr(scores))
        x = np.clip(x, LEAST, MOST)
        # the density of the log odds by the Jacobian x (1 - x), that of the score by phi(score)
        slope = np.maximum(density, LEAST) * x * (1 - x) * np.exp(0.5 * scores**2) * np.sqrt(2 * np.pi)
        self._odds = ScoreCurve(log_odds(x), scores, slope)

    def at(self, shifts: Floats, level: float, kind: Literal["hdi", "central"]) -> Moved:
        """Mean and interval of the probability whose log odds are greater by each of ``shifts``, shape (n,).

        Of highest density where that is one interval and ``kind`` asks for it, else central.
        """
        mean = np.einsum("ij,j->i", expit(self._fine + shifts[:, None]), WEIGHTS)  # whatever the number of threads
        end = np.full(len(shifts), -ndtri((1 - level) / 2))
        low, high = self._moved(-end, shifts)[0], self._moved(end, shifts)[0]
        found = np.zeros(len(shifts), dtype=bool)
        if kind == "hdi":
            runs = np.array(runs_of(self._moved(PROBES, shifts[:, None])[1]))
            found, one = runs != "many", runs == "one"
            if one.any():
                some = shifts[one]

                def excess(lower: Floats, upper: Floats) -> Floats:
                    return self._moved(upper, some[:, None])[1] - self._moved(lower, some[:, None])[1]

                ends = scores_of_equal_density(excess, level, len(some))
                low[one], high[one] = (self._moved(scores, some)[0] for scores in ends)
            for run, shares in (("rising", 1 - level), ("falling", level)):
                of = runs == run
                cut = self._moved(np.full(np.count_nonzero(of), ndtri(shares)), shifts[of])[0]
                low[of], high[of] = (cut, 1.0) if run == "rising" else (0.0, cut)
        return Moved(low, np.asarray(mean), high, found)

    @cached_property
    def _fine(self) -> Floats:
        return self._odds(MEANS)[0]

    def _moved(self, scores: Floats, shifts: Floats) -> tuple[Floats, Floats]:
        """The probability and its log density, less a constant, at scores and for shifts that broadcast with them."""
        odds, slope = self._odds(scores)
        moved = odds + shifts
        return expit(moved), -0.5 * scores * scores - np.log(slope) - log_expit(moved) - log_expit(-moved)


class DrawnOdds:
    """Log odds of a probability that was drawn.

    Parameters
    ----------
    values : ndarray, shape (N,)
        Draws of the probability, sorted.
    cumulative : ndarray, shape (N,), optional
        Running sum of their weights, ending in 1.
    """

    def __init__(self, values: Floats, cumulative: Floats | None = None) -> None:
        self._odds = log_odds(values)
        self._cumulative = cumulative
        n = len(values)
        self._shares = np.full(n, 1 / n) if cumulative is None else np.diff(cumulative, prepend=0.0)

    def at(self, shifts: Floats, level: float, kind: Literal["hdi", "central"]) -> Moved:
        """Mean and interval as those of `SmoothOdds`, of the draws; the shortest window is the densest interval."""
        made = np.empty((3, len(shifts)))
        found = np.zeros(len(shifts), dtype=bool)
        tails = np.array([(1 - level) / 2, (1 + level) / 2])
        for i, shift in enumerate(shifts.tolist()):
            moved = expit(self._odds + shift)
            window = densest(moved, level, self._cumulative) if kind == "hdi" else None
            found[i] = window is not None
            low, high = window.ends if window is not None else quantiles(moved, tails, self._cumulative)
            made[:, i] = low, dot(self._shares, moved), high
        return Moved(made[0], made[1], made[2], found)
