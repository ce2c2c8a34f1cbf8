"""Rates that differ between sites: the population they are from, and which of several is the best over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from howsure.numerics.arrays import Floats, Integers, bincount, repeat
from howsure.numerics.draws.weighted_draws import Strata

# -- Draws that are weighted one by one, in the form that `howsure.laws.Draws` takes weights in ------------------------


#: Runs of neighbouring draws whose means tell the error of the mean of all.
BATCHES = 25


class ImportanceWeights(Strata):
    """Every draw is a stratum of its own, and its share is its weight (n,), in the order in which they were drawn.

    Errors are those of batch means (Owen 2013, Monte Carlo theory, 17.3): neighbours in a lattice are a lattice of
    their own, so that the evenness of the draws is counted in part, and independent draws get their own error.
    """

    def __init__(self, weight: Floats) -> None:
        super().__init__(np.arange(len(weight), dtype=np.int32), weight)

    @cached_property
    def weights(self) -> Floats:
        """Weight of each draw, adding to 1."""
        return self.shares

    def variance(self, of: NDArray[np.int32], *numbers: Floats) -> list[float]:
        """Variance of the weighted mean of each of some ``numbers`` of the draws ``of``, all others being 0."""
        found = []
        for x in numbers:
            sums = bincount(self._batch[of], self.shares[of] * x, minlength=BATCHES)
            off = sums - sums.sum() * self._held
            found.append(float(off @ off) * BATCHES / (BATCHES - 1))
        return found

    @cached_property
    def _batch(self) -> NDArray[np.int64]:
        return np.arange(len(self.shares)) * BATCHES // len(self.shares)

    @cached_property
    def _held(self) -> Floats:
        return bincount(self._batch, self.shares, minlength=BATCHES).astype(float)


# -- Probability of the counts of sites whose rates come from a normal population on the logit scale -------------------

#     x_i ~ N(m, S),    k_ij | x_ij ~ Binomial(n_ij, expit(x_ij)),    j = 1 .. D
#
# with D = 1 (one rate) or D = 2 (sensitivity and specificity: Chu and Cole 2006, J Clin Epidemiol 59: 1331). The x_i
# are integrated by adaptive Gauss-Hermite quadrature: nodes stand around the top of each site's own integrand (Liu and
# Pierce 1994, Biometrika 81: 624). No cell is corrected: a count of 0 is a count of 0.


#: Logs that a node may lie above the middle one before all are scaled anew; exp overflows at 709.
MOST_ABOVE = 600.0

#: Nodes on an axis: with 7 the log probability of a site is mostly within 2e-4 (sds 0.02 to 2.5), with 15 within 4e-6.
NODES = 7

#: Steps of Newton's method, none longer than the second number of logits.
STEPS, LONGEST = 5, 3.0

#: Numbers that are held at once.
BLOCK = 400_000


class Laplace:
    """Top and curvature of each site's integrand at each population, (P, S), in z with ``x = mean + L z``."""

    def __init__(self, z: list[Floats], c: list[list[Floats]]) -> None:
        #: the top, and the lower triangle whose product with its transpose is the inverse of the curvature there
        self.z, self.c = z, c


def roots(sd: Floats, rho: Floats) -> list[list[Floats]]:
    """Lower triangle L of the covariance: sd (P, D), rho (P,); entries of shape (P, 1)."""
    first = sd[:, :1]
    if sd.shape[1] == 1:
        return [[first]]
    second, r = sd[:, 1:], rho[:, None]
    return [[first], [r * second, np.sqrt(np.maximum(1 - r * r, 0.0)) * second]]


def times(low: list[list[Floats]], z: Floats) -> Floats:
    """``L z`` of one z (P, D) for each population."""
    rows = [sum((low[j][i][:, 0] * z[:, i] for i in range(j + 1)), np.zeros(len(z))) for j in range(z.shape[1])]
    return np.stack(rows, axis=1)


def log_counts(x: Floats, k: Floats, n: Floats) -> Floats:
    """Log probability of k of n at logits x, without the binomial coefficient."""
    # as wrong cases at positive logits and right ones at negative: no two large numbers are subtracted
    return np.asarray((k - n) * np.maximum(x, 0.0) + k * np.minimum(x, 0.0) - n * np.log1p(np.exp(-np.abs(x))))


