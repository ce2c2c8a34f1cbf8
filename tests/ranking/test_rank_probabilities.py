"""Probabilities of every rank, of any exact laws."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.conftest import REFERENCE

from howsure.errors import InvalidArgument
from howsure.laws import Beta, BetaSum, BinaryLaw, Draws, Linear, Mixture, rank_probabilities

GOLDEN = json.loads((REFERENCE / "numerics.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", GOLDEN["rank"], ids=lambda c: c["name"])
def test_ranks_are_golden(case: dict[str, Any]) -> None:
    matrix = rank_probabilities([Beta(a, b) for a, b in zip(case["a"], case["b"], strict=True)])
    np.testing.assert_allclose(matrix, case["rank_probability"], atol=2e-9)


def test_ranks_of_any_exact_laws_add_up_and_agree_with_draws() -> None:
    laws: list[Any] = [BetaSum([31, 4, 9], [3, 2, 3]), BetaSum([31, 2, 3], [3, 4, 9]), Beta(40, 8), Beta(40, 8)]
    laws.append(BinaryLaw("f1", (27, 9), (27, 1), (7, 3)))
    laws.append(Mixture([Beta(9, 2), Beta(2, 9)]))
    matrix = rank_probabilities(laws)
    np.testing.assert_allclose(matrix.sum(0), 1, atol=1e-10)
    np.testing.assert_allclose(matrix.sum(1), 1, atol=1e-10)
    np.testing.assert_array_equal(matrix[2], matrix[3])
    draws = np.array([law.sample(3000, seed=i) for i, law in enumerate(laws)])
    first = np.bincount(draws.argmax(0), minlength=len(laws)) / 3000
    np.testing.assert_allclose(matrix[:, 0], first, atol=0.04)


def test_only_exact_laws_are_ranked() -> None:
    with pytest.raises(InvalidArgument, match="entry 2 is drawn"):
        rank_probabilities([Beta(1, 2), Draws([0.1, 0.2, 0.3])])
    with pytest.raises(InvalidArgument, match="at least one"):
        rank_probabilities([])
    point = rank_probabilities([Linear(shift=0.5), Linear(shift=0.5), Beta(9, 2)])
    np.testing.assert_allclose(point.sum(0), 1, atol=1e-10)
    np.testing.assert_array_equal(point[0], point[1])
