"""scikit-learn's report of several labels, with intervals: its numbers to the digit, an interval for each average."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")

from howsure.errors import InvalidArgument
from howsure.integrations.sklearn import classification_report


def labels(seed: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Forty items, three labels, a tenth wrong."""
    rng = np.random.default_rng(seed)
    truth = (rng.random((40, 3)) < [0.3, 0.5, 0.6]).astype(int)
    return truth, np.where(rng.random((40, 3)) < 0.1, 1 - truth, truth)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_indicators_have_a_report_with_an_interval_of_each_average() -> None:
    from sklearn import metrics

    truth, answers = labels()
    plain = metrics.classification_report(truth, answers, output_dict=True, zero_division=0)
    made = classification_report(truth, answers, output_dict=True, zero_division=0)
    assert {key: value for key, value in made.items() if key != "interval"} == plain
    for row in ("0", "1", "2", "micro avg", "macro avg", "weighted avg", "samples avg"):
        for column in ("precision", "recall", "f1-score"):
            low, high = made["interval"][row][column]
            assert low <= plain[row][column] <= high
    text = classification_report(truth, answers, target_names=["a", "b", "c"], zero_division=0)
    assert "samples avg" in text
    assert "averages over new items; averages of labels simulated" in text


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_weights_of_items_with_several_labels_are_refused() -> None:
    truth, answers = labels()
    with pytest.raises(InvalidArgument, match="leave sample_weight out"):
        classification_report(truth, answers, sample_weight=np.ones(40))
