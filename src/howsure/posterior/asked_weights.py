"""What a measure asks of a table, if it asks only who is right: the weights that it gives to the recalls."""

from __future__ import annotations

from howsure.metrics import Measure
from howsure.numerics.arrays import Floats
from howsure.posterior.hit_weights import weighted_recalls
from howsure.posterior.knowledge import TableKnowledge

__all__ = ["COINS", "weights_in"]

#: Metrics of one coin a case, which no recall enters.
COINS = ("accuracy", "error_rate")


def weights_in(independent: TableKnowledge, measure: Measure) -> tuple[Floats, float] | None:
    """Weights of the recalls, shape (K,), and a constant, of a measure that is their sum; None of any other.

    Read from its closed law under rows that are ``independent``.
    """
    if independent.known_prevalence is None and measure.twin.metric.name in COINS:
        return None
    return weighted_recalls(independent.exact_law(measure), independent.size)