def centred(mean: Floats, sd: Floats, rho: Floats, k: Floats, n: Floats) -> Laplace:
    """Top of each site's integrand at P populations of logits; means and sds are (P, D), counts (S, D)."""
    low = roots(sd, rho)
    size = mean.shape[1]
    # begun at the mean given normal likelihoods of the logits of the counts with half a case added to each
    guess = np.log((k + 0.5) / (n - k + 0.5))
    precision = 1 / (1 / (k + 0.5) + 1 / (n - k + 0.5)) * (n > 0)
    z = [np.zeros((len(mean), len(k))) for _ in range(size)]
    z = _stepped(low, z, [precision[:, j] * (guess[:, j] - mean[:, j : j + 1]) for j in range(size)], precision, z)[0]
    c: list[list[Floats]] = []
    for step in range(STEPS + 1):
        gradient, curve = [], []
        for j in range(size):
            p = special.expit(mean[:, j : j + 1] + sum(low[j][i] * z[i] for i in range(j + 1)))
            gradient.append(k[:, j] - n[:, j] * p)
            curve.append(n[:, j] * p * (1 - p))
        moved, c = _stepped(low, z, gradient, curve, z)
        if step < STEPS:
            longest = np.maximum(1.0, sum(np.abs(a - b) for a, b in zip(moved, z, strict=True)) / LONGEST)
            z = [b + (a - b) / longest for a, b in zip(moved, z, strict=True)]
    return Laplace(z, c)


def _stepped(
    low: list[list[Floats]], z: list[Floats], gradient: list[Floats], curve: list[Floats] | Floats, at: list[Floats]
) -> tuple[list[Floats], list[list[Floats]]]:
    """One step of Newton's method, and the triangle of the inverse curvature: ``1 + L' diag(curve) L``."""
    w = [curve[:, j] for j in range(curve.shape[1])] if isinstance(curve, np.ndarray) else curve
    l11 = low[0][0]
    if len(z) == 1:
        h = 1 + l11 * l11 * w[0]
        return [at[0] + (l11 * gradient[0] - z[0]) / h], [[1 / np.sqrt(h)]]
    l21, l22 = low[1]
    h11, h12, h22 = 1 + l11 * l11 * w[0] + l21 * l21 * w[1], l21 * l22 * w[1], 1 + l22 * l22 * w[1]
    g1, g2 = l11 * gradient[0] + l21 * gradient[1] - z[0], l22 * gradient[1] - z[1]
    det = h11 * h22 - h12 * h12
    moved = [at[0] + (h22 * g1 - h12 * g2) / det, at[1] + (h11 * g2 - h12 * g1) / det]
    c11 = np.sqrt(h22 / det)
    return moved, [[c11], [-h12 / det / c11, 1 / np.sqrt(h22)]]


