"""What a call is worth at every prevalence: predictive values as curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from howsure import formats
from howsure._version import __version__
from howsure.errors import InvalidArgument, excerpt
from howsure.laws.law import checked_level
from howsure.questions.asked import Asked
from howsure.sheet import Record, Sheet

__all__ = ["PredictiveValues", "predictive_values"]

Floats = NDArray[np.float64]

#: Prevalences of the table.
SHOWN = (0.001, 0.01, 0.05, 0.1, 0.2, 0.5)


@dataclass(frozen=True, repr=False, eq=False)
class PredictiveValues(Record):
    """Predictive values of one class over the prevalence; made by `Posterior.predictive_values`.

    Attributes
    ----------
    label : str
        The class.
    prevalence : ndarray, shape (n,)
        Its share among the cases.
    positive, negative : ndarray, shape (3, n)
        Low end, median and high end of the probability that a case called ``label`` is one, and that a case called
        otherwise is none.
    here : float
        The share that the posterior has, on average.
    """

    label: str
    prevalence: Floats
    positive: Floats
    negative: Floats
    here: float
    level: float
    prior: str
    odds: tuple[tuple[float, float, float], tuple[float, float, float]]

    def at(self, prevalence: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Low end, median and high end of both values at one prevalence."""
        known = _values(np.array([prevalence]), self.odds)
        return tuple(known[0][:, 0].tolist()), tuple(known[1][:, 0].tolist())

    def sheet(self) -> Sheet:
        """A row for each of a few prevalences."""
        name = formats.interval_name("central", self.level)
        rows = []
        for share in sorted({*SHOWN, self.here}):
            cells = [f"{share:.3g}" + (" (here)" if share == self.here else "")]
            for low, middle, high in self.at(share):
                places = formats.decimals(low, high)
                cells += [formats.number(middle, places), formats.interval(low, high, places)]
            rows.append(tuple(cells))
        label = formats.plain(self.label, 30)
        (low, middle, high), _ = self.at(self.here)
        places = formats.decimals(low, high)
        head = (
            f"A case called {label} is one with probability {formats.number(middle, places)} "
            f"({formats.interval(low, high, places)}) where {self.here:.3g} of the cases are."
        )
        columns = ("prevalence", f"called {label}: right", name, "called otherwise: right", name)
        note = (
            f"Medians and {name} intervals, prior {self.prior}. The other classes keep their proportions; "
            "the rates of the classifier are taken as the same everywhere."
        )
        return Sheet(head, columns, tuple(rows), (note,))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: format ``howsure/1``, kind ``predictive_values``."""
        return {
            "format": "howsure/1",
            "kind": "predictive_values",
            "version": __version__,
            "label": self.label,
            "here": self.here,
            "level": self.level,
            "prior": self.prior,
            "prevalence": self.prevalence.tolist(),
            **{
                name: dict(zip(("low", "median", "high"), values.tolist(), strict=True))
                for name, values in (("positive", self.positive), ("negative", self.negative))
            },
        }


def predictive_values(
    asked: Asked, label: str | None, *, level: float, prevalence: Sequence[float] | None
) -> PredictiveValues:
    """Curves of both predictive values; see `Posterior.predictive_values`.

    At a known prevalence the odds of a predictive value are those of the prevalence times a likelihood ratio, so the
    quantiles of that ratio, found once at prevalence 1/2, give those of the curve everywhere, exactly where the law
    of the one is exact (Fagan 1975, "Nomogram for Bayes's theorem").
    """
    level = checked_level(level)
    confusion = asked.confusion
    name = confusion.positive if label is None else label
    if name is None:
        raise InvalidArgument(f"with {len(confusion.labels)} classes say which one the predictive values are of")
    index = confusion.index(name)
    name = confusion.labels[index]
    grid = _grid() if prevalence is None else np.array(prevalence, dtype=float)
    if grid.ndim != 1 or not len(grid) or not np.all((grid > 0) & (grid < 1)):
        raise InvalidArgument(f"prevalences are numbers strictly between 0 and 1, not {excerpt(prevalence)}")
    half = asked.at_prevalence({name: 0.5})
    tails = [(1 - level) / 2, 0.5, (1 + level) / 2]
    odds = []
    for metric in ("precision", "negative_predictive_value"):
        values = np.clip(half.quietly(f'{metric}@"{name}"').quantile(tails), 0.0, 1 - 1e-15)
        odds.append(tuple((values / (1 - values)).tolist()))
    ratios: Any = tuple(odds)
    positive, negative = _values(grid, ratios)
    here = float(asked.shares[index])
    return PredictiveValues(name, grid, positive, negative, here, level, asked.prior.name, ratios)


def _values(shares: Floats, odds: Sequence[Sequence[float]]) -> tuple[Floats, Floats]:
    """Bayes' rule in odds: quantiles at every prevalence, from those at one half."""
    plus, minus = (np.array(ratio)[:, None] for ratio in odds)
    return shares * plus / (shares * plus + 1 - shares), (1 - shares) * minus / ((1 - shares) * minus + shares)


def _grid(points: int = 101) -> Floats:
    """Even on the logit scale from one in a thousand to all but one in a thousand."""
    return np.asarray(1 / (1 + np.exp(-np.linspace(-1, 1, points) * np.log(999))))
