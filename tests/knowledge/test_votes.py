"""Votes as knowledge: words of votes, what is noted, what is refused, and the questions asked of them."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import HowsureError, UnknownMetric
from howsure.knowledge.protocol import Of
from howsure.knowledge.votes import Votes
from howsure.questions.rank import rank_known
from howsure.questions.slice_ranking import rank_votes_by


def line(rows: str, **more: object) -> Votes:
    """Battles written as ``x y a``."""
    a, b, winner = zip(*(row.split(maxsplit=2) for row in rows.split(";")), strict=True)
    return Votes.from_columns(a, b, winner, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(("first", "second", "tie"), [
    ("a", "b", "tie"), ("model_a", "model_b", "tie (bothbad)"), ("left", "right", "both_bad"), ("1", "0", "0.5"),
    ("1", "2", "0"), ("1", "-1", "0"), ("1.0", "0.0", "0.5"), ("x", "y", "draw"), ("A", "B", "Tie"),
])  # fmt: skip
def test_the_same_votes_in_other_words(first: str, second: str, tie: str) -> None:
    votes = line(f"x y {first};x y {first};x y {second};x y {tie}")
    assert votes.a_wins.tolist() == [[0, 2], [0, 0]]
    assert votes.b_wins.tolist() == [[0, 1], [0, 0]]
    assert votes.ties.sum() == 1


def test_elo_is_around_a_thousand_and_win_rates_follow_from_it() -> None:
    votes = line("x y a;x y a;x z a;y z a;y z b;z x b")
    laws = [votes.law(Of("elo", name), votes.ask()) for name in votes.names]
    assert sum(law.mean for law in laws) == pytest.approx(3000, abs=1e-6)
    gap = votes.law(Of("elo", "x") - Of("elo", "y"), votes.ask())
    assert gap.mean == pytest.approx(laws[0].mean - laws[1].mean, abs=1e-6)
    against = votes.law(Of("win_rate@y", "x"), votes.ask())
    assert against.prob(above=0.5) == pytest.approx(gap.prob(above=0), abs=1e-9)
    assert against.mean + votes.law(Of("win_rate@x", "y"), votes.ask()).mean == pytest.approx(1, abs=1e-9)
    # no ties: the odds of ten to one at 400 points
    draws = votes.simulated(votes.ask())[0]
    expected = (1 / (1 + 10 ** (-(draws[:, 0] - draws[:, 1]) * 400 / np.log(10) / 400))).mean()
    assert against.mean == pytest.approx(expected, abs=1e-12)


def test_a_model_without_a_battle_is_noted() -> None:
    votes = line("x y a;x z both_bad;x y b", both_bad="exclude")
    assert "No battle of z counts" in " ".join(votes.notes)
    assert rank_known(votes)["z"].n == 0


def test_groups_that_never_met_are_noted() -> None:
    votes = line("x y a;x y a;u v b;u v tie")
    assert votes.pieces == (("u", "v"), ("x", "y"))
    assert "2 groups that never met (u, v; x, y)" in " ".join(votes.notes)
    assert "never met" not in " ".join(line("x y a;y z a").notes)


def test_votes_on_the_same_prompt_by_the_same_voter_are_counted() -> None:
    votes = Votes.from_columns(
        list("xxyy"), list("yyxx"), list("aabb"), voter=["v", "v", "v", "w"], prompt=["p", "q", "p", "p"]
    )
    assert "1 vote of a voter on a prompt" in " ".join(votes.notes)


def wordy(battles: int = 1_200, seed: int = 0, worth: float = 2.0) -> Votes:
    """Of x, y and z x is the best and brief; longer answers win votes."""
    rng = np.random.default_rng(seed)
    theta, log_length = np.array([0.5, 0.2, -0.7]), np.array([5.2, 6.2, 5.7])
    first = rng.integers(0, 3, battles)
    second = (first + rng.integers(1, 3, battles)) % 3
    a, b = (np.exp(log_length[it] + 0.4 * rng.standard_normal(battles)) for it in (first, second))
    half = (theta[first] - theta[second] + worth * (a - b) / (a + b)) / 2
    won = rng.random(battles) < 1 / (1 + np.exp(-2 * half))
    names = np.array([*"xyz"])
    return Votes.from_columns(names[first], names[second], np.where(won, "a", "b"), styles={"length": (a, b)})


@pytest.mark.full
def test_length_that_wins_is_noted_and_taken_out_on_request() -> None:
    votes = wordy()
    assert rank_known(votes).entries[0].name == "y"
    hint = [line for line in votes.notes if "--control length" in line]
    assert "at equal length x would come first" in hint[0]
    held = votes.controlled("length")
    board = rank_known(held)
    assert board.entries[0].name == "x"
    assert "at equal length." in held.about
    size, error = held.effects["length"]
    true = 2.0 * float(held.styled.cells.scales[0]) * 400 / np.log(10)
    assert abs(size - true) < 3 * error
    assert 5 < error < 20
    told = [line for line in held.notes if line.startswith("At equal length")]
    assert f"is worth {size:.0f} points" in told[0]
    assert "Without this y would come first." in told[0]
    assert "--control length" not in " ".join(held.notes)
    assert "--control" not in " ".join(wordy(worth=0.0).notes)


@pytest.mark.full
def test_what_is_controlled_reaches_every_question() -> None:
    votes = wordy().controlled("length")
    pair = hs.compare(votes, "x", "y")
    assert pair.p_better > 0.9
    assert hs.gate(votes, "x", "y", metric="win_rate@y", mode="superiority", margin=0.0).rows[0].p_pass == (
        pytest.approx(votes.law(Of("win_rate@y", "x"), votes.ask()).prob(above=0.5), abs=1e-9)
    )
    assert hs.predict(votes, 50).metric == "win_rate"
    for aim, goal in (("difference", 20.0), ("top", 0.0)):
        needed = votes.needed(aim, goal, None, 0.6, votes.ask())  # type: ignore[arg-type]
        assert needed is not None
        assert needed.n > 0 or needed.names == ("x",)


def test_a_place_that_is_controlled_is_no_longer_noted() -> None:
    rows = ["x y a"] * 60 + ["x y b"] * 30 + ["y x a"] * 60 + ["y x b"] * 30
    votes = line(";".join(rows)).controlled("position")
    assert votes.position is None
    assert votes.effects["position"][0] == pytest.approx(400 * np.log10(2), abs=12)
    assert "being shown first is worth" in " ".join(votes.notes)
    assert abs(votes.law(Of("elo", "x"), votes.ask()).mean - 1000) < 2


def test_what_was_not_read_is_not_controlled() -> None:
    with pytest.raises(HowsureError, match="position"):
        line("x y a;x y b").controlled("length")
    with pytest.raises(HowsureError, match="length is two numbers"):
        Votes.from_columns(["x"], ["y"], ["a"], styles={"length": ([1], [-1])})


def test_votes_in_a_circle_are_noted_with_their_triple() -> None:
    circle = ["x y a"] * 40 + ["x y b"] * 10 + ["y z a"] * 40 + ["y z b"] * 10 + ["z x a"] * 40 + ["z x b"] * 10
    told = " ".join(line(";".join(circle)).notes)
    assert "not a matter of one strength each" in told
    assert any(f"{a} over {b} over {c} over {a}" in told for a, b, c in ("xyz", "yzx", "zxy"))
    straight = ["x y a"] * 30 + ["x y b"] * 20 + ["y z a"] * 30 + ["y z b"] * 20 + ["x z a"] * 35 + ["x z b"] * 15
    assert "one strength" not in " ".join(line(";".join(straight)).notes)


@pytest.mark.parametrize(("rows", "sentence"), [
    ("x x a;x y b", "model 'x' battles itself"),
    ("x y a;x y perhaps", "the winner 'perhaps' of the battle of 'x' and 'y' is neither of them"),
    ("x y a;x y z;x z tie", "the winner 'z' of the battle of 'x' and 'y'"),
])  # fmt: skip
def test_what_is_no_battle_is_refused(rows: str, sentence: str) -> None:
    with pytest.raises(HowsureError) as refusal:
        line(rows)
    assert sentence in str(refusal.value)


def test_no_decided_battle_and_other_tables_are_refused() -> None:
    with pytest.raises(HowsureError, match="no battle is decided"):
        line("x y both_bad", both_bad="exclude")
    with pytest.raises(HowsureError, match="at least two models"):
        Votes(("x",), [[0.0]], [[0.0]], [[0.0]])
    with pytest.raises(HowsureError, match="tables of 2 by 2 counts"):
        Votes(("x", "y"), [[0, -1], [0, 0]], np.zeros((2, 2)), np.zeros((2, 2)))
    with pytest.raises(UnknownMetric):
        line("x y a").measured("win_rate@gpt")
    with pytest.raises(UnknownMetric):
        line("x y a").measured("accuracy")


def test_intervals_of_all_ranks_at_once_contain_them_all() -> None:
    rng = np.random.default_rng(1)
    pairs = [(i, j) for i in range(12) for j in range(i)] * 2
    votes = Votes.from_columns(
        [f"m{i}" for i, _ in pairs], [f"m{j}" for _, j in pairs], rng.choice(["a", "b"], len(pairs))
    )
    ask = votes.ask(draws=4_000)
    each, together = rank_known(votes, ask=ask), rank_known(votes, ask=ask, simultaneous=True)
    draws = votes.fit.draws(4_000, np.random.default_rng(9))[0]
    ranks = 1 + (-draws).argsort(1).argsort(1)
    order = [votes.models.index(entry.name) for entry in each.entries]

    def contained(board: hs.Ranking) -> float:
        ends = np.array([entry.rank_interval for entry in board.entries])
        return float(((ranks[:, order] >= ends[:, 0]) & (ranks[:, order] <= ends[:, 1])).all(1).mean())

    assert contained(together) > 0.93
    assert contained(each) < contained(together)


def test_a_leaderboard_for_each_slice() -> None:
    made = rank_votes_by({"code": line("x y a;x y a;x y a"), "prose": line("x y b;x y b"), "other": "no battle"},
                         by="category")  # fmt: skip
    assert [(it.name, it.leader, it.battles) for it in made.slices] == [("code", "x", 3), ("prose", "y", 2)]
    assert made.notes == ("other is left out: no battle.",)
    assert "2 models come first" in made.sentence
    assert made.to_dict()["slices"][0]["leader"] == "x"
    assert "code,3,x" in made.to_csv()
    assert made.picture().startswith("<svg")
    with pytest.raises(HowsureError, match="has battles of two models"):
        rank_votes_by({"code": "no battle"}, by="category")
