"""How many cases a test of scores needs, in simulated worlds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import number
from howsure.laws.law import checked_seed
from howsure.numerics.arrays import Booleans, Floats, repeat
from howsure.numerics.betas import hdi_width
from howsure.numerics.curves.curve_numbers import placement_covariance
from howsure.planning.goal import SCOUTS, TESTS, Goal, Simulation, Solution, simulated_answer
from howsure.planning.plan import Plan, planned
from howsure.posterior.posterior import infer
from howsure.posterior.score_measures import is_about_scores

#: Simulated tests that the posterior itself reads.
READ = 60

#: Draws of the posterior of one of these.
DRAWS = 1_500

#: Above this many cases the matched Beta is within 1% of the posterior, and it is not asked.
ENOUGH = 3_000


@dataclass(frozen=True, eq=False)
class World:
    """What test sets come from."""

    #: True areas; of two, the new classifier first.
    areas: tuple[float, ...]
    #: Of two binormal scores of the same cases, within either class.
    correlation: float = 0.0
    #: Scores of a pilot, shape (C, T) each, which cases are drawn from again instead.
    pilot: tuple[Floats, Floats] | None = None

    def test(self, positives: int, negatives: int, rng: np.random.Generator) -> tuple[Booleans, Floats]:
        """One test set: which cases are positive, and scores, shape (T, n)."""
        positive = repeat([True, False], [positives, negatives])
        if self.pilot is not None:
            up, down = (each[rng.integers(len(each), size=n)] for each, n in
                        zip(self.pilot, (positives, negatives), strict=True))  # fmt: skip
            return positive, np.concatenate([up, down]).T
        noise = rng.standard_normal((len(self.areas), len(positive)))
        if len(self.areas) == 2:
            rest = np.sqrt(1 - self.correlation**2)
            noise[1] = self.correlation * noise[0] + rest * noise[1]
        apart = np.sqrt(2) * ndtri(np.array(self.areas))
        return positive, noise + apart[:, None] * positive

    @property
    def observed(self) -> float:
        """Difference of the areas of the pilot; of binormal scores the true one."""
        if self.pilot is None:
            return self.areas[0] - self.areas[-1]
        up, down = self.pilot
        positive = repeat([True, False], [len(up), len(down)])
        areas, _ = placement_covariance(positive, np.concatenate([up, down]).T)
        return float(areas[0] - areas[-1])


@dataclass(frozen=True, eq=False)
class AreasAfter:
    """Areas, or differences of two, after each of R tests: normal, and a width of the Beta with the same moments."""

    mean: Floats
    sd: Floats
    #: Width of the posterior's interval over that of the matched Beta.
    ratio: float

    def widths(self, level: float) -> Floats:
        """Widths of the Betas, times the ratio; 1 where there is none."""
        k = self.mean * (1 - self.mean) / self.sd**2 - 1
        made, some = np.ones(len(k)), k > 0
        made[some] = hdi_width((self.mean * k)[some], ((1 - self.mean) * k)[some], level)
        return self.ratio * made

    def quantiles(self, p: Floats) -> Floats:
        """Of the normal laws."""
        return np.asarray(self.mean[:, None] + ndtri(p) * self.sd[:, None])

    def above(self, value: float) -> Floats:
        """Of the normal laws."""
        return np.asarray(ndtr((self.mean - value) / self.sd))


@dataclass(frozen=True, eq=False)
class PlannedAreas(Simulation):
    """A goal about an area, or a difference of two, under a supposed world."""

    world: World
    #: Share of the positive class, held in every test set.
    share: float
    #: Of two classifiers: whether they see the same cases.
    paired: bool = True
    #: Width of the posterior's interval over that of the matched Beta.
    ratio: float = 1.0

    def sizes(self, n: int) -> tuple[int, int]:
        """Positives and negatives among n cases: two of each or more."""
        positives = min(max(2, round(n * self.share)), max(2, n - 2))
        return positives, max(2, n - positives)

    def again(self, n: int) -> int:
        """Simulated tests for the assurance."""
        return int(np.clip(TESTS * 2_000 // max(n, 1), 60, TESTS))

    def after(self, n: int, many: int, stream: int) -> AreasAfter:
        """Areas, or differences in favour of the new one, after each test of n cases."""
        sizes, found = self.sizes(n), []
        for run in range(many):
            rng = np.random.default_rng([stream, run])
            areas, covariance = placement_covariance(*self.world.test(*sizes, rng))
            if len(areas) > 1 and not self.paired:
                others, beside = placement_covariance(*self.world.test(*sizes, rng))
                areas = np.array([areas[0], others[1]])
                covariance = np.diag([covariance[0, 0], beside[1, 1]])
            if self.goal.kind == "difference":
                moved = areas[0] - areas[1] - self.world.observed + self.goal.target
                variance = covariance[0, 0] + covariance[1, 1] - 2 * covariance[0, 1]
                found.append((float(moved), float(np.sqrt(max(variance, 1e-12)))))
            else:
                found.append(_moments(float(areas[0]), float(covariance[0, 0]), sizes))
        mean, sd = np.array(found).T
        return AreasAfter(mean, sd, self.ratio)

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width (or probability) after simulated tests."""
        return self.goal.shown(self.after(n, min(SCOUTS, self.again(n)), seed + 2))

    def solve(self, asked: float) -> Solution | None:
        """Smallest n, with its Monte Carlo error."""
        return simulated_answer(self.slack, asked, TESTS)

    def calibrated(self, n: int) -> PlannedAreas:
        """The same, with the width that the posterior itself has in simulated tests of n cases."""
        if self.goal.kind != "width" or n > ENOUGH:
            return self
        return replace(self, ratio=self._read(n))

    def _read(self, n: int) -> float:
        """Mean ratio of the posterior's widths to those of the matched Beta."""
        wide, moments = [], []
        for run in range(READ):
            positive, scores = self.world.test(*self.sizes(n), np.random.default_rng([3, run]))
            areas, covariance = placement_covariance(positive, scores)
            moments.append(_moments(float(areas[0]), float(covariance[0, 0]), self.sizes(n)))
            law = infer(Scores(positive.astype(int), scores[0])).of("roc_auc", draws=DRAWS, seed=run)
            wide.append(law.interval(self.goal.level).width)
        mean, sd = np.array(moments).T
        return float(np.mean(np.array(wide) / AreasAfter(mean, sd, 1.0).widths(self.goal.level)))


