"""The mean over items of theta_i^k, where each theta_i is a Beta given what the population of items is like.

    M = (1/I) sum_i theta_i^k,    theta_i | node ~ Beta(c_i + a, d_i + b),    (a, b) with the probability of the node

One node is a prior that is the same for all items ("flat"); many are those of a population that is learned.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy import special

from howsure.numerics.arrays import Complexes, Floats, Integers, repeat
from howsure.numerics.beta_sum.transforms import FourierSeries, WindowedLaw, equispaced_transform, integer_power
from howsure.numerics.populations.groups import PopulationMean
from howsure.numerics.populations.logit_laws import (
    FIRST,
    MARGIN,
    OUTSIDE,
    PHASE,
    InterpolatedLaw,
    LogDensity,
    until_small,
)

#: Points of the rule in the logit of one rate, over so many standard deviations on either side, or so many nats.
#: The scale of its stretching is no wider than this.
POINTS, SPREADS, NATS, WIDEST = 160, 8.6, 36.0, 2.0

#: Standard deviations on either side of the mean that the window holds.
WINDOW = 14.0

#: Most points of all rules together; beyond, the law is that of its first four moments. Most terms of the series, and
#: numbers that are held at once.
MOST_POINTS, MOST_TERMS, BLOCK = 3_000_000, 3_000, 2_000_000

#: Items of a kind that are drawn; more are drawn for by these.
MOST_DRAWN = 50


def log_raw_moment(a: Floats, b: Floats, power: int) -> Floats:
    """Log of ``E[theta^power]`` of Beta(a, b); shapes broadcast."""
    total = np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)))
    for j in range(power):
        total += np.log((a + j) / (a + b + j))
    return total


class ItemRates:
    """Rates of I items given J nodes (a, b, weight) of a population: what of them is alike is held once."""

    def __init__(self, right: Integers, wrong: Integers, a: Floats, b: Floats, weight: Floats) -> None:
        patterns, place, copies = np.unique(
            np.stack([right, wrong], axis=1), axis=0, return_inverse=True, return_counts=True
        )
        self.place, self.copies = place.ravel(), copies.astype(np.int64)
        self.items, self.weight = len(right), weight
        self.a, self.b = patterns[:, :1] + a, patterns[:, 1:] + b

    def turned(self) -> ItemRates:
        """The rates of wrong runs."""
        made = object.__new__(ItemRates)
        made.place, made.copies, made.items, made.weight = self.place, self.copies, self.items, self.weight
        made.a, made.b = self.b, self.a
        return made

    def raw_moments(self, power: int, most: int) -> list[Floats]:
        """``E[theta^(power r)]`` for r = 1..most, shape (P, J) each."""
        return [np.exp(log_raw_moment(self.a, self.b, power * r)) for r in range(1, most + 1)]

    def draw(self, n: int, rng: np.random.Generator, powers: Sequence[tuple[int, bool]]) -> list[Floats]:
        """Joint draws (n,) of means of powers of theta, or (True) 1 - theta; of very many items some are drawn."""
        node = rng.choice(len(self.weight), n, p=self.weight)
        total = [np.zeros(n) for _ in powers]
        for p, copies in enumerate(self.copies.tolist()):
            a, b = self.a[p, node], self.b[p, node]
            some = min(copies, MOST_DRAWN)
            parts = [np.zeros(n) for _ in powers]
            for _ in range(some):
                theta = rng.beta(a, b)
                for sums, (power, wrong) in zip(parts, powers, strict=True):
                    sums += (1 - theta if wrong else theta) ** power
            for sums, part, (power, wrong) in zip(total, parts, powers, strict=True):
                if some < copies:
                    mean = np.exp(log_raw_moment(*((b, a) if wrong else (a, b)), power))
                    part = copies * mean + np.sqrt(copies / some) * (part - some * mean)
                sums += part
        return [np.clip(sums / self.items, 0.0, 1.0) for sums in total]


class ItemPowers(WindowedLaw):
    """Law of ``shift + coefficient mean_i theta_i^power``; ``mean`` and ``sd`` are exact.

    ``residual`` bounds the error of the cdf: large with a few items of which nothing is known (then draw). With very
    many different items it is Edgeworth's series of the exact first four moments.
    """

    def __init__(self, rates: ItemRates, power: int, *, coefficient: float = 1.0, shift: float = 0.0) -> None:
        self._rates, self._power, self._sign = rates, power, coefficient
        self._within = rates.raw_moments(power, 2)
        share = rates.copies / rates.items
        first = share @ self._within[0]
        variance = share @ (self._within[1] - self._within[0] ** 2) / rates.items
        mean = float(rates.weight @ first)
        self._node_means, self._node_variances = first - mean, variance
        self.mean = shift + coefficient * mean
        self.sd = float(np.sqrt(rates.weight @ (variance + self._node_means**2)))
        self.support = (min(shift, shift + coefficient), max(shift, shift + coefficient))
        self._low = max(self.support[0], self.mean - WINDOW * self.sd)
        self._high = min(self.support[1], self.mean + WINDOW * self.sd)

    @cached_property
    def _inverted(self) -> tuple[FourierSeries, float]:
        period = MARGIN * (self._high - self._low)
        step = 2 * np.pi / period
        cost = self._rates.a.size * POINTS
        phi, left = self._product(step) if cost <= MOST_POINTS else self._edgeworth(step)
        if self._sign < 0:
            phi = phi.conj()
        series = FourierSeries(period, phi)
        ends = series.evaluate(np.array([self._low, self._high]) - self.mean)[0]
        return series, left + abs(float(ends[0])) + abs(1 - float(ends[1]))

    @property
    def _series(self) -> FourierSeries:  # type: ignore[override]  # made when it is asked for
        return self._inverted[0]

    @property
    def residual(self) -> float:  # type: ignore[override]
        """Bound on the error of the distribution function."""
        return self._inverted[1]

    def _product(self, step: float) -> tuple[Complexes, float]:
        """Characteristic function at multiples of a step, from a rule for every rate."""
        rates = self._rates
        patterns, nodes = rates.a.shape
        a, b = rates.a.ravel(), rates.b.ravel()
        places, mass = _rules(a, b, self._power)
        deviation = (places - self._within[0].ravel()[:, None]) / rates.items
        both = np.minimum(mass[:, 1:], mass[:, :-1]) > 1e-8
        widest = float((np.abs(np.diff(deviation, axis=1)) * both).max())
        deviation[mass < OUTSIDE] = 0.0
        most = int(min(MOST_TERMS, max(12, PHASE / (max(widest, 1e-300) * step))))
        copies = repeat(rates.copies, nodes)
        rows = max(1, BLOCK // (2 * POINTS))

        def phi_at(first: int, count: int) -> Complexes:
            parts = [slice(i, i + rows) for i in range(0, len(a), rows)]
            each = [
                integer_power(
                    equispaced_transform(deviation[part], mass[part], first * step, step, count), copies[part]
                )
                for part in parts
            ]
            turned = np.exp(1j * np.outer(self._node_means, step * np.arange(first, first + count)))
            return np.asarray(
                rates.weight @ (np.prod(np.concatenate(each).reshape(patterns, nodes, count), axis=0) * turned)
            )

        return until_small(phi_at, FIRST / (self.sd * step), most)

    def _edgeworth(self, step: float) -> tuple[Complexes, float]:
        """The same from the first four moments of every item."""
        rates = self._rates
        m1, m2, m3, m4 = rates.raw_moments(self._power, 4)
        variance = m2 - m1**2
        third = m3 - 3 * m1 * m2 + 2 * m1**3
        fourth = m4 - 4 * m1 * m3 + 6 * m1**2 * m2 - 3 * m1**4 - 3 * variance**2
        v, k3, k4 = (rates.copies @ x / rates.items**r for r, x in ((2, variance), (3, third), (4, fourth)))
        terms = int(min(MOST_TERMS, np.ceil(8.5 / (float(np.sqrt(v.min())) * step))))
        t = step * np.arange(1, terms + 1)
        s = 1j * t[:, None]
        form = 1 + s**3 * k3 / 6 + s**4 * k4 / 24 + s**6 * k3**2 / 72
        phi = (np.exp(s**2 * v / 2 + s * self._node_means) * form) @ rates.weight
        error = float((rates.weight * (np.abs(k4) / v**2 + k3**2 / v**3)).sum()) / 20
        return phi, error + float(np.abs(phi[-1])) / 4


def _rules(a: Floats, b: Floats, power: int) -> tuple[Floats, Floats]:
    """Places of theta^power of Betas and their probabilities, (R, Q) each: trapezoids in the logit, stretched."""
    mode, spread = np.log(a) - np.log(b), np.sqrt(1 / a + 1 / b)
    scale = np.minimum(4 * spread, WIDEST)
    low, high = (np.arcsinh(np.maximum(SPREADS * spread, NATS / x) / scale) for x in (a, b))
    u = -low[:, None] + (low + high)[:, None] * np.linspace(0, 1, POINTS)
    t = mode[:, None] + scale[:, None] * np.sinh(u)
    log = a[:, None] * t - (a + b)[:, None] * np.logaddexp(0, t) + np.log(np.cosh(u))
    mass = np.exp(log - log.max(axis=1, keepdims=True))
    mass /= mass.sum(axis=1, keepdims=True)
    return special.expit(t) ** power, mass


# -- That all of k runs of a new item are right, or all wrong: E[theta^k] over a population of items -------------------

# Given mean and correlation of the population, theta is Beta(mu kappa, (1 - mu) kappa) and
#
#     E[theta^k] = prod_{j < k} (mu kappa + j) / (kappa + j),
#
# which rises with mu. So its law is that of mu at every kappa, moved along this curve, and added up over kappa.


#: Nodes of the law, and how many of its standard deviations out the farthest lie; nodes that a curve is turned
#: around with, how far out, and steps of Newton's method after that.
NODES, REACH, TURNED, FAR, STEPS = 121, 40.0, 301, 200.0, 6

#: Logarithm of kappa that stands for items whose runs all come out alike.
COPIED = -40.0

#: Cells on each side of the grid that is drawn from, which leaves out nodes of less probability than this.
CELLS, UNSEEN = 150, 1e-9


def expected_power(a: Floats, y: Floats, power: int) -> tuple[Floats, Floats]:
    """Logit of ``E[theta^power]`` at logits a of mu and y = log kappa, and its derivative by a; shapes broadcast."""
    a, y = np.broadcast_arrays(a, y)
    p, q, kappa = special.expit(a), special.expit(-a), np.exp(y)
    log = -np.logaddexp(0, -a)
    slope = q.copy()
    for j in range(1, power):
        # near 1 the factor is 1 less a little, near 0 it is j/(kappa + j) and more
        log = log + np.where(q < 0.5, np.log1p(-q * kappa / (kappa + j)), np.log((p * kappa + j) / (kappa + j)))
        slope = slope + p * q * kappa / (p * kappa + j)
    rest = -np.expm1(log)
    return log - np.log(rest), slope / rest


def population_power(
    population: PopulationMean, power: int, *, wrong: bool = False, coefficient: float = 1.0, shift: float = 0.0
) -> InterpolatedLaw:
    """Law of ``shift + coefficient E[theta^power]``, or of 1 - theta; as good as interpolation between nodes."""
    y, a, mass = population.nodes
    rows, heights = population.densities
    if wrong:
        rows, a = [row.mirrored() for row in rows], -a
    t = expected_power(a[None, :], y[:, None], power)[0]
    centre = float((mass * t).sum())
    scale = float(np.sqrt((mass * (t - centre) ** 2).sum()))
    u = np.linspace(-1, 1, NODES) * float(np.arcsinh(REACH))
    wanted = centre + scale * np.sinh(u)
    stretched = np.sinh(np.linspace(-1, 1, TURNED) * float(np.arcsinh(FAR))) / FAR
    known = float((mass * a).sum()) + max(FAR, float(np.ptp(wanted))) * stretched
    total = np.full(NODES, -np.inf)
    for row, height, log_kappa in zip(rows, heights.tolist(), y.tolist(), strict=True):
        at = np.interp(wanted, expected_power(known, np.array(log_kappa), power)[0], known)
        for _ in range(STEPS):
            here, slope = expected_power(at, np.array(log_kappa), power)
            at = at - (here - wanted) / slope
        total = np.logaddexp(total, row(at) + height - np.log(expected_power(at, np.array(log_kappa), power)[1]))
    if population.copies is not None:  # all runs of an item come out alike: any number of them is one
        row, height, _ = population.copies
        total = np.logaddexp(total, (row.mirrored() if wrong else row)(wanted) + height)
    law = LogDensity(centre, scale, u, total, rows[0].powers)
    return InterpolatedLaw(law, coefficient=coefficient, shift=shift)


def drawn_population(population: PopulationMean, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Joint draws of the logit of mu and of log kappa, shape (n,) each: anywhere in the cells of a fine grid."""
    y, a, mass = population.nodes
    sides = []
    for nodes, weight in ((y, mass.sum(axis=1)), (a, mass.sum(axis=0))):
        seen = np.flatnonzero(weight > UNSEEN)
        low, high = nodes[max(seen[0] - 1, 0)], nodes[min(seen[-1] + 1, len(nodes) - 1)]
        sides.append(np.linspace(low, high, CELLS + 1))
    y, a = ((side[1:] + side[:-1]) / 2 for side in sides)
    log = population.log_density(a, y)
    cells = np.exp(log - log.max())
    cell = rng.choice(cells.size, n, p=(cells / cells.sum()).ravel())
    row, column = np.unravel_index(cell, cells.shape)
    wide, tall = (float(side[1] - side[0]) for side in sides[::-1])
    logits, log_kappa = a[column] + wide * (rng.random(n) - 0.5), y[row] + tall * (rng.random(n) - 0.5)
    if population.copies is not None:
        copied = rng.random(n) < population.copies[2]
        right = np.count_nonzero(population.k)
        (one, other), many = population.model.typical, int(copied.sum())
        rates = rng.beta(one + right, other + len(population) - right, many)
        logits[copied], log_kappa[copied] = special.logit(rates), COPIED
    return logits, log_kappa
