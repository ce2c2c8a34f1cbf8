"""The mean of a population of groups."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat
from howsure.numerics.learned.beta_mixture import NODES as LOGIT_NODES
from howsure.numerics.learned.beta_mixture import UNRESOLVED, WEIGHTS, LogitLaw
from howsure.numerics.learned.evidence import ONE_PART, Tallies, log_rising_excess
from howsure.numerics.learned.hyperparameters import hyperparameter_box

# -- A law whose density on the logit scale is known at nodes that are even on a stretched scale -----------------------


#: Nodes that one interpolated value is made from.
POINTS = 8

#: Panels at first, and logarithm of the density, below its top, at which they end. Farther than the second number of
#: logits floats are 0 or 1.
PANELS, BEYOND, FARTHEST = 16, 26.0, 36.0


class LogDensity:
    """Log of a density of a logit: interpolated between nodes, straight outside of them, and scaled to mass 1.

    The nodes ``u`` (M,) are even, on the stretched scale ``t = centre + scale sinh(u)``; ``values`` (M,) are the log
    density of t there, up to a constant. The density falls like ``exp(-power |t|)`` below and above.
    """

    def __init__(self, centre: float, scale: float, u: Floats, values: Floats, powers: tuple[float, float]) -> None:
        self.centre, self.scale, self.powers = centre, scale, powers
        self._u, self._step = u, float(u[1] - u[0])
        self._values = values - values.max()
        self.ends = centre + scale * float(np.sinh(u[0])), centre + scale * float(np.sinh(u[-1]))

    def __call__(self, t: Floats) -> Floats:
        """Log density at logits (n,), up to a constant."""
        low, high = self.ends
        inside = np.clip(t, low, high)
        place = (np.arcsinh((inside - self.centre) / self.scale) - self._u[0]) / self._step
        points = min(POINTS, len(self._u))
        first = np.clip(place.astype(int) - points // 2 + 1, 0, len(self._u) - points)
        s = place - first
        # products of the distances to the nodes before and after each: no division by 0 at a node
        after = [np.ones(len(t))]
        for i in range(points - 1, 0, -1):
            after.append(after[-1] * (s - i))
        total, before = np.zeros(len(t)), np.ones(len(t))
        for j in range(points):
            own = (-1) ** (points - 1 - j) / (math.factorial(j) * math.factorial(points - 1 - j))
            total += own * before * after.pop() * self._values[first + j]
            before *= s - j
        return np.asarray(total - self.powers[0] * (inside - t).clip(0) - self.powers[1] * (t - inside).clip(0))

    def mirrored(self) -> LogDensity:
        """The density of -t."""
        return LogDensity(-self.centre, self.scale, -self._u[::-1], self._values[::-1], self.powers[::-1])

    def range(self) -> tuple[float, float]:
        """Logits that hold all but next to nothing of the mass."""
        far = self._values > -BEYOND
        first, last = int(np.argmax(far)), len(far) - 1 - int(np.argmax(far[::-1]))
        low, high = (
            self.centre + self.scale * float(np.sinh(self._u[i]))
            for i in (max(first - 1, 0), min(last + 1, len(far) - 1))
        )
        if first == 0:
            low -= (BEYOND + float(self._values[0])) / self.powers[0]
        if last == len(far) - 1:
            high += (BEYOND + float(self._values[-1])) / self.powers[1]
        return max(low, -20 * FARTHEST), min(high, FARTHEST)


class InterpolatedLaw(LogitLaw):
    """Law of ``shift + coefficient x``, where the logit of x has a `LogDensity`."""

    def __init__(self, density: LogDensity, *, coefficient: float = 1.0, shift: float = 0.0) -> None:
        # z is 0 at the end where there is more mass: floats are dense there
        turned = density.centre > 0
        super().__init__(*((shift + coefficient, -coefficient) if turned else (shift, coefficient)))
        self._log = density.mirrored() if turned else density
        self._scale = 0.0
        low, high = self._log.range()
        u = np.arcsinh((np.array([low, high]) - self._log.centre) / self._log.scale)
        edges = self._log.centre + self._log.scale * np.sinh(np.linspace(u[0], u[1], PANELS + 1))
        self._resolve(edges)
        half = np.diff(self._edges) / 2
        self._scale = -float(np.log(2 * (half * self._series[:, 0]).sum()))
        self._series = self._series * np.exp(self._scale)
        self.residual = self._integrate(0.0, 0.0) + 2 * UNRESOLVED
        x, weight = self.rule()
        z = (x - self._at_zero) / self._factor
        self._z_mean = float(weight @ z)
        self._z_sd = float(np.sqrt(weight @ (z - self._z_mean) ** 2))
        self.mean, self.sd = self._at_zero + self._factor * self._z_mean, abs(self._factor) * self._z_sd

    def _density(self, t: Floats) -> Floats:
        with np.errstate(under="ignore"):
            return np.exp(self._log(t) + self._scale)

    def rule(self, pieces: int = 1) -> tuple[Floats, Floats]:
        """Quadrature of any smooth function of the law, ``pieces`` a panel: places and probabilities, (Q,) each."""
        edges = self._edges[:-1, None] + np.diff(self._edges)[:, None] * np.arange(pieces) / pieces
        edges = np.append(edges.ravel(), self._edges[-1])
        half = np.diff(edges)[:, None] / 2
        t = (edges[:-1, None] + half + half * LOGIT_NODES).ravel()
        weight = (half * WEIGHTS).ravel() * self._density(t)
        kept = weight > 1e-14
        return self._at_zero + self._factor * special.expit(t[kept]), weight[kept] / weight[kept].sum()

    @property
    def _ends(self) -> tuple[float, float]:
        return self._end(-30.0, self._log.powers[0]), self._end(30.0, self._log.powers[1])

    def _end(self, t: float, power: float) -> float:
        """Limit of the density of z, which falls like z to this power less 1, from a logit far out."""
        beside = float(self._density(np.array([t]))[0]) * float(np.exp(30.0))
        return np.inf if power < 1 else beside if power == 1 else 0.0

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent values, shape (n,), by the distribution function at the edges of 1,000 cells."""
        low, high = self._log.range()
        u = np.arcsinh((np.array([low, high]) - self._log.centre) / self._log.scale)
        t = np.linspace(u[0], u[1], 1001)
        t = self._log.centre + self._log.scale * np.sinh(t)
        below = self._at(special.expit(t))[0]
        z = special.expit(np.interp(rng.random(n), below, t))
        return np.asarray(self._at_zero + self._factor * z)


