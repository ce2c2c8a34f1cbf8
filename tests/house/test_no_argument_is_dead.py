"""No argument is dead: another value of any parameter changes the answer, or is refused; a new one is in the table.

Whether a level, a seed or a prior reaches *every* number that it should, one change of the answer does not say. So
``followers.txt`` has what follows it in each call; ``python -m tests.house.test_no_argument_is_dead`` writes it anew,
and its difference is to be read.
"""

from __future__ import annotations

import os
import tempfile
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.house.call import MISSING, Call
from tests.house.calls import calls, cases, public_callables
from tests.house.leaves import differences, leaves, place

from howsure.errors import HowsureError

pytestmark = pytest.mark.filterwarnings("ignore::howsure.HowsureWarning")

FOLLOWERS = Path(__file__).with_name("followers.txt")

#: Parameters that computations hand on, and where an answer repeats them: that it does so is no effect.
HANDED_ON = {
    "level": ("level",), "kind": ("kind", "interval"), "seed": ("seed",), "draws": ("draws",), "prior": ("prior",)
}  # fmt: skip


def effect(base: dict[str, Any], call: Call, slot: str | int, value: Any) -> list[str] | None:
    """Places of the answer that another argument changes, words aside where it is handed on; None if it is refused."""
    try:
        new = leaves(call.answer(slot, value))
    except (HowsureError, AssertionError):
        return None
    changed = differences(base, new)
    if (repeated := HANDED_ON.get(str(slot))) is not None:
        words = [at for at in changed if any(isinstance(x.get(at), str) and " " in x[at] for x in (base, new))]
        changed = [at for at in changed if at not in words and at.split(".")[-1] not in repeated]
    return sorted({place(at) for at in changed})


@cache
def effects(name: str) -> dict[str, list[str] | str | None]:
    """What another value of each parameter of a call changes, or that the table has no other value."""
    call = calls()[name]
    base = leaves(call.answer())
    made: dict[str, list[str] | str | None] = {}
    for slot, value in call.slots().items():
        other = call.another(slot, value)
        made[str(slot)] = "no other value in the table" if other is MISSING else effect(base, call, slot, other)
    return made


def follower_lines(name: str) -> list[str]:
    """A line for each parameter that is handed on: what follows it."""
    return [
        f"{name} | {slot} | {'refused' if changed is None else ' '.join(changed) or '-'}"
        for slot, changed in effects(name).items()
        if slot in HANDED_ON and not isinstance(changed, str)
    ]


@pytest.mark.parametrize("name", cases())
def test_another_argument_changes_the_answer_or_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    idle = calls()[name].idle
    wrong = {
        slot: changed or "changes nothing"
        for slot, changed in effects(name).items()
        if isinstance(changed, str) or (changed == []) != (slot in idle)
    }
    assert wrong == {}


@pytest.mark.parametrize("name", cases())
def test_what_is_handed_on_reaches_what_it_did(name: str) -> None:
    written = [line for line in FOLLOWERS.read_text("utf-8").splitlines() if line.startswith(f"{name} | ")]
    assert follower_lines(name) == written


def test_every_public_function_and_method_is_called() -> None:
    assert set(public_callables()) <= set(calls())


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    os.chdir(tempfile.mkdtemp())
    FOLLOWERS.write_text("".join(f"{line}\n" for name in calls() for line in follower_lines(name)), encoding="utf-8")