def _moments(area: float, variance: float, sizes: tuple[int, int]) -> tuple[float, float]:
    """Mean and sd of the posterior of an area: DeLong's variance, and what two pseudo-cases a class add to it."""
    h = np.sqrt(2 / (1 / sizes[0] + 1 / sizes[1]))
    a, b = 0.5 + h * area, 0.5 + h * (1 - area)
    q, spread = a / (a + b), a * b / (a + b) ** 2 / (a + b + 1)
    weight = 2 / (sizes[0] + 2) + 2 / (sizes[1] + 2)
    return float(area + weight * (q - area)), float(np.sqrt(max(variance, 0.0) + weight**2 * spread))


#: Correlation of two classifiers on the same cases, within classes, where nobody says one.
CORRELATION = 0.5


#: What is asked of matrices only.
NOT_OF_SCORES = ("mode", "concentration", "classes", "design", "prior", "judge", "verdicts", "group_size", "icc")


def planned_for_scores(
    metric: Any, goal: Goal, asked: float, pilot: Any, n: int | None, seed: int, told: Mapping[str, Any]
) -> Plan:
    """Plan a test of scores; see `howsure.plan`."""
    guess, prevalence, paired = told["guess"], told["prevalence"], told["paired"]
    if not is_about_scores(metric):
        raise InvalidArgument(
            "prevalence= is for roc_auc; of other metrics it is said in guess={'recall': .9, ..., 'prevalence': .1}"
        )
    if metric.strip().lower() != "roc_auc":
        raise InvalidArgument(f"a plan of scores is for roc_auc of two classes, not {excerpt(metric)}")
    if odd := [f"{name}=" for name in NOT_OF_SCORES if told[name] is not None]:
        raise InvalidArgument(f"leave {listing(odd)} out: roc_auc is planned from guess= and prevalence=, or a pilot=")
    seed = checked_seed(seed)
    compared = goal.kind == "difference"
    if pilot is None:
        world, share, paired_cases, words = _binormal(goal, guess, prevalence, paired)
    else:
        if guess is not None or paired is not None:
            raise InvalidArgument("guess= and paired= exclude a pilot, which says both; leave them out")
        world, share, words = _drawn_again(pilot, prevalence, compared=compared)
        paired_cases = True
    apart = compared and not paired_cases
    problem = PlannedAreas(goal, "cases for each classifier" if apart else "cases", world, share, paired_cases)
    area = world.areas[0]
    if (goal.kind == "above" and area <= goal.target) or (goal.kind == "below" and area >= goal.target):
        raise InvalidArgument(
            f"an area of {area:.3g} is not {goal.kind} {goal.target:g}, so no number of cases shows that it is"
        )
    if n is not None:
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 4 <= n <= 10**7:
            raise InvalidArgument(f"n is a number of cases from 4 to 10,000,000, not {excerpt(n)}")
        answer, found = Solution(int(n), None), "assurance"
        problem = problem.calibrated(answer.n)
    else:
        first = problem.solve(asked)
        problem = problem if first is None else problem.calibrated(first.n)
        solved = problem.solve(asked) if problem.ratio != 1.0 else first
        if solved is None:
            raise InvalidArgument("no number of cases up to 10,000,000 reaches this goal; widen it")
        answer, found = solved, "n"
    positives, negatives = problem.sizes(answer.n)
    note = "class sizes are held; the interval of a simulated test is that of a Beta with DeLong's variance"
    note += " and the pseudo-cases" if goal.kind == "width" else ""
    note += f", times {problem.ratio:.3f} to be as wide as the posterior's" if problem.ratio != 1.0 else ""
    made: Plan = planned(
        problem, answer, asked, seed, metric="roc_auc", total=positives + negatives, prior="centred",
        per_class={"positive": positives, "negative": negatives},
        pairing="separate test sets" if apart else "the same cases" if compared else "one test set",
        supposed=(*words, f"{100 * share:.3g}% of the cases are positive, in every test"), found=found,
        notes=(f"{note}.",),
    )  # fmt: skip
    return made


