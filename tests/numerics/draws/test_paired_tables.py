"""Joint draws of several classifiers: margins are the rows of each alone, a pair is Dirichlet(1/2)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from howsure.numerics.draws import pair_tables as paired
from howsure.numerics.draws.pair_tables import (
    MANY_SINGLE,
    HitPatterns,
    PairedClass,
    paired_margins,
    paired_tables,
)

N = 20_000


def a_class(answers: list[list[int]], counts: list[int], size: int, true: int, mass: float = 2.0) -> PairedClass:
    return PairedClass(
        np.array(answers).reshape(len(counts), -1), np.array(counts, float), size, true, mass / 2, mass / 2
    )


def base(it: PairedClass) -> np.ndarray:
    mean = np.full(it.size, it.b / it.mass / (it.size - 1))
    mean[it.true] = it.a / it.mass
    return mean


THREE = a_class([[0, 0], [0, 1], [1, 0], [2, 2]], [9, 2, 1, 3], 3, 0)


def uniform(values: np.ndarray, cdf: np.ndarray) -> float:
    """Kolmogorov's distance times sqrt(n); above 1.95 in one of a thousand."""
    order = np.argsort(values)
    grid = np.arange(1, len(values) + 1) / len(values)
    return float(np.abs(cdf[order] - grid).max() * np.sqrt(len(values)))


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize("mass", [1.0, 5.0])
def test_each_margin_is_the_dirichlet_row_of_that_classifier_alone(mass: float) -> None:
    it = a_class([[0, 0], [0, 1], [1, 0], [2, 2]], [9, 2, 1, 3], 3, 0, mass)
    rows = it.rows(N, it.streams([1]))
    assert np.allclose(rows.sum(axis=-1), 1)
    for t in range(2):
        alphas = mass * base(it) + np.bincount(it.answers[:, t], it.counts, 3)
        for j, alpha in enumerate(alphas):
            assert uniform(rows[t, :, j], special.betainc(alpha, alphas.sum() - alpha, rows[t, :, j])) < 1.95


def test_a_pair_right_or_wrong_is_dirichlet_one_half() -> None:
    it = a_class([[0, 0], [0, 1], [1, 0], [1, 1]], [5, 3, 1, 2], 2, 0)
    rows = it.rows(N, it.streams([2]))
    difference = rows[0, :, 0] - rows[1, :, 0]
    a = np.array([5.5, 3.5, 1.5, 2.5])
    mean = (a[1] - a[2]) / a.sum()
    variance = ((a[1] + a[2]) / a.sum() - mean**2) / (a.sum() + 1)
    assert difference.mean() == pytest.approx(mean, abs=5 * np.sqrt(variance / N))
    assert difference.var() == pytest.approx(variance, rel=0.05)
    above = special.betainc(1.5, 3.5, 0.5)
    assert (difference > 0).mean() == pytest.approx(above, abs=5 * np.sqrt(above * (1 - above) / N))


@pytest.mark.parametrize("known", [None, np.array([0.5, 0.2, 0.3])])
def test_tables_and_margins_are_the_same_draws_whatever_the_blocks(
    known: np.ndarray | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    classes = [THREE, a_class([[1, 1], [1, 2]], [4, 1], 3, 1), a_class([[2, 2]], [7], 3, 2)]
    shares = None if known is not None else np.array([15.7, 5.7, 7.7])
    whole = np.concatenate(list(paired_tables(classes, shares, known, 500, [0, 1])), axis=1)
    monkeypatch.setattr(paired, "BLOCK", 3_000)
    parts = list(paired_tables(classes, shares, known, 500, [0, 1]))
    assert len(parts) > 3
    assert np.array_equal(np.concatenate(parts, axis=1), whole)
    assert np.allclose(whole.sum((-2, -1)), 1)
    margins = list(paired_margins(classes, shares, known, 500, [0, 1]))
    assert np.allclose(np.concatenate([m.hits for m in margins], 1), np.diagonal(whole, axis1=-2, axis2=-1), atol=1e-15)
    assert np.allclose(np.concatenate([m.called for m in margins], 1), whole.sum(-2), atol=1e-15)
    assert np.allclose(np.concatenate([m.actual for m in margins], 0), whole[0].sum(-1), atol=1e-15)
    if known is not None:
        assert np.allclose(whole.sum(-1), known)


@pytest.mark.full
@pytest.mark.parametrize("single", [MANY_SINGLE - 1, MANY_SINGLE])
def test_many_patterns_of_one_case_change_no_law(single: int) -> None:
    rng = np.random.default_rng(single)
    right = rng.integers(0, 2, (single + 2, 3)).astype(float)
    counts = np.ones(single + 2)
    counts[[5, 40]] = 30.0, 7.0  # between those of one case
    patterns = HitPatterns(right, counts, 1.0, 1.0)
    drawn, hits, cases = patterns.rates(4000, [3]), counts @ right, counts.sum()
    for rates, k in zip(drawn, hits, strict=True):
        assert uniform(rates, special.betainc(1 + k, 1 + cases - k, rates)) < 1.95
    # of two: both right, only one, neither, half a pseudo-case each
    apart = drawn[0] - drawn[1]
    cells = np.array([counts @ (right[:, 0] * (1 - right[:, 1])), counts @ (right[:, 1] * (1 - right[:, 0]))]) + 0.5
    p, total = cells / (cases + 2), cases + 3
    mean, variance = p[0] - p[1], (p.sum() - (p[0] - p[1]) ** 2) / total
    assert abs(apart.mean() - mean) < 5 * np.sqrt(variance / 4000)
    assert apart.var() == pytest.approx(variance, rel=0.1)
    new = patterns.replays(4000, 50, [3])
    assert np.abs(new.mean(axis=1) - drawn.mean(axis=1)).max() < 5 * np.sqrt(0.25 / 50 / 4000)
