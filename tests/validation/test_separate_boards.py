"""Learned boards keep their word: inside their own model exactly, and better than entries judged alone elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.coverage import LONGER
from tests.validation.separate_boards import WORLDS, drawn_board, drawn_from_the_model, summary


@pytest.mark.deep
@pytest.mark.parametrize(("entries", "boards"), [(3, 150), (5, 150), (20, 60)])
def test_inside_its_own_model_a_learned_board_is_calibrated(entries: int, boards: int) -> None:
    rng = np.random.default_rng([41, entries])
    boards *= LONGER
    found = [drawn_board(drawn_from_the_model(entries, 300, rng), 300, rng)[1] for _ in range(boards)]
    seen = summary(found)
    says = np.array([each.says for each in found])
    # "right" is a coin with the stated probability on every board
    assert seen["right"] == pytest.approx(seen["says"], abs=3.5 * float(np.sqrt((says * (1 - says)).sum())) / boards)
    noise = 3.5 * float(np.sqrt(0.95 * 0.05 / boards))
    assert seen["held"] > 0.95 - noise
    assert seen["ranks"] > 0.95 - noise
    assert seen["winner"] == pytest.approx(0.95, abs=noise)


@pytest.mark.deep
@pytest.mark.parametrize("world", ["all equal", "sd 0.01", "two groups", "a fifth at chance"])
def test_close_entries_are_judged_less_surely_than_alone(world: str) -> None:
    boards = 30 * LONGER
    rng = np.random.default_rng([7, list(WORLDS).index(world)])
    pairs = [drawn_board(WORLDS[world](12, rng), 400, rng) for _ in range(boards)]
    alone, learned = (summary(pair[way] for pair in pairs) for way in (0, 1))
    assert learned["says"] < alone["says"]
    assert learned["held"] >= alone["held"]
    assert learned["surprise"] < alone["surprise"]
    assert learned["winner"] >= alone["winner"]


def test_a_board_is_judged_in_both_ways() -> None:
    rng = np.random.default_rng(3)
    alone, learned = drawn_board(WORLDS["sd 0.01"](6, rng), 200, rng)
    assert learned.says < alone.says
    assert learned.size >= alone.size
    assert summary([learned])["says"] == learned.says
