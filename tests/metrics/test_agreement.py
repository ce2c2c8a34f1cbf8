"""Agreement beyond chance, by hand and by scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics

import howsure as hs
from howsure.metrics import REGISTRY, parse

ILL = hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["healthy", "ill"])


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


def test_an_undefined_table_has_no_mcc() -> None:
    empty = hs.ConfusionMatrix([[30, 2, 0], [1, 9, 0], [0, 0, 0]])
    assert hs.infer(empty, "flat").at_prevalence([0.4, 0.4, 0.2]).of("mcc").observed is None
    assert hs.infer(hs.ConfusionMatrix([[3, 0], [2, 0]]), "flat").of("mcc").observed == 0


@pytest.mark.parametrize(("power", "weights"), [(1, "linear"), (2, "quadratic")])
def test_weighted_kappa_is_that_of_scikit_learn(power, weights):
    table = np.random.default_rng(1).poisson(5, (5, 5))
    truth, call = (np.repeat(x.ravel(), table.ravel()) for x in np.indices(table.shape))
    expected = sklearn.metrics.cohen_kappa_score(truth, call, weights=weights)
    assert observed(f"weighted_kappa(power={power})", table) == pytest.approx(expected, abs=1e-12)


def test_krippendorff_of_few_cases_is_scott_with_a_small_correction():
    """Krippendorff's alpha of n cases counts pairs without replacement: alpha = pi + (1 - pi) / 2n."""
    table = ILL.counts.astype(float)
    pooled, n = (table.sum(0) + table.sum(1)), table.sum()
    disagreed = (n - np.trace(table)) / n
    expected = (pooled.sum() ** 2 - (pooled**2).sum()) / (2 * n * (2 * n - 1))
    pi = observed("krippendorff_alpha", table)
    assert 1 - disagreed / expected == pytest.approx(pi + (1 - pi) / (2 * n))
    assert REGISTRY["krippendorff_alpha"] is REGISTRY["scott_pi"]
