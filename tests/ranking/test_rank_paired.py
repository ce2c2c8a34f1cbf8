"""Ranks of classifiers that answered the same cases: two routes, identical columns, who is refused."""

from __future__ import annotations

import json
from importlib import resources
from types import SimpleNamespace

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special
from tests.conftest import tries

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.metrics import parse
from howsure.posterior.paired import PairedPosterior
from howsure.ranking import rank_probabilities
from howsure.ranking.joint_rates import JointRates

SCHEMA = json.loads(resources.files("howsure.ranking").joinpath("rank.schema.json").read_text(encoding="utf-8"))

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


def field(cases: int = 300, classes: int = 3, models: int = 4, seed: int = 0, **twins: str) -> hs.Predictions:
    """Classifiers of growing skill that often err on the same cases; ``copy="A"`` adds one with the answers of A."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, cases)
    hard = rng.random(cases) < 0.3
    answers = {}
    for i, name in enumerate("ABCDEFGHIJ"[:models]):
        right = rng.random(cases) < np.where(hard, 0.4 + 0.02 * i, 0.93)
        answers[name] = np.where(right, truth, (truth + rng.integers(1, classes, cases)) % classes)
    answers |= {name: answers[twin] for name, twin in twins.items()}
    return hs.Predictions(truth, answers, labels=range(classes))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("metric", ["accuracy", "error_rate", "balanced_accuracy", "recall@1", "f1@macro", "mcc"])
def test_a_paired_ranking_agrees_with_its_pairs_and_margins(metric: str) -> None:
    data = field()
    made = hs.rank(data, metric=metric, prior="flat", entries="independent")
    assert made.paired
    assert made.prior == "paired flat"
    assert np.allclose(made.probabilities.sum(0), 1)
    assert np.allclose(made.probabilities.sum(1), 1)
    assert np.allclose(made.above + made.above.T, 1)
    close = 5 * 0.5 / np.sqrt(20_000)
    for i, one in enumerate(made.entries):
        alone = hs.infer(data.confusion(one.name), "flat").of(metric)
        assert one.mean == pytest.approx(alone.mean, abs=1e-9 if alone.route == "exact" else 0.01)
        # expected ranks from exact pairs, and from the counted ranks
        assert one.expected_rank == pytest.approx(made.probabilities[i] @ np.arange(1, 5), abs=4 * close)
        for j, other in enumerate(made.entries[:i]):
            pair = hs.compare(data, other.name, one.name, metric=metric, prior="flat")
            assert made.above[j, i] == pytest.approx(
                pair.p_better, abs=1e-9 if pair.difference.route == "exact" else close
            )


def test_accuracy_is_an_incomplete_beta_at_any_number_of_classifiers() -> None:
    data = field(models=5)
    rates = JointRates.of(PairedPosterior(data), parse("accuracy", data.labels))
    assert rates is not None
    right = rates.hits
    n10, n01 = int((right[0] & ~right[3]).sum()), int((right[3] & ~right[0]).sum())
    above = rates.exceedance()
    assert above is not None
    assert above[0, 3] == pytest.approx(special.betainc(n01 + 0.5, n10 + 0.5, 0.5), abs=1e-14)
    values = rates.draws(40_000, 1)
    assert (values[0] > values[3]).mean() == pytest.approx(above[0, 3], abs=4 * 0.5 / 200)


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "recall@2"])
def test_patterns_and_whole_tables_draw_the_same_law(metric: str) -> None:
    """Right-or-wrong patterns against the draws of whole tables (accuracy there at the prevalence of the draw)."""
    data = field()
    joint = PairedPosterior(data, prior="flat")
    measure = parse(metric, data.labels)
    rates = JointRates.of(joint, measure)
    assert rates is not None
    fast, slow = rates.draws(20_000, 3), np.array(joint.drawn([measure], 20_000, 4, 0)[0])
    for i, name in enumerate(joint.names):
        law = hs.infer(data.confusion(name), "flat").of(metric)
        grid = np.asarray(law.quantile(np.linspace(0.02, 0.98, 40)))
        empirical = (fast[i][:, None] <= grid).mean(0)
        assert np.abs(empirical - law.cdf(grid)).max() < 1.95 / np.sqrt(20_000)
    gaps, whole = fast[:-1] - fast[1:], slow[:-1] - slow[1:]
    assert gaps.std(1) == pytest.approx(whole.std(1), rel=0.04)
    assert gaps.mean(1) == pytest.approx(whole.mean(1), abs=0.002)


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "f1@macro"])
def test_identical_columns_share_ranks_exactly(metric: str) -> None:
    data = field(60, models=3, twin="A", triplet="A")
    made = hs.rank(data, metric=metric, draws=2000)
    rows = [i for i, x in enumerate(made.entries) if x.name in ("A", "twin", "triplet")]
    assert len({tuple(made.probabilities[i]) for i in rows}) == 1
    assert made.above[np.ix_(rows, rows)].tolist() == [[0.5] * 3] * 3
    assert len({made.entries[i].tier for i in rows}) == 1
    assert np.allclose(made.probabilities.sum(0), 1)
    alone = hs.rank(hs.Predictions([0, 0, 1, 1], {"x": [0, 1, 1, 1], "y": [0, 1, 1, 1]}), metric=metric)
    assert alone.probabilities.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert alone.leaders == ("x", "y")


def test_two_of_right_and_wrong_are_exact_and_more_are_drawn() -> None:
    two = hs.rank(field(models=2), prior="flat")
    assert two.route == "exact"
    assert two.entries[0].p_best == pytest.approx(two.above[0, 1], abs=1e-15)
    assert two.entries[0].expected_rank == pytest.approx(2 - two.above[0, 1])
    three = hs.rank(field(models=3), prior="flat", entries="independent")
    assert three.route == "drawn"
    assert any("are exact" in note for note in three.notes)


@pytest.mark.deep
@settings(max_examples=tries(25))
@given(st.integers(1, 12), st.integers(2, 5), st.integers(2, 4), st.integers(0, 10**6))
def test_small_and_lopsided_boards_have_ranks(cases: int, models: int, classes: int, seed: int) -> None:
    data = field(cases, classes, models, seed)
    for metric in ("accuracy", "balanced_accuracy", "mcc"):
        made = hs.rank(data, metric=metric, draws=200)
        assert np.allclose(made.probabilities.sum(0), 1)
        assert np.allclose(made.probabilities.sum(1), 1)


def test_the_same_cases_say_more_than_separate_ones() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 2000)
    base = rng.random(2000) < 0.85
    answers = {}
    for i, name in enumerate("abc"):
        right = base & ~(rng.random(2000) < 0.01 * i)
        answers[name] = np.where(right, truth, 1 - truth)
    data = hs.Predictions(truth, answers)
    paired = hs.rank(data)
    apart = hs.rank({name: hs.infer(data.confusion(name)) for name in data.names})
    assert not apart.paired
    assert paired.entries[0].p_best > apart.entries[0].p_best + 0.05
    assert paired.winner is not None
    assert apart.winner is not None
    # errors that all share do not make the winner lucky
    assert abs(paired.winner.corrected - paired.winner.mean) < abs(apart.winner.corrected - apart.winner.mean)


def test_a_new_test_of_the_same_new_cases() -> None:
    data = field(200, models=3)
    small, large = (hs.rank(data, metric="accuracy", new_test=n, draws=4000) for n in (20, 200_000))
    assert small.again is not None
    assert large.again is not None
    assert np.allclose(large.again, large.probabilities, atol=0.04)
    assert np.allclose(small.again.sum(0), 1)
    with pytest.raises(InvalidArgument, match="of paired classifiers replays accuracy"):
        hs.rank(data, metric="f1@macro", new_test=20, draws=200)


def test_members_of_one_pairing_stay_paired() -> None:
    joint = PairedPosterior(field())
    some = hs.rank({"one": joint["A"], "two": joint["C"]})
    assert some.paired
    assert {x.name for x in some.entries} == {"one", "two"}
    twice = hs.rank({"one": joint["A"], "two": joint["A"]})
    assert not twice.paired
    assert twice.probabilities.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    with pytest.raises(InvalidArgument, match="uses one prior"):
        hs.rank({"a": hs.infer(field().confusion("A")), "b": hs.infer(field().confusion("B"), "jeffreys")})


@pytest.mark.parametrize("new_test", [None, 30])
def test_every_ranking_is_valid_json_of_its_schema(new_test: int | None) -> None:
    board = {name: hs.Posterior.from_accuracy(correct=k, n=9) for name, k in (("a", 9), ("b", 8), ("c", 0))}
    for made in (
        hs.rank(field(60), metric="error_rate", draws=500, new_test=new_test, prizes=[10]),
        hs.rank(board, new_test=new_test),
    ):
        jsonschema.validate(json.loads(json.dumps(made.to_dict(), allow_nan=False)), SCHEMA)


def test_every_surface_says_paired() -> None:
    made = hs.rank(field(60, models=3), draws=500)
    assert made.to_dict()["pairing"] == "paired"
    for view in (str(made), made.to_markdown(), made._repr_html_()):
        assert "paired, the same cases" in view
        assert "prior paired learned" in view


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.rank(field(models=1)), "two classifiers or more"),
        (lambda: hs.rank({"a": field().confusion("A"), "b": field().confusion("B")}), r"infer\(matrix\)"),
        (lambda: hs.rank({"a": hs.infer(field().confusion("A"))}, prior="flat"), "posteriors have their prior"),
        (lambda: hs.rank(field(classes=2), prior="learned"), "three classes or more"),
        (lambda: hs.rank(field(), draws=3), "draws is"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        make()  # type: ignore[operator]


@pytest.mark.parametrize("metric", ["accuracy", "error_rate", "balanced_accuracy", "f1@macro", "mcc"])
@pytest.mark.parametrize("models", [2, 4])
def test_nobody_wins_against_itself(metric: str, models: int) -> None:
    made = hs.rank(field(models=models), metric=metric)
    assert np.array_equal(np.diag(made.above), np.full(models, 0.5))
    assert [one.wins for one in made.entries] == [sum(row > 0.5 for row in rest) for rest in _others(made.above)]
    assert sum(one.wins for one in made.entries) == models * (models - 1) // 2


def test_who_errs_as_often_on_other_cases_has_no_win() -> None:
    truth = np.zeros(40, dtype=int)
    first, second, third = truth.copy(), truth.copy(), truth.copy()
    first[:5], second[5:10], third[:9] = 1, 1, 1
    data = hs.Predictions(truth, {"a": first, "b": second, "c": third}, labels=range(2))
    made = hs.rank(data, metric="accuracy", entries="independent")
    assert [one.wins for one in made.entries] == [1, 1, 0]


def _others(above: np.ndarray) -> list[np.ndarray]:
    return [np.delete(row, i) for i, row in enumerate(above)]


def test_a_pair_that_may_be_equal_shares_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law of the difference with an atom at 0: half of it is for each."""
    law = SimpleNamespace(prob=lambda above=None, below=None: 0.3 if above is not None else 0.5)
    monkeypatch.setattr(rank_probabilities, "pair_law", lambda *_: law)
    joint, rates = SimpleNamespace(names=("a", "b")), SimpleNamespace(exceedance=lambda: None)
    above = rank_probabilities._exact_pairs(joint, rates, None)  # type: ignore[arg-type]
    assert above is not None
    assert above.ravel() == pytest.approx([0.5, 0.4, 0.6, 0.5])
