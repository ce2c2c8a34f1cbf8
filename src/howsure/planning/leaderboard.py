"""How many cases settle the top of a leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from howsure.errors import InvalidArgument, excerpt
from howsure.laws.draw_settings import SEED, checked_seed
from howsure.laws.law import LEVEL, checked_level
from howsure.planning.goal import Goal, Solution
from howsure.planning.goal_checks import asked_for, checked_cases
from howsure.planning.plan import Plan, curve_of
from howsure.planning.top_of_board import TopOfBoard
from howsure.planning.truth import checked_share
from howsure.posterior.named_priors import resolve_prior
from howsure.posterior.priors import Prior
from howsure.text.formats import plain

__all__ = ["settle"]

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
    problem = TopOfBoard(Goal("leader", gap, level), rates, chosen.coin, checked_seed(seed))
    answer = Solution(checked_cases(n), None) if n is not None else problem.solve(asked)
    if answer is None:
        raise InvalidArgument(f"no number of cases that can be searched separates {plain(first)} from {plain(second)}")
    reached, error = problem.assurance(answer.n)
    return Plan(
        metric="accuracy",
        goal=problem.goal,
        n=answer.n,
        first=None,
        n_error=answer.error,
        per_class={},
        total=answer.n,
        assurance=reached,
        assurance_error=error,
        asked=asked,
        unit=problem.unit,
        prior=chosen.name,
        pairing="separate test sets",
        route="simulated",
        supposed=(
            f"{len(order)} entries; {plain(first, 30)} has {worth[first]:g} and the next, {plain(second, 30)}, "
            f"{worth[second]:g}",
        ),
        curve=curve_of(problem, answer.n, seed),
        found="n" if n is None else "assurance",
        seed=seed,
    )
