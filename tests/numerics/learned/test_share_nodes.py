"""Gauss rules of Beta densities: moments, and SciPy's rules of Jacobi polynomials one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from howsure.numerics.learned.evidence import gauss_beta

SIZES = st.floats(1e-3, 1e5)


@given(SIZES, SIZES, st.integers(1, 40))
def test_a_rule_is_exact_for_moments_below_twice_its_nodes(a: float, b: float, count: int) -> None:
    x, w = gauss_beta(np.array([a, b]), np.array([b, a]), count)
    assert w.sum(axis=1) == pytest.approx(1, abs=2e-12)
    j = np.arange(min(2 * count, 6))
    moments = np.cumprod(np.concatenate(([1.0], (a + j[:-1]) / (a + b + j[:-1]))))
    assert (w[0] @ x[0][:, None] ** j) == pytest.approx(moments, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize(("a", "b"), [(0.5, 0.5), (3.2, 17.0), (200.0, 60.0)])
def test_a_rule_is_that_of_scipy(a: float, b: float) -> None:
    x, w = gauss_beta(np.array([a]), np.array([b]), 12)
    nodes, weights = special.roots_jacobi(12, b - 1, a - 1)
    assert x[0] == pytest.approx((1 + nodes) / 2, abs=1e-12)
    assert w[0] == pytest.approx(weights / weights.sum(), abs=1e-11)
