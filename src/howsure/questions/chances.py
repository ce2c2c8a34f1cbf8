"""What a law of a difference says about which is better: probabilities, and the loss of a wrong choice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import NamedTuple

import numpy as np

from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.laws import Draws, Law

__all__ = ["Chances", "Decided", "Loss", "chances", "checked_rope", "losses"]

#: Beyond this many standard deviations from the mean an expected loss is below 1e-12 of one.
REACH = 7.0
NODES = 48


class Chances(NamedTuple):
    """Probabilities that A is better than, practically equal to, and worse than B; they add to 1."""

    better: float
    equal: float
    worse: float


class Loss(NamedTuple):
    """What choosing A, and choosing B, loses on average, in units of the metric."""

    a: float
    b: float


def chances(law: Law, rope: float | None, *, higher: bool, alike: bool = False) -> Chances:
    """Split of the probability of ``A - B`` at ``-rope`` and ``rope``; without a rope ties are split equally.

    ``alike`` where nothing tells A and B apart: then each is better as probably as the other.

    Examples
    --------
    >>> from howsure.laws import PairedDifference
    >>> [round(p, 3) for p in chances(PairedDifference([[60.5, 12.5, 5.5, 23.5]]), 0.02, higher=True)]
    [0.888, 0.098, 0.014]
    """
    width = rope or 0.0
    above, below = law.prob(above=width), law.prob(below=-width)
    between = max(0.0, 1 - above - below)
    better, worse = (above, below) if higher else (below, above)
    if not rope:
        better, between, worse = better + between / 2, 0.0, worse + between / 2
    if isinstance(law, Draws):  # draws cannot make certain
        better, worse = (min(max(p, 1 / law.n), 1 - 1 / law.n) for p in (better, worse))
        between = max(0.0, 1 - better - worse) if rope else 0.0
    if alike:
        better = worse = (1 - between) / 2
    return Chances(better, between, worse)


def losses(law: Law, *, higher: bool, alike: bool = False) -> Loss:
    """Expected loss of either choice, ``E[max(0, B - A)]`` and ``E[max(0, A - B)]`` where higher is better.

    ``alike`` where nothing tells A and B apart: then both lose the same.

    For a law with a distribution function the lighter side is integrated, within about 1e-9 standard deviations; the
    other side follows, because their difference is the mean.

    Examples
    --------
    >>> from howsure.laws import BetaSum
    >>> loss = losses(BetaSum([1, 1], [1, 1], [1, -1]), higher=True)  # two uniform rates: E|A - B| / 2 = 1 / 6
    >>> round(loss.a, 9), round(loss.b, 9)
    (0.166666667, 0.166666667)
    """
    if isinstance(law, Draws):
        up = law.expectation(lambda x: np.maximum(x, 0.0))
        down = law.expectation(lambda x: np.maximum(-x, 0.0))
    elif law.mean <= 0:
        up = _excess(law, 1)
        down = up - law.mean
    else:
        down = _excess(law, -1)
        up = down + law.mean
    if alike:
        down = up = (down + up) / 2
    return Loss(down, up) if higher else Loss(up, down)


class Decided(ABC):
    """The three probabilities of a comparison by their names."""

    @property
    @abstractmethod
    def chances(self) -> Chances:
        """Probabilities that A is better than, practically equal to, and worse than B."""

    @property
    def p_better(self) -> float:
        """Probability that A is better than B (by more than ``rope``, if there is one; ties split)."""
        return self.chances.better

    @property
    def p_equal(self) -> float:
        """Probability that the difference is at most ``rope``; 0 without one."""
        return self.chances.equal

    @property
    def p_worse(self) -> float:
        """Probability that A is worse than B (by more than ``rope``, if there is one; ties split)."""
        return self.chances.worse


def checked_rope(rope: float | None, reach: tuple[float, float]) -> float | None:
    """The largest difference that is practically nil, of a metric from one end of its reach to the other.

    Raises
    ------
    InvalidArgument
        No number, below 0, or all differences that there are.
    """
    if rope is None:
        return None
    low, high = reach
    size = number(rope)
    if not 0 <= size < min(high - low, 1e300):
        hint = " (1 point is 0.01)" if size > 0 else ""
        raise InvalidArgument(
            f"rope is the largest difference that counts as equivalent, from 0 to below {high - low:g}; "
            f"not {excerpt(rope)}{hint}"
        )
    return size


def _excess(law: Law, sign: int) -> float:
    """E[max(0, sign X)] as the integral of a tail; nodes are dense at 0, where a density may be singular."""
    end = law.support[1] if sign > 0 else -law.support[0]
    top = min(end, sign * law.mean + REACH * law.sd)
    if top <= 0:
        return 0.0
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    u = (nodes + 1) / 2
    x = top * u * u
    tail = law.sf(x) if sign > 0 else law.cdf(-x)
    return float((weights * u * tail).sum()) * top
