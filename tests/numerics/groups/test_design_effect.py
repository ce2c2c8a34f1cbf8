"""What groups cost: correlations, design effects, clustered errors, and the bootstrap over groups."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from howsure.numerics.groups.group_bootstrap import (
    clustered_error,
    design_effect,
    exponent,
    intraclass_correlation,
    membership_correlation,
    paired_difference,
    weighted_cells,
)

CLUSTERED = json.loads((Path(__file__).parents[2] / "reference" / "clustered.json").read_text(encoding="utf-8"))


def test_the_clustered_error_is_that_of_inspect() -> None:
    for table in CLUSTERED:
        assert clustered_error(table["k"], table["n"]) == pytest.approx(table["error"], rel=1e-9, abs=1e-15)
    assert clustered_error([3], [5]) == 0


def test_intraclass_correlation_by_pairs() -> None:
    """With groups of one size it is near the correlation of all pairs of cases of one group."""
    rng = np.random.default_rng(3)
    k = rng.binomial(8, rng.beta(3, 2, 4000))
    p = k.sum() / (8 * len(k))
    pairs = (k * (k - 1) - 2 * p * k * 7 + 56 * p**2).mean() / 56 / (p * (1 - p))
    assert intraclass_correlation(k, np.full(len(k), 8)) == pytest.approx(pairs, abs=1e-3)
    assert pairs == pytest.approx(1 / 6, abs=0.02)


def test_design_effect_of_the_documents() -> None:
    assert 400 / design_effect(0.1, np.full(20, 20)) == pytest.approx(137.93, abs=0.01)
    assert design_effect(0.3, np.ones(7)) == 1
    assert membership_correlation(np.array([[3, 3], [3, 3], [3, 3]])) == 0


# -- the bootstrap --------------------------------------------------------------------------------------------------


def test_weights_make_the_variance_of_a_mean_unbiased() -> None:
    x = np.array([0.2, 0.9, 0.5, 0.7, 0.1, 0.8, 0.6, 0.4])
    group = np.arange(8)
    blocks = weighted_cells(group, group % 1, np.ones(8), 8, 1, 60_000, np.random.default_rng(0))
    total = np.concatenate(list(blocks))[:, 0]
    assert total.mean() == pytest.approx(8 * exponent(8), rel=0.01)
    weight = np.random.default_rng(1).dirichlet(np.full(8, exponent(8)), 200_000)
    assert (weight @ x).var() == pytest.approx(x.var(ddof=1) / 8, rel=0.02)


def test_a_paired_difference() -> None:
    rng = np.random.default_rng(0)
    gain = np.array([3, 1, 0, 2, -1, 4, 2, 1, 0, 3] * 10)
    n = np.full(100, 10)
    drawn = paired_difference(gain, n, 20_000, rng)
    assert drawn.mean() == pytest.approx(0.15, abs=0.002)
    assert drawn.std() == pytest.approx(gain.std(ddof=1) / 100, rel=0.05)
    turned = paired_difference(-gain, n, 20_000, rng)
    assert turned.mean() == pytest.approx(-drawn.mean(), abs=0.003)
    never = paired_difference(np.zeros(8), np.full(8, 5), 4_000, rng)
    assert never.std() > 0.01
    assert (never > 0).mean() == pytest.approx(0.5, abs=0.03)


def test_intraclass_correlation_of_groups_of_unlike_size_by_squares() -> None:
    """The analysis of variance case by case, as Donner writes it."""
    groups = [np.repeat([1.0, 0.0], [k, n - k]) for k, n in ((2, 2), (1, 6), (9, 10))]
    sizes, every = np.array([len(g) for g in groups]), np.concatenate(groups)
    between = sum(len(g) * (g.mean() - every.mean()) ** 2 for g in groups) / 2
    within = sum(((g - g.mean()) ** 2).sum() for g in groups) / (18 - 3)
    usual = sizes.mean() - sizes.var(ddof=1) / (3 * sizes.mean())
    expected = (between - within) / (between + (usual - 1) * within)
    assert intraclass_correlation(np.array([2, 1, 9]), sizes) == pytest.approx(expected)
