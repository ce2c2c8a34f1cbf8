"""The data: labelled counts of what was true and what was predicted.

Rows are truth, columns are prediction, always. A matrix that was printed the other way is turned once, on
the way in, by ``orientation="pred-rows"``, and stays turned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from howsure.counts import LARGEST_COUNT, checked_counts, frame_labels
from howsure.errors import InvalidArgument, InvalidLabels, UnknownLabel, excerpt, listing
from howsure.labels import code_answers, label_texts

__all__ = ["LARGEST_COUNT", "ConfusionMatrix", "Orientation"]

Orientation = Literal["true-rows", "pred-rows"]


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
        For K = 2, the class that sensitivity, precision and the like are about; the last label if left out.
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

    __slots__ = ("_counts", "_labels", "_positive")

    def __init__(
        self,
        counts: Any,
        labels: Sequence[object] | None = None,
        *,
        positive: object | None = None,
        orientation: Orientation = "true-rows",
    ) -> None:
        if orientation not in ("true-rows", "pred-rows"):
            raise InvalidArgument(f"orientation is 'true-rows' or 'pred-rows', not {excerpt(orientation)}")
        if labels is None:
            labels = frame_labels(counts)
        array = checked_counts(counts, None if labels is None else [str(x) for x in labels])
        size = len(array)
        names = label_texts(range(size) if labels is None else labels)
        if len(names) != size:
            raise InvalidLabels(f"{size} classes need {size} labels, not {len(names)}: {listing(names)}")
        self._counts: NDArray[np.int64] = array.T.copy() if orientation == "pred-rows" else array
        self._counts.setflags(write=False)
        self._labels: tuple[str, ...] = names
        if positive is None:
            self._positive = names[-1] if size == 2 else None
        else:
            if size != 2:
                raise InvalidArgument(
                    f"positive= is for two classes; this matrix has {size}. Use one_vs_rest({excerpt(positive)})."
                )
            self._positive = names[self.index(str(positive))]

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def from_predictions(
        cls, y_true: Any, y_pred: Any, *, labels: Sequence[object] | None = None, positive: object | None = None
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

        Raises
        ------
        InvalidLabels
            Different lengths, no cases, missing answers, fractional numbers (scores, not classes), or an
            answer outside ``labels``.

        Examples
        --------
        >>> print(ConfusionMatrix.from_predictions(["cat", "dog", "dog"], ["cat", "cat", "dog"]))
        true\pred  cat  dog
        cat          1    0
        dog          1    1
        """
        true, predicted, names = code_answers(y_true, y_pred, labels)
        size = len(names)
        flat = np.bincount(true * size + predicted, minlength=size * size)
        return cls(flat.reshape(size, size), names, positive=positive)

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
        """Rebuild from `to_dict`."""
        return cls(
            data["counts"],
            data["classes"],
            positive=data.get("positive"),
            orientation=data.get("orientation", "true-rows"),
        )

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def counts(self) -> NDArray[np.int64]:
        """Counts, shape (K, K), read-only; rows are truth."""
        return self._counts

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names in the order of rows and columns."""
        return self._labels

    @property
    def positive(self) -> str | None:
        """The positive class of a two-class matrix; None above two classes."""
        return self._positive

    @property
    def n(self) -> int:
        """Number of cases."""
        return int(self._counts.sum())

    @property
    def class_sizes(self) -> NDArray[np.int64]:
        """Cases of each true class, shape (K,)."""
        return np.asarray(self._counts.sum(axis=1))

    @property
    def correct(self) -> NDArray[np.int64]:
        """Cases of each true class that were recognised, shape (K,)."""
        return self._counts.diagonal().copy()

    def index(self, label: str) -> int:
        """Row of a class; raises `UnknownLabel` with the nearest name."""
        try:
            return self._labels.index(label)
        except ValueError:
            raise UnknownLabel(label, self._labels) from None

    # -- other views of the same cases ----------------------------------------------------------------------

    def transpose(self) -> ConfusionMatrix:
        """Exchange truth and prediction: the repair for a matrix that was read the wrong way round."""
        return ConfusionMatrix(self._counts.T, self._labels, positive=self._positive)

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
        target = {label: label for label in self._labels}
        taken: set[str] = set()
        for new, members in groups.items():
            for member in (members,) if isinstance(members, str) else members:
                self.index(member)
                if member in taken:
                    raise InvalidLabels(f"class {excerpt(member)} is in two groups; each class joins one")
                taken.add(member)
                target[member] = new
        names = tuple(dict.fromkeys(target[label] for label in self._labels))
        gather = np.zeros((len(names), len(self._labels)), dtype=np.int64)
        for column, label in enumerate(self._labels):
            gather[names.index(target[label]), column] = 1
        return ConfusionMatrix(gather @ self._counts @ gather.T, names)

    def one_vs_rest(self, label: str) -> ConfusionMatrix:
        """Two classes: ``label`` (positive) and everything else, called "not ..."."""
        i = self.index(label)
        hit, size, called = self._counts[i, i], self._counts[i].sum(), self._counts[:, i].sum()
        cells = [[self.n - size - called + hit, called - hit], [size - hit, hit]]
        return ConfusionMatrix(cells, [f"not {label}", label], positive=label)

    def subset(self, labels: Sequence[str]) -> ConfusionMatrix:
        """Only the cases whose truth and prediction are both among ``labels``, in that order."""
        keep = [self.index(label) for label in labels]
        return ConfusionMatrix(self._counts[np.ix_(keep, keep)], labels)

    def normalised(self, by: Literal["true", "pred", "all"] = "true") -> NDArray[np.float64]:
        """Shares instead of counts: of each row, of each column, or of all; NaN where there are no cases."""
        if by not in ("true", "pred", "all"):
            raise InvalidArgument(f"normalised(by=) is 'true', 'pred' or 'all', not {excerpt(by)}")
        total = self._counts.sum(axis={"true": 1, "pred": 0, "all": None}[by], keepdims=True)
        with np.errstate(invalid="ignore"):
            return np.asarray(self._counts / total)

    def __add__(self, other: object) -> ConfusionMatrix:
        """Cases of both: folds of one pass, or batches of a stream. Classes are matched by name."""
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        if set(self._labels) != set(other._labels):
            odd = sorted(set(self._labels) ^ set(other._labels))
            raise InvalidLabels(f"matrices with different classes cannot be added; only one of them has {listing(odd)}")
        order = [other.index(label) for label in self._labels]
        return ConfusionMatrix(
            self._counts + other._counts[np.ix_(order, order)], self._labels, positive=self._positive
        )

    # -- as a value -----------------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        same = self._labels == other._labels and self._positive == other._positive
        return same and bool(np.array_equal(self._counts, other._counts))

    def __hash__(self) -> int:
        return hash((self._labels, self._positive, self._counts.tobytes()))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "classes": list(self._labels),
            "orientation": "true-rows",
            "positive": self._positive,
            "counts": self._counts.tolist(),
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return (ConfusionMatrix.from_dict, (self.to_dict(),))

    def __repr__(self) -> str:
        extra = "" if self._positive in (None, self._labels[-1]) else f", positive={self._positive!r}"
        if len(self._labels) > 8:
            return f"<ConfusionMatrix of {len(self._labels)} classes, {self.n} cases, rows are truth>"
        return f"ConfusionMatrix({self._counts.tolist()}, labels={list(self._labels)}{extra})"

    def __str__(self) -> str:
        if len(self._labels) > 20:
            return repr(self)
        table = [["true\\pred", *self._labels]]
        table += [[label, *map(str, row)] for label, row in zip(self._labels, self._counts.tolist(), strict=True)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = [
            [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)] for row in table
        ]
        return "\n".join("  ".join(line).rstrip() for line in lines)

    def _repr_html_(self) -> str:
        if len(self._labels) > 20:
            return f"<p>{escape(repr(self))}</p>"
        head = "".join(f'<th scope="col">{escape(label)}</th>' for label in self._labels)
        body = "".join(
            f'<tr><th scope="row">{escape(label)}</th>' + "".join(f"<td>{count}</td>" for count in row) + "</tr>"
            for label, row in zip(self._labels, self._counts.tolist(), strict=True)
        )
        caption = "Confusion matrix: rows are the true class, columns the predicted class"
        return (
            f"<table><caption>{caption}</caption><thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
        )
