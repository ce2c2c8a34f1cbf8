"""Back from published, rounded figures to counts: every two-class table that fits them, or which figure contradicts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from html import escape
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from howsure.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument, NoInformation, excerpt, listing
from howsure.formats import integer
from howsure.frozen import Frozen
from howsure.laws import Law, Mixture
from howsure.metrics.measure import Measure, parse
from howsure.posterior import infer
from howsure.priors import Prior

__all__ = ["Published", "Reconstruction", "reconstruct"]

Rounding = Literal["nearest", "truncated"]

#: Tables that are kept, and those whose laws are mixed.
MOST_KEPT = 10_000
MOST_MIXED = 1_000
#: Tables that a notebook shows.
MOST_SHOWN = 3
#: Tables that are tried.
MOST_TRIED = 50_000_000
LABELS = ("negative", "positive")


@dataclass(frozen=True)
class Published:
    """A figure as it was printed, and the values that it may have been rounded from.

    Examples
    --------
    >>> Published.of("accuracy", "0.880", "nearest")
    Published(name='accuracy', shown='0.880', low=0.8795, high=0.8805)
    >>> Published.of("recall", "88 %", "truncated").high
    0.89
    """

    name: str
    shown: str
    low: float
    high: float

    @classmethod
    def of(cls, name: str, value: object, rounding: Rounding) -> Published:
        """Read a number, or its text, which keeps the zeros at its end."""
        shown = value.strip() if isinstance(value, str) else repr(value)
        try:
            percent = shown.endswith("%")
            number = Decimal(shown.removesuffix("%").strip())
            places = number.as_tuple().exponent
        except InvalidOperation:
            raise InvalidArgument(f"{name} is a printed number such as 0.88 or '0.880', not {excerpt(value)}") from None
        if not isinstance(places, int) or isinstance(value, bool):
            raise InvalidArgument(f"{name} is a printed number such as 0.88 or '0.880', not {excerpt(value)}")
        step = Decimal(1).scaleb(min(places, 0))
        below, above = (step / 2, step / 2) if rounding == "nearest" else (Decimal(0), step)
        scale = 100 if percent else 1
        return cls(name, shown, float((number - below) / scale), float((number + above) / scale))


class Reconstruction(Frozen):
    """Every table that fits what was published; immutable.

    Attributes
    ----------
    candidates : tuple of ConfusionMatrix
        The tables, at most 10,000 of them; ``count`` says how many fit.
    weights : ndarray, shape (candidates,)
        Probability of each before the figures were known, given that it fits.
    contradictions : tuple of str
        If none fits: the figures without which some would, each alone.

    Examples
    --------
    >>> found = reconstruct(n=34, recall="1.00", specificity="0.75")
    >>> found.count, found.candidates[0].counts.tolist()
    (8, [[24, 8], [0, 2]])
    >>> reconstruct(n=34, recall="1.00", specificity="0.75", accuracy="0.94").candidates[0].counts.tolist()
    [[6, 2], [0, 26]]
    """

    def __init__(
        self,
        candidates: Sequence[ConfusionMatrix],
        count: int,
        weights: NDArray[np.float64],
        published: Sequence[Published],
        contradictions: Sequence[str] = (),
    ) -> None:
        self._candidates, self._count, self._published = tuple(candidates), count, tuple(published)
        self._weights, self._contradictions = weights, tuple(contradictions)

    @property
    def candidates(self) -> tuple[ConfusionMatrix, ...]:
        """The tables that fit."""
        return self._candidates

    @property
    def count(self) -> int:
        """How many tables fit."""
        return self._count

    @property
    def weights(self) -> NDArray[np.float64]:
        """Probability of each candidate."""
        return self._weights.copy()

    @property
    def consistent(self) -> bool:
        """Whether any table fits."""
        return self._count > 0

    @property
    def contradictions(self) -> tuple[str, ...]:
        """Figures without which some table would fit, each alone."""
        return self._contradictions

    def of(self, metric: str, prior: str | Prior | None = None) -> Law:
        """What is known about a metric, over all tables that fit: the mixture of their laws.

        Raises
        ------
        NoInformation
            No table fits.
        InvalidArgument
            More than 1,000 tables fit.
        """
        if not self._count:
            raise NoInformation(f"{self}")
        if self._count > MOST_MIXED:
            most = f"at most {integer(MOST_MIXED)} are mixed; more figures, or sizes=, narrow them"
            raise InvalidArgument(f"{integer(self._count)} tables fit, and {most}")
        if self._count == 1:
            return infer(self._candidates[0], prior).of(metric).law
        return Mixture([infer(c, prior).of(metric).law for c in self._candidates], self._weights)

    def __str__(self) -> str:
        figures = listing(f"{p.name} {p.shown}" for p in self._published)
        if self._count == 1:
            return f"One table fits {figures}:\n{self._candidates[0]}"
        if self._count:
            return f"{integer(self._count)} tables fit {figures}."
        if not self._contradictions:
            return f"Inconsistent: no table has {figures}, and leaving out any one figure does not help."
        return (
            f"Inconsistent: no table has {figures}. Without {' or without '.join(self._contradictions)} some would fit."
        )

    def _repr_html_(self) -> str:
        said, _, _ = str(self).partition("\n")
        tables = "".join(each._repr_html_() for each in self._candidates[:MOST_SHOWN])
        more = f"<p>The first {MOST_SHOWN} of them are shown.</p>" if self._count > MOST_SHOWN else ""
        return f"<section><p><strong>{escape(said)}</strong></p>{tables}{more}</section>"

    def __repr__(self) -> str:
        return f"<Reconstruction: {integer(self._count)} tables fit {listing(p.name for p in self._published)}>"


def reconstruct(
    *,
    n: int | None = None,
    sizes: tuple[int, int] | None = None,
    rounding: Rounding = "nearest",
    **figures: Any,
) -> Reconstruction:
    """Find every two-class table of whole numbers whose rounded metrics are those that were published.

    Parameters
    ----------
    n : int
        Cases in all; not needed with ``sizes``.
    sizes : (int, int), optional
        Negative and positive cases.
    rounding : "nearest" or "truncated"
        "nearest" takes both ways to round a half.
    **figures : float or str
        Metrics by name, as printed: ``accuracy=0.88``, ``recall="0.90"`` (the text keeps the zero), ``f1="71 %"``.

    Returns
    -------
    Reconstruction
        With sizes known all tables are equally probable; otherwise each weighs 1 / ((n0 + 1) (n1 + 1)), the prior
        predictive of uniform rates.

    Raises
    ------
    InvalidArgument
        No figure, a figure that is no number, or far too many tables to try.
    UnknownMetric
        With the nearest name.

    Examples
    --------
    >>> print(reconstruct(n=20, accuracy=0.88))
    Inconsistent: no table has accuracy 0.88. Without accuracy 0.88 some would fit.
    """
    if rounding not in ("nearest", "truncated"):
        raise InvalidArgument(f"rounding is 'nearest' or 'truncated', not {excerpt(rounding)}")
    total = _total(n, sizes)
    if not figures:
        raise InvalidArgument("name at least one figure, such as accuracy=0.88")
    measures = {name: _measure(name) for name in figures}
    published = [Published.of(name, value, rounding) for name, value in figures.items()]
    found, count = _fitting(total, sizes, published, measures)
    tables = [ConfusionMatrix([[tn, fp], [fn, tp]], LABELS) for tn, fp, fn, tp in found.tolist()]
    if count:
        each = 1.0 / ((found[:, 0] + found[:, 1] + 1.0) * (found[:, 2] + found[:, 3] + 1.0))
        return Reconstruction(tables, count, each / each.sum(), published)
    guilty = []
    for one in published:
        rest = [p for p in published if p is not one]
        if _fitting(total, sizes, rest, measures, enough=1)[1]:
            guilty.append(f"{one.name} {one.shown}")
    return Reconstruction([], 0, np.empty(0), published, guilty)


def _total(n: object, sizes: Any) -> int:
    if sizes is not None:
        if len(sizes) != 2 or any(isinstance(s, bool) or not isinstance(s, int) or s < 0 for s in sizes):
            raise InvalidArgument(f"sizes are two numbers of cases, negative and positive, not {excerpt(sizes)}")
        total = sum(sizes)
        if n is not None and n != total:
            raise InvalidArgument(f"sizes add up to {total}, and n is {excerpt(n)}")
        n = total
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise InvalidArgument(f"n is a number of cases, 1 or more, not {excerpt(n)}")
    return n


def _measure(name: str) -> Measure:
    return parse(name, LABELS, "positive")


def _fitting(
    n: int,
    sizes: tuple[int, int] | None,
    published: Sequence[Published],
    measures: dict[str, Measure],
    enough: int = MOST_KEPT,
) -> tuple[NDArray[np.int64], int]:
    """Tables that fit, as rows tn, fp, fn, tp, and how many there are."""
    kept: list[NDArray[np.int64]] = []
    count = 0
    # recall, specificity and accuracy bound the cells; every figure is then held to its own formula
    bounds = {p.name: (p.low, p.high) for p in published}
    _check_work(n, sizes, bounds)
    for positives in [sizes[1]] if sizes else range(n + 1):
        for cells in _blocks(n, positives, bounds):
            tables = cells.reshape(-1, 2, 2).astype(np.float64)
            fits = np.ones(len(cells), dtype=bool)
            with np.errstate(all="ignore"):
                for one in published:
                    values = np.asarray(measures[one.name](tables), dtype=np.float64)
                    slack = 1e-12 * max(1.0, abs(one.high))
                    fits &= (values >= one.low - slack) & (values <= one.high + slack)
            cells = cells[fits]
            count += len(cells)
            if len(cells) and sum(map(len, kept)) < MOST_KEPT:
                kept.append(cells)
            if count >= enough and enough == 1:
                break
        if count and enough == 1:
            break
    found = np.concatenate(kept)[:MOST_KEPT] if kept else np.empty((0, 4), dtype=np.int64)
    return found, count


def _check_work(n: int, sizes: tuple[int, int] | None, bounds: dict[str, tuple[float, float]]) -> None:
    """Refuse what would take minutes."""
    share = 1.0
    for names in (("recall", "sensitivity"), ("specificity",)):
        widths = [bounds[name][1] - bounds[name][0] for name in names if name in bounds]
        share *= min([1.0, *widths])
    tables = (sizes[0] + 1.0) * (sizes[1] + 1.0) if sizes else (n + 1.0) * (n + 2.0) * (n + 3.0) / 6
    if tables * share > MOST_TRIED:
        problem = f"some {tables * share:.1g} tables would have to be tried"
        raise InvalidArgument(f"{problem}; give sizes=, or recall and specificity")


def _blocks(n: int, positives: int, bounds: dict[str, tuple[float, float]]) -> Iterator[NDArray[np.int64]]:
    """Tables with so many positive cases, within the bounds of the two rates and of the accuracy."""
    negatives = n - positives
    tp = _range(positives, bounds.get("recall"), bounds.get("sensitivity"))
    tn = _range(negatives, bounds.get("specificity"))
    accuracy = bounds.get("accuracy")
    if not len(tp) or not len(tn):
        return
    step = max(1, 2_000_000 // len(tn))
    for start in range(0, len(tp), step):
        hits, rights = (x.reshape(-1) for x in np.meshgrid(tp[start : start + step], tn, indexing="ij"))
        if accuracy is not None:
            right = (hits + rights) / n
            inside = (right >= accuracy[0] - 1e-12) & (right <= accuracy[1] + 1e-12)
            hits, rights = hits[inside], rights[inside]
        if len(hits):
            yield np.stack([rights, negatives - rights, positives - hits, hits], axis=1)


def _range(size: int, *bounds: tuple[float, float] | None) -> NDArray[np.int64]:
    """Whole numbers from 0 to ``size`` whose share is within the bounds."""
    low, high = 0, size
    for bound in bounds:
        if bound is not None and size:
            low = max(low, int(np.ceil(bound[0] * size - 1e-9)))
            high = min(high, int(np.floor(bound[1] * size + 1e-9)))
    return np.arange(low, high + 1, dtype=np.int64)
