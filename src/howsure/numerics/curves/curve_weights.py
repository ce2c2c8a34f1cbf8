"""Random curves: the Bayesian bootstrap of scores with centred pseudo-cases.

Cases of each class have Dirichlet weights. Two pseudo-cases of each class lie beyond all scores, a share q of them on
the right side, where q is drawn anew for each curve from a law centred at what the cases show; so a classifier that
separates a few cases is not certain to separate all, and nothing is pulled towards one half.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.curves.score_blocks import ScoreBlocks

__all__ = [
    "PSEUDO_CASES",
    "ClassCells",
    "DrawnRates",
    "GroupedCounts",
    "class_cells",
    "grouped_counts",
    "random_rates",
    "weighed_groups",
]

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
    """Some random curves, from the highest scores to the lowest.

    Parameters
    ----------
    true, false : ndarray, shape (M, B + 3)
        Share of the positives, and of the negatives, above each threshold: 0, after the pseudo-cases above all scores,
        after each block, 1.
    odds : ndarray, shape (M,)
        Negatives for each positive, in a population of which the cases are a sample.
    """

    true: Floats
    false: Floats
    odds: Floats


@dataclass(frozen=True, eq=False)
class ClassCells:
    """Cases of one class by block and group: the cells that hold any, block by block.

    Parameters
    ----------
    group, count : ndarray, shape (cells,)
    starts, blocks : ndarray of int
        First cell of each block that has any, and which block it is.
    """

    group: Integers
    count: Floats
    starts: Integers
    blocks: Integers

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
    """Count cases by group and block.

    Parameters
    ----------
    blocks : ScoreBlocks
    positive : ndarray of int, shape (n,)
        1 for positive cases.
    group : ndarray of int, shape (n,)
        Place of each case's group.
    size : int
        Number of groups, also of those without a case here.
    """
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
    pseudo: float = PSEUDO_CASES,
) -> Iterator[DrawnRates]:
    """Draw curves, some at a time.

    Parameters
    ----------
    blocks : ScoreBlocks
    area : float
        Area under the curve of the cases themselves.
    draws : int
    seed : int or list of int
    grouped : GroupedCounts, optional
        Where cases come in groups: weights are those of groups, and so are the pseudo-cases.
    pseudo : float
        Number of pseudo-cases of each class; 0 gives the bare Bayesian bootstrap (Rubin 1981).

    Notes
    -----
    Weights are gamma variables, of a case with shape ``max(1 - 6 / n, 0.8)``, and ``q ~ Beta(1/2 + h A, 1/2 + h (1 -
    A))`` with the observed area A and h the square root of the harmonic mean of the class sizes.
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
        extra = [other.standard_gamma(pseudo, some) * unit if pseudo else np.zeros(some) for unit in units]
        if grouped is None:
            up = rng.standard_gamma(blocks.positives * _shape(sizes[0], pseudo), (some, len(blocks)))
            down = rng.standard_gamma(blocks.negatives * _shape(sizes[1], pseudo), (some, len(blocks)))
            odds = other.standard_gamma(cases[1] + 1, some) / other.standard_gamma(cases[0] + 1, some)
        else:
            weights = rng.standard_gamma(_shape(float(grouped.size), pseudo), (some, grouped.size))
            up, down = (part.summed(weights, len(blocks)) for part in (grouped.positives, grouped.negatives))
            odds = (down.sum(axis=1) + extra[1]) / (up.sum(axis=1) + extra[0])
        true = _rates(up, extra[0] * q, extra[0] * (1 - q))
        yield DrawnRates(true, _rates(down, extra[1] * (1 - q), extra[1] * q), odds)


def _shape(size: float, pseudo: float) -> float:
    return max(1 - TAKEN / size, LEAST_SHAPE) if pseudo else 1.0


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
