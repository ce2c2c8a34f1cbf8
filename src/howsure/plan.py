"""How many cases? Planning before a test, and what a test of a given size can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from howsure.accuracy import AccuracyPosterior
from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import checked_level
from howsure.metrics import Measure
from howsure.planning.counted import OneRate
from howsure.planning.goal import MOST_CASES, Answer, Goal, GoalKind, Problem
from howsure.planning.pose import Guess, Paired, Posed, Supposition, pose
from howsure.planning.record import Plan, Point
from howsure.planning.simulated import Simulated
from howsure.posterior import Posterior, checked_seed
from howsure.priors import Prior

__all__ = ["detect", "plan"]

#: Factors of n on the curve.
ALONG = (0.125, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0)


def plan(
    metric: str | Measure,
    *,
    width: float | None = None,
    above: float | Literal["chance"] | None = None,
    below: float | None = None,
    difference: float | None = None,
    margin: float | None = None,
    assurance: float = 0.95,
    level: float = 0.95,
    pilot: Posterior | AccuracyPosterior | None = None,
    guess: Guess | None = None,
    mode: float | None = None,
    concentration: float | None = None,
    classes: int | None = None,
    paired: Paired | None = None,
    design: Sequence[float] | None = None,
    prior: str | Prior | None = None,
    n: int | None = None,
    seed: int = 0,
) -> Plan:
    """Find the smallest number of cases with which a test reaches a goal with the stated assurance.

    Parameters
    ----------
    metric : str
        Any metric of the registry, as in `Posterior.of`.
    width : float
        Goal: the interval (highest density, ``level``) is no wider than this.
    above, below : float, or "chance" for above
        Goal: P(metric > above), or P(metric < below), is at least ``level``.
    difference, margin : float
        Goal: P(new better than old) is at least ``level`` when the new one truly is better by ``difference``; with a
        ``margin``, P(new no worse than old by more than it), for a true difference of 0 unless one is given.
    assurance : float
        Probability, over the supposed truth and the test, that the goal is reached.
    level : float
        Of the interval, or the certainty that is asked for.
    pilot : Posterior or AccuracyPosterior, optional
        What is supposed of the truth: the posterior of an earlier test. One `at_prevalence` keeps the class sizes of
        its study and asks for the metric at the stated prevalence.
    guess : float or mapping, optional
        Or: the value of the metric (classes equally frequent and equally well recognised, where that matters), or
        ``{"recall": .9, "specificity": .8, "prevalence": .1}``.
    mode, concentration : float, optional
        Or: the true rate (every recall) is drawn from a Beta with them (Kruschke 2014).
    classes : int, optional
        Number of classes, where there is no pilot; two if left out.
    paired : float or mapping, optional
        Both classifiers see the same cases: share on which only one is right, or ``{"correlation": .6}``.
    design : sequence of float, optional
        Class shares of the test by design; without it cases come as they are.
    prior : str or Prior, optional
        Of the analysis of the test.
    n : int, optional
        Cases one has; then the answer is the assurance that they give.
    seed : int
        For metrics without a closed law.

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
    whole numbers make. Without a guess the worst case over the truth is taken, and said. Everything else is
    simulated, and n has a Monte Carlo error. Assurance: O'Hagan and Stevens 2001; the generating Beta: Kruschke 2014.

    Examples
    --------
    >>> made = plan("accuracy", width=0.19, mode=0.8, concentration=10)
    >>> made.n, round(made.assurance, 3)
    (103, 1.0)
    >>> plan("accuracy", difference=0.05, guess=0.80, assurance=0.8).n
    712
    """
    goal = _goal(width, above, below, difference, margin, level)
    asked = _asked(assurance)
    given = Supposition(pilot, guess, mode, concentration, classes, paired, design)
    if paired is not None and goal.kind != "difference":
        raise InvalidArgument("paired= is about two classifiers; it goes with difference= or margin=")
    if above == "chance":
        goal = replace(goal, target=_chance(metric, goal, given, prior, seed))
    posed = pose(metric, goal, given, prior, checked_seed(seed))
    if n is not None:
        return _made(posed, Answer(_cases(n), None), asked, "assurance", seed)
    _refuse_unreachable(posed, asked)
    answer = posed.problem.solve(asked)
    if answer is None:
        raise InvalidArgument(_never(posed, asked))
    return _made(posed, answer, asked, "n", seed)


def detect(
    metric: str | Measure,
    n: int,
    *,
    goal: GoalKind = "difference",
    margin: float = 0.0,
    assurance: float = 0.8,
    level: float = 0.95,
    pilot: Posterior | AccuracyPosterior | None = None,
    guess: Guess | None = None,
    mode: float | None = None,
    concentration: float | None = None,
    classes: int | None = None,
    paired: Paired | None = None,
    design: Sequence[float] | None = None,
    prior: str | Prior | None = None,
    seed: int = 0,
) -> Plan:
    """What n cases can show: the smallest difference, the narrowest width, the highest threshold.

    Parameters
    ----------
    metric, margin, assurance, level, pilot, guess, mode, concentration, classes, paired, design, prior, seed
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
    asked, cases = _asked(assurance), _cases(n)
    if goal not in ("difference", "width", "above", "below"):
        raise InvalidArgument(f"goal is 'difference', 'width', 'above' or 'below', not {excerpt(goal)}")
    given = Supposition(pilot, guess, mode, concentration, classes, paired, design)
    aim = Goal(goal, 0.0, checked_level(level), margin)
    posed = pose(metric, aim, given, prior, checked_seed(seed))
    target = _reachable(posed, cases, asked)
    return _made(replace(posed, problem=posed.problem.aimed(target)), Answer(cases, None), asked, "target", seed)


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

    def reaches(target: float) -> bool:
        return problem.aimed(target).assurance(n)[0] >= asked

    if kind == "difference" and not reaches(easy):
        raise InvalidArgument(
            f"with {n} {problem.unit} no difference in {posed.measure.name} can be shown with assurance {asked:g}: "
            f"even {easy:.3g}, all that is left above the supposed value, is not enough"
        )
    for _ in range(12 if problem.route == "drawn" else 22):
        middle = (easy + hard) / 2
        easy, hard = (middle, hard) if reaches(middle) else (easy, middle)
    return _rounded(easy, up=kind in ("width", "difference", "below"))


