"""Classes of very unequal sizes and parameters near 0, where one method hands over to another."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.numerics.beta_sum.sum_law import LinearEngine, tail_of_two
from howsure.numerics.solve.roots import bracketed_root


def mean_of(a: list[float], b: list[float]) -> LinearEngine:
    return LinearEngine(betas=(a, b, np.full(len(a), 1 / len(a))))


@pytest.mark.sweep(4, full=12)
@pytest.mark.parametrize(
    ("count", "prior", "other"), [(1e5, 0.5, (5.5, 0.5)), (1e6, 0.25, (30.5, 2.5)), (1e7, 1.0, (5.0, 1.0))]
)
def test_a_huge_perfect_class_beside_a_small_one_by_two_integrals(
    count: float, prior: float, other: tuple[float, float]
) -> None:
    """The series, and one positive integral over the narrow class."""
    engine = mean_of([count, other[0]], [prior, other[1]])
    x = engine.mean + engine.sd * np.array([-2.0, -1.0, 0.0, 0.3])
    a, b = np.array([other[0], count]), np.array([other[1], prior])
    by_integral = [tail_of_two(a, b, np.full(2, 0.5), place) for place in x.tolist()]
    assert engine.cdf(x) == pytest.approx(by_integral, abs=5e-10)


def test_the_mode_of_two_arcsine_laws_is_their_logarithmic_pole() -> None:
    assert mean_of([0.5, 0.5], [0.5, 0.5]).mode() == pytest.approx(0.5, abs=1e-3)


def test_roots_in_a_bracket_of_a_straight_and_of_a_bent_function() -> None:
    assert bracketed_root(lambda x: x - 0.25, (0.0, -0.25), (1.0, 0.75), 1e-14) == pytest.approx(0.25, abs=1e-14)
    root = bracketed_root(lambda x: x**9 - 1e-9, (0.0, -1e-9), (2.0, 512.0), 1e-14)
    assert root == pytest.approx(0.1, abs=1e-12)