# -- The mean of a population of groups, and how alike the cases of one group are --------------------------------------

#     theta_g | mu, rho ~ Beta(mu kappa, (1 - mu) kappa),    k_g | theta_g ~ Binomial(n_g, theta_g)
#     mu ~ Beta(1, 1),    rho = 1/(1 + kappa) ~ Beta(1, 3), or 1 with probability 1/10
#
# ``theta_g`` is the rate of group g, ``mu`` what a new case from a new group may expect, and ``rho`` the correlation
# of two cases of one group (the intraclass correlation). The rates integrate out: k_g is beta-binomial (Griffiths
# 1973; Brodersen et al. 2013 for classifiers, with a normal in place of the Beta). Where rho is 1 the cases of a group
# are copies of one, and a group counts as one case; that is possible only where no group is right in part.


#: Nodes in y = log kappa, and in the logit of mu, whose farthest are so many of its standard deviations out.
SPREADS, MEANS, REACH = 25, 73, 30.0

#: Where nodes lie is found from groups in bins of the logarithm of the size and of the share of right cases.
BIN_OF_SIZE, BIN_OF_SHARE = 0.4, 0.08

#: The range of y is widened where an end of it is less than so many nats below the top, and narrowed to so many; how
#: often at most, and by how many nodes.
ENOUGH, NATS, TURNS, FAR_MORE = 9.0, 13.0, 12, 12

