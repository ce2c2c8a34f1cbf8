"""How many cases? Planning before a test, and what a test of a given size can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from howsure.errors import InvalidArgument, listing
from howsure.errors.arguments import one_of
from howsure.knowledge.protocol import Knowledge
from howsure.laws.draw_settings import SEED, checked_seed
from howsure.laws.law import LEVEL, checked_level
from howsure.metrics import Measure
from howsure.planning.counted_goals import PairedRates
from howsure.planning.goal import Goal, GoalKind, Problem, Solution
from howsure.planning.goal_checks import (
    asked_for,
    chance_of,
    checked_cases,
    checked_margin,
    countable,
    never,
    refuse_out_of_range,
    refuse_unreachable,
    stated_goal,
)
from howsure.planning.judged_plan import JudgeRates, has_verdicts, planned_with_judge
from howsure.planning.plan import Plan, curve_of
from howsure.planning.planned_groups import ByDesignEffect, SimulatedGroups, grouped, these_again
from howsure.planning.pose import Guess, Paired, Posed, Supposition, pose
from howsure.planning.score_plan import planned_for_scores
from howsure.planning.simulated_goals import Simulated
from howsure.planning.truth import Pilot, known_of
from howsure.posterior.priors import Prior
from howsure.posterior.score_measures import is_about_scores
from howsure.questions.plan import UnitsNeeded, plan_of_goals

__all__ = ["detect", "plan"]


def plan(
    metric: str | Measure,
    *,
    width: float | None = None,
    above: float | Literal["chance"] | None = None,
    below: float | None = None,
    difference: float | None = None,
    margin: float | None = None,
    assurance: float = 0.95,
    level: float = LEVEL,
    pilot: Pilot | Knowledge | None = None,
    guess: Guess | None = None,
    mode: float | None = None,
    concentration: float | None = None,
    classes: int | None = None,
    paired: Paired | None = None,
    design: Sequence[float] | Literal["optimal"] | None = None,
    prior: str | Prior | None = None,
    n: int | None = None,
    judge: JudgeRates | None = None,
    verdicts: int | None = None,
    group_size: int | None = None,
    icc: float | None = None,
    prevalence: float | None = None,
    seed: int = SEED,
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
    if isinstance(pilot, Knowledge):
        beside: dict[str, object] = {
            "guess": guess, "mode": mode, "concentration": concentration, "classes": classes, "paired": paired,
            "design": design, "prior": prior, "n": n, "judge": judge, "verdicts": verdicts, "icc": icc,
            "group_size": group_size, "prevalence": prevalence,
        }  # fmt: skip
        goals = {"width": width, "above": above, "below": below, "difference": difference, "margin": margin}
        return _of_kind(metric, pilot, goals, beside, assurance, level, seed)
    goal = stated_goal(width, above, below, difference, margin, level, cases=n is not None)
    asked = asked_for(assurance)
    if is_about_scores(metric) or prevalence is not None:
        told: dict[str, object] = {
            "mode": mode,
            "concentration": concentration,
            "classes": classes,
            "design": design,
            "prior": prior,
        }
        told |= {"judge": judge, "verdicts": verdicts, "group_size": group_size, "icc": icc}
        refuse_out_of_range(goal, "roc_auc", (0, 1))
        return planned_for_scores(metric, goal, asked, guess, prevalence, pilot, paired, n, seed, told)
    if judge is not None or verdicts is not None or has_verdicts(pilot):
        refuse_out_of_range(goal, "a prevalence", (0, 1))
        others = (mode, concentration, classes, paired, design, prior, group_size, icc)
        return planned_with_judge(metric, goal, asked, judge, guess, verdicts, pilot, n, checked_seed(seed), others)
    given = _supposed(goal, pilot, guess, mode, concentration, classes, paired, design, prior)
    if above == "chance":
        goal = replace(goal, target=chance_of(pose(metric, goal, given, prior, seed)))
    posed = pose(metric, goal, given, prior, checked_seed(seed))
    refuse_out_of_range(goal, posed.measure.name, posed.measure.metric.range)
    if (groups := grouped(posed, given, group_size, icc, seed)) is not None:
        refuse_unreachable(posed, asked)
        answer = groups.posed.problem.solve(asked) if n is None else Solution(groups.counted(checked_cases(n)), None)
        if answer is None:
            raise InvalidArgument(never(posed, asked))
        made = _made(groups.posed, answer, asked, "n" if n is None else "assurance", seed)
        return groups.in_cases(made, n)
    posed = replace(posed, notes=(*posed.notes, *these_again(given)))
    if given.design == "optimal" and n is None:
        posed, best = _best_design(metric, goal, given, posed, prior, asked, seed)
        return _made(posed, best, asked, "n", seed)
    if n is not None:
        return _made(posed, Solution(countable(posed, checked_cases(n)), None), asked, "assurance", seed)
    refuse_unreachable(posed, asked)
    answer = posed.problem.solve(asked)
    if answer is None:
        raise InvalidArgument(never(posed, asked))
    return _made(posed, answer, asked, "n", seed)


def _of_kind(
    metric: str | Measure, pilot: Knowledge, goals: dict[str, Any], beside: dict[str, object], assurance: float,
    level: float, seed: int,
) -> UnitsNeeded:  # fmt: skip
    """Units of a pilot that is no table, which say how many it takes."""
    if odd := [f"{name}=" for name, value in beside.items() if value is not None]:
        raise InvalidArgument(f"leave {listing(odd)} out: a pilot of {pilot.unit}s says what is supposed")
    if not isinstance(metric, str) or goals["above"] == "chance":
        raise InvalidArgument("the metric of such a pilot is a name, and above= a number")
    ask = pilot.ask(checked_level(level), seed=checked_seed(seed))
    return plan_of_goals(pilot, metric, goals, assurance=asked_for(assurance), ask=ask)


def detect(
    metric: str | Measure,
    n: int,
    *,
    goal: GoalKind = "difference",
    margin: float = 0.0,
    assurance: float = 0.8,
    level: float = LEVEL,
    pilot: Pilot | None = None,
    guess: Guess | None = None,
    mode: float | None = None,
    concentration: float | None = None,
    classes: int | None = None,
    paired: Paired | None = None,
    design: Sequence[float] | Literal["optimal"] | None = None,
    prior: str | Prior | None = None,
    group_size: int | None = None,
    icc: float | None = None,
    seed: int = SEED,
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
    given = _supposed(aim, pilot, guess, mode, concentration, classes, paired, design, prior)
    posed = pose(metric, aim, given, prior, checked_seed(seed))
    if (groups := grouped(posed, given, group_size, icc, seed)) is not None:
        many = groups.counted(cases)
        target = _reachable(groups.posed, many, asked)
        aimed = replace(groups.posed, problem=groups.posed.problem.aimed(target))
        return groups.in_cases(_made(aimed, Solution(many, None), asked, "target", seed), cases)
    posed = replace(posed, notes=(*posed.notes, *these_again(given)))
    target = _reachable(posed, countable(posed, cases), asked)
    return _made(replace(posed, problem=posed.problem.aimed(target)), Solution(cases, None), asked, "target", seed)


def _supposed(
    goal: Goal,
    pilot: Pilot | None,
    guess: Guess | None,
    mode: float | None,
    concentration: float | None,
    classes: int | None,
    paired: Paired | None,
    design: Sequence[float] | Literal["optimal"] | None,
    prior: str | Prior | None,
) -> Supposition:
    known, pair = known_of(pilot, prior)
    given = Supposition(known, guess, mode, concentration, classes, paired, design, pair)
    if given.together and goal.kind != "difference":
        raise InvalidArgument(
            "paired= and a pilot of two are about two classifiers, and go with difference= or margin=; "
            "for one, the pilot is its confusion matrix"
        )
    return given


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
    refuse_unreachable(neyman, asked)
    assert neyman.shares is not None
    found: list[tuple[Posed, Solution]] = []
    even = np.full(len(neyman.shares), 1 / len(neyman.shares))
    for part in (0.0, 0.5, 1.0):
        shares = (1 - part) * neyman.shares + part * even
        posed = pose(metric, goal, replace(given, design=shares.tolist()), prior, seed)
        answer = posed.problem.solve(asked)
        if answer is not None:
            found.append((posed, answer))
    if len(found) < 3:
        raise InvalidArgument(never(neyman, asked))
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
    easy, hard = {"width": (2.0, 0.0), "difference": (1.0, 0.0), "above": metric.range, "below": metric.range[::-1]}[
        kind
    ]
    if kind == "width":
        easy = metric.range[1] - metric.range[0]
    if kind == "difference":
        easy = _room(problem)
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


def _room(problem: Problem) -> float:
    """Largest difference that the supposed truth leaves room for."""
    if isinstance(problem, SimulatedGroups):
        return _room(problem.guide)
    if isinstance(problem, ByDesignEffect):
        return _room(problem.alone)
    if isinstance(problem, Simulated):
        size = problem.truths.size
        perfect = problem.truths.tables.sum(-1)[..., None] * np.eye(size)
        values = problem.measure(perfect) - problem.measure(problem.truths.tables)
        return float(abs(np.mean(values))) * (1 - 1e-9)
    # two that differ by d have different outcomes on at least that share of the cases
    truth = problem.apart if isinstance(problem, PairedRates) else getattr(problem, "truth", None)
    if truth is None or not truth.fixed:
        return 1.0
    return float(truth.a if isinstance(problem, PairedRates) else 1 - truth.a)


def _rounded(value: float, *, up: bool) -> float:
    """Three significant digits, to the safe side."""
    if value == 0:
        return 0.0
    unit = 10.0 ** (int(np.floor(np.log10(abs(value)))) - 2)
    steps = np.ceil(value / unit - 1e-9) if up else np.floor(value / unit + 1e-9)
    return float(f"{steps * unit:.10g}")


def _made(posed: Posed, answer: Solution, asked: float, found: str, seed: int) -> Plan:
    problem = posed.problem
    reached, error = problem.assurance(answer.n)
    per_class, total = posed.sizes(answer.n)
    pairing = posed.pairing
    return Plan(
        metric=posed.measure.name,
        goal=problem.goal,
        n=answer.n,
        first=answer.first,
        n_error=answer.error,
        per_class=per_class,
        total=total,
        assurance=reached,
        assurance_error=error,
        asked=asked,
        unit=problem.unit,
        prior="paired flat" if pairing == "the same cases" else posed.prior.name,
        pairing=pairing,
        route=problem.route,
        supposed=posed.words,
        curve=curve_of(problem, answer.n, seed),
        found=found,
        notes=posed.notes,
        seed=seed,
        strict=isinstance(problem, PairedRates) and problem.strict,
    )
