"""Leaderboards as spreadsheets and competitions write them: kinds mixed, lines added, digits rounded away."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from howsure.errors import InvalidFile
from howsure.io.contenders import read_contenders
from howsure.io.formats.board import read_board


def test_a_share_among_percentages_is_refused_and_not_read_as_the_worst() -> None:
    with pytest.raises(InvalidFile, match=r"line 2: the score '0.91' of 'A' looks like a share, and '90' of 'B'"):
        read_board(io.StringIO("name,score,n\nA,0.91,100\nB,90,100\nC,89%,100\n"))
    read = read_board(io.StringIO("name,score,n\nA,0.91%,10000\nB,90,10000\nC,0,10000\n"))
    assert [x.correct for x in read.standings] == [91, 9000, 0]


def test_lines_that_a_spreadsheet_adds_are_passed_over() -> None:
    read = read_board(io.StringIO("sep=;\r\nname;score;n\r\nA;0.91;100\r\nB;0.90;100\r\n;;\r\n\r\n"))
    assert [(x.name, x.correct) for x in read.standings] == [("A", 91), ("B", 90)]
    with pytest.raises(InvalidFile, match="line 4: the name 'A' comes twice, also in line"):
        read_board(io.StringIO("sep=;\nname;score;n\nA;0.91;100\nA;0.90;100\n"))


def test_scores_rounded_to_less_than_their_noise_are_named() -> None:
    read = read_board(io.StringIO("name,score,n\nA,0.95,2500\nB,0.9,2500\nC,0.9416,2500\n"))
    (note,) = (x for x in read.notes if "rounded so far" in x)
    assert note.startswith("2 of the 3 scores")
    assert "up to 251" in note
    assert not read_board(io.StringIO("name,score,n\nA,0.952,250\nB,0.904,250\n")).notes


def test_numbers_of_cases_may_be_missing_in_some_lines() -> None:
    board = "name,score,n\nA,0.9,100\nB,0.8,\n"
    with pytest.raises(InvalidFile, match="line 3: the number of cases of 'B' is missing;"):
        read_board(io.StringIO(board))
    assert [x.n for x in read_board(io.StringIO(board), n=50).standings] == [100, 50]


def test_a_header_in_another_language_is_told_what_a_leaderboard_has(tmp_path: Path) -> None:
    file = tmp_path / "tabelle.csv"
    file.write_text("\ufeffNamn;Noggrannhet;Antal\r\nA;0,9;100\r\n", encoding="utf-8")
    with pytest.raises(InvalidFile, match=r"unrecognized header.*A leaderboard has the columns name,correct,n"):
        read_contenders([str(file)])


def test_competitions_say_team_name() -> None:
    read = read_board(io.StringIO("Rank,TeamId,TeamName,Score\n1,7,A,0.95\n2,8,B,0.9\n"), n=100)
    assert [x.name for x in read.standings] == ["A", "B"]


def test_one_entry_is_said_in_the_singular() -> None:
    with pytest.raises(InvalidFile, match="it holds the answers of one classifier, and two"):
        read_board(io.StringIO("name,score,n\nA,0.95,100\n"))


def test_a_board_of_places_without_an_entry_is_refused() -> None:
    with pytest.raises(InvalidFile):
        read_board(io.StringIO("rank,name,score,n\n"))
