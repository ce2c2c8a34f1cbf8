"""Files of battles: the layouts that arenas write, and what is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from howsure.io.vote_files import VoteColumns, is_votes, read_votes, votes_by
from howsure.knowledge.votes import Votes

ARENA = "tests/reference/realworld/arena_votes.csv"


def of(text: str, **more: object) -> Votes:
    return read_votes(io.StringIO(text), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [
    "model_a,model_b,winner\nx,y,model_a\nx,y,model_a\ny,x,model_a\nx,y,tie\n",
    "model_1,model_2,preference\nx,y,1\nx,y,1\nx,y,0\nx,y,0.5\n",
    "model_a,model_b,winner,count\nx,y,x,2\nx,y,y,1\nx,y,tie,1\n",
    "model_a,model_b,wins_a,wins_b,ties\nx,y,2,1,1\n",
    "model_a,model_b,winner_model_a,winner_model_b,winner_tie\nx,y,1,0,0\nx,y,1,0,0\nx,y,0,1,0\nx,y,0,0,1\n",
    "model_a,model_b,vote\nx,y,left\nx,y,left\nx,y,right\nx,y,both_bad\n",
])  # fmt: skip
def test_the_same_battles_in_other_layouts(text: str) -> None:
    votes = of(text)
    assert votes.models == ("x", "y")
    assert votes.counts.wins.tolist() == [[0, 2], [1, 0]]
    assert votes.counts.ties.tolist() == [[0, 1], [1, 0]]


def test_winner_and_loser_have_no_places() -> None:
    votes = of("winner,loser\nx,y\nx,y\ny,x\n")
    assert votes.counts.wins.tolist() == [[0, 2], [1, 0]]
    assert votes.position is None


@pytest.mark.full
def test_lines_of_json_and_a_frame_say_the_same(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    rows = [{"model_a": "x", "model_b": "y", "winner": word, "judge": f"u{i}"} for i, word in
            enumerate(["model_a", "tie (bothbad)", "model_b", "model_a"])]  # fmt: skip
    path = tmp_path / "battles.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    assert is_votes(str(path))
    for votes in (read_votes(path), read_votes(pandas.DataFrame(rows))):
        assert votes.counts.wins.tolist() == [[0, 2], [1, 0]]
        assert votes.counts.ties.sum() == 2


def test_the_arena_has_its_right_values() -> None:
    votes = read_votes(ARENA)
    assert is_votes(ARENA)
    assert votes.battles == 400
    assert {name: votes.size(name) for name in votes.names} == {
        "alpaca-13b": 177, "gpt-4": 212, "koala-13b": 195, "vicuna-13b": 216,
    }  # fmt: skip


def test_battles_by_a_column() -> None:
    text = "model_a,model_b,winner,category\nx,y,a,code\nx,y,b,prose\nx,y,a,code\nx,x,a,own\n"
    found = votes_by(io.StringIO(text), "category")
    code = found["code"]
    assert isinstance(code, Votes)
    assert code.battles == 2
    assert found["own"] == "a leaderboard needs at least two models, got 1"


@pytest.mark.parametrize(("header", "cells"), [
    ("length_a,length_b", ("30,10", "20,20", "10,30")), ("tokens_1,tokens_2", ("30,10", "20,20", "10,30")),
    ("sum_assistant_a_tokens,sum_assistant_b_tokens", ("30,10", "20,20", "10,30")),
    ("response_a,response_b", ("three,a", "ab,cd", "w,words")),
])  # fmt: skip
def test_lengths_are_read_by_the_words_of_many_programs(header: str, cells: tuple[str, ...]) -> None:
    battles = ("x,y,a", "y,x,b", "y,x,a", "x,y,tie") * 4
    rows = [f"{row},{cells[i % 3]}" for i, row in enumerate(battles)]
    votes = of(f"model_a,model_b,winner,{header}\n" + "\n".join(rows), control=["length"])
    assert (votes.control, votes.battles) == (("length",), 16)
    assert votes.styled.cells.scales[0] == pytest.approx(
        (11 / 16) ** 0.5 * (0.5 if "response" not in header else 2 / 3)
    )


def test_a_row_a_pair_and_other_numbers_are_controlled_too() -> None:
    text = "model_a,model_b,wins_a,wins_b,ties,bold_a,bold_b\nx,y,5,2,1,4,2\nx,y,2,4,0,1,3\ny,x,3,3,1,0,0\n"
    votes = of(text, control=["bold", "position"])
    assert votes.battles == 21
    assert [*votes.effects] == ["bold", "position"]
    assert "with 2.0 times as much bold as the other" in " ".join(votes.notes)
    by = votes_by(io.StringIO(text.replace("x,y", "x,y,", 2).replace(",,", ",")), "model_a", control=["bold"])
    assert isinstance(by["x"], Votes)


@pytest.mark.full
def test_lengths_of_a_large_file_are_grouped_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("duckdb")
    rows = [f"m{i % 4},m{(i + 1 + i % 3) % 4},{'ab'[i % 5 // 3]},{10 + i % 7},{10 + i % 5}" for i in range(200)]
    path = tmp_path / "battles.csv"
    path.write_text("model_a,model_b,winner,length_a,length_b\n" + "\n".join(rows) + "\n")
    small = read_votes(path, control=["length"])
    monkeypatch.setattr("howsure.io.table.LARGE", 100)
    monkeypatch.setattr("howsure.io.vote_files.coded_rows", None)
    assert read_votes(path, control=["length"]).effects["length"] == pytest.approx(small.effects["length"], rel=1e-6)
    assert not read_votes(path).styles


def test_lengths_that_nobody_asked_for_are_looked_at_where_they_are_numbers() -> None:
    head = "model_a,model_b,winner,length_a,length_b\n"
    assert of(f"{head}x,y,a,3,4\nx,y,b,5,4\n").styles == ("length",)
    assert of(f"{head}x,y,a,3,\nx,y,b,5,4\n").styles == ()


def test_columns_by_name_and_other_files() -> None:
    text = "model_a,model_b,winner,final\nx,y,a,b\nx,y,a,b\n"
    assert of(text, columns=VoteColumns(winner="final")).counts.wins.tolist() == [[0, 0], [2, 0]]
    assert not is_votes("examples/kaggle_recursion.csv")
    assert not is_votes("tests/reference/realworld/promptfoo_results.json")
    assert not is_votes("no such file")
