"""What people who use two-class tests call a metric."""

from __future__ import annotations

import re
from collections.abc import Iterable

from howsure.metrics.averages import AVERAGES
from howsure.metrics.metric import REGISTRY
from howsure.text.formats import plain

__all__ = ["TEST_RATES", "plain_name", "put_plainly", "spoken_name"]

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

    Metrics of one class keep their names where ``positive`` is None: of more classes, or where nobody knows it.

    Examples
    --------
    >>> plain_name("recall@ill", "ill"), plain_name("recall@well", "ill"), plain_name("precision@well", "ill")
    ('sensitivity', 'specificity', 'NPV')
    >>> plain_name("balanced_accuracy", "ill"), plain_name("f1@well", "ill"), plain_name("recall@cat", None)
    ('balanced accuracy', 'f1@well', 'recall@cat')
    >>> plain_name("mcc", None), plain_name("f1@macro", None), plain_name("fbeta(beta=2)@ill", "ill")
    ('MCC', 'f1@macro', 'F2')
    """
    name, _, place = metric.partition("@")
    declared = REGISTRY.get(name.partition("(")[0])
    if positive is None and (place or declared is None or declared.per == "class"):
        return plain(metric)
    other = place not in ("", positive)
    word = _words(name)[other]
    if word:
        return word
    return plain(metric) if other else plain(name.replace("_", " "))


def _words(name: str) -> tuple[str, str]:
    """What people call a metric of the positive class, and of the other one; F-beta by its number."""
    base, _, inside = name.partition("(")
    first, second = REGISTRY[base].plain if base in REGISTRY else ("", "")
    beta = inside.rstrip(")").rpartition("=")[2].strip()
    return (first.replace("F-beta", f"F{beta}") if first and beta else first), second


def spoken_name(metric: str, positive: str | None) -> str:
    """The same, with the class or the average in words where it has one."""
    title, at, place = plain_name(metric, positive).partition("@")
    if not at:
        return title
    first, second = _words(title)
    # of two names the first is that of a test's positive class; a single one fits every class
    word = first if first and not second else title.replace("_", " ")
    return f"{place} {word}" if place in AVERAGES else f"{word} of {place}"


def put_plainly(sentence: str, metrics: Iterable[str], positive: str | None) -> str:
    """A sentence that names metrics, with their spoken names; what stands in quotes is a name of yours and stays."""
    spoken = {plain(name): spoken_name(name, positive) for name in metrics}
    if not spoken:
        return sentence
    longest = sorted(spoken, key=len, reverse=True)
    found = re.compile(rf"(?<![\w'@])(?:{'|'.join(map(re.escape, longest))})(?![\w'@])")
    return found.sub(lambda match: spoken[match[0]], sentence)
