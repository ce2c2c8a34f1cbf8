"""The data: labelled counts of what was true and what was predicted.

Rows are truth, columns are prediction, always. A matrix that was printed the other way is turned once, on
the way in, by ``orientation="pred-rows"``, and stays turned. Only the cells that are not empty are kept, so that
50,000 classes fit as well as two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.data.count_checks import LARGEST_COUNT, checked_cells, checked_counts, frame_labels
from howsure.data.groups import Groups, Question, asked, counted_groups, groups_of_dict, refuse_both, together
from howsure.data.labels import code_answers, label_text, label_texts, merged_labels
from howsure.data.positive import positive_by_name
from howsure.data.sparse_counts import Cells
from howsure.data.verdicts import Verdicts, counted_verdicts, verdicts_of_table
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels, UnknownLabel, excerpt, listing
from howsure.errors.arguments import mapping, one_of
from howsure.text.confusion_grid import MOST_DRAWN, MOST_IN_FULL, html_grid, picture_grid, text_grid

__all__ = ["LARGEST_COUNT", "ConfusionMatrix", "Orientation"]

Orientation = Literal["true-rows", "pred-rows"]

#: Cells of the largest table that is ever written out whole (800 MB).
MOST_CELLS = 10**8

#: Up to this many classes plain data holds the whole table; above it, whatever is shorter.
MOST_CLASSES_WHOLE = 100


class ConfusionMatrix:
    r"""Counts of cases by true class (rows) and predicted class (columns); immutable.

    Parameters
    ----------
    counts : array_like, shape (K, K)
        Whole numbers from 0 to 2**53 - 1, with K >= 2 classes.
    labels : sequence of str, optional
        K different class names, in the order of the rows; "0", "1", ... if left out. A pandas DataFrame
        brings its own (index true, columns predicted).
    positive : str, optional
        For K = 2, the class that sensitivity, precision and the like are about; if left out, the one whose name
        everyone knows as positive (1 of 0 and 1, "ill" of "healthy" and "ill"), or none.
    orientation : "true-rows" or "pred-rows"
        What a row of ``counts`` means. With "pred-rows" the counts are transposed on the way in.

    Raises
    ------
    InvalidCounts
        Not square, fewer than two classes, negative, fractional, missing or too large.
    InvalidLabels
        Not unique, blank, or not as many as classes.

    Examples
    --------
    >>> cm = ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
    >>> cm.n, cm.positive
    (100, 'ill')
    >>> print(cm)
    true\pred  healthy  ill
    healthy         45    5
    ill              8   42
    """

    __slots__ = ("_cells", "_groups", "_labels", "_places", "_positive", "_verdicts", "_whole")

    def __init__(
        self,
        counts: Any,
        labels: Sequence[object] | None = None,
        *,
        positive: object | None = None,
        orientation: Orientation = "true-rows",
        unlabelled: Mapping[Any, int] | Sequence[int] | None = None,
        verdicts: Sequence[object] | None = None,
        order: Sequence[object] | None = None,
    ) -> None:
        one_of(orientation, get_args(Orientation), "orientation")
        if unlabelled is not None or verdicts is not None:
            turned = orientation == "pred-rows"
            self._hold(*verdicts_of_table(counts, labels, verdicts, unlabelled, order, turned=turned), positive)
            return
        if labels is None:
            labels = frame_labels(counts)
        given = None if labels is None else label_texts(labels)
        array = checked_counts(counts, given)
        names = label_texts(range(len(array))) if given is None else given
        self._hold(Cells.of_table(array.T if orientation == "pred-rows" else array), names, None, positive)

    def _hold(self, cells: Cells, names: tuple[str, ...], verdicts: Verdicts | None, positive: object | None) -> None:
        """Take what has been checked."""
        self._cells, self._labels, self._verdicts = cells, names, verdicts
        self._groups: Groups | None = None
        self._whole: NDArray[np.int64] | None = None
        self._places: dict[str, int] | None = None
        size = cells.size
        if len(names) != size:
            raise InvalidLabels(f"{size} classes need {size} labels, not {len(names)}: {listing(names)}")
        truths = size if verdicts is None else verdicts.truths
        self._positive: str | None = positive_by_name(names[:truths])
        if positive is not None:
            if truths != 2:
                raise InvalidArgument(
                    f"positive= is for two classes; this matrix has {truths}. Use one_vs_rest({excerpt(positive)})."
                )
            self._positive = names[self.index(positive)]
            if self._positive not in names[:truths]:
                raise InvalidLabels(f"{excerpt(self._positive)} is a verdict only, and no true class")

    @classmethod
    def _of(
        cls,
        cells: Cells,
        names: tuple[str, ...],
        positive: object | None = None,
        verdicts: Verdicts | None = None,
        groups: Groups | None = None,
    ) -> ConfusionMatrix:
        made = cls.__new__(cls)
        made._hold(cells, names, verdicts, positive)
        made._groups = groups
        return made

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Sequence[object] | None = None,
        positive: object | None = None,
        missing: Literal["error", "estimate"] = "error",
        judge: Any = None,
        order: Sequence[object] | None = None,
        group: Any = None,
    ) -> ConfusionMatrix:
        r"""Count cases from true answers and predictions, case by case.

        Parameters
        ----------
        y_true, y_pred : array_like, shape (n,)
            Lists, NumPy arrays, pandas or polars series, or anything with ``__array__``. A label is its text:
            strings as they are, whole numbers without a decimal point, booleans ``true`` and ``false``.
        labels : sequence, optional
            All classes, in order. Without it, every class seen in either: numbers by size, texts by alphabet.
        positive : str, optional
            As in the class.
        group : array_like, shape (n,), optional
            Patient, document or question that each case belongs to, where several cases come from one.

        Raises
        ------
        InvalidLabels
            Different lengths, no cases, missing answers or groups, fractional numbers (scores, not classes), or an
            answer outside ``labels``.

        Examples
        --------
        >>> print(ConfusionMatrix.from_predictions(["cat", "dog", "dog"], ["cat", "cat", "dog"]))
        true\pred  cat  dog
        cat          1    0
        dog          1    1
        """
        if group is not None:
            refuse_both(missing)
            made = cls.from_predictions(y_true, y_pred, labels=labels, positive=positive, judge=judge, order=order)
            true, predicted, names = code_answers(y_true, y_pred, labels)
            groups = counted_groups(group, true, predicted, len(names))
            return cls._of(made._cells, names, positive, groups=groups)
        one_of(missing, ("error", "estimate"), "missing")
        if missing == "estimate":
            cells, names, verdicts = counted_verdicts(y_true, y_pred, judge, labels, order)
            return cls._of(cells, names, positive, verdicts)
        if judge is not None or order is not None:
            raise InvalidArgument("judge= and order= are for cases without a truth; say missing='estimate' as well")
        true, predicted, names = code_answers(y_true, y_pred, labels)
        return cls._of(Cells.of_cases(true, predicted, len(names)), names, positive)

    @classmethod
    def from_cells(
        cls,
        y_true_codes: Any,
        y_pred_codes: Any,
        counts: Any,
        *,
        labels: Sequence[object] | None = None,
        positive: object | None = None,
    ) -> ConfusionMatrix:
        r"""Take single cells of a table that is mostly empty.

        Parameters
        ----------
        y_true_codes, y_pred_codes : array_like of int, shape (cells,)
            Row and column of each cell, from 0. Cells that come again add up.
        counts : array_like, shape (cells,)
            Whole numbers from 0 to 2**53 - 1.
        labels : sequence of str, optional
            All classes in order; "0", "1", ... up to the largest code if left out.
        positive : str, optional
            As in the class.

        Raises
        ------
        InvalidCounts
            Negative, fractional, missing or too large; or not as many as rows and columns.
        InvalidLabels
            Codes that are no places of classes; labels that are not unique or blank.

        Examples
        --------
        >>> print(ConfusionMatrix.from_cells([0, 1, 1], [0, 0, 1], [7, 2, 5], labels=["cat", "dog"]))
        true\pred  cat  dog
        cat          7    0
        dog          2    5
        """
        names = None if labels is None else label_texts(labels)
        true, pred, whole, size = checked_cells(y_true_codes, y_pred_codes, counts, names)
        return cls._of(Cells.added(true, pred, whole, size), names or label_texts(range(size)), positive)

    @classmethod
    def from_counts(cls, *, tp: int, fn: int, fp: int, tn: int) -> ConfusionMatrix:
        """Two classes, "negative" and "positive", from the four named cells.

        Parameters
        ----------
        tp, fn, fp, tn : int
            True positives, false negatives, false positives and true negatives; by keyword only, because no
            two fields agree on their order.

        Examples
        --------
        >>> ConfusionMatrix.from_counts(tp=26, fn=0, fp=2, tn=6).counts.tolist()
        [[6, 2], [0, 26]]
        """
        return cls([[tn, fp], [fn, tp]], ["negative", "positive"])

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ConfusionMatrix:
        """Rebuild from `to_dict`: ``counts`` as a square, or ``cells`` as rows, columns and counts."""
        mapping(data, "data", 'what to_dict gives, {"counts": ..., "classes": ...}')
        if "classes" not in data or not ("counts" in data or "cells" in data):
            raise InvalidArgument(f'from_dict needs "counts" and "classes"; got {listing(map(str, data))}')
        if "cells" in data:
            cells = data["cells"]
            if not isinstance(cells, Mapping) or not {"true", "pred", "count"} <= set(cells):
                raise InvalidArgument(f'"cells" needs the lists "true", "pred" and "count", not {excerpt(cells)}')
            made = cls.from_cells(
                cells["true"], cells["pred"], cells["count"], labels=data["classes"], positive=data.get("positive")
            )
        else:
            made = cls(
                data["counts"],
                data["classes"],
                positive=data.get("positive"),
                orientation=data.get("orientation", "true-rows"),
            )
        made._groups = groups_of_dict(data.get("groups"), made._cells)
        return made

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def counts(self) -> NDArray[np.int64]:
        """Counts, shape (K, K), read-only; rows are truth. Raises `InvalidArgument` above 10**8 cells."""
        if self._whole is None:
            size = self._cells.size
            if size**2 > MOST_CELLS:
                raise InvalidArgument(
                    f"the whole table of {size} classes has {size**2:.2g} cells and does not fit; "
                    f"use .cells, which gives the {len(self._cells.true)} that are not empty"
                )
            self._whole = self._cells.table()
            self._whole.setflags(write=False)
        return self._whole.view()  # of a read-only base: nobody can make it writable

    @property
    def cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Row, column and count of every cell that is not empty, by rows; three read-only arrays.

        Examples
        --------
        >>> true, pred, counts = ConfusionMatrix([[45, 0], [8, 42]]).cells
        >>> true.tolist(), pred.tolist(), counts.tolist()
        ([0, 1, 1], [0, 0, 1], [45, 8, 42])
        """
        return self._cells.true.view(), self._cells.pred.view(), self._cells.count.view()

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names in the order of rows and columns."""
        return self._labels

    @property
    def positive(self) -> str | None:
        """The positive one of two classes; None where neither was chosen nor is known by its name, and above two."""
        return self._positive

    def with_positive(self, label: object) -> ConfusionMatrix:
        """The same counts with a positive class, one of two.

        Examples
        --------
        >>> ConfusionMatrix([[6, 2], [0, 26]], labels=["low", "high"]).with_positive("low").positive
        'low'
        """
        return self._of(self._cells, self._labels, label, self._verdicts, self._groups)

    def about_groups(self, question: Question) -> ConfusionMatrix:
        """The same counts, about "these" groups again or about "new" ones; see `howsure.infer`.

        Raises
        ------
        InvalidArgument
            Cases that do not come in groups, or another question.
        """
        groups = asked(self._groups, question)
        return self._of(self._cells, self._labels, self._positive, self._verdicts, groups)

    @property
    def entered(self) -> bool:
        """Whether the counts came as a whole table, typed or read, and were not counted from cases."""
        return self._cells.entered

    @property
    def verdicts(self) -> Verdicts | None:
        """Cases by verdict, where the truth is known of some only; None where it is known of all."""
        return self._verdicts

    @property
    def groups(self) -> Groups | None:
        """Counts by group, where the cases come in groups; None where each is one of its own."""
        return self._groups

    @property
    def n(self) -> int:
        """Number of cases, those whose truth is known."""
        return int(self._cells.count.sum())

    @property
    def class_sizes(self) -> NDArray[np.int64]:
        """Cases of each true class, shape (K,)."""
        return self._cells.row_sums

    @property
    def called(self) -> NDArray[np.int64]:
        """Cases called each class, right or wrong, shape (K,)."""
        return self._cells.column_sums

    @property
    def correct(self) -> NDArray[np.int64]:
        """Cases of each true class that were recognised, shape (K,)."""
        return self._cells.diagonal

    def index(self, label: object) -> int:
        """Row of a class, by its name or by a value that has this name; raises `UnknownLabel` with the nearest one."""
        name = label_text(label) or ""
        if self._places is None:
            self._places = {label: i for i, label in enumerate(self._labels)}
        if name not in self._places:
            raise UnknownLabel(name, self._labels)
        return self._places[name]

    # -- other views of the same cases ----------------------------------------------------------------------

    def transpose(self) -> ConfusionMatrix:
        """Exchange truth and prediction: the repair for a matrix that was read the wrong way round."""
        groups = self._groups and self._groups.turned()
        return self._of(self._cells.turned(), self._labels, self._positive, groups=groups)

    def merge(self, groups: Mapping[str, Sequence[str]]) -> ConfusionMatrix:
        r"""Join classes under new names; classes that are not named stay as they are.

        Examples
        --------
        >>> cm = ConfusionMatrix([[5, 1, 0], [2, 4, 1], [0, 0, 9]], labels=["cat", "dog", "car"])
        >>> print(cm.merge({"animal": ["cat", "dog"]}))
        true\pred  animal  car
        animal         12    1
        car             0    9
        """
        names, place = merged_labels(self._labels, groups, self.index)
        kept = self._groups and self._groups.moved(place, len(names))
        return self._of(self._cells.moved(place, len(names)), names, groups=kept)

    def one_vs_rest(self, label: str) -> ConfusionMatrix:
        """Two classes: ``label`` (positive) and everything else, called "not ..."."""
        i = self.index(label)
        hit, size, called = (int(sums[i]) for sums in (self.correct, self.class_sizes, self.called))
        cells = [[self.n - size - called + hit, called - hit], [size - hit, hit]]
        name = self._labels[i]
        made = ConfusionMatrix(cells, [f"not {name}", name], positive=name)
        place = [int(j == i) for j in range(len(self._labels))]
        made._groups = self._groups and self._groups.moved(place, 2)
        return made

    def subset(self, labels: Sequence[str]) -> ConfusionMatrix:
        """Only the cases whose truth and prediction are both among ``labels``, in that order."""
        names = label_texts([labels] if isinstance(labels, str) else labels)
        keep = [self.index(label) for label in names]
        if len(names) < 2:
            raise InvalidCounts("a confusion matrix needs two or more classes; the subset has one")
        place = np.full(len(self._labels), -1)
        place[keep] = np.arange(len(keep))
        kept = self._groups and self._groups.moved(place, len(keep))
        return self._of(self._cells.moved(place, len(keep)), names, groups=kept)

    def normalised(self, by: Literal["true", "pred", "all"] = "true") -> NDArray[np.float64]:
        """Shares instead of counts: of each row, of each column, or of all; NaN where there are no cases."""
        one_of(by, ("true", "pred", "all"), "by")
        counts = self.counts
        total = counts.sum(axis={"true": 1, "pred": 0, "all": None}[by], keepdims=True)
        with np.errstate(invalid="ignore"):
            return np.asarray(counts / total)

    def __add__(self, other: object) -> ConfusionMatrix:
        """Cases of both: folds of one pass, or batches of a stream. Classes are matched by name."""
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        if set(self._labels) != set(other._labels):
            odd = sorted(set(self._labels) ^ set(other._labels))
            raise InvalidLabels(f"matrices with different classes cannot be added; only one of them has {listing(odd)}")
        if self.n + other.n > LARGEST_COUNT:
            raise InvalidCounts(f"the counts add up to more than 2**53 - 1 = {LARGEST_COUNT}")
        place = [self.index(label) for label in other._labels]
        cells = self._cells.plus(other._cells.moved(place, len(place)))
        groups = together(self._groups, other._groups, place)
        return self._of(cells, self._labels, self._positive, groups=groups)

    # -- as a value -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        same = self._labels == other._labels and self._positive == other._positive
        mine, theirs = ((x._verdicts and x._verdicts.key(), x._groups and x._groups.key()) for x in (self, other))
        return same and self._cells.same(other._cells) and mine == theirs

    def __hash__(self) -> int:
        return hash((self._labels, self._positive, self._cells.key()))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: ``counts`` as a square, or with many classes ``cells`` if that is shorter."""
        data: dict[str, Any] = {"classes": list(self._labels), "orientation": "true-rows", "positive": self._positive}
        data |= {} if self._groups is None else {"groups": self._groups.to_dict()}
        size = len(self._labels)
        if size <= MOST_CLASSES_WHOLE or size**2 <= 3 * len(self._cells.true):
            return {**data, "counts": self.counts.tolist()}
        true, pred, counts = self.cells
        return {**data, "cells": {"true": true.tolist(), "pred": pred.tolist(), "count": counts.tolist()}}

    def __reduce__(self) -> tuple[Any, ...]:
        return (ConfusionMatrix._of, (self._cells, self._labels, self._positive, self._verdicts, self._groups))

    def __repr__(self) -> str:
        extra = "" if self._positive == positive_by_name(self._labels) else f", positive={self._positive!r}"
        if len(self._labels) > 8:
            return f"<ConfusionMatrix of {len(self._labels)} classes, {self.n} cases, rows are truth>"
        return f"ConfusionMatrix({self.counts.tolist()}, labels={list(self._labels)}{extra})"

    def __str__(self) -> str:
        return repr(self) if len(self._labels) > MOST_IN_FULL else text_grid(self._labels, self.counts)

    def _repr_html_(self) -> str:
        picture = picture_grid(self._labels, self.counts) if len(self._labels) <= MOST_DRAWN else ""
        small = len(self._labels) <= MOST_IN_FULL
        return picture + (html_grid(self._labels, self.counts) if small else f"<p>{escape(repr(self))}</p>")
