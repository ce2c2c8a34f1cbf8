"""The law of a share of counts: its atoms, and SciPy's beta-binomial as the second route."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom

from howsure.errors import InvalidArgument
from howsure.laws import BetaBinomial, CountShare

positive = st.floats(0.3, 400)


@given(st.integers(1, 300), positive, positive)
def test_against_scipy(n: int, a: float, b: float) -> None:
    law, other = BetaBinomial(n, a, b), betabinom(n, a, b)
    assert law.pmf == pytest.approx(other.pmf(np.arange(n + 1)), rel=1e-8, abs=1e-300)
    assert law.mean == pytest.approx(a / (a + b), rel=1e-12)
    assert law.sd == pytest.approx(other.std() / n, rel=1e-9)
    assert law.cdf(0.5) == pytest.approx(other.cdf(n // 2), rel=1e-8)


@given(st.integers(1, 60), positive, positive, st.integers(0, 60), st.integers(0, 60))
def test_atoms_belong_to_between_and_to_neither_side(n: int, a: float, b: float, i: int, j: int) -> None:
    law = BetaBinomial(n, a, b)
    low, high = sorted((min(i, n), min(j, n)))
    assert law.prob(below=low / n) == pytest.approx(law.pmf[:low].sum(), abs=1e-12)
    assert law.prob(above=high / n) == pytest.approx(law.pmf[high + 1 :].sum(), abs=1e-12)
    assert law.prob(between=(low / n, high / n)) == pytest.approx(law.pmf[low : high + 1].sum(), abs=1e-12)
    assert law.pdf(low / n) == law.pmf[low]
    assert law.pdf((low + 0.5) / n) == 0
    assert law.prob(below=-1) == 0 == law.prob(above=1)
    assert (law.prob(above=-1), law.prob(below=2)) == pytest.approx((1, 1))


def test_a_quantile_is_the_first_atom_that_reaches_it() -> None:
    law = CountShare([0.25, 0.5, 0.25])
    assert law.quantile([0, 0.25, 0.26, 0.75, 1]).tolist() == [0, 0, 0.5, 0.5, 1]
    assert (law.median, law.mode, law.support) == (0.5, 0.5, (0, 1))


def test_a_law_that_is_dense_at_both_ends_has_a_central_interval() -> None:
    assert BetaBinomial(20, 0.3, 0.3).interval().kind == "central"


@pytest.mark.parametrize("given", [(0, 1, 1), (1.5, 1, 1), (10**9, 1, 1), (5, 0, 1), (5, "a", 1)])
def test_bad_parameters(given: tuple[object, ...]) -> None:
    with pytest.raises(InvalidArgument):
        BetaBinomial(*given)  # type: ignore[arg-type]


@pytest.mark.parametrize("pmf", [[1], [-1, 2], [np.nan, 1]])
def test_bad_probabilities(pmf: list[float]) -> None:
    with pytest.raises(InvalidArgument, match=r"0, 1, \.\.\., n"):
        CountShare(pmf)
