"""Records of options are single options on the command line, and every answer is printed in the same way."""

from __future__ import annotations

import json

import pytest

from howsure.cli import main
from howsure.cli.options import Options
from howsure.cli.output import refuse_two_forms
from howsure.errors import InvalidArgument

SHOWN = [
    ["report", "examples/cocaine.csv"],
    ["compare", "examples/digits_pair.csv"],
    ["rank", "examples/kaggle_recursion.csv"],
    ["survey", "examples/toetsch2020.csv"],
]


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