def _room(problem: Problem) -> float:
    """Largest difference that the supposed truth leaves room for."""
    if isinstance(problem, Simulated):
        size = problem.truths.size
        perfect = problem.truths.tables.sum(-1)[..., None] * np.eye(size)
        values = problem.measure(perfect) - problem.measure(problem.truths.tables)
        return float(abs(np.mean(values))) * (1 - 1e-9)
    truth = getattr(problem, "truth", None)
    share = getattr(problem, "disagreement", 1.0)
    return float(min(share, 1 - truth.a if truth is not None and truth.fixed else 1.0))


def _rounded(value: float, *, up: bool) -> float:
    """Three significant digits, to the safe side."""
    if value == 0:
        return 0.0
    unit = 10.0 ** (int(np.floor(np.log10(abs(value)))) - 2)
    steps = np.ceil(value / unit - 1e-9) if up else np.floor(value / unit + 1e-9)
    return float(f"{steps * unit:.10g}")


def _made(posed: Posed, answer: Answer, asked: float, found: str, seed: int) -> Plan:
    problem = posed.problem
    reached, error = problem.assurance(answer.n)
    per_class, total = posed.sizes(answer.n)
    curve = []
    for size in sorted({max(2, round(answer.n * factor)) for factor in ALONG}):
        low, middle, high = (float(x) for x in np.quantile(problem.outcomes(size, seed), [0.05, 0.5, 0.95]))
        curve.append(Point(size, low, middle, high))
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
        curve=tuple(curve),
        found=found,
    )


# -- goals that make sense --------------------------------------------------------------------------------------


