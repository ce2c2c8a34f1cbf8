"""Natural frequencies: what a classifier does to so many people, in whole numbers that add up."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.data.positive import positive_or_last
from howsure.errors import InvalidArgument, excerpt
from howsure.laws import Kind, Law
from howsure.laws.draw_settings import DRAWS, SEED
from howsure.laws.law import KIND, LEVEL, checked_kind, checked_level
from howsure.metrics import of_class
from howsure.numerics.arrays import Floats
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.prevalence import PrevalenceSource
from howsure.text import formats
from howsure.text.confusion_grid import MOST_DRAWN, picture_grid
from howsure.text.json_envelope import envelope

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

__all__ = ["NaturalFrequencies", "Share", "natural_frequencies", "whole_parts"]


#: Above this many people the words are no help any more.
MOST_PEOPLE = 10**9


@dataclass(frozen=True)
class Share:
    """So many of a group, with the interval of the number.

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


@dataclass(frozen=True, repr=False)
class NaturalFrequencies(Record):
    """Expected whole numbers of people by what is true and what they are called.

    Attributes
    ----------
    of : int
        All people.
    labels, positive
        The classes.
    counts : tuple of tuple of int
        Rows truth, columns prediction; they add up to ``of``.
    found : tuple of Share
        Of the people of each class, those who are called so.
    right : tuple of Share or None
        Of the people called each class, those who belong to it; None where nobody is called so.
    """

    of: int
    labels: tuple[str, ...]
    positive: str | None
    counts: tuple[tuple[int, ...], ...]
    found: tuple[Share, ...]
    right: tuple[Share | None, ...]
    level: float
    kind: Kind
    prior: str
    prevalence_source: PrevalenceSource

    def sheet(self) -> Sheet:
        """In words for two classes; a row for each class otherwise."""
        name = formats.interval_name(self.kind, self.level)
        header = ("class", "people", "called so", "called something else", "all called so", "of these right")
        rows = []
        for i, label in enumerate(self.labels):
            found, right = self.found[i], self.right[i]
            called = sum(row[i] for row in self.counts)
            rows.append(
                (
                    formats.plain(label, 30),
                    formats.integer(found.total),
                    str(found),
                    formats.integer(found.total - found.count),
                    formats.integer(called),
                    "" if right is None else str(right),
                )
            )
        where = {
            "test set": "that of the test set",
            "chosen": "that of the test set, whose class sizes were chosen",
            "stated": "as stated",
            "other cases": "that of the other cases",
            "verdicts elsewhere": "that behind the verdicts",
        }
        note = (
            f"Expected numbers; in brackets {name} of the rate, as a number of that group, rounded outwards. "
            f"Prevalence {where[self.prevalence_source]}, prior {self.prior}."
        )
        return Sheet(self._words(), header, tuple(rows), (note,))

    def picture(self) -> str:
        """The numbers as a table of shades, rows truth, as SVG."""
        return picture_grid(self.labels, np.array(self.counts)) if len(self.labels) <= MOST_DRAWN else ""

    def _words(self) -> str:
        if self.positive is None:
            same = formats.integer(sum(share.count for share in self.found))
            return f"Of {formats.integer(self.of)} people {same} are called what they are."
        p = self.labels.index(self.positive)
        o = 1 - p
        ill, healthy = (formats.plain(self.labels[i], 30) for i in (p, o))
        hits, alarms = self.found[p], self.counts[o][p]
        sentence = (
            f"Of {formats.integer(self.of)} people: {formats.integer(hits.total)} {ill}, of whom {hits} are found and "
            f"{formats.integer(hits.total - hits.count)} missed; {formats.integer(self.found[o].total)} {healthy}, of "
            f"whom {formats.integer(alarms)} are called {ill} by mistake."
        )
        right = self.right[p]
        if right is None:
            return f"{sentence} Nobody is called {ill}."
        return f"{sentence} Of the {formats.integer(right.total)} called {ill}, {right} are {ill}."

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: format ``howsure/1``, kind ``natural_frequencies``."""
        return {
            **envelope("natural_frequencies"),
            "of": self.of,
            "classes": list(self.labels),
            "positive": self.positive,
            "counts": [list(row) for row in self.counts],
            "found": [vars(share) for share in self.found],
            "right": [None if share is None else vars(share) for share in self.right],
            "level": self.level,
            "interval": self.kind,
            "prior": self.prior,
            "prevalence_source": self.prevalence_source,
            "text": self._words(),
        }


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
    """What the classifier does to so many people, in whole numbers that add up.

    Parameters
    ----------
    of : int
        Number of people (or samples).
    prevalence : array_like or mapping, optional
        As in `Posterior.at_prevalence`; that of the posterior if left out.
    level, kind : float, "hdi" or "central"
        Of the intervals, which are those of recall and precision, rounded outwards to whole numbers.
    draws, seed : int
        For precision where its law does not close.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.natural_frequencies(1000, {"ill": 0.02})  # doctest: +NORMALIZE_WHITESPACE
    Of 1,000 people: 20 ill, of whom 17 (14 to 19) are found and 3 missed; 980 healthy, of whom 108 are called ill by
    mistake. Of the 125 called ill, 17 (7 to 34) are ill.
    """
    known = knowledge_of(posterior)
    known = known if prevalence is None else known.at_prevalence(prevalence)
    if isinstance(of, bool) or not isinstance(of, int | np.integer) or not 1 <= of <= MOST_PEOPLE:
        raise InvalidArgument(f"of= is a number of people from 1 to {formats.integer(MOST_PEOPLE)}, not {excerpt(of)}")
    checked_kind(kind)
    level, of = checked_level(level), int(of)
    labels = known.confusion.labels
    size = len(labels)
    groups, means = whole_parts(known.shares, of), known.row_means
    counts = [whole_parts(means[i], groups[i]) for i in range(size)]
    known.prepare([of_class("precision", labels, i) for i in range(size)], draws=draws, seed=seed)
    found, right = [], []
    for i in range(size):
        recall = known.of(of_class("recall", labels, i), draws=draws, seed=seed).law
        found.append(_share(recall, counts[i][i], groups[i], level, kind))
        called = sum(row[i] for row in counts)
        precision = known.of(of_class("precision", labels, i), draws=draws, seed=seed).law if called else None
        right.append(None if precision is None else _share(precision, counts[i][i], called, level, kind))
    return NaturalFrequencies(
        of=of,
        labels=labels,
        positive=positive_or_last(labels, known.confusion.positive),
        counts=tuple(map(tuple, counts)),
        found=tuple(found),
        right=tuple(right),
        level=level,
        kind=kind,
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


def _share(law: Law, count: int, total: int, level: float, kind: Kind) -> Share:
    ends = law.interval(level, kind)
    low, high = math.floor(ends.low * total + 1e-9), math.ceil(ends.high * total - 1e-9)
    return Share(count, min(low, count), max(high, count), total)
