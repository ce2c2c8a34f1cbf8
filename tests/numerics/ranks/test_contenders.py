"""Contenders: an integral and draws agree, sets of the reference boards, coverage whatever the truth."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from howsure.numerics.ranks.rank_matrix import contenders

BOARDS = json.loads((Path(__file__).parents[2] / "reference" / "ranks.json").read_text(encoding="utf-8"))
NAMES = [name for name in BOARDS if "k" in BOARDS[name]]


def scored(k: object, n: object) -> tuple[np.ndarray, np.ndarray]:
    right, cases = np.asarray(k, dtype=float), np.asarray(n, dtype=float)
    p = (right + 1) / (cases + 2)
    return p, p * (1 - p) / (cases + 3)


@pytest.mark.parametrize("name", NAMES)
def test_an_integral_and_draws_give_the_sets_of_the_reference(name: str) -> None:
    board = BOARDS[name]
    scores, variances = scored(board["k"], board["n"])
    assert contenders(scores, variances, 0.95).tolist() == board["contenders"]
    assert contenders(scores, np.diag(variances), 0.95, 20_000, 1).tolist() == board["contenders"]


def test_the_set_holds_the_best_of_equals_as_often_as_it_says_and_alike_by_either_route() -> None:
    rng = np.random.default_rng(1)
    sds = np.array([1.0, 0.5, 2.0, 1.0, 1.5])
    held, alike, runs = 0, 0, 400
    for _ in range(runs):
        scores = sds * rng.standard_normal(5)
        found = contenders(scores, sds**2, 0.9).tolist()
        held += 1 in found  # any of five equal ones may be the best
        alike += found == contenders(scores, np.diag(sds**2), 0.9, 4_000, 3).tolist()
    assert held / runs > 0.9 - 5 * np.sqrt(0.09 / runs)
    assert alike / runs > 0.95


def test_errors_that_entries_share_are_not_those_of_their_differences() -> None:
    scores, sd = np.array([0.90, 0.89, 0.80]), 0.02
    alike, apart = (sd**2 * (np.full((3, 3), shared) + (1 - shared) * np.eye(3)) for shared in (0.99, 0.0))
    # 0.01 is three and a half standard errors on the same cases, and a third of one on cases of their own
    assert contenders(scores, alike, 0.95).tolist() == [0]
    assert contenders(scores, apart, 0.95).tolist() == [0, 1]
