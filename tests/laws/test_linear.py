"""The linear law against golden values and against draws."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import tries

from howsure.errors import InvalidArgument
from howsure.laws import Beta, BetaSum, DirichletRows, Linear


def test_rows_have_identity() -> None:
    rows = DirichletRows([[9.0, 3.0], [4.0, 2.0]])
    first, second = Linear([([[1, 0], [0, 0]], rows)]), Linear([([[1, 0], [1, 0]], rows)])
    both = second - first
    assert both.mean == pytest.approx(4 / 6)
    assert both.sd == pytest.approx(Beta(4, 2).sd)
    assert (first - first).sd == 0
    copy = Linear([([[1, 0], [0, 0]], DirichletRows(rows.alphas))])
    assert (first - copy).sd == pytest.approx(np.sqrt(2) * first.sd)


def test_a_constant_is_a_law() -> None:
    law = Linear(shift=0.25)
    assert (law.mean, law.sd, law.support, law.median, law.mode) == (0.25, 0, (0.25, 0.25), 0.25, 0.25)
    assert law.interval() == (0.25, 0.25)
    assert (law.cdf(0.2), law.cdf(0.25), law.sf(0.25), law.prob(below=0.25), law.prob(above=0.2)) == (0, 1, 0, 0, 1)


@given(
    st.lists(st.tuples(st.floats(0.5, 60), st.floats(0.5, 60), st.floats(-2, 2)), min_size=1, max_size=4),
    st.floats(-3, 3),
    st.floats(0.1, 5),
)
@settings(max_examples=tries(30))
def test_closed_under_scaling_and_shifting(parts: list[tuple[float, float, float]], shift: float, scale: float) -> None:
    a, b, w = (np.array(column) for column in zip(*parts, strict=True))
    if np.abs(w).max() < 1e-3:
        return
    law = BetaSum(a, b, w)
    moved = scale * law + shift
    p = np.array([0.01, 0.3, 0.7, 0.99])
    np.testing.assert_allclose(moved.quantile(p), scale * law.quantile(p) + shift, atol=1e-7 * scale * law.sd + 1e-12)
    mirrored = -law
    np.testing.assert_allclose(mirrored.quantile(p), -law.quantile(1 - p), atol=1e-7 * law.sd + 1e-12)
    x = law.quantile(p)
    np.testing.assert_allclose(law.cdf(x) + law.sf(x), 1, atol=1e-9)
    np.testing.assert_allclose(law.cdf(x), p, atol=1e-8)
    assert np.all(np.diff(law.cdf(np.linspace(*law.quantile([1e-3, 1 - 1e-3]), 50))) >= -1e-12)
    assert (law.cdf(law.support[0] - 1), law.cdf(law.support[1] + 1)) == (0, 1)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Beta(0, 1), "numbers above 0, not 0"),
        (lambda: BetaSum([1, 2], [1]), "one length"),
        (lambda: Linear([([1, 2, 3], [1, 1])]), "do not fit"),
        (lambda: Linear([([1, np.inf], [1, 1])]), "must be finite"),
        (lambda: DirichletRows([[0, 0]]), "at least one above 0"),
        (lambda: Beta(2, 2).interval(95), r"strictly between 0 and 1, not 95 \(95% is 0.95\)"),
        (lambda: Beta(2, 2).interval(0.9, "eti"), "'hdi' or 'central'"),  # type: ignore[arg-type]
        (lambda: Beta(2, 2).quantile(1.5), "0 <= p <= 1"),
        (lambda: Beta(2, 2).prob(), "exactly one of"),
        (lambda: Beta(2, 2).prob(above=0.1, below=0.2), "exactly one of"),
        (lambda: Beta(2, 2).prob(between=(0.4, 0.2)), "low <= high"),
        (lambda: Beta(2, 2).prob(above=float("nan")), "must be a number"),
    ],
)
def test_what_is_no_law_is_refused(make: Any, sentence: str) -> None:
    with pytest.raises(InvalidArgument, match=sentence):
        make()


def test_the_mode_of_a_u_shaped_beta_is_its_heavier_end() -> None:
    assert [Beta(*ab).mode for ab in ((0.5, 0.3), (0.3, 0.5), (0.5, 0.5), (1, 1))] == [1.0, 0.0, 0.5, 0.5]
    assert [Beta(*ab).mode for ab in ((3, 1), (1, 3), (3, 2))] == [1.0, 0.0, pytest.approx(2 / 3)]


def test_the_density_of_a_beta_at_an_end_is_its_limit() -> None:
    assert (Beta(1, 4).pdf(0.0), Beta(3, 1).pdf(1.0), Beta(2, 3).pdf(0.0)) == pytest.approx((4.0, 3.0, 0.0))
    assert Beta(1, 4).pdf(1e-9) == pytest.approx(4.0, rel=1e-6)
    assert BetaSum([1], [4], [0.5]).pdf(0.0) == pytest.approx(8.0)


@pytest.mark.parametrize(
    ("law", "shown"),
    [
        (Linear([([1, 0], [31, 3])]), "Beta(31, 3)"),
        (1 - Linear([([1, 0], [31, 3])]), "Beta(3, 31)"),
        (Linear([([0, 1, 1, 0], [1, 2, 3, 4])]), "Beta(5, 5)"),
        (0.5 * Beta(31, 3), "<Linear: 1 independent row, mean 0.4559, sd 0.024>"),
        (Beta(31, 3) - Beta(2, 2), "<Linear: 2 independent rows, mean 0.4118, sd 0.23>"),
    ],
)
def test_a_rate_prints_as_the_beta_that_it_is(law: Linear, shown: str) -> None:
    assert repr(law) == shown
