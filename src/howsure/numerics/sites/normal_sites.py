"""Sites whose metric is known with a Normal error each, from a Normal population of sites."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["NormalSites", "normal_sites"]

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

    Its scale is half the standard deviation of one unit, which is that of a logit of 1 for rates near one half.

    Parameters
    ----------
    means, sds, sizes : ndarray, shape (sites,)
        Of the metric at each site, and its units.
    draws : int
    rng : numpy Generator
    limits : (float, float)
        Values beyond them, which a Normal population has, are moved there.

    Examples
    --------
    >>> alike = normal_sites(np.full(6, 0.5), np.full(6, 0.02), np.full(6, 100.0), 4_000, np.random.default_rng(1))
    >>> round(float(alike.typical.mean()), 2), bool(np.median(alike.spread) < 0.02)
    (0.5, True)
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
