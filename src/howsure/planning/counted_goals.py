"""Goals of one rate or of two, whose chance is counted out; a single rate."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import betainc, betaincc, betaincinv, ndtri

from howsure.data.confusion import ConfusionMatrix
from howsure.laws.law import Route
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.betas import hdi_width
from howsure.numerics.populations.beta_laws import exceedance
from howsure.numerics.trials.assurance import Goal as Tails
from howsure.numerics.trials.assurance import (
    Truth,
    above_goal,
    assurance,
    from_there_on,
    paired_assurance,
    paired_better,
    separate_assurance,
    smallest,
    strictly_better,
    width_goal,
)
from howsure.planning.goal import MOST_CASES, Problem, Solution
from howsure.posterior.knowledge import TableKnowledge
from howsure.posterior.paired_rows import LEFT, weighted_recalls
from howsure.posterior.priors import Prior, resolve_prior

#: Above this many classes a row of recalls is too large to simulate tests of it by the hundred.
MOST_RECALLS = 300


@dataclass(frozen=True)
class Rate:
    """One rate and its prior, in the direction of the metric."""

    #: Beta of the metric before any case.
    prior: tuple[float, float]
    #: Class whose cases are its denominator; None for all cases.
    index: int | None


def rate_of(measure: Measure, size: int, prior: Prior) -> Rate | None:
    """The single rate that a measure is, or None.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> from howsure.posterior.priors import resolve_prior
    >>> rate_of(parse("specificity", ["no", "yes"], "yes"), 2, resolve_prior("flat", 2))
    Rate(prior=(1, 1), index=0)
    >>> rate_of(parse("f1", ["no", "yes"], "yes"), 2, resolve_prior("flat", 2)) is None
    True
    """
    twin = measure.twin
    name, index = LEFT.get(twin.metric.name, twin.metric.name), twin.index
    if twin.average is not None or name not in ("accuracy", "prevalence", "recall", "specificity"):
        return None
    if name == "prevalence":
        share = prior.prevalence / size
        return Rate((share, prior.prevalence - share), None)
    a, b = prior.coin if name == "accuracy" else (prior.a, prior.b)
    if name == "specificity":
        if index is None or size > 2:
            return None
        index = 1 - index
    return Rate((a, b) if name == twin.metric.name else (b, a), index)


def recall_weights(measure: Measure, size: int) -> Floats | None:
    """Weights of the recalls where the measure is a weighted sum of them, shape (K,); else None.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> recall_weights(parse("balanced_accuracy", ["a", "b"]), 2).tolist()
    [0.5, 0.5]
    """
    if size > MOST_RECALLS:
        return None
    nothing = ConfusionMatrix(np.zeros((size, size), dtype=int))
    found = weighted_recalls(measure.exact_law(TableKnowledge(nothing, resolve_prior("flat", size))), size)
    return None if found is None else found[0]


#: Simulated tests for the band of a curve.
SIMULATED = 1_000
#: Outcomes at which a width is computed for a curve; between them it is interpolated.
NODES = 65
#: Comparisons are enumerated up to here.
MOST_COMPARED = 3_000_000


@dataclass(frozen=True, eq=False)
class OneRate(Problem):
    """A width, or a threshold, of one rate."""

    #: Beta of the rate before the test.
    prior: tuple[float, float]
    #: What the rate is supposed to be; None for the worst case, every outcome.
    truth: Truth | None
    most = MOST_CASES
    route: ClassVar[Route] = "exact"

    @property
    def true(self) -> float:
        """Probability that the true rate is beyond the threshold."""
        truth, target = self.truth, self.goal.target
        if truth is None or self.goal.kind == "width":
            return 1.0
        below = float(truth.a < target) if truth.fixed else float(betainc(truth.a, truth.b, target))
        return below if self.goal.kind == "below" else 1 - below - float(truth.fixed and truth.a == target)

    @property
    def _upwards(self) -> tuple[Tails, Truth | None]:
        """Goal and truth with "below" turned into "above" of the mirror image."""
        goal, truth = self.goal, self.truth
        if goal.kind == "width":
            return width_goal(goal.target, self.prior, goal.level), truth
        if goal.kind == "above":
            return above_goal(goal.target, self.prior, goal.level), truth
        if truth is not None:
            truth = Truth(1 - truth.a) if truth.fixed else Truth(truth.b, truth.a)
        return above_goal(1 - goal.target, (self.prior[1], self.prior[0]), goal.level), truth

    def assurance(self, n: int) -> tuple[float, float]:
        """Probability that n cases reach the goal; exact."""
        tails, truth = self._upwards
        if truth is None:
            lower, upper = tails(np.array([n]))
            return float(upper[0] <= lower[0] + 1), 0.0
        return float(assurance(np.array([n]), tails, truth)[0]), 0.0

    def solve(self, asked: float) -> Solution | None:
        """Smallest n, from which the goal holds for good."""
        tails, truth = self._upwards
        if truth is None:
            n, first = from_there_on(lambda n: self.assurance(n)[0], 1.0, most=MOST_CASES)
            return Solution(n, first) if n <= MOST_CASES else None
        found = smallest(tails, truth, asked)
        return None if found is None else Solution(found.n, found.first)

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width of the interval, or probability of the statement, after simulated tests."""
        rng = np.random.default_rng([seed, 3])
        truth = self.truth or Truth(0.5)
        rate = np.full(SIMULATED, truth.a) if truth.fixed else rng.beta(truth.a, truth.b, SIMULATED)
        right = rng.binomial(n, rate)
        a, b = right + self.prior[0], n - right + self.prior[1]
        if self.goal.kind == "width":
            # the width is a smooth function of the number of right answers
            nodes = np.unique(np.quantile(right, np.linspace(0, 1, NODES)).round())
            return np.interp(right, nodes, hdi_width(nodes + self.prior[0], n - nodes + self.prior[1], self.goal.level))
        above = betaincc(a, b, self.goal.target)
        return np.asarray(above if self.goal.kind == "above" else 1 - above)


