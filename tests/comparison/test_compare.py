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
from howsure.errors import InvalidArgument
from howsure.laws import BetaSum, Draws, Linear, PairedDifference
from howsure.numerics.learned.population import Population
from howsure.posterior.paired import PairedPosterior
from howsure.questions.differences import chances, losses

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/compare.schema.json").read_text(encoding="utf-8")
)
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


def test_the_members_of_a_pairing_stay_paired_and_one_of_them_twice_does_not() -> None:
    joint = PairedPosterior(pair(100, 0.8, 0))
    assert hs.compare(joint["A"], joint["B"]).paired
    assert not hs.compare(joint["A"], joint["A"]).paired
    assert not hs.compare(joint["A"], hs.infer(NEW.merge({"0": ["healthy"], "1": ["ill"]}))).paired


def test_what_is_unlike_is_said() -> None:
    three = hs.ConfusionMatrix([[40, 5, 1], [3, 30, 2], [0, 0, 0]], labels=["healthy", "ill", "dead"])
    made = hs.compare(hs.infer(NEW, "flat"), hs.infer(three, "flat"), metric="accuracy")
    assert made.warnings[0] == "The classes differ; only one of the two has 'dead'."
    assert made.warnings[1].startswith("No case of 'dead' was tested")
    assert [row.label for row in made.per_class] == ["healthy", "ill"]
    with pytest.raises(InvalidArgument, match=r"A has prior 'flat' and B 'learned'.*such as prior='flat'"):
        hs.compare(hs.infer(NEW, "flat"), hs.infer(three), metric="accuracy")
    stated = hs.infer(NEW).at_prevalence([0.9, 0.1])
    assert "prevalences differ" in " ".join(hs.compare(stated, hs.infer(OLD)).warnings)
    both = hs.infer(OLD).at_prevalence([0.9, 0.1])
    assert "prevalences differ" not in " ".join(hs.compare(stated, both).warnings)


@pytest.mark.full
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
    assert made.p_better == pytest.approx(special.betainc(b + 1 / 3, a + 1 / 3, 0.5), abs=1e-9)
    assert made.discordant == (both, a, b, neither)
    assert made.prior == "paired calibrated"
    back = hs.compare(data, "B", "A", metric="accuracy")
    assert (back.p_worse, back.expected_loss.b) == pytest.approx((made.p_better, made.expected_loss.a), abs=1e-9)


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize(("correlation", "expected"), [(0.0, 1.0), (0.9, 3.04)])
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


def test_per_class_differences_are_the_recalls() -> None:
    data = pair(150, 0.5, 2)
    made = hs.compare(data)
    joint = PairedPosterior(data)
    for row in made.per_class:
        gain = joint["A"].of(f"recall@{row.label}") - joint["B"].of(f"recall@{row.label}")
        assert (row.mean, row.low, row.high) == (gain.mean, *gain.interval())
        assert row.p_better == pytest.approx(gain.prob(above=0), abs=1e-12)


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