#: From so many distinct counts on near ones, from 200 cases on, are taken together, within so much of their logarithm.
MANY, WIDTH, EXACT = 1_000, 0.01, 200.0

#: Probability beforehand that cases of one group are copies of one case (rho = 1), which Beta(1, 3) has none of.
COPIES = 0.1

#: Where the prior of y is added up.
EVERY_Y = np.linspace(-40.0, 40.0, 1_601)

#: Numbers that are held at once.
BLOCK = 4_000_000

#: A rising factorial is taken factor by factor where so many factors cost no more than one Stirling series.
FACTORS = 16


class PopulationMean:
    """Posterior of the mean mu ~ Beta(typical) of a population of groups, k of n cases right each (G,)."""

    #: Error of the cdf beside that of interpolation.
    error = 0.0

    def __init__(self, k: ArrayLike, n: ArrayLike, typical: tuple[float, float] = (1.0, 1.0)) -> None:
        k, n = np.array(k, dtype=float), np.array(n, dtype=float)
        used = n > 0
        self.k, self.n, self.model = k[used], n[used], replace(ONE_PART, typical=typical)
        if not len(self.k) or min(typical) <= 0 or np.any((self.k < 0) | (self.k > self.n)):
            raise ValueError("a population needs groups with 0 <= k <= n cases, and a proper prior of its mean")

    def __len__(self) -> int:
        return len(self.k)

    @cached_property
    def _binned(self) -> Tallies:
        keys = np.round([np.log(self.n) / BIN_OF_SIZE, self.k / self.n / BIN_OF_SHARE])
        place = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
        copies = bincount(place).astype(float)
        k, n = (bincount(place, x) / copies for x in (self.k, self.n))
        return Tallies(k, n, np.zeros(len(k)), copies, self.model.log_broad(k, n), place)

    @cached_property
    def _surface(self) -> tuple[Floats, float, float, Floats, Floats]:
        """Nodes y (Y,), the scale of the logits (centre, scale, u) and the log density (Y, M)."""
        box = hyperparameter_box(self._binned, self.model, (SPREADS, 1, 9))
        weight = box.weight.sum(axis=1)
        centre = float((weight * box.a).sum())
        scale = float(np.sqrt((weight * (box.a - centre) ** 2).sum()))
        low, high = float(box.centre.y[0]), float(box.centre.y[-1])
        u = np.linspace(-1, 1, MEANS) * float(np.arcsinh(REACH))
        for _ in range(TURNS):  # bins are no groups: the nodes follow what the groups say
            y, a = np.linspace(low, high, SPREADS), centre + scale * np.sinh(u)
            surface = self.log_density(a, y)
            height = surface + np.log(np.cosh(u))
            profile = np.logaddexp.reduce(height, axis=1)
            profile -= profile.max()
            mass = np.exp(height - height.max())
            mass /= mass.sum()
            mean = float((mass @ a).sum())
            sd = float(np.sqrt((mass @ (a - mean) ** 2).sum()))
            kept = np.flatnonzero(profile > -NATS)
            step = (high - low) / (SPREADS - 1)
            below, above = (FAR_MORE if profile[end] > -ENOUGH else 1 for end in (0, -1))
            first, last = max(int(kept[0]) - below, -FAR_MORE), min(int(kept[-1]) + above, SPREADS - 1 + FAR_MORE)
            first, last = first if below > 1 else max(first, 0), last if above > 1 else min(last, SPREADS - 1)
            if (
                below == above == 1
                and last - first > 0.55 * SPREADS
                and abs(mean - centre) < scale
                and 0.5 < sd / scale < 2
            ):
                break
            low, high = low + first * step, low + last * step
            centre, scale = mean, max(sd, scale / 8)
        return y, centre, scale, u, surface

    def log_density(self, a: Floats, y: Floats) -> Floats:
        """Log posterior density of the logits (M,) of mu and of y = log kappa (Y,), up to a constant, (Y, M)."""
        log_q = -np.logaddexp(0, a)
        log_p = a + log_q
        total = self.model.log_prior(a, np.zeros_like(a), y[:, None] + 0 * a)
        for log_share, count in ((log_p, self.k), (log_q, self.n - self.k)):
            counts, copies = distinct(count)
            log_x = np.maximum(log_share + y[:, None], -600.0).ravel()
            total = total + log_share * float(copies @ counts) + rising(log_x, counts, copies).reshape(total.shape)
        counts, copies = distinct(self.n)
        return np.asarray(total - rising(y, counts, copies)[:, None])

    @cached_property
    def nodes(self) -> tuple[Floats, Floats, Floats]:
        """Nodes y = log kappa (Y,), logits of mu (M,), and their probabilities (Y, M)."""
        y, centre, scale, u, surface = self._surface
        height = surface + np.log(np.cosh(u))
        mass = np.exp(height - height.max())
        return y, centre + scale * np.sinh(u), mass / mass.sum()

    @cached_property
    def densities(self) -> tuple[list[LogDensity], Floats]:
        """Density of the logit of mu at every node y, and the logarithm of its height (Y,)."""
        _, centre, scale, u, surface = self._surface
        return [LogDensity(centre, scale, u, row, self._powers) for row in surface], surface.max(axis=1)

    @property
    def _powers(self) -> tuple[float, float]:
        right, wrong = np.count_nonzero(self.k), np.count_nonzero(self.k < self.n)
        return self.model.typical[0] + right, self.model.typical[1] + wrong

    @cached_property
    def density(self) -> LogDensity:
        """Density of the logit of mu."""
        _, centre, scale, u, surface = self._surface
        rows = np.logaddexp.reduce(surface, axis=0)
        if self._copied is not None:
            rows = np.logaddexp(rows, self._copied)
        return LogDensity(centre, scale, u, rows, self._powers)

    @cached_property
    def _copied(self) -> Floats | None:
        y, centre, scale, u, _ = self._surface
        return self.log_copied(centre + scale * np.sinh(u), float(y[1] - y[0]))

    def log_copied(self, a: Floats, cell: float) -> Floats | None:
        """What rho = 1 adds at each logit (M,) to a density that is a sum of so wide cells; None where it cannot be 1.

        It can where all cases of each group are right, or all wrong, and groups differ: then cases of a group say no
        more than one of them, however many there are.
        """
        right = self.k == self.n
        if not np.all(right | (self.k == 0)) or right.all() or not right.any() or self.n.max() <= 1:
            return None
        known = float(np.count_nonzero(right))
        log_q = -np.logaddexp(0, a)
        prior = np.logaddexp.reduce(self.model.log_prior(a, np.zeros_like(a), EVERY_Y[:, None] + 0 * a), axis=0)
        odds = np.log(COPIES / (1 - COPIES) * (EVERY_Y[1] - EVERY_Y[0]) / cell)
        return np.asarray(prior + odds + known * (a + log_q) + (len(self) - known) * log_q)

    @cached_property
    def copies(self) -> tuple[LogDensity, float, float] | None:
        """Density of the logit of mu where rho is 1, the logarithm of its height, and the probability that it is."""
        if self._copied is None:
            return None
        _, centre, scale, u, surface = self._surface
        row, stretch = self._copied, np.log(np.cosh(u))
        inside = np.logaddexp.reduce(row + stretch)
        whole = np.logaddexp(inside, np.logaddexp.reduce((surface + stretch).ravel()))
        return LogDensity(centre, scale, u, row, self._powers), float(row.max()), float(np.exp(inside - whole))

    @cached_property
    def law(self) -> InterpolatedLaw:
        """Law of mu."""
        return InterpolatedLaw(self.density)

    @cached_property
    def correlation(self) -> InterpolatedLaw:
        """Law of rho, the correlation of two cases of one group."""
        y, _, scale, u, surface = self._surface
        profile = np.logaddexp.reduce(surface + np.log(scale * np.cosh(u)), axis=1)
        mixed = np.count_nonzero((self.k > 0) & (self.k < self.n))
        # the logit of rho is -y; an even scale is a stretched one far from where it bends
        t, far = -y[::-1], 1e4 * float(np.ptp(y))
        even = (t - t.mean()) / far
        return InterpolatedLaw(LogDensity(float(t.mean()), far, even, profile[::-1], (1.0, self.model.spread + mixed)))


