"""Goals about any other metric: truths are supposed, tests simulated, and each is learned from as a real one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from howsure.errors import NoInformation
from howsure.laws.law import SEED
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.weighted_draws import hdi_widths
from howsure.numerics.populations.error_shares import sums_learned_together, tables_learned_together
from howsure.numerics.trials.simulated_tests import (
    gains_learned,
    halved_noise,
    lower_ends,
    posterior_margins,
    posterior_tables,
    recalls_learned,
    simulated_recalls,
    simulated_tests,
)
from howsure.planning.goal import SCOUTS, Drawn, Simulation, Solution, borne_out, simulated_answer
from howsure.planning.simulated_widths import SimulatedWidths, undefined
from howsure.planning.truth import Truths
from howsure.planning.truth import improved as errors_put_right
from howsure.posterior.priors import LearnedPrior, Prior, resolve_prior

#: Draws from the posterior of each simulated test, for a width (that `SimulatedWidths` does not serve) and for a
#: probability. Many tests of few draws say more
#: than few tests of many: what a draw adds to the spread of the tests is small, and is taken out.
MOST_DRAWS, FEW_DRAWS = 1_000, 250
#: Simulated tests at one n, at most and at least, and the random numbers that they may cost together.
MOST_TESTS, FEWEST_TESTS, COST = 600, 200, 8_000_000
#: Simulated tests where each learns a population of its own: at one n, for the assurance, at one n of a curve.
LEARNED_TESTS, LEARNED_AGAIN, LEARNED_SCOUTS = 100, 200, 40


@dataclass(frozen=True, eq=False)
class HalvedDraws(Drawn):
    """Draws after each test; what a finite number of them adds to bias and spread over tests is taken out."""

    def _steady(self, known: Callable[[Floats], Floats]) -> Floats:
        half = self.values.shape[1] // 2
        return halved_noise(known(self.values), known(self.values[:, :half]), known(self.values[:, half:]))

    def widths(self, level: float) -> Floats:
        """Of the shortest intervals."""
        return self._steady(lambda part: hdi_widths(part, level))

    def quantiles(self, p: Floats) -> Floats:
        """At one probability after the other."""
        found = [self._steady(lambda part, at=at: _quantile(part, at)) for at in p.tolist()]  # type: ignore[misc]
        return np.stack(found, axis=1)


def _quantile(values: Floats, p: float) -> Floats:
    return lower_ends(values, p) if p <= 0.5 else -lower_ends(-values, 1 - p)


@dataclass(frozen=True, eq=False)
class Simulated(Simulation):
    """A goal for a metric whose law is drawn."""

    measure: Measure
    #: Of the (old) classifier.
    truths: Truths
    prior: Prior
    #: None: separate test sets. Else the same cases, and 1 means that the new one errs only where the old one does, 0
    #: that they err independently.
    agreement: float | None = None
    seed: int = SEED
    #: Of the recalls, where the metric is a weighted sum of them plus a constant: then only recalls are drawn, shape
    #: (K,).
    weights: Floats | None = None
    #: Widths that were found for another target.
    kept: SimulatedWidths | None = None

    @property
    def tests(self) -> int:
        """Simulated tests at one n."""
        if self.learned:
            return LEARNED_TESTS
        return int(
            np.clip(
                COST // self._numbers,
                FEWEST_TESTS * FEW_DRAWS // self.draws + 50,
                MOST_TESTS if self.draws == MOST_DRAWS else 2 * MOST_TESTS,
            )
        )

    @property
    def _numbers(self) -> int:
        """Random numbers that one test costs."""
        size = self.truths.size
        if self.weights is not None:
            cells = size * (2 if self.agreement is None else 4)
        else:
            cells = size ** (2 if self.agreement is None else 3)
        arms = 2 if self.goal.kind == "difference" and self.agreement is None else 1
        return cells * arms * self.draws

    @property
    def learned(self) -> bool:
        """Whether each test is read with the prior that is learned from its own classes."""
        return isinstance(self.prior, LearnedPrior)

    @property
    def draws(self) -> int:
        """Draws from the posterior of each simulated test."""
        return MOST_DRAWS if self.goal.kind == "width" else FEW_DRAWS

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

    @cached_property
    def _widths(self) -> SimulatedWidths | None:
        """Where the width is the goal: what is known of widths, whatever the target."""
        if self.goal.kind != "width":
            return None
        made = SimulatedWidths(self.measure, self.truths, self.prior, self.goal.level, self.seed, self.weights)
        return self.kept or made

    # -- one n ------------------------------------------------------------------------------------------------

    def after(self, n: int, many: int, stream: int, draws: int | None = None) -> HalvedDraws:
        """Draws of the metric (or of the difference, in favour of the new one) after each test.

        Beside them the differences that are observed on separate test sets; NaN where a class is empty.
        """
        rng = np.random.default_rng([self.seed, n, stream])
        draws = self.draws if draws is None else draws
        size, sign = self.truths.size, -1.0 if self.measure.metric.better == "lower" else 1.0
        row, share = self.prior.row(size), self.prior.prevalence / size

        def some(tables: Floats) -> Floats:
            return tables[np.arange(many) % len(tables)]

        def one(tables: Floats) -> tuple[Floats, Floats]:
            if self.weights is not None:
                right, cases = simulated_recalls(tables, n, rng, self.truths.shares, np.arange(many) % len(tables))
                rates = np.divide(right, cases, out=np.full(right.shape, np.nan), where=cases > 0)
                return self._summed(right, cases, draws, rng), rates @ self.weights + self._constant
            counts = simulated_tests(some(tables), n, rng, self.truths.shares)
            return self._read(counts, draws, rng), np.asarray(self.measure(self._counted(counts)))

        observed: Floats | None = None
        if self.goal.kind != "difference":
            values, _ = one(self.truths.tables)
        elif self.agreement is None:
            (new, seen_new), (old, seen_old) = one(self.improved), one(self.truths.tables)
            values, observed = sign * (new - old), sign * (seen_new - seen_old)
        else:
            counts = simulated_tests(some(self._pairs), n, rng, self.truths.shares)
            if self.weights is not None:
                return HalvedDraws(sign * (gains_learned(counts, draws, rng) @ self.weights))
            base = 2 * np.einsum("ij,ik->ijk", row / row.sum(1, keepdims=True), row / row.sum(1, keepdims=True))
            blocks = posterior_margins(counts, base, share, self.truths.known, draws, rng)
            values = np.concatenate([sign * (self.measure(new) - self.measure(old)) for new, old in blocks])
        if not np.all(np.isfinite(values)):
            raise NoInformation(undefined(self.measure))
        return HalvedDraws(values, observed)

    def _counted(self, counts: NDArray[np.int64]) -> Floats:
        """Shares that were counted, (R, K, K), at the stated prevalence if there is one."""
        known, cases = self.truths.known, counts.sum(-1, keepdims=True)
        if known is None:
            return np.asarray(counts / counts.sum((-2, -1), keepdims=True))
        rows = np.divide(counts, cases, out=np.full(counts.shape, np.nan), where=cases > 0)
        return np.asarray(rows * known[:, None])

    def _read(self, counts: NDArray[np.int64], draws: int, rng: np.random.Generator) -> Floats:
        """Draws of the metric after tests with these counts, (R, K, K) to (R, draws)."""
        prior, known = self.prior, self.truths.known
        row, share = prior.row(self.truths.size), prior.prevalence / self.truths.size
        if self.measure.held and known is None:  # each test at its own class shares
            known = counts.sum(-1) / counts.sum((-2, -1))[:, None]
        if self.learned:
            blocks = tables_learned_together(counts, known, draws, rng, ordered=self.measure.ordinal)
        else:
            blocks = posterior_tables(counts, row, share, known, draws, rng)
        return np.concatenate([self.measure(block) for block in blocks])

    def _summed(
        self, right: NDArray[np.int64], cases: NDArray[np.int64], draws: int, rng: np.random.Generator
    ) -> Floats:
        """Draws of a weighted sum of recalls after tests with these right answers of these cases, (R, K) each."""
        assert self.weights is not None
        # at recalls of 0 the metric is its constant
        if self.learned:
            return sums_learned_together(right, cases, self.weights, draws, rng) + self._constant
        drawn = recalls_learned(right, cases, (self.prior.a, self.prior.b), draws, rng)
        return np.asarray(drawn @ self.weights + self._constant)

    def again(self, n: int) -> int:
        """Simulated tests for the assurance."""
        return LEARNED_AGAIN if self.learned else int(np.clip(4 * COST // self._numbers, self.tests, 4 * self.tests))

    def assurance(self, n: int) -> tuple[float, float]:
        """Share of the simulated tests that reach the goal, and its Monte Carlo error."""
        expected = None if self._widths is None else self._widths.at(n)
        return super().assurance(n) if expected is None else expected.reached(self.goal.target)

    def _hardly_doubted(self, asked: float) -> Callable[[int], tuple[float, float]]:
        """`assurance` for who gives no credit for large errors.

        Where all tests have nearly the same width an error of n of a few cases leaves the assurance open; as many more
        settle it.
        """

        def assurance(n: int) -> tuple[float, float]:
            reached, error = self.assurance(n)
            return reached, min(error, (1 - asked) / 5)

        return assurance

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width (or probability) after simulated tests."""
        expected = None if self._widths is None else self._widths.along(n, seed)
        if expected is not None:
            return expected
        many = LEARNED_SCOUTS if self.learned else min(SCOUTS, self.tests)
        # what the draws add to the spread of a probability over tests is small: fewer of them where each costs much
        fewer = int(np.clip(COST * self.draws // (many * self._numbers), FEW_DRAWS, MOST_DRAWS))
        draws = self.draws if self.goal.kind == "width" else fewer
        return self.goal.shown(self.after(n, many, seed + 2, draws))

    def aimed(self, target: float) -> Simulated:
        """The same with another target."""
        return replace(super().aimed(target), kept=self._widths)

    @property
    def room(self) -> float:
        """What is left between the supposed truths and no error at all."""
        perfect = self.truths.tables.sum(-1)[..., None] * np.eye(self.truths.size)
        gain = self.measure(perfect) - self.measure(self.truths.tables)
        return float(abs(np.mean(gain))) * (1 - 1e-9)

    @property
    def true(self) -> float:
        """Share of the truths that are beyond the threshold."""
        values, kind, target = self.measure(self.truths.tables), self.goal.kind, self.goal.target
        if kind not in ("above", "below"):
            return 1.0
        return float(np.mean(values > target if kind == "above" else values < target))

    def solve(self, asked: float) -> Solution | None:
        """Smallest n, with its Monte Carlo error."""
        near = None
        if self._widths is not None:
            serves, expected = self._widths.solve(self.goal.target, asked)
            if serves:
                return None if expected is None else borne_out(expected, asked, self._hardly_doubted(asked))
        if self.learned:  # a population for each test takes long; what needs none is seldom far from it
            guide = replace(self, prior=resolve_prior("flat", self.truths.size))
            rough = simulated_answer(guide.slack, asked, LEARNED_TESTS)
            near = None if rough is None else float(rough.n)
        found = simulated_answer(self.slack, asked, self.tests, near)
        return None if found is None else borne_out(found, asked, self.assurance)
