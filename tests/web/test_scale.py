"""Scales and marks of the page's charts, run by node."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE

SCALE = Path(__file__).parents[2] / "src/howsure/web/assets/charts/scale.js"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="no node; the browser tests draw with the same code")


def run(tmp_path: Path, expression: str) -> Any:
    """The value of an expression over the module's functions."""
    shutil.copy(SCALE, tmp_path / "scale.mjs")
    script = f'import * as s from "./scale.mjs"; console.log(JSON.stringify({expression}));'
    (tmp_path / "run.mjs").write_text(script)
    done = subprocess.run(
        [str(NODE), "run.mjs"], cwd=tmp_path, capture_output=True, encoding="utf-8", check=True, timeout=PATIENCE
    )
    return json.loads(done.stdout)


@pytest.mark.sweep(2, full=6)
@pytest.mark.parametrize(
    ("low", "high", "marks"),
    [
        (-0.03, 0.07, ["\N{MINUS SIGN}0.02", "0", "0.02", "0.04", "0.06"]),
        (0, 30_000, ["0", "5,000", "10,000", "15,000", "20,000", "25,000", "30,000"]),
        (1, 1, []),
    ],
)
def test_marks_are_round_and_inside(tmp_path: Path, low: float, high: float, marks: list[str]) -> None:
    found = run(tmp_path, f"s.ticks({low}, {high})")
    assert [mark["text"] for mark in found] == marks
    values = [float(mark["text"].replace("\N{MINUS SIGN}", "-").replace(",", "")) for mark in found]
    # the place of a mark is the number that it says, to the last bit
    assert [mark["at"] for mark in found] == values
    assert all(low <= value <= high for value in values)


def test_odds_are_even_steps_of_the_logit_scale(tmp_path: Path) -> None:
    scale = "s.logit(0.001, 0.999, 0, 300)"
    ends = run(tmp_path, f"[0.001, 0.5, 0.999, 0.01, 0.99].map({scale})")
    assert ends[:3] == pytest.approx([0, 150, 300])
    assert ends[3] == pytest.approx(300 - ends[4])
    marks = [mark["text"] for mark in run(tmp_path, f"{scale}.marks")]
    assert marks == ["0.1%", "1%", "10%", "50%", "90%", "99%", "99.9%"]


def test_labels_keep_apart_in_their_order(tmp_path: Path) -> None:
    moved = run(tmp_path, "s.apart([50, 52, 10, 99], 16, 0, 100)")
    assert sorted(range(4), key=lambda i: moved[i]) == [2, 0, 1, 3]
    placed = sorted(moved)
    assert all(b - a >= 16 - 1e-9 for a, b in itertools.pairwise(placed))
    assert 0 <= placed[0] <= placed[-1] <= 100
