"""Records of options are single options on the command line, and every answer is printed in the same way."""

from __future__ import annotations

import inspect
import json
from dataclasses import is_dataclass
from pathlib import Path

import pytest

from howsure.cli import main
from howsure.cli.options import Options
from howsure.cli.output import refuse_two_forms
from howsure.cli.program import COMMANDS, function_of
from howsure.errors import InvalidArgument

SHOWN = [
    ["report", "examples/cocaine.csv"],
    ["compare", "examples/digits_pair.csv"],
    ["rank", "examples/kaggle_recursion.csv"],
    ["survey", "examples/toetsch2020.csv"],
]


@pytest.mark.parametrize("name", COMMANDS)
def test_no_record_is_left_on_the_command_line(name: str) -> None:
    for parameter in inspect.signature(function_of(name), eval_str=True).parameters.values():
        assert not is_dataclass(parameter.annotation), name


def test_two_forms_exclude_each_other_before_anything_is_read() -> None:
    with pytest.raises(InvalidArgument, match="--json and --markdown exclude each other"):
        refuse_two_forms(Options(json=True, markdown=True))
    with pytest.raises(InvalidArgument, match="--json and --csv"):
        refuse_two_forms(Options(json=True, csv=True))
    with pytest.raises(InvalidArgument, match="--out chooses"):
        refuse_two_forms(Options(csv=True, out="x.md"))
    assert main(["report", "absent.csv", "--json", "--csv"]) == 2


@pytest.mark.full
@pytest.mark.parametrize("command", SHOWN, ids=lambda command: str(command[0]))
def test_every_form_ends_with_one_line_end(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    for form in ([], ["--json"], ["--markdown"], ["--csv"]):
        assert main([*command, *form]) == 0
        shown = capsys.readouterr().out
        assert shown.endswith("\n")
        assert not shown.endswith("\n\n")
        if form == ["--json"]:
            assert json.loads(shown)["format"] == "howsure/1"


def test_report_has_csv_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "examples/cocaine.csv", "--csv"]) == 0
    printed = capsys.readouterr().out
    assert main(["report", "examples/cocaine.csv", "-o", str(tmp_path / "r.csv")]) == 0
    assert (tmp_path / "r.csv").read_bytes().decode().splitlines() == printed.splitlines()
