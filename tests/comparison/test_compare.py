"""Comparisons: published answers, pairs against separate test sets, direction, ropes, losses, and who is refused."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from tests.conftest import matrices, tries

import howsure as hs
from howsure.comparison.chances import chances, losses
from howsure.comparison.same_cases import exchangeable
from howsure.errors import InvalidArgument
from howsure.laws import BetaSum, Draws, Linear, PairedDifference
from howsure.posterior.paired import PairedPosterior

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMA = json.loads(resources.files("howsure.comparison").joinpath("compare.schema.json").read_text(encoding="utf-8"))
NEW = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])
OLD = hs.ConfusionMatrix([[40, 10], [9, 41]], labels=["healthy", "ill"])


def pair(cases: int, correlation: float, seed: int, p: float = 0.85) -> hs.Predictions:
    """Two classifiers, right with probability p, errors of this correlation."""
    rng = np.random.default_rng(seed)
    same = rng.random(cases) < correlation
    right = rng.random((2, cases)) < p
    right[1, same] = right[0, same]
    truth = rng.integers(0, 2, cases)
    return hs.Predictions(truth, {"A": np.where(right[0], truth, 1 - truth), "B": np.where(right[1], truth, 1 - truth)})


# -- separate test sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("a", "b", "above"), [("C3", "C1", 0.86499), ("C1", "C2", 0.99406), ("C3", "C2", 0.99982)])
def test_the_classifiers_of_carrillo(
    published: dict[str, dict[str, list[list[int]]]], a: str, b: str, above: float
) -> None:
    first, second = (hs.infer(hs.ConfusionMatrix(published[f"carrillo2013_{x}"]["matrix"]), "flat") for x in (a, b))
    made = hs.compare(first, second, metric="balanced_accuracy", names=(a, b))
    assert made.p_better == pytest.approx(above, abs=1e-5)
    assert made.p_better + made.p_worse == pytest.approx(1, abs=1e-12)
    assert made.difference.route == "exact"
    assert not made.paired
    plain = first.of("balanced_accuracy") - second.of("balanced_accuracy")
    assert made.difference.interval() == plain.interval()
    assert made.discordant is made.narrowing is None


@pytest.mark.parametrize("metric", ["balanced_accuracy", "accuracy", "recall@ill", "error_rate"])
def test_one_posterior_twice_is_two_test_sets(metric: str) -> None:
    new = hs.infer(NEW)
    made = hs.compare(new, new, metric=metric)
    assert (made.p_better, made.p_worse) == pytest.approx((0.5, 0.5), abs=1e-12)
    assert made.difference.sd == pytest.approx(new.under("jeffreys").of(metric).sd * np.sqrt(2))
    assert hs.compare(new, new.at_prevalence([0.5, 0.5]), metric="recall@ill").difference.sd > 0
    assert "equally likely" in made.sentence


def test_the_members_of_a_pairing_stay_paired_and_one_of_them_twice_does_not() -> None:
    joint = PairedPosterior(pair(100, 0.8, 0))
    assert hs.compare(joint["A"], joint["B"]).paired
    assert not hs.compare(joint["A"], joint["A"]).paired
    assert not hs.compare(joint["A"], hs.infer(NEW.merge({"0": ["healthy"], "1": ["ill"]}))).paired


def test_matrices_that_look_paired_get_the_advice() -> None:
    made = hs.compare(hs.infer(NEW), hs.infer(OLD))
    assert any("same class sizes" in warning and "sqrt(1 - rho)" in warning for warning in made.warnings)
    other = hs.ConfusionMatrix([[40, 11], [9, 41]], labels=["healthy", "ill"])
    assert not hs.compare(hs.infer(NEW), hs.infer(other)).warnings


def test_what_is_unlike_is_said() -> None:
    three = hs.ConfusionMatrix([[40, 5, 1], [3, 30, 2], [0, 0, 0]], labels=["healthy", "ill", "dead"])
    made = hs.compare(hs.infer(NEW), hs.infer(three, "flat"), metric="accuracy")
    assert made.warnings[0] == "The classes differ; only one of the two has 'dead'."
    assert made.warnings[1].startswith("No case of 'dead' was tested")
    assert [row.label for row in made.per_class] == ["healthy", "ill"]
    with pytest.raises(InvalidArgument, match=r"A has prior 'flat' and B 'learned'.*such as prior='flat'"):
        hs.compare(hs.infer(NEW, "flat"), hs.infer(three), metric="accuracy")
    stated = hs.infer(NEW).at_prevalence([0.9, 0.1])
    assert "prevalences differ" in " ".join(hs.compare(stated, hs.infer(OLD)).warnings)
    both = hs.infer(OLD).at_prevalence([0.9, 0.1])
    assert "prevalences differ" not in " ".join(hs.compare(stated, both).warnings)


# -- pairs ----------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 40), min_size=4, max_size=4).filter(sum))
@settings(max_examples=tries(25))
def test_accuracy_of_a_pair_is_exact(cells: list[int]) -> None:
    both, a, b, neither = cells
    data = hs.Predictions(
        [1] * sum(cells),
        {"A": [1] * (both + a) + [0] * (b + neither), "B": [1] * both + [0] * a + [1] * b + [0] * neither},
        labels=[0, 1],
    )
    made = hs.compare(data, metric="accuracy")
    assert made.p_better == pytest.approx(special.betainc(b + 0.5, a + 0.5, 0.5), abs=1e-9)
    assert made.discordant == (both, a, b, neither)
    assert made.prior == "paired flat"
    back = hs.compare(data, "B", "A", metric="accuracy")
    assert (back.p_worse, back.expected_loss.b) == pytest.approx((made.p_better, made.expected_loss.a), abs=1e-9)


@pytest.mark.parametrize(("correlation", "expected"), [(0.0, 1.0), (0.5, 1.41), (0.9, 3.04)])
def test_pairing_narrows_as_the_theory_says(correlation: float, expected: float) -> None:
    """STATISTICS: width independent / paired is about 1 / sqrt(1 - rho), at p = .85 and n = 500."""
    found = [hs.compare(pair(500, correlation, seed), metric="accuracy").narrowing for seed in range(20)]
    assert np.mean(np.array(found, dtype=float)) == pytest.approx(expected, rel=0.06)


def test_identical_classifiers_split_the_ties() -> None:
    same = hs.Predictions([0, 0, 1, 1], {"A": [0, 1, 1, 1], "B": [0, 1, 1, 1]})
    for metric in ("accuracy", "balanced_accuracy", "recall@0"):
        made = hs.compare(same, metric=metric)
        assert (made.p_better, made.p_worse) == pytest.approx((0.5, 0.5), abs=1e-12)
        assert made.p_equal == 0


@pytest.mark.parametrize("metric", ["f1@macro", "mcc", "precision@0"])
def test_what_nothing_tells_apart_is_even_also_where_it_is_drawn(metric: str) -> None:
    same = hs.Predictions([0, 0, 1, 1, 1], {"A": [0, 1, 1, 1, 1], "B": [0, 1, 1, 1, 1]})
    matrix = hs.infer(same.confusion("A"))
    for made in (hs.compare(same, metric=metric), hs.compare(matrix, hs.infer(same.confusion("B")), metric=metric)):
        assert made.chances == (0.5, 0, 0.5)
        assert made.expected_loss.a == made.expected_loss.b > 0
    thirds = hs.compare(same, metric=metric, rope=0.05)
    assert thirds.p_better == thirds.p_worse
    swapped = hs.Predictions([0, 0, 1, 1, 1], {"A": [0, 1, 1, 1, 1], "B": [1, 0, 1, 1, 1]})
    assert not exchangeable(hs.compare(swapped, metric=metric).posteriors)


def test_two_lines_of_a_leaderboard() -> None:
    first, second = (hs.Posterior.from_accuracy(correct=k, n=500, prior="flat") for k in (430, 423))
    made = hs.compare(first, second, metric="accuracy", names=("first", "second"))
    board = hs.rank({"first": first, "second": second}, metric="accuracy")
    assert made.p_better == pytest.approx(board.above[0, 1], abs=1e-9)
    assert not made.paired
    assert made.per_class == ()
    jsonschema.validate(made.to_dict(), SCHEMA)
    assert "500 and 500 cases" in str(made)
    assert made.ratio is not None
    assert hs.compare(first, first, metric="accuracy").chances == (0.5, 0, 0.5)
    assert hs.compare(first, hs.infer(NEW), metric="error_rate").p_worse < 0.6


def test_of_three_classifiers_two_are_compared_as_if_alone() -> None:
    two = pair(200, 0.5, 1)
    three = hs.Predictions(two.truth, {"A": two.answers("A"), "C": two.truth, "B": two.answers("B")})
    for metric in ("balanced_accuracy", "f1@macro"):
        assert hs.compare(three, "A", "B", metric=metric).p_better == hs.compare(two, metric=metric).p_better


def test_per_class_differences_are_the_recalls() -> None:
    data = pair(150, 0.5, 2)
    made = hs.compare(data)
    joint = PairedPosterior(data)
    for row in made.per_class:
        gain = joint["A"].of(f"recall@{row.label}") - joint["B"].of(f"recall@{row.label}")
        assert (row.mean, row.low, row.high) == (gain.mean, *gain.interval())
        assert row.p_better == pytest.approx(gain.prob(above=0), abs=1e-12)


# -- direction, rope, loss, ratio -----------------------------------------------------------------------------


@pytest.mark.parametrize("rope", [None, 0.02])
def test_lower_is_better_where_it_is(rope: float | None) -> None:
    data = pair(150, 0.5, 3)
    high, low = (hs.compare(data, metric=m, rope=rope) for m in ("accuracy", "error_rate"))
    assert (low.p_better, low.p_equal, low.p_worse) == pytest.approx(
        (high.p_better, high.p_equal, high.p_worse), abs=1e-9
    )
    assert tuple(low.expected_loss) == pytest.approx(tuple(high.expected_loss), abs=1e-9)
    assert low.difference.mean == pytest.approx(-high.difference.mean)
    separate = hs.compare(hs.infer(NEW), hs.infer(OLD), metric="false_positive_rate")
    assert separate.p_better == pytest.approx(
        hs.compare(hs.infer(NEW), hs.infer(OLD), metric="specificity").p_better, abs=1e-12
    )


def test_what_a_wide_rope_leaves_even_is_said_with_the_rope() -> None:
    """Of 88 and 80 of 100 neither is likely better by more than 0.5, and they are not equally likely to be better."""
    a, b = (hs.Posterior.from_accuracy(correct=k, n=100) for k in (88, 80))
    sentence = hs.compare(a, b, metric="accuracy", rope=0.5).sentence
    assert sentence.startswith("A and B are practically equal in accuracy (within 0.5) with probability > 0.999.")
    assert sentence.count("practically") == 1
    # as even as can be, and yet seldom within the rope
    even = hs.compare(a, a, metric="accuracy", rope=0.01).sentence
    assert even.startswith("A and B are equally likely to be better in accuracy by more than 0.01.")


def test_a_rope_is_a_third_answer() -> None:
    new, old = hs.infer(NEW, "jeffreys"), hs.infer(OLD, "jeffreys")
    made = hs.compare(new, old, rope=0.05)
    gain = new.of("balanced_accuracy") - old.of("balanced_accuracy")
    assert made.p_equal == pytest.approx(gain.prob(between=(-0.05, 0.05)), abs=1e-12)
    assert made.p_better + made.p_equal + made.p_worse == pytest.approx(1, abs=1e-12)
    assert "practically nil (within 0.05)" in made.sentence


@pytest.mark.parametrize(
    "law",
    [
        PairedDifference([[60.5, 12.5, 5.5, 23.5]]),
        PairedDifference([[0.5, 0.5, 0.5, 0.5]]),
        PairedDifference([[25.5, 0.5, 0.5, 0.5], [3.5, 8.5, 0.5, 0.5]]),
        BetaSum([46, 43, 41, 42], [6, 9, 11, 10], [0.5, 0.5, -0.5, -0.5]),
        BetaSum([26, 1], [1, 1], [1, -1]),
    ],
)
def test_expected_losses_agree_with_draws_and_with_the_mean(law: Linear) -> None:
    loss = losses(law, higher=True)
    values = law.sample(200_000, seed=1)
    for exact, drawn in ((loss.a, np.maximum(-values, 0)), (loss.b, np.maximum(values, 0))):
        assert exact == pytest.approx(drawn.mean(), abs=4.5 * drawn.std() / np.sqrt(len(values)))
    assert loss.b - loss.a == pytest.approx(law.mean, abs=1e-12)
    by_draws = losses(Draws(values), higher=False)
    assert by_draws.a == pytest.approx(np.maximum(values, 0).mean())


def test_expected_loss_of_two_betas_is_a_quadrature() -> None:
    """E[max(0, Y - X)] = int F_X (1 - F_Y), by a fine trapezoid."""
    x = np.linspace(0, 1, 400_001)
    upper = special.betainc(6, 3, x) * (1 - special.betainc(5, 4, x))
    expected = float(upper.sum() - (upper[0] + upper[-1]) / 2) * (x[1] - x[0])
    assert losses(BetaSum([6, 5], [3, 4], [1, -1]), higher=True).a == pytest.approx(expected, abs=1e-10)


def test_draws_never_claim_certainty() -> None:
    assert chances(Draws(np.linspace(0.1, 0.2, 1000)), None, higher=True) == (0.999, 0, 0.001)


def test_the_ratio_moves_with_the_pair() -> None:
    made = hs.compare(pair(400, 0.9, 4), metric="accuracy")
    ratio = made.ratio
    assert ratio is not None
    assert ratio.prob(above=1) == pytest.approx(made.p_better, abs=0.015)
    separate = np.hypot(made.a.sd / made.a.mean, made.b.sd / made.b.mean)
    assert ratio.sd < 0.5 * separate
    assert hs.compare(pair(50, 0.5, 4), metric="mcc").ratio is None
    apart = hs.compare(hs.infer(NEW), hs.infer(OLD), metric="f1").ratio
    assert apart is not None
    assert apart.prob(above=1) == pytest.approx(
        (hs.infer(NEW).of("f1") - hs.infer(OLD).of("f1")).prob(above=0), abs=0.02
    )


# -- outputs --------------------------------------------------------------------------------------------------


@given(matrices(max_classes=4), st.sampled_from(["accuracy", "balanced_accuracy", "f1@macro", "mcc"]))
@settings(max_examples=tries(20))
def test_every_comparison_is_valid_json_of_its_schema(cm: hs.ConfusionMatrix, metric: str) -> None:
    made = hs.compare(hs.infer(cm, "flat"), hs.infer(cm.transpose(), "flat"), metric=metric, draws=200)
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    jsonschema.validate(data, SCHEMA)
    for view in (str(made), made.to_markdown(), made._repr_html_(), made.to_csv(), repr(made)):
        assert "nan" not in view.lower()
        assert "flat" in view or view == repr(made)


def test_every_output_says_what_it_assumes() -> None:
    for metric, law in (("accuracy", "exact"), ("f1@macro", "drawn")):
        made = hs.compare(pair(60, 0.5, 5), metric=metric, draws=500)
        jsonschema.validate(made.to_dict(), SCHEMA)
        for view in (str(made), made.to_markdown(), made._repr_html_(), made.to_csv()):
            assert "paired flat" in view
            assert law in view
        assert "from the same cases" in made.sentence
        assert made.to_csv().count("\n") == 6
    assert "from separate test sets" in hs.compare(hs.infer(NEW), hs.infer(OLD)).sentence


def test_names_cannot_break_out() -> None:
    evil = "<b>|=1+1\n"
    data = hs.Predictions([0, 1, 1], {evil: [0, 1, 0], "B": [0, 1, 1]})
    made = hs.compare(data)
    assert "<b>" not in made._repr_html_()
    assert "\n" not in made.sentence
    assert "\\|" in made.to_markdown()


def test_many_classes_show_the_surest() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 25, 600)
    answers = {n: np.where(rng.random(600) < 0.8, truth, rng.integers(0, 25, 600)) for n in "AB"}
    made = hs.compare(hs.Predictions(truth, answers))
    assert "The 10 surest differences of 25 classes are shown" in str(made)
    assert len(made.per_class) == 25


def test_nothing_known_is_an_error_and_a_silent_class_a_gap() -> None:
    perfect = hs.ConfusionMatrix([[5, 0], [2, 3]], labels=["a", "b"])
    first, second = hs.infer(perfect, "haldane"), hs.infer(NEW.merge({"a": ["healthy"], "b": ["ill"]}), "haldane")
    with pytest.raises(hs.errors.NoInformation, match="class 'a'"):
        hs.compare(first, second)
    made = hs.compare(first, second, metric="recall@b")
    assert [row.mean is None for row in made.per_class] == [True, False]
    jsonschema.validate(made.to_dict(), SCHEMA)
    assert "nan" not in str(made)


# -- who is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.compare(NEW, OLD), r"infer\(matrix\)"),
        (lambda: hs.compare(*[hs.Posterior.from_accuracy(correct=3, n=4)] * 2), "needs a confusion matrix"),
        (lambda: hs.compare(hs.infer(NEW)), "two posteriors, or predictions and two names; not Posterior"),
        (hs.compare, "not nothing"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), prior="flat"), "posteriors have their prior"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD, "jeffreys")), "has prior 'flat' and B 'jeffreys'"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), metric="bias"), "neither better high nor low"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), metric="balanced_acuracy"), "Did you mean"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), rope=2), r"from 0 to below 1; not 2 \(1 point is 0.01\)"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), rope=-0.1), "rope is"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), rope=float("nan")), "rope is"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), level=95), "level is"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), kind="eti"), "kind is"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), draws=3), "draws is"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), seed=-1), "seed is"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), names=("x", "x")), "two different texts"),
        (lambda: hs.compare(pair(9, 0, 0), "A"), "takes the names of two classifiers, of A, B"),
        (lambda: hs.compare(pair(9, 0, 0), "A", "A"), "two or more different classifiers"),
        (lambda: hs.compare(pair(9, 0, 0), "A", "X"), "No classifier named 'X'"),
        (lambda: hs.compare(pair(9, 0, 0), prior="learned"), "same cases of 2 classes use 'flat'"),
        (lambda: hs.compare(pair(9, 0, 0), prior="haldane"), "no case on one side"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        make()  # type: ignore[operator]


def test_a_positive_class_must_be_the_same() -> None:
    other = hs.ConfusionMatrix(OLD.counts, OLD.labels, positive="healthy")
    with pytest.raises(InvalidArgument, match="recall@ill of the one and recall@healthy of the other"):
        hs.compare(hs.infer(NEW), hs.infer(other), metric="recall")
    assert hs.compare(hs.infer(NEW), hs.infer(other), metric="recall@ill").metric == "recall@ill"


def test_a_prior_that_moves_both_alike_is_a_note_and_one_that_decides_is_a_warning() -> None:
    truth = np.repeat(np.arange(10), 90)
    answers = {n: np.where(np.arange(900) % 90 < wrong, (truth + 1) % 10, truth) for n, wrong in (("A", 3), ("B", 4))}
    alike = hs.compare(hs.Predictions(truth, answers), prior="flat")
    assert alike.warnings == ()
    assert "the paired flat prior moves balanced accuracy of A by -0.01" in alike.notes[0]
    few = hs.compare(
        hs.infer(hs.ConfusionMatrix(3 * np.eye(30, dtype=int)), "flat"),
        hs.infer(hs.ConfusionMatrix(np.eye(30, dtype=int)[::-1] * 3), "flat"),
    )
    assert abs(few.prior_shift or 0) > 1
    assert any(w.startswith("A: the flat prior moves") for w in few.warnings)


def test_any_two_of_one_pairing_in_either_order() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 120)
    right = {name: rng.random(120) < skill for name, skill in (("A", 0.9), ("B", 0.8), ("C", 0.6))}
    joint = PairedPosterior(hs.Predictions(truth, {k: np.where(v, truth, (truth + 1) % 3) for k, v in right.items()}))
    for one, other in (("A", "B"), ("B", "A"), ("C", "A")):
        found = hs.compare(joint[one], joint[other], metric="accuracy").discordant
        assert found is not None
        assert found.only_a == (right[one] & ~right[other]).sum()
        assert found.only_b == (right[other] & ~right[one]).sum()


def test_members_moved_one_by_one_stay_on_the_same_cases() -> None:
    truth = [0] * 30 + [1] * 30
    joint = PairedPosterior(hs.Predictions(truth, {"A": [0] * 33 + [1] * 27, "B": [0] * 38 + [1] * 22}))
    shares = {"0": 0.9, "1": 0.1}
    alone = hs.compare(joint["A"].at_prevalence(shares), joint["B"].at_prevalence(shares), metric="accuracy")
    moved = joint.at_prevalence(shares)
    assert alone.paired
    assert alone.p_better == hs.compare(moved["A"], moved["B"], metric="accuracy").p_better
    again = joint["A"].at_prevalence([0.5, 0.5]).at_prevalence(shares)
    assert hs.compare(again, moved["B"], metric="accuracy").paired
    assert not hs.compare(joint["A"], moved["B"], metric="accuracy").paired


def test_an_interval_as_wide_as_unpaired_is_said_in_words() -> None:
    """Errors of two that have nothing to do with each other: 20 of 100 each, 4 in common."""
    truth = ["cat"] * 100
    answers = {"a": ["dog"] * 20 + ["cat"] * 80, "b": ["cat"] * 16 + ["dog"] * 20 + ["cat"] * 64}
    made = hs.compare(hs.Predictions(truth, answers), metric="accuracy")
    assert "the interval would be about as wide." in str(made)
