"""What an expert says or an earlier matrix shows, checked and made into pseudo-counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from howsure.arguments import number
from howsure.errors import InvalidArgument, excerpt, listing
from howsure.numerics.elicitation import RATES, beta_of_belief, table_of_rates

__all__ = ["Counted", "Told", "believed", "weighted_table"]


class Counted(Protocol):
    """A confusion matrix, as far as a prior needs one."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """Counts, rows truth."""

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names."""


@dataclass(frozen=True)
class Told:
    """Pseudo-counts cell by cell: class names, table (K, K) with rows truth, and those of the prevalence (K,)."""

    labels: tuple[str, ...]
    table: tuple[tuple[float, ...], ...]
    prevalence: tuple[float, ...]

    def aligned(self, labels: Sequence[str], name: str) -> Told:
        """The same with its classes in the order of ``labels``; refuses other classes in the name of the prior."""
        if sorted(self.labels) != sorted(labels):
            raise InvalidArgument(
                f"prior {excerpt(name)} is about the classes {listing(self.labels)}, the matrix about {listing(labels)}"
            )
        order = [self.labels.index(label) for label in labels]
        table = tuple(tuple(self.table[i][j] for j in order) for i in order)
        return Told(tuple(labels), table, tuple(self.prevalence[i] for i in order))


def believed(mean: float, interval: tuple[float, float], level: float) -> tuple[float, float]:
    """Beta parameters of a mean and of an interval with its probability, or the sentence that says what is wrong."""
    try:
        low, high = map(number, interval)
        ok = 0 <= low < number(mean) < high <= 1 and 0 < number(level) < 1
    except (TypeError, ValueError):  # no pair
        ok = False
    if not ok:
        raise InvalidArgument(
            "a belief is a mean strictly inside an interval within 0 and 1, at a level below 1; "
            f"not mean {excerpt(mean)}, interval {excerpt(interval)}, level {excerpt(level)}"
        )
    found = beta_of_belief(float(mean), low, high, level)
    if found is None:
        raise InvalidArgument(
            f"no Beta with mean {mean:g} has probability {level:g} in {low:g} to {high:g}; "
            "state a narrower interval, or a higher level"
        )
    return found


def weighted_table(labels: tuple[str, str], weight: float, rates: Mapping[str, float]) -> NDArray[np.float64]:
    """Pseudo-counts [[TN, FP], [FN, TP]] of three rates, or the sentence that says what is wrong."""
    unknown = [rate for rate in rates if rate not in RATES]
    if unknown or len(rates) != 3:
        raise InvalidArgument(f"from_rates takes three of {listing(RATES)}; got {listing(rates) or 'none'}")
    for rate, value in rates.items():
        if not 0 < number(value) < 1:
            raise InvalidArgument(f"{rate} is a rate strictly between 0 and 1, not {excerpt(value)}")
    pair = isinstance(labels, list | tuple) and len(labels) == 2 and all(isinstance(x, str | int) for x in labels)
    if not pair or str(labels[0]) == str(labels[1]):
        raise InvalidArgument(f"labels are the negative class and the positive one, not {excerpt(labels)}")
    if not 0 < number(weight) <= 1e12:
        raise InvalidArgument(f"weight is a number of pseudo-counts above 0, not {excerpt(weight)}")
    cells = table_of_rates(rates)
    if cells is None:
        shown = ", ".join(f"{rate} {value:g}" for rate, value in rates.items())
        raise InvalidArgument(f"no table, or more than one, has {shown}; state three rates that agree")
    return cells * weight
