"""Who can be compared: a posterior of a whole matrix, or of the number of right answers alone."""

from __future__ import annotations

from howsure.metrics.plain_names import plain_name
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.posterior import Posterior

__all__ = ["Contender", "called", "cases", "class_sizes"]

Contender = Posterior | AccuracyPosterior


def cases(posterior: Contender) -> int:
    """Number of cases, with and without a truth."""
    if isinstance(posterior, AccuracyPosterior):
        return posterior.n
    verdicts = posterior.confusion.verdicts
    return posterior.confusion.n if verdicts is None else verdicts.n


def called(metric: str, posterior: Contender) -> str:
    """A metric by the name that people know, where it has one."""
    if isinstance(posterior, AccuracyPosterior) or len(posterior.labels) > 2:
        return plain_name(metric, None)
    return plain_name(metric, posterior.confusion.positive)


def class_sizes(posterior: Contender) -> dict[str, int]:
    """Cases of each class; empty where only the right answers are known."""
    if isinstance(posterior, AccuracyPosterior):
        return {}
    return dict(zip(posterior.labels, posterior.confusion.class_sizes.tolist(), strict=True))
