"""How likely the tallies of classes are under a population, and where its hyperparameters are looked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from howsure.numerics.arrays import Floats, Integers, bincount, repeat

# -- Gauss rules of Beta densities, many at once -----------------------------------------------------------------------


#: Weights that add up to 1 but for this are kept.
LOST = 1e-12


def gauss_beta(a: Floats, b: Floats, count: int) -> tuple[Floats, Floats]:
    """Nodes and weights, shapes (S, count), for the densities Beta(a, b), ``a`` and ``b`` of shape (S,).

    Exact for polynomials of degree 2 count - 1. Golub and Welsch (1969): eigenvalues of the Jacobi matrix.
    """
    alpha, beta = b - 1, a - 1  # (1 - x)^alpha (1 + x)^beta on [-1, 1], theta = (1 + x)/2
    i = np.arange(count)[None]
    total = (alpha + beta)[:, None]
    alpha, beta = alpha[:, None], beta[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        middle = (beta**2 - alpha**2) / ((2 * i + total) * (2 * i + total + 2))
        middle[:, 0] = ((beta - alpha) / (total + 2))[:, 0]
        j = i[:, 1:]
        beside = 4 * j * (j + alpha) * (j + beta) * (j + total)
        beside /= (2 * j + total) ** 2 * (2 * j + total + 1) * (2 * j + total - 1)
        if count > 1:
            beside[:, 0] = (4 * (1 + alpha) * (1 + beta) / ((2 + total) ** 2 * (3 + total)))[:, 0]
    return _golub_welsch(middle, np.sqrt(beside))


def _golub_welsch(middle: Floats, beside: Floats) -> tuple[Floats, Floats]:
    """Nodes in [0, 1] and weights from the diagonals of Jacobi matrices on [-1, 1], (S, count) and (S, count - 1).

    Nodes are eigenvalues, and 1 over a weight is the sum of the squares of the orthonormal polynomials at the node:
    count^2 steps for each rule. Eigenvectors take count^3, and a BLAS of several threads four times as long again.
    """
    if middle.shape[1] == 1:
        return (1 + middle) / 2, np.ones_like(middle)
    from scipy.linalg import lapack  # takes a tenth of a second to import

    x = np.stack([lapack.dsterf(one, other)[0] for one, other in zip(middle, beside, strict=True)])
    before, now, total = np.zeros_like(x), np.ones_like(x), np.ones_like(x)
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(beside.shape[1]):
            last = beside[:, k - 1, None] if k else 0.0
            before, now = now, ((x - middle[:, k, None]) * now - last * before) / beside[:, k, None]
            total += now * now
    weight = 1 / total
    # a density nearly all at one end loses digits on the way there
    lost = ~(np.abs(weight.sum(axis=1) - 1) < LOST)
    if lost.any():
        x[lost], weight[lost] = _by_vectors(middle[lost], beside[lost])
    return np.clip((1 + x) / 2, 1e-300, 1 - 1e-16), weight


def _by_vectors(middle: Floats, beside: Floats) -> tuple[Floats, Floats]:
    count = middle.shape[1]
    jacobi, row = np.zeros((len(middle), count, count)), np.arange(count)
    jacobi[:, row, row] = middle
    jacobi[:, row[1:], row[:-1]] = jacobi[:, row[:-1], row[1:]] = beside
    x, vectors = np.linalg.eigh(jacobi)
    return x, vectors[:, 0, :] ** 2


# -- Shares of several kinds whose Dirichlet prior has a learned mass: columns of errors, classes of a test set --------

#     q ~ Dirichlet(A/K, ..., A/K) + totals,    A/(A + K) ~ Uniform(0, 1)
#
# ``A`` on a grid in the log, by its Dirichlet-multinomial evidence (Minka 2000, Estimating a Dirichlet distribution).


#: Nodes of the grid, and how far it reaches to both sides of K in the log.
NODES, REACH = 49, 12.0

#: Least concentration that is drawn.
FLOOR = 1e-200


class DirichletShares:
    """Shares of K kinds that are Dirichlet(alphas): those of a survey, with the mass of a prior that was named."""

    def __init__(self, alphas: Floats) -> None:
        self.alphas = alphas

    @property
    def means(self) -> Floats:
        """Mean of every share, shape (K,)."""
        return np.asarray(self.alphas / self.alphas.sum())

    def betas_of(self, index: int) -> tuple[Floats, Floats, Floats]:
        """One share as a mixture of one Beta: its parameters and weight, shape (1,) each."""
        own = self.alphas[index : index + 1]
        return own, self.alphas.sum() - own, np.ones(1)

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the shares, shape (n, K)."""
        gammas = rng.standard_gamma(self.alphas, (n, len(self.alphas)))
        gammas /= gammas.sum(axis=1, keepdims=True)
        return gammas


