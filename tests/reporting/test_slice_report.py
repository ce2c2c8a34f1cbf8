"""Reports of slices, also in time, by strata and by group."""

from __future__ import annotations

import csv
import io
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation, UnknownLabel
from howsure.numerics.populations.population import after_others

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


# -- slices in time: each alone as `infer` says, and the last one beside a new one of the population before it --------

RIGHT_OF_SLICES_IN_TIME = [90, 92, 89, 91, 93, 90, 92, 88, 91, 90]


def weeks(*right: int, n: int = 100, ill: tuple[int, int] = (0, 1)) -> dict[str, hs.ConfusionMatrix]:
    return {f"week {i + 1}": hs.ConfusionMatrix([[k, n - k], ill], ["well", "ill"]) for i, k in enumerate(right)}


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize("metric", ["accuracy", "specificity", "balanced_accuracy"])
def test_a_slice_alone_is_what_infer_says(metric: str) -> None:
    tables = weeks(*RIGHT_OF_SLICES_IN_TIME, ill=(3, 17))
    made = hs.slices_in_time(tables, metric, kind="central")
    for before, name in (("week 9", "week 10"), ("week 1", "week 2")):
        law, other = (hs.infer(tables[each]).of(metric) for each in (name, before))
        row = made[name]
        assert (row.mean, row.low, row.high) == pytest.approx((law.mean, *law.interval(0.95, "central")), abs=1e-6)
        assert row.p_below_previous == pytest.approx((law - other).prob(below=0), abs=1e-6)
        assert row.observed == pytest.approx(law.observed)


@pytest.mark.full
def test_a_fall_is_told_and_a_usual_week_is_not() -> None:
    fallen, usual = (
        hs.slices_in_time(weeks(*RIGHT_OF_SLICES_IN_TIME, 72)),
        hs.slices_in_time(weeks(*RIGHT_OF_SLICES_IN_TIME, 90)),
    )
    assert fallen.last.p_lower > 0.99
    assert "week 11, the last of 11, is 0.72" in fallen.sentence
    assert "lower than those before with probability" in fallen.sentence
    assert 0.2 < usual.last.p_lower < 0.8
    risen = hs.slices_in_time(weeks(*[k - 30 for k in RIGHT_OF_SLICES_IN_TIME], 95))
    assert risen.last.p_lower < 0.01
    assert "higher than those before" in risen.sentence


def test_below_three_before_nothing_is_said() -> None:
    made = hs.slices_in_time(weeks(90, 91, 60, 92))
    assert [row.p_lower is None for row in made.rows] == [True, True, True, False]
    few = hs.slices_in_time(weeks(90, 60))
    assert few.last.expected is None
    assert "below three slices before it" in few.sentence
    assert hs.slices_in_time(weeks(90)).last.p_below_previous is None


