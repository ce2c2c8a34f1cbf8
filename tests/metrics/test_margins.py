"""A formula that reads only the diagonal and the margins gives the same on `Margins` as on whole tables."""

import numpy as np
import pytest

from howsure.metrics import REGISTRY, Measure, averages_of, metric
from howsure.metrics.margins import Margins

TABLES = np.random.default_rng(5).gamma(1.0, size=(4, 6, 6))
METRICS = sorted({m.name for m in REGISTRY.values() if m.by_margins})


@pytest.mark.parametrize("name", METRICS)
def test_margins_are_enough(name: str) -> None:
    found = REGISTRY[name]
    assert np.allclose(found(Margins.of(TABLES)), found(TABLES), rtol=1e-12)
    for how in averages_of(found):
        measure = Measure(found, average=how)
        assert np.allclose(measure(Margins.of(TABLES)), measure(TABLES), rtol=1e-12)


def test_the_rates_and_the_correlations_need_no_cells() -> None:
    assert {"recall", "precision", "f1", "mcc", "kappa", "balanced_accuracy", "accuracy"} <= set(METRICS)


def test_a_formula_that_reads_cells_is_noticed() -> None:
    @metric(range=(0, 1), better="higher", reference="this test")
    def first_cell_of_margins_test(m):
        """Share of the first cell."""
        return m[..., 0, 0] / m.sum((-2, -1))

    del REGISTRY["first_cell_of_margins_test"]
    assert not first_cell_of_margins_test.by_margins
