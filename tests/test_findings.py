"""What a hostile tester and a new user found, so that it stays mended."""

from __future__ import annotations

import copy
import io
import json
import pickle

import numpy as np
import pytest

import howsure as hs
from howsure.errors import (
    InvalidArgument,
    InvalidCounts,
    InvalidFile,
    InvalidLabels,
    MissingExtra,
    NoInformation,
    UnknownMetric,
)
from howsure.io import read
from howsure.laws import Beta, BetaSum, Draws, Linear
from howsure.posterior.knowledge import knowledge_of

ONE_SIDED = hs.ConfusionMatrix([[0, 5], [0, 0]])
A = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def test_one_test_set_at_two_prevalences_moves_together() -> None:
    post = hs.infer(A, "flat")
    half, clinic, again = (post.at_prevalence(p) for p in ([0.5, 0.5], [0.98, 0.02], [0.98, 0.02]))
    assert (half.of("accuracy") - post.of("balanced_accuracy")).sd == 0
    assert (post.of("accuracy") - half.of("accuracy")).sd < 0.01
    assert (clinic.of("precision") - again.of("precision")).sd == 0
    gap = post.at_prevalence([0.9, 0.1]).of("precision") - clinic.of("precision")
    assert gap.prob(above=0) == 1
    assert gap.sd == pytest.approx(0.0466, abs=0.003)
    twin = copy.copy(post)
    assert (twin.of("f1") - post.of("f1")).sd == 0


def test_accuracy_beside_another_test_set_keeps_its_own_law() -> None:
    many = hs.infer(hs.ConfusionMatrix(np.diag([3] * 20)), "flat")
    both = many.of("accuracy") + hs.infer(A, "flat").of("mcc")
    expected = many.of("accuracy").mean + hs.infer(A, "flat").of("mcc").mean
    assert both.mean == pytest.approx(expected, abs=0.004)
    assert "separate test sets" in repr(both)
    assert "weighted_recall" not in repr(both)


@pytest.mark.parametrize("n", [1000, 10_000, 68_753, 10**7])
@pytest.mark.parametrize("m", [1, 3, 7, 10])
def test_a_large_perfect_class_beside_a_small_one_has_its_interval(n: int, m: int) -> None:
    known = knowledge_of(hs.infer(hs.ConfusionMatrix([[n, 0], [0, m]]), "flat")).of("balanced_accuracy")
    ends = known.interval()
    assert ends.kind == "hdi"
    assert known.law.cdf(ends.high) - known.law.cdf(ends.low) == pytest.approx(0.95, abs=1e-6)
    assert ends.width <= known.interval(kind="central").width
    assert ends.low <= known.mode <= ends.high


@pytest.mark.parametrize(
    "counts",
    [
        [[0, 235_879], [1, 0]],
        [[0, 235_879], [2, 0]],
        [[68_753, 0], [0, 7]],
        [[12, 0], [0, 250_972]],
        [[0, 17_414], [1, 0]],
    ],
)
def test_lopsided_tables_answer_at_once(counts: list[list[int]]) -> None:
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(counts), "flat")).of("balanced_accuracy")
    assert known.prob(above=0.5) + known.prob(below=0.5) == pytest.approx(1, abs=1e-9)
    for p in (1e-6, 0.5, 1 - 1e-6):
        assert known.cdf(known.quantile(p)) == pytest.approx(p, abs=1e-7)


