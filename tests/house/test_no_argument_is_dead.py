"""No argument is dead: another value of any parameter changes the answer, or is refused; a new one is in the table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.house.call import MISSING, Call
from tests.house.calls import calls, cases, public_callables
from tests.house.leaves import differences, leaves, place

from howsure.errors import HowsureError

pytestmark = pytest.mark.filterwarnings("ignore::howsure.HowsureWarning")

#: Parameters that an answer repeats: that it does so is no effect, and neither are the words that do.
REPEATED = {
    "level": ("level",),
    "kind": ("kind", "interval"),
    "seed": ("seed",),
    "draws": ("draws",),
    "prior": ("prior",),
}


def effect(base: dict[str, Any], call: Call, slot: str | int, value: Any) -> list[str] | None:
    """Places of the answer that another argument changes; None where it is refused."""
    try:
        new = leaves(call.answer(slot, value))
    except (HowsureError, AssertionError):
        return None
    changed = differences(base, new)
    shared = REPEATED.get(str(slot))
    if shared is None:
        return sorted({place(at) for at in changed})
    prose = [at for at in changed if any(isinstance(x.get(at), str) and " " in x[at] for x in (base, new))]
    return sorted({place(at) for at in changed if at not in prose and at.split(".")[-1] not in shared})


@pytest.mark.parametrize("name", cases())
def test_another_argument_changes_the_answer_or_is_refused(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call, dead = calls()[name], []
    base = leaves(call.answer())
    for slot, value in call.slots().items():
        other = call.another(slot, value)
        if other is MISSING:
            dead.append(f"{slot} has no other value in the table")
        elif (changed := effect(base, call, slot, other)) == []:
            if str(slot) not in call.idle:
                dead.append(f"{slot}={other!r} changes nothing")
        elif str(slot) in call.idle:
            dead.append(
                f"{slot} is said to be idle, and {'is refused' if changed is None else f'changes {changed[0]}'}"
            )
    assert not dead, "\n".join(dead)


def test_every_public_function_and_method_is_called() -> None:
    assert set(public_callables()) <= set(calls())
