"""A report by slice: alone as `infer` says, borrowing as the population says, and who is worst and unlike."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation, UnknownLabel

RIGHT = {"de": (92, 100), "en": (455, 500), "fr": (88, 100), "it": (18, 20), "nl": (27, 60), "pt": (5, 5)}
TABLES = {
    name: hs.ConfusionMatrix([[k // 2, (n - k) // 2], [n - k - (n - k) // 2, k - k // 2]], ["healthy", "ill"])
    for name, (k, n) in RIGHT.items()
}


@pytest.mark.full
@pytest.mark.parametrize("metric", ["accuracy", "recall", "specificity", "error_rate", "balanced_accuracy"])
@pytest.mark.parametrize("kind", ["hdi", "central"])
def test_a_slice_alone_is_what_infer_says_of_its_matrix(metric: str, kind: Any) -> None:
    report = hs.slice_report(TABLES, metric, kind=kind)
    assert (report.borrowed, report.route) == (True, "exact")
    for name, table in TABLES.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", hs.PriorShiftWarning)  # five cases
            law = hs.infer(table).of(report.metric)
        assert report[name].alone == pytest.approx((law.mean, *law.interval(0.95, kind)), abs=1e-6)
        assert report[name].observed == pytest.approx(law.observed)


@pytest.mark.sweep(1, full=2)
@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy"])
def test_the_gap_is_to_all_others_together(metric: str) -> None:
    report = hs.slice_report(TABLES, metric, kind="central")
    rest = sum((TABLES[name] for name in TABLES if name not in ("de", "nl")), TABLES["nl"])
    law = hs.infer(TABLES["de"]).of(metric) - hs.infer(rest).of(metric)
    assert report["de"].gap == pytest.approx((law.mean, *law.interval(0.95, "central")), abs=1e-6)
    assert report["de"].p_below_rest == pytest.approx(law.prob(below=0), abs=1e-6)


@pytest.mark.full
def test_one_broken_slice_of_many_is_named() -> None:
    rng = np.random.default_rng(4)
    n = rng.integers(10, 200, 500)
    right = rng.binomial(n, 0.95)
    n[7], right[7] = 20, 1
    tables = {str(i): hs.ConfusionMatrix([[k, m - k], [0, 0]]) for i, (k, m) in enumerate(zip(right, n, strict=True))}
    assert hs.slice_report(tables).unlike == ("7",)
    del tables["7"]
    assert hs.slice_report(tables).unlike == ()


@pytest.mark.full
def test_a_broken_slice_among_perfect_ones_is_named_on_its_bad_side() -> None:
    tables = {
        "odd": hs.ConfusionMatrix([[18, 42], [0, 0]]),
        **{f"s{i}": hs.ConfusionMatrix([[60, 0], [0, 0]]) for i in range(11)},
    }
    for metric in ("accuracy", "error_rate"):
        assert hs.slice_report(tables, metric).unlike == ("odd",)
    good = {
        "odd": hs.ConfusionMatrix([[59, 1], [0, 0]]),
        **{f"s{i}": hs.ConfusionMatrix([[30, 30], [0, 0]]) for i in range(11)},
    }
    assert hs.slice_report(good).unlike == ()
    assert hs.slice_report(good, "bias").unlike == ("odd",)  # neither side is a bad one


@pytest.mark.parametrize("count", [1, 2])
def test_one_and_two_slices_do_not_borrow(count: int) -> None:
    report = hs.slice_report(dict(list(TABLES.items())[:count]))
    assert not report.borrowed
    assert all((row.mean, row.low, row.high) == row.alone for row in report.rows)
    assert (report.rows[0].gap is None) == (count == 1)
    assert "note" not in str(report)


@pytest.mark.parametrize("metric", ["f1", "mcc"])
def test_what_has_no_closed_law_is_drawn_of_each_slice_alone(metric: str) -> None:
    report = hs.slice_report(TABLES, metric, draws=4000, kind="central")
    assert (report.route, report.borrowed) == ("simulated", False)
    for name, table in TABLES.items():
        law = hs.infer(table).of(metric)
        assert report[name].mean == pytest.approx(law.mean, abs=5 * law.sd / 60)
        assert report[name].low == pytest.approx(law.quantile(0.025), abs=0.3 * law.sd)
    assert "do not borrow" in str(report)


def test_three_classes_and_an_empty_one() -> None:
    table = hs.ConfusionMatrix([[18, 1, 1], [2, 17, 1], [0, 2, 18]])
    hole = hs.ConfusionMatrix([[18, 1, 1], [0, 0, 0], [0, 2, 18]])
    report = hs.slice_report({"a": table, "b": table, "c": hole}, "balanced_accuracy")
    assert report.prior == "jeffreys"
    assert report["c"].empty == pytest.approx(1 / 3)
    assert "In c (33%)" in str(report)
    law = hs.infer(table, "jeffreys").of("balanced_accuracy")
    assert report["a"].alone[0] == pytest.approx(law.mean, abs=1e-9)


def test_between_two_slices() -> None:
    report = hs.slice_report(TABLES)
    gap = report.between("nl", "en")
    assert gap.mean == pytest.approx((27 + 2 / 3) / (60 + 4 / 3) - (455 + 2 / 3) / (500 + 4 / 3))
    with pytest.raises(InvalidArgument, match="a slice minus itself"):
        report.between("nl", "nl")
    with pytest.raises(InvalidArgument, match="no slice is called 'xx'"):
        report.between("nl", "xx")


def test_a_difference_of_slices_has_the_prior_of_its_report() -> None:
    report = hs.slice_report(TABLES, prior="beta(3,4)")
    assert report.between("nl", "en").mean == pytest.approx(report["nl"].alone[0] - report["en"].alone[0], abs=1e-9)
    assert report.between("nl", "en").prior == report.prior


@pytest.mark.full
def test_twenty_thousand_slices_are_answered() -> None:
    rng = np.random.default_rng(0)
    place, truth = np.repeat(np.arange(20_000), 3), rng.integers(0, 2, 60_000)
    said = np.where(rng.random(60_000) < 0.9, truth, 1 - truth)
    report = hs.slice_report(hs.Slices.from_predictions(truth, said, by=place))
    assert len(report.rows) == 20_000
    assert report.draws == 250
    assert report.typical == pytest.approx(0.9, abs=0.01)


@pytest.mark.parametrize(
    ("ask", "error", "sentence"),
    [
        (lambda: hs.slice_report(3), InvalidArgument, "must be Slices, Counts or a mapping of"),  # type: ignore[arg-type]
        (lambda: hs.slice_report({}), InvalidArgument, "one or more"),
        (lambda: hs.slice_report(TABLES, prior="learned"), InvalidArgument, "slices learn from each other"),
        (lambda: hs.slice_report(TABLES, prior="haldane"), NoInformation, "use prior 'flat'"),
        (lambda: hs.slice_report(TABLES, "recall@well"), UnknownLabel, "well"),
        (lambda: hs.slice_report(TABLES)["xx"], InvalidArgument, "no slice is called 'xx'"),
    ],
)
def test_what_is_refused_says_why(ask: Any, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error) as caught:
        ask()
    assert sentence in str(caught.value)


@pytest.mark.full
@pytest.mark.parametrize("metric", ["accuracy", "error_rate"])
def test_a_slice_without_cases_is_never_called_the_worst(metric: str) -> None:
    empty = hs.ConfusionMatrix([[0, 0], [0, 0]], ["healthy", "ill"])
    tables = {str(i): hs.ConfusionMatrix([[45 + i, 0], [i, 45]], ["healthy", "ill"]) for i in range(5)}
    report = hs.slice_report({"nobody": empty, **tables}, metric)
    assert report.rows[-1].name == "nobody"
    assert "is nobody" not in str(report)


@pytest.mark.full
def test_the_largest_gap_of_slices_that_are_alike_begins_at_0() -> None:
    tables = {f"s{i}": hs.ConfusionMatrix([[40 + i % 2, 9 - i % 2], [0, 0]], ["no", "yes"]) for i in range(6)}
    made = hs.slice_report(tables)
    assert made.largest_gap[1] == 0
    assert made.p_alike is not None
    assert made.p_alike > 0.8
    assert f"P(all alike) = {made.p_alike:.3f}" in str(made)
    # what is wrong here is what is called "yes" there: one population, other draws
    same = hs.fairness(hs.Slices(tables), "yes")
    parity = next(gap for gap in same.gaps if gap.name == "demographic_parity_difference")
    assert parity.p_alike == pytest.approx(made.p_alike, abs=1e-6)
    assert parity.high == pytest.approx(made.largest_gap[2], abs=0.03)
    odd = hs.slice_report({**tables, "t": hs.ConfusionMatrix([[10, 40], [0, 0]], ["no", "yes"])})
    assert odd.largest_gap[1] > 0.3
    assert (odd.p_alike or 0) < 1e-6


def test_the_largest_gap_of_a_mean_of_rates_says_nothing_of_being_alike() -> None:
    made = hs.slice_report({f"s{i}": hs.ConfusionMatrix([[40, 9], [5, 30 + i]]) for i in range(4)}, "balanced_accuracy")
    assert made.p_alike is None
    assert made.to_dict()["p_alike"] is None
    assert "P(all alike)" not in str(made)
    assert made.largest_gap[1] > 0
