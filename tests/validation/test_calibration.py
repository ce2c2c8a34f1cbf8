"""Short form of the section on calibration: intervals that may begin at 0 hold the truth, and so do bands."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.sections.calibration import WORLDS, World, rows_of


@pytest.mark.sweep(4, full=8)
@pytest.mark.parametrize("world", WORLDS, ids=lambda world: f"{world.name} {world.n}")
def test_the_truths_of_a_world_belong_together(world: World) -> None:
    """The Brier score is miscalibration less discrimination plus uncertainty, also of the population."""
    p, r = world.population
    share = r.mean()
    parts = world.truths["brier_mcb"] - world.truths["brier_dsc"] + share * (1 - share)
    assert world.truths["brier_score"] == pytest.approx(parts, abs=1e-9)
    assert (world.ece(p) == 0) == world.name.startswith("calibrated")


@pytest.mark.deep
@pytest.mark.parametrize(
    "world",
    [World("calibrated", 150, 1.5, 2), World("too extreme", 250, 1, 2, slope=0.65)],
    ids=lambda world: world.name,
)
def test_intervals_and_bands_hold_the_truth(world: World) -> None:
    """Of 40 runs: a coverage of 95% is at 33 or fewer once in a thousand times."""
    row, bands, percent = rows_of(world, 40)
    assert np.delete(percent, 9).min() >= 85, row
    assert percent[8] >= 85, bands
    if world.name == "calibrated":
        assert percent[9] >= 85, bands
