"""Laws of metrics of a table of two classes, and their moments."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, ndtr, polygamma, psi

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.highest_density.of_law import Run, of_probed_law, run_of, tail_by_secants, tail_guessed
from howsure.numerics.solve.roots import EvenCubic, vertex
from howsure.numerics.two_by_two.lines import PROBES, KnownRoots, Lines
from howsure.numerics.two_by_two.log_odds import (
    BinaryRates,
    Formula,
    diagnostic_odds_ratio,
    formula,
    lift,
    positive_likelihood_ratio,
    precision,
)
from howsure.numerics.two_by_two.normal_scores import logit_quantile, normal_rule
from howsure.numerics.two_by_two.parallel_lines import SMOOTH, ParallelLines

__all__ = [
    "moments",
    "odds_moments",
]


# -- Mean and standard deviation of a binary metric under independent Betas --------------------------------------------


Pair = tuple[float, float]

STEPS = (0.7, 0.5, 0.35, 0.25)
ENOUGH = 1e-9  # error of mean and sd, in sd


def moments(formula: Formula, prevalence: Pair | float, tpr: Pair, tnr: Pair) -> Pair:
    """Return (mean, sd) of the metric: of a ratio or its log in closed form, else by a rule in three scores.

    The integrand is analytic in the three Normal scores, so that the product of trapezoid rules converges
    exponentially, with an error of e^{-c / step}; it is refined until what every second node gives, or the step before,
    tells an error below `ENOUGH` sd, or to a step of 1/4.
    """
    if formula.scale == "ratio" and formula.odds is not lift:
        return _of_ratio(formula, tpr, tnr)
    if formula.scale == "log":
        return _of_log_ratio(formula, tpr, tnr)
    if formula.scale == "gain":
        return _of_gain(formula, prevalence, tpr, tnr)
    result, last = (np.inf, np.inf), 1.0
    for step in STEPS:
        z, weight = normal_rule(step)
        if isinstance(prevalence, tuple):
            u, along = _logits(prevalence, step), weight
        else:
            u, along = np.array([np.log(prevalence) - np.log1p(-prevalence)]), np.ones(1)
        u = u[:, None, None]
        s, c = _logits(tpr, step)[:, None], _logits(tnr, step)
        odds = formula.odds(BinaryRates(expit(u), expit(-u), expit(s), expit(-s), expit(c), expit(-c)))[0]
        value = formula.metric(odds)
        value = np.broadcast_to(value, (along.size, z.size, z.size))
        before, result = result, _mean_and_sd(value, along, weight)
        if _moved(before, result) ** (last / step) < ENOUGH:
            break
        last = step
        if _moved(_mean_and_sd(value[::2, ::2, ::2], along[::2], weight[::2]), result) ** 1.5 < ENOUGH:
            break
    return result


@lru_cache(64)
def _logits(beta: Pair, step: float) -> Floats:
    """Of a Beta at the nodes of a rule; kept, for the metrics of a report share their rates."""
    logits = logit_quantile(*beta, normal_rule(step)[0])
    logits.flags.writeable = False
    return logits


def _moved(before: Pair, after: Pair) -> float:
    """By how many sd mean or sd moved."""
    return max(abs(after[0] - before[0]), abs(after[1] - before[1])) / max(after[1], 1e-300)


def _mean_and_sd(value: Floats, along: Floats, weight: Floats) -> Pair:
    """Moments of values on the nodes of the product rule, about the mean so that a small sd keeps its digits."""
    along, weight = along / along.sum(), weight / weight.sum()
    mean = float(along @ (value @ weight @ weight))
    deviation = value - mean
    variance = float(along @ ((deviation * deviation) @ weight @ weight))
    return mean, variance**0.5


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


def _of_log_ratio(formula: Formula, tpr: Pair, tnr: Pair) -> Pair:
    """Moments of log s - log v, or of logit s + logit c; logs of independent Betas add up."""
    (a, b), (c, d) = tpr, tnr
    if formula.odds is diagnostic_odds_ratio:
        mean = psi(a) - psi(b) + psi(c) - psi(d)
        variance = polygamma(1, [a, b, c, d]).sum()
    else:
        mean = psi(a) - psi(a + b) - psi(d) + psi(c + d)
        variance = polygamma(1, [a, d]).sum() - polygamma(1, [a + b, c + d]).sum()
    return float(-mean if formula.reflected else mean), float(np.sqrt(variance))


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


LEVEL = 0.95  # the level whose central interval the integration rule is fitted to, and which is kept
NEAR = 0.04  # Normal scores between the top of the sketch and where the true top is looked for
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
    to them, which is infinite if both rates are known to be at that end and by less than one case each. Where a metric
    vanishes with a class of one case or none, it has a needle at 0.
    """
    roles = formula(metric, **parameters)
    if roles.vanishing and isinstance(prevalence, tuple) and min(prevalence) <= SMOOTH:
        return False
    if not roles.bounded:
        return True
    first = (tpr[1], tpr[0]) if roles.misses else tpr
    second = (tnr[1], tnr[0]) if roles.false_positives else tnr
    return max(first[0], second[0]) >= 1 and max(first[1], second[1]) >= 1


