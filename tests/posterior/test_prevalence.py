"""The same classifier elsewhere: shares stated for some classes, or learned from other cases."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import matrices

import howsure as hs
from howsure.errors import InvalidArgument, UnknownLabel
from howsure.laws import Beta
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.paired import PairedPosterior

TWO = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
THREE = hs.ConfusionMatrix([[9, 1, 0], [2, 27, 1], [0, 1, 9]], labels=["a", "b", "c"])


def test_classes_that_are_left_out_share_the_rest_as_they_were_counted() -> None:
    assert knowledge_of(hs.infer(THREE).at_prevalence({"c": 0.2})).shares.tolist() == pytest.approx([0.2, 0.6, 0.2])
    assert knowledge_of(hs.infer(TWO).at_prevalence({"ill": 0.02})).shares.tolist() == pytest.approx([0.98, 0.02])


@pytest.mark.parametrize("shares", [{"ill": 0.0}, [1, 0]])
def test_a_class_of_two_that_nobody_or_everybody_belongs_to_is_refused(shares: Any) -> None:
    pair = PairedPosterior(hs.Predictions(["healthy", "ill"] * 9, {"a": ["healthy", "ill"] * 9, "b": ["ill"] * 18}))
    for known in (hs.infer(TWO), pair, pair["a"]):
        with pytest.raises(InvalidArgument, match="strictly between 0 and 1; a class that nobody or everybody belongs"):
            known.at_prevalence(shares)
    with pytest.raises(InvalidArgument, match="strictly between"):
        hs.infer(TWO).post_test(shares)
    assert hs.infer(THREE).at_prevalence({"c": 0.0}).of("recall@a").mean > 0.5  # one of three may not be met


@given(matrices(min_classes=3, max_classes=4), st.just(0.0) | st.floats(1e-9, 1 - 1e-9) | st.just(1.0))
def test_any_one_share_completes_to_a_prevalence(cm: hs.ConfusionMatrix, share: float) -> None:
    try:
        shares = knowledge_of(hs.infer(cm).at_prevalence({"c0": share})).shares
    except InvalidArgument:
        assert cm.class_sizes[1:].sum() == 0
        return
    assert shares[0] == pytest.approx(share)
    assert shares.sum() == pytest.approx(1)


def test_a_prevalence_of_other_cases_is_a_dirichlet_with_the_priors_mass() -> None:
    there = hs.infer(TWO, "flat").at_prevalence(cases={"healthy": 490, "ill": 10})
    assert knowledge_of(there).known_prevalence is None
    law = there.of("prevalence@ill").law
    assert isinstance(law, Beta)
    assert (law.a, law.b) == (11, 491)
    assert knowledge_of(hs.infer(TWO, "jeffreys").at_prevalence(cases=[490, 10])).shares.tolist() == pytest.approx(
        [490.5 / 501, 10.5 / 501]
    )


@pytest.mark.parametrize("metric", ["precision@ill", "mcc", "accuracy"])
def test_laws_of_two_classes_stay_exact_at_other_cases_and_agree_with_draws(metric: str) -> None:
    there = hs.infer(TWO).at_prevalence(cases=[190, 10])
    known = there.of(metric)
    assert known.route == "exact"
    drawn = knowledge_of(there).drawn([measure_of(known)], 20_000, 3, 0)[0]  # type: ignore[list-item]
    assert known.mean == pytest.approx(drawn.mean(), abs=5 * known.sd / 20_000**0.5)
    assert known.sd == pytest.approx(drawn.std(), rel=0.03)


@pytest.mark.parametrize(
    ("cases", "sentence"),
    [
        ([1], "2 integers"),
        ([float("nan"), 2], "counts must be integers"),
    ],
)
def test_bad_cases_are_refused(cases: object, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.infer(TWO).at_prevalence(cases=cases)  # type: ignore[arg-type]


def test_shares_and_cases_exclude_each_other_and_labels_are_checked() -> None:
    with pytest.raises(InvalidArgument, match="one of the two"):
        hs.infer(TWO).at_prevalence([0.9, 0.1], cases=[9, 1])
    with pytest.raises(InvalidArgument, match="one of the two"):
        hs.infer(TWO).at_prevalence()
    with pytest.raises(UnknownLabel, match="ill"):
        hs.infer(TWO).at_prevalence({"il": 0.1})
    with pytest.raises(InvalidArgument, match="its share is unknown"):
        hs.infer(TWO, "haldane").at_prevalence(cases=[5, 0])


def test_one_test_set_at_two_prevalences_moves_together() -> None:
    post = hs.infer(TWO, "flat")
    half, clinic, again = (post.at_prevalence(p) for p in ([0.5, 0.5], [0.98, 0.02], [0.98, 0.02]))
    assert (half.of("accuracy") - post.of("balanced_accuracy")).sd == 0
    assert (post.of("accuracy") - half.of("accuracy")).sd < 0.01
    assert (clinic.of("precision") - again.of("precision")).sd == 0
    gap = post.at_prevalence([0.9, 0.1]).of("precision") - clinic.of("precision")
    assert gap.prob(above=0) == 1
    assert gap.sd == pytest.approx(0.0466, abs=0.003)
    twin = copy.copy(post)
    assert (twin.of("f1") - post.of("f1")).sd == 0
