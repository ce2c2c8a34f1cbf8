"""The display in the manner of scikit-learn."""

from __future__ import annotations

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest
from sklearn.datasets import load_wine
from sklearn.naive_bayes import GaussianNB

import howsure as hs
from howsure.integrations.sklearn import PosteriorDisplay


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::howsure.errors.PriorShiftWarning")
def test_a_display_is_made_from_predictions_and_from_an_estimator() -> None:
    mpl.use("agg")
    X, y = load_wine(return_X_y=True)
    model = GaussianNB().fit(X[::2], y[::2])
    metrics = ["accuracy", "f1@macro"]
    one = PosteriorDisplay.from_estimator(model, X[1::2], y[1::2], metrics=metrics)
    two = PosteriorDisplay.from_predictions(y[1::2], model.predict(X[1::2]), metrics=metrics)
    assert list(one.distributions) == list(two.distributions) == metrics
    known = hs.infer(hs.ConfusionMatrix.from_predictions(y[1::2], model.predict(X[1::2]))).of("accuracy")
    assert one.distributions["accuracy"].mean == known.mean
    assert one.figure_ is one.ax_.figure
    _, ax = plt.subplots()
    assert one.plot(ax=ax).ax_ is ax
    assert len(PosteriorDisplay.from_estimator(model, X[1::2], y[1::2]).distributions) == 11
    plt.close("all")
