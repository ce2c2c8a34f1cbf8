"""Right or wrong, item by item and epoch by epoch: what a log of an evaluation says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.groups import FEWEST_GROUPS, Question
from howsure.data.repeats import Repeats
from howsure.errors import InvalidLabels, excerpt
from howsure.frozen import Frozen
from howsure.numerics.groups.design_effect import design_effect, intraclass_correlation
from howsure.numerics.groups.population_mean import PopulationMean
from howsure.posterior.posterior import Posterior, infer
from howsure.posterior.priors import Prior
from howsure.text.formats import integer, plain, several

__all__ = ["RIGHT", "WRONG", "Outcomes"]

RIGHT, WRONG = "right", "wrong"


class Outcomes(Frozen):
    """Right or wrong for each answer, which item it is an answer to, and in which epoch; immutable.

    Parameters
    ----------
    items : sequence of str, shape (n,)
        What each item is called. An item that comes again is answered again (in another epoch), and no new item.
    right : sequence of bool, shape (n,)
    epochs : sequence, shape (n,), optional
        Which epoch each answer is of; left out, the answers to an item are numbered in their order.
    group : sequence, shape (n,), optional
        What makes answers alike beside the item: the passage a question is about, a subtask. All answers to an item
        have one.
    grouped_by : str
        What the groups are, such as "passage".
    source, metric : str
        Where they are from, and what was scored.
    notes : sequence of str
        Sentences on what was chosen or left out.

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
    >>> log.posterior().of("accuracy")
    accuracy 0.69 (0.34 to 0.99) 95 % HDI, prior calibrated, these groups again, exact
    """

    def __init__(
        self,
        items: Sequence[str],
        right: Sequence[bool] | NDArray[np.bool_],
        *,
        epochs: Sequence[object] | None = None,
        group: Sequence[object] | None = None,
        grouped_by: str = "",
        source: str = "",
        metric: str = "",
        notes: Sequence[str] = (),
    ) -> None:
        for what, given in (("outcomes", right), ("epochs", epochs), ("groups", group)):
            if given is not None and len(items) != len(given):
                raise InvalidLabels(f"{len(items)} items and {len(given)} {what}; each answer has one of each")
        if not len(items):
            raise InvalidLabels("no answer was scored, so there is nothing to learn from")
        self._items = tuple(items)
        self._right: NDArray[np.bool_] = np.array(right, dtype=bool)
        self._right.setflags(write=False)
        self._epochs, self._numbered = _numbered(self._items, epochs), epochs is None
        self._group = None if group is None else _one_each(self._items, tuple(str(name) for name in group))
        self._grouped_by = grouped_by
        self._source, self._metric, self._notes = source, metric, tuple(notes)

    @property
    def items(self) -> tuple[str, ...]:
        """Item of each answer."""
        return self._items

    @property
    def right(self) -> NDArray[np.bool_]:
        """Whether each answer is right, shape (n,), read-only."""
        return self._right

    @property
    def epochs(self) -> tuple[str, ...]:
        """Epoch of each answer."""
        return self._epochs

    @property
    def group(self) -> tuple[str, ...] | None:
        """What is alike: the groups that were named, else the items where one is answered again; None if neither."""
        if self._group is not None:
            return self._group
        return self._items if self.distinct < self.n else None

    @property
    def grouped_by(self) -> str:
        """What the groups that were named are; "" where it is the items."""
        return self._grouped_by if self._group is not None else ""

    @property
    def source(self) -> str:
        """Where they are from."""
        return self._source

    @property
    def metric(self) -> str:
        """What was scored."""
        return self._metric

    @property
    def notes(self) -> tuple[str, ...]:
        """What was chosen or left out, in sentences."""
        return self._notes

    @property
    def n(self) -> int:
        """Number of answers."""
        return len(self._items)

    @property
    def correct(self) -> int:
        """Number of right answers."""
        return int(self._right.sum())

    @cached_property
    def distinct(self) -> int:
        """Number of items."""
        return len(set(self._items))

    @property
    def independent(self) -> int:
        """Number of independent units: groups where there are any, else answers."""
        return self.n if self.group is None else len(set(self.group))

    @property
    def units(self) -> str:
        """What the independent units are, in words."""
        times = sorted(Counter(self._items).values())
        how = f"{times[0]} to {times[-1]} times"
        if times[0] == times[-1]:
            how = f"{times[0]} times" if self._numbered else f"in {times[0]} epochs"
        answered = "" if times[-1] == 1 else f", each answered {how}"
        questions = several(self.distinct, "question")
        if self._group is not None:
            named = f"{several(self.independent, 'value')} of {excerpt(self._grouped_by or 'group', 40)}"
            return f"groups: the {named}, with {questions}{answered}"
        if not answered:
            return f"{questions}, one answer to each"
        return (
            f"groups: the {questions}{answered}"
            if self.distinct > 1
            else f"one question{answered.replace(' each', '')}"
        )

    @cached_property
    def confusion(self) -> ConfusionMatrix:
        """Counts of right and wrong, by group where there are any; the truth is "right" throughout."""
        words = np.where(self._right, RIGHT, WRONG)
        return ConfusionMatrix.from_predictions([RIGHT] * self.n, words, labels=[WRONG, RIGHT], group=self.group)

    @cached_property
    def repeats(self) -> Repeats:
        """Items x epochs, for what is asked of several tries: ``howsure.infer(log.repeats).of("pass^5")``."""
        return Repeats.from_columns(self._items, self._epochs, self._right)

    @cached_property
    def correlation(self) -> tuple[float, float, float] | None:
        """Of two answers of one group being right (ICC): mean and 95 % central interval; None below five groups."""
        groups = self.confusion.groups
        if groups is None or len(groups) < FEWEST_GROUPS:
            return None
        law = PopulationMean(groups.correct, groups.cases).correlation
        low, high = law.quantile(np.array([0.025, 0.975])).tolist()
        return law.mean, low, high

    @property
    def effective(self) -> float:
        """As how many independent answers all of them count: n over the design effect; 1 if all are of one group."""
        groups = self.confusion.groups
        if groups is None:
            return float(self.n)
        if len(groups) == 1:
            return 1.0
        known = self.correlation
        rho = intraclass_correlation(groups.correct, groups.cases) if known is None else known[0]
        return self.n / design_effect(rho, groups.cases)

    def posterior(self, prior: str | Prior | None = None, *, groups: Question | None = None) -> Posterior:
        """What the answers say about the accuracy; of other metrics they say nothing.

        Parameters
        ----------
        prior : str or Prior, optional
            "calibrated" if left out.
        groups : "new" or "these", optional
            As in `howsure.infer`: about new items (the default from 8 on), or about these again.
        """
        return infer(self.confusion, prior, groups=groups)

    def __repr__(self) -> str:
        repeats = f" to {several(self.distinct, 'item')}" if self.distinct < self.n else ""
        about = f" ({plain(self._metric)})" if self._metric else ""
        return f"<Outcomes: {integer(self.correct)} of {several(self.n, 'answer')}{repeats} right{about}>"


def _numbered(items: tuple[str, ...], epochs: Sequence[object] | None) -> tuple[str, ...]:
    """Epochs as text; counted where none are given."""
    if epochs is None:
        seen: Counter[str] = Counter()
        made = []
        for item in items:
            seen[item] += 1
            made.append(str(seen[item]))
        return tuple(made)
    named = tuple(str(epoch) for epoch in epochs)
    twice = next((key for key, times in Counter(zip(items, named, strict=True)).items() if times > 1), None)
    if twice is not None:
        raise InvalidLabels(
            f"item {excerpt(twice[0], 40)} has two answers in epoch {excerpt(twice[1], 20)}; one is due"
        )
    return named


def _one_each(items: tuple[str, ...], group: tuple[str, ...]) -> tuple[str, ...]:
    """Groups, of which every item has one."""
    known: dict[str, str] = {}
    for item, name in zip(items, group, strict=True):
        if known.setdefault(item, name) != name:
            problem = f"item {excerpt(item, 40)} is in two groups, {excerpt(known[item], 40)} and {excerpt(name, 40)}"
            raise InvalidLabels(f"{problem}; all answers to an item belong to one")
    return group
