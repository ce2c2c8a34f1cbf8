"""Characteristic functions of Betas at high frequencies: Kummer's function, and nodes, say the same."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from howsure.numerics.many.far_frequencies import far_frequency, far_transforms
from howsure.numerics.many.many_transforms import _by_nodes, beta_transforms

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


def test_it_is_about_ends_that_are_felt():
    # by eye: a density that ends in a step falls as 1/T, one that ends in a corner as 1/T^2
    T = np.array([[1e4, 2e4]])
    step, corner = (np.abs(far_transforms(np.array([50.0]), np.array([b]), T))[0] for b in (1.0, 2.0))
    assert step[0] / step[1] == pytest.approx(2, rel=1e-3)
    assert corner[0] / corner[1] == pytest.approx(4, rel=1e-3)
