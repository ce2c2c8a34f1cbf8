"""Boards on the same cases: paired, in groups, by slices, of judged entries."""

from __future__ import annotations

import csv
import io
import json
from importlib import resources
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema
import numpy as np
import pytest

import howsure as hs
from howsure.data.predictions import Predictions
from howsure.errors import InvalidArgument, UnknownLabel
from howsure.metrics import parse
from howsure.numerics.populations.group_bootstrap import paired_difference
from howsure.numerics.populations.slices import PairedSlices, PatternShares
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.paired import PairedPosterior
from howsure.questions import contest
from howsure.questions.contest import JointRates

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "ranks.json").read_text(encoding="utf-8"))
SCHEMA = json.loads(resources.files("howsure.answers").joinpath("schemas/rank.schema.json").read_text(encoding="utf-8"))


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


# -- ranks of classifiers that answered the same cases: two routes, identical columns, who is refused -----------------


def field_of_rank_paired(
    cases: int = 300, classes: int = 3, models: int = 4, seed: int = 0, **twins: str
) -> hs.Predictions:
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


@pytest.mark.full
@pytest.mark.parametrize("metric", ["accuracy", "recall@1", "mcc"])
def test_a_paired_ranking_agrees_with_its_pairs_and_margins(metric: str) -> None:
    data = field_of_rank_paired()
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


@pytest.mark.full
@pytest.mark.parametrize("metric", ["accuracy", "recall@2"])
def test_patterns_and_whole_tables_draw_the_same_law(metric: str) -> None:
    """Right-or-wrong patterns against the draws of whole tables (accuracy there at the prevalence of the draw)."""
    data = field_of_rank_paired()
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


@pytest.mark.full
@pytest.mark.parametrize("metric", ["accuracy", "f1@macro"])
def test_identical_columns_share_ranks_exactly(metric: str) -> None:
    data = field_of_rank_paired(60, models=3, twin="A", triplet="A")
    made = hs.rank(data, metric=metric, draws=2000)
    rows = [i for i, x in enumerate(made.entries) if x.name in ("A", "twin", "triplet")]
    assert len({tuple(made.probabilities[i]) for i in rows}) == 1
    assert made.above[np.ix_(rows, rows)].tolist() == [[0.5] * 3] * 3
    assert len({made.entries[i].tier for i in rows}) == 1
    assert np.allclose(made.probabilities.sum(0), 1)
    alone = hs.rank(hs.Predictions([0, 0, 1, 1], {"x": [0, 1, 1, 1], "y": [0, 1, 1, 1]}), metric=metric)
    assert alone.probabilities.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert sorted(alone.leaders) == ["x", "y"]


def test_members_of_one_pairing_stay_paired() -> None:
    joint = PairedPosterior(field_of_rank_paired())
    some = hs.rank({"one": joint["A"], "two": joint["C"]})
    assert some.paired
    assert {x.name for x in some.entries} == {"one", "two"}
    twice = hs.rank({"one": joint["A"], "two": joint["A"]})
    assert not twice.paired
    assert twice.probabilities.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    with pytest.raises(InvalidArgument, match="uses one prior"):
        hs.rank(
            {
                "a": hs.infer(field_of_rank_paired().confusion("A")),
                "b": hs.infer(field_of_rank_paired().confusion("B"), "jeffreys"),
            }
        )


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: hs.rank(field_of_rank_paired(models=1)), "two classifiers or more"),
        (
            lambda: hs.rank({"a": hs.infer(field_of_rank_paired().confusion("A"))}, prior="flat"),
            "posteriors have their prior",
        ),
        (lambda: hs.rank(field_of_rank_paired(), draws=3), "draws is"),
    ],
)
def test_hostile_input_gets_a_sentence(make: object, sentence: str) -> None:
    with pytest.raises(hs.HowsureError, match=sentence):
        make()  # type: ignore[operator]


