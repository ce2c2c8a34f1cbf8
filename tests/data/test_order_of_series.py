"""Two Series of one index in another order are never paired by position."""

from __future__ import annotations

import pytest

from howsure.data.confusion import ConfusionMatrix
from howsure.data.predictions import Predictions
from howsure.data.scores import Scores
from howsure.errors import InvalidLabels


def test_series_with_one_index_in_another_order_are_refused() -> None:
    pandas = pytest.importorskip("pandas")
    true = pandas.Series(["a", "a", "b"], index=[4, 7, 9])
    with pytest.raises(InvalidLabels, match=r"the same index in another order.*y_pred\.loc\[y_true\.index\]"):
        ConfusionMatrix.from_predictions(true, pandas.Series(["b", "a", "a"], index=[9, 7, 4]))
    for make in (Predictions, Scores):
        with pytest.raises(InvalidLabels, match=r"y_\w+ of 'a' have the same index in another order"):
            make(true, {"a": pandas.Series([0.0, 1.0, 1.0], index=[9, 7, 4])})
    # a model answers with an index of its own: by position, as in scikit-learn
    for index in ([0, 1, 2], [4, 7, 9]):
        made = ConfusionMatrix.from_predictions(true, pandas.Series(["a", "a", "b"], index=index))
        assert made.counts.tolist() == [[2, 0], [0, 1]]
