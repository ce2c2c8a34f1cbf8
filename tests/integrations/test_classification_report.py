"""The report of scikit-learn: its numbers to the digit, its layout, and our intervals."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from sklearn import datasets, metrics
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import howsure as hs
from howsure.errors import InvalidArgument, InvalidLabels
from howsure.integrations.sklearn import classification_report

# the warning about the prior has a test of its own
pytestmark = pytest.mark.filterwarnings("ignore::howsure.errors.PriorShiftWarning")

NAMES = ("iris", "wine")


def answers(name: str) -> tuple[Any, Any, list[str]]:
    data = getattr(datasets, f"load_{name}")()
    return data.target, cross_val_predict(GaussianNB(), data.data, data.target), [str(x) for x in data.target_names]


@pytest.mark.full
@pytest.mark.parametrize(("name", "digits"), list(zip(NAMES, (2, 4), strict=True)))
def test_the_text_begins_with_that_of_scikit_learn(name: str, digits: int) -> None:
    y_true, y_pred, names = answers(name)
    theirs = metrics.classification_report(y_true, y_pred, target_names=names, digits=digits).split("\n")
    ours = classification_report(y_true, y_pred, target_names=names, digits=digits)
    assert isinstance(ours, str)
    *lines, last, end = ours.split("\n")
    assert (len(lines), end) == (len(theirs), "")
    assert re.fullmatch(r"95% HDI, prior learned, (exact|(\d+ of \d+ )?simulated \(20,000 draws\))\.", last)
    for their, our in zip(theirs, lines, strict=True):
        assert our.startswith(their)
        assert not their.strip() or our.count(" to ") == (0 if "support" in our else 1 if "accuracy" in our else 3)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_the_dictionary_is_that_of_scikit_learn_and_an_interval(name: str) -> None:
    y_true, y_pred, names = answers(name)
    theirs = metrics.classification_report(y_true, y_pred, target_names=names, output_dict=True)
    ours = classification_report(y_true, y_pred, target_names=names, output_dict=True)
    assert isinstance(ours, dict)
    ends = ours.pop("interval")
    assert ours == theirs
    assert set(ends) == set(theirs)
    post = hs.infer(hs.ConfusionMatrix.from_predictions(y_true, y_pred))
    assert ends["accuracy"] == pytest.approx(list(post.of("accuracy").interval()))
    assert ends[names[1]]["recall"] == pytest.approx(list(post.of("recall@1").interval()))
    assert ends["macro avg"]["f1-score"] == pytest.approx(list(post.of("f1@macro").interval()))
    for row in names:
        low, high = ends[row]["recall"]
        assert low <= theirs[row]["recall"] + 1e-12
        assert high >= theirs[row]["recall"] - 0.03


@pytest.mark.filterwarnings("error")
def test_a_prior_that_decides_is_said_to_the_caller() -> None:
    y_true, y_pred, _ = answers("wine")
    with pytest.warns(hs.PriorShiftWarning, match="f1@macro") as caught:
        classification_report(y_true, y_pred, prior="flat")
    assert all(each.filename == __file__ for each in caught)


@pytest.mark.full
def test_some_of_the_labels_are_averaged_as_there() -> None:
    y_true, y_pred, _ = answers("wine")
    theirs = metrics.classification_report(y_true, y_pred, labels=[2, 0], output_dict=True)
    ours = classification_report(y_true, y_pred, labels=[2, 0], output_dict=True)
    assert isinstance(ours, dict)
    ends = ours.pop("interval")
    assert ours == theirs
    assert ends["micro avg"]["recall"] == [None, None]
    post = hs.infer(hs.ConfusionMatrix.from_predictions(y_true, y_pred))
    mean = 0.5 * post.of("recall@0") + 0.5 * post.of("recall@2")
    assert ends["macro avg"]["recall"] == pytest.approx(list(mean.interval()))
    text = classification_report(y_true, y_pred, labels=[2, 0])
    assert isinstance(text, str)
    assert all(
        our.startswith(their)
        for their, our in zip(
            metrics.classification_report(y_true, y_pred, labels=[2, 0]).split("\n"),
            text.split("\n")[:-2],  # without the line on the intervals
            strict=True,
        )
    )


def test_whole_weights_count_cases_and_others_are_refused() -> None:
    y_true, y_pred = np.array(["a", "b", "a", "b", "a"]), np.array(["a", "b", "b", "b", "a"])
    weights = [1, 2, 3, 1, 4]
    ours = classification_report(y_true, y_pred, sample_weight=weights, output_dict=True)
    again = classification_report(np.repeat(y_true, weights), np.repeat(y_pred, weights), output_dict=True)
    assert isinstance(ours, dict)
    assert isinstance(again, dict)
    assert ours["interval"] == again["interval"]
    assert ours["a"]["recall"] == again["a"]["recall"]
    with pytest.raises(InvalidArgument, match=r"case 2 is 0\.5"):
        classification_report(y_true, y_pred, sample_weight=[1, 0.5, 1, 1, 1])


def test_zero_division_is_scikit_learns_and_the_interval_is_the_priors() -> None:
    made = classification_report([0, 1, 1], [1, 1, 1], zero_division=0.0, output_dict=True)
    assert isinstance(made, dict)
    assert made["0"]["precision"] == 0.0
    assert 0 <= made["interval"]["0"]["precision"][0] < made["interval"]["0"]["precision"][1] <= 1
    with pytest.warns(metrics._classification.UndefinedMetricWarning):
        classification_report([0, 1, 1], [1, 1, 1])


def test_what_cannot_be_answered_is_said() -> None:
    with pytest.raises(InvalidLabels, match="needs two"):
        classification_report([1, 1], [1, 1])
    with pytest.raises(InvalidArgument, match="level"):
        classification_report([0, 1], [0, 1], interval=95)
    with pytest.raises(InvalidArgument, match="kind"):
        classification_report([0, 1], [0, 1], kind="eti")  # type: ignore[arg-type]  # on purpose


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_by_default_an_undefined_figure_counts_zero() -> None:
    warned, stated = (classification_report([0, 1, 1, 2], [1, 1, 1, 1], zero_division=z) for z in ("warn", 0))
    assert warned == stated
