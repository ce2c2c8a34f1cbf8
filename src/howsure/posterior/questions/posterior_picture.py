"""What a notebook shows of a posterior: its counts, and the recall of each class."""

from __future__ import annotations

from html import escape

import numpy as np

from howsure.errors import NoInformation
from howsure.metrics import Measure, of_class, parse
from howsure.posterior.questions.asked import Asked, law_row
from howsure.text import formats
from howsure.text.confusion_grid import MOST_DRAWN
from howsure.text.svg import IntervalRow, forest

__all__ = ["Pictured"]

#: Recalls that are drawn; with more classes, the lowest of them.
MOST_RECALLS = 10


class Pictured:
    """Gives a posterior its picture; mixed into `Posterior`."""

    def _repr_html_(self: Asked) -> str:
        head = f"<p>{escape(repr(self)[1:-1])}</p>"
        if len(self.confusion.labels) > MOST_DRAWN:
            return head
        return head + self.confusion._repr_html_() + _recalls(self)


def _recalls(asked: Asked) -> str:
    """Balanced accuracy and recalls with their intervals as SVG."""
    confusion = asked.confusion
    shares = confusion.correct / np.maximum(confusion.class_sizes, 1)
    lowest = sorted(np.argsort(shares, kind="stable")[:MOST_RECALLS].tolist())
    measures = [parse("balanced_accuracy", confusion.labels)]
    measures += [of_class("recall", confusion.labels, i) for i in lowest]
    rows = [_row(asked, measure) for measure in measures]
    return forest(rows, title=f"Mean (dot) and {formats.interval_name('hdi', 0.95)} of balanced accuracy and recalls")


def _row(asked: Asked, measure: Measure) -> IntervalRow:
    try:
        known = asked.quietly(measure)
    except NoInformation:
        return IntervalRow(measure.name, "no information")
    return law_row(measure.name, known.law, 0.95, "hdi", observed=known.observed, chance=known.chance)
