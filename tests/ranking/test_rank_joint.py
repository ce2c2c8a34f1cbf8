"""Boards under a population learned from their entries: accuracies, pairs, and any metric between two ends."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument
from howsure.posterior.accuracy import AccuracyPosterior

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "ranks.json").read_text(encoding="utf-8"))
SCHEMA = json.loads(resources.files("howsure.answers").joinpath("schemas/rank.schema.json").read_text(encoding="utf-8"))

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
    assert np.array([made[name].p_best_alone for name in "abcdef"]) == pytest.approx(wanted["flat"], abs=0.012)
    alone = hs.rank(six(), metric="accuracy", entries="independent")
    assert [made[x].p_best_alone for x in "abcdef"] == [alone[x].p_best for x in "abcdef"]
    assert made.contenders == alone.contenders == ("c", "b", "a", "e", "d")
    assert (alone.population, alone.law, made.law) == (None, "simulated", "approximate")


@pytest.mark.sweep(1, full=3)
@pytest.mark.parametrize(
    ("metric", "classes", "paired"),
    [("accuracy", 2, True), ("recall@1", 3, False), ("f1@macro", 3, True), ("mcc", 2, False)],
)
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


@pytest.mark.full
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


def accuracies(*counts: tuple[int, int], prior: str = "flat") -> dict[str, AccuracyPosterior]:
    return {f"m{i}": hs.Posterior.from_accuracy(correct=k, n=n, prior=prior) for i, (k, n) in enumerate(counts)}


def test_from_three_entries_on_a_population_is_learned() -> None:
    assert hs.rank(accuracies((430, 500), (423, 500))).population is None
    assert hs.rank(accuracies((430, 500), (423, 500), (390, 500))).population is not None
    with pytest.raises(InvalidArgument, match="from three entries or more"):
        hs.rank(accuracies((430, 500), (423, 500)), entries="learned")
    with pytest.raises(InvalidArgument, match="entries"):
        hs.rank(accuracies((430, 500), (423, 500)), entries="pooled")  # type: ignore[arg-type]


def test_the_prior_of_a_classifier_is_taken_out() -> None:
    counts = (19, 20), (44, 50), (80, 100), (35, 60)
    made = [hs.rank(accuracies(*counts, prior=prior)) for prior in ("flat", "jeffreys", "haldane")]
    for other in made[1:]:
        assert other.probabilities == pytest.approx(made[0].probabilities, abs=1e-12)
        assert [x.mean for x in other.entries] == [x.mean for x in made[0].entries]


@pytest.mark.full
@pytest.mark.parametrize("prior", ["flat", "jeffreys", "haldane"])
def test_rates_of_tables_are_the_counts_they_are_made_of(prior: str) -> None:
    cells = [[90, 10], [16, 84]], [[85, 15], [10, 90]], [[70, 30], [12, 88]]
    tables = {f"m{i}": hs.infer(hs.ConfusionMatrix(x, labels=["healthy", "ill"]), prior) for i, x in enumerate(cells)}
    asked = {
        "recall@ill": accuracies((84, 100), (90, 100), (88, 100)),
        "specificity": accuracies((90, 100), (85, 100), (70, 100)),
        "accuracy": accuracies((174, 200), (175, 200), (158, 200)),
    }
    for metric, board in asked.items():
        found, expected = hs.rank(tables, metric=metric), hs.rank(board)
        assert [x.name for x in found.entries] == [x.name for x in expected.entries]
        assert found.probabilities == pytest.approx(expected.probabilities, abs=1e-9)
        assert found.entries[0].mean == pytest.approx(expected.entries[0].mean, abs=1e-9)


def test_a_rate_of_errors_is_the_mirror_of_a_rate_of_right_answers() -> None:
    board = accuracies((30, 40), (170, 200), (45, 50), (880, 1000))
    up, down = hs.rank(board, metric="accuracy"), hs.rank(board, metric="error_rate")
    assert down.probabilities == pytest.approx(up.probabilities, abs=1e-12)
    assert [x.mean for x in down.entries] == pytest.approx([1 - x.mean for x in up.entries], abs=1e-12)
    assert [x.low for x in down.entries] == pytest.approx([1 - x.high for x in up.entries], abs=1e-9)
    assert up.population is not None
    assert down.population is not None
    assert down.population.mean == pytest.approx(1 - up.population.mean, abs=1e-12)


def test_unlike_sizes_are_told_a_larger_error() -> None:
    sizes = {"alike": (1000, 100, 100, 20), "unlike": (10_000, 100, 100, 100), "untested": (100, 100, 0, 100)}
    for name, n in sizes.items():
        board = {str(i): hs.Posterior.from_accuracy(correct=9 * each // 10, n=each) for i, each in enumerate(n)}
        assert hs.rank(board).error == (0.02 if name == "unlike" else 0.005)
