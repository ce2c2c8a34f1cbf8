"""How many cases? Planning before a test, and what a test of a given size can show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypedDict, Unpack

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincc, ndtri

from howsure.answers.asking import picked, spelled
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import one_of
from howsure.knowledge.protocol import Knowledge
from howsure.laws.law import LEVEL, SEED, checked_level, checked_seed
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.beta_laws import logit_nodes
from howsure.planning.goal import (
    SCOUTS,
    Goal,
    GoalKind,
    Simulation,
    Solution,
    asked_for,
    checked_cases,
    checked_margin,
    refuse_out_of_range,
    stated_goal,
)
from howsure.planning.judged_plan import JudgeRates, has_verdicts, planned_with_judge
from howsure.planning.plan import Plan, UnitsNeeded, planned, units_needed
from howsure.planning.planned_groups import grouped
from howsure.planning.pose import Guess, Paired, Posed, Supposition, pose
from howsure.planning.score_plan import planned_for_scores
from howsure.planning.truth import Pilot, checked_share
from howsure.posterior.priors import Prior, resolve_prior
from howsure.posterior.score_measures import is_about_scores
from howsure.text.formats import plain


class Supposing(TypedDict, total=False):
    """Keywords that suppose something of the truth, or of the test."""

    guess: Guess | None
    mode: float | None
    concentration: float | None
    classes: int | None
    paired: Paired | None
    design: Sequence[float] | Literal["optimal"] | None
    prior: str | Prior | None
    group_size: int | None
    icc: float | None


class Goals(TypedDict, total=False):
    """Keywords that name a goal."""

    width: float | None
    above: float | Literal["chance"] | None
    below: float | None
    difference: float | None
    margin: float | None


class Planning(Goals, Supposing, total=False):
    """Keywords of `plan` besides its own."""

    judge: JudgeRates | None
    verdicts: int | None
    prevalence: float | None


@spelled(Planning)
def plan(
    metric: str | Measure,
    *,
    assurance: float = 0.95,
    level: float = LEVEL,
    pilot: Pilot | Knowledge | None = None,
    n: int | None = None,
    seed: int = SEED,
    **how: Unpack[Planning],
) -> Plan | UnitsNeeded:
    """Find the smallest number of cases with which a test reaches a goal with the stated assurance.

    Parameters
    ----------
    metric : str
        Any metric of the registry, as in `Posterior.of`; or "roc_auc", with ``guess=0.85`` or a pilot of `Scores`.
    width : float
        Goal: the interval (highest density, ``level``) is no wider than this.
    above, below : float, or "chance" for above
        Goal: P(metric > above), or P(metric < below), is at least ``level``.
    difference, margin : float
        Goal: P(new better than old) is at least ``level`` when the new one truly is better by ``difference``; with a
        ``margin``, P(new no worse than old by more than it), for a true difference of 0 unless one is given. That is
        what a gate asks for, so the plan is by its rule: the accuracy of the same cases without a margin by the sign
        test, anything else by the posterior, where that is not the prior's doing.
    assurance : float
        Probability, over the supposed truth and the test, that the goal is reached.
    level : float
        Of the interval, or the certainty that is asked for.
    pilot : Posterior, AccuracyPosterior, ConfusionMatrix or Predictions, optional
        What is supposed of the truth: an earlier test. A posterior `at_prevalence` keeps the class sizes of its study
        and asks for the metric at the stated prevalence. `Predictions` of two classifiers, the new one first, say for
        a difference how often they disagree: both then see the same cases. `Items` of one or two systems, `Ratings`
        and `Votes` say how many further items or battles; of votes no goal asks until when the first is the best.
    guess : float or mapping, optional
        Or: the value of the metric (classes equally frequent and equally well recognised, where that matters), or
        ``{"recall": .9, "specificity": .8, "prevalence": .1}``.
    mode, concentration : float, optional
        Or: the true rate (every recall) is drawn from a Beta with them (Kruschke 2014).
    classes : int, optional
        Number of classes, where there is no pilot; two if left out.
    paired : float or mapping, optional
        Both classifiers see the same cases: share on which only one is right, or ``{"correlation": .6}``.
    design : sequence of float, or "optimal", optional
        Class shares of the test by design; "optimal" are those of the smallest total for a weighted sum of recalls
        (balanced accuracy). Without it cases come as they are.
    prior : str or Prior, optional
        Of the analysis of the test. Left out it is that of a report, or of a comparison of separate test sets; a note
        says where such tests cannot be simulated and "flat" stands in.
    n : int, optional
        Cases one has; then the answer is the assurance that they give.
    judge : mapping, optional
        ``{"recall": .95, "specificity": .85}`` of a judge whose verdicts people check on some cases; for the width of
        ``prevalence@CLASS`` with a guess. ``n`` then counts labels; the answer is a `JudgedPlan`. A pilot of a matrix
        with verdicts stands for judge, guess and verdicts.
    verdicts : int, optional
        With a judge: cases that it has answered.
    group_size, icc : int, float, optional
        Cases come in groups of so many (of the metric's own denominator), of which two correlate by ``icc`` from 0 to
        below 1; the answer is about new groups, in groups and in cases. A pilot about new groups has both. Of two
        classifiers on the same cases the correlation is that of what is won and lost.
    prevalence : float, optional
        Of ``roc_auc``: share of the positive class in the test set; one half, or that of the pilot, if left out.
    seed : int
        For metrics without a closed form.

    Returns
    -------
    Plan
        ``n`` counts the metric's own denominator: cases of the class for a recall.

    Raises
    ------
    InvalidArgument
        Goals that nobody needs or nobody can reach, or a guess that does not fit.

    Notes
    -----
    Rates are counted out: every outcome, over every supposed truth (Beta-binomial), both sides of the saw-tooth that
    integers make. Without a guess the worst case over the truth is taken, and said. Everything else is
    simulated, and n has a Monte Carlo error. Rates of groups are simulated as well, each test read by the model of a
    report about new groups; other metrics of groups go by the design effect (Kish 1965, 5.4). Assurance: O'Hagan and
    Stevens 2001; the generating Beta: Kruschke 2014.

    Examples
    --------
    >>> made = plan("accuracy", width=0.19, mode=0.8, concentration=10)
    >>> made.n, round(made.assurance, 3)
    (104, 1.0)
    >>> plan("accuracy", difference=0.05, guess=0.80, assurance=0.8).n
    711
    >>> made = plan("accuracy", width=0.2, guess=0.8, assurance=0.8, group_size=10, icc=0.3)
    >>> made.groups.groups, made.n
    (26, 260)
    """
    goals = picked(how, Goals)
    told: dict[str, Any] = {name: value for name, value in how.items() if name not in goals}
    if isinstance(pilot, Knowledge):
        return _of_kind(metric, pilot, goals, {**told, "n": n}, assurance, level, seed)
    goal, asked = stated_goal(goals, level, cases=n is not None), asked_for(assurance)
    if is_about_scores(metric) or told["prevalence"] is not None:
        refuse_out_of_range(goal, "roc_auc", (0, 1))
        return planned_for_scores(metric, goal, asked, pilot, n, seed, told)
    if told["judge"] is not None or told["verdicts"] is not None or has_verdicts(pilot):
        refuse_out_of_range(goal, "a prevalence", (0, 1))
        return planned_with_judge(metric, goal, asked, pilot, n, checked_seed(seed), told)
    given, prior = Supposition.of(goal, pilot, told), told["prior"]
    if goals["above"] == "chance":
        goal = replace(goal, target=pose(metric, goal, given, prior, seed).chance)
    posed = pose(metric, goal, given, prior, checked_seed(seed))
    refuse_out_of_range(goal, posed.measure.name, posed.measure.metric.range)
    posed = grouped(posed, given, told["group_size"], told["icc"], seed)
    if n is not None:
        answer = Solution(posed.counted(checked_cases(n)), None)
    else:
        posed.refuse_unreachable(asked)
        if told["design"] == "optimal":
            posed, answer = _best_design(metric, goal, given, posed, prior, asked, seed)
        else:
            answer = posed.solved(asked)
    return posed.in_cases(_made(posed, answer, asked, "n" if n is None else "assurance", seed), n)


def _of_kind(
    metric: str | Measure, pilot: Knowledge, goals: dict[str, Any], beside: dict[str, Any], assurance: float,
    level: float, seed: int,
) -> UnitsNeeded:  # fmt: skip
    """Units of a pilot that is no table, which say how many it takes."""
    if odd := [f"{name}=" for name, value in beside.items() if value is not None]:
        raise InvalidArgument(f"leave {listing(odd)} out: a pilot of {pilot.unit}s says what is supposed")
    if not isinstance(metric, str) or goals["above"] == "chance":
        raise InvalidArgument("the metric of such a pilot is a name, and above= a number")
    ask = pilot.ask(checked_level(level), seed=checked_seed(seed))
    return units_needed(pilot, goals, metric, assurance=asked_for(assurance), ask=ask)


@spelled(Supposing)
def detect(
    metric: str | Measure,
    n: int,
    *,
    goal: GoalKind = "difference",
    margin: float = 0.0,
    assurance: float = 0.8,
    level: float = LEVEL,
    pilot: Pilot | None = None,
    seed: int = SEED,
    **told: Unpack[Supposing],
) -> Plan:
    """What n cases can show: the smallest difference, the narrowest width, the highest threshold.

    Parameters
    ----------
    metric, margin, assurance, level, pilot, guess, mode, concentration, classes, paired, design, prior, seed
        As in `plan`.
    group_size, icc : int, float, optional
        As in `plan`.
    n : int
        Cases one has, of the metric's own denominator; for each classifier where test sets are separate.
    goal : "difference", "width", "above" or "below"
        What is to be found.

    Returns
    -------
    Plan
        Its ``goal.target`` is the answer, to three digits, rounded to the side that n cases do reach.

    Examples
    --------
    >>> detect("accuracy", 198, guess=0.8).goal.target
    0.0896
    """
    asked, cases = asked_for(assurance), checked_cases(n)
    one_of(goal, ("difference", "width", "above", "below"), "goal")
    aim = Goal(goal, 0.0, checked_level(level), checked_margin(margin, goal))
    given = Supposition.of(aim, pilot, told)
    posed = pose(metric, aim, given, told["prior"], checked_seed(seed))
    posed = grouped(posed, given, told["group_size"], told["icc"], seed)
    many = posed.counted(cases)
    posed = replace(posed, problem=posed.problem.aimed(_reachable(posed, many, asked)))
    return posed.in_cases(_made(posed, Solution(many, None), asked, "target", seed), cases)


def _best_design(
    metric: str | Measure,
    goal: Goal,
    given: Supposition,
    neyman: Posed,
    prior: str | Prior | None,
    asked: float,
    seed: int,
) -> tuple[Posed, Solution]:
    """The smallest total among Neyman's class sizes, equal ones, and those halfway.

    Neyman's minimise the variance for many cases; with few cases of a class that is nearly always right, and with
    assurance instead of a mean, more even sizes can need fewer.
    """
    assert neyman.shares is not None
    found: list[tuple[Posed, Solution]] = []
    even = np.full(len(neyman.shares), 1 / len(neyman.shares))
    for part in (0.0, 0.5, 1.0):
        shares = (1 - part) * neyman.shares + part * even
        posed = pose(metric, goal, replace(given, design=shares.tolist()), prior, seed)
        found.append((posed, posed.solved(asked)))
    posed, answer = min(found, key=lambda each: each[1].n)
    totals = [each.n for _, each in found]
    said = (
        f"class sizes are the best of three: in proportion to w sqrt(p q) (Neyman) {totals[0]} cases are needed, "
        f"halfway to equal sizes {totals[1]}, with equal sizes {totals[2]}"
    )
    return replace(posed, words=(*posed.words[:-1], said)), answer


def _reachable(posed: Posed, n: int, asked: float) -> float:
    """Best target that n cases reach, by bisection to one in 4096 of the metric's range, rounded to three digits."""
    problem, metric = posed.problem, posed.measure.metric
    kind = problem.goal.kind
    low, high = metric.range
    easy, hard = {
        "width": (high - low, 0.0), "difference": (problem.room, 0.0), "above": (low, high), "below": (high, low),
    }[kind]  # fmt: skip
    if not np.isfinite([easy, hard]).all():
        raise InvalidArgument(
            f"{posed.measure.name} has no end from which to look for what {n} {problem.unit} can show; ask for a rate "
            "that it is made of, or how many cases a stated goal needs (width=, above=, below=)"
        )

    def reaches(target: float) -> bool:
        return problem.aimed(target).assurance(n)[0] >= asked

    if kind == "difference" and not reaches(easy):
        raise InvalidArgument(
            f"with {n} {problem.unit} no difference in {posed.measure.name} can be shown with assurance {asked:g}: "
            f"even {easy:.3g}, all that is left above the supposed value, is not enough"
        )
    for _ in range(12 if problem.route == "simulated" else 22):
        middle = (easy + hard) / 2
        easy, hard = (middle, hard) if reaches(middle) else (easy, middle)
    return _rounded(easy, up=kind in ("width", "difference", "below"))


def _rounded(value: float, *, up: bool) -> float:
    """Three significant digits, to the safe side."""
    if value == 0:
        return 0.0
    unit = 10.0 ** (int(np.floor(np.log10(abs(value)))) - 2)
    steps = np.ceil(value / unit - 1e-9) if up else np.floor(value / unit + 1e-9)
    return float(f"{steps * unit:.10g}")


def _made(posed: Posed, answer: Solution, asked: float, found: str, seed: int) -> Plan:
    per_class, total = posed.sizes(answer.n)
    prior = "paired flat" if posed.pairing == "the same cases" else posed.prior.name
    made: Plan = planned(
        posed.problem, answer, asked, seed, metric=posed.measure.name, per_class=per_class, total=total, prior=prior,
        pairing=posed.pairing, supposed=posed.words, found=found, notes=posed.notes,
    )  # fmt: skip
    return made


#: Simulated tests at one n.
TESTS = 1_200


def best_probabilities(a: ArrayLike, b: ArrayLike) -> Floats:
    """P(the first of each row is the greatest) of independent Betas, shape (R, T) to (R,).

    ``int f_1 prod_j F_j`` by the trapezoidal rule in the logit of the first; to 1e-9.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    theta, weight = logit_nodes(a[:, 0], b[:, 0], 96)
    below = 1 - betaincc(a[:, 1:, None], b[:, 1:, None], theta[:, None, :])
    return np.asarray((weight * below.prod(axis=1)).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class TopOfBoard(Simulation):
    """The goal that the truly best of several is the best with probability ``goal.level``."""

    #: True rates, the best first, shape (T,).
    rates: Floats
    #: Beta of each before the test.
    prior: tuple[float, float]
    #: Of the simulated tests; P(best) after each is exact.
    seed: int = SEED

    @property
    def tests(self) -> int:
        """Simulated tests at one n."""
        return TESTS

    def after(self, n: int, many: int, stream: int) -> Floats:
        """P(best) of the truly best."""
        right = np.random.default_rng([self.seed, n, stream]).binomial(n, self.rates, (many, len(self.rates)))
        return best_probabilities(right + self.prior[0], n - right + self.prior[1])

    def slack(self, n: int, many: int, stream: int = 0) -> Floats:
        """By how much each test settles the top: Normal scores grow like sqrt(n)."""
        chance = np.clip(self.after(n, many, stream), 1e-300, 1 - 1e-16)
        return np.asarray((ndtri(chance) - ndtri(self.goal.level)) / np.sqrt(n))

    def outcomes(self, n: int, seed: int) -> Floats:
        """P(best) of the truly best after simulated tests."""
        return self.after(n, SCOUTS, seed + 2)


#: Entries above this number cost more than they teach: those far below the first do not matter.
MOST_ENTRIES = 200


def settle(
    scores: Mapping[str, float] | Sequence[float],
    *,
    assurance: float = 0.95,
    level: float = LEVEL,
    prior: str | Prior | None = None,
    n: int | None = None,
    seed: int = SEED,
) -> Plan:
    """Find how many cases each entry of a leaderboard needs before its top is settled.

    Parameters
    ----------
    scores : mapping of name to accuracy, or sequence of accuracies
        What the entries are supposed to be worth; the highest is the truly best.
    assurance : float
        Probability, over the tests, that the top is settled.
    level : float
        P(the truly best is the best) that counts as settled.
    prior : str or Prior, optional
        Of each accuracy.
    n : int, optional
        Cases one has; then the answer is the assurance that they give.
    seed : int
        Of the simulated tests.

    Returns
    -------
    Plan
        ``n`` for each entry; test sets are taken as separate.

    Raises
    ------
    InvalidArgument
        Fewer than two scores, or two that share the top.

    Notes
    -----
    Tests are simulated; P(best) after each is exact, ``int f_1 prod F_j``.

    Examples
    --------
    >>> settle({"a": 0.90, "b": 0.87, "c": 0.80}, n=1000).assurance > settle([0.90, 0.87, 0.80], n=500).assurance
    True
    """
    level, asked = checked_level(level), asked_for(assurance)
    if not isinstance(scores, Mapping | Sequence):
        raise InvalidArgument(f"scores are accuracies, by name or in a list; not {excerpt(scores)}")
    named = scores if isinstance(scores, Mapping) else {str(i + 1): score for i, score in enumerate(scores)}
    if not 2 <= len(named) <= MOST_ENTRIES:
        raise InvalidArgument(f"a leaderboard has 2 to {MOST_ENTRIES} scores here, not {len(named)}")
    worth = {str(name): checked_share(f"the score of {excerpt(str(name))}", score) for name, score in named.items()}
    order = sorted(worth, key=lambda name: -worth[name])
    first, second = order[0], order[1]
    gap = worth[first] - worth[second]
    if gap <= 0:
        raise InvalidArgument(
            f"{plain(first)} and {plain(second)} share the top at {worth[first]:g}; no number of cases settles which "
            "is best"
        )
    chosen = resolve_prior(prior, 2)
    if min(chosen.coin) <= 0:
        raise InvalidArgument(f"a plan needs a prior with some mass, such as 'flat' or 'jeffreys'; not {chosen.name!r}")
    rates = np.array([worth[name] for name in order])
    goal = Goal("leader", gap, level)
    problem = TopOfBoard(goal, "cases for each entry", rates, chosen.coin, checked_seed(seed))
    answer = Solution(checked_cases(n), None) if n is not None else problem.solve(asked)
    if answer is None:
        raise InvalidArgument(f"no number of cases that can be searched separates {plain(first)} from {plain(second)}")
    words = (
        f"{len(order)} entries; {plain(first, 30)} has {worth[first]:g} and the next, {plain(second, 30)}, "
        f"{worth[second]:g}"
    )
    made: Plan = planned(
        problem, answer, asked, seed, metric="accuracy", total=answer.n, prior=chosen.name,
        pairing="separate test sets", supposed=(words,), found="n" if n is None else "assurance",
    )  # fmt: skip
    return made
