"""The first pages: the README is short, its picture on top; what it and the page for newcomers name is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.golden.corpus import called
from tests.house.test_site import page_of

import howsure as hs
from howsure import curves, metrics, plots
from howsure.cli.program import COMMANDS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| .*\? \| `(howsure .*)` \| \[.*\]\((.*)\) \|$", TEXT, re.MULTILINE)
#: What stands outside of blocks and tables, where a reader begins.
PROSE = re.sub(r"^```.*?^```", "", TEXT, flags=re.DOTALL | re.MULTILINE)


def test_it_is_short_and_its_table_has_a_question_for_every_command() -> None:
    assert len(TEXT.splitlines()) <= 120
    assert 5 <= len(ROWS) <= 12
    assert len(ROWS) == TEXT.count("| `howsure ")


def test_the_picture_comes_first_light_and_dark() -> None:
    assert page_of(TEXT[: TEXT.index("**")]).loads == ["docs/figures/page_dark.jpg", "docs/figures/page.jpg"]


def test_an_abbreviation_is_spelled_out_before_it_is_used() -> None:
    assert TEXT.index("HDI") == TEXT.index("highest-density interval (HDI)") + len("highest-density interval (")


def test_every_link_leads_to_a_file() -> None:
    links = [*re.findall(r"\]\(([^)#:]+)", PROSE), *page_of(TEXT).loads]
    assert len(links) > 20
    assert [link for link in links if not (ROOT / link).is_file()] == []


@pytest.mark.full
@pytest.mark.parametrize("command", [command for command, _ in ROWS])
def test_a_command_of_the_table_works(command: str) -> None:
    status, said, complaint = called(command)
    assert status == 0, complaint
    assert said


# -- coming from another tool -----------------------------------------------------------------------------------------

COMING_FROM = (ROOT / "docs/other-tools.md").read_text(encoding="utf-8")
#: The last cell of every row of its tables: what to type here.
HERE = [line.split(" | ")[-1] for line in COMING_FROM.splitlines() if line.startswith("| ")]
NAMES = [name for cell in HERE for name in re.findall(r"`([^`]+)`", cell)]
OWNERS = {
    "hs": hs,
    "curves": curves,
    "plots": plots,
    "x": hs.Distribution,
    "a": hs.Posterior,
    "posterior": hs.Posterior,
}


def test_every_metric_named_for_newcomers_is_one() -> None:
    named = [name for name in NAMES if re.fullmatch(r"[a-z_0-9+-]+(?:\(\w+=\d\))?@\w+|[a-z_]+\(\w+=\d\)", name)]
    assert len(named) >= 50
    for name in named:
        metrics.parse(name, ["healthy", "ill"])


def test_every_call_and_command_named_for_newcomers_is_there() -> None:
    calls = [name.split("(")[0].split(".")[:2] for name in NAMES if name.split(".")[0] in OWNERS]
    assert len(calls) > 25
    assert [call for call in calls if not hasattr(OWNERS[call[0]], call[1])] == []
    commands = {name.split()[1] for name in NAMES if name.startswith("howsure ")}
    assert commands <= set(COMMANDS)


@pytest.mark.parametrize(
    "named", ["accuracy", "error_rate", "mcc", "kappa", "no_information_rate", "scott_pi", "gwet_ac1", "cramer_v"]
)
def test_a_metric_of_the_whole_table_is_named_for_newcomers(named: str) -> None:
    assert named in NAMES
    assert named in metrics.REGISTRY
