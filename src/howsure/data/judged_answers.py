"""Answers of several models to the same items, each with a judge's verdict and for some a person's label.

Every model has its own truth, whether *its* answer is right, so these are not `Predictions`, which have one truth of a
case and many predictions of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from howsure.data.case_columns import column, listed_rows, long_rows, names_of, refuse_doubles
from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import distinct_answers, in_order, label_texts, positive_by_name
from howsure.data.refusals import say
from howsure.data.words import LABEL_OF, VERDICT_OF, word_of
from howsure.errors import InvalidArgument, InvalidLabels, UnknownClassifier, UnknownLabel, excerpt, listing
from howsure.errors.arguments import column_name, sentences
from howsure.frozen import Frozen
from howsure.numerics.arrays import Integers, bincount, repeat
from howsure.text.formats import integer, plain, several

Codes = NDArray[np.int32]

#: Pairs of names of which everyone knows the one that says that an answer is right.
RIGHT = (("fail", "pass"), ("failed", "passed"), ("wrong", "right"), ("incorrect", "correct"), ("bad", "good"))


class VerdictPairs(NamedTuple):
    """Counts of the items that two models have in common, by the cell of their two verdicts.

    ``totals``, shape (C,), are all items of a cell; ``both``, shape (C, 4), those labelled for both models: neither
    answer right, only B's, only A's, both. ``only_a`` and ``only_b``, shape (C, 2), are those labelled for one model:
    wrong, right. ``of_a`` and ``of_b``, shape (C,), are the places of a cell's two verdicts among all V.
    """

    totals: Integers
    both: Integers
    only_a: Integers
    only_b: Integers
    of_a: Integers
    of_b: Integers

    @property
    def labels_of_a(self) -> int:
        """Labels of answers of A."""
        return int(self.both.sum() + self.only_a.sum())

    @property
    def labels_of_b(self) -> int:
        """Labels of answers of B."""
        return int(self.both.sum() + self.only_b.sum())


class JudgedAnswers(Frozen):
    """What a judge said of the answers of T models to n items, and what people said of some; immutable.

    Parameters
    ----------
    verdicts : mapping of str to array_like, shape (n,)
        The judge's verdict on each answer of a model, under the model's name; missing (None, NaN, "") where a model
        did not answer an item.
    human : mapping of str to array_like, shape (n,)
        What a person said of the same answers, missing where nobody looked.
    id : array_like, shape (n,), optional
        What each item is called, no two alike.
    labels : sequence, optional
        The two true classes of an answer, such as wrong and right; without it those that people said, and where they
        said one only, that and the other verdict. A verdict that is none of them ("unsure") is only ever said.
    notes : sequence of str
        Sentences to carry along.

    Attributes
    ----------
    names : tuple of str
        Names of the models.
    labels : tuple of str
        The true classes of an answer, in order.
    verdicts : tuple of str
        What the judge said: the true classes first, then what is only ever said.
    notes : tuple of str
        What was set aside, in sentences.

    Raises
    ------
    InvalidLabels
        Different lengths, a label without a verdict, a model without any label, other than two true classes.

    Examples
    --------
    >>> judged = JudgedAnswers(
    ...     {"new": ["pass", "pass", "fail"], "old": ["pass", "fail", "fail"]},
    ...     {"new": ["pass", None, "fail"], "old": ["fail", None, "fail"]},
    ... )
    >>> judged
    <JudgedAnswers: models new, old, 3 items, truths fail, pass>
    >>> judged.confusion("new").verdicts.unlabelled.tolist()
    [0, 1]
    """

    _attributes = ("names", "labels", "verdicts", "notes")

    def __init__(
        self,
        verdicts: Mapping[str, Any],
        human: Mapping[str, Any],
        *,
        id: Any = None,  # noqa: A002  # the word that files and frames have for it
        labels: Sequence[object] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.names = names_of(verdicts)
        if not isinstance(human, Mapping) or set(human) != set(self.names):
            given = listing(map(str, human)) if isinstance(human, Mapping) else type(human).__name__
            raise InvalidLabels(f"human= holds the labels of each model, {listing(self.names)}; not {given}")
        said = [distinct_answers(verdicts[name], f"verdicts of {excerpt(name)}") for name in self.names]
        seen = [distinct_answers(human[name], f"human labels of {excerpt(name)}") for name in self.names]
        n = len(said[0][1])
        for name, (_, codes), (_, truth) in zip(self.names, said, seen, strict=True):
            if {len(codes), len(truth)} != {n}:
                raise InvalidLabels(say("unlike_verdicts", integer(n), name, integer(len(codes)), integer(len(truth))))
        self._id = column(id, "id", n)
        if self._id is not None:
            refuse_doubles(self._id)
        self.labels = _truths(set().union(*(t for t, _ in seen)), set().union(*(t for t, _ in said)), labels)
        extra = in_order(set().union(*(t for t, _ in said)) - set(self.labels))
        self.verdicts = (*self.labels, *extra)
        self._said = np.stack([column.among(self.verdicts).astype(np.int32) for column in said])
        self._seen = np.stack([column.among(self.verdicts).astype(np.int32) for column in seen])
        self._check()
        for array in (self._said, self._seen, self._id):
            if array is not None:
                array.setflags(write=False)
        self.notes = sentences(notes)

    def _check(self) -> None:
        for name, said, seen in zip(self.names, self._said, self._seen, strict=True):
            without = np.flatnonzero((seen >= 0) & (said < 0))
            if len(without):
                raise InvalidLabels(
                    say("label_without_verdict", several(len(without), "answer"), name, self._item(without[0]))
                )
            if not (said >= 0).any():
                raise InvalidLabels(f"the judge gave no verdict on any answer of {excerpt(name)}")
            if not (seen >= 0).any():
                raise InvalidLabels(say("no_label_of", name))

    def _item(self, row: int) -> str:
        return f"item {row + 1}" if self._id is None else f"item {excerpt(str(self._id[row]))}"

    # -- makers ---------------------------------------------------------------------------------------------

    @classmethod
    def from_long(
        cls,
        id: Any,  # noqa: A002
        model: Any,
        verdict: Any,
        label: Any,
        *,
        labels: Sequence[object] | None = None,
        notes: Sequence[str] = (),
    ) -> JudgedAnswers:
        """One row an item and model.

        Parameters
        ----------
        id, model, verdict, label : array_like, shape (rows,)
            The label may be missing.
        labels, notes
            As in the class.

        Raises
        ------
        InvalidLabels
            An item that comes twice for one model, one model only, or as in the class.

        Examples
        --------
        >>> rows = [(1, "a", "yes", "yes"), (1, "b", "no", None), (2, "a", "no", None), (2, "b", "no", "no")]
        >>> JudgedAnswers.from_long(*zip(*rows)).names
        ('a', 'b')
        """
        columns = {what: listed_rows(values, what) for what, values in (("verdict", verdict), ("label", label))}
        cases, rows = long_rows(id, model, columns)
        said, seen = (
            {name: [None if row < 0 else column[row] for row in of.tolist()] for name, of in rows.items()}
            for column in columns.values()
        )
        return cls(said, seen, id=cases.texts, labels=labels, notes=notes)

    @classmethod
    def from_wide(
        cls,
        frame: Any,
        *,
        id: str | None = None,  # noqa: A002
        labels: Sequence[object] | None = None,
        notes: Sequence[str] = (),
    ) -> JudgedAnswers:
        """One row an item: columns ``verdict_NAME`` and ``label_NAME`` (or ``human_NAME``) of each model.

        Parameters
        ----------
        frame : mapping of str to array_like, or a data frame
        id : str, optional
            Column of the items' names.
        labels, notes
            As in the class.

        Raises
        ------
        InvalidArgument
            No such columns, or one of the two only.

        Examples
        --------
        >>> JudgedAnswers.from_wide({"verdict_A": [1, 0], "label_A": [1, None], "verdict_B": [0, 0],
        ...     "label_B": [None, 0]}).names
        ('A', 'B')
        """
        if not hasattr(frame, "columns") and not isinstance(frame, Mapping):
            raise InvalidArgument(say("no_judged_columns", frame))
        columns = [name for name in (frame.columns if hasattr(frame, "columns") else frame) if isinstance(name, str)]
        if id is not None and column_name(id, "id") not in columns:
            raise InvalidArgument(f"no column {excerpt(id)}; there are {listing(map(excerpt, columns))}")
        said, seen = ({_after(c, starts): c for c in columns if _after(c, starts)} for starts in (VERDICT_OF, LABEL_OF))
        if not said or set(said) != set(seen):
            odd = sorted(set(said) ^ set(seen))
            there = f"there are {listing(map(excerpt, columns))}"
            problem = f"one of the two is missing for {listing(odd)}" if odd else there
            raise InvalidArgument(say("verdict_and_label", problem))
        of = {name: frame[c] for name, c in said.items()}, {name: frame[seen[name]] for name in said}
        return cls(*of, id=None if id is None else frame[id], labels=labels, notes=notes)

    # -- reading --------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """Number of items."""
        return int(self._said.shape[1])

    @property
    def right(self) -> str | None:
        """The class that says that an answer is right, where its name tells; None where not."""
        words = {word_of(name): name for name in self.labels}
        for wrong, right in RIGHT:
            if set(words) == {wrong, right}:
                return words[right]
        return positive_by_name(self.labels)

    def index(self, name: str) -> int:
        """Place of a model by its name; raises `UnknownClassifier` with the nearest one."""
        if not isinstance(name, str) or name not in self.names:
            raise UnknownClassifier(name, self.names)
        return self.names.index(name)

    def codes(self, name: str) -> tuple[Codes, Codes]:
        """Verdicts on the answers of one model and their labels, as places among `verdicts`; -1 where missing."""
        place = self.index(name)
        return self._said[place].view(), self._seen[place].view()

    def confusion(self, name: str) -> ConfusionMatrix:
        """Verdicts and labels of one model, as the matrix that `howsure.infer` takes."""
        said, seen = self.codes(name)
        there = said >= 0
        texts = np.array([*self.verdicts, None], dtype=object)
        return ConfusionMatrix.from_predictions(
            texts[seen[there]], texts[said[there]], labels=self.labels, missing="estimate"
        )

    def pairs(self, a: str, b: str, right: str) -> VerdictPairs:
        """Items that two models have in common, by their two verdicts and by who is right.

        Raises
        ------
        InvalidLabels
            No item in common.

        Examples
        --------
        >>> judged = JudgedAnswers({"A": [1, 1, 0], "B": [1, 0, 0]}, {"A": [1, None, 0], "B": [0, None, 0]})
        >>> counts = judged.pairs("A", "B", "1")
        >>> counts.totals.tolist(), counts.both.tolist()[3]
        ([1, 0, 1, 1], [0, 0, 1, 0])
        """
        if not isinstance(right, str) or right not in self.labels:
            raise UnknownLabel(right, self.labels)
        (said_a, seen_a), (said_b, seen_b) = self.codes(a), self.codes(b)
        shared = (said_a >= 0) & (said_b >= 0)
        if not shared.any():
            raise InvalidLabels(f"{excerpt(a)} and {excerpt(b)} have no item in common, so nothing is paired")
        kinds = np.unique(np.concatenate([said_a[shared], said_b[shared], range(len(self.labels))]))
        size, target = len(kinds), self.labels.index(right)
        cell = np.searchsorted(kinds, said_a[shared]) * size + np.searchsorted(kinds, said_b[shared])
        known_a, known_b = seen_a[shared] >= 0, seen_b[shared] >= 0
        right_a, right_b = seen_a[shared] == target, seen_b[shared] == target

        def counted(which: NDArray[np.bool_], kind: NDArray[Any], many: int) -> Integers:
            flat = bincount(cell[which] * many + kind[which], minlength=size * size * many)
            return flat.reshape(size * size, many).astype(np.int64)

        return VerdictPairs(
            totals=counted(np.ones(len(cell), dtype=bool), 0 * cell, 1)[:, 0],
            both=counted(known_a & known_b, 2 * right_a + right_b, 4),
            only_a=counted(known_a & ~known_b, right_a.astype(int), 2),
            only_b=counted(known_b & ~known_a, right_b.astype(int), 2),
            of_a=repeat(np.arange(size), size),
            of_b=np.tile(np.arange(size), size),
        )

    def passed(self, name: str, right: str) -> tuple[int, int]:
        """Answers of a model that the judge calls right, and all that it judged."""
        if not isinstance(right, str) or right not in self.labels:
            raise UnknownLabel(right, self.labels)
        said = self.codes(name)[0]
        return int((said == self.labels.index(right)).sum()), int((said >= 0).sum())

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col">{escape(plain(x, 40))}</th>' for x in ("model", *self.verdicts, "labelled"))
        body = []
        for name, said, seen in zip(self.names, self._said, self._seen, strict=True):
            counts = bincount(said[said >= 0], minlength=len(self.verdicts)).tolist()
            cells = "".join(f"<td>{integer(count)}</td>" for count in (*counts, int((seen >= 0).sum())))
            body.append(f'<tr><th scope="row">{escape(plain(name, 40))}</th>{cells}</tr>')
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"

    def __repr__(self) -> str:
        shown = ", ".join(plain(name, 40) for name in self.names[:8])
        more = f" and {len(self.names) - 8} more" if len(self.names) > 8 else ""
        return f"<JudgedAnswers: models {shown}{more}, {several(self.n, 'item')}, truths {', '.join(self.labels)}>"


def _truths(seen: set[str], said: set[str], labels: Sequence[object] | None) -> tuple[str, ...]:
    if labels is not None:
        names = label_texts(labels)
        odd = sorted(seen - set(names))
        if odd:
            raise InvalidLabels(f"people said {listing(map(excerpt, odd))}, not among labels {listing(names)}")
    else:
        # one label so far, and a judge who says that and one thing more: the other class is what it says
        names = tuple(in_order(seen if len(seen) != 1 or len(seen | said) != 2 else seen | said))
    if len(names) != 2:
        came = f"people said {listing(map(excerpt, names))}" if names else "no answer has a label"
        raise InvalidLabels(say("two_truths", came))
    return names


def _after(name: str, starts: Sequence[str]) -> str:
    """Name of a model from its column; blank where the column is no such."""
    return next((name[len(s) :] for s in starts if name.casefold().startswith(s) and len(name) > len(s)), "")