def test_who_errs_as_often_on_other_cases_has_no_win() -> None:
    truth = np.zeros(40, dtype=int)
    first, second, third = truth.copy(), truth.copy(), truth.copy()
    first[:5], second[5:10], third[:9] = 1, 1, 1
    data = hs.Predictions(truth, {"a": first, "b": second, "c": third}, labels=range(2))
    made = hs.rank(data, metric="accuracy", entries="independent")
    assert [one.wins for one in made.entries] == [1, 1, 0]


def test_a_pair_that_may_be_equal_shares_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A law of the difference with an atom at 0: half of it is for each."""
    law = SimpleNamespace(prob=lambda above=None, below=None: 0.3 if above is not None else 0.5)
    monkeypatch.setattr(contest, "pair_law", lambda *_: law)
    joint, rates = SimpleNamespace(names=("a", "b")), SimpleNamespace(exceedance=lambda: None)
    above = contest._exact_pairs(joint, rates, None)  # type: ignore[arg-type]
    assert above is not None
    assert above.ravel() == pytest.approx([0.5, 0.4, 0.6, 0.5])


# -- boards of cases in groups: ties, certainty, agreement with two other routes, the questions, and what is

GROUPS, SIZE = 20, 6


def board(
    lead: tuple[float, ...] = (0.05, 0.0, -0.05), groups: int = GROUPS, size: int = SIZE, seed: int = 0
) -> Predictions:
    """Classifiers that find the same groups hard."""
    rng = np.random.default_rng(seed)
    place = np.repeat(np.arange(groups), size)
    hard = rng.beta(4, 1, groups)[place]
    truth = np.arange(len(place)) % 2
    right = [rng.random(len(place)) < np.clip(hard + x, 0, 1) for x in lead]
    answers = {f"m{i}": np.where(hit, truth, 1 - truth) for i, hit in enumerate(right)}
    return Predictions(truth, answers, group=[f"g{i}" for i in place])


def alike(*columns: np.ndarray, groups: int = 10) -> Predictions:
    truth = np.zeros(len(columns[0]), dtype=int)
    truth[::2] = 1
    answers = {chr(97 + i): np.where(hit, truth, 1 - truth) for i, hit in enumerate(columns)}
    return Predictions(truth, answers, group=np.arange(len(truth)) % groups)


def test_what_goes_with_the_accuracy_ranks_as_it_does() -> None:
    """Bennett's S of two classes is 2 accuracy - 1, and no sum of recalls."""
    truth = [0] * 200 + [1] * 100
    wrong = {"a": [*range(60), *range(200, 205)], "b": [*range(30), *range(200, 240)], "c": range(0, 300, 4)}
    data = Predictions(truth, {name: [1 - t if i in set(odd) else t for i, t in enumerate(truth)]
                               for name, odd in wrong.items()})  # fmt: skip
    ranked = (hs.rank(data, metric=metric, entries="independent") for metric in ("accuracy", "bennett_s"))
    one, other = ({entry.name: entry.p_best for entry in made.entries} for made in ranked)
    assert other == pytest.approx(one, abs=0.02)


def test_two_that_answer_alike_tie_and_a_third_does_not_change_that() -> None:
    right = np.ones(60, dtype=bool)
    right[:7] = False
    two = hs.rank(alike(right, right), metric="accuracy")
    assert [x.p_best for x in two.entries] == [0.5, 0.5]
    worse = right.copy()
    worse[20:40] = False
    three = hs.rank(alike(right, right, worse), metric="accuracy", entries="independent")
    assert three["a"].p_best == pytest.approx(three["b"].p_best)
    assert three["a"].p_best > 0.4


