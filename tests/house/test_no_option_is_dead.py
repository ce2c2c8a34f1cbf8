"""No option is dead: another value of any option of a command changes what it says, or is refused with a sentence."""

from __future__ import annotations

import io
import json
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
import typer
from tests.house.commands import COMMON, NOT_CALLED, Command, commands, write_files
from tests.house.leaves import differences, leaves

from howsure.cli import main
from howsure.cli.program import COMMANDS, function_of

#: Options that computations hand on, and where an answer repeats them.
HANDED_ON = {
    "--level": ("level",), "--kind": ("kind", "interval"), "--seed": ("seed",), "--draws": ("draws",),
    "--prior": ("prior",),
}  # fmt: skip


def options(command: str) -> list[Any]:
    """Options of a command."""
    app = typer.Typer(add_completion=False)
    app.command(command)(function_of(command))
    return [each for each in typer.main.get_command(app).params if each.param_type_name == "option"]


def said(folder: Path, words: list[str]) -> tuple[int, str, str, list[str]]:
    """Exit status, what is printed and complained about, and the files that are there then."""
    out, err = io.StringIO(), io.StringIO()
    with chdir(folder), redirect_stdout(out), redirect_stderr(err), mock.patch("sys.stdin", io.StringIO()):
        status = main(words)
    made = sorted(str(each.relative_to(folder)) for each in folder.iterdir())
    return status, out.getvalue(), err.getvalue(), made


def with_option(words: list[str], option: str, value: str) -> list[str]:
    """The same call with an option, in place of the same one where it has it."""
    if option in words:
        at = words.index(option)
        return [*words[: at + 1], *shlex.split(value), *words[at + 2 :]]
    return [*words, option, *shlex.split(value)]


def dead(folder: Path, name: str, option: str, call: Command, base: tuple[int, str, str, list[str]]) -> str | None:
    """What is wrong with another value of an option, if anything."""
    words = [name.partition(": ")[0], *shlex.split(call.words)]
    forms = ["--json"] if base[1].startswith("{") and option not in FORMS else []
    status, out, err, made = said(folder, [*with_option(words, option, call.other.get(option, COMMON[option])), *forms])
    for each in set(made) - set(base[3]):
        (folder / each).unlink()
    if status not in ANSWERED:
        return None if status == 2 and len(err) > 20 else f"ends with {status}: {err[-200:]}"
    if option not in HANDED_ON or not out.startswith("{"):
        return "changes nothing" if (status, out, made) == (base[0], base[1], base[3]) else None
    one, other = leaves(json.loads(base[1])), leaves(json.loads(out))
    numbers = [
        at
        for at in differences(one, other)
        if at.split(".")[-1] not in HANDED_ON[option]
        if not any(isinstance(x.get(at), str) for x in (one, other))
    ]
    return None if numbers else "changes no number"


#: Exit statuses with an answer: a gate ends with 1 where it fails, and with 3 where it is open.
ANSWERED = (0, 1, 3)

#: Options that say in which form an answer comes.
FORMS = ("--json", "--markdown", "--csv", "--out", "--plot", "--junit")

#: Prints the small print where it is too long to be printed anyway; `tests/text/test_formats.py` tries it.
EXPLAIN = "--explain"


@pytest.mark.full
@pytest.mark.parametrize("name", commands())
def test_another_value_changes_what_is_said_or_is_refused(name: str, tmp_path: Path) -> None:
    write_files(tmp_path)
    call = commands()[name]
    plain = said(tmp_path, [name.partition(": ")[0], *shlex.split(call.words)])
    assert plain[0] in ANSWERED, plain[2]
    written = said(tmp_path, [name.partition(": ")[0], *shlex.split(call.words), "--json"])
    wrong = {}
    for option in options(name.partition(": ")[0]):
        long = max(option.opts, key=len)
        if long == EXPLAIN:
            continue
        base = plain if long in FORMS or written[0] == 2 else written
        problem = dead(tmp_path, name, long, call, base)
        if (problem is None) == (long in call.idle):
            wrong[long] = problem or f"is said to be idle: {call.idle[long]}"
    assert wrong == {}


def test_every_option_has_another_value() -> None:
    names = {name.partition(": ")[0] for name in commands()}
    assert {*COMMANDS} == {*names, *NOT_CALLED}
    assert {max(each.opts, key=len) for name in names for each in options(name)} <= {*COMMON, EXPLAIN}
