"""Rates and differences of many slices at once: borrowing between slices, weighted sums, draws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from scipy.special import gammaln

from howsure.numerics.arrays import Complexes, Floats, Integers, bincount, repeat
from howsure.numerics.populations.beta_laws import gauss_beta
from howsure.numerics.populations.nodes import TWO_PARTS, Tallies, log_main, size_scores
from howsure.numerics.populations.population import PairedFactors, Population, PopulationNodes
from howsure.numerics.solve import equal_densities, inverted

# -- Many laws of one number at once: their quantiles and shortest intervals, all rows in one loop ---------------------


#: Shares of what is outside that lie below, of intervals among which the shortest is looked for.
TAILS = np.array(
    [1e-6, 0.01, 0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94, 0.97, 0.99, 1 - 1e-6]
)


class BatchLaw(ABC):
    """R laws, each with a density on an interval; what a subclass gives is ``mean, sd, low, high`` (R,) and these."""

    mean: Floats
    sd: Floats
    low: Floats
    high: Floats

    @abstractmethod
    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution function, density and its derivative of some rows at their own points, shape (rows, m) each."""

    def __len__(self) -> int:
        return len(self.mean)

    def below(self, x: float | Floats) -> Floats:
        """``P(X <= x)`` of every law, shape (R,)."""
        place = np.broadcast_to(np.asarray(x, dtype=float), self.mean.shape)
        inside = np.clip(place, self.low, self.high)
        found = self.evaluate(np.arange(len(self)), inside[:, None])[0][:, 0]
        return np.where(place <= self.low, 0.0, np.where(place >= self.high, 1.0, np.clip(found, 0.0, 1.0)))

    def quantile(self, *p: float) -> Floats:
        """Places below which each law has these probabilities, shape (R, len(p))."""
        wanted = np.broadcast_to(np.asarray(p, dtype=float), (len(self), len(p)))
        return inverted(self.evaluate, wanted, self._guess(wanted, np.arange(len(self))), self.low, self.high, self.sd)

    def _guess(self, p: Floats, rows: Integers) -> Floats:
        """Quantiles of the Betas of the same means and variances on the same supports."""
        low, width = self.low[rows], (self.high - self.low)[rows]
        mean = (self.mean[rows] - low) / width
        size = np.maximum(mean * (1 - mean) / (self.sd[rows] / width) ** 2 - 1, 1e-3)
        found = special.betaincinv((mean * size)[:, None], ((1 - mean) * size)[:, None], p)
        return np.asarray(low[:, None] + width[:, None] * found)

    def central(self, level: float) -> tuple[Floats, Floats]:
        """Ends of the central intervals, shape (R,) each."""
        ends = self.quantile((1 - level) / 2, (1 + level) / 2)
        return ends[:, 0], ends[:, 1]

    def shortest(self, level: float) -> tuple[Floats, Floats]:
        """Ends of the shortest intervals, shape (R,) each: highest-density ones where there is one peak.

        Where Newton's method finds no two ends of one density, as of a law that is densest at an end of its support,
        the shortest of some twenty intervals with that probability.
        """
        start = np.stack(self.central(level), axis=1)
        ends, found = equal_densities(self.evaluate, level, start, self.low, self.high)
        rest = np.flatnonzero(~found)
        if len(rest):
            ends[rest] = self._shortest_of_some(rest, level)
        return ends[:, 0], ends[:, 1]

    def _shortest_of_some(self, rows: Integers, level: float) -> Floats:
        """Ends of the shortest interval by a list of lower tails, shape (rows, 2); ends of the support are ends."""
        below = TAILS * (1 - level)
        p = np.broadcast_to(np.concatenate((below, below + level)), (len(rows), 2 * len(below)))
        low, high = self.low[rows], self.high[rows]
        places = inverted(lambda at, x: self.evaluate(rows[at], x), p, self._guess(p, rows), low, high, self.sd[rows])
        one, two = places[:, : len(below)].copy(), places[:, len(below) :].copy()
        one[:, 0] = np.where(one[:, 0] - low < 1e-3 * self.sd[rows], low, one[:, 0])
        two[:, -1] = np.where(high - two[:, -1] < 1e-3 * self.sd[rows], high, two[:, -1])
        at = (two - one).argmin(axis=1)
        every = np.arange(len(rows))
        return np.stack([one[every, at], two[every, at]], axis=1)


