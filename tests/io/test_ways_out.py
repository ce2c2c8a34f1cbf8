"""What a newcomer does first and gets refused: the sentence names what to type."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

import howsure as hs
from howsure.cli import main
from howsure.errors import HowsureError
from howsure.io import read

MATRIX = "true\\pred,a,b\na,9,1\nb,2,8\n"
NAMED = "name,diag,model\nAnna,ill,ill\nBert,well,ill\nCara,ill,well\nDora,ill,ill\nAnna,well,well\n"


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)

    def ask(asked: str, **files: str) -> str:
        for name, text in files.items():
            (tmp_path / f"{name}.csv").write_text(text)
        status = main(asked.split())
        out = capsys.readouterr()
        return out.err if status else out.out

    return ask


def test_a_column_without_its_word_is_named_by_an_option(said: Callable[..., str]) -> None:
    assert "name its column y_true; or say which column it is: --true COLUMN" in said(
        "report a.csv", a="diag,model\nill,ill\nwell,ill\n"
    )
    sentence = said("report b.csv", b="id,judge,human\n1,pass,fail\n2,pass,pass\n")
    assert "or say which columns they are: --true COLUMN and --pred COLUMN" in sentence
    with pytest.raises(HowsureError, match="y_pred='COLUMN'"):
        read("b.csv")


def test_names_of_patients_are_no_classifiers_where_the_columns_are_named(said: Callable[..., str]) -> None:
    answer = said("report a.csv --true diag --pred model -m accuracy", a=NAMED)
    assert answer.startswith("accuracy is")
    assert "; 'name' not used" in answer
    assert "howsure: a.csv: there are several classifiers" in said(
        "report a.csv", a=NAMED.replace("diag,model", "y_true,y_pred")
    )


def test_a_folder_of_matrices_is_no_table(said: Callable[..., str]) -> None:
    sentence = said("report .", a=MATRIX, b=MATRIX)
    assert "this is one confusion matrix of 'a.csv', 'b.csv'" in sentence
    assert "Name the one file that is meant" in said("report .", a="y_true,y_pred\na,a\n", b="name,size\nx,2\n")


def test_a_folder_of_printed_tables_is_told_what_is_read_together(said: Callable[..., str]) -> None:
    printed = "true\\pred  a  b\na  9  1\nb  2  8\n"
    sentence = said("report .", a=printed, b=printed)
    assert "several files (a folder, a pattern) are read as one table" in sentence
    assert "name one file" in sentence


def test_repeats_are_read_as_such_by_both_commands_and_sent_there_by_others(said: Callable[..., str]) -> None:
    repeats = "question,run,correct\n1,1,1\n1,2,0\n2,1,1\n2,2,1\n"
    assert "howsure repeats" in said("report a.csv", a=repeats)
    assert "2 items" in said("repeats a.csv", a=repeats)
    assert "3 of 4 answers to 2 items are right" in said("log a.csv", a=repeats)


def test_columns_that_count_was_told_of_keep_their_names_in_its_sentence() -> None:
    cases = pd.DataFrame({"label": ["a", "b"], "pred": ["a", "b"], "site": ["x", "y"]})
    with pytest.raises(HowsureError, match="no column 'lable' in the data frame; there are"):
        hs.count(cases, y_true="lable", y_pred="pred", by="site")
