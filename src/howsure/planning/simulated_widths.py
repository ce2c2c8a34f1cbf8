"""Widths of intervals after simulated tests: of thousands of them expected without a draw, a few read to calibrate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from howsure.errors import NoInformation
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.beta_sum.sums import ManySums
from howsure.numerics.populations.error_shares import tables_learned_together, widths_learned_together
from howsure.numerics.trials.simulated_tests import (
    LEFT_OUT,
    Calibration,
    Found,
    StraightPart,
    controlled,
    posterior_tables,
    recall_sum_cumulants,
    simulated_recalls,
    simulated_tests,
    uncontrolled,
    width_of_cumulants,
)
from howsure.planning.goal import MOST_SIMULATED, Solution, rounded
from howsure.planning.truth import Truths
from howsure.posterior.priors import LearnedPrior, Prior, resolve_prior

Whole = NDArray[np.int64]

#: Tests at one n whose width is only expected: at most and at least, and the numbers that their slopes may cost, or
#: their recalls where the metric is a sum of these.
EXPECTED_TESTS, FEWEST_EXPECTED, COST_OF_SLOPES, COST_OF_RECALLS = 10_000, 400, 40_000_000, 200_000
#: Tests at one n that are read as real ones are: at most and at least, the random numbers that they may cost together,
#: and draws from the posterior of each.
MOST_READ, FEWEST_READ, COST, DRAWS = 200, 40, 16_000_000, 1_000
#: The same on a curve.
READ_ON_CURVE = 40
#: Where each learns a population: at the answer, to prove it, on a curve; and of a metric that is no sum of recalls,
#: whose draws are noise, with draws of each.
LEARNED, LEARNED_AGAIN, LEARNED_ON_CURVE = 32, 16, 2
LEARNED_DRAWN, LEARNED_DRAWS = 240, 4_000
#: Sizes that are this near share what is found at them.
NEAR = 1.25
#: Sizes that the answer is found between, as factors of it.
AROUND = (0.95, 1.0, 1.05)
#: Expected widths that are this exact are asked no further.
EXACT = 1e-5
#: What expectation may miss of single tests, as a share of the spread of log widths, and as a number.
EXPLAINED, UNEXPLAINED = 0.2, 0.003
#: What the excess of a log width may depend on, before anything is known: the sd of its level, of its slope and bend in
#: the log width, of what straightness leaves out; and of how unlike the classes are, alone and times the log width.
BEFORE = (1.0, 0.5, 2.0, 0.1, 0.5, 1.0)
#: And of all: the mean excess of a log width, and the share of tests whose straight part is far from normal.
MOST_EXCESS, MOST_SKEWED = 0.25, 0.1


@dataclass(frozen=True, eq=False)
class SupposedTests:
    """Simulated tests of n cases: counts (R, K, K), or right answers and cases of each class (R, K)."""

    n: int
    counts: Whole | None
    right: Whole
    cases: Whole
    log_width: Floats
    left_out: Floats
    straight: StraightPart | None


@dataclass(frozen=True, eq=False)
class Widths:
    """Log widths of simulated tests of one n (R,), and what is known of how surely they are."""

    log_widths: Floats
    truths: int
    calibration: Calibration
    left_out: Floats
    features: Floats
    straight_error: float

    def reached(self, target: float) -> tuple[float, float]:
        """Share of the tests that are at most so wide, and its Monte Carlo error."""
        goal = np.log(target)
        narrow = self.log_widths <= goal
        share = float(narrow.mean())
        error = self.level_error(share)
        moved = float(np.mean(self.log_widths <= goal + error) - np.mean(self.log_widths <= goal - error)) / 2
        drawn = self._variance(narrow.astype(float))
        return share, float(np.hypot(np.sqrt(max(drawn, 1 / len(narrow) ** 2)), moved))

    def quantile(self, asked: float) -> tuple[float, float]:
        """Log width that ``asked`` of the tests do not exceed, and its error by the number of tests."""
        at = float(np.quantile(self.log_widths, asked))
        spread = np.sqrt(max(self._variance((self.log_widths <= at).astype(float)), 1e-12))
        low, high = np.quantile(self.log_widths, [max(asked - spread, 0.0), min(asked + spread, 1.0)])
        return at, float(high - low) / 2

    def level_error(self, share: float) -> float:
        """Standard error of log widths about this share of the tests, by what was read."""
        ranks = np.argsort(self.log_widths)
        middle = int(np.clip(share * len(ranks), 0.05 * len(ranks), 0.95 * len(ranks)))
        half = max(1, len(ranks) // 20)
        near = ranks[max(0, middle - half) : middle + half]
        size = float(np.minimum(self.left_out[near], 1.0).mean())
        return float(np.hypot(self.calibration.error(self.features[near]), size * self.straight_error))

    def _variance(self, values: Floats) -> float:
        """Variance of a mean over tests, of which those of one truth go together."""
        many = len(values)
        if not 1 < self.truths < many:
            return float(values.var()) / many
        turns = many // self.truths
        return float(values[: turns * self.truths].reshape(turns, -1).mean(axis=0).var()) / self.truths


@dataclass(frozen=True, eq=False)
class SimulatedWidths:
    """Widths of the interval of one metric under supposed truths, at any number of cases.

    Notes
    -----
    The width of a test is that of the straight part of the metric, in closed form, times a factor near 1 that some
    tests are read for. Their draws are of the metric and of its straight part, so that most of their noise drops out.
    """

    measure: Measure
    truths: Truths
    prior: Prior
    level: float
    seed: int
    weights: Floats | None

    @property
    def learned(self) -> bool:
        """Whether each test is read with the prior that is learned from its own classes."""
        return isinstance(self.prior, LearnedPrior)

    @property
    def expected(self) -> int:
        """Tests at one n whose width is expected."""
        size = self.truths.size
        many = COST_OF_SLOPES // size**4 if self.weights is None else COST_OF_RECALLS // size
        return int(np.clip(many, FEWEST_EXPECTED, EXPECTED_TESTS))

    @property
    def read(self) -> int:
        """Tests at one n that are read."""
        if self.learned:
            return LEARNED if self.weights is not None else LEARNED_DRAWN
        return int(np.clip(COST // (self.truths.size**2 * DRAWS), FEWEST_READ, MOST_READ))

    # -- tests at one n -----------------------------------------------------------------------------------------

    def _tests(self, n: int, many: int, rng: np.random.Generator) -> SupposedTests:
        """So many tests, with their expected widths."""
        size, turns = self.truths.size, np.arange(many) % len(self.truths.tables)
        prior, share = self._prior
        counts, straight = None, None
        if self.weights is not None:
            right, cases = simulated_recalls(self.truths.tables, n, rng, self.truths.shares, turns)
            cumulants = recall_sum_cumulants(right, cases, (prior.a, prior.b), self.weights)
        else:
            counts = simulated_tests(self.truths.tables[turns], n, rng, self.truths.shares)
            right, cases = np.diagonal(counts, axis1=1, axis2=2), counts.sum(-1)
            straight = StraightPart.of(self.measure, counts, prior.row(size), share, self._known(cases))
            cumulants = straight.cumulants
        with np.errstate(divide="ignore", invalid="ignore"):
            width, left_out = width_of_cumulants(cumulants, self.level)
            return SupposedTests(n, counts, right, np.asarray(cases), np.log(width), left_out, straight)

    @property
    def _prior(self) -> tuple[Prior, float]:
        """Prior of the straight part, and pseudo-cases of the share of each class."""
        prior = resolve_prior("flat", self.truths.size) if self.learned else self.prior
        return prior, prior.prevalence / self.truths.size

    def _known(self, cases: Whole) -> Floats | None:
        """Class shares that are known to who reads the tests."""
        if self.measure.held and self.truths.known is None:  # each test at its own
            return np.asarray(cases / cases.sum(-1, keepdims=True))
        return self.truths.known

    def _features(self, tests: SupposedTests, near: float) -> Floats:
        """What the excess of a log width may depend on, (R, P); ``near`` is a log width, times sqrt(n)."""
        wide = tests.log_width + 0.5 * np.log(tests.n) - near
        columns = [np.ones_like(wide), wide, wide**2, np.minimum(tests.left_out, 1.0)]
        if self.learned:  # how unlike the classes are: what is learned from the others
            rates = (tests.right + 0.5) / (tests.cases + 1.0)
            whole = ((tests.right.sum(-1) + 0.5) / (tests.cases.sum(-1) + 1.0))[:, None]
            unlike = (tests.cases * (rates - whole) ** 2 / (whole * (1 - whole))).sum(-1)
            unlike /= unlike + self.truths.size - 1
            columns += [unlike, unlike * wide]
        return np.stack(columns, axis=1)

    def _read(self, tests: SupposedTests, near: float, rng: np.random.Generator) -> tuple[Found, float]:
        """What reading the tests shows, and how surely the straight widths are known, for each unit they leave out."""
        expected, error = tests.log_width, 0.0
        features = self._features(tests, near)
        if self.weights is not None:
            if not self.learned and LEFT_OUT * tests.left_out.max() < EXACT:
                return Found(np.zeros(len(expected)), features), 0.0
            widths = self._exact_widths(tests)
            return Found(np.log(widths) - expected, features), 0.0
        assert tests.counts is not None
        assert tests.straight is not None
        known = self._known(tests.cases)
        if self.learned:
            blocks = tables_learned_together(tests.counts, known, LEARNED_DRAWS, rng, ordered=self.measure.ordinal)
            found = uncontrolled(self._defined([self.measure(block) for block in blocks]), expected, self.level)
            return Found(found.excess, features, found.noise), 0.0
        prior, share = self._prior
        values, lines, start = [], [], 0
        for block in posterior_tables(tests.counts, prior.row(self.truths.size), share, known, DRAWS, rng):
            values.append(self.measure(block))
            lines.append(tests.straight.drawn(block, start))
            start += len(block)
        found, (wrong, error) = controlled(
            self._defined(values), np.concatenate(lines), expected, tests.left_out, self.level
        )
        excess = found.excess + wrong * np.minimum(tests.left_out, 1.0)
        return Found(excess, features, found.noise), float(error)

    def _exact_widths(self, tests: SupposedTests) -> Floats:
        """Widths of weighted sums of recalls, by their laws."""
        assert self.weights is not None
        if self.learned:
            return widths_learned_together(tests.right, tests.cases, self.weights, self.level)
        a = np.asarray(tests.right + self.prior.a, dtype=np.float64)
        b = np.asarray(tests.cases - tests.right + self.prior.b, dtype=np.float64)
        laws = ManySums(a, b, np.tile(self.weights, (len(a), 1)), np.zeros(len(a)))
        ends, one = laws.highest(self.level)
        tail = (1 - self.level) / 2
        if not one.all():
            ends[~one] = laws.quantile(np.array([tail, 1 - tail]))[~one]
        return np.asarray(ends[:, 1] - ends[:, 0])

    def _defined(self, blocks: list[Floats]) -> Floats:
        values = np.concatenate(blocks)
        if not np.all(np.isfinite(values)):
            raise NoInformation(undefined(self.measure))
        return values

    # -- widths at one n ----------------------------------------------------------------------------------------

    @cached_property
    def _found(self) -> list[tuple[int, Found]]:
        """What learned populations have shown so far, and at which n: each takes long."""
        return []

    @cached_property
    def _proofs(self) -> dict[int, Widths | None]:
        """Widths that were found so far: those of the answer are asked for again."""
        return {}

    @cached_property
    def _near(self) -> float:
        """A log width, times sqrt(n), about which features are centred."""
        tests = self._tests(1_000, 200, np.random.default_rng([self.seed, 11]))
        return float(np.median(tests.log_width)) + 0.5 * float(np.log(1_000))

    def _widths(
        self, n: int, many: int, read: int, tag: int, of: tuple[Calibration, float] | None = None
    ) -> Widths | None:
        """Of ``many`` tests; of others, ``read``, it is found out what expectation misses, unless that is given.

        None where expectation does not say how wide intervals are.
        """
        rng = np.random.default_rng([self.seed, n, tag])
        calibration, error = of or self._calibration(n, read, rng)
        tests = self._tests(n, many, rng)
        features = self._features(tests, self._near)
        if not np.isfinite(features).all() or not np.isfinite(calibration.coefficients).all():
            return None
        excess = calibration(features, rng)
        log_widths = tests.log_width + excess
        skewed = self.weights is None and float(np.mean(tests.left_out > 1)) > MOST_SKEWED
        limit = max(EXPLAINED * float(log_widths.std()), UNEXPLAINED)
        missed = calibration.spread**2 > limit**2 + 2 * calibration.doubt
        if skewed or missed or abs(float(excess.mean())) > MOST_EXCESS:
            return None
        return Widths(log_widths, len(self.truths.tables), calibration, tests.left_out, features, error)

    def _calibration(self, n: int, read: int, rng: np.random.Generator) -> tuple[Calibration, float]:
        found, error = self._read(self._tests(n, read, rng), self._near, rng)
        if self.learned:  # what was learned near by counts as well
            self._found.append((n, found))
            found = Found.together(self._found_near(n))
        return self._fitted(found), error

    def _found_near(self, n: int) -> list[Found]:
        return [found for size, found in self._found if 1 / NEAR < size / n < NEAR]

    def _fitted(self, found: Found) -> Calibration:
        return Calibration.of(found, np.array(BEFORE[: found.features.shape[1]]))

    def at(self, n: int) -> Widths | None:
        """Widths of tests that nothing was chosen by, which prove the answer.

        Under a learned prior what was learned of other tests near by helps to calibrate them, also of those that n was
        chosen by: a question asked after a search has less of its own than one asked alone, and another last digit.
        """
        if n not in self._proofs:
            read = LEARNED_AGAIN if self.learned and self._found_near(n) else self.read
            self._proofs[n] = self._widths(n, self.expected, read, 1)
        return self._proofs[n]

    def along(self, n: int, seed: int) -> Floats | None:
        """Widths after simulated tests of n cases, for a curve."""
        many = max(FEWEST_EXPECTED, self.expected // 8)
        if not self.learned or not self._found:
            made = self._widths(n, many, min(READ_ON_CURVE, self.read), seed + 2)
        else:
            found = Found.together([each for _, each in self._found])
            rng = np.random.default_rng([self.seed, n, seed + 2])
            few, _ = self._read(self._tests(n, LEARNED_ON_CURVE, rng), self._near, rng)
            made = self._widths(n, many, 0, seed + 2, (self._fitted(found).moved_by(few), 0.0))
        return None if made is None else np.exp(made.log_widths)

    # -- the answer ---------------------------------------------------------------------------------------------

    def rough(self, target: float, asked: float) -> float:
        """Where expected widths alone reach the goal; NaN where they say nothing, infinite where they never do."""
        centre, goal, slope, before = 100.0, float(np.log(target)), -0.5, (0.0, 0.0)
        for _ in range(30):
            n = max(2, round(centre))
            tests = self._tests(n, max(FEWEST_EXPECTED, self.expected // 8), np.random.default_rng([self.seed, n, 3]))
            high = float(np.quantile(tests.log_width, asked)) - goal
            if not np.isfinite(high):
                return np.nan
            if before[0] and n != before[0]:
                slope = float(np.clip((high - before[1]) / np.log(n / before[0]), -1.5, -0.2))
            before = (n, high)
            if abs(high) < 0.01 or (n == 2 and high < 0):
                return float(n)
            centre = n * float(np.exp(np.clip(-high / slope, -4.0, 4.0)))
            if n >= MOST_SIMULATED and high > 0:
                return np.inf
            centre = float(np.clip(centre, 2, MOST_SIMULATED))
        return centre

    def solve(self, target: float, asked: float) -> tuple[bool, Solution | None]:
        """Whether expectation serves; and the smallest n with its Monte Carlo error, None where there is none."""
        centre, error, goal = self.rough(target, asked), 0.0, float(np.log(target))
        if not np.isfinite(centre):
            return centre == np.inf, None
        for turn in range(6):
            n = max(2, round(centre))
            if self.learned:
                read = self.read if turn == 0 else LEARNED_AGAIN
            else:
                read = max(FEWEST_READ, self.read // 4) if turn == 0 else self.read
            calibration = self._calibration(n, read, np.random.default_rng([self.seed, n, 5, turn]))
            sizes = sorted({max(2, round(centre * factor)) for factor in AROUND})
            found = [self._widths(size, self.expected, 0, 6, calibration) for size in sizes]
            if any(each is None for each in found):
                return False, None
            centre, error = self._zero(sizes, [each for each in found if each is not None], goal, asked)
            if centre > MOST_SIMULATED:
                return True, None
            settled = abs(centre - n) < max(1.0, (AROUND[-1] - 1) * n)
            if settled and (turn > 0 or self.learned):
                return True, rounded(centre, error)
        return False, None

    def _zero(self, sizes: list[int], found: list[Widths], goal: float, asked: float) -> tuple[float, float]:
        """Where the quantiles of log widths, a line in log n, meet the goal, and the standard error of that place."""
        x = np.log(sizes)
        heights, errors = np.array([each.quantile(asked) for each in found]).T
        rises = float(np.ptp(x)) > 0
        slope = float(np.clip(np.polyfit(x, heights, 1)[0], -1.5, -0.2)) if rises else -0.5
        middle = float(np.mean(heights)) - goal
        level = found[len(found) // 2].level_error(asked)
        zero = float(np.exp(np.mean(x) - np.clip(middle / slope, -1.0, 1.0)))
        return zero, zero * float(np.hypot(np.sqrt(np.mean(errors**2) / len(errors)), level)) / -slope


def undefined(measure: Measure) -> str:
    """What is said where a metric is 0/0 in some draws."""
    return (
        f"{measure.name} is undefined (0/0) in some draws; a prior with more mass, such as 'flat', or more cases would "
        "define it"
    )
