"""The largest gap of one rate and of the worse of two, as weighted draws and as an interval."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.units.slice_answers import GroupRate, gap_knowledge, gap_of

UNLIKE = GroupRate(np.array([200, 350, 300]), np.array([500, 500, 500]), 4000, (0, 0))
ALIKE = GroupRate(np.array([200, 205, 198]), np.array([500, 500, 500]), 4000, (0, 1))


def test_the_worse_of_two_gaps_is_0_only_if_both_are() -> None:
    values, weights = gap_of([np.array([0.1, 0.3]), np.array([0.2, 0.2])], [0.5, 0.2])
    assert weights.sum() == pytest.approx(1)
    assert weights[values == 0].sum() == pytest.approx(0.1)
    mean = 0.5 * 0.8 * 0.2 + 0.5 * 0.2 * 0.2 + 0.5 * 0.8 * 0.25
    assert values @ weights == pytest.approx(mean)


@pytest.mark.parametrize("ratio", [False, True])
def test_the_worse_of_two_is_the_one_that_is_surely_worse(ratio: bool) -> None:
    limit = 0.8 if ratio else 0.05
    alone, alike = (gap_knowledge([rate], limit, 0.95, ratio=ratio) for rate in (UNLIKE, ALIKE))
    both = gap_knowledge([ALIKE, UNLIKE], limit, 0.95, ratio=ratio)
    assert (both.mean, both.low, both.high) == pytest.approx((alone.mean, alone.low, alone.high), abs=0.02)
    assert both.alike == pytest.approx(alone.alike * alike.alike)
    assert alike.alike > 0.5 > 1e-6 > alone.alike
    assert alone.beyond > 0.999 > 0.5 > alike.beyond


def test_beyond_is_what_the_draws_say() -> None:
    made = gap_knowledge([ALIKE], 0.03, 0.95)
    gaps = ALIKE.drawn[1] - ALIKE.drawn[0]
    assert made.beyond == pytest.approx((1 - ALIKE.alike) * (gaps > 0.03).mean())
    assert made.mean == pytest.approx((1 - ALIKE.alike) * gaps.mean())
    assert made.low == 0


def test_the_far_end_is_that_of_a_reader_who_expects_unlike_groups() -> None:
    rate = GroupRate(np.array([3, *[80] * 19]), np.array([10, *[100] * 19]), 4000, (0,))
    gaps = rate.doubted[1] - rate.doubted[0]
    without = rate.drawn[1] - rate.drawn[0]
    assert gap_knowledge([rate], 0.05, 0.9).high == max(np.quantile(gaps, 0.95), np.quantile(without, 0.95))
    assert np.median(gaps) > np.median(without)


def test_nobody_is_lower_than_those_who_are_alike() -> None:
    rate = GroupRate(np.array([5, 5, 5]), np.array([10, 10, 10]), 4000, (0,))
    assert (rate.lowest, rate.highest) == (0, 2)
    assert rate.chances() == pytest.approx(rate.chances()[::-1], abs=0.05)
    assert rate.chances()[0] > rate.alike


def test_a_ratio_beyond_its_limit_is_below_it() -> None:
    apart = GroupRate(np.array([200, 350]), np.array([500, 500]), 4000, (0, 2))
    beyond = [gap_knowledge([apart], limit, 0.95, ratio=True).beyond for limit in (0.3, 0.45, 0.7, 0.9)]
    assert beyond[:2] == [0, 0]
    assert beyond[2:] == pytest.approx([1, 1], abs=0.01)
