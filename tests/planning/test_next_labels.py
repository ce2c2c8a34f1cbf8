"""Which cases to label next: the best spread by trying all, the expected width by simulation, and what is refused."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

import howsure as hs
from howsure.cli import main
from howsure.errors import InvalidArgument
from howsure.numerics.trials.judged_labels import fewest_doubts, share_moments
from howsure.planning.next_labels import saved

JUDGED = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
HALVES = st.integers(0, 8).map(lambda k: k + 0.5)


@settings(max_examples=tries(60), deadline=None)
@given(
    st.lists(st.tuples(st.integers(5, 60), HALVES, HALVES, st.integers(1, 9)), min_size=2, max_size=3),
    st.integers(1, 20),
)
def test_no_other_spread_is_better(cells: list[tuple[int, float, float, int]], labels: int) -> None:
    cases, a, b, room = (np.array(x) for x in zip(*cells, strict=True))
    labels = min(labels, int(room.sum()))
    found = fewest_doubts(labels, cases.astype(float), a, b, room)
    assert found.sum() == labels
    every = (np.array(x, dtype=float) for x in product(*(range(r + 1) for r in room)) if sum(x) == labels)
    best = max(saved(cases.astype(float), a, b, x) for x in every)
    assert saved(cases.astype(float), a, b, found.astype(float)) == pytest.approx(best, rel=1e-12)


def test_many_labels_are_neymans() -> None:
    cases, r = np.array([1400.0, 600]), np.array([0.9, 0.3])
    found = fewest_doubts(100_000, cases, 5000 * r, 5000 * (1 - r), np.array([10**6, 10**6]))
    shares = (found + 5000) / (100_000 + 10_000)
    wanted = np.array([0.7, 0.3]) * np.sqrt(r * (1 - r))
    np.testing.assert_allclose(shares, wanted / wanted.sum(), atol=1e-3)


def test_the_expected_variance_is_that_of_simulated_labels() -> None:
    rng = np.random.default_rng(5)
    cases, a, b, more = np.array([30.0, 15]), np.array([3.5, 1.5]), np.array([1.5, 2.5]), np.array([6, 4])
    hits = rng.binomial(more, rng.beta(a, b, (200_000, 2)))
    _, after = share_moments(np.broadcast_to(cases, hits.shape), a + hits, b + more - hits)
    _, before = share_moments(cases, a, b)
    assert before - saved(cases, a, b, more.astype(float)) == pytest.approx(after.mean(), abs=5 * after.std() / 440)


def test_more_of_the_verdict_that_is_in_doubt() -> None:
    made = hs.next_labels(JUDGED, 40)
    assert made.per_verdict == {"fail": 23, "pass": 17}
    assert made.after <= made.at_random < made.width
    assert made.sentence.startswith("Label 23 of verdict fail, 17 of verdict pass next: the 95 % interval")
    assert made.to_dict()["verdicts"][0] == {"verdict": "fail", "unlabelled": 572, "labelled": 28, "next": 23}
    everything = hs.next_labels(JUDGED, 1900)
    assert everything.per_verdict == {"fail": 572, "pass": 1328}
    assert everything.after == pytest.approx(everything.at_random)


def test_a_verdict_that_nobody_checked_comes_first() -> None:
    some = hs.ConfusionMatrix([[0, 2], [0, 60]], labels=["fail", "pass"], unlabelled={"fail": 300, "pass": 300})
    assert hs.next_labels(some, 20).per_verdict["fail"] >= 15


def test_the_share_of_a_class_of_three() -> None:
    three = hs.ConfusionMatrix(
        [[9, 1, 0], [2, 7, 3], [0, 1, 8]], labels=["a", "b", "c"], unlabelled={"a": 100, "b": 100, "c": 100}
    )
    with pytest.raises(InvalidArgument, match="name it with label="):
        hs.next_labels(three, 10)
    made = hs.next_labels(three, 10, label="a")
    assert made.metric == "prevalence@a"
    assert sum(made.per_verdict.values()) == 10
    assert made.per_verdict["c"] < made.per_verdict["b"]


@pytest.mark.parametrize("label", ["a", "b", "c"])
def test_of_three_classes_the_width_now_is_that_of_a_report(label: str) -> None:
    """Where nobody is called wrongly, too: the others share the half case that is theirs."""
    three = hs.ConfusionMatrix(
        [[9, 0, 0], [0, 9, 3], [0, 1, 8]], labels=["a", "b", "c"], unlabelled={"a": 100, "b": 200, "c": 200}
    )
    reported = hs.infer(three).of(f"prevalence@{label}").interval().width
    assert hs.next_labels(three, 10, label=label).width == pytest.approx(reported, rel=0.04)


@pytest.mark.parametrize("odd", [0, -1, 1901, 1.5, "4", True, None])
def test_what_is_no_number_of_labels(odd: object) -> None:
    with pytest.raises(InvalidArgument, match="from 1 to 1,900"):
        hs.next_labels(JUDGED, odd)  # type: ignore[arg-type]


def test_a_matrix_with_all_labels_has_none_left(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(InvalidArgument, match="every case has a label"):
        hs.next_labels(hs.ConfusionMatrix([[5, 1], [1, 5]]), 3)
    file = tmp_path / "m.csv"
    file.write_text("true\\pred,a,b\na,5,1\nb,1,5\n")
    assert main(["next-labels", str(file), "--more", "3"]) != 0
    assert "every case has a label" in capsys.readouterr().err
