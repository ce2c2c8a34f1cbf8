"""A number of two logits over a population of sites: its mean and sd between sites, in each draw of the population.

The difference of two classifiers is one, in two ways. Separate test sets: the logits are those of both accuracies. The
same cases: of the share of cases that tell the two apart (only one has them right), and of the share of these that A
has right. Given both shares the counts are two independent binomials, so the likelihood is that of two rates.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats
from howsure.numerics.sites.site_likelihood import roots

__all__ = ["GainOverSites", "apart", "gain_over_sites", "together", "uniform_rates"]

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
    """Mean and sd of the difference over the sites of each population.

    Parameters
    ----------
    mean, sd : ndarray, shape (P, 2)
    rho : ndarray, shape (P,)
    paired : bool
        What the logits are: `together` or `apart`.

    Examples
    --------
    >>> at = np.array([[1.0, 1.0]])
    >>> made = gain_over_sites(at, at / 2, np.array([0.3]), paired=False)
    >>> abs(float(made.mean[0])) < 1e-9, round(float(made.sd[0]), 2)
    (True, 0.12)
    """
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
