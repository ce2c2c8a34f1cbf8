"""Measures of shared information and of association."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.metrics import parse

ILL = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


def test_normalised_information_is_bounded_and_ordered():
    table = np.random.default_rng(3).poisson(4, (6, 6))
    name = "normalized_mutual_information"
    low, middle, root, high = (observed(name + suffix, table) for suffix in ("_max", "", "_geometric", "_min"))
    assert 0 < low <= middle <= root <= high < 1
    assert {round(observed("theil_u", table), 12), round(observed("theil_u_of_prediction", table), 12)} == {
        round(low, 12),
        round(high, 12),
    }


def test_cramer_v_of_two_classes_is_the_size_of_mcc_and_ignores_an_empty_class():
    assert observed("cramer_v", ILL.counts) == pytest.approx(abs(observed("mcc", ILL.counts)))
    padded = np.zeros((3, 3))
    padded[:2, :2] = ILL.counts
    assert observed("cramer_v", padded) == pytest.approx(observed("cramer_v", ILL.counts))


def test_one_class_shares_nothing_and_that_is_no_negative_zero():
    shared = observed("mutual_information", [[9, 0], [0, 0]])
    assert shared == 0
    assert not np.signbit(shared)
