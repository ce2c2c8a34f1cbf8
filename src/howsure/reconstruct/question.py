"""The verb `reconstruct`: from published figures to every table that fits them, or the figure that contradicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from howsure.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.labels import label_texts
from howsure.metrics.measure import Measure, parse
from howsure.reconstruct.found import Reconstruction
from howsure.reconstruct.published import Published, Rounding, published_shares
from howsure.reconstruct.search import MOST_TRIED, Limits, fitting, too_many

__all__ = ["reconstruct"]

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
    """Find every table of whole numbers whose rounded metrics are those that were published.

    Parameters
    ----------
    figures : mapping of str to number or str, optional
        Metrics by name, as printed, also of single classes: ``{"recall@cat": "0.90"}``.
    n : int, optional
        Cases in all; not needed with ``sizes``.
    sizes : sequence of int, optional
        Cases of each class; of two classes negative and positive. Needed for three classes and more.
    labels : sequence, optional
        The classes; "negative" and "positive", or "1", "2", ... if left out.
    shares : sequence of sequences, optional
        The matrix as it was printed in shares or per cent of the true classes, one row a true class.
    rounding : "nearest" or "truncated"
        "nearest" takes both ways to round a half.
    **named : float or str
        More figures: ``accuracy=0.88``, ``recall="0.90"`` (the text keeps the zero), ``f1="71 %"``.

    Returns
    -------
    Reconstruction
        With sizes known all tables are equally probable; otherwise each weighs 1 / ((n0 + 1) (n1 + 1)), the prior
        predictive of uniform rates.

    Raises
    ------
    InvalidArgument
        No figure, a figure that is no number, or far too many tables to try.
    UnknownMetric, UnknownLabel
        With the nearest name.

    Examples
    --------
    >>> print(reconstruct(n=20, accuracy=0.88))
    Inconsistent: no table has accuracy 0.88. Without accuracy 0.88 some would fit.
    >>> found = reconstruct(sizes=(10, 20, 30), shares=[[80, 10, 10], [5, 90, 5], [0, 3, 97]], labels=["a", "b", "c"])
    >>> found.candidates[0].counts.tolist()
    [[8, 1, 1], [1, 18, 1], [0, 1, 29]]
    """
    if rounding not in ("nearest", "truncated"):
        raise InvalidArgument(f"rounding is 'nearest' or 'truncated', not {excerpt(rounding)}")
    known = _sizes(sizes)
    total = _total(n, known)
    names = _labels(labels, known, shares)
    printed = {**(figures or {}), **named}
    if not printed and shares is None:
        raise InvalidArgument("name at least one figure, such as accuracy=0.88, or the table of shares=")
    positive = names[-1] if len(names) == 2 else None
    asked = [(Published.of(k, v, rounding), parse(k, names, positive)) for k, v in printed.items()]
    rows = None if shares is None else published_shares(shares, names, rounding)
    every = [known] if known is not None else _splits(total, asked)
    found, count = fitting(every, Limits.of(len(names), asked, rows), asked)
    published = [*(figure for figure, _ in asked), *(figure for row in rows or () for figure in row)]
    if not count:
        return Reconstruction([], 0, np.empty(0), published, _guilty(every, len(names), asked, rows))
    tables = [ConfusionMatrix(table, names, positive=positive) for table in found]
    each = 1 / np.prod(found.sum(axis=2) + 1.0, axis=1)
    return Reconstruction(tables, count, each / each.sum(), published)


def _sizes(sizes: Any) -> tuple[int, ...] | None:
    if sizes is None:
        return None
    given = tuple(sizes) if not isinstance(sizes, str) and hasattr(sizes, "__iter__") else ()
    if len(given) < 2 or any(isinstance(s, bool) or not isinstance(s, int | np.integer) or s < 0 for s in given):
        raise InvalidArgument(
            f"sizes are numbers of cases, one for each class (of two: negative, positive), not {excerpt(sizes)}"
        )
    return tuple(int(s) for s in given)


def _total(n: object, sizes: tuple[int, ...] | None) -> int:
    if sizes is not None:
        if n is not None and n != sum(sizes):
            raise InvalidArgument(f"sizes add up to {sum(sizes)}, and n is {excerpt(n)}")
        n = sum(sizes)
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InvalidArgument(f"n is a number of cases, 1 or more, not {excerpt(n)}")
    return n


def _labels(labels: Sequence[object] | None, sizes: tuple[int, ...] | None, shares: Any) -> tuple[str, ...]:
    """The classes; refuses what does not agree on their number."""
    numbers = {k: len(v) for k, v in (("labels", labels), ("sizes", sizes), ("shares", shares)) if v is not None}
    if len(set(numbers.values())) > 1:
        raise InvalidArgument(f"{listing(f'{k} name {v} classes' for k, v in numbers.items())}; they are of one table")
    size = next(iter(numbers.values()), 2)
    if size > 2 and sizes is None:
        raise InvalidArgument(f"with {size} classes, say how many cases each has, such as sizes=(40, 35, 25)")
    if labels is not None:
        return label_texts(labels)
    return TWO if size == 2 else tuple(str(i + 1) for i in range(size))


def _splits(n: int, figures: Sequence[Figure]) -> Sequence[tuple[int, int]]:
    """Every split of n cases into two classes; refuses what would take minutes."""
    limits = Limits.of(2, figures)
    widths = np.diff(limits.cells, axis=0)[0]
    if (n + 1.0) * (n + 2.0) * (n + 3.0) / 6 * widths[0, 0] * widths[1, 1] > MOST_TRIED:
        raise too_many()
    return [(n - positive, positive) for positive in range(n + 1)]


def _guilty(
    every: Iterable[tuple[int, ...]],
    size: int,
    figures: Sequence[Figure],
    rows: Sequence[Sequence[Published]] | None,
) -> list[str]:
    """Figures without which some table would fit, each alone; those that leave too much open are not tried."""
    guilty = []
    parts: list[tuple[str, list[Figure], Sequence[Sequence[Published]] | None]] = [
        (f"{one.name} {one.shown}", [f for f in figures if f[0] is not one], rows) for one, _ in figures
    ]
    if rows is not None:
        parts.append(("the table of shares", list(figures), None))
    for name, rest, shares in parts:
        try:
            if fitting(every, Limits.of(size, rest, shares), rest, enough=1)[1]:
                guilty.append(name)
        except InvalidArgument:
            continue
    return guilty
