"""Scores of cases: what was true, and how much each case looked like each class before anyone drew a line.

A score is higher for cases that are more like the positive class. Nothing is turned round where it is not: an area
below one half stays below one half.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import group_places
from howsure.data.labels import label_text, refuse_other_order
from howsure.data.score_columns import checked_scores, coded_truth, known_labels, score_floats
from howsure.errors import InvalidArgument, UnknownLabel, excerpt, listing
from howsure.errors.arguments import number
from howsure.frozen import Frozen
from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.text.formats import several

__all__ = ["Scores", "one_score"]

#: What a classifier is called that nobody named.
UNNAMED = "score"


class Scores(Frozen):
    """True classes and scores of the same cases, of one classifier or of several; immutable.

    Parameters
    ----------
    y_true : array_like, shape (n,)
        True classes; a label is its text, as in `ConfusionMatrix.from_predictions`.
    y_score : array_like, shape (n,) or (n, K), or a mapping of classifier to such an array
        Two classes: one number a case, higher where it looks more like the positive class (a probability, a margin, a
        laboratory value). K classes: the probability of each, columns in the order of ``labels``; so also for two
        classes, as ``predict_proba`` gives them.
    positive : str, optional
        Of two classes, the one that high scores stand for; if left out, the one whose name everyone knows as positive
        (1 of 0 and 1, "ill" of "healthy" and "ill"). Where no name says it, it is asked for.
    labels : sequence, optional
        All K classes in the order of the columns; those seen, in their natural order, if left out.
    groups : array_like, shape (n,), optional
        Patient, document or question that each case belongs to, where several cases come from one.

    Attributes
    ----------
    labels : tuple of str
        The K classes; of two the negative one and the positive one.
    truth : ndarray of int, shape (n,)
        True class of each case, as its place among ``labels``; of two 1 for positive cases.
    scores : ndarray, shape (n,) or (n, K)
        Of the first classifier.
    names : tuple of str
        The classifiers.
    group_names, group : tuple of str, ndarray of int of shape (n,) or None
        The groups, and the place of each case's group among them.

    Raises
    ------
    InvalidLabels
        A true class that is missing, one class only, classes that do not fit the columns, no positive class that a
        name tells, or not one group a case.
    InvalidArgument
        Scores that are text, missing or infinite, not one a case, or probabilities that are negative or do not add
        to 1.

    Examples
    --------
    >>> made = Scores(["ill", "well", "ill", "well"], [0.9, 0.2, 0.6, 0.7])
    >>> made
    <Scores: 4 cases, 2 'ill' and 2 'well', score>
    >>> made.confusion_at(0.65).counts.tolist()
    [[1, 1], [1, 1]]
    """

    def __init__(
        self,
        y_true: Any,
        y_score: Any,
        *,
        positive: object | None = None,
        labels: Sequence[object] | None = None,
        groups: Any = None,
    ) -> None:
        given: dict[str, tuple[str, Floats, Sequence[object]]] = {}
        for title, values in y_score.items() if isinstance(y_score, Mapping) else [(UNNAMED, y_score)]:
            name = label_text(title)
            if name is None or name in given:
                raise InvalidArgument(f"each classifier needs a name of its own, not {excerpt(title)}")
            what = f"y_score of {excerpt(name)}" if isinstance(y_score, Mapping) else "y_score"
            refuse_other_order(y_true, values, what)
            given[name] = what, score_floats(values, what), getattr(values, "columns", ())
        if not given:
            raise InvalidArgument("y_score is one array of scores, or a mapping of classifiers to theirs; it is empty")
        texts, codes, sorted_alike = coded_truth(y_true)
        single = next(iter(given.values()))[1].ndim < 2
        self._labels, place = known_labels(texts, labels, positive, single=single, sorted_alike=sorted_alike)
        self._truth: Integers = place[codes]
        self._scores: dict[str, Floats] = {}
        for name, (what, values, columns) in given.items():
            self._scores[name] = checked_scores(
                values, self._labels, what, cases=len(codes), columns=columns, asked=labels
            )
        self._group_names: tuple[str, ...] = ()
        self._group: Integers | None = None
        if groups is not None:
            self._group_names, self._group = group_places(groups, len(codes))
        for array in (self._truth, self._group, *self._scores.values()):
            if array is not None:
                array.setflags(write=False)

    @property
    def labels(self) -> tuple[str, ...]:
        """The K classes; of two the negative one and the positive one."""
        return self._labels

    @property
    def positive(self) -> str | None:
        """The positive one of two classes; None of more."""
        return self._labels[1] if len(self._labels) == 2 else None

    @property
    def truth(self) -> Integers:
        """True class of each case as its place among the labels, shape (n,), read-only."""
        return self._truth

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return tuple(self._scores)

    @property
    def scores(self) -> Floats:
        """Scores of the first classifier, shape (n,), or (n, K) of more than two classes; read-only."""
        return next(iter(self._scores.values()))

    @property
    def group_names(self) -> tuple[str, ...]:
        """Names of the groups; none where cases are separate."""
        return self._group_names

    @property
    def group(self) -> Integers | None:
        """Place of each case's group among their names, shape (n,); None where cases are separate."""
        return self._group

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self._truth)

    @property
    def class_sizes(self) -> Integers:
        """Cases of each true class, shape (K,)."""
        return bincount(self._truth, minlength=len(self._labels)).astype(np.int64)

    def of(self, name: str) -> Scores:
        """The same cases with the scores of one classifier.

        Raises
        ------
        InvalidArgument
            No such classifier.
        """
        if not isinstance(name, str) or name not in self._scores:
            raise InvalidArgument(
                f"no classifier is called {excerpt(name)}; there are {listing(map(excerpt, self.names))}"
            )
        return self._with(self._labels, self._truth, {name: self._scores[name]})

    def one_vs_rest(self, label: object) -> Scores:
        """Two classes of more: ``label``, which is positive and has its own column, and "not ..." of all others.

        Raises
        ------
        UnknownLabel
            With the nearest name.
        """
        name = label_text(label) or ""
        if name not in self._labels:
            raise UnknownLabel(name, self._labels)
        i = self._labels.index(name)
        if len(self._labels) == 2:
            if i == 1:
                return self
            raise InvalidArgument(f"the scores are those of {excerpt(self._labels[1])}; they are never turned round")
        truth = (self._truth == i).astype(np.int64)
        columns = {each: np.ascontiguousarray(values[:, i]) for each, values in self._scores.items()}
        return self._with((f"not {name}", name), truth, columns)

    def confusion_at(self, threshold: float) -> ConfusionMatrix:
        """Confusion matrix of calling every case positive whose score is the threshold or more.

        Raises
        ------
        InvalidArgument
            Several classifiers, more than two classes, or a threshold that is no number.
        """
        scores = one_score(self, "confusion_at()")
        at = number(threshold)
        if np.isnan(at):
            raise InvalidArgument(f"a threshold is a number on the scale of the scores, not {excerpt(threshold)}")
        called = (scores.scores >= at).astype(np.int64)
        if self._group is not None:
            names = np.array(self._labels)
            return ConfusionMatrix.from_predictions(
                names[self._truth], names[called], labels=self._labels, positive=self._labels[1],
                group=np.array(self._group_names)[self._group],
            )  # fmt: skip
        counts = bincount(2 * self._truth + called, minlength=4).reshape(2, 2)
        return ConfusionMatrix(counts, labels=self._labels, positive=self._labels[1])

    def _with(self, labels: tuple[str, ...], truth: Integers, scores: dict[str, Floats]) -> Scores:
        made = Scores.__new__(Scores)
        made._labels, made._truth, made._scores = labels, truth, scores
        made._group_names, made._group = self._group_names, self._group
        for array in (truth, *scores.values()):
            array.setflags(write=False)
        return made

    # -- as a value -----------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "labels": list(self._labels),
            "truth": self._truth.tolist(),
            "scores": {name: values.tolist() for name, values in self._scores.items()},
            "groups": None if self._group is None else [self._group_names[i] for i in self._group.tolist()],
        }

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Scores) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        group = None if self._group is None else self._group.tobytes()
        scores = tuple((name, values.tobytes()) for name, values in self._scores.items())
        return (self._labels, self._truth.tobytes(), scores, self._group_names, group)

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"

    def __repr__(self) -> str:
        sizes = self.class_sizes.tolist()
        shown = [f"{sizes[i]} {excerpt(self._labels[i])}" for i in reversed(range(len(sizes)))]
        classes = f"{shown[0]} and {shown[1]}" if len(sizes) == 2 else several(len(sizes), "class")
        groups = f", {several(len(self._group_names), 'group')}" if self._group is not None else ""
        return f"<Scores: {several(self.n, 'case')}, {classes}{groups}, {listing(self.names)}>"


def one_score(scores: Any, asked: str) -> Scores:
    """Scores of one classifier for two classes, or the sentence that says how to get there.

    Parameters
    ----------
    scores : Scores
    asked : str
        What was called, in words.

    Raises
    ------
    InvalidArgument
        Something else, several classifiers, or more than two classes.
    """
    if not isinstance(scores, Scores):
        raise InvalidArgument(
            f"{asked} takes Scores, not {type(scores).__name__}; make them with howsure.Scores(y_true, y_score)"
        )
    if len(scores.names) > 1:
        raise InvalidArgument(
            f"{asked} is about one classifier, and these are the scores of {listing(map(excerpt, scores.names))}; "
            f"say scores.of({excerpt(scores.names[0])})"
        )
    if len(scores.labels) > 2:
        raise InvalidArgument(
            f"{asked} is about two classes, and there are {len(scores.labels)}; "
            f"say scores.one_vs_rest({excerpt(scores.labels[0])}), one class against all others"
        )
    return scores
