"""How large a test set parts the entries of a board, or its top."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincc, ndtri

from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import LEVEL, SEED, checked_level, checked_seed
from howsure.numerics.arrays import Floats
from howsure.numerics.populations.beta_laws import logit_nodes
from howsure.planning.goal import SCOUTS, Goal, Simulation, Solution, asked_for, checked_cases
from howsure.planning.plan import Plan, planned
from howsure.planning.truth import checked_share
from howsure.posterior.priors import Prior, resolve_prior
from howsure.text.formats import plain

__all__ = ["best_probabilities", "settle"]

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
    """The goal that the truly best of several is the best with probability ``goal.level``.

    Parameters
    ----------
    goal : Goal
        Of kind "leader".
    unit : str
        What n counts.
    rates : ndarray, shape (T,)
        True rates, the best first.
    prior : (float, float)
        Beta of each before the test.
    seed : int
        Of the simulated tests; P(best) after each is exact.
    """

    rates: Floats
    prior: tuple[float, float]
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

    def aimed(self, target: float) -> TopOfBoard:
        """The same with another gap between the first two."""
        rates = self.rates.copy()
        rates[0] = rates[1] + target
        return replace(super().aimed(target), rates=rates)


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
