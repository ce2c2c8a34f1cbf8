"""The prior of two classes: the section of docs/validity.md by another route, and what it promises."""

from __future__ import annotations

import numpy as np
import pytest
from tests.validation.sections.small_beside_large import counted
from tests.validation.sections.two_classes import METRICS, coverage, intervals, lattice, of_rates, of_recalls

import howsure as hs
from howsure.posterior.priors import CALIBRATED

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

NEARLY_PERFECT = np.array([[0.98, 0.98], [0.99, 0.99], [0.995, 0.995]])


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize(("right", "sizes"), [((9, 10), (10, 10)), ((5, 17), (5, 20)), ((20, 20), (20, 20))])
def test_a_lattice_has_the_intervals_of_the_package(
    metric: str, right: tuple[int, int], sizes: tuple[int, int]
) -> None:
    (k, m), (n, other) = right, sizes
    table = hs.ConfusionMatrix([[m, other - m], [n - k, k]], labels=["healthy", "ill"])
    known = hs.infer(table, shares="chosen").of(metric)
    pair = lattice(k, n, CALIBRATED)[:, None], lattice(m, other, CALIBRATED)[None, :]
    dense, central = intervals(of_recalls(*pair, sizes)[metric].ravel())
    bounds = known.law.support
    for kind, found in (("hdi", dense), ("central", central)):
        ends = known.interval(kind=kind)  # type: ignore[arg-type]
        assert np.clip(found, *bounds) == pytest.approx(tuple(ends), abs=0.12 * known.sd), kind


def test_a_highest_density_interval_contains_nearly_perfect_classes_where_flat_never_does() -> None:
    ours, flat = (coverage((5, 5), s, NEARLY_PERFECT) for s in (CALIBRATED, 1.0))
    assert min(ours[name][0].min() for name in METRICS) > 0.88
    assert flat["balanced_accuracy"][0].min() < 1e-3
    assert flat["mcc"][0].min() < 1e-3


@pytest.mark.full
@pytest.mark.parametrize("n", [5, 10, 20, 50, 100])
def test_a_rate_is_contained_more_often_than_under_jeffreys_at_worst(n: int) -> None:
    grid = np.linspace(0.5, 0.995, 100)
    ours, jeffreys = (of_rates(n, s, grid)[0] for s in (CALIBRATED, 0.5))
    assert ours.min() > max(0.825, jeffreys.min())
    assert ours.mean() > 0.938


@pytest.mark.full
@pytest.mark.parametrize(("classes", "n", "many"), [(1, 10, 10_000), (1, 100, 1_000), (2, 10, 1_000)])
@pytest.mark.parametrize("recall", [0.8, 0.98, 0.995])
def test_a_gate_errs_in_at_most_5_percent_a_side_beside_a_large_set(
    classes: int, n: int, many: int, recall: float
) -> None:
    found = counted(classes, n, many, recall)
    assert max(found["gate"].worse, found["gate"].better) <= 5
    assert found["gate"].worse <= found["prior"].worse <= found["posterior"].worse


@pytest.mark.full
def test_without_the_tail_it_errs_more_often_and_a_clear_difference_is_still_seen() -> None:
    assert counted(2, 10, 1_000, 0.9)["prior"].worse > 10
    assert counted(2, 20, 1_000, 0.7, 0.95)["gate"].worse > 75
