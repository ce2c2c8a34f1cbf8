"""Right or wrong, item by item: what a log of an evaluation says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, InvalidLabels, excerpt
from howsure.frozen import Frozen
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.priors import Prior
from howsure.text.formats import integer, several

__all__ = ["Outcomes", "paired"]


class Outcomes(Frozen):
    """Right or wrong for each answer, and which item it is an answer to; immutable.

    Parameters
    ----------
    items : sequence of str, shape (n,)
        What each item is called. An item that comes again is a repeat (an epoch), not a new item.
    right : sequence of bool, shape (n,)
    source, metric : str
        Where they are from, and what was scored.
    notes : sequence of str
        Sentences on what was chosen or left out.

    Examples
    --------
    >>> log = Outcomes(["q1", "q2", "q1", "q2"], [True, True, False, True])
    >>> log.n, log.correct, log.distinct, log.effective
    (4, 3, 2, 3)
    >>> log.posterior().of("accuracy")
    accuracy 0.6 (0.2 to 1.0) 95 % HDI, prior flat, exact
    """

    def __init__(
        self,
        items: Sequence[str],
        right: Sequence[bool] | NDArray[np.bool_],
        *,
        source: str = "",
        metric: str = "",
        notes: Sequence[str] = (),
    ) -> None:
        if len(items) != len(right):
            raise InvalidLabels(f"{len(items)} items and {len(right)} outcomes; each answer has one of each")
        if not len(items):
            raise InvalidLabels("no answer was scored, so there is nothing to learn from")
        self._items = tuple(items)
        self._right: NDArray[np.bool_] = np.array(right, dtype=bool)
        self._right.setflags(write=False)
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

    @property
    def distinct(self) -> int:
        """Number of items."""
        return len(set(self._items))

    @property
    def effective(self) -> int:
        """Answers that are worth a case each: all of them, or fewer where items are repeated.

        With items answered several times, the variance of the mean is that of the means of the items, and the number is
        that of independent answers with the same variance: between the number of items and that of answers.
        """
        if self.distinct == self.n:
            return self.n
        _, place = np.unique(np.array(self._items), return_inverse=True)
        times = np.bincount(place)
        mean = self.correct / self.n
        # ratio estimate of the mean of clusters (Cochran 1977, 9.3): its variance from the residuals of the clusters
        residual = np.bincount(place, weights=self._right) - mean * times
        clusters = len(times)
        variance = clusters / max(1, clusters - 1) * float((residual**2).sum()) / self.n**2
        if variance <= 0:
            return clusters
        return int(min(self.n, max(clusters, mean * (1 - mean) / variance)))

    def posterior(self, prior: str | Prior | None = None) -> AccuracyPosterior:
        """What the answers say about the accuracy; repeats of an item count as far as they say something new."""
        effective = self.effective
        return AccuracyPosterior(correct=round(self.correct * effective / self.n), n=effective, prior=prior)

    def __repr__(self) -> str:
        repeats = f" to {several(self.distinct, 'item')}" if self.distinct < self.n else ""
        about = f" ({self._metric})" if self._metric else ""
        return f"<Outcomes: {integer(self.correct)} of {several(self.n, 'answer')}{repeats} right{about}>"


def paired(logs: Mapping[str, Outcomes]) -> Predictions:
    """Several logs on the items that all of them have, for `howsure.compare` by accuracy.

    The classes are "right" and "wrong" and the truth is "right" throughout, so that the accuracy of a classifier is its
    share of right answers; no other metric means anything.

    Parameters
    ----------
    logs : mapping of str to Outcomes
        By the name of the classifier.

    Raises
    ------
    InvalidLabels
        No item in common.

    Examples
    --------
    >>> both = paired({"A": Outcomes(["1", "2"], [True, False]), "B": Outcomes(["2", "1"], [True, True])})
    >>> both.patterns("A", "B").counts.tolist()
    [1, 1]
    """
    if len(logs) < 2:
        raise InvalidArgument("pairing needs the logs of two classifiers, or more")
    answers = {name: _by_repeat(log) for name, log in logs.items()}
    shared = [key for key in next(iter(answers.values())) if all(key in found for found in answers.values())]
    if not shared:
        raise InvalidLabels("the logs have no item in common; are they of one task and version?")
    notes = [
        f"{excerpt(name)}: {integer(len(found) - len(shared))} of {several(len(found), 'answer')} left out, "
        "to items that not all have."
        for name, found in answers.items()
        if len(found) > len(shared)
    ]
    words = {True: "right", False: "wrong"}
    if any(number > 1 for _, number in shared):
        # repeats are no new cases, and a pair of them would be counted as one
        shared = [key for key in shared if key[1] == 1]
        notes.append(
            "Of an item that was answered several times, the first answers are compared: repeats are no new cases."
        )
    columns = {name: [words[found[key]] for key in shared] for name, found in answers.items()}
    return Predictions(
        ["right"] * len(shared),
        columns,
        id=[item for item, _ in shared],
        labels=["wrong", "right"],
        notes=[*dict.fromkeys(note for log in logs.values() for note in log.notes), *notes],
    )


def _by_repeat(log: Outcomes) -> dict[tuple[str, int], bool]:
    """Outcomes by item and repeat."""
    seen: dict[str, int] = {}
    found = {}
    for item, right in zip(log.items, log.right.tolist(), strict=True):
        seen[item] = seen.get(item, 0) + 1
        found[item, seen[item]] = right
    return found
