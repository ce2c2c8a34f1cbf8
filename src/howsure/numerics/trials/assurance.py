"""The probability that a test reaches its goal, with labels beside a judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincc, ndtri

from howsure.numerics.arrays import Floats
from howsure.numerics.populations.beta_laws import exceedance
from howsure.numerics.solve.densest import hdi_width

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
        lower = _last(lambda k: narrow(k, n), np.full_like(n, -1), middle)
        mirrored = prior[0] == prior[1]
        upper = n - (lower if mirrored else _last(lambda k: narrow(n - k, n), np.full_like(n, -1), n - middle))
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
        fewest, most = _last(lambda misses: sure(misses, ends), np.full_like(ends, -1), ends)
        allowed = _last(lambda misses: sure(misses, n), np.full_like(n, fewest), np.minimum(n, most))
        return np.full_like(n, -1), n - allowed

    return tails


def _last(holds: Callable[[Whole], NDArray[np.bool_]], low: Whole, high: Whole) -> Whole:
    """Largest k in (low, high] for which ``holds`` is still true, elementwise; ``low`` if it never is."""
    low, high = low.copy(), high + 1
    while np.any(high - low > 1):
        middle = (low + high) // 2
        true = holds(np.maximum(middle, 0)) & (high - low > 1)
        low = np.where(true, middle, low)
        high = np.where(true | (high - low <= 1), high, middle)
    return low


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


# -- Simulated tests in which a judge answers every case and people label some of them: the law of the share of a class

# With N_v cases of each verdict and n_v labels among them, q ~ Dirichlet(N_v + 1) and r_v ~ Beta(n_v1 + 1/2, n_v0 +
# 1/2), all independent, mean and variance of sum q_v r_v are closed; the Beta with these two moments gives the
# interval.


Counts = NDArray[np.int64]


def share_moments(cases: Floats, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of sum q_v r_v, q ~ Dirichlet(cases + 1), r_v ~ Beta(a_v, b_v); shapes (..., V) to (...)."""
    mass = cases + 1
    total = mass.sum(-1, keepdims=True)
    q, r, size = mass / total, a / (a + b), a + b
    mean = (q * r).sum(-1)
    between = ((q * r**2).sum(-1) - mean**2) / (total[..., 0] + 1)
    square = q * (mass + 1) / (total + 1)  # E q_v^2
    return mean, between + (square * r * (1 - r) / (size + 1)).sum(-1)


def matched_width(mean: Floats, variance: Floats, level: float) -> Floats:
    """Width of the highest-density interval of the Beta with these moments."""
    mass = mean * (1 - mean) / variance - 1
    return hdi_width(mean * mass, (1 - mean) * mass, level)


def width_by_formula(q: Floats, r: Floats, labels: float, cases: float, level: float) -> float:
    """Width to expect of labels at random: 2 z sqrt(inner / (n + 3) + between / N)."""
    theta = float(q @ r)
    inner, between = float(q @ (r * (1 - r))), float(q @ (r - theta) ** 2)
    return float(2 * ndtri((1 + level) / 2) * np.sqrt(inner / (labels + 3) + between / cases))


def allotted(labels: int, weights: Floats, room: Counts, least: int = 0) -> Counts:
    """Whole numbers that add to ``labels`` (or to all the room), in proportion to weights, within the room of each.

    Each gets ``least``, where there is room for it and it is not more than an equal part.
    """
    labels = int(min(labels, room.sum()))
    given = np.minimum(np.full(len(room), min(least, labels // len(room))), room)
    wanted = np.maximum(weights, 1e-12 * max(float(weights.max()), 1e-300))
    while (left := labels - int(given.sum())) > 0:
        # the next label where the share that is there lags most behind the share that is wanted; many at once
        free = given < room
        target = np.where(free, wanted, 0) * (given[free].sum() + left) / wanted[free].sum()
        step = np.floor(np.clip(target - given, 0, room - given)).astype(np.int64)
        if step.sum() > left or not step.any():
            step = np.zeros_like(given)
            step[int(np.argmax(np.where(free, target - given, -np.inf)))] = 1
        given = given + step
    return np.asarray(given)


def fewest_doubts(labels: int, cases: Floats, a: Floats, b: Floats, room: Counts) -> Counts:
    """Spread labels over verdicts with r_v ~ Beta(a_v, b_v) so that the expected variance of sum q_v r_v is least.

    A label takes q_v^2 Var(r_v) m_v / (a_v + b_v + m_v) off it, so the best next one, again and again, is the best
    spread; many begin with the proportion to q_v sqrt(E r_v (1 - r_v)), which it is without the room.
    """
    q, size = (cases + 1) / (cases + 1).sum(), a + b
    doubt = q * np.sqrt(a * b / (size * (size + 1)))  # gain of a label: doubt^2 / ((size + m) (size + m + 1))
    low, high = 0.0, float((doubt / size).max())
    given = np.zeros(len(room), dtype=np.int64)
    for _ in range(80):  # the price of a label at which about so many are worth it, and no more
        price = (low + high) / 2
        tried = np.clip(np.floor(doubt / price - size), 0, room).astype(np.int64) if price > 0 else room
        low, high, given = (low, price, tried) if tried.sum() <= labels else (price, high, given)
    given = np.maximum(given - 1, 0)  # the last one of each may be worth less than the first of another
    for _ in range(labels - int(given.sum())):
        gain = np.where(given < room, doubt**2 / ((size + given) * (size + given + 1)), -1.0)
        given[int(gain.argmax())] += 1
    return given


def simulated_labels(
    labels: int,
    cases: int,
    q: Floats,
    r: Floats,
    weights: Floats | None,
    least: int,
    many: int,
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """Posterior mean and variance of the share in simulated tests, shapes (many,).

    ``labels`` of people go to the V verdicts of the judge's ``cases`` in proportion to ``weights``, ``least`` to each,
    or at random without; ``q`` and ``r`` are true shares of the verdicts, and of the class among the cases of each.
    """
    totals = rng.multinomial(cases, q, many)
    if weights is None:
        there, left, rest = np.zeros_like(totals), np.full(many, min(labels, cases)), totals.sum(-1)
        for v in range(len(q)):  # a multivariate hypergeometric, one verdict after the other
            rest = rest - totals[:, v]
            there[:, v] = rng.hypergeometric(totals[:, v], rest, left)
            left = left - there[:, v]
    else:
        scarce = totals.min(0)
        there = allotted(labels, weights, scarce, least)
        if (there < scarce).all():  # every test has room for them
            there = np.broadcast_to(there, totals.shape)
        else:
            there = np.stack([allotted(labels, weights, row, least) for row in totals])
    hits = rng.binomial(there, r).astype(np.float64)
    return share_moments(totals.astype(np.float64), hits + 0.5, there - hits + 0.5)
