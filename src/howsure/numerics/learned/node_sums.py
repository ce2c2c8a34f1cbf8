"""The exact law of a weighted sum of recalls under a learned population: nodes' characteristic functions, one inversion.

Given a node of the hyperparameters the classes are independent, and class u is Beta(alpha, beta) or, with probability
``broad``, Beta(broad_alpha, broad_beta). So the characteristic function of the sum is a product,

    phi(t) = sum_g W_g prod_u [(1 - w_gu) phi_main(omega_u t) + w_gu phi_broad(omega_u t)]^copies_u,

and because a mixture is linear it is inverted once, by its Fourier series on a window that holds the mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Booleans, Complexes, Floats, Integers
from howsure.numerics.beta_sum.fourier import FourierSeries, unit_phase
from howsure.numerics.learned.node_transforms import alike, beta_cumulants, beta_transforms

__all__ = ["NodeSum", "NodeTransform"]

#: Nodes that hold this much together, the lightest, enter as normal laws of their mean and variance.
LIGHT = 1e-4

#: Mass that may lie outside of the window on either side.
OUTSIDE = 1e-7

#: The first pass goes to t = FIRST/sd.
FIRST = 6.0

#: Last term, in probability, at which the series may stop; and a node whose terms are that small is left out of the rest.
LAST = 2e-6

#: Frequencies and work (nodes times classes times points times frequencies) that are not exceeded.
MOST_TERMS = 4000

#: Frequencies that nodes resolve, and from which on they do not, in units of pi over their distance.
RESOLVED = (1.0, 1.6)

#: Terms up to which an octave is not interpolated.
FEW = 50

#: Points of the second kind in an octave, from 0 to 1.
CHEBYSHEV = 0.5 - 0.5 * np.cos(np.pi * np.arange(9) / 8)


@dataclass(frozen=True, eq=False)
class NodeSum:
    """Terms of ``shift + sum_u coefficient_u (theta_u1 + ... + theta_u,copies)`` given E x G nodes.

    Parameters
    ----------
    weight : ndarray, shape (E, G)
        Probabilities of the nodes: E shares of the broad part for each of G nodes of the main part.
    alpha, beta : ndarray, shape (G, U)
        Main part of each distinct term.
    broad_alpha, broad_beta : ndarray, shape (U,)
        Its broad part.
    broad : ndarray, shape (E, G, U)
        Probability that it comes from the broad part.
    coefficient, copies : ndarray, shape (U,)
        Not 0; whole numbers above 0.
    spacing : ndarray, shape (G,)
        Distance of the mean of the sum from that at the neighbouring nodes.
    shift : float
        A constant.
    """

    weight: Floats
    alpha: Floats
    beta: Floats
    broad_alpha: Floats
    broad_beta: Floats
    broad: Floats
    coefficient: Floats
    copies: Floats
    spacing: Floats
    shift: float = 0.0

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        reach = self.coefficient * self.copies
        return self.shift + float(np.minimum(reach, 0).sum()), self.shift + float(np.maximum(reach, 0).sum())

    @cached_property
    def node_moments(self) -> tuple[Floats, Floats, Floats]:
        """Mean, variance and third central moment given each node, (E, G) each."""
        main, broad = beta_cumulants(self.alpha, self.beta, 3), beta_cumulants(self.broad_alpha, self.broad_beta, 3)
        gap, c, w = broad[0] - main[0], self.coefficient, self.copies
        fixed = main[0] @ (w * c)
        odd = self.broad
        mean = self.shift + fixed + (odd * gap) @ (w * c)
        both = odd * (1 - odd) * gap**2
        variance = (main[1] + odd * (broad[1] - main[1]) + both) @ (w * c * c)
        third = (main[2] + odd * (broad[2] - main[2]) + both * (3 * (broad[1] - main[1]) + (1 - 2 * odd) * gap)) @ (
            w * c**3
        )
        return mean, variance, third


class NodeTransform:
    """Characteristic function of a `NodeSum` at multiples of a step, and where its mass is.

    Nodes of negligible weight enter as normal laws; ``loss`` bounds what that does to a distribution function.
    """

    def __init__(self, terms: NodeSum) -> None:
        self.terms = terms
        weight = terms.weight / terms.weight.sum()
        mean, variance, third = terms.node_moments
        self.mean = float((weight * mean).sum())
        self.sd = float(np.sqrt((weight * (variance + (mean - self.mean) ** 2)).sum()))
        total = weight.sum(axis=0)
        order = np.argsort(total)
        self._heavy = order[int(np.searchsorted(np.cumsum(total[order]), LIGHT)) :]
        light = order[: len(order) - len(self._heavy)]
        self._weight = weight
        skewness = np.abs(third) / np.maximum(variance, 1e-300) ** 1.5
        spacing = np.broadcast_to(terms.spacing, weight.shape)
        self._light = tuple(x[:, light].ravel() for x in (weight, mean, variance, spacing))
        self.loss = float(self._light[0] @ np.minimum(0.03 + 0.0665 * skewness[:, light].ravel(), 1.0))
        sd = np.sqrt(variance)
        reach = (5.5 + np.minimum(1.5 * skewness, 6.0)) * sd
        low, high = terms.support
        self.low = max(low, _below((mean - reach).ravel(), weight.ravel()))
        self.high = min(high, -_below(-(mean + reach).ravel(), weight.ravel()))

    def series(self, period: float) -> tuple[Complexes, float]:
        """``phi(t) e^{-i t mean}`` at multiples of ``2 pi / period``, and the size of what is left out."""
        step = 2 * np.pi / period
        count = max(12, int(np.ceil(FIRST / self.sd / step)))
        phi, last = self._sum(self._heavy, step * np.arange(1, count + 1))
        parts, nodes, have = [phi], self._heavy, count
        while True:
            size = last / have
            if size.sum() <= LAST or have >= MOST_TERMS:
                return np.concatenate(parts), float(size.sum())
            order = np.argsort(size)
            dropped = int(np.searchsorted(np.cumsum(size[order]), 0.1 * LAST))
            nodes = nodes[order[dropped:]]
            phi, last = self._octave(nodes, step, have)
            parts.append(phi)
            have += len(phi)

    def _octave(self, nodes: Integers, step: float, have: int) -> tuple[Complexes, Floats]:
        """As many terms again: beyond the first pass the transform is a wave of one vertex times a smooth factor."""
        index = np.arange(have + 1, 2 * have + 1)
        if have <= FEW:
            return self._sum(nodes, step * index)
        few = np.exp(np.log(have + 1) + np.log(2 * have / (have + 1)) * CHEBYSHEV)
        phi, last = self._sum(nodes, step * few)
        vertex = self.terms.shift + float((self.terms.coefficient * self.terms.copies) @ self._upper) - self.mean
        smooth = phi * unit_phase(-vertex * step * few)
        x = np.log(index / (have + 1)) / np.log(2 * have / (have + 1))
        fine, coarse = _interpolated(smooth, CHEBYSHEV, x), _interpolated(smooth[::2], CHEBYSHEV[::2], x)
        if np.abs(fine - coarse).max() / have > 10 * LAST:
            return self._sum(nodes, step * index)
        return fine * unit_phase(vertex * step * index), last

    @cached_property
    def _upper(self) -> Booleans:
        """Whether a class is nearer to all right than to none."""
        terms = self.terms
        above = np.minimum(terms.beta.min(axis=0), terms.broad_beta)
        return np.asarray(above <= np.minimum(terms.alpha.min(axis=0), terms.broad_alpha))

    def _sum(self, nodes: Integers, t: Floats) -> tuple[Complexes, Floats]:
        """Transform at ``t``, and the size of every node's last value."""
        terms, result, last = self.terms, np.zeros(len(t), complex), np.empty(len(nodes))
        z = terms.coefficient[:, None] * t
        broad = beta_transforms(terms.broad_alpha[None], terms.broad_beta[None], z)[:, 0]
        for group in alike((terms.alpha + terms.beta)[nodes, 0]):
            chosen = nodes[group]
            main = beta_transforms(terms.alpha[chosen], terms.beta[chosen], z)
            odd, weight = terms.broad[:, chosen], self._weight[:, chosen]
            product = np.ones((*weight.shape, len(t)), complex)
            for u, copies in enumerate(terms.copies.astype(int).tolist()):
                factor = odd[:, :, u, None] * (broad[u] - main[u])
                factor += main[u]
                product *= _power(factor, copies)
            product *= _resolved(terms.spacing[chosen], t)
            result += np.einsum("eg,egf->f", weight, product)
            last[group] = (weight * np.abs(product[:, :, -len(t) // 4 :]).max(axis=2)).sum(axis=0)
        result *= unit_phase(t * (terms.shift - self.mean))
        weight, mean, variance, spacing = self._light
        if len(weight):
            size = np.exp(-0.5 * np.outer(variance, t * t)) * _resolved(spacing, t)
            result += weight @ (size * unit_phase(np.outer(mean - self.mean, t)))
        return result, last


def _below(x: Floats, weight: Floats) -> float:
    """Place below which no more than the negligible mass begins."""
    order = np.argsort(x)
    return float(x[order[int(np.searchsorted(np.cumsum(weight[order]), OUTSIDE))]])


def _resolved(spacing: Floats, t: Floats) -> Floats:
    """1 at the frequencies that nodes so far apart resolve, falling to 0 beyond: there they are a comb, not a law."""
    beyond = np.clip((np.outer(spacing, t) / np.pi - RESOLVED[0]) / (RESOLVED[1] - RESOLVED[0]), 0.0, 1.0)
    return np.asarray(np.cos(0.5 * np.pi * beyond) ** 2)


def _interpolated(values: Complexes, points: Floats, x: Floats) -> Complexes:
    """Polynomial through Chebyshev points of the second kind, in the barycentric form."""
    weight = np.where(np.arange(len(points)) % 2, -1.0, 1.0)
    weight[[0, -1]] *= 0.5
    gap = x[:, None] - points
    exact = np.abs(gap) < 1e-14
    pull = weight / np.where(exact, 1.0, gap)
    pull[exact.any(axis=1)] = 0.0
    pull[exact] = 1.0
    return np.asarray((pull @ values) / pull.sum(axis=1))


def _power(base: Complexes, exponent: int) -> Complexes:
    """Whole power by squaring."""
    result = None
    while True:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        base = base * base
