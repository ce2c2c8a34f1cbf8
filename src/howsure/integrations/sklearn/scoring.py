"""Scorers of scikit-learn that keep their counts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix
from howsure.data.labels import label_text
from howsure.errors import InvalidArgument, InvalidLabels, MissingExtra, NoInformation, excerpt
from howsure.laws.law import LEVEL, checked_level
from howsure.metrics import parse
from howsure.numerics.arrays import repeat
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior

__all__ = [
    "PosteriorScorer",
    "Summary",
    "counted",
    "make_posterior_scorer",
    "sklearn_module",
    "whole_weights",
]


# -- The one place that imports scikit-learn ---------------------------------------------------------------------------


def sklearn_module(name: str, purpose: str) -> Any:
    """A module of scikit-learn, such as ``metrics``; raises `MissingExtra` where it is not installed."""
    try:
        return import_module(f"sklearn.{name}")
    except ModuleNotFoundError as absent:
        if absent.name != "sklearn":
            raise
        raise MissingExtra(purpose, "sklearn") from None


# -- From scikit-learn's arguments to counts ---------------------------------------------------------------------------


def whole_weights(sample_weight: Any, n: int) -> NDArray[np.int64]:
    """Weights as numbers of cases.

    Raises
    ------
    InvalidArgument
        Fractional or negative weights: they are not numbers of cases, so no law of a count fits them.
    """
    weights = np.asarray(sample_weight, dtype=float)
    if weights.shape != (n,):
        raise InvalidArgument(f"sample_weight needs one weight for each of {n} cases, not shape {weights.shape}")
    odd = np.flatnonzero(~(weights >= 0) | (weights != np.floor(weights)))
    if len(odd):
        raise InvalidArgument(
            f"sample_weight of case {odd[0] + 1} is {excerpt(weights[odd[0]].item())}; intervals need integers of "
            "cases, because the width comes from how many there are. Leave the weights out, or state the prevalence "
            "with Posterior.at_prevalence where they correct for a class mix"
        )
    return weights.astype(np.int64)


def counted(y_true: Any, y_pred: Any, classes: NDArray[Any], sample_weight: Any = None) -> NDArray[np.int64]:
    """Counts by true and predicted class, shape (K, K), for classes in sorted order (``unique_labels``).

    Raises
    ------
    InvalidLabels
        Fewer than two classes.
    """
    if len(classes) < 2:
        raise InvalidLabels(
            f"all answers are {excerpt(classes.tolist()[0])}; how well a classifier tells classes apart needs two"
        )
    true, pred = (np.searchsorted(classes, np.asarray(y).ravel()) for y in (y_true, y_pred))
    table = np.zeros((len(classes), len(classes)), dtype=np.int64)
    np.add.at(table, (true, pred), 1 if sample_weight is None else whole_weights(sample_weight, len(true)))
    return table


# -- Scorers for scikit-learn that select by what is known, not by what was seen ---------------------------------------


Summary = Literal["lower", "mean", "median", "upper"]


@dataclass(frozen=True)
class PosteriorScorer:
    """A scorer ``(estimator, X, y) -> float``; made by `make_posterior_scorer`.

    Attributes
    ----------
    metric : str
        In the grammar of metrics.
    summary : str
        Which number of the posterior is the score.
    level : float
        Probability with which the metric is better than "lower".
    prior : str, Prior or None
        As in `howsure.infer`.
    """

    metric: str
    summary: Summary
    level: float
    prior: str | Prior | None

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:  # its name there
        """Score of a fitted classifier; more is better. NaN where the counts and the prior say nothing."""
        predicted = estimator.predict(X)
        # a class that the fold missed is a class all the same
        known = [*np.unique(np.asarray(y)).tolist(), *np.unique(np.asarray(predicted)).tolist()]
        known += np.asarray(getattr(estimator, "classes_", [])).tolist()
        labels = list({label_text(x): x for x in sorted(set(known))})
        if sample_weight is not None:
            repeats = whole_weights(sample_weight, len(predicted))
            y, predicted = repeat(np.asarray(y), repeats), repeat(np.asarray(predicted), repeats)
        posterior = infer(ConfusionMatrix.from_predictions(y, predicted, labels=labels), self.prior)
        measure = parse(self.metric, posterior.labels, posterior.confusion.positive)
        try:
            return self.score(knowledge_of(posterior).of(measure), higher=measure.metric.better != "lower")
        except NoInformation:
            return math.nan

    def score(self, known: Distribution, *, higher: bool) -> float:
        """The number of a posterior, turned so that more is better."""
        sign = 1 if higher else -1
        if self.summary == "mean":
            return sign * known.mean
        tail = {"lower": 1 - self.level, "median": 0.5, "upper": self.level}[self.summary]
        return sign * float(known.quantile(tail if higher else 1 - tail))


def make_posterior_scorer(
    metric: str, *, summary: Summary = "lower", level: float = LEVEL, prior: str | Prior | None = None
) -> PosteriorScorer:
    """Scorer for ``cross_validate``, ``GridSearchCV`` and the like.

    Parameters
    ----------
    metric : str
        ``balanced_accuracy``, ``f1@macro``, ``recall@ill`` and so on.
    summary : "lower", "mean", "median" or "upper"
        "lower" is the bound that the metric is better than with probability ``level``: choosing by it prefers what is
        surely good to what was perhaps lucky. "upper" is its mirror image.
    level : float
        Probability of the bound, one-sided.
    prior : str or Prior, optional
        As in `howsure.infer`.

    Returns
    -------
    PosteriorScorer
        A callable; it pickles, so it works with ``n_jobs``.

    Raises
    ------
    InvalidArgument
        An unknown summary or an impossible level. Unknown metrics are found at the first call, when the classes are
        known.

    Notes
    -----
    For a metric of which less is better the sign is turned, as in scikit-learn, and "lower" is the pessimistic end.

    Examples
    --------
    >>> scorer = make_posterior_scorer("balanced_accuracy", summary="lower")
    >>> class Half:
    ...     classes_ = [0, 1]
    ...     def predict(self, X):
    ...         return [0, 1] * (len(X) // 2)
    >>> round(scorer(Half(), [None] * 8, [0, 1, 0, 1, 0, 1, 0, 1]), 3)
    0.694
    """
    if summary not in get_args(Summary):
        raise InvalidArgument(f"summary is 'lower', 'mean', 'median' or 'upper', not {excerpt(summary)}")
    return PosteriorScorer(metric, summary, checked_level(level), prior)
