"""All that is to be said about a metric, found out from the metric itself: declared, or tried."""

from __future__ import annotations

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import UnknownMetric
from howsure.metrics import REGISTRY, Measure, Metric, depends_on_prevalence, names
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.text import formats

#: Tables with 0/0 in them, and the class that is asked about.
EMPTY = {
    "a class without cases": ([[8, 1, 1], [2, 7, 1], [0, 0, 0]], 2),
    "a class never called": ([[8, 2, 0], [1, 9, 0], [1, 4, 0]], 2),
    "one class only, all right": ([[7, 0], [0, 0]], 0),
    "no case at all": ([[0, 0], [0, 0]], 0),
}

#: Whether a law closes (two classes, prevalence learned; two, stated; three, learned; three, stated), in words.
CLOSES = {
    (True, True, True, True): "exact",
    (True, True, False, False): "exact for two classes, simulated for more",
    (True, True, False, True): "exact for two classes or at a stated prevalence, otherwise simulated",
    (False, True, False, True): "exact at a stated prevalence, otherwise simulated",
    (False, False, False, False): "simulated",
}


def lookup(name: str) -> Metric:
    """The metric of a name or alias.

    Examples
    --------
    >>> lookup("PPV")
    <Metric precision: Share of the cases called a class that belong to it, TP / (TP + FP).>
    """
    metric = REGISTRY.get(name.lower())
    if metric is None:
        raise UnknownMetric(name, REGISTRY, names())
    return metric


def by_family(family: str) -> list[Metric]:
    """Metrics of one family, by name."""
    return [REGISTRY[name] for name in names() if REGISTRY[name].family == family]


def answers_on_empty(metric: Metric) -> dict[str, str]:
    """What the metric answers where something is empty: "undefined" (0/0), "infinite", or the number.

    A metric of each class is asked about the empty class itself, not about an average.

    Examples
    --------
    >>> answers_on_empty(lookup("recall"))["a class without cases"]
    'undefined'
    >>> answers_on_empty(lookup("f1"))["a class never called"]
    '0'
    """
    answers = {}
    for situation, (table, index) in EMPTY.items():
        given = Measure(metric, index=index if metric.per == "class" else None).observed(np.array(table, dtype=float))
        if given is None or np.isinf(given):
            answers[situation] = formats.number(given, 0)
        else:
            left_out = metric.per == "table" and len(table) > 2
            answers[situation] = "a number" if left_out else f"{given:.2g}"
    return answers


def exactness(metric: Metric) -> str:
    """When the law of the metric is computed and when it is drawn; tried on four posteriors.

    Examples
    --------
    >>> exactness(lookup("recall")), exactness(lookup("mcc"))
    ('exact', 'exact for two classes, simulated for more')
    """
    closes: list[bool] = []
    for size in (2, 3):
        post = infer(ConfusionMatrix(np.full((size, size), 2) + 6 * np.eye(size, dtype=int)), "flat")
        index = 1 if metric.per == "class" else None
        measure = Measure(metric, label=None if index is None else post.labels[index], index=index)
        shares = np.arange(1.0, size + 1)
        at = post.at_prevalence(shares / shares.sum())
        closes += [knowledge_of(each).exact_law(measure) is not None for each in (post, at)]
    two, two_stated, three, three_stated = closes
    return CLOSES.get((two, two_stated, three, three_stated), "exact in some cases, otherwise simulated")


def dependence(metric: Metric) -> str:
    """When the metric depends on the prevalence, in words; empty where it never does.

    Examples
    --------
    >>> dependence(lookup("specificity")), dependence(lookup("recall"))
    ('above two classes', '')
    """
    asked = Measure(metric) if metric.per == "table" else Measure(metric, label="0", index=0)
    if depends_on_prevalence(asked, 2):
        return "yes"
    return "above two classes" if depends_on_prevalence(asked, 3) else ""


def explanation(metric: Metric) -> dict[str, str]:
    """Everything about one metric, by what it is.

    Examples
    --------
    >>> explanation(lookup("recall"))["better"]
    'higher'
    """
    ends = [formats.number(end, 0) for end in metric.range]
    parts = {
        "formula": metric.description,
        "of": "each class (@class or an average)" if metric.per == "class" else "the whole table",
        "range": " to ".join(ends),
        "better": metric.better,
        "method": exactness(metric),
        "depends on the prevalence": dependence(metric) or "no",
        "reference": metric.reference,
    }
    if metric.parameters:
        parts["parameters"] = ", ".join(_parameter(metric, name) for name in metric.parameters)
    if metric.aliases:
        parts["also called"] = ", ".join(metric.aliases)
    parts |= {f"@{average}": f"is {other}" for average, other in metric.same_as.items()}
    if metric.sklearn:
        parts["scikit-learn"] = metric.sklearn
    parts["empty"] = "; ".join(f"{situation}: {answer}" for situation, answer in answers_on_empty(metric).items())
    return parts


def _parameter(metric: Metric, name: str) -> str:
    default = f"{name}={metric.parameters[name]:g}"
    if name not in metric.limits:
        return f"{default} (above 0)"
    low, high = metric.limits[name]
    return f"{default} ({low:g} to {high:g})"
