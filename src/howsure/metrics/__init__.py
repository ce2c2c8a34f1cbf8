"""Metrics: formulas of a table, declared once, worth a posterior each.

To add one, write its formula in the file of its family and decorate it with `metric`; nothing else.
"""

from howsure.metrics import agreement, cost, diagnosis, gains, information, means, ordinal, overall, rates
from howsure.metrics.cost import (
    class_weighted_accuracy,
    class_weighted_informedness,
    class_weighted_markedness,
    expected_cost,
)
from howsure.metrics.measure import (
    AVERAGES,
    Asked,
    Classes,
    Measure,
    averages_of,
    depends_on_prevalence,
    lacking,
    named,
    of_class,
    parse,
    parse_each,
)
from howsure.metrics.metric import REGISTRY, MatrixKnowledge, Metric, directed, metric

__all__ = [
    "AVERAGES",
    "FAMILIES",
    "REGISTRY",
    "Asked",
    "Classes",
    "MatrixKnowledge",
    "Measure",
    "Metric",
    "agreement",
    "averages_of",
    "class_weighted_accuracy",
    "class_weighted_informedness",
    "class_weighted_markedness",
    "cost",
    "depends_on_prevalence",
    "diagnosis",
    "directed",
    "expected_cost",
    "gains",
    "information",
    "lacking",
    "means",
    "metric",
    "named",
    "names",
    "of_class",
    "ordinal",
    "overall",
    "parse",
    "parse_each",
    "rates",
]


#: The families of metrics, in the order of lists, with what each is about.
FAMILIES: dict[str, str] = {
    family.__name__.rpartition(".")[2]: (family.__doc__ or "").splitlines()[0]
    for family in (overall, rates, means, agreement, diagnosis, cost, ordinal, information, gains)
}


def names() -> list[str]:
    """Canonical names of all metrics, in alphabetical order."""
    return sorted({m.name for m in REGISTRY.values()})