def test_the_bootstrap_of_the_difference_is_the_other_route() -> None:
    data = board((0.1, 0.0, -0.1))
    made = hs.rank(data, metric="accuracy", entries="independent")
    place = [x.name for x in made.entries]
    group = np.unique(data.group, return_inverse=True)[1]
    n = np.bincount(group)
    for first, second in (("m0", "m1"), ("m1", "m2")):
        right = [np.bincount(group, data.answers(x) == data.truth) for x in (first, second)]
        drawn = paired_difference(right[0] - right[1], n, 20_000, np.random.default_rng(1))
        above = made.above[place.index(first), place.index(second)]
        assert above == pytest.approx(float((drawn > 0).mean()), abs=0.03)


@pytest.mark.full
def test_separate_test_sets_ask_one_question() -> None:
    data = board()
    new = {name: hs.infer(data.confusion(name)) for name in data.names}
    made = hs.rank(new, metric="accuracy")
    assert made.groups is not None
    assert made.groups.groups == (GROUPS,) * 3
    together, alone = hs.rank(data, metric="accuracy"), hs.report(new[made.entries[0].name], ["accuracy"])
    assert getattr(together.groups, "worth", 0) == pytest.approx(getattr(alone.groups, "worth", 1))
    with pytest.raises(InvalidArgument, match="one ranking asks one question"):
        hs.rank({**new, "m1": hs.infer(data.confusion("m1"), groups="these")}, metric="accuracy")
    with pytest.raises(InvalidArgument, match="say groups= there"):
        hs.rank(new, metric="accuracy", groups="new")
    alone = hs.infer(hs.ConfusionMatrix(data.confusion("m1").counts))
    assert "without groups" in str(hs.rank({**new, "m1": alone}, metric="accuracy"))


# -- who is best in which slice: two classifiers as `compare_slices` says, more by the shares of their


def three(seed: int = 0, n: int = 900) -> tuple[hs.Predictions, np.ndarray]:
    """Cases in six slices; c is best in s0 and the worst elsewhere."""
    rng = np.random.default_rng(seed)
    truth, place = rng.integers(0, 2, n), np.array([f"s{i}" for i in rng.integers(0, 6, n)])
    said = {name: np.where(rng.random(n) < p, truth, 1 - truth) for name, p in (("a", 0.9), ("b", 0.8), ("c", 0.6))}
    said["a"] = np.where((place == "s0") & (rng.random(n) < 0.5), 1 - truth, said["a"])
    said["c"] = np.where(place == "s0", truth, said["c"])
    return hs.Predictions(truth, said), place


@pytest.mark.full
def test_the_best_is_found_by_slice() -> None:
    both, place = three()
    made = hs.rank_slices(both, by={"site": place})
    assert made.names[0] == "a"
    best = [made.names[int(np.argmax(row.p_best))] for row in made.rows]
    assert best == ["c", "a", "a", "a", "a", "a"]
    assert [sum(row.p_best) for row in made.rows] == pytest.approx([1] * 6)
    assert made.best_in == pytest.approx([sum(row.p_best[i] for row in made.rows) for i in range(3)])
    assert made.p_best_in_all[0] < 0.01
    assert "6 slices by site" in made.sentence
    lines = list(csv.reader(io.StringIO(made.to_csv())))
    assert len(lines) == 1 + 6 * 3


def test_two_are_those_of_compare_slices() -> None:
    both, place = three(1)
    pair = hs.Predictions(both.truth, {name: both.answers(name) for name in "ab"})
    ranked, compared = hs.rank_slices(pair, by=place), hs.compare_slices(pair, "a", "b", by=place)
    first = ranked.names.index("a")
    for row in ranked.rows:
        assert row.p_best[first] == pytest.approx(compared[row.name].p_better, abs=0.03)
    assert ranked.p_best_in_all[first] == pytest.approx(compared.p_better_in_all, abs=0.03)


