"""Random curves of several classifiers on the same cases: one weight a case for all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtr

from howsure.numerics.arrays import Floats, Integers, steady_product
from howsure.numerics.curves.curve_weights import (
    AT_A_TIME,
    LEAST_SHAPE,
    PSEUDO_CASES,
    TAKEN,
    DrawnRates,
    GroupedCounts,
    ScoreBlocks,
    _rates,
)

#: Weights of the cases of one class, or of groups; more cases share them at random. A variance is then known to
#: 1 / sqrt(2 * 2,000), 1.6% of a standard deviation, and not biased.
MOST_WEIGHTS = 2_000


@dataclass(frozen=True, eq=False)
class CaseWeights:
    """Which weight each case has, and the gamma shape of each weight."""

    place: Integers  # (n,)
    shape: Floats  # (W,)
    by_class: bool  # classes have weights of their own, so class shares are drawn beside them
    crowded: bool  # cases share weights at random because they are many


def weights_of(truth: Integers, classes: int, group: Integers | None, groups: int) -> CaseWeights:
    """Weights of n cases: one each, one a group, or some thousand that many cases share at random."""
    rng = np.random.default_rng(2_000)  # of the sharing alone, so the same for every seed of the draws
    if group is not None:
        crowded = groups > 2 * MOST_WEIGHTS
        size = 2 * MOST_WEIGHTS if crowded else groups
        place = (rng.permutation(groups) % size)[group] if crowded else group
        return CaseWeights(place, np.full(size, _shape(float(size))), False, crowded)
    place = np.empty(len(truth), np.int64)
    shapes, start, crowded = [], 0, False
    for k in range(classes):
        here = np.flatnonzero(truth == k)
        size = min(len(here), MOST_WEIGHTS)
        crowded = crowded or size < len(here)
        place[here] = start + (rng.permutation(len(here)) % size if size < len(here) else np.arange(size))
        # of two classes the weights are those of `random_rates`, which draws each class by itself
        shapes.append(np.full(size, _shape(float(len(here)) if classes == 2 else float(len(truth)))))
        start += size
    return CaseWeights(place, np.concatenate(shapes), classes == 2, crowded)


def _shape(size: float) -> float:
    return max(1 - TAKEN / size, LEAST_SHAPE)


@dataclass(frozen=True, eq=False)
class SharedPart:
    """One problem of two classes for T classifiers, its cases being some or all of the test set."""

    blocks: Sequence[ScoreBlocks]  # of each classifier's scores
    cells: Sequence[GroupedCounts]  # the cases in them by weight
    areas: Floats  # (T,), observed
    sizes: tuple[float, float]  # positives and negatives: cases, or groups that have one
    alike: Floats  # (T, T), correlation of the classifiers within classes, by `rank_correlation`


def shared_rates(
    parts: Sequence[SharedPart], weights: CaseWeights, draws: int, seed: list[int]
) -> Iterator[tuple[int, int, int, DrawnRates]]:
    """Draw curves with the same weights for all classifiers: (first draw, part, classifier, curves) again and again.

    Each curve alone is one of `howsure.numerics.curves.curve_weights.random_rates`. The mass of the pseudo-cases is
    common; their shares q are joined by a normal copula whose correlation is that of the scores within classes, which
    is what correlates two areas (Hanley and McNeil 1983).
    """
    rng = np.random.default_rng([*seed, 0])
    beside = [np.random.default_rng([*seed, 1, p]) for p in range(len(parts))]
    widest = max(max(len(b) for b in part.blocks) for part in parts)
    cells = max(max(len(c.positives.group), len(c.negatives.group)) for part in parts for c in part.cells)
    step = max(1, AT_A_TIME // max(widest + 3, len(weights.shape), cells))
    roots = [_root(part.alike) for part in parts]
    drawn = [_beside(part, root, source, draws) for part, root, source in zip(parts, roots, beside, strict=True)]
    for start in range(0, draws, step):
        some = slice(start, min(start + step, draws))
        weight = rng.standard_gamma(weights.shape, (some.stop - start, len(weights.shape)))
        for p, part in enumerate(parts):
            shares, masses, odds = drawn[p]
            up_mass, down_mass = (mass[some] for mass in masses)
            for t, (blocks, cell) in enumerate(zip(part.blocks, part.cells, strict=True)):
                q = shares[t, some]
                up, down = (side.summed(weight, len(blocks)) for side in (cell.positives, cell.negatives))
                share = odds[some]
                if not weights.by_class:
                    share = (down.sum(axis=1) + down_mass) / (up.sum(axis=1) + up_mass)
                true = _rates(up, up_mass * q, up_mass * (1 - q))
                yield start, p, t, DrawnRates(true, _rates(down, down_mass * (1 - q), down_mass * q), share)


def _beside(
    part: SharedPart, root: Floats, rng: np.random.Generator, draws: int
) -> tuple[Floats, tuple[Floats, Floats], Floats]:
    """Shares q of each classifier, masses of the pseudo-cases of both classes, and odds of the classes."""
    h = np.sqrt(2 / (1 / part.sizes[0] + 1 / part.sizes[1]))
    z = steady_product(root, rng.standard_normal((len(root), draws)))
    area = part.areas[:, None]
    q = betaincinv(0.5 + h * area, 0.5 + h * (1 - area), ndtr(z))
    cases = float(part.blocks[0].positives.sum()), float(part.blocks[0].negatives.sum())
    up, down = (rng.standard_gamma(PSEUDO_CASES, draws) * n / m for n, m in zip(cases, part.sizes, strict=True))
    odds = rng.standard_gamma(cases[1] + 1, draws) / rng.standard_gamma(cases[0] + 1, draws)
    return q, (up, down), odds


def rank_correlation(truth: Integers, scores: Floats) -> Floats:
    """Mean over both classes, 1 and 0, of the rank correlations of T scores (T, n) within the class, shape (T, T)."""
    count = len(scores)
    total = np.zeros((count, count))
    for k in (0, 1):
        ranks = np.array([_centred_ranks(each[truth == k]) for each in scores])
        spread = np.sqrt(np.einsum("tn,tn->t", ranks, ranks))
        flat = spread == 0
        ranks = ranks / np.where(flat, 1.0, spread)[:, None]
        # scores that are all the same are in one order with each other, and in none with others
        total += np.einsum("tn,sn->ts", ranks, ranks) + np.outer(flat, flat)
    mean = total / 2
    return np.where(mean > 1 - 1e-12, 1.0, mean)


def _centred_ranks(values: Floats) -> Floats:
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(count)
    middle = ends - (count + 1) / 2
    return np.asarray(middle[place] - (len(values) - 1) / 2)


def _root(matrix: Floats) -> Floats:
    """Lower triangle whose square is a correlation matrix that may be singular; equal rows stay exactly equal."""
    size = len(matrix)
    made = np.zeros((size, size))
    for j in range(size):
        left = matrix[j, j] - float((made[j, :j] ** 2).sum())
        if left < 1e-9:
            continue
        made[j, j] = np.sqrt(left)
        for i in range(j + 1, size):
            made[i, j] = (matrix[i, j] - float((made[i, :j] * made[j, :j]).sum())) / made[j, j]
    return made
