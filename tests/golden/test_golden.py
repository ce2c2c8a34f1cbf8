"""Every call of the corpus answers what its golden file says, and the two ways of looking at it can tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.golden.consoles import CommandFails, rewritten
from tests.golden.corpus import ANSWERS, Call, agree, answer, called, calls, difference, furnish
from tests.golden.numbers import NOTHING, alike, number_of, recorded
from tests.golden.parts import PARTS
from tests.house.leaves import leaves


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the calls read."""
    return furnish(tmp_path_factory.mktemp("golden") / "here")


@pytest.mark.parametrize(
    "call",
    [pytest.param(it, id=f"{it.command}/{it.name}", marks=pytest.mark.full if it.full else ()) for it in calls()],
)
def test_a_call_answers_what_its_golden_file_says(call: Call, folder: Path) -> None:
    golden, (now, number) = call.path.read_text(encoding="utf-8"), answer(call, folder)
    if not agree(golden, now):
        pytest.fail(
            f"{difference(golden, now)}\n\nIf that is what is meant: make golden, and read the diff.", pytrace=False
        )
    assert alike(number, recorded("commands").get(f"{call.command}/{call.name}", NOTHING))


@pytest.mark.filterwarnings("ignore::howsure.HowsureWarning")
@pytest.mark.parametrize("name", PARTS)
def test_a_part_says_what_is_on_record(name: str) -> None:
    assert alike(number_of(leaves(PARTS[name]())), recorded("parts")[name])


def test_every_golden_file_is_of_a_call_and_every_command_has_some() -> None:
    from howsure.cli.program import COMMANDS

    assert {path for path in ANSWERS.rglob("*") if path.is_file()} == {call.path for call in calls()}
    assert {*COMMANDS} <= {call.command for call in calls()}


def test_only_the_last_digits_of_a_number_in_full_may_differ() -> None:
    assert agree("low 0.12345678901234, n 3", "low 0.12345678901235, n 3")
    assert not agree("low 0.1234567890123, n 3", "low 0.1234567990123, n 3")
    assert not agree("low 0.12", "low 0.13")
    assert not agree("0.90", "0.9")
    assert not agree("about 0.12345678901234", "near 0.12345678901234")


def test_a_block_of_a_document_shows_what_its_commands_print() -> None:
    command = "howsure metrics recall"
    shown = f"$ {command}\n{called(command)[1]}"
    assert rewritten(shown) == rewritten(f"$ {command}\nsomething else\nand more\n") == shown
    assert rewritten(f"{command}  # what it is\n") == f"{command}  # what it is\n"
    assert rewritten(f"$ {command}\n") == f"$ {command}\n"
    with pytest.raises(CommandFails, match="reprot"):
        rewritten("$ howsure reprot\n")
