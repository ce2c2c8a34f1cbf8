"""Rates of two kinds: the evidence by integrals, and the gap of clusters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.numerics.slices.alike_or_apart import TwoKinds


def test_the_evidence_by_which_groups_are_of_the_first_kind() -> None:
    """Summed over all ways to part three groups, each way in closed form."""
    k, n = np.array([9, 3, 8]), np.array([10, 10, 12])
    total = 0.0
    for way in range(8):
        first = np.array([bool(way >> i & 1) for i in range(3)])
        ways = special.beta(1 + first.sum(), 1 + (~first).sum())
        for part in (first, ~first):
            ways *= special.beta(1 + k[part].sum(), 1 + (n - k)[part].sum())
        total += ways
    assert TwoKinds(k, n).log_evidence == pytest.approx(np.log(total), abs=0.03)


def test_clusters_are_as_far_apart_as_their_pooled_rates() -> None:
    made = TwoKinds([150, 180] * 10, [200] * 20)
    gaps = np.ptp(made.draw(4000, np.random.default_rng(1)), axis=1)
    assert float(gaps.mean()) == pytest.approx(0.15, abs=0.003)
    assert float(gaps.std()) == pytest.approx(np.sqrt(0.75 * 0.25 / 2000 + 0.9 * 0.1 / 2000), rel=0.15)
