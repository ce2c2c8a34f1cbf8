"""Where the levels of a metric lie along few lines: a table from which searches for its quantiles begin.

Beside a rate that is known well, one of which nothing is known makes L level along one half of every line and steep
along the other. From tangents alone a search then goes to and fro for dozens of rounds; of few lines a table of all
costs as much as one of these.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from howsure.numerics.arrays import Floats, cut
from howsure.numerics.two_by_two.parallel_lines import FAR, ParallelLines

CELLS = 34  # of half a Normal score each
UTMOST = 2e3  # log odds beyond those of any number: where a rate underflows they are infinite
TINY = 1e-300


class LevelTable:
    """L at even places t along all lines of a rule; nothing is concluded from it, it only saves evaluations."""

    def __init__(self, lines: ParallelLines) -> None:
        self._t = np.linspace(-FAR, FAR, CELLS + 1)
        shape = lines.weight.shape
        level, _ = lines.along(np.broadcast_to(self._t[:, None, None], (CELLS + 1, *shape)))
        self._shape = shape
        self._level = np.maximum.accumulate(cut(level.reshape(CELLS + 1, -1), -UTMOST, UTMOST), axis=0)
        middle = (0.5 * (self._level[1:] + self._level[:-1])).ravel()
        mass = (np.diff(ndtr(self._t))[:, None] * lines.flat_weight).ravel()
        order = middle.argsort(kind="stable")
        self._middle, mass = middle[order], mass[order]
        self._below = np.cumsum(mass) - 0.5 * mass

    def guess(self, z: Floats) -> tuple[Floats, Floats]:
        """L at the quantiles of Phi(z), shape (n,), and the roots there on every line, by straight shares of a cell."""
        odds = np.interp(ndtr(z), self._below, self._middle)
        last = cut((self._level < odds[:, None, None]).sum(axis=1) - 1, 0, CELLS - 1)
        line = np.arange(self._level.shape[1])
        low, high = self._level[last, line], self._level[last + 1, line]
        share = cut((odds[:, None] - low) / np.maximum(high - low, TINY), 0.0, 1.0)
        return odds, (self._t[last] + share * (self._t[1] - self._t[0])).reshape(len(z), *self._shape)
