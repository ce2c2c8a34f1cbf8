"""What a report shows when nothing is asked, and what it leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from howsure.data.positive import positive_or_last
from howsure.laws import Law
from howsure.metrics import Asked, Measure, of_class, parse, parse_each
from howsure.metrics.plain_names import plain_name
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


def headed(
    posterior: Posterior, measures: Sequence[Measure], asked: Sequence[Asked] | None, answers: Mapping[Measure, Law]
) -> tuple[Measure | None, str]:
    """The measure of the sentence on top, and its name there: the first that was asked for, of each class the worst.

    Balanced accuracy where nothing was asked, or the prevalence behind verdicts.
    """
    if not asked:
        unsaid = knowledge_of(posterior).prevalence_source != "verdicts elsewhere"
        return (None, "Balanced accuracy") if unsaid else (measures[0], formats.plain(measures[0].name))
    confusion = posterior.confusion
    first = parse_each(asked[0], confusion.labels, confusion.positive)
    if len(first) > 1:
        falling = first[0].metric.better == "lower"
        known = [measure for measure in first if measure in answers]
        worst = min(known, key=lambda it: answers[it].mean * (-1 if falling else 1), default=first[0])
        side = "highest" if falling else "lowest"
        return worst, f"{formats.plain(worst.name)}, the {side} of {formats.integer(len(first))} classes,"
    return measures[0], _as_asked(asked[0], measures[0], confusion.positive)


def _as_asked(asked: Asked, measure: Measure, positive: str | None) -> str:
    """The measure by the name that was asked for, and by ours where that is another one."""
    name = formats.plain(measure.name)
    word = asked.partition("@")[0].strip() if isinstance(asked, str) else ""
    if not word or "(" in word or word.lower() == measure.metric.name:
        return "Balanced accuracy" if name == "balanced_accuracy" else name
    title = plain_name(measure.name, positive)
    return f"{title if title.lower() == word.replace('_', ' ').lower() else formats.plain(word)} ({name})"


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
