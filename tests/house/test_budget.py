"""Size is a defect: no room has more code than its budget, and a budget follows what was deleted."""

from __future__ import annotations

import tomllib

from tests.house.budget import BUDGET, sizes, weigh


def test_no_room_is_above_its_budget_and_no_budget_far_above_its_room() -> None:
    budget = tomllib.loads(BUDGET.read_text(encoding="utf-8"))
    now = sizes()
    assert budget.keys() == now.keys(), "a new room brings a line of its own in tests/house/budget.toml"
    over = {name: f"{size} of {budget[name]}" for name, size in now.items() if size > budget[name]}
    assert not over, f"delete, or raise the line with its reason: {over}"
    slack = {name: f"{size} of {budget[name]}" for name, size in now.items() if size < 0.97 * budget[name] - 20}
    assert not slack, f"python -m tests.house.budget --lower: {slack}"


TEXT = '''"""Doc."""

import os
from a import (
    b,
)


def f(
    x,
):
    """One
    two."""
    # why
    return x
'''


def test_a_code_line_is_what_a_reader_has_to_understand() -> None:
    assert weigh(TEXT) == (4, 0)
    assert weigh(f"def f({', '.join('abcdefghij')}): ...") == (1, 1)
