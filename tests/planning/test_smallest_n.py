"""The smallest n of simulated tests: where its line meets zero, upwards, and raised where other tests say so."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.planning.goal import Solution
from howsure.planning.smallest_n import borne_out, simulated_answer


@pytest.mark.parametrize(("zero", "expected"), [(150.4, 151), (999.2, 1000), (40.6, 41)])
def test_the_answer_is_the_first_whole_number_from_the_zero_on(zero: float, expected: int) -> None:
    def slack(n: int, tests: int) -> np.ndarray:
        # one test in five is below the line, by next to nothing
        return 1 - np.sqrt(zero / n) + 1e-7 * np.linspace(-0.2, 0.8, tests)

    found = simulated_answer(slack, 0.8, 2001)
    assert found is not None
    assert found.error < 0.01
    assert found.n == expected


def test_an_answer_that_other_tests_call_too_small_is_raised_until_they_do_not() -> None:
    asked: list[int] = []

    def assurance(n: int) -> tuple[float, float]:
        asked.append(n)
        return (0.79, 0.005) if n < 120 else (0.81, 0.005)

    assert borne_out(Solution(100, None, 5.0), 0.8, assurance).n == 135
    assert asked == [100, 105, 115, 135]
    # within the error of the tests it stays
    assert borne_out(Solution(100, None, 5.0), 0.8, lambda n: (0.796, 0.005)).n == 100
