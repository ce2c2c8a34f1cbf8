"""Cases in the order of their scores, as blocks of equal or neighbouring scores: what a curve of any weights needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from howsure.numerics.arrays import Booleans, Floats, Integers

__all__ = ["MOST_BLOCKS", "ScoreBlocks", "score_blocks"]

#: Blocks that weights are drawn for; where more scores differ, neighbours share a block.
MOST_BLOCKS = 1000


@dataclass(frozen=True, eq=False)
class ScoreBlocks:
    """Blocks of cases, from the highest scores to the lowest.

    Parameters
    ----------
    lowest : ndarray, shape (B,)
        Lowest score of each block.
    positives, negatives : ndarray of int, shape (B,)
        Cases of each class in it.
    inside : ndarray, shape (B,)
        Share of the pairs within a block that are in the right order, ties counted half; 1/2 of equal scores.
    gain : ndarray, shape (B,)
        What is added to the precision at the end of a block to have its mean over the positives in it.
    case : ndarray of int, shape (n,)
        Block of each case.
    distinct : int
        Number of different scores.
    """

    lowest: Floats
    positives: Integers
    negatives: Integers
    inside: Floats
    gain: Floats
    case: Integers
    distinct: int

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

        Given the sums of a block the order inside has a variance below a (1 - a) / min(m, n), as that of a
        Mann-Whitney statistic (Birnbaum and Klose 1957).
        """
        mixed = (self.positives > 0) & (self.negatives > 0) & (self.inside != 0.5)
        m, n, a = self.positives[mixed], self.negatives[mixed], self.inside[mixed]
        share = m / self.positives.sum() * (n / self.negatives.sum())
        return float(np.sqrt(np.sum(share**2 * a * (1 - a) / np.minimum(m, n))))


def score_blocks(positive: Booleans, scores: Floats, *, most: int = MOST_BLOCKS) -> ScoreBlocks:
    """Sort cases, and put neighbours together where there are more different scores than ``most``.

    Blocks are shorter at the ends, where a curve is steep: their ends are equal steps of the angle whose squared sine
    is the mean of both rates.

    Parameters
    ----------
    positive : ndarray of bool, shape (n,)
    scores : ndarray, shape (n,)
    most : int

    Examples
    --------
    >>> made = score_blocks(np.array([True, False, True, False]), np.array([3.0, 1.0, 2.0, 2.0]))
    >>> made.lowest.tolist(), made.positives.tolist(), made.negatives.tolist()
    ([3.0, 2.0, 1.0], [1, 1, 0], [0, 1, 1])
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
