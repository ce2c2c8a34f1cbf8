"""A mixture of Betas by one pass over its density, against incomplete Beta functions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import betainc, betaln

import howsure.numerics.learned.one_rate as one_rate_module
from howsure.numerics.learned.logit_law import BY_POWERS, POINTS
from howsure.numerics.learned.one_rate import one_rate
from howsure.numerics.learned.population import Population
from howsure.numerics.learned.rate_law import RateLaw

MIXTURES = {
    "one": ([1.0], [8.0], [3.0]),
    "wide and narrow": ([0.5, 0.5], [2.0, 4e5], [3.0, 1e5]),
    "a needle": ([0.3, 0.7], [0.5, 9e9], [0.5, 1e9]),
    "spikes at both ends": ([0.2, 0.3, 0.5], [0.5, 1e-3, 30.0], [0.5, 20.0, 1e-6]),
    "far at one side": ([1.0], [1e-3], [50.0]),
}


@pytest.mark.parametrize("name", MIXTURES)
def test_against_incomplete_beta_functions(name: str) -> None:
    mass, a, b = (np.array(x) for x in MIXTURES[name])
    law = RateLaw(mass, a, b)
    near = (a / (a + b))[:, None] + np.sqrt(a * b / (a + b) ** 2 / (a + b + 1))[:, None] * np.linspace(-4, 4, 17)
    x = np.unique(np.concatenate((np.linspace(0.001, 0.999, 41), near[(near > 1e-9) & (near < 1 - 1e-9)])))
    expected = mass @ betainc(a[:, None], b[:, None], x)
    # of ten thousand million cases the logarithms of a density have five digits after the point
    most = 3e-5 if max(a) > 1e9 else 1e-6
    assert law.cdf(x) == pytest.approx(expected, abs=most)
    assert law.sf(x) == pytest.approx(mass @ betainc(b[:, None], a[:, None], 1 - x), abs=most)
    assert law.mean == pytest.approx(float(mass @ (a / (a + b))), rel=1e-9)
    p = np.array([0.025, 0.5, 0.975])
    assert law.cdf(law.quantile(p)) == pytest.approx(p, abs=1e-5) or name in ("spikes at both ends", "far at one side")
    assert law.residual < 5e-5


@given(st.lists(st.tuples(st.floats(0.5, 500), st.floats(0.5, 500)), min_size=1, max_size=6), st.floats(-3, 3))
def test_mirrored_scaled_and_shifted(betas: list[tuple[float, float]], factor: float) -> None:
    factor = factor if abs(factor) > 0.01 else 1.0
    a, b = (np.array(x) for x in zip(*betas, strict=True))
    mass = np.full(len(a), 1 / len(a))
    law, other = RateLaw(mass, a, b), RateLaw(mass, a, b, coefficient=factor, shift=0.5)
    x = np.linspace(0.01, 0.99, 25)
    F = law.cdf(x)
    assert (np.diff(F) >= -1e-9).all()
    assert other.support == pytest.approx(sorted((0.5, 0.5 + factor)))
    moved = other.cdf(0.5 + factor * x) if factor > 0 else other.sf(0.5 + factor * x)
    assert moved == pytest.approx(F, abs=2e-6)
    assert other.mean == pytest.approx(0.5 + factor * law.mean)


@pytest.mark.parametrize("cases", [20, 10**4, 10**7, 10**9])
def test_recalls_of_classes_of_any_size(cases: int) -> None:
    """Of large classes a recall is a needle, and the others do not matter."""
    members = Population([0.9 * cases, 0.8 * cases, cases], [cases] * 3)
    law = one_rate(members.sum_terms([0.0, 1.0, 0.0]))
    low, high = law.highest_density(0.95) or (0.0, 0.0)
    assert low < law.mean < high
    assert float(law.cdf(np.array([high]))[0] - law.cdf(np.array([low]))[0]) == pytest.approx(0.95, abs=1e-3)
    if cases >= 10**4:
        assert high - low == pytest.approx(2 * 1.96 * (0.8 * 0.2 / cases) ** 0.5, rel=0.03)


@pytest.mark.parametrize(("a", "b"), [(1e-10, 1.0), (1e-10, 1e15), (1e-30, 50.0)])
def test_all_of_the_mass_may_be_nearer_to_an_end_than_floats_are(a: float, b: float) -> None:
    law = RateLaw(np.ones(1), np.array([a]), np.array([b]), coefficient=-1.0, shift=1.0)
    assert law.quantile(np.array([0.025, 0.5, 0.975])).tolist() == [1.0, 1.0, 1.0]
    assert (law.highest_density(0.95), law.mode()) == ((1.0, 1.0), 1.0)


def test_powers_of_a_panel_are_its_legendre_series() -> None:
    """Mass, density and slope by numpy's own series."""
    legendre, u = np.polynomial.legendre, np.linspace(-1, 1, 41)
    series = np.exp(-1.3 * np.arange(POINTS)) * (-1.0) ** np.arange(POINTS)
    rising, plain, slope = (np.polynomial.polynomial.polyval(u, row) for row in series @ BY_POWERS.swapaxes(0, 1))
    assert plain == pytest.approx(legendre.legval(u, series), rel=1e-13)
    assert rising == pytest.approx(legendre.legval(u, legendre.legint(series, lbnd=-1)), abs=1e-14)
    assert slope == pytest.approx(legendre.legval(u, legendre.legder(series)), rel=1e-12)


@pytest.mark.parametrize("size", [2, 9, 50])
def test_few_panels_are_as_good_as_many(size: int) -> None:
    """A learned rate against the incomplete Beta functions of its own components, to a thousandth of its residual."""
    rng = np.random.default_rng(size)
    members = Population(rng.integers(3, 60, size), 60 + rng.integers(0, 400, size))
    law = one_rate(members.sum_terms(np.eye(size)[0]))
    mass = np.exp(law._log_mass + betaln(law._a, law._b))
    x = law.quantile(np.array([1e-5, 1e-3, 0.025, 0.1, 0.5, 0.9, 0.975, 0.999]))
    z = (x - law._at_zero) / law._factor
    expected = betainc(law._a, law._b, z[:, None]) @ mass
    assert (law.cdf(x) if law._factor > 0 else law.sf(x)) == pytest.approx(expected, abs=5e-8)


ALIKE_OR_NOT = {
    "three": ([42, 44, 47], [47, 46, 50], 1),
    "ten": ([40, 33, 45, 39, 41, 50, 37, 44, 42, 36], [58, 51, 66, 60, 55, 71, 59, 61, 62, 50], 0),
    "few cases": ([5, 3, 4, 6], [5, 7, 6, 6], 0),
    "two kinds": ([50] * 10 + [90] * 10, [100] * 20, 4),
}


@pytest.mark.parametrize("name", ALIKE_OR_NOT)
def test_betas_that_are_joined_err_by_less_than_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The law of all Betas of all nodes, of which there are thousands."""
    right, cases, k = ALIKE_OR_NOT[name]
    terms = Population(right, cases).sum_terms(np.eye(len(cases))[k])
    with monkeypatch.context() as unjoined:
        unjoined.setattr(one_rate_module, "_joined", lambda *betas: betas)
        every = one_rate(terms)
    law = one_rate(terms)
    x = np.unique(np.clip(law.mean + law.sd * np.linspace(-5, 5, 61), 0.001, 0.999))
    assert law.cdf(x) == pytest.approx(every.cdf(x), abs=4e-5)
    assert len(law._a) < 0.8 * len(every._a)
