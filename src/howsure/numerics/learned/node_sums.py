"""Weighted sums of the recalls of a learned population: the characteristic functions of its nodes, summed.

Given a node of the hyperparameters the classes are independent, and class u is Beta(alpha, beta) or, with probability
``broad``, Beta(broad_alpha, broad_beta). So the characteristic function of the sum is a product,

    phi(t) = sum_g W_g prod_u [(1 - w_gu) phi_main(omega_u t) + w_gu phi_broad(omega_u t)]^copies_u,

and because a mixture is linear it is inverted once, by its Fourier series on a window that holds the mass.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Booleans, Complexes, Floats, Integers, dot
from howsure.numerics.beta_sum.fourier import equispaced_transform, power_ladder, unit_phase
from howsure.numerics.learned.node_transforms import TooDear, alike, beta_cumulants, beta_transforms

__all__ = ["NodeSum", "NodeTransform"]

#: Nodes that hold this much together, the lightest, enter as normal laws of their mean and variance.
LIGHT = 1e-4

#: Those of them that hold this much together, the lightest, enter as a single one.
LIGHTEST = 1e-6

#: Mass that may lie outside of the window on either side.
OUTSIDE = 1e-7

#: Nodes times terms times frequencies that are not exceeded: some 150 milliseconds.
MOST_WORK = 1_500_000

#: Products of points and waves that are not exceeded, where Betas of very small parameters need many points each.
MOST_PRODUCTS = 3e8

#: Change by half of the points at which an octave is no longer interpolated.
CROOKED = 3e-5

#: Standard deviations from the mean beyond which the weights of nodes are tilted no further.
FAR_OUT = 3.0

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
    offset, share : ndarray, shape (G, P)
        How a node is spread towards its neighbours: where the mean goes, and with which share of its weight; the shares
        of all nodes add up to about 1, and the mean and the variance are those of the nodes before they are spread.
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
    offset: Floats
    share: Floats
    shift: float = 0.0

    @property
    def support(self) -> tuple[float, float]:
        """Smallest and largest possible value."""
        reach = self.coefficient * self.copies
        return self.shift + float(np.minimum(reach, 0).sum()), self.shift + float(np.maximum(reach, 0).sum())

    @cached_property
    def end_exponents(self) -> tuple[float, float]:
        """Least exponent, over the nodes, of the distribution function at the lower and at the upper end."""
        low = np.where(self.coefficient > 0, self.alpha, self.beta) @ self.copies
        high = np.where(self.coefficient > 0, self.beta, self.alpha) @ self.copies
        return float(low.min()), float(high.min())

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
        part = terms.share.sum(axis=1)
        self.share = terms.share / part[:, None]
        shifted = (self.share * terms.offset).sum(axis=1)
        exact = mean - self.mean, variance
        mean, variance = mean + shifted, variance + (self.share * terms.offset**2).sum(axis=1) - shifted**2
        weight = _calibrated(weight, weight * part, exact, (mean - self.mean, variance), self.sd)
        total = weight.sum(axis=0)
        order = np.argsort(total)
        self._heavy = order[int(np.searchsorted(np.cumsum(total[order]), LIGHT)) :]
        light = order[: len(order) - len(self._heavy)]
        self.weight = weight
        skewness = np.abs(third) / np.maximum(variance, 1e-300) ** 1.5
        far = np.minimum(0.03 + 0.0665 * skewness[:, light].ravel(), 1.0)
        self.loss = dot(weight[:, light].ravel(), far) + LIGHTEST
        self._light = _gathered(*(x[:, light].ravel() for x in (weight, mean, variance)))
        sd = np.sqrt(variance)
        reach = (5.5 + np.minimum(1.5 * skewness, 6.0)) * sd
        low, high = terms.support
        self._work, self._products = 0, 0.0
        self.low = max(low, _below((mean - reach).ravel(), weight.ravel()))
        self.high = min(high, -_below(-(mean + reach).ravel(), weight.ravel()))

    def first(self, step: float, count: int) -> Complexes:
        """``phi(t) e^{-i t mean}`` at ``step, 2 step, .. count step``."""
        self._nodes, self._have = self._heavy, count
        t: Floats = step * np.arange(1, count + 1, dtype=float)
        phi, self.last = self._sum(self._nodes, t, even=True)
        return phi

    def octave(self, step: float, negligible: float) -> Complexes:
        """As many values again, without the nodes whose last ones add up to no more than ``negligible``.

        Beyond the first values the transform is a wave of one vertex of the sum times a smooth factor.
        """
        order = np.argsort(self.last)
        nodes = order[int(np.searchsorted(np.cumsum(self.last[order]), negligible)) :]
        self._nodes, have = self._nodes[nodes], self._have
        self._have = 2 * have
        index: Floats = np.arange(have + 1, 2 * have + 1, dtype=float)
        if have > FEW:
            few: Floats = np.exp(np.log(have + 1) + np.log(2 * have / (have + 1)) * CHEBYSHEV)
            phi, last = self._sum(self._nodes, step * few)
            vertex = self.terms.shift + float((self.terms.coefficient * self.terms.copies) @ self._upper) - self.mean
            smooth = phi * unit_phase(-vertex * step * few)
            x: Floats = np.log(index / (have + 1)) / np.log(2 * have / (have + 1))
            fine, coarse = _interpolated(smooth, CHEBYSHEV, x), _interpolated(smooth[::2], CHEBYSHEV[::2], x)
            if np.abs(fine - coarse).max() <= CROOKED:
                self.last = last
                return fine * unit_phase(vertex * step * index)
        phi, self.last = self._sum(self._nodes, step * index, even=True)
        return phi

    @cached_property
    def _upper(self) -> Booleans:
        """Whether a class is nearer to all right than to none."""
        terms = self.terms
        above = np.minimum(terms.beta.min(axis=0), terms.broad_beta)
        return np.asarray(above <= np.minimum(terms.alpha.min(axis=0), terms.broad_alpha))

    def _sum(self, nodes: Integers, t: Floats, *, even: bool = False) -> tuple[Complexes, Floats]:
        """Transform at ``t``, which may be evenly spaced, and the size of every node's last values."""
        self._work += len(nodes) * len(self.terms.coefficient) * len(t)
        if self._work > MOST_WORK:
            raise TooDear
        terms, result, last = self.terms, np.zeros(len(t), complex), np.empty(len(nodes))
        z = terms.coefficient[:, None] * t
        broad = beta_transforms(terms.broad_alpha[None], terms.broad_beta[None], z)[0][:, 0]
        for group in alike((terms.alpha + terms.beta)[nodes, 0]):
            chosen = nodes[group]
            left = MOST_PRODUCTS - self._products
            main, products = beta_transforms(terms.alpha[chosen], terms.beta[chosen], z, left)
            self._products += products
            odd, weight = terms.broad[:, chosen], self.weight[:, chosen]
            product = np.ones((*weight.shape, len(t)), complex)
            for u, copies in enumerate(terms.copies.astype(int).tolist()):
                factor = odd[:, :, u, None] * (broad[u] - main[u])
                factor += main[u]
                product *= _power(factor, copies)
            product *= _spread(terms.offset[chosen], self.share[chosen], t, even=even)
            result += np.einsum("eg,egf->f", weight, product)
            last[group] = (weight * np.abs(product[:, :, -len(t) // 4 :]).max(axis=2)).sum(axis=0)
        result *= unit_phase(t * (terms.shift - self.mean))
        weight, mean, variance = self._light
        if len(weight):
            waves = _waves(mean - self.mean, t, even=even)
            waves *= np.exp(-0.5 * np.outer(t * t, variance))
            result += waves @ weight
        return result, last


def _spread(offset: Floats, share: Floats, t: Floats, *, even: bool) -> Complexes:
    """``sum_p share_p e^{i t offset_p}`` of each node, (G, F)."""
    if even:
        return equispaced_transform(offset, share, float(t[0]), float(t[1] - t[0]), len(t))
    return np.asarray((share[:, None, :] @ unit_phase(offset[:, :, None] * t))[:, 0])


def _waves(x: Floats, t: Floats, *, even: bool) -> Complexes:
    """``e^{i x t}``, shape (F, ...); at evenly spaced ``t`` by powers, a fraction of the time of sines."""
    if not even:
        return unit_phase(np.multiply.outer(t, x))
    waves = power_ladder(unit_phase((t[1] - t[0]) * x), len(t))
    waves *= unit_phase(t[0] * x)
    return waves


def _gathered(weight: Floats, mean: Floats, variance: Floats) -> tuple[Floats, Floats, Floats]:
    """Normal laws by weight, the lightest of them as one of the same mean and variance."""
    order = np.argsort(weight)
    some, kept = np.split(order, [int(np.searchsorted(np.cumsum(weight[order]), LIGHTEST))])
    whole = float(weight[some].sum())
    if not whole:
        return weight[kept], mean[kept], variance[kept]
    centre = weight[some] @ mean[some] / whole
    width = weight[some] @ (variance[some] + (mean[some] - centre) ** 2) / whole
    return np.append(weight[kept], whole), np.append(mean[kept], centre), np.append(variance[kept], width)


def _calibrated(
    exact: Floats, spread: Floats, before: tuple[Floats, Floats], after: tuple[Floats, Floats], sd: float
) -> Floats:
    """Weights of spread nodes, tilted by a parabola so that mass, mean and variance are those of the nodes."""
    z = np.clip(after[0] / sd, -FAR_OUT, FAR_OUT)
    tilts = np.stack([np.ones_like(z), z, z * z]).reshape(3, -1)
    wanted, each = ([np.ones_like(z), d / sd, (d * d + v) / sd**2] for d, v in (before, after))
    target = np.stack(wanted).reshape(3, -1) @ exact.ravel()
    table = (np.stack(each).reshape(3, -1) * spread.ravel()) @ tilts.T
    tilt = np.linalg.lstsq(table, target, rcond=1e-12)[0] @ tilts
    return np.asarray(spread * np.maximum(tilt, 0.0).reshape(spread.shape))


def _below(x: Floats, weight: Floats) -> float:
    """Place below which no more than the negligible mass begins."""
    order = np.argsort(x)
    return float(x[order[int(np.searchsorted(np.cumsum(weight[order]), OUTSIDE))]])


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
