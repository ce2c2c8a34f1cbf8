"""Errors of grades, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.metrics import parse

GRADES = np.array([[6.0, 3, 1], [2, 5, 3], [0, 0, 0]])


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


def test_errors_of_grades():
    assert observed("mae", GRADES) == pytest.approx((3 + 2 * 1 + 2 + 3) / 20)
    assert observed("macro_mae", GRADES) == pytest.approx(((3 + 2) / 10 + (2 + 3) / 10) / 2)
    assert observed("mse", GRADES) == pytest.approx((3 + 4 + 2 + 3) / 20)
    assert observed("rmse", GRADES) == pytest.approx(observed("mse", GRADES) ** 0.5)
    assert observed("off_by_one_accuracy", GRADES) == pytest.approx(19 / 20)
