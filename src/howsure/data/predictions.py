"""The richer data behind confusion matrices: the same cases, answered by several classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from howsure.data.case_columns import (
    POLICIES,
    Labelling,
    Missing,
    column,
    joined,
    names_of,
    places,
    refuse_doubles,
    settled,
    wide_columns,
)
from howsure.data.confusion import ConfusionMatrix, of_groups
from howsure.data.groups import group_places, groups_of_places
from howsure.data.labels import Column, all_classes, distinct_answers, label_texts, refuse_other_order
from howsure.data.refusals import say
from howsure.data.words import bare_name
from howsure.errors import InvalidArgument, InvalidLabels, UnknownClassifier, excerpt, listing
from howsure.errors.arguments import column_name, items, one_of, sentences
from howsure.frozen import Frozen
from howsure.numerics.arrays import bincount
from howsure.params import spelled
from howsure.text import formats
from howsure.text.svg import grid
from howsure.text.text_table import MOST_DRAWN

Codes = NDArray[np.int32]


class Patterns(NamedTuple):
    """Distinct cases and how often each occurs.

    ``truth`` has shape (P,), ``answers`` shape (P, T) in the order of the classifiers asked for; both number the
    labels. ``counts``, shape (P,), adds up to the number of cases.
    """

    truth: Codes
    answers: Codes
    counts: NDArray[np.int64]


class Predictions(Frozen):
    r"""True answers of n cases and what T classifiers answered to each; immutable.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True classes; a label is its text, as in `ConfusionMatrix.from_predictions`.
    y_pred : mapping of str to array_like, shape (n,)
        Answers of each classifier under its name, in the order of the cases.
    id, group : array_like, shape (n,), optional
        What each case is called (no two alike), and the patient, document or question it belongs to: `compare` and
        `gate` are then about new groups from 8 groups on.
    labels : sequence, optional
        All classes, in order; without it every class seen: numbers by size, texts by alphabet.
    positive : str, optional
        For two classes, the one that sensitivity and the like are about; as in `ConfusionMatrix`.
    missing : "error", "wrong", "class" or "exclude"
        What becomes of cases without an answer (None, NaN, blank): refused; counted as errors, spread evenly over
        the wrong classes; given a class of their own, "no answer"; or left out for all classifiers alike. A case
        without a true class can only be left out.

    Attributes
    ----------
    labels : tuple of str
        Class names, in order.
    names : tuple of str
        The classifiers.
    notes : tuple of str
        What was set aside or filled in, in sentences.

    Raises
    ------
    InvalidLabels
        Different lengths, no cases, missing answers, scores, an answer outside ``labels``, an id that comes twice.

    Examples
    --------
    >>> both = Predictions(["cat", "dog", "dog"], {"old": ["cat", "cat", "dog"], "new": ["cat", "dog", "dog"]})
    >>> both
    <Predictions: 3 cases, 2 classes, classifiers old, new>
    >>> print(both.confusion("old"))
    true\pred  cat  dog
    cat          1    0
    dog          1    1
    """

    _attributes = ("names", "labels", "notes")

    @spelled(Labelling)
    def __init__(
        self,
        y_true: Any,
        y_pred: Mapping[str, Any],
        *,
        id: Any = None,  # noqa: A002  # the word that files and frames have for it
        group: Any = None,
        **how: Unpack[Labelling],
    ) -> None:
        one_of(missing := how["missing"], POLICIES, "missing")
        self.names = names_of(y_pred)
        columns = [distinct_answers(y_true, "y_true")]
        for n, answers in y_pred.items():
            refuse_other_order(y_true, answers, f"y_pred of {excerpt(n)}")
            columns.append(distinct_answers(answers, f"y_pred of {excerpt(n)}"))
        cases = len(columns[0][1])
        for name, (_, codes) in zip(self.names, columns[1:], strict=True):
            if len(codes) != cases:
                problem = f"y_true has {cases} answers and classifier {excerpt(name)} has {len(codes)}"
                raise InvalidLabels(f"{problem}; each case needs one of each")
        self._id, self._group = column(id, "id", cases), column(group, "group", cases)
        if self._id is not None:
            refuse_doubles(self._id)
        titles = ["y_true", *(f"classifier {excerpt(name)}" for name in self.names)]
        names = all_classes(titles, [texts for texts, _ in columns], how["labels"])
        coded = [column.among(names).astype(np.int32) for column in columns]
        found = settled(coded[0], np.stack(coded[1:]), names, self.names, missing, self._id)
        self._truth, self._answers, self.labels = found.truth, found.answers, found.labels
        if found.kept is not None:
            self._id, self._group = (None if x is None else x[found.kept] for x in (self._id, self._group))
        self.notes = (*sentences(how["notes"]), *found.notes)
        for array in (self._truth, self._answers, self._id, self._group):
            if array is not None:
                array.setflags(write=False)
        self._positive = how["positive"]
        self._clusters = None if self._group is None else group_places(self._group, len(self._truth))
        self.confusion(self.names[0])  # says what is wrong with the labels or the positive class

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def from_codes(
        cls,
        truth: NDArray[np.signedinteger[Any]],
        answers: Mapping[str, NDArray[np.signedinteger[Any]]],
        labels: Sequence[str],
        *,
        group: NDArray[Any] | None = None,
        positive: object | None = None,
        missing: Missing = "error",
        notes: Sequence[str] = (),
    ) -> Predictions:
        """Places among the labels instead of labels, -1 where missing; for cases that were counted.

        Raises
        ------
        InvalidLabels
            Places that are no integers or beyond the labels, different lengths.

        Examples
        --------
        >>> Predictions.from_codes(np.array([0, 1]), {"A": np.array([0, 0])}, ["cat", "dog"]).n
        2
        """
        names, known = names_of(answers), label_texts(labels)
        true, *columns = (
            Column([*known], places(codes, what, len(known)).astype(np.int64))
            for what, codes in (("truth", truth), *((f"answers of {excerpt(name)}", answers[name]) for name in names))
        )
        named = dict(zip(names, columns, strict=True))
        return cls(true, named, group=group, labels=known, positive=positive, missing=missing, notes=notes)

    @classmethod
    @spelled(Labelling)
    def from_wide(
        cls,
        frame: Any,
        *,
        y_true: str | None = None,
        y_pred: str | Sequence[str] | None = None,
        id: str | None = None,  # noqa: A002
        group: str | None = None,
        **how: Unpack[Labelling],
    ) -> Predictions:
        """One row a case: a column of true classes and a column for each classifier.

        Parameters
        ----------
        frame : mapping of str to array_like, or a data frame
            Anything with ``keys()`` or ``columns`` and columns by name.
        y_true, id, group : str, optional
            Names of the columns; the truth by the words of files ("y_true", "label", ...) if left out.
        y_pred : str or sequence of str, optional
            The columns of classifiers. If left out those called ``pred_NAME``, else all others whose answers are mostly
            classes of the truth; ids, weights, scores and the like never are.
        labels, positive, missing, notes
            As in the class.

        Raises
        ------
        InvalidArgument
            A column that is not there, none that is an answer, or rows that are no single cases.

        Examples
        --------
        >>> Predictions.from_wide({"id": [7, 8, 9], "y_true": [0, 1, 1], "old": [0, 0, 1], "new": [0, 1, 1]}).names
        ('old', 'new')
        """
        if not hasattr(frame, "columns") and not isinstance(frame, Mapping):
            raise InvalidArgument(say("no_wide_columns", frame))
        columns = list(frame.columns if hasattr(frame, "columns") else frame.keys())
        used = [] if y_true is None else [column_name(y_true, "y_true")]
        used += [column_name(name, part) for part, name in (("id", id), ("group", group)) if name is not None]
        listed = [] if y_pred is None else [y_pred] if isinstance(y_pred, str) else y_pred
        chosen = [column_name(name, "y_pred") for name in items(listed, "y_pred", "a list of columns")]
        absent = [c for c in (*used, *chosen) if c not in columns]
        if absent:
            raise InvalidArgument(f"no column {listing(map(excerpt, absent))}; there are {listing(map(str, columns))}")
        named = {bare_name(name): name for name in chosen}
        if y_true is None or not named:
            y_true, found = wide_columns(frame, y_true, [name for name in used if name != y_true] + chosen)
            named = named or found
        answers = {name: frame[column] for name, column in named.items()}
        ids, groups = (None if name is None else frame[name] for name in (id, group))
        return cls(frame[y_true], answers, id=ids, group=groups, **how)

    @classmethod
    @spelled(Labelling)
    def from_long(
        cls,
        id: Any,  # noqa: A002
        model: Any,
        y_true: Any,
        y_pred: Any,
        *,
        group: Any = None,
        **how: Unpack[Labelling],
    ) -> Predictions:
        """One row a case and classifier, joined by the id of the case.

        Cases that not all classifiers answered are left out and said in ``notes``.

        Parameters
        ----------
        id, model, y_true, y_pred, group : array_like, shape (rows,)
            The true class may be missing where another row of the same case has it.
        labels, positive, missing, notes
            As in the class.

        Raises
        ------
        InvalidLabels
            An id twice for one classifier, two true classes for one id, no id that all classifiers have.

        Examples
        --------
        >>> rows = [(1, "a", "x", "x"), (2, "a", "y", "x"), (2, "b", "y", "y"), (1, "b", "x", "x"), (3, "b", "y", "y")]
        >>> both = Predictions.from_long(*zip(*rows))
        >>> both.n, both.notes
        (2, ('Cases do not match: 2 of 3 ids are answered by all classifiers; the other 1 are left out (first: 3).',))
        """
        cases, unshared = joined(id, model, y_true, y_pred, group)
        how["notes"] = (*sentences(how["notes"]), *filter(None, [unshared]))
        return cls(**cases, **how)

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self._truth)

    @property
    def truth(self) -> Codes:
        """True class of each case as its place among the labels, shape (n,), read-only."""
        return self._truth.view()

    @property
    def id(self) -> NDArray[Any] | None:
        """What each case is called, if that was given."""
        return self._id

    @property
    def group(self) -> NDArray[Any] | None:
        """The cluster of each case, if that was given."""
        return self._group

    def answers(self, name: str) -> Codes:
        """Answers of one classifier as places among the labels, shape (n,), read-only."""
        return np.asarray(self._answers[self.index(name)].view())

    def index(self, name: str) -> int:
        """Place of a classifier by its name; raises `UnknownClassifier` with the nearest one."""
        if not isinstance(name, str) or name not in self.names:
            raise UnknownClassifier(name, self.names)
        return self.names.index(name)

    def confusion(self, name: str) -> ConfusionMatrix:
        """Confusion matrix of one classifier, with its groups where cases come in groups."""
        size = len(self.labels)
        flat = bincount(self._truth * np.int64(size) + self.answers(name), minlength=size * size)
        place = np.flatnonzero(flat)
        cells = place // size, place % size, flat[place]
        made = ConfusionMatrix.from_cells(*cells, labels=self.labels, positive=self._positive)
        if self._clusters is None:
            return made
        return of_groups(made, groups_of_places(*self._clusters, self._truth, self.answers(name), size))

    def patterns(self, *names: str) -> Patterns:
        """Distinct combinations of the true class and the answers of some classifiers (all by default).

        Examples
        --------
        >>> both = Predictions([0, 0, 1, 1], {"a": [0, 0, 1, 0], "b": [0, 0, 1, 1]})
        >>> [x.tolist() for x in both.patterns("a", "b")]
        [[0, 1, 1], [[0, 0], [0, 1], [1, 1]], [2, 1, 1]]
        """
        chosen = [self.index(name) for name in names or self.names]
        size = len(self.labels)
        key, values = self._truth.astype(np.int64), size
        for row in chosen:
            if values > 2**62 // size:  # more combinations than a number can hold: number those that occur
                key, values = np.unique(key, return_inverse=True)[1], self.n
            key, values = key * size + self._answers[row], values * size
        _, first, counts = np.unique(key, return_index=True, return_counts=True)
        return Patterns(self._truth[first], self._answers[chosen][:, first].T.copy(), counts)

    @property
    def agreement(self) -> NDArray[np.float64]:
        """Share of the cases to which two classifiers give the same answer, shape (T, T), in the order of names."""
        return np.array([[float((a == b).mean()) for b in self._answers] for a in self._answers])

    def _repr_html_(self) -> str:
        head = f"<p>{escape(repr(self)[1:-1])}</p>"
        return head if len(self.names) > MOST_DRAWN else head + self._picture()

    def _picture(self) -> str:
        """Share of right answers of each classifier, and how often two give the same answer, as SVG."""
        right = [(answers == self._truth).mean() for answers in self._answers]
        shares = np.column_stack([right, self.agreement])
        names = [formats.plain(name, 22) for name in self.names]
        return grid(
            shares.tolist(),
            [[f"{100 * share:.0f}" for share in row] for row in shares.tolist()],
            names,
            ["right", *names],
            down="classifier",
            across="right, or the same answer as",
            diagonal=False,
            title="Per cent of the cases that each classifier has right, and that two answer alike",
        )

    def __repr__(self) -> str:
        cases = formats.several(self.n, "case")
        return f"<Predictions: {cases}, {len(self.labels)} classes, classifiers {listing(self.names, limit=8)}>"
