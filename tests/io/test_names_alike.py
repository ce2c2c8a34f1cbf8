"""Classes whose names are nearly the same: one note that names them, wherever the cases are."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import howsure as hs
from howsure.io import read
from howsure.io.contenders import read_contenders, read_pair
from howsure.io.formats.written import as_dict, read_state

COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"

NEARLY = "names are nearly the same"


@pytest.mark.parametrize(
    ("one", "two", "said"),
    [
        ("Cat", "cat", "'Cat' and 'cat'. If"),
        ("black cat", "black  cat", "'black  cat' and 'black cat'. If"),
        ("+1", "1", "'+1' and '1'. If"),
        ("01", "1", "'01' and '1'. If"),
        (COMPOSED, DECOMPOSED, "(an accented letter can be one character or two)"),
    ],
)
def test_one_note_names_them(one: str, two: str, said: str, tmp_path: Path) -> None:
    cases = f"y_true,pred_A,pred_B\n{one},{two},{one}\n{two},{two},{one}\nx,x,x\n"
    file = tmp_path / "x.csv"
    file.write_text(cases, encoding="utf-8")
    matrix = io.StringIO(f"true\\pred,{one},{two},x\n{one},1,0,0\n{two},0,1,0\nx,0,0,1\n")
    every = [
        read(file, model="A").notes,
        read(matrix).notes,
        hs.count(file).notes,
        read_pair(str(file), a="A", b="B").notes,
        read_contenders([str(file)]).notes,
    ]
    for notes in every:
        (note,) = (note for note in notes if NEARLY in note)
        assert said in note
    assert len(read(file, model="A").confusion.labels) == 3


def test_counts_that_are_added_up_and_kept_say_it_once(tmp_path: Path) -> None:
    made = hs.count(y_true=["Cat", "x"], y_pred=["Cat", "x"]) + hs.count(y_true=["cat", "x"], y_pred=["cat", "x"])
    (tmp_path / "made.json").write_text(json.dumps(as_dict(made)))
    again, _ = read_state(tmp_path / "made.json")
    assert sum(NEARLY in note for note in made.notes) == 1
    assert again.notes == made.notes


def test_names_that_differ_have_no_note() -> None:
    assert not hs.count(y_true=["0", "O", "ss"], y_pred=["0", "O", "s"]).notes


def test_a_pattern_in_a_folder_with_brackets(tmp_path: Path) -> None:
    folder = tmp_path / "[x]"
    folder.mkdir()
    (folder / "a.csv").write_text("y_true,y_pred\na,a\nb,b\n")
    assert read(f"{folder}/*.csv").confusion.n == 2