# -- Laws of many rates at once, each a mixture of a few Betas ---------------------------------------------------------


class RateMixtures(BatchLaw):
    """R rates, row r of them Beta(a_rc, b_rc) with probability ``mass_rc``; arrays (R, C), rows of masses add to 1."""

    def __init__(self, a: Floats, b: Floats, mass: Floats | None = None) -> None:
        self.a, self.b = a, b
        self.mass = np.ones(a.shape) if mass is None else mass
        self._log = np.log(np.maximum(self.mass, 1e-300)) - special.betaln(a, b)
        p = a / (a + b)
        self.mean = (self.mass * p).sum(axis=1)
        variance = p * (b / (a + b)) / (a + b + 1)
        self.sd = np.sqrt((self.mass * (variance + (p - self.mean[:, None]) ** 2)).sum(axis=1))
        self.low, self.high = np.zeros(len(a)), np.ones(len(a))

    def taken(self, rows: Integers) -> RateMixtures:
        """Some of the rates, in any order, as often as they come."""
        return RateMixtures(self.a[rows], self.b[rows], self.mass[rows])

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution functions, densities and their derivatives of some rates at their own points."""
        a, b, mass, place = self.a[rows, None], self.b[rows, None], self.mass[rows, None], x[:, :, None]
        F = (mass * special.betainc(a, b, place)).sum(axis=2)
        with np.errstate(all="ignore"):
            each = np.exp(self._log[rows, None] + special.xlogy(a - 1, place) + special.xlog1py(b - 1, -place))
            slope = (each * ((a - 1) / place - (b - 1) / (1 - place))).sum(axis=2)
        return F, each.sum(axis=2), slope

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Independent draws of all rates, shape (n, R)."""
        if self.mass.shape[1] == 1:
            return np.asarray(rng.beta(self.a[:, 0], self.b[:, 0], (n, len(self))))
        reached = np.cumsum(self.mass, axis=1)
        reached /= reached[:, -1:]
        which = (rng.random((n, len(self), 1)) > reached[None, :, :-1]).sum(axis=2)
        rows = np.arange(len(self))
        return np.asarray(rng.beta(self.a[rows, which], self.b[rows, which]))


# -- Who is best in which slice, of several classifiers on the same cases: shares of their patterns of right and wrong -

# Cases that all have right, or all wrong, tell nothing. Of the others each slice s has patterns (who is right) with
# shares
#
#     theta_s ~ Dirichlet(m q),    q ~ Dirichlet(1/P, ..., 1/P),    1/(1 + m) ~ Beta(1, 3)
#
# over P patterns: those that occur, and one for all others, in which each classifier is right in half of the cases.
# The posterior is by Gibbs sampling: m given q and the counts on a grid, tables of the Chinese restaurant given m and
# q, q given the tables, shares given m and q (Teh et al. 2006, section 5; West 1992 for the tables).


#: log m on a grid; sweeps that are left out at the beginning.
GRID, BURN = np.linspace(-4.0, 9.0, 40), 100


