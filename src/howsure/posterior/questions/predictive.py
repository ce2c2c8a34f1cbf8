"""What a call is worth at every prevalence: predictive values as curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from howsure.errors import InvalidArgument, excerpt, listing
from howsure.errors.arguments import numbers
from howsure.laws.draw_settings import DRAWS
from howsure.laws.law import LEVEL, checked_level
from howsure.metrics import of_class
from howsure.numerics.arrays import Floats
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.text import formats
from howsure.text.json_envelope import envelope
from howsure.text.sheet import Record, Sheet
from howsure.text.svg import bands

if TYPE_CHECKING:
    from howsure.posterior.posterior import Posterior

__all__ = ["PredictiveValues", "predictive_curves", "predictive_values"]


Odds = tuple[tuple[float, float, float], tuple[float, float, float]]

RATES = ("recall", "false_positive_rate")

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
    odds : pair of three floats
        Odds of both values at prevalence 1/2: low end, median, high end.
    recall, alarm : float
        Mean share of ``label`` that is called so, and of the others that are.
    """

    label: str
    prevalence: Floats
    positive: Floats
    negative: Floats
    here: float
    level: float
    prior: str
    odds: Odds
    recall: float
    alarm: float

    def at(self, prevalence: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Low end, median and high end of both values at one prevalence."""
        known = _values(np.array([prevalence]), self.odds)
        return tuple(known[0][:, 0].tolist()), tuple(known[1][:, 0].tolist())

    def sheet(self) -> Sheet:
        """A row for each of a few prevalences."""
        name = formats.interval_name("central", self.level)
        # a stated share that was made to add to 1 with the others may be off by its last bit
        others = (share for share in SHOWN if not math.isclose(share, self.here))
        rows = [
            (f"{share:.3g}" + (" (here)" if share == self.here else ""), *_worth(share, self.odds))
            for share in sorted([*others, self.here])
        ]
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

    def picture(self) -> str:
        """Both curves with their bands as SVG; the line (class ``here``) is where the cases were."""
        label = formats.plain(self.label, 30)
        return bands(
            self.prevalence.tolist(),
            [
                (f"called {formats.plain(label, 20)}", self.positive.tolist()),
                ("called otherwise", self.negative.tolist()),
            ],
            here=self.here,
            xlabel=f"prevalence of {label}",
            title=f"Probability that a call is right, by the prevalence of {label}",
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain data, ready for JSON: format ``howsure/1``, kind ``predictive_values``."""
        return {
            **envelope("predictive_values"),
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


@lru_cache(64)
def _worth(share: float, odds: Odds) -> tuple[str, ...]:
    """Median and interval of both values at one prevalence, in words; the same for all places of a slider."""
    cells: list[str] = []
    for values in _values(np.array([share]), odds):
        low, middle, high = values[:, 0].tolist()
        places = formats.decimals(low, high)
        cells += [formats.number(middle, places), formats.interval(low, high, places)]
    return tuple(cells)


def predictive_values(
    posterior: Posterior, label: str | None = None, *, level: float = LEVEL, prevalence: Sequence[float] | None = None
) -> PredictiveValues:
    """What a call is worth at every prevalence: probability that it is right, as curves.

    Parameters
    ----------
    label : str, optional
        The class; the positive one of two classes if left out.
    level : float
        Of the central intervals.
    prevalence : sequence of float, optional
        Shares of the class, strictly between 0 and 1; 101 of them, even on the logit scale, if left out.

    Returns
    -------
    PredictiveValues
        ``positive`` and ``negative``: low end, median and high end at each prevalence.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.predictive_values()
    A case called ill is one with probability 0.88 (0.79 to 0.95) where 0.5 of the cases are.
    """
    confusion = posterior.confusion
    name = confusion.positive if label is None else label
    if name is None:
        raise InvalidArgument(
            f"say which class the predictive values are of: label= and one of {listing(map(excerpt, confusion.labels))}"
        )
    return predictive_curves(posterior, [name], level=level, prevalence=prevalence)[0]


def predictive_curves(
    posterior: Posterior, labels: Sequence[str], *, level: float = LEVEL, prevalence: Sequence[float] | None = None
) -> list[PredictiveValues]:
    """Curves of both predictive values of several classes; those without a closed law come from one pass of draws.

    At a known prevalence the odds of a predictive value are those of the prevalence times a likelihood ratio, so the
    quantiles of that ratio, found once at prevalence 1/2, give those of the curve everywhere, exactly where the law
    of the one is exact (Fagan 1975, "Nomogram for Bayes's theorem").
    """
    level = checked_level(level)
    grid = _grid() if prevalence is None else numbers(prevalence, "prevalence")
    if grid.ndim != 1 or not len(grid) or not np.all((grid > 0) & (grid < 1)):
        raise InvalidArgument(f"prevalences are numbers strictly between 0 and 1, not {excerpt(prevalence)}")
    known = knowledge_of(posterior)
    indices = [known.confusion.index(label) for label in labels]
    tails = [(1 - level) / 2, 0.5, (1 + level) / 2]
    found = _exact(known, indices, tails)
    made = []
    for index, ratios in zip(indices, _drawn(known, indices, tails) if found is None else found, strict=True):
        positive, negative = _values(grid, ratios.odds)
        name, here = known.confusion.labels[index], float(known.shares[index])
        made.append(
            PredictiveValues(name, grid, positive, negative, here, level, known.prior.name, ratios.odds,
                             ratios.recall, ratios.alarm)
        )  # fmt: skip
    return made


class _Ratios(NamedTuple):
    """Odds of both predictive values at prevalence 1/2 (three quantiles each), and the mean rates behind them."""

    odds: Odds
    recall: float
    alarm: float


def _exact(known: TableKnowledge, indices: Sequence[int], tails: Sequence[float]) -> list[_Ratios] | None:
    """From the laws at prevalence 1/2; None if one of them is not closed."""
    made = []
    for index in indices:
        half = known.at_prevalence({known.confusion.labels[index]: 0.5})
        odds = []
        for metric in ("precision", "negative_predictive_value"):
            law = half.exact_law(of_class(metric, known.confusion.labels, index))
            if law is None:
                return None
            odds.append(_odds(law.quantile(tails)))
        rates = [half.of(of_class(name, known.confusion.labels, index)).mean for name in RATES]
        made.append(_Ratios((odds[0], odds[1]), *rates))
    return made


def _drawn(known: TableKnowledge, indices: Sequence[int], tails: Sequence[float]) -> list[_Ratios]:
    """From the rows of joint tables, one pass for all classes."""
    recalls, alarms = [], []
    # how the other classes share what one class leaves, for each class asked about
    halves = [known.at_prevalence({known.confusion.labels[i]: 0.5}).shares for i in indices]
    others = np.array([2 * np.delete(half, i) for i, half in zip(indices, halves, strict=True)])
    for tables in known.tables(DRAWS):
        rows = tables / tables.sum(axis=2, keepdims=True)
        recalls.append(np.stack([rows[:, i, i] for i in indices], axis=1))
        alarms.append(
            np.stack([np.delete(rows[:, :, i], i, axis=1) @ w for i, w in zip(indices, others, strict=True)], axis=1)
        )
    recall, alarm = np.concatenate(recalls), np.concatenate(alarms)
    right, ruled_out = recall / (recall + alarm), (1 - alarm) / (2 - alarm - recall)
    return [
        _Ratios(
            (_odds(np.quantile(right[:, k], tails)), _odds(np.quantile(ruled_out[:, k], tails))),
            *(float(rate[:, k].mean()) for rate in (recall, alarm)),
        )
        for k in range(len(indices))
    ]


def _odds(values: Any) -> tuple[float, float, float]:
    low, middle, high = np.clip(np.asarray(values, dtype=float), 0.0, 1 - 1e-15).tolist()
    return low / (1 - low), middle / (1 - middle), high / (1 - high)


def _values(shares: Floats, odds: Sequence[Sequence[float]]) -> tuple[Floats, Floats]:
    """Bayes' rule in odds: quantiles at every prevalence, from those at one half."""
    plus, minus = (np.array(ratio)[:, None] for ratio in odds)
    return shares * plus / (shares * plus + 1 - shares), (1 - shares) * minus / ((1 - shares) * minus + shares)


def _grid(points: int = 101) -> Floats:
    """Even on the logit scale from one in a thousand to all but one in a thousand."""
    return np.asarray(1 / (1 + np.exp(-np.linspace(-1, 1, points) * np.log(999))))
