"""The population that the entries of a board are a sample from: a few nodes, and what each says about every entry.

At a node the entries are independent mixtures of two Betas: of the main part, and of the second group, whose parts are
one Beta of their mean and variance. Hyperparameters are integrated over, never plugged in.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from howsure.numerics.arrays import Floats, Integers, bincount, repeat
from howsure.numerics.ranks.entry_evidence import EntryEvidence

__all__ = ["EntryPopulation", "learned_population"]

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
    """What is known of a board's population and of its entries.

    Attributes
    ----------
    k, n : ndarray, shape (U,)
        Distinct tallies.
    place : ndarray of int, shape (T,)
        Tally of each entry.
    mu, kappa, weight : ndarray, shape (G,)
        Nodes of the main part Beta(mu kappa, (1 - mu) kappa); weights add to 1.
    main : ndarray, shape (G, U)
        P(the entry is of the main part).
    second : tuple of ndarray, shape (G, U)
        (a, b) of the Beta of an entry of the second group.
    menu : tuple of ndarray
        P(part of the menu), shape (G, menu, U), and the parts' means and sizes, shape (G, menu).
    n0 : float
        Harmonic mean of the sample sizes.
    """

    k: Floats
    n: Floats
    place: Integers
    mu: Floats
    kappa: Floats
    weight: Floats
    main: Floats
    second: tuple[Floats, Floats]
    menu: tuple[Floats, Floats, Floats]
    n0: float

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
        """Joint draws of all scores, shape (T, count): a node, the part of each entry, a Beta."""
        node = rng.choice(len(self.weight), count, p=self.weight / self.weight.sum())
        shares, means, sizes = self.menu
        made = np.empty((len(self.place), count))
        for g in np.unique(node).tolist():
            here = np.flatnonzero(node == g)
            parts = np.cumsum(np.concatenate([self.main[g][None], shares[g]]), axis=0)
            parts = (parts / parts[-1])[:, self.place]
            centre = np.concatenate([self.mu[[g]], means[g]])
            size = np.concatenate([self.kappa[[g]], sizes[g]])
            for e, tally in enumerate(self.place.tolist()):
                part = np.searchsorted(parts[:, e], rng.random(len(here)), side="right")
                part = np.minimum(part, len(centre) - 1)
                a, b = (centre * size)[part], ((1 - centre) * size)[part]
                made[e, here] = rng.beta(a + self.k[tally], b + self.n[tally] - self.k[tally])
        return made


def learned_population(
    k: Floats, n: Floats, *, count: tuple[int, int] | None = None, reduced: bool = True
) -> EntryPopulation:
    """Learn the population of a board.

    Parameters
    ----------
    k, n : ndarray, shape (T,)
        Right answers and all answers of each entry; at least one ``n`` above 0.
    count : (int, int), optional
        Nodes of z and of a for each mode; by the size of the board if left out.
    reduced : bool
        Whether nodes are reduced to Gauss rules; if not, all of a fine grid are kept.

    Returns
    -------
    EntryPopulation
        Any rank probability made of it is good to 0.005: reduced nodes 2e-3, one Beta for the second group 4e-3.
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
        z, a, weight = _reduced(evidence, z[row], mode, weight, count or _count(len(evidence.place)))
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

    References
    ----------
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
        menu=(shares, means, sizes),
        n0=evidence.n0,
    )