def _binormal(
    goal: Goal, guess: Any, prevalence: float | None, paired: Any
) -> tuple[World, float, bool, tuple[str, ...]]:  # fmt: skip
    """The supposed world, the share of the positive class, whether both see the same cases, and what is supposed."""
    said = dict(guess) if isinstance(guess, Mapping) else {"roc_auc": guess}
    if prevalence is not None:
        said.setdefault("prevalence", prevalence)
    if odd := [key for key in said if key not in ("roc_auc", "prevalence")]:
        raise InvalidArgument(f"guess= of roc_auc has roc_auc and prevalence, not {listing(map(excerpt, odd))}")
    if said.get("roc_auc") is None:
        raise InvalidArgument(
            "a plan of roc_auc needs the area one supposes: guess=0.85, or a pilot= of scores; there is no worst case, "
            "for near one half every area is as hard"
        )
    area, share = number(said["roc_auc"]), number(said.get("prevalence", 0.5))
    if not 0 < area < 1:
        raise InvalidArgument(f"guess is an area between 0 and 1, not {excerpt(said['roc_auc'])}")
    if not 0 < share < 1:
        raise InvalidArgument(f"prevalence is the share of the positive class, not {excerpt(said['prevalence'])}")
    drawn = "scores normal in both classes with the same spread"
    half = () if "prevalence" in said else ("half of the cases are positive (prevalence= says another share)",)
    if goal.kind != "difference":
        if paired is not None:
            raise InvalidArgument("paired= is about two classifiers, and goes with difference= or margin=")
        return World((area,)), share, True, (f"an area of {area:g}, {drawn}", *half)
    better = area + goal.target
    if not better < 1:
        raise InvalidArgument(f"an area of {area:g} and one that is better by {goal.target:g} do not fit below 1")
    words = f"areas of {better:g} and {area:g}, {drawn}"
    if paired is None:
        return World((better, area)), share, False, (words, *half)
    correlation = paired.get("correlation") if isinstance(paired, Mapping) and len(paired) == 1 else None
    if correlation is None or not -1 < number(correlation) < 1:
        raise InvalidArgument(
            f"paired= of scores is {{'correlation': {CORRELATION}}}, that of the two scores within a class; not "
            f"{excerpt(paired)}"
        )
    words += f", with a correlation of {correlation:g} within a class"
    return World((better, area), float(correlation)), share, True, (words, *half)


def _drawn_again(pilot: Any, prevalence: float | None, *, compared: bool) -> tuple[World, float, tuple[str, ...]]:
    """Cases of the pilot, drawn again with replacement."""
    if not isinstance(pilot, Scores) or len(pilot.labels) != 2:
        raise InvalidArgument(f"a pilot of roc_auc is Scores of two classes, not {type(pilot).__name__}")
    if pilot.group is not None:
        raise InvalidArgument("the pilot's cases come in groups, and this plan is for separate ones; leave groups out")
    wanted = 2 if compared else 1
    if len(pilot.names) != wanted:
        needed = "two classifiers are needed, the new one first" if compared else "one classifier is needed"
        raise InvalidArgument(
            f"the pilot holds {listing(map(excerpt, pilot.names))}, and {needed}; scores.of(name) gives one"
        )
    if min(pilot.class_sizes) < 10:
        raise InvalidArgument("a pilot has ten cases of each class or more; with fewer say guess=")
    columns = np.array([pilot.of(name).scores for name in pilot.names])
    areas, _ = placement_covariance(pilot.truth == 1, columns)
    share = number(prevalence) if prevalence is not None else float(np.mean(pilot.truth == 1))
    if not 0 < share < 1:
        raise InvalidArgument(f"prevalence is the share of the positive class, not {excerpt(prevalence)}")
    parts = columns[:, pilot.truth == 1].T, columns[:, pilot.truth == 0].T
    words = f"cases like the {pilot.n} of the pilot, sampled from it with replacement (area {areas[0]:.3f}"
    words += f" and {areas[1]:.3f}; the difference moved to the one that is planned for)" if compared else ")"
    return World(tuple(areas.tolist()), 0.0, parts), share, (words,)
