"""The smallest and the largest of independent rates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, special

from howsure.errors import InvalidArgument
from howsure.laws import Draws, Extreme

RATES = {
    "perfect": ([10, 5, 8], [1, 1, 1]),
    "jeffreys": ([0.5, 9.5, 4.5], [6.5, 0.5, 0.5]),
    "many": (np.arange(3, 63), np.full(60, 3)),
}


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize(("case", "largest"), [("perfect", False), ("jeffreys", True), ("many", False)])
def test_extremes_agree_with_draws(case: str, largest: bool) -> None:
    law = Extreme(*RATES[case], largest=largest)
    drawn = Draws(law.sample(40_000, seed=3))
    assert law.mean == pytest.approx(drawn.mean, abs=5 * drawn.mean_error)
    assert law.sd == pytest.approx(drawn.sd, rel=0.03)
    for p in (0.025, 0.5, 0.975):
        assert law.quantile(p) == pytest.approx(drawn.quantile(p), abs=5 * drawn.quantile_error(p))
        assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-9)
    low, high = law.interval()
    assert 0 <= low < high <= 1
    assert law.prob(between=(low, high)) == pytest.approx(0.95, abs=1e-6)
    assert low <= law.mode <= high
    assert law.route == "exact"


@pytest.mark.parametrize("case", ["perfect", "jeffreys"])
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


def test_what_is_no_rate_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="above 0"):
        Extreme([1, 0], [1, 1])
    with pytest.raises(InvalidArgument, match="of one length"):
        Extreme([1, 2], [1])
