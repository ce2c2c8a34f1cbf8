"""Paired boards, and boards by metrics that are no single rate, under a population learned from their entries."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.metrics import parse
from howsure.posterior.paired import PairedPosterior
from howsure.ranking.joint_entries import JointEntries

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "ranks.json").read_text(encoding="utf-8"))
SCHEMA = json.loads(resources.files("howsure.ranking").joinpath("rank.schema.json").read_text(encoding="utf-8"))
METRICS = ["accuracy", "error_rate", "balanced_accuracy", "recall@1", "f1@macro", "mcc", "kappa"]

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


def six() -> hs.Predictions:
    """The board `paired six` of the reference: 400 cases, six entries of like skill that err together."""
    rng = np.random.default_rng(5)
    right = rng.normal(size=(400, 6)) + rng.normal(size=(400, 1)) + 0.8 + np.array([0.2, 0.15, 0.1, 0, 0, -0.1]) > 0
    return hs.Predictions(
        np.zeros(400, dtype=int), {x: 1 - right[:, i] for i, x in enumerate("abcdef")}, labels=range(2)
    )


def field(classes: int, models: int = 4, cases: int = 240, seed: int = 0, **twins: str) -> hs.Predictions:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, cases)
    hard = rng.random(cases) < 0.3
    answers = {}
    for i, name in enumerate("ABCDEFGH"[:models]):
        right = rng.random(cases) < np.where(hard, 0.4 + 0.03 * i, 0.93)
        answers[name] = np.where(right, truth, (truth + rng.integers(1, classes, cases)) % classes)
    answers |= {name: answers[twin] for name, twin in twins.items()}
    return hs.Predictions(truth, answers, labels=range(classes))


def best(made: object, names: str) -> np.ndarray:
    return np.array([made[name].p_best for name in names])  # type: ignore[index]


def test_the_paired_board_of_the_reference() -> None:
    wanted = REFERENCE["general recipe"]["paired six"]
    made = hs.rank(six(), metric="accuracy")
    assert [round(400 * made[name].observed) for name in "abcdef"] == wanted["right"]  # type: ignore[operator]
    # another seed of the reference is within .008 of it
    assert best(made, "abcdef") == pytest.approx(wanted["learned"], abs=0.012)
    assert np.array([made[name].p_best_flat for name in "abcdef"]) == pytest.approx(wanted["flat"], abs=0.012)
    alone = hs.rank(six(), metric="accuracy", entries="independent")
    assert [made[x].p_best_flat for x in "abcdef"] == [alone[x].p_best for x in "abcdef"]
    assert made.contenders == alone.contenders == ("c", "b", "a", "e", "d")
    assert (alone.population, alone.law, made.law) == (None, "drawn", "approximate")


@pytest.mark.sweep(3)
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("paired", [True, False])
def test_boards_by_any_metric_between_two_ends_are_learned(metric: str, classes: int, paired: bool) -> None:
    data = field(classes)
    board = data if paired else {name: hs.infer(data.confusion(name)) for name in data.names}
    made = hs.rank(board, metric=metric, draws=4000)
    alone = hs.rank(board, metric=metric, draws=4000, entries="independent")
    assert made.population is not None
    assert made.law == "approximate"
    assert made.error > 0
    assert np.allclose(made.probabilities.sum(0), 1)
    assert np.allclose(made.probabilities.sum(1), 1)
    assert np.allclose(made.above + made.above.T, 1)
    # the first is drawn back, and is less surely the best
    first = made.entries[0].name
    assert made[first].p_best <= alone[first].p_best + 0.03
    spread = [np.ptp([x.mean for x in one.entries]) for one in (made, alone)]
    assert spread[0] < spread[1] + 0.005
    if not (metric in ("accuracy", "error_rate", "recall@1") and not paired):  # those are tallies
        ranks = made.probabilities @ np.arange(1, 5)
        assert [x.expected_rank for x in made.entries] == pytest.approx(ranks, abs=1e-6)
    shown = made.to_dict()
    jsonschema.validate(shown, SCHEMA)
    assert shown["law"] == "approximate"
    assert set(shown["contenders"]) <= set(data.names)


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy"])
def test_copies_share_their_numbers_and_say_nothing_more(metric: str) -> None:
    plain = hs.rank(field(2, models=4), metric=metric)
    made = hs.rank(field(2, models=4, twin="A", triplet="A"), metric=metric)
    rows = [i for i, x in enumerate(made.entries) if x.name in ("A", "twin", "triplet")]
    assert len({tuple(made.probabilities[i]) for i in rows}) == 1
    assert len({(made.entries[i].mean, made.entries[i].low, made.entries[i].tier) for i in rows}) == 1
    assert made.above[np.ix_(rows, rows)].tolist() == [[0.5] * 3] * 3
    assert 3 * made["A"].p_best == pytest.approx(plain["A"].p_best, abs=0.015)
    assert made["D"].p_best == pytest.approx(plain["D"].p_best, abs=0.02)
    assert made["A"].mean == pytest.approx(plain["A"].mean, abs=0.002)
    same = hs.rank(field(2, models=1, b="A", c="A"), metric=metric)
    assert np.allclose(same.probabilities, 1 / 3, atol=1e-12)


def test_the_same_call_gives_the_same_bytes_and_order_does_not_matter() -> None:
    data = field(3)
    once, again = (json.dumps(hs.rank(data, metric="mcc", draws=3000, seed=2).to_dict()) for _ in range(2))
    assert once == again
    truth, names = data.truth, list(reversed(data.names))
    turned = hs.Predictions(truth, {name: data.answers(name) for name in names}, labels=range(3))
    for metric in ("balanced_accuracy", "accuracy"):
        one, other = hs.rank(data, metric=metric), hs.rank(turned, metric=metric)
        assert best(one, "ABCD") == pytest.approx(best(other, "ABCD"), abs=0.02)
        assert [one[x].mean for x in "ABCD"] == pytest.approx([other[x].mean for x in "ABCD"], abs=0.002)


def test_lower_is_better_is_the_mirror() -> None:
    up, down = hs.rank(six(), metric="accuracy"), hs.rank(six(), metric="error_rate")
    assert best(up, "abcdef") == pytest.approx(best(down, "abcdef"), abs=0.015)
    assert up["c"].mean == pytest.approx(1 - down["c"].mean, abs=1e-3)


def test_two_are_as_they_were_and_what_has_no_ends_is_judged_alone_and_says_so() -> None:
    two = hs.Predictions(six().truth, {x: six().answers(x) for x in "ab"}, labels=range(2))
    assert hs.rank(two, metric="accuracy").population is None
    assert hs.rank(two, metric="accuracy").route == "exact"
    data = field(2)
    made = hs.rank(data, metric="positive_likelihood_ratio@1")
    assert made.population is None
    assert any("no population of them can be learned; each is judged alone" in note for note in made.notes)
    for board in (data, {name: hs.infer(data.confusion(name)) for name in data.names}):
        with pytest.raises(InvalidArgument, match=r"does not lie between two ends.*entries='independent'"):
            hs.rank(board, metric="lr+@1", entries="learned")


def test_probabilities_of_draws_are_never_nought_or_one_in_print() -> None:
    truth = np.zeros(300, dtype=int)
    wrong = {"good": 3, "fair": 90, "poor": 180}
    answers = {name: (np.arange(300) % 300 < k).astype(int) for name, k in wrong.items()}
    made = hs.rank(hs.Predictions(truth, answers, labels=range(2)), metric="accuracy")
    row = str(made).splitlines()[4].split()
    assert "> 0.99" in " ".join(row)
    assert "probability > 0.99" in made.sentence
    assert "1.000" not in str(made)


@pytest.mark.parametrize("paired", [True, False])
def test_a_new_test_adds_its_luck(paired: bool) -> None:
    data = field(2, cases=400)
    board = data if paired else {name: hs.infer(data.confusion(name)) for name in data.names}
    metric = "accuracy" if paired else "balanced_accuracy"
    small, large = (hs.rank(board, metric=metric, new_test=n, draws=4000) for n in (20, 1_000_000))
    assert large.again is not None
    assert large.again == pytest.approx(large.probabilities, abs=0.03)
    assert small.again is not None
    assert small.again[0, 0] < large.again[0, 0]
    if paired:
        with pytest.raises(InvalidArgument, match="replays accuracy or error_rate"):
            hs.rank(data, metric="mcc", new_test=50)


def test_a_flat_prior_of_small_test_sets_no_longer_orders_them() -> None:
    """Equal observed scores on 46 and on 460 cases: each judged alone the flat prior favours the larger set."""
    small = hs.ConfusionMatrix([[32, 0, 0], [0, 4, 0], [0, 1, 9]])
    large = hs.ConfusionMatrix([[320, 0, 0], [0, 40, 0], [0, 10, 90]])
    third = hs.ConfusionMatrix([[300, 0, 20], [0, 30, 10], [10, 10, 80]])
    board = {name: hs.infer(m, "flat") for name, m in (("small", small), ("large", large), ("third", third))}
    made = hs.rank(board, metric="balanced_accuracy")
    assert made["large"].p_best_flat is not None
    assert made["large"].p_best_flat > 0.9
    assert made["large"].p_best < 0.75


def test_a_prior_that_adds_nothing_has_nothing_to_take_out() -> None:
    data = field(2)
    joint = PairedPosterior(data, prior="jeffreys")
    measure = parse("balanced_accuracy", data.labels)
    values = np.array(joint.drawn([measure], 4000, 0, 0)[0])
    made = JointEntries.learned(
        [joint[name] for name in joint.names], measure, values, together=True, alike=range(4), seed=0
    )
    assert made.values.shape == values.shape
    assert 0 <= made.values.min() <= made.values.max() <= 1
    board = {name: hs.infer(data.confusion(name), "haldane") for name in data.names}
    assert hs.rank(board, metric="balanced_accuracy", draws=3000).population is not None
