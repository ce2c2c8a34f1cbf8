"""Which cases to label next, where a judge has answered all of them and people have checked some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from howsure.answers.sheet import Record, Sheet
from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.laws.law import LEVEL, checked_level
from howsure.numerics.arrays import Floats
from howsure.numerics.trials.judged_labels import fewest_doubts, matched_width, share_moments
from howsure.text import formats

__all__ = ["NextLabels", "next_labels"]


FIELDS = """
metric labels verdicts=_verdicts level width after at_random verdict=sentence
"""


@dataclass(frozen=True, repr=False, eq=False)
class NextLabels(Record, json="next_labels", fields=FIELDS):
    """How the next labels are best spread over the verdicts; made by `next_labels`.

    Attributes
    ----------
    metric : str
        ``prevalence@CLASS``, the share of a true class.
    labels : int
        How many are to come.
    per_verdict : mapping of str to int
        How many of the cases with each verdict.
    labelled, unlabelled : mapping of str to int
        Cases of each verdict that have a label, and that have none.
    level : float
        Of the intervals.
    width, after, at_random : float
        Width of the interval as it is, and as expected after these labels, and after as many at random.
    """

    metric: str
    labels: int
    per_verdict: Mapping[str, int]
    labelled: Mapping[str, int]
    unlabelled: Mapping[str, int]
    level: float
    width: float
    after: float
    at_random: float

    @property
    def _verdicts(self) -> list[dict[str, Any]]:
        return [
            {"verdict": v, "unlabelled": self.unlabelled[v], "labelled": self.labelled[v], "next": many}
            for v, many in self.per_verdict.items()
        ]

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        parts = [
            f"{formats.integer(many)} of verdict {formats.plain(v, 30)}"
            for v, many in sorted(self.per_verdict.items(), key=lambda each: -each[1])
            if many
        ]
        return (
            f"Label {listing(parts) if len(parts) > 1 else parts[0]} next: the {formats.level_words(self.level)} "
            f"interval of {formats.plain(self.metric)}, {self.width:.3g} wide now, is then about {self.after:.3g} wide "
            f"({self.at_random:.3g} with labels at random)."
        )

    def sheet(self) -> Sheet:
        """A row for each verdict."""
        parts = self.unlabelled, self.labelled, self.per_verdict
        rows = [(formats.plain(v), *(formats.integer(part[v]) for part in parts)) for v in self.per_verdict]
        note = (
            "Spread so that the expected variance is least, which is in proportion to the share of a verdict times the "
            "standard deviation of the truth within it, less the labels that are there (Neyman). Verdicts by jeffreys, "
            "Beta with the mean and the expected variance. Choose the cases of a verdict at random."
        )
        return Sheet(self.sentence, ("verdict", "without label", "with label", "label next"), tuple(rows), (note,))


def next_labels(
    confusion: ConfusionMatrix, labels: int, *, label: str | None = None, level: float = LEVEL
) -> NextLabels:
    """Spread the next labels over the verdicts, so that the share of a class is known as well as can be.

    Parameters
    ----------
    confusion : ConfusionMatrix
        With cases that have a verdict and no label (``unlabelled=``, or ``missing="estimate"``).
    labels : int
        How many cases people can label next.
    label : str, optional
        The true class whose share is asked; with two classes it makes no difference.
    level : float
        Of the intervals.

    Returns
    -------
    NextLabels

    Raises
    ------
    InvalidArgument
        A matrix all of whose cases have a label, more labels than cases without one, a class that is none.

    Notes
    -----
    With q_v the mean share of verdict v and r_v ~ Beta(a_v, b_v), m_v more labels bring the expected variance of the
    share down by sum q_v^2 Var(r_v) m_v / (a_v + b_v + m_v), exactly; the best next label, again and again, is the
    best spread.

    Examples
    --------
    >>> cm = ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
    >>> dict(next_labels(cm, 40).per_verdict)
    {'fail': 23, 'pass': 17}
    """
    if not isinstance(confusion, ConfusionMatrix):
        raise InvalidArgument(f"next_labels() takes a ConfusionMatrix with verdicts, not {excerpt(confusion)}")
    level, known = checked_level(level), confusion.verdicts
    if known is None:
        raise InvalidArgument(
            "every case has a label, so none is left to label next; a matrix with unlabelled= cases (or predictions "
            "read with missing='estimate') is needed"
        )
    room = np.asarray(known.unlabelled)
    if isinstance(labels, bool) or not isinstance(labels, int | np.integer) or not 1 <= labels <= room.sum():
        raise InvalidArgument(
            f"labels is an integer from 1 to {formats.integer(int(room.sum()))}, the cases without a label; "
            f"not {excerpt(labels)}"
        )
    truths = confusion.labels[: known.truths]
    if label is None:
        if len(truths) > 2:
            raise InvalidArgument(f"the share of which class is asked? name it with label=: {listing(truths)}")
        label = confusion.positive or truths[-1]
    index = confusion.index(label)
    if index >= known.truths:
        raise InvalidArgument(f"{excerpt(label)} is a verdict and no true class; the classes are {listing(truths)}")
    own = np.where(known.column == index, 0.5, 0.5 / (known.truths - 1))
    a = known.labelled[index] + own
    b = known.labelled.sum(0) + 1 - a
    totals = known.totals.astype(np.float64)
    mean, variance = share_moments(totals, a, b)
    spread = fewest_doubts(int(labels), totals, a, b, room)
    random = room * (labels / room.sum())

    def width_after(more: Floats) -> float:
        return float(matched_width(mean, variance - saved(totals, a, b, more), level))

    return NextLabels(
        metric=f"prevalence@{truths[index]}",
        labels=int(labels),
        per_verdict=_named(known.names, spread),
        labelled=_named(known.names, known.labelled.sum(0)),
        unlabelled=_named(known.names, room),
        level=level,
        width=width_after(np.zeros(len(room))),
        after=width_after(spread.astype(np.float64)),
        at_random=width_after(random),
    )


def saved(totals: Floats, a: Floats, b: Floats, more: Floats) -> float:
    """By how much the variance falls on average with more labels of each verdict, all of shape (V,)."""
    q, size = (totals + 1) / (totals + 1).sum(), a + b
    return float((q**2 * a * b / (size**2 * (size + 1)) * more / (size + more)).sum())


def _named(names: tuple[str, ...], values: Any) -> dict[str, int]:
    return dict(zip(names, (int(x) for x in values), strict=True))
