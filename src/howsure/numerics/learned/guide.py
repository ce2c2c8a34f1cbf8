"""Where the posterior of a population's hyperparameters lies: a guide that places nodes; their weights are exact.

For each spread y the centre of (a, b) and of the share e of the broad part by expectation and maximisation, with a
quasi-likelihood regression on the size scores in which a member counts by its probability to be of the main part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from howsure.numerics.arrays import Floats, Integers
from howsure.numerics.learned.evidence import PopulationModel, Tallies, log_main

__all__ = ["Modes", "fitted", "laplace", "polished", "share_mass", "starts"]

#: Quantiles of the observed rates at which a fit starts: the population may have more than one explanation.
QUANTILES = (0.5, 0.15, 0.85)

#: Newton steps of one round, and what is near enough, in standard deviations.
STEPS, NEAR = 3, 0.1


@dataclass(frozen=True)
class Modes:
    """Modes of (a, b) and e given y, shape (S,) each; h are the entries of the information matrix of (a, b).

    ``expected`` is the number of members of the broad part.
    """

    y: Floats
    a: Floats
    b: Floats
    e: Floats
    expected: Floats
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
    """Newton steps on the exact log posterior of (a, b) given y and e, by differences of half a standard deviation.

    Curvatures are held within a factor 3 of the guide's.
    """
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