@dataclass(frozen=True, eq=False)
class Compared(Problem):
    """Two classifiers of which the new one is better by ``goal.target``."""

    most = MOST_COMPARED
    route: ClassVar[Route] = "exact"

    @property
    @abstractmethod
    def variance(self) -> float:
        """Of the difference found, times the number of cases."""

    def solve(self, asked: float) -> Solution | None:
        """Smallest n (for each of the two, where test sets are separate)."""
        goal, score = self.goal, max(0.0, float(ndtri(self.goal.level) + ndtri(asked)))
        # by the Normal approximation; 0 where the goal is more likely than not before any test
        near = self.variance * score**2 / (goal.target + goal.margin) ** 2
        if near > 2 * MOST_COMPARED:
            return None
        start = max(1, int(near))
        n, first = from_there_on(lambda n: self.assurance(n)[0], asked, most=MOST_COMPARED, window=12, start=start)
        return Solution(n, first) if n <= MOST_COMPARED else None


@dataclass(frozen=True, eq=False)
class TwoRates(Compared):
    """Two classifiers, each on n cases of its own, that differ by ``goal.target``."""

    #: Beta of either rate before the test.
    prior: tuple[float, float]
    #: The rate of the old one; None for the worst case, both around one half.
    truth: Truth | None

    @property
    def room(self) -> float:
        """What is left above the old rate."""
        return 1 - self.truth.a if self.truth is not None and self.truth.fixed else 1.0

    @property
    def rates(self) -> tuple[Floats, Floats, Floats]:
        """Rates of the old one and of the new one, and the weights of these truths."""
        if self.truth is None:
            middle = np.array([0.5])
            return middle - self.goal.target / 2, middle + self.goal.target / 2, np.ones(1)
        old, weights = nodes_of(self.truth)
        return old, np.minimum(old + self.goal.target, 1.0), weights

    def assurance(self, n: int) -> tuple[float, float]:
        """Probability that n cases each reach the goal; exact."""
        old, new, weights = self.rates
        reached = separate_assurance(
            n, old, new, self.goal.level, prior=self.prior, margin=self.goal.margin, weights=weights
        )
        return reached, 0.0

    @property
    def variance(self) -> float:
        """Of the difference found, times the number of cases."""
        old, new, weights = self.rates
        return float(np.average(old * (1 - old) + new * (1 - new), weights=weights))

    def outcomes(self, n: int, seed: int) -> Floats:
        """P(new is better) after simulated tests."""
        rng = np.random.default_rng([seed, 3])
        old, new, weights = self.rates
        i = rng.choice(len(old), SIMULATED, p=weights / weights.sum())
        first, second = rng.binomial(n, new[i]), rng.binomial(n, old[i])
        a, b = self.prior
        return exceedance((first + a, n - first + b), (second + a, n - second + b), self.goal.margin)


@dataclass(frozen=True, eq=False)
class PairedRates(Compared):
    """Two classifiers on the same n cases, of which only one is right on a share of them."""

    #: That share; never less than the difference.
    apart: Truth
    #: Whether the sign test decides, as it does at a gate for paired accuracy without a margin.
    strict: bool = False

    @property
    def room(self) -> float:
        """Two that differ by d have different outcomes on at least that share of the cases."""
        return self.apart.a if self.apart.fixed else 1.0

    @property
    def rates(self) -> tuple[Floats, Floats, Floats]:
        """Shares that only the new one, and only the old one, gets right, and the weights of these truths."""
        apart, weights = nodes_of(self.apart)
        q, d = np.maximum(apart, self.goal.target), self.goal.target
        return (q + d) / 2, (q - d) / 2, weights

    def assurance(self, n: int) -> tuple[float, float]:
        """Probability that n cases reach the goal; exact."""
        wins, losses, weights = self.rates
        margin, strict = self.goal.margin, self.strict
        reached = paired_assurance(n, wins, losses, self.goal.level, margin=margin, weights=weights, strict=strict)
        return reached, 0.0

    @property
    def variance(self) -> float:
        """Of the difference found, times the number of cases."""
        wins, losses, weights = self.rates
        return float(np.average(wins + losses, weights=weights)) - self.goal.target**2

    def outcomes(self, n: int, seed: int) -> Floats:
        """P(new is better) after simulated tests."""
        rng = np.random.default_rng([seed, 3])
        wins, losses, weights = self.rates
        i = rng.choice(len(wins), SIMULATED, p=weights / weights.sum())
        cells = np.stack([wins, losses, np.maximum(0.0, 1 - wins - losses)], axis=1)[i]
        found = rng.multinomial(n, cells / cells.sum(axis=1, keepdims=True))
        if self.strict:
            return strictly_better(found[:, 0], found[:, 1])
        return paired_better(found[:, 0], found[:, 1], float(n), self.goal.margin)


def nodes_of(truth: Truth) -> tuple[Floats, Floats]:
    """Values and weights that stand for a truth: one, or 24 quantiles of a Beta (Gauss-Legendre)."""
    if truth.fixed:
        return np.array([truth.a]), np.ones(1)
    x, weight = np.polynomial.legendre.leggauss(24)
    return np.asarray(betaincinv(truth.a, truth.b, (1 + x) / 2)), weight / 2
