"""The law of a binary metric's log odds, by lines along which the metric only grows.

In Normal scores the three independent Betas (prevalence, TPR, TNR) are three standard Normals. Turn the plane of the
two rates so that one axis, t, points along the gradient of the metric, with a positive component of both rates: on
every line in that direction, given the prevalence z and the other coordinate y, both rates run from 0 to 1 and the
metric from its least to its greatest value, strictly. (Precision and F grow with the prevalence too; there all three
are turned, and z is a second coordinate across the lines.) So there is exactly one t where the log odds equal l, and

    P(L <= l) = E Phi(t(z, y; l)),

a mean over two Normals of a smooth function without ends, for which the trapezoid rule converges exponentially
(Trefethen and Weideman 2014, SIAM Review 56, 385). Where the inner integral runs along one rate instead, its root
leaves (0, 1) in mid-range, which leaves a kink whose order is one parameter of that rate's Beta. Here at most the
prevalence sees a kink, where the level curve crosses the corner s = 1, c = 0 or s = 0, c = 1 of the rates; its order is
the sum of the two parameters at that corner, and it is felt only if both are small.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import expit, ndtr, ndtri

from howsure.numerics.arrays import Floats
from howsure.numerics.ratio.normal_scores import NormalScores, logit_quantile, normal_rule
from howsure.numerics.two_by_two.log_odds import BinaryRates, Formula

FIRST_STEP = 0.7  # of both trapezoid rules; halved or less where a law needs it
MOST_LINES = 3000  # no rule is refined further
TOLERANCE = 3e-8  # probability, the aim of the step rule
LEAST_COMPONENT = 0.4  # of each variable in the direction t
SMOOTH = 2.0  # order from which a kink is not felt
FAR = 8.5  # a root with |t| > 8.5 is as good as infinite: Phi(-8.5) = 1e-17
MOVED = 1e-10  # mean of what the roots may have left to move
LONGEST_MOVE = 5.0  # of a root in one round
BATCH = 20_000  # numbers of one array


class TailsAndDensity(NamedTuple):
    """P(L <= l), P(L > l) and the density of L, for each l asked."""

    below: Floats
    above: Floats
    density: Floats


class Lines:
    """The log odds of one formula under independent Betas, integrated over parallel lines in Normal scores."""

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
        self._kinked = self._turned == 2 and isinstance(self._prevalence, tuple) and corner < SMOOTH
        self._choose_direction()
        self.residual = np.inf
        self._known: tuple[Floats, Floats, Floats] | None = None
        self._steps = [FIRST_STEP, FIRST_STEP]
        self._place_nodes()

    @property
    def terms(self) -> int:
        """Number of lines."""
        return self._weight.size

    def _choose_direction(self) -> None:
        """Point t along the gradient at the medians; keep the linear model of L there for first guesses."""
        self._place_prevalence(np.array([-0.05, 0.05]))
        value, slopes = self._gradient(np.zeros((self._turned, 1, 2, 1)))
        gradient = np.array([slope.mean() for slope in slopes])
        direction = np.maximum(gradient / np.linalg.norm(gradient), LEAST_COMPONENT)
        direction /= np.linalg.norm(direction)
        # The first column of Q is the direction up to its sign, the others complete it to a basis.
        self._basis = np.linalg.qr(np.column_stack((direction, np.eye(self._turned)[:, 1:])))[0]
        self._direction = direction[:, None, None, None]
        along_prevalence = (value[0, 1, 0] - value[0, 0, 0]) / 0.1 if self._phi.size > 1 and self._turned == 2 else 0.0
        self.centre = float(value.mean())
        self.spread = float(np.hypot(np.linalg.norm(gradient), along_prevalence))
        # with 1e15 cases the sd of the log odds is 1e-8, and the last digit of the log odds a millionth of it
        self._rounding = 16 * np.finfo(float).eps * (1 + abs(self.centre)) / max(self.spread, 1e-300)

    def _place_prevalence(self, z: Floats) -> None:
        """Set the prevalence at its scores z, as a column."""
        if isinstance(self._prevalence, tuple):
            u = logit_quantile(*self._prevalence, z)[:, None]
        else:
            u = np.array([[np.log(self._prevalence) - np.log1p(-self._prevalence)]])
        self._phi, self._psi = expit(u), expit(-u)

    def _place_nodes(self) -> None:
        """Lay out the two trapezoid rules, in z and in y."""
        (z, w), (y, wy) = (normal_rule(step) for step in self._steps)
        if self._turned == 3:
            across = self._basis[:, 1, None, None] * z[:, None] + self._basis[:, 2, None, None] * y
        else:
            self._place_prevalence(z)
            if self._phi.size == 1:
                z, w = np.zeros(1), np.ones(1)
            across = self._basis[:, 1, None, None] * y
        self._across = across[:, None]
        self._z, self._y = z, y
        self._weight = w[:, None] * wy
        self._flat_weight = self._weight.ravel()

    def _gradient(self, z: Floats) -> tuple[Floats, list[Floats]]:
        """L, and its slopes along the scores z of the turned variables; z has shape (variables, values of l, z, y)."""
        u, du = self._scores(z)
        p, q = expit(u), expit(-u)
        phi, psi = (p[2], q[2]) if self._turned == 3 else (self._phi, self._psi)
        with np.errstate(divide="ignore"):  # odds of 0 where a rate underflows, far beyond all mass
            value, *slopes = self._odds(BinaryRates(phi, psi, p[0], q[0], p[1], q[1]))
        return np.broadcast_to(value, z.shape[1:]), [s * d for s, d in zip(slopes, du, strict=False)]

    def _along(self, t: Floats) -> tuple[Floats, Floats]:
        """L and dL/dt at the points t (values of l, z, y) of the lines."""
        value, slopes = self._gradient(self._direction * t + self._across)
        slope = sum(
            (g * s for g, s in zip(self._direction[1:], slopes[1:], strict=True)), self._direction[0] * slopes[0]
        )
        return value, slope

    def probability(self, odds: Floats) -> TailsAndDensity:
        """P(L <= l), P(L > l) and density at each l of a 1-D array, within `TOLERANCE` once settled."""
        size = max(1, BATCH // self.terms)
        parts = [self._mean(*self._roots(odds[k : k + size])) for k in range(0, len(odds), size)]
        return TailsAndDensity(*(np.concatenate(column) for column in zip(*parts, strict=True)))

    def _roots(self, odds: Floats, t: Floats | None = None) -> tuple[Floats, Floats]:
        """Where L = l on each line, and dL/dt there, from a guess t by Newton's method inside a shrinking bracket."""
        target = odds[:, None, None]
        t = self._guess_roots(odds) if t is None else t
        low, high = np.full(t.shape, -FAR), np.full(t.shape, FAR)
        last = np.full(t.shape, 4 * FAR)
        for _ in range(80):
            value, slope = self._along(t)
            short = value < target
            np.copyto(low, t, where=short)
            np.copyto(high, t, where=~short)
            # With little prevalence a metric is flat near 0 in mid-line, and only its logarithm grows evenly.
            ratio = np.divide(target, value, out=np.zeros_like(value), where=value != 0)
            flat = (ratio > 2) | ((ratio > 0) & (ratio < 0.5))
            step = (target - value) / slope
            step[flat] = np.log(ratio[flat]) * value[flat] / slope[flat]
            trial = t + np.clip(step, -LONGEST_MOVE, LONGEST_MOVE)
            length = np.abs(trial - t)
            good = (trial > low) & (trial < high) & (length < 0.5 * last) | (length < 1e-8)
            following = np.where(good, trial, (low + high) / 2)
            last = np.abs(following - t)
            heavy = np.exp(-0.5 * np.minimum(t * t, following * following))
            t = following
            if np.max(np.einsum("kij,ij->k", last * heavy, self._weight)) < MOVED + self._rounding:
                break
        return t, slope

    def _mean(self, t: Floats, slope: Floats) -> TailsAndDensity:
        """Average Phi(t) and the density phi(t) / (dL/dt) over the lines."""
        weight = self._flat_weight
        flat = t.reshape(len(t), -1)
        height = np.where(np.abs(flat) < FAR - 1e-6, np.exp(-0.5 * flat * flat), 0.0)
        density = height / slope.reshape(flat.shape) / np.sqrt(2 * np.pi)
        return TailsAndDensity(ndtr(flat) @ weight, ndtr(-flat) @ weight, density @ weight)

    def quantiles(self, p: Floats) -> tuple[Floats, Floats]:
        """Return l with P(L <= l) = p for each p of a 1-D array, 0 < p < 1, and the density of L there."""
        size = max(1, BATCH // self.terms)
        odds, density = np.empty(p.size), np.empty(p.size)
        for k in range(0, p.size, size):
            part = slice(k, k + size)
            odds[part], roots = self._solve(p[part])
            density[part] = self._mean(roots, self._along(roots)[1]).density
        return odds, density

    def _solve(self, p: Floats, odds: Floats | None = None, roots: Floats | None = None) -> tuple[Floats, Floats]:
        """Quantiles l and the roots t on every line, by Newton's method in l and all t at once.

        Each round evaluates L once on every line, moves l until the mean of Phi over the linearised roots is p, and
        moves the roots there: the two iterations of a quantile of a root cost as much as one.
        """
        z, exact = ndtri(p), 1e-6 + self._rounding
        if odds is None or roots is None:
            odds = self._guess_odds(z)
            roots = self._guess_roots(odds)
        t = roots.reshape(len(p), -1)
        lowest, highest = t - LONGEST_MOVE, t + LONGEST_MOVE
        shape = len(p), *self._weight.shape
        for round_ in range(15):
            value, slope = (x.reshape(t.shape) for x in self._along(t.reshape(shape)))
            origin, growth = t - value / slope, 1 / slope
            for _ in range(2):
                root = np.clip(origin + odds[:, None] * growth, lowest, highest)
                here = ndtri(np.clip(ndtr(root) @ self._flat_weight, 1e-300, 1 - 1e-16))
                near = np.abs(root) < FAR
                density = (np.exp(-0.5 * root * root) * growth * near) @ self._flat_weight
                change = (z - here) * np.exp(-0.5 * here * here) / np.maximum(density, 1e-300)
                odds = odds + np.clip(change, -2 * self.spread, 2 * self.spread)
                if np.abs(z - here).max() < exact:  # what is left is its square
                    break
            moved = root - t
            heavy = np.exp(-0.5 * np.minimum(root * root, t * t))
            held = (root == lowest) | (root == highest)  # a move cut short says nothing about what is left
            left = np.where(held, np.abs(moved), moved * moved)
            if np.max((left * heavy) @ self._flat_weight) < MOVED + self._rounding and np.abs(z - here).max() < exact:
                break  # the convergence is quadratic: what is left of each move is about its square
            t = root
            # Where L is flat in mid-line, Newton's method jumps to and fro: from the third round on, go back by half.
            back = 0.5 * np.abs(moved) if round_ > 2 else LONGEST_MOVE
            lowest = np.maximum(t - np.where(moved > 0, back, LONGEST_MOVE), -FAR)
            highest = np.minimum(t + np.where(moved < 0, back, LONGEST_MOVE), FAR)
        else:
            return self._solve_slowly(z)
        return odds, root.reshape(shape)

    def _solve_slowly(self, z: Floats) -> tuple[Floats, Floats]:
        """Quantiles of Phi(z) by Newton's method in l inside a bracket, with all roots found anew each time."""
        odds = self._guess_odds(z)
        low, high = np.full(z.shape, -np.inf), np.full(z.shape, np.inf)
        roots = self._guess_roots(odds)
        for round_ in range(100):
            roots, slope = self._roots(odds, roots)
            below, _, density = self._mean(roots, slope)
            here = ndtri(np.clip(below, 1e-300, 1 - 1e-16))
            low, high = np.where(here < z, odds, low), np.where(here < z, high, odds)
            if np.abs(here - z).max() < 1e-9 + self._rounding or np.all(high - low < 1e-14 * (1 + np.abs(odds))):
                break
            change = (z - here) * np.exp(-0.5 * here * here) / np.maximum(density * np.sqrt(2 * np.pi), 1e-300)
            longest = 4 * self.spread * 1.2**round_
            trial = odds + np.clip(change, -longest, longest)
            bounded = np.isfinite(low) & np.isfinite(high)
            middle = (np.where(bounded, low, trial) + np.where(bounded, high, trial)) / 2
            odds = np.where((trial > low) & (trial < high), trial, middle)
        return odds, roots

    def _guess_odds(self, z: Floats) -> Floats:
        """L at the quantiles of Phi(z), from the line through two known ones, or from the slope at the medians."""
        if self._known is None:
            return np.asarray(self.centre + self.spread * z)
        scores, odds, _ = self._known
        return np.asarray(odds[0] + (z - scores[0]) * (odds[1] - odds[0]) / (scores[1] - scores[0]))

    def _guess_roots(self, odds: Floats) -> Floats:
        """Roots t at given l, on every line by the straight line through two known ones."""
        if self._known is None:
            return np.zeros((len(odds), *self._weight.shape))
        _, known, roots = self._known
        share = np.clip((odds - known[0]) / (known[1] - known[0]), -2, 3)[:, None, None]
        return np.asarray(np.clip(roots[0] + share * (roots[1] - roots[0]), -FAR, FAR))

    def settle(self, p: Floats) -> Floats:
        """Refine the two rules until both are exact to `TOLERANCE` at the quantiles of two p; return these.

        The error of a trapezoid rule of an analytic function is e^{-c / step}: if the rule with every second node
        left out is in error by d, the full one is by d^2. Seen on real laws is d^1.5 to d^4; 1.5 is believed. A kink in
        the prevalence leaves a part of d itself.
        """
        odds, roots = self._solve(p)
        for round_ in range(7):
            gaps = self._gaps(roots)
            errors = [max(gap, 1e-16) ** 1.5 for gap in gaps]
            if self._kinked:
                errors[0] = max(errors[0], gaps[0])
            self.residual = max(errors)
            if self.residual <= TOLERANCE or self.terms > MOST_LINES or round_ == 6:
                break
            aim = np.log(TOLERANCE) * 1.05
            self._steps = [
                step * max(np.log(error) / aim, 0.25) if error > TOLERANCE else step
                for step, error in zip(self._steps, errors, strict=True)
            ]
            old_z, old_y = self._z, self._y
            self._place_nodes()
            roots = _interpolation(old_z, self._z) @ roots @ _interpolation(old_y, self._y).T
            odds, roots = self._solve(p, odds, roots)
        self._known = ndtri(p), odds, roots
        return odds

    def _gaps(self, roots: Floats) -> tuple[float, float]:
        """How far P(L <= l) moves when every second node in z, or in y, is left out."""
        below, gaps = ndtr(roots), []
        full = np.einsum("kij,ij->k", below, self._weight)
        for axis in (0, 1):
            some = (slice(None, None, 2), slice(None)) if axis == 0 else (slice(None), slice(None, None, 2))
            weight = self._weight[some]
            coarse = np.einsum("kij,ij->k", below[(slice(None), *some)], weight) / weight.sum()
            gaps.append(float(np.abs(coarse - full).max()))
        return gaps[0], gaps[1]


def _interpolation(old: Floats, new: Floats) -> Floats:
    """Matrix that interpolates linearly from equally spaced points to others, constant beyond them."""
    step = old[1] - old[0] if old.size > 1 else 1.0
    return np.asarray(np.maximum(1 - np.abs(np.clip(new, old[0], old[-1])[:, None] - old) / step, 0))
