"""Which metrics are rates of each slice, or means of rates: counts k of n that are known to be independent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from howsure.data.slices import Slices
from howsure.metrics import Measure
from howsure.numerics.arrays import Floats, Integers

__all__ = ["SliceRates", "rates_of"]

Tally = tuple[Integers, Integers]


def _accuracy(slices: Slices, label: str) -> Tally:
    return slices.correct, slices.cases


def _recall(slices: Slices, label: str) -> Tally:
    return slices.tally(label)


def _specificity(slices: Slices, label: str) -> Tally:
    hits, actual = slices.tally(label)
    others = slices.cases - actual
    return others - (slices._called(label) - hits), others


def _bias(slices: Slices, label: str) -> Tally:
    return slices._called(label), slices.cases


def _prevalence(slices: Slices, label: str) -> Tally:
    return slices.tally(label)[1], slices.cases


#: Metrics that are one rate: what is counted, and whether the metric is what is left of 1.
RATES: dict[str, tuple[Callable[[Slices, str], Tally], bool]] = {
    "accuracy": (_accuracy, False),
    "error_rate": (_accuracy, True),
    "recall": (_recall, False),
    "false_negative_rate": (_recall, True),
    "specificity": (_specificity, False),
    "false_positive_rate": (_specificity, True),
    "bias": (_bias, False),
    "prevalence": (_prevalence, False),
}


@dataclass(frozen=True, eq=False)
class SliceRates:
    """A metric of every slice as the mean of J independent rates.

    Attributes
    ----------
    k, n : ndarray, shape (J, S)
        Counts and cases of each rate in each slice.
    accuracy : bool
        Whether the rate is the accuracy, which has a prior of its own.
    """

    k: Integers
    n: Integers
    accuracy: bool = False

    @property
    def total(self) -> tuple[Integers, Integers]:
        """Counts and cases of all slices together, shape (J,) each."""
        return self.k.sum(axis=1), self.n.sum(axis=1)

    @property
    def observed(self) -> Floats:
        """Mean of the rates that have a case, shape (S,); NaN where there is none."""
        with np.errstate(divide="ignore", invalid="ignore"):
            rates = self.k / self.n
        known = ~np.isnan(rates)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(known, rates, 0.0).sum(axis=0) / known.sum(axis=0))

    @property
    def empty(self) -> Floats:
        """Weight of the rates without a case, shape (S,)."""
        return np.asarray((self.n == 0).mean(axis=0))


def rates_of(slices: Slices, measure: Measure) -> SliceRates | None:
    """The rates of a metric; None where it is no mean of rates.

    Examples
    --------
    >>> from howsure.metrics import parse
    >>> slices = Slices.from_predictions([0, 1, 1, 1], [0, 1, 0, 1], by=["a", "a", "b", "b"])
    >>> rates_of(slices, parse("recall@1", slices.labels)).observed.tolist()
    [1.0, 0.5]
    """
    found = measure.twin
    name = found.metric.name
    if name == "balanced_accuracy":
        tallies = [slices.tally(label) for label in slices.labels]
        return SliceRates(np.stack([k for k, _ in tallies]), np.stack([n for _, n in tallies]))
    if name not in RATES or found.average is not None or found.parameters:
        return None
    counted, left = RATES[name]
    k, n = counted(slices, found.label or "")
    return SliceRates((n - k if left else k)[None], n[None], accuracy=counted is _accuracy)
