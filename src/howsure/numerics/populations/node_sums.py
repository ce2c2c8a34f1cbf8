"""Sums of rates that are learned together: a law at each node of the population, and their mixture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from howsure.numerics.arrays import Booleans, Complexes, Floats, Integers, steady_product
from howsure.numerics.beta_sum.transforms import (
    FourierSeries,
    WindowedLaw,
    equispaced_transform,
    unit_phase,
)
from howsure.numerics.populations.logit_laws import reach

# -- Characteristic functions of much the same Betas: one set of points for all nodes of a group, and matrix products --

# The nodes of a learned population give each class hundreds of Betas of nearly one shape. With ``theta = 1/(1 +
# e^-u)`` the density ``theta^a (1 - theta)^b du`` is analytic in the strip ``|Im u| < pi``, and the trapezoidal rule
# converges exponentially (Trefethen and Weideman, 2014), on the same points for all of them: only the weights differ.


#: Weights below ``e^-DROPPED`` of the largest are left out, and the rule errs by about ``e^-ALIASING``.
DROPPED, ALIASING = 19.0, 16.0

#: Half the width of the strip that is counted on where a Beta is broad.
STRIP = 2.6

#: Where its integrand is looked at: around the mode, in its scale; around 1/2, in logits; at parts of that height.
AROUND = np.array([-4.0, -2.0, 0.0, 2.0, 4.0])[:, None, None]
NEAR_CENTRE = np.array([-2.4, -1.2, 0.0, 1.2, 2.4])[:, None, None]
HEIGHTS = np.array([0.15, 0.25, 0.4, 0.55, 0.7, 0.85, 1.0])[:, None]

#: Points from which on a concentrated Beta is known by its cumulants, and most points there may be.
MANY, MOST = 60, 20_000

#: Largest term left out of the logarithm by cumulants.
LEFT_OUT = 1e-7

#: Nodes of a group: at most so many, and concentrations within this factor, as logarithm.
TOGETHER, WITHIN = 256, 1.2

#: Numbers held at a time.
BLOCK = 1 << 19


class TooDear(ArithmeticError):
    """A Beta that is neither broad enough for points nor concentrated enough for cumulants."""


def alike(concentration: Floats) -> Iterator[Integers]:
    """Groups of nodes whose Betas are about equally concentrated; ``concentration`` (G,), above 0."""
    order = np.argsort(concentration, kind="stable")
    level = np.log(concentration[order])
    start = 0
    while start < len(order):
        stop = min(start + TOGETHER, int(np.searchsorted(level, level[start] + WITHIN, side="right")))
        yield order[start:stop]
        start = stop


def beta_transforms(a: Floats, b: Floats, z: Floats, most: float = np.inf) -> tuple[Complexes, float]:
    """``E e^{i z theta}``, shape (U, G, F), of ``theta ~ Beta(a, b)`` (G, U) at frequencies ``z`` (U, F), any sign.

    The nodes of a call should be `alike`. The error is about 1e-8. Also returns the products that it took, of which
    there may be ``most``. Raises `TooDear`.
    """
    left, right, step = _range(a, b, np.abs(z).max(axis=1))
    points = ((right - left) / step).astype(np.int64) + 2
    result = np.empty((a.shape[1], len(a), z.shape[1]), complex)
    many = points > MANY
    if many.any():
        many = _by_cumulants(a, b, z, many, result)
        if points[many].max(initial=0) > MOST:
            raise TooDear
        rest = np.flatnonzero(many) if (points > MANY).any() else np.empty(0, np.int64)
        few = np.flatnonzero(points <= MANY)
    else:
        rest, few = np.empty(0, np.int64), np.arange(len(points))
    products = float(points[few].sum() + points[rest].sum()) * len(a) * z.shape[1]
    if products > most:
        raise TooDear
    for chosen in (few, rest):
        for part in _blocks(points, chosen, len(a), z.shape[1]):
            result[part] = _by_points(a[:, part], b[:, part], z[part], left[part], right[part], int(points[part].max()))
    return result, products


def _blocks(points: Integers, chosen: Integers, nodes: int, frequencies: int) -> Iterator[Integers]:
    start = 0
    while start < len(chosen):
        size = int(points[chosen[start:]].max()) * max(nodes, 2 * frequencies)
        stop = start + max(1, BLOCK // size)
        yield chosen[start:stop]
        start = stop


def _range(a: Floats, b: Floats, top: Floats) -> tuple[Floats, Floats, Floats]:
    """Logits between which all nodes of a class have their mass, and a step that is fine enough for all; (U,) each."""
    mean, sharp, column = a / (a + b), a * b / (a + b), np.arange(a.shape[1])
    rows = np.stack([mean.argmin(0), mean.argmax(0), a.argmin(0), b.argmin(0), sharp.argmax(0)])
    first, second = a[rows, column], b[rows, column]
    flat = DROPPED + np.log(top + first + second)
    lower = _cut(first, second, flat).min(axis=0)
    upper = -_cut(second, first, flat).min(axis=0)
    return lower, upper, _step(first, second, lower, upper, top)


def _step(a: Floats, b: Floats, lower: Floats, upper: Floats, top: Floats) -> Floats:
    """Largest step, shape (U,), whose aliasing is negligible for all of the nodes ``a, b`` (R, U).

    On the line ``Im u = eta`` the integrand grows by ``g = log weight + top q sin(eta)/D - (a + b)/2 log D`` with
    ``q = theta(1 - theta)`` and ``D = 1 - 2q(1 - cos eta)``; the error is ``e^{g - 2 pi eta/h}``.
    """
    n = a + b
    scale = np.sqrt(n / a / b)
    mode = np.log(a) - np.log(b)
    u = np.concatenate([mode + scale * AROUND, np.broadcast_to(NEAR_CENTRE, (len(NEAR_CENTRE), *a.shape))])
    u = np.minimum(np.maximum(u, lower), upper)
    below, above = -np.logaddexp(0, -u), -np.logaddexp(0, u)
    log_weight = a * (below - np.log(a / n)) + b * (above - np.log(b / n))
    eta = np.minimum(np.sqrt(2 * ALIASING) * scale.min(axis=0), STRIP) * HEIGHTS
    q, turn = np.exp(below + above)[:, None], 2 * np.sin(eta / 2) ** 2
    turn = turn[None, :, None]
    shrink = 1 - 2 * q * turn
    sine = np.sin(eta)[None, :, None]
    growth = log_weight[:, None] + top * sine * q / shrink - 0.5 * n * np.log(shrink)
    need = (ALIASING + np.maximum(growth.max(axis=(0, 2)), 0.0)) / eta
    return np.asarray(2 * np.pi / need.min(axis=0))


def _cut(a: Floats, b: Floats, flat: Floats) -> Floats:
    """Logit below which a Beta has no weight, by Newton's method from the safe side, or is a plain power of theta."""
    n = a + b
    mode = np.log(a) - np.log(b)
    top = a * np.log(a / n) + b * np.log(b / n)
    u = mode - np.sqrt(2 * DROPPED * n / a / b)
    for _ in range(3):
        value = -a * np.logaddexp(0, -u) - b * np.logaddexp(0, u) - top + DROPPED
        slope = a - n / (1 + np.exp(np.minimum(-u, 700.0)))
        u = u - value / np.maximum(slope, 1e-300)
    return np.asarray(np.maximum(np.minimum(u, mode), np.minimum(mode, 0.0) - flat))


