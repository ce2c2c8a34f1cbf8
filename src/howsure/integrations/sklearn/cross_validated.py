"""What scikit-learn's cross-validation leaves behind, as counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from howsure.data.confusion import ConfusionMatrix
from howsure.errors import InvalidArgument
from howsure.integrations.sklearn.imports import sklearn_module

__all__ = ["from_cross_validate"]


def from_cross_validate(cv_results: Mapping[str, Any], X: Any, y: Any) -> ConfusionMatrix:  # its name there
    """Counts of the held-out cases of all folds together.

    Parameters
    ----------
    cv_results : mapping
        From ``cross_validate(..., return_estimator=True, return_indices=True)``.
    X, y : array_like
        What it was called with.

    Returns
    -------
    ConfusionMatrix
        Every case once, predicted by the model that did not see it; its classes are those of ``y``.

    Raises
    ------
    InvalidArgument
        Results without estimators or indices, or of repeated cross-validation: a case that is tested twice does not
        count twice.

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
    balanced_accuracy 0.948 (0.913 to 0.980) 95 % HDI, prior learned, exact
    """
    if "estimator" not in cv_results or "indices" not in cv_results:
        raise InvalidArgument(
            "these results hold no models or no indices of the folds; say "
            "cross_validate(..., return_estimator=True, return_indices=True)"
        )
    tests = [np.asarray(test) for test in cv_results["indices"]["test"]]
    cases = np.concatenate(tests)
    times = np.bincount(cases)
    if times.max() > 1:
        raise InvalidArgument(
            f"case {int(np.argmax(times)) + 1} is tested {int(times.max())} times; a case counts once. "
            "Use one repetition of the cross-validation, where the test folds do not overlap"
        )
    pick = sklearn_module("utils", "from_cross_validate")._safe_indexing
    predicted = [model.predict(pick(X, test)) for model, test in zip(cv_results["estimator"], tests, strict=True)]
    answers = np.concatenate([np.asarray(each) for each in predicted])
    truth = np.asarray(y)
    labels = np.unique(np.concatenate([truth, answers])).tolist()
    return ConfusionMatrix.from_predictions(truth[cases], answers, labels=labels)
