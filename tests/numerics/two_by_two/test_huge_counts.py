"""Laws of two classes end, and are right, up to the largest count that is exact."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import howsure as hs

LARGEST = 2**53 - 1


@pytest.mark.sweep(4, full=6)
@pytest.mark.parametrize(("total", "prior"), [(10**12, "jeffreys"), (LARGEST, "flat")])
def test_a_law_of_very_many_cases_is_normal_by_the_delta_method(total: int, prior: str) -> None:
    cells = [[total // 11 * 5, total // 22], [total // 22, total // 11 * 5]]
    counts = hs.ConfusionMatrix(cells)
    share = np.array(cells) / counts.n
    for metric in ("f1@1", "precision@1", "mcc", "kappa", "npv@1", "balanced_accuracy", "accuracy"):
        law = hs.infer(counts, prior).of(metric)
        low, high = law.interval(kind="central")
        assert law.mean == pytest.approx(law.observed, abs=0.01 * law.sd), metric
        assert (low, high) == pytest.approx(
            (law.mean - 1.959964 * law.sd, law.mean + 1.959964 * law.sd), abs=0.01 * law.sd
        )
        # the same by the multinomial delta method, with slopes by differences
        slope = np.array([[_moved(metric, share, i, j) for j in (0, 1)] for i in (0, 1)])
        variance = (share * slope**2).sum() - (share * slope).sum() ** 2
        assert law.sd == pytest.approx(np.sqrt(variance / counts.n), rel=1e-3), metric
    short = hs.infer(counts, prior).of("f1@1").interval()
    assert np.diff(short) == pytest.approx(
        np.diff(hs.infer(counts, prior).of("f1@1").interval(kind="central")), rel=1e-3
    )


def _moved(metric: str, share: np.ndarray, i: int, j: int, step: float = 1e-6) -> float:
    """Slope of a metric along one share."""
    up, down = share.copy(), share.copy()
    up[i, j] += step
    down[i, j] -= step
    formula = {
        "f1@1": lambda m: 2 * m[1, 1] / (2 * m[1, 1] + m[0, 1] + m[1, 0]),
        "precision@1": lambda m: m[1, 1] / (m[1, 1] + m[0, 1]),
        "npv@1": lambda m: m[0, 0] / (m[0, 0] + m[1, 0]),
        "accuracy": lambda m: (m[0, 0] + m[1, 1]) / m.sum(),
        "balanced_accuracy": lambda m: (m[0, 0] / m[0].sum() + m[1, 1] / m[1].sum()) / 2,
        "mcc": lambda m: (
            (m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]) / np.sqrt(m[0].sum() * m[1].sum() * m[:, 0].sum() * m[:, 1].sum())
        ),
        "kappa": lambda m: 1 - (1 - np.trace(m) / m.sum()) / (1 - (m.sum(0) * m.sum(1)).sum() / m.sum() ** 2),
    }[metric]
    return float((formula(up) - formula(down)) / (2 * step))


@pytest.mark.full
@pytest.mark.parametrize("cells", [[[0, 10**15], [10**15, 0]], [[10**9, 10**9], [3, 2]]])
def test_lopsided_tables_of_very_many_cases_end_without_a_warning_of_the_arithmetic(cells: list[list[int]]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", hs.errors.PriorShiftWarning)
        for metric in ("f1", "precision", "mcc", "kappa", "npv"):
            law = hs.infer(hs.ConfusionMatrix(cells)).of(metric)
            low, high = law.interval()
            assert np.isfinite([law.mean, law.sd, low, high]).all()
            assert low <= law.mode <= high or law.sd < 1e-12
