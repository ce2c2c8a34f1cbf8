"""Goals about any other metric: truths are supposed, tests simulated, and each is learned from as a real one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from howsure.errors import NoInformation
from howsure.laws.law import Route
from howsure.metrics import Measure
from howsure.numerics.trials import (
    gains_learned,
    halved_noise,
    hdi_widths,
    lower_ends,
    paired_counts,
    posterior_pairs,
    posterior_tables,
    recalls_learned,
    simulated_tests,
)
from howsure.planning.goal import Answer, Goal
from howsure.planning.search import SCOUTS, simulated_answer
from howsure.planning.truth import Truths
from howsure.planning.truth import improved as errors_put_right
from howsure.priors import Prior

__all__ = ["Simulated"]

Floats = NDArray[np.float64]

#: Draws from the posterior of each simulated test.
DRAWS = 1_000
#: Simulated tests at one n, at most and at least, and the random numbers that they may cost together.
MOST_TESTS, FEWEST_TESTS, COST = 600, 100, 8_000_000


@dataclass(frozen=True, eq=False)
class Simulated:
    """A goal for a metric whose law is drawn.

    Parameters
    ----------
    measure : Measure
        The metric.
    goal : Goal
        What is to be reached.
    truths : Truths
        Of the (old) classifier.
    prior : Prior
        Of the analysis.
    agreement : float or None
        None: separate test sets. Else the same cases, and 1 means that the new one errs only where the old one
        does, 0 that they err independently.
    seed : int
        Of everything.
    weights : ndarray of shape (K,) or None
        Of the recalls, where the metric is a weighted sum of them plus a constant: then only recalls are drawn.
    """

    measure: Measure
    goal: Goal
    truths: Truths
    prior: Prior
    unit: str
    agreement: float | None = None
    seed: int = 0
    weights: Floats | None = None
    route: Route = "drawn"

    @property
    def tests(self) -> int:
        """Simulated tests at one n."""
        size = self.truths.size
        cells = size ** (2 if self.agreement is None else 3) if self.weights is None else 2 * size
        arms = 2 if self.goal.kind == "difference" and self.agreement is None else 1
        return int(np.clip(COST // (cells * arms * DRAWS), FEWEST_TESTS, MOST_TESTS))

    @cached_property
    def improved(self) -> Floats:
        """Truths of the new classifier."""
        return errors_put_right(self.truths, self.measure, self.goal.target)

    @cached_property
    def _constant(self) -> float:
        """Value of a weighted sum of recalls where all of them are 0."""
        size = self.truths.size
        none_right = np.full((size, size), 1.0) - np.eye(size)
        return float(self.measure(none_right))

    @cached_property
    def _pairs(self) -> Floats:
        """Joint truths of both, shape (T, K, K, K): truth, new, old."""
        old, new, place = self.truths.tables, self.improved, np.arange(self.truths.size)
        sizes = old.sum(-1)[..., None, None]
        apart = new[..., :, None] * old[..., None, :] / sizes
        # the new one errs only where the old one does, and then alike; of the old errors some are put right
        together = np.zeros_like(apart)
        together[..., place, place] = new
        for true in place:
            together[:, true, true, :] += old[:, true, :] - new[:, true, :]
            together[:, true, true, true] = old[:, true, true]
        share = 0.0 if self.agreement is None else self.agreement
        return np.asarray(share * together + (1 - share) * apart)

    # -- one n ------------------------------------------------------------------------------------------------

    def _learned(self, n: int, many: int, seed: int) -> Floats:
        """Draws of the metric (or of the difference, in favour of the new one) after each test, shape (R, S)."""
        rng = np.random.default_rng([self.seed, n, seed])
        size, sign = self.truths.size, -1.0 if self.measure.metric.better == "lower" else 1.0
        row, share = self.prior.row(size), self.prior.prevalence / size

        def some(tables: Floats) -> Floats:
            return tables[np.arange(many) % len(tables)]

        def one(tables: Floats) -> Floats:
            counts = simulated_tests(some(tables), n, rng, self.truths.shares)
            if self.weights is not None:
                right = np.diagonal(counts, axis1=1, axis2=2)
                drawn = recalls_learned(right, counts.sum(-1), (self.prior.a, self.prior.b), DRAWS, rng)
                # at recalls of 0 the metric is its constant
                return drawn @ self.weights + self._constant
            blocks = posterior_tables(counts, row, share, self.truths.known, DRAWS, rng)
            return np.concatenate([self.measure(block) for block in blocks])

        if self.goal.kind != "difference":
            values = one(self.truths.tables)
        elif self.agreement is None:
            values = sign * (one(self.improved) - one(self.truths.tables))
        else:
            counts = simulated_tests(some(self._pairs), n, rng, self.truths.shares)
            if self.weights is not None:
                return sign * (gains_learned(counts, DRAWS, rng) @ self.weights)
            base = 2 * np.einsum("ij,ik->ijk", row / row.sum(1, keepdims=True), row / row.sum(1, keepdims=True))
            blocks = posterior_pairs(counts, base, share, self.truths.known, DRAWS, rng)
            both = (paired_counts(block) for block in blocks)
            values = np.concatenate([sign * (self.measure(new) - self.measure(old)) for new, old in both])
        if not np.all(np.isfinite(values)):
            raise NoInformation(
                f"{self.measure.name} is undefined (0/0) in some draws; a prior with more mass, such as 'flat', or "
                "more cases would define it"
            )
        return values

    def _slack(self, n: int, many: int | None = None, seed: int = 0) -> Floats:
        """By how much each simulated test passes the goal; below 0 if it fails."""
        values, goal = self._learned(n, many or self.tests, seed), self.goal
        if goal.kind == "width":
            half = DRAWS // 2
            parts = (values, values[:, :half], values[:, half:])
            return goal.target - halved_noise(*(hdi_widths(part, goal.level) for part in parts))
        if goal.kind == "below":
            return goal.target + lower_ends(-values, 1 - goal.level)
        return lower_ends(values, 1 - goal.level) - (goal.target if goal.kind == "above" else -goal.margin)

    def assurance(self, n: int) -> tuple[float, float]:
        """Share of the simulated tests that reach the goal, and its Monte Carlo error."""
        reached = float(np.mean(self._slack(n, seed=1) >= 0))
        many = self.tests
        return reached, float(np.sqrt(max(reached * (1 - reached), 1 / many) / many))

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width (or probability) after simulated tests."""
        if self.goal.kind == "width":
            return self.goal.target - self._slack(n, min(SCOUTS, self.tests), seed + 2)
        values, target = self._learned(n, min(SCOUTS, self.tests), seed + 2), self.goal.target
        if self.goal.kind == "difference":
            return np.asarray((values > -self.goal.margin).mean(axis=1))
        return np.asarray((values > target if self.goal.kind == "above" else values < target).mean(axis=1))

    def aimed(self, target: float) -> Simulated:
        """The same with another target."""
        return replace(self, goal=replace(self.goal, target=target))

    def solve(self, asked: float) -> Answer | None:
        """Smallest n, with its Monte Carlo error."""
        return simulated_answer(self._slack, asked, self.tests)
