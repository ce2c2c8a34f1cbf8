"""Counts of the items that two judged models have in common."""

from __future__ import annotations

from typing import NamedTuple

from howsure.numerics.arrays import Integers

__all__ = ["VerdictPairs"]


class VerdictPairs(NamedTuple):
    """Counts of the items that two models have in common, by the cell of their two verdicts.

    ``totals``, shape (C,), are all items of a cell; ``both``, shape (C, 4), those labelled for both models: neither
    answer right, only B's, only A's, both. ``only_a`` and ``only_b``, shape (C, 2), are those labelled for one model:
    wrong, right. ``of_a`` and ``of_b``, shape (C,), are the places of a cell's two verdicts among all V.
    """

    totals: Integers
    both: Integers
    only_a: Integers
    only_b: Integers
    of_a: Integers
    of_b: Integers

    @property
    def labels_of_a(self) -> int:
        """Labels of answers of A."""
        return int(self.both.sum() + self.only_a.sum())

    @property
    def labels_of_b(self) -> int:
        """Labels of answers of B."""
        return int(self.both.sum() + self.only_b.sum())
