"""Two rates after further cases: the predictive probability of being sure that the first one is the larger.

Both are counted out. Given the outcome of the second one (or the number of cases on which the two disagree), the
outcomes of the first that make sure are those from a threshold on, so that the probability is a sum of tails.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincc

from howsure.numerics.arrays import Floats
from howsure.numerics.ranks.exceedance import exceedance
from howsure.numerics.trials.assurance import Truth
from howsure.numerics.trials.new_successes import beta_binomial_pmf
from howsure.numerics.trials.two_rates import first_true

__all__ = ["paired_later", "separate_later"]

Whole = NDArray[np.int64]
Beta = tuple[float, float]

#: Outcomes that are less probable are left out; together they are below 1e-9 for a million outcomes.
NEGLIGIBLE = 1e-15


def separate_later(first: Beta, second: Beta, more: int, certainty: float) -> float:
    """Probability that ``more`` cases of each will show P(first > second) >= ``certainty``.

    Parameters
    ----------
    first, second : (float, float)
        What is known of the two rates, Beta(a, b) each.

    Examples
    --------
    >>> round(separate_later((1, 1), (1, 1), 1, 0.8), 6)  # one right and the other wrong: P = 5 / 6
    0.25
    """
    (a, b), (c, d) = first, second
    chance = beta_binomial_pmf(more, c, d)
    k = np.flatnonzero(chance > NEGLIGIBLE)

    def sure(i: Whole, right: Whole) -> NDArray[np.bool_]:
        known = exceedance((a + right, b + more - right), (c + k[i], d + more - k[i]))
        return np.asarray(known >= certainty)

    # where the posterior means are equal
    start: Floats = (a + b + more) * (c + k.astype(float)) / (c + d + more) - a
    threshold = first_true(sure, np.full_like(k, more), start)
    at_least = np.append(np.cumsum(beta_binomial_pmf(more, a, b)[::-1])[::-1], 0.0)
    return min(1.0, float(chance[k] @ at_least[threshold]))


def paired_later(only_first: float, only_second: float, alike: float, more: int, certainty: float) -> float:
    """Probability that ``more`` cases, the same for both, will show P(first > second) >= ``certainty``.

    Parameters
    ----------
    only_first, only_second, alike : float
        Parameters of the Dirichlet of the shares of cases that only the one, only the other, and both or neither get
        right. Only the first two decide: I_1/2(only_second, only_first).

    Examples
    --------
    >>> round(paired_later(0.5, 0.5, 1.0, 1, 0.75), 6)  # they disagree with probability 1/2, the first wins half
    0.25
    """
    chance = beta_binomial_pmf(more, only_first + only_second, alike)
    apart = np.flatnonzero(chance > NEGLIGIBLE)

    def sure(i: Whole, wins: Whole) -> NDArray[np.bool_]:
        known = betaincc(only_first + wins, only_second + apart[i] - wins, 0.5)
        return np.asarray(known >= certainty)

    start = (apart + only_second - only_first) / 2
    threshold = first_true(sure, apart, start)
    fewer = Truth(only_first, only_second).below(threshold - 1, np.maximum(apart, 1))
    return min(1.0, float(chance[apart] @ np.where(threshold > apart, 0.0, 1 - fewer)))
