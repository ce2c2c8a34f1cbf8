"""The data: labelled counts of what was true and what was predicted.

Rows are truth, columns are prediction, always. A matrix that was printed the other way is turned once, on
the way in, by ``orientation="pred-rows"``, and stays turned. Only the cells that are not empty are kept, so that
50,000 classes fit as well as two. Cases whose truth is not known are counted by their verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.data.counts import (
    Cells,
    Counted,
    checked_cells,
    checked_counts,
    framed,
    refuse_totals,
    whole_number,
)
from howsure.data.groups import Folds, Groups, Question, Units, asked, counted_folds, counted_groups, refuse_both
from howsure.data.labels import Column, code_answers, label_text, label_texts
from howsure.data.matrix import (
    Held,
    added,
    all_passes,
    answered,
    arguments_of,
    as_html,
    as_text,
    fitted,
    merged,
    one_and_rest,
    plain_data,
    positive_of,
    shares,
    shown,
    subset,
    turned,
    with_units,
)
from howsure.data.refusals import say
from howsure.data.verdicts import Verdicts, judged_cases, verdicts_of_table
from howsure.errors import InvalidArgument, InvalidCounts, UnknownLabel, excerpt
from howsure.errors.arguments import items, one_of
from howsure.params import spelled
from howsure.text.formats import integer

Orientation = Literal["true-rows", "pred-rows"]


class ConfusionMatrix:
    r"""Counts of cases by true class (rows) and predicted class (columns); immutable.

    Parameters
    ----------
    counts : array_like, shape (K, K), or (K, V) with ``verdicts``
        Integers from 0 to 2**53 - 1, with K >= 2 classes; the cases whose truth is known.
    labels : sequence of str, optional
        K different class names, in the order of the rows; "0", "1", ... if left out. A pandas DataFrame
        brings its own (index true, columns predicted).
    positive : str, optional
        For K = 2, the class that sensitivity, precision and the like are about; if left out, the one whose name
        everyone knows as positive (1 of 0 and 1, "ill" of "healthy" and "ill"), or none.
    orientation : "true-rows" or "pred-rows"
        What a row of ``counts`` means. With "pred-rows" the counts are transposed on the way in.
    unlabelled : mapping or sequence, optional
        Cases whose truth is not known, by what they were called ({"fail": 572}) or in the order of the columns.
    verdicts : sequence, optional
        Names of the V columns, where some are no true class ("unsure"); in an audit pairs (what the classifier said,
        what a judge found). The classes if left out.
    order : sequence, optional
        The verdicts from low to high. Numbers have their own order.

    Raises
    ------
    InvalidCounts
        Not square (without ``verdicts``), fewer than two classes, negative, fractional, missing or too large; no case
        with a truth.
    InvalidLabels
        Not unique, blank, or not as many as classes; a verdict in ``unlabelled`` or ``order`` that no column has.

    Examples
    --------
    >>> cm = ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
    >>> cm.n, cm.positive
    (100, 'ill')
    >>> print(cm)
    true\pred  healthy  ill
    healthy         45    5
    ill              8   42

    2,000 answers were judged, and people checked 100 of them:

    >>> cm = ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    >>> cm.n, cm.unlabelled
    (100, {'fail': 572, 'pass': 1328})
    >>> print(cm)
    true\pred   fail  pass
    fail          22     7
    pass           6    65
    unlabelled   572  1328
    """

    __slots__ = ("_held", "_places", "_positive", "_whole")

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
        by_pred = orientation == "pred-rows"
        if unlabelled is not None or verdicts is not None:
            judged = verdicts_of_table(counts, labels, verdicts, unlabelled, order, turned=by_pred)
            self._hold(Held(*judged), positive)
            return
        if order is not None:
            raise InvalidArgument("order= is of verdicts; say unlabelled= or verdicts= as well")
        given = None if labels is None else label_texts(labels)
        counts, found, by_pred = framed(counts, given, turned=by_pred)
        given = given if found is None else label_texts(found)
        array = checked_counts(counts, given)
        if found is not None:
            refuse_totals(found, array)
        names = label_texts(range(len(array))) if given is None else given
        self._hold(fitted(Held(Cells.of_table(array.T if by_pred else array), names)), positive)

    def _hold(self, held: Held, positive: object | None) -> None:
        self._held = held
        self._whole: Counted | None = None
        self._places: dict[str, int] | None = None
        self._positive = positive_of(held, positive, self.index)

    @classmethod
    def _of(cls, held: Held, positive: object | None = None) -> ConfusionMatrix:
        made = cls.__new__(cls)
        made._hold(held, positive)
        return made

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    @spelled(Units)
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Sequence[object] | None = None,
        positive: object | None = None,
        missing: Literal["error", "exclude", "estimate"] = "error",
        judge: Any = None,
        order: Sequence[object] | None = None,
        **of: Unpack[Units],
    ) -> ConfusionMatrix:
        r"""Count cases from true answers and predictions, case by case.

        Parameters
        ----------
        y_true, y_pred : array_like, shape (n,)
            Lists, NumPy arrays, pandas or polars series, or anything with ``__array__``. A label is its text:
            strings as they are, integers without a decimal point, booleans ``true`` and ``false``.
        labels : sequence, optional
            All classes, in order. Without it, every class seen in either: numbers by size, texts by alphabet. With
            "estimate" the true ones, without it those seen as truth and verdicts that can be (`true_classes`).
        positive : str, optional
            As in the class.
        missing : "error", "exclude" or "estimate"
            Whether a missing answer is refused, its case is left out, or those without a truth are counted by their
            verdict; this asserts that the labelled ones were chosen at random among those with the same verdict.
        judge : array_like, shape (n,), optional
            With "estimate": what a judge says is true, of every case. ``y_pred`` is then audited.
        order : sequence, optional
            With "estimate": the verdicts from low to high.
        group : array_like, shape (n,), optional
            Patient, document or question that each case belongs to, where several cases come from one.
        id : array_like, shape (n,), optional
            What each case is called. One that comes again is refused, unless ``group`` or ``folds`` are named.
        folds : array_like, shape (n,), optional
            Fold of a cross-validation that tested each case. If ids come R times, counts are divided by R.

        Raises
        ------
        InvalidLabels
            Different lengths, no cases, missing answers or groups, fractional numbers (scores, not classes), an
            answer outside ``labels``, or an id that comes again.
        InvalidCounts
            No truth at all.

        Examples
        --------
        >>> print(ConfusionMatrix.from_predictions(["cat", "dog", "dog"], ["cat", "cat", "dog"]))
        true\pred  cat  dog
        cat          1    0
        dog          1    1
        >>> verdicts = ["pass", "fail", "pass", "unsure", "pass"]
        >>> print(ConfusionMatrix.from_predictions(["pass", "fail", "fail", None, None], verdicts, missing="estimate"))
        true\pred   fail  pass  unsure
        fail           1     1       0
        pass           0     1       0
        unlabelled     0     1       1
        """
        one_of(missing, ("error", "exclude", "estimate"), "missing")
        group, ids, folds = of["group"], of["id"], of["folds"]
        if missing == "estimate":
            if group is not None:
                refuse_both()
            if folds is not None or ids is not None:
                raise InvalidArgument(
                    "id= and folds= are for cases that all have a truth; leave missing='estimate' out"
                )
            judged = judged_cases(y_true, y_pred, judge, labels, order)
            if judged is not None:
                table, truths, verdicts, rest = judged
                known = verdicts_of_table(table, truths, verdicts, rest.tolist(), order, turned=False)
                return cls._of(Held(*known), positive)
        elif judge is not None or order is not None:
            raise InvalidArgument("judge= and order= are for cases without a truth; say missing='estimate' as well")
        seen = tuple[str, ...]()
        if missing == "exclude":
            (y_true, y_pred, group, ids, folds), seen = answered(y_true, y_pred, group, ids, folds)
        true, predicted, names = code_answers(y_true, y_pred, labels)
        if labels is None and len(seen) > len(names):  # a class of which all cases are left out is one still
            true, predicted, names = code_answers(y_true, y_pred, seen)
        groups = None if group is None else counted_groups(group, true, predicted, len(names))
        passes = counted_folds(Column(list(names), true), ids, folds, group)
        cells = Cells.of_cases(true, predicted, len(names)).divided(passes.passes if passes else 1)
        return cls._of(Held(cells, names, groups=groups, folds=passes), positive)

    @classmethod
    def of_passes(cls, matrices: Sequence[ConfusionMatrix], *, passes: int | None = None) -> ConfusionMatrix:
        """Repeated passes of a cross-validation of the same cases: counts divided by the passes, never summed.

        Parameters
        ----------
        matrices : sequence of ConfusionMatrix
            One each pass; one each fold, pass after pass; or a single one of all passes added up.
        passes : int, optional
            As many as matrices if left out.

        Raises
        ------
        InvalidCounts
            Passes that do not test the same numbers of cases of each class.
        InvalidArgument
            Anything else than whole passes of matrices.

        Examples
        --------
        >>> from howsure import ConfusionMatrix
        >>> passes = [ConfusionMatrix(x, ["ill", "well"]) for x in ([[4, 1], [0, 5]], [[3, 2], [0, 5]])]
        >>> both = ConfusionMatrix.of_passes(passes)
        >>> both.n, both.counts.tolist()
        (10, [[3.5, 1.5], [0.0, 5.0]])
        """
        listed = items(matrices, "matrices", "a list of confusion matrices, one each pass")
        odd = [type(each).__name__ for each in listed if not isinstance(each, cls)]
        if odd or not listed:
            given = odd[0] if odd else "nothing"
            raise InvalidArgument(say("not_passes", given))
        many = whole_number(len(listed) if passes is None else passes, "passes")
        if many < 2:
            raise InvalidArgument(f"there are 2 passes or more, not {excerpt(many)}; one pass is added up (a + b)")
        return cls._of(all_passes([each._held for each in listed], many), listed[0].positive)

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
            Integers from 0 to 2**53 - 1.
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
        return cls._of(fitted(Held(Cells.added(true, pred, whole, size), names or label_texts(range(size)))), positive)

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
        """Rebuild from `to_dict`: ``counts`` as a table, or ``cells`` as rows, columns and counts."""
        found = arguments_of(data)
        made = cls.from_cells(**found) if "y_true_codes" in found else cls(**found)
        return cls._of(with_units(made._held, data), made._positive)

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def counts(self) -> Counted:
        """Counts, shape (K, K), read-only; rows are truth. Raises `InvalidArgument` above 10**8 cells.

        Integers; of several passes of a cross-validation tests divided by the passes.
        """
        if self._whole is None:
            self._whole = self._held.cells.table()
            self._whole.setflags(write=False)
        return self._whole.view()  # of a read-only base: nobody can make it writable

    @property
    def cells(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Counted]:
        """Row, column and count of every cell that is not empty, by rows; three read-only arrays."""
        return self._held.cells.true.view(), self._held.cells.pred.view(), self._held.cells.count.view()

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names in the order of rows and columns."""
        return self._held.labels

    @property
    def positive(self) -> str | None:
        """The positive one of two classes; None where neither was chosen nor is known by its name, and above two."""
        return self._positive

    def with_positive(self, label: object) -> ConfusionMatrix:
        """The same counts with a positive class, one of two."""
        return self._of(self._held, label)

    def about_groups(self, question: Question) -> ConfusionMatrix:
        """The same counts, about "these" groups again or "new" ones; raises `InvalidArgument` where there are none."""
        groups = asked(self.groups, question, judged=self.verdicts is not None)
        return self._of(self._held._replace(groups=groups), self._positive)

    @property
    def entered(self) -> bool:
        """Whether the counts came as a whole table, typed or read, and were not counted from cases."""
        return self._held.cells.entered

    @property
    def verdicts(self) -> Verdicts | None:
        """Cases by verdict, where the truth is known of some only; None where it is known of all."""
        return self._held.verdicts

    @property
    def groups(self) -> Groups | None:
        """Counts by group, where the cases come in groups; None where each is one of its own."""
        return self._held.groups

    @property
    def folds(self) -> Folds | None:
        """Classifiers and passes of a cross-validation that the counts are of; None where none are known."""
        return self._held.folds

    @property
    def unlabelled(self) -> dict[str, int]:
        """Cases whose truth is not known, by verdict; empty where it is known of all."""
        rest = self._held.verdicts
        return {} if rest is None else dict(zip(rest.names, rest.unlabelled.tolist(), strict=True))

    @property
    def n(self) -> int:
        """Number of cases, those whose truth is known."""
        return self._held.n

    @property
    def class_sizes(self) -> NDArray[np.int64]:
        """Cases of each true class, shape (K,)."""
        return self._held.cells.row_sums

    @property
    def called(self) -> Counted:
        """Cases called each class, right or wrong, shape (K,)."""
        return self._held.cells.column_sums

    @property
    def correct(self) -> Counted:
        """Cases of each true class that were recognised, shape (K,)."""
        return self._held.cells.diagonal

    def index(self, label: object) -> int:
        """Row of a class, by its name or by a value that has this name; raises `UnknownLabel` with the nearest one."""
        name = label_text(label) or ""
        if self._places is None:
            self._places = {label: i for i, label in enumerate(self._held.labels)}
        if name not in self._places:
            raise UnknownLabel(name, self._held.labels)
        return self._places[name]

    # -- other views of the same cases ----------------------------------------------------------------------

    def transpose(self) -> ConfusionMatrix:
        """Exchange truth and prediction: the repair for a matrix that was read the wrong way round."""
        return self._of(turned(self._held), self._positive)

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
        return self._of(merged(self._held, groups, self.index))

    def one_vs_rest(self, label: str) -> ConfusionMatrix:
        """Two classes: ``label`` (positive) and everything else, called "not ..."."""
        return self._of(one_and_rest(self._held, self.index(label)), self._held.labels[self.index(label)])

    def subset(self, labels: Sequence[str]) -> ConfusionMatrix:
        """Only the cases whose truth and prediction are both among ``labels``, in that order."""
        return self._of(subset(self._held, labels, self.index))

    def normalised(self, by: Literal["true", "pred", "all"] = "true") -> NDArray[np.float64]:
        """Shares instead of counts: of each row, of each column, or of all; NaN where there are no cases."""
        return shares(self.counts, self._held.verdicts, by)

    def __add__(self, other: object) -> ConfusionMatrix:
        """Cases of both: folds of one pass, or batches of a stream. Classes, and verdicts, are matched by name."""
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return self._of(added(self._held, other._held), self._positive)

    # -- as a value -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return self._positive == other._positive and self._held.same(other._held)

    def __hash__(self) -> int:
        return hash((self._held.labels, self._positive, self._held.cells.key()))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: ``counts`` as a square, or with many classes ``cells`` if that is shorter."""
        return plain_data(self._held, self._positive)

    def __reduce__(self) -> tuple[Any, ...]:
        return (ConfusionMatrix._of, (self._held, self._positive))

    def __repr__(self) -> str:
        return shown(self._held, self._positive)

    def __str__(self) -> str:
        return as_text(self._held, self._positive)

    def _repr_html_(self) -> str:
        return as_html(self._held, self._positive)


def need_truths(confusion: ConfusionMatrix, what: str) -> None:
    """Refuse a matrix in which truths are missing, where these would be left out in silence."""
    verdicts = confusion.verdicts
    if verdicts is not None:
        raise InvalidArgument(say("need_truths", what, integer(int(verdicts.unlabelled.sum())), integer(verdicts.n)))


class Confused(NamedTuple):
    """Cases of one class that were called another, by row and column."""

    true: int
    called: int
    cases: int


def commonest(confusion: ConfusionMatrix, most: int) -> list[Confused]:
    """The most frequent errors, the most frequent one first.

    Examples
    --------
    >>> commonest(ConfusionMatrix([[9, 1, 0], [3, 7, 0], [0, 0, 10]]), 10)
    [Confused(true=1, called=0, cases=3), Confused(true=0, called=1, cases=1)]
    """
    true, called, count = confusion.cells
    wrong = np.flatnonzero((true != called) & (count > 0))
    first = wrong[np.argsort(-count[wrong], kind="stable")[:most]]
    return [Confused(int(i), int(j), int(n)) for i, j, n in zip(true[first], called[first], count[first], strict=True)]


# -- counts by group, or of several passes, that were counted elsewhere --


def in_groups(confusion: ConfusionMatrix, cells: Sequence[tuple[str, str, str, int]]) -> ConfusionMatrix:
    """The same matrix, whose cases come in groups.

    Examples
    --------
    >>> cm = ConfusionMatrix([[5, 1], [0, 4]], ["ill", "well"])
    >>> made = in_groups(cm, [("p1", "ill", "ill", 5), ("p2", "ill", "well", 1), ("p2", "well", "well", 4)])
    >>> made.groups.names, made.groups.cases.tolist(), made.counts.tolist()
    (('p1', 'p2'), [5, 5], [[5, 1], [0, 4]])
    """
    place = {label: i for i, label in enumerate(confusion.labels)}
    groups, true, pred, count = zip(*cells, strict=True)
    rows, columns = (np.array([place[label] for label in labels], dtype=np.int64) for labels in (true, pred))
    return of_groups(confusion, counted_groups(list(groups), rows, columns, len(place), count))


def of_groups(confusion: ConfusionMatrix, groups: Groups) -> ConfusionMatrix:
    """The same matrix with its cases by group."""
    return ConfusionMatrix._of(confusion._held._replace(groups=groups), confusion.positive)


def in_folds(confusion: ConfusionMatrix, folds: Folds) -> ConfusionMatrix:
    """The same matrix of the tests of all passes, divided by these.

    Examples
    --------
    >>> in_folds(ConfusionMatrix([[7, 3], [0, 10]], ["ill", "well"]), Folds(10, 2)).counts.tolist()
    [[3.5, 1.5], [0.0, 5.0]]
    """
    odd = np.flatnonzero(confusion.class_sizes % folds.passes)
    if len(odd):
        name, tests = excerpt(confusion.labels[odd[0]]), int(confusion.class_sizes[odd[0]])
        raise InvalidCounts(say("uneven_tests", name, tests, folds.passes))
    held = confusion._held
    divided = held._replace(cells=held.cells.divided(folds.passes), folds=folds)
    return ConfusionMatrix._of(divided, confusion.positive)
