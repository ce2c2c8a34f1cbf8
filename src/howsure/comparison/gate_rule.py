"""When a gate passes: probabilities against a threshold, the strict rule for paired accuracy, and how far a verdict is.

With d = candidate minus baseline, turned so that more is better, and a threshold t: pass if P(d > t) >= min_prob, fail
if P(d < t) >= min_prob, else inconclusive.
"""

from __future__ import annotations

import math
from typing import Literal

from scipy.special import betainc, ndtri

__all__ = ["Verdict", "cases_to_settle", "strict_probability", "strict_to_settle", "together", "verdict"]

Verdict = Literal["pass", "fail", "inconclusive"]

#: Times as many cases again; beyond that a number would only say that nothing will be settled.
MOST_TIMES = 1000.0


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

    Parameters
    ----------
    ahead, behind : int
        Cases that only the one, and only the other, has right.

    Notes
    -----
    Of two equally good classifiers it is 0.95 or more at most once in twenty, whatever the number of discordant cases
    (at most 4.99 %; a sign test never uses up its level). It is the posterior with all of the prior's weight given to
    the other side.

    Examples
    --------
    >>> round(strict_probability(5, 0), 5), strict_probability(0, 3)
    (0.96875, 0.0)
    """
    return float(betainc(behind + 1, ahead, 0.5)) if ahead > 0 else 0.0


def cases_to_settle(distance: float, sd: float, n: int, min_prob: float) -> int | None:
    """About how many more cases bring |distance| to the normal quantile of ``min_prob``, if it stays as it is.

    The sd shrinks as 1 / sqrt(n): n ((z sd / distance)^2 - 1). None where that is more than a thousand times n.

    Parameters
    ----------
    distance, sd : float
        Mean of d minus the threshold, and the sd of d.
    n : int
        Cases so far.

    Examples
    --------
    >>> cases_to_settle(0.01, 0.01, 400, 0.95), cases_to_settle(0.0, 0.01, 400, 0.95)
    (690, None)
    """
    z = float(ndtri(min_prob))
    if distance == 0 or n == 0:
        return None
    times = (z * sd / distance) ** 2 - 1
    return None if times > MOST_TIMES else _rounded(max(times, 0.0) * n)


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
