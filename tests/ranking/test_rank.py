"""Ranks of classifiers: published numbers, two routes, the right way up."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from scipy import special
from tests.conftest import REFERENCE

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.laws import Beta, BetaSum, BinaryLaw, Mixture, rank_probabilities
from howsure.numerics.populations.ranks import Ranks
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import knowledge_of
from howsure.questions import contest
from howsure.questions.rank import rank
from howsure.questions.ranking import headline

CASES = {case["name"]: case for case in json.loads((REFERENCE / "published.json").read_text())["cases"]}


def accuracies(**counts: tuple[int, int]) -> dict[str, AccuracyPosterior]:
    return {name: hs.Posterior.from_accuracy(correct=k, n=n) for name, (k, n) in counts.items()}


def carrillo(*names: str) -> dict[str, hs.Posterior]:
    return {x: hs.infer(hs.ConfusionMatrix(CASES[f"carrillo2013_{x}"]["matrix"]), "flat") for x in names}


def test_tiers_and_wins_of_errors_are_those_of_right_answers() -> None:
    board = accuracies(a=(97, 100), b=(88, 100), c=(86, 100), d=(60, 100))
    up, down = (hs.rank(board, metric=metric, entries="independent") for metric in ("accuracy", "error_rate"))
    told = [[(it.name, it.tier, it.wins) for it in made.entries] for made in (up, down)]
    assert told[0] == told[1] == [("a", 1, 3), ("b", 2, 2), ("c", 2, 1), ("d", 3, 0)]


def test_entries_whose_metric_is_drawn_are_drawn_apart() -> None:
    """Nearly as Normals of their means and sds are; from one seed the better one would surely lead."""
    tables = {"a": [[30, 3, 2], [4, 26, 6], [1, 5, 40]], "b": [[30, 3, 2], [4, 24, 7], [1, 6, 40]]}
    members = {name: hs.infer(hs.ConfusionMatrix(table)) for name, table in tables.items()}
    one, other = (knowledge_of(member).of("f1@macro") for member in members.values())
    assert one.route == "simulated"
    apart = (one.mean - other.mean) / np.hypot(one.sd, other.sd)
    assert hs.rank(members, metric="f1@macro")["a"].p_best == pytest.approx(special.ndtr(apart), abs=0.03)


def test_the_prizes_of_a_published_leaderboard() -> None:
    case = CASES["toetsch2020_kaggle_recursion"]
    names = case["team_ids"]
    board = {
        x: hs.Posterior.from_accuracy(correct=k, n=case["N"], prior="flat")
        for x, k in zip(names, case["correct"], strict=True)
    }
    made = hs.rank(board, prizes=case["published"]["prizes"], entries="independent")
    assert made.metric == "accuracy"
    assert made.route == "exact"
    assert [x.name for x in made.entries][:6] == names[:6]
    assert [x.p_best for x in made.entries][:3] == pytest.approx(
        case["computed"]["P_best_exact_quadrature"][:3], abs=1e-4
    )
    prizes = [x.expected_prize for x in made.entries]
    assert prizes[:6] == pytest.approx(case["computed"]["expected_prize"][:6], abs=0.01)
    assert sum(filter(None, prizes)) == pytest.approx(13_000)


@pytest.mark.full
def test_the_ranking_of_carrillo_by_wins_and_by_rank_probabilities() -> None:
    made = hs.rank(carrillo("C1", "C2", "C3"), entries="independent")
    assert [x.name for x in made.entries] == ["C3", "C1", "C2"]
    assert [x.wins for x in made.entries] == [2, 1, 0]
    assert made.above[0, 1] == pytest.approx(0.86499, abs=1e-5)
    assert made.above[1, 2] == pytest.approx(0.99406, abs=1e-5)
    assert made.above[0, 2] == pytest.approx(0.99982, abs=1e-5)


counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def test_what_cannot_be_ranked_is_told() -> None:
    board = carrillo("C1", "C2")
    with pytest.raises(InvalidArgument, match="at least two"):
        hs.rank({"a": board["C1"]})
    with pytest.raises(InvalidArgument, match="uses one prior"):
        hs.rank({"a": board["C1"], "b": hs.infer(board["C2"].confusion, "jeffreys")})
    with pytest.raises(InvalidArgument, match="no better or worse"):
        hs.rank(board, metric="bias@1")
    with pytest.raises(InvalidArgument, match="prizes are numbers"):
        hs.rank(board, prizes=["a"])  # type: ignore[list-item]
    with pytest.raises(InvalidArgument, match="needs a confusion matrix"):
        hs.rank(accuracies(a=(1, 2), b=(2, 3)), metric="mcc")


def test_only_the_number_of_right_answers() -> None:
    known = hs.Posterior.from_accuracy(correct=25, n=25)
    assert known.of("accuracy").interval(kind="central") == pytest.approx(
        hs.laws.Beta(25 + 2 / 3, 2 / 3).interval(kind="central")
    )
    assert (known.of("accuracy") + known.of("error_rate")).mean == pytest.approx(1)
    assert (known.of("accuracy") + known.of("error_rate")).sd == 0
    with pytest.raises(InvalidArgument, match="26 right answers out of 25"):
        hs.Posterior.from_accuracy(correct=26, n=25)
    with pytest.raises(NoInformation):
        hs.Posterior.from_accuracy(correct=25, n=25, prior="haldane")
    with pytest.raises(InvalidArgument, match="integer"):
        hs.Posterior.from_accuracy(correct=2.5, n=25)  # type: ignore[arg-type]


def test_equal_counts_at_two_prevalences_are_told_apart() -> None:
    post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    rare, common = post.at_prevalence({"ill": 0.02}), post.at_prevalence({"ill": 0.5})
    assert hs.rank({"rare": rare, "common": common}, metric="precision")["common"].p_best > 0.99
    assert hs.rank({"one": common, "two": common}, metric="precision")["one"].p_best == 0.5


def test_the_possibly_best_have_the_fewest_errors() -> None:
    board = accuracies(good=(950, 1000), near=(945, 1000), bad=(700, 1000))
    for metric in ("accuracy", "error_rate"):
        assert hs.rank(board, metric=metric).contenders == ("good", "near")


GOLDEN = json.loads((REFERENCE / "numerics.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN["rank"], ids=lambda c: c["name"])
def test_ranks_are_golden(case: dict[str, Any]) -> None:
    matrix = rank_probabilities([Beta(a, b) for a, b in zip(case["a"], case["b"], strict=True)])
    np.testing.assert_allclose(matrix, case["rank_probability"], atol=2e-9)


@pytest.mark.full
def test_ranks_of_any_exact_laws_add_up_and_agree_with_draws() -> None:
    laws: list[Any] = [BetaSum([31, 4, 9], [3, 2, 3]), BetaSum([31, 2, 3], [3, 4, 9]), Beta(40, 8), Beta(40, 8)]
    laws.append(BinaryLaw("f1", (27, 9), (27, 1), (7, 3)))
    laws.append(Mixture([Beta(9, 2), Beta(2, 9)]))
    matrix = rank_probabilities(laws)
    np.testing.assert_allclose(matrix.sum(0), 1, atol=1e-10)
    np.testing.assert_allclose(matrix.sum(1), 1, atol=1e-10)
    np.testing.assert_array_equal(matrix[2], matrix[3])
    draws = np.array([law.sample(3000, seed=i) for i, law in enumerate(laws)])
    first = np.bincount(draws.argmax(0), minlength=len(laws)) / 3000
    np.testing.assert_allclose(matrix[:, 0], first, atol=0.04)


def test_entries_of_one_size_have_intervals_of_their_own() -> None:
    right = {"a": 430, "b": 380, "c": 250}
    board = {name: hs.Posterior.from_accuracy(correct=k, n=500) for name, k in right.items()}
    made = hs.rank(board, entries="independent")
    for entry in made.entries:
        assert (entry.low, entry.high) == Beta(right[entry.name] + 2 / 3, 500 - right[entry.name] + 2 / 3).interval()


def test_a_tier_ends_where_its_first_is_better_and_not_only_its_last() -> None:
    above = np.array([[0.5, 0.8, 0.97, 0.99], [0.2, 0.5, 0.8, 0.96], [0.03, 0.2, 0.5, 0.9], [0.01, 0.04, 0.1, 0.5]])
    assert Ranks.of(np.eye(4), above).tiers(0.95) == [1, 1, 2, 2]


def test_each_entry_has_the_interval_of_its_own_rate() -> None:
    board = accuracies(x=(5, 10), y=(5, 14), z=(9, 14))  # of which some have equal cells
    for entry in hs.rank(board, entries="independent", metric="accuracy").entries:
        assert (entry.low, entry.high) == board[entry.name].of("accuracy").interval()[:2]


def test_the_best_set_holds_the_best_with_the_level_that_is_asked_for() -> None:
    board = accuracies(x=(50, 100), y=(47, 100), z=(44, 100))
    for level in (0.4, 0.8, 0.95, 0.999):
        made = hs.rank(board, metric="accuracy", level=level)
        shares = sorted((entry.p_best for entry in made.entries), reverse=True)
        assert len(made.best_set) == next(i + 1 for i in range(3) if sum(shares[: i + 1]) >= level - 1e-12)


@pytest.mark.full
def test_scores_of_separate_test_sets_are_ranked_as_they_are_compared() -> None:
    truth = [0] * 30 + [1] * 30
    first = [*range(30), *range(12, 42)]
    one, other = hs.Scores(truth, first), hs.Scores(truth, [x - 2 * (i >= 30) for i, x in enumerate(first)])
    made = hs.rank({"a": one, "b": other}, metric="roc_auc")
    known = hs.compare(hs.infer(one), hs.infer(other), metric="roc_auc")
    assert 0.6 < known.p_better < 0.95
    assert made["a"].p_best == pytest.approx(known.p_better, abs=0.03)


@pytest.mark.parametrize("upwards", [True, False])
def test_undefined_draws_come_last_whichever_way_is_better(upwards: bool) -> None:
    ranked, notes = contest._oriented(np.array([[0.2, np.nan], [0.7, 0.1]]), upwards)
    assert (ranked.argmax(axis=0) == [upwards, 1]).all()
    assert notes == ("1 draws are undefined (0/0) and count as last.",)


def test_the_likeliest_best_is_named_where_it_is_not_the_first() -> None:
    """As where little is known of the second: its mean is lower, and its upper end higher."""
    counts = {"AlphaNet": 170, "BetaVision": 168, "Gamma": 160, "Delta": 158}
    board = rank({name: hs.Posterior.from_accuracy(correct=k, n=200) for name, k in counts.items()})
    first, second, *rest = board.entries
    turned = [replace(first, p_best=0.28), replace(second, p_best=0.31), *rest]
    assert headline(turned, "0.28", 4) == (
        "AlphaNet comes first by its mean; the best is most probably BetaVision (0.31, AlphaNet 0.28), of which less "
        "is known; the best is one of 4."
    )
