"""Metrics at stated shares of the classes: sums over the rows are laws, ratios of three classes or more are drawn."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.errors import NoInformation
from howsure.laws import Linear
from howsure.posterior.distribution import measure_of
from howsure.posterior.knowledge import knowledge_of

COUNTS = [[40, 3, 2], [4, 30, 6], [1, 5, 20]]
SHARES = [0.2, 0.5, 0.3]
TAILS = np.array([0.005, 0.025, 0.3, 0.5, 0.8, 0.975, 0.995])


def at(counts: list[list[int]], shares: list[float], prior: str = "flat") -> hs.Posterior:
    return hs.infer(hs.ConfusionMatrix(counts), prior).at_prevalence(shares)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["specificity@1", "false_positive_rate@0", "informedness@1", "bias@2"])
def test_sums_over_the_rows_agree_with_draws(name: str) -> None:
    post, n = at(COUNTS, SHARES), 20_000
    distribution = post.of(name)
    assert isinstance(distribution.law, Linear)
    measure = measure_of(distribution)
    assert measure is not None
    drawn = knowledge_of(post).drawn([measure], n, 1, 0)[0]
    assert distribution.mean == pytest.approx(drawn.mean(), abs=4 * distribution.sd / np.sqrt(n))
    shares = (drawn[:, None] <= distribution.law.quantile(TAILS)).mean(axis=0)
    np.testing.assert_array_less(np.abs(shares - TAILS), 5 * np.sqrt(TAILS * (1 - TAILS) / n))


@pytest.mark.parametrize("name", ["precision@0", "f1@1", "kappa", "weighted_kappa", "lift@1"])
def test_ratios_of_three_classes_are_drawn(name: str) -> None:
    assert at(COUNTS, SHARES).of(name).route == "simulated"


def test_improper_classes_are_named() -> None:
    with pytest.raises(NoInformation, match="no case of class '1'"):
        at([[9, 1, 1], [0, 0, 0], [1, 1, 30]], SHARES, "haldane").of("precision@0")
