"""Answers of which nothing is known but whether they are right: their one metric, and the refusal of others."""

from __future__ import annotations

from collections.abc import Sequence

from howsure.errors import InvalidArgument
from howsure.metrics import Measure, Metric, parse
from howsure.posterior.accuracy import KNOWN, AccuracyPosterior
from howsure.posterior.posterior import Posterior

__all__ = ["RIGHT_OR_WRONG", "asked_or_usual", "only_right_or_wrong"]

#: Classes of a log that says which answers are right (`howsure.io.logs.paired`); the truth is "right" throughout.
RIGHT_OR_WRONG = ("wrong", "right")


def only_right_or_wrong(posterior: Posterior | AccuracyPosterior) -> bool:
    """Whether it is of a log of right and wrong answers, of which nothing but the accuracy means anything."""
    if isinstance(posterior, AccuracyPosterior) or tuple(posterior.labels) != RIGHT_OR_WRONG:
        return False
    confusion = posterior.confusion
    return confusion.verdicts is None and not confusion.class_sizes[0]


def asked_or_usual(
    metric: str | Metric | Measure | None, posteriors: Sequence[Posterior | AccuracyPosterior]
) -> str | Metric | Measure:
    """The metric that was asked for; balanced accuracy if none was, and of logs of right and wrong the accuracy.

    Raises
    ------
    InvalidArgument
        Of logs another metric than accuracy and error rate.

    Examples
    --------
    >>> from howsure import ConfusionMatrix, infer
    >>> log = infer(ConfusionMatrix.from_predictions(["right"] * 3, ["right", "wrong", "right"]))
    >>> asked_or_usual(None, [log])
    'balanced_accuracy'
    >>> asked_or_usual(None, [infer(ConfusionMatrix([[0, 0], [1, 2]], labels=RIGHT_OR_WRONG))])
    'accuracy'
    """
    if not all(map(only_right_or_wrong, posteriors)):
        return "balanced_accuracy" if metric is None else metric
    if metric is None:
        return "accuracy"
    named = parse(metric, RIGHT_OR_WRONG, RIGHT_OR_WRONG[1]).metric.name
    if named not in KNOWN:
        raise InvalidArgument(
            f"logs say which answers are right, and no classes; their metric is {' or '.join(KNOWN)}, not {named}"
        )
    return metric