class BinaryMetric:
    """The law of one metric under prevalence ~ Beta (or fixed), TPR ~ Beta, TNR ~ Beta, independent.

    P(metric <= x) = E Phi(t(z, y; x)), a mean over two Normals by trapezoid rules; t, z and y are the Normal scores of
    the three variables, turned so that the metric grows strictly along t. The steps are chosen so that the estimated
    error of the CDF at the ends of the central 95% interval, kept as `residual`, is at most 3e-8; these ends then lie
    within 1e-6 of their distance. At nine quantiles it is at most 1e-6, or `residual` is what is left there. At most
    some 6,000 lines (values of z and y) are used, which leaves 1e-6 to 1e-3, and says so, where two parameters near 0
    meet, or where the rates are known a hundred times better than the prevalence and the metric does not always grow
    with it. Values of signed metrics are resolved to 1e-16.

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
    Toetsch and Hoffmann (2021), PeerJ Computer Science 7, e398, for the model; Trefethen and Weideman (2014), SIAM
    Review 56, 385, for the trapezoid rule.
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
        self._lines, ends = _settled(alike, prevalence if alike.random_prevalence else 0.5, tpr, tnr)
        self._central = self._ends(np.sort(self._formula.metric(ends)))
        self.support = SUPPORT[self._formula.scale]

    @property
    def terms(self) -> int:
        """Number of lines integrated over."""
        return self._lines.terms

    @property
    def residual(self) -> float:
        """Estimated error of the CDF."""
        return self._lines.residual

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
            density = self._lines.probability(self._formula.log_odds(x[inside])).density
            result[inside] = density * self._formula.odds_slope(x[inside])
        return result

    def quantile(self, p: ArrayLike) -> Floats:
        """Return x with P(metric <= x) = p; the ends of the support at p = 0 and 1."""
        p = np.asarray(p, float)
        if not np.all((p >= 0) & (p <= 1)):
            raise ValueError("probabilities must lie between 0 and 1")
        result = np.where(p == 0, *self.support)
        inside = (p > 0) & (p < 1)
        if inside.any():
            result[inside] = self._formula.metric(self._quantiles(p[inside])[0])
        return result

    def quantile_with_density(self, p: Floats) -> tuple[Floats, Floats]:
        """Return x with P(metric <= x) = p for each 0 < p < 1 of a 1-D array, and the density there."""
        odds, density = self._quantiles(p)
        return self._formula.metric(odds), np.exp(self._log_density(odds, density))

    def _quantiles(self, p: Floats) -> tuple[Floats, Floats]:
        """L and its density where the metric has the quantiles of p."""
        return self._lines.quantiles(1 - p if self._formula.reflected else p)

    def interval(self, level: float = LEVEL, kind: Literal["central", "hdi"] = "central") -> Pair | None:
        """Return the central interval, or the one of highest density; None where that is not one interval."""
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1; it is {level}")
        if kind == "central":
            if level == LEVEL:
                return self._central
            return self._ends(self.quantile([(1 - level) / 2, (1 + level) / 2]))
        if kind != "hdi":
            raise ValueError(f"kind must be 'central' or 'hdi'; it is {kind!r}")
        return self.highest_density(level)

    def highest_density(self, level: float) -> Pair | None:
        """Return the interval of highest density; None where that is not one interval.

        It has equal densities at its ends, f(Q(p)) = f(Q(p + level)); of a monotone density it begins or stops at the
        end of the support.
        """
        return of_probed_law(self._shape, level, self.quantile, self.support, self._equal_densities)

    def outline(self, points: int) -> tuple[Floats, Floats] | None:
        """Return the density as a curve for pictures, between the outermost probes; None if it has several tops.

        A smooth curve through values at the probes and, by roots to 1e-3, half-way between them: right to about one in
        a hundred of the greatest density where a few lines resolve the law, and ten times sooner than the density.
        """
        if self._shape == "many":
            return None
        between = (PROBES[1:] + PROBES[:-1]) / 2
        odds, density = self._lines.quantiles(ndtr(-between if self._formula.reflected else between), left=1e-6)
        known = (self._probes[0], odds), (self._probes[1], self._log_density(odds, density))
        odds, log_density = (np.insert(at_probes, np.arange(1, len(PROBES)), middle) for at_probes, middle in known)
        if not (np.isfinite(odds).all() and np.isfinite(log_density).all()):
            return None
        place = np.linspace(0, len(odds) - 1, points)
        x = np.asarray(self._formula.metric(EvenCubic(odds)(place)))
        rises = np.isfinite(x).all() and bool((np.diff(x) > 0).all())
        return (x, np.exp(EvenCubic(log_density)(place))) if rises else None

    def mode(self) -> float:
        """Return where the density is greatest; an end of the support if it rises to there."""
        if self._shape in ("rising", "falling"):
            return self.support[0 if self._shape == "falling" else 1]
        sketched = self._sketched_top()
        if sketched is not None:
            x, log_density, best = self._about(sketched, NEAR, 3)
            if 0 < best < len(x) - 1:  # the sketch was good enough
                return vertex(x, log_density, best)
        best = int(np.argmax(self._probes[1]))
        if best in (0, len(PROBES) - 1):
            end = self.support[best > 0]
            return end if np.isfinite(end) else float(self._formula.metric(self._probes[0])[best])
        top, half = float(PROBES[best]), float(PROBES[1] - PROBES[0])
        while True:
            x, log_density, best = self._about(top, half, 9)
            if half <= 2 * NEAR:
                # Three points about the top of a smooth curve: the vertex of their parabola, in x.
                return vertex(x, log_density, min(max(best, 1), len(x) - 2))
            top, half = top + half * (best / 4 - 1), half / 4

    def _about(self, score: float, half: float, points: int) -> tuple[Floats, Floats, int]:
        """The metric and its log density at some quantiles about one, and which is the densest."""
        scores = np.linspace(score - half, score + half, points)
        odds, density = self._lines.quantiles(ndtr(-scores if self._formula.reflected else scores))
        log_density = self._log_density(odds, density)
        return self._formula.metric(odds), log_density, int(np.argmax(log_density))

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
        return moments(self._formula, *self._model)

    def _probability(self, x: ArrayLike, upper: bool) -> Floats:
        """P(L <= l(x)), or P(L > l(x)) if `upper`."""
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = self._formula.log_odds(np.clip(np.asarray(x, float), *self.support))
        result = np.where((odds > 0) != upper, 1.0, 0.0)
        inside = np.isfinite(odds)
        if inside.any():
            probability = self._lines.probability(odds[inside])
            result[inside] = probability.above if upper else probability.below
        return np.where(np.isnan(odds), np.nan, result)

    def _ends(self, pair: Floats) -> Pair:
        return float(pair[0]), float(pair[1])

    def _log_density(self, odds: Floats, density: Floats) -> Floats:
        """Log density of the metric from l and the density of L there."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(density) + self._formula.log_odds_slope(odds))

    @cached_property
    def _probes(self) -> tuple[Floats, Floats]:
        """L at the quantiles of Phi(PROBES) and the log density of the metric there, in rising order of the metric."""
        probed = self._lines.probed
        odds, density = probed.odds, probed.density
        if self._formula.reflected:
            odds, density = odds[::-1], density[::-1]
        return odds, self._log_density(odds, density)

    @property
    def _shape(self) -> Run:
        """How the density runs between its quantiles at the outermost probes; none rises for ever."""
        run = run_of(self._probes[1])
        end = self.support[run == "rising"]
        return "one" if run in ("rising", "falling") and not np.isfinite(end) else run

    @cached_property
    def _sketch(self) -> Floats | None:
        """Polynomial through the log density at the probes, as a function of the Normal score."""
        if not all(np.isfinite(values).all() for values in self._probes):
            return None
        return np.asarray(np.polyfit(PROBES, self._probes[1], len(PROBES) - 1))

    def _sketched_top(self) -> float | None:
        """Normal score of the top of the sketch; None if it has none inside."""
        if self._sketch is None or self._shape != "one":
            return None
        scores = np.linspace(PROBES[0], PROBES[-1], 289)
        return float(scores[int(np.argmax(np.polyval(self._sketch, scores)))])

    def _equal_densities(self, level: float) -> Pair:
        """Find the p at which both ends have one density, by secants inside a bracket; of a density with one top."""
        before: KnownRoots | None = None

        def excess(p: float) -> tuple[float, Floats]:
            nonlocal before
            chances = np.array([p, p + level])
            asked = 1 - chances if self._formula.reflected else chances
            before = self._lines.quantiles_near(asked, before)
            log_density = self._log_density(before.odds, before.density)
            return float(log_density[1] - log_density[0]), self._formula.metric(before.odds)

        tail, slope = tail_guessed(self._sketch, level, (1.1 * PROBES[0], 1.1 * PROBES[-1]))
        return self._ends(tail_by_secants(excess, level, tail, slope))


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


@lru_cache(16)
def _settled(formula: Formula, prevalence: Pair | float, tpr: Pair, tnr: Pair) -> tuple[Lines, Floats]:
    """The lines of the log odds, and the ends of their central interval; kept, for several metrics have the same."""
    ends = np.array([(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    lines = Lines(ParallelLines(formula, prevalence, tpr, tnr))
    return lines, lines.settle(ends)


def _positive(name: str, pair: Pair) -> Pair:
    """Check one pair of Beta parameters."""
    a, b = float(pair[0]), float(pair[1])
    if not (0 < a < np.inf and 0 < b < np.inf):
        raise ValueError(f"{name} needs two positive, finite Beta parameters; they are {a:g} and {b:g}")
    return a, b
