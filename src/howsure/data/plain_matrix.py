"""A confusion matrix as plain data, ready for JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.data.folds import folds_of_dict
from howsure.data.groups import groups_of_dict, refuse_both
from howsure.data.matrix_makers import Held
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import mapping

__all__ = ["UNLABELLED", "arguments_of", "plain_data", "with_units"]

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
    """Arguments of `ConfusionMatrix`, or of its ``from_cells``, from plain data.

    Raises
    ------
    InvalidArgument
        No counts or no classes.
    """
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
    """The same matrix with the counts by group, and the passes, that stand in its plain data, if any.

    Raises
    ------
    InvalidArgument
        Counts that do not add up to those of the matrix; groups or folds beside cases without a truth.
    """
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