def log_likelihood(mean: Floats, sd: Floats, rho: Floats, k: Floats, n: Floats, *, nodes: int = NODES) -> Floats:
    """Log probability of the counts of every site, without binomial coefficients, at each population, shape (P, S).

    Means and sds of the logits are (P, D), their correlations (P,), not read where D is 1; counts are (S, D), and a
    site without cases of one of two rates tells only of the other. One node on an axis is Laplace's approximation.
    """
    step = max(1, BLOCK // (len(k) * nodes ** mean.shape[1]))
    parts = [slice(i, i + step) for i in range(0, len(mean), step)]
    return np.concatenate([_of_block(mean[s], sd[s], rho[s], k, n, nodes) for s in parts])


def _of_block(mean: Floats, sd: Floats, rho: Floats, k: Floats, n: Floats, nodes: int) -> Floats:
    u, weight = np.polynomial.hermite_e.hermegauss(nodes)
    # weights of an integral without its normal density, and that of z (1 / sqrt(2 pi) each)
    log_w = np.log(weight) + u * u / 2 - 0.5 * np.log(2 * np.pi)
    at, low = centred(mean, sd, rho, k, n), roots(sd, rho)
    z1 = at.z[0] + at.c[0][0] * u[:, None, None]
    x1 = mean[:, :1] + low[0][0] * z1
    first = log_counts(x1, k[:, 0], n[:, 0]) - z1 * z1 / 2 + log_w[:, None, None]
    scale = np.log(at.c[0][0])
    if mean.shape[1] == 1:
        return np.asarray(np.logaddexp.reduce(first, axis=0) + scale)
    (l21, l22), (c21, c22) = low[1], at.c[1]
    far = at.z[1] + c21 * u[:, None, None]
    base, slope = mean[:, 1:] + l21 * z1 + l22 * far, l22 * c22
    total = np.zeros(far.shape[1:])
    top = None
    for v, log_v in sorted(zip(u, log_w, strict=True), key=lambda pair: abs(pair[0])):
        z2 = far + c22 * v
        height = first + log_counts(base + slope * v, k[:, 1], n[:, 1]) - z2 * z2 / 2 + log_v
        peak = height.max(axis=0)
        if top is None:  # the middle: hardly anything is much higher
            top = peak
        elif (peak > top + MOST_ABOVE).any():
            higher = np.where(peak > top + MOST_ABOVE, peak, top)
            total, top = total * np.exp(top - higher), higher
        total += np.exp(height - top).sum(axis=0)
    return np.asarray(np.log(total) + top + scale + np.log(c22))


# -- Posterior of a normal population of sites on the logit scale, by importance sampling from a fitted t --------------

#     expit(m_j) Beta(1/2, 1/2),    tau_j half-normal(1),    correlation uniform on (-1, 1)
#
# Each parameter is a function of a number that is standard normal under its prior. Those of means are taken in units
# of the error that a mean has at its sd, because the larger sds are the less is known of means. These numbers are
# drawn from a multivariate t that has the mean and covariance of their posterior, found by a few rounds of the same
# (adaptive importance sampling: Cappe et al. 2004), and weighted by posterior over proposal. The points of the t are a
# randomly shifted lattice, which is more even than independent draws.


#: Scale of the half-normal prior of the sds.
SPREAD = 1.0

#: Degrees of freedom of the proposal, rounds that fit it, their points and nodes.
FREEDOM, ROUNDS, FITTED_BY, COARSE = 5.0, 6, 1000, 3

#: Nodes of a mean over sites, and new sites of each draw.
ACROSS, TIMES = 21, 4


def arcsine_rates(mean: Floats) -> Floats:
    """Log density of means whose rate is Beta(1/2, 1/2), Jeffreys' prior of one rate."""
    return np.asarray(-np.log(np.pi) - np.abs(mean) / 2 - np.log1p(np.exp(-np.abs(mean))))


def half_normal(sd: Floats) -> Floats:
    """Log density of sds, half-normal."""
    return np.asarray(0.5 * np.log(2 / np.pi) - np.log(SPREAD) - 0.5 * (sd / SPREAD) ** 2)


@dataclass(frozen=True, eq=False)
class SitePopulation:
    """Weighted draws of a population, and of the sites."""

    k: Floats  # (S, D)
    n: Floats  # (S, D)
    mean: Floats  # (P, D), of the logits, in each draw
    sd: Floats  # (P, D)
    rho: Floats  # (P,), correlation; zeros where D is 1
    weight: Floats  # (P,), adding to 1
    likelihood: Floats  # (P, C), log probability of each distinct pair of counts
    cell: Integers  # (S,), which of them is a site's
    seed: int

    @property
    def worth(self) -> float:
        """Number of independent draws from the posterior that the weighted ones are worth (Kish)."""
        return float(1 / (self.weight @ self.weight))

    @cached_property
    def new(self) -> tuple[Floats, Floats]:
        """Logits of new sites, some of each draw, (4 P, D), and their weights."""
        mean, sd, rho, weight = (repeat(x, TIMES, axis=0) for x in (self.mean, self.sd, self.rho, self.weight))
        z = special.ndtri(_lattice(len(mean), mean.shape[1], (self.seed, 1)))
        return mean + times(roots(sd, rho), z), weight / TIMES

    @cached_property
    def over_sites(self) -> Floats:
        """Mean over sites of each rate, in each draw, shape (P, D)."""
        u, w = np.polynomial.hermite_e.hermegauss(ACROSS)
        return np.asarray(special.expit(self.mean[..., None] + self.sd[..., None] * u) @ (w / w.sum()))

    def site(self, i: int) -> tuple[Floats, Floats]:
        """Logits of a site that was seen, (P, D), drawn from a t around its integrand's top, and their weights."""
        k, n = self.k[i : i + 1], self.n[i : i + 1]
        at, low = centred(self.mean, self.sd, self.rho, k, n), roots(self.sd, self.rho)
        size = self.mean.shape[1]
        points = _lattice(len(self.mean), size, (self.seed, 2, i))
        u = special.stdtrit(FREEDOM, points)
        z = np.stack(
            [at.z[j][:, 0] + sum(at.c[j][h][:, 0] * u[:, h] for h in range(j + 1)) for j in range(size)], axis=1
        )
        x = self.mean + times(low, z)
        log_f = log_counts(x, k[0], n[0]).sum(axis=1) - (z * z).sum(axis=1) / 2
        log_q = (-(FREEDOM + 1) / 2 * np.log1p(u * u / FREEDOM)).sum(axis=1)
        log_q -= sum(np.log(at.c[j][j][:, 0]) for j in range(size))
        # over the probability of its counts, which is in the weight of the draw; constants cancel
        own = log_f - log_q - self.likelihood[:, self.cell[i]]
        held = self.weight > 0  # where counts are huge, the draws of a population that none of them fit weigh nothing
        weight = self.weight * np.exp(np.where(held, own - own[held].max(), 0.0))
        return x, weight / weight.sum()


def site_population(
    k: Floats,
    n: Floats,
    *,
    draws: int,
    seed: int,
    spread: Callable[[Floats], Floats] = half_normal,
    middle: Callable[[Floats], Floats] = arcsine_rates,
    shared: float | None = None,
    nodes: int = NODES,
) -> SitePopulation:
    """Draw the posterior of the population that sites with counts (S, D) come from, D = 1 or 2.

    ``spread`` and ``middle`` are log densities of the sds and of the means. With ``shared``, two rates are of one kind:
    a level of each site, whose sd is half-normal, and a difference, whose sd is half-normal with this scale; both rates
    have one sd then, and the correlation follows.
    """
    size = k.shape[1]
    distinct, cell, copies = np.unique(np.concatenate((k, n), axis=1), axis=0, return_inverse=True, return_counts=True)

    scale = _Scale(k, n, shared)

    def weighed(points: Floats, log_q: Floats, nodes: int) -> tuple[Floats, Floats, Floats]:
        """Numbers of the parameters, log probabilities of the counts, log weights."""
        z, log_unit = scale.spread(points)
        mean, sd, rho = _parameters(z, size, shared)
        found = log_likelihood(mean, sd, rho, distinct[:, :size], distinct[:, size:], nodes=nodes)
        prior = (spread(sd) - half_normal(sd) + middle(mean) - arcsine_rates(mean)).sum(axis=1) - (z * z).sum(
            axis=1
        ) / 2
        return z, found, found @ copies.astype(float) + prior + log_unit - log_q

    centre, cover = scale.start
    for turn in range(ROUNDS):
        points, log_q = _proposed(centre, cover, FITTED_BY, (seed, 3, turn))
        weight = _flattened(weighed(points, log_q, COARSE)[2])
        centre = weight @ points
        off = points - centre
        cover = (off * weight[:, None]).T @ off + 1e-9 * np.eye(len(centre))
    z, likelihood, log_weight = weighed(*_proposed(centre, cover, draws, (seed, 0)), nodes)
    weight = np.exp(log_weight - log_weight.max())
    return SitePopulation(k, n, *_parameters(z, size, shared), weight / weight.sum(), likelihood, cell.ravel(), seed)


class _Scale:
    """Numbers of the means in units of their error, from moments of the logits of counts with half a case added."""

    def __init__(self, k: Floats, n: Floats, shared: float | None = None) -> None:
        self._guess = np.log((k + 0.5) / (n - k + 0.5))
        self._within, self._used = 1 / (k + 0.5) + 1 / (n - k + 0.5), n > 0
        used, size = self._used, k.shape[1]
        sites = np.maximum(used.sum(axis=0), 1)
        share = used / self._within
        # a rate that no site shows has the units of its prior
        self._seen = used.any(axis=0)
        mean = (share * self._guess).sum(axis=0) / np.where(self._seen, share.sum(axis=0), 1.0)
        total = (used * (self._guess - mean) ** 2).sum(axis=0) / np.maximum(sites - 1, 1)
        tau = np.clip(np.sqrt(np.maximum(total - (used * self._within).sum(axis=0) / sites, 0.0)), 0.2, 2.0)
        self._size, self._shared = size, shared
        centre = np.concatenate((np.zeros(size), -special.ndtri(2 * special.ndtr(-tau / SPREAD)), np.zeros(size - 1)))
        if shared is not None:
            centre = np.append(centre[:3], 0.0)
        self.start = centre, np.diag(np.where(np.arange(len(centre)) < size, 1.5, 0.5))

    def spread(self, points: Floats) -> tuple[Floats, Floats]:
        """Numbers of all parameters, and the log of the units of those of the means."""
        sd = _parameters(points, self._size, self._shared)[1]
        share = self._used / (self._within + sd[:, None, :] ** 2)
        known = np.where(self._seen, share.sum(axis=1), 1.0)
        mean = (share * self._guess).sum(axis=1) / known
        middle = -np.sign(mean) * special.ndtri(2 / np.pi * np.arctan(np.exp(-np.abs(mean) / 2)))
        slope = np.sqrt(2 * np.pi) * np.exp(middle**2 / 2 + arcsine_rates(mean))
        unit = np.where(self._seen, slope / np.sqrt(known), 1.0)
        numbers = points.copy()
        numbers[:, : self._size] = middle + unit * points[:, : self._size]
        return numbers, np.log(unit).sum(axis=1)


def _parameters(points: Floats, size: int, shared: float | None = None) -> tuple[Floats, Floats, Floats]:
    """Means, sds and correlation from numbers that are standard normal under the prior."""
    z = np.clip(points, -30, 30)
    number = z[:, :size]  # from the nearer end of the rate, where no digits are lost
    mean = -2 * np.sign(number) * np.log(np.tan(np.pi / 2 * special.ndtr(-np.abs(number))))
    if shared is not None:
        level = np.maximum(-SPREAD * special.ndtri(special.ndtr(-z[:, 2]) / 2), 1e-6) ** 2
        half = np.maximum(-shared / 2 * special.ndtri(special.ndtr(-z[:, 3]) / 2), 1e-6) ** 2
        rho = np.clip((level - half) / (level + half), -1 + 1e-9, 1 - 1e-9)
        return mean, repeat(np.sqrt(level + half)[:, None], 2, axis=1), rho
    sd = np.maximum(-SPREAD * special.ndtri(special.ndtr(-z[:, size : 2 * size]) / 2), 1e-9)
    rho = np.clip(2 * special.ndtr(z[:, -1]) - 1, -1 + 1e-9, 1 - 1e-9) if size > 1 else np.zeros(len(z))
    return mean, sd, rho


def _flattened(log_weight: Floats) -> Floats:
    """Weights, taken to a power where a few points would hold all of them."""
    for power in (1.0, 0.7, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02):
        weight = np.exp(power * (log_weight - log_weight.max()))
        weight /= weight.sum()
        if 1 / float(weight @ weight) > 0.1 * len(weight):
            break
    return np.asarray(weight)


def _proposed(centre: Floats, cover: Floats, count: int, seed: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Points of a multivariate t of this mean and covariance, and its log density up to a constant."""
    size = len(centre)
    u = _lattice(count, size + 1, seed)
    z = special.ndtri(u[:, :size])
    chi = 2 * special.gammaincinv(FREEDOM / 2, u[:, size])
    root = np.linalg.cholesky(cover * (FREEDOM - 2) / FREEDOM)
    t = z * np.sqrt(FREEDOM / chi)[:, None]
    return centre + t @ root.T, -(FREEDOM + size) / 2 * np.log1p((t * t).sum(axis=1) / FREEDOM)


def _lattice(count: int, size: int, seed: tuple[int, ...]) -> Floats:
    """Points of the unit cube, even in it: multiples of powers of a root of ``x^(size + 1) = x + 1``, shifted."""
    root = 2.0
    for _ in range(60):
        root = (1 + root) ** (1 / (size + 1))
    step = root ** -np.arange(1.0, size + 1)
    shift = np.random.default_rng(seed).random(size)
    points = (shift + np.arange(1, count + 1)[:, None] * step) % 1.0
    return np.asarray(np.clip(points, 1e-12, 1 - 1e-12))


# -- Who is best over many data sets: scores normal around classifiers, data sets and the luck of each on each ---------

#     y_i ~ N(b_i 1 + m + u_i, V_i),    u_i ~ N(0, tau^2 I),    m ~ N(0, s^2 I) up to a constant
#
# b_i, how hard a data set is, is flat and drops out: what counts are contrasts, C y_i. Given tau and s everything is
# normal; both are integrated on a grid. Of two classifiers m is flat.


#: Scale of the half-normal priors of tau and s, in units of the score.
SCALE = 0.1

#: Points of the grid of either, evenly in the logarithm.
POINTS, LEAST, MOST = 41, 3e-4, 0.5


class LeadDraws(NamedTuple):
    """Draws of m and of the scores on a new data set, each less the average classifier's, (draws, T); E(tau), E(s)."""

    average: Floats
    new: Floats
    tau: float
    spread: float


def contrasts(size: int) -> Floats:
    """Rows of unit length, at right angles to each other and to the vector of ones (Helmert)."""
    rows = np.zeros((size - 1, size))
    for j in range(1, size):
        rows[j - 1, :j], rows[j - 1, j] = 1.0, -float(j)
        rows[j - 1] /= np.sqrt(j * (j + 1.0))
    return rows


def contest(y: Floats, cover: Floats, *, draws: int, seed: int) -> LeadDraws:
    """Draw the posterior, from scores (S, T) between 0 and 1 and their covariances (S, T, T) within data sets."""
    c = contrasts(y.shape[1])
    z, within = y @ c.T, c @ cover @ c.T
    size = len(c)
    # one axis of the grid turns all data sets: their own axes are those of the covariances within
    value, axes = np.linalg.eigh(within)
    value = np.maximum(value, 1e-12)
    along = np.einsum("sji,sj->si", axes, z)
    taus = np.geomspace(LEAST, MOST, POINTS)
    spreads = taus if size > 1 else np.array([np.inf])
    log_weight = np.empty((len(taus), len(spreads)))
    middles = np.empty((*log_weight.shape, size))
    shapes = np.empty((*log_weight.shape, size, size))
    for i, tau in enumerate(taus):
        weight = 1 / (value + tau * tau)
        known = np.einsum("sji,si,ski->jk", axes, weight, axes)
        pull = np.einsum("sji,si,si->j", axes, weight, along)
        fit = 0.5 * (np.log(weight) - weight * along * along).sum()
        for j, spread in enumerate(spreads):
            covered = np.linalg.inv(known + np.eye(size) / spread**2)
            middle = covered @ pull
            middles[i, j], shapes[i, j] = middle, covered
            top = fit + 0.5 * pull @ middle + 0.5 * np.linalg.slogdet(covered)[1]
            # density in the logarithm of both
            top += np.log(tau) - 0.5 * (tau / SCALE) ** 2
            if size > 1:
                top += (1 - size) * np.log(spread) - 0.5 * (spread / SCALE) ** 2
            log_weight[i, j] = top
    share = np.exp(log_weight - log_weight.max())
    share /= share.sum()
    rng = np.random.default_rng(seed)
    edges = np.minimum(np.cumsum(share.ravel()), 1.0)
    places = np.minimum(np.searchsorted(edges, (np.arange(draws) + rng.random()) / draws), share.size - 1)
    i, j = np.divmod(places, share.shape[1])
    noise = rng.standard_normal((draws, size))
    made = np.empty((draws, size))
    for place in np.unique(places):
        here = places == place
        cell = divmod(int(place), share.shape[1])
        made[here] = middles[cell] + noise[here] @ np.linalg.cholesky(shapes[cell]).T
    new = made + taus[i][:, None] * rng.standard_normal((draws, size))
    wide = float(share.sum(axis=0) @ spreads) if size > 1 else 0.0
    return LeadDraws(made @ c, new @ c, float(share.sum(axis=1) @ taus), wide)


# -- A number of two logits over a population of sites: its mean and sd between sites, in each draw of the population --

# The difference of two classifiers is one, in two ways. Separate test sets: the logits are those of both accuracies.
# The same cases: of the share of cases that tell the two apart (only one has them right), and of the share of these
# that A has right. Given both shares the counts are two independent binomials, so the likelihood is that of two rates.


#: Nodes on each of the two axes of a mean over sites.
NODES_OVER = 11


class GainOverSites(NamedTuple):
    """Mean and standard deviation between sites, each of shape (P,)."""

    mean: Floats
    sd: Floats


def apart(logits: Floats) -> Floats:
    """Accuracy of A less that of B, from the logits of both, (..., 2)."""
    return np.asarray(special.expit(logits[..., 0]) - special.expit(logits[..., 1]))


def together(logits: Floats) -> Floats:
    """The same, from the logits of the share that tells them apart and of the part of it that A has right."""
    return np.asarray(special.expit(logits[..., 0]) * np.tanh(logits[..., 1] / 2))


def uniform_rates(mean: Floats) -> Floats:
    """Log density of means whose rates are uniform between 0 and 1."""
    return np.asarray(special.log_expit(mean) + special.log_expit(-mean))


def gain_over_sites(mean: Floats, sd: Floats, rho: Floats, *, paired: bool) -> GainOverSites:
    """Mean and sd of the difference over the sites of P populations, the logits being `together` or `apart`."""
    of = together if paired else apart
    u, weight = np.polynomial.hermite_e.hermegauss(NODES_OVER)
    weight = weight / weight.sum()
    low = roots(sd, rho)
    first, second = np.zeros(len(mean)), np.zeros(len(mean))
    for u1, w1 in zip(u, weight, strict=True):
        for u2, w2 in zip(u, weight, strict=True):
            x1 = mean[:, 0] + low[0][0][:, 0] * u1
            x2 = mean[:, 1] + low[1][0][:, 0] * u1 + low[1][1][:, 0] * u2
            gain = of(np.stack((x1, x2), axis=-1))
            first += w1 * w2 * gain
            second += w1 * w2 * gain * gain
    return GainOverSites(first, np.sqrt(np.maximum(second - first * first, 0.0)))


# -- Sites whose metric is known with a Normal error each, from a Normal population of sites ---------------------------


#: Nodes over the spread of sites, and the prior's standard deviation of it, in those of one unit within a site.
SPREADS_TRIED, GAIN_SPREAD = 400, 0.5


class NormalSites(NamedTuple):
    """Draws of a typical site, of a new one, of the spread, shape (draws,) each, and of the sites, (draws, sites)."""

    typical: Floats
    new: Floats
    spread: Floats
    sites: Floats


def normal_sites(
    means: Floats, sds: Floats, sizes: Floats, draws: int, rng: np.random.Generator,
    limits: tuple[float, float] = (-np.inf, np.inf),
) -> NormalSites:  # fmt: skip
    """Population of sites with means and standard errors of their own; the spread has a half-Normal prior.

    Its scale is half the standard deviation of one unit, which is that of a logit of 1 for rates near one half. Values
    beyond the limits, which a Normal population has, are moved there.
    """
    unit = float(np.median(sds * np.sqrt(sizes)))
    least = max(float(sds.min()), 1e-12) / 1000
    tau = np.geomspace(least, 6 * GAIN_SPREAD * unit + 10 * float(np.ptp(means)) + least, SPREADS_TRIED)
    variance = sds**2 + tau[:, None] ** 2
    weight = 1 / variance
    middle = (weight @ means) / weight.sum(1)
    log = (
        -0.5 * np.log(variance).sum(1) - 0.5 * np.log(weight.sum(1))
        - 0.5 * (weight * (means - middle[:, None]) ** 2).sum(1) - 0.5 * (tau / (GAIN_SPREAD * unit)) ** 2 + np.log(tau)
    )  # fmt: skip
    chance = np.exp(log - log.max())
    at = rng.choice(SPREADS_TRIED, draws, p=chance / chance.sum())
    spread = tau[at]
    typical = middle[at] + rng.standard_normal(draws) / np.sqrt(weight.sum(1)[at])
    new = typical + spread * rng.standard_normal(draws)
    kept = 1 / (1 / sds**2 + 1 / spread[:, None] ** 2)
    centre = kept * (means / sds**2 + (typical / spread**2)[:, None])
    each = centre + np.sqrt(kept) * rng.standard_normal((draws, len(means)))
    return NormalSites(np.clip(typical, *limits), np.clip(new, *limits), spread, np.clip(each, *limits))
