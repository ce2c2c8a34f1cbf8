"""The laws of the metrics of a 2 x 2 table when prevalence, TPR and TNR are three independent Betas."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, ndtr, ndtri

from howsure.numerics.arrays import Floats
from howsure.numerics.solve.smooth_curve import even_cubic
from howsure.numerics.two_by_two.lines import Lines
from howsure.numerics.two_by_two.log_odds import formula
from howsure.numerics.two_by_two.moments import moments

Pair = tuple[float, float]

LEVEL = 0.95  # the level whose central interval the integration rule is fitted to, and which is kept
SHARES = np.linspace(-8.0, 8.0, 129)  # logits of the share of the lower tail in what an interval leaves out
NOISE = 0.01  # a difference of log densities below it that does not shrink any more is the error of the rule
PROBES = np.linspace(-3.6, 3.6, 9)  # Normal scores at which the shape of a density is judged
NEAR = 0.08  # Normal scores between the top of the sketch and where the true top is looked for
KNOTS = 17  # exact values under an outline
SUPPORT = {
    "fraction": (0.0, 1.0),
    "signed": (-1.0, 1.0),
    "ratio": (0.0, np.inf),
    "log": (-np.inf, np.inf),
    "gain": (-np.inf, 1.0),
}


def binary_metric_cdf(
    metric: str, x: ArrayLike, prevalence: Pair | float, tpr: Pair, tnr: Pair, **parameters: float
) -> Floats:
    """Return P(metric <= x) under independent Betas; formula, bound and references as for `BinaryMetric`."""
    return BinaryMetric(metric, prevalence, tpr, tnr, **parameters).cdf(x)


def resolvable(metric: str, tpr: Pair, tnr: Pair, **parameters: float) -> bool:
    """Whether the density of a metric comes out of the rule over lines.

    Where the least and the greatest value depend on the prevalence, the density on a line is a power of the distance
    to them, which is infinite if both rates are known to be at that end and by less than one case each.
    """
    roles = formula(metric, **parameters)
    if not roles.bounded:
        return True
    first = (tpr[1], tpr[0]) if roles.misses else tpr
    second = (tnr[1], tnr[0]) if roles.false_positives else tnr
    return max(first[0], second[0]) >= 1 and max(first[1], second[1]) >= 1


class BinaryMetric:
    """The law of one metric under prevalence ~ Beta (or fixed), TPR ~ Beta, TNR ~ Beta, independent.

    P(metric <= x) = E Phi(t(z, y; x)), a mean over two Normals by trapezoid rules; t, z and y are the Normal scores of
    the three variables, turned so that the metric grows strictly along t. The steps are chosen so that the estimated
    error of the CDF at the ends of the central 95 % interval, kept as `residual`, is at most 3e-8; these ends then lie
    within 1e-6 of their distance. At most some 3,000 lines (values of z and y) are used, which leaves 1e-6 to 1e-4
    where two parameters near 0 meet, or where the rates are known a hundred times better than the prevalence and the
    metric does not always grow with it. Values of signed metrics are resolved to 1e-16.

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
        self._lines = Lines(self._formula, prevalence, tpr, tnr)
        tail = (1 - LEVEL) / 2
        ends = self._formula.metric(self._lines.settle(np.array([tail, 1 - tail])))
        self._central = float(ends.min()), float(ends.max())
        self.support = SUPPORT[self._formula.scale]
        self.method = "trapezoid rules over lines in Normal scores"

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
            asked = 1 - p[inside] if self._formula.reflected else p[inside]
            result[inside] = self._formula.metric(self._lines.quantiles(asked)[0])
        return result

    def interval(self, level: float = LEVEL, kind: Literal["central", "hdi"] = "central") -> Pair | None:
        """Return the central interval, or the one of highest density; None where that is not one interval.

        The second has equal densities at its ends, f(Q(p)) = f(Q(p + level)); of a monotone density it begins
        or stops at the end of the support.
        """
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1; it is {level}")
        if kind == "central":
            if level == LEVEL:
                return self._central
            return self._ends(self.quantile([(1 - level) / 2, (1 + level) / 2]))
        if kind != "hdi":
            raise ValueError(f"kind must be 'central' or 'hdi'; it is {kind!r}")
        if self._shape == "many":
            return None
        if self._shape == "rising":
            return float(self.quantile(1 - level)), self.support[1]
        if self._shape == "falling":
            return self.support[0], float(self.quantile(level))
        return self._highest_density(level)

    def outline(self, points: int) -> tuple[Floats, Floats] | None:
        """Return the density as a curve for pictures, from 2e-4 to 1 - 2e-4 of the mass; None if it has several tops.

        A smooth curve through exact values at a few quantiles: right to about one in a hundred of the greatest
        density, and ten times sooner than the density itself.
        """
        if self._shape == "many":
            return None
        knots = np.linspace(ndtri(2e-4), ndtri(1 - 2e-4), KNOTS)
        odds, density = self._lines.quantiles(ndtr(-knots if self._formula.reflected else knots))
        log_density = self._log_density(odds, density)
        if not (np.isfinite(odds).all() and np.isfinite(log_density).all()):
            return None
        place = np.linspace(0, KNOTS - 1, points)
        x = np.asarray(self._formula.metric(even_cubic(odds, place)))
        rises = np.isfinite(x).all() and bool((np.diff(x) > 0).all())
        return (x, np.exp(even_cubic(log_density, place))) if rises else None

    def mode(self) -> float:
        """Return where the density is greatest; an end of the support if it rises to there."""
        odds, log_density, rounds = *self._probes, 4
        near = self._near_top()
        if near is not None:
            beside = self._log_density(near, self._lines.probability(near).density)
            if 0 < int(np.argmax(beside)) < len(near) - 1:  # the sketch was good enough
                odds, log_density, rounds = near, beside, 0
        x = self._formula.metric(odds)
        for _ in range(rounds):
            best = int(np.argmax(log_density))
            if best in (0, len(odds) - 1):
                return self.support[0 if best == 0 else 1]
            odds = np.linspace(odds[best - 1], odds[best + 1], 9)
            x, log_density = self._formula.metric(odds), self._log_density(odds, self._lines.probability(odds).density)
            if x[-1] - x[0] < 1e-9 * np.abs(x[0]) + 1e-12:  # a pole inside the support, such as kappa without cases
                break
        # Three points about the top of a smooth curve: the vertex of their parabola, in x.
        best = min(max(int(np.argmax(log_density)), 1), len(x) - 2)
        left, right = x[best] - x[best - 1], x[best + 1] - x[best]
        down, up = log_density[best] - log_density[best - 1], log_density[best + 1] - log_density[best]
        bend = down / left - up / right
        if not bend > 0:
            return float(x[best])
        return float(x[best] + (down / left * right + up / right * left) / (2 * bend))

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
        odds, density = self._lines.quantiles(ndtr(-PROBES if self._formula.reflected else PROBES))
        return odds, self._log_density(odds, density)

    @property
    def _shape(self) -> Literal["rising", "falling", "one", "many"]:
        """How the density runs between its quantiles at the outermost probes."""
        rises = np.diff(self._probes[1]) > 0
        if rises.all():
            return "rising"
        if not rises.any():
            return "falling"
        turns = np.count_nonzero(rises[1:] != rises[:-1])
        return "one" if turns == 1 and rises[0] else "many"

    @cached_property
    def _sketch(self) -> tuple[Floats, Floats] | None:
        """Polynomials through L and the log density at the probes, as functions of the Normal score."""
        if not all(np.isfinite(values).all() for values in self._probes):
            return None
        odds, log_density = (np.polyfit(PROBES, values, len(PROBES) - 1) for values in self._probes)
        return odds, log_density

    def _near_top(self) -> Floats | None:
        """Nine values of L about the top of the sketch; None if it has none inside."""
        if self._sketch is None or self._shape != "one":
            return None
        odds, log_density = self._sketch
        scores = np.linspace(PROBES[0], PROBES[-1], 289)
        top = scores[int(np.argmax(np.polyval(log_density, scores)))]
        low, high = np.polyval(odds, [top - NEAR, top + NEAR]).tolist()
        return np.linspace(low, high, 9)

    def _highest_density(self, level: float) -> Pair:
        """Find the p at which both ends have one density, by secants inside a bracket; of a density with one top."""

        def excess(p: float) -> tuple[float, Floats]:
            chances = np.array([p, p + level])
            odds, density = self._lines.quantiles(1 - chances if self._formula.reflected else chances)
            log_density = self._log_density(odds, density)
            return float(log_density[1] - log_density[0]), self._formula.metric(odds)

        low, high = 0.0, 1 - level
        p, slope = self._sketched_level(level)
        g, x = excess(p)
        for _ in range(60):
            low, high = (p, high) if g > 0 else (low, p)
            trial = p - g / slope
            trial = trial if low < trial < high else (low + high) / 2
            step, p, before = trial - p, trial, g
            g, x = excess(p)
            noisy = NOISE > abs(g) > 0.5 * abs(before)
            if abs(g) < 1e-7 or abs(step) < 1e-12 or noisy:
                break
            slope = min((g - before) / step, 0.1 * slope)
        return self._ends(x)

    def _sketched_level(self, level: float) -> tuple[float, float]:
        """First guess of the p at which both ends have one density, and the slope there of the excess at the upper one.

        From the polynomial through the log densities at the probes as a function of the Normal score, if it has such
        a p about the probes; else from a Normal density, with d g / d p = -2 z / phi(z) at its ends -z and z.
        """
        middle = (1 - level) / 2
        z = float(ndtri(1 - middle))
        usual = middle, -2 * z * float(np.exp(0.5 * z * z)) * float(np.sqrt(2 * np.pi))
        p = (1 - level) * expit(SHARES)
        low, high = ndtri(p), ndtri(p + level)
        inside = (low > 1.1 * PROBES[0]) & (high < 1.1 * PROBES[-1])
        if self._sketch is None or np.count_nonzero(inside) < 2:
            return usual
        sketch = self._sketch[1]
        p = p[inside]
        gap = np.polyval(sketch, high[inside]) - np.polyval(sketch, low[inside])
        turn = np.flatnonzero((gap[:-1] > 0) & (gap[1:] <= 0))
        if len(turn) != 1:
            return usual
        k = int(turn[0])
        slope = float((gap[k + 1] - gap[k]) / (p[k + 1] - p[k]))
        return float(p[k] - gap[k] / slope), slope


def _positive(name: str, pair: Pair) -> Pair:
    """Check one pair of Beta parameters."""
    a, b = float(pair[0]), float(pair[1])
    if not (0 < a < np.inf and 0 < b < np.inf):
        raise ValueError(f"{name} needs two positive, finite Beta parameters; they are {a:g} and {b:g}")
    return a, b
