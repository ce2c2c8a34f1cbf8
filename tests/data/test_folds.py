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
from howsure.errors import InvalidArgument, InvalidCounts, InvalidLabels
from howsure.io import matrix_csv

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


@pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")
@given(passes())
def test_passes_that_agree_say_what_one_says(every: list[hs.ConfusionMatrix]) -> None:
    alike = hs.infer(hs.ConfusionMatrix.of_passes([every[0]] * len(every)))
    one = hs.infer(every[0])
    for metric in ("accuracy", "balanced_accuracy"):
        assert alike.of(metric).mean == pytest.approx(one.of(metric).mean, rel=1e-9)
        assert alike.of(metric).sd == pytest.approx(one.of(metric).sd, rel=1e-9)


def test_the_prior_is_added_to_what_is_divided() -> None:
    recall = stats.beta(3.5 + 1, 1.5 + 1)
    known = hs.infer(BOTH).of("recall@ill")
    assert known.mean == pytest.approx(recall.mean(), abs=1e-12)
    assert known.quantile(0.1) == pytest.approx(recall.ppf(0.1), abs=1e-9)
    assert hs.report(hs.infer(BOTH), ["accuracy"]).rows[0].observed == pytest.approx(0.85)
    coin = hs.infer(BOTH, "jeffreys").of("accuracy")
    assert coin.quantile(0.3) == pytest.approx(stats.beta(8.5 + 0.5, 1.5 + 0.5).ppf(0.3), abs=1e-9)
    drawn = hs.infer(BOTH).draw(100_000)[:, 0, 0]
    balanced = hs.infer(BOTH).of("balanced_accuracy").mean
    assert balanced == pytest.approx((recall.mean() + 6 / 7) / 2, abs=1e-12)
    assert drawn.mean() == pytest.approx(0.5 * recall.mean(), abs=3e-3)


def test_summed_passes_are_narrower() -> None:
    """What is refused: as many cases as tests."""
    assert hs.infer(ONE + TWO).of("accuracy").sd < 0.8 * hs.infer(BOTH).of("accuracy").sd


def test_faces_of_passes() -> None:
    assert repr(BOTH) == "<ConfusionMatrix of 2 classes, 10 cases in 2 passes of a cross-validation, rows are truth>"
    assert str(BOTH).splitlines()[1].split() == ["ill", "3.5", "1.5"]
    assert "<td>3.5</td>" in BOTH._repr_html_()
    assert BOTH.folds == Folds(0, 2)
    assert BOTH.merge({"sick": ["ill"]}).folds == BOTH.folds
    assert BOTH.one_vs_rest("ill").counts.tolist() == [[5.0, 0.0], [1.5, 3.5]]
    assert (BOTH + BOTH).n == 20
    said = hs.report(hs.infer(BOTH), ["accuracy"])
    assert "10 cases in 2 passes: ill 5, well 5" in str(said)
    assert said.notes[0].startswith("each case was tested in 2 passes of a cross-validation: counts are tests divided")
    assert said.to_dict()["folds"] == {"classifiers": 0, "passes": 2}


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


def test_groups_beside_ids_and_folds() -> None:
    count = hs.ConfusionMatrix.from_predictions
    assert len(getattr(count(Y, SAID, id=[1, 2, 1, 2], group=["a", "b", "a", "b"]).groups, "names", ())) == 2
    made = count(Y, SAID, id=[1, 2, 3, 4], group=["a", "b", "a", "b"], folds=[1, 1, 2, 2])
    assert len(getattr(made.groups, "names", ())) == 2
    assert made.folds == Folds(2)


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"id": [1, 2, 1, 3]}, InvalidLabels, r"the id '1' comes 2 times \(cases 1, 3\); .*group=.*folds="),
        ({"id": [1, 1, 1, 3]}, InvalidLabels, r"comes 3 times \(cases 1, 2 ...\)"),
        ({"id": [1, 2, 3]}, InvalidLabels, "4 cases and 3"),
        ({"id": [1, 2, 3, None]}, InvalidLabels, "id is missing in 1 of 4 cases"),
        ({"folds": [1, 2, 3, None]}, InvalidLabels, "fold is missing in 1 of 4 cases"),
        ({"id": [1, 2, 1, 2], "folds": [1, 1, 1, 2]}, InvalidLabels, "'1' comes 2 times in fold '1'.*differently"),
        ({"id": [1, 2, 1, 3], "folds": [1, 1, 2, 2]}, InvalidLabels, "'1' is tested 2 times and '2' 1 time; each pass"),
        ({"id": [1, 1, 2, 2], "folds": [1, 2, 1, 2]}, InvalidLabels, "'1' has two true classes"),
        ({"id": [1, 2, 1, 2], "group": [1, 1, 2, 2]}, InvalidLabels, "'1' has two groups, '1' and '2'"),
        (
            {"id": [1, 2, 1, 2], "group": [1, 2, 1, 2], "folds": [1, 1, 2, 2]},
            InvalidArgument,
            "2 passes .* cannot be combined",
        ),
        ({"folds": [1, 1, 2, 2], "missing": "estimate"}, InvalidArgument, "id= and folds= are for cases"),
    ],
)
def test_what_is_no_pass_is_refused(options: dict[str, object], error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        hs.ConfusionMatrix.from_predictions(Y, SAID, **options)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize(
    ("given_", "options", "error", "sentence"),
    [
        (
            [ONE, hs.ConfusionMatrix([[4, 2], [0, 5]], AB)],
            {},
            InvalidCounts,
            "pass 1 tests 5 .*'ill' and pass 2 6; each",
        ),
        ([ONE, hs.ConfusionMatrix([[4, 1], [0, 5]], ["a", "b"])], {}, InvalidLabels, "different classes"),
        ([ONE], {"passes": 2}, InvalidCounts, "'ill' has 5 tests, which is not 2 times"),
        ([ONE], {}, InvalidArgument, "2 passes or more, not 1"),
        ([ONE, TWO], {"passes": 3}, InvalidArgument, "2 matrices are not 3 whole passes"),
        ([ONE, 1], {}, InvalidArgument, "there is int in it"),
        ([], {}, InvalidArgument, "there is nothing in it"),
        (ONE, {}, InvalidArgument, "a list of confusion matrices"),
        ([BOTH, BOTH], {}, InvalidArgument, "a pass needs whole numbers"),
    ],
)
def test_what_are_no_passes_is_refused(
    given_: object, options: dict[str, int], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        hs.ConfusionMatrix.of_passes(given_, **options)  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize(
    "asked",
    [
        BOTH.transpose,
        lambda: BOTH.subset(["ill", "well"]),
        lambda: ONE + BOTH,
        lambda: hs.classical(BOTH),
        lambda: matrix_csv(BOTH),
        lambda: hs.report(hs.infer(BOTH), ["accuracy"], wrong_labels=1),
    ],
)
def test_what_needs_whole_cases_says_so(asked) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidArgument, match="pass"):
        asked()


@pytest.mark.parametrize(
    "folds", [{"passes": 2}, {"classifiers": 1, "passes": 0}, {"classifiers": 1.5, "passes": 2}, 3]
)
def test_plain_data_of_folds_is_checked(folds: object) -> None:
    with pytest.raises(InvalidArgument, match='"folds" needs'):
        hs.ConfusionMatrix.from_dict({**BOTH.to_dict(), "folds": folds})
    with pytest.raises(InvalidArgument, match="do not add up to 3 times"):
        hs.ConfusionMatrix.from_dict({**BOTH.to_dict(), "folds": {"classifiers": 0, "passes": 3}})
