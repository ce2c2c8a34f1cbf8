"""What is known of a number at every threshold: its law in closed form for all rows at once, or joint draws."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from howsure.curves.cut_tables import CutTables
from howsure.laws import Law
from howsure.laws.law import Kind
from howsure.laws.many import BetaSums
from howsure.metrics import Measure, expected_cost
from howsure.metrics.cost import MeanCost
from howsure.metrics.margins import Margins
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.cell_worth import CellWorth
from howsure.posterior.posterior import Posterior, infer

__all__ = ["CutEnds", "WorthLaws", "ends_of", "posterior_at", "value_of", "worth_laws"]

#: Metrics that are one rate of one class: whether of the class itself, and whether it is what is left of 1.
ONE_RATE = {
    "recall": (True, False),
    "false_negative_rate": (True, True),
    "specificity": (False, False),
    "false_positive_rate": (False, True),
}


@dataclass(frozen=True, eq=False)
class CutEnds:
    """Means and ends of intervals, shape (T,) each, how they are known, and the Monte Carlo error of the means."""

    mean: Floats
    low: Floats
    high: Floats
    route: str = "exact"
    error: float = 0.0


def ends_of(tables: CutTables, measure: Measure, level: float, kind: Kind, draws: int, seed: int) -> CutEnds:
    """A metric at every threshold.

    Recall, specificity, their complements, balanced accuracy, informedness, accuracy, its complement and costs are
    exact; all others come from joint draws of the tables at all thresholds.
    """
    laws = _rates(tables, measure.twin)
    if laws is not None:
        return CutEnds(laws.mean, *laws.interval(level, kind))
    if isinstance(measure.metric.formula, MeanCost):
        costs = measure.metric.formula.table(2)
        worth = worth_laws(tables, _by_row(tables, costs))
        return CutEnds(worth.mean, *worth.ends(level, kind))
    return _drawn(worth_of(tables, measure, draws, seed), level, kind)


def worth_of(tables: CutTables, measure: Measure, draws: int, seed: int) -> Floats:
    """Joint draws of a metric at all thresholds, shape (draws, T)."""
    return np.concatenate([value_of(measure)(part) for part in tables.draws(draws, seed)])


def value_of(measure: Measure) -> Callable[[Floats], Floats]:
    """The metric as a function of tables (..., 2, 2)."""
    return lambda part: np.asarray(measure(Margins.around(part)), dtype=float)


class WorthLaws:
    """Laws of a mean worth of a case, one a threshold, whatever the prevalence is known from."""

    def __init__(
        self,
        mean: Floats,
        ends: Callable[[float, Kind], tuple[Floats, Floats]],
        below: Callable[[Floats], Floats],
    ) -> None:
        self.mean, self.ends, self.below = mean, ends, below


def worth_laws(tables: CutTables, values: Floats) -> WorthLaws:
    """The laws at all thresholds."""
    if isinstance(tables.share, float):
        phi, alphas = tables.share, tables.alphas
        weights = np.stack([phi * (values[:, 0] - values[:, 1]), (1 - phi) * (values[:, 2] - values[:, 3])], axis=1)
        shift = phi * values[:, 1] + (1 - phi) * values[:, 3]
        sums = BetaSums(alphas[:, ::2], alphas[:, 1::2], weights, shift=shift)
        return WorthLaws(sums.mean, lambda level, kind: tuple(sums.interval(level, kind)), sums.cdf)  # type: ignore[arg-type, return-value]
    positive, negative = (float(part.sum()) for part in (tables.alphas[0, :2], tables.alphas[0, 2:]))
    if tables.share[0] <= positive and tables.share[1] <= negative and tables.source == "test set":
        cells = CellWorth(values, tables.alphas, tables.share)
        return WorthLaws(
            cells.mean,
            lambda level, kind: cells.shortest(level) if kind == "hdi" else cells.central(level),
            cells.below,
        )
    return _one_by_one([_law(tables, row, values[row]) for row in range(len(tables))])


def _one_by_one(laws: Sequence[Law]) -> WorthLaws:
    def ends(level: float, kind: Kind) -> tuple[Floats, Floats]:
        found = np.array([tuple(law.interval(level, kind)) for law in laws])
        return found[:, 0], found[:, 1]

    def below(x: Floats) -> Floats:
        places = np.broadcast_to(np.asarray(x, dtype=float), (len(laws),)).tolist()
        return np.array([float(law.prob(below=at)) for law, at in zip(laws, places, strict=True)])

    return WorthLaws(np.array([law.mean for law in laws]), ends, below)


def _law(tables: CutTables, row: int, values: Floats) -> Law:
    hit, missed, false, kept = values.tolist()
    post = posterior_at(tables, row)
    return post.of(expected_cost([[kept, false], [missed, hit]])).law


def posterior_at(tables: CutTables, row: int) -> Posterior:
    """The posterior at one threshold, as `howsure.infer` makes it."""
    post = infer(tables.confusion(row), tables.prior)
    if isinstance(tables.share, float):
        return post.at_prevalence({tables.labels[1]: tables.share})
    if tables.source == "other cases":
        mass = tables.prior.shares(2)
        return post.at_prevalence(cases=[round(tables.share[1] - mass[0]), round(tables.share[0] - mass[1])])
    return post


def _rates(tables: CutTables, measure: Measure) -> BetaSums | None:
    """The sums of rates that a metric is, or None."""
    name, alphas = measure.metric.name, tables.alphas
    a, b = alphas[:, [0, 3]], alphas[:, [1, 2]]  # recall and specificity of the positive class
    if measure.average is None and not measure.parameters and name in ONE_RATE and measure.index is not None:
        own, left = ONE_RATE[name]
        at = [0] if own == (measure.index == 1) else [1]
        return BetaSums(b[:, at], a[:, at], [1.0]) if left else BetaSums(a[:, at], b[:, at], [1.0])
    if name == "balanced_accuracy":
        return BetaSums(a, b)
    if name == "informedness" and measure.average is None:
        return BetaSums(a, b, [1.0, 1.0], shift=-1.0)
    if name in ("accuracy", "error_rate"):
        return _accuracy(tables, a, b, right=name == "accuracy")
    return None


def _accuracy(tables: CutTables, a: Floats, b: Floats, *, right: bool) -> BetaSums | None:
    if isinstance(tables.share, float):
        a, b = (a, b) if right else (b, a)
        return BetaSums(a, b, [tables.share, 1 - tables.share])
    if tables.source != "test set":
        return None
    correct = np.trace(tables.counts, axis1=1, axis2=2)
    first, second = tables.prior.coin
    hits, misses = (correct + first)[:, None], (tables.sizes.sum() - correct + second)[:, None]
    return BetaSums(hits, misses, [1.0]) if right else BetaSums(misses, hits, [1.0])


def _drawn(values: Floats, level: float, kind: Kind) -> CutEnds:
    """Means and intervals of draws, shape (draws, T); undefined ones are left out."""
    ordered = np.sort(values, axis=0)
    known = (~np.isnan(ordered)).sum(axis=0)
    columns = np.arange(ordered.shape[1])
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.nansum(ordered, axis=0) / known
        sd = np.sqrt(np.nansum((ordered - mean) ** 2, axis=0) / known)
    if kind == "hdi" and known.min() == len(ordered):
        inside = int(np.ceil(level * len(ordered)))
        at = (ordered[inside - 1 :] - ordered[: len(ordered) - inside + 1]).argmin(axis=0)
        low, high = ordered[at, columns], ordered[at + inside - 1, columns]
    else:
        low, high = np.nanquantile(ordered, [(1 - level) / 2, (1 + level) / 2], axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        error = float(np.nanmax(sd / np.sqrt(known)))
    return CutEnds(mean, np.asarray(low), np.asarray(high), "simulated", error)


def _by_row(tables: CutTables, costs: Floats) -> Floats:
    return np.broadcast_to(np.array([costs[1, 1], costs[1, 0], costs[0, 1], costs[0, 0]]), (len(tables), 4)).copy()
