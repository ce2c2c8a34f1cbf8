"""When is the top of a leaderboard settled? The best of several rates, each on n cases of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincc, ndtri

from howsure.laws.draw_settings import SEED
from howsure.laws.law import Route
from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.exceedance import logit_nodes
from howsure.planning.goal import Goal, Solution
from howsure.planning.smallest_n import SCOUTS, borne_out, simulated_answer

__all__ = ["TopOfBoard", "best_probabilities"]

TESTS = 600


def best_probabilities(a: ArrayLike, b: ArrayLike) -> Floats:
    """P(the first of each row is the greatest) of independent Betas, shape (R, T) to (R,).

    ``int f_1 prod_j F_j`` by the trapezoidal rule in the logit of the first; to 1e-9.
    """
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    theta, weight = logit_nodes(a[:, 0], b[:, 0], 96)
    below = 1 - betaincc(a[:, 1:, None], b[:, 1:, None], theta[:, None, :])
    return np.asarray((weight * below.prod(axis=1)).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class TopOfBoard:
    """The goal that the truly best of several is the best with probability ``goal.level``.

    Parameters
    ----------
    goal : Goal
        Of kind "leader".
    rates : ndarray, shape (T,)
        True rates, the best first.
    prior : (float, float)
        Beta of each before the test.
    seed : int
        Of the simulated tests; P(best) after each is exact.
    """

    goal: Goal
    rates: Floats
    prior: tuple[float, float]
    seed: int = SEED
    unit: str = "cases for each entry"
    route: Route = "simulated"

    def _chances(self, n: int, many: int, seed: int) -> Floats:
        right = np.random.default_rng([self.seed, n, seed]).binomial(n, self.rates, (many, len(self.rates)))
        return best_probabilities(right + self.prior[0], n - right + self.prior[1])

    def _slack(self, n: int, many: int) -> Floats:
        # Normal scores grow like sqrt(n)
        chance = np.clip(self._chances(n, many, 0), 1e-300, 1 - 1e-16)
        return np.asarray((ndtri(chance) - ndtri(self.goal.level)) / np.sqrt(n))

    def assurance(self, n: int) -> tuple[float, float]:
        """Share of the simulated tests that settle the top, and its Monte Carlo error."""
        reached = float(np.mean(self._chances(n, 2 * TESTS, 1) >= self.goal.level))
        return reached, float(np.sqrt(max(reached * (1 - reached), 0.5 / TESTS) / (2 * TESTS)))

    def solve(self, asked: float) -> Solution | None:
        """Smallest n for each entry, with its Monte Carlo error."""
        found = simulated_answer(self._slack, asked, 2 * TESTS)
        return None if found is None else borne_out(found, asked, self.assurance)

    def outcomes(self, n: int, seed: int) -> Floats:
        """P(best) of the truly best after simulated tests."""
        return self._chances(n, SCOUTS, seed + 2)

    def aimed(self, target: float) -> TopOfBoard:
        """The same with another gap between the first two."""
        rates = self.rates.copy()
        rates[0] = rates[1] + target
        return replace(self, rates=rates, goal=replace(self.goal, target=target))
