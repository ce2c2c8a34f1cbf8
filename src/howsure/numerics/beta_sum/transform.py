"""The characteristic function of the whole sum on equispaced frequencies, row kind by row kind."""

from __future__ import annotations

from itertools import compress

import numpy as np

from howsure.numerics.arrays import Complexes, Floats
from howsure.numerics.beta_sum.contour import LARGE_TOTAL, MODERATE_TOTAL, row_transform, vertical_product
from howsure.numerics.beta_sum.logit_nodes import beta_nodes
from howsure.numerics.beta_sum.normal_form import BetaRows, WideRow, stack_rows
from howsure.numerics.beta_sum.phases import equispaced_transform, integer_power

__all__ = ["beta_product", "wide_product"]

FREQUENCIES_AT_A_TIME = 2048
POWERS_AT_A_TIME = 1 << 18  # stay in the cache
FEW_ROWS = 3


def beta_product(betas: BetaRows, t0: float, dt: float, count: int) -> Complexes:
    """``prod_k E e^{it w_k (theta_k - E theta_k)}`` (copies included) at ``t0 + m dt``, ``m < count``."""
    product = np.ones(count, complex)
    for first in range(0, count if len(betas) else 0, FREQUENCIES_AT_A_TIME):
        size = min(FREQUENCIES_AT_A_TIME, count - first)
        start = t0 + first * dt
        for nodes in beta_nodes(betas, start + size * dt):
            rows = max(1, POWERS_AT_A_TIME // (nodes.weight.shape[1] * 2 * int(np.sqrt(size) + 1)))
            copies = betas.count[nodes.index]
            for k in range(0, len(copies), rows):
                part = slice(k, k + rows)
                each = equispaced_transform(nodes.deviation[part], nodes.weight[part], start, dt, size)
                product[first : first + size] *= integer_power(each, copies[part]).prod(axis=0)
    return product


def wide_product(rows: tuple[WideRow, ...], t0: float, dt: float, count: int) -> Complexes:
    """Do the same for wide rows."""
    product = np.ones(count, complex)
    moderate = [len(rows) > FEW_ROWS and LARGE_TOTAL < row.alpha.sum() < MODERATE_TOTAL for row in rows]
    alike = list(stack_rows(compress(rows, moderate), POWERS_AT_A_TIME))
    rest = [row for row, known in zip(rows, moderate, strict=True) if not known]
    for first in range(0, count if rows else 0, FREQUENCIES_AT_A_TIME):
        part = slice(first, min(first + FREQUENCIES_AT_A_TIME, count))
        t: Floats = t0 + dt * np.arange(part.start, part.stop, dtype=float)
        for c, alpha, copies in alike:
            product[part] *= vertical_product(c, alpha, copies, t)
        for row in rest:
            product[part] *= np.power(row_transform(row, t).transform, row.count)
    return product