@pytest.mark.full
def test_sampled_shares_agree_with_the_population_of_directions() -> None:
    """Two patterns are a direction: the sampler beside the quadrature of `PairedSlices`, which has a broad part."""
    ahead, behind = np.array([14, 9, 12, 3, 20, 8]), np.array([6, 8, 5, 12, 10, 9])
    shares = PatternShares(np.stack([ahead, behind], axis=1), np.array([[1, 0], [0, 1]]))
    won = np.mean([draw[:, 0] > draw[:, 1] for draw in shares.draw(3000, 0)], axis=0)
    cells = np.stack([np.full(6, 50), ahead, behind, np.full(6, 9)], axis=1)[None]
    known = np.concatenate([block > 0 for block in PairedSlices(cells, borrowing=True).draw(4000, 0)]).mean(axis=0)
    assert won == pytest.approx(known, abs=0.06)


def test_classifiers_that_are_always_alike_share_the_prize() -> None:
    truth = [0, 1] * 30
    made = hs.rank_slices(hs.Predictions(truth, dict.fromkeys("abc", truth)), by=["x", "y", "z"] * 20)
    assert [row.p_best for row in made.rows] == [pytest.approx((1 / 3, 1 / 3, 1 / 3))] * 3
    assert "3 alike" in str(made)


@pytest.mark.sweep(3, full=6)
@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda b, p: hs.rank_slices(3, by=p), InvalidArgument, "takes Predictions"),  # type: ignore[arg-type]
        (lambda b, p: hs.rank_slices(b, by=p, metric="mcc"), InvalidArgument, "not in mcc"),
        (lambda b, p: hs.rank_slices(b, by=p, metric="recall@7"), UnknownLabel, "7"),
    ],
)
def test_bad_input_is_told(call: Any, error: type[Exception], words: str) -> None:
    both, place = three(n=120)
    with pytest.raises(error, match=words):
        call(both, place)


# -- models under one judge, ranked: a pair as a pair, more each by its own labels, one judge for all on


def answers(
    rates: dict[str, float], judge: dict[str, tuple[float, float]], items: int = 600, labels: int = 100
) -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(3)
    verdicts, human = {}, {}
    for name, rate in rates.items():
        se, sp = judge.get(name, (0.9, 0.85))
        right = rng.random(items) < rate
        passed = np.where(right, rng.random(items) < se, rng.random(items) > sp)
        verdicts[name] = np.where(passed, "pass", "fail").astype(object)
        human[name] = np.where(right, "pass", "fail").astype(object)
        human[name][labels:] = None
    return verdicts, human


def board_of_judged_board(*made: Any, **sizes: int) -> Any:
    return hs.JudgedAnswers(*answers(*made, **sizes))


def test_models_of_the_same_counts_are_drawn_apart() -> None:
    """Of three that are alike each is the best as often; two that went up and down together would be one rival."""
    verdicts, human = (dict.fromkeys("ABC", part["A"]) for part in answers({"A": 0.8}, {}))
    verdicts["C"] = verdicts["A"].copy()
    verdicts["C"][np.flatnonzero(verdicts["A"] == "pass")[-1]] = "fail"
    made = hs.rank(hs.JudgedAnswers(verdicts, human))
    assert [made[name].p_best for name in "ABC"] == pytest.approx([1 / 3] * 3, abs=0.05)


def test_two_judged_models_lead_as_often_as_one_is_better_than_the_other() -> None:
    board = board_of_judged_board({"A": 0.82, "B": 0.78}, {})
    made, pair = hs.rank(board, draws=2000), hs.compare(board, "A", "B", draws=2000)
    assert made["A"].p_best == pytest.approx(pair.p_better, abs=5 * 0.5 / 2000**0.5)
    assert abs(pair.p_better - 0.5) > 0.1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"new_test": 100}, "leave new_test= out"),
        ({"entries": "learned"}, "leave entries= out"),
        ({"prior": "flat"}, "leave prior= out"),
        ({"metric": "f1"}, "share of right answers"),
    ],
)
def test_what_a_judged_board_cannot_be_asked(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(InvalidArgument, match=said):
        hs.rank(board_of_judged_board({"A": 0.9, "B": 0.75}, {}), **asked)
