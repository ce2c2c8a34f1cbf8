"""The probability that a test reaches its goal, counted out: of one rate, of two, and of further cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, gammaln, ndtri, xlog1py, xlogy

from howsure.numerics.arrays import Floats
from howsure.numerics.betas import hdi_width
from howsure.numerics.populations.beta_laws import exceedance, logit_nodes
from howsure.numerics.trials.simulated_tests import beta_binomial_pmf

# -- Assurance: the probability, over the truth and the test, that a test of n cases will reach a goal -----------------

# For one rate the outcome is the number k of right answers, and the outcomes that reach a goal are those in one or
# both tails of k. The probability of a tail under a truth that is itself a Beta is a Beta-binomial tail.


Whole = NDArray[np.int64]

#: Numbers of cases that are looked at together, far from the answer and among its saw-teeth.
LOOKS, TEETH = 11, 128
#: No plan goes beyond this many cases.
MOST_CASES = 10**13


@dataclass(frozen=True)
class Truth:
    """What is believed of the rate that will be tested: Beta(a, b), or the fixed value ``a``, marked by ``b`` = inf."""

    a: float
    b: float = np.inf

    @property
    def fixed(self) -> bool:
        """Whether the rate is a known number."""
        return bool(np.isinf(self.b))

    def below(self, k: Whole, n: Whole) -> Floats:
        """P(at most k of n answers are right), elementwise; 0 for k < 0, 1 for k >= n."""
        inner = np.clip(k, 0, n - 1)
        # at most k of n answers are right as often as a Beta(k + 1, n - k) exceeds the rate
        if self.fixed:
            tail = betaincc(inner + 1.0, n - inner, self.a)
        else:
            tail = exceedance((inner + 1.0, n - inner), (self.a, self.b))
        return np.where(k < 0, 0.0, np.where(k >= n, 1.0, tail))


#: From numbers of cases to the last k of the lower tail and the first k of the upper one that reach the goal.
Goal = Callable[[Whole], tuple[Whole, Whole]]


def width_goal(width: float, prior: tuple[float, float], level: float) -> Goal:
    """Outcomes whose highest-density interval is at most ``width`` wide.

    The width of Beta(k + a, n - k + b) rises with k up to the middle and falls after it (checked by enumeration in the
    tests), so that these outcomes are two tails.
    """

    def narrow(k: Whole, n: Whole) -> NDArray[np.bool_]:
        return np.asarray(hdi_width(k + prior[0], n - k + prior[1], level) <= width)

    def tails(n: Whole) -> tuple[Whole, Whole]:
        # the widest outcome is the one whose posterior mean is nearest to one half
        middle = np.clip(np.round((n + prior[1] - prior[0]) / 2), 0, n).astype(np.int64)
        everywhere = narrow(middle, n)
        lower = first_true(lambda i, k: ~narrow(k, n[i]), middle, middle / 2) - 1
        upper = n - lower
        if prior[0] != prior[1]:
            upper = n + 1 - first_true(lambda i, k: ~narrow(n[i] - k, n[i]), n - middle, (n - middle) / 2)
        return np.where(everywhere, n, lower), np.where(everywhere, 0, upper)

    return tails


def above_goal(threshold: float, prior: tuple[float, float], certainty: float) -> Goal:
    """Outcomes after which the rate exceeds ``threshold`` with at least the probability ``certainty``."""

    def tails(n: Whole) -> tuple[Whole, Whole]:
        def sure(misses: Whole, cases: Whole) -> NDArray[np.bool_]:
            k = cases - misses
            return np.asarray(betaincc(k + prior[0], misses + prior[1], threshold) >= certainty)

        # one more right answer makes surer, so that as many misses are allowed in a larger test, or more
        ends = np.array([n.min(), n.max()])
        few, many = (first_true(lambda i, misses: ~sure(misses, ends[i]), ends, ends / 2) - 1).tolist()
        allowed = first_true(lambda i, misses: ~sure(misses, n[i]), np.minimum(n, many), (few + many) / 2 + 0.0 * n) - 1
        return np.full_like(n, -1), n - allowed

    return tails


def first_true(holds: Callable[[Whole, Whole], NDArray[np.bool_]], high: Whole, start: Floats) -> Whole:
    """First k in [0, high] from which ``holds(i, k)``, ``high + 1`` if none: looks around ``start``, then halves."""
    least, most = np.full_like(high, -1), high + 1  # fails at least, holds at most
    k = np.clip(np.round(start), 0, high).astype(np.int64)
    step, todo = 1, np.arange(len(high))
    while len(todo):
        tried = k[todo]
        true = holds(todo, tried)
        most[todo], least[todo] = np.where(true, tried, most[todo]), np.where(true, least[todo], tried)
        todo = todo[most[todo] - least[todo] > 1]
        below, above = least[todo], most[todo]
        stride = np.where(k[todo] == above, above - step, below + step)
        k[todo] = np.where((stride > below) & (stride < above), stride, (below + above) // 2)
        step = min(3 * step, 10**12)
    return most


def assurance(n: Whole, goal: Goal, truth: Truth, loosen: int = 0) -> Floats:
    """Probability that a test of n cases reaches the goal, elementwise.

    ``loosen`` moves the end of each tail by so many outcomes: +1 and -1 give envelopes without the saw-teeth that whole
    numbers cut into the assurance.
    """
    return _of_tails(n, *goal(n), truth, loosen)


def _of_tails(n: Whole, lower: Whole, upper: Whole, truth: Truth, loosen: int = 0) -> Floats:
    """Probability of at most ``lower``, or at least ``upper``, of n right answers."""
    together = upper <= lower + 1
    lower, upper = np.where(lower >= 0, lower + loosen, lower), np.where(upper <= n, upper - loosen, upper)
    below = truth.below(lower, n) if np.any(lower >= 0) else 0.0  # a threshold has one tail only
    inside = below + 1 - truth.below(upper - 1, n)
    return np.where(together & (loosen == 0), 1.0, np.minimum(inside, 1.0))


@dataclass(frozen=True)
class Smallest:
    """The smallest numbers of cases for a goal."""

    n: int  # from here on the assurance never falls below what is asked
    first: int  # the first number that ever reaches it, on the tip of a saw-tooth


def smallest(goal: Goal, truth: Truth, asked: float, *, most: int = MOST_CASES) -> Smallest | None:
    """Smallest number of cases whose assurance is at least ``asked`` from there on; None above ``most``.

    The assurance is a saw-tooth in n: bisection alone would stop at a local dip. Both of its envelopes rise, so the
    answers lie between their crossings, and there every n is looked at.
    """

    def crossing(loosen: int, start: int) -> int | None:
        return _first_reached(lambda n: assurance(n, goal, truth, loosen) >= asked, start, 4 * most)

    begin = crossing(1, 1)
    end = None if begin is None else crossing(-1, begin)
    if begin is None or end is None:
        return None
    begin, end = max(1, begin - 8), end + 64
    if begin > most:
        return None
    around = np.arange(begin, end + 1)
    parts = np.array_split(around, -(-len(around) // TEETH))
    # the last that fails is near the end, the first that does not near the beginning
    for part in reversed(parts):
        bases, reached = _teeth(part, goal, truth, last=True)
        failing = np.flatnonzero(reached < asked)
        if len(failing):
            begin = int(bases[failing[-1]]) + 1
            break
    for part in parts:
        tips, reached = _teeth(part, goal, truth, last=False)
        reaching = np.flatnonzero(reached >= asked)
        if len(reaching):
            return Smallest(begin, int(tips[reaching[0]]))
    return Smallest(begin, begin)


def _teeth(n: Whole, goal: Goal, truth: Truth, *, last: bool) -> tuple[Whole, Floats]:
    """The last (or first) of each run of consecutive n with the same tails, and its assurance.

    The same are the right answers in the lower tail and the misses in the upper one. Both tails become less probable as
    n grows, so the assurance falls along a run: its first n is the tip of a tooth, its last n the base.
    """
    lower, upper = goal(n)
    turns = (np.diff(lower) != 0) | (np.diff(n - upper) != 0)
    ends = np.flatnonzero(np.append(turns, True) if last else np.append(True, turns))
    return n[ends], _of_tails(n[ends], lower[ends], upper[ends], truth)


def _first_reached(reached: Callable[[Whole], NDArray[np.bool_]], start: int, most: int) -> int | None:
    """Smallest n from ``start`` on that reaches what later ones reach too; many n are looked at in one call."""
    low, high = start - 1, 0
    for block in range(0, 64 - LOOKS, LOOKS):
        sizes = start - 1 + 2 ** np.arange(block, block + LOOKS, dtype=np.int64)
        place = np.flatnonzero(reached(sizes))
        if len(place):
            high = int(sizes[place[0]])
            low = int(sizes[place[0] - 1]) if place[0] else low
            break
        low = int(sizes[-1])
        if low > most:
            return None
    if not high:
        return None
    while high - low > 1:
        sizes = np.unique(np.linspace(low, high, LOOKS + 2).astype(np.int64)[1:-1])
        sizes = sizes[(sizes > low) & (sizes < high)]
        place = np.flatnonzero(reached(sizes))
        first = int(place[0]) if len(place) else len(sizes)
        low, high = int(sizes[first - 1]) if first else low, int(sizes[first]) if len(place) else high
    return high


# -- Two rates, on separate test sets or on the same cases, and what further cases may show ----------------------------

# Both are enumerated: outcomes of the new one that reach the goal are those from a threshold on, given the old one's.


#: Standard deviations beyond which outcomes are left out, on each side.
REACH = 6.5
#: Nodes over the share of disagreement.
NODES = 160
#: Mass of the Dirichlet process over the four ways in which two classifiers can be right or wrong.
PAIRED_MASS = 0.5


def _binomial(k: Whole, n: Whole | int, p: float | Floats) -> Floats:
    return np.exp(gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0) + xlogy(k, p) + xlog1py(n - k, -p))


def _at_least(k: Whole, n: Whole | int, p: float | Floats) -> Floats:
    inner = np.clip(k, 1, np.maximum(n, 1))
    return np.where(k <= 0, 1.0, np.where(k > n, 0.0, betainc(inner, n - inner + 1.0, p)))


def separate_assurance(
    n: int,
    old: Floats,
    new: Floats,
    certainty: float,
    *,
    prior: tuple[float, float] = (1.0, 1.0),
    margin: float = 0.0,
    weights: Floats | None = None,
) -> float:
    """Probability that n cases for each of two classifiers show P(new > old - margin) >= ``certainty``.

    Over truths ``old``, ``new`` (t,) by ``weights``. A test does not show it where more than half of the distance from
    -margin to the mean of new - old is the prior's: the prior pulls test sets of one size together.
    """
    spread = REACH * np.sqrt(old * (1 - old) / n) + 20 / n
    first, last = int(max(0.0, n * (old - spread).min())), int(min(n, np.ceil(n * (old + spread).max())))
    k = np.arange(first, last + 1)
    a, b = prior
    mean = (k + a) / (n + a + b)
    start = k + ndtri(certainty) * np.sqrt(2 * n * mean * (1 - mean)) - margin * n

    def sure(i: Whole, better: Whole) -> NDArray[np.bool_]:
        known = exceedance((better + a, n - better + b), (k[i] + a, n - k[i] + b), margin)
        ahead = better - k[i]
        by_cases = 2 * (ahead / n + margin) >= ahead / (n + a + b) + margin
        return np.asarray((known >= certainty) & by_cases)

    threshold = first_true(sure, np.full_like(k, n), start)
    chance = _binomial(k[:, None], n, old) * _at_least(threshold[:, None], n, new)
    return float(np.average(chance.sum(axis=0), weights=weights))


def paired_better(only_new: ArrayLike, only_old: ArrayLike, n: Floats | float, margin: float = 0.0) -> Floats:
    """P(new > old - margin) on the same n cases, from those that only one of the two got right, elementwise.

    Half a case in each pattern: disagreement q ~ Beta(m + 1, n - m + 1) and the new one's share of it ~ Beta(only_new +
    1/2, only_old + 1/2), independent; I_1/2(only_old + 1/2, only_new + 1/2) without a margin. With one, within 1e-6
    from ten disagreements on and within 2e-3 below (a kink at q = margin).
    """
    wins, losses = np.asarray(only_new, float), np.asarray(only_old, float)
    c, d = losses + PAIRED_MASS, wins + PAIRED_MASS
    if margin == 0:
        return np.asarray(betainc(c, d, 0.5))
    m = wins + losses
    q, weight = logit_nodes(m + 2 * PAIRED_MASS, n - m + 2 * PAIRED_MASS, NODES)
    share = np.clip((1 + margin / q) / 2, 0, 1)
    return np.asarray((weight * betainc(c[..., None], d[..., None], share)).sum(axis=-1))


def strictly_better(only_new: ArrayLike, only_old: ArrayLike) -> Floats:
    """I_1/2(only_old + 1, only_new), 1 minus the one-sided p-value of the sign test; 0 where the new one wins nothing.

    It is the posterior with all of the prior's weight given to the old one, so that of two equally good classifiers it
    reaches 0.95 at most once in twenty, whatever the number of cases.
    """
    wins, losses = np.asarray(only_new, float), np.asarray(only_old, float)
    return np.where(wins > 0, betainc(losses + 1, np.maximum(wins, 1.0), 0.5), 0.0)


def paired_assurance(
    n: int,
    only_new: Floats,
    only_old: Floats,
    certainty: float,
    *,
    margin: float = 0.0,
    weights: Floats | None = None,
    strict: bool = False,
) -> float:
    """Probability that the same n cases for both show P(new > old - margin) >= ``certainty``.

    ``weights`` (t,) are of the truths: shares of the cases that only one of the two gets right (t,). ``strict`` puts
    the sign test, `strictly_better`, in the place of the posterior; without a margin only.
    """
    q = np.asarray(only_new, float) + np.asarray(only_old, float)
    spread = REACH * np.sqrt(q * (1 - q) / n) + 20 / n
    first, last = int(max(0.0, n * (q - spread).min())), int(min(n, np.ceil(n * (q + spread).max())))
    m = np.arange(first, last + 1)
    start = (m - margin * n + ndtri(certainty) * np.sqrt(m)) / 2

    def sure(i: Whole, wins: Whole) -> NDArray[np.bool_]:
        known = strictly_better(wins, m[i] - wins) if strict else paired_better(wins, m[i] - wins, float(n), margin)
        return np.asarray(known >= certainty)

    threshold = first_true(sure, m, start)
    share = np.where(q > 0, only_new / np.where(q > 0, q, 1.0), 0.5)
    chance = _binomial(m[:, None], n, q) * _at_least(threshold[:, None], m[:, None], share)
    return float(np.average(chance.sum(axis=0), weights=weights))


def from_there_on(
    reached: Callable[[int], float], asked: float, *, most: int, window: int = 24, start: int = 1
) -> tuple[int, int]:
    """Smallest n from which ``reached(n) >= asked``, and the first n found that does; (most + 1, ...) if none.

    Growing steps from ``start`` and bisection find a crossing; then its neighbourhood is looked at one by one, because
    whole numbers make saw-teeth, and is widened as long as a failure is found in its upper half.
    """
    known: dict[int, float] = {}

    def holds(n: int) -> bool:
        if n not in known:
            known[n] = reached(n)
        return known[n] >= asked

    low, high = 0, min(max(1, start), most)
    if holds(high):
        step = 1 + high // 16
        while high - step > 0 and holds(high - step):
            high, step = high - step, 2 * step
        low = max(0, high - step)
    else:
        step = 1 + high // 16
        while not holds(high):
            if high >= most:
                return most + 1, most + 1
            low, high, step = high, min(high + step, most), 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    begin, end, place = max(1, high - window), min(most, high + window), high
    for n in range(begin, end + 1):
        holds(n)
    while True:
        failing = [n for n in range(begin, end + 1) if not holds(n)]
        place = failing[-1] + 1 if failing else begin
        if place <= (begin + end) // 2 + 1 or end >= most:
            break
        end = min(most, end + window)
    return place, next((n for n in range(begin, end + 1) if holds(n)), place)


Beta = tuple[float, float]

#: Outcomes that are less probable are left out; together they are below 1e-9 for a million outcomes.
NEGLIGIBLE = 1e-15


def separate_later(first: Beta, second: Beta, more: int, certainty: float) -> float:
    """Probability that ``more`` cases of each will show P(first > second) >= ``certainty``, of a Beta(a, b) each."""
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

    Parameters of the Dirichlet of the shares of cases that only the one, only the other, and both or neither get right;
    only the first two decide: I_1/2(only_second, only_first).
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
