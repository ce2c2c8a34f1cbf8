"""What a confusion matrix is made of, each part checked; other views of the same cases; plain data, text, HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from html import escape
from typing import Any, NamedTuple

import numpy as np

from howsure.data.counts import LARGEST_COUNT, Cells, Counted
from howsure.data.groups import (
    Folds,
    Groups,
    folds_of_dict,
    folds_together,
    groups_of_dict,
    refuse_both,
    refuse_passes,
    refuse_uneven_rows,
    together,
)
from howsure.data.labels import (
    distinct_answers,
    in_order,
    label_texts,
    merged_labels,
    positive_by_name,
)
from howsure.data.refusals import say
from howsure.data.verdicts import Verdicts
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, excerpt, listing
from howsure.errors.arguments import mapping, one_of
from howsure.numerics.arrays import Floats, Integers
from howsure.text.formats import integer, several
from howsure.text.text_table import MOST_DRAWN, MOST_IN_FULL, html_grid, picture_grid, text_grid


class Held(NamedTuple):
    """What a confusion matrix is made of, checked."""

    cells: Cells
    labels: tuple[str, ...]
    verdicts: Verdicts | None = None
    groups: Groups | None = None
    folds: Folds | None = None

    @property
    def n(self) -> int:
        """Number of cases, those whose truth is known."""
        return int(np.rint(self.cells.count.sum()))

    def same(self, other: Held) -> bool:
        """Whether all of both is equal."""
        mine, theirs = (
            (held.labels, held.verdicts and held.verdicts.key(), held.groups and held.groups.key(), held.folds)
            for held in (self, other)
        )
        return mine == theirs and self.cells.same(other.cells)


def answered(y_true: Any, y_pred: Any, *others: Any) -> tuple[list[Any], tuple[str, ...]]:
    """The columns without the cases that lack a truth or a prediction, and the classes of all cases."""
    true, pred = distinct_answers(y_true, "y_true"), distinct_answers(y_pred, "y_pred")
    lengths = {len(true.codes), len(pred.codes), *(len(column) for column in others if column is not None)}
    if len(lengths) > 1:
        return [y_true, y_pred, *others], ()  # refused with its sentence where they are counted
    kept = np.flatnonzero((true.codes >= 0) & (pred.codes >= 0))
    rest = [None if column is None else np.asarray(column, dtype=object)[kept] for column in others]
    return [true.part(kept), pred.part(kept), *rest], tuple(in_order({*true.texts, *pred.texts}))


def positive_of(held: Held, positive: object | None, index: Callable[[object], int]) -> str | None:
    """The positive one of two true classes: the one that is named, or known by its name."""
    truths = held.labels if held.verdicts is None else held.labels[: held.verdicts.truths]
    if positive is None:
        return positive_by_name(truths)
    if len(truths) != 2:
        raise InvalidArgument(say("positive_of_two", len(truths), positive))
    name = held.labels[index(positive)]
    if name not in truths:
        raise InvalidLabels(f"{excerpt(name)} is a verdict only, and no true class")
    return name


def fitted(held: Held) -> Held:
    """Give it back, if there is a label for each class."""
    size = held.cells.size
    if len(held.labels) != size:
        raise InvalidLabels(f"{size} classes need {size} labels, not {len(held.labels)}: {listing(held.labels)}")
    return held


# -- other views of the same cases --


def _refuse_unlabelled(verdicts: Verdicts | None, so: str) -> None:
    """Refuse a view that needs the truth of every case."""
    if verdicts is not None:
        rest, n = integer(int(verdicts.unlabelled.sum())), several(verdicts.n, "case")
        known = f"the truth of {rest} of {n} is not known" if rest != "0" else "not every verdict can be true"
        raise InvalidArgument(f"{known}, so {so}")


def turned(held: Held) -> Held:
    """Truth and prediction exchanged."""
    so = "truth and prediction cannot be exchanged; orientation= turns a table on its way in"
    _refuse_unlabelled(held.verdicts, so)
    refuse_passes(held.folds, "an exchange of truth and prediction")
    return Held(held.cells.turned(), held.labels, groups=held.groups and held.groups.turned(), folds=held.folds)


def shares(counts: Counted, verdicts: Verdicts | None, by: str) -> Floats:
    """Shares of each row ("true"), of each column ("pred"), or of all."""
    one_of(by, ("true", "pred", "all"), "by")
    _refuse_unlabelled(verdicts, "shares of the labelled cases are not those of all; infer() of this matrix has them")
    total = counts.sum(axis={"true": 1, "pred": 0, "all": None}[by], keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.asarray(counts / total)


def merged(held: Held, groups: Mapping[str, Sequence[str]], index: Callable[[str], int]) -> Held:
    """Classes joined under new names."""
    _refuse_unlabelled(held.verdicts, "no classes can be joined; join them in the cases, before they are counted")
    names, place = merged_labels(held.labels, groups, index)
    return _moved(held, place, names)


def one_and_rest(held: Held, i: int) -> Held:
    """Two classes: not number ``i``, and number ``i``."""
    _refuse_unlabelled(held.verdicts, "no classes can be joined; join them in the cases, before they are counted")
    name = held.labels[i]
    names = (f"not {name}", name)
    place = [int(j == i) for j in range(len(held.labels))]
    if held.folds is not None:
        return _moved(held, place, names)
    cells = held.cells
    hit, size, called = (int(sums[i]) for sums in (cells.diagonal, cells.row_sums, cells.column_sums))
    n = held.n
    table = Cells.of_table(np.array([[n - size - called + hit, called - hit], [size - hit, hit]]))
    return Held(table, names, groups=held.groups and held.groups.moved(place, 2))


def subset(held: Held, labels: Sequence[str], index: Callable[[str], int]) -> Held:
    """The cases whose truth and prediction are among some classes."""
    _refuse_unlabelled(held.verdicts, "no subset can be taken; merge() joins the classes that are not wanted")
    refuse_passes(held.folds, "a subset")
    names = label_texts([labels] if isinstance(labels, str) else labels)
    keep = [index(label) for label in names]
    if len(names) < 2:
        raise InvalidCounts("a confusion matrix needs two or more classes; the subset has one")
    place = np.full(len(held.labels), -1)
    place[keep] = np.arange(len(keep))
    return _moved(held, place, names)


def added(one: Held, other: Held) -> Held:
    """All cases of both; classes are matched by name."""
    for held in (one, other):
        _refuse_unlabelled(held.verdicts, "it cannot be added to another; count the cases of both together")
    if set(one.labels) != set(other.labels):
        odd = sorted(set(one.labels) ^ set(other.labels))
        raise InvalidLabels(f"matrices with different classes cannot be added; only one of them has {listing(odd)}")
    if sum(held.n for held in (one, other)) > LARGEST_COUNT:
        raise InvalidCounts(f"the counts add up to more than 2**53 - 1 = {LARGEST_COUNT}")
    at = {label: i for i, label in enumerate(one.labels)}
    place = [at[label] for label in other.labels]
    groups, folds = together(one.groups, other.groups, place), folds_together(one.folds, other.folds)
    return Held(one.cells.plus(other.cells.moved(place, len(place))), one.labels, groups=groups, folds=folds)


def _moved(held: Held, place: Sequence[int] | Integers, names: tuple[str, ...]) -> Held:
    """Class i becomes ``names[place[i]]``, or goes where that is -1; the groups of its cases as well."""
    groups: Groups | None = held.groups and held.groups.moved(place, len(names))
    return Held(held.cells.moved(place, len(names)), names, groups=groups, folds=held.folds)


def all_passes(passes: Sequence[Held], many: int) -> Held:
    """All passes of a cross-validation of the same cases, each of one matrix or several; counts divided by ``many``."""
    if len(passes) % many and len(passes) != 1:
        raise InvalidArgument(f"{len(passes)} matrices are not {many} whole passes, as many matrices in each")
    for held in passes:
        refuse_passes(held.folds, "a pass")
        if held.verdicts is not None or held.groups is not None:
            raise InvalidArgument("passes of a cross-validation are of cases with a truth each, and in no groups")
    total = reduce(added, passes)
    sizes, each = total.cells.row_sums, max(1, len(passes) // many)
    if len(passes) == 1:
        if np.any(sizes % many):
            i = int(np.flatnonzero(sizes % many)[0])
            raise InvalidCounts(say("uneven_class", total.labels[i], several(int(sizes[i]), "test"), many))
    else:
        parts = [reduce(added, passes[k : k + each]) for k in range(0, len(passes), each)]
        places = [np.array([part.labels.index(name) for name in total.labels]) for part in parts]
        rows = [part.cells.row_sums[place] for part, place in zip(parts, places, strict=True)]
        refuse_uneven_rows(rows, total.labels, [f"pass {k + 1}" for k in range(len(parts))])
    trained = 0 if len(passes) == many or len(passes) == 1 else len(passes)
    return Held(total.cells.divided(many), total.labels, folds=Folds(trained, many))


# -- as plain data, and back; in one line, as text, as HTML --

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
