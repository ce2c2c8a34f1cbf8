"""``--shares``: which class shares a number is about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from howsure.cli import main

TABLE = "true\\pred,a,b,c\na,30,0,2\nb,0,3,1\nc,1,1,8\n"
OTHER = "true\\pred,a,b,c\na,8,1,1\nb,1,25,4\nc,0,2,18\n"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "table.csv"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


@pytest.fixture
def other(tmp_path: Path) -> str:
    path = tmp_path / "other.csv"
    path.write_text(OTHER, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("words", "said", "held"),
    [
        (["--prior", "learned"], "test", True),
        (["--prior", "flat"], "sampled", False),
        (["--prior", "flat", "--shares", "test"], "test", True),
        (["--prior", "learned", "--shares", "sampled"], "sampled", False),
        (["--shares", "chosen"], "chosen", True),
        (["--prior", "learned", "--prevalence", "equal"], None, False),
    ],
)
def test_a_report_says_which_shares(file, words, said, held, capsys) -> None:
    assert main(["report", file, "--json", "-m", "f1@macro", "-m", "mcc", *words]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["shares"] == said
    assert [row["at_test_shares"] for row in made["metrics"]] == [held, False]


def test_the_line_says_it(file, capsys) -> None:
    assert main(["report", file, "-m", "f1@macro", "--shares", "test"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].endswith("at this test set's class shares.")
    assert "f1@macro **" in out


def test_another_word_is_refused(file, capsys) -> None:
    assert main(["report", file, "--shares", "foo"]) == 2
    assert "'foo' is not one of 'test', 'sampled', 'chosen'" in capsys.readouterr().err


def test_two_test_sets_together(file, other, capsys) -> None:
    asked = ["-m", "f1@macro", "--shares", "test", "--draws", "2000"]
    assert main(["compare", file, other, *asked]) == 0
    assert "f1@macro of both is at the class shares of both test sets together" in capsys.readouterr().out
    assert main(["rank", file, other, *asked]) == 0
    assert "at the class shares of both test sets together" in capsys.readouterr().out
    assert main(["gate", "--candidate", file, "--baseline", other, *asked]) == 3  # inconclusive
    assert "test sets together" in capsys.readouterr().out


def test_what_is_foreseen_takes_the_option(file, capsys) -> None:
    assert main(["predict", file, "--shares", "test", "--draws", "1000"]) == 0
    assert "f1@macro" in capsys.readouterr().out
    assert main(["outlook", "f1@macro", file, "--above", "0.5", "--more", "20", "--shares", "test"]) == 0
    assert "f1@macro" in capsys.readouterr().out
    assert main(["frequencies", file, "--shares", "chosen"]) == 0
    assert "class sizes were chosen" in capsys.readouterr().out
