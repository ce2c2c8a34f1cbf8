"""What answers about scores have in common: how they were asked for, and the thresholds at which scores are cut."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from howsure.answers.fields import Keyed
from howsure.curves.cut_tables import CutTables
from howsure.errors import InvalidArgument, excerpt
from howsure.errors.arguments import number
from howsure.knowledge.protocol import Answered, Ask
from howsure.text import formats

__all__ = ["SHOWN", "AtCuts", "CutPoint"]

#: Thresholds in a table.
SHOWN = 20

#: How the prevalence is known, in words.
SOURCES = {
    "test set": "as in these cases (uncertain)",
    "stated": "stated",
    "other cases": "of other cases (uncertain)",
}


@dataclass(frozen=True)
class CutPoint(Keyed):
    """The matrix at one threshold.

    Attributes
    ----------
    threshold : float
        Cases with this score or more are called positive.
    tp, fn, fp, tn : int
        Cases in the cells.
    """

    threshold: float
    tp: int
    fn: int
    fp: int
    tn: int

    @property
    def named_cells(self) -> tuple[str, ...]:
        """The threshold and its cells as text."""
        return f"{self.threshold:.6g}", *map(formats.integer, (self.tp, self.fn, self.fp, self.tn))


Point = TypeVar("Point", bound=Any)


@dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class AtCuts(Answered, Generic[Point]):
    """What is known of scores that are cut at thresholds.

    Attributes
    ----------
    ask : Ask
    points
        By threshold, increasing.
    """

    ask: Ask
    points: tuple[Point, ...] = ()
    tables: CutTables = field(repr=False)

    @property
    def labels(self) -> tuple[str, str]:
        """The negative class and the positive one."""
        return self.tables.labels

    @property
    def sizes(self) -> tuple[int, int]:
        """Cases of both classes."""
        negative, positive = self.tables.sizes.tolist()
        return negative, positive

    @property
    def prevalence(self) -> float:
        """Share of the positive class: stated, or its posterior mean."""
        return self.tables.mean_share

    @property
    def source(self) -> str:
        """Where the prevalence comes from: "test set", "stated" or "other cases"."""
        return self.tables.source

    @property
    def prior(self) -> str:
        """Name of the prior."""
        return self.tables.prior.name

    @property
    def warnings(self) -> tuple[str, ...]:
        """What would mislead a reader."""
        return self.tables.warnings

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        return self.sheet().headline

    def at(self, threshold: float) -> Point:
        """The point of a threshold that was asked for.

        Raises
        ------
        InvalidArgument
            Another threshold.
        """
        for point in self.points:
            if math.isclose(point.threshold, number(threshold), rel_tol=1e-12, abs_tol=1e-12):
                return point
        raise InvalidArgument(f"no point at {excerpt(threshold)}; name it: thresholds={excerpt(threshold)}")

    @property
    def prevalence_words(self) -> str:
        """The prevalence and how it is known."""
        return f"prevalence {100 * self.prevalence:.3g}% {SOURCES[self.source]}"

    @property
    def shown(self) -> list[int]:
        """Which points a table shows: even, with the first and the last."""
        count = len(self.points)
        if count <= SHOWN:
            return list(range(count))
        return sorted({round(i * (count - 1) / (SHOWN - 1)) for i in range(SHOWN)})

    def left_out(self, where: str) -> str:
        """How many points a table leaves out, and ``where`` they are."""
        more = len(self.points) - len(self.shown)
        return f"and {formats.several(more, 'threshold')} between{where}" if more else ""
