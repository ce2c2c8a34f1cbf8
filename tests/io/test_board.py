"""Leaderboards from files: counts, scores, and what is wrong with them."""

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howsure.errors import InvalidArgument, InvalidFile
from howsure.io.contenders import read_contenders
from howsure.io.formats.board import headed, read_board
from howsure.io.roles import is_board
from howsure.io.table import TextTable

ROOT = Path(__file__).parents[2]


def board(text: str, **options: int):
    return read_board(io.StringIO(text), **options)


def test_the_published_board_has_nine_impossible_scores() -> None:
    read = read_board(ROOT / "examples" / "kaggle_recursion.csv")
    assert [x.correct for x in read.standings] == [
        15087, 15073, 15062, 15049, 15047, 15029, 15017, 15017, 15014, 15008,
    ]  # fmt: skip
    assert "gives 9 of the 10 scores" in read.notes[0]
    assert "'3467175'" in read.notes[0]
    assert "'3339624'" not in read.notes[0]
    possible = read_board(io.StringIO("team,score\n" + "a,0.99763\nb,0.99672\nc,0.99596\n"), n=14344)
    assert possible.notes == ()


@pytest.mark.full
@given(st.lists(st.tuples(st.integers(1, 3000), st.floats(0, 1)), min_size=2, max_size=6), st.integers(4, 6))
def test_printed_scores_come_back(entries: list[tuple[int, float]], digits: int) -> None:
    counts = [(round(share * n), n) for n, share in entries]
    lines = [f"m{i},{k / n:.{digits}f},{n}" for i, (k, n) in enumerate(counts)]
    read = board("name,score,n\n" + "\n".join(lines) + "\n")
    assert [(x.correct, x.n) for x in read.standings] == counts
    assert read.notes == ()


def test_percentages_and_cut_digits() -> None:
    assert [x.correct for x in board("model,acc,n\na,93.5,200\nb,91,200\n").standings] == [187, 182]
    assert [x.correct for x in board("model,acc,n\na,93.5 %,200\nb,91%,200\n").standings] == [187, 182]
    assert len(board("model,acc,n,link\na,93.5,200,\nb,91,200,x\n").standings) == 2  # an empty cell beside
    cut = board("model,acc,n\na,0.66,3\nb,0.33,3\n")
    assert [x.correct for x in cut.standings] == [2, 1]
    assert "cut off" in cut.notes[0]


def test_headers_and_arguments() -> None:
    assert is_board(["Model", "Correct", "n"])
    assert not is_board(["true", "pred", "count"])
    with pytest.raises(InvalidArgument, match="number of cases"):
        board("name,score\na,0.5\nb,0.6\n", n=0)


@pytest.mark.parametrize("pattern", ["", "*.csv"])
def test_a_folder_with_a_file_for_each_classifier_is_ranked(tmp_path: Path, pattern: str) -> None:
    for name, answers in {"old": "cat,cat,dog", "new": "cat,dog,dog"}.items():
        rows = [f"q{i},{t},{p}" for i, (t, p) in enumerate(zip(["cat", "dog", "dog"], answers.split(","), strict=True))]
        (tmp_path / f"{name}.csv").write_text("id,y_true,y_pred\n" + "\n".join(rows) + "\n")
    found = read_contenders([str(tmp_path / pattern)])
    assert found.predictions is not None
    assert found.predictions.names == ("new", "old")


def test_a_perfect_entry_and_percentages_that_no_count_gives() -> None:
    perfect = read_board(io.StringIO("name,correct,n\na,50,50\nb,0,50\n"))
    assert [(x.correct, x.n) for x in perfect.standings] == [(50, 50), (0, 50)]
    odd = read_board(io.StringIO("name,score,n\na,85.0,50\nb,84.0,50\n"))
    assert any("no count of right answers out of 50 gives 1 of the 2 scores" in note for note in odd.notes)


@pytest.mark.parametrize(
    ("rows", "second"),
    [
        ([["a", "43", "50"], ["b", "41", "50"]], "correct"),
        ([["a", "91", "50"], ["b", "89", "50"]], "score"),  # more than the cases: per cent
        ([["a", "50", "50"], ["b", "51", "50"]], "score"),
        ([["a", "43.5", "50"], ["b", "41", "50"]], "score"),
        ([["a", "1" + "0" * 40, "50"], ["b", "41", "50"]], "score"),
    ],
)
def test_without_a_header_whole_numbers_up_to_the_cases_are_right_answers(rows: list[list[str]], second: str) -> None:
    table, notes = headed(TextTable("board", rows[0], 1, iter([(2, rows[1])])))
    assert table.header == ["name", second, "n"]
    assert len(notes) == 1


def test_a_decimal_comma_is_read_in_scores() -> None:
    for text in ("team;score;n\na;90,5%;200\nb;85 %;200\n", 'team,score,n\na,"90,5",200\nb,85,200\n'):
        assert [x.correct for x in board(text).standings] == [181, 170]
    assert [x.correct for x in board("team;score;n\na;0,905;200\nb;0,85;200\n").standings] == [181, 170]
    with pytest.raises(InvalidFile, match=r"not '1\.234,5'"):
        board("team;score;n\na;1.234,5;200\nb;85;200\n")


def test_points_beside_decimal_commas_set_thousands_apart() -> None:
    head = "Team\tAccuracy\tCases\n"
    read = board(head + "a\t91,25 %\t2.000\nb\t90 %\t1.234.000\n")
    assert [(x.correct, x.n) for x in read.standings] == [(1825, 2000), (1110600, 1234000)]
    assert [x.n for x in board(head + "a\t91.25 %\t2'000\nb\t90 %\t1\u2019234\u2019000\n").standings] == [2000, 1234000]
    # without a comma in a score a point may be one of decimals
    for text in ("a\t91.25 %\t2.000\nb\t90 %\t100\n", "a\t91,25 %\t2.5\nb\t90 %\t100\n"):
        with pytest.raises(InvalidFile, match="line 2: the number of cases must be an integer"):
            board(head + text)
