"""How many cases for the area under a ROC curve, or to tell two of them apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.data.scores import Scores
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import number
from howsure.laws.draw_settings import checked_seed
from howsure.numerics.curves.placements import placement_covariance
from howsure.planning.goal import Goal, Solution
from howsure.planning.plan import Plan, curve_of
from howsure.planning.score_worlds import PlannedAreas, World
from howsure.posterior.asked_of_scores import is_about_scores

__all__ = ["planned_for_scores"]

#: Correlation of two classifiers on the same cases, within classes, where nobody says one.
CORRELATION = 0.5


def planned_for_scores(
    metric: Any,
    goal: Goal,
    asked: float,
    guess: Any,
    prevalence: float | None,
    pilot: Any,
    paired: Any,
    n: int | None,
    seed: int,
    refused: Mapping[str, object],
) -> Plan:
    """Plan a test of scores; see `howsure.plan`.

    Parameters
    ----------
    metric : str
        "roc_auc".
    guess : float or mapping
        The supposed area, or ``{"roc_auc": .85, "prevalence": .1}``.
    prevalence : float, optional
        Share of the positive class in the test set; one half if left out, or that of the pilot.
    pilot : Scores, optional
        Scores of an earlier test, whose cases are drawn again: of one classifier, or of two for a difference.
    paired : mapping, optional
        ``{"correlation": .6}`` of two scores of the same cases, within classes.
    refused : mapping of str to object
        What is asked of matrices only.

    Raises
    ------
    InvalidArgument
        Another number of scores, no guess, or what is asked of matrices only.
    """
    if not is_about_scores(metric):
        raise InvalidArgument(
            "prevalence= is for roc_auc; of other metrics it is said in guess={'recall': .9, ..., 'prevalence': .1}"
        )
    if metric.strip().lower() != "roc_auc":
        raise InvalidArgument(f"a plan of scores is for roc_auc of two classes, not {excerpt(metric)}")
    if odd := [f"{name}=" for name, value in refused.items() if value is not None]:
        raise InvalidArgument(f"leave {listing(odd)} out: roc_auc is planned from guess= and prevalence=, or a pilot=")
    seed = checked_seed(seed)
    compared = goal.kind == "difference"
    if pilot is None:
        area, share, given = _guessed(guess, prevalence)
        world, paired_cases, words = _binormal(goal, area, paired, compared=compared)
        if not given:
            words = (*words, "half of the cases are positive (prevalence= says another share)")
    else:
        if guess is not None or paired is not None:
            raise InvalidArgument("guess= and paired= exclude a pilot, which says both; leave them out")
        world, share, words = _drawn_again(pilot, prevalence, compared=compared)
        paired_cases = True
    problem = PlannedAreas(goal, world, share, paired_cases)
    if goal.kind in ("above", "below"):
        _refuse_beyond(goal, problem.expected)
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
    reached, error = problem.assurance(answer.n)
    positives, negatives = problem.sizes(answer.n)
    return Plan(
        metric="roc_auc",
        goal=goal,
        n=answer.n,
        first=None,
        n_error=answer.error,
        per_class={"positive": positives, "negative": negatives},
        total=positives + negatives,
        assurance=reached,
        assurance_error=error,
        asked=asked,
        unit=problem.unit,
        prior="centred",
        pairing="the same cases" if compared and paired_cases else "separate test sets" if compared else "one test set",
        route="simulated",
        supposed=(*words, f"{100 * share:.3g}% of the cases are positive, in every test"),
        curve=curve_of(problem, answer.n, seed),
        found=found,
        seed=seed,
        notes=(
            "class sizes are held; the interval of a simulated test is that of a Beta with DeLong's variance"
            + (" and the pseudo-cases" if goal.kind == "width" else "")
            + (f", times {problem.ratio:.3f} to be as wide as the posterior's" if problem.ratio != 1.0 else "")
            + ".",
        ),
    )


def _guessed(guess: Any, prevalence: float | None) -> tuple[float, float, bool]:
    """The supposed area, the share of the positive class, and whether it was said."""
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
    area = number(said["roc_auc"])
    if not 0 < area < 1:
        raise InvalidArgument(f"guess is an area between 0 and 1, not {excerpt(said['roc_auc'])}")
    share = number(said.get("prevalence", 0.5))
    if not 0 < share < 1:
        raise InvalidArgument(f"prevalence is the share of the positive class, not {excerpt(said['prevalence'])}")
    return area, share, "prevalence" in said


def _binormal(goal: Goal, area: float, paired: Any, *, compared: bool) -> tuple[World, bool, tuple[str, ...]]:
    if not compared:
        if paired is not None:
            raise InvalidArgument("paired= is about two classifiers, and goes with difference= or margin=")
        return World((area,)), True, (f"an area of {area:g}, scores normal in both classes with the same spread",)
    better = area + goal.target
    if not better < 1:
        raise InvalidArgument(f"an area of {area:g} and one that is better by {goal.target:g} do not fit below 1")
    if paired is None:
        words = f"areas of {better:g} and {area:g}, scores normal in both classes with the same spread"
        return World((better, area)), False, (words,)
    correlation = paired.get("correlation") if isinstance(paired, Mapping) and len(paired) == 1 else None
    if correlation is None or not -1 < number(correlation) < 1:
        raise InvalidArgument(
            f"paired= of scores is {{'correlation': {CORRELATION}}}, that of the two scores within a class; not "
            f"{excerpt(paired)}"
        )
    words = (
        f"areas of {better:g} and {area:g}, scores normal in both classes with the same spread, with a correlation of "
        f"{correlation:g} within a class"
    )
    return World((better, area), float(correlation)), True, (words,)


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


def _refuse_beyond(goal: Goal, area: float) -> None:
    if (goal.kind == "above" and area <= goal.target) or (goal.kind == "below" and area >= goal.target):
        raise InvalidArgument(
            f"an area of {area:.3g} is not {goal.kind} {goal.target:g}, so no number of cases shows that it is"
        )
