"""What people who use two-class tests call a metric."""

from __future__ import annotations

from howsure.metrics.metric import REGISTRY
from howsure.text.formats import plain

__all__ = ["TEST_RATES", "plain_name"]

#: What a test of two classes is known by.
TEST_RATES = (
    "recall",
    "specificity",
    "precision",
    "negative_predictive_value",
    "positive_likelihood_ratio",
    "negative_likelihood_ratio",
)


def plain_name(metric: str, positive: str | None) -> str:
    """The name of a metric that a reader of two-class tests knows; ours, where there is none.

    Parameters
    ----------
    metric : str
        Its name, ``recall@ill``.
    positive : str or None
        The positive class of two; None of more, or where nobody knows it: metrics of one class keep their names.

    Examples
    --------
    >>> plain_name("recall@ill", "ill"), plain_name("recall@well", "ill"), plain_name("precision@well", "ill")
    ('sensitivity', 'specificity', 'NPV')
    >>> plain_name("balanced_accuracy", "ill"), plain_name("f1@well", "ill"), plain_name("recall@cat", None)
    ('balanced accuracy', 'f1@well', 'recall@cat')
    >>> plain_name("mcc", None), plain_name("f1@macro", None)
    ('MCC', 'f1@macro')
    """
    name, _, place = metric.partition("@")
    if positive is None and (place or name not in REGISTRY or REGISTRY[name].per == "class"):
        return plain(metric)
    other = place not in ("", positive)
    word = REGISTRY[name].plain[other] if name in REGISTRY else ""
    if word:
        return word
    return plain(metric) if other else plain(name.replace("_", " "))
