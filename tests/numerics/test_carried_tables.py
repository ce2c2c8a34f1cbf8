"""Weighted drawings and Gibbs' method are two ways to one posterior; the weight matters."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betaincinv

from howsure.laws import CarriedPrevalence
from howsure.numerics.arrays import Floats
from howsure.numerics.draws.carried_tables import LatentTables, Rates, WeightedTables

ROWS = np.array([[81.0, 21.0], [16.0, 86.0]])


def rates_of(rows: Floats) -> WeightedTables:
    """A calibration of Dirichlet rows, whose verdicts elsewhere are 3 to 7."""
    return WeightedTables(source(rows), np.array([300, 700]))


def source(rows: Floats) -> Rates:
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
    assert abs(without - law.mean) > 1e-3
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


@pytest.mark.full
def test_gibbs_method_against_a_grid() -> None:
    called = [960, 40]
    latent = LatentTables(ROWS, np.array(called))
    memory = latent.memory([0])
    assert memory < 60  # also of a million verdicts, because the rates slide
    drawn = np.concatenate(list(latent.tables(4_000, memory, [1])))[:, 1].sum(axis=1)
    mean, sd = by_grid(*called)
    assert drawn.mean() == pytest.approx(mean, abs=5 * sd / np.sqrt(2_000))
    assert drawn.std() == pytest.approx(sd, rel=0.1)


def by_grid(negative: int, positive: int) -> tuple[float, float]:
    """Mean and sd of the prevalence: verdicts and rates on grids, the weight 1 / |J|, and theta within 0 and 1."""
    middle = (np.arange(400) + 0.5) / 400
    shares = betaincinv(positive + 1, negative + 1, (np.arange(60) + 0.5) / 60)
    total = np.zeros(3)
    for p in shares:
        beyond = max(0.6 - p, 0.0)
        false = np.concatenate([middle * p, p + middle * beyond])  # a corner at v = p
        weight = np.repeat([p, beyond], 400) * np.exp(20 * np.log(false) + 80 * np.log1p(-false))
        right = 0.5 + middle[:, None] / 2
        weight = weight * np.exp(85 * np.log(right) + 15 * np.log1p(-right)) / np.abs(right - false)
        theta = (p - false) / (right - false)
        weight = np.where((theta >= 0) & (theta <= 1), weight, 0.0)
        total += [weight.sum(), (weight * theta).sum(), (weight * theta**2).sum()]
    mean = total[1] / total[0]
    return float(mean), float(np.sqrt(total[2] / total[0] - mean**2))
