"""Cumulants of a weighted sum of recalls given each node of a learned population."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np

from howsure.numerics.arrays import Floats, Integers

__all__ = ["Summands", "central_moments", "raw_moments", "sum_cumulants"]

#: Copies of terms that are spelled out, at most; and share of the variance from which on one is.
SPELLED, DOUBTFUL = 3, 0.004

#: Below any mass or variance.
TINY = 1e-300


@dataclass(frozen=True)
class Summands:
    """Distinct terms ``w theta`` of a sum: number of the tally, weight w, number of copies."""

    tally: Integers
    w: Floats
    copies: Floats

    @classmethod
    def of(cls, place: Integers, w: Floats) -> Summands:
        """Group equal terms; those with weight 0 are left out. ``place`` (K,) is the tally of each member."""
        used = w != 0
        pairs, copies = np.unique(place[used] + 1j * w[used], return_counts=True)  # complex numbers sort as pairs
        return cls(pairs.real.astype(np.int64), pairs.imag.copy(), copies.astype(float))


def sum_cumulants(
    main: tuple[Floats, Floats], broad: tuple[Floats, ...], chance: Floats, weight: Floats, summands: Summands
) -> tuple[Floats, Floats]:
    """Probabilities (C, G) and mean and cumulants 2 to 4, (4, C, G), of ``sum w theta`` given each of G nodes.

    Terms are independent, Beta(main) (G, U) or with probability ``chance`` (E, G, U) Beta(broad) (U,); the nodes of
    the share, of probabilities ``weight`` (E, G), are taken together. The most doubtful terms are spelled out: each of
    the C components has so many copies of them in the broad part, and the others as they may be.
    """
    main_moments, broad_moments = _beta_moments(*main), _beta_moments(*broad)
    gap = broad_moments[0] - main_moments[0]
    (p0, v0, t0, f0), (_, v1, t1, f1) = main_moments, broad_moments
    w = summands.w
    spelled = _doubtful(p0, v0, gap, chance, weight, summands)
    of_main = [x * w ** (order + 2) for order, x in enumerate((v0, t0, f0 - 3 * v0**2))]
    of_broad = [x * w ** (order + 2) for order, x in enumerate((v1, t1, f1 - 3 * v1**2))]
    copies = summands.copies.copy()
    for term, many in spelled:
        copies[term] -= many
    reference = p0 @ (summands.copies * w)
    choices = list(product(*(range(many + 1) for _, many in spelled)))
    sums = np.zeros((5, len(choices), len(reference)))
    for q, mass in enumerate(weight):
        odd = chance[q]
        up, down = (1 - odd) * gap, -odd * gap  # from the mean of both parts
        variance = (1 - odd) * (v0 + down**2) + odd * (v1 + up**2)
        third = (1 - odd) * (t0 + down * (3 * v0 + down**2)) + odd * (t1 + up * (3 * v1 + up**2))
        fourth = (1 - odd) * (f0 + down * (4 * t0 + down * (6 * v0 + down**2)))
        fourth += odd * (f1 + up * (4 * t1 + up * (6 * v1 + up**2)))
        moments = (odd * gap, variance, third, fourth - 3 * variance**2)
        rest = np.array([m @ (copies * w ** (order + 1)) for order, m in enumerate(moments)])
        for number, choice in enumerate(choices):
            cumulants, share = rest.copy(), mass
            for (term, many), broad_ones in zip(spelled, choice, strict=True):
                p, main_ones = odd[:, term], many - broad_ones
                share = share * (comb(many, broad_ones) * p**broad_ones * (1 - p) ** main_ones)
                cumulants[0] += broad_ones * w[term] * gap[:, term]
                for order in range(3):
                    cumulants[order + 1] += main_ones * of_main[order][:, term] + broad_ones * of_broad[order][term]
            sums[:, number] += share * np.concatenate([np.ones((1, len(reference))), raw_moments(cumulants, 0.0)])
    held = np.maximum(sums[0], TINY)
    d, v, third, fourth = central_moments(np.concatenate([held[None], sums[1:]]))
    return sums[0], np.stack([reference + d, np.maximum(v, 0.0), third, fourth - 3 * v**2])


def _doubtful(
    mean: Floats, variance: Floats, gap: Floats, chance: Floats, weight: Floats, summands: Summands
) -> list[tuple[int, int]]:
    """Terms to spell out, and how many copies of each: those whose part matters most to the sum."""
    node = weight.sum(axis=0)
    total = node @ (variance @ (summands.copies * summands.w**2))
    centre = mean @ (summands.copies * summands.w)
    total += node @ (centre - node @ centre / node.sum()) ** 2
    odd = np.einsum("eg,egu->u", weight, chance)
    matters = odd * (1 - odd) * (summands.w * (node @ np.abs(gap))) ** 2 / max(float(total), TINY)
    left, spelled = SPELLED, []
    for term in np.argsort(-matters, kind="stable").tolist():
        if not left or matters[term] <= DOUBTFUL:
            break
        many = min(left, int(summands.copies[term]))
        spelled.append((term, many))
        left -= many
    return spelled


def _beta_moments(a: Floats, b: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean and central moments 2 to 4 of Betas."""
    total = a + b
    p, q = a / total, b / total
    v = p * q / (total + 1)
    excess = 6 * v * ((q - p) ** 2 - p * q * (total + 2) / (total + 1)) / ((total + 2) * (total + 3))
    return p, v, 2 * v * (q - p) / (total + 2), excess + 3 * v**2


def raw_moments(cumulants: Floats, centre: float) -> Floats:
    """Moments of order 1 to 4 about ``centre``."""
    d, v, third, fourth = cumulants[0] - centre, *cumulants[1:]
    return np.stack([d, v + d**2, third + 3 * d * v + d**3, fourth + 3 * v**2 + 4 * d * third + 6 * d**2 * v + d**4])


def central_moments(sums: Floats) -> Floats:
    """Mean and central moments of order 2 to 4, from mass-weighted moments of order 0 to 4."""
    d, second, third, fourth = sums[1:] / sums[0]
    variance = second - d**2
    return np.stack(
        [d, variance, third - 3 * d * second + 2 * d**3, fourth - 4 * d * third + 6 * d**2 * second - 3 * d**4]
    )
