"""What a metric would be if some labels of the reference are wrong: the range over all ways in which that can be.

Wrong labels and sampling are two different doubts. An interval holds the second; the first has no law unless one is
assumed, so it is a range: the worst that so many wrong labels can do in either direction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from howsure.answers.sheet import Answered, Ask, Sheet
from howsure.errors import InvalidArgument, NoInformation, OutOfReach, excerpt
from howsure.errors.arguments import number
from howsure.laws import Interval, Kind
from howsure.laws.law import KIND, LEVEL
from howsure.metrics import Measure
from howsure.posterior.relabelled import Found, Relabelled, if_independent, right_answers, tables
from howsure.text import formats

if TYPE_CHECKING:
    from howsure.posterior.distribution import Distribution

__all__ = ["LabelErrorRange", "checked_wrong", "with_wrong_labels"]


#: The keys of a range.
RANGE = "metric observed low high range=found with_sampling level interval=kind undefined if_independent contradiction"


@dataclass(frozen=True, repr=False, eq=False)
class LabelErrorRange(Answered, json="wrong labels", fields=f"n wrong {RANGE} curve[wrong=0 low=1 high=2]"):
    """Range of a metric while some reference labels may be wrong; made by `Distribution.with_wrong_labels`.

    Attributes
    ----------
    metric : str
        The measure, ``name@where``.
    wrong, n : int
        Labels that may be wrong, at most, and all of them.
    observed : float or None
        Value on the counts as they are.
    low, high : float
        Lowest and highest value on the counts over all ways in which at most ``wrong`` labels are wrong.
    found : "exact" or "search"
        Whether every such table was tried (or the range is closed), or the range is at least as wide as this.
    with_sampling : Interval or None
        Sampling and wrong labels together: from the lower end of the interval at the table with the lowest value to the
        upper end at that with the highest; None where one of these tables has no posterior.
    curve : tuple of (int, float, float)
        Number of wrong labels from 0 on, lowest and highest value; at most 51 of them.
    undefined : bool
        Whether some of these tables leave the metric undefined (0/0); the range is of the others.
    if_independent : float or None
        Value if exactly this share of the labels is wrong, each with the same probability whatever was predicted; None
        with more than two classes, or where the counts contradict it.
    contradiction : str
        The sentence about that, or nothing.
    ask : Ask
        How it was asked.
    """

    metric: str
    wrong: int
    n: int
    observed: float | None
    low: float
    high: float
    found: Found
    with_sampling: Interval | None
    curve: tuple[tuple[int, float, float], ...]
    undefined: bool
    if_independent: float | None
    contradiction: str
    ask: Ask

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        of = f"{formats.integer(self.wrong)} of the {formats.several(self.n, 'reference label')}"
        least = " or wider (found by search)" if self.found == "search" else ""
        seen = "undefined" if self.observed is None else formats.number(self.observed, self.places)
        ends = formats.interval(self.low, self.high, self.places)
        return f"{formats.plain(self.metric)} {seen}: {ends}{least}, with up to {of} wrong."

    @property
    def places(self) -> int:
        """Decimals in which the range is shown: those that the case counts support."""
        return formats.decimals(self.low, self.high) if self.high > self.low else 3

    def sheet(self) -> Sheet:
        """The curve as a table, and what else can be said."""
        rows = [(formats.integer(e), *(formats.number(x, self.places) for x in ends)) for e, *ends in self.curve]
        *found, meaning = self.said()
        header = ("wrong labels, at most", "lowest", "highest")
        return Sheet(self.sentence, header, tuple(rows), (meaning,), below=tuple(found))

    def said(self) -> list[str]:
        """Sentences around the range."""
        name = self._interval_name
        lines = []
        if self.with_sampling is None:
            lines.append("With sampling: no answer, because a table at an end of the range has no posterior.")
        else:
            ends = formats.interval(*self.with_sampling, formats.decimals(*self.with_sampling))
            lines.append(f"Sampling and wrong labels together: {ends} ({name} at both ends of the range).")
        if self.found == "search":
            lines.append("Found by search: the range is at least as wide as this.")
        if self.undefined:
            lines.append("Some of these tables leave it undefined (0/0); the range is of the others.")
        share = f"{100 * self.wrong / self.n:.3g}%"
        if self.if_independent is not None:
            value = formats.number(self.if_independent, max(self.places, 3))
            lines.append(f"If {share} of the labels are wrong whatever was predicted, it is {value} on these counts.")
        elif self.contradiction:
            lines.append(f"If {share} of the labels were wrong whatever was predicted: {self.contradiction}.")
        lines.append(
            "A wrong label moves a case to another true class; what was predicted stays. The range is the worst in "
            "either direction, and the only answer where the reference was made with the help of the classifier."
        )
        return lines


def checked_wrong(wrong: object, n: int) -> int:
    """A number of wrong labels, or the share of all of them, rounded up; see `with_wrong_labels`.

    Examples
    --------
    >>> checked_wrong(5, 100), checked_wrong(0.02, 130), checked_wrong(0.02, 100)
    (5, 3, 2)
    """
    value = number(wrong)
    whole = isinstance(wrong, int | np.integer)
    if not (value >= 0 if whole else 0 < value < 1):
        raise InvalidArgument(
            "wrong labels are an integer number of them such as 5, or a share below 1 such as 0.02; not "
            f"{excerpt(wrong)}"
        )
    most = math.ceil(min(value, n + 1) if whole else value * n - 1e-9)
    if most > n:
        raise InvalidArgument(
            f"{excerpt(wrong)} wrong labels are more than the {formats.several(n, 'label')} there are"
        )
    return most


def with_wrong_labels(known: Distribution, wrong: float, *, level: float = LEVEL, kind: Kind = KIND) -> LabelErrorRange:
    """Range of the observed value while so many reference labels may be wrong, and of the interval with it.

    Parameters
    ----------
    wrong : int or float
        Labels that are wrong at most: an integer number of them, or their share (0.02), rounded up.
    level, kind : float, "hdi" or "central"
        Of the interval at both ends.

    Returns
    -------
    LabelErrorRange
        Two classes: exact over all tables (above some 2,000 wrong labels a search). More: exact for accuracy and for
        metrics of one class against the rest; others by a search, so the range is at least that wide.

    Raises
    ------
    InvalidArgument
        More wrong labels than labels; a sum or difference; a prevalence that was counted elsewhere.
    NoInformation
        No table defines the metric.
    OutOfReach
        Too many classes and wrong labels for a search.

    Notes
    -----
    A wrong label moves a case within its column of the table (TP to FP, FN to TN, and back), so with net moves i and j
    every table with abs(i) + abs(j) <= E can be the true one; accuracy moves by E/N.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.of("mcc").with_wrong_labels(5)
    mcc 0.74: 0.64 to 0.85, with up to 5 of the 100 reference labels wrong.
    >>> round(post.of("accuracy").with_wrong_labels(0.05).if_independent, 4)
    0.9111
    """
    ask = Ask(level, kind)
    term = known._single
    if term is None:
        raise InvalidArgument("wrong labels are asked of a metric of one posterior, not of a sum or difference")
    source: Any = term.source
    measure, table = term.measure, hasattr(source, "confusion")
    if not table and not hasattr(source, "correct"):
        raise InvalidArgument("wrong labels are asked of a table of cases that all have a label")
    n = source.confusion.n if table else source.n
    most = checked_wrong(wrong, n)
    if not n:
        raise NoInformation("there is no case, so no label can be wrong")
    value, contradiction = None, ""
    if table:
        found = tables(source, measure, most)
        value, contradiction = if_independent(source, measure, most)
    else:
        found = right_answers(source, measure, most)
    if math.isnan(found.low[-1]):
        raise NoInformation(f"{formats.plain(measure.name)} is undefined (0/0) whichever {most} labels are wrong")
    return LabelErrorRange(
        metric=measure.name,
        wrong=most,
        n=n,
        observed=known.observed,
        low=float(found.low[-1]),
        high=float(found.high[-1]),
        found=found.how,
        with_sampling=_together(known, found, measure, ask),
        curve=tuple(zip(found.at, found.low.tolist(), found.high.tolist(), strict=True)),
        undefined=found.undefined,
        if_independent=value,
        contradiction=contradiction,
        ask=ask,
    )


def _together(known: Distribution, found: Relabelled, measure: Measure, ask: Ask) -> Interval | None:
    """From the lower end at the table with the lowest value to the upper end at that with the highest."""
    ends = [known.interval(ask.level, ask.kind)]
    for source in found.ends:
        try:
            ends.append(source().of(measure, draws=known._draws, seed=known._seed).interval(ask.level, ask.kind))
        except (NoInformation, OutOfReach):
            return None
    return Interval(min(x.low for x in ends), max(x.high for x in ends), level=ask.level, kind=ends[0].kind)
