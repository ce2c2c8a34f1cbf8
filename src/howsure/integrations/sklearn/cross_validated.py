"""What scikit-learn's cross-validation leaves behind, as counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix, in_folds
from howsure.data.groups import Folds
from howsure.errors import InvalidArgument
from howsure.integrations.sklearn.scoring import sklearn_module
from howsure.numerics.arrays import repeat

__all__ = ["from_cross_val_predict", "from_cross_validate"]


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
