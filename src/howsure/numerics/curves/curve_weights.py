"""Curves under weights of their cases, score by score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betaincinv, ndtr

from howsure.numerics.arrays import Booleans, Floats, Integers, steady_product

# -- Cases in the order of their scores, as blocks of equal or neighbouring scores: what a curve of any weights needs --


#: Blocks that weights are drawn for; where more scores differ, neighbours share a block.
MOST_BLOCKS = 1000


@dataclass(frozen=True, eq=False)
class ScoreBlocks:
    """B blocks of cases, from the highest scores to the lowest."""

    lowest: Floats  # (B,), lowest score of each block
    positives: Integers  # (B,), cases of the class in each block
    negatives: Integers  # (B,)
    inside: Floats  # (B,), share of the pairs of a block in the right order, ties counted half; 1/2 of equal scores
    gain: Floats  # (B,), added to the precision at the end of a block to have its mean over the positives in it
    case: Integers  # (n,), block of each case
    distinct: int  # number of different scores

    def __len__(self) -> int:
        return len(self.lowest)

    @property
    def true_rate(self) -> Floats:
        """Share of positives with a score in a block up to each, after (0): shape (B + 1,)."""
        return _shares(self.positives)

    @property
    def false_rate(self) -> Floats:
        """Share of negatives with a score in a block up to each, after (0): shape (B + 1,)."""
        return _shares(self.negatives)

    @property
    def error(self) -> float:
        """Standard error that an area has because weights within a block are not told apart; 0 of equal scores.

        The order inside has a variance below a (1 - a) / min(m, n), as Mann-Whitney (Birnbaum and Klose 1957).
        """
        mixed = (self.positives > 0) & (self.negatives > 0) & (self.inside != 0.5)
        m, n, a = self.positives[mixed], self.negatives[mixed], self.inside[mixed]
        share = m / self.positives.sum() * (n / self.negatives.sum())
        return float(np.sqrt(np.sum(share**2 * a * (1 - a) / np.minimum(m, n))))


def score_blocks(positive: Booleans, scores: Floats, *, most: int = MOST_BLOCKS) -> ScoreBlocks:
    """Sort n cases, and put neighbours together where there are more different scores than ``most``.

    Blocks are shorter at the ends, where a curve is steep: their ends are equal steps of the angle whose squared sine
    is the mean of both rates.
    """
    order = np.argsort(scores)[::-1]
    ordered = scores[order]
    starts = np.concatenate(([0], np.flatnonzero(np.diff(ordered)) + 1))
    up = np.add.reduceat(positive[order].astype(np.int64), starts)
    down = np.diff(np.append(starts, len(scores))) - up
    lowest = ordered[starts]
    distinct = len(starts)
    tie = np.zeros(len(scores), dtype=np.int64)
    tie[starts[1:]] = 1
    place = np.cumsum(tie)
    inside, gain = np.full(distinct, 0.5), np.zeros(distinct)
    if distinct > most:
        first = _cut(up, down, most)
        inside, gain = _within(up, down, first)
        block = np.zeros(distinct, dtype=np.int64)
        block[first[1:]] = 1
        place = np.cumsum(block)[place]
        lowest = lowest[np.append(first[1:], distinct) - 1]
        up, down = np.add.reduceat(up, first), np.add.reduceat(down, first)
    case = np.empty(len(scores), dtype=np.int64)
    case[order] = place
    return ScoreBlocks(lowest, up, down, inside, gain, case, distinct)


def _shares(counts: Integers) -> Floats:
    return np.concatenate(([0.0], np.cumsum(counts) / counts.sum()))


def _cut(up: Integers, down: Integers, most: int) -> Integers:
    """First of the different scores of each block."""
    # by the middle of each score, so that one that many cases share is a block of its own
    middle = (np.cumsum(up) - up / 2) / up.sum() / 2 + (np.cumsum(down) - down / 2) / down.sum() / 2
    step = np.floor(np.arcsin(np.sqrt(np.clip(middle, 0.0, 1.0))) * (2 / np.pi) * most)
    return np.concatenate(([0], np.flatnonzero(np.diff(step)) + 1))


def _within(up: Integers, down: Integers, first: Integers) -> tuple[Floats, Floats]:
    """Order inside each block, and the gain of its mean precision."""
    m, n = np.add.reduceat(up, first), np.add.reduceat(down, first)
    above, false = np.cumsum(up), np.cumsum(down)
    block = np.zeros(len(up), dtype=np.int64)
    block[first[1:]] = 1
    block = np.cumsum(block)
    # pairs in order: each positive against the negatives of its block that score less
    end = np.append(first[1:], len(up)) - 1
    less = false[end][block] - false
    pairs = np.add.reduceat(up * (less + down / 2), first)
    both = m * n
    inside = np.divide(pairs, both, out=np.full(len(m), 0.5), where=both > 0)
    precision = above / (above + false)
    total = np.add.reduceat(up * precision, first)
    mean = np.divide(total, m, out=precision[end].copy(), where=m > 0)
    return inside, mean - precision[end]


# -- Random curves: the Bayesian bootstrap of scores with centred pseudo-cases -----------------------------------------

# Cases of each class have Dirichlet weights. Two pseudo-cases of each class lie beyond all scores, a share q of them
# on the right side, where q is drawn anew for each curve from a law centred at what the cases show; so a classifier
# that separates a few cases is not certain to separate all, and nothing is pulled towards one half.


#: Pseudo-cases of each class.
PSEUDO_CASES = 2.0

#: The weights of the n cases of a class add up to n less this on average. An area then has DeLong's variance but for
#: terms in 1 / n**3: with weights that add up to N beside 2 pseudo-cases it is N**2 / (N + 2)**2 / (N + 1) times the
#: plain variance of the placements, about 1 / (N + 5), and the unbiased one is 1 / (n - 1) times it.
TAKEN = 6.0

#: Least shape of the weight of one case.
LEAST_SHAPE = 0.8

#: Numbers that are held at a time.
AT_A_TIME = 2_000_000


@dataclass(frozen=True, eq=False)
class DrawnRates:
    """Some random curves, from the highest scores to the lowest."""

    true: Floats  # (M, B + 3), share of the positives above: 0, the pseudo-cases above all, each block, 1
    false: Floats  # (M, B + 3), of the negatives
    odds: Floats  # (M,), negatives for each positive, in a population of which the cases are a sample


@dataclass(frozen=True, eq=False)
class ClassCells:
    """Cases of one class by block and group: the cells that hold any, block by block."""

    group: Integers  # (cells,)
    count: Floats  # (cells,)
    starts: Integers  # first cell of each block that has any
    blocks: Integers  # which block that is

    @property
    def groups(self) -> float:
        """Number of groups with a case of this class."""
        return float(len(np.unique(self.group)))

    def summed(self, weights: Floats, size: int) -> Floats:
        """Weights of blocks from those of groups: shape (M, G) to (M, B)."""
        made = np.zeros((len(weights), size))
        made[:, self.blocks] = np.add.reduceat(weights[:, self.group] * self.count, self.starts, axis=1)
        return made


@dataclass(frozen=True, eq=False)
class GroupedCounts:
    """Cases of each class by block and group, and the number of groups."""

    positives: ClassCells
    negatives: ClassCells
    size: int


def grouped_counts(blocks: ScoreBlocks, positive: Integers, group: Integers, size: int) -> GroupedCounts:
    """Count n cases, each in one of ``size`` groups (some may be empty), by group and block; ``positive`` is 0 or 1."""
    up, down = (class_cells(blocks.case[here], group[here], size) for here in (positive == 1, positive == 0))
    return GroupedCounts(up, down, size)


def class_cells(block: Integers, group: Integers, size: int) -> ClassCells:
    """Count cases by block and group, of ``size`` groups."""
    cell, count = np.unique(block * size + group, return_counts=True)
    found, starts = np.unique(cell // size, return_index=True)
    return ClassCells(cell % size, count.astype(float), starts, found)


def weighed_groups(grouped: GroupedCounts) -> tuple[float, float]:
    """Groups that have a positive case, and that have a negative one."""
    return grouped.positives.groups, grouped.negatives.groups


def random_rates(
    blocks: ScoreBlocks,
    area: float,
    draws: int,
    seed: int | list[int],
    *,
    grouped: GroupedCounts | None = None,
) -> Iterator[DrawnRates]:
    """Draw curves, some at a time, around those of the cases themselves, with ``area`` under it.

    Weights are gamma variables, of a case (of a group, if ``grouped``) with shape ``max(1 - 6 / n, 0.8)``; of the
    pseudo-cases of a class a share ``q ~ Beta(1/2 + h A, 1/2 + h (1 - A))`` is above all scores, A the area, h the
    square root of the harmonic mean of the class sizes. Without these: the bare Bayesian bootstrap (Rubin 1981).
    """
    first = seed if isinstance(seed, list) else [seed]
    # weights have a stream of their own: those of the same groups are the same for every classifier and class
    rng, other = np.random.default_rng([*first, 0]), np.random.default_rng([*first, 1])
    cases = blocks.positives.sum(), blocks.negatives.sum()
    sizes = [float(x) for x in cases]
    units = [1.0, 1.0]
    width = len(blocks) + 3
    if grouped is not None:
        sizes = list(weighed_groups(grouped))
        units = [x / size for x, size in zip(cases, sizes, strict=True)]
        width = max(width, grouped.size, len(grouped.positives.group), len(grouped.negatives.group))
    h = np.sqrt(2 / (1 / sizes[0] + 1 / sizes[1]))
    step = max(1, AT_A_TIME // width)
    for start in range(0, draws, step):
        some = min(step, draws - start)
        q = other.beta(0.5 + h * area, 0.5 + h * (1 - area), some)
        extra = [other.standard_gamma(PSEUDO_CASES, some) * unit for unit in units]
        if grouped is None:
            up = rng.standard_gamma(blocks.positives * _shape(sizes[0]), (some, len(blocks)))
            down = rng.standard_gamma(blocks.negatives * _shape(sizes[1]), (some, len(blocks)))
            odds = other.standard_gamma(cases[1] + 1, some) / other.standard_gamma(cases[0] + 1, some)
        else:
            weights = rng.standard_gamma(_shape(float(grouped.size)), (some, grouped.size))
            up, down = (part.summed(weights, len(blocks)) for part in (grouped.positives, grouped.negatives))
            odds = (down.sum(axis=1) + extra[1]) / (up.sum(axis=1) + extra[0])
        true = _rates(up, extra[0] * q, extra[0] * (1 - q))
        yield DrawnRates(true, _rates(down, extra[1] * (1 - q), extra[1] * q), odds)


def _shape(size: float) -> float:
    return max(1 - TAKEN / size, LEAST_SHAPE)


def _rates(weights: Floats, above: Floats, below: Floats) -> Floats:
    """Running shares of the weights of blocks between those beyond all scores, shape (M, B + 3)."""
    made = np.empty((len(weights), weights.shape[1] + 3))
    made[:, 0] = 0.0
    made[:, 1] = above
    made[:, 2:-1] = weights
    made[:, -1] = below
    np.cumsum(made, axis=1, out=made)
    made /= made[:, -1:]
    return made


# -- Several classifiers on the same cases: one weight a case for all of them ------------------------------------------


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
