"""Characteristic functions of Betas at high frequencies: Kummer's function, and nodes, say the same."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from howsure.numerics.many.many_series import _by_nodes, beta_transforms, far_frequency, far_transforms

few = st.floats(0.3, 20.0)
many = st.floats(0.5, 3000.0)


@settings(max_examples=60)
@given(few, many, st.booleans(), st.floats(1.0, 50.0))
def test_kummers_function_says_the_same(b, a, mirrored, beyond):
    a, b = (b, a) if mirrored else (a, b)
    T = beyond * far_frequency(np.array([a]), np.array([b]))
    got = far_transforms(np.array([a]), np.array([b]), T[:, None])[0, 0]
    with mpmath.workdps(40):
        one, n, t = mpmath.mpf(a), mpmath.mpf(a) + mpmath.mpf(b), mpmath.mpf(float(T[0]))
        want = complex(mpmath.exp(-1j * t * one / n) * mpmath.hyp1f1(one, n, 1j * t))
    assert got == pytest.approx(want, abs=1e-13)


@pytest.mark.parametrize("w", [0.5, -0.5, 0.03])
def test_nodes_and_series_meet(w):
    a = np.array([61.0, 1.0, 400.0, 30.5, 2.0])
    b = np.array([1.0, 80.0, 2.0, 0.5, 3.0])
    whole = beta_transforms(a, b, np.full(5, w), 4000)
    assert np.abs(whole - _by_nodes(a, b, np.full(5, w), 4000)).max() < 1e-12
