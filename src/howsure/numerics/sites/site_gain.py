"""Which of several is the best over sites, and what one gains."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.sites.site_population import roots

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
NODES, SPREAD = 400, 0.5


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
    tau = np.geomspace(least, 6 * SPREAD * unit + 10 * float(np.ptp(means)) + least, NODES)
    variance = sds**2 + tau[:, None] ** 2
    weight = 1 / variance
    middle = (weight @ means) / weight.sum(1)
    log = (
        -0.5 * np.log(variance).sum(1) - 0.5 * np.log(weight.sum(1))
        - 0.5 * (weight * (means - middle[:, None]) ** 2).sum(1) - 0.5 * (tau / (SPREAD * unit)) ** 2 + np.log(tau)
    )  # fmt: skip
    chance = np.exp(log - log.max())
    at = rng.choice(NODES, draws, p=chance / chance.sum())
    spread = tau[at]
    typical = middle[at] + rng.standard_normal(draws) / np.sqrt(weight.sum(1)[at])
    new = typical + spread * rng.standard_normal(draws)
    kept = 1 / (1 / sds**2 + 1 / spread[:, None] ** 2)
    centre = kept * (means / sds**2 + (typical / spread**2)[:, None])
    each = centre + np.sqrt(kept) * rng.standard_normal((draws, len(means)))
    return NormalSites(np.clip(typical, *limits), np.clip(new, *limits), spread, np.clip(each, *limits))
