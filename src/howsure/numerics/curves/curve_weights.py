"""Random curves: the Bayesian bootstrap of scores with centred pseudo-cases.

Cases of each class have Dirichlet weights. Two pseudo-cases of each class lie beyond all scores, a share q of them on
the right side, where q is drawn anew for each curve from a law centred at what the cases show; so a classifier that
separates a few cases is not certain to separate all, and nothing is pulled towards one half.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.curves.score_blocks import ScoreBlocks

__all__ = ["PSEUDO_CASES", "DrawnRates", "GroupedCounts", "grouped_counts", "random_rates", "weighed_groups"]

#: Pseudo-cases of each class; the weights of the n cases add up to n less these on average, so that all are worth n.
PSEUDO_CASES = 2.0

#: Least shape of the weight of one case, where a class has four or fewer.
LEAST_SHAPE = 0.5

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
class GroupedCounts:
    """Cases of each group in each block, by class: sparse matrices of shape (G, B)."""

    positives: sparse.csr_array
    negatives: sparse.csr_array


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
    shape = (size, len(blocks))
    parts = []
    for value in (1, 0):
        here = positive == value
        cells = (np.ones(int(here.sum())), (group[here], blocks.case[here]))
        parts.append(sparse.csr_array(sparse.coo_array(cells, shape=shape)))
    return GroupedCounts(*parts)


def weighed_groups(grouped: GroupedCounts) -> tuple[float, float]:
    """Groups that have a positive case, and that have a negative one."""
    up, down = (float(np.count_nonzero(part.sum(axis=1))) for part in (grouped.positives, grouped.negatives))
    return up, down


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
    Weights are gamma variables with shapes ``1 - 2 / n`` of a case, and ``q ~ Beta(1/2 + h A, 1/2 + h (1 - A))`` with
    the observed area A and h the square root of the harmonic mean of the class sizes.
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
        width = max(width, grouped.positives.shape[0])
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
            groups = grouped.positives.shape[0]
            weights = rng.standard_gamma(_shape(float(groups), pseudo), (some, groups))
            up, down = (np.asarray((part.T @ weights.T).T) for part in (grouped.positives, grouped.negatives))
            odds = (down.sum(axis=1) + extra[1]) / (up.sum(axis=1) + extra[0])
        true = _rates(up, extra[0] * q, extra[0] * (1 - q))
        yield DrawnRates(true, _rates(down, extra[1] * (1 - q), extra[1] * q), odds)


def _shape(size: float, pseudo: float) -> float:
    return max(1 - pseudo / size, LEAST_SHAPE)


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
