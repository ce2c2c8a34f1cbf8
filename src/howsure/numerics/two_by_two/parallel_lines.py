"""Lines through the Normal scores of three rates, along which a metric of two classes only grows."""

from __future__ import annotations

from copy import copy
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr

from howsure.numerics.arrays import Floats, cut
from howsure.numerics.two_by_two.log_odds import BinaryRates, Formula
from howsure.numerics.two_by_two.normal_scores import NormalScores, logit_quantile, normal_rule

# -- Parallel lines in Normal scores along which a binary metric only grows, and a trapezoid rule over them ------------

# In Normal scores the three independent Betas (prevalence, TPR, TNR) are three standard Normals. Turn the plane of the
# two rates so that one axis, t, points along the gradient of the metric, with a positive component of both rates: on
# every line in that direction, given the prevalence z and the other coordinate y, both rates run from 0 to 1 and the
# metric from its least to its greatest value, strictly. (Precision and F grow with the prevalence too; there all three
# are turned, and z is a second coordinate across the lines.)


FIRST_STEP = 0.7  # of both trapezoid rules; halved or less where a law needs it
LEAST_COMPONENT = 0.4  # of each variable in the direction t
SMOOTH = 2.0  # order from which a kink is not felt
SLOW = 8.0  # a gap that falls with no higher power of the step is not that of a smooth function
SOMEBODY = 500.0  # logit of a prevalence beyond which there is no less of a class: products of its odds are numbers
LARGEST = 700.0  # logit whose odds are a number
FAR = 8.5  # a root with |t| > 8.5 is as good as infinite: Phi(-8.5) = 1e-17
# of half that of the nodes: between the last three the phase of a kink turns, and does not hide it
FREQUENCIES = np.array([0.7, 0.9, 0.95, 1.0])
ACROSS = 20.0  # times the gaps of both rules is more than smooth functions have on a board
HIDDEN = 1e-5  # gap on it of which a tenth may be left: from there on it matters
ALONE = 0.8  # share of one node in what is undecided, from which on the others do not resolve it
_EVEN_Z, _EVEN_Y = np.s_[::2, :], np.s_[:, ::2]
_ONE_COLOUR = np.s_[::2, ::2], np.s_[1::2, 1::2]  # of a board
Gaps: TypeAlias = tuple[tuple[float, float], list[float]]


