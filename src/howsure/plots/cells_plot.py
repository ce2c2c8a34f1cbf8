"""What is known about single cells of a confusion matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from howsure.laws import Draws, Law
from howsure.posterior.knowledge import knowledge_of

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

__all__ = ["share_laws"]

#: Tables for cells whose law does not close.
TABLES = 4_000


def share_laws(posterior: Posterior, cells: Sequence[tuple[int, int]]) -> list[Law]:
    """Law of the share of true class i that is called j, for each cell (i, j).

    Exact where a row of the posterior is a Dirichlet; from joint tables where it is a mixture of them.
    """
    knowledge = knowledge_of(posterior)
    exact: list[Law | None] = [knowledge.linear(np.eye(knowledge.size)[[j]], rows=[i]) for i, j in cells]
    known = [law for law in exact if law is not None]
    if len(known) == len(cells):
        return known
    index = np.array(cells).reshape(-1, 2)
    parts = []
    for tables in knowledge.tables(TABLES):
        with np.errstate(invalid="ignore"):
            parts.append(tables[:, index[:, 0], index[:, 1]] / tables.sum(axis=2)[:, index[:, 0]])
    shares = np.concatenate(parts)
    return [Draws(column, support=(0.0, 1.0)) for column in shares.T]
