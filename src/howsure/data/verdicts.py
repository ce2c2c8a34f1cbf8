"""Cases whose truth is known of some only: what was called of all of them, and what is true of those that were checked.

A verdict is what a judge, a test or a classifier says of a case. Rows stay truth, columns stay what was called; the
cases without a truth are counted by their verdict.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.data.count_checks import LARGEST_COUNT, checked_table, whole_number
from howsure.data.labels import label_text, label_texts
from howsure.data.refusals import say
from howsure.data.sparse_counts import Cells, ReadOnly
from howsure.errors import InvalidCounts, InvalidLabels, excerpt, listing
from howsure.errors.arguments import items
from howsure.numerics.arrays import Floats, Integers


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
    """Read a table of labelled cases, K true classes by V verdicts, and the cases of each verdict without a truth.

    Parameters
    ----------
    counts : array_like, shape (K, V); the transpose if ``turned``
    labels : sequence, optional
        K true classes.
    verdicts : sequence, optional
        V names, or pairs (what a classifier said, what a judge found) of an audit; the true classes if left out.
    unlabelled : mapping or sequence, optional
        Cases without a truth, by verdict or in the order of the columns.
    order : sequence, optional
        The verdicts from low to high; more names may be among them.
    turned : bool
    """
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
    """Names of rows and columns that a pandas DataFrame carries."""
    if not (hasattr(counts, "index") and hasattr(counts, "columns") and hasattr(counts, "iloc")):
        return None, None
    rows, columns = ([str(x) for x in axis] for axis in (counts.index, counts.columns))
    return (columns, rows) if turned else (rows, columns)


def _pairs(verdicts: Sequence[object]) -> list[tuple[str, str]] | None:
    """The pairs of an audit; None where verdicts are names."""
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
    """Counts of the cases without a truth, shape (V,)."""
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
