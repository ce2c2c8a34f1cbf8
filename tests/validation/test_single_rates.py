"""What docs/validity.md says of one rate: sums over all outcomes, so every digit is the same in every run."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom
from tests.validation.sections.single_rates import CASES, GOOD, GRID, METHODS, RATES, chances, covered

import howsure as hs


def ends(name: str, n: int) -> np.ndarray:
    return np.array([METHODS[name](k, n) for k in range(n + 1)])


@pytest.mark.full
@pytest.mark.parametrize("n", CASES)
def test_the_default_covers_within_a_point_of_wilson_is_narrower_and_at_worst_better_than_jeffreys(n: int) -> None:
    names = "**calibrated, HDI** (the default)", "Wilson", "jeffreys, HDI"
    ours, its, jeffreys = (covered(ends(name, n), GOOD) for name in names)
    assert ours[0].mean() > its[0].mean() - 0.01
    assert ours[0].min() > jeffreys[0].min()
    assert ours[1].mean() < its[1].mean()


@pytest.mark.parametrize("n", CASES)
def test_clopper_and_pearson_cover_at_least_what_they_promise(n: int) -> None:
    assert covered(ends("Clopper and Pearson", n), GRID)[0].min() > 0.95 - 1e-12


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize("kind", ["HDI", "central"])
@pytest.mark.parametrize("n", [10, 100])
def test_intervals_of_the_flat_prior_hold_95_percent_of_its_rates(n: int, kind: str) -> None:
    """The integral over the rates is exact where the coverage between two ends is a sum of incomplete Betas."""
    name = f"flat, {kind}"
    exact = np.mean([hs.laws.Beta(k + 1, n - k + 1).prob(between=tuple(pair)) for k, pair in enumerate(ends(name, n))])
    assert exact == pytest.approx(0.95, abs=1e-12)
    assert covered(ends(name, n), GRID)[0].mean() == pytest.approx(exact, abs=2e-3)


def test_chances_are_those_of_scipy() -> None:
    assert chances(50, np.array(RATES)) == pytest.approx(binom.pmf(np.arange(51), 50, np.array(RATES)[:, None]))
