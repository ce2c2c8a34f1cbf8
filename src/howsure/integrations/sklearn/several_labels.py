"""Intervals of ``classification_report`` for several labels: a label is a table of two classes, averages of items."""

from __future__ import annotations

from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import NoInformation
from howsure.knowledge.items import Items
from howsure.knowledge.protocol import Of
from howsure.laws import Kind
from howsure.laws.draw_settings import DRAWS
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior

__all__ = ["LabelLaws", "are_indicators"]

#: Rows of averages, and what they are called of items.
AVERAGES = {"micro avg": "micro", "macro avg": "macro", "weighted avg": "weighted", "samples avg": "samples"}


def are_indicators(y_true: Any) -> bool:
    """Whether answers are an array of items x labels."""
    return getattr(y_true, "ndim", np.ndim(y_true) if not hasattr(y_true, "toarray") else 2) == 2


class LabelLaws:
    """What is known about each cell of the report."""

    def __init__(self, y_true: Any, y_pred: Any, asked: list[int], prior: str | Prior | None) -> None:
        truth, answers = (np.asarray(it.toarray() if hasattr(it, "toarray") else it) for it in (y_true, y_pred))
        self._items = Items.from_labels(truth[:, asked], answers[:, asked], zero_division="0")
        tables = []
        for column in asked:
            t, p = truth[:, column] > 0, answers[:, column] > 0
            tables.append([[int((~t & ~p).sum()), int((~t & p).sum())], [int((t & ~p).sum()), int((t & p).sum())]])
        matrices = (ConfusionMatrix(table, ["no", "yes"], positive="yes") for table in tables)
        self._tables = [infer(matrix, prior) for matrix in matrices]
        self._drawn = 0

    def ends(self, row: int | str, column: str, level: float, kind: Kind) -> list[float | None]:
        """Interval of a cell, ``[None, None]`` where nothing is known."""
        try:
            if isinstance(row, int):
                return list(self._tables[row].of(column).interval(level, kind))
            if row not in AVERAGES:
                return [None, None]
            law = self._items.law(Of(f"{column}@{AVERAGES[row]}"), self._items.ask())
        except NoInformation:
            return [None, None]
        self._drawn += law.route == "simulated"
        return list(law.interval(level, kind))

    @property
    def known(self) -> str:
        """How the intervals are known."""
        how = f"; averages of labels simulated ({DRAWS:,d} draws)" if self._drawn else ""
        return f"labels as tables of two classes, prior {self._tables[0].prior.name}, averages over new items{how}"

    def warn(self) -> None:
        """Nothing: no prior decides an average here."""
