"""What else a report says of each metric: probabilities of thresholds, and quantiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from howsure.errors import InvalidArgument, excerpt
from howsure.laws import Draws, Law
from howsure.text import formats

Numbers = float | Sequence[float]
Ranges = tuple[float, float] | Sequence[tuple[float, float]]


class Holding(TypedDict, total=False):
    """Keywords of `thresholds`."""

    above: Numbers
    below: Numbers
    between: Ranges
    quantiles: Numbers


#: A claim about a metric: as the head of a column for people, in words, and as the head of a column in CSV.
CLAIMS = {
    "above": ("P(> {})", "above {}", "p_above_{}"),
    "below": ("P(< {})", "below {}", "p_below_{}"),
    "between": ("P({} to {})", "from {} to {}", "p_between_{}_{}"),
}


@dataclass(frozen=True)
class Thresholds:
    """Numbers that a metric is held against.

    Attributes
    ----------
    above, below : tuple of float
        P(metric > x) and P(metric < x).
    between : tuple of (float, float)
        P(low <= metric <= high).
    quantiles : tuple of float
        Probabilities whose quantiles are asked for.
    """

    above: tuple[float, ...] = ()
    below: tuple[float, ...] = ()
    between: tuple[tuple[float, float], ...] = ()
    quantiles: tuple[float, ...] = ()

    @property
    def _claims(self) -> list[tuple[str, Any]]:
        return [(what, at) for what in CLAIMS for at in getattr(self, what)]

    def _written(self, form: int) -> tuple[str, ...]:
        ends = ((what, at if isinstance(at, tuple) else (at,)) for what, at in self._claims)
        return tuple(CLAIMS[what][form].format(*map(formats.exactly, at)) for what, at in ends)

    @property
    def heads(self) -> tuple[str, ...]:
        """Heads of the columns in tables for people."""
        return (*self._written(0), *(f"{100 * p:g}% quantile" for p in self.quantiles))

    @property
    def spoken(self) -> tuple[str, ...]:
        """What each probability is of, in words."""
        return self._written(1)

    @property
    def columns(self) -> tuple[str, ...]:
        """Heads of the columns in CSV."""
        return (*self._written(2), *(f"quantile_{formats.exactly(p)}" for p in self.quantiles))

    def answers(self, law: Law) -> tuple[float, ...]:
        """The probabilities, then the quantiles, of one law; draws do not make certain what could be otherwise."""
        return (
            *(_careful(law, law.prob(**{what: at}), at) for what, at in self._claims),
            *(float(law.quantile(p)) for p in self.quantiles),
        )

    def refuse_percentages(self, laws: Mapping[str, Law]) -> None:
        """Refuse a threshold above 1 where no metric can be above 1: it is a percentage."""
        if not laws or any(law.support[1] > 1 for law in laws.values()):
            return
        for what, at in self._claims:
            numbers = at if isinstance(at, tuple) else (at,)
            if odd := [x for x in numbers if x > 1]:
                share = f"; {formats.exactly(odd[0])}% is {odd[0] / 100:.12g}" if odd[0] <= 100 else ""
                problem = f"{what} is {formats.exactly(odd[0])}, and {next(iter(laws))} is never above 1"
                raise InvalidArgument(f"{problem}{share}")

    def words(self, answers: Sequence[float] | None, places: int, draws: int | None) -> tuple[str, ...]:
        """Cells of a row; blank where it has no answer."""
        if answers is None:
            return ("",) * len(self.heads)
        first = len(self.heads) - len(self.quantiles)
        return (
            *(formats.probability(value, draws) for value in answers[:first]),
            *(formats.number(value, places) for value in answers[first:]),
        )

    def to_list(self, answers: Sequence[float] | None) -> list[dict[str, Any]]:
        """Plain data of a row, ready for JSON."""
        claims = [*self._claims, *(("quantile", p) for p in self.quantiles)]
        values = [None] * len(claims) if answers is None else [v if np.isfinite(v) else None for v in answers]
        return [
            {what: list(at) if isinstance(at, tuple) else at, "value" if what == "quantile" else "probability": value}
            for (what, at), value in zip(claims, values, strict=True)
        ]


#: None asked for.
NOTHING = Thresholds()


def thresholds(above: Numbers = (), below: Numbers = (), between: Ranges = (), quantiles: Numbers = ()) -> Thresholds:
    """Take one number or several of each.

    Examples
    --------
    >>> thresholds(above=0.8, between=(0.7, 0.9), quantiles=[0.05]).heads
    ('P(> 0.8)', 'P(0.7 to 0.9)', '5% quantile')
    """
    pairs: list[Any] = [between] if _is_pair(between) else list(_several("between", between))
    for pair in pairs:
        if not _is_pair(pair) or not float(pair[0]) <= float(pair[1]):
            raise InvalidArgument(f"between is a pair (low, high) with low <= high, not {excerpt(pair)}")
    levels = _numbers("quantiles", quantiles)
    odd = [p for p in levels if not 0 < p < 1]
    if odd:
        raise InvalidArgument(
            f"a quantile is asked for by a probability strictly between 0 and 1, not {excerpt(odd[0])}"
        )
    ranges = tuple((float(low), float(high)) for low, high in pairs)
    return Thresholds(_numbers("above", above), _numbers("below", below), tuple(dict.fromkeys(ranges)), levels)


def _careful(law: Law, probability: float, at: Any) -> float:
    low, high = law.support
    inside = [low < x < high for x in (at if isinstance(at, tuple) else (at,))]
    if not isinstance(law, Draws) or not any(inside):
        return probability
    return min(max(probability, 1 / law.n), 1 - 1 / law.n)


def _numbers(what: str, given: Any) -> tuple[float, ...]:
    values = [given] if _is_number(given) else list(_several(what, given))
    for value in values:
        if not _is_number(value):
            raise InvalidArgument(f"{what} is a finite number, or several, not {excerpt(value)}")
    return tuple(dict.fromkeys(float(value) for value in values))


def _several(what: str, given: Any) -> Iterable[Any]:
    if isinstance(given, str) or not isinstance(given, Sequence | np.ndarray):
        raise InvalidArgument(f"{what} is a number, or several, not {excerpt(given)}")
    return given


def _is_pair(given: Any) -> bool:
    return isinstance(given, Sequence) and len(given) == 2 and all(map(_is_number, given))


def _is_number(value: Any) -> bool:
    number = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return number and abs(value) < 1e300
