"""Survival functions of Betas by the cheaper of two functions, against the dear one."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.numerics.learned.beta_mixture import _survival


@pytest.mark.parametrize("seed", range(3))
def test_the_survival_function_keeps_its_digits(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = 10 ** rng.uniform(-2, 6, (2, 200, 1))
    mean = a / (a + b)
    around = np.clip(mean + 3 * rng.normal(size=(200, 30)) * np.sqrt(mean * (1 - mean) / (a + b + 1)), 0, 1)
    theta = np.concatenate([around, rng.random((200, 30)) ** rng.choice([0.01, 1, 20], (200, 1)), [[0, 1]] * 200], 1)
    expected = special.betaincc(a, b, theta)
    assert _survival(a, b, theta) == pytest.approx(expected, rel=5e-12, abs=1e-280)
