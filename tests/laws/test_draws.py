"""Drawn laws: the same vocabulary, and a Monte Carlo error that is itself tested."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
import pytest

from howsure.errors import InvalidArgument
from howsure.laws import Beta, BetaSum, Companion, Draws, Law


def repeated(repeats: int = 200, n: int = 4000) -> list[Draws]:
    return [Draws(np.random.default_rng(seed).beta(8, 3, n), support=(0, 1)) for seed in range(repeats)]


def test_stated_errors_are_the_errors_over_repetitions() -> None:
    laws = repeated()
    for stated, value in [
        (lambda d: d.mean_error, lambda d: d.mean),
        (lambda d: d.quantile_error(0.025), lambda d: d.quantile(0.025)),
        (lambda d: d.quantile_error(0.5), lambda d: d.quantile(0.5)),
        (lambda d: d.share(lambda x: x > 0.8)[1], lambda d: d.prob(above=0.8)),
    ]:
        actual = np.std([value(law) for law in laws])
        assert np.mean([stated(law) for law in laws]) == pytest.approx(actual, rel=0.2)


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


# -- weighted by a companion number -----------------------------------------------------------------------------

BALANCED = BetaSum([31, 40, 25], [9, 6, 12])


def weighted(seed: int, n: int = 4000, *, plain: bool = False) -> Draws:
    """A curved function of three recalls, beside their mean, whose law is exact."""
    rng = np.random.default_rng(seed)
    rates = rng.beta([31, 40, 25], [9, 6, 12], (n, 3))
    companion = rates.mean(axis=1)
    values = companion**2 + 0.15 * (rates[:, 0] - rates[:, 1])
    return Draws(values, support=(-1, 2), control=None if plain else Companion(companion, BALANCED))


Summary = tuple[Callable[[Draws], float], Callable[[Draws], float]]
SUMMARIES: dict[str, Summary] = {
    "mean": (lambda d: d.mean, lambda d: d.mean_error),
    "2.5%": (lambda d: d.quantile(0.025), lambda d: d.quantile_error(0.025)),
    "median": (lambda d: d.median, lambda d: d.quantile_error(0.5)),
    "97.5%": (lambda d: d.quantile(0.975), lambda d: d.quantile_error(0.975)),
    "above": (lambda d: d.prob(above=0.65), lambda d: d.share(lambda x: x > 0.65)[1]),
    "between": (lambda d: d.prob(between=(0.5, 0.6)), lambda d: d.share(lambda x: (x >= 0.5) & (x <= 0.6))[1]),
}


@pytest.mark.full
def test_stated_errors_of_weighted_draws_are_the_errors_over_repetitions() -> None:
    laws = [weighted(seed, 2000) for seed in range(300)]
    plain = [weighted(seed, 2000, plain=True) for seed in range(300)]
    for name, (value, stated) in SUMMARIES.items():
        actual = np.std([value(law) for law in laws])
        assert np.mean([stated(law) for law in laws]) == pytest.approx(actual, rel=0.2), name
        unweighted = [value(law) for law in plain]
        assert np.mean([value(law) for law in laws]) == pytest.approx(np.mean(unweighted), abs=0.3 * np.std(unweighted))
        assert actual < 0.8 * np.std(unweighted), name


def test_the_companion_gets_its_exact_law() -> None:
    values = BALANCED.sample(20_000, seed=3)
    law = Draws(values, control=Companion(values, BALANCED))
    assert law.weighted
    assert law.mean == pytest.approx(BALANCED.mean, abs=BALANCED.sd / 2000)
    for p in (0.025, 0.5, 0.975):
        assert law.cdf(BALANCED.quantile(p)) == pytest.approx(p, abs=0.0005)
    assert law.mean_error < Draws(values).mean_error / 20
    assert law.sample(5000, seed=1).mean() == pytest.approx(law.mean, abs=0.005)
    grid = np.linspace(0, 1, 2001)
    assert np.trapezoid(law.pdf(grid), grid) == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("companion", ["unrelated", "undefined", "few", "another law"])
def test_a_companion_that_does_not_pay_is_left_alone(companion: str) -> None:
    values = BALANCED.sample(150 if companion == "few" else 2000, seed=1)
    beside: dict[str, tuple[np.ndarray, Law]] = {
        "unrelated": (np.random.default_rng(2).beta(2, 2, len(values)), Beta(2, 2)),
        "undefined": (np.where(values > 0.7, values, np.nan), BALANCED),
        "few": (values, BALANCED),
        "another law": (values - 0.05, BALANCED),
    }
    law = Draws(values, control=Companion(*beside[companion]))
    assert not law.weighted
    assert law.mean == pytest.approx(values.mean())
    with pytest.raises(InvalidArgument, match="one value for each"):
        Draws(values, control=Companion(values[1:], BALANCED))


def test_far_tails_keep_the_density_of_the_middle():
    """A drawn ratio with draws hundreds of times its median still has a smooth top near where it belongs."""
    values = np.random.default_rng(0).lognormal(0, 1.5, 20_000)
    law = Draws(values, support=(0, np.inf))
    assert law.mode == pytest.approx(np.exp(-(1.5**2)), abs=0.15)
    x = np.linspace(0.2, 4, 5)
    expected = np.exp(-0.5 * (np.log(x) / 1.5) ** 2) / (x * 1.5 * np.sqrt(2 * np.pi))
    np.testing.assert_allclose(law.pdf(x), expected, rtol=0.2)


def test_infinite_draws_are_values():
    values = np.array([np.inf] * 40 + list(np.linspace(1, 2, 960)))
    law = Draws(values, support=(1, np.inf))
    assert (law.n, law.undefined) == (1000, 0)
    assert law.mean == law.sd == np.inf
    assert law.median == pytest.approx(1.52, abs=0.01)
    assert law.quantile(0.99) == np.inf
    assert law.prob(above=1e9) == pytest.approx(0.04)
    assert law.interval(0.9)[1] < np.inf
    assert law.interval(0.98)[1] == np.inf
    assert np.isfinite(law.mode)
    assert law.quantile_error(0.5) < 0.1
    assert law.quantile_error(0.999) == 0


@pytest.mark.parametrize("kind", ["central", "hdi"])
@pytest.mark.parametrize("upside_down", [False, True])
def test_the_error_of_an_interval_is_that_of_its_worse_end(kind: Literal["central", "hdi"], upside_down: bool) -> None:
    values = np.random.default_rng(0).standard_exponential(4000)
    ends = [Draws(side * values).interval_error(0.9, kind) for side in (1, -1)]
    assert ends[0] == pytest.approx(ends[1], rel=0.01)  # whichever end is the long one
    law = Draws(-values if upside_down else values)
    assert law.interval_error(0.9, "central") == max(law.quantile_error(0.05), law.quantile_error(0.95))
