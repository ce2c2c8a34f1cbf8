"""Numbers of all thresholds and numbers of one: which is asked, and what to do where the data are of the other kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from howsure.errors import HowsureError, InvalidArgument, excerpt
from howsure.metrics import parse
from howsure.posterior.score_measures import SCORE_KINDS, ScoreMeasure, score_measure

__all__ = ["asked_measure", "is_about_scores", "refuse_without_scores"]


def is_about_scores(metric: object) -> bool:
    """Whether a metric is a number of scores, of all thresholds.

    Examples
    --------
    >>> is_about_scores("roc_auc@ovr"), is_about_scores("f1@macro")
    (True, False)
    """
    if isinstance(metric, ScoreMeasure):
        return True
    return isinstance(metric, str) and metric.partition("@")[0].strip().lower() in SCORE_KINDS


def refuse_without_scores(metric: object) -> None:
    """Refuse a number of all thresholds where classes were called already.

    Raises
    ------
    InvalidArgument
        With the way to scores.
    """
    named = metric if isinstance(metric, str | ScoreMeasure) else None
    if named is None or not is_about_scores(named):
        return
    name = named if isinstance(named, str) else named.name
    raise InvalidArgument(
        f"{excerpt(name)} is a number of all thresholds, and predicted classes have only one. Give the scores "
        "before the threshold: howsure.Scores(y_true, {'A': scores_of_a, 'B': scores_of_b}); on the command line a "
        "file with the columns y_true and a score for each classifier"
    )


def asked_measure(metric: Any, labels: Sequence[str]) -> ScoreMeasure:
    """The number of scores that is asked for; ``roc_auc``, or ``roc_auc@ovr`` of three classes or more, if left out.

    Raises
    ------
    InvalidArgument
        A metric of a confusion matrix, with the way to a threshold; and as `score_measure`.
    """
    if metric is None:
        return score_measure("roc_auc" if len(labels) == 2 else "roc_auc@ovr", labels)
    if not is_about_scores(metric):
        try:
            name = parse(metric, labels, labels[-1]).name
        except HowsureError:
            name = ""
        if name:
            raise InvalidArgument(
                f"{excerpt(name)} needs a threshold, and these are scores: say scores.of(name).confusion_at(0.5) and "
                "ask that, or howsure.curves.best_threshold(scores.of(name), metric); on the command line howsure "
                "threshold FILE. Without a threshold there are roc_auc, average_precision and their kin"
            )
    return score_measure(metric, labels)
