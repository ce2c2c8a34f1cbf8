"""The smallest and the largest of independent rates."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special
from tests.conftest import tries

from howsure.errors import InvalidArgument
from howsure.laws import Beta, Draws, Extreme

RATES = {
    "two": ([43, 46], [9, 6]),
    "perfect": ([10, 5, 8], [1, 1, 1]),
    "jeffreys": ([0.5, 9.5, 4.5], [6.5, 0.5, 0.5]),
    "empty class": ([1, 20, 1], [1, 3, 1]),
    "many": (np.arange(3, 63), np.full(60, 3)),
    "large": ([9e8, 8e8, 7e8], [1e8, 2e8, 3e8]),
}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("case", RATES)
def test_extremes_agree_with_draws(case: str, largest: bool) -> None:
    law = Extreme(*RATES[case], largest=largest)
    drawn = Draws(law.sample(200_000, seed=3))
    assert law.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)
    assert law.sd == pytest.approx(drawn.sd, rel=0.02)
    for p in (0.025, 0.5, 0.975):
        assert law.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
        assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-9)
    low, high = law.interval()
    assert 0 <= low < high <= 1
    assert law.prob(between=(low, high)) == pytest.approx(0.95, abs=1e-6)
    assert low <= law.mode <= high
    assert law.route == "exact"


@pytest.mark.parametrize("case", ["two", "perfect", "jeffreys"])
def test_moments_and_density_are_those_of_quadrature(case: str) -> None:
    a, b = (np.array(x, dtype=float) for x in RATES[case])
    law = Extreme(a, b)

    def survival(x: float) -> float:
        return float(np.prod(special.betaincc(a, b, x)))

    mean = integrate.quad(survival, 0, 1, epsabs=1e-12, limit=500)[0]
    square = integrate.quad(lambda x: 2 * x * survival(x), 0, 1, epsabs=1e-12, limit=500)[0]
    assert law.mean == pytest.approx(mean, abs=1e-8)
    assert law.sd == pytest.approx(np.sqrt(square - mean**2), abs=1e-7)
    x = np.array([0.2, 0.6, 0.9])
    h = 1e-5
    np.testing.assert_allclose(
        law.pdf(x), [(survival(y - h) - survival(y + h)) / (2 * h) for y in x], rtol=1e-6, atol=1e-9
    )


def test_both_tails_keep_their_digits() -> None:
    law = Extreme([90, 80], [10, 20])
    x = 0.05
    assert law.cdf(x) == pytest.approx(special.betainc(90, 10, x) + special.betainc(80, 20, x), rel=1e-9)
    assert law.sf(0.999) == pytest.approx(special.betaincc(90, 10, 0.999) * special.betaincc(80, 20, 0.999), rel=1e-9)
    mirrored = Extreme([10, 20], [90, 80], largest=True)
    assert mirrored.sf(0.95) == pytest.approx(law.cdf(x), rel=1e-6)


def test_one_rate_is_itself() -> None:
    for a, b in ((4, 9), (1, 1), (0.5, 3), (27, 1)):
        for largest in (False, True):
            law, rate = Extreme([a], [b], largest=largest), Beta(a, b)
            assert (law.mean, law.sd) == pytest.approx((rate.mean, rate.sd), abs=1e-7)
            np.testing.assert_allclose(law.quantile([0.1, 0.9]), rate.quantile([0.1, 0.9]), atol=1e-10)
            assert law.interval(0.9) == pytest.approx(rate.interval(0.9), abs=1e-5)


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=6),
    st.sampled_from([1.0, 0.5, 0.1]),
    st.booleans(),
)
@settings(max_examples=tries(40), deadline=None)
def test_any_counts_have_an_order_of_quantiles(counts: list[tuple[int, int]], prior: float, largest: bool) -> None:
    a, b = np.array(counts, dtype=float).T + prior
    law = Extreme(a, b, largest=largest)
    q = law.quantile(np.linspace(0.01, 0.99, 9))
    assert (np.diff(q) >= 0).all()
    assert q[0] >= 0
    assert q[-1] <= 1
    assert 0 < law.mean < 1
    assert pickle.loads(pickle.dumps(law)).mean == law.mean  # our own bytes


def test_what_is_no_rate_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="above 0"):
        Extreme([1, 0], [1, 1])
    with pytest.raises(InvalidArgument, match="of one length"):
        Extreme([1, 2], [1])
