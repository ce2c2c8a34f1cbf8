"""The learned prior through `infer`: which numbers close, and that drawn tables agree with them."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from tests.conftest import matrices, tries

import howsure as hs
from howsure.posterior.knowledge import knowledge_of

TABLE = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])


@pytest.fixture(scope="module")
def post() -> hs.Posterior:
    return hs.infer(TABLE, "learned")


def test_what_closes_and_what_is_drawn(post: hs.Posterior) -> None:
    routes = {name: post.of(name).route for name in ("accuracy", "balanced_accuracy", "recall@b", "f1@macro", "mcc")}
    assert routes == {
        "accuracy": "exact", "balanced_accuracy": "exact", "recall@b": "exact",
        "f1@macro": "drawn", "mcc": "drawn",
    }  # fmt: skip


def test_accuracy_is_one_coin_whatever_the_prior_of_recalls(post: hs.Posterior) -> None:
    assert post.of("accuracy").mean == hs.infer(TABLE, "flat").of("accuracy").mean == 42 / 48


def test_drawn_tables_agree_with_the_laws(post: hs.Posterior) -> None:
    tables = post.draw(20_000)
    assert tables.sum(axis=(1, 2)) == pytest.approx(np.ones(len(tables)))
    assert np.all(tables >= 0)
    recalls = np.diagonal(tables, axis1=1, axis2=2) / tables.sum(axis=2)
    for values, name in zip(
        (recalls.mean(1), *recalls.T), ("balanced_accuracy", "recall@a", "recall@b", "recall@c"), strict=True
    ):
        law = post.of(name)
        assert values.mean() == pytest.approx(law.mean, abs=5 * law.sd / np.sqrt(len(values)))
        assert values.std() == pytest.approx(law.sd, rel=0.03)
    shares = tables.sum(axis=2)
    for index, label in enumerate(TABLE.labels):
        law = post.of(f"prevalence@{label}")
        assert law.route == "exact"
        assert law.mean == pytest.approx(knowledge_of(post).shares[index], abs=1e-9)
        assert shares[:, index].mean() == pytest.approx(law.mean, abs=5 * law.sd / np.sqrt(len(shares)))
        assert shares[:, index].std() == pytest.approx(law.sd, rel=0.03)


def test_at_a_stated_prevalence_accuracy_is_a_sum_of_learned_recalls(post: hs.Posterior) -> None:
    shares = [0.5, 0.25, 0.25]
    law = post.at_prevalence(shares).of("accuracy")
    assert law.mean == pytest.approx(
        sum(w * post.of(f"recall@{label}").mean for w, label in zip(shares, post.labels, strict=True)), abs=1e-9
    )
    assert post.at_prevalence(shares).of("precision@a").route == "drawn"


def test_metrics_of_one_posterior_move_together(post: hs.Posterior) -> None:
    ba = post.of("balanced_accuracy")
    assert (ba - ba).sd == 0
    gap = ba - post.of("recall@b")
    assert gap.route == "exact"
    assert gap.mean == pytest.approx(ba.mean - post.of("recall@b").mean, abs=1e-9)
    other = hs.infer(TABLE, "learned").of("balanced_accuracy")
    assert (ba - other).sd == pytest.approx(np.sqrt(2) * ba.sd, rel=1e-3)


def test_two_classes(cocaine: hs.ConfusionMatrix) -> None:
    post = hs.infer(cocaine, "learned")
    assert post.of("informedness").mean == pytest.approx(2 * post.of("balanced_accuracy").mean - 1)
    assert post.of("specificity@low").mean == pytest.approx(post.of("recall@high").mean)
    assert post.of("mcc").route == "drawn"


def test_it_repairs_what_the_flat_prior_does_to_many_classes() -> None:
    """1000 classes of 50 with recall 0.8: the flat prior is off by six of its standard deviations."""
    k = np.random.default_rng(4).binomial(50, 0.8, 1000)
    counts = np.diag(k) + np.roll(np.diag(50 - k), 1, axis=1)
    table = hs.ConfusionMatrix(counts)
    law = hs.infer(table, "learned").of("balanced_accuracy")
    assert law.prior_shift is not None
    assert abs(law.prior_shift) < 0.5
    flat = knowledge_of(hs.infer(table, "flat")).of("balanced_accuracy")
    assert flat.prior_shift is not None
    assert flat.prior_shift < -5
    low, high = law.interval()
    assert low < 0.8 < high


def test_smoothing_is_a_note_and_no_warning() -> None:
    perfect = hs.ConfusionMatrix(np.diag([20] * 12))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        law = hs.infer(perfect, "learned").of("balanced_accuracy")
    note = hs.report(hs.infer(perfect, "learned"), ["balanced_accuracy"]).notes
    assert law.prior_shift is not None
    assert -0.9 < law.prior_shift < -0.4
    assert any("the learned prior moves balanced_accuracy" in text for text in note)


@settings(max_examples=tries(15))
@given(matrices(max_count=12))
def test_every_table_has_an_answer(table: hs.ConfusionMatrix) -> None:
    """Empty classes, perfect rows, no case at all: the learned prior always says something."""
    post = hs.infer(table, "learned")
    law = post.of("balanced_accuracy")
    low, high = law.interval(kind="central")
    assert 0 <= low < law.mean < high <= 1
    values = post.of("f1@macro", draws=200)
    assert 0 <= values.mean <= 1


def test_questions_about_single_classes_are_answered_from_joint_draws(post: hs.Posterior) -> None:
    tables = post.draw(20_000)
    shares = (tables / tables.sum(axis=2, keepdims=True)).mean(axis=0)
    assert knowledge_of(post).row_means == pytest.approx(shares, abs=0.003)
    assert knowledge_of(post).row_means.sum(axis=1) == pytest.approx(1, abs=1e-12)
    assert sum(map(sum, post.natural_frequencies(1000).counts)) == 1000
    new = post.predict([1000] * len(post.labels))
    for metric in ("recall@a", "balanced_accuracy"):
        known = post.of(metric)
        assert new.of(metric).mean == pytest.approx(known.mean, abs=0.003)
        assert known.sd < new.of(metric).sd < 1.2 * known.sd
    assert new.count("a", "b").mean == pytest.approx(knowledge_of(post).row_means[0, 1], abs=0.003)
    chance = post.post_test([1 / len(post.labels)] * len(post.labels), "a").after(label="a")
    expected = post.at_prevalence([1 / len(post.labels)] * len(post.labels)).of("precision@a")
    assert chance.mean == pytest.approx(expected.mean, abs=0.003)
    assert post.informative(margin=0.05).informative == pytest.approx(1.0, abs=1e-5)
    assert post.under("flat").of("recall@a").route == "exact"


def test_two_classes_learned_have_a_patient_too() -> None:
    two = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
    learned, flat = (hs.infer(two, prior).post_test(0.02, "positive").after() for prior in ("learned", "flat"))
    assert learned.route == "drawn"
    assert learned.mean == pytest.approx(flat.mean, abs=0.03)


def test_cases_elsewhere_leave_the_recalls_the_same_ones(post: hs.Posterior) -> None:
    moved = post.at_prevalence(cases=[10, 10, 80])
    assert (moved.of("balanced_accuracy") - post.of("balanced_accuracy")).sd == 0
    assert moved.of("accuracy").route == "drawn"


def test_the_report_says_that_nothing_was_fixed(post: hs.Posterior) -> None:
    assert hs.report(post, ["balanced_accuracy"]).to_dict()["prior"] == {
        "name": "learned", "a": None, "b": None, "prevalence": None,
    }  # fmt: skip


def test_drawn_numbers_are_not_weighted_by_a_law_that_is_known_less_well() -> None:
    """One dead class among perfect ones: the worst rate is its recall, and was 0.1 off it, by the balanced accuracy."""
    dead = hs.infer(hs.ConfusionMatrix([[0, 20, 0, 0], [0, 20, 0, 0], [0, 0, 20, 0], [0, 0, 0, 20]]))
    worst, recall = dead.of("worst_rate"), dead.of("recall@0")
    assert worst.route == "drawn"
    places = recall.quantile([0.2, 0.4, 0.5, 0.6, 0.8])
    assert worst.cdf(places) == pytest.approx(recall.cdf(places), abs=0.02)
