"""Metrics: formulas of a table, declared once, worth a posterior each.

To add one, write its formula in the file of its family and decorate it with `metric`; nothing else.
"""

from howsure.metrics import agreement, overall, rates
from howsure.metrics.averages import AVERAGES
from howsure.metrics.dependence import depends_on_prevalence
from howsure.metrics.measure import Measure, named, of_class, parse
from howsure.metrics.metric import REGISTRY, Knowledge, Metric, metric

__all__ = [
    "AVERAGES",
    "REGISTRY",
    "Knowledge",
    "Measure",
    "Metric",
    "agreement",
    "depends_on_prevalence",
    "metric",
    "named",
    "names",
    "of_class",
    "overall",
    "parse",
    "rates",
]


def names() -> list[str]:
    """Canonical names of all metrics, in alphabetical order."""
    return sorted({m.name for m in REGISTRY.values()})
