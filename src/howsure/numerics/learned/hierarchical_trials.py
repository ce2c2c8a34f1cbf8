"""What would be learned from simulated tests under the learned prior: one hierarchy for each test."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from howsure.numerics.arrays import Floats
from howsure.numerics.learned.error_shares import LearnedErrors
from howsure.numerics.learned.hierarchical_tables import learned_tables
from howsure.numerics.learned.hierarchy import LearnedRecalls

__all__ = ["sums_learned_together", "tables_learned_together"]

Whole = NDArray[np.int64]

#: Fewer nodes than a report has: the sd of a mean recall is within 1 %, at a quarter of the time.
NODES = (13, 9, 9)


def sums_learned_together(right: Whole, cases: Whole, weights: Floats, draws: int, rng: np.random.Generator) -> Floats:
    """Draws of ``sum_i w_i recall_i`` after each test, (R, K) right answers and cases to (R, draws)."""
    return np.stack(
        [LearnedRecalls(k, n, nodes=NODES).draw_sum(weights, draws, rng) for k, n in zip(right, cases, strict=True)]
    )


def tables_learned_together(
    counts: Whole, share_prior: float, known: Floats | None, draws: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """Joint tables learned from each test (R, K, K), blocks of shape (1, draws, K, K)."""
    size = counts.shape[-1]
    off = ~np.eye(size, dtype=bool)
    for table in counts:
        cases = table.sum(-1)
        recalls = LearnedRecalls(np.diagonal(table), cases, nodes=NODES)
        wrong = np.where(off, table, 0).astype(float)
        rows, cols = np.nonzero(wrong)
        errors = LearnedErrors(size, rows, cols, wrong[rows, cols])
        shares = cases + share_prior if known is None else None
        yield np.concatenate(list(learned_tables(recalls, errors, wrong, shares, known, draws, rng, rng)))[None]
