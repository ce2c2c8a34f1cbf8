"""Cases whose truth is known of some only: what was called of all of them, and what is true of those that were checked.

A verdict is what a judge, a test or a classifier says of a case. Rows stay truth, columns stay what was called; the
cases without a truth are counted by their verdict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from howsure.data.counts import LARGEST_COUNT, Cells, ReadOnly, checked_table, whole_number
from howsure.data.labels import Column, are_opposites, distinct_answers, in_order, label_text, label_texts
from howsure.data.refusals import say
from howsure.data.words import UNLABELLED, word_of
from howsure.errors import InvalidCounts, InvalidLabels, excerpt, listing
from howsure.errors.arguments import items
from howsure.numerics.arrays import Floats, Integers, bincount


@dataclass(frozen=True, eq=False)
class Verdicts(ReadOnly):
    """Counts by verdict: of cases whose truth is known, and of the others; read-only.

    Parameters
    ----------
    truths : int
        The first K labels of the matrix are true classes; the others are only ever called.
    names : tuple of str
        V verdicts. In an audit of a classifier a verdict is what the classifier and the judge said, two words.
    column : ndarray, shape (V,)
        Place among the labels of what each verdict calls a case.
    labelled : ndarray, shape (K, V)
        Cases of each true class with each verdict.
    unlabelled : ndarray, shape (V,)
        Cases with each verdict whose truth is not known.
    scores : ndarray, shape (V,), optional
        Order of the verdicts, where they have one: their places in it, or their numbers.
    audit : bool
        Whether a verdict is a pair, what a classifier called the case and what a judge found.
    judged : tuple of str
        In an audit, what the judge said in each of the V pairs; else empty.

    Examples
    --------
    >>> from howsure.data.confusion import ConfusionMatrix
    >>> judged = ConfusionMatrix([[22, 7], [6, 65]], ["fail", "pass"], unlabelled={"fail": 572, "pass": 1328}).verdicts
    >>> judged.n, judged.n_labelled, judged.totals.tolist()
    (2000, 100, [600, 1400])
    """

    truths: int
    names: tuple[str, ...]
    column: Integers
    labelled: Integers
    unlabelled: Integers
    scores: Floats | None = None
    audit: bool = False
    judged: tuple[str, ...] = ()

    @property
    def totals(self) -> Integers:
        """All cases with each verdict, shape (V,)."""
        return np.asarray(self.labelled.sum(axis=0) + self.unlabelled)

    @property
    def n(self) -> int:
        """All cases, with and without a truth."""
        return int(self.totals.sum())

    @property
    def n_labelled(self) -> int:
        """Cases whose truth is known."""
        return int(self.labelled.sum())

    @property
    def order(self) -> tuple[str, ...] | None:
        """Names from low to high, where an order was declared; None where there is none or their numbers are it."""
        own = _scores(self.names, None)
        if self.scores is None or (own is not None and np.array_equal(own, self.scores)):
            return None
        return tuple(self.names[i] for i in np.argsort(self.scores))

    @property
    def columns(self) -> list[str] | list[tuple[str, str]]:
        """What `ConfusionMatrix` takes as ``verdicts=``: the names, or the pairs of an audit."""
        if not self.audit:
            return list(self.names)
        said = (name[: -len(pair_name("", judged))] for name, judged in zip(self.names, self.judged, strict=True))
        return list(zip(said, self.judged, strict=True))


def pair_name(said: str, judged: str) -> str:
    """Name of a pair of an audit.

    Examples
    --------
    >>> pair_name("ill", "well")
    'ill, judged well'
    """
    return f"{said}, judged {judged}"


def no_label() -> InvalidCounts:
    """What is said of verdicts of which none was checked."""
    return InvalidCounts(say("no_label_yet"))


def verdicts_of_table(
    counts: Any,
    labels: Sequence[object] | None,
    verdicts: Sequence[object] | None,
    unlabelled: Mapping[Any, Any] | Sequence[Any] | None,
    order: Sequence[object] | None,
    *,
    turned: bool,
) -> tuple[Cells, tuple[str, ...], Verdicts | None]:
    """Read a table of labelled cases, K true classes by V verdicts, and the cases of each verdict without a truth."""
    if labels is None and verdicts is None:
        labels, verdicts = _of_frame(counts, turned)
    pairs = None if verdicts is None else _pairs(verdicts)
    # in an audit a class is called by several columns, and names are those of the pairs
    called = (
        None if verdicts is None else label_texts(pair_name(*pair) for pair in pairs or ()) or label_texts(verdicts)
    )
    table = checked_table(counts, None if labels is None else label_texts(labels), called, turned=turned)
    size, columns = table.shape
    truths = label_texts(range(size) if labels is None else labels)
    if len(truths) != size:
        raise InvalidLabels(f"{size} rows need {size} labels, not {len(truths)}: {listing(truths)}")
    called = truths if called is None else called
    if columns != len(called):
        raise InvalidCounts(say("columns_of_verdicts", columns, len(called), called))
    said = called if pairs is None else [first for first, _ in pairs]
    names = tuple(dict.fromkeys((*truths, *said)))
    rest = _by_verdict(unlabelled, called)
    if not table.any():
        if rest.any():
            raise no_label()
        if called != truths:
            raise InvalidCounts("every count is 0, so there is no case to learn from")
    if float(table.sum(dtype=float) + rest.sum(dtype=float)) > LARGEST_COUNT:
        raise InvalidCounts(f"the counts add up to more than 2**53 - 1 = {LARGEST_COUNT}")
    place = {name: i for i, name in enumerate(names)}
    column = np.array([place[v] for v in said])
    row, at = np.nonzero(table)
    cells = Cells.added(row, column[at], table[row, at], len(names))
    if not rest.any() and len(names) == size:
        return cells, names, None
    if pairs is not None and order is not None:
        raise InvalidLabels("order= is of the verdicts of a judge alone; pairs with a prediction have none")
    judged = tuple(second for _, second in pairs or ())
    scores = None if judged else _scores(called, order)
    return cells, names, Verdicts(size, called, column, table, rest, scores, bool(judged), judged)


def _of_frame(counts: Any, turned: bool) -> tuple[list[str] | None, list[str] | None]:
    if not (hasattr(counts, "index") and hasattr(counts, "columns") and hasattr(counts, "iloc")):
        return None, None
    rows, columns = ([str(x) for x in axis] for axis in (counts.index, counts.columns))
    return (columns, rows) if turned else (rows, columns)


def _pairs(verdicts: Sequence[object]) -> list[tuple[str, str]] | None:
    listed = [] if isinstance(verdicts, str) else items(verdicts, "verdicts", "a list of names")
    pairs = [each for each in listed if isinstance(each, list | tuple)]
    if not pairs:
        return None
    if odd := [each for each in listed if not isinstance(each, list | tuple) or len(each) != 2]:
        raise InvalidLabels(say("pairs_of_verdicts", excerpt(odd[0])))
    found = [(label_text(first), label_text(second)) for first, second in pairs]
    whole = [(first, second) for first, second in found if first is not None and second is not None]
    if len(whole) < len(found):
        raise InvalidLabels("a pair of verdicts= is missing or blank on one side; only the truth may be missing")
    return whole


def _by_verdict(unlabelled: Any, called: Sequence[str]) -> Integers:
    if unlabelled is None:
        return np.zeros(len(called), dtype=np.int64)
    if isinstance(unlabelled, Mapping):
        found = {label_text(name): value for name, value in unlabelled.items()}
        odd = [str(name) for name in found if name not in called]
        if odd:
            raise InvalidLabels(say("unlabelled_outside", odd, called))
        values = [found.get(name, 0) for name in called]
    else:
        if isinstance(unlabelled, str | bytes | set | frozenset) or not hasattr(unlabelled, "__len__"):
            raise InvalidCounts(f'unlabelled= counts cases by verdict, {{"fail": 572}}, not {excerpt(unlabelled)}')
        values = list(unlabelled)
        if len(values) != len(called):
            raise InvalidCounts(f"{len(called)} verdicts need {len(called)} counts in unlabelled=, not {len(values)}")
    table = [whole_number(v, f"unlabelled {excerpt(name)}") for v, name in zip(values, called, strict=True)]
    return np.array(table, dtype=np.int64)


def _scores(names: Sequence[str], order: Sequence[object] | None) -> Floats | None:
    """Order of the verdicts: places in ``order``, their numbers, or None."""
    if order is not None:
        ranked = label_texts([order] if isinstance(order, str) else order)
        odd = [name for name in names if name not in ranked]
        if odd:
            raise InvalidLabels(say("order_of_verdicts", names, odd))
        present = [name for name in ranked if name in names]
        return np.array([float(present.index(name)) for name in names])
    try:
        scores = np.array([float(name) for name in names])
    except ValueError:
        return None
    return scores if np.isfinite(scores).all() else None


# -- counting cases by verdict, and which of the names in them are true classes --

#: So many labelled cases of a verdict, none of them true: of a class that is called rightly half the time, this
#: happens in 3 of 100.
ENOUGH = 5

#: Cells of the largest table of true classes by verdicts.
MOST_CELLS = 10**7


class JudgedTable(NamedTuple):
    """What `ConfusionMatrix` takes: K x V counts, true classes, names or pairs of columns, cases without a truth."""

    counts: Integers
    labels: tuple[str, ...]
    verdicts: Sequence[object]
    unlabelled: Integers


def judged_cases(
    y_true: Any,
    y_pred: Any,
    judge: Any = None,
    labels: Sequence[object] | None = None,
    order: Sequence[object] | None = None,
    *,
    times: Integers | None = None,
) -> JudgedTable | None:
    """Count cases by what was called, or by what a classifier and a judge called."""
    answers = distinct_answers(y_pred, "y_pred")
    pred_texts, predicted = answers
    truth = distinct_answers([None] * len(predicted) if y_true is None else y_true, "y_true")
    true_texts, true = truth
    verdicts = Column([""], 0 * predicted) if judge is None else distinct_answers(judge, "judge")
    judge_texts, judged = verdicts
    given = {"y_true": len(true), "y_pred": len(predicted)} | ({} if judge is None else {"judge": len(judged)})
    if len(set(given.values())) > 1:
        counts = ", ".join(f"{what} has {count}" for what, count in given.items())
        raise InvalidLabels(f"every case needs one answer of each, its truth may be missing: {counts}")
    if not len(true):
        raise InvalidLabels("y_true and y_pred are empty; at least one case is needed")
    for codes, what in ((predicted, "y_pred"), (judged, "judge")):
        gaps = np.flatnonzero(codes < 0)
        if len(gaps):
            raise InvalidLabels(say("only_truth_missing", what, len(gaps), len(codes), gaps[0] + 1))
    known = true >= 0
    times = np.ones(len(true), dtype=np.int64) if times is None else times
    if labels is None:
        _refuse_word_for_unlabelled(true_texts, pred_texts, _sums(true[known], times[known], len(true_texts)))
    if known.all() and set(pred_texts) <= set(true_texts if labels is None else label_texts(labels)):
        return None
    if known.all() and labels is None and set(true_texts) & set(pred_texts):
        return None  # as ever: all that was seen on either side is a class
    if not known.any():
        raise no_label()
    checked = _sums(predicted[known], times[known], len(pred_texts))
    if labels is None:
        truths = true_classes(true_texts, dict(zip(pred_texts, checked.tolist(), strict=True)), verdicts=judge is None)
        _refuse_strangers(true_texts, pred_texts, judge is not None)
    else:
        truths = label_texts(labels)
        odd = [name for name in true_texts if name not in truths]
        if odd:
            raise InvalidLabels(f"y_true holds {listing(map(excerpt, odd))}, not among labels {listing(truths)}")
    if labels is None:
        _refuse_spellings({*true_texts, *pred_texts, *judge_texts})
    if len(truths) < 2:
        shown = f"the truth is {listing(map(excerpt, truths))} wherever it is known"
        raise InvalidLabels(f"{shown}; name all true classes with labels=, at least two")
    columns: Sequence[object]
    if judge is None:
        names = _verdicts(truths, pred_texts, order)
        number, columns = answers.among(names), names
    else:
        kinds, ordered = _said(truths, pred_texts), in_order(judge_texts)
        # every pair of what was predicted with what was said, also those that never came: the prior knows them
        columns = [(kind, text) for kind in kinds for text in ordered]
        number = answers.among(kinds) * len(ordered) + verdicts.among(ordered)
    if len(truths) * len(columns) > MOST_CELLS:
        raise InvalidLabels(say("too_many_cells", len(truths), len(columns), MOST_CELLS))
    row = truth.among(truths)[known]
    size = len(columns)
    table = _sums(row * size + number[known], times[known], len(truths) * size).reshape(len(truths), size)
    return JudgedTable(table, truths, columns, _sums(number[~known], times[~known], size))


def true_classes(seen: Iterable[str], checked: Mapping[str, int], *, verdicts: bool = True) -> tuple[str, ...]:
    """The true classes, where nobody names them.

    Those seen in the labelled cases are; of the verdicts that are never the truth there, none is where

    - labels and verdicts have no name in common (grades, and right or wrong);
    - those seen are a complete pair, such as pass and fail, 0 and 1 (of one, its opposite is the other class);
    - five labelled cases or more have this verdict. Of numbers, all are classes from three seen on: one scale.

    Examples
    --------
    >>> true_classes(["pass", "fail"], {"pass": 60, "fail": 30, "unsure": 2})
    ('fail', 'pass')
    >>> true_classes(["pass"], {"pass": 60, "fail": 0, "unsure": 2})
    ('fail', 'pass')
    >>> true_classes(["cat", "dog"], {"cat": 6, "dog": 9, "bird": 1, "unsure": 12})
    ('bird', 'cat', 'dog')
    """
    found = set(seen)
    never = [name for name in checked if name not in found]
    if len(never) == len(checked) and len(found) > 1:
        return tuple(in_order(found))
    if len(found) == 1:
        (only,) = found
        opposites = [name for name in never if are_opposites(only, name)]
        if len(opposites) == 1 or len({*found, *never}) == 2:
            return tuple(in_order({only, *(opposites or never)}))
    if len(found) == 2 and are_opposites(*found):
        return tuple(in_order(found))
    one_scale = len(found) > 2 and all(map(_is_number, found))
    few = {name for name in never if not verdicts or checked[name] < ENOUGH}
    classes = few | {name for name in never if one_scale and _is_number(name)}
    return tuple(in_order(found | classes))


def told_apart(labels: Sequence[str], verdicts: Verdicts) -> list[str]:
    """Notes on the names that are never the truth: which are taken as verdicts only, which as classes."""
    notes = []
    empty = [labels[k] for k, size in enumerate(verdicts.labelled.sum(axis=1).tolist()) if not size]
    kinds = {"verdict only": list(labels[verdicts.truths :]), "true class": empty}
    for kind, names in kinds.items():
        if names:
            shown = listing([excerpt(name, 40) for name in names])
            one = len(names) == 1
            what = f"a {kind}" if one else {"verdict only": "verdicts only", "true class": "true classes"}[kind]
            told = f"{shown} {'is' if one else 'are'} never the truth in {verdicts.n_labelled} labelled cases"
            notes.append(
                f"{told} and {'is' if one else 'are'} taken as {what}; --labels with all true classes says otherwise."
            )
    return notes


#: From so many labelled cases on a truth of most of them that is no verdict is taken for a word for "nobody looked".
MANY = 50


def _refuse_spellings(names: set[str]) -> None:
    """Refuse names that differ in capitals or blanks only: a label that is no verdict would be a class of its own."""
    spelt: dict[str, str] = {}
    for name in sorted(names):
        other = spelt.setdefault(" ".join(name.split()).casefold(), name)
        if other != name:
            raise InvalidLabels(say("two_spellings", other, name))


def _refuse_word_for_unlabelled(seen: Sequence[str], called: Sequence[str], cases: Integers) -> None:
    """Refuse a true class that says in a word that nobody looked: it would count as a truth that no verdict names."""
    if not set(seen) & set(called):
        return
    for name, number in zip(seen, cases.tolist(), strict=True):
        most = 2 * number > cases.sum() >= MANY
        if name not in called and (word_of(name) in UNLABELLED or most):
            raise InvalidLabels(say("word_for_unlabelled", name, number, cases.sum()))


def _refuse_strangers(seen: Sequence[str], called: Sequence[str], audit: bool) -> None:
    """Refuse names that were to be the same and are not; grades of right and wrong answers are meant to differ."""
    if set(seen) & set(called):
        return
    nearly = {name.strip().casefold() for name in seen} & {name.strip().casefold() for name in called}
    if audit or nearly:
        here, there = (listing(map(excerpt, in_order(names))) for names in (seen, called))
        raise InvalidLabels(say("no_verdict_shared", here, "the predictions" if audit else "the verdicts", there))


def _verdicts(truths: Sequence[str], called: Sequence[str], order: Sequence[object] | None) -> list[str]:
    """Names of the columns: what was said, and what could have been said because it is a true class."""
    names = _said(truths, called)
    if set(truths) & set(called):
        names = [*truths, *(name for name in names if name not in truths)]
    if order is None:
        return names
    ordered = label_texts([order] if isinstance(order, str) else order)
    return [name for name in names if name in called or name in ordered]


def _said(truths: Sequence[str], called: Sequence[str]) -> list[str]:
    return [*(name for name in truths if name in called), *in_order(set(called) - set(truths))]


def _is_number(name: str) -> bool:
    return name.removeprefix("-").isascii() and name.removeprefix("-").isdigit()


def _sums(place: Integers, times: Integers, size: int) -> Integers:
    # doubles add whole numbers up to 2**53 - 1 exactly, and a matrix has no more cases than that
    return bincount(place, weights=times, minlength=size).astype(np.int64)
