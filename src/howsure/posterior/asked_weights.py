"""What a measure asks of a table, if it asks only who is right: the weights that it gives to the recalls."""

from __future__ import annotations

from howsure.data.confusion import ConfusionMatrix
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.posterior.hit_weights import weighted_recalls
from howsure.posterior.knowledge import TableKnowledge
from howsure.posterior.named_priors import PRIORS

__all__ = ["COINS", "weights_in"]

#: Metrics of one coin a case, which no recall enters.
COINS = ("accuracy", "error_rate")


def weights_in(
    confusion: ConfusionMatrix, known_prevalence: Floats | None, measure: Measure
) -> tuple[Floats, float] | None:
    """Weights of the recalls, shape (K,), and a constant, of a measure that is their sum; None of any other."""
    if known_prevalence is None and measure.twin.metric.name in COINS:
        return None
    size = len(confusion.labels)
    flat = TableKnowledge(confusion, PRIORS["flat"].at(size), known_prevalence)
    return weighted_recalls(flat.exact_law(measure), size)
