"""The law of a share of counts: its atoms, and SciPy's beta-binomial as the second route."""

from __future__ import annotations

import pickle

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom

from howsure.errors import InvalidArgument
from howsure.laws import Beta, BetaBinomial, CountShare

positive = st.floats(0.3, 400)


@given(st.integers(1, 300), positive, positive)
def test_against_scipy(n: int, a: float, b: float) -> None:
    law, other = BetaBinomial(n, a, b), betabinom(n, a, b)
    assert law.pmf == pytest.approx(other.pmf(np.arange(n + 1)), rel=1e-8, abs=1e-300)
    assert law.mean == pytest.approx(a / (a + b), rel=1e-12)
    assert law.sd == pytest.approx(other.std() / n, rel=1e-9)
    assert law.cdf(0.5) == pytest.approx(other.cdf(n // 2), rel=1e-8)


@given(st.integers(1, 200), positive, positive)
def test_the_variance_is_that_of_the_rate_times_the_new_and_old_cases_by_the_new(n: int, a: float, b: float) -> None:
    assert BetaBinomial(n, a, b).sd ** 2 == pytest.approx(Beta(a, b).sd ** 2 * (a + b + n) / n, rel=1e-9)


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


@given(st.integers(2, 80), st.floats(1, 300), st.floats(1, 300), st.floats(0.5, 0.99))
def test_the_highest_density_interval_is_the_fewest_atoms_that_hold_the_level(
    n: int, a: float, b: float, level: float
) -> None:
    law = BetaBinomial(n, a, b)
    ends = law.interval(level)
    if ends.kind == "central":  # as good as uniform
        return
    low, high = (round(x * n) for x in ends)
    assert law.pmf[low : high + 1].sum() >= level - 1e-9
    windows = np.convolve(law.pmf, np.ones(high - low), "valid") if high > low else np.zeros(1)
    assert windows.max() < level  # one atom fewer does not do


def test_a_quantile_is_the_first_atom_that_reaches_it() -> None:
    law = CountShare([0.25, 0.5, 0.25])
    assert law.quantile([0, 0.25, 0.26, 0.75, 1]).tolist() == [0, 0, 0.5, 0.5, 1]
    assert (law.median, law.mode, law.support) == (0.5, 0.5, (0, 1))


def test_a_share_of_cases_is_the_number_that_people_write() -> None:
    assert CountShare(np.ones(101)).pdf(0.84) == pytest.approx(1 / 101)


def test_a_law_that_is_dense_at_both_ends_has_a_central_interval() -> None:
    assert BetaBinomial(20, 0.3, 0.3).interval().kind == "central"


def test_large_tests_keep_their_digits() -> None:
    law = BetaBinomial(1_000_000, 9e6, 1e6)
    assert law.mean == pytest.approx(0.9, abs=1e-12)
    assert law.sd == pytest.approx(Beta(9e6, 1e6).sd * 11**0.5, rel=1e-6)


@pytest.mark.parametrize(
    ("n", "a", "b", "error"),
    [(300, 0.3, 400, 1e-11), (10_000, 8e3, 2e3, 1e-11), (1_000_000, 9e5, 1e5, 1e-9), (10_000_000, 9e6, 1e6, 1e-9)],
)
def test_against_forty_digits(n: int, a: float, b: float, error: float) -> None:
    pmf, log = BetaBinomial(n, a, b).pmf, mpmath.loggamma
    top = int(np.argmax(pmf))
    with mpmath.workdps(40):
        x, y = mpmath.mpf(a), mpmath.mpf(b)
        for v in {0, n, n // 3, top, int(0.999 * top), min(n, int(1.001 * top) + 1)}:
            choose = log(n + 1) - log(v + 1) - log(n - v + 1)
            exact = float(
                mpmath.exp(choose + log(x + v) + log(y + n - v) - log(x + y + n) - log(x) - log(y) + log(x + y))
            )
            assert pmf[v] == pytest.approx(exact, rel=error, abs=0 if exact > 1e-20 else 1e-20)


def test_it_survives_pickling_and_resampling() -> None:
    law = BetaBinomial(30, 8, 3)
    assert pickle.loads(pickle.dumps(law)).pmf.tolist() == law.pmf.tolist()
    assert law.sample(20_000, seed=2).mean() == pytest.approx(law.mean, abs=5 * law.sd / 20_000**0.5)


@pytest.mark.parametrize(
    "given", [(0, 1, 1), (1.5, 1, 1), (True, 1, 1), (10**9, 1, 1), (5, 0, 1), (5, 1, np.nan), (5, "a", 1)]
)
def test_bad_parameters(given: tuple[object, ...]) -> None:
    with pytest.raises(InvalidArgument):
        BetaBinomial(*given)  # type: ignore[arg-type]


@pytest.mark.parametrize("pmf", [[1], [-1, 2], [0, 0], [[1, 2]], [np.nan, 1]])
def test_bad_probabilities(pmf: list[float]) -> None:
    with pytest.raises(InvalidArgument, match=r"0, 1, \.\.\., n"):
        CountShare(pmf)
