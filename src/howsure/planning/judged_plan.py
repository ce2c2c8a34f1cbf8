"""How many labels a judged test needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from howsure.answers.sheet import Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws.law import SEED
from howsure.metrics import Measure, parse
from howsure.numerics.arrays import Floats
from howsure.numerics.trials.assurance import Truth
from howsure.numerics.trials.simulated_tests import allotted, matched_width, simulated_labels
from howsure.planning.counted_goals import OneRate
from howsure.planning.goal import TESTS, Goal, Problem, Simulation, Solution, checked_cases
from howsure.planning.next_labels import truth_by_verdict
from howsure.planning.plan import FIELDS, Plan, planned
from howsure.planning.truth import checked_share
from howsure.posterior.posterior import Posterior
from howsure.text import formats

#: Labels of each verdict at least, where they are not at random; labels from which such a choice is advised.
LEAST, ADVISED = 10, 100

AT_RANDOM, EVENLY, NEYMAN = "at random", "evenly by verdict", "by verdict (Neyman)"


@dataclass(frozen=True, eq=False)
class JudgedLabels(Simulation):
    """A width of the share of a class, where people label some of the cases that a judge has answered."""

    names: tuple[str, ...]
    #: True shares of the verdicts, and of the class among the cases of each.
    q: Floats
    r: Floats
    #: That the judge has answered.
    cases: int
    seed: int = SEED

    @property
    def chosen(self) -> str:
        """How labels are chosen."""
        return self.unit.removeprefix("labels ")

    @property
    def theta(self) -> float:
        """Share of the class."""
        return float(np.dot(self.q, self.r))

    @property
    def correlation(self) -> float:
        """Of verdict and truth: the root of the share of the variance that is between verdicts."""
        between = float(np.dot(self.q, (self.r - self.theta) ** 2))
        return float(np.sqrt(between / (self.theta * (1 - self.theta))))

    @property
    def weights(self) -> Floats | None:
        """Labels of the verdicts are in proportion to these; None at random."""
        if self.chosen == AT_RANDOM:
            return None
        neyman = self.q * np.sqrt(self.r * (1 - self.r))
        return np.ones(len(self.q)) if self.chosen == EVENLY else np.asarray(neyman)

    def per_verdict(self, n: int) -> dict[str, int]:
        """Labels of each verdict, as expected."""
        room = allotted(self.cases, self.q, np.full(len(self.q), self.cases))
        each = allotted(n, self.q, room, 0) if self.weights is None else allotted(n, self.weights, room, LEAST)
        return dict(zip(self.names, each.tolist(), strict=True))

    def after(self, n: int, many: int, stream: int) -> Floats:
        """Width of the interval after each test with n labels."""
        rng = np.random.default_rng([stream, 17])
        moments = simulated_labels(n, self.cases, self.q, self.r, self.weights, LEAST, many, rng)
        return matched_width(*moments, self.goal.level)

    def slack(self, n: int, many: int, stream: int = 0) -> Floats:
        """By how much narrower than the target each interval is; the same tests for all n."""
        return np.asarray(self.goal.target - self.after(n, many, self.seed))

    def outcomes(self, n: int, seed: int) -> Floats:
        """Width of the interval after simulated tests with n labels."""
        return self.after(n, TESTS, seed)

    def solve(self, asked: float) -> Solution | None:
        """Smallest n by bisection from the formula of the width; None where a label of every case is not enough."""
        if self.assurance(self.cases)[0] < asked:
            return None
        q, r = self.q, self.r
        room = (self.goal.target / (2 * ndtri((1 + self.goal.level) / 2))) ** 2
        room -= float(q @ (r - self.theta) ** 2) / self.cases
        start = float(q @ (r * (1 - r))) / room - 3 if room > 0 else self.cases
        few, enough = 0, int(np.clip(start, 1, self.cases))
        while self.assurance(enough)[0] < asked:
            few, enough = enough, min(self.cases, max(enough + 1, round(1.3 * enough)))
        while enough - few > max(1, enough // 200):
            middle = (few + enough) // 2
            few, enough = (few, middle) if self.assurance(middle)[0] >= asked else (middle, enough)
        apart = max(2, enough // 10)
        ends = max(1, enough - apart), min(self.cases, enough + apart)
        rise = (self.assurance(ends[1])[0] - self.assurance(ends[0])[0]) / max(1, ends[1] - ends[0])
        return Solution(enough, None, self.assurance(enough)[1] / max(rise, 0.05 / enough))


#: Sensitivity and specificity of a judge, by name.
JudgeRates = Mapping[str, float]

#: Below this square of the correlation of verdict and truth, labels are worth hardly more with the judge (11%).
USELESS = 0.1


@dataclass(frozen=True)
class Allocation:
    """One way to choose the cases that people label, and what it takes.

    Attributes
    ----------
    chosen : str
        "at random", "evenly by verdict", "by verdict (Neyman)" (in proportion to the share of a verdict times the
        standard deviation of the truth within it, 10 of each at least) or "without the judge".
    n : int or None
        Labels needed; None where not even a label of every case is enough.
    n_error : float
        Its Monte Carlo error.
    per_verdict : mapping of str to int
        How many of each verdict, as expected.
    assurance : float
        Probability that so many reach the goal.
    width : float
        Width of the interval in the middle one of the simulated tests.
    """

    chosen: str
    n: int | None
    n_error: float
    per_verdict: Mapping[str, int]
    assurance: float
    width: float


JUDGED = """
judge=.(verdicts correlation worth useless) allocations[chosen n n_error per_verdict assurance width]
"""


@dataclass(frozen=True, eq=False)
class JudgedPlan(Plan, fields=f"{FIELDS} {JUDGED}"):
    """A number of labels beside a judge; made by `plan` with ``judge=``. A `Plan` whose n counts labels.

    Attributes
    ----------
    allocations : tuple of Allocation
        What each way to choose labels takes; the last one is without the judge.
    verdicts : int
        Cases that the judge has answered.
    correlation : float
        Of verdict and truth (the MCC of the judge, with two verdicts).
    worth : float
        By how much a label is worth more with the judge, at most: 1 / (1 - correlation^2).
    """

    allocations: tuple[Allocation, ...] = ()
    verdicts: int = 0
    correlation: float = 0.0
    worth: float = 1.0

    @property
    def useless(self) -> bool:
        """Whether the judge is not worth its trouble."""
        return self.correlation**2 < USELESS

    @property
    def sentence(self) -> str:
        """The answer in one sentence; where the judge is of no use, that comes first."""
        said = super().sentence
        if not self.useless:
            return said
        return (
            f"Use the labels, not the judge: it makes them equivalent to {self.worth:.2f} times as many at most. {said}"
        )

    def sheet(self) -> Sheet:
        """A row for each way to choose labels."""
        verdicts = list(self.allocations[0].per_verdict) if self.allocations else []
        header = ("labels chosen", "labels", *(f"of {formats.plain(v, 30)}" for v in verdicts), "assurance", "width")
        rows = []
        for way in self.allocations:
            each = (formats.integer(way.per_verdict[v]) if way.per_verdict else "" for v in verdicts)
            many = "too few cases" if way.n is None else formats.integer(way.n)
            rows.append((way.chosen, many, *each, formats.probability(way.assurance), f"{way.width:.3g}"))
        footnote = (
            f"A label is equivalent to {self.worth:.2f} of one without the judge, at most. width: of the "
            f"{formats.level_words(self.goal.level)} interval, in the middle of simulated tests ({TESTS} with the "
            "judge), by the Beta with the same mean and variance; prior jeffreys, without the judge flat."
        )
        return Sheet(self.sentence, header, tuple(rows), (footnote,), about=self.remarks,
                     covers="Assumes that labels are at random given the verdict.")  # fmt: skip


def has_verdicts(pilot: object) -> bool:
    """Whether a pilot is a matrix some of whose cases lack the truth."""
    return _matrix(pilot) is not None


def _matrix(pilot: object) -> ConfusionMatrix | None:
    """The matrix with verdicts that a pilot is or is inferred from."""
    confusion = pilot.confusion if isinstance(pilot, Posterior) else pilot
    return confusion if isinstance(confusion, ConfusionMatrix) and confusion.verdicts is not None else None


#: What is not asked of a judge.
NOT_OF_A_JUDGE = ("mode", "concentration", "classes", "paired", "design", "prior", "group_size", "icc")


def planned_with_judge(
    metric: str | Measure, goal: Goal, asked: float, pilot: object, n: int | None, seed: int, told: Mapping[str, Any]
) -> JudgedPlan:
    """The plan of labels beside a judge; see `plan`."""
    if any(told[name] is not None for name in NOT_OF_A_JUDGE):
        raise InvalidArgument(
            "a plan with a judge takes width=, judge=, guess=, verdicts=, assurance= and level=; leave the others out"
        )
    problem, label, words = _posed(metric, goal, told["judge"], told["guess"], told["verdicts"], pilot)
    problem = replace(problem, seed=seed)
    alone = OneRate(goal, "labels without the judge", (1.0, 1.0), Truth(problem.theta))
    ways, found = [], dict[str, tuple[Problem, Solution]]()
    several: list[Problem] = [replace(problem, unit=f"labels {how}") for how in (AT_RANDOM, EVENLY, NEYMAN)]
    for one in (*several, alone):
        answer = one.solve(asked) if n is None else Solution(checked_cases(n), None)
        if n is not None and n > problem.cases:
            raise InvalidArgument(
                f"{n:,d} labels are more than the {problem.cases:,d} cases that the judge has answered"
            )
        name = one.chosen if isinstance(one, JudgedLabels) else "without the judge"
        many = problem.cases if answer is None else answer.n
        width = float(np.median(one.outcomes(many, seed + 2)))
        each = one.per_verdict(many) if isinstance(one, JudgedLabels) else {}
        error = 0.0 if answer is None else answer.error
        ways.append(Allocation(name, None if answer is None else many, error, each, one.assurance(many)[0], width))
        if answer is not None:
            found[name] = one, answer
    best = _best(found, useless=problem.correlation**2 < USELESS)
    if best is None:
        raise InvalidArgument(
            f"{problem.cases:,d} verdicts are too few: with a label of every case the interval is {ways[0].width:.3g} "
            f"wide, and no wider than {goal.target:g} with probability {ways[0].assurance:.3g} only; ask for a wider "
            "interval, or let the judge answer more cases"
        )
    chosen, answer = found[best]
    made: JudgedPlan = planned(
        chosen, answer, asked, seed, form=JudgedPlan, metric=f"prevalence@{label}", total=answer.n, pairing="one judge",
        prior="flat" if chosen is alone else "jeffreys", supposed=words, found="n" if n is None else "assurance",
        notes=_advice(found, best), allocations=tuple(ways), verdicts=problem.cases, correlation=problem.correlation,
        worth=1 / max(1 - problem.correlation**2, 1e-12),
    )  # fmt: skip
    return made


def _best(found: Mapping[str, tuple[Problem, Solution]], *, useless: bool) -> str | None:
    """The way to recommend: at random, unless a choice by verdict saves labels and there are enough of them."""
    if useless and "without the judge" in found:
        return "without the judge"
    saves = NEYMAN in found and found[NEYMAN][1].n >= ADVISED
    if saves and (AT_RANDOM not in found or found[NEYMAN][1].n <= found[AT_RANDOM][1].n):
        return NEYMAN
    return next((name for name in (AT_RANDOM, NEYMAN, EVENLY) if name in found), None)


def _advice(found: Mapping[str, tuple[Problem, Solution]], best: str) -> tuple[str, ...]:
    if best == AT_RANDOM and NEYMAN in found and found[NEYMAN][1].n < min(ADVISED, found[AT_RANDOM][1].n):
        return (f"choosing labels by verdict is advised from about {ADVISED} labels on; below, it rests on the guess.",)
    return ()


def _posed(
    metric: str | Measure, goal: Goal, judge: JudgeRates | None, guess: object, verdicts: int | None, pilot: object
) -> tuple[JudgedLabels, str, tuple[str, ...]]:
    """The problem, the class that it is about, and what is supposed."""
    if goal.kind != "width":
        raise InvalidArgument("a plan with a judge has one goal, the width of the interval: width=0.1")
    if (judged := _matrix(pilot)) is not None:
        if judge is not None or guess is not None:
            raise InvalidArgument("the pilot has the rates of its judge; leave judge= and guess= out")
        return _of_pilot(metric, goal, judged, verdicts)
    if pilot is not None:
        raise InvalidArgument("the pilot of a plan with a judge is a matrix with verdicts: give it unlabelled cases")
    if judge is None:
        raise InvalidArgument("verdicts= goes with judge={'recall': 0.95, 'specificity': 0.85}, or with a pilot")
    text = metric.name if isinstance(metric, Measure) else str(metric)
    label = text.partition("@")[2].strip().strip('"') or "positive"
    _only_the_share(metric, ("not " + label, label))
    if not isinstance(judge, Mapping) or set(judge) != {"recall", "specificity"}:
        raise InvalidArgument(
            f"a judge has two rates, judge={{'recall': 0.95, 'specificity': 0.85}}; not {excerpt(judge)}"
        )
    se, sp = (checked_share(f"judge[{name!r}]", judge[name]) for name in ("recall", "specificity"))
    theta = number(guess)
    if not 0 < theta < 1:
        raise InvalidArgument(
            f"a plan with a judge needs a guess of {text}, strictly between 0 and 1: guess=0.9; not {excerpt(guess)}"
        )
    if verdicts is None:
        raise InvalidArgument("a plan with a judge needs verdicts=, the number of cases that it has answered")
    called = theta * se + (1 - theta) * (1 - sp)
    if not 0 < called < 1:
        raise InvalidArgument("such a judge always says the same, which tells nothing; label cases without it")
    q, r = np.array([called, 1 - called]), np.array([theta * se / called, theta * (1 - se) / (1 - called)])
    problem = JudgedLabels(goal, f"labels {AT_RANDOM}", (label, f"not {label}"), q, r, checked_cases(verdicts))
    words = (
        f"the true prevalence of {formats.plain(label, 30)} is {theta:g}",
        f"the judge has recall {se:g} and specificity {sp:g} (MCC {problem.correlation:.2f}) and has answered "
        f"{formats.several(problem.cases, 'case')}",
    )
    return problem, label, words


def _of_pilot(
    metric: str | Measure, goal: Goal, pilot: ConfusionMatrix, verdicts: int | None
) -> tuple[JudgedLabels, str, tuple[str, ...]]:
    """Rates as a matrix with verdicts has them, under jeffreys rows."""
    known = pilot.verdicts
    assert known is not None
    measure = _only_the_share(metric, pilot.labels, pilot.positive)
    assert measure.index is not None
    a, b = truth_by_verdict(pilot, measure.index)
    r = a / (a + b)
    q = (known.totals + 1) / (known.totals + 1).sum()
    cases = known.n if verdicts is None else checked_cases(verdicts)
    problem = JudgedLabels(goal, f"labels {AT_RANDOM}", known.names, q, r, cases)
    shares = ", ".join(f"{formats.plain(v, 30)} {y:.2g}" for v, y in zip(known.names, r, strict=True))
    words = (
        f"as the pilot has it on average, {formats.several(known.n_labelled, 'label')} of "
        f"{formats.several(known.n, 'case')}: prevalence {problem.theta:.3g}, among the cases of each verdict {shares}",
        f"the judge has answered {formats.several(cases, 'case')}",
    )
    return problem, str(measure.label), words


def _only_the_share(metric: str | Measure, labels: tuple[str, ...], positive: str | None = None) -> Measure:
    """The share of one true class, which is all that can be planned here."""
    measure = parse(metric, labels, labels[1] if positive is None and len(labels) == 2 else positive)
    if measure.metric.name != "prevalence" or measure.index is None:
        raise InvalidArgument(
            f"labels in addition to a judge are planned for prevalence@CLASS, the share of a true class, not for "
            f"{excerpt(measure.name)}; for the judge's own recall or accuracy plan without judge=, with a guess"
        )
    return measure
