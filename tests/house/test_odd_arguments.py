"""Whatever is passed where something else is meant: an answer or an error of ours; never a bare TypeError."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.house.calls import calls, cases

import howsure as hs
from howsure.errors import HowsureError

pytestmark = pytest.mark.filterwarnings("ignore::howsure.HowsureWarning")


class Odd:
    """Neither a number nor a text."""


ODD: dict[str, Any] = {
    "text": "x", "blank text": "", "text of a number": "0.5", "bytes": b"x", "long text": "y" * 100_000, "NUL": "\0",
    "half a character": "\ud800", "None": None, "True": True, "beyond doubles": 10**400, "many digits": -(10**5000),
    "NaN": float("nan"), "NaN of NumPy": np.float64("nan"), "infinity": float("inf"), "-1": -1, "-0.0": -0.0, "1": 1,
    "1.5": 1.5, "5.0": 5.0, "complex": 1j, "numbers": [1, 2], "texts": ("x", "y"), "Nones": [None, None], "nothing": [],
    "lists of lists": [[1], [2, [3]]], "objects": np.array([Odd(), None], dtype=object), "array": np.ones((2, 3)),
    "set": {1, 2}, "mapping": {"a": Odd()}, "mapping of nothing": {}, "class": Odd, "object": Odd(), "function": len,
    "matrix": hs.ConfusionMatrix([[1, 2], [3, 4]]), "huge numbers": [10**400, 1], "odd list": [Odd(), "x"],
}  # fmt: skip

#: What no argument is.
NEVER = {"bytes", "complex", "lists of lists", "set", "mapping", "object"}


@pytest.mark.sweep(2, full=44)
@pytest.mark.parametrize(
    "name", [case for case in cases(": ") if not case.values[0][0].islower() or "." not in case.values[0]]
)
def test_an_odd_argument_is_answered_or_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # `save` may write
    call = calls()[name]
    failures = []
    for slot in call.slots():
        for what, odd in ODD.items():
            try:
                call.answer(slot, odd)
                if what in NEVER:
                    failures.append(f"{name}({slot}={what}): takes it")
            except HowsureError as error:
                said = str(error)
                if len(said) > 1000 or not said:
                    failures.append(f"{name}({slot}={what}): says {len(said)} characters")
            except AssertionError:
                assert name == "assert_better"
            except Exception as error:
                failures.append(f"{name}({slot}={what}): {type(error).__name__}: {str(error)[:80]}")
    assert not failures, "\n".join(failures)