class PatternShares:
    """Draws of the shares of right answers (``hits`` (P, T)) among telling cases of each slice, ``counts`` (S, P)."""

    def __init__(self, counts: Integers, hits: Integers) -> None:
        self._counts: Floats = np.concatenate((counts, np.zeros((len(counts), 1))), axis=1)
        self._hits: Floats = np.concatenate((hits, np.full((1, hits.shape[1]), 0.5)))
        # one number for each case: which pattern, and how many of its slice and pattern came before it
        place = np.flatnonzero(self._counts)
        sizes = self._counts.ravel()[place].astype(np.int64)
        self._seen = place % self._counts.shape[1], self._counts.ravel()[place]
        self._sizes = np.unique(self._counts.sum(axis=1), return_counts=True)
        self._pattern = repeat(place % self._counts.shape[1], sizes)
        self._before = np.arange(len(self._pattern)) - repeat(np.cumsum(sizes) - sizes, sizes)

    def draw(self, n: int, seed: int, *, borrowing: bool = True) -> Iterator[Floats]:
        """Draws of the share of each classifier in each slice, shape (S, T) each; ``m = 1`` and q even where alone."""
        rng = np.random.default_rng(seed)
        patterns = self._counts.shape[1]
        q: Floats = np.full(patterns, 1 / patterns)
        m = 1.0
        for i in range(-BURN if borrowing else 0, n):
            if borrowing:
                m = self._mass(q, rng)
                opened = rng.random(len(self._pattern)) * (m * q[self._pattern] + self._before) < m * q[self._pattern]
                tables = bincount(self._pattern[opened], minlength=patterns)
                q = np.maximum(_shares(rng, tables + 1 / patterns), 1e-12)
            if i >= 0:
                yield np.einsum(
                    "sp,pt->st", _shares(rng, np.asarray(m * q + self._counts, dtype=np.float64)), self._hits
                )

    def _mass(self, q: Floats, rng: np.random.Generator) -> float:
        """Draw m given q, shares left out."""
        m: Floats = np.exp(GRID)
        log = 3 * GRID - 4 * np.log1p(m)  # 1/(1 + m) ~ Beta(1, 3), as a density of log m
        for size, many in zip(*self._sizes, strict=True):
            log += many * (gammaln(m) - gammaln(m + size))
        base: Floats = np.asarray(m * q[self._seen[0], None], dtype=np.float64)
        log += (gammaln(base + self._seen[1][:, None]) - gammaln(base)).sum(axis=0)
        weight = np.cumsum(np.exp(log - log.max()))
        return float(m[min(int(np.searchsorted(weight, rng.random() * weight[-1])), len(m) - 1)])


def _shares(rng: np.random.Generator, alpha: Floats) -> Floats:
    drawn = rng.standard_gamma(np.maximum(alpha, 1e-9))
    return np.asarray(drawn / np.maximum(drawn.sum(axis=-1, keepdims=True), 1e-300))


# -- Rates of many slices that borrow from each other: the two-part population with slices as its members --------------

#     theta_s ~ Beta(mu_s kappa, (1 - mu_s) kappa),    logit mu_s = a + b t_s     the main part
#     theta_s ~ Beta(1/2, 1/2)                                                   the broad part
#
# with the hyperprior of `howsure.numerics.populations.nodes`; t_s is the log of the slice's cases, centred. Given the
# nodes of the hyperparameters a rate is one of two Betas. All nodes of one kappa are taken together as one Beta of
# their mean and variance, so that a rate is a mixture of some ten Betas.


#: Distinct tallies that the population is learned from at most; of more, so many that are even in size and rate.
MOST_TALLIES = 4_000

#: Numbers that are held at once.
BLOCK = 2_000_000

#: Few tallies: the nodes of one kappa are parted by their a, into so many groups of about one mass.
FEW, PARTS = 60, 3


