"""Examples in docstrings run; a module is imported when its examples are run, and not to look for tests in it."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"


def modules_with_examples() -> list[str]:
    """Names of the modules whose text has a prompt."""
    return [
        ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        for path in sorted(SOURCE.rglob("*.py"))
        if ">>> " in path.read_text(encoding="utf-8")
    ]


@pytest.mark.sweep(3, full=74)
@pytest.mark.parametrize("name", modules_with_examples())
def test_the_examples_of_a_module_run(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SOURCE.parent)
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.attempted > 0, "a prompt that is no docstring's"
    assert result.failed == 0
