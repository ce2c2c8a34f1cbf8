"""Drawing joint probability tables: Dirichlet rows times a prevalence."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from howsure.numerics.arrays import Floats

__all__ = ["BLOCK", "draws_last", "joint_tables"]


#: Numbers that one block of tables may hold: few enough for the caches, which ten classes notice, and 25 MB at most.
BLOCK = 500_000


def joint_tables(
    rows: Floats,
    prevalence: Floats | None,
    known: Floats | None,
    n: int,
    rng: np.random.Generator,
    rng_prevalence: np.random.Generator,
) -> Iterator[Floats]:
    """Draw ``n`` tables p_ij = phi_i r_ij in blocks of shape (m, K, K).

    Row i is Dirichlet(rows[i]); phi is Dirichlet(prevalence), or ``known`` in every draw. The order of the random
    numbers depends on K alone, so the same generator gives the same tables whatever is computed from them.
    """
    size = len(rows)
    step = max(1, BLOCK // size**2)
    for start in range(0, n, step):
        many = min(step, n - start)
        tables = draws_last(rng.standard_gamma(rows, (many, size, size)))
        with np.errstate(invalid="ignore"):  # concentrations near 0 can underflow to a row of zeros: undefined
            tables /= tables.sum(axis=-1, keepdims=True)
        if known is None:
            shares = draws_last(rng_prevalence.standard_gamma(np.asarray(prevalence), (many, size)))
            shares /= shares.sum(axis=-1, keepdims=True)
            tables *= shares[..., None]
        else:
            tables *= known[:, None]
        yield tables


def draws_last(drawn: Floats) -> Floats:
    """The same array with the draws, its first axis, next to each other in memory: sums over few classes are quick."""
    return np.asarray(np.moveaxis(np.ascontiguousarray(np.moveaxis(drawn, 0, -1)), -1, 0))
