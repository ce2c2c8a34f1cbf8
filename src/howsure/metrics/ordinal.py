"""Classes that have an order, that of the labels: how many ranks the prediction is off."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

from howsure.laws import Law, Linear, Monotone, Transformed
from howsure.metrics.margins import CostTable, Table, Tables, actual, called, costs_by_class, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import MatrixKnowledge, Metric, metric, share, skill

BACCIANELLA = "Baccianella, Esuli, Sebastiani 2009"


@lru_cache(maxsize=4)
def ranks_off(size: int, power: float = 1.0) -> Tables:
    """|i - j|^power for a true class i called j, shape (K, K)."""
    rank = np.arange(float(size))
    off = np.abs(rank[:, None] - rank) ** power
    off.setflags(write=False)
    return np.asarray(off)


@lru_cache(maxsize=64)
def to_the(power: float) -> CostTable:
    """The costs |i - j|^power for any number of classes."""
    return partial(ranks_off, power=power)


def at_most_one(size: int) -> Tables:
    """1 where a class is called itself or a neighbour, shape (K, K)."""
    return np.where(ranks_off(size) <= 1, 1.0, 0.0)


def mean_of(m: Table, cost: CostTable) -> Tables:
    """Mean of a number for each cell over the cases."""
    return np.asarray(costs_by_class(m, cost).sum(-1) / total(m)[..., 0])


@metric(range=(0, np.inf), better="lower", reference=BACCIANELLA, aliases=["mae"], sklearn="mean_absolute_error")
def mean_absolute_error(m: Table) -> Tables:
    """Mean number of ranks that the prediction is off; at most K - 1."""
    return mean_of(m, to_the(1.0))


@metric(range=(0, np.inf), better="lower", reference=BACCIANELLA, aliases=["mse"], sklearn="mean_squared_error")
def mean_squared_error(m: Table) -> Tables:
    """Mean of the squared number of ranks that the prediction is off."""
    return mean_of(m, to_the(2.0))


@metric(range=(0, np.inf), better="lower", reference=BACCIANELLA, aliases=["rmse"], sklearn="root_mean_squared_error")
def root_mean_squared_error(m: Table) -> Tables:
    """Square root of the mean squared number of ranks that the prediction is off."""
    return np.sqrt(mean_squared_error(m))


@metric(range=(0, np.inf), better="lower", reference=f"{BACCIANELLA}, MAE^M", aliases=["macro_mae", "amae"])
def macro_mean_absolute_error(m: Table) -> Tables:
    """Mean over true classes of the mean number of ranks off; classes without cases are left out."""
    each = costs_by_class(m, to_the(1.0)) / actual(m)
    return np.asarray(np.nan_to_num(each).sum(-1) / (~np.isnan(each)).sum(-1))


@share(reference="Gaudette and Japkowicz 2009", aliases=["accuracy_within_one", "adjacent_accuracy"])
def off_by_one_accuracy(m: Table) -> Tables:
    """Share of the cases that are called their class or a neighbour of it."""
    return mean_of(m, at_most_one)


@skill(
    reference="Cohen 1968",
    aliases=["quadratic_weighted_kappa", "qwk"],
    parameters={"power": 2.0},
    limits={"power": (0.1, 10)},
    sklearn='cohen_kappa_score(weights="quadratic")',
)
def weighted_kappa(m: Table, power: float = 2.0) -> Tables:
    """Kappa that counts an error by its ranks off to a power: 1 for linear weights, 2 for quadratic ones."""
    found, cases = mean_of(m, to_the(power)), total(m)
    expected = ((actual(m) / cases) @ ranks_off(actual(m).shape[-1], power) * (called(m) / cases)).sum(-1)
    return np.asarray(1 - found / expected)


# -- laws where they close --------------------------------------------------------------------------------------


def mean_cost_of(known: MatrixKnowledge, power: float) -> Law | None:
    """At a stated prevalence a mean over cells is linear in the rows; of two classes it is the share that is wrong."""
    weights = known.known_prevalence
    if weights is None:
        return known.two_class("error_rate", 1)
    return known.linear(weights[:, None] * ranks_off(known.size, power))


def _mean_cost(metric: Metric, power: float) -> None:
    @metric.exact
    def _(known: MatrixKnowledge, measure: Measure) -> Law | None:
        return mean_cost_of(known, power)


_mean_cost(mean_absolute_error, 1)
_mean_cost(mean_squared_error, 2)


def double(x: Tables) -> Tables:
    """Derivative of x^2."""
    return 2 * x


@root_mean_squared_error.exact
def _root_mean_squared_error(known: MatrixKnowledge, measure: Measure) -> Law | None:
    square = mean_cost_of(known, 2)
    if square is None:
        return None
    low, high = square.support
    return Transformed(square, Monotone(np.sqrt, np.square, double, (max(low, 0.0) ** 0.5, high**0.5)))


@off_by_one_accuracy.exact
def _off_by_one_accuracy(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """Of two classes each is a neighbour of the other."""
    if known.size == 2:
        return Linear(shift=1.0)
    weights = known.known_prevalence
    return None if weights is None else known.linear(weights[:, None] * at_most_one(known.size))


@macro_mean_absolute_error.exact
def _macro_mean_absolute_error(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """At any prevalence."""
    return known.linear(ranks_off(known.size) / known.size)


@weighted_kappa.exact
def _weighted_kappa(known: MatrixKnowledge, measure: Measure) -> Law | None:
    """With two classes the weights cancel."""
    return known.two_class("kappa", 1)