@pytest.mark.full
def test_only_the_last_sixty_are_held_against_those_before() -> None:
    made = hs.slices_in_time(weeks(*[9] * 70, n=10))
    assert sum(row.p_lower is not None for row in made.rows) == 60
    assert "60 slices held against those before" in str(made)
    assert len(list(csv.reader(io.StringIO(made.to_csv())))) == 71


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: hs.slices_in_time(weeks(*RIGHT_OF_SLICES_IN_TIME), "f1"), InvalidArgument, "means of rates"),
        (lambda: hs.slices_in_time(weeks(*RIGHT_OF_SLICES_IN_TIME), prior="learned"), InvalidArgument, "learned"),
        (lambda: hs.slices_in_time(weeks(100, 100), "specificity", "haldane"), NoInformation, "use prior 'flat'"),
        (lambda: hs.slices_in_time(weeks(*RIGHT_OF_SLICES_IN_TIME), cut="week"), InvalidArgument, "cut from dates"),
        (lambda: hs.slices_in_time(weeks(*RIGHT_OF_SLICES_IN_TIME), cut="day"), InvalidArgument, "cut"),  # type: ignore[arg-type]
        (lambda: hs.slices_in_time(weeks(*RIGHT_OF_SLICES_IN_TIME))["xx"], InvalidArgument, "no slice is called"),
        (
            lambda: hs.slices_in_time(3),
            InvalidArgument,
            r"the argument of slices_in_time\(\) must be Slices, Counts or a mapping of",
        ),  # type: ignore[arg-type]
    ],
)
def test_bad_input_is_told(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.mark.deep
@pytest.mark.parametrize("spread", [None, 60])
def test_of_weeks_alike_few_are_called_lower_or_higher(spread: float | None) -> None:
    rng, low, high = np.random.default_rng(1), 0, 0
    for _ in range(200):
        p = np.full(12, 0.9) if spread is None else rng.beta(0.9 * spread, 0.1 * spread, 12)
        found = after_others([rng.binomial(200, p)], [np.full(12, 200)], 1.0, 1.0, 2000, rng).lower
        low, high = low + (found >= 0.975), high + (found <= 0.025)
    assert low <= 12
    assert high <= 12


# -- balanced accuracy over class and stratum: the example, exact against draws, weights, and cells without a

EXAMPLE = {
    name: hs.ConfusionMatrix([[k, n - k], [n - k, k]], ["healthy", "ill"])
    for name, k, n in [("marked", 86, 90), ("plain", 1, 10)]
}
HOLED = {**EXAMPLE, "third": hs.ConfusionMatrix([[3, 1], [0, 0]], ["healthy", "ill"])}


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize("weights", ["equal", "pooled", {"marked": 1, "plain": 2, "third": 5}])
def test_exact_and_drawn_agree(weights: Any) -> None:
    made = hs.stratified(HOLED, weights, kind="central")
    shares = {
        "equal": [1 / 3] * 3,
        "pooled": [180 / 204, 20 / 204, 4 / 204],
    }.get(weights if isinstance(weights, str) else "", [1 / 8, 2 / 8, 5 / 8])
    rng = np.random.default_rng(0)
    total = np.zeros(200_000)
    for share, table in zip(shares, HOLED.values(), strict=True):
        for i in range(2):
            right, cases = table.counts[i, i], table.counts[i].sum()
            total += share / 2 * rng.beta(2 / 3 + right, 2 / 3 + cases - right, len(total))
    assert made.shares == pytest.approx(dict(zip(HOLED, shares, strict=True)))
    assert (made.mean, made.low, made.high) == pytest.approx(
        (total.mean(), *np.quantile(total, [0.025, 0.975])), abs=2e-3
    )


def test_a_cell_without_a_case_is_kept_and_said() -> None:
    made = hs.stratified(HOLED)
    assert made.empty == pytest.approx(1 / 6)
    assert made.bounds is not None
    assert made.bounds[0] < made.low < made.high < made.bounds[1]
    known = hs.stratified(EXAMPLE)
    assert made.bounds[1] - made.bounds[0] > known.high - known.low
    assert "16.7% of the weight rests on" in str(made)
    assert "WARNING: more than a tenth" in str(made)


def test_a_cell_without_a_case_is_dropped_inside_its_class() -> None:
    made = hs.stratified(HOLED, empty="drop")
    assert made.dropped == (("ill", "third"),)
    weights = [cell["weight"] for cell in made.to_dict()["cells"]]
    assert weights == pytest.approx([1 / 6, 1 / 4, 1 / 6, 1 / 4, 1 / 6, 0])
    first, second, third = ((k + 2 / 3) / (n + 4 / 3) for k, n in ((86, 90), (1, 10), (3, 4)))
    assert made.mean == pytest.approx((first + second + third) / 6 + (first + second) / 4)
    assert "another question: ill in third" in str(made)


@given(st.lists(st.tuples(*[st.integers(0, 30)] * 4), min_size=1, max_size=5))
@settings(max_examples=15, deadline=None)
def test_the_mean_is_that_of_the_strata_alone(counts: list[tuple[int, int, int, int]]) -> None:
    tables = {str(i): hs.ConfusionMatrix([[1 + a, b], [c, 1 + d]]) for i, (a, b, c, d) in enumerate(counts)}
    made = hs.stratified(tables)
    s = 2 / 3
    recalls = [((s + 1 + a) / (2 * s + 1 + a + b) + (s + 1 + d) / (2 * s + 1 + c + d)) / 2 for a, b, c, d in counts]
    assert made.mean == pytest.approx(np.mean(recalls))
    assert 0 <= made.low <= made.mean <= made.high <= 1


def test_a_learned_prior_lets_strata_learn_from_each_other() -> None:
    tables = {str(i): hs.ConfusionMatrix([[5, 0], [int(i == 3), 5 - int(i == 3)]]) for i in range(12)}
    flat, learned = hs.stratified(tables), hs.stratified(tables, prior="learned")
    assert flat.observed - flat.mean > 0.1 > 0.03 > learned.observed - learned.mean
    assert "prior 'learned' lets" in str(flat)


@pytest.mark.parametrize(
    ("weights", "options", "said"),
    [
        ("eqal", {}, "'equal' or 'pooled'"),
        ({"marked": 1}, {}, "'plain' has no weight"),
        ({"marked": 1, "plain": 1, "third": 1, "x": 1}, {}, "'x' is no stratum"),
        ({"marked": 1, "plain": -1, "third": 1}, {}, "numbers of 0 or more"),
        ({"marked": 0, "plain": 0, "third": 0}, {}, "one of them above 0"),
        ("equal", {"empty": "error"}, "no case of 'ill' in 'third'"),
        ("equal", {"empty": "no"}, "empty is 'keep', 'drop' or 'error'"),
    ],
)
def test_what_does_not_fit_is_refused(weights: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.stratified(HOLED, weights, **options)


def test_a_class_without_a_case_has_no_answer() -> None:
    with pytest.raises(NoInformation, match="class 'ill' has no case"):
        hs.stratified({"x": HOLED["third"]})
    with pytest.raises(NoInformation, match="class 'ill' has no case"):
        hs.stratified(HOLED, {"marked": 0, "plain": 0, "third": 1})
