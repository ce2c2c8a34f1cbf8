"""Characteristic functions of much the same Betas: one set of points for all nodes of a group, and matrix products.

The nodes of a learned population give each class hundreds of Betas of nearly one shape. With ``theta = 1/(1 + e^-u)``
the density ``theta^a (1 - theta)^b du`` is analytic in the strip ``|Im u| < pi``, and the trapezoidal rule converges
exponentially (Trefethen and Weideman, 2014), on the same points for all of them: only the weights differ.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from howsure.numerics.arrays import Booleans, Complexes, Floats, Integers, steady_product
from howsure.numerics.beta_sum.fourier import unit_phase

__all__ = ["TooDear", "alike", "beta_transforms"]

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
