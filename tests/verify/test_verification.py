"""The verification is green, and red where something is broken."""

from __future__ import annotations

import pytest

from howsure.laws import Beta
from howsure.verify.verification import GROUPS, verified


def test_it_is_green() -> None:
    made = verified()
    assert [check.what for check in made.failed] == []
    assert {check.group for check in made.checks} == set(GROUPS)


def test_a_broken_mean_is_red(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Beta, "mean", property(lambda law: 0.5))
    made = verified()
    assert not made.passed
    assert str(made).splitlines()[0].endswith("FAILED.")
