"""What a report shows when nothing is asked, and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from howsure.data.positive import positive_or_last
from howsure.metrics import Measure, of_class, parse
from howsure.posterior.judged_knowledge import judged_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import Posterior
from howsure.reporting.judged_summary import judged_measures
from howsure.text import formats

__all__ = ["default_measures", "headed", "omissions"]

#: Above this many classes the default report lists some only: those with the lowest and the highest recall.
MOST_CLASSES_LISTED = 50
LOWEST, HIGHEST = 10, 5


def default_measures(posterior: Posterior) -> list[Measure]:
    """What a report shows when nothing is asked: overall, F1, MCC and kappa, and per class (of many, some)."""
    if (judged := judged_of(knowledge_of(posterior))) is not None:
        return judged_measures(judged)
    names = ["accuracy", "balanced_accuracy"]
    first: list[Measure] = []
    if knowledge_of(posterior).prevalence_source == "verdicts elsewhere":
        first = [of_class("prevalence", posterior.labels, i) for i in _forward_first(posterior)]
    drawn = knowledge_of(posterior).draws_are_affordable
    if drawn:
        names += ["f1" if len(posterior.labels) == 2 else "f1@macro", "mcc", "kappa"]
    forward = positive_or_last(posterior.labels, posterior.confusion.positive)
    measures = [*first, *(parse(name, posterior.labels, forward) for name in names)]
    for name in ("recall", "precision") if drawn else ("recall",):
        measures += [of_class(name, posterior.labels, i) for i in _listed(posterior)]
    return measures


def headed(posterior: Posterior, measures: Sequence[Measure], asked: object) -> Measure | None:
    """The measure of the sentence on top: the first that was asked for, or the prevalence behind verdicts."""
    unsaid = knowledge_of(posterior).prevalence_source != "verdicts elsewhere"
    return None if not asked and unsaid else measures[0]


def _forward_first(posterior: Posterior) -> list[int]:
    """The positive one of two classes, then the other; of more classes those that are listed."""
    forward = positive_or_last(posterior.labels, posterior.confusion.positive)
    places = _listed(posterior)
    return places if forward is None else sorted(places, key=lambda i: posterior.labels[i] != forward)


def _listed(posterior: Posterior) -> list[int]:
    """Classes that a report lists unasked."""
    known = knowledge_of(posterior)
    if known.size <= MOST_CLASSES_LISTED:
        return list(range(known.size))
    order = np.argsort(np.nan_to_num(known.recall_means, nan=-1.0), kind="stable").tolist()
    return [*order[:LOWEST], *order[-HIGHEST:]]


def omissions(posterior: Posterior) -> list[str]:
    """Sentences on what the default report leaves out, and how to get it."""
    said, known = [], knowledge_of(posterior)
    if not known.draws_are_affordable:
        said.append(
            f"with {formats.integer(known.size)} classes the metrics that need draws are left out; "
            f"name them to get them from {formats.integer(known.usual_draws)} draws "
            "(f1@macro, mcc, kappa, precision@...)"
        )
    if known.size > MOST_CLASSES_LISTED and judged_of(known) is None:
        said.append(
            f"of {formats.integer(known.size)} classes the {LOWEST} with the lowest recall and the {HIGHEST} with "
            "the highest are listed; name others to get them (recall@..., precision@...)"
        )
    return said