def _goal(
    width: float | None,
    above: float | str | None,
    below: float | None,
    difference: float | None,
    margin: float | None,
    level: float,
) -> Goal:
    """The one goal that was named, in its range."""
    level = checked_level(level)
    compared = difference is not None or margin is not None
    named = [x is not None for x in (width, above, below)]
    if sum(named) + compared != 1:
        raise InvalidArgument(
            "a plan has one goal: width=0.1 (of the interval), above=0.8 or below=0.1 (a threshold), "
            "difference=0.05 (of two classifiers), margin=0.02 (no worse than that)"
        )
    if width is not None:
        if not _number(width) or not 0 < width < np.inf:
            raise InvalidArgument(
                f"width is above 0, not {excerpt(width)}: no test of finite size has an interval without width"
            )
        return Goal("width", float(width), level)
    if compared:
        return _comparison(difference, margin, level)
    value, kind = (above, "above") if above is not None else (below, "below")
    if value == "chance":
        return Goal("above", 0.0, level)
    if not _number(value):
        raise InvalidArgument(f"{kind} is a number, not {excerpt(value)}")
    return Goal("above" if kind == "above" else "below", float(value), level)  # type: ignore[arg-type]  # a number by now


def _comparison(difference: float | None, margin: float | None, level: float) -> Goal:
    for name, value in (("difference", difference), ("margin", margin)):
        if value is not None and (not _number(value) or not np.isfinite(value)):
            raise InvalidArgument(f"{name} is a number, not {excerpt(value)}")
    apart, worse = float(difference or 0.0), float(margin or 0.0)
    if apart < 0 or worse < 0:
        raise InvalidArgument(
            "difference and margin are 0 or more: by how much the new one is better, and may be worse"
        )
    if apart == 0 and worse == 0:
        raise InvalidArgument(
            "no number of cases shows a difference of 0: two equal classifiers are each ahead half of the time. "
            "Name the smallest difference that matters, or a margin= by which the new one may be worse"
        )
    return Goal("difference", apart, level, worse)


def _number(value: object) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


def _asked(assurance: float) -> float:
    if not _number(assurance) or not 0 < assurance < 1:
        hint = ": no finite test is certain to succeed" if assurance == 1 else ""
        raise InvalidArgument(f"assurance is a probability strictly between 0 and 1, not {excerpt(assurance)}{hint}")
    return float(assurance)


def _cases(n: int) -> int:
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_CASES:
        raise InvalidArgument(f"n is a whole number of cases from 1 to {MOST_CASES:,d}, not {excerpt(n)}")
    return int(n)


def _chance(metric: str | Measure, goal: Goal, given: Supposition, prior: str | Prior | None, seed: int) -> float:
    """Value of a classifier without skill: of the supposed class shares, or of equally frequent classes."""
    posed = pose(metric, goal, given, prior, seed)
    size = len(posed.labels)
    shares = posed.shares if posed.shares is not None else np.full(size, 1 / size)
    value = posed.measure.chance(np.diag(shares))
    if value is None:
        raise InvalidArgument(f"{posed.measure.name} declares no value of chance; say above= and a number")
    return value


def _refuse_unreachable(posed: Posed, asked: float) -> None:
    """Thresholds that the supposed truth does not exceed often enough."""
    problem = posed.problem
    if problem.goal.kind not in ("above", "below"):
        return
    low, high = posed.measure.metric.range
    if not low < problem.goal.target < high:
        raise InvalidArgument(
            f"{posed.measure.name} lies between {low:g} and {high:g}; {problem.goal.target:g} is no threshold in it"
        )
    share = None
    if isinstance(problem, OneRate) and problem.truth is not None:
        truth = problem.truth
        if truth.fixed:
            above = (
                float(truth.a > problem.goal.target)
                if problem.goal.kind == "above"
                else float(truth.a < problem.goal.target)
            )
        else:
            from scipy.special import betainc

            below = float(betainc(truth.a, truth.b, problem.goal.target))
            above = 1 - below if problem.goal.kind == "above" else below
        share = above
    elif isinstance(problem, Simulated):
        values = problem.measure(problem.truths.tables)
        share = float(
            np.mean(values > problem.goal.target if problem.goal.kind == "above" else values < problem.goal.target)
        )
    if share is not None and share <= asked and share < 1:
        raise InvalidArgument(
            f"no number of cases reaches this with assurance {asked:g}: as supposed, {posed.measure.name} is "
            f"{problem.goal.kind} {problem.goal.target:g} with probability {share:.3g} only"
        )


def _never(posed: Posed, asked: float) -> str:
    return (
        f"no number of cases that can be searched gives this goal for {posed.measure.name} with assurance {asked:g}; "
        "ask for less, or suppose something else"
    )
