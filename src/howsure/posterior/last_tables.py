"""Tables that were drawn last, which a report, its predictive values and their curves ask for one after another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from howsure.numerics.arrays import Floats
from howsure.posterior.drawn_tables import Drawn, WholeTables
from howsure.posterior.rows import Rows

__all__ = ["tables_of"]

#: Numbers of the tables of one posterior that are kept: 20 MB, as ten classes have, and what is made of their margins.
KEPT = 2_500_000

#: Of so many: a report draws from the prior that expects chance between its own tables and the predictive values.
POSTERIORS = 2


def tables_of(rows: Rows, prevalence: Floats | None, n: int, seed: tuple[int, int]) -> Iterator[Drawn]:
    """Blocks of ``n`` joint tables of these rows, drawn now or, where few numbers, as they were drawn last."""
    if n * rows.numbers_per_draw > KEPT:
        return rows.tables(n, prevalence, seed)
    return iter(_last(rows, None if prevalence is None else tuple(prevalence.tolist()), n, seed))


@lru_cache(POSTERIORS)
def _last(rows: Rows, prevalence: tuple[float, ...] | None, n: int, seed: tuple[int, int]) -> tuple[Drawn, ...]:
    blocks = tuple(rows.tables(n, None if prevalence is None else np.array(prevalence), seed))
    for block in blocks:
        if isinstance(block, WholeTables):
            block.tables.flags.writeable = False  # who comes next finds them as they are
    return blocks
