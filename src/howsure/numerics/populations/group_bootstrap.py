"""What groups are worth: design effect, the bootstrap over groups, and simulated tests of groups."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
from howsure.numerics.populations.nodes import ONE_PART, log_rising_excess

# -- How much less cases say because they come in groups: intraclass correlation, design effect, clustered error -------


def intraclass_correlation(k: ArrayLike, n: ArrayLike) -> float:
    """Correlation of two cases of one group by the analysis of variance, at least 0; 0 where it cannot be told.

    ``rho = (MSB - MSW) / (MSB + (n0 - 1) MSW)`` with n0 the average size less its spread (Donner 1986; Ridout, Demetrio
    and Firth 1999, their ANOVA estimator).
    """
    k, n = np.array(k, dtype=float), np.array(n, dtype=float)
    return membership_correlation(np.stack([k, n - k], axis=1))


def membership_correlation(counts: ArrayLike) -> float:
    """The same of which class a case is, from cases by group and class, shape (G, K), all classes together."""
    counts = np.array(counts, dtype=float)
    n = counts.sum(axis=1)
    share = counts.sum(axis=0) / n.sum()
    between = float((n[:, None] * (counts / n[:, None] - share) ** 2).sum())
    within = float((n - (counts**2).sum(axis=1) / n).sum())
    groups, cases = len(n), float(n.sum())
    if groups < 2 or cases <= groups:
        return 0.0
    high, low = between / (groups - 1), within / (cases - groups)
    size = (cases - float((n**2).sum()) / cases) / (groups - 1)
    bottom = high + (size - 1) * low
    return max(0.0, (high - low) / bottom) if bottom > 0 else 0.0


def design_effect(correlation: float, n: ArrayLike) -> float:
    """By how much the variance of a mean grows: ``1 + rho (m - 1)``, m = sum n^2 / sum n (Kish 1965, 5.4)."""
    n = np.array(n, dtype=float)
    return 1 + correlation * (float((n**2).sum() / n.sum()) - 1)


def clustered_error(k: ArrayLike, n: ArrayLike) -> float:
    """Clustered standard error of the share of right cases, as evaluation frameworks print it; 0 of a single group.

    ``sqrt(G/(G - 1) sum_g (k_g - p n_g)^2) / N`` (Miller 2024, arXiv:2411.00640, appendix A, with the correction for
    finitely many groups that Inspect applies in ``stderr(cluster=...)``).
    """
    k, n = np.array(k, dtype=float), np.array(n, dtype=float)
    return clustered_error_of_sum((k - n * (k.sum() / n.sum())) / n.sum(), np.arange(len(n)))


def joint_factor(group: Integers, kind: Integers, right: Booleans, count: Integers) -> float:
    """By how much the sd of the mean of all recalls grows because recalls of one group vary together; 1 if apart."""
    cases, hits = (bincount(kind, weights) for weights in (count, count * right))
    share = hits / np.maximum(cases, 1)
    apart = count * (right - share[kind]) / cases[kind]
    together = float((bincount(group, apart) ** 2).sum())
    place = np.unique(np.stack([group, kind]), axis=1, return_inverse=True)[1].ravel()
    alone = float((bincount(place, apart) ** 2).sum())
    return float(np.sqrt(together / alone)) if alone > 0 else 1.0


# -- The Bayesian bootstrap over groups: groups are what was sampled, so groups are what is weighed --------------------

# Rubin (1981) weighs cases by Dirichlet(1, ..., 1), which gives a mean of G values the variance s^2/(G + 1) with the
# sum of squares over G: of 8 groups a quarter less than the unbiased one. Dirichlet(1 - 2/G, ...) gives it exactly.


#: More groups than this are dealt out to as many by chance, and these are weighed: the sd of an answer is then known to
#: one part in sixty.
MOST_GROUPS = 2_000

#: Numbers that are held at once.
BLOCK = 4_000_000

#: Groups that nobody saw, in a paired difference: each one that was seen, but for one case that is gained or lost.
PSEUDO_GROUPS = 2


def exponent(groups: int) -> float:
    """Parameter of the Dirichlet weights of so many groups: ``1 - 2/G``, so that the variance of a mean is unbiased."""
    return max(groups - 2, 1) / groups


def unseen_mass(groups: int) -> float:
    """Weight of the groups that nobody saw, together: 2, or half of all weight where that is less."""
    return min(float(PSEUDO_GROUPS), max(groups - 2, 1) / 2)


def exponent_beside_unseen(groups: int) -> float:
    """Parameter of the weights of so many groups beside those that nobody saw, ``G - 2`` together."""
    return exponent(groups) - unseen_mass(groups) / groups


def dealt_out(group: Integers, groups: int, rng: np.random.Generator) -> tuple[Integers, int]:
    """Place of each cell's group among at most `MOST_GROUPS` that are dealt out by chance, and their number."""
    if groups <= MOST_GROUPS:
        return group, groups
    return (rng.permutation(groups) % MOST_GROUPS)[group], MOST_GROUPS


