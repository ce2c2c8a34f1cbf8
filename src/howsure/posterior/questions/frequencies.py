"""Natural frequencies: what a classifier does to so many people, in whole numbers that add up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.answers.sheet import Answered, Ask, Sheet
from howsure.data.labels import positive_or_last
from howsure.errors import InvalidArgument, excerpt
from howsure.laws import Draws, Interval, Kind, Law
from howsure.laws.law import DRAWS, KIND, LEVEL, SEED
from howsure.metrics import Measure, of_class
from howsure.numerics.arrays import Floats
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.posterior.rows import measured
from howsure.posterior.shares import PrevalenceSource
from howsure.text import formats
from howsure.text.text_table import MOST_DRAWN, picture_grid

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

#: The keys of the answer.
FIELDS = (
    "of classes=labels positive counts found missed false_alarms predicted right level interval=kind prior "
    "prevalence_source text=_words"
)

#: Above this many people the words are no help any more.
MOST_PEOPLE = 10**9


@dataclass(frozen=True)
class Share:
    """So many of a group, with the interval of the number; it does not leave the group.

    Parameters
    ----------
    count, low, high : int
        Expected number, and the ends of its interval rounded outwards.
    total : int
        Size of the group.
    """

    count: int
    low: int
    high: int
    total: int

    def __str__(self) -> str:
        ends = f"{formats.integer(self.low)} to {formats.integer(self.high)}"
        return formats.integer(self.count) + (f" ({ends})" if self.low < self.high else "")

    @property
    def others(self) -> Share:
        """The rest of the group."""
        return Share(self.total - self.count, self.total - self.high, self.total - self.low, self.total)


@dataclass(frozen=True)
class Percentage:
    """A rate among people of whom there are an uncertain number.

    Parameters
    ----------
    value, low, high : float
        Ratio of the two expected numbers, and the ends of the rate's interval.
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{_percent(self.value)} ({_percent(self.low)} to {_percent(self.high)})"


def _percent(share: float) -> str:
    """A share in per cent, with more digits where nearly nobody or nearly everybody is in it."""
    few = min(share, 1 - share)
    places = 0 if few >= 0.1 else 1 if few >= 0.01 else 2 if few >= 0.001 else 3
    text = f"{100 * share:.{places}f}"
    return f"{text.rstrip('0').rstrip('.') if places else text}%"


@dataclass(frozen=True, repr=False)
class NaturalFrequencies(Answered, json="natural_frequencies", fields=FIELDS):
    """Expected integers of people by what is true and what they are called.

    Attributes
    ----------
    of : int
        All people.
    labels, positive
        The classes.
    counts : tuple of tuple of int
        Rows truth, columns prediction; they add up to ``of``.
    found, missed : tuple of Share
        Of the people of each class, those who are predicted to belong to it, and the others.
    false_alarms : tuple of Share
        Of the people outside each class, those who are predicted to belong to it.
    predicted : tuple of Share
        Of all people, those who are predicted to belong to each class.
    right : tuple of Percentage or None
        Of the people predicted to belong to each class, those who do (PPV); None where there is nobody.
    """

    of: int
    labels: tuple[str, ...]
    positive: str | None
    counts: tuple[tuple[int, ...], ...]
    found: tuple[Share, ...]
    false_alarms: tuple[Share, ...]
    predicted: tuple[Share, ...]
    right: tuple[Percentage | None, ...]
    ask: Ask
    prior: str
    prevalence_source: PrevalenceSource

    @property
    def missed(self) -> tuple[Share, ...]:
        """Of the people of each class, those who are predicted to belong to another one."""
        return tuple(share.others for share in self.found)

    def sheet(self) -> Sheet:
        name = self._interval_name
        header = ("class", "people", "found", "missed", "false alarms", "predicted so", "of these right")
        rows = []
        for i, label in enumerate(self.labels):
            numbers = (self.found[i], self.missed[i], self.false_alarms[i], self.predicted[i])
            people, right = formats.integer(self.found[i].total), self.right[i]
            rows.append((formats.plain(label, 30), people, *map(str, numbers), "" if right is None else str(right)))
        where = {
            "test set": "that of the test set",
            "chosen": "that of the test set, whose class sizes were chosen",
            "stated": "as stated",
            "other cases": "that of the other population",
            "verdicts elsewhere": "that behind the verdicts",
        }
        note = (
            f"Expected numbers of people; in brackets {name} of each by itself, given the people of each class, "
            f"rounded outwards. Prevalence {where[self.prevalence_source]}, prior {self.prior}."
        )
        return Sheet(self._words, header, tuple(rows), (note,))

    def picture(self) -> str:
        return picture_grid(self.labels, np.array(self.counts)) if len(self.labels) <= MOST_DRAWN else ""

    @property
    def _words(self) -> str:
        if self.positive is None:
            same = formats.integer(sum(share.count for share in self.found))
            return f"Of {formats.integer(self.of)} people {same} are predicted what they are."
        p = self.labels.index(self.positive)
        o = 1 - p
        ill, healthy = (formats.plain(self.labels[i], 30) for i in (p, o))
        sentence = (
            f"Of {formats.integer(self.of)} people: {formats.integer(self.found[p].total)} {ill}, of whom "
            f"{self.found[p]} are found and {self.missed[p]} missed; {formats.integer(self.found[o].total)} {healthy}, "
            f"of whom {self.false_alarms[p]} are predicted {ill} by mistake."
        )
        right = self.right[p]
        if right is None:
            return f"{sentence} Nobody is predicted {ill}."
        return f"{sentence} Of the {self.predicted[p]} predicted {ill}, {right} are {ill}."


