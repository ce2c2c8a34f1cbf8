"""Folds of a cross-validation: one pass labelled, repeated passes divided by their number, ids that repeat refused."""

from __future__ import annotations

import copy
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import howsure as hs
from howsure.data.folds import Folds
from howsure.errors import InvalidArgument, InvalidLabels

AB = ["ill", "well"]
ONE = hs.ConfusionMatrix([[4, 1], [0, 5]], AB)
TWO = hs.ConfusionMatrix([[3, 2], [0, 5]], AB)
BOTH = hs.ConfusionMatrix.of_passes([ONE, TWO])


@st.composite
def passes(draw: st.DrawFn) -> list[hs.ConfusionMatrix]:
    """Passes over the same cases."""
    sizes = draw(st.lists(st.integers(1, 30), min_size=2, max_size=4))
    made = []
    for _ in range(draw(st.integers(2, 7))):
        rng = np.random.default_rng(draw(st.integers(0, 10**6)))
        rows = [rng.multinomial(n, rng.dirichlet(np.ones(len(sizes)))) for n in sizes]
        made.append(hs.ConfusionMatrix(np.array(rows), [f"c{i}" for i in range(len(sizes))]))
    return made


@given(passes())
def test_counts_are_the_mean_of_the_passes(every: list[hs.ConfusionMatrix]) -> None:
    made = hs.ConfusionMatrix.of_passes(every)
    assert made.counts == pytest.approx(np.mean([each.counts for each in every], axis=0))
    assert made.n == every[0].n
    assert made.class_sizes.tolist() == every[0].class_sizes.tolist()
    assert np.all(made.correct <= made.class_sizes)
    summed = every[0]
    for each in every[1:]:
        summed += each
    assert hs.ConfusionMatrix.of_passes([summed], passes=len(every)) == made
    for same in (pickle.loads(pickle.dumps(made)), copy.deepcopy(made), hs.ConfusionMatrix.from_dict(made.to_dict())):
        assert same == made
        assert hash(same) == hash(made)
    assert json.loads(json.dumps(made.to_dict()))["counts"] == summed.counts.tolist()


def test_the_prior_is_added_to_what_is_divided() -> None:
    recall = stats.beta(3.5 + 2 / 3, 1.5 + 2 / 3)
    known = hs.infer(BOTH).of("recall@ill")
    assert known.mean == pytest.approx(recall.mean(), abs=1e-12)
    assert known.quantile(0.1) == pytest.approx(recall.ppf(0.1), abs=1e-9)
    assert hs.report(hs.infer(BOTH), ["accuracy"]).rows[0].observed == pytest.approx(0.85)
    coin = hs.infer(BOTH, "jeffreys").of("accuracy")
    assert coin.quantile(0.3) == pytest.approx(stats.beta(8.5 + 0.5, 1.5 + 0.5).ppf(0.3), abs=1e-9)
    drawn = hs.infer(BOTH).draw(100_000)[:, 0, 0]
    balanced = hs.infer(BOTH).of("balanced_accuracy").mean
    assert balanced == pytest.approx((recall.mean() + (5 + 2 / 3) / (5 + 4 / 3)) / 2, abs=1e-12)
    assert drawn.mean() == pytest.approx(0.5 * recall.mean(), abs=3e-3)


Y = ["ill", "well", "ill", "well"]
SAID = ["ill", "well", "well", "well"]


def test_one_pass_is_labelled() -> None:
    made = hs.ConfusionMatrix.from_predictions(Y, SAID, folds=[1, 1, 2, 2])
    assert made.folds == Folds(2)
    assert made.counts.dtype == np.int64
    assert hs.report(hs.infer(made), ["accuracy"]).notes[0].startswith("2 classifiers, one pass of a cross-validation")
    assert made.counts.tolist() == hs.ConfusionMatrix.from_predictions(Y, SAID).counts.tolist()
    assert hs.ConfusionMatrix.from_predictions(Y, SAID, folds=[1] * 4).folds is None
    more = made + hs.ConfusionMatrix.from_predictions(Y, SAID, folds=[3, 4, 5, 5])
    assert more.folds == Folds(5)
    assert (made + ONE).folds is None


def test_ids_that_repeat_in_folds_are_passes() -> None:
    made = hs.ConfusionMatrix.from_predictions(Y, SAID, id=["p", "q", "p", "q"], folds=["1.1", "1.2", "2.1", "2.2"])
    one, two = (hs.ConfusionMatrix.from_predictions(Y[i : i + 2], SAID[i : i + 2], labels=AB) for i in (0, 2))
    assert made.counts.tolist() == hs.ConfusionMatrix.of_passes([one, two]).counts.tolist()
    assert made.folds == Folds(4, 2)
    halves = [hs.ConfusionMatrix([[1, 0], [0, 1]], AB)] * 4
    assert hs.ConfusionMatrix.of_passes(halves, passes=2).folds == Folds(4, 2)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"id": [1, 2, 1, 3]}, InvalidLabels, r"the id '1' comes 2 times \(cases 1, 3\); .*group=.*folds="),
        ({"id": [1, 2, 3]}, InvalidLabels, "4 cases and 3"),
        ({"folds": [1, 2, 3, None]}, InvalidLabels, "fold is missing in 1 of 4 cases"),
        ({"id": [1, 2, 1, 3], "folds": [1, 1, 2, 2]}, InvalidLabels, "'1' is tested 2 times and '2' 1 time; each pass"),
        ({"id": [1, 2, 1, 2], "group": [1, 1, 2, 2]}, InvalidLabels, "'1' has two values of group, '1' and '2'"),
        ({"folds": [1, 1, 2, 2], "missing": "estimate"}, InvalidArgument, "id= and folds= are for cases"),
    ],
)
def test_what_is_no_pass_is_refused(options: dict[str, object], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        hs.ConfusionMatrix.from_predictions(Y, SAID, **options)  # type: ignore[arg-type]  # on purpose
