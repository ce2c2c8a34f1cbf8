"""A confusion matrix as plain data, ready for JSON, and back; in one line, as text, as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from howsure.data.folds import folds_of_dict
from howsure.data.groups import groups_of_dict, refuse_both
from howsure.data.matrix_makers import Held
from howsure.data.positive import positive_by_name
from howsure.data.sparse_counts import Counted
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import mapping
from howsure.text.text_table import MOST_DRAWN, MOST_IN_FULL, html_grid, picture_grid, text_grid

#: Up to this many classes plain data holds the whole table; above it, whatever is shorter.
MOST_CLASSES_WHOLE = 100

#: The row of the cases without a truth.
UNLABELLED = "unlabelled"


def plain_data(held: Held, positive: str | None) -> dict[str, Any]:
    """What `ConfusionMatrix.to_dict` gives: ``counts`` as a table, or with many classes ``cells`` if that is shorter.

    Where cases have no truth, ``classes`` are the true classes, ``counts`` has a column for each of ``verdicts``, and
    ``unlabelled`` the cases without a truth in the same order; ``order`` stands there where one was declared.
    Where cases come in groups, ``groups`` are the counts by group. Of a cross-validation ``folds`` are its classifiers
    and passes, and counts are those of all passes.
    """
    cells, labels, judged, groups, folds = held
    cells = cells.times(1 if folds is None else folds.passes)
    data: dict[str, Any] = {"classes": list(labels), "orientation": "true-rows", "positive": positive}
    if judged is not None:
        data |= {
            "classes": list(labels[: judged.truths]),
            "counts": judged.labelled.tolist(),
            "verdicts": [list(each) for each in judged.columns] if judged.audit else list(judged.names),
            "unlabelled": judged.unlabelled.tolist(),
        }
        return data if judged.order is None else {**data, "order": list(judged.order)}
    data |= {} if groups is None else {"groups": groups.to_dict()}
    data |= {} if folds is None else {"folds": folds.to_dict()}
    if len(labels) <= MOST_CLASSES_WHOLE or len(labels) ** 2 <= 3 * len(cells.true):
        return {**data, "counts": cells.table().tolist()}
    return {
        **data,
        "cells": {"true": cells.true.tolist(), "pred": cells.pred.tolist(), "count": cells.count.tolist()},
    }


def arguments_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments of `ConfusionMatrix`, or of its ``from_cells``, from plain data."""
    mapping(data, "data", 'what to_dict gives, {"counts": ..., "classes": ...}')
    if "classes" not in data or not ("counts" in data or "cells" in data):
        raise InvalidArgument(f'from_dict needs "counts" and "classes"; got {listing(map(str, data))}')
    about = {"labels": data["classes"], "positive": data.get("positive")}
    if "cells" in data:
        cells = data["cells"]
        if not isinstance(cells, Mapping) or not {"true", "pred", "count"} <= set(cells):
            raise InvalidArgument(f'"cells" needs the lists "true", "pred" and "count", not {excerpt(cells)}')
        return {"y_true_codes": cells["true"], "y_pred_codes": cells["pred"], "counts": cells["count"], **about}
    judged = {key: data[key] for key in ("verdicts", "unlabelled", "order") if data.get(key) is not None}
    return {"counts": data["counts"], **about, **judged, "orientation": data.get("orientation", "true-rows")}


def with_units(held: Held, data: Mapping[str, Any]) -> Held:
    """The same matrix with the counts by group, and the passes, that stand in its plain data, if any."""
    folds = folds_of_dict(data.get("folds"))
    if folds is not None:
        if held.verdicts is not None or (folds.passes > 1 and data.get("groups") is not None):
            raise InvalidArgument("folds are of cases that have a truth each, and passes of cases in no groups")
        if np.any(held.cells.row_sums % folds.passes):
            raise InvalidArgument(f"the rows do not add up to {folds.passes} times a number of cases")
        held = held._replace(cells=held.cells.divided(folds.passes), folds=folds)
    if data.get("groups") is None:
        return held
    if held.verdicts is not None:
        refuse_both()
    return held._replace(groups=groups_of_dict(data["groups"], held.cells))


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