def distinct(count: Floats) -> tuple[Floats, Floats]:
    """Distinct counts above 0 and how often they come; of very many, large ones within a fraction of a percent."""
    counts, copies = np.unique(count[count > 0], return_counts=True)
    times = copies.astype(float)
    if len(counts) <= MANY:
        return counts, times
    cell = np.where(counts < EXACT, counts, EXACT + np.floor(np.log(counts / EXACT + 1e-12) / WIDTH))
    place = np.unique(cell, return_inverse=True)[1].ravel()
    together = bincount(place, times)
    return bincount(place, times * counts) / together, together.astype(float)


def in_factors(place: Integers, counts: Floats, copies: Floats) -> tuple[Booleans, tuple[Integers, Floats, Floats]]:
    """Which rising factorials are products of ``1 + j/x``: places of factors, sorted, their j, and their copies."""
    rank = np.arange(len(counts)) - np.searchsorted(place, place) + 1
    few = (counts == np.floor(counts)) & (counts <= FACTORS * rank)
    whole = counts[few].astype(np.int64)
    held = np.zeros((int(place.max(initial=0)) + 1, int(whole.max(initial=0)) + 1))
    np.add.at(held, (place[few], whole), copies[few])
    above = np.cumsum(held[:, :1:-1], axis=1)[:, ::-1]
    of, j = np.nonzero(above)
    return np.asarray(few), (of.astype(np.int64), np.asarray(j + 1.0), np.asarray(above[of, j]))


