"""What groups are worth: design effect, and the bootstrap over groups."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount

# -- How much less cases say because they come in groups: intraclass correlation, design effect, clustered error -------


def intraclass_correlation(k: ArrayLike, n: ArrayLike) -> float:
    """Correlation of two cases of one group by the analysis of variance, at least 0; 0 where it cannot be told.

    ``rho = (MSB - MSW) / (MSB + (n0 - 1) MSW)`` with n0 the average size less its spread (Donner 1986; Ridout, Demetrio
    and Firth 1999, their ANOVA estimator).
    """
    k, n = np.array(k, dtype=float), np.array(n, dtype=float)
    between = n * (k / n - k.sum() / n.sum()) ** 2
    return _from_squares(float(between.sum()), float((k * (n - k) / n).sum()), n)


def membership_correlation(counts: ArrayLike) -> float:
    """The same of which class a case is, from cases by group and class, shape (G, K), all classes together."""
    counts = np.array(counts, dtype=float)
    n = counts.sum(axis=1)
    share = counts.sum(axis=0) / n.sum()
    between = float((n[:, None] * (counts / n[:, None] - share) ** 2).sum())
    within = float((n - (counts**2).sum(axis=1) / n).sum())
    return _from_squares(between, within, n)


def _from_squares(between: float, within: float, n: Floats) -> float:
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
    if len(n) < 2:
        return 0.0
    apart = k - n * (k.sum() / n.sum())
    return float(np.sqrt((apart**2).sum() * len(n) / (len(n) - 1)) / n.sum())


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
