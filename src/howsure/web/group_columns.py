"""Which columns of a list of cases may say what group each case belongs to: offered when a file is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import counted_groups
from howsure.data.predictions import Predictions
from howsure.data.words import is_score
from howsure.errors import HowsureError
from howsure.io.roles import columns_of
from howsure.io.table import Row, TextTable

__all__ = ["GroupColumns", "cells_by_group"]

#: Columns that are offered, and values of one that are told apart.
MOST_COLUMNS, MOST_VALUES = 12, 100_000


@dataclass
class GroupColumns:
    """Counts the different values of each column while the rows of a table are read.

    Parameters
    ----------
    header : list of str
    """

    header: list[str]
    rows: int = 0
    _values: list[set[str]] = field(default_factory=list)

    @classmethod
    def watching(cls, table: TextTable) -> GroupColumns:
        """Watch the rows of a table, whoever reads them."""
        made = cls(list(table.header))
        made._values = [set() for _ in made.header]
        table.rows = made._watched(table.rows)
        return made

    def _watched(self, rows: Iterator[Row]) -> Iterator[Row]:
        for line, row in rows:
            self.rows += 1
            for seen, cell in zip(self._values, row, strict=False):
                if len(seen) <= MOST_VALUES:
                    seen.add(cell)
            yield line, row

    def found(self) -> list[dict[str, Any]]:
        """Columns with more than one value and fewer than rows, and with no other part to play."""
        try:
            columns = columns_of(TextTable("", self.header, 1, iter([])))
        except HowsureError:
            columns = None
        if columns is None or columns.count is not None:
            return []
        free = [at for at in (columns.group, columns.id, *columns.unused) if at is not None]
        free += [at for at in columns.pred.values() if columns.supposed]
        return [
            {"name": self.header[at], "groups": len(self._values[at])}
            for at in dict.fromkeys(free)
            if 1 < len(self._values[at]) < min(self.rows, MOST_VALUES)
            and self.header[at].strip()
            and not is_score(self.header[at])
            and self.header.count(self.header[at]) == 1
        ][:MOST_COLUMNS]


def cells_by_group(cases: Predictions, name: str, confusion: ConfusionMatrix) -> list[list[int]] | None:
    """Group, true class, predicted class (places) and cases of each cell; None where each case is a group of its own.

    Raises
    ------
    InvalidLabels
        A case without a group.
    """
    groups = counted_groups(cases.group, cases.truth, cases.answers(name), len(confusion.labels))
    if len(groups) == cases.n:
        return None
    columns = groups.group, groups.true, groups.pred, groups.count
    return [list(cell) for cell in np.stack(columns, axis=1).tolist()]
