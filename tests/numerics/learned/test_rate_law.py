"""A mixture of Betas by one pass over its density, against incomplete Beta functions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc

import howsure.numerics.learned.rate_law as one_rate_module
from howsure.numerics.learned.population import Population
from howsure.numerics.learned.rate_law import RateLaw, one_rate

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


ALIKE_OR_NOT = {
    "three": ([42, 44, 47], [47, 46, 50], 1),
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
