"""What takes estimators of scikit-learn: scorers that keep their counts, cross-validation, a display."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from howsure.data.confusion import ConfusionMatrix, in_folds
from howsure.data.groups import Folds
from howsure.data.labels import label_text
from howsure.errors import InvalidArgument, InvalidLabels, MissingExtra, NoInformation, excerpt
from howsure.laws import Kind
from howsure.laws.law import KIND, LEVEL, checked_level
from howsure.metrics import Measure, parse
from howsure.numerics.arrays import repeat
from howsure.posterior.distribution import Distribution
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.posterior import infer
from howsure.posterior.priors import Prior
from howsure.reporting.report_row import default_measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
    """Weights as numbers of cases."""
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
    """Counts by true and predicted class, shape (K, K), for classes in sorted order (``unique_labels``)."""
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


def from_cross_val_predict(y: Any, y_pred: Any, *, cv: Any = None, groups: Any = None) -> ConfusionMatrix:
    """Counts of what ``cross_val_predict`` gives: one pass, every case predicted by a model that did not see it.

    Parameters
    ----------
    y : array_like, shape (n,)
        True classes, as it was called with.
    y_pred : array_like, shape (n,)
        What it gave.
    cv, groups
        What it was called with. Groups are patients or documents: several cases of one are no independent cases.

    Raises
    ------
    InvalidLabels
        Scores instead of classes, or not one of each for every case.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_predict
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> made = from_cross_val_predict(y, cross_val_predict(GaussianNB(), X, y, cv=10), cv=10)
    >>> made.n, made.folds
    (150, Folds(classifiers=10, passes=1))
    """
    splits = sklearn_module("model_selection", "from_cross_val_predict").check_cv(cv, y, classifier=True)
    trained = int(splits.get_n_splits(np.zeros((len(y), 1)), y, groups))
    return in_folds(ConfusionMatrix.from_predictions(y, y_pred, group=groups), Folds(trained))


def from_cross_validate(
    cv_results: Mapping[str, Any], X: Any, y: Any, *, groups: Any = None
) -> ConfusionMatrix:  # its name there
    """Counts of the held-out cases of all folds; of repeated passes divided by their number.

    Parameters
    ----------
    cv_results : mapping
        From ``cross_validate(..., return_estimator=True, return_indices=True)``.
    X, y, groups : array_like
        What it was called with.

    Returns
    -------
    ConfusionMatrix
        Every case, predicted by models that did not see it; its classes are those of ``y``.

    Raises
    ------
    InvalidArgument
        Results without estimators or indices; repeated passes of cases in groups.
    InvalidLabels
        Splits that do not test every case equally often (``ShuffleSplit``).

    Notes
    -----
    The counts are of several models that share most of their training cases. Their posterior is about the procedure
    on average; it does not cover how the next training set would change the model.

    Examples
    --------
    >>> import howsure as hs
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_validate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> done = cross_validate(GaussianNB(), X, y, return_estimator=True, return_indices=True)
    >>> hs.infer(from_cross_validate(done, X, y)).of("balanced_accuracy")
    balanced_accuracy 0.948 (0.913 to 0.980) 95% HDI, prior learned, exact
    """
    if "estimator" not in cv_results or "indices" not in cv_results:
        raise InvalidArgument(
            "these results hold no models or no indices of the folds; say "
            "cross_validate(..., return_estimator=True, return_indices=True)"
        )
    tests = [np.asarray(test) for test in cv_results["indices"]["test"]]
    cases = np.concatenate(tests)
    fold = repeat(np.arange(len(tests)), [len(test) for test in tests])
    pick = sklearn_module("utils", "from_cross_validate")._safe_indexing
    predicted = [model.predict(pick(X, test)) for model, test in zip(cv_results["estimator"], tests, strict=True)]
    answers = np.concatenate([np.asarray(each) for each in predicted])
    truth = np.asarray(y)
    labels = np.unique(np.concatenate([truth, answers])).tolist()
    group = None if groups is None else np.asarray(groups)[cases]
    return ConfusionMatrix.from_predictions(truth[cases], answers, labels=labels, id=cases, folds=fold, group=group)


class PosteriorDisplay:
    """Posterior densities of metrics; make it with `from_predictions` or `from_estimator`.

    Parameters
    ----------
    distributions : dict of str to Distribution
        What to draw, by name.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn last.

    Examples
    --------
    >>> shown = PosteriorDisplay.from_predictions([0, 1, 1, 0, 1, 0], [0, 1, 1, 0, 0, 0], metrics=["accuracy", "mcc"])
    >>> sorted(shown.distributions)
    ['accuracy', 'mcc']
    """

    ax_: Axes
    figure_: Figure

    def __init__(self, distributions: dict[str, Distribution]) -> None:
        self.distributions = distributions

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        labels: Any = None,
        metrics: Sequence[str] | None = None,
        prior: str | Prior | None = None,
        level: float = LEVEL,
        kind: Kind = KIND,
        ax: Axes | None = None,
    ) -> PosteriorDisplay:
        """Draw the posterior of metrics from true and predicted classes.

        Parameters
        ----------
        y_true, y_pred : array_like, shape (n,)
            Classes.
        labels : sequence, optional
            All classes; those seen if left out.
        metrics : sequence of str, optional
            Names in the grammar of metrics; those of a report if left out.
        prior : str or Prior, optional
            As in `howsure.infer`.
        level, kind : float, "hdi" or "central"
            Of the intervals.
        ax : Axes, optional
            Those of a new figure if left out.
        """
        posterior = infer(ConfusionMatrix.from_predictions(y_true, y_pred, labels=labels), prior)
        asked: Sequence[str | Measure] = default_measures(posterior) if metrics is None else list(metrics)
        known = [posterior.of(name) for name in asked]
        return cls({each.title: each for each in known}).plot(ax=ax, level=level, kind=kind)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        labels: Any = None,
        **options: Any,  # its name there
    ) -> PosteriorDisplay:
        """Draw the posterior of metrics of a fitted classifier on test cases; the options of `from_predictions`."""
        labels = getattr(estimator, "classes_", None) if labels is None else labels
        return cls.from_predictions(y, estimator.predict(X), labels=labels, **options)

    def plot(self, *, ax: Axes | None = None, level: float = LEVEL, kind: Kind = KIND) -> PosteriorDisplay:
        """Draw: one density, or a ridge of several."""
        from howsure.plots import posterior, ridge
        from howsure.plots.style import figure_of

        known = self.distributions
        self.ax_ = (posterior if len(known) == 1 else ridge)(known, ax=ax, level=level, kind=kind)
        self.figure_ = figure_of(self.ax_)
        return self