class BorrowedRates:
    """Posterior of the rates of S slices, k of n cases each (S,), under a population that is learned from them.

    ``rates`` are of the U distinct tallies, ``place`` (S,) says which a slice has; ``typical``, ``spread``, ``slope``
    and ``broad`` are posterior means, spread of rho = 1/(1 + kappa); ``population`` is None where it was learned from
    some.
    """

    def __init__(self, k: ArrayLike, n: ArrayLike) -> None:
        k, n = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
        t = size_scores(n)
        distinct, place = np.unique(np.stack([k, n, t]), axis=1, return_inverse=True)
        self.place: Integers = place.ravel()
        self.population: Population | None = None
        if distinct.shape[1] <= MOST_TALLIES:
            self.population = learned = Population(k, n, t=t)
        else:
            # in the order of sizes, then of rates: every so manyth is a fair part of all
            order = np.lexsort((k / np.maximum(n, 1), n))
            some = order[np.linspace(0, len(order) - 1, MOST_TALLIES).astype(int)]
            learned = Population(k[some], n[some], t=t[some])
        nodes, summary = learned.nodes, learned.summary()
        self.typical, self.spread = summary.recall, summary.correlation
        self.slope, self.broad = summary.slope, summary.broad
        groups = _groups(nodes, PARTS if distinct.shape[1] <= FEW else 1)
        step = max(1, BLOCK // nodes.weight.size)
        parts = [
            _mixture(nodes, groups, *distinct[:, start : start + step]) for start in range(0, distinct.shape[1], step)
        ]
        mass, a, b = (np.concatenate(column) for column in zip(*parts, strict=True))
        self.rates = RateMixtures(a, b, mass)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Joint draws of all rates, shape (n, S); independent ones where the population was learned from a part."""
        if self.population is not None:
            return self.population.draw(n, rng)
        return self.rates.taken(self.place).draw(n, rng)


def _groups(nodes: PopulationNodes, parts: int) -> Integers:
    """Group of each node: its kappa, and which part of the masses of that kappa it lies in by its a."""
    _, sheet = np.unique(nodes.y, return_inverse=True)
    sheet = sheet.ravel()
    if parts == 1:
        return np.asarray(sheet, dtype=np.int64)
    weight = nodes.weight.sum(axis=0)
    order = np.lexsort((nodes.a, sheet))
    reached = np.cumsum(weight[order])
    first = np.concatenate(([0.0], reached))[np.searchsorted(sheet[order], sheet[order])]
    total = bincount(sheet, weight)[sheet[order]]
    part = np.minimum(((reached - weight[order] / 2 - first) / total * parts).astype(int), parts - 1)
    made = np.empty(len(order), dtype=np.int64)
    made[order] = sheet[order] * parts + part
    return np.asarray(np.unique(made, return_inverse=True)[1].ravel(), dtype=np.int64)


def _mixture(nodes: PopulationNodes, group: Integers, k: Floats, n: Floats, t: Floats) -> tuple[Floats, Floats, Floats]:
    """Masses and parameters of the Betas of some tallies, shapes (U, C); the last one is the broad part."""
    log_broad = TWO_PARTS.log_broad(k, n)
    tallies = Tallies(k, n, t, np.zeros(len(k)), log_broad, np.arange(len(k)))
    odds = log_broad - log_main(nodes.a, nodes.b, nodes.y, tallies)
    broad = np.zeros(odds.shape)
    for share, weight in zip(nodes.share, nodes.weight, strict=True):
        logit = (np.log(share) - np.log1p(-share))[:, None] + odds
        broad += weight[:, None] / (1 + np.exp(np.minimum(-logit, 700.0)))
    main = np.maximum(nodes.weight.sum(axis=0)[:, None] - broad, 0.0)
    eta, kappa = nodes.a[:, None] + nodes.b[:, None] * t, np.exp(nodes.y)[:, None]
    size = kappa + n
    # shares of right and of wrong cases by themselves: near an end only one of them has digits
    p = (kappa / (1 + np.exp(-eta)) + k) / size
    q = (kappa / (1 + np.exp(eta)) + n - k) / size
    together = np.zeros((int(group.max()) + 1, len(group)))
    together[group, np.arange(len(group))] = 1.0
    mass = together @ main
    least = np.maximum(mass, 1e-300)
    one, other = (together @ (main * x) / least for x in (p, q))
    apart = np.where(p < q, p - one[group], q - other[group])
    variance = together @ (main * (p * q / (size + 1) + apart**2)) / least
    empty = mass <= 0
    spread = np.where(empty, 1.0, np.maximum(one * other / np.maximum(variance, 1e-300) - 1, 1e-9))
    a, b = (np.where(empty, 1.0, np.maximum(x * spread, 1e-30)) for x in (one, other))
    first, second = TWO_PARTS.broad or (1.0, 1.0)
    mass = np.concatenate((mass, broad.sum(axis=0)[None]))
    return tuple(  # type: ignore[return-value]
        np.ascontiguousarray(x.T)
        for x in (
            mass / mass.sum(axis=0),
            np.concatenate((a, first + k[None])),
            np.concatenate((b, second + (n - k)[None])),
        )
    )


# -- Weighted sums of independent rates, many at once: balanced accuracies, gaps, by one inversion for all rows --------


#: The window reaches so many standard deviations, as far as the support does, and the period a little beyond it.
REACH, MARGIN = 9.0, 1.02

#: The series goes to the frequency so many over the sd; nodes of a Gauss rule for a Beta of that many turns.
LAST, NODES = 14.0, 40

#: Components that a rate keeps in a sum, the last of them its broad part: of some rows, and of more rows than these.
#: The others join their neighbour; components lighter than the last number are left out.
KEPT, KEPT_OF_MANY, MANY, LIGHT = 4, 2, 500, 1e-4

#: Numbers that are held at once.
BLOCK_OF_RATE_SUMS = 1_500_000


class RateSums(BatchLaw):
    """R laws of ``shift + sum_j w_j x_rj`` of independent rates x_rj, row r of the j-th `RateMixtures`.

    Gauss rules for each Beta, inverted by a Fourier series on mean +- 9 sd: the error of the cdf is 1e-4, up to 8e-3
    where one rate is all right or all wrong and much wider than the others.
    """

    def __init__(self, rates: Sequence[RateMixtures], weights: Sequence[float], shift: float = 0.0) -> None:
        rows = len(rates[0])
        every = np.zeros(rows)
        self.mean = shift + every + sum(w * rate.mean for w, rate in zip(weights, rates, strict=True))
        self.sd = np.sqrt(every + sum((w * rate.sd) ** 2 for w, rate in zip(weights, rates, strict=True)))
        self.low = every + shift + sum(min(w, 0.0) for w in weights)
        self.high = every + shift + sum(max(w, 0.0) for w in weights)
        self._from = np.maximum(self.low, self.mean - REACH * self.sd)
        self._to = np.minimum(self.high, self.mean + REACH * self.sd)
        period = MARGIN * (self._to - self._from)
        self._step = 2 * np.pi / period
        terms = int(np.ceil((LAST / self.sd / self._step).max()))
        self._wave = np.zeros((rows, terms), dtype=complex)
        kept = KEPT if rows <= MANY else KEPT_OF_MANY
        few = [_fewer(rate, kept) for rate in rates]
        size = max(1, BLOCK_OF_RATE_SUMS // (NODES * kept))
        for start in range(0, rows, size):
            part = slice(start, start + size)
            made = np.ones((len(every[part]), terms), dtype=complex)
            for (a, b, mass), w in zip(few, weights, strict=True):
                made *= _transforms(a[part], b[part], mass[part], w * self._step[part], terms)
            turn = shift - self._from[part]
            self._wave[part] = made * np.exp(1j * (self._step[part] * turn)[:, None] * np.arange(1, terms + 1))
        self._period = period

    def evaluate(self, rows: Integers, x: Floats) -> tuple[Floats, Floats, Floats]:
        """Distribution functions, densities and their derivatives of some rows at their own points."""
        first, period, step = self._from[rows, None], self._period[rows, None], self._step[rows, None]
        away = np.clip(x, first, self._to[rows, None]) - first
        terms = self._wave.shape[1]
        turn = np.exp(-1j * step * away)
        power, F, f, slope = np.ones_like(turn), away / period, np.ones(x.shape), np.zeros(x.shape)
        for j in range(1, terms + 1):
            power = power * turn
            wave = self._wave[rows, j - 1, None]
            here = wave * power
            F += ((here - wave) * (1j / (j * np.pi))).real
            f += 2 * here.real
            slope += 2 * j * here.imag
        return np.clip(F, 0.0, 1.0), np.maximum(f, 0.0) / period, slope * step / period


def _transforms(a: Floats, b: Floats, mass: Floats, step: Floats, terms: int) -> Complexes:
    """Characteristic functions of mixtures of Betas at 1, 2, ... times a step, shape (R, terms)."""
    used = mass > LIGHT * mass.max(axis=1, keepdims=True)
    row = np.nonzero(used)[0]
    first_of_row = np.concatenate(([0], np.cumsum(used.sum(axis=1))[:-1]))
    share = np.where(used, mass, 0.0)
    share /= share.sum(axis=1, keepdims=True)
    places, shares = gauss_beta(a[used], b[used], NODES)
    power = (share[used][:, None] * shares).astype(complex)
    turn = np.exp(1j * step[row, None] * places)
    made = np.empty((len(row), terms), dtype=complex)
    for i in range(terms):
        power *= turn
        made[:, i] = power.sum(axis=1)
    return np.asarray(np.add.reduceat(made, first_of_row, axis=0))


def _fewer(rates: RateMixtures, kept: int) -> tuple[Floats, Floats, Floats]:
    """At most so many Betas for each rate, neighbours in the spread taken together with their mean and variance."""
    a, b, mass = rates.a, rates.b, rates.mass
    if a.shape[1] <= kept:
        return a, b, mass
    main = slice(0, a.shape[1] - 1)  # the last one is the broad part and stays what it is
    reached = np.cumsum(mass[:, main], axis=1)
    middle = (reached - mass[:, main] / 2) / np.maximum(reached[:, -1:], 1e-300)
    group = np.minimum((middle * (kept - 1)).astype(int), kept - 2)
    p, q = a / (a + b), b / (a + b)
    variance = p * q / (a + b + 1)
    made = []
    for i in range(kept - 1):
        held = np.where(group == i, mass[:, main], 0.0)
        total = held.sum(axis=1)
        least = np.maximum(total, 1e-300)
        one, other = ((held * x[:, main]).sum(axis=1) / least for x in (p, q))
        spread = (held * (variance[:, main] + (p[:, main] - one[:, None]) ** 2)).sum(axis=1) / least
        size = np.where(total > 0, np.maximum(one * other / np.maximum(spread, 1e-300) - 1, 1e-9), 2.0)
        made.append((*(np.where(total > 0, np.maximum(x * size, 1e-12), 1.0) for x in (one, other)), total))
    made.append((a[:, -1], b[:, -1], mass[:, -1]))
    return tuple(np.stack(column, axis=1) for column in zip(*made, strict=True))  # type: ignore[return-value]


# -- Two classifiers in many slices of the same cases: their differences jointly, borrowing between slices, and alone --

# A difference of recalls is d (2 s - 1), with d how often exactly one of the two is right and s how often that is the
# first. Borrowing, d and s are populations over the slices (`howsure.numerics.populations.population`); alone, they are
# Beta(1, 1) and Beta(1/2, 1/2), which is Dirichlet(1/2, 1/2, 1/2, 1/2) of the four cells.


#: From so many slices on they borrow from each other.
FEWEST_BORROWING = 3

#: Numbers drawn at a time.
BLOCK_OF_PAIRS = 1_000_000


class PairedSlices:
    """Joint posterior of the differences of two classifiers in S slices, each the mean of J differences of rates.

    ``cells``, shape (J, S, 4), are cases that both have right, only the first, only the second, neither. The counts
    decide who comes first inside, so that swapped classifiers have the same answer with the opposite sign.
    """

    def __init__(self, cells: Integers, *, borrowing: bool) -> None:
        first, second = cells[..., 1].ravel(), cells[..., 2].ravel()
        unlike = np.flatnonzero(first != second)
        self._sign = -1.0 if len(unlike) and first[unlike[0]] < second[unlike[0]] else 1.0
        self._cells = cells if self._sign > 0 else cells[..., [0, 2, 1, 3]]
        self._families = [PairedFactors(each) for each in self._cells] if borrowing else None

    @property
    def mean(self) -> Floats:
        """Mean of every difference, shape (S,), in closed form."""
        made = np.zeros(self._cells.shape[1])
        if self._families is None:
            first, second = self._cells[..., 1], self._cells[..., 2]
            together = first + second
            each = (together + 1) / (self._cells.sum(axis=-1) + 2) * (first - second) / (together + 1)
            made += each.mean(axis=0)
        else:
            for family in self._families:
                made += family.discordance.moments[0] * (2 * family.direction.moments[0] - 1) / len(self._families)
        return self._sign * made

    def draw(self, n: int, seed: int) -> Iterator[Floats]:
        """Joint draws of all differences, in blocks (some, S) that are together ``n``."""
        count, slices = self._cells.shape[:2]
        streams = [[np.random.default_rng([seed, j, kind]) for kind in range(2)] for j in range(count)]
        step = max(1, BLOCK_OF_PAIRS // slices)
        for start in range(0, n, step):
            many = min(step, n - start)
            made = np.zeros((many, slices))
            for j, rngs in enumerate(streams):
                d, s = self._factors(j, many, rngs)
                made += d * (2 * s - 1) / count
            yield self._sign * made

    def _factors(self, j: int, n: int, rngs: Sequence[np.random.Generator]) -> tuple[Floats, Floats]:
        if self._families is not None:
            family = self._families[j]
            return family.discordance.draw(n, rngs[0]), family.direction.draw(n, rngs[1])
        both, first, second, neither = self._cells[j].T
        shape = (n, len(both))
        return (
            rngs[0].beta(1.0 + first + second, 1.0 + both + neither, shape),
            rngs[1].beta(0.5 + first, 0.5 + second, shape),
        )


def ends_of_draws(values: Floats, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
    """Ends of the intervals of columns of draws, shape (n, S) to (S,) each."""
    return ends_in_order(np.sort(values, axis=0), level, kind)


def ends_in_order(ordered: Floats, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
    """The same of columns in increasing order; undefined draws come last and are left out."""
    if kind == "central" or np.isnan(ordered[-1]).any():
        low, high = np.nanquantile(ordered, [(1 - level) / 2, (1 + level) / 2], axis=0)
        return np.asarray(low), np.asarray(high)
    inside = int(np.ceil(level * len(ordered)))
    at = (ordered[inside - 1 :] - ordered[: len(ordered) - inside + 1]).argmin(axis=0)
    columns = np.arange(ordered.shape[1])
    return ordered[at, columns], ordered[at + inside - 1, columns]


# -- Metrics of many slices that have no law in closed form: drawn, all slices of a block at once ----------------------


#: Numbers that are held at once.
BLOCK_OF_DRAWN_SLICES = 4_000_000

Tables = Callable[[int, int], Integers]


class DrawnSlices:
    """Draws of a metric in S slices, and in the others together: tables of Dirichlet rows times a Dirichlet prevalence.

    ``counts`` gives the tables (some, K, K) of the slices from a first to before a last one, ``total`` (K, K) is of
    all; ``row`` (K, K) and ``share`` (K,) are pseudo-counts. ``mean``, ``gap_mean`` and ``below`` (S,) are means of the
    metric and of its gap to the others, and P(gap < 0), of defined draws.
    """

    def __init__(
        self, counts: Tables, total: Integers, row: Floats, share: Floats, formula: Callable[[Floats], Floats],
        slices: int, draws: int, seed: int,
    ) -> None:  # fmt: skip
        rng = np.random.default_rng(seed)
        self.slices, self.draws = slices, draws
        size = len(total)
        self._values, self._gaps = np.empty((slices, draws), np.float32), np.empty((slices, draws), np.float32)
        step = max(1, BLOCK_OF_DRAWN_SLICES // (draws * size * size))
        for start in range(0, slices, step):
            end = min(start + step, slices)
            seen = counts(start, end)
            own, others = (
                formula(_tables(rng, table + row, table.sum(axis=-1) + share, draws)) for table in (seen, total - seen)
            )
            self._values[start:end], self._gaps[start:end] = own, own - others
        known = ~np.isnan(self._gaps)
        with np.errstate(invalid="ignore"):
            self.mean, self.gap_mean = (
                np.where(np.isnan(x), 0, x).sum(axis=1, dtype=float) / (~np.isnan(x)).sum(axis=1)
                for x in (self._values, self._gaps)
            )
            self.below = ((self._gaps < 0) & known).sum(axis=1) / known.sum(axis=1)

    def interval(self, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
        """Ends of the intervals of the metric."""
        return ends_in_order(np.sort(self._values, axis=1).astype(float).T, level, kind)

    def gap_interval(self, level: float, kind: Literal["hdi", "central"]) -> tuple[Floats, Floats]:
        """Ends of the intervals of the gaps."""
        return ends_in_order(np.sort(self._gaps, axis=1).astype(float).T, level, kind)

    def extremes(self, *, lower: bool) -> tuple[Floats, Floats]:
        """How often each slice is the worst one, and the draws of the gap between the best and the worst."""
        values = self._values
        highest = np.where(np.isnan(values), -np.inf, values)
        lowest = np.where(np.isnan(values), np.inf, values)
        worst = times_worst(highest if lower else lowest, lower=lower) / self.draws
        return worst, np.asarray(highest.max(axis=0) - lowest.min(axis=0), float)


def times_worst(values: NDArray[np.floating], *, lower: bool) -> Floats:
    """In how many draws each slice is the worst one, of values of shape (slices, draws).

    Slices that tie share the draw: rates that round to 1 would otherwise all count for the slice that comes first.
    """
    tied = values == (values.max(axis=0) if lower else values.min(axis=0))
    return np.asarray(tied @ (1.0 / tied.sum(axis=0)), float)


def _tables(rng: np.random.Generator, rows: Floats, shares: Floats, draws: int) -> Floats:
    cells = rng.standard_gamma(np.broadcast_to(rows[:, None], (len(rows), draws, *rows.shape[1:])))
    with np.errstate(invalid="ignore"):
        cells /= cells.sum(axis=-1, keepdims=True)
    phi = rng.standard_gamma(np.broadcast_to(shares[:, None], (len(rows), draws, shares.shape[1])))
    phi /= phi.sum(axis=-1, keepdims=True)
    return np.asarray(cells * phi[..., None])
