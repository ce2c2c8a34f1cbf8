"""Messages of the library, in the words of the command line."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from howsure.cli import main
from howsure.cli.terminal import KEYWORDS
from howsure.params import PARAMETERS


def test_every_keyword_is_an_option() -> None:
    options = {form.strip("-").replace("-", "_") for it in PARAMETERS.values() for form in (it.name, it.short)}
    assert [name for name in KEYWORDS if name not in options] == []


STRANGERS = Path(__file__).parents[1] / "io" / "strangers.txt"
READERS = (
    "report",
    "count",
    "compare",
    "rank",
    "log",
    "repeats",
    "agree",
    "curve",
    "threshold",
    "slices --by language",
)


@pytest.mark.parametrize("words", [pytest.param(it, marks=pytest.mark.full) for it in READERS])
def test_a_refusal_names_options_of_the_command_that_says_it_or_of_one_that_it_names(
    words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = re.split(r"^==== (.*)\n", STRANGERS.read_text("utf-8"), flags=re.MULTILINE)
    command = words.split()[0]
    for head, text in zip(parts[1::2], parts[2::2], strict=True):
        file = tmp_path / head.split("|")[0].strip()
        file.write_text(text.replace("\\t", "\t"), encoding="utf-8")
        draws = () if command == "count" else ("--draws", "200")
        status = main([*words.split(), str(file), *draws])
        said = capsys.readouterr().err.removeprefix(f"howsure: {file}")
        assert status in (0, 2), said
        about = command
        for verb, option in re.findall(
            r"(?:howsure|of a) ([a-z-]+)|(?<![\w-])(--[a-z][a-z-]*)", said if status else ""
        ):
            about = verb or about
            there = options_of(about, capsys) | options_of(command, capsys)
            assert not option or option in there, f"{file.name}: {said}"


@cache
def _options(help_text: str) -> frozenset[str]:
    return frozenset(re.findall(r"(?<![\w-])--[a-z][a-z-]*", help_text))


HELPS: dict[str, str] = {}


def options_of(command: str, capsys: pytest.CaptureFixture[str]) -> frozenset[str]:
    if command not in HELPS:
        main([command, "--help"])
        HELPS[command] = capsys.readouterr().out
    return _options(HELPS[command])
