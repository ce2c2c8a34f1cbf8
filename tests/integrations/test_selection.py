"""Scorers in scikit-learn's own tools, and what they leave behind."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedKFold,
    ShuffleSplit,
    cross_val_predict,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import howsure as hs
from howsure.data.groups import Folds
from howsure.errors import InvalidArgument, InvalidLabels
from howsure.integrations.sklearn import from_cross_val_predict, from_cross_validate, make_posterior_scorer


@pytest.mark.full
def test_a_scorer_gives_the_numbers_of_the_posterior() -> None:
    X, y = load_wine(return_X_y=True)
    model = GaussianNB().fit(X[::2], y[::2])
    post = hs.infer(hs.ConfusionMatrix.from_predictions(y[1::2], model.predict(X[1::2])))
    known = post.of("balanced_accuracy")
    for summary, expected in (
        ("lower", known.quantile(0.05)),
        ("mean", known.mean),
        ("median", known.median),
        ("upper", known.quantile(0.95)),
    ):
        scorer = make_posterior_scorer("balanced_accuracy", summary=summary)  # type: ignore[arg-type]  # the four
        assert scorer(model, X[1::2], y[1::2]) == pytest.approx(expected)
        assert isinstance(scorer(model, X[1::2], y[1::2]), float)
    assert pickle.loads(pickle.dumps(scorer)) == scorer


def test_less_is_better_turns_the_sign_and_the_end() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = GaussianNB().fit(X[::2], y[::2])
    wrong = make_posterior_scorer("error_rate")(model, X[1::2], y[1::2])
    right = make_posterior_scorer("accuracy")(model, X[1::2], y[1::2])
    assert wrong == pytest.approx(right - 1)


@pytest.mark.full
def test_scorers_work_in_cross_validation_and_grid_search() -> None:
    X, y = load_wine(return_X_y=True)
    scoring = {"sure": make_posterior_scorer("f1@macro"), "mean": make_posterior_scorer("accuracy", summary="mean")}
    done = cross_validate(GaussianNB(), X, y, scoring=scoring, cv=3)
    assert np.all(done["test_sure"] < 1)
    assert np.all(np.isfinite(done["test_mean"]))
    search = GridSearchCV(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, cv=3,
        scoring=make_posterior_scorer("balanced_accuracy"),
    ).fit(X, y)  # fmt: skip
    assert search.best_params_ == {"max_depth": 3}


@pytest.mark.full
def test_a_class_that_a_fold_misses_is_a_class_all_the_same() -> None:
    X, y = load_wine(return_X_y=True)
    model = LogisticRegression(max_iter=10_000).fit(X, y)
    two = y < 2
    score = make_posterior_scorer("balanced_accuracy", summary="mean")(model, X[two], y[two])
    assert score < make_posterior_scorer("balanced_accuracy", summary="mean")(model, X, y)


def test_weights_are_numbers_of_cases() -> None:
    X, y = load_wine(return_X_y=True)
    model, weights = GaussianNB().fit(X, y), np.arange(len(y)) % 3
    scorer = make_posterior_scorer("accuracy")
    assert scorer(model, X, y, sample_weight=weights) == scorer(model, np.repeat(X, weights, 0), np.repeat(y, weights))


def test_cross_validation_counts_every_case_once() -> None:
    X, y = load_wine(return_X_y=True)
    done = cross_validate(GaussianNB(), X, y, return_estimator=True, return_indices=True)
    made = from_cross_validate(done, X, y)
    assert made == from_cross_val_predict(y, cross_val_predict(GaussianNB(), X, y))
    assert (
        made.counts.tolist()
        == hs.ConfusionMatrix.from_predictions(y, cross_val_predict(GaussianNB(), X, y)).counts.tolist()
    )
    assert made.folds == Folds(5)
    with pytest.raises(InvalidArgument, match="return_estimator"):
        from_cross_validate(cross_validate(GaussianNB(), X, y), X, y)


def test_repeated_cross_validation_is_divided_by_its_passes() -> None:
    X, y = load_wine(return_X_y=True)
    how = {"return_estimator": True, "return_indices": True}
    done = cross_validate(GaussianNB(), X, y, cv=RepeatedKFold(n_splits=5, n_repeats=3, random_state=0), **how)
    made = from_cross_validate(done, X, y)
    assert made.folds == Folds(15, 3)
    assert made.n == len(y)
    scores = cross_validate(GaussianNB(), X, y, cv=RepeatedKFold(n_splits=5, n_repeats=3, random_state=0))
    sizes = [len(test) for test in done["indices"]["test"]]
    assert made.correct.sum() / made.n == pytest.approx(np.average(scores["test_score"], weights=sizes))
    with pytest.raises(InvalidLabels, match="every id comes equally often"):
        from_cross_validate(cross_validate(GaussianNB(), X, y, cv=ShuffleSplit(3, random_state=0), **how), X, y)
