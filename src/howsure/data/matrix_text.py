"""How a confusion matrix shows itself: in one line, as text, as HTML."""

from __future__ import annotations

from html import escape

import numpy as np

from howsure.data.matrix_makers import Held
from howsure.data.plain_matrix import UNLABELLED, arguments_of, plain_data
from howsure.data.positive import positive_by_name
from howsure.data.sparse_counts import Counted
from howsure.text.text_table import MOST_DRAWN, MOST_IN_FULL, html_grid, picture_grid, text_grid

__all__ = ["as_html", "as_text", "shown"]


def shown(held: Held, positive: str | None) -> str:
    """The call that makes it, or of many classes their number."""
    cells, labels, judged, _, folds = held
    truths = labels if judged is None else labels[: judged.truths]
    extra = "" if positive == positive_by_name(truths) else f", positive={positive!r}"
    if folds is not None and folds.passes > 1:
        cases = f"{held.n} cases in {folds.passes} passes of a cross-validation"
        return f"<ConfusionMatrix of {len(truths)} classes, {cases}, rows are truth>"
    if len(labels) > 8:
        rest = "" if judged is None else f" and {int(judged.unlabelled.sum())} without a truth"
        return f"<ConfusionMatrix of {len(truths)} classes, {int(cells.count.sum())} cases{rest}, rows are truth>"
    if judged is None:
        return f"ConfusionMatrix({cells.table().tolist()}, labels={list(labels)}{extra})"
    given = arguments_of(plain_data(held, positive))
    if given["verdicts"] == given["labels"]:
        del given["verdicts"]
    told = (f"{key}={given[key]}" for key in ("labels", "verdicts", "unlabelled", "order") if key in given)
    return f"ConfusionMatrix({given['counts']}, {', '.join(told)}{extra})"


def as_text(held: Held, positive: str | None) -> str:
    """Aligned rows and columns; one line where they are many."""
    return text_grid(*_grid(held)) if _is_small(held) else shown(held, positive)


def as_html(held: Held, positive: str | None) -> str:
    """A picture and a table."""
    # colours are shares of a true class, which are not known where the truth is not
    drawn = held.verdicts is None and len(held.labels) <= MOST_DRAWN
    picture = picture_grid(held.labels, held.cells.table()) if drawn else ""
    return picture + (html_grid(*_grid(held)) if _is_small(held) else f"<p>{escape(shown(held, positive))}</p>")


def _is_small(held: Held) -> bool:
    judged = held.verdicts
    return max(len(held.labels), 0 if judged is None else len(judged.names)) <= MOST_IN_FULL


def _grid(held: Held) -> tuple[tuple[str, ...], tuple[str, ...], Counted]:
    """Names of rows and columns, and the table; the cases without a truth are its last row."""
    cells, labels, judged, *_ = held
    if judged is None:
        return labels, labels, cells.table()
    return (*labels[: judged.truths], UNLABELLED), judged.names, np.vstack((judged.labelled, judged.unlabelled))