def natural_frequencies(
    posterior: Posterior,
    of: int = 10_000,
    prevalence: Any = None,
    *,
    level: float = LEVEL,
    kind: Kind = KIND,
    draws: int = DRAWS,
    seed: int = SEED,
) -> NaturalFrequencies:
    """What the classifier does to so many people, in integers that add up.

    Parameters
    ----------
    of : int
        Number of people (or samples).
    prevalence : array_like or mapping, optional
        As in `Posterior.at_prevalence`; that of the posterior if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals: of each number by itself, given how many people each class has, rounded outwards to whole
        numbers.
    draws, seed : int
        For what has no closed form.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.natural_frequencies(1000, {"ill": 0.02})  # doctest: +NORMALIZE_WHITESPACE
    Of 1,000 people: 20 ill, of whom 17 (14 to 19) are found and 3 (1 to 6) missed; 980 healthy, of whom 108 (32 to 193)
    are predicted ill by mistake. Of the 125 (49 to 209) predicted ill, 14% (6.3% to 26%) are ill.
    """
    known = knowledge_of(posterior)
    known = known if prevalence is None else known.at_prevalence(prevalence)
    if isinstance(of, bool) or not isinstance(of, int | np.integer) or not 1 <= of <= MOST_PEOPLE:
        raise InvalidArgument(f"of= is a number of people from 1 to {formats.integer(MOST_PEOPLE)}, not {excerpt(of)}")
    ask, of = Ask(level, kind, draws, seed), int(of)
    labels = known.confusion.labels
    size = len(labels)
    groups, means = whole_parts(known.shares, of), known.row_means
    counts = [whole_parts(means[i], groups[i]) for i in range(size)]
    known.prepare([of_class("precision", labels, i) for i in range(size)], draws=draws, seed=seed)
    calls = _calls(known, groups, draws, seed)
    found, alarms, predicted, right = [], [], [], []
    for i in range(size):
        recall = known.of(of_class("recall", labels, i), draws=draws, seed=seed).law
        found.append(_share(recall.interval(level, kind), counts[i][i], groups[i]))
        many, rest = sum(row[i] for row in counts), of - groups[i]
        if size > 2:
            alarms.append(
                _share(calls("false_positive_rate", i).interval(level, kind), many - counts[i][i], rest)
                if rest
                else NOBODY
            )
        predicted.append(_share(calls("bias", i).interval(level, kind), many, of))
        precision = known.of(of_class("precision", labels, i), draws=draws, seed=seed).law if many else None
        right.append(None if precision is None else _percentage(precision.interval(level, kind), counts[i][i] / many))
    if size == 2:  # who is missed in one class is a false alarm for the other
        alarms = [found[1].others, found[0].others]
    return NaturalFrequencies(
        of=of,
        labels=labels,
        positive=positive_or_last(labels, known.confusion.positive),
        counts=tuple(map(tuple, counts)),
        found=tuple(found),
        false_alarms=tuple(alarms),
        predicted=tuple(predicted),
        right=tuple(right),
        ask=ask,
        prior=known.prior.name,
        prevalence_source=known.prevalence_source,
    )


def whole_parts(shares: Floats, total: int) -> list[int]:
    """Whole numbers in given proportions that add up: the largest remainders are rounded up.

    Examples
    --------
    >>> whole_parts(np.array([1, 1, 1]) / 3, 100)
    [34, 33, 33]
    """
    exact = np.asarray(shares) * total
    parts = np.floor(exact + 1e-9).astype(int)
    short = total - int(parts.sum())
    for i in np.argsort(-(exact - parts), kind="stable")[:short].tolist():
        parts[i] += 1
    return [int(part) for part in parts]


def _calls(known: TableKnowledge, groups: Sequence[int], draws: int, seed: int) -> Callable[[str, int], Law]:
    """Laws of the share of a group that is called so, by metric and class, of so many people of each class."""
    labels, shares = known.labels, np.array(groups, dtype=float) / sum(groups)
    drawn: dict[Measure, Floats] = {}

    def law(name: str, index: int) -> Law:
        cells = np.zeros((len(shares), len(shares)))
        cells[:, index] = shares
        if name == "false_positive_rate":
            cells[index] = 0.0
            cells /= 1 - shares[index]
        closed = None if known.rows is None else known.linear(cells)
        if closed is not None:
            return closed
        if not drawn:
            measures = [of_class(it, labels, i) for i in range(len(labels)) for it in ("false_positive_rate", "bias")]
            blocks = (block.at(shares) for block in known.blocks(draws, seed=seed))
            drawn.update(zip(measures, measured(measures, blocks, draws), strict=True))
        return Draws(drawn[of_class(name, labels, index)], support=(0.0, 1.0))

    return law


#: Of a group without people.
NOBODY = Share(0, 0, 0, 0)


def _share(ends: Interval, count: int, total: int) -> Share:
    low, high = math.floor(ends.low * total + 1e-9), math.ceil(ends.high * total - 1e-9)
    return Share(count, max(min(low, count), 0), min(max(high, count), total), total)


def _percentage(ends: Interval, value: float) -> Percentage:
    return Percentage(value, min(ends.low, value), max(ends.high, value))
