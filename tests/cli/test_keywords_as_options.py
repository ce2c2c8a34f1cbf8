"""Messages of the library, in the words of the command line."""

from __future__ import annotations

import gzip
import inspect
from pathlib import Path

import pytest

from howsure.cli import main
from howsure.cli.keywords_as_options import KEYWORDS, as_options


@pytest.mark.parametrize("command", ["compare", "rank", "gate"])
def test_a_missing_answer_is_settled_by_an_option(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "both.csv"
    file.write_text("y_true,pred_A,pred_B\na,a,b\nb,,a\na,b,a\nb,b,b\n")
    assert main([command, *(["--candidate"] if command == "gate" else []), str(file)]) == 2
    said = capsys.readouterr().err
    assert "--missing wrong" in said
    assert "--missing exclude" in said
    assert "missing=" not in said
    for choice in ("wrong", "class", "exclude"):
        main([command, *(["--candidate"] if command == "gate" else []), str(file), "--missing", choice])
        assert not capsys.readouterr().err


def test_one_class_alone_names_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "both.csv"
    file.write_text("y_true,pred_A,pred_B\na,a,a\na,a,a\n")
    assert main(["compare", str(file)]) == 2
    assert "--labels" in capsys.readouterr().err


def test_notes_of_an_answer_name_the_option(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "runs.csv"
    file.write_text("question,run,correct\n1,1,1\n1,2,0\n2,1,1\n2,2,1\n")
    assert main(["repeats", str(file)]) == 0
    assert "no interval; --groups these answers for these items again" in capsys.readouterr().out


def test_values_of_several_words_and_names_that_go_on() -> None:
    assert as_options("id='case no' (--id) refuses; by='ward' (--by)") == "--id 'case no' refuses; --by ward"
    assert as_options("slice model=gpt of level=high; from_predictions(..., group=site)") == (
        "slice model=gpt of level=high; from_predictions(..., group=site)"
    )


def test_what_is_quoted_stays() -> None:
    assert as_options("no class 'labels=x'; my_labels=3, unprior=") == "no class 'labels=x'; my_labels=3, unprior="


def test_every_keyword_is_an_option() -> None:
    from howsure.cli import (
        column_options,
        compare_command,
        count_command,
        gate_command,
        inputs,
        interval_options,
        log_command,
        plan_command,
        rank_command,
        report_command,
        weights_and_costs,
    )

    commands = (
        compare_command,
        count_command,
        gate_command,
        log_command,
        plan_command,
        rank_command,
        report_command,
    )
    written = "".join(map(inspect.getsource, (column_options, inputs, interval_options, weights_and_costs, *commands)))
    assert all(f'"--{name.replace("_", "-")}"' in written for name in KEYWORDS)


@pytest.mark.parametrize("command", [["report"], ["compare"], ["rank"], ["gate", "--candidate"]])
def test_rows_of_a_matrix_are_needless_where_cases_are_counted(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cases.csv.gz"
    file.write_bytes(gzip.compress(b"y_true,pred_a,pred_b\nx,x,y\ny,y,y\n"))
    options = ["--model", "a"] if command == ["report"] else []
    assert main([*command, str(file), "--rows", "true", *options]) in (0, 3)
    assert "The choice of rows was not needed" in " ".join(capsys.readouterr().out.split())