def _by_points(a: Floats, b: Floats, z: Floats, left: Floats, right: Floats, count: int) -> Complexes:
    step = (right - left) / (count - 1)
    u = left[:, None] + step[:, None] * np.arange(count)
    below, above = -np.logaddexp(0, -u), -np.logaddexp(0, u)
    weight = a.T[:, :, None] * below[:, None, :] + b.T[:, :, None] * above[:, None, :]
    weight -= weight.max(axis=2, keepdims=True)
    np.exp(weight, out=weight)
    weight[:, :, 0] /= -np.expm1(-a.T * step[:, None])
    weight[:, :, -1] /= -np.expm1(-b.T * step[:, None])
    weight /= weight.sum(axis=2, keepdims=True)
    waves = unit_phase(np.exp(below)[:, :, None] * z[:, None, :])
    return steady_product(weight, waves.view(np.float64)).view(np.complex128)


def _by_cumulants(a: Floats, b: Floats, z: Floats, wanted: Booleans, result: Complexes) -> Booleans:
    """Fill in the classes that eight cumulants determine; what is left."""
    chosen = np.flatnonzero(wanted)
    kappa = beta_cumulants(a[:, chosen], b[:, chosen])
    top = np.abs(z[chosen]).max(axis=1)
    left_out = np.abs(kappa[6]) * top**7 / 5040 + np.abs(kappa[7]) * top**8 / 40320
    good = left_out.max(axis=0) < LEFT_OUT
    for u, k in zip(chosen[good], np.moveaxis(kappa[:, :, good], 2, 0), strict=True):
        power = z[u] ** np.arange(1, 9)[:, None] / np.array([1, 2, 6, 24, 120, 720, 5040, 40320])[:, None]
        size = k[[1, 3, 5, 7]].T @ (power[[1, 3, 5, 7]] * np.array([-1, 1, -1, 1])[:, None])
        angle = k[[0, 2, 4, 6]].T @ (power[[0, 2, 4, 6]] * np.array([1, -1, 1, -1])[:, None])
        result[u] = np.exp(size) * unit_phase(angle)
    left = wanted.copy()
    left[chosen[good]] = False
    return left


