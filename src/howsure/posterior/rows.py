"""What is known of the rows of a table, by the prior and by the question."""

from __future__ import annotations

from howsure.data.confusion import ConfusionMatrix
from howsure.posterior.grouped_rows import GroupedRows, new_groups
from howsure.posterior.hierarchical_rows import LearnedRows
from howsure.posterior.independent_rows import ClassRows
from howsure.posterior.priors import LearnedPrior, Prior

__all__ = ["Rows", "rows_of"]

Rows = ClassRows | LearnedRows | GroupedRows


def rows_of(confusion: ConfusionMatrix, prior: Prior) -> Rows:
    """Rows of new groups, where numbers are about these; else learned together or each on its own, by the prior."""
    if new_groups(confusion) is not None:
        return GroupedRows(confusion, prior)
    return (LearnedRows if isinstance(prior, LearnedPrior) else ClassRows)(confusion, prior)
