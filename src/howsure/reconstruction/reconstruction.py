"""The tables that fit what was published, and what they say about a metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.data.counts import LARGEST_COUNT
from howsure.data.labels import label_texts
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.errors.arguments import items, number, one_of
from howsure.laws import Kind, Law, Mixture
from howsure.laws.law import KIND, LEVEL
from howsure.metrics.measure import Measure, parse
from howsure.numerics.arrays import Floats, Integers
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.reconstruction.integer_search import MOST_TRIED, TableLimits, TooManyTables, fitting, left_open, refusal
from howsure.reconstruction.ranges import Published, Ranges, Rounding, published_shares, ranges
from howsure.text.formats import integer, several

#: Tables whose laws are mixed.
MOST_MIXED = 1_000
#: Tables that a notebook shows.
MOST_SHOWN = 3


@dataclass(frozen=True, eq=False, repr=False)
class Reconstruction:
    """Every table that fits what was published; immutable.

    Attributes
    ----------
    candidates : tuple of ConfusionMatrix
        The tables, at most 10,000 of them; ``count`` says how many fit.
    weights : ndarray, shape (candidates,)
        Probability of each before the figures were known, given that it fits.
    published : tuple of Published
        The figures, and what each may have been rounded from.
    contradictions : tuple of str
        If none fits: the figures without which some would, each alone.
    otherwise : (str, int) or None
        If none fits: the other ``rounding`` and how many tables fit with it.

    Examples
    --------
    >>> import howsure as hs
    >>> found = hs.reconstruct(n=34, recall="1.00", specificity="0.75")
    >>> found.count, found.candidates[0].counts.tolist()
    (8, [[24, 8], [0, 2]])
    >>> hs.reconstruct(n=34, recall="1.00", specificity="0.75", accuracy="0.94").candidates[0].counts.tolist()
    [[6, 2], [0, 26]]
    """

    candidates: tuple[ConfusionMatrix, ...]
    count: int
    weights: Floats
    published: tuple[Published, ...]
    contradictions: tuple[str, ...] = ()
    otherwise: tuple[Rounding, int] | None = None

    @property
    def consistent(self) -> bool:
        """Whether any table fits."""
        return self.count > 0

    def of(self, metric: str, prior: str | Prior | None = None) -> Law:
        """What is known about a metric, over all tables that fit: the mixture of their laws.

        Raises
        ------
        NoInformation
            No table fits.
        InvalidArgument
            More than 1,000 tables fit.
        """
        if not self.count:
            raise NoInformation(f"{self}")
        if self.count > MOST_MIXED:
            most = f"at most {integer(MOST_MIXED)} are mixed; more figures, or sizes=, narrow them"
            raise InvalidArgument(f"{integer(self.count)} tables fit, and {most}")
        if self.count == 1:
            return infer(self.candidates[0], prior).of(metric).law
        return Mixture([infer(c, prior).of(metric).law for c in self.candidates], self.weights)

    def report(
        self,
        metrics: Sequence[str] | None = None,
        *,
        prior: str | Prior | None = None,
        level: float = LEVEL,
        kind: Kind = KIND,
    ) -> Ranges:
        """What every table that fits says about each metric: the range of its value, its mean and its interval.

        Parameters
        ----------
        metrics : sequence of str, optional
            Accuracy, balanced accuracy, and recalls and precisions of the classes if left out.
        prior, level, kind : optional
            As everywhere.

        Raises
        ------
        NoInformation
            No table fits.

        Examples
        --------
        >>> import howsure as hs
        >>> print(hs.reconstruct(sizes=(8, 26), recall="1.00", accuracy="0.9").report(["specificity"]))
        4 tables fit recall 1.00, accuracy 0.9: what each metric may be.
        <BLANKLINE>
        metric                  observed  mean       means  95% HDI of any
        specificity@positive  0.4 to 0.8   0.6  0.4 to 0.7      0.1 to 1.0
        <BLANKLINE>
        prior calibrated; each pair is the lowest and the highest of any table.
        """
        if not self.count:
            raise NoInformation(f"{self}")
        return ranges(
            self.candidates, self.weights, self.count, self._figures(), metrics, prior=prior, level=level, kind=kind
        )

    def _figures(self) -> str:
        names = [f"{p.name} {p.shown}" for p in self.published if not p.is_share]
        return listing([*names, "the printed shares"] if len(names) < len(self.published) else names)

    def __str__(self) -> str:
        figures = self._figures()
        if self.count == 1:
            return f"One table fits {figures}:\n{self.candidates[0]}"
        if self.count:
            return f"{integer(self.count)} tables fit {figures}."
        return " ".join([f"Inconsistent: no table has {figures}.", *self._reasons()])

    def _reasons(self) -> list[str]:
        """What would have to be otherwise."""
        said = []
        if self.otherwise is not None:
            rounding, count = self.otherwise
            how = "cut, not rounded" if rounding == "truncated" else "rounded, not cut"
            option = f'rounding="{rounding}" (--rounding {rounding})'
            fit = "fits" if count == 1 else "fit"
            said.append(f"{several(count, 'table')} {fit} if the figures were {how}: {option}.")
        if self.contradictions != (self._figures(),):
            without = " or without ".join(self.contradictions)
            said.append(
                f"Without {without} some would fit." if without else "Leaving out any one figure does not help."
            )
        return said

    def _repr_html_(self) -> str:
        said, _, _ = str(self).partition("\n")
        tables = "".join(each._repr_html_() for each in self.candidates[:MOST_SHOWN])
        more = f"<p>The first {MOST_SHOWN} of them are shown.</p>" if self.count > MOST_SHOWN else ""
        return f"<section><p><strong>{escape(said)}</strong></p>{tables}{more}</section>"

    def __repr__(self) -> str:
        return f"<Reconstruction: {integer(self.count)} tables fit {listing(p.name for p in self.published)}>"


# -- From figures to tables --------------------------------------------------------------------------------------------

#: Cases of which every split into two classes is tried.
MOST_SPLIT = 200_000
TWO = ("negative", "positive")

Figure = tuple[Published, Measure]


def reconstruct(
    figures: Mapping[str, Any] | None = None,
    /,
    *,
    n: int | None = None,
    sizes: Sequence[int] | None = None,
    labels: Sequence[object] | None = None,
    shares: Sequence[Sequence[Any]] | None = None,
    rounding: Rounding = "nearest",
    **named: Any,
) -> Reconstruction:
    """Find every table of integers whose rounded metrics are those that were published.

    Parameters
    ----------
    figures : mapping of str to number or str, optional
        Metrics by name, as printed, also of single classes: ``{"recall@cat": "0.90"}``.
    n : int, optional
        Cases in all; not needed with ``sizes``.
    sizes : sequence of int, optional
        Cases of each class; of two classes negative and positive. Needed for three classes and more.
    labels : sequence, optional
        The classes; "negative" and "positive", or "0", "1", ... if left out.
    shares : sequence of sequences, optional
        The matrix as it was printed in shares or per cent of the true classes, one row a true class.
    rounding : "nearest" or "truncated"
        "nearest" takes both ways to round a half; "truncated" is cut towards 0, as 0.66 for 2/3.
    **named : float or str
        More figures: ``accuracy=0.88``, ``recall="0.90"`` (the text keeps the zero), ``f1="71%"``.

    Returns
    -------
    Reconstruction
        With sizes known all tables are equally probable; otherwise each weighs 1 / ((n0 + 1) (n1 + 1)), the prior
        predictive of uniform rates.

    Raises
    ------
    InvalidArgument
        No figure, a figure that is no number or that its metric cannot have, or far too many tables to try: then with
        the figures that would narrow them most.
    UnknownMetric, UnknownLabel
        With the nearest name.

    Examples
    --------
    >>> print(reconstruct(n=20, accuracy=0.88))
    Inconsistent: no table has accuracy 0.88.
    >>> reconstruct(n=3, accuracy=0.66).otherwise  # 2 of 3, cut
    ('truncated', 6)
    >>> found = reconstruct(sizes=(10, 20, 30), shares=[[80, 10, 10], [5, 90, 5], [0, 3, 97]], labels=["a", "b", "c"])
    >>> found.candidates[0].counts.tolist()
    [[8, 1, 1], [1, 18, 1], [0, 1, 29]]
    """
    one_of(rounding, ("nearest", "truncated"), "rounding")
    if figures is not None and not isinstance(figures, Mapping):
        raise InvalidArgument(f'figures are metrics by name, {{"accuracy": "0.88"}}, not {excerpt(figures)}')
    known = _sizes(sizes)
    names = _labels(labels, known, shares)
    printed = {**(figures or {}), **named}
    for k, v in printed.items():  # counts, 86/100, are told so before the number of cases is asked for
        Published.of(k, v, rounding)
    total = _total(n, known)
    if not printed and shares is None:
        raise InvalidArgument("name at least one figure, such as accuracy=0.88, or the table of shares=")
    positive = names[-1] if len(names) == 2 else None
    measures = {k: parse(k, names, positive) for k in printed}
    splits = _splits(total) if known is None else np.array([known])

    def read(way: Rounding) -> Question:
        figures = [(Published.of(k, v, way), measures[k]) for k, v in printed.items()]
        return Question(splits, names, figures, None if shares is None else published_shares(shares, names, way))

    asked = read(rounding)
    _check_ranges(asked.figures)
    found, count = asked.answer()
    published = (*(figure for figure, _ in asked.figures), *(figure for row in asked.rows or () for figure in row))
    if not count:
        other: Rounding = "nearest" if rounding == "truncated" else "truncated"
        try:
            fits = read(other).how_many()
        except InvalidArgument:  # read so, the shares do not add up
            fits = 0
        return Reconstruction((), 0, np.empty(0), published, tuple(asked.guilty()), (other, fits) if fits else None)
    tables = tuple(ConfusionMatrix(table, names, positive=positive) for table in found)
    each = 1 / np.prod(found.sum(axis=2) + 1.0, axis=1)
    return Reconstruction(tables, count, each / each.sum(), published)


@dataclass(frozen=True)
class Question:
    """What was published, read in one way of rounding."""

    #: Cases of each class; several where they are not known, shape (splits, K).
    splits: Integers
    labels: tuple[str, ...]
    figures: list[Figure]
    rows: list[list[Published]] | None

    def answer(self) -> tuple[Integers, int]:
        """Tables that fit, and how many; refuses what would take minutes."""
        limits = TableLimits.of(len(self.labels), self.figures, self.rows)
        try:
            return self._fitting(limits)
        except TooManyTables:
            raise refusal(limits, self.splits, self.labels) from None

    def how_many(self, enough: int | None = None) -> int:
        """Number of tables that fit, up to ``enough``; 0 also where too many are to be tried."""
        try:
            return self._fitting(TableLimits.of(len(self.labels), self.figures, self.rows), enough)[1]
        except TooManyTables:
            return 0

    def guilty(self) -> list[str]:
        """Figures without which some table would fit, each alone; those that leave too much open are not tried."""
        named = [one for one, _ in self.figures]
        parts = {
            f"{one.name} {one.shown}": replace(self, figures=[f for f in self.figures if f[0] is not one])
            for one in named
        }
        rows = self.rows or []
        free = [Published("", "", 0.0, 1.0)] * len(self.labels)
        parts |= {
            f"the shares of {excerpt(label)}": replace(self, rows=[*rows[:i], free, *rows[i + 1 :]])
            for i, label in enumerate(self.labels[: len(rows)])
        }
        found = [name for name, rest in parts.items() if rest.how_many(enough=1)]
        if rows and not any(name.startswith("the shares") for name in found):
            # nothing else was published, or what was fits by itself
            found += ["the printed shares"] * (not named or replace(self, rows=None).how_many(enough=1) > 0)
        return found

    def _fitting(self, limits: TableLimits, enough: int | None = None) -> tuple[Integers, int]:
        # of two classes the tables of all splits are counted beforehand, of more those of a sample
        if len(self.labels) == 2 and left_open(limits, self.splits) > MOST_TRIED:
            raise TooManyTables
        return fitting(self.splits, limits, self.figures, enough=enough)


def _check_ranges(figures: Sequence[Figure]) -> None:
    """Refuse what no table can have, such as an accuracy of 88.5."""
    for figure, measure in figures:
        low, high = measure.metric.range
        if figure.high < low or figure.low > high:
            percent = (
                f"; per cent are written '{figure.shown}%'"
                if high <= 1 and high < figure.low <= 100 and "%" not in figure.shown
                else ""
            )
            raise InvalidArgument(
                f"{figure.name} lies between {low:g} and {high:g}, and {figure.shown} is printed{percent}"
            )


def _sizes(sizes: Any) -> tuple[int, ...] | None:
    if sizes is None:
        return None
    given = items(sizes, "sizes", "a list of numbers of cases, one for each class")
    if len(given) < 2 or any(isinstance(s, bool) or not isinstance(s, int | np.integer) or s < 0 for s in given):
        raise InvalidArgument(
            f"sizes are numbers of cases, one for each class (of two: negative, positive), not {excerpt(sizes)}"
        )
    if sum(given) > LARGEST_COUNT:
        raise InvalidArgument(f"sizes add up to at most 2**53 - 1 = {LARGEST_COUNT}, not {excerpt(sizes)}")
    return tuple(int(s) for s in given)


def _total(n: object, sizes: tuple[int, ...] | None) -> int:
    if sizes is not None:
        if n is not None and number(n) != sum(sizes):
            raise InvalidArgument(f"sizes add up to {sum(sizes)}, and n is {excerpt(n)}")
        n = sum(sizes)
    if n is None:
        raise InvalidArgument(
            "say how many cases there were, n=300 (--n 300), or how many each class had, sizes=(200, 100) (--sizes "
            "200,100; of two: negative, positive)"
        )
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InvalidArgument(f"n is a number of cases, 1 or more, not {excerpt(n)}")
    return n


def _labels(labels: Sequence[object] | None, sizes: tuple[int, ...] | None, shares: Any) -> tuple[str, ...]:
    """The classes; refuses what does not agree on their number."""
    if labels is not None:
        labels = label_texts(labels)
    if shares is not None:
        shares = items(shares, "shares", "a list of rows, one for each true class")
    numbers = {k: len(v) for k, v in (("labels", labels), ("sizes", sizes), ("shares", shares)) if v is not None}
    if len(set(numbers.values())) > 1:
        raise InvalidArgument(f"{listing(f'{k} name {v} classes' for k, v in numbers.items())}; they are of one table")
    size = next(iter(numbers.values()), 2)
    if size > 2 and sizes is None:
        raise InvalidArgument(f"with {size} classes, say how many cases each has, such as sizes=(40, 35, 25)")
    if labels is not None:
        return tuple(map(str, labels))
    return TWO if size == 2 else tuple(map(str, range(size)))


def _splits(n: int) -> Integers:
    """Every split of n cases into two classes, shape (n + 1, 2)."""
    if n > MOST_SPLIT:
        raise InvalidArgument(
            f"of {integer(n)} cases, say how many each class has (sizes=); up to {integer(MOST_SPLIT)} are split here"
        )
    positive = np.arange(n + 1)
    return np.column_stack([n - positive, positive])
