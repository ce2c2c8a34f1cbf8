"""Means of groups whose size may go with their outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Booleans, Complexes, Floats, Integers, bincount
from howsure.numerics.beta_sum.transforms import FourierSeries, WindowedLaw, equispaced_transform
from howsure.numerics.groups.population_mean import (
    ENOUGH,
    REACH,
    InterpolatedLaw,
    LogDensity,
    PopulationMean,
    distinct,
    in_factors,
    rising,
)
from howsure.numerics.learned.evidence import Tallies, log_rising_excess
from howsure.numerics.learned.hyperparameters import hyperparameter_box

# -- The law of a weighted sum of independent means of populations, by one inversion of its characteristic function ----


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
    """Law of ``shift + sum_i w_i x_i`` of two or more independent `InterpolatedLaw` x_i, from 0 to 1.

    Each characteristic function is a Gauss rule over the density; their product is inverted on a window that holds all
    but about 1e-10 of the mass. ``residual`` bounds the error of the distribution function, which is absolute.
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


# -- The mean of a population of groups whose rate may go with their size ----------------------------------------------

#     theta_g ~ Beta(mu_g kappa, (1 - mu_g) kappa),    logit mu_g = a + b t_g,    b ~ Normal(0, 1)
#
# ``t_g`` is the logarithm of the size of a group. Asked for is the mean of mu_g over the sizes that groups come in: of
# a new group, each counting alike, or of a new case, each counting as its cases. It takes the place of ``a`` and has
# the prior that mu has in `howsure.numerics.groups.population_mean`; where all groups are of one size it is that mu.
# The sizes of new groups are not those of the groups seen: their shares are those of a bootstrap over groups, which
# adds the variance of the mean of mu_g over so many groups.


#: Nodes in y = log kappa, in the slope (so many standard deviations out) and in the logit of the mean.
SPREADS, SLOPES, FAR, MEANS = 17, 9, 3.8, 49

#: The same of so many groups and more, whose logits and slopes are nearly normal, and how far out the last logit lies.
MANY, OF_MANY, NEAR = 50, (13, 7, 31), 10.0

#: How often nodes are laid anew, and how far they may be off, in standard deviations.
TURNS, OFF = 6, 0.6

#: The range of y is narrowed to so many nats below the top.
NATS = 11.0

#: From so many distinct groups on, sizes and counts above the second number are spread over nodes with so wide steps
#: of their logarithm, by polynomials through so many of them.
MOST, SMALL, STEP, POINTS = 250, 8.0, 0.25, 6

#: The law is spread by what sizes may be from so much of its standard deviation on, with nodes so far out.
NOTABLE, AROUND = 0.02, 5.0

#: Nodes of the law, and steps of Newton's method.
NODES, STEPS = 73, 30


#: Sizes whose logarithms are no farther apart are one size.
ALIKE = 0.1


def population_of(
    k: ArrayLike, n: ArrayLike, typical: tuple[float, float], *, by_cases: bool = False
) -> PopulationMean:
    """Population of groups: with rates that may go with their size, where sizes are unlike."""
    cases = np.asarray(n, dtype=float)
    cases = cases[cases > 0]
    if not len(cases) or cases.max() <= np.exp(ALIKE) * cases.min():
        return PopulationMean(k, n, typical)
    return MeanBySize(k, n, typical, by_cases=by_cases)


Entries = tuple[Integers, Floats, Floats]


@dataclass(frozen=True, eq=False)
class _Tallies:
    """Size scores (S,), their weights in the mean, G times their squares, and counts of right and of wrong cases.

    Counts are distinct: score, count and copies (P,) each, small ones as factors; and their sum at each score (S,).
    """

    scores: Floats
    weight: Floats
    square: Floats
    pairs: tuple[tuple[Entries, Entries, Floats], ...]


