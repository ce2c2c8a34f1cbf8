"""Simulated tests and what they teach."""

import numpy as np
import pytest

from howsure.laws import Beta, BetaSum, PairedDifference
from howsure.numerics.solve.densest import hdi_widths
from howsure.numerics.trials.simulated_tests import (
    gains_learned,
    posterior_margins,
    posterior_tables,
    simulated_recalls,
)


def rng() -> np.random.Generator:
    return np.random.default_rng(11)


def test_recalls_are_of_the_truth_whose_turn_it_is() -> None:
    tables = np.array([[[0.72, 0.18], [0.05, 0.05]], [[0.02, 0.18], [0.04, 0.76]]])  # recalls and shares of their own
    right, cases = simulated_recalls(tables, 1_000, rng(), None, np.arange(400) % 2)
    for turn, shares, recalls in ((0, [0.9, 0.1], [0.8, 0.5]), (1, [0.2, 0.8], [0.1, 0.95])):
        assert cases[turn::2].mean(axis=0) / 1_000 == pytest.approx(shares, abs=0.01)
        assert right[turn::2].sum(axis=0) / cases[turn::2].sum(axis=0) == pytest.approx(recalls, abs=0.02)


@pytest.mark.sweep(2, full=4)
@pytest.mark.parametrize("law", [Beta(80, 20), Beta(20, 1)])
def test_widths_from_draws_are_those_of_the_law(law: BetaSum) -> None:
    values = np.stack([law.sample(1000, seed=i) for i in range(400)])
    widths = hdi_widths(values, 0.95)
    assert widths.mean() == pytest.approx(law.interval().width, rel=0.02)


def test_large_tables_and_pairs_with_a_pool_have_the_moments_of_their_dirichlet() -> None:
    """Cells without a case come from a pool; mean and covariance are those of Dirichlets over all cells."""
    size, generator = 5, np.random.default_rng(2)
    pairs = generator.multinomial(9, np.full(size**2, size**-2.0), size).reshape(size, size, size)
    base = generator.uniform(0.01, 0.2, (size, size, size))
    new, old = (np.concatenate(part)[0] for part in zip(
        *posterior_margins(pairs[None], base, 1.0, np.ones(size), 40_000, generator), strict=True))  # fmt: skip
    whole = (pairs + base)[1] / (pairs + base)[1].sum()
    first, second = whole.sum(1), whole.sum(0)
    assert new[:, 1].mean(0) == pytest.approx(first, abs=0.004)
    assert old[:, 1].mean(0) == pytest.approx(second, abs=0.004)
    covariance = (whole - np.outer(first, second)) / ((pairs + base)[1].sum() + 1)
    found = np.cov(new[:, 1].T, old[:, 1].T)[:size, size:]
    assert found == pytest.approx(covariance, abs=5e-4)

    counts, prior = pairs.sum(-1), base[0]
    tables = np.concatenate(list(posterior_tables(counts[None], prior, 0.4, None, 40_000, generator)), axis=1)[0]
    assert tables.sum((-2, -1)) == pytest.approx(1.0)
    rows, sizes = counts + prior, counts.sum(1) + 0.4
    expected = rows / rows.sum(1, keepdims=True) * (sizes / sizes.sum())[:, None]
    assert tables.mean(0) == pytest.approx(expected, abs=0.002)
    recalls = tables[:, 0] / tables[:, 0].sum(-1, keepdims=True)
    assert recalls.std(0) == pytest.approx([Beta(x, rows[0].sum() - x).sd for x in rows[0]], abs=0.002)


def test_gains_learn_from_half_a_case_of_each_pattern() -> None:
    """Both right, only the new one, only the old one, neither: Dirichlet(counts + 1/2), also without a case."""
    gains = gains_learned(np.zeros((1, 2, 2, 2), dtype=np.int64), 100_000, np.random.default_rng(0))
    assert gains.mean() == pytest.approx(0, abs=0.01)
    assert gains.var() == pytest.approx(1 / 6, rel=0.02)
    counts = np.zeros((1, 2, 2, 2), dtype=np.int64)
    counts[0, 0] = [[5, 3], [1, 2]]  # both right; only the new one; only the old one; neither
    law = PairedDifference([[5.5, 3.5, 1.5, 2.5]])
    found = gains_learned(counts, 100_000, np.random.default_rng(1))[0, :, 0]
    assert found.mean() == pytest.approx(law.mean, abs=0.005)
    assert found.std() == pytest.approx(law.sd, rel=0.02)
