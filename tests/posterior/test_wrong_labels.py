"""The range of a metric while some reference labels are wrong: all tables, one by one, and what documents say."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.metrics import parse

pytestmark = pytest.mark.filterwarnings("ignore::howsure.HowsureWarning")

TABLE = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
LABELS = ["a", "b"]


def case_by_case(counts: np.ndarray, most: int, measure: object) -> tuple[float, float]:
    """Second route: flip every choice of single cases, there and back, one after the other."""
    tables, reached = {tuple(counts.ravel().tolist())}, {tuple(counts.ravel().tolist())}
    for _ in range(most):
        new = set()
        for table in tables:
            for row, column in product(range(len(counts)), repeat=2):
                for other in range(len(counts)):
                    cells = np.array(table).reshape(counts.shape)
                    if other != row and cells[row, column]:
                        cells[row, column] -= 1
                        cells[other, column] += 1
                        new.add(tuple(cells.ravel().tolist()))
        tables = new - reached
        reached |= new
    with np.errstate(all="ignore"):
        values = np.array([measure(np.array(t, dtype=float).reshape(counts.shape)) for t in reached])  # type: ignore[operator]
    values = values[~np.isnan(values)]
    return float(values.min()), float(values.max())


@settings(max_examples=tries(40), deadline=None)
@given(
    st.lists(st.integers(0, 6), min_size=4, max_size=4).filter(lambda x: sum(x) > 3),
    st.integers(0, 4),
    st.sampled_from(["accuracy", "mcc", "kappa", "f1@b", "recall@a", "precision@b", "balanced_accuracy", "error_rate",
                     "f1@macro", "bias@b", "positive_likelihood_ratio@b"]),
)  # fmt: skip
def test_all_tables_at_once_are_those_case_by_case(cells: list[int], most: int, metric: str) -> None:
    counts = np.array(cells).reshape(2, 2)
    measure = parse(metric, LABELS)
    try:
        found = hs.infer(hs.ConfusionMatrix(counts, labels=LABELS)).of(metric).with_wrong_labels(min(most, sum(cells)))
    except NoInformation:
        return
    low, high = case_by_case(counts, min(most, sum(cells)), measure)
    assert (found.low, found.high) == pytest.approx((low, high), nan_ok=True)


@pytest.mark.sweep(1, full=4)
@pytest.mark.parametrize("metric", ["mcc", "balanced_accuracy"])
def test_a_search_stays_within_the_truth_and_says_that_it_is_one(metric: str) -> None:
    counts = np.array([[8, 1, 1], [2, 7, 0], [0, 3, 9]])
    found = hs.infer(hs.ConfusionMatrix(counts, labels=["a", "b", "c"])).of(metric).with_wrong_labels(2)
    low, high = case_by_case(counts, 2, parse(metric, ["a", "b", "c"]))
    assert found.found == "search"
    assert "found by search" in found.sentence
    assert low - 1e-12 <= found.low < found.high <= high + 1e-12
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.02)


def test_errors_that_know_nothing_of_the_classifier() -> None:
    found = hs.infer(TABLE).of("accuracy").with_wrong_labels(0.05)
    assert found.if_independent == pytest.approx((0.87 - 0.05) / 0.9)
    # second route: the expected table of a true one with every label wrong with probability .05
    true = np.array([[46.0, 3.0], [4.0, 47.0]])
    noisy = 0.95 * true + 0.05 * true[::-1]
    scaled = hs.ConfusionMatrix((noisy * 100).round().astype(int), labels=LABELS)
    for metric in ("mcc", "f1@b", "recall@a", "accuracy"):
        clean = hs.infer(hs.ConfusionMatrix((true * 100).astype(int), labels=LABELS)).of(metric).observed
        assert hs.infer(scaled).of(metric).with_wrong_labels(0.05).if_independent == pytest.approx(clean, abs=1e-9)


def test_a_reference_with_errors_cannot_show_more() -> None:
    found = hs.infer(hs.ConfusionMatrix([[49, 1], [1, 49]])).of("accuracy").with_wrong_labels(0.05)
    assert found.if_independent is None
    assert found.contradiction == "a reference with 5% errors cannot show more than 95% accuracy"
    assert found.contradiction in str(found)
    found = hs.infer(hs.ConfusionMatrix([[1, 49], [50, 0]])).of("accuracy").with_wrong_labels(0.05)
    assert found.contradiction == "a reference with 5% errors cannot show less than 5% accuracy"
    unmixed = hs.infer(hs.ConfusionMatrix([[49, 1], [1, 49]])).of("mcc").with_wrong_labels(0.05)
    assert unmixed.if_independent is None
    assert unmixed.contradiction.startswith("-1.7 cases of 0 would be called 1: ")  # (0.95 * 1 - 0.05 * 49) / 0.9


def test_right_answers_alone() -> None:
    found = hs.Posterior.from_accuracy(correct=95, n=100).of("accuracy").with_wrong_labels(10)
    assert (found.low, found.high, found.found) == (0.85, 1.0, "exact")
    wrong = hs.Posterior.from_accuracy(correct=95, n=100).of("error_rate").with_wrong_labels(10)
    assert (wrong.low, wrong.high) == pytest.approx((0.0, 0.15))
    assert wrong.with_sampling is not None
    assert found.with_sampling is not None
    assert wrong.with_sampling.high == pytest.approx(1 - found.with_sampling.low)


def test_a_stated_prevalence_keeps_its_weights() -> None:
    post = hs.infer(TABLE).at_prevalence({"ill": 0.02})
    found = post.of("precision").with_wrong_labels(1)
    by_hand = [
        0.02 * (d / (c + d)) / (0.02 * d / (c + d) + 0.98 * b / (a + b))
        for a, b, c, d in ((45, 5, 8, 42), (45, 6, 8, 41), (45, 4, 8, 43), (46, 5, 7, 42), (44, 5, 9, 42))
    ]
    assert (found.low, found.high) == pytest.approx((min(by_hand), max(by_hand)))
    elsewhere = hs.infer(TABLE).at_prevalence(cases={"healthy": 90, "ill": 10})
    with pytest.raises(InvalidArgument, match="counted in other cases"):
        elsewhere.of("precision").with_wrong_labels(1)


@pytest.mark.parametrize("odd", [-1, 101, "5", None])
def test_what_is_no_number_of_labels_is_refused(odd: object) -> None:
    with pytest.raises(InvalidArgument, match="wrong"):
        hs.infer(TABLE).of("accuracy").with_wrong_labels(odd)  # type: ignore[arg-type]


def test_what_has_no_range_is_refused() -> None:
    post = hs.infer(TABLE)
    with pytest.raises(InvalidArgument, match="difference"):
        (post.of("mcc") - post.of("accuracy")).with_wrong_labels(1)
    judged = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=LABELS, unlabelled={"a": 572, "b": 1328})
    with pytest.raises(InvalidArgument, match="no label"):
        hs.infer(judged).of("accuracy").with_wrong_labels(1)
