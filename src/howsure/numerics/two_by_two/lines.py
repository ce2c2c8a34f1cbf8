"""The law of a binary metric's log odds, by lines along which the metric only grows.

On each line (`parallel_lines`), of coordinates z and y, there is exactly one t where the log odds equal l, and

    P(L <= l) = E Phi(t(z, y; l)),

a mean over two Normals of a smooth function without ends, for which the trapezoid rule converges exponentially
(Trefethen and Weideman 2014, SIAM Review 56, 385). Where the inner integral runs along one rate instead, its root
leaves (0, 1) in mid-range, which leaves a kink whose order is one parameter of that rate's Beta. Here at most the
prevalence sees a kink, where the level curve crosses the corner s = 1, c = 0 or s = 0, c = 1 of the rates; its order is
the sum of the two parameters at that corner, and it is felt only if both are small.
"""

from __future__ import annotations

from copy import copy
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from howsure.numerics.arrays import LEAST, MOST, Floats, cut
from howsure.numerics.solve.roots import monotone_cubic
from howsure.numerics.two_by_two.parallel_lines import FAR, FIRST_STEP, LevelTable, ParallelLines, slow_errors

MOST_LINES = 3000  # no rule is refined further
TOLERANCE = 3e-8  # probability, the aim of the step rule
NEEDLE = 1e-5  # gap from which a rise between two prevalences is what leaves it: then all of it is believed
ROUGH = 30.0  # times the square of a large gap is the error that was seen
BETWEEN = 1e-6  # and at the probes, where no end of an interval is asked for: what is called exact
ALIKE = 1.5  # what is at most so many times smaller may be the worst
PROBES = np.linspace(-3.6, 3.6, 9)  # Normal scores at which a law is known, and its shape is judged
MOVED = 1e-10  # mean of the last move of roots of given l
LEFT = 1e-12  # of what the roots of quantiles may have left to move, the mean; their slopes miss its root at most
ARRIVED = 0.1  # share of that, spread over all lines, below which one is not evaluated again
LONGEST_MOVE = 5.0  # of a root in one round
STRIDE = 0.1  # a move inwards that is not the last
ROUNDS = 15  # of a search for quantiles, before a slow and sure one; and of that, before every fourth halves a bracket
FEW_LINES = 100  # of which a table of all L costs next to nothing
BATCH = 20_000  # numbers of one array
COARSE = 1000  # lines up to which the probes are found at once


class TailsAndDensity(NamedTuple):
    """P(L <= l), P(L > l) and the density of L, for each l asked."""

    below: Floats
    above: Floats
    density: Floats


class KnownRoots(NamedTuple):
    """Quantiles that were found: of which scores, their l, the roots on every line, dL/dt there, and the density of L.

    The slopes are those of the last tangents, which met the lines next to the roots.
    """

    scores: Floats
    odds: Floats
    roots: Floats
    slopes: Floats
    density: Floats

    def moved(self, scores: Floats) -> tuple[Floats, Floats]:
        """Where l and the roots would be at other scores near by, along the tangents."""
        step = (scores - self.scores) * np.exp(-0.5 * self.scores**2) / np.sqrt(2 * np.pi) / self.density
        return self.odds + step, np.clip(self.roots + step[:, None, None] / self.slopes, -FAR, FAR)


class _Moved(NamedTuple):
    """L after a round, the roots there by the tangents, exp(-t^2 / 2), the density of L, and Phi^-1(p) left to go."""

    odds: Floats
    roots: Floats
    heights: Floats
    density: Floats
    gap: Floats


