"""Numbers as people type them: 0.1, 10%, 1/10; and what is said where they type something else."""

from __future__ import annotations

import json

import pytest
from tests.house.test_declared_once import options_of

from howsure.cli import main
from howsure.cli.program import COMMANDS

#: Options that are numbers, and neither a share, a probability nor a value of a metric.
OTHERS = {"--concentration", "--threshold"}


def test_every_option_that_is_a_share_takes_a_percentage() -> None:
    bare = {
        max(option.opts, key=len) for name in COMMANDS for option in options_of(name) if "float" in repr(option.type)
    }
    assert bare <= OTHERS


@pytest.mark.parametrize(
    ("percent", "plain"),
    [
        ("plan accuracy --width 10% --guess 90% --level 90% --assurance 80%",
         "plan accuracy --width 0.1 --guess 0.9 --level 0.9 --assurance 0.8"),
        ("plan accuracy --above 80% --guess 9/10", "plan accuracy --above 0.8 --guess 0.9"),
        ("plan accuracy --board 90%,80%", "plan accuracy --board 0.9,0.8"),
        ("report examples/cocaine.csv -m accuracy --level 90% --above 80% --between 80% 90%",
         "report examples/cocaine.csv -m accuracy --level 0.9 --above 0.8 --between 0.8 0.9"),
        ("stopping-rule 50,100 --threshold 80% --truth 85%", "stopping-rule 50,100 --threshold 0.8 --truth 0.85"),
    ],
)  # fmt: skip
def test_a_percentage_is_the_number_that_it_is(percent: str, plain: str, capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for asked in (percent, plain):
        assert main([*asked.split(), "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]
