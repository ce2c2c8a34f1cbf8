"""Which measures are sums over cells."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.metrics import REGISTRY, names, of_class, parse
from howsure.metrics.linearity import linear_weights

LABELS = ["a", "b", "c"]


@pytest.mark.parametrize("name", names())
def test_weights_make_the_measure_of_any_table(name: str) -> None:
    measure = of_class(name, LABELS, 1) if REGISTRY[name].per == "class" else parse(name, LABELS)
    weights = linear_weights(measure, 3, 3)
    some = np.random.default_rng(2).dirichlet(np.ones(9), 40).reshape(40, 3, 3)
    if weights is None:
        assert name not in ("accuracy", "error_rate", "prevalence", "bias", "detection_rate", "mean_absolute_error")
    else:
        assert (weights * some).sum((1, 2)) == pytest.approx(measure(some), abs=1e-12)


def test_costs_are_their_own_weights() -> None:
    costs = [[0.0, 1.0, 2.0], [5.0, 0.0, 1.0], [3.0, 3.0, 0.0]]
    assert linear_weights(parse(hs.expected_cost(costs), LABELS), 3, 3).tolist() == costs
    assert linear_weights(parse(hs.expected_cost(costs), LABELS), 3, 2).tolist() == costs[:2]


def test_a_table_too_large_to_try_is_not_tried() -> None:
    assert linear_weights(parse("accuracy", [str(i) for i in range(41)]), 41, 41) is None