class Lines:
    """The law of the log odds of one formula under independent Betas, integrated over its lines."""

    def __init__(self, lines: ParallelLines) -> None:
        self._lines = lines
        self._residual = np.inf
        self._known: KnownRoots | None = None
        self._settled: KnownRoots | None = None
        self._settled_on = lines

    @property
    def terms(self) -> int:
        """Number of lines."""
        return self._lines.terms

    @property
    def spread(self) -> float:
        """About the sd of L."""
        return self._lines.spread

    @property
    def residual(self) -> float:
        """Estimated error of a probability at the ends of the central interval, or at the probes if above 1e-6."""
        self.probed  # noqa: B018  # the rule is judged once more
        return self._residual

    def probability(self, odds: Floats) -> TailsAndDensity:
        """P(L <= l), P(L > l) and density at each l of a 1-D array, within `TOLERANCE` once settled."""
        self.probed  # noqa: B018  # as for quantiles
        parts = zip(*(self._mean(*self._roots(part)) for part in self._batches(odds)), strict=True)
        return TailsAndDensity(*map(np.concatenate, parts))

    def _roots(self, odds: Floats, t: Floats | None = None) -> tuple[Floats, Floats]:
        """Where L = l on each line, and dL/dt there, from a guess t by Newton's method inside a shrinking bracket."""
        target = odds[:, None, None]
        t = self._guess_roots(odds) if t is None else t
        low, high = np.full(t.shape, -FAR), np.full(t.shape, FAR)
        last = np.full(t.shape, 4 * FAR)
        for _ in range(80):
            value, slope = self._lines.along(t)
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
            if np.max(np.einsum("kij,ij->k", last * heavy, self._lines.weight)) < MOVED + self._lines.rounding:
                break
        return t, slope

    def _mean(self, t: Floats, slope: Floats) -> TailsAndDensity:
        """Average Phi(t) and the density phi(t) / (dL/dt) over the lines."""
        weight = self._lines.flat_weight
        flat = t.reshape(len(t), -1)
        height = np.where(np.abs(flat) < FAR - 1e-6, np.exp(-0.5 * flat * flat), 0.0)
        # far out on a line L may not grow any more, to the last digit
        density = np.divide(height, slope.reshape(flat.shape), out=np.zeros_like(flat), where=height > 0)
        return TailsAndDensity(ndtr(flat) @ weight, ndtr(-flat) @ weight, density @ weight / np.sqrt(2 * np.pi))

    def quantiles(self, p: Floats, left: float = LEFT) -> tuple[Floats, Floats]:
        """Return l with P(L <= l) = p for each p of a 1-D array, 0 < p < 1, and the density of L there.

        ``left`` is the mean of the squares of what the roots may have left to move; 1e-6 will do for a picture.
        """
        known = self.probed  # guesses are as good as can be, and do not depend on what was asked before
        scores = ndtri(p)
        probe = np.minimum(PROBES.searchsorted(scores), len(PROBES) - 1)
        odds, density = known.odds[probe], known.density[probe]
        for part in self._batches(np.flatnonzero(PROBES[probe] != scores)):  # the median is known
            found = self._solve(scores[part], left=left)
            odds[part], density[part] = found.odds, found.density
        return odds, density

    def quantiles_near(self, p: Floats, before: KnownRoots | None = None) -> KnownRoots:
        """The same of a few p, with the roots; those of other p `before` are a good guess where p moved by little."""
        self.probed  # noqa: B018  # as for all quantiles
        return self._solve(ndtri(p), None if before is None else before.moved(ndtri(p)))

    def _batches(self, values: NDArray[Any]) -> list[NDArray[Any]]:
        """As many values at once as make arrays of a good size."""
        size = max(1, BATCH // self.terms)
        return [values[k : k + size] for k in range(0, len(values), size)]

    def _solve(self, z: Floats, start: tuple[Floats, Floats] | None = None, left: float = LEFT) -> KnownRoots:
        """Quantiles l of Phi(z) and the roots t on every line, by Newton's method in l and all t at once.

        Each round evaluates L once on every line, moves l until the mean of Phi over the linearised roots is p, and
        moves the roots there: the two iterations of a quantile of a root cost as much as one.
        """
        asked, exact, enough = z, 1e-6 + self._lines.rounding, left + self._lines.rounding
        odds, roots = start or self._guess(z)
        found, shape = odds.copy(), (len(z), *self._lines.weight.shape)
        at = cut(roots.reshape(len(z), -1), -FAR, FAR)
        inverse, dense = np.ones(at.shape), np.ones(len(z))
        t, heights, rows = at.copy(), np.exp(-0.5 * at * at), np.arange(len(z))
        lowest, highest = t - LONGEST_MOVE, t + LONGEST_MOVE
        tangents, stale = (np.empty(t.shape), np.empty(t.shape)), np.ones(t.shape, bool)
        for round_ in range(ROUNDS):
            self._renew(tangents, t, stale)
            moved = self._moved(z, odds, tangents, (lowest, highest))
            odds, root = moved.odds, moved.roots
            rest = self._left(t, root, np.maximum(moved.heights, heights), (root == lowest) | (root == highest))
            open_ = (rest.sum(axis=1) >= enough) | (np.abs(moved.gap) >= exact)
            found[rows], at[rows], inverse[rows], dense[rows] = odds, root, tangents[1], moved.density
            if not open_.any():
                break
            stale = rest > ARRIVED * enough / self.terms  # the others keep their tangent
            # Where L is flat in mid-line, Newton's method jumps to and fro: from the third round on, go back by half.
            back = 0.5 * np.abs(root - t) if round_ > 2 else LONGEST_MOVE
            below = np.maximum(root - np.where(root > t, back, LONGEST_MOVE), -FAR)
            above = np.minimum(root + np.where(root < t, back, LONGEST_MOVE), FAR)
            t, heights, lowest, highest = (
                np.where(stale, new, old)
                for new, old in ((root, t), (moved.heights, heights), (below, lowest), (above, highest))
            )
            if not open_.all():
                rows = rows[open_]
                z, odds, t, heights, lowest, highest = (x[open_] for x in (z, odds, t, heights, lowest, highest))
                tangents, stale = (tangents[0][open_], tangents[1][open_]), stale[open_]
        else:
            slow = self._solve_slowly(z)
            found[rows], dense[rows] = slow.odds, slow.density
            at[rows], inverse[rows] = slow.roots.reshape(t.shape), 1 / slow.slopes.reshape(t.shape)
        return KnownRoots(asked, found, at.reshape(shape), 1 / inverse.reshape(shape), dense)

    def _renew(self, tangents: tuple[Floats, Floats], t: Floats, stale: NDArray[np.bool_]) -> None:
        """Write the tangents of the lines that are stale, t = origin + l * growth, into (origin, growth)."""
        origin, growth = tangents
        if 2 * np.count_nonzero(stale) > stale.size:
            value, slope = (x.reshape(t.shape) for x in self._lines.along(t.reshape(-1, *self._lines.weight.shape)))
            origin[:], growth[:] = t - value / slope, 1 / slope
        else:
            value, slope = self._lines.along_some(t, stale)
            origin[stale], growth[stale] = t[stale] - value / slope, 1 / slope

    def _moved(self, z: Floats, odds: Floats, tangents: tuple[Floats, Floats], bounds: tuple[Floats, Floats]) -> _Moved:
        """L at which the roots by the tangents, none out of bounds, have the quantiles of Phi(z)."""
        (origin, growth), weight = tangents, self._lines.flat_weight
        for _ in range(2):
            root = cut(origin + odds[:, None] * growth, *bounds)
            here = ndtri(cut(ndtr(root) @ weight, LEAST, MOST))
            heights = np.exp(-0.5 * root * root)
            density = (heights * growth * (np.abs(root) < FAR)) @ weight
            gap = z - here
            change = gap * np.exp(-0.5 * here * here) / np.maximum(density, 1e-300)
            odds = odds + cut(change, -2 * self._lines.spread, 2 * self._lines.spread)
            if np.abs(gap).max() < 1e-6 + self._lines.rounding:  # what is left is its square
                break
        return _Moved(odds, root, heights, density / np.sqrt(2 * np.pi), gap)

    def _left(self, t: Floats, root: Floats, heights: Floats, held: NDArray[np.bool_]) -> Floats:
        """What each root may have left to move, in probability: about the square of its move from t."""
        weight, moved = self._lines.flat_weight, root - t
        # a move cut short says nothing about what is left
        rest = np.where(held, np.abs(moved), moved * moved) * heights * weight
        # and one that comes from far out by steps may have a long way to go, through all the mass
        coming = (np.abs(moved) > STRIDE) & (np.abs(root) < np.abs(t))
        inside = np.maximum(np.abs(root[coming]) - LONGEST_MOVE, 0.0)
        rest[coming] = (moved * moved * weight)[coming] * np.exp(-0.5 * inside * inside)
        return rest

    def _solve_slowly(self, z: Floats) -> KnownRoots:
        """Quantiles of Phi(z) by Newton's method in l inside a bracket, with all roots found anew each time."""
        odds, roots = self._guess(z)
        low, high = np.full(z.shape, -np.inf), np.full(z.shape, np.inf)
        for round_ in range(100):
            roots, slopes = self._roots(odds, roots)
            below, _, density = self._mean(roots, slopes)
            here = ndtri(cut(below, LEAST, MOST))
            low, high = np.where(here < z, odds, low), np.where(here < z, high, odds)
            done = (np.abs(here - z) < 1e-9 + self._lines.rounding) | (high - low < 1e-14 * (1 + np.abs(odds)))
            if done.all():
                break
            change = (z - here) * np.exp(-0.5 * here * here) / np.maximum(density * np.sqrt(2 * np.pi), 1e-300)
            longest = 4 * self._lines.spread * 1.2**round_
            trial = odds + cut(change, -longest, longest)
            middle = np.where(np.isfinite(low) & np.isfinite(high), (low + high) / 2, trial)
            # one that is found stays: by a step that rounds to nothing it would leave its bracket, and be halved anew
            newton = (trial > low) & (trial < high) & ((round_ < ROUNDS) | (round_ % 4 > 0))
            odds = np.where(done, odds, np.where(newton, trial, middle))
        return KnownRoots(z, odds, roots, slopes, density)

    def _guess(self, z: Floats) -> tuple[Floats, Floats]:
        """L at the quantiles of Phi(z), and the roots there."""
        if self.terms < FEW_LINES:
            return LevelTable(self._lines).guess(z)
        odds = self._guess_odds(z)
        return odds, self._guess_roots(odds)

    def _guess_odds(self, z: Floats) -> Floats:
        """L at the quantiles of Phi(z), by a cubic through the known ones beside, or the slope at the medians."""
        if self._known is None:
            return np.asarray(self._lines.centre + self._lines.spread * z)
        known = self._known
        with np.errstate(divide="ignore"):
            rate = np.exp(-0.5 * known.scores**2) / np.sqrt(2 * np.pi) / known.density
        return monotone_cubic(known.scores, known.odds, rate, z)

    def _guess_roots(self, odds: Floats) -> Floats:
        """Roots t at given l, on every line by a cubic through those of the known l beside."""
        if self._known is None:
            return np.zeros((len(odds), *self._lines.weight.shape))
        known = self._known
        with np.errstate(divide="ignore"):
            rates = 1 / known.slopes  # of a line that is level there the chord has the word
        return np.clip(monotone_cubic(known.odds, known.roots, rates, odds), -FAR, FAR)

    @cached_property
    def probed(self) -> KnownRoots:
        """L at the quantiles of Phi(PROBES), and the density of L there; from now on all guesses begin at these.

        They are found on the first, coarse rule and carried over to the last, which so has little left to do.
        """
        lines, known = self._settled_on, self._settled
        assert known is not None  # laws are settled before anything is asked
        # on objects of their own, so that nobody who asks meanwhile sees them half-way; from what was settled, which
        # stays as it is: another thread may have replaced the lines since
        fine = type(self)(copy(lines))
        if lines.terms > COARSE:
            coarse = type(self)(copy(lines))
            coarse._known = coarse._carried(known, [FIRST_STEP, FIRST_STEP])
            known = coarse._carried(coarse._solve(PROBES), lines.steps)
        fine._known = known
        parts = zip(*(fine._solve(part) for part in fine._batches(PROBES)), strict=True)
        probed = KnownRoots(*map(np.concatenate, parts))
        fine._known = probed = fine._refined(probed, BETWEEN)
        self._lines, self._known = fine._lines, probed
        if not fine._residual <= BETWEEN:  # nor is it if it is nan, which is kept where it comes first
            self._residual = max(fine._residual, self._residual)
        return probed

    def _carried(self, known: KnownRoots, steps: list[float]) -> KnownRoots:
        """Change the two rules, and carry what is known over to the new lines."""
        both = self._lines.carried(np.concatenate((known.roots, known.slopes)), steps)
        return known._replace(roots=both[: len(known.odds)], slopes=both[len(known.odds) :])

    def settle(self, p: Floats) -> None:
        """Refine the two rules until both are exact to `TOLERANCE` at the quantiles of two p."""
        self._settled = self._known = self._refined(self._solve(ndtri(p)), TOLERANCE)

    def _refined(self, known: KnownRoots, tolerance: float) -> KnownRoots:
        """Refine the two rules until both are exact at what is known, and keep the error that is left.

        The error of a trapezoid rule of an analytic function is e^{-c / step}: if the rule with every second node
        left out is in error by d, the full one is by d^2. Seen on real laws is d^1.5 to d^4; 1.5 is believed, and
        30 d^2 where d is large. A kink in the prevalence leaves a part of d itself. So does what looks like one
        between few nodes, such as the rise of P(kappa <= l) about the prevalence below which no kappa is as low as l;
        that shows at the end, in how slowly d falls (`slow_errors`).
        """
        gaps = self._lines.gaps(known.roots)
        first = gaps, self._lines.steps
        for round_ in range(7):
            errors = [max(gap, 1e-16) ** 1.5 for gap in gaps]
            if self._lines.kinked:
                errors[0] = max(errors[0], gaps[0])
            seen = [self._seen(known, axis, tolerance) for axis in (0, 1)] if tolerance >= BETWEEN else []
            self._residual = max(*errors, *(error for error, _ in seen))
            if self._residual <= tolerance or self.terms > MOST_LINES or round_ == 6:
                break
            aim = np.log(tolerance) * 1.05
            finer = [
                step * max(np.log(error) / aim, 0.25) if error > tolerance else step
                for step, error in zip(self._lines.steps, errors, strict=True)
            ]
            for axis, (error, power) in enumerate(seen):
                if error > tolerance:
                    share = 0.9 * (tolerance / error) ** (1 / max(power, 1.0))
                    least = max(0.25, self.terms / (2 * MOST_LINES))
                    finer[axis] = min(finer[axis], self._lines.steps[axis] * min(max(share, least), 0.7))
            self._known = known = self._carried(known, finer)
            known = self._solve(known.scores, (known.odds, known.roots))
            gaps = self._lines.gaps(known.roots)
        rough = [min(gap, ROUGH * gap * gap) for gap in gaps]
        if self._lines.needled and gaps[0] > NEEDLE:
            rough[0] = gaps[0]
        for axis, (error, _) in enumerate(seen):
            if error > tolerance:  # lines too far apart: what they miss depends on where they happen to lie
                rough[axis] = gaps[axis]
        rough.append(self._lines.stairs(known.roots))
        self._residual = max(self._residual, *rough, *slow_errors(first, (gaps, self._lines.steps)))
        return known

    def _seen(self, known: KnownRoots, axis: int, tolerance: float) -> tuple[float, float]:
        """Error of one rule at what is known, and the power of the step with which it falls.

        Two narrow variables that leave each other's way at a corner have a kink there, which gaps take for smooth.
        Where its frequencies look like one, the lines half-way between are asked: what they give and what the rule
        gives are on either side of the truth.
        """
        missed, power = self._lines.falls(known.roots, axis)
        worst = int(missed.argmax())
        asked = missed > max(tolerance, missed[worst] / ALIKE)
        if axis == 1 and self.terms < FEW_LINES:
            # far out, where the smooth rest is more than a kink is; it costs next to nothing
            asked[[0, 1, -2, -1]] = True
        if not asked.any():
            return 0.0, float(power[worst])  # what may be missed is too little to look for
        other, guess = self._lines.half_way(axis, known.roots[asked])
        roots = type(self)(other)._nearer(known.odds[asked], guess)
        here = np.einsum("kij,ij->k", ndtr(known.roots[asked]), self._lines.weight)
        there = np.einsum("kij,ij->k", ndtr(roots), other.weight)
        return 0.5 * float(np.abs(here - there).max()), float(power[worst])

    def _nearer(self, odds: Floats, t: Floats) -> Floats:
        """Roots of given l from good guesses, by one tangent."""
        value, slope = self._lines.along(t)
        step = np.divide(odds[:, None, None] - value, slope, out=np.zeros_like(value), where=slope > 0)
        return cut(t + cut(step, -1.0, 1.0), -FAR, FAR)