def rising(log_x: Floats, counts: Floats, copies: Floats) -> Floats:
    """Sum over groups of what a rising factorial of x (X,) is above a power, shape (X,)."""
    total, x, step = np.zeros(len(log_x)), np.exp(log_x)[:, None], max(1, BLOCK // max(1, len(log_x)))
    few, (_, j, times) = in_factors(np.zeros(len(counts), dtype=np.int64), counts, copies)
    counts, copies = counts[~few], copies[~few]
    for start in range(0, len(j), step):
        total += np.log1p(j[start : start + step] / x) @ times[start : start + step]
    for start in range(0, len(counts), step):
        part, many = counts[start : start + step], copies[start : start + step]
        logs = repeat(log_x[:, None], len(part), axis=1)
        total += log_rising_excess(repeat(x, len(part), axis=1), logs, part) @ many
    return total


# -- That all of k runs of a new item are right, or all wrong: E[theta^k] over a population of items -------------------

# Given mean and correlation of the population, theta is Beta(mu kappa, (1 - mu) kappa) and
#
#     E[theta^k] = prod_{j < k} (mu kappa + j) / (kappa + j),
#
# which rises with mu. So its law is that of mu at every kappa, moved along this curve, and added up over kappa.


#: Nodes of the law, and how many of its standard deviations out the farthest lie; nodes that a curve is turned
#: around with, how far out, and steps of Newton's method after that.
NODES, REACH_OF_POPULATION_POWER, TURNED, FAR, STEPS = 121, 40.0, 301, 200.0, 6

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
    u = np.linspace(-1, 1, NODES) * float(np.arcsinh(REACH_OF_POPULATION_POWER))
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
