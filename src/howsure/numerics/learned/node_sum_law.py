"""The law of a sum of recalls of one or more learned populations, by one inversion of its characteristic function."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.numerics.arrays import Complexes
from howsure.numerics.beta_sum.fourier import FourierSeries
from howsure.numerics.beta_sum.windowed_law import WindowedLaw
from howsure.numerics.learned.node_sums import OUTSIDE, NodeSum, NodeTransform
from howsure.numerics.learned.node_transforms import TooDear

__all__ = ["NodeSumLaw"]

#: The first pass goes to ``t = FIRST/sd``; the series ends where its terms, in probability, are at most LAST.
FIRST, LAST = 6.0, 1e-5

#: Most terms of the series.
MOST_TERMS = 6000

#: Error of the characteristic functions of the Betas, in a probability.
OF_TRANSFORMS = 1e-6

#: Margin of the period over the window.
MARGIN = 1.02


class NodeSumLaw(WindowedLaw):
    """Law of the sum of independent parts, each a weighted sum of the recalls of one population.

    Parameters
    ----------
    parts : sequence of NodeSum
        Parts of independent test sets: their characteristic functions are multiplied.

    Raises
    ------
    TooDear
        A law with a spike at an end, or of so many unlike classes, that the series would take long.

    Notes
    -----
    The distribution function and the density have absolute accuracy: ``residual`` is the error of the former, given
    the nodes. It is 0 or 1 outside of the window that holds all but about 1e-7 of the mass. What the nodes themselves
    leave out is no part of it, and frequencies that they do not resolve are left out of the law.
    """

    def __init__(self, parts: Sequence[NodeSum]) -> None:
        if any(min(part.end_exponents) < 1 for part in parts) and self._spike(parts):
            raise TooDear
        transforms = [NodeTransform(part) for part in parts]
        self.mean = float(sum(each.mean for each in transforms))
        self.sd = float(np.sqrt(sum(each.sd**2 for each in transforms)))
        self.support = (
            float(sum(part.support[0] for part in parts)),
            float(sum(part.support[1] for part in parts)),
        )
        below = _reach([each.mean - each.low for each in transforms], [each.sd for each in transforms])
        above = _reach([each.high - each.mean for each in transforms], [each.sd for each in transforms])
        self._low = max(self.support[0], self.mean - below)
        self._high = min(self.support[1], self.mean + above)
        period = (self._high - self._low) * MARGIN
        phi, left = _series(transforms, period, self.sd)
        self.terms = len(phi)
        self._series = FourierSeries(period, phi)
        ends = self._series.evaluate(np.array([self._low, self._high]) - self.mean)[0]
        # where the law goes up to an end of its support the series smears its jump there
        smeared = abs(float(ends[0])) + abs(1 - float(ends[1]))
        self.residual = smeared + float(sum(each.loss + 2 * OUTSIDE for each in transforms)) + left + OF_TRANSFORMS

    @staticmethod
    def _spike(parts: Sequence[NodeSum]) -> bool:
        """Whether the density of the sum is infinite at an end."""
        ends = np.sum([part.end_exponents for part in parts], axis=0)
        return bool(ends.min() < 1)


def _series(transforms: Sequence[NodeTransform], period: float, sd: float) -> tuple[Complexes, float]:
    """``phi(t) e^{-i t mean}`` at multiples of ``2 pi / period``, and the size of what is left out."""
    step = 2 * np.pi / period
    have = max(12, int(np.ceil(FIRST / (sd * step))))
    blocks = [np.prod([each.first(step, have) for each in transforms], axis=0)]
    while True:
        sizes = np.array([each.last.sum() for each in transforms])
        left = 2 * float(np.abs(blocks[-1][-len(blocks[-1]) // 4 :]).max()) / have
        if left <= LAST:
            return np.concatenate(blocks), left
        if 2 * have > MOST_TERMS:
            raise TooDear
        share = 0.1 * LAST * have * sizes / sizes.prod()
        blocks.append(
            np.prod([each.octave(step, few) for each, few in zip(transforms, share.tolist(), strict=True)], axis=0)
        )
        have *= 2


def _reach(each: Sequence[float], sds: Sequence[float]) -> float:
    """Distance from the mean beyond which a sum of independent parts has no mass, from that of its parts."""
    total = float(np.hypot.reduce(np.array(sds)))
    beside = [one + 3 * float(np.sqrt(max(total**2 - sd**2, 0.0))) for one, sd in zip(each, sds, strict=True)]
    return min(float(sum(each)), max(float(np.hypot.reduce(np.array(each))), *beside))
