"""Cumulants of Dirichlet sums, widths from them, and the straight part of a metric: each by a second route."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

from howsure.laws import Beta, BetaSum
from howsure.metrics import parse
from howsure.numerics.trials import simulated_tests
from howsure.numerics.trials.simulated_tests import (
    StraightPart,
    dirichlet_cumulants,
    posterior_tables,
    recall_sum_cumulants,
    width_of_cumulants,
)


@pytest.mark.sweep(2, full=3)
@pytest.mark.parametrize(("a", "b"), [(81.0, 21.0), (0.5, 40.0)])
def test_cumulants_of_a_beta_are_those_of_its_density(a: float, b: float) -> None:
    law = beta(a, b)
    second, third, fourth = (
        quad(lambda x, r=r: (x - law.mean()) ** r * law.pdf(x), 0, 1, epsabs=0, epsrel=1e-10, points=[a / (a + b)])[0]
        for r in (2, 3, 4)
    )
    found = dirichlet_cumulants(np.array([a, b]), np.array([1.0, 0.0]))
    assert found == pytest.approx([second, third, fourth - 3 * second**2], rel=1e-6)


@pytest.mark.parametrize(
    ("right", "cases", "bound"),
    [([450, 430], [500, 500], 1e-5), ([41, 35], [50, 50], 1e-3), ([15, 9], [20, 12], 5e-3), ([20, 20], [20, 20], 0.04)],
)
def test_widths_from_four_cumulants_are_those_of_the_law(right: list[int], cases: list[int], bound: float) -> None:
    k, n = np.array([right]), np.array([cases])
    width, left_out = width_of_cumulants(recall_sum_cumulants(k, n, (1, 1), np.array([0.5, 0.5])), 0.95)
    law = BetaSum(k[0] + 1.0, (n - k)[0] + 1.0, [0.5, 0.5]).interval().width
    assert abs(width[0] / law - 1) < bound
    # the second number says where that may be relied on
    assert abs(width[0] / law - 1) < 0.3 * min(float(left_out[0]), 1.0) + 1e-9


@pytest.mark.sweep(1, full=2)
@pytest.mark.parametrize("known", [None, np.array([0.8, 0.2])])
def test_the_straight_part_has_the_variance_of_its_draws_and_nearly_that_of_the_metric(
    known: np.ndarray | None,
) -> None:
    counts = np.array([[[400, 100], [50, 450]], [[800, 20], [30, 150]]])
    mcc = parse("mcc", ["a", "b"], "b")
    part = StraightPart.of(mcc, counts, np.ones((2, 2)), 0.5, known)
    tables = np.concatenate(
        list(posterior_tables(counts, np.ones((2, 2)), 0.5, known, 40_000, np.random.default_rng(4)))
    )
    drawn = part.drawn(tables, 0)
    assert drawn.var(axis=1) == pytest.approx(part.cumulants[0], rel=0.03)
    assert mcc(tables).var(axis=1) == pytest.approx(part.cumulants[0], rel=0.05)
    # what both have in common is nearly all
    assert all(np.corrcoef(a, b)[0, 1] > 0.99 for a, b in zip(drawn, mcc(tables), strict=True))
    # of some tests alone, the same
    assert part.drawn(tables[1:], 1) == pytest.approx(drawn[1:])


def test_shares_that_are_learned_spread_a_metric_as_their_prior_has_it() -> None:
    """Of accuracy where recalls differ; few cases, and a prior of four a class."""
    counts = np.array([[[9, 1], [1, 1]], [[2, 9], [0, 9]]])
    accuracy, prior = parse("accuracy", ["a", "b"], "b"), np.array([[1.0, 0.1], [3.0, 0.2]])
    part = StraightPart.of(accuracy, counts, prior, 4.0, None)
    tables = np.concatenate(list(posterior_tables(counts, prior, 4.0, None, 40_000, np.random.default_rng(6))))
    assert part.drawn(tables, 0).var(axis=1) == pytest.approx(part.cumulants[0], rel=0.03)
    assert (part.cumulants[0] > 1.15 * StraightPart.of(accuracy, counts, prior, 4.0, part.shares).cumulants[0]).all()


def test_a_cell_that_is_surely_empty_has_no_slope() -> None:
    counts, prior = np.array([[[5, 0], [2, 7]], [[8, 3], [1, 6]]]), np.array([[1.0, 0.0], [1.0, 1.0]])
    part = StraightPart.of(parse("mcc", ["a", "b"], "b"), counts, prior, 0.5, None)
    assert part.slopes[0, 0, 1] == 0.0
    assert np.isfinite(part.slopes).all()
    assert np.count_nonzero(part.slopes) == part.slopes.size - 1


def test_slopes_are_the_same_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.random.default_rng(7).integers(3, 40, (5, 2, 2))
    of = (parse("mcc", ["a", "b"], "b"), counts, np.ones((2, 2)), 0.5, None)
    whole = StraightPart.of(*of)
    monkeypatch.setattr(simulated_tests, "BLOCK", 8)
    assert StraightPart.of(*of).slopes.tolist() == whole.slopes.tolist()


def test_what_an_expansion_leaves_out_falls_as_its_error_does() -> None:
    """Both are of the second order: a sixteenth for four times as many cases."""
    missed, told = [], []
    for cases in (1, 4):
        width, left_out = width_of_cumulants(
            dirichlet_cumulants(cases * np.array([8.0, 3.0]), np.array([1.0, 0.0])), 0.95
        )
        missed.append(abs(float(width) / Beta(8 * cases, 3 * cases).interval().width - 1))
        told.append(float(left_out))
    assert 11 < missed[0] / missed[1] < 18
    assert 11 < told[0] / told[1] < 18
