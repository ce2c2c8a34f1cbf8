"""Phases and their powers, the inner loop of every transform."""

from __future__ import annotations

import numpy as np

from howsure.numerics.arrays import Complexes, Floats, Integers

POWERS_AT_A_TIME = 1 << 17  # stay in the cache

__all__ = ["equispaced_transform", "integer_power", "power_ladder", "unit_phase"]


def power_ladder(z: Complexes, count: int) -> Complexes:
    """``z^0 .. z^(count-1)`` along a new first axis, by doubling: every power is at most ``log2`` products deep."""
    ladder = np.empty((count, *z.shape), complex)
    ladder[0] = 1.0
    filled = 1
    while filled < count:
        more = min(filled, count - filled)
        np.multiply(ladder[:more], z, out=ladder[filled : filled + more])
        filled += more
        if filled < count:
            z = z * z
    return ladder


def unit_phase(angle: Floats) -> Complexes:
    """``e^{i angle}``; the real sine and cosine are several times faster than the complex exponential."""
    phase = np.empty(angle.shape, complex)
    phase.real = np.cos(angle)
    phase.imag = np.sin(angle)
    return phase


def equispaced_transform(deviation: Floats, weight: Floats, t0: float, dt: float, count: int) -> Complexes:
    """``sum_j weight_j e^{i t_m deviation_j}`` at ``t_m = t0 + m dt``, ``m < count``, for every class.

    With ``m = Q p + q`` the sum is a product of a matrix of giant steps ``e^{i Q p dt d}`` and one of baby steps
    ``weight e^{i (t0 + q dt) d}``: three exponentials per node instead of ``count``.
    """
    babies = int(np.ceil(np.sqrt(count)))
    giants = -(-count // babies)
    most = max(1, POWERS_AT_A_TIME // (len(deviation) * (babies + giants)))
    if deviation.shape[1] > 2 * most:
        parts = (slice(k, k + most) for k in range(0, deviation.shape[1], most))
        total = np.zeros((len(deviation), count), complex)
        for part in parts:
            total += equispaced_transform(deviation[:, part], weight[:, part], t0, dt, count)
        return total
    small = power_ladder(unit_phase(dt * deviation), babies)
    small *= weight * unit_phase(t0 * deviation)
    large = power_ladder(unit_phase(babies * dt * deviation), giants)
    product = large.transpose(1, 0, 2) @ small.transpose(1, 2, 0)
    return product.reshape(len(deviation), giants * babies)[:, :count]


def integer_power(base: Complexes, exponent: Integers) -> Complexes:
    """``base_k ^ exponent_k`` by binary powering, the exponent along the first axis."""
    if (exponent == 1).all():
        return base
    result = np.ones_like(base)
    remaining = exponent.copy()
    while True:
        odd = (remaining & 1).astype(bool)
        result[odd] *= base[odd]
        remaining >>= 1
        if not remaining.any():
            return result
        base = base * base