class ParallelLines:
    """The lines of one formula under independent Betas, their weights, and the log odds L along them."""

    def __init__(
        self,
        formula: Formula,
        prevalence: tuple[float, float] | float,
        tpr: tuple[float, float],
        tnr: tuple[float, float],
    ) -> None:
        self._odds = formula.odds
        self._prevalence = prevalence if formula.random_prevalence else 0.5
        if formula.grows_with_prevalence and isinstance(prevalence, tuple):
            self._scores = NormalScores(tpr, tnr, prevalence)  # all three turn
        else:
            self._scores = NormalScores(tpr, tnr)
        self._turned = self._scores.count
        # the order of the kink that the prevalence sees where a level curve crosses a corner of the rates
        corner = min(tpr[1] + tnr[0], tpr[0] + tnr[1])
        self.kinked = self._turned == 2 and isinstance(self._prevalence, tuple) and corner < SMOOTH
        # and the rise about the prevalence below which no value is as far from 0 is next to a kink
        self.needled = formula.vanishing and isinstance(prevalence, tuple) and min(prevalence) <= SMOOTH
        self._choose_direction()
        # of one rule alone twice as many lines cost less than a second round
        alone = self._turned == 2 and not isinstance(self._prevalence, tuple)
        self.steps = [FIRST_STEP, FIRST_STEP / 2 if alone else FIRST_STEP]
        self._shifts = [0.0, 0.0]  # of the nodes, in steps
        self._place_nodes()

    @property
    def terms(self) -> int:
        """Number of lines."""
        return self.weight.size

    def _choose_direction(self) -> None:
        """Point t along the gradient at the medians; keep the linear model of L there for first guesses."""
        self._place_prevalence(np.array([-0.05, 0.05]))
        value, slopes = self._gradient(np.zeros((self._turned, 1, 2, 1)), self._phi, self._psi)
        gradient = np.array([slope.mean() for slope in slopes[: self._turned]])
        direction = np.maximum(gradient / np.linalg.norm(gradient), LEAST_COMPONENT)
        direction /= np.linalg.norm(direction)
        # The first column of Q is the direction up to its sign, the others complete it to a basis.
        q = np.linalg.qr(np.column_stack((direction, np.eye(self._turned)[:, 1:])))[0]
        self._basis = q
        self._direction = direction[:, None, None, None]
        along_prevalence = (value[0, 1, 0] - value[0, 0, 0]) / 0.1 if self._phi.size > 1 and self._turned == 2 else 0.0
        self.centre = float(value.mean())
        self.spread = float(np.hypot(np.linalg.norm(gradient), along_prevalence))
        # with 1e15 cases the sd of the log odds is 1e-8, and the last digit of the log odds a millionth of it
        self.rounding = 16 * np.finfo(float).eps * (1 + abs(self.centre)) / max(self.spread, 1e-300)

    def _place_prevalence(self, z: Floats) -> None:
        """Set the prevalence at its scores z, as a column."""
        if isinstance(self._prevalence, tuple):
            # where one class is next to nobody a metric would be level, and no tangent would lead to a root
            u = np.clip(logit_quantile(*self._prevalence, z)[:, None], -SOMEBODY, SOMEBODY)
        else:
            u = np.array([[np.log(self._prevalence) - np.log1p(-self._prevalence)]])
        self._phi, self._psi = expit(u), expit(-u)

    def _place_nodes(self) -> None:
        """Lay out the two trapezoid rules, in z and in y."""
        (z, w), (y, wy) = (_rule(step, shift) for step, shift in zip(self.steps, self._shifts, strict=True))
        if self._turned == 3:
            across = self._basis[:, 1, None, None] * z[:, None] + self._basis[:, 2, None, None] * y
        else:
            self._place_prevalence(z)
            if self._phi.size == 1:
                z, w = np.zeros(1), np.ones(1)
            across = self._basis[:, 1, None, None] * y
        self._across = across[:, None]
        self._z, self._y = z, y
        self.weight = w[:, None] * wy
        self.flat_weight = self.weight.ravel()
        shape = len(across), *self.weight.shape
        self._flat_across = np.broadcast_to(across, shape).reshape(len(across), -1)
        given = (self._phi, self._psi) if self._turned == 2 else (w[:1], w[:1])  # of three, the third is the prevalence
        self._flat_prevalence = [np.broadcast_to(x, shape[1:]).ravel() for x in given]

    def _gradient(self, z: Floats, phi: Floats, psi: Floats) -> tuple[Floats, list[Floats]]:
        """L, and its slopes along the scores z of the turned variables, which are the first axis of z."""
        u, du = self._scores(z)
        with np.errstate(divide="ignore"):  # odds of 0 where a rate underflows, far beyond all mass
            odds = np.exp(np.minimum(-u, LARGEST))
            p = 1 / (1 + odds)
            q = odds * p
            p[u < -LARGEST] = 0.0  # not the least number, on which L would be level through all mass farther out
            if self._turned == 3:
                phi, psi = p[2], q[2]
            value, *slopes = self._odds(BinaryRates(phi, psi, p[0], q[0], p[1], q[1]))
        if value.shape != z.shape[1:]:
            value = np.broadcast_to(value, z.shape[1:])
        return value, [s * d for s, d in zip(slopes, du, strict=False)]

    def along(self, t: Floats) -> tuple[Floats, Floats]:
        """L and dL/dt at the points t (values of l, z, y) of the lines."""
        direction = self._direction
        z = direction * t + self._across
        value, slopes = self._gradient(z, self._phi, self._psi)
        return value, sum((g * s for g, s in zip(direction[1:], slopes[1:], strict=True)), direction[0] * slopes[0])

    def along_some(self, t: Floats, where: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """The same of the points t (values of l, lines) that are marked, as 1-D arrays."""
        line = np.nonzero(where)[1]
        direction = self._direction[:, :, 0, 0]
        phi, psi = (x.take(line) for x in self._flat_prevalence)
        z = direction * t[where] + self._flat_across[:, line]
        value, slopes = self._gradient(z, phi, psi)
        return value, sum((g * s for g, s in zip(direction[1:], slopes[1:], strict=True)), direction[0] * slopes[0])

    def carried(self, roots: Floats, steps: list[float]) -> Floats:
        """Change the two rules, and carry roots over from the old lines to the new ones."""
        old_z, old_y = self._z, self._y
        self.steps = steps
        self._place_nodes()
        return np.asarray(_interpolation(old_z, self._z) @ roots @ _interpolation(old_y, self._y).T)

    def half_way(self, axis: int, roots: Floats) -> tuple[ParallelLines, Floats]:
        """The lines half-way between those of one rule, and the roots there by cubics."""
        lines = copy(self)
        lines._shifts = [0.5 * (axis == 0), 0.5 * (axis == 1)]
        lines._place_nodes()
        width = [(0, 0), (0, 0), (0, 0)]
        width[1 + axis] = (1, 2)
        t = np.moveaxis(np.pad(roots, width, mode="reflect", reflect_type="odd"), 1 + axis, 0)
        middle = (9 * (t[1:-2] + t[2:-1]) - t[:-3] - t[3:]) / 16
        return lines, np.clip(np.moveaxis(middle, 0, 1 + axis), -FAR, FAR)

    def falls(self, roots: Floats, axis: int) -> tuple[Floats, Floats]:
        """What a rule may miss at the roots of each l, and with which power of the step that falls.

        A trapezoid rule takes what a function has at the frequency of the nodes for a part of its mean. Of that, the
        frequencies below half of it tell size and slope: what a kink has there falls with a power of the frequency.
        """
        parts = (ndtr(roots) * self.weight).sum(axis=2 - axis)
        half = parts.shape[1] // 2
        if half == 0:
            return np.zeros(len(roots)), np.ones(len(roots))
        turned = np.exp(1j * np.pi * np.outer(np.arange(-half, half + 1), FREQUENCIES))
        size = np.maximum(np.abs(parts @ turned), 1e-16)
        last = size[:, 1:].max(axis=1)
        power = np.maximum(np.log(size[:, 0] / last) / np.log(FREQUENCIES[2] / FREQUENCIES[0]), 0.0)
        return last * 0.5**power, power

    def stairs(self, roots: Floats) -> float:
        """How far a law may be off where the prevalence alone tells on which side of l its L is.

        The law is a staircase then, with a step for each node. Quantiles lie in the middle of steps, where every
        second node, or those half-way between, may give the same.
        """
        if self._turned == 3 or self._phi.size == 1:
            return 0.0
        row = self.weight.sum(axis=1)
        below = (ndtr(roots) * self.weight).sum(axis=2) / row
        undecided = row * below * (1 - below)
        alone = undecided.max(axis=1) > ALONE * undecided.sum(axis=1)
        return 0.25 * float(row[undecided.argmax(axis=1)][alone].max(initial=0.0))

    def gaps(self, roots: Floats) -> tuple[float, float]:
        """How far P(L <= l) moves when every second node in z, or in y, is left out, or those of one colour of a board.

        A kink that runs across both rules, where two rates are as good as their bounds, hides from the first two: they
        were 2e-6 where the law erred by 5e-4. What is smooth has about the largest gap in one of them.
        """
        parts = ndtr(roots) * self.weight
        full, gaps = parts.sum(axis=(1, 2)), []
        for kept in (_EVEN_Z,), (_EVEN_Y,), _ONE_COLOUR:
            coarse = sum(parts[(slice(None), *some)].sum(axis=(1, 2)) for some in kept)
            gaps.append(float(np.abs(coarse / sum(self.weight[some].sum() for some in kept) - full).max()))
        across = gaps.pop()
        if min(self.weight.shape) > 1 and across > max(ACROSS * max(gaps), HIDDEN):
            gaps = [across, across]
        return gaps[0], gaps[1]


def _rule(step: float, shift: float) -> tuple[Floats, Floats]:
    """The trapezoid rule of a Normal mean, its nodes moved by a share of the step."""
    z, weight = normal_rule(step)
    if not shift:
        return z, weight
    z = z + shift * step
    weight = np.exp(-0.5 * z * z)
    return z, weight / weight.sum()


def slow_errors(first: Gaps, last: Gaps) -> list[float]:
    """Errors of two rules whose gaps fell as a low power of their steps from the first round to the last; 0 of others.

    If the gap between a rule and that of every second node falls as step^k, what is left is 2^-k of the gap; the whole
    gap, if it does not fall at all.
    """
    errors = []
    for gap, step, old_gap, old_step in zip(*last, *first, strict=True):
        finer = gap > 0 and step < 0.5 * old_step
        power = max(0.0, float(np.log(max(old_gap, 1e-16) / gap) / np.log(old_step / step))) if finer else np.inf
        errors.append(gap * 0.5**power if power < SLOW else 0.0)
    return errors


def _interpolation(old: Floats, new: Floats) -> Floats:
    """Matrix that interpolates linearly from equally spaced points to others, constant beyond them."""
    step = old[1] - old[0] if old.size > 1 else 1.0
    return np.asarray(np.maximum(1 - np.abs(np.clip(new, old[0], old[-1])[:, None] - old) / step, 0))


# -- Where the levels of a metric lie along few lines: a table from which searches for its quantiles begin -------------

# Beside a rate that is known well, one of which nothing is known makes L level along one half of every line and steep
# along the other. From tangents alone a search then goes to and fro for dozens of rounds; of few lines a table of all
# costs as much as one of these.


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
