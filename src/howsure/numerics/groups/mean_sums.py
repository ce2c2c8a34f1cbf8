"""The law of a weighted sum of independent means of populations, by one inversion of its characteristic function."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.beta_sum.fourier import FourierSeries, equispaced_transform
from howsure.numerics.beta_sum.windowed_law import WindowedLaw
from howsure.numerics.groups.interpolated_law import InterpolatedLaw

__all__ = ["FIRST", "LAST", "MARGIN", "OUTSIDE", "PHASE", "MeanSum"]

#: The series goes to ``t = FIRST/sd``, and on, by octaves, until what is left is below the second number.
FIRST, LAST = 7.0, 1e-7

#: Pieces of a panel where that is not enough, as where the density ends in a step (every answer right); and the phase
#: between two points of the rule up to which it holds.
PIECES, PHASE = 16, 2.0

#: Margin of the period over the window.
MARGIN = 1.02

#: Mass of one summand beyond which it is not looked at.
OUTSIDE = 1e-11


class MeanSum(WindowedLaw):
    """Law of ``shift + sum_i w_i x_i`` of independent `InterpolatedLaw` x_i.

    Parameters
    ----------
    laws : sequence of InterpolatedLaw
        Two or more, each from 0 to 1.
    weights : ndarray, shape (len(laws),)
        None of them 0.
    shift : float
        A constant.

    Notes
    -----
    Each characteristic function is a Gauss rule over the density; their product is inverted on a window that holds
    all but about 1e-10 of the mass. ``residual`` bounds the error of the distribution function, which is absolute.
    """

    def __init__(self, laws: Sequence[InterpolatedLaw], weights: Floats, shift: float = 0.0) -> None:
        self.mean = shift + float(sum(w * law.mean for w, law in zip(weights, laws, strict=True)))
        self.sd = float(np.sqrt(sum((w * law.sd) ** 2 for w, law in zip(weights, laws, strict=True))))
        self.support = shift + float(np.minimum(weights, 0).sum()), shift + float(np.maximum(weights, 0).sum())
        phi, left, period = self._transform(laws, weights, 1)
        if left > LAST:
            phi, left, period = self._transform(laws, weights, PIECES)
        self._series = FourierSeries(period, phi)
        ends = self._series.evaluate(np.array([self._low, self._high]) - self.mean)[0]
        error = sum(law.residual for law in laws)
        self.residual = error + left + abs(float(ends[0])) + abs(1 - float(ends[1]))

    def _transform(
        self, laws: Sequence[InterpolatedLaw], weights: Floats, pieces: int
    ) -> tuple[Complexes, float, float]:
        """``phi(t) e^{-i t mean}`` at multiples of ``2 pi / period``, the size of what is left out, and the period."""
        rules = [law.rule(pieces) for law in laws]
        deviation, mass = np.zeros((2, len(laws), max(len(places) for places, _ in rules)))
        widest = 0.0
        for i, ((places, probability), w, law) in enumerate(zip(rules, weights, laws, strict=True)):
            deviation[i, : len(places)] = w * (places - law.mean)
            mass[i, : len(places)] = probability
            seen = np.minimum(probability[1:], probability[:-1]) > 1e-8
            widest = max(widest, float(np.abs(w * np.diff(places))[seen].max(initial=0.0)))
        held = np.where(mass > OUTSIDE, deviation, 0.0)
        sds = np.abs(weights) * np.array([law.sd for law in laws])
        below, above = (self._reach(each, sds) for each in (-held.min(axis=1), held.max(axis=1)))
        self._low, self._high = max(self.support[0], self.mean - below), min(self.support[1], self.mean + above)
        period = MARGIN * (self._high - self._low)
        step = 2 * np.pi / period
        most = max(12, int(PHASE / (widest * step)))
        phi = np.zeros(0, complex)
        more = min(most, max(12, int(np.ceil(FIRST / (self.sd * step)))))
        while True:
            each = equispaced_transform(deviation, mass, (len(phi) + 1) * step, step, more)
            phi = np.concatenate((phi, np.prod(each, axis=0)))
            left = float(np.abs(phi[-max(1, len(phi) // 8) :]).max()) / 4
            more = min(len(phi), most - len(phi))
            if left <= LAST or more <= 0:
                return phi, left, period

    @staticmethod
    def _reach(each: Floats, sds: Floats) -> float:
        """Distance from the mean beyond which the sum has no mass, from that of its summands."""
        rest = np.sqrt(np.maximum((sds**2).sum() - sds**2, 0.0))
        return min(float(each.sum()), max(float(np.hypot.reduce(each)), float((each + 4 * rest).max())))
