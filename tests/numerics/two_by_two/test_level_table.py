"""Where searches for quantiles begin, and what they find where tangents alone lead nowhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import beta

from howsure.numerics.two_by_two.parallel_lines import LevelTable
from howsure.numerics.two_by_two.table_laws import BinaryMetric


@pytest.mark.parametrize(
    ("tpr", "tnr"), [((3.0, 2.0), (50.0, 5.0)), ((1.0, 1.0), (1.0, 1.0)), ((1e7, 3e6), (5001.0, 401.0))]
)
def test_a_table_of_levels_guesses_quantiles_and_their_roots(tpr, tnr):
    lines = BinaryMetric("precision", 0.5, tpr, tnr)._lines
    z = np.array([-2.5, -1.0, 0.0, 1.0, 2.5])
    odds, roots = LevelTable(lines._lines).guess(z)
    known = lines.quantiles_near(ndtr(z))
    spread = known.odds[-1] - known.odds[0]
    assert np.abs(odds - known.odds).max() < 0.15 * spread
    # the guess is of its own level: there its roots are those of lines, to a part of a cell, where a line has weight
    there = lines._roots(odds)[0]
    heavy = lines._lines.weight * np.exp(-0.5 * there**2) > 1e-6
    assert np.abs(roots - there)[heavy].max() < 0.25


def test_the_median_is_the_same_alone_and_among_others():
    law = BinaryMetric("mcc", (30.0, 50.0), (27.0, 3.0), (7.0, 3.0))
    median = law.quantile([0.5])[0]
    assert law.quantile([0.2, 0.5, 0.9])[1] == median
    assert law.cdf(median) == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("tnr", [(54417961.253, 514312301.417), (0.382, 40912.0)])
def test_a_level_density_on_an_infinite_support_has_a_finite_interval(tnr):
    """Uniform up to a most that is known to eight digits, or five; which way the last digit runs is no slope."""
    law = BinaryMetric("positive_likelihood_ratio", 0.5, (1.0, 1.0), tnr)
    most = 1 / beta(*tnr[::-1]).mean()
    low, high = law.highest_density(0.9)
    assert high - low == pytest.approx(0.9 * most, rel=1e-3)
    assert high < 1.001 * most
    assert 0 <= law.mode() < 1.001 * most


@pytest.mark.parametrize(("slope", "shape"), [(1e-3, "one"), (-1e-3, "falling")])
def test_no_density_rises_for_ever(slope, shape):
    """Whichever way the last digits of a level one happen to run: towards an end that there is, or to none."""
    law = BinaryMetric("positive_likelihood_ratio", 0.5, (1.0, 1.0), (0.382, 40912.0))
    odds, _ = law._probes
    law.__dict__["_probes"] = odds, slope * np.arange(len(odds))
    assert law._shape == shape
