"""Scores of cases: values, columns, of one classifier or of several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import group_places
from howsure.data.labels import (
    alike,
    distinct_answers,
    in_order,
    label_text,
    label_texts,
    positive_by_name,
    refuse_other_order,
    unmasked,
)
from howsure.data.refusals import say
from howsure.data.words import MARKS, RIGHT
from howsure.errors import InvalidArgument, InvalidLabels, UnknownLabel, excerpt, listing
from howsure.errors.arguments import number
from howsure.frozen import Frozen
from howsure.numerics.arrays import Floats, Integers, bincount
from howsure.text.formats import several

# -- Scores as numbers: true and false, numbers, and the texts of both -------------------------------------------------


#: Words of a grade, which is no number beside others.
GRADES = frozenset(["good", "bad"])


def score_values(values: Any) -> Floats:
    """Scores as floats, shape (n,); NaN where there is none.

    Examples
    --------
    >>> score_values([True, "false", 0.5, "1", None, "", float("nan")]).tolist()
    [1.0, 0.0, 0.5, 1.0, nan, nan, nan]
    """
    array = values if isinstance(values, np.ndarray) else None
    if array is not None and array.ndim == 1 and array.dtype.kind in "biuf":
        made = array.astype(float)
    else:
        if isinstance(values, str | bytes) or not hasattr(values, "__iter__"):
            raise InvalidLabels(f"score is one number a run, not {excerpt(values)}")
        listed = values.tolist() if hasattr(values, "tolist") else list(values)
        known: dict[tuple[type, Any], float] = {}
        made = np.empty(len(listed))
        for i, value in enumerate(listed):
            try:
                key = (type(value), value)
                if key not in known:
                    known[key] = _one(value, i)
                made[i] = known[key]
            except TypeError:  # a list cannot be a key
                raise InvalidLabels(f"score of row {i + 1} is {excerpt(value)}; give one number") from None
    endless = np.flatnonzero(np.isinf(made))
    if len(endless):
        raise InvalidLabels(f"score of row {endless[0] + 1} is infinite")
    return made


def _one(value: Any, row: int) -> float:
    if isinstance(value, bool | np.bool_):
        return float(value)
    if isinstance(value, int | float | np.integer | np.floating):
        try:
            return float(value)
        except OverflowError:
            return math.inf
    text = label_text(value)
    if text is None:
        return math.nan
    word = text.strip().casefold()
    if word in MARKS and word not in GRADES:
        return float(MARKS[word] == RIGHT)
    try:
        return float(word)
    except ValueError:
        raise InvalidLabels(say("no_score_value", row + 1, value)) from None


# -- What is checked of true classes and scores before they are `Scores` -----------------------------------------------


#: How far probabilities of a case may be from adding to 1: printed ones are rounded.
ROUNDED = 0.01


def coded_truth(y_true: Any) -> tuple[list[str], Integers, bool]:
    """Classes seen, the place of each case's among them, and whether scikit-learn would put them in the same order.

    Examples
    --------
    >>> texts, codes, alike = coded_truth([1, 0, 1])
    >>> [texts[i] for i in codes], alike
    (['1', '0', '1'], True)
    """
    texts, codes = distinct_answers(y_true, "y_true")
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        raise InvalidLabels(say("truth_missing", len(missing), len(codes), missing[0] + 1))
    if not len(codes):
        raise InvalidLabels("y_true and y_score are empty; cases of two classes are needed")
    first = y_true[0] if isinstance(y_true, np.ndarray | list | tuple) else getattr(y_true, "iloc", texts)[0]
    return texts, codes, not isinstance(first, str) or in_order(texts) == sorted(texts)


def known_labels(
    texts: Sequence[str],
    labels: Sequence[object] | None,
    positive: object | None,
    *,
    single: bool,
    sorted_alike: bool,
) -> tuple[tuple[str, ...], Integers]:
    """All classes, of two the positive one last, and the place of each class seen among them."""
    if len(texts) < 2:
        raise InvalidLabels(say("one_class_of_scores", texts[0]))
    names = tuple(in_order(texts)) if labels is None else label_texts(labels)
    odd = [text for text in texts if text not in names]
    if odd:
        raise InvalidLabels(f"y_true holds {listing(map(excerpt, odd))}, not among labels {listing(names)}")
    unseen = [name for name in names if name not in texts]
    if unseen:
        raise InvalidLabels(say("class_without_case", unseen))
    if len(names) > 2:
        if single:
            near = " ".join(alike(names))
            raise InvalidLabels(
                say("one_number_of_classes", len(names), listing(map(excerpt, names), 8), f". {near}" if near else "")
            )
        if positive is not None:
            raise InvalidLabels(f"positive= is one of two classes, and there are {len(names)}; leave it out")
    elif positive is None:
        found = positive_by_name(names)
        if found is None:
            first, last = excerpt(names[0]), excerpt(names[1])
            raise InvalidLabels(say("high_scores_of", first, last, first, last))
        positive = found
    if labels is None and not single and not sorted_alike:
        raise InvalidLabels(say("texts_of_numbers", listing(map(excerpt, names), 8)))
    if len(names) == 2:
        chosen = label_text(positive)
        if chosen not in names:
            raise UnknownLabel(chosen or "", names)
        names = (names[1 - names.index(chosen)], chosen)
    place = {name: i for i, name in enumerate(names)}
    return names, np.array([place[text] for text in texts], dtype=np.int64)


def checked_scores(
    array: Floats,
    labels: tuple[str, ...],
    what: str,
    *,
    cases: int,
    columns: Sequence[object] = (),
    asked: Sequence[object] | None = None,
) -> Floats:
    """Scores as floats: shape (n,) of two classes, (n, K) of more.

    Examples
    --------
    >>> checked_scores(np.array([[0.9, 0.1], [0.2, 0.8]]), ("ill", "well"), "y_score", cases=2).tolist()
    [0.1, 0.8]
    """
    order = [str(label_text(x)) for x in asked] if asked is not None else in_order(labels)
    if array.ndim not in (1, 2) or len(array) != cases:
        raise InvalidArgument(say("shape_of_scores", what, str(array.shape), cases))
    bad = np.flatnonzero(~np.isfinite(array).reshape(cases, -1).all(axis=1))
    if len(bad):
        kind = "missing (NaN)" if np.isnan(array[bad[0]]).any() else "infinite"
        advice = (
            "leave the case out of both arrays, or say what its score is"
            if "NaN" in kind
            else "give it a number beyond all others, if that is what is meant"
        )
        raise InvalidArgument(f"{what} is {kind} in {len(bad)} of {cases} cases (first: case {bad[0] + 1}); {advice}")
    if array.ndim == 1:
        return array
    if array.shape[1] == 1 and len(labels) == 2:
        return np.ascontiguousarray(array[:, 0])
    if array.shape[1] != len(labels):
        raise InvalidArgument(say("columns_of_classes", what, array.shape[1], len(labels), listing(labels, 8)))
    _refuse_odd_probabilities(array, what)
    named = [label_text(name) for name in columns]
    if named and set(named) == set(labels):
        order = [str(name) for name in named]
    if len(labels) == 2:
        return np.ascontiguousarray(array[:, order.index(labels[1])])
    return np.ascontiguousarray(array[:, [order.index(name) for name in labels]])


def score_floats(values: Any, what: str) -> Floats:
    """Scores as floats of their own, of any shape; NaN where one is missing.

    Examples
    --------
    >>> score_floats([1, None], "y_score").tolist()
    [1.0, nan]
    """
    try:
        array = np.asarray(unmasked(values))
    except ValueError:
        raise InvalidArgument(f"{what} has rows of different lengths; give one number a case, or one a class") from None
    if array.dtype.kind in "US" or (array.dtype.kind == "O" and any(isinstance(x, str) for x in array.ravel())):
        texts = (x for x in array.ravel().tolist() if isinstance(x, str | bytes))
        raise InvalidArgument(f"{what} holds text ({excerpt(next(texts))}); convert it to numbers first")
    if array.dtype.kind == "O":
        array = np.array(
            [np.nan if x is None or type(x).__name__ == "NAType" else x for x in array.ravel()], dtype=object
        ).reshape(array.shape)
    if array.dtype.kind not in "biufO":
        raise InvalidArgument(f"{what} is one number a case, or one a class, not {excerpt(values)}")
    try:
        return np.array(array, dtype=float, order="C")
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{what} is one number a case, or one a class, not {excerpt(values)}") from None


def _refuse_odd_probabilities(array: Floats, what: str) -> None:
    low = np.flatnonzero((array < 0).any(axis=1))
    if len(low):
        raise InvalidArgument(say("negative_probability", what, f"{array[low[0]].min():g}", low[0] + 1))
    total = array.sum(axis=1)
    off = np.flatnonzero(np.abs(total - 1) > ROUNDED)
    if len(off):
        raise InvalidArgument(say("odd_probabilities", off[0] + 1, what, f"{total[off[0]]:.4g}", len(off)))


# -- Scores of cases: what was true, and how much each case looked like each class before anyone drew a line -----------

# A score is higher for cases that are more like the positive class. Nothing is turned round where it is not: an area
# below one half stays below one half.


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

    _attributes = ("labels", "truth", "group_names", "group")

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
        self.labels, place = known_labels(texts, labels, positive, single=single, sorted_alike=sorted_alike)
        self.truth: Integers = place[codes]
        self._scores: dict[str, Floats] = {}
        for name, (what, values, columns) in given.items():
            self._scores[name] = checked_scores(
                values, self.labels, what, cases=len(codes), columns=columns, asked=labels
            )
        grouped: tuple[tuple[str, ...], Integers | None] = ((), None)
        if groups is not None:
            grouped = group_places(groups, len(codes))
        self.group_names, self.group = grouped
        for array in (self.truth, self.group, *self._scores.values()):
            if array is not None:
                array.setflags(write=False)

    @property
    def positive(self) -> str | None:
        """The positive one of two classes; None of more."""
        return self.labels[1] if len(self.labels) == 2 else None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the classifiers."""
        return tuple(self._scores)

    @property
    def scores(self) -> Floats:
        """Scores of the first classifier, shape (n,), or (n, K) of more than two classes; read-only."""
        return next(iter(self._scores.values()))

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self.truth)

    @property
    def class_sizes(self) -> Integers:
        """Cases of each true class, shape (K,)."""
        return bincount(self.truth, minlength=len(self.labels)).astype(np.int64)

    def of(self, name: str) -> Scores:
        """The same cases with the scores of one classifier.

        Raises
        ------
        InvalidArgument
            No such classifier.
        """
        if not isinstance(name, str) or name not in self._scores:
            raise InvalidArgument(say("no_classifier_called", name, self.names))
        return self._with(self.labels, self.truth, {name: self._scores[name]})

    def one_vs_rest(self, label: object) -> Scores:
        """Two classes of more: ``label``, which is positive and has its own column, and "not ..." of all others.

        Raises
        ------
        UnknownLabel
            With the nearest name.
        """
        name = label_text(label) or ""
        if name not in self.labels:
            raise UnknownLabel(name, self.labels)
        i = self.labels.index(name)
        if len(self.labels) == 2:
            if i == 1:
                return self
            raise InvalidArgument(f"the scores are those of {excerpt(self.labels[1])}; they are never turned round")
        truth = (self.truth == i).astype(np.int64)
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
        if self.group is not None:
            names = np.array(self.labels)
            return ConfusionMatrix.from_predictions(
                names[self.truth], names[called], labels=self.labels, positive=self.labels[1],
                group=np.array(self.group_names)[self.group],
            )  # fmt: skip
        counts = bincount(2 * self.truth + called, minlength=4).reshape(2, 2)
        return ConfusionMatrix(counts, labels=self.labels, positive=self.labels[1])

    def _with(self, labels: tuple[str, ...], truth: Integers, scores: dict[str, Floats]) -> Scores:
        made = Scores.__new__(Scores)
        made.labels, made.truth, made._scores = labels, truth, scores
        made.group_names, made.group = self.group_names, self.group
        for array in (truth, *scores.values()):
            array.setflags(write=False)
        return made

    # -- as a value -----------------------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON."""
        return {
            "labels": list(self.labels),
            "truth": self.truth.tolist(),
            "scores": {name: values.tolist() for name, values in self._scores.items()},
            "groups": None if self.group is None else [self.group_names[i] for i in self.group.tolist()],
        }

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Scores) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        group = None if self.group is None else self.group.tobytes()
        scores = tuple((name, values.tobytes()) for name, values in self._scores.items())
        return (self.labels, self.truth.tobytes(), scores, self.group_names, group)

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"

    def __repr__(self) -> str:
        sizes = self.class_sizes.tolist()
        shown = [f"{sizes[i]} {excerpt(self.labels[i])}" for i in reversed(range(len(sizes)))]
        classes = f"{shown[0]} and {shown[1]}" if len(sizes) == 2 else several(len(sizes), "class")
        groups = f", {several(len(self.group_names), 'group')}" if self.group is not None else ""
        return f"<Scores: {several(self.n, 'case')}, {classes}{groups}, {listing(self.names)}>"


def scores_of_one(scores: Any, asked: str) -> Scores:
    """Scores of one classifier, or the sentence that says how to get there."""
    if not isinstance(scores, Scores):
        raise InvalidArgument(say("no_scores", asked, type(scores).__name__))
    if len(scores.names) > 1:
        raise InvalidArgument(say("one_classifier_of_scores", asked, scores.names, scores.names[0]))
    return scores


def one_score(scores: Any, asked: str) -> Scores:
    """The same, for two classes."""
    one = scores_of_one(scores, asked)
    if len(one.labels) > 2:
        raise InvalidArgument(say("two_classes_of_scores", asked, len(one.labels), one.labels[0]))
    return one
