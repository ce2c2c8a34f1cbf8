"""Drawn laws: the same vocabulary, and a Monte Carlo error that is itself tested."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from howsure.errors import InvalidArgument
from howsure.laws import Draws


def repeated(repeats: int = 200, n: int = 4000) -> list[Draws]:
    return [Draws(np.random.default_rng(seed).beta(8, 3, n), support=(0, 1)) for seed in range(repeats)]


def test_stated_errors_are_the_errors_over_repetitions() -> None:
    laws = repeated()
    for stated, value in [
        (lambda d: d.mean_error, lambda d: d.mean),
        (lambda d: d.quantile_error(0.025), lambda d: d.quantile(0.025)),
        (lambda d: d.quantile_error(0.5), lambda d: d.quantile(0.5)),
        (lambda d: d.prob_error(d.prob(above=0.8)), lambda d: d.prob(above=0.8)),
    ]:
        actual = np.std([value(law) for law in laws])
        assert np.mean([stated(law) for law in laws]) == pytest.approx(actual, rel=0.2)


def test_summaries_agree_with_the_law_that_was_drawn() -> None:
    law, peer = Draws(np.random.default_rng(1).beta(8, 3, 100_000), support=(0, 1)), stats.beta(8, 3)
    assert law.mean == pytest.approx(peer.mean(), abs=0.002)
    assert law.mode == pytest.approx(7 / 9, abs=0.02)
    assert law.interval() == pytest.approx((0.4776, 0.9536), abs=0.01)
    x = np.array([0.5, 0.7, 0.9])
    np.testing.assert_allclose(law.pdf(x), peer.pdf(x), rtol=0.05)
    np.testing.assert_allclose(law.cdf(x), peer.cdf(x), atol=0.006)


def test_the_density_never_leaks_and_keeps_its_edge() -> None:
    law = Draws(np.random.default_rng(1).beta(27, 1, 50_000), support=(0, 1))
    assert law.pdf(1.0001) == 0
    assert law.pdf(0.999) == pytest.approx(27, rel=0.1)
    assert law.mode == pytest.approx(1, abs=0.005)
    grid = np.linspace(0.5, 1, 20_001)
    assert np.trapezoid(law.pdf(grid), grid) == pytest.approx(1, abs=0.01)
    assert law.interval()[1] == pytest.approx(1, abs=1e-3)


def test_u_shaped_draws_have_no_highest_density_interval() -> None:
    assert Draws(np.random.default_rng(1).beta(0.5, 0.5, 20_000)).interval().kind == "central"
    assert Draws(np.random.default_rng(1).beta(1.0, 5, 20_000)).interval().kind == "hdi"
    assert Draws(np.random.default_rng(1).normal(size=20_000)).interval().kind == "hdi"


def test_undefined_draws_are_counted_not_used() -> None:
    law = Draws([0.1, np.nan, 0.3, 0.2])
    assert (law.n, law.undefined) == (3, 1)
    assert law.mean == pytest.approx(0.2)
    with pytest.raises(InvalidArgument, match="1 of 2 are"):
        Draws([np.nan, 1.0])


def test_strict_and_weak_inequalities_differ_at_ties() -> None:
    law = Draws([0.0, 0.0, 1.0, 2.0])
    assert (law.prob(above=0), law.prob(below=0), law.cdf(0.0)) == (0.5, 0, 0.5)
    assert law.prob(between=(0, 1)) == pytest.approx(0.75)
    assert (Draws([1.0, 1.0, 1.0]).interval(), Draws([1.0, 1.0]).sd) == ((1, 1), 0)


def test_sampling_repeats_with_its_seed() -> None:
    law = Draws(np.arange(100.0))
    np.testing.assert_array_equal(law.sample(50, seed=4), law.sample(50, seed=4))
    assert set(law.sample(500)) <= set(range(100))
    assert "100 draws" in repr(law)
