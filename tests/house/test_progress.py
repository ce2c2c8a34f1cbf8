"""Long work tells how far it is, once, to whoever listens."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.posterior.paired import PairedPosterior
from howsure.progress import along, listening

RNG = np.random.default_rng(0)


def matrix(size: int) -> hs.ConfusionMatrix:
    return hs.ConfusionMatrix(np.eye(size, dtype=int) * 9 + RNG.integers(0, 3, (size, size)))


def assert_whole(told: list[float]) -> None:
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert all(0 < share <= 1 for share in told)


def test_nobody_listens_unless_asked() -> None:
    assert list(along("abc", 3)) == ["a", "b", "c"]


def test_steps_are_told_as_shares_of_their_sizes() -> None:
    told: list[float] = []
    with listening(told.append):
        assert list(along([1, 3], 4, float)) == [1, 3]
    assert told == [0.25, 1.0]
    assert list(along([1], 1)) == [1]
    assert len(told) == 2


def test_a_loop_inside_a_loop_is_silent() -> None:
    told: list[float] = []
    with listening(told.append):
        for _ in along(range(2), 2):
            list(along(range(5), 5))
        list(along(range(1), 1))
    assert told == [0.5, 1.0, 1.0]


def test_a_loop_that_is_left_gives_way() -> None:
    told: list[float] = []
    with listening(told.append):
        steps = along(range(9), 9)
        next(steps)
        steps.close()  # type: ignore[attr-defined]  # a generator
        assert list(along(range(1), 1)) == [0]
    assert told == [1.0]


@pytest.mark.full
def test_draws_tables_pairs_and_boards_tell() -> None:
    told: list[float] = []
    with listening(told.append):
        hs.infer(matrix(30), "flat").of("f1@macro")
    assert_whole(told)
    assert len(told) > 3
    told.clear()
    truth = RNG.integers(0, 4, 200)
    both = hs.Predictions(truth, {name: RNG.integers(0, 4, 200) for name in "ab"})
    with listening(told.append):
        PairedPosterior(both)["a"].of("mcc")
    assert_whole(told)
    told.clear()
    with listening(told.append):
        hs.rank({name: hs.infer(matrix(3)) for name in "abc"}, metric="mcc", draws=1_000)
    for start in range(0, len(told), 3):  # each of three entries, pass by pass
        assert_whole(told[start : start + 3])
    assert len(told) >= 6