def beta_cumulants(a: Floats, b: Floats, most: int = 8) -> Floats:
    """Cumulants of order 1 to 3, or to 8, of Beta(a, b), shape (most, ...).

    From central moments by ``(n + r) m_{r+1} = r [(1 - 2p) m_r + p (1 - p) m_{r-1}]`` with ``n = a + b`` (Muehlbach).
    """
    n = a + b
    p, q = a / n, b / n
    m = [np.ones_like(n), np.zeros_like(n)]
    for r in range(1, most):
        m.append(r * ((q - p) * m[r] + p * q * m[r - 1]) / (n + r))
    if most == 3:
        return np.stack([p, m[2], m[3]])
    k4 = m[4] - 3 * m[2] ** 2
    k5 = m[5] - 10 * m[2] * m[3]
    k6 = m[6] - 15 * m[2] * m[4] - 10 * m[3] ** 2 + 30 * m[2] ** 3
    k7 = m[7] - 21 * m[2] * m[5] - 35 * m[3] * m[4] + 210 * m[2] ** 2 * m[3]
    k8 = m[8] - 28 * m[2] * m[6] - 56 * m[3] * m[5] - 35 * m[4] ** 2
    k8 += 420 * m[2] ** 2 * m[4] + 560 * m[2] * m[3] ** 2 - 630 * m[2] ** 4
    return np.stack([p, m[2], m[3], k4, k5, k6, k7, k8])


# -- Weighted sums of the recalls of a learned population: the characteristic functions of its nodes, summed -----------

# Given a node of the hyperparameters the classes are independent, and class u is Beta(alpha, beta) or, with
# probability ``broad``, Beta(broad_alpha, broad_beta). So the characteristic function of the sum is a product,
#
#     phi(t) = sum_g W_g prod_u [(1 - w_gu) phi_main(omega_u t) + w_gu phi_broad(omega_u t)]^copies_u,
#
# and because a mixture is linear it is inverted once, by its Fourier series on a window that holds the mass.


#: Nodes that hold this much together, the lightest, are left out.
LIGHT = 1e-5

#: Mass that may lie outside of the window on either side.
OUTSIDE = 1e-7

#: Nodes times terms times frequencies that are not exceeded: some two seconds.
MOST_WORK = 20_000_000

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
    """Terms of ``shift + sum_u coefficient_u (theta_u1 + ... + theta_u,copies)`` given nodes.

    There are E shares of the broad part for each of G nodes of the main part. A node is spread towards P neighbours;
    mean and variance are those of the nodes before they are spread.
    """

    weight: Floats  # (E, G), probabilities of the nodes
    alpha: Floats  # (G, U), main part of each distinct term
    beta: Floats  # (G, U)
    broad_alpha: Floats  # (U,), its broad part
    broad_beta: Floats  # (U,)
    broad: Floats  # (E, G, U), probability that it comes from the broad part
    coefficient: Floats  # (U,), not 0
    copies: Floats  # (U,), whole numbers above 0
    offset: Floats  # (G, P), where the mean goes
    share: Floats  # (G, P), with which share of the weight; over all nodes they add up to about 1
    shift: float = 0.0  # a constant

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

    @cached_property
    def moments(self) -> tuple[float, float]:
        """Mean and standard deviation over all nodes."""
        weight = self.weight / self.weight.sum()
        mean, variance, _ = self.node_moments
        centre = float((weight * mean).sum())
        return centre, float(np.sqrt((weight * (variance + (mean - centre) ** 2)).sum()))