class LearnedShares:
    """Posterior of the shares of K kinds, from totals (K,) that need not be whole, and of the mass of their prior."""

    def __init__(self, totals: ArrayLike) -> None:
        self.totals: Floats = np.asarray(totals, dtype=float)
        self.log_mass = log_grid(len(self.totals))
        #: Probability of each node, shape (49,).
        self.mass_weight = weights_on(self.log_mass, len(self.totals), self._evidence())

    def _evidence(self) -> Floats:
        mass = np.exp(self.log_mass)
        totals, copies = np.unique(self.totals, return_counts=True)
        whole = log_rising(mass, self.totals.sum(keepdims=True))
        return np.asarray(log_rising(mass[:, None] / len(self.totals), totals) @ copies - whole)

    @property
    def means(self) -> Floats:
        """Posterior mean of every share, shape (K,)."""
        mass = np.exp(self.log_mass)[:, None]
        return np.asarray(self.mass_weight @ ((mass / len(self.totals) + self.totals) / (mass + self.totals.sum())))

    def betas_of(self, index: int) -> tuple[Floats, Floats, Floats]:
        """One share as a mixture of Betas, one a node: their parameters and weights, shape (49,) each."""
        mass = np.exp(self.log_mass)
        own = mass / len(self.totals) + self.totals[index]
        rest = mass * (1 - 1 / len(self.totals)) + (self.totals.sum() - self.totals[index])
        return own, rest, self.mass_weight

    def draw(self, n: int, rng: np.random.Generator) -> Floats:
        """Draw the shares, shape (n, K); each draw has its own mass."""
        mass = drawn_on(self.log_mass, self.mass_weight, n, rng)
        gammas = rng.standard_gamma(np.maximum(mass[:, None] / len(self.totals) + self.totals, FLOOR))
        gammas = np.maximum(gammas, 1e-300)
        return np.asarray(gammas / gammas.sum(axis=1, keepdims=True))


def log_grid(size: int) -> Floats:
    """Nodes of the log of a mass around K."""
    return np.asarray(np.log(size) + np.linspace(-REACH, REACH, NODES))


def log_rising(x: Floats, count: Floats) -> Floats:
    """``log Gamma(x + count)/Gamma(x)``."""
    return np.asarray(special.gammaln(x + count) - special.gammaln(x))


def weights_on(log_mass: Floats, size: int, log_evidence: Floats) -> Floats:
    """Posterior on the grid: x/(x + K) uniform has the logistic density in ``log x``."""
    z = log_mass - np.log(size)
    log_density = log_evidence + z - 2 * np.logaddexp(0, z)
    weight = np.exp(log_density - log_density.max())
    return np.asarray(weight / weight.sum())


def within(log_mass: Floats, weight: Floats, parts: int = 5) -> tuple[Floats, Floats]:
    """Nodes and weights of a midpoint rule over the cells that `drawn_on` moves its nodes in."""
    step = float(log_mass[1] - log_mass[0])
    moved = log_mass[:, None] + step * ((np.arange(parts) + 0.5) / parts - 0.5)
    return np.exp(moved).ravel(), repeat(weight / parts, parts)


