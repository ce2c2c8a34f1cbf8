"""The population that the entries of a board are a sample from: of separate test sets, and of the same cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import betaln, expit, gammaln, logit

from howsure.numerics.arrays import Booleans, Floats, Integers, bincount, repeat

# -- How likely the tallies of a board are, if its entries are a sample from a population with a second group ----------

#     k_e | theta_e ~ Binomial(n_e, theta_e)
#     theta_e ~ (1 - eps) Beta(mu kappa, (1 - mu) kappa) + eps G2,    independent given mu, kappa, eps and G2
#     mu ~ Uniform(0, 1),   eps ~ Beta(1, 9),   s = sqrt(n0 / kappa) ~ half-Cauchy(1), kappa >= 1
#
# with n0 the harmonic mean of n_e.
#
# The second group G2 is what a board has besides: entries that stand out, broken ones, a second cluster. It is one item
# of a menu: the main part's centre with a wider spread (1/4), Beta(1, 1) (3/8), or a Beta around a quantile of the
# board, narrow or wide (3/8 in all). Coordinates of a node: z = log(kappa / n0) = -2 log s and a = logit mu.


#: Nodes of eps; with their weights eps (1 - eps)^9 they stand for Beta(1, 9), being nearly even in logit eps.
EPS = np.array([0.004, 0.02, 0.06, 0.15, 0.35, 0.6, 0.85])
LOG_EPS = np.log(EPS) + 9 * np.log1p(-EPS)
LOG_EPS -= np.log(np.exp(LOG_EPS).sum())

#: Prior shares of the menu: same centre, anywhere, around a quantile of the board.
SAME_CENTRE, ANYWHERE, AROUND = 0.25, 0.375, 0.375

#: Quantiles of the board that a second group may lie around, and its sizes as multiples of n0.
QUANTILES, SIZES = (0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95), (4.0, 0.25)

#: Quantiles from which a centre of the main part is looked for.
STARTS = (0.5, 0.15, 0.85)

#: Steps towards a centre, the share of the second group meanwhile, and the distance in sd that makes two centres one.
STEPS, SHARE, APART = 10, 0.2, 1.5

#: How much smaller kappa is in the group of the same centre, and where it stops.
WIDER, WIDEST = 16.0, 2.0

#: Numbers that one block of nodes may hold.
BLOCK = 1_000_000


@dataclass(frozen=True)
class Centres:
    """Modes of a = logit mu for each z: ``a`` and information ``h``, shape (Z, starts), and which are no copies."""

    a: Floats
    h: Floats
    new: Booleans


class EntryEvidence:
    """Density of the population's nodes given a board of T entries, k of n right each (T,); k need not be whole."""

    def __init__(self, k: Floats, n: Floats) -> None:
        tallies, place, copies = np.unique(np.stack([k, n]), axis=1, return_inverse=True, return_counts=True)
        self.k, self.n = tallies
        self.copies: Floats = copies.astype(float)
        #: Distinct tally of each entry.
        self.place: Integers = np.asarray(place.reshape(-1), np.int64)
        self.n0 = float(1 / np.mean(1 / n[n > 0]))  # entries without cases say nothing
        self._smooth = (self.k + 0.5) / (self.n + 1)
        self._tested = np.flatnonzero(self.n > 0)
        self._tested = self._tested[np.argsort(self._smooth[self._tested], kind="stable")]
        self._choose = gammaln(self.n + 1) - gammaln(self.k + 1) - gammaln(self.n - self.k + 1)
        around = np.unique([self._quantile(share) for share in QUANTILES])
        self._means = np.concatenate(([0.5], repeat(around, 2)))
        self._sizes = np.concatenate(([2.0], np.tile(np.array(SIZES) * self.n0, len(around))))
        self._fixed = np.stack([self.log_probability(m, c) for m, c in zip(self._means, self._sizes, strict=True)])
        self._log_menu = log_menu_of(len(around))

    def _quantile(self, share: float) -> float:
        """Smoothed score below which a share of the entries lies."""
        reached = np.cumsum(self.copies[self._tested])
        index = int(np.searchsorted(reached, share * reached[-1] - 1e-9))
        return float(self._smooth[self._tested[min(index, len(reached) - 1)]])

    def log_probability(self, mu: Floats | float, kappa: Floats | float) -> Floats:
        """Log beta-binomial probability of every distinct tally under Beta(mu kappa, (1 - mu) kappa)."""
        a, b = np.multiply(mu, kappa), np.multiply(np.subtract(1, mu), kappa)
        return np.asarray(self._choose + betaln(a + self.k, b + self.n - self.k) - betaln(a, b))

    def menu(self, mu: Floats, kappa: Floats) -> tuple[Floats, Floats]:
        """Means and sizes of the second group's parts at nodes, shape (G, menu)."""
        means = np.concatenate([mu[:, None], np.broadcast_to(self._means, (len(mu), len(self._means)))], 1)
        sizes = np.concatenate([_wider(kappa)[:, None], np.broadcast_to(self._sizes, (len(mu), len(self._sizes)))], 1)
        return means, sizes

    def centres(self, z: Floats) -> Centres:
        """Up to three modes of a for each z, each a fixed point in which every entry has the weight of the main part.

        An entry weighs ``copies / (1 + (n - 1)/(1 + kappa)) P(main)``; two pseudo-cases, one right and one wrong, are
        the prior of mu. Only a guide for the nodes; their weights are exact.
        """
        kappa = (np.exp(z) * self.n0)[:, None]
        plain = self.copies / (1 + np.maximum(self.n - 1, 0) / (1 + kappa))
        # stand-in for the second group: half anywhere, half around the same centre
        anywhere = -np.log(self.n + 1)

        def step(mu: Floats) -> tuple[Floats, Floats]:
            beside = np.logaddexp(anywhere, self.log_probability(mu, _wider(kappa)))
            weight = plain * main_odds(self.log_probability(mu, kappa), beside)
            cases = weight @ self.n + 2
            mu = ((weight @ self.k + 1) / cases)[:, None]
            return mu, cases * (mu * (1 - mu))[:, 0]

        return centres_from([self._quantile(start) for start in STARTS], len(z), step, logit)

    def log_density(self, z: Floats, a: Floats) -> Floats:
        """Log posterior density of the nodes with respect to dz da, up to a constant, shape (G,)."""
        found = np.empty(len(z))
        for part in self._blocks(len(z)):
            found[part] = self._weighed(z[part], a[part])[0]
        return found

    def shares(self, z: Floats, a: Floats) -> tuple[Floats, Floats]:
        """P(main part) of every distinct tally, shape (G, U), and P(part of the menu), shape (G, menu, U)."""
        found = [part_shares(*self._weighed(z[part], a[part])[1:]) for part in self._blocks(len(z))]
        main, second = (np.concatenate(each) for each in zip(*found, strict=True))
        return main, second

    def _blocks(self, nodes: int) -> list[slice]:
        step = max(1, BLOCK // (len(EPS) * len(self._log_menu) * len(self.k)))
        return [slice(start, start + step) for start in range(0, nodes, step)]

    def _weighed(self, z: Floats, a: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats]:
        """Log density (G,), and what `mixed_groups` knows besides."""
        mu, kappa = expit(a)[:, None], (np.exp(z) * self.n0)[:, None]
        wider = self.log_probability(mu, _wider(kappa))
        beside = np.concatenate([wider[:, None], np.broadcast_to(self._fixed, (len(z), *self._fixed.shape))], 1)
        log, *rest = mixed_groups(self.log_probability(mu, kappa), beside, self.copies, self._log_menu)
        # half-Cauchy s and flat mu, in z and a
        weight, mixed, main, second = rest
        return 0.5 * z - np.logaddexp(0, z) + a - 2 * np.logaddexp(0, a) + log, weight, mixed, main, second


def mixed_groups(
    main: Floats, second: Floats, copies: Floats, log_menu: Floats
) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """Log evidence (G,), weights of eps and menu (G, E, menu), and probabilities of every tally.

    From log probabilities in the main part (G, U) and in the second group's (G, menu, U); relative to the larger of
    both (an entry may lie a thousand sd from one of them) are those of the mixture (G, E, menu, U), of the main part
    and of the second group (G, menu, U).
    """
    larger = np.maximum(main[:, None], second)
    plain, beside = np.exp(main[:, None] - larger), np.exp(second - larger)
    mixed = (1 - EPS)[:, None, None] * plain[:, None] + EPS[:, None, None] * beside[:, None]
    log = np.log(mixed) @ copies + (larger @ copies)[:, None] + LOG_EPS[:, None] + log_menu
    top = log.max((1, 2), keepdims=True)
    weight = np.exp(log - top)
    return top[:, 0, 0] + np.log(weight.sum((1, 2))), weight, mixed, plain, beside


def part_shares(weight: Floats, mixed: Floats, main: Floats, second: Floats) -> tuple[Floats, Floats]:
    """P(main part) of every tally, (G, U), and P(part of the menu), (G, menu, U), as `mixed_groups` knows them."""
    share = (weight / weight.sum((1, 2), keepdims=True))[..., None] / mixed
    of_main = (share * (1 - EPS)[:, None, None] * main[:, None]).sum((1, 2))
    return of_main, (share * EPS[:, None, None] * second[:, None]).sum(1)


def main_odds(main: Floats, beside: Floats) -> Floats:
    """Probability of the main part, of log probabilities there and in the two halves of the second group together."""
    return np.asarray(expit(np.clip(main - beside - np.log(0.5) + np.log((1 - SHARE) / SHARE), -700.0, 700.0)))


def centres_from(
    starts: Sequence[float], count: int, step: Callable[[Floats], tuple[Floats, Floats]],
    place: Callable[[Floats], Floats],
) -> Centres:  # fmt: skip
    """Where steps from ``starts`` lead at so many spreads: a `place`, its information, and whether it is another."""
    found: list[tuple[Floats, Floats, Booleans]] = []
    for start in starts:
        mu, h = np.full((count, 1), start), np.zeros(count)
        for _ in range(STEPS):
            mu, h = step(mu)
        a, new = place(mu[:, 0]), np.ones(count, bool)
        for other, precision, taken in found:
            new &= ~(taken & (np.abs(a - other) < APART / np.sqrt(np.minimum(h, precision))))
        found.append((a, h, new))
    return Centres(*(np.array(column).T for column in zip(*found, strict=True)))


def log_menu_of(around: int) -> Floats:
    """Log prior shares of the second group's parts, two of them around each of so many quantiles."""
    return np.asarray(np.log(np.r_[SAME_CENTRE, ANYWHERE, np.full(2 * around, AROUND / (2 * around))]))


def _wider(kappa: Floats) -> Floats:
    """Size of the group that shares the main part's centre: sixteen times less, but no U-shape that kappa has not."""
    return np.asarray(np.maximum(kappa / WIDER, np.minimum(kappa, WIDEST)))


# -- The population that the entries of a board are a sample from: a few nodes, and what each says about every entry ---

# At a node the entries are independent mixtures of two Betas: of the main part, and of the second group, whose parts
# are one Beta of their mean and variance. Hyperparameters are integrated over, never plugged in.


#: Nodes of a Gauss-Hermite rule in a, and how far they are stretched beyond the normal approximation.
HERMITE, HERMITE_WEIGHT = np.polynomial.hermite_e.hermegauss(5)
LOG_HERMITE = np.log(HERMITE_WEIGHT) + HERMITE**2 / 2
STRETCH = 1.15

#: Even nodes of z, those of the range that is searched, and how many of its nodes must matter.
SPREADS, NATS, FILLED, SEARCHES = 17, 10.0, 0.6, 5

#: Range of z = log(kappa/n0), part of the prior: s from 0.1, to 33 and not beyond kappa = 1, where populations are
#: U-shaped. Without it boards of one case each, or of 100 and 0 of 100, change by 0.15 in P(best), others by 0.016.
LOWEST, HIGHEST = -7.0, 4.6

#: Modes and nodes that weigh less are left out.
LIGHTEST_MODE, LIGHTEST = 1e-3, 1e-5

#: Up to so many entries, so many nodes of z and of a; the more entries, the less a rank depends on one node.
NODES_BY_SIZE: tuple[tuple[float, int, int], ...] = ((12, 7, 3), (40, 5, 3), (200, 3, 2), (np.inf, 2, 1))


@dataclass(frozen=True, eq=False)
class EntryPopulation:
    """What is known of a board's population, at G nodes, and of its entries, which have U distinct tallies."""

    k: Floats  # (U,)
    n: Floats  # (U,)
    place: Integers  # (T,), tally of each entry
    mu: Floats  # (G,), of the main part Beta(mu kappa, (1 - mu) kappa)
    kappa: Floats  # (G,)
    weight: Floats  # (G,), adds to 1
    main: Floats  # (G, U), P(the entry is of the main part)
    second: tuple[Floats, Floats]  # (a, b) of the Beta of an entry of the second group, (G, U) each
    n0: float  # harmonic mean of the sample sizes

    @property
    def copies(self) -> Integers:
        """Entries of each tally, shape (U,)."""
        return bincount(self.place, minlength=len(self.k)).astype(np.int64)

    @property
    def mean(self) -> float:
        """Mean of the main part's centre."""
        return float(self.weight @ self.mu)

    @property
    def sd(self) -> float:
        """Standard deviation of true scores in the main part."""
        return float(self.weight @ np.sqrt(self.mu * (1 - self.mu) / (1 + self.kappa)))

    @property
    def second_share(self) -> float:
        """Expected share of the entries that belong to the second group."""
        return float(self.weight @ ((1 - self.main) @ self.copies)) / len(self.place)

    @property
    def sampling_error(self) -> float:
        """Standard deviation of an observed score around a true one, at the population's centre."""
        return float(np.sqrt(self.mean * (1 - self.mean) / self.n0))

    def betas(self, tally: int) -> tuple[Floats, Floats, Floats]:
        """Posterior of a tally's score as a mixture of Betas: a, b and weights, shape (2 G,) each."""
        main, (a, b) = self.main[:, tally], self.second
        right = np.concatenate([self.mu * self.kappa + self.k[tally], a[:, tally]])
        wrong = np.concatenate([(1 - self.mu) * self.kappa + self.n[tally] - self.k[tally], b[:, tally]])
        weight = np.concatenate([main * self.weight, (1 - main) * self.weight])
        return right, wrong, weight / weight.sum()

    def draws(self, count: int, rng: np.random.Generator) -> Floats:
        """Joint draws of all scores, shape (T, count): a node, the group of each entry, a Beta."""
        node = rng.choice(len(self.weight), count, p=self.weight / self.weight.sum())
        of_main = rng.random((count, len(self.place))) < self.main[node][:, self.place]
        mu, kappa, k, n = self.mu[node, None], self.kappa[node, None], self.k[self.place], self.n[self.place]
        right, wrong = (x[node][:, self.place] for x in self.second)
        a, b = np.where(of_main, mu * kappa + k, right), np.where(of_main, (1 - mu) * kappa + n - k, wrong)
        return np.asarray(rng.beta(a, b).T)


def learned_population(k: Floats, n: Floats, *, reduced: bool = True) -> EntryPopulation:
    """Learn the population of a board of T entries, k of n right each (T,); at least one ``n`` is above 0.

    Any rank probability is good to 0.005: nodes ``reduced`` to Gauss rules cost 2e-3, one Beta for the second group
    4e-3.
    """
    evidence = EntryEvidence(np.asarray(k, float), np.asarray(n, float))
    z = _range_of_spreads(evidence, reduced)
    centres = evidence.centres(z)
    row, mode = np.nonzero(centres.new)
    a, log_weight = _hermite_nodes(evidence, z[row], centres.a[row, mode], centres.h[row, mode])
    # half weight at both ends: the density does not vanish where the range ends
    log_weight += np.where((row == 0) | (row == len(z) - 1), np.log(0.5), 0.0)[:, None]
    weight = np.exp(log_weight - log_weight.max())
    weight /= weight.sum()
    if reduced:
        z, a, weight = _reduced(evidence, z[row], mode, weight, _count(len(evidence.place)))
        kept = weight > LIGHTEST
    else:
        z, a, weight = repeat(z[row], len(HERMITE)), a.ravel(), weight.ravel()
        kept = weight > LIGHTEST / 100
    return _population(evidence, z[kept], a[kept], weight[kept])


def _count(entries: int) -> tuple[int, int]:
    return next((spreads, centres) for most, spreads, centres in NODES_BY_SIZE if entries <= most)


def _range_of_spreads(evidence: EntryEvidence, reduced: bool) -> Floats:
    """Even nodes of z over all that is within `NATS` of the top of its approximate posterior."""
    low, high = max(LOWEST, -float(np.log(evidence.n0))), HIGHEST
    first, last = 0, SPREADS - 1
    z = np.linspace(low, high, SPREADS)
    for _ in range(SEARCHES):
        z = np.linspace(low, high, SPREADS)
        centres = evidence.centres(z)
        row, mode = np.nonzero(centres.new)
        log = np.full(centres.a.shape, -np.inf)
        log[row, mode] = evidence.log_density(z[row], centres.a[row, mode]) - 0.5 * np.log(centres.h[row, mode])
        profile = np.logaddexp.reduce(log, axis=1)
        kept = np.flatnonzero(profile > profile.max() - NATS)
        first, last = max(int(kept[0]) - 1, 0), min(int(kept[-1]) + 1, SPREADS - 1)
        if last - first >= FILLED * (SPREADS - 1):
            break
        low, high = float(z[first]), float(z[last])
    return z if reduced else np.linspace(z[first], z[last], 61)


def _hermite_nodes(evidence: EntryEvidence, z: Floats, centre: Floats, h: Floats) -> tuple[Floats, Floats]:
    """Nodes of a around each centre and their log weights, shape (len(z), 5) each."""
    a = centre[:, None] + STRETCH * HERMITE / np.sqrt(h)[:, None]
    log = evidence.log_density(repeat(z, len(HERMITE)), a.ravel()).reshape(a.shape)
    return a, log + LOG_HERMITE - 0.5 * np.log(h)[:, None]


def _reduced(
    evidence: EntryEvidence, z: Floats, mode: Integers, weight: Floats, count: tuple[int, int]
) -> tuple[Floats, Floats, Floats]:
    """Few nodes instead of many: for each mode a Gauss rule in u = s/(1 + s), and at each of its points one in a."""
    found: list[tuple[float, float, float]] = []
    for number in np.unique(mode).tolist():
        on = mode == number
        total = float(weight[on].sum())
        if total < LIGHTEST_MODE:
            continue
        s = np.exp(-0.5 * z[on])
        u, share = _gauss_rule(s / (1 + s), weight[on].sum(1), count[0])
        points = np.minimum(-2 * np.log(u / (1 - u)), HIGHEST)
        centres = evidence.centres(points)
        a, log = _hermite_nodes(evidence, points, centres.a[:, number], centres.h[:, number])
        for i, point in enumerate(points.tolist()):
            inner = np.exp(log[i] - log[i].max())
            nodes, parts = _gauss_rule(a[i], inner, count[1])
            found += [
                (point, node, total * float(share[i]) * part)
                for node, part in zip(nodes.tolist(), parts.tolist(), strict=True)
            ]
    columns = np.array(found).T
    return columns[0], columns[1], columns[2]


def _gauss_rule(x: Floats, weight: Floats, count: int) -> tuple[Floats, Floats]:
    """Gauss rule of a discrete measure: at most ``count`` nodes that keep its first moments, and weights adding to 1.

    Golub and Welsch (1969), Math. Comp. 23, 221; the recurrence by Lanczos' method, reorthogonalised.
    """
    kept = weight > 1e-14 * weight.max()
    x, weight = x[kept], weight[kept] / weight[kept].sum()
    count = min(count, len(x))
    basis = [np.sqrt(weight)]
    diagonal, beside = [], []
    for j in range(count):
        grown = x * basis[-1]
        diagonal.append(float(grown @ basis[-1]))
        for _ in range(2):
            for vector in basis:
                grown = grown - (vector @ grown) * vector
        length = float(np.linalg.norm(grown))
        if j == count - 1 or length < 1e-9 * max(float(np.ptp(x)), 1e-300):
            break
        beside.append(length)
        basis.append(grown / length)
    off = beside[: len(diagonal) - 1]
    nodes, vectors = np.linalg.eigh(np.diag(diagonal) + np.diag(off, 1) + np.diag(off, -1))
    return nodes, vectors[0] ** 2


def _population(evidence: EntryEvidence, z: Floats, a: Floats, weight: Floats) -> EntryPopulation:
    main, shares = evidence.shares(z, a)
    mu, kappa = expit(a), np.exp(z) * evidence.n0
    means, sizes = evidence.menu(mu, kappa)
    total = sizes[..., None] + evidence.n
    mean = ((means * sizes)[..., None] + evidence.k) / total
    variance = mean * (1 - mean) / (total + 1)
    among = shares / np.maximum(shares.sum(1, keepdims=True), 1e-300)
    centre = (among * mean).sum(1)
    # about the common mean, so that nothing cancels at large counts
    spread = (among * (variance + (mean - centre[:, None]) ** 2)).sum(1)
    with np.errstate(all="ignore"):
        size = centre * (1 - centre) / spread - 1
    lost = ~(np.isfinite(size) & (size > 0))
    centre, size = np.where(lost, 0.5, centre), np.where(lost, 2.0, size)
    return EntryPopulation(
        k=evidence.k,
        n=evidence.n,
        place=evidence.place,
        mu=mu,
        kappa=kappa,
        weight=weight / weight.sum(),
        main=main,
        second=(centre * size, (1 - centre) * size),
        n0=evidence.n0,
    )
