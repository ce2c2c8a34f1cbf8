"""When a gate passes: probabilities and a threshold, the strict rule for paired accuracy, how far it is.

With d = candidate minus baseline, turned so that more is better, and a threshold t: pass if P(d > t) >= min_prob, fail
if P(d < t) >= min_prob, else inconclusive; and inconclusive, too, where more than half of the distance from t to the
mean of d is the prior's.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws import Draws, Law
from howsure.numerics.arrays import Floats
from howsure.numerics.trials.assurance import strictly_better

Verdict = Literal["pass", "fail", "inconclusive"]

#: Times as many cases again; beyond that a number would only say that nothing will be settled.
MOST_TIMES = 1000.0
#: Numbers of further cases that are looked at, before the nearest two are closed in on.
LOOKS = 400


def verdict(p_pass: float, p_fail: float, min_prob: float) -> Verdict:
    """Read the two probabilities.

    Examples
    --------
    >>> verdict(0.97, 0.03, 0.95), verdict(0.6, 0.4, 0.95), verdict(0.01, 0.99, 0.95)
    ('pass', 'inconclusive', 'fail')
    """
    return "pass" if p_pass >= min_prob else "fail" if p_fail >= min_prob else "inconclusive"


def together(verdicts: list[Verdict]) -> Verdict:
    """Several metrics: one fail fails, all must pass.

    Examples
    --------
    >>> together(["pass", "pass"]), together(["pass", "inconclusive"]), together(["inconclusive", "fail"])
    ('pass', 'inconclusive', 'fail')
    """
    return "fail" if "fail" in verdicts else "inconclusive" if "inconclusive" in verdicts else "pass"


def strict_probability(ahead: int, behind: int) -> float:
    """I_1/2(behind + 1, ahead), 1 minus the one-sided p-value of the sign test; 0 where nothing is ahead.

    Notes
    -----
    Of two equally good classifiers it is 0.95 or more at most once in twenty, whatever the number of discordant cases
    (at most 4.99%; a sign test never uses up its level). It is the posterior with all of the prior's weight given to
    the other side.

    Examples
    --------
    >>> round(strict_probability(5, 0), 5), strict_probability(0, 3)
    (0.96875, 0.0)
    """
    return float(strictly_better(ahead, behind))


def uncertain(law: Law, probability: float) -> float:
    """Draws cannot make certain."""
    return min(max(probability, 1 / law.n), 1 - 1 / law.n) if isinstance(law, Draws) else probability


def prior_decides(distance: float, pull: float) -> bool:
    """Whether more than half of the distance from the threshold to the mean is the prior's.

    A prior that pulls the other way decides nothing: the verdict stands against it.

    Examples
    --------
    >>> prior_decides(-0.037, -0.037), prior_decides(0.08, 0.01), prior_decides(0.02, -0.03)
    (True, False, False)
    """
    return pull * distance > 0 and abs(pull) > abs(distance) / 2


class OneSet(NamedTuple):
    """One test set: its cases, the sd of what it says of d, and how far the prior moves that."""

    n: int
    sd: float
    pull: float


def cases_to_settle(observed: float, tests: Sequence[OneSet], min_prob: float) -> int | None:
    """About how many more cases, in each test set, settle it if the observed values stay as they are.

    With m more cases in a test set of n its sd shrinks by the root of n / (n + m), and the prior's pull by n / (n + m).
    Settled is where |mean of d - threshold| is at the normal quantile of ``min_prob``, and is not the prior's doing;
    the answer is the least m from which that holds for good. None where that is more than a thousand times n.

    Examples
    --------
    >>> cases_to_settle(0.01, [OneSet(400, 0.01, 0.0)], 0.95), cases_to_settle(0.0, [OneSet(400, 0.01, 0.0)], 0.95)
    (690, None)
    >>> cases_to_settle(0.03, [OneSet(20, 0.06, -0.02), OneSet(200, 0.02, 0.0)], 0.95)  # the smaller set gains most
    390
    """
    z, n = float(ndtri(min_prob)), np.array([test.n for test in tests], dtype=float)
    variance, pull = np.array([test.sd for test in tests]) ** 2, np.array([test.pull for test in tests])
    if n.min() == 0 or not np.isfinite([observed, *variance, *pull]).all():
        return None
    most = MOST_TIMES * n.max()

    def open_at(more: Floats) -> NDArray[np.bool_]:
        left = n / (n + more[:, None])
        moved, sd = left @ pull, np.sqrt(left @ variance)
        distance = observed + moved
        by_prior = (moved * distance > 0) & (np.abs(moved) > np.abs(distance) / 2)
        return np.asarray((np.abs(distance) < z * sd) | by_prior)

    looked = np.concatenate([[0.0], np.geomspace(0.01 * n.min(), most, LOOKS)])
    still = np.flatnonzero(open_at(looked))
    if not len(still):
        return _rounded(0.0)
    if still[-1] == len(looked) - 1:
        return None
    low, high = looked[still[-1]], looked[still[-1] + 1]
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if open_at(np.array([middle]))[0] else (low, middle)
    return _rounded(high)


def cases_of_the_smaller(smaller: int, tail: float, wanted: float) -> int | None:
    """About how many more cases of the smaller set would bring its tail to what is asked; None where none would.

    By a normal approximation, in which the distance stays and the spread falls with the root of the cases.
    """
    now, then = float(ndtri(tail)), float(ndtri(wanted))
    if not 0 < now < then:
        return None
    return math.ceil(smaller * ((then / now) ** 2 - 1))


def strict_to_settle(ahead: int, behind: int, n: int, min_prob: float) -> int | None:
    """The same for the strict rule, from the normal approximation of the sign test with its continuity correction.

    k times the cases give k times as many discordant ones: (k |ahead - behind| - 1) / sqrt(k (ahead + behind)) = z.

    Examples
    --------
    >>> strict_to_settle(12, 7, 200, 0.95), strict_to_settle(5, 5, 200, 0.95)
    (290, None)
    """
    gap, z = abs(ahead - behind), float(ndtri(min_prob))
    if gap == 0 or n == 0:
        return None
    noise = z * math.sqrt(ahead + behind)
    times = ((noise + math.sqrt(noise**2 + 4 * gap)) / (2 * gap)) ** 2 - 1
    return None if times > MOST_TIMES else _rounded(max(times, 0.0) * n)


def _rounded(cases: float) -> int:
    """Two digits, upwards: the approximation supports no more."""
    whole = max(1, math.ceil(cases))
    unit = int(10 ** max(0, len(str(whole)) - 2))
    return -(-whole // unit) * unit


def checked_margin(margin: float) -> float:
    """A margin of 0 or more."""
    size = number(margin)
    if not 0 <= size < 1e300:
        hint = " (non-inferiority by default: worse by up to the margin is accepted)" if size == size else ""
        raise InvalidArgument(f"margin is a number, 0 or more, in units of the metric; not {excerpt(margin)}{hint}")
    return size


def refuse_wide_margin(margin: float, metric: str, limits: tuple[float, float]) -> None:
    """Refuse a margin that no difference can exceed: such a gate would let everything through, or nothing."""
    width = limits[1] - limits[0]
    if margin >= width:
        hint = " (1 point is 0.01)" if width <= 2 else ""
        raise InvalidArgument(
            f"margin is below {width:g}, the largest difference of {metric} that there is; not {margin:g}{hint}"
        )


def checked_probability(value: float) -> float:
    """A probability that can decide."""
    share = number(value)
    if not 0.5 < share < 1:
        hint = " (95% is 0.95)" if share > 1 else ""
        raise InvalidArgument(f"min_prob is a probability above 0.5 and below 1; not {excerpt(value)}{hint}")
    return share
