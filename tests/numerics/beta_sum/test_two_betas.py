"""Tails of two Betas by one positive integral, against closed forms and mpmath."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from howsure.numerics.beta_sum.closed_forms import is_pair, pair_tail
from howsure.numerics.beta_sum.normal_form import LinearForm, linear_form
from howsure.numerics.beta_sum.sum_law import LinearEngine


def form(a: tuple[float, float], b: tuple[float, float], w: tuple[float, float] = (1, 1)) -> LinearForm:
    return linear_form((), (np.array(a), np.array(b), np.array(w)), 0.0)


@pytest.mark.parametrize(("a", "b", "c"), [(7, 10, 151), (70, 6, 2001), (0.5, 3, 2)])
def test_a_perfect_class_beside_another_has_a_closed_form(a: float, b: float, c: float) -> None:
    """P(Beta(a, b) + Beta(c, 1) <= 1) = B(a, b + c) / B(a, b), down to 1e-194."""
    exact = float(mpmath.beta(a, b + c) / mpmath.beta(a, b))
    assert pair_tail(form((a, c), (b, 1)), np.array([1.0]), upper=False)[0][0] == pytest.approx(exact, rel=1e-12, abs=0)
    engine = LinearEngine(betas=([a, c], [b, 1.0], [1.0, 1.0]))
    assert float(engine.cdf(1.0)) == pytest.approx(exact, rel=1e-9, abs=0)


def test_the_whole_support_is_certain() -> None:
    assert pair_tail(form((3, 5), (2, 4)), np.array([2.0]), upper=False)[0][0] == pytest.approx(1, abs=1e-13)
    assert is_pair(form((3, 5), (2, 4)))
    assert not is_pair(linear_form((), (np.ones(3), np.ones(3), np.ones(3)), 0.0))