def drawn_on(log_mass: Floats, weight: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Nodes by weight, moved evenly within their cells."""
    step = float(log_mass[1] - log_mass[0])
    return np.exp(rng.choice(log_mass, n, p=weight) + step * (rng.random(n) - 0.5))


# -- How likely the tallies of all members are, if their rates come from one population of two parts -------------------

#     theta_i ~ Beta(mu_i kappa, (1 - mu_i) kappa) with probability 1 - e,    logit mu_i = a + b t_i     the main part
#     theta_i ~ Beta(1/2, 1/2)                     with probability e                                   the broad part
#     expit(a) ~ Beta(1, 1),    b ~ Normal(0, 1),    rho = 1/(1 + kappa) ~ Beta(1, 3),    e ~ Beta(1, 9)
#
# ``t_i`` is the log of the size, centred; ``rho`` is the correlation of two answers of one member; y = log kappa. The
# rates integrate out: ``k_i`` right of ``n_i`` is beta-binomial in either part (Gelman et al., Bayesian Data Analysis,
# chapters 5 and 22).


#: From here on four terms of Stirling's series are right to the last digit.
STIRLING = 12.0

#: The share of a broad part that is not there; its logarithm is a number.
NOTHING = 1e-300


@dataclass(frozen=True)
class PopulationModel:
    """Prior of a population."""

    broad: tuple[float, float] | None = (0.5, 0.5)  # Beta of the rates in the broad part; None: there is none
    share: tuple[float, float] = (1.0, 9.0)  # Beta of the share e of the broad part
    spread: float = 3.0  # rho = 1/(1 + kappa) is Beta(1, spread)
    typical: tuple[float, float] = (1.0, 1.0)  # Beta of expit(a), the typical rate at the average log size

    def log_prior(self, a: Floats, b: Floats, y: Floats) -> Floats:
        """Log density of ``(a, b, y)`` up to a constant; the Jacobians of logit and ``y = log kappa`` are in it."""
        right, wrong = self.typical
        typical = right * a - (right + wrong) * np.logaddexp(0, a)
        return np.asarray(typical - b * b / 2 + self.spread * y - (self.spread + 1) * np.logaddexp(0, y))

    def log_broad(self, k: Floats, n: Floats) -> Floats:
        """Log probability of tallies in the broad part, without binomial coefficients."""
        if self.broad is None:
            return np.full(len(k), -np.inf)
        a, b = self.broad
        return np.asarray(special.betaln(a + k, b + n - k) - special.betaln(a, b))

    def likely_share(self, expected: Floats, members: float) -> Floats:
        """Mean of e if ``expected`` of so many members are from the broad part."""
        if self.broad is None:
            return np.full_like(expected, NOTHING)
        return np.asarray((self.share[0] + expected) / (sum(self.share) + members))


#: What classes, entries and sites are taken for: most alike, a few from a broad part.
TWO_PARTS = PopulationModel()

#: All alike, more or less.
ONE_PART = PopulationModel(broad=None)


@dataclass(frozen=True, eq=False)
class Tallies:
    """Distinct tallies ``k`` right of ``n`` with size score ``t`` and number of ``copies``, shape (U,) each.

    ``copies`` of an untested tally are 0: it says nothing. ``log_broad`` is its log probability in the broad part;
    ``place`` (K,) says which tally each member has.
    """

    k: Floats
    n: Floats
    t: Floats
    copies: Floats
    log_broad: Floats
    place: Integers

    @classmethod
    def of(cls, k: Floats, n: Floats, t: Floats, model: PopulationModel) -> Tallies:
        """Group members with the same tally."""
        rows, place, copies = np.unique(np.stack([k, n, t]), axis=1, return_inverse=True, return_counts=True)
        said = np.where(rows[1] > 0, copies, 0).astype(float)
        return cls(rows[0], rows[1], rows[2], said, model.log_broad(rows[0], rows[1]), place.ravel())

    @property
    def sized(self) -> bool:
        """Whether members differ in size."""
        return bool(np.ptp(self.t) > 0)

    @cached_property
    def sizes(self) -> tuple[Floats, Integers]:
        """Distinct numbers of cases, and which of them each tally has, shape (U,); asked for at every node."""
        sizes, of_size = np.unique(self.n, return_inverse=True)
        return sizes, of_size.ravel()

    def parts(self, log_main: Floats, share: Floats) -> tuple[Floats, Floats]:
        """Log evidence of all tallies (G,) and P(broad) of each (G, U), from log M (G, U) and e (G,)."""
        odds = (np.log(share) - np.log1p(-share))[:, None] + self.log_broad - log_main
        either = np.logaddexp(0, odds)
        return (log_main + np.log1p(-share)[:, None] + either) @ self.copies, np.exp(odds - either)

    def binned(self, most: int, model: PopulationModel) -> Tallies:
        """At most some ``most`` tallies: near sizes (12%) and near shares (0.04) become their mean."""
        if len(self.k) <= most:
            return self
        keys = np.round(
            [np.log(np.maximum(self.n, 0.5)) / 0.12, self.k / np.maximum(self.n, 1) / 0.04, 1.0 * (self.n > 0)]
        )
        cell: Integers = np.unique(keys, axis=1, return_inverse=True)[1].ravel()
        weight = np.maximum(self.copies, 1e-12)
        total = bincount(cell, weight)
        k, n, t = (bincount(cell, weight * column) / total for column in (self.k, self.n, self.t))
        return Tallies(k, n, t, np.asarray(bincount(cell, self.copies)), model.log_broad(k, n), cell[self.place])


def size_scores(n: Floats) -> Floats:
    """``t_i = log n_i - mean_j log n_j`` over tested members; an untested one counts as the smallest tested."""
    tested = n > 0
    if not tested.any():
        return np.zeros(len(n))
    logs = np.log(n, where=tested, out=np.full(len(n), np.inf))
    spread = np.where(tested, logs, logs.min()) - logs[tested].mean()
    return spread if np.ptp(logs[tested]) > 0 else np.zeros(len(n))


def log_rising_excess(x: Floats, log_x: Floats, k: Floats) -> Floats:
    """``log Gamma(x + k)/Gamma(x) - k log x``, by two Stirling series: nothing cancels where ``x`` is large."""
    with np.errstate(over="ignore", divide="ignore"):
        grown = np.log1p(k / x)
    excess = (x + k - 0.5) * grown - k + _stirling(x + k) - _stirling(x)
    small = x < STIRLING
    if small.any():
        x, k, log_x = x[small], np.broadcast_to(k, small.shape)[small], log_x[small]
        excess[small] = special.gammaln(x + k) - special.gammaln(x) - k * log_x
    return np.asarray(excess)


def _stirling(z: Floats) -> Floats:
    r = 1 / np.maximum(z, 1.0)
    s = r * r
    return np.asarray(r * (1 / 12 - s * (1 / 360 - s * (1 / 1260 - s / 1680))))


def log_main(a: Floats, b: Floats, y: Floats, tallies: Tallies) -> Floats:
    """Log beta-binomial probability log M of every tally in the main part at nodes (G,), shape (G, U).

    ``log B(mu kappa + k, (1 - mu) kappa + n - k) - log B(mu kappa, (1 - mu) kappa)``, written as
    ``k log mu + (n - k) log(1 - mu)`` plus three excesses, which keeps its digits up to counts of 1e9 and any kappa.
    """
    k, wrong = tallies.k, tallies.n - tallies.k
    eta = a[:, None] + b[:, None] * tallies.t
    log_q = -np.logaddexp(0, eta)
    log_p = eta + log_q
    total = k * log_p + wrong * log_q
    for log_share, count in ((log_p, k), (log_q, wrong)):
        log_x = np.maximum(log_share + y[:, None], -600.0)
        total += log_rising_excess(np.exp(log_x), log_x, count)
    spread, at_spread = np.unique(y, return_inverse=True)
    sizes, of_size = tallies.sizes
    whole = log_rising_excess(np.exp(spread)[:, None] + 0 * sizes, spread[:, None] + 0 * sizes, sizes)
    return np.asarray(total - whole[at_spread.ravel()][:, of_size])


# -- Where the posterior of a population's hyperparameters lies: a guide that places nodes; their weights are exact ----

# For each spread y the centre of (a, b) and of the share e of the broad part by expectation and maximisation, with a
# quasi-likelihood regression on the size scores in which a member counts by its probability to be of the main part.


#: Quantiles of the observed rates at which a fit starts: the population may have more than one explanation.
QUANTILES = (0.5, 0.15, 0.85)

#: Newton steps of one round, and what is near enough, in standard deviations.
STEPS, NEAR = 3, 0.1


@dataclass(frozen=True)
class Modes:
    """Modes of (a, b) and e given y, (S,) each, with the entries h of the information matrix of (a, b)."""

    y: Floats
    a: Floats
    b: Floats
    e: Floats
    expected: Floats  # members of the broad part
    h11: Floats
    h12: Floats
    h22: Floats

    @property
    def sd_a(self) -> Floats:
        """Standard deviation of a given b."""
        return np.asarray(1 / np.sqrt(self.h11))

    @property
    def sd_b(self) -> Floats:
        """Standard deviation of b."""
        return np.asarray(np.sqrt(self.h11 / (self.h11 * self.h22 - self.h12**2)))

    @property
    def slope(self) -> Floats:
        """Regression of a on b."""
        return np.asarray(-self.h12 / self.h11)

    def taken(self, index: Integers) -> Modes:
        """Some of them."""
        return Modes(*(getattr(self, name)[index] for name in self.__dataclass_fields__))


def starts(tallies: Tallies, model: PopulationModel) -> Floats:
    """Logits of the observed rates to start from."""
    total = tallies.copies.sum()
    if total <= 0:
        return np.zeros(1)
    rate = (tallies.k + 0.5) / (tallies.n + 1)
    order = np.argsort(rate)
    reached = np.cumsum(tallies.copies[order])
    asked = np.array(QUANTILES if model.broad is not None else QUANTILES[:1]) * total
    return np.asarray(special.logit(rate[order][np.minimum(np.searchsorted(reached, asked), len(rate) - 1)]))


def fitted(y: Floats, a: Floats, b: Floats, e: Floats, tallies: Tallies, model: PopulationModel, rounds: int) -> Modes:
    """Rounds of expectation (who is of the broad part) and maximisation (Newton on the rest), all y at once."""
    k, n, t = tallies.k, tallies.n, tallies.t
    right, prior = model.typical[0], sum(model.typical)
    members = float(tallies.copies.sum())
    once = tallies.copies / (1 + np.maximum(n - 1, 0) * special.expit(-y)[:, None])
    for _ in range(rounds):
        broad = tallies.parts(log_main(a, b, y, tallies), e)[1]
        expected = broad @ tallies.copies
        e = model.likely_share(expected, members)
        weight = once * (1 - broad)
        for _ in range(STEPS):
            mu, middle = special.expit(a[:, None] + b[:, None] * t), special.expit(a)
            information, residual = weight * n * mu * (1 - mu), weight * (k - n * mu)
            g1, g2 = residual.sum(1) + right - prior * middle, residual @ t - b
            h11, h12 = information.sum(1) + prior * middle * (1 - middle), information @ t
            h22 = information @ t**2 + 1
            determinant = h11 * h22 - h12**2
            da, db = (h22 * g1 - h12 * g2) / determinant, (h11 * g2 - h12 * g1) / determinant
            a, b = a + np.clip(da, -2, 2), b + np.clip(db, -1, 1)
            if max(np.abs(da * np.sqrt(h11)).max(), np.abs(db * np.sqrt(h22)).max()) < NEAR:
                break
    return Modes(y, a, b, e, expected, h11, h12, h22)


def laplace(at: Modes, tallies: Tallies, model: PopulationModel) -> Floats:
    """Log mass of each mode: (a, b) and the share integrated out by Laplace's method."""
    height = tallies.parts(log_main(at.a, at.b, at.y, tallies), at.e)[0]
    height = height + model.log_prior(at.a, at.b, at.y) - 0.5 * np.log(at.h11 * at.h22 - at.h12**2)
    return np.asarray(height)


def share_mass(at: Modes, tallies: Tallies, model: PopulationModel) -> Floats:
    """Log prior of the share at its mode, and the width of its posterior."""
    if model.broad is None:
        return np.zeros_like(at.e)
    one, other = model.share
    members = float(tallies.copies.sum()) + sum(model.share)
    return np.asarray(
        (one - 1) * np.log(at.e) + (other - 1) * np.log1p(-at.e) + 0.5 * np.log(at.e * (1 - at.e) / members)
    )


def polished(at: Modes, tallies: Tallies, model: PopulationModel, rounds: int) -> Modes:
    """Newton steps on the exact log posterior of (a, b) given y and e, curvatures within a factor 3 of the guide's."""
    y, e = at.y, at.e
    a, b, h11, h12, h22 = at.a, at.b, at.h11, at.h12, at.h22

    def height(a: Floats, b: Floats) -> Floats:
        return np.asarray(tallies.parts(log_main(a, b, y, tallies), e)[0] + model.log_prior(a, b, y))

    for _ in range(rounds):
        sa, sb = 0.5 / np.sqrt(h11), 0.5 * np.sqrt(h11 / (h11 * h22 - h12**2))
        here, up, down = height(a, b), height(a + sa, b), height(a - sa, b)
        g1, c11 = (up - down) / (2 * sa), -(up - 2 * here + down) / sa**2
        if tallies.sized:
            more, less, both = height(a, b + sb), height(a, b - sb), height(a + sa, b + sb)
            g2, c22 = (more - less) / (2 * sb), -(more - 2 * here + less) / sb**2
            c12 = -(both - up - more + here) / (sa * sb)
        else:
            g2, c22, c12 = -b, np.ones_like(a), np.zeros_like(a)
        c11 = np.clip(c11, 0.3 * h11, 3 * h11)
        c22 = np.clip(c22, np.maximum(0.3 * h22, 0.5), np.maximum(3 * h22, 0.5))
        most = 0.95 * np.sqrt(c11 * c22)
        c12 = np.clip(c12, -most, most)
        determinant = c11 * c22 - c12**2
        a = a + np.clip((c22 * g1 - c12 * g2) / determinant, -4 * sa, 4 * sa)
        b = b + np.clip((c11 * g2 - c12 * g1) / determinant, -4 * sb, 4 * sb)
        h11, h12, h22 = c11, c12, c22
    return Modes(y, a, b, e, at.expected, h11, h12, h22)
