"""Arrays and small integrals: counts, short sums, ranks of ties, tables that are carried."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import betaincinv

from howsure.numerics.arrays import scale_rows, short_sum
from howsure.numerics.carried_prevalence import worse_than_chance
from howsure.numerics.curves.curve_weights import rank_correlation
from howsure.numerics.draws.dense_tables import LatentTables

SOURCES = sorted((Path(__file__).parents[2] / "src").rglob("*.py"))


def test_nobody_counts_or_repeats_by_numpy_alone() -> None:
    # where an address has 32 bits (a browser's WebAssembly) it refuses the 64 bits of our codes
    texts = {path.name: path.read_text(encoding="utf-8") for path in SOURCES}
    for name in ("bincount", "repeat"):
        assert [path for path, text in texts.items() if f"np.{name}(" in text] == ["arrays.py"]


@pytest.mark.parametrize("size", [1, 2, 7, 8])
@pytest.mark.parametrize("many", [3, 3000])
def test_a_short_sum_is_that_of_numpy_to_the_bit(many: int, size: int) -> None:
    tables = np.random.default_rng(size).standard_gamma(2.5, (many, size, size))
    for axis in (-1, -2):
        assert np.array_equal(short_sum(tables, axis), tables.sum(axis))
    assert np.array_equal(short_sum(np.diagonal(tables, axis1=1, axis2=2)), np.trace(tables, axis1=1, axis2=2))


@pytest.mark.parametrize("many", [3, 3000])
def test_rows_are_scaled_as_one_product(many: int) -> None:
    rng = np.random.default_rng(many)
    tables, factor = rng.random((many, 4, 2)), rng.random((many, 4))
    expected = tables * factor[..., None]
    scale_rows(tables, factor)
    assert np.array_equal(tables, expected)


# -- numbers of small cases, counted or integrated by hand: ties, a calibration by chance, equal components -----------


def test_tied_scores_have_the_middle_of_their_ranks() -> None:
    rng = np.random.default_rng(4)
    truth = np.repeat([0, 1], 30)
    scores = rng.integers(0, 5, (3, 60)).astype(float)
    for given in (scores, -scores):
        made = rank_correlation(truth, given)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            apart = [stats.spearmanr(given[i, truth == k], given[j, truth == k]).statistic for k in (0, 1)]
            assert made[i, j] == pytest.approx(np.mean(apart), abs=1e-12)


@pytest.mark.parametrize(("recall", "specificity"), [((5, 4), (3, 4)), ((9, 2), (4, 6)), ((2.5, 3.5), (7, 1.5))])
def test_worse_than_chance_is_one_integral(recall: tuple[float, float], specificity: tuple[float, float]) -> None:
    se, sp = stats.beta(*recall), stats.beta(*specificity)
    by_hand = integrate.quad(lambda x: sp.pdf(x) * se.cdf(1 - x), 0, 1)[0]
    assert worse_than_chance(recall, specificity) == pytest.approx(by_hand, abs=1e-6)


# -- weighted drawings and Gibbs' method are two ways to one posterior; the weight matters ----------------------------

ROWS = np.array([[81.0, 21.0], [16.0, 86.0]])


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
