"""What most metrics need of a table: its diagonal and its two margins.

A formula that reads a table only by the words of this file works on whole tables and on `Margins` alike, and so
never needs the K x K numbers of each draw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Margins", "Table", "Tables", "actual", "called", "cells", "hits", "right", "total"]

Tables = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Margins:
    """Tables of which only the diagonal, the row sums and the column sums are kept.

    Parameters
    ----------
    hits, actual, called : ndarray, shape (..., K)
        Diagonal, row sums (truth) and column sums (prediction).
    """

    hits: Tables
    actual: Tables
    called: Tables

    @classmethod
    def of(cls, tables: Tables) -> Margins:
        """Keep the margins of whole tables, shape (..., K, K)."""
        return cls(hits(tables), actual(tables), called(tables))


Table = Tables | Margins


def cells(m: Table) -> Tables:
    """All cells, shape (..., K, K); what says that a formula is not content with margins.

    Raises
    ------
    TypeError
        The cells were not kept.
    """
    if isinstance(m, Margins):
        raise TypeError("margins have no cells")
    return m


def hits(m: Table) -> Tables:
    """Cases of each class that were called so (true positives), shape (..., K)."""
    return m.hits if isinstance(m, Margins) else np.diagonal(m, axis1=-2, axis2=-1)


def actual(m: Table) -> Tables:
    """Cases of each true class, shape (..., K)."""
    return m.actual if isinstance(m, Margins) else np.asarray(m.sum(-1))


def called(m: Table) -> Tables:
    """Cases called each class, shape (..., K)."""
    return m.called if isinstance(m, Margins) else np.asarray(m.sum(-2))


def total(m: Table) -> Tables:
    """All cases, shape (..., 1)."""
    return np.asarray(m.actual.sum(-1) if isinstance(m, Margins) else m.sum((-2, -1)))[..., None]


def right(m: Table) -> Tables:
    """Cases that are right, shape (...)."""
    return np.asarray(hits(m).sum(-1) if isinstance(m, Margins) else np.trace(m, axis1=-2, axis2=-1))