def weighted_cells(
    group: Integers, cell: Integers, count: Integers, groups: int, cells: int, n: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Sums ``sum_g W_g count_gc``, W_g Gamma(`exponent`), in blocks of shape (some, cells), together ``n``."""
    table = np.zeros((groups, cells)) if groups * cells <= BLOCK else None
    if table is not None:
        np.add.at(table, (group, cell), count)
    order = np.argsort(cell, kind="stable")
    group, count = group[order], count[order].astype(float)
    present, starts = np.unique(cell[order], return_index=True)
    stops = np.append(starts[1:], len(group))
    step = max(1, BLOCK // max(groups, cells))
    for start in range(0, n, step):
        weight = rng.standard_gamma(exponent(groups), (min(step, n - start), groups))
        if table is not None:
            yield weight @ table
            continue
        sums = np.zeros((len(weight), cells))
        for c, first, last in zip(present.tolist(), starts.tolist(), stops.tolist(), strict=True):
            sums[:, c] = weight[:, group[first:last]] @ count[first:last]
        yield sums


def paired_difference(gain: ArrayLike, n: ArrayLike, draws: int, rng: np.random.Generator) -> Floats:
    """Draws of the difference of two accuracies on a new case from a new group, both on the same cases, shape (draws,).

    It is ``sum_g W_g gain_g / sum_g W_g n_g``, gains (G,) being cases that only the first has right less those that
    only the second has, over the groups that were seen and two that nobody saw: each is one of the others, at random,
    in which one case more is gained or lost, by a coin. Without them two classifiers that never differed would be equal
    for certain. All weights are G - 2 together: the variance is G/(G - 2) times the unbiased one (docs/validity.md).
    """
    gain, n = np.array(gain, dtype=float), np.array(n, dtype=float)
    place, groups = dealt_out(np.arange(len(n)), len(n), rng)
    gain, n = (bincount(place, x, groups) for x in (gain, n))
    found = np.empty(draws)
    step = max(1, BLOCK // groups)
    for start in range(0, draws, step):
        stop = min(draws, start + step)
        shape = stop - start, PSEUDO_GROUPS
        weight = rng.standard_gamma(exponent_beside_unseen(groups), (stop - start, groups))
        unseen = rng.standard_gamma(unseen_mass(groups) / PSEUDO_GROUPS, shape)
        like, coin = rng.integers(0, groups, shape), rng.choice([-1.0, 1.0], shape)
        shown = np.clip(gain[like] + coin, -n[like], n[like])
        top = weight @ gain + (unseen * shown).sum(axis=1)
        found[start:stop] = top / (weight @ n + (unseen * n[like]).sum(axis=1))
    return found


# -- Tests of groups that are simulated by the hundred, and what each of them would say of the mean of the population --

# The posterior of `howsure.numerics.populations.groups`, for many tests at once on common nodes: k of n right
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

# The Bayesian bootstrap over groups (`howsure.numerics.populations.group_bootstrap`) weighs a group alike for all
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
