"""Priors from an expert's words and from an earlier matrix."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta
from tests.conftest import matrices

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.posterior.knowledge import knowledge_of
from howsure.posterior.priors import Prior

EARLY = hs.ConfusionMatrix([[40, 10], [8, 42]], labels=["healthy", "ill"])
LATE = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


@given(st.floats(0.02, 0.98), st.floats(0.05, 0.9), st.floats(0.05, 0.9), st.floats(0.5, 0.99))
def test_a_belief_has_the_mean_and_the_interval(mean: float, below: float, above: float, level: float) -> None:
    low, high = mean * (1 - below), mean + (1 - mean) * above
    if beta(1e-6 * mean, 1e-6 * (1 - mean)).cdf(high) - beta(1e-6 * mean, 1e-6 * (1 - mean)).cdf(low) >= level:
        return  # even the vaguest Beta has more there
    prior = Prior.from_beliefs(mean=mean, interval=(low, high), level=level)
    law = beta(prior.a, prior.b)
    assert law.mean() == pytest.approx(mean)
    assert law.cdf(high) - law.cdf(low) == pytest.approx(level, abs=1e-6)


@given(matrices(max_classes=4))
def test_an_earlier_matrix_of_full_weight_is_one_test_set_with_the_new_one(cm: hs.ConfusionMatrix) -> None:
    both = hs.infer(cm, Prior.from_matrix(cm))
    pooled = hs.infer(cm + cm, "flat")
    for metric in ("accuracy", "balanced_accuracy", "prevalence@c0", "recall@c1"):
        assert knowledge_of(both).of(metric).mean == pytest.approx(knowledge_of(pooled).of(metric).mean)
        assert knowledge_of(both).of(metric).sd == pytest.approx(knowledge_of(pooled).of(metric).sd)


def test_weight_discounts_and_zero_forgets() -> None:
    plain, half = hs.infer(LATE), hs.infer(LATE, Prior.from_matrix(EARLY, 0.5))
    forgot = hs.infer(LATE, Prior.from_matrix(EARLY, 0.0))
    assert tuple(forgot.of("mcc").interval()) == tuple(plain.of("mcc").interval())
    law = half.of("recall@ill").law
    assert law.mean == pytest.approx((42 + 21 + 1) / (50 + 25 + 2))
    assert "0.5 x 100 earlier cases" in knowledge_of(half).prior_name
    assert half.of("mcc").sd < plain.of("mcc").sd


def test_the_classes_are_matched_by_name_and_others_are_refused() -> None:
    turned = hs.ConfusionMatrix(LATE.counts[::-1, ::-1], ["ill", "healthy"], positive="ill")
    prior = Prior.from_matrix(EARLY)
    assert hs.infer(turned, prior).of("recall@ill").mean == hs.infer(LATE, prior).of("recall@ill").mean
    with pytest.raises(InvalidArgument, match="about the classes healthy, ill, the matrix about a, b"):
        hs.infer(hs.ConfusionMatrix([[1, 0], [0, 1]], ["a", "b"]), prior)


def test_a_base_prior_and_other_cases_for_the_prevalence() -> None:
    prior = Prior.from_matrix(EARLY, 0.1, base=Prior(0.5, 0.5, 1, "jeffreys"))
    assert prior.row(2).tolist() == pytest.approx(np.array([[4.5, 1.5], [1.3, 4.7]]))
    there = hs.infer(LATE, prior).at_prevalence(cases=[90, 10])
    assert knowledge_of(there).rows.shares.alphas.tolist() == pytest.approx([95.5, 15.5])
    json.dumps(hs.report(there).to_dict(), allow_nan=False)
    assert there.prior_sensitivity("accuracy").answers[0].prior == prior.name


def test_earlier_cases_are_added_to_pseudo_counts_which_the_learned_prior_has_not() -> None:
    three = hs.ConfusionMatrix(np.eye(3, dtype=int) * 8 + 1)
    assert Prior.from_matrix(three).name == "flat and 1 x 33 earlier cases"
    with pytest.raises(InvalidArgument, match="has no pseudo-counts that earlier ones could be added to"):
        Prior.from_matrix(three, base="learned")


def test_three_rates_of_caelen() -> None:
    """Published by Toetsch and Hoffmann's code: TN .2680851, FP .2212766, FN .1787234, TP .3319149."""
    prior = Prior.from_rates(("no", "yes"), accuracy=0.6, precision=0.6, recall=0.65)
    assert prior.row(2).ravel().tolist() == pytest.approx([0.2680851, 0.2212766, 0.1787234, 0.3319149], abs=5e-8)


@given(st.lists(st.floats(0.05, 1), min_size=4, max_size=4), st.floats(0.1, 50))
def test_three_rates_of_any_table_give_the_table_back(cells: list[float], weight: float) -> None:
    tn, fp, fn, tp = table = np.array(cells) / sum(cells) * weight
    prior = Prior.from_rates(
        ("no", "yes"), weight, prevalence=(fn + tp) / weight, recall=tp / (fn + tp), specificity=tn / (tn + fp)
    )
    assert prior.row(2).ravel() == pytest.approx(table, rel=1e-6)
    assert prior.shares(2).sum() == pytest.approx(weight)


@pytest.mark.parametrize(
    "belief",
    [
        {"mean": 0.9, "interval": (0.95, 0.99)},
        {"mean": 1.0, "interval": (0.5, 1.0)},
        {"mean": 0.5, "interval": (0.0, 1.0)},
        {"mean": float("nan"), "interval": (0.1, 0.9)},
        {"mean": 0.5, "interval": (0.1, 0.9), "level": 95},
        {"mean": "x", "interval": (0.1, 0.9)},
        {"mean": 0.5, "interval": 3},
        {"mean": 0.5, "interval": (0.1, 0.5, 0.9)},
    ],
)
def test_beliefs_that_are_none(belief: dict[str, object]) -> None:
    with pytest.raises(InvalidArgument, match=r"a belief is|no Beta"):
        Prior.from_beliefs(**belief)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rates", "sentence"),
    [
        ({"recall": 0.5}, "three of"),
        ({"recall": 0.5, "precision": 0.5, "mcc": 0.1}, "three of"),
        ({"recall": 0.5, "precision": 0.5, "accuracy": 1.0}, "strictly between"),
        ({"recall": 0.9, "specificity": 0.9, "accuracy": 0.5}, "no table"),
        ({"recall": 0.5, "specificity": 0.5, "accuracy": 0.5}, "more than one"),
    ],
)
def test_rates_that_are_none(rates: dict[str, float], sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        Prior.from_rates(("no", "yes"), **rates)


@pytest.mark.parametrize("weight", [-1, 1.5, float("nan"), True, "half"])
def test_weights_that_are_none(weight: object) -> None:
    with pytest.raises(InvalidArgument, match="what an earlier case counts"):
        Prior.from_matrix(EARLY, weight)  # type: ignore[arg-type]
