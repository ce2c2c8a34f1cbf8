"""Groups drawn from what is known of their population, of one classifier or of several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv

from howsure.numerics.arrays import Floats, bincount, repeat
from howsure.numerics.groups.group_bootstrap import BLOCK, PSEUDO_GROUPS, exponent_beside_unseen, unseen_mass
from howsure.numerics.learned.evidence import ONE_PART, log_rising_excess

# -- Tests of groups that are simulated by the hundred, and what each of them would say of the mean of the population --

# The posterior of `howsure.numerics.groups.population_mean`, for many tests at once on common nodes: k of n right
# enters by three rising factorials, so the log evidence of all tests is a product of their numbers of groups by count
# with one table.


#: Nodes of the logit of mu and of y = log kappa, how many sds they reach beyond the tests, and where y ends.
MEANS, SPREADS, REACH, FARTHEST = 241, 41, 9.0, (-5.0, 13.0)

#: Nodes of mu where the range of y is looked for, and how far below the top, in nats, it ends.
SCOUTS, NATS = 41, 10.0

#: Counts in one table, and the least correlation of a supposed truth, below which groups make no difference.
COUNTS, LEAST = 64, 1e-6

#: Places at which an interval may begin.
STARTS = 201


def group_rates(mean: Floats, correlation: Floats, groups: int, rng: np.random.Generator) -> Floats:
    """Rates of so many groups of each of R populations, shape (R, groups), Beta with that mean and correlation."""
    kappa = 1 / np.clip(correlation, LEAST, 1 - LEAST) - 1
    inside = np.clip(mean, 1e-12, 1 - 1e-12)
    a, b = (repeat((kappa * share)[:, None], groups, axis=1) for share in (inside, 1 - inside))
    rates = rng.beta(a, b)
    return np.asarray(np.where(correlation[:, None] < LEAST, mean[:, None], rates))


def drawn_tests(
    mean: Floats, correlation: Floats, sizes: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Right cases of each group in R tests of groups with these ``sizes``, shape (R, G); a truth for each test."""
    return rng.binomial(sizes, group_rates(mean, correlation, sizes.shape[1], rng))


