"""A property is tried with the same examples whatever else is loaded: an edit elsewhere makes no test fail."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st


def examples() -> list[tuple[int, float, str]]:
    """What one property is tried with."""
    seen: list[tuple[int, float, str]] = []

    @settings(max_examples=200, derandomize=True, database=None)
    @given(st.integers(), st.floats(), st.text())
    def remember(i: int, x: float, text: str) -> None:
        seen.append((i, x, text))

    remember()
    return seen


def test_examples_do_not_depend_on_the_modules_that_are_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = examples()
    module = tmp_path / "full_of_literals.py"
    module.write_text("\n".join(f"x{i} = {7_000_003 + i}, {i}.25, 'word {i}'" for i in range(300)), encoding="utf-8")
    spec = importlib.util.spec_from_file_location("full_of_literals", module)
    assert spec is not None
    monkeypatch.setitem(sys.modules, "full_of_literals", importlib.util.module_from_spec(spec))
    assert [str(one) for one in examples()] == [str(one) for one in before]