class MeanBySize(PopulationMean):
    """Mean, Beta(typical), over G groups whose rate may change with their size, or (``by_cases``) over cases."""

    error = 5e-3  # of the cdf, at most, in fourteen worlds beside a grid three times as fine

    def __init__(
        self, k: ArrayLike, n: ArrayLike, typical: tuple[float, float] = (1.0, 1.0), *, by_cases: bool = False
    ) -> None:
        super().__init__(k, n, typical)
        self.by_cases = by_cases

    @cached_property
    def _tallies(self) -> _Tallies:
        """Groups by size score and count; of very many, on nodes of both."""
        logs = np.log(self.n)
        mean = logs.mean()
        rows, times = np.unique(np.stack([self.n, self.k]), axis=1, return_counts=True)
        n, k, copies, many = rows[0], rows[1], times.astype(float), len(times) > MOST
        scores, at, shares = _on_nodes(np.log(n) - mean, many=many)
        each = copies * (n if self.by_cases else 1.0)
        total = float(each.sum())
        weight = _summed(at, shares * (each / total)[:, None], len(scores))
        square = _summed(at, shares * (each**2 / copies * len(self) / total**2)[:, None], len(scores))
        pairs = []
        for count in (k, n - k):
            few = count <= SMALL if many else np.ones(len(count), dtype=bool)
            parts = [
                _pairs(at, shares, copies, count, which, many=large) for which, large in ((few, False), (~few, True))
            ]
            keys, place = np.unique(np.concatenate([part[0] for part in parts], axis=1), axis=1, return_inverse=True)
            amount = bincount(place.ravel(), np.concatenate([part[1] for part in parts]))
            linear = _summed(at, shares * (copies * count)[:, None], len(scores))
            score = keys[0].astype(np.int64)
            few, factors = in_factors(score, keys[1], amount)
            pairs.append(((score[~few], keys[1, ~few], amount[~few]), factors, linear))
        return _Tallies(scores, weight, square, tuple(pairs))

    def _heights(self, t: Floats, b: Floats) -> tuple[Floats, Floats]:
        """Log of the right and the wrong share of each size, (J, M, S) each, where the mean has the logit t."""
        scores, weight = self._tallies.scores, self._tallies.weight
        a = np.broadcast_to(t, b.shape).copy()
        for _ in range(STEPS):
            eta = a[..., None] + b[..., None] * scores
            p, q = special.expit(eta), special.expit(-eta)
            right, wrong = p @ weight, q @ weight
            gap = np.log(right) - np.log(wrong) - t
            # where the tails of two sizes are far apart the slope is small and the step must not run away
            a -= np.clip(gap * right * wrong / ((p * q) @ weight), -3.0, 3.0)
            if float(np.abs(gap).max()) < 1e-10:
                break
        eta = a[..., None] + b[..., None] * scores
        log_q = -np.logaddexp(0, eta)
        return eta + log_q, log_q

    def _log_density(self, t: Floats, b: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Log density at logits of the mean (M,), slopes (J, M) and y (Y,), shape (Y, J, M); sds by sizes, (J, M)."""
        weight, square = self._tallies.weight, self._tallies.square
        shares = self._heights(t, b)
        flat = y[:, None, None] + np.zeros_like(b)
        total = self.model.log_prior(np.broadcast_to(t, b.shape), b, flat)
        for log_share, (large, factors, linear) in zip(shares, self._tallies.pairs, strict=True):
            total = total + log_share @ linear
            place, j, times = factors
            over = j * np.exp(-np.maximum(log_share, -600.0))[..., place]
            for row, log_kappa in enumerate(y.tolist()):
                total[row] += np.log1p(over * np.exp(-log_kappa)) @ times
            place, counts, copies = large
            for row, log_kappa in enumerate(y.tolist() if len(counts) else []):
                logs = np.maximum(log_share[..., place] + log_kappa, -600.0).reshape(b.size, len(counts))
                total[row] += (log_rising_excess(np.exp(logs), logs, counts) @ copies).reshape(b.shape)
        total -= rising(y, *distinct(self.n))[:, None, None]
        # what the mean would be of other groups: as many, their sizes those of a bootstrap
        rates = np.exp(shares[0])
        apart = rates - (rates @ weight)[..., None]
        variance = np.maximum(apart**2 @ square, 0.0) / max(len(self) - 1, 1)
        return total, np.sqrt(variance) / ((rates @ weight) * (np.exp(shares[1]) @ weight))

    @cached_property
    def _grid(self) -> tuple[Floats, float, float, Floats, Floats, Floats, Floats]:
        """Y (Y,), centre, scale and u of the logits, slopes (J, M), log density (Y, J, M) and sds by sizes (J, M)."""
        scores, weight = self._tallies.scores, self._tallies.weight
        seen = self._binned
        (spreads, count, means), far = (OF_MANY, NEAR) if len(self) >= MANY else ((SPREADS, SLOPES, MEANS), REACH)
        t = np.log(seen.n) - np.log(self.n).mean()
        box = hyperparameter_box(
            Tallies(seen.k, seen.n, t, seen.copies, seen.log_broad, seen.place), self.model, (spreads, 5, 7)
        )
        mass = box.weight.sum(axis=1)
        eta = box.a[..., None] + box.b[..., None, None] * scores
        logit = np.log(special.expit(eta) @ weight) - np.log(special.expit(-eta) @ weight)
        b = np.broadcast_to(box.b[..., None], logit.shape)
        low, high = float(box.centre.y[0]), float(box.centre.y[-1])
        z = np.linspace(-FAR, FAR, count)
        u = np.linspace(-1, 1, means) * float(np.arcsinh(far))
        centre, scale, middle, tilt, rest = _moments(mass, logit, b)
        for _ in range(TURNS):
            y, t = np.linspace(low, high, spreads), centre + scale * np.sinh(u)
            slopes = middle + tilt * scale * np.clip(np.sinh(u), -6, 6) + rest * z[:, None]
            log, spread = self._log_density(t, slopes, y)
            height = log + np.log(np.cosh(u))
            mass = np.exp(height - height.max())
            mass /= mass.sum()
            found = _moments(mass, np.broadcast_to(t, mass.shape), np.broadcast_to(slopes, mass.shape))
            fits = abs(found[0] - centre) < OFF * scale and 0.6 < found[1] / scale < 1.6
            fits = fits and abs(found[2] - middle) < OFF * rest and 0.7 < found[4] / rest < 1.4
            profile = np.log(np.maximum(mass.sum(axis=(1, 2)), 1e-300))
            kept = np.flatnonzero(profile > profile.max() - NATS)
            step = (high - low) / (spreads - 1)
            wide = [profile[end] > profile.max() - ENOUGH for end in (0, -1)]
            if fits and not any(wide) and len(kept) > 0.7 * spreads:
                break
            first, last = max(int(kept[0]) - 1, 0), min(int(kept[-1]) + 1, spreads - 1)
            low, high = low + (first - spreads // 3 * wide[0]) * step, low + (last + spreads // 3 * wide[1]) * step
            centre, middle, tilt = found[0], found[2], found[3]
            scale, rest = float(np.clip(found[1], scale / 4, scale * 4)), float(np.clip(found[4], rest / 3, rest * 3))
        return y, centre, scale, u, slopes, log, spread

    @cached_property
    def slope(self) -> tuple[float, float]:
        """Mean and standard deviation of b."""
        _, _, _, u, slopes, log, _ = self._grid
        height = log + np.log(np.cosh(u))
        mass = np.exp(height - height.max()).sum(axis=0)
        mass /= mass.sum()
        mean = float((mass * slopes).sum())
        return mean, float(np.sqrt((mass * (slopes - mean) ** 2).sum()))

    @property
    def rises(self) -> float:
        """Probability that larger groups have the higher rates."""
        mean, sd = self.slope
        return float(special.ndtr(mean / sd))

    @cached_property
    def density(self) -> LogDensity:
        """Density of the logit of the mean."""
        y, centre, scale, u, slopes, log, spread = self._grid
        rows = np.logaddexp.reduce(log, axis=0)
        height = rows + np.log(np.cosh(u))
        mass = np.exp(height - height.max())
        mass /= mass.sum()
        wider = float(np.sqrt(scale**2 + (mass * spread**2).sum()))
        nodes = np.linspace(-1, 1, NODES) * float(np.arcsinh(REACH))
        t = centre + wider * np.sinh(nodes)
        z = np.linspace(-AROUND, AROUND, int(np.clip(2 * AROUND * spread.max() / scale, 7, 100)) * 2 + 1)
        around = -z * z / 2 - np.log(np.exp(-z * z / 2).sum())
        total = np.full(NODES, -np.inf)
        for row, sds, part in zip(rows, spread, mass.sum(axis=1), strict=True):
            if part < 1e-9:
                continue
            one = LogDensity(centre, scale, u, row, self._powers)
            if float(sds[len(u) // 2]) < NOTABLE * scale:
                each = one(t)
            else:
                each = np.logaddexp.reduce(_moved(one, t, z, centre + scale * np.sinh(u), sds) + around, axis=1)
            total = np.logaddexp(total, each + row.max())
        cell = (y[1] - y[0]) * float(slopes[1, len(u) // 2] - slopes[0, len(u) // 2]) / np.sqrt(2 * np.pi)
        copied = self.log_copied(t, cell)
        if copied is not None:
            total = np.logaddexp(total, copied)
        return LogDensity(centre, wider, nodes, total, self._powers)


def _moved(one: LogDensity, t: Floats, z: Floats, at: Floats, sds: Floats) -> Floats:
    """Log density at logits t (M,) of a logit moved by z (Z,) of its sds, (M, Z); the mean of the rate stays."""
    drift = sds**2 / 2 * np.tanh(at / 2)
    steep, steeper = np.gradient(sds, at), np.gradient(drift, at)
    goal = t[:, None] + 0 * z
    x = goal
    for _ in range(TURNS):
        x = goal - np.interp(x, at, drift) - np.interp(x, at, sds) * z
    slope = 1 + np.interp(x, at, steeper) + np.interp(x, at, steep) * z
    return one(x.ravel()).reshape(x.shape) - np.log(np.maximum(slope, 0.1))


def _pairs(
    at: Integers, shares: Floats, copies: Floats, count: Floats, which: Booleans, *, many: bool
) -> tuple[Floats, Floats]:
    """Of some of the groups: scores and counts (2, P), and how many groups stand there (P,)."""
    which = which & (count > 0)
    if not which.any():
        return np.zeros((2, 0)), np.zeros(0)
    nodes, there, parts = _on_nodes(np.log(count[which]), many=many)
    counts = np.exp(nodes)[there] if many else count[which, None]
    amount = shares[which][:, :, None] * (parts * copies[which, None])[:, None]
    place = np.broadcast_to(at[which][:, :, None], amount.shape)
    return np.stack([place.ravel(), np.broadcast_to(counts[:, None], amount.shape).ravel()]), amount.ravel()


def _on_nodes(x: Floats, *, many: bool) -> tuple[Floats, Integers, Floats]:
    """Nodes (S,), and which of them stand for each value with which weights, (N, 1), or (N, POINTS)."""
    if not many:
        nodes, same = np.unique(x, return_inverse=True)
        return nodes, same.reshape(-1, 1), np.ones((len(x), 1))
    place = x / STEP
    first = np.floor(place) - POINTS // 2 + 1
    s = (place - first)[:, None] - np.arange(POINTS)
    apart = np.arange(POINTS)[:, None] - np.arange(POINTS)
    weights = [np.delete(s, j, axis=1).prod(axis=1) / np.delete(apart[j], j).prod() for j in range(POINTS)]
    low = float(first.min())
    nodes = STEP * np.arange(low, float(first.max()) + POINTS)
    return nodes, (first - low).astype(np.int64)[:, None] + np.arange(POINTS), np.stack(weights, axis=1)


def _summed(place: Integers, amount: Floats, size: int) -> Floats:
    return bincount(place.ravel(), amount.ravel(), size)


def _moments(mass: Floats, t: Floats, b: Floats) -> tuple[float, float, float, float, float]:
    """Mean and sd of the logit, mean of the slope, its regression on the logit, and the sd beside that."""
    centre, middle = float((mass * t).sum()), float((mass * b).sum())
    variance = float((mass * (t - centre) ** 2).sum())
    tilt = float((mass * (t - centre) * (b - middle)).sum()) / variance
    rest = float((mass * (b - middle - tilt * (t - centre)) ** 2).sum())
    return centre, float(np.sqrt(variance)), middle, tilt, float(np.sqrt(rest))
