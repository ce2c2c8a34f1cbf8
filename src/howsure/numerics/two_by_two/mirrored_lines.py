"""The law of a metric that vanishes with a rare prevalence, by lines along which that prevalence turns at L = 0.

Kappa, MCC and markedness are 0 where the prevalence or J = s + c - 1 is, have the sign of J, and grow in size with a
rare prevalence. Along lines of the rates alone, P(L <= l) rises for l < 0 in one bend about the prevalence below which
no L is as low as l. So the prevalence is the third variable that runs along t, rising where J > 0 and falling where
J < 0: there every line has a root of every l, and the rule needs no more lines than for other metrics.

Where the prevalence is tiny L is flat, and so is its tangent. On either side of the root t0 of L = 0, Newton's method
therefore runs in u = log |t - t0| and m = log |l|: m(u) is u and a constant near t0, and steeper farther out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri, wrightomega

from howsure.numerics.arrays import LEAST, MOST, Floats, cut
from howsure.numerics.solve.roots import monotone_cubic
from howsure.numerics.two_by_two.lines import ARRIVED, LEFT, ROUNDS, KnownRoots, Lines
from howsure.numerics.two_by_two.parallel_lines import FAR

LONGEST, OUTWARDS = 1.5, 1.0  # moves outwards of u, and of m, in one round
INWARDS = 6.0  # and inwards: a flat tangent would lead so near to 0 that no round leads back
NEAREST = 1e-9  # |t - t0| of a root
START = 2.0  # |t - t0| from which a root of which nothing is known is looked for
JUMP = 0.1  # a move of u that is more than the last correction
FLAT = 0.05  # no tangent is taken for flatter
TINY, STRAIGHT = 1e-300, 1e-9  # bend of a tangent that is none
ARRIVING = 1e-7  # a move of u so small stays, also of a root that began at its own place and is an end of its bracket
MOST_ROUNDS = 60  # of one for given l, inside a bracket


class _Found(NamedTuple):
    """Levels l, their roots on every line, dL/dt and the density of L by the last tangents, and which are open."""

    odds: Floats
    roots: Floats
    slopes: Floats
    density: Floats
    open: NDArray[np.bool_]


class MirroredLines(Lines):
    """The law of the log odds of a metric that vanishes with a rare prevalence."""

    def settle(self, p: Floats) -> Floats:
        """Refine the two rules; the error that is kept is never below that of lines on which L falls somewhere."""
        odds = super().settle(p)
        self._residual = max(self._residual, self._lines.beyond_half, self._lines.falling)
        return odds

    def _roots(self, odds: Floats, t: Floats | None = None) -> tuple[Floats, Floats]:
        """Where L = l on each line, and dL/dt there, from a guess t."""
        t = self._guess_roots(odds) if t is None else t
        found = np.broadcast_to(self._lines.zero, t.shape).copy()
        away = odds != 0
        if away.any():
            found[away] = self._newton(odds[away], t[away]).roots
        return found, self._slopes(found, odds)

    def _guess_roots(self, odds: Floats) -> Floats:
        """Roots t at given l, on either side of 0 by curves of u over m through those of the known l there."""
        zero = self._lines.zero
        guesses = np.broadcast_to(zero, (len(odds), *zero.shape)).copy()
        for side in (-1.0, 1.0):
            asked = odds * side > 0
            if asked.any():
                guesses[asked] += side * np.exp(self._guess_distances(side, np.log(np.abs(odds[asked]))))
        return np.clip(guesses, -FAR, FAR)

    def _guess_distances(self, side: float, m: Floats) -> Floats:
        """Log |t - t0| at m = log |l|: up to the first known l by the tangent at 0, bent to meet it; then by cubics."""
        lines, known = self._lines, self._known
        steepness = lines.steepness[int(side > 0)]
        tangent = m[:, None, None] - steepness
        alike = np.zeros(0, int) if known is None else np.flatnonzero(known.odds * side > 0)
        if known is None or alike.size == 0:
            return np.asarray(np.minimum(tangent, np.log(START)))
        alike = alike[np.argsort(np.abs(known.odds[alike]))]
        size = np.abs(known.odds[alike])
        away = np.maximum(side * (known.roots[alike] - lines.zero), NEAREST)
        u, rates = np.log(away), size[:, None, None] / np.maximum(known.slopes[alike] * away, TINY)
        # L = J phi, and J grows in proportion where phi grows by powers: |L| = steepness d e^(a d), d = |t - t0|
        a = np.maximum(np.log(size[0]) - u[0] - steepness, STRAIGHT) / away[0]
        guesses = np.log(wrightomega(np.maximum(np.log(a) + tangent, np.log(TINY))) / a)
        outer = m > np.log(size[0])
        if alike.size > 1:
            guesses[outer] = monotone_cubic(np.log(size), u, rates, m[outer])
        else:
            guesses[outer] = u + (m[outer] - np.log(size))[:, None, None] * cut(rates, 0.0, 1.0)
        return np.asarray(guesses)

    def _slopes(self, t: Floats, odds: Floats) -> Floats:
        """dL/dt where L = l: by that of log |L|, which is right also on a line of no weight whose root is not."""
        value, slope = self._lines.along(t)
        asked = np.broadcast_to(odds[:, None, None], value.shape)
        known = (np.abs(t - self._lines.zero) > 2 * NEAREST) & (value != 0)
        return slope * np.divide(asked, value, out=np.ones_like(value), where=known)

    def _nearer(self, odds: Floats, t: Floats) -> Floats:
        """Roots of given l from good guesses, by one tangent of log |L|."""
        zero, side = self._lines.zero, np.where(odds < 0, -1.0, 1.0)[:, None, None]
        away = np.maximum(side * (t - zero), NEAREST)
        value, along = self._lines.along(zero + side * away)
        level, slope = _tangent(value, along, away)
        m = np.log(np.maximum(np.abs(odds), TINY))[:, None, None]
        return cut(zero + side * away * np.exp(cut((m - level) / slope, -1.0, 1.0)), -FAR, FAR)

    def _solve(self, z: Floats, start: tuple[Floats, Floats] | None = None, left: float = LEFT) -> KnownRoots:
        """Quantiles l of Phi(z) and the roots t on every line, by Newton's method in l and all t at once."""
        odds, roots = start or self._guess(z)
        below_zero = float(ndtr(self._lines.zero).ravel() @ self._lines.flat_weight)
        side = np.where(ndtr(z) < below_zero, -1.0, 1.0)
        start_odds = np.where(odds * side > 0, odds, 0.1 * self._lines.spread * side)
        found = self._newton(start_odds, roots, z, left)
        known = KnownRoots(z, found.odds, found.roots, found.slopes, found.density)
        if found.open.any():
            slow = self._solve_slowly(z[found.open])
            for mine, its in zip(known, slow, strict=True):
                mine[found.open] = its
        return known

    def _newton(self, odds: Floats, t: Floats, z: Floats | None = None, enough: float = LEFT) -> _Found:
        """Roots t of l, from a guess; with z, of the quantiles of Phi(z), whose l is a guess too.

        Each round evaluates L on the lines whose roots have not arrived, moves l until the mean of Phi over the roots
        by the tangents is Phi(z), and moves the roots there.
        """
        zero, weight = self._lines.zero.ravel(), self._lines.flat_weight
        side, m = np.where(odds < 0, -1.0, 1.0)[:, None], np.log(np.abs(odds))[:, None]
        distance = side * (t.reshape(len(t), -1) - zero)
        farthest = np.log(np.maximum(FAR - side * zero, NEAREST))
        u = np.minimum(np.log(np.where(distance > NEAREST, distance, START)), farthest)
        low, high = np.full(u.shape, np.log(NEAREST)), farthest
        found, at, rows = m.copy(), u.copy(), np.arange(len(m))
        density, slopes = np.zeros(len(m)), np.ones(u.shape)
        level, slope, origin, stale = (*(np.empty(u.shape) for _ in range(3)), np.ones(u.shape, bool))
        enough, exact, move = enough + self._lines.rounding, 1e-6 + self._lines.rounding, np.zeros(u.shape)
        for round_ in range(MOST_ROUNDS if z is None else 2 * ROUNDS):
            away = np.exp(u)
            start = zero + side * away
            if 2 * np.count_nonzero(stale) > stale.size:
                at_all = start.reshape(len(m), *self._lines.weight.shape)
                value, along = self._lines.along(at_all)
                level, slope = _tangent(value.reshape(u.shape), along.reshape(u.shape), away)
                origin = u - level / slope
            else:
                level[stale], slope[stale] = _tangent(*self._lines.along_some(start, stale), away[stale])
                origin[stale] = (u - level / slope)[stale]
            lowest, highest = u - INWARDS, u + LONGEST
            if round_ > 2:  # where log |L| bends both ways it jumps to and fro: go back by half
                back = np.where(np.abs(move) > JUMP, 0.5 * np.abs(move), INWARDS)
                lowest, highest = np.where(move > 0, u - back, lowest), np.where(move < 0, u + back, highest)
            highest = np.minimum(highest, farthest)
            if z is None:
                low, high = np.where(level < m, u, low), np.where(level < m, high, u)
                trial = np.minimum(origin + m / slope, highest)
                good = (trial > low) & (trial <= high) | (np.abs(trial - u) < ARRIVING)
                following, gap = np.where(good, trial, (low + high) / 2), np.zeros(len(m))
            else:
                m, following, gap = self._moved_in_logs(z, m, (origin, slope, lowest, highest), side)
            move, away = following - u, np.exp(following)
            root = zero + side * away
            held = (following >= highest) & (following < farthest) | (
                following <= lowest
            )  # a move cut short says nothing about what is left
            # of u the convergence is quadratic, and t moves by |t - t0| times as much
            left = np.where(held, np.abs(move), move * move) * away
            # the most that lies on its way: a jump through all the mass begins and ends where there is none
            least = np.where(start * root > 0, np.minimum(np.abs(start), np.abs(root)), 0.0)
            left *= np.exp(-0.5 * least * least) * weight
            open_ = (left.sum(axis=1) >= enough) | (np.abs(gap) >= exact)
            found[rows], at[rows], slopes[rows] = m, following, slope * np.exp(level - u)
            height = np.exp(-0.5 * root * root) * away / slope * (following < farthest)
            density[rows] = height @ weight / np.exp(m[:, 0]) / np.sqrt(2 * np.pi)
            u, stale = following, left > ARRIVED * enough / self.terms
            rows = rows[open_]
            if not open_.any():
                break
            if not open_.all():
                side, m, farthest, u, low, high, level, slope, origin, stale, move = (
                    x[open_] for x in (side, m, farthest, u, low, high, level, slope, origin, stale, move)
                )
                z = None if z is None else z[open_]
        side = np.where(odds < 0, -1.0, 1.0)[:, None]
        roots, still_open = (zero + side * np.exp(at)).reshape(t.shape), np.isin(np.arange(len(t)), rows)
        return _Found((side * np.exp(found))[:, 0], roots, slopes.reshape(t.shape), density, still_open)

    def _moved_in_logs(
        self, z: Floats, m: Floats, tangents: tuple[Floats, Floats, Floats, Floats], side: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """M at which the roots u by the tangents, none above the highest, have the quantiles of Phi(z); these u."""
        origin, slope, lowest, highest = tangents
        zero, weight = self._lines.zero.ravel(), self._lines.flat_weight
        outermost = m + OUTWARDS
        for _ in range(2):
            u = cut(origin + m / slope, lowest, highest)
            away = np.exp(u)
            root = zero + side * away
            here = ndtri(cut(ndtr(root) @ weight, LEAST, MOST))
            density = (np.exp(-0.5 * root * root) * away / slope * (u < highest)) @ weight
            gap = z - here
            change = gap * np.exp(-0.5 * here * here) / np.maximum(density, TINY)
            # not farther out than the roots can follow, or there is no mass left to tell the way back
            m = np.minimum(m + cut(side * change[:, None], -INWARDS, OUTWARDS), outermost)
            if np.abs(gap).max() < 1e-6 + self._lines.rounding:
                break
        return m, u, gap


def _tangent(value: Floats, along: Floats, away: Floats) -> tuple[Floats, Floats]:
    """Log |L|, and its slope in the log of the distance from the root of 0."""
    size = np.maximum(np.abs(value), TINY)
    return np.log(size), np.maximum(along * away / size, FLAT)