def test_an_undefined_table_has_no_mcc() -> None:
    empty = hs.ConfusionMatrix([[30, 2, 0], [1, 9, 0], [0, 0, 0]])
    assert hs.infer(empty, "flat").at_prevalence([0.4, 0.4, 0.2]).of("mcc").observed is None
    assert hs.infer(hs.ConfusionMatrix([[3, 0], [2, 0]]), "flat").of("mcc").observed == 0


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: hs.Prior(1, 1, accuracy=(-50, 1)), InvalidArgument, "pair of pseudo-counts"),
        (lambda: hs.Prior(1, 1, accuracy=(1,)), InvalidArgument, "pair of pseudo-counts"),  # type: ignore[arg-type]
        (lambda: hs.Prior(1, 1, name="\x1b[31m"), InvalidArgument, "one line"),
        (lambda: hs.Prior(1e308, 1e308), InvalidArgument, "pseudo-count"),
        (lambda: Linear(shift=float("nan")), InvalidArgument, "must be finite"),
        (lambda: BetaSum([1, 2], [2, 1], [1e155, 1]), InvalidArgument, "must be finite and within"),
        (lambda: Beta(2, 2).interval(1 - 1e-16), InvalidArgument, "strictly between 0 and 1"),
        (lambda: Beta(2, 2).prob(between=(0.1,)), InvalidArgument, "a pair"),  # type: ignore[arg-type]
        (lambda: Beta(2, 2).prob(above=[0.1, 0.2]), InvalidArgument, "must be a number"),  # type: ignore[arg-type]
        (lambda: hs.infer(A).of("accuracy") / 0, InvalidArgument, "divided by 0"),
        (lambda: hs.infer(A).of("accuracy") + float("inf"), InvalidArgument, "finite numbers"),
        (lambda: hs.infer(A).of("fbeta(beta=2,beta=3)"), InvalidArgument, "once"),
        (lambda: hs.infer(A).of("fbeta(beta=1_0)"), InvalidArgument, "above 0"),
        (lambda: hs.infer(A).at_prevalence([1e308, 1e308]), InvalidArgument, "add to 1"),
        (lambda: hs.infer(A).at_prevalence([98, 2]), InvalidArgument, r"2 % is 0\.02"),
        (lambda: hs.ConfusionMatrix.from_dict({}), InvalidArgument, "needs"),
        (lambda: hs.ConfusionMatrix(np.ma.masked_equal([[1, 2], [3, 4]], 2)), InvalidCounts, "masked"),
        (
            lambda: hs.ConfusionMatrix.from_predictions([True, False], [1, 0]),
            InvalidLabels,
            "no class in common",
        ),
        (lambda: hs.infer(ONE_SIDED, hs.Prior(1e-9, 1e-9, 1e-9)).of("kappa"), NoInformation, "undefined"),
    ],
)  # fmt: skip
def test_bad_values_get_a_sentence(make: object, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        make()  # type: ignore[operator]


def test_labels_may_be_given_as_values() -> None:
    cm = hs.ConfusionMatrix.from_predictions([1, 2, 3, 3], [1, 2, 3, 1])
    assert cm.index(3) == 2
    assert cm.one_vs_rest(3).labels == ("not 3", "3")
    assert cm.subset([1, 3]).n == 3
    assert cm.merge({"x": [1, 2]}).labels == ("x", "3")
    assert knowledge_of(hs.infer(cm).at_prevalence({1: 0.2, 2: 0.3, 3: 0.5})).known_prevalence.tolist() == [
        0.2,
        0.3,
        0.5,
    ]
    flags = hs.ConfusionMatrix.from_predictions([True, False], [True, True], positive=True)
    assert flags.positive == "true"


def test_values_stay_what_they_are() -> None:
    coefficients = np.array([[1.0, 0, 2]])
    law = Linear([(coefficients, [[1, 2, 3]])])
    coefficients[0, 0] = 100
    assert law.mean == pytest.approx(7 / 6)
    values = np.array([0.1, 0.2, 0.3])
    drawn = Draws(values)
    values[0] = 5
    assert drawn.values[0] == 0.1
    post = hs.infer(A)
    for thing in (post, post.of("mcc"), law, drawn, Beta(2, 3)):
        with pytest.raises(AttributeError, match=r"immutable|no setter|can't set"):
            thing.foo = 1
    with pytest.raises(ValueError, match="WRITEABLE"):
        A.counts.setflags(write=True)
    with pytest.raises(AttributeError):
        Beta(2, 3).a = 4.0


def test_everything_public_travels_to_another_process() -> None:
    post = hs.infer(A, "flat")
    post.of("mcc")
    for thing in (A, post, post.of("mcc"), post.of("accuracy"), hs.report(post), Beta(2, 3), hs.Prior(1, 2)):
        again = pickle.loads(pickle.dumps(thing))
        assert repr(again) == repr(thing)
    errors = (
        InvalidFile("x.csv", "no", 3),
        UnknownMetric("a", ["b"]),
        MissingExtra("Plots", "plot"),
        InvalidCounts("x"),
    )
    for error in errors:
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_no_control_character_leaves_in_any_text() -> None:
    cm = hs.ConfusionMatrix([[6, 2, 1], [1, 20, 3], [0, 2, 9]], ["\x1b[31mRED", "b\u202e", "c\u2028"])
    for prior in ("flat", "haldane"):
        made = hs.report(hs.infer(cm, prior), draws=500)
        for shown in (
            str(made),
            made.to_markdown(),
            made._repr_html_(),
            str(cm),
            repr(hs.infer(cm, "flat").of("recall@\x1b[31mRED")),
        ):
            assert all(c.isprintable() or c == "\n" for c in shown)


def test_modes_at_the_edge_and_in_the_middle() -> None:
    assert (Beta(1, 5).mode, Beta(5, 1).mode, Beta(1, 1).mode, Beta(1.5, 0.5).mode) == (0, 1, 0.5, 1)


def test_totals_by_any_name_are_left_out_and_said() -> None:
    table = "true\\pred,a,b,Overall\na,1,2,3\nb,3,4,7\nOverall,4,6,10\n"
    reading = read(io.StringIO(table))
    assert reading.confusion.counts.tolist() == [[1, 2], [3, 4]]
    assert "The last row and column ('Overall') hold the sums of the others" in reading.notes[0]


def test_four_hundred_classes_are_reported() -> None:
    made = hs.report(hs.infer(hs.ConfusionMatrix(np.eye(400, dtype=int) * 9), "flat"), draws=200)
    assert len(made.rows) == 5 + 2 * 15


@pytest.mark.parametrize("counts", [[[5, 0], [7, 0]], [[0, 5], [7, 0]], [[1, 0], [0, 0]], [[0, 0], [0, 0]]])
@pytest.mark.parametrize("metric", ["f1_gain", "log_diagnostic_odds_ratio", "diagnostic_odds_ratio"])
def test_ratios_beyond_all_numbers_are_infinite_and_not_a_warning(counts: list[list[int]], metric: str) -> None:
    post = hs.infer(hs.ConfusionMatrix(counts), "learned")
    known = post.of(metric)
    assert known.interval().low <= known.interval().high
    sensitivity = post.prior_sensitivity(metric, draws=500)
    assert "nan" not in str(sensitivity)
    assert "inf sd" not in str(sensitivity)
    assert json.loads(json.dumps(sensitivity.to_dict(), allow_nan=False))["metric"].startswith(metric)


def test_what_is_infinite_in_every_draw_says_so() -> None:
    worse = hs.infer(hs.ConfusionMatrix([[0, 500], [700, 0]]), "learned")
    with pytest.raises(NoInformation, match=r"is infinite in every draw"):
        worse.of("number_needed_to_diagnose", draws=500)


def test_a_lopsided_class_beyond_all_nodes_is_refused_before_memory_runs_out() -> None:
    post = hs.infer(hs.ConfusionMatrix([[2**52, 3], [5, 2**51]]))
    with pytest.raises(InvalidArgument, match="too lopsided for averages"):
        post.of("balanced_accuracy").interval()
    assert post.of("recall@0").interval().high <= 1
    even = hs.infer(hs.ConfusionMatrix([[2**50, 2**49], [2**48, 2**50]])).of("balanced_accuracy")
    assert even.interval().low < even.mean < even.interval().high


def test_questions_check_what_they_are_given() -> None:
    post = hs.infer(A)
    for draws in (-1, 1.5, 10**12):
        with pytest.raises(InvalidArgument, match="draws is a whole number"):
            post.post_test(0.02, ["positive", "positive"], draws=draws)  # type: ignore[arg-type]  # wrong on purpose
        with pytest.raises(InvalidArgument, match="draws is a whole number"):
            post.predict(20, draws=draws)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="seed is a whole number"):
        post.predict(20, seed=-1)
    with pytest.raises(InvalidArgument, match="no test result is given"):
        post.post_test(0.02, 5)  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(InvalidArgument, match="an earlier matrix is a ConfusionMatrix, not list"):
        hs.Prior.from_matrix([[1, 2], [3, 4]])  # type: ignore[arg-type]  # wrong on purpose


def test_claims_of_no_number_and_huge_tests_of_significance() -> None:
    for claim in (float("nan"), "x", True):
        with pytest.raises(InvalidArgument, match="a claim is a finite number"):
            hs.infer(A).predict(30).repeats("accuracy", above=claim)  # type: ignore[arg-type]  # wrong on purpose
    tests = hs.classical(hs.ConfusionMatrix([[2**52, 3], [5, 2**51]])).to_dict()["tests"]
    assert tests[0]["p"] == 0
