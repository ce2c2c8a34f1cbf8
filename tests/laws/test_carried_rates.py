"""The prevalence behind the verdicts of a judge that was calibrated elsewhere."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from scipy import stats
from tests.conftest import REFERENCE

from howsure.errors import OutOfReach
from howsure.laws import CarriedPrevalence

GOLDEN = [case for case in json.loads((REFERENCE / "judge.json").read_text("utf-8")) if case["name"].startswith("B")]


@pytest.mark.sweep(3, full=5)
@pytest.mark.parametrize("case", GOLDEN, ids=lambda case: case["name"][:30])
def test_golden(case: dict[str, Any]) -> None:
    law = CarriedPrevalence(case["k"], case["N"], tuple(case["se"]), tuple(case["sp"]))
    assert law.mean == pytest.approx(case["mean"], abs=1e-8)
    assert law.sd == pytest.approx(case["sd"], abs=1e-8)
    assert law.interval(kind="central") == pytest.approx(case["central"], abs=1e-8)
    assert law.interval() == pytest.approx(case["hdi"], abs=1e-6)
    assert law.route == "exact"


@pytest.mark.full
@pytest.mark.parametrize(
    ("k", "n", "recall", "specificity"),
    [(30, 100, (6.0, 40.0), (5.0, 18.0)), (0, 12, (3.0, 2.0), (2.0, 2.0))],
)
def test_by_brute_force(k: int, n: int, recall: tuple[float, float], specificity: tuple[float, float]) -> None:
    """A grid of the joint density; the first judge is worse than chance, the second may be either."""
    rates = (np.arange(200) + 0.5) / 200
    theta = (np.arange(200) + 0.5) / 200
    weight = np.outer(stats.beta.pdf(rates, *recall), stats.beta.pdf(rates, *specificity))
    p = theta[:, None, None] * rates[:, None] + (1 - theta[:, None, None]) * (1 - rates)
    density = (weight * np.exp(k * np.log(p) + (n - k) * np.log1p(-p))).sum(axis=(1, 2))
    density /= density.sum()
    law = CarriedPrevalence(k, n, recall, specificity)
    assert law.mean == pytest.approx(density @ theta, abs=1e-4)
    assert law.cdf(0.5) == pytest.approx(density[:100].sum(), abs=1e-4)
    assert law.cdf(0.5) + law.sf(0.5) == pytest.approx(1)
    worse = (weight * (rates[:, None] + rates < 1 - 1e-9)).sum() / weight.sum()
    worse += 0.5 * (weight * (np.abs(rates[:, None] + rates - 1) < 1e-9)).sum() / weight.sum()
    assert law.worse_than_chance == pytest.approx(worse, abs=2e-3)


@pytest.mark.parametrize("call", [(5, 4, (1, 1), (1, 1)), (-1, 4, (1, 1), (1, 1)), (1, 4, (0, 1), (1, 1))])
def test_what_is_no_count_is_refused(call: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        CarriedPrevalence(*call)


@pytest.mark.full
def test_a_contradiction_is_said_in_words() -> None:
    law = CarriedPrevalence(20, 100_000, (86, 16), (901, 101))
    assert law.interval()[0] == 0
    assert law.mean < 1e-3
    impossible = CarriedPrevalence(200, 1_000_000, (8600, 1600), (9001, 1001))
    assert impossible.compatible == pytest.approx(0, abs=1e-12)
    with pytest.raises(OutOfReach, match="contradict"):
        _ = impossible.mean
