"""Blocks of scores and their numbers against scikit-learn, and blocks of neighbours against all scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from howsure.numerics.curves.curve_numbers import (
    area_under,
    average_precision,
    partial_area,
    simultaneous,
    standardised,
)
from howsure.numerics.curves.curve_weights import grouped_counts, random_rates, score_blocks

cases = strategies.lists(strategies.tuples(strategies.booleans(), strategies.integers(0, 6)), min_size=3).filter(
    lambda rows: 0 < sum(up for up, _ in rows) < len(rows)
)


def numbers(truth, scores, most=1000):
    blocks = score_blocks(truth, scores, most=most)
    true, false = blocks.true_rate[None, :], blocks.false_rate[None, :]
    odds = np.array([(~truth).sum() / truth.sum()])
    return (
        blocks,
        area_under(true, false, blocks.inside)[0],
        average_precision(true, false, odds, blocks.gain)[0],
        standardised(partial_area(true, false, 0.3), 0.3)[0],
    )


@given(cases)
def test_areas_and_precision_are_scikit_learn_s(rows) -> None:
    truth, scores = np.array([up for up, _ in rows]), np.array([float(score) for _, score in rows])
    _, area, precision, part = numbers(truth, scores)
    assert area == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    assert precision == pytest.approx(average_precision_score(truth, scores), abs=1e-12)
    assert part == pytest.approx(roc_auc_score(truth, scores, max_fpr=0.3), abs=1e-12)


@given(cases)
def test_blocks_are_the_points_of_scikit_learn_s_curve(rows) -> None:
    truth, scores = np.array([up for up, _ in rows]), np.array([float(score) for _, score in rows])
    blocks = score_blocks(truth, scores)
    false, true, _ = roc_curve(truth, scores, drop_intermediate=False)
    np.testing.assert_allclose(blocks.false_rate, false, atol=1e-12)
    np.testing.assert_allclose(blocks.true_rate, true, atol=1e-12)


def test_neighbours_in_one_block_leave_both_areas_as_they_are() -> None:
    rng = np.random.default_rng(1)
    truth = rng.random(30_000) < 0.2
    scores = rng.standard_normal(30_000) + truth
    blocks, area, precision, _ = numbers(truth, scores, most=300)
    assert len(blocks) <= 300
    assert blocks.distinct == 30_000
    assert area == pytest.approx(roc_auc_score(truth, scores), abs=1e-12)
    assert precision == pytest.approx(average_precision_score(truth, scores), abs=1e-12)
    assert blocks.case.tolist() == np.searchsorted(-blocks.lowest, -scores).tolist()


def test_the_error_of_blocks_is_what_weights_within_them_do() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(2000) < 0.5
    scores = rng.standard_normal(2000) + truth
    coarse, area, _, _ = numbers(truth, scores, most=40)
    place = np.arange(2000)
    fine = score_blocks(truth, scores, most=10**6)
    made = []
    # the same weight of each case, whatever block it is in
    for blocks in (fine, coarse):
        counts = grouped_counts(blocks, truth.astype(np.int64), place, 2000)
        inside = np.concatenate(([0.5], blocks.inside, [0.5]))
        drawn = random_rates(blocks, area, 400, 3, grouped=counts)
        made.append(np.concatenate([area_under(x.true, x.false, inside) for x in drawn]))
    gap = made[1] - made[0]
    assert np.sqrt((gap**2).mean()) < 1.2 * coarse.error
    assert coarse.error < 0.2 * made[0].std()
    assert fine.error == 0


def test_a_band_holds_the_share_of_curves_that_it_promises() -> None:
    rng = np.random.default_rng(4)
    curves = np.cumsum(rng.standard_normal((2000, 30)), axis=1)
    low, high = simultaneous(curves, curves, 0.9)
    held = ((low <= curves) & (curves <= high)).all(axis=1).mean()
    assert 0.9 <= held <= 0.92
