"""The law of a mean worth of a case at many thresholds, against integrals that share no code with it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from howsure.laws.binary import BinaryLaw
from howsure.numerics.arrays import Floats
from howsure.numerics.curves.cell_worth import CellWorth, mass_ratio


def law(hit: int, missed: int, false: int, kept: int, odds: float, mass: float = 1.0) -> CellWorth:
    cells = np.array([[hit, missed, false, kept]]) + 1.0
    return CellWorth(np.array([[1.0, 0, -odds, 0]]), cells, (hit + missed + mass, false + kept + mass))


def by_panels(hit: int, missed: int, false: int, kept: int, odds: float, x: float) -> float:
    """P(phi s - odds (1 - phi) v <= x): the prevalence and v by Gauss rules between quantiles, s closed."""
    nodes, weights = np.polynomial.legendre.leggauss(24)
    marks = np.array([1e-13, 1e-6, 1e-3, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 0.999, 1 - 1e-6, 1 - 1e-13])

    def panels(beta: stats.rv_continuous, inner: Floats) -> tuple[Floats, Floats]:
        ends = np.unique(np.concatenate(([0.0, 1.0], beta.ppf(marks), np.clip(inner, 0, 1))))
        middle, half = (ends[1:] + ends[:-1]) / 2, (ends[1:] - ends[:-1]) / 2
        places = (middle[:, None] + half[:, None] * nodes).ravel()
        return places, (half[:, None] * weights).ravel() * beta.pdf(places)

    total = 0.0
    for phi, weight in zip(*panels(stats.beta(hit + missed + 1, false + kept + 1), np.array([])), strict=True):
        scale = odds * (1 - phi)
        v, w = panels(stats.beta(false + 1, kept + 1), np.array([-x / scale, (phi - x) / scale]))
        total += weight * float((w * stats.beta.cdf(np.clip((x + scale * v) / phi, 0, 1), hit + 1, missed + 1)).sum())
    return total


CASES = [
    (12, 5, 7, 40, 0.25),
    (0, 100, 0, 1000, 50.0),  # two exponentials and a kink between them
    (3, 0, 10, 0, 5.0),
    (100, 0, 52, 948, 0.01),
]


@pytest.mark.full
@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_distribution_function_is_the_integral(case: tuple[int, int, int, int, float]) -> None:
    made = law(*case)
    x = float(np.clip(made.mean[0] + 0.5 * made.sd[0], -case[4] + 1e-9, 1 - 1e-9))
    # the integral has kinks that move with the prevalence: in the last case it is itself known to 1e-4
    few = min(case[0] + case[1], case[2] + case[3]) < 6
    assert made.below(x)[0] == pytest.approx(
        by_panels(*case, x), abs=1e-4 if case == CASES[-1] else 2e-5 if few else 3e-6
    )


@given(st.tuples(*[st.integers(0, 60)] * 4), st.sampled_from([0.01, 0.3, 1.0, 9.0]), st.floats(-2.5, 2.5))
def test_a_law_of_the_middle_agrees_with_the_library_s_own(
    cells: tuple[int, int, int, int], odds: float, z: float
) -> None:
    cells = tuple(5 + cell for cell in cells)  # type: ignore[assignment]
    made = law(*cells, odds)
    hit, missed, false, kept = cells
    base = odds / (1 + odds)
    other = BinaryLaw(
        "worth", (hit + missed + 1, false + kept + 1), (hit + 1, missed + 1), (kept + 1, false + 1),
        hit=1.0, missed=base, kept=base, false=0.0,
    )  # fmt: skip
    x = float(made.mean[0] + z * made.sd[0])
    assert made.mean[0] == pytest.approx(other.mean * (1 + odds) - odds, abs=1e-8)
    assert made.below(x)[0] == pytest.approx(other.prob(below=(x + odds) / (1 + odds)), abs=1e-5)


def test_the_ratio_of_the_masses_is_a_rule_of_few_nodes() -> None:
    ratio, weight = mass_ratio(102.0, 402.0, (101.0, 401.0))
    rng = np.random.default_rng(0)
    drawn = rng.beta(401, 1, 400_000) / rng.beta(101, 1, 400_000)
    assert len(ratio) == 3
    assert weight.sum() == pytest.approx(1)
    for power in (1, 2, -1):
        assert (weight * ratio**power).sum() == pytest.approx((drawn**power).mean(), abs=5e-4)
    with pytest.raises(ValueError, match="more mass"):
        mass_ratio(10.0, 10.0, (11.0, 5.0))