class NodeTransform:
    """Characteristic function of a `NodeSum` at multiples of a step, and where its mass is.

    Nodes of negligible weight, `LIGHT` together, are left out.
    """

    def __init__(self, terms: NodeSum) -> None:
        self.terms = terms
        weight = terms.weight / terms.weight.sum()
        mean, variance, third = terms.node_moments
        self.mean, self.sd = terms.moments
        part = terms.share.sum(axis=1)
        self.share = terms.share / part[:, None]
        shifted = (self.share * terms.offset).sum(axis=1)
        exact = mean - self.mean, variance
        mean, variance = mean + shifted, variance + (self.share * terms.offset**2).sum(axis=1) - shifted**2
        weight = _calibrated(weight, weight * part, exact, (mean - self.mean, variance), self.sd)
        total = weight.sum(axis=0)
        order = np.argsort(total)
        self._heavy = order[int(np.searchsorted(np.cumsum(total[order]), LIGHT)) :]
        self.weight = weight / total[self._heavy].sum()
        skewness = np.abs(third) / np.maximum(variance, 1e-300) ** 1.5
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
        """As many values again, without the nodes whose last ones add up to no more than ``negligible``."""
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
        return result * unit_phase(t * (terms.shift - self.mean)), last


def _spread(offset: Floats, share: Floats, t: Floats, *, even: bool) -> Complexes:
    """``sum_p share_p e^{i t offset_p}`` of each node, (G, F)."""
    if even:
        return equispaced_transform(offset, share, float(t[0]), float(t[1] - t[0]), len(t))
    return np.asarray((share[:, None, :] @ unit_phase(offset[:, :, None] * t))[:, 0])


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
    result = None
    while True:
        if exponent & 1:
            result = base if result is None else result * base
        exponent >>= 1
        if not exponent:
            assert result is not None
            return result
        base = base * base


# -- The law of a sum of recalls of one or more learned populations, by one inversion of its characteristic function ---


#: The first pass goes to ``t = FIRST/sd``; the series ends where its terms, in probability, are at most LAST.
FIRST, LAST = 6.0, 1e-5

#: Most terms of the series.
MOST_TERMS = 6000

#: Error of the characteristic functions of the Betas, in a probability.
OF_TRANSFORMS = 1e-6

#: Margin of the period over the window.
MARGIN = 1.02


class NodeSumLaw(WindowedLaw):
    """Law of the sum of independent parts, each a weighted sum of the recalls of one population; may be `TooDear`.

    ``residual`` is the absolute error of the cdf, given the nodes, which is 0 or 1 outside of the window that holds all
    but about 1e-7 of the mass. Frequencies that the nodes do not resolve are left out of the law.
    """

    def __init__(self, parts: Sequence[NodeSum]) -> None:
        if any(min(part.end_exponents) < 1 for part in parts) and self._spike(parts):
            raise TooDear
        transforms = [NodeTransform(part) for part in parts]
        self.mean = float(sum(each.mean for each in transforms))
        self.sd = float(np.sqrt(sum(each.sd**2 for each in transforms)))
        self.support = (
            float(sum(part.support[0] for part in parts)),
            float(sum(part.support[1] for part in parts)),
        )
        below = reach([each.mean - each.low for each in transforms], [each.sd for each in transforms])
        above = reach([each.high - each.mean for each in transforms], [each.sd for each in transforms])
        self._low = max(self.support[0], self.mean - below)
        self._high = min(self.support[1], self.mean + above)
        period = (self._high - self._low) * MARGIN
        phi, left = _series(transforms, period, self.sd)
        self.terms = len(phi)
        self._series = FourierSeries(period, phi)
        ends = self._series.evaluate(np.array([self._low, self._high]) - self.mean)[0]
        # where the law goes up to an end of its support the series smears its jump there
        smeared = abs(float(ends[0])) + abs(1 - float(ends[1]))
        self.residual = smeared + len(transforms) * (LIGHT + 2 * OUTSIDE) + left + OF_TRANSFORMS

    @staticmethod
    def _spike(parts: Sequence[NodeSum]) -> bool:
        ends = np.sum([part.end_exponents for part in parts], axis=0)
        return bool(ends.min() < 1)


def _series(transforms: Sequence[NodeTransform], period: float, sd: float) -> tuple[Complexes, float]:
    """``phi(t) e^{-i t mean}`` at multiples of ``2 pi / period``, and the size of what is left out."""
    step = 2 * np.pi / period
    have = max(12, int(np.ceil(FIRST / (sd * step))))
    blocks = [np.prod([each.first(step, have) for each in transforms], axis=0)]
    while True:
        sizes = np.array([each.last.sum() for each in transforms])
        left = 2 * float(np.abs(blocks[-1][-len(blocks[-1]) // 4 :]).max()) / have
        if left <= LAST:
            return np.concatenate(blocks), left
        if 2 * have > MOST_TERMS:
            raise TooDear
        share = 0.1 * LAST * have * sizes / sizes.prod()
        blocks.append(
            np.prod([each.octave(step, few) for each, few in zip(transforms, share.tolist(), strict=True)], axis=0)
        )
        have *= 2
