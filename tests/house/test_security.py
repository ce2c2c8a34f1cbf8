"""What SECURITY.md promises has a test, and the test is there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROMISES = re.findall(r"^\| (.+) \| (.+) \|$", (ROOT / "SECURITY.md").read_text(encoding="utf-8"), re.MULTILINE)[1:]


def test_every_promise_names_tests_that_are_there() -> None:
    assert len(PROMISES) > 5
    for promise, tests in PROMISES:
        named = re.findall(r"`(tests/[\w/]+/test_\w+\.py)`", tests)
        assert named, promise
        for path in named:
            assert "\ndef test_" in (ROOT / path).read_text(encoding="utf-8"), path
