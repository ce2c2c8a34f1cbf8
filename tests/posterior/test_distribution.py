"""Distributions as values: identity, arithmetic, and what they say of themselves."""

from __future__ import annotations

import math

import numpy as np
import pytest

import howsure as hs
from howsure.laws import Draws

A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
B = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"])


def test_the_example_of_the_design() -> None:
    new, old = hs.infer(A, "flat"), hs.infer(B, "flat")
    assert repr(new.of("balanced_accuracy")) == "balanced_accuracy 0.86 (0.79 to 0.92) 95 % HDI, prior flat, exact"
    gain = new.of("balanced_accuracy") - old.of("balanced_accuracy")
    assert gain.prob(above=0) == pytest.approx(0.8687, abs=5e-5)
    assert gain.metric is None
    assert gain.observed is None
    assert gain.prior_shift is None
    assert gain.route == "exact"


@pytest.mark.parametrize("metric", ["balanced_accuracy", "accuracy", "mcc", "recall@ill"])
def test_a_number_minus_itself_is_exactly_zero(metric: str) -> None:
    known = hs.infer(A, "flat").of(metric)
    nothing = known - known
    assert (nothing.mean, nothing.sd) == (0, 0)
    assert nothing.interval() == (0, 0)
    assert nothing.prob(above=0) == 0
    assert nothing.quantile(0.3) == 0


def test_two_posteriors_are_separate_test_sets_even_of_equal_counts() -> None:
    for metric in ("balanced_accuracy", "mcc"):
        one, other = hs.infer(A, "flat").of(metric), hs.infer(A, "flat").of(metric)
        gap = one - other
        assert gap.sd == pytest.approx(math.sqrt(2) * one.sd, rel=0.03)
        assert gap.prob(above=0) == pytest.approx(0.5, abs=0.02)


def test_metrics_of_one_posterior_move_together() -> None:
    post = hs.infer(A, "flat")
    balanced, recall = post.of("balanced_accuracy"), post.of("recall@ill")
    gap = balanced - recall  # half the difference of the two recalls: exact, rows shared
    assert gap.route == "exact"
    assert gap.sd == pytest.approx(0.5 * (post.of("recall@healthy") - recall).sd, rel=1e-12)
    drawn = post.of("f1") - post.of("mcc")
    assert drawn.route == "drawn"
    assert drawn.sd < 0.5 * math.hypot(post.of("f1").sd, post.of("mcc").sd)


def test_laws_on_different_rows_of_one_posterior_are_drawn_jointly_and_say_so() -> None:
    post = hs.infer(A, "flat")
    gap = post.of("accuracy") - post.of("balanced_accuracy")
    assert gap.route == "drawn"
    assert "accuracy drawn as weighted_recall" in repr(gap)
    tables = post.draw(20_000, seed=9)
    expected = np.trace(tables, axis1=1, axis2=2) - (np.diagonal(tables, axis1=1, axis2=2) / tables.sum(-1)).mean(-1)
    assert gap.mean == pytest.approx(expected.mean(), abs=5 * expected.std() / 140)
    assert gap.sd == pytest.approx(expected.std(), rel=0.05)


def test_sums_of_three_sources_keep_what_is_shared() -> None:
    one, two = hs.infer(A, "flat"), hs.infer(B, "flat")
    left = (one.of("f1") - two.of("f1")) - one.of("f1")
    assert left.mean == pytest.approx(-two.of("f1").mean, abs=5 * two.of("f1").sd / 140)
    assert left.sd == pytest.approx(two.of("f1").sd, rel=0.03)


def test_scaling_shifting_and_averages_follow_the_law() -> None:
    known = hs.infer(A, "flat").of("balanced_accuracy")
    low, high = known.interval()
    assert (100 * known).interval() == pytest.approx((100 * low, 100 * high), rel=1e-9)
    assert (1 - known).interval() == pytest.approx((1 - high, 1 - low), rel=1e-9)
    assert (-known / 2).mean == pytest.approx(-known.mean / 2)
    drawn = hs.infer(A, "flat").of("mcc")
    assert (1 + drawn).mean == pytest.approx(1 + drawn.mean, abs=0.003)
    with pytest.raises(TypeError):
        known * known  # type: ignore[operator]


def test_an_exact_and_a_drawn_number_of_separate_tests_combine() -> None:
    gap = hs.infer(A, "flat").of("balanced_accuracy") - hs.infer(B, "flat").of("mcc")
    assert isinstance(gap.law, Draws)
    expected = hs.infer(A, "flat").of("balanced_accuracy").mean - hs.infer(B, "flat").of("mcc").mean
    assert gap.mean == pytest.approx(expected, abs=0.003)


def test_plain_numbers_at_the_surface() -> None:
    for metric in ("balanced_accuracy", "mcc"):
        known = hs.infer(A, "flat").of(metric)
        values = (known.mean, known.sd, known.median, known.mode, known.interval().width, known.error, known.observed)
        values += (
            known.prior_shift,
            known.cdf(0.5),
            known.sf(0.5),
            known.pdf(0.8),
            known.quantile(0.5),
            *known.interval(),
        )
        assert {type(v) for v in values} == {float}
        assert known.cdf([0.1, 0.9]).shape == (2,)
        assert known.sample(5, seed=1).shape == (5,)


def test_text_names_kind_prior_law_and_error() -> None:
    text = repr(hs.infer(A, "jeffreys").of("f1@macro"))
    assert "95 % HDI, prior jeffreys, drawn (Monte Carlo error 0.00" in text
    mixed = hs.infer(A, "jeffreys").of("accuracy") - hs.infer(B, "flat").of("accuracy")
    assert "prior jeffreys, flat" in repr(mixed)


def test_a_notebook_shows_the_same_cells_escaped() -> None:
    post = hs.infer(hs.ConfusionMatrix(A.counts, labels=["healthy", "<b>ill"]), "flat")
    html = post.of("recall@<b>ill")._repr_html_()
    assert "<b>" not in html
    for cell in ("recall@&lt;b&gt;ill", "0.83", "0.72 to 0.92", "95 % HDI", "flat", "exact"):
        assert cell in html


def test_a_u_shaped_law_has_no_highest_density_interval_and_says_so() -> None:
    empty = hs.ConfusionMatrix([[5, 1], [0, 0]], labels=["a", "b"])
    known = hs.infer(empty, "jeffreys").of("recall@b")
    assert known.interval().kind == "central"
    assert known.interval() == pytest.approx((0.00154, 0.99846), abs=1e-5)
    assert "central (not unimodal)" in repr(known)


def test_accuracy_beside_another_test_set_keeps_its_own_law() -> None:
    many = hs.infer(hs.ConfusionMatrix(np.diag([3] * 20)), "flat")
    both = many.of("accuracy") + hs.infer(A, "flat").of("mcc")
    expected = many.of("accuracy").mean + hs.infer(A, "flat").of("mcc").mean
    assert both.mean == pytest.approx(expected, abs=0.004)
    assert "separate test sets" in repr(both)
    assert "weighted_recall" not in repr(both)
