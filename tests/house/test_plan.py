"""The plan of the house keeps within its bounds: rooms, layers, names that exist once, the face of a posterior.

The figures are those of ``python -m tests.house.measure``; what they were before is in docs/decisions.md.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.house.measure import measured

#: Every room and loose module at the top level, and what it holds.
ROOMS = {
    "cli", "web", "integrations", "publish", "plots", "reporting", "comparison", "reconstruction", "io", "ranking",
    "planning", "posterior", "metrics", "data", "text", "laws", "numerics", "errors", "frozen", "progress",
    "units", "curves", "verify",
}  # fmt: skip


@pytest.fixture(scope="module")
def figures() -> dict[str, Any]:
    return measured()


def test_a_room_is_added_on_purpose(figures: dict[str, Any]) -> None:
    assert set(figures["rooms"]) == ROOMS
    assert len(ROOMS) <= 23


def test_layers_can_be_said_aloud(figures: dict[str, Any]) -> None:
    assert figures["layers"] <= 14


def test_a_file_name_exists_once(figures: dict[str, Any]) -> None:
    doubled = figures["doubled_files"]
    assert len(doubled) <= 12, doubled


def test_a_class_name_exists_once(figures: dict[str, Any]) -> None:
    doubled = figures["doubled_classes"]
    assert {name: where for name, where in doubled.items() if not name.startswith("_")} == {}
    assert len(doubled) <= 5, doubled


def test_a_posterior_shows_what_its_user_needs(figures: dict[str, Any]) -> None:
    assert len(figures["posterior"]) <= 17, figures["posterior"]
