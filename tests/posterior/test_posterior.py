"""Posteriors and distributions: what counts and a prior say, exact against drawn; identity and arithmetic."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammaincc

import howsure as hs
from howsure.errors import InvalidArgument, UnknownLabel, UnknownMetric
from howsure.laws import Draws
from howsure.metrics import REGISTRY, names
from howsure.posterior.distribution import measure_of, shift_note

ill = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
three = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])


def test_averages_that_are_another_metric_have_its_law() -> None:
    post = hs.infer(three, "flat")
    assert post.of("recall@macro").interval() == post.of("balanced_accuracy").interval()
    assert post.of("recall@micro").mean == post.of("accuracy").mean
    assert post.of("f1@micro").mean == post.of("accuracy").mean
    assert post.of("precision@micro").route == "exact"
    assert post.of("recall@weighted").mean == pytest.approx(post.of("weighted_recall").mean)


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
        ([0.2, 0.3, 0.5], "2 classes need 2 shares"),
        ({"ill": 1.2}, "leaves nothing for healthy"),
        ([True, False], "one share for each class, not"),
    ],
)
def test_bad_prevalences_are_refused(shares: object, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        hs.infer(ill, "flat").at_prevalence(shares)  # type: ignore[arg-type]


def test_unknown_metrics_get_the_nearest_name() -> None:
    with pytest.raises(UnknownMetric, match="Did you mean 'balanced_accuracy'"):
        hs.infer(ill).of("balanced_acuracy")
    with pytest.raises(UnknownLabel, match="Did you mean 'ill'"):
        hs.infer(ill).of("recall@ll")
    with pytest.raises(InvalidArgument, match="takes no @"):
        hs.infer(ill).of("mcc@ill")


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


@pytest.mark.parametrize("draws", [99, True, 10**8])
def test_draws_have_limits(draws: object) -> None:
    with pytest.raises(InvalidArgument, match="draws is an integer"):
        hs.infer(three, "flat").of("mcc", draws=draws)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="seed is an integer"):
        hs.infer(three, "flat").of("mcc", seed=-1)


@pytest.mark.sweep(7, full=126)
@pytest.mark.parametrize(
    ("name", "cm"),
    [(name, ill) for name in names()] + [(name, three) for name in ("balanced_accuracy", "npv", "prevalence")],
)
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


@pytest.mark.parametrize("cases", [10**8])
def test_a_handful_of_errors_in_very_many_cases_is_a_sum_of_gammas(cases: int) -> None:
    law = hs.infer(hs.ConfusionMatrix([[cases, 3], [5, cases]]), "flat").of("balanced_accuracy").law
    for wrong in (2.0, 4.5, 9.0):
        # (Gamma(4) + Gamma(6)) / (2 cases), as the Betas of so many cases are
        assert law.cdf(1 - wrong / (2 * cases)) == pytest.approx(float(gammaincc(10, wrong)), abs=1e-4)


A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
B = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"])


@pytest.mark.parametrize("metric", ["accuracy", "mcc"])
def test_a_number_minus_itself_is_exactly_zero(metric: str) -> None:
    known = hs.infer(A, "flat").of(metric)
    nothing = known - known
    assert (nothing.mean, nothing.sd) == (0, 0)
    assert nothing.interval() == (0, 0)
    assert nothing.prob(above=0) == 0
    assert nothing.quantile(0.3) == 0


def test_metrics_of_one_posterior_move_together() -> None:
    post = hs.infer(A, "flat")
    balanced, recall = post.of("balanced_accuracy"), post.of("recall@ill")
    gap = balanced - recall  # half the difference of the two recalls: exact, rows shared
    assert gap.route == "exact"
    assert gap.sd == pytest.approx(0.5 * (post.of("recall@healthy") - recall).sd, rel=1e-12)
    drawn = post.of("f1") - post.of("mcc")
    assert drawn.route == "simulated"
    assert drawn.sd < 0.5 * math.hypot(post.of("f1").sd, post.of("mcc").sd)


def test_laws_on_different_rows_of_one_posterior_are_drawn_jointly_and_say_so() -> None:
    post = hs.infer(A, "flat")
    gap = post.of("accuracy") - post.of("balanced_accuracy")
    assert gap.route == "simulated"
    assert "accuracy simulated as weighted_recall" in repr(gap)
    tables = post.draw(20_000, seed=9)
    expected = np.trace(tables, axis1=1, axis2=2) - (np.diagonal(tables, axis1=1, axis2=2) / tables.sum(-1)).mean(-1)
    assert gap.mean == pytest.approx(expected.mean(), abs=5 * expected.std() / 140)
    assert gap.sd == pytest.approx(expected.std(), rel=0.05)


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


def test_a_notebook_shows_the_same_cells_escaped() -> None:
    post = hs.infer(hs.ConfusionMatrix(A.counts, labels=["healthy", "<b>ill"]), "flat")
    html = post.of("recall@<b>ill")._repr_html_()
    assert "<b>" not in html
    for cell in ("recall@&lt;b&gt;ill", "0.83", "0.72 to 0.92", "95% HDI", "flat", "exact"):
        assert cell in html


@pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")
@pytest.mark.parametrize("classes", [3, 5, 12])
def test_a_shifted_interval_is_said_to_cover_what_a_noncentral_chi_square_does(classes: int) -> None:
    known = hs.infer(hs.ConfusionMatrix(30 * np.eye(classes, dtype=int)), "flat").of("balanced_accuracy")
    note = shift_note(known)
    assert note is not None
    covered = stats.ncx2.cdf(1.96**2, 1, note.shift**2)
    assert f"(about {100 * covered:.0f}% instead of 95%" in note.text


def test_a_notebook_shows_the_lowest_recalls_of_many_classes() -> None:
    counts = np.diag([9] * 14) + np.eye(14, k=1, dtype=int)
    counts[13, [0, 1, 2, 13]] = 3, 3, 3, 1
    shown = hs.infer(hs.ConfusionMatrix(counts, labels=[f"class{i}" for i in range(14)]))._repr_html_()
    assert "recall@class13" in shown.replace("<wbr>", "")
