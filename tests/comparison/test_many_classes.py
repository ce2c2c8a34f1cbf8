"""Comparisons of ten classes under the learned prior."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

import howsure as hs
from howsure.numerics.beta_sum import series_law
from howsure.numerics.learned.population import Population

TEN = [f"c{i}" for i in range(10)]


def ten_classes(seed: int, right: float = 0.8, cases: int = 12) -> hs.ConfusionMatrix:
    rng = np.random.default_rng(seed)
    counts = np.zeros((10, 10), dtype=int)
    for i in range(10):
        k = int(rng.binomial(cases, right))
        counts[i, i], counts[i, (i + 1) % 10] = k, cases - k
    return hs.ConfusionMatrix(counts, TEN)


def recall_cdf(matrix: hs.ConfusionMatrix, i: int, x: np.ndarray) -> np.ndarray:
    """Distribution function of one recall under the learned prior, straight from the nodes."""
    recalls = Population(np.diag(matrix.counts), matrix.counts.sum(1))
    nodes, place = recalls.nodes, recalls.tallies.place[i]
    broad = (nodes.weight * nodes.broad[:, :, place]).sum(0)
    alpha, beta = (p[:, place, None] for p in recalls.main_part(nodes.a, nodes.b, nodes.y))
    wide = special.betainc(*(p[place] for p in recalls.broad_part), x)
    return np.asarray((nodes.weight.sum(0) - broad) @ special.betainc(alpha, beta, x) + broad.sum() * wide)


def test_ten_classes_are_compared_without_integrals_of_far_tails(monkeypatch: pytest.MonkeyPatch) -> None:
    made = hs.compare(*(hs.infer(ten_classes(seed), "learned") for seed in (1, 2)))
    law = made.difference.law
    x = np.linspace(-0.15, 0.15, 7)
    fitted = law._by_betas._cdf(x)  # type: ignore[attr-defined]  # by Betas of right moments: another route

    def refused(*_: object) -> None:
        raise AssertionError("relative accuracy in the tails is of no use to a law over nodes")

    monkeypatch.setattr(series_law, "pair_tail", refused)
    np.testing.assert_allclose(law.cdf(x), fitted, atol=1e-3)
    np.testing.assert_allclose(law.sf(x), 1 - fitted, atol=1e-3)
    assert "<svg" in made._repr_html_()
    assert made.expected_loss.a + made.expected_loss.b > abs(law.mean)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("right", [0.8, 1.0])
def test_recalls_of_learned_classes_differ_by_their_nodes_and_not_by_a_fit(right: float) -> None:
    one, two = ten_classes(3, right), ten_classes(4, right, cases=7)
    rows = hs.compare(hs.infer(one, "learned"), hs.infer(two, "learned")).per_class
    x = 1 - np.concatenate((np.linspace(0, 1, 2001)[:0:-1] ** 3, [0.0]))
    for i in (0, 5):
        F, G = recall_cdf(one, i, x), recall_cdf(two, i, x)
        expected = float((np.diff(F) * (G[1:] + G[:-1]) / 2).sum())
        assert rows[i].law == "drawn"
        assert rows[i].p_better == pytest.approx(expected, abs=0.016)  # 4 standard errors, and the grid's
    assert "drawn ±" in str(hs.compare(hs.infer(one, "learned"), hs.infer(two, "learned"), metric="accuracy"))
