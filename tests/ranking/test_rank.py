"""Ranks of classifiers: published numbers, two routes, the right way up."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special
from tests.conftest import tries

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation, UnknownName
from howsure.laws import Beta
from howsure.numerics.ranks import rank_matrix
from howsure.numerics.ranks.rank_laws import LawEntries
from howsure.numerics.ranks.rank_matrix import drawn_exceedance, drawn_ranks
from howsure.numerics.ranks.shrinkage import shrunken
from howsure.posterior.accuracy import AccuracyPosterior
from howsure.posterior.knowledge import TableKnowledge, knowledge_of
from howsure.ranking.rank import _tiers
from howsure.ranking.rank_probabilities import _oriented

REFERENCE = Path(__file__).parents[1] / "reference"
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
    assert one.route == "drawn"
    apart = (one.mean - other.mean) / np.hypot(one.sd, other.sd)
    assert hs.rank(members, metric="f1@macro")["a"].p_best == pytest.approx(special.ndtr(apart), abs=0.03)


def test_the_prizes_of_a_published_leaderboard() -> None:
    case = CASES["toetsch2020_kaggle_recursion"]
    names = case["team_ids"]
    board = {x: hs.Posterior.from_accuracy(correct=k, n=case["N"]) for x, k in zip(names, case["correct"], strict=True)}
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


def test_the_ranking_of_carrillo_by_wins_and_by_rank_probabilities() -> None:
    made = hs.rank(carrillo("C1", "C2", "C3"), entries="independent")
    assert [x.name for x in made.entries] == ["C3", "C1", "C2"]
    assert [x.wins for x in made.entries] == [2, 1, 0]
    assert made.above[0, 1] == pytest.approx(0.86499, abs=1e-5)
    assert made.above[1, 2] == pytest.approx(0.99406, abs=1e-5)
    assert made.above[0, 2] == pytest.approx(0.99982, abs=1e-5)


def test_lower_is_better_ranks_the_right_way_up() -> None:
    up = hs.rank(carrillo("C1", "C2", "C3"), metric="accuracy")
    down = hs.rank(carrillo("C1", "C2", "C3"), metric="error_rate")
    assert [x.name for x in up.entries] == [x.name for x in down.entries] == ["C3", "C1", "C2"]
    assert np.allclose(up.probabilities, down.probabilities, atol=1e-9)
    assert np.allclose(up.above, down.above, atol=1e-9)


def test_drawn_ranks_agree_with_exact_ones() -> None:
    board = carrillo("C1", "C2", "C3", "C4", "C6")
    exact = hs.rank(board, metric="balanced_accuracy", entries="independent")
    values = np.array(
        [
            knowledge_of(board[x.name]).of("balanced_accuracy").sample(100_000, seed=i)
            for i, x in enumerate(exact.entries)
        ]
    )
    counted = drawn_ranks(values)
    assert np.abs(counted - exact.probabilities).max() < 4 * 0.5 / np.sqrt(100_000)
    assert np.abs(drawn_exceedance(values) - exact.above).max() < 4 * 0.5 / np.sqrt(100_000)


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "f1@macro", "mcc"])
def test_identical_classifiers_share_everything(metric: str) -> None:
    one = carrillo("C1")["C1"]
    made = hs.rank({"a": one, "b": one, "c": carrillo("C1")["C1"]}, metric=metric)
    assert [x.name for x in made.entries] == ["a", "b", "c"]
    assert np.allclose(made.probabilities, 1 / 3, rtol=0, atol=1e-12)
    pair = hs.rank({"a": one, "b": one}, metric=metric)
    assert pair.probabilities.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert pair.above.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert pair.leaders == ("a", "b")
    assert "does not separate it from b" in pair.sentence or "do not separate it from b" in pair.sentence


counts = st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@settings(max_examples=tries(40), deadline=None)
@given(st.lists(counts, min_size=2, max_size=7))
def test_rows_and_columns_add_to_one_and_the_order_follows_them(board: list[tuple[int, int]]) -> None:
    made = hs.rank(accuracies(**{f"m{i}": x for i, x in enumerate(board)}))
    assert np.allclose(made.probabilities.sum(0), 1, atol=1e-10)
    assert np.allclose(made.probabilities.sum(1), 1, atol=1e-10)
    assert np.allclose(made.above + made.above.T, 1, atol=1e-12)
    expected = [x.expected_rank for x in made.entries]
    assert expected == sorted(expected) or np.allclose(expected, sorted(expected), atol=1e-8)
    assert [x.tier for x in made.entries] == sorted(x.tier for x in made.entries)
    assert sum(x.p_best for x in made.entries if x.name in made.best_set) >= 0.95 - 1e-9
    # expected rank = 1 + sum of the probabilities of being beaten
    assert expected == pytest.approx((1 + made.above.sum(0) - 0.5).tolist(), abs=1e-7)


def test_exceedance_against_quadrature_and_with_point_masses() -> None:
    a, b = np.array([30.0, 0.5, 200.0, 5.0]), np.array([10.0, 0.5, 61.0, 0.5])
    above = rank_matrix.exceedance_beta(a, b)
    for i, j in ((0, 2), (2, 3), (0, 3)):

        def integrand(x: float, i: int = i, j: int = j) -> float:
            log_density = (a[i] - 1) * np.log(x) + (b[i] - 1) * np.log1p(-x) - special.betaln(a[i], b[i])
            return float(np.exp(log_density) * special.betainc(a[j], b[j], x))

        value, _ = integrate.quad(integrand, 0, 1, points=[0.7, 0.8, 0.9, 0.99], limit=400)
        assert above[i, j] == pytest.approx(value, abs=1e-8)
    point = hs.laws.Linear(shift=0.75)
    mixed = rank_matrix.exceedance(LawEntries([hs.laws.Beta(30, 10), point, hs.laws.Linear(shift=0.5)]))
    assert mixed[0, 1] == pytest.approx(hs.laws.Beta(30, 10).prob(above=0.75), abs=1e-10)
    assert mixed[1, 2] == 1
    assert mixed[2, 1] == 0


def test_the_winner_is_drawn_back() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(0.8, 0.01, 400)
    seen = truth + rng.normal(0, 0.02, 400)
    corrected, sds = shrunken(seen, np.full(400, 0.02)) or (seen, seen)
    best = seen.argsort()[-40:]
    assert seen[best].mean() - truth[best].mean() > 0.02
    assert abs(corrected[best].mean() - truth[best].mean()) < 0.005
    assert np.mean(np.abs(corrected - truth) < 1.96 * sds) == pytest.approx(0.95, abs=0.04)
    assert shrunken(seen[:2], seen[:2]) is None
    alike, spread = shrunken(np.full(5, 0.7), np.full(5, 0.1)) or (seen, seen)
    assert np.allclose(alike, 0.7)
    assert np.allclose(spread, 0.1 / np.sqrt(5))


def test_a_new_test_set_shakes_the_board_up() -> None:
    board = accuracies(a=(90, 100), b=(88, 100), c=(50, 100))
    small, large = (hs.rank(board, new_test=n) for n in (20, 100_000))
    assert small.again is not None
    assert large.again is not None
    assert np.allclose(large.again, large.probabilities, atol=0.02)
    assert small.again[0, 0] < large.again[0, 0]
    assert "would come first again" in str(small)
    with pytest.raises(InvalidArgument, match="new_test is a number of cases"):
        hs.rank(board, new_test=0)


@pytest.mark.parametrize("metric", ["balanced_accuracy", "f1@macro", "error_rate"])
def test_any_metric_is_replayed_on_a_new_test_set(metric: str) -> None:
    board = carrillo("C1", "C2", "C3")
    made = hs.rank(board, metric=metric, new_test=400, draws=4000, entries="independent")
    assert made.again is not None
    assert np.allclose(made.again.sum(0), 1)
    assert np.allclose(made.again.sum(1), 1)
    laws = [board[x.name].predict(400, draws=4000).of(metric) for x in made.entries]
    values = np.array([law.sample(20_000, seed=[9, i]) for i, law in enumerate(laws)])
    expected = drawn_ranks(values if made.better == "higher" else -values)
    assert np.abs(made.again - expected).max() < 0.03


def test_ties_of_draws_share_their_ranks() -> None:
    values = np.array([[1.0, 2.0, 0.0], [1.0, 2.0, 1.0], [0.0, 2.0, 1.0]])
    assert 3 * drawn_ranks(values) == pytest.approx(
        np.array([[5 / 6, 5 / 6, 4 / 3], [4 / 3, 4 / 3, 1 / 3], [5 / 6, 5 / 6, 4 / 3]])
    )


def test_every_surface_says_the_same() -> None:
    made = hs.rank(accuracies(**{"=a|b": (43, 50), "b": (41, 50), "c": (20, 50)}), prizes=[10, 5])
    data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
    assert data["kind"] == "rank"
    assert data["pairing"] == "separate"
    assert [x["name"] for x in data["entries"]] == ["=a|b", "b", "c"]
    assert set(data["entries"][0]) >= {"name", "p_best", "rank_interval", "tier", "expected_prize"}
    assert np.allclose(data["probabilities"], made.probabilities)
    for shown in (str(made), made.to_markdown(), made._repr_html_()):
        assert "separate test sets" in shown
        assert "entries learned, approximate (within 0.005)" in shown
    assert made.to_csv().splitlines()[1].startswith("'=a|b,50,0.86,")
    assert made["b"].n == 50
    with pytest.raises(UnknownName, match="Did you mean"):
        made["=a|bb"]


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
    assert known.of("accuracy").interval(kind="central") == pytest.approx(hs.laws.Beta(26, 1).interval(kind="central"))
    assert (known.of("accuracy") + known.of("error_rate")).mean == pytest.approx(1)
    assert (known.of("accuracy") + known.of("error_rate")).sd == 0
    with pytest.raises(InvalidArgument, match="26 right answers out of 25"):
        hs.Posterior.from_accuracy(correct=26, n=25)
    with pytest.raises(NoInformation):
        hs.Posterior.from_accuracy(correct=25, n=25, prior="haldane")
    with pytest.raises(InvalidArgument, match="whole number"):
        hs.Posterior.from_accuracy(correct=2.5, n=25)  # type: ignore[arg-type]


def test_drawn_entries_are_independent_and_their_tables_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    blocks = TableKnowledge.blocks

    def counted(self: TableKnowledge, *given: object, **named: object) -> object:
        made.append(self)
        return blocks(self, *given, **named)  # type: ignore[arg-type]  # passed on as they came

    monkeypatch.setattr(TableKnowledge, "blocks", counted)
    two = {
        name: hs.infer(hs.ConfusionMatrix(table))
        for name, table in (("a", [[20, 3, 1], [2, 25, 1], [0, 4, 30]]), ("b", [[18, 5, 1], [3, 23, 2], [1, 3, 30]]))
    }
    found = hs.rank(two, metric="mcc")["a"].p_best
    assert len(made) == 2
    alone = hs.compare(two["a"], two["b"], metric="mcc").p_better
    assert found == pytest.approx(alone, abs=4 * 0.5 * np.sqrt(2 / 20_000))


def test_a_metric_that_nobody_named_is_said_with_its_reason() -> None:
    answers = {"one": list("ABCDABCD"), "two": list("ABCDDCBA")}
    asked = hs.Predictions(list("ABCDABCD"), answers)
    made = hs.rank(asked, draws=200)
    assert made.metric == "balanced_accuracy"
    assert sum("because no metric was named" in note and "accuracy ranks by" in note for note in made.notes) == 1
    assert not any("no metric was named" in note for note in hs.rank(asked, metric="accuracy", draws=200).notes)
    bare = {name: hs.Posterior.from_accuracy(correct=k, n=9) for name, k in (("one", 8), ("two", 4))}
    assert not any("no metric was named" in note for note in hs.rank(bare).notes)


def test_remarks_do_not_say_what_the_headline_says() -> None:
    correct = {"a": 9000, "b": 5000, "c": 4000}
    board = {name: hs.Posterior.from_accuracy(correct=k, n=10000) for name, k in correct.items()}
    alone = hs.rank(board, entries="independent").remarks
    assert not any("is one of 1" in line for line in alone)
    assert any("as before (empirical Bayes" in line for line in alone)


def test_two_entries_of_huge_counts_are_ranked() -> None:
    board = {
        name: hs.Posterior.from_accuracy(correct=k, n=10**15)
        for name, k in (("a", 9 * 10**14), ("b", 9 * 10**14 + 9 * 10**6))
    }
    sd = (0.09 * 10**15 * 2) ** 0.5
    assert hs.rank(board).entries[0].p_best == pytest.approx(special.ndtr(9 * 10**6 / sd), abs=1e-6)


def test_entries_of_one_size_have_intervals_of_their_own() -> None:
    right = {"a": 430, "b": 380, "c": 250}
    board = {name: hs.Posterior.from_accuracy(correct=k, n=500) for name, k in right.items()}
    made = hs.rank(board, entries="independent")
    for entry in made.entries:
        assert (entry.low, entry.high) == Beta(right[entry.name] + 1, 501 - right[entry.name]).interval()


def test_equal_counts_at_two_prevalences_are_told_apart() -> None:
    post = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"]))
    rare, common = post.at_prevalence({"ill": 0.02}), post.at_prevalence({"ill": 0.5})
    assert hs.rank({"rare": rare, "common": common}, metric="precision")["common"].p_best > 0.99
    assert hs.rank({"one": common, "two": common}, metric="precision")["one"].p_best == 0.5


@pytest.mark.parametrize("upwards", [True, False])
def test_an_undefined_draw_comes_last_and_is_said(upwards: bool) -> None:
    made, notes = _oriented(np.array([[np.nan, 0.2], [0.1, 0.3]]), upwards)
    sign = 1 if upwards else -1
    assert made.tolist() == [[-np.inf, sign * 0.2], [sign * 0.1, sign * 0.3]]
    assert len(notes) == 1
    assert "count as last" in notes[0]


def test_the_possibly_best_have_the_fewest_errors() -> None:
    board = accuracies(good=(950, 1000), near=(945, 1000), bad=(700, 1000))
    for metric in ("accuracy", "error_rate"):
        assert hs.rank(board, metric=metric).contenders == ("good", "near")


def test_a_tier_ends_where_its_first_is_better_and_not_only_its_last() -> None:
    above = np.array([[0.5, 0.8, 0.97, 0.99], [0.2, 0.5, 0.8, 0.96], [0.03, 0.2, 0.5, 0.9], [0.01, 0.04, 0.1, 0.5]])
    assert _tiers(above, 0.95) == [1, 1, 2, 2]


def test_a_metric_with_an_infinite_mean_is_ranked_by_draws() -> None:
    matrices = {"a": (10, 0, 0, 10), "b": (9, 1, 3, 7), "c": (5, 5, 5, 5)}
    board = {
        x: hs.infer(hs.ConfusionMatrix.from_counts(tp=a, fn=b, fp=c, tn=d)) for x, (a, b, c, d) in matrices.items()
    }
    ratio, logs = (hs.rank(board, metric=metric, entries="independent") for metric in ("dor", "log_dor"))
    assert np.isinf(ratio["a"].mean)
    assert ratio.to_dict()["entries"][0]["mean"] is None
    json.dumps(ratio.to_dict(), allow_nan=False)
    # a logarithm changes no rank
    for name in board:
        assert ratio[name].p_best == pytest.approx(logs[name].p_best, abs=0.02)


def test_a_board_without_a_case_learns_no_population() -> None:
    board = accuracies(a=(0, 0), b=(0, 0), c=(0, 0))
    made = hs.rank(board)
    assert made.population is None
    assert [x.p_best for x in made.entries] == pytest.approx([1 / 3] * 3, abs=1e-12)
    assert [x.mean for x in made.entries] == [0.5] * 3
    assert any("no entry has a case" in note for note in made.notes)
    with pytest.raises(InvalidArgument, match="no entry has a case"):
        hs.rank(board, entries="learned")
    empty = hs.infer(hs.ConfusionMatrix([[0, 0], [0, 0]]))
    assert hs.rank({"a": empty, "b": empty, "c": empty}).population is None


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
