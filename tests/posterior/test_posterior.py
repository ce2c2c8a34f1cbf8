"""Posteriors: what counts and a prior say, exact against drawn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from scipy import stats
from tests.conftest import matrices, recalls_of, tries

import howsure as hs
from howsure.errors import InvalidArgument, UnknownLabel, UnknownMetric
from howsure.laws import Draws, Linear
from howsure.metrics import REGISTRY, averages_of, names
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of

ill = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
three = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])


def test_recalls_are_the_betas_of_the_papers() -> None:
    for law, (a, b) in zip(recalls_of(hs.infer(three, "flat")), [(31, 3), (4, 2), (9, 3)], strict=True):
        x = np.linspace(0.05, 0.99, 9)
        np.testing.assert_allclose(law.cdf(x), stats.beta(a, b).cdf(x), atol=1e-13)


def test_accuracy_is_one_coin_per_case() -> None:
    law = hs.infer(three, "flat").of("accuracy")
    assert law.mean == pytest.approx(42 / 48, abs=1e-15)
    np.testing.assert_allclose(law.quantile([0.025, 0.975]), stats.beta(42, 6).ppf([0.025, 0.975]), rtol=1e-12)
    assert hs.infer(ill, "caelen").of("accuracy").mean == pytest.approx((87 + 2) / 104)


def test_error_rate_mirrors_accuracy() -> None:
    post = hs.infer(three, "flat")
    low, high = post.of("accuracy").interval()
    assert post.of("error_rate").interval() == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_averages_that_are_another_metric_have_its_law() -> None:
    post = hs.infer(three, "flat")
    assert post.of("recall@macro").interval() == post.of("balanced_accuracy").interval()
    assert post.of("recall@micro").mean == post.of("accuracy").mean
    assert post.of("f1@micro").mean == post.of("accuracy").mean
    assert post.of("precision@micro").route == "exact"
    assert post.of("recall@weighted").mean == pytest.approx(post.of("weighted_recall").mean)


def test_two_class_metrics_are_about_the_positive_class() -> None:
    post = hs.infer(ill, "flat")
    assert post.of("sensitivity").metric == "recall@ill"
    assert post.of("specificity").mean == post.of("recall@healthy").mean
    other = hs.infer(hs.ConfusionMatrix(ill.counts, ill.labels, positive="healthy"), "flat")
    assert other.of("sensitivity").metric == "recall@healthy"


def test_above_two_classes_a_class_must_be_named() -> None:
    with pytest.raises(InvalidArgument, match="recall@macro or recall@ and one of a, b, c"):
        hs.infer(three, "flat").of("recall")


def test_prevalence_is_exchanged_not_the_classifier() -> None:
    clinic = hs.infer(ill, "flat").at_prevalence([0.98, 0.02])
    assert clinic.of("recall@ill").mean == hs.infer(ill, "flat").of("recall@ill").mean
    assert clinic.of("accuracy").mean == pytest.approx(0.98 * 46 / 52 + 0.02 * 43 / 52)
    assert clinic.of("accuracy").route == "exact"
    assert clinic.of("prevalence").mean == 0.02
    assert clinic.of("prevalence").interval() == (0.02, 0.02)
    assert clinic.of("precision@ill").observed == pytest.approx(0.02 * 0.84 / (0.02 * 0.84 + 0.98 * 0.1))
    named = hs.infer(ill, "flat").at_prevalence({"ill": 0.02, "healthy": 0.98})
    assert named.of("accuracy").mean == clinic.of("accuracy").mean


@pytest.mark.parametrize(
    ("shares", "sentence"),
    [
        ([0.5, 0.6], "add to 1"),
        ([1.5, -0.5], "0 or more"),
        ([0.2, 0.3, 0.5], "2 classes need 2 shares"),
        ([np.nan, 1], "0 or more"),
        ("half", "one share for each class"),
        ({}, "at least one class"),
        ({"ill": 1.2}, "leaves nothing for healthy"),
        ({"ill": "x"}, "one share for each class"),
        ({"ill": float("nan")}, "leaves nothing"),
    ],
)
def test_bad_prevalences_are_refused(shares: object, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.infer(ill, "flat").at_prevalence(shares)  # type: ignore[arg-type]


def test_prevalence_names_must_be_classes() -> None:
    with pytest.raises(UnknownLabel, match="Did you mean 'ill'"):
        hs.infer(ill, "flat").at_prevalence({"il": 0.5, "healthy": 0.5})


def test_unknown_metrics_get_the_nearest_name() -> None:
    with pytest.raises(UnknownMetric, match="Did you mean 'balanced_accuracy'"):
        hs.infer(ill).of("balanced_acuracy")
    with pytest.raises(UnknownLabel, match="Did you mean 'ill'"):
        hs.infer(ill).of("recall@ll")
    with pytest.raises(InvalidArgument, match="takes no @"):
        hs.infer(ill).of("mcc@ill")
    with pytest.raises(InvalidArgument, match=r"fbeta takes beta=1; not 'gamma=2'"):
        hs.infer(ill).of("fbeta(gamma=2)")
    with pytest.raises(InvalidArgument, match="needs a number above 0"):
        hs.infer(ill).of("fbeta(beta=-1)")
    with pytest.raises(InvalidArgument, match="a metric is written"):
        hs.infer(ill).of("(recall)")


def test_infer_wants_a_matrix() -> None:
    with pytest.raises(InvalidArgument, match="takes a ConfusionMatrix, not list"):
        hs.infer([[1, 2], [3, 4]])  # type: ignore[arg-type]


def test_tables_are_joint_probabilities() -> None:
    tables = hs.infer(three, "flat").draw(4000, seed=3)
    assert tables.shape == (4000, 3, 3)
    np.testing.assert_allclose(tables.sum((1, 2)), 1)
    recalls = np.diagonal(tables, axis1=1, axis2=2) / tables.sum(-1)
    np.testing.assert_allclose(recalls.mean(0), [31 / 34, 4 / 6, 9 / 12], atol=0.015)
    np.testing.assert_allclose(tables.sum(-1).mean(0), (np.array([32, 4, 10]) + 2 / 3) / 48, atol=0.006)
    with pytest.raises(InvalidArgument, match="do not fit"):
        hs.infer(hs.ConfusionMatrix(np.eye(200, dtype=int))).draw(20_000)


def test_the_same_call_gives_the_same_bytes_and_another_seed_does_not() -> None:
    post, again = hs.infer(three, "flat"), hs.infer(three, "flat")
    assert post.of("mcc").mean == again.of("mcc").mean
    assert post.of("mcc", seed=1).mean != again.of("mcc").mean
    np.testing.assert_array_equal(post.draw(100), again.draw(100))
    # asking for other metrics first changes nothing
    again.of("kappa")
    assert post.of("f1@macro").mean == again.of("f1@macro").mean


@pytest.mark.parametrize("draws", [0, 99, 1.5, True, 10**8])
def test_draws_have_limits(draws: object) -> None:
    with pytest.raises(InvalidArgument, match="draws is a whole number"):
        hs.infer(three, "flat").of("mcc", draws=draws)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="seed is a whole number"):
        hs.infer(three, "flat").of("mcc", seed=-1)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("cm", [ill, three], ids=["two", "three"])
def test_exact_laws_agree_with_drawn_tables(name: str, cm: hs.ConfusionMatrix) -> None:
    """Two routes to every closed law: the series, and the formula on joint draws."""
    metric = REGISTRY[name]
    where = "" if metric.per == "table" else f"@{cm.labels[1]}"
    # accuracy is one coin per case, not the sum over rows: its drawn route is exact only at a stated prevalence
    post = hs.infer(cm, "flat").at_prevalence(np.full(len(cm.labels), 1 / len(cm.labels)))
    known = post.of(f"{name}{where}")
    drawn = Draws(measure_of(known)(post.draw(20_000, seed=5)))  # type: ignore[misc]
    assert known.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error + 1e-12)
    if drawn.sd > 1e-9:
        for p in (0.05, 0.5, 0.95):
            assert known.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
    low, high = metric.range
    assert low <= known.interval()[0] <= known.interval()[1] <= high


@given(matrices())
@settings(max_examples=tries(40), suppress_health_check=[HealthCheck.too_slow])
def test_every_metric_answers_for_every_matrix(cm: hs.ConfusionMatrix) -> None:
    """Empty classes, empty tables, perfect rows: a number inside the range, never NaN."""
    post = hs.infer(cm, "flat")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.PriorShiftWarning)
        for name in names():
            metric = REGISTRY[name]
            for where in (
                [""] if metric.per == "table" else [f"@{cm.labels[0]}", *(f"@{a}" for a in averages_of(metric))]
            ):
                if metric.name == "number_needed_to_diagnose":  # may be infinite in every draw: tested with its family
                    continue
                known = post.of(f"{name}{where}", draws=200)
                low, high = metric.range
                assert low - 1e-12 <= known.mean <= high + 1e-12
                assert known.sd >= 0
                assert known.observed is None or low - 1e-12 <= known.observed <= high + 1e-12


def test_a_prior_that_does_the_talking_warns_for_averages_only() -> None:
    many = hs.ConfusionMatrix(
        np.diag(np.full(30, 16)) + np.eye(30, k=1, dtype=int) * 4, labels=[str(i) for i in range(30)]
    )
    with pytest.warns(
        hs.PriorShiftWarning, match=r"the flat prior moves balanced_accuracy by -0\.\d+, which is .* times"
    ):
        known = hs.infer(many, "flat").of("balanced_accuracy")
    assert known.prior_shift == pytest.approx((known.mean - known.observed) / known.sd)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hs.infer(hs.ConfusionMatrix([[26, 0], [0, 26]]), "flat").of("recall@0")  # shifts by 1.04, and is one rate


def test_shift_follows_the_law_of_the_flat_prior() -> None:
    """Shift = -(2p - 1) / sqrt(p (1 - p)) * sqrt(K / n), the closed form for equal classes."""
    for p, n, size in [(0.8, 50, 100), (0.9, 100, 50)]:
        right = round(p * n)
        counts = np.diag(np.full(size, right)) + np.roll(np.diag(np.full(size, n - right)), 1, axis=1)
        known = knowledge_of(hs.infer(hs.ConfusionMatrix(counts), "flat")).of("balanced_accuracy")
        expected = -(2 * p - 1) / np.sqrt(p * (1 - p)) * np.sqrt(size / n)
        assert known.prior_shift == pytest.approx(expected, rel=0.05)


def test_laws_close_where_they_should() -> None:
    post = hs.infer(three, "flat")
    for name in ("accuracy", "error_rate", "balanced_accuracy", "recall@a", "fnr@a", "prevalence@a"):
        assert isinstance(post.of(name).law, Linear), name
    for name in ("mcc", "kappa", "f1@macro", "precision@a", "weighted_recall", "bias@a"):
        assert isinstance(post.of(name).law, Draws), name


def test_drawn_metrics_are_weighted_by_the_exact_law_of_balanced_accuracy() -> None:
    post = hs.infer(hs.ConfusionMatrix([[40, 6, 4], [5, 50, 9], [2, 8, 30]]))
    law = post.of("mcc").law
    assert isinstance(law, Draws)
    assert law.weighted
    plain = Draws(law.values)
    assert law.mean == pytest.approx(plain.mean, abs=5 * plain.mean_error)
    assert law.mean_error < plain.mean_error / 3
    # a class that never comes has no recall in the draws
    never = post.at_prevalence([0.5, 0.5, 0]).of("mcc").law
    assert isinstance(never, Draws)
    assert not never.weighted
