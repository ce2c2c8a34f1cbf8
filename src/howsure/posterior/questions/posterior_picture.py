"""What a notebook shows of a posterior: its counts, and the recall of each class."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from howsure.answers.law_summary import law_row
from howsure.errors import NoInformation
from howsure.laws.law import KIND, LEVEL
from howsure.metrics import Measure, of_class, parse
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.text import formats
from howsure.text.confusion_grid import MOST_DRAWN
from howsure.text.svg import IntervalRow, forest

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

__all__ = ["notebook_html"]

#: Recalls that are drawn; with more classes, the lowest of them.
MOST_RECALLS = 10


def notebook_html(posterior: Posterior) -> str:
    """HTML of a posterior: its text, its counts and its recalls."""
    head = f"<p>{escape(repr(posterior)[1:-1])}</p>"
    if len(posterior.labels) > MOST_DRAWN:
        return head
    return head + posterior.confusion._repr_html_() + _recalls(knowledge_of(posterior))


def _recalls(known: TableKnowledge) -> str:
    """Balanced accuracy and recalls with their intervals as SVG."""
    if (verdicts := known.confusion.verdicts) is not None:
        classes = [of_class("prevalence", known.labels, i) for i in range(verdicts.truths)][:MOST_RECALLS]
        title = f"Mean (dot) and {formats.interval_name('hdi', 0.95)} of the shares of the true classes"
        return forest([_row(known, measure) for measure in classes], title=title)
    confusion = known.confusion
    shares = confusion.correct / np.maximum(confusion.class_sizes, 1)
    lowest = sorted(np.argsort(shares, kind="stable")[:MOST_RECALLS].tolist())
    measures = [parse("balanced_accuracy", confusion.labels)]
    measures += [of_class("recall", confusion.labels, i) for i in lowest]
    rows = [_row(known, measure) for measure in measures]
    return forest(rows, title=f"Mean (dot) and {formats.interval_name('hdi', 0.95)} of balanced accuracy and recalls")


def _row(known: TableKnowledge, measure: Measure) -> IntervalRow:
    try:
        found = known.of(measure)
    except NoInformation:
        return IntervalRow(measure.name, "no information")
    return law_row(measure.name, found.law, LEVEL, KIND, observed=found.observed, chance=found.chance)