def paired_tests(
    wins: Floats, losses: Floats, correlation: Floats, sizes: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Cases won less lost, of shares (R,), in each group of R tests, (R, G): Dirichlet-multinomial, correlated so."""
    groups = sizes.shape[1]
    apart = group_rates(wins + losses, correlation, groups, rng)
    won = group_rates(wins / np.maximum(wins + losses, 1e-300), _of_those(wins + losses, correlation), groups, rng)
    either = rng.binomial(sizes, apart)
    return np.asarray(2 * rng.binomial(either, won) - either)


def _of_those(share: Floats, correlation: Floats) -> Floats:
    """Correlation among the cases of one part of a Dirichlet: 1/(1 + kappa share)."""
    kappa = 1 / np.clip(correlation, LEAST, 1 - LEAST) - 1
    return np.where(correlation < LEAST, 0.0, 1 / (1 + kappa * np.maximum(share, 1e-12)))


class MeansAfter:
    """P(mu <= x), ``cdf`` (R, M), after each of R tests, at common values ``x`` (M,) of the mean."""

    def __init__(self, x: Floats, cdf: Floats) -> None:
        self.x, self.cdf = x, cdf

    def quantiles(self, p: Floats) -> Floats:
        """Quantiles at probabilities (P,), shape (R, P)."""
        return np.array([np.interp(p, row, self.x) for row in self.cdf])

    def widths(self, level: float) -> Floats:
        """Width of the highest-density interval after each test, shape (R,)."""
        start = np.linspace(0, 1 - level, STARTS)
        return np.asarray((self.quantiles(start + level) - self.quantiles(start)).min(axis=1))

    def above(self, value: float) -> Floats:
        """P(mu > value) after each test, shape (R,)."""
        return np.array([1 - np.interp(value, self.x, row) for row in self.cdf])


def means_after(right: NDArray[np.int64], sizes: NDArray[np.int64], typical: tuple[float, float]) -> MeansAfter:
    """The `PopulationMean` that each of R tests leaves, from right cases and cases of its groups, (R, G) each."""
    cases, hits = sizes.sum(axis=1), right.sum(axis=1)
    share = (hits + 0.5) / (cases + 1)
    logit = np.log(share / (1 - share))
    # the sd of the logit as groups show it, but no less than that of independent cases
    apart = ((right - share[:, None] * sizes) ** 2).sum(axis=1) / (cases * share * (1 - share)) ** 2
    sd = np.sqrt(np.maximum(apart, 1 / (cases * share * (1 - share))))
    far = REACH * sd + np.where((hits == 0) | (hits == cases), 1.0, 0.0)
    low, high = float((logit - far).min()), float((logit + far).max())
    y = np.linspace(*FARTHEST, SPREADS)
    # where the correlation may lie, after any of the tests: a coarse look
    height = _surface(np.linspace(low, high, SCOUTS), y, right, sizes, typical).max(axis=2)
    seen = np.flatnonzero((height > height.max(axis=1, keepdims=True) - NATS).any(axis=0))
    y = np.linspace(y[max(seen[0] - 1, 0)], y[min(seen[-1] + 1, SPREADS - 1)], SPREADS)
    a = np.linspace(low, high, MEANS)
    surface = _surface(a, y, right, sizes, typical)
    density = np.exp(surface - surface.max(axis=(1, 2), keepdims=True)).sum(axis=1)
    mass = np.cumsum((density[:, 1:] + density[:, :-1]) / 2, axis=1)
    cdf = np.concatenate([np.zeros((len(right), 1)), mass / mass[:, -1:]], axis=1)
    return MeansAfter(1 / (1 + np.exp(-a)), cdf)


def _surface(
    a: Floats, y: Floats, right: NDArray[np.int64], sizes: NDArray[np.int64], typical: tuple[float, float]
) -> Floats:
    """Log posterior density of each test at logits (M,) of mu and y = log kappa (Y,), up to a constant, (R, Y, M)."""
    log_q = -np.logaddexp(0, a)
    log_p = a + log_q
    prior = replace(ONE_PART, typical=typical).log_prior(a, np.zeros_like(a), y[:, None] + 0 * a)
    total = repeat(prior.reshape(1, -1), len(right), axis=0)
    for log_share, count in ((log_p, right), (log_q, sizes - right)):
        _add(total, log_share, y, count)
    alone = np.zeros((len(right), len(y)))
    _add(alone, np.zeros(1), y, sizes)
    return np.asarray(total.reshape(len(right), len(y), len(a)) - alone[:, :, None])


def _add(total: Floats, log_share: Floats, y: Floats, count: NDArray[np.int64]) -> None:
    log_x = np.maximum(y[:, None] + log_share, -600.0).ravel()
    distinct = np.unique(count[count > 0])
    times = np.zeros((len(count), len(distinct)))
    place = np.searchsorted(distinct, count)
    row = np.broadcast_to(np.arange(len(count))[:, None], count.shape)
    seen = count > 0
    np.add.at(times, (row[seen], place[seen]), 1.0)
    for first in range(0, len(distinct), COUNTS):
        part = distinct[first : first + COUNTS].astype(float)
        logs = repeat(log_x[:, None], len(part), axis=1)
        total += times[:, first : first + COUNTS] @ log_rising_excess(np.exp(logs), logs, part).T
    total += (times @ distinct)[:, None] * np.broadcast_to(log_share, (len(y), len(log_share))).ravel()


# -- Classifiers on the same cases in groups: rates of all of them on a new group, drawn together ----------------------

# The Bayesian bootstrap over groups (`howsure.numerics.groups.group_bootstrap`) weighs a group alike for all
# classifiers. Beside the groups that were seen stand two that nobody saw. Each shows what one of the others showed,
# but for one case: a half of the classifiers, by chance, has one more right than the other half. So classifiers that
# never differed are not equal for certain, and no difference is pulled to 0; its variance is that of
# `paired_difference`.


#: From so many groups on the weights of all groups serve those of a class: their exponents differ by 0.13 at the most.
MANY = 30

#: Weights below this are nothing.
LEAST_OF_JOINT_GROUPS = 1e-300


def group_weights(groups: int, wide: int, n: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Weights Gamma(`exponent_beside_unseen`) of so many groups, in blocks of shape (some, G), together ``n``."""
    step = max(1, BLOCK // max(groups, wide))
    for start in range(0, n, step):
        yield rng.standard_gamma(exponent_beside_unseen(groups), (min(step, n - start), groups))


def of_fewer_groups(weight: Floats, groups: int) -> Floats:
    """Weights of all groups (m, G) as those of the few that a class has (m, some), quantile by quantile."""
    some = weight.shape[1]
    if some >= MANY or some == groups:
        return weight
    logs, mapped = _quantile_by_quantile(exponent_beside_unseen(groups), exponent_beside_unseen(some))
    return np.asarray(np.exp(np.interp(np.log(np.maximum(weight, LEAST_OF_JOINT_GROUPS)), logs, mapped)))


@lru_cache(maxsize=64)
def _quantile_by_quantile(a: float, b: float) -> tuple[Floats, Floats]:
    """Logarithms of Gamma(a) weights, and of the Gamma(b) weights of the same probability."""
    logs = np.concatenate([np.linspace(np.log(LEAST_OF_JOINT_GROUPS), -10, 200), np.linspace(-10, 5, 4_001)[1:]])
    w = np.exp(logs)
    low, high = w <= 1, w > 1
    mapped = np.empty_like(w)
    mapped[low] = gammaincinv(b, gammainc(a, w[low]))
    mapped[high] = gammainccinv(b, gammaincc(a, w[high]))
    return logs, np.log(np.maximum(mapped, LEAST_OF_JOINT_GROUPS))


def joint_rates(
    weight: Floats, hits: ArrayLike, cases: ArrayLike, rng: np.random.Generator
) -> tuple[Floats, Floats, Floats]:
    """Share of right cases of T classifiers on a new group, (m, T); weighed cases of seen and of unseen groups, (m,).

    ``(sum_g W_g hits_gt + sum_u E_u (hits_ut + e_ut)) / (sum_g W_g n_g + sum_u E_u n_u)``, u being a group that nobody
    saw, which has the hits of a group that was, at random, but for e: half a case more for a half of the classifiers,
    half one less for the others, and where that is no number of cases, the same lead within it.
    """
    hits, cases = np.array(hits, dtype=float), np.array(cases, dtype=float)
    draws, many = len(weight), hits.shape[1]
    mass = rng.standard_gamma(unseen_mass(len(cases)) / PSEUDO_GROUPS, (draws, PSEUDO_GROUPS))
    like = rng.integers(0, len(cases), (draws, PSEUDO_GROUPS))
    halves = np.where(np.arange(many) < many / 2, 0.5, -0.5)
    if many == 2:
        coin = rng.choice([-0.5, 0.5], (draws, PSEUDO_GROUPS, 1))
        case = np.concatenate([coin, -coin], axis=2)
    else:
        case = rng.permuted(np.broadcast_to(halves, (draws, PSEUDO_GROUPS, many)), axis=2)
    size = cases[like]
    shown = hits[like] + case
    shown -= np.maximum(shown.max(axis=2) - size, 0.0)[..., None]
    shown += np.maximum(-shown.min(axis=2), 0.0)[..., None]
    seen, unseen = weight @ cases, (mass * size).sum(axis=1)
    top = weight @ hits + (mass[..., None] * np.minimum(shown, size[..., None])).sum(axis=1)
    return np.clip(top / (seen + unseen)[:, None], 0.0, 1.0), seen, unseen


def worth_of_difference(gain: ArrayLike, group: ArrayLike) -> float:
    """As many independent cases as cases in groups are worth for a mean, as a share of their number, 1 at the most.

    The square of the standard error of independent cases over that of `clustered_error_of_sum`.

    Examples
    --------
    >>> worth_of_difference(np.array([0.5, 0.5, -0.5, -0.5]), np.array([0, 0, 1, 1]))
    0.3333333333333333
    """
    gain = np.array(gain, dtype=float)
    clustered = clustered_error_of_sum(gain, group)
    alone = float((gain**2).sum()) * len(gain) / max(len(gain) - 1, 1)
    return min(1.0, alone / clustered**2) if clustered > 0 else 1.0


def clustered_error_of_sum(gain: ArrayLike, group: ArrayLike) -> float:
    """Clustered standard error of a sum over cases, shape (n,), whose terms have mean 0; 0 of a single group.

    ``sqrt(G/(G - 1) sum_g (sum of the terms of group g)^2)``; of a mean the terms are ``(x - mean) / n``, and of a
    paired difference x is that of a case (Miller 2024, arXiv:2411.00640; with the correction for finitely many groups).
    """
    sums = bincount(np.asarray(group), np.array(gain, dtype=float))
    groups = len(sums)
    return float(np.sqrt((sums**2).sum() * groups / (groups - 1))) if groups > 1 else 0.0
