"""Metrics with numbers of your own: what each error costs, what each class weighs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from howsure.errors import InvalidArgument, excerpt
from howsure.laws import Law, Monotone, Transformed
from howsure.metrics.agreement import mean_informed
from howsure.metrics.margins import Table, Tables, actual, costs_by_class, total
from howsure.metrics.measure import Measure
from howsure.metrics.metric import REGISTRY, Better, MatrixKnowledge, Metric, rate
from howsure.metrics.rates import recall, recall_and_specificity, specificity

BRODERSEN = "Brodersen et al. 2010, section III: c TP/P + (1 - c) TN/N"


@rate(reference=BRODERSEN, parameters={"c": 0.5}, limits={"c": (0, 1)})
def weighted_balanced_accuracy(m: Table, c: float = 0.5) -> Tables:
    """Recall and specificity of a class, weighted by the cost c of missing it and 1 - c."""
    return c * recall(m) + (1 - c) * specificity(m)


@weighted_balanced_accuracy.exact
def _weighted_balanced_accuracy(known: MatrixKnowledge, measure: Measure) -> Law | None:
    return recall_and_specificity(known, measure.index, dict(measure.parameters).get("c", 0.5))


def expected_cost(costs: ArrayLike, *, name: str = "expected_cost") -> Metric:
    """Mean cost of a case, for costs of your own.

    Parameters
    ----------
    costs : array_like, shape (K, K)
        What a case of the row's class costs that is called the column's; finite numbers, negative for a gain.
    name : str
        What outputs call it.

    Returns
    -------
    Metric
        In the unit of the costs, lower is better; exact of two classes and at a stated prevalence.

    Raises
    ------
    InvalidArgument
        Costs that are not a square of finite numbers, or, when it is used, not of the size of the matrix.

    Notes
    -----
    sum_ij p_ij cost_ij; Elkan 2001, "The foundations of cost-sensitive learning".

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.at_prevalence([0.9, 0.1]).of(hs.expected_cost([[0, 1], [20, 0]]))
    expected_cost 0.44 (0.23 to 0.66) 95% HDI, prior calibrated, exact
    """
    table = _numbers(costs, "costs")
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
        raise InvalidArgument(f"costs are a square, one number for each cell of the matrix, not shape {table.shape}")
    span = float(table.min()), float(table.max())
    return _metric(name, MeanCost(tuple(map(tuple, table.tolist()))), span, "Elkan 2001", "lower")


def class_weighted_accuracy(weights: ArrayLike, *, name: str = "class_weighted_accuracy") -> Metric:
    """Mean of the recalls with weights of your own; balanced accuracy if they are equal.

    Parameters
    ----------
    weights : array_like, shape (K,)
        0 or more, in the order of the labels; only their ratios matter.
    name : str
        What outputs call it.

    Returns
    -------
    Metric
        From 0 to 1, higher is better; exact.

    Raises
    ------
    InvalidArgument
        Weights that are negative, not finite or all 0, or, when it is used, not one for each class.

    Notes
    -----
    The weighted accuracy of Brodersen et al. 2010, c TP/P + (1 - c) TN/N, for any number of classes.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.of(hs.class_weighted_accuracy([1, 3]))
    class_weighted_accuracy 0.85 (0.77 to 0.92) 95% HDI, prior calibrated, exact
    """
    shares = _numbers(weights, "weights")
    if shares.ndim != 1 or not np.all(shares >= 0) or not shares.sum() > 0:
        raise InvalidArgument(f"weights are 0 or more, one for each class, not all 0; not {excerpt(weights)}")
    return _metric(name, WeightedRecalls(tuple((shares / shares.sum()).tolist())), (0.0, 1.0), BRODERSEN)


def class_weighted_informedness(weights: ArrayLike, *, name: str = "class_weighted_informedness") -> Metric:
    """Mean over classes of the informedness, with a weight of your own for the recall of each class.

    Parameters
    ----------
    weights : array_like, shape (K,)
        From 0 (only the specificity of the class counts) to 1 (only its recall), in the order of the labels.
    name : str
        What outputs call it.

    Returns
    -------
    Metric
        From -1 to 1, higher is better; exact of two classes and at a stated prevalence.

    Raises
    ------
    InvalidArgument
        Weights that are not from 0 to 1, or, when it is used, not one for each class.

    Notes
    -----
    The weighted Y_s of the blog post "The problem with accuracy": the mean over classes of
    2 w_i recall_i + 2 (1 - w_i) specificity_i - 1. With all w_i = 1/2 it is informedness@macro.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.of(hs.class_weighted_informedness([0.5, 0.9]))
    class_weighted_informedness 0.70 (0.54 to 0.84) 95% HDI, prior calibrated, exact
    """
    return _weighted_by_class("informedness", weights, name)


def class_weighted_markedness(weights: ArrayLike, *, name: str = "class_weighted_markedness") -> Metric:
    """Mean over classes of the markedness, with a weight of your own for the precision of each class.

    Parameters
    ----------
    weights : array_like, shape (K,)
        From 0 (only the negative predictive value counts) to 1 (only the precision), in the order of the labels.
    name : str
        What outputs call it.

    Returns
    -------
    Metric
        From -1 to 1, higher is better; exact of two classes.

    Raises
    ------
    InvalidArgument
        Weights that are not from 0 to 1, or, when it is used, not one for each class.

    Notes
    -----
    The weighted Y_c of the blog post "The problem with accuracy": the mean over classes of
    2 w_i precision_i + 2 (1 - w_i) negative predictive value_i - 1. With all w_i = 1/2 it is markedness@macro.

    Examples
    --------
    >>> import howsure as hs
    >>> post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    >>> post.of(hs.class_weighted_markedness([0.5, 0.9]))
    class_weighted_markedness 0.74 (0.60 to 0.87) 95% HDI, prior calibrated, exact
    """
    return _weighted_by_class("markedness", weights, name)


def _weighted_by_class(base: str, weights: ArrayLike, name: str) -> Metric:
    shares = _numbers(weights, "weights")
    if shares.ndim != 1 or not shares.size or not np.all((shares >= 0) & (shares <= 1)):
        raise InvalidArgument(
            f"weights of {base} are from 0 to 1, one for each class, and 0.5 favours nothing; not {excerpt(weights)}"
        )
    formula = WeightedByClass(f"weighted_{base}", tuple(shares.tolist()))
    return _metric(name, formula, (-1.0, 1.0), REGISTRY[formula.base].reference.partition(";")[0])


@dataclass(frozen=True)
class MeanCost:
    """Mean cost of a case."""

    costs: tuple[tuple[float, ...], ...]

    def __call__(self, m: Table) -> Tables:
        """Mean over the cases, shape (...)."""
        return np.asarray(costs_by_class(m, self.table).sum(-1) / total(m)[..., 0])

    def law(self, known: MatrixKnowledge, measure: Measure) -> Law | None:
        """Linear in the rows at a stated prevalence; of two classes, of three rates."""
        costs, weights = self.table(known.size), known.known_prevalence
        return two_class_cost(known, costs) if weights is None else known.linear(weights[:, None] * costs)

    def table(self, size: int) -> Tables:
        """The costs, shape (K, K), of a matrix of as many classes."""
        _fits("costs", len(self.costs), size)
        return np.array(self.costs)


@dataclass(frozen=True)
class Scaled:
    """A number stretched and moved, as from 0 and 1 to two others, and the way back."""

    low: float
    width: float

    def there(self, x: Tables) -> Tables:
        """From 0 ... 1."""
        return np.asarray(self.low + self.width * x)

    def back(self, y: Tables) -> Tables:
        """To 0 ... 1."""
        return np.asarray((y - self.low) / self.width)

    def slope(self, y: Tables) -> Tables:
        """Derivative of the way back."""
        return np.full(np.shape(y), 1 / self.width)


def moved(law: Law, shift: float, factor: float) -> Transformed:
    """Law of ``shift + factor X``, ``factor`` above 0, of a law that is not closed under that."""
    scale = Scaled(shift, factor)
    low, high = (shift + factor * end for end in law.support)
    curve = Monotone(scale.there, scale.back, scale.slope, (low, high), straight=True)
    return Transformed(law, curve, moments=(shift + factor * law.mean, factor * law.sd))


def two_class_cost(known: MatrixKnowledge, costs: Tables) -> Law | None:
    """Law of the mean cost where the prevalence of two classes is uncertain."""
    if known.size != 2:
        return None
    if np.array_equal(costs[:, 0], costs[:, 1]):  # what a case is called costs nothing: only what it is
        first, second = float(costs[0, 0]), float(costs[1, 0])
        return known.prevalence_of(1) * (second - first) + first
    scale = Scaled(float(costs.min()), float(np.ptp(costs)))
    (kept, false), (missed, hit) = scale.back(costs).tolist()
    law = known.two_class("worth", 1, hit=hit, missed=missed, kept=kept, false=false)
    return None if law is None else moved(law, scale.low, scale.width)


@dataclass(frozen=True)
class WeightedRecalls:
    """Weighted mean of the recalls; classes without cases or weight are left out."""

    weights: tuple[float, ...]

    def __call__(self, m: Table) -> Tables:
        """Weighted mean over classes, shape (...)."""
        _fits("weights", len(self.weights), actual(m).shape[-1])
        rates = recall(m)
        weights = np.where(np.isnan(rates), 0.0, np.array(self.weights))
        return np.asarray((np.nan_to_num(rates) * weights).sum(-1) / weights.sum(-1))

    def law(self, known: MatrixKnowledge, measure: Measure) -> Law:
        """Linear in the rows."""
        _fits("weights", len(self.weights), known.size)
        return known.of_recalls(np.array(self.weights))


@dataclass(frozen=True)
class WeightedByClass:
    """Mean over classes of a metric with one parameter w, which differs by class; undefined classes are left out."""

    base: str
    weights: tuple[float, ...]

    def __call__(self, m: Table) -> Tables:
        """Mean over classes, shape (...)."""
        _fits("weights", len(self.weights), actual(m).shape[-1])
        values = REGISTRY[self.base].formula(m, w=np.array(self.weights))
        defined = ~np.isnan(values)
        return np.asarray(np.where(defined, values, 0.0).sum(-1) / defined.sum(-1))

    def law(self, known: MatrixKnowledge, measure: Measure) -> Law | None:
        """Linear in the rows, or of two classes the metric of one of them."""
        _fits("weights", len(self.weights), known.size)
        if self.base == "weighted_informedness":
            return mean_informed(known, np.array(self.weights))
        # of two classes the precision of one is the negative predictive value of the other
        w = (1 + self.weights[0] - self.weights[-1]) / 2
        return known.two_class(self.base, 0, w=w)


def _fits(what: str, given: int, size: int) -> None:
    if given != size:
        raise InvalidArgument(f"these {what} are for {given} classes; the matrix has {size}")


def _numbers(given: ArrayLike, what: str) -> Tables:
    try:
        table = np.array(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgument(f"{what} are numbers, not {excerpt(given)}") from None
    if not np.all(np.abs(table) <= 1e50):
        raise InvalidArgument(f"{what} are finite numbers, at most 1e50; not {excerpt(given)}")
    return table


def _metric(name: str, formula: Any, span: tuple[float, float], reference: str, better: Better = "higher") -> Metric:
    if not isinstance(name, str) or not name.isidentifier():
        raise InvalidArgument(f"a metric's name is a word of letters, digits and _, not {excerpt(name)}")
    return Metric(
        name=name, formula=formula, per="table", range=span, better=better, reference=reference, law=formula.law
    )