@pytest.mark.sweep(2, full=5)
@pytest.mark.parametrize(
    "law",
    [
        PairedDifference([[60.5, 12.5, 5.5, 23.5]]),
        PairedDifference([[25.5, 0.5, 0.5, 0.5], [3.5, 8.5, 0.5, 0.5]]),
        BetaSum([46, 43, 41, 42], [6, 9, 11, 10], [0.5, 0.5, -0.5, -0.5]),
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


@pytest.mark.full
@given(matrices(max_classes=4), st.sampled_from(["accuracy", "balanced_accuracy", "f1@macro", "mcc"]))
@settings(max_examples=tries(20))
def test_every_comparison_is_valid_json_of_its_schema(cm: hs.ConfusionMatrix, metric: str) -> None:
    made = hs.compare(hs.infer(cm, "flat"), hs.infer(cm.transpose(), "flat"), metric=metric, draws=200)
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    jsonschema.validate(data, SCHEMA)
    for view in (str(made), made.to_markdown(), made._repr_html_(), made.to_csv(), repr(made)):
        assert "nan" not in view.lower()
        assert "flat" in view or view == repr(made)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.compare(NEW, OLD), r"infer\(matrix\)"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), prior="flat"), "posteriors have their prior"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), rope=2), r"from 0 to below 1; not 2 \(1 point is 0.01\)"),
        (lambda: hs.compare(hs.infer(NEW), hs.infer(OLD), kind="eti"), "kind is"),
        (lambda: hs.compare(pair(9, 0, 0), "A"), "takes the names of two classifiers, of A, B"),
        (lambda: hs.compare(pair(9, 0, 0), "A", "X"), "No classifier named 'X'"),
        (lambda: hs.compare(pair(9, 0, 0), prior="haldane"), "no case on one side"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        make()  # type: ignore[operator]


@pytest.mark.parametrize("higher", [True, False])
def test_drawn_ties_are_split_between_both(higher: bool) -> None:
    made = chances(Draws(np.repeat([-1.0, 0.0, 1.0], [100, 600, 300])), None, higher=higher)
    assert made.better == pytest.approx(0.6 if higher else 0.4)
    assert made.worse == pytest.approx(0.4 if higher else 0.6)
    assert made.equal == 0


@pytest.mark.parametrize("centre", [-1.0, -0.01, 0.0, 0.01, 1.0])
@pytest.mark.parametrize("rope", [None, 0.02, 0.5])
def test_chances_of_draws_add_up_to_1(centre: float, rope: float | None) -> None:
    law = Draws(np.random.default_rng(0).normal(centre, 0.005, 1000), support=(-2.0, 2.0))
    split = chances(law, rope, higher=True)
    assert sum(split) == pytest.approx(1, abs=1e-12)
    assert all(0 <= p < 1 for p in split)


TEN = [f"c{i}" for i in range(10)]


def ten_classes(seed: int, right: float = 0.8, cases: int = 12) -> hs.ConfusionMatrix:
    rng = np.random.default_rng(seed)
    counts = np.zeros((10, 10), dtype=int)
    for i in range(10):
        k = int(rng.binomial(cases, right))
        counts[i, i], counts[i, (i + 1) % 10] = k, cases - k
    return hs.ConfusionMatrix(counts, TEN)


def recall_cdf(matrix: hs.ConfusionMatrix, i: int, x: np.ndarray) -> np.ndarray:
    """Distribution function of one recall under the learned prior, straight from the nodes."""
    recalls = Population(np.diag(matrix.counts), matrix.counts.sum(1))
    nodes, place = recalls.nodes, recalls.tallies.place[i]
    broad = (nodes.weight * nodes.broad[:, :, place]).sum(0)
    alpha, beta = (p[:, place, None] for p in recalls.main_part(nodes.a, nodes.b, nodes.y))
    wide = special.betainc(*(p[place] for p in recalls.broad_part), x)
    return np.asarray((nodes.weight.sum(0) - broad) @ special.betainc(alpha, beta, x) + broad.sum() * wide)


@pytest.mark.full
@pytest.mark.sweep(1)
@pytest.mark.parametrize("right", [0.8, 1.0])
def test_recalls_of_learned_classes_differ_by_their_nodes_and_not_by_a_fit(right: float) -> None:
    one, two = ten_classes(3, right), ten_classes(4, right, cases=7)
    rows = hs.compare(hs.infer(one, "learned"), hs.infer(two, "learned")).per_class
    x = 1 - np.concatenate((np.linspace(0, 1, 2001)[:0:-1] ** 3, [0.0]))
    for i in (0, 5):
        F, G = recall_cdf(one, i, x), recall_cdf(two, i, x)
        expected = float((np.diff(F) * (G[1:] + G[:-1]) / 2).sum())
        assert rows[i].law == "simulated"
        assert rows[i].p_better == pytest.approx(expected, abs=0.016)  # 4 standard errors, and the grid's
    assert "simulated ±" in str(hs.compare(hs.infer(one, "learned"), hs.infer(two, "learned"), metric="accuracy"))
