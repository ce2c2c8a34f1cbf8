"""What was scored, item by item and epoch by epoch: right or wrong, or a score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Unpack

import numpy as np

from howsure.data.case_columns import place_in_item
from howsure.data.confusion import ConfusionMatrix
from howsure.data.refusals import say
from howsure.data.repeats import Repeats, ScoreRange
from howsure.errors import InvalidFile, InvalidLabels, excerpt
from howsure.frozen import Frozen
from howsure.numerics.arrays import Booleans, Floats
from howsure.params import spelled
from howsure.text.formats import integer, plain, several

RIGHT, WRONG = "right", "wrong"


class Outcomes(Frozen):
    """The score of each answer, which item it is an answer to, and in which epoch; immutable.

    Parameters
    ----------
    items : sequence of str, shape (n,)
        What each item is called. An item that comes again is answered again (in another epoch), and no new item.
    right : sequence of bool or float, shape (n,)
        Whether each answer is right, or its score.
    epochs : sequence, shape (n,), optional
        Which epoch each answer is of; left out, the answers to an item are numbered in their order.
    group : sequence, shape (n,), optional
        What makes answers alike besides the item: the passage a question is about, a subtask. All answers to an item
        have one.
    grouped_by : str
        What the groups are, such as "passage".
    source, metric : str
        Where they are from, and what was scored.
    notes : sequence of str
        Sentences on what was chosen or left out.
    outcomes, range : sequence of float, optional
        All scores that are possible, or the least and the largest.
    missing : str
        What answers without a score are, as in `howsure.Repeats.from_columns`.

    Attributes
    ----------
    items : tuple of str
        Item of each answer.
    scores : ndarray
        Score of each answer, 1 and 0 for right and wrong, shape (n,), read-only.
    epochs : tuple of str
        Epoch of each answer.
    grouped_by : str
        What the groups that were named are; "" where it is the items.
    source : str
        Where they are from.
    metric : str
        What was scored.
    notes : tuple of str
        What was chosen or left out, in sentences.

    Raises
    ------
    InvalidLabels
        Different lengths, no answer, two answers to an item in one epoch, an item in two groups.

    Examples
    --------
    >>> log = Outcomes(["q1", "q2", "q1", "q2"], [True, True, False, True])
    >>> log.n, log.correct, log.distinct, log.epochs
    (4, 3, 2, ('1', '1', '2', '2'))
    >>> log.units
    'groups: the 2 questions, each answered 2 times'
    >>> log.repeats
    <Repeats: 2 items, 2 runs of each, outcomes 0, 1>
    """

    _attributes = ("items", "scores", "epochs", "grouped_by", "source", "metric", "notes")

    @spelled(ScoreRange)
    def __init__(
        self,
        items: Sequence[str],
        right: Sequence[Any] | Booleans | Floats,
        *,
        epochs: Sequence[object] | None = None,
        group: Sequence[object] | None = None,
        grouped_by: str = "",
        source: str = "",
        metric: str = "",
        notes: Sequence[str] = (),
        **possible: Unpack[ScoreRange],
    ) -> None:
        for what, given in (("outcomes", right), ("epochs", epochs), ("groups", group)):
            if given is not None and len(items) != len(given):
                raise InvalidLabels(f"{len(items)} items and {len(given)} {what}; each answer has one of each")
        if not len(items):
            raise InvalidLabels("no answer was scored, so there is nothing to learn from")
        self.items = tuple(items)
        self.scores: Floats = np.array(right, dtype=float)
        self.scores.setflags(write=False)
        self.epochs, self._numbered = _numbered(self.items, epochs), epochs is None
        self._group = None if group is None else _one_each(self.items, tuple(str(name) for name in group))
        self._possible = possible
        self.grouped_by = grouped_by if group is not None else ""
        self.source, self.metric, self.notes = source, metric, tuple(notes)

    @cached_property
    def right(self) -> Booleans:
        """Whether each answer is right, shape (n,), read-only.

        Raises
        ------
        InvalidLabels
            Scores that are neither right (1) nor wrong (0).
        """
        odd = np.flatnonzero(~np.isin(self.scores, (0.0, 1.0)))
        if len(odd):
            where = f"{excerpt(self.metric or 'score', 40)} of {excerpt(self.items[odd[0]], 40)}"
            raise InvalidLabels(say("neither_right_nor_wrong", where, f"{self.scores[odd[0]]:g}"))
        made: Booleans = self.scores == 1
        made.setflags(write=False)
        return made

    @property
    def group(self) -> tuple[str, ...] | None:
        """What is alike: the groups that were named, else the items where one is answered again; None if neither."""
        if self._group is not None:
            return self._group
        return self.items if self.distinct < self.n else None

    @property
    def n(self) -> int:
        """Number of answers."""
        return len(self.items)

    @property
    def correct(self) -> int:
        """Number of right answers."""
        return int(self.right.sum())

    @cached_property
    def distinct(self) -> int:
        """Number of items."""
        return len(set(self.items))

    @property
    def independent(self) -> int:
        """Number of independent units: groups where there are any, else answers."""
        return self.n if self.group is None else len(set(self.group))

    @property
    def units(self) -> str:
        """What the independent units are, in words."""
        times = sorted(Counter(self.items).values())
        how = f"{times[0]} to {times[-1]} times"
        if times[0] == times[-1]:
            how = f"{times[0]} times" if self._numbered else f"in {times[0]} epochs"
        answered = "" if times[-1] == 1 else f", each answered {how}"
        questions = several(self.distinct, "question")
        if self._group is not None:
            named = f"{several(self.independent, 'value')} of {excerpt(self.grouped_by or 'group', 40)}"
            return f"groups: the {named}, with {questions}{answered}"
        return f"groups: the {questions}{answered}" if answered else f"{questions}, one answer to each"

    @cached_property
    def confusion(self) -> ConfusionMatrix:
        """Counts of right and wrong, by group where there are any; the truth is "right" throughout."""
        words = np.where(self.right, RIGHT, WRONG)
        return ConfusionMatrix.from_predictions([RIGHT] * self.n, words, labels=[WRONG, RIGHT], group=self.group)

    @cached_property
    def repeats(self) -> Repeats:
        """Items (or the groups that were named) x runs, which `howsure.infer` learns from."""
        named = self._group is not None
        try:
            return Repeats.from_columns(
                self._group if named else self.items, None if named else self.epochs, self.scores, notes=self.notes,
                **self._possible,
            )  # fmt: skip
        except InvalidLabels as error:
            said = plain(str(error), 800).replace("range=(1, 5)", "--range 1,5").replace("threshold=", "--threshold")
            raise (InvalidFile(self.source, said) if self.source else error) from None

    def __repr__(self) -> str:
        repeats = f" to {several(self.distinct, 'item')}" if self.distinct < self.n else ""
        about = f" ({plain(self.metric)})" if self.metric else ""
        if np.isin(self.scores, (0.0, 1.0)).all():
            return f"<Outcomes: {integer(self.correct)} of {several(self.n, 'answer')}{repeats} right{about}>"
        return f"<Outcomes: scores of {several(self.n, 'answer')}{repeats}{about}>"


def _numbered(items: tuple[str, ...], epochs: Sequence[object] | None) -> tuple[str, ...]:
    if epochs is None:
        names, place = np.unique(items, return_inverse=True)
        return tuple(str(i + 1) for i in place_in_item(place, len(names)).tolist())
    named = tuple(str(epoch) for epoch in epochs)
    twice = next((key for key, times in Counter(zip(items, named, strict=True)).items() if times > 1), None)
    if twice is not None:
        raise InvalidLabels(say("two_in_epoch", excerpt(twice[0], 40), excerpt(twice[1], 20)))
    return named


def _one_each(items: tuple[str, ...], group: tuple[str, ...]) -> tuple[str, ...]:
    known: dict[str, str] = {}
    for item, name in zip(items, group, strict=True):
        if known.setdefault(item, name) != name:
            problem = f"item {excerpt(item, 40)} is in two groups, {excerpt(known[item], 40)} and {excerpt(name, 40)}"
            raise InvalidLabels(f"{problem}; all answers to an item belong to one")
    return group
