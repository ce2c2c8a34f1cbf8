"""Weighted drawings and Gibbs' method are two ways to one posterior; the weight matters."""

from __future__ import annotations

import numpy as np
import pytest

from howsure.laws import CarriedPrevalence
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.carried_tables import LatentTables, WeightedTables

ROWS = np.array([[81.0, 21.0], [16.0, 86.0]])


def rates_of(rows: Floats) -> WeightedTables:
    """A calibration of Dirichlet rows, whose verdicts elsewhere are 3 to 7."""
    return WeightedTables(source(rows), np.array([300, 700]))


def source(rows: Floats):  # type: ignore[no-untyped-def]
    """Drawn rates of Dirichlet rows."""

    def rates(n: int, seed: list[int]) -> Floats:
        drawn = np.random.default_rng(seed).standard_gamma(rows, (n, *rows.shape))
        return np.asarray(drawn / drawn.sum(axis=2, keepdims=True))

    return rates


def test_the_weight_is_what_makes_the_prevalence_flat_beforehand() -> None:
    law = CarriedPrevalence(700, 1000, recall=(86, 16), specificity=(81, 21))
    drawn = rates_of(ROWS)
    _, classes, _, weights = drawn.proposed(200_000, [3])
    with_it = float(weights @ classes[:, 1] / weights.sum())
    without = float(classes[weights > 0, 1].mean())
    assert with_it == pytest.approx(law.mean, abs=5e-4)
    assert abs(without - law.mean) > 3e-3
    order = np.argsort(classes[:, 1])
    share = np.cumsum(weights[order]) / weights.sum()
    ends = classes[order, 1][np.searchsorted(share, [0.025, 0.975])]
    assert ends == pytest.approx(law.interval(kind="central"), abs=2e-3)
    # 200,000 drawings, kept .9995 of them, and worth nearly as many
    assert weights.sum() ** 2 / (weights**2).sum() > 150_000


def test_spending_the_weights_keeps_them() -> None:
    drawn = rates_of(ROWS)
    spent = drawn.spent([0])
    assert (spent.kept, spent.reversed) == (pytest.approx(0.9995, abs=1e-3), 0)
    tables = np.concatenate(list(drawn.tables(50_000, spent, [1])))
    law = CarriedPrevalence(700, 1000, recall=(86, 16), specificity=(81, 21))
    assert len(tables) == 50_000
    assert tables[:, 1].sum(axis=1).mean() == pytest.approx(law.mean, abs=5 * law.sd / np.sqrt(50_000))


@pytest.mark.parametrize("called", [[300, 700], [980, 20], [0, 40], [980_000, 20_000]])
def test_gibbs_method_against_drawings_of_prevalence_and_rates(called: list[int]) -> None:
    latent = LatentTables(ROWS, np.array(called))
    memory = latent.memory([0])
    assert memory < 60  # also of a million verdicts, because the rates slide
    drawn = np.concatenate(list(latent.tables(8_000, memory, [1])))[:, 1].sum(axis=1)
    # brute force: prevalence on a grid, rates by quasi-random Betas
    rng = np.random.default_rng(5)
    grid = (np.arange(2_000) + 0.5) / 2_000 if called[0] < 900 else (np.arange(2_000) + 0.5) / 50_000
    false, right = rng.beta(21, 81, 4_000_00), rng.beta(86, 16, 4_000_00)
    keep = false < max(0.08, 0.0) if called[0] >= 900 else np.ones(len(false), dtype=bool)
    false, right = false[keep][:4_000], right[keep][:4_000]
    p = grid[:, None] * right + (1 - grid[:, None]) * false
    log = called[1] * np.log(p) + called[0] * np.log1p(-p)
    density = np.exp(log - log.max()).sum(axis=1)
    mean = float(density @ grid / density.sum())
    sd = float(np.sqrt(density @ (grid - mean) ** 2 / density.sum()))
    tolerance = 0.25 if called[0] >= 900 else 0.1
    assert drawn.mean() == pytest.approx(mean, abs=tolerance * sd)


def test_three_classes_by_both_methods() -> None:
    rows = np.array([[81.0, 15.5, 5.5], [10.5, 81.0, 10.5], [5.5, 10.5, 86.0]])
    called = np.array([700, 200, 100])
    weighted, latent = WeightedTables(source(rows), called), LatentTables(rows, called)
    one = np.concatenate(list(weighted.tables(10_000, weighted.spent([0]), [1]))).sum(axis=2)
    other = np.concatenate(list(latent.tables(10_000, latent.memory([2]), [3]))).sum(axis=2)
    error = np.sqrt(one.var(axis=0) / 5_000)
    assert np.all(np.abs(one.mean(axis=0) - other.mean(axis=0)) < 5 * error)
    assert other.std(axis=0) == pytest.approx(one.std(axis=0), rel=0.05)
