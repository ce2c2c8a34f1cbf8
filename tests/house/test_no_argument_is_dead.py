"""No argument is dead: another value of any parameter changes the answer, or is refused; a new one is in the table.

Whether a level, a seed or a prior reaches *every* number that it should, one change of the answer does not say. So
every answer, to a call as it stands and with another value of each parameter, is the one on record
(`tests/golden/numbers.py`), and prints what is on record.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from tests.golden.numbers import alike, number_of, print_of, prints, recorded
from tests.house.call import MISSING
from tests.house.calls import calls, cases, public_callables
from tests.house.leaves import differences, leaves

from howsure.errors import HowsureError

pytestmark = pytest.mark.filterwarnings("ignore::howsure.HowsureWarning")

#: Parameters that computations hand on, and where an answer repeats them: that it does so is no effect.
HANDED_ON = {
    "level": ("level",), "kind": ("kind", "interval"), "seed": ("seed",), "draws": ("draws",), "prior": ("prior",)
}  # fmt: skip


#: What the answers print as, by call, or by call and parameter.
PRINTS: dict[str, str] = {}


def defaults(function: Callable[..., Any]) -> list[str]:
    """What is taken for arguments that are left out."""
    return [f"{it.name}={it.default}" for it in signature(function).parameters.values() if it.default is not it.empty]


@cache
def usual(name: str) -> dict[str, Any]:
    """The answer to a call as it stands in the table."""
    answer = calls()[name].answer()
    found = leaves(answer)  # first: printing fills what a posterior keeps
    PRINTS[name] = print_of(f"{defaults(calls()[name].function)}\n{prints(answer)}")
    return found


@cache
def others(name: str) -> dict[str, dict[str, Any] | str]:
    """The answer with another value of each parameter, or why there is none."""
    call, made = calls()[name], dict[str, dict[str, Any] | str]()
    for slot, value in call.slots().items():
        other = call.another(slot, value)
        if other is MISSING:
            made[str(slot)] = "no other value in the table"
            continue
        try:
            answer = call.answer(slot, other)
        except (HowsureError, AssertionError) as refusal:
            made[str(slot)], text = "refused", str(refusal)
        else:
            made[str(slot)] = leaves(answer)
            text = prints(answer, page=False)
        PRINTS[f"{name} | {slot}"] = print_of(text)
    return made


def printed(name: str) -> dict[str, str]:
    """What all of these answers print as."""
    usual(name), others(name)
    return {at: text for at, text in PRINTS.items() if at == name or at.startswith(f"{name} | ")}


def effect(name: str, slot: str) -> str | None:
    """Whether another value of a parameter changes the answer or is refused: None, or what is wrong."""
    base, new = usual(name), others(name)[slot]
    if isinstance(new, str):
        return None if new == "refused" else new
    changed = differences(base, new)
    if (repeated := HANDED_ON.get(slot)) is not None:
        words = [at for at in changed if any(isinstance(x.get(at), str) and " " in x[at] for x in (base, new))]
        changed = [at for at in changed if at not in words and at.split(".")[-1] not in repeated]
    return None if changed else "changes nothing"


@pytest.mark.parametrize("name", cases())
def test_an_answer_with_another_argument_is_the_one_on_record(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    idle = calls()[name].idle
    found = {slot: effect(name, slot) for slot in others(name)}
    assert {slot: wrong for slot, wrong in found.items() if (wrong == "changes nothing") != (slot in idle)} == {}
    assert "no other value in the table" not in found.values()
    now = {slot: number_of(answer) for slot, answer in others(name).items()}
    written = recorded("calls")
    assert {slot: value for slot, value in now.items() if not alike(value, written[f"{name} | {slot}"])} == {}
    assert {
        slot for slot in now if not alike(PRINTS[f"{name} | {slot}"], recorded("prints")[f"{name} | {slot}"])
    } == set()


#: Single answers that take a third of a second.
DEAR = ("outlook: comparison", "outlook: drawn", "plan: judge", "report: repeats", "settle")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.full if name in DEAR else ()) for name in calls()]
)
def test_an_answer_is_the_one_on_record(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert alike(number_of(usual(name)), recorded("calls")[name])
    assert alike(PRINTS[name], recorded("prints")[name])


def test_every_public_function_and_method_is_called() -> None:
    assert set(public_callables()) <= set(calls())
