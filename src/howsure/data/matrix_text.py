"""How a confusion matrix shows itself: in one line, as text, as HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from howsure.data.plain_matrix import UNLABELLED, arguments_of, plain_data
from howsure.data.positive import positive_by_name
from howsure.numerics.arrays import Integers
from howsure.text.confusion_grid import MOST_DRAWN, MOST_IN_FULL, html_grid, picture_grid, text_grid

if TYPE_CHECKING:
    from howsure.data.confusion import ConfusionMatrix

__all__ = ["as_html", "as_text", "shown"]


def shown(confusion: ConfusionMatrix) -> str:
    """The call that makes it, or of many classes their number."""
    judged, labels = confusion.verdicts, confusion.labels
    truths = labels if judged is None else labels[: judged.truths]
    extra = "" if confusion.positive == positive_by_name(truths) else f", positive={confusion.positive!r}"
    if len(labels) > 8:
        rest = "" if judged is None else f" and {int(judged.unlabelled.sum())} without a truth"
        return f"<ConfusionMatrix of {len(truths)} classes, {confusion.n} cases{rest}, rows are truth>"
    if judged is None:
        return f"ConfusionMatrix({confusion.counts.tolist()}, labels={list(labels)}{extra})"
    given = arguments_of(plain_data(confusion))
    if given["verdicts"] == given["labels"]:
        del given["verdicts"]
    told = (f"{key}={given[key]}" for key in ("labels", "verdicts", "unlabelled", "order") if key in given)
    return f"ConfusionMatrix({given['counts']}, {', '.join(told)}{extra})"


def as_text(confusion: ConfusionMatrix) -> str:
    """Aligned rows and columns; one line where they are many."""
    return text_grid(*_grid(confusion)) if _is_small(confusion) else shown(confusion)


def as_html(confusion: ConfusionMatrix) -> str:
    """A picture and a table."""
    # colours are shares of a true class, which are not known where the truth is not
    drawn = confusion.verdicts is None and len(confusion.labels) <= MOST_DRAWN
    picture = picture_grid(confusion.labels, confusion.counts) if drawn else ""
    return picture + (html_grid(*_grid(confusion)) if _is_small(confusion) else f"<p>{escape(shown(confusion))}</p>")


def _is_small(confusion: ConfusionMatrix) -> bool:
    judged = confusion.verdicts
    return max(len(confusion.labels), 0 if judged is None else len(judged.names)) <= MOST_IN_FULL


def _grid(confusion: ConfusionMatrix) -> tuple[tuple[str, ...], tuple[str, ...], Integers]:
    """Names of rows and columns, and the table; the cases without a truth are its last row."""
    judged, labels = confusion.verdicts, confusion.labels
    if judged is None:
        return labels, labels, confusion.counts
    return (*labels[: judged.truths], UNLABELLED), judged.names, np.vstack((judged.labelled, judged.unlabelled))
