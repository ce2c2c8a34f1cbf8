"""Class rows of many classes: laws without K x K coefficients, draws without K x K numbers."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from tests.conftest import recalls_of

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.laws import DirichletRows, Linear, Part
from howsure.metrics import REGISTRY, Measure, metric, parse
from howsure.posterior import independent_rows
from howsure.posterior.knowledge import knowledge_of


def sparse_matrix(size: int, cases: int, seed: int = 0) -> hs.ConfusionMatrix:
    rng = np.random.default_rng(seed)
    true = np.repeat(np.arange(size), cases)
    pred = np.where(rng.random(len(true)) < 0.3, (true + rng.integers(1, size, len(true))) % size, true)
    return hs.ConfusionMatrix.from_predictions(true, pred, labels=range(size))


def test_a_lumped_law_is_the_full_one() -> None:
    post = hs.infer(sparse_matrix(6, 8), "jeffreys")
    weights = np.array([0.5, 0.0, -0.2, 0.3, 0.1, 1.0])
    lumped, full = knowledge_of(post).of_recalls(weights, 0.25), knowledge_of(post).linear(np.diag(weights), 0.25)
    assert lumped.mean == pytest.approx(full.mean, rel=1e-14)
    assert lumped.sd == pytest.approx(full.sd, rel=1e-12)
    np.testing.assert_allclose(lumped.interval(), full.interval(), rtol=1e-9)
    assert (lumped - full).sd == 0
    assert (lumped - full).mean == 0
    assert (lumped - lumped).support == (0.0, 0.0)
    # a lumped row meets one with a coefficient in every cell
    cost = np.arange(36.0).reshape(6, 6)
    both = lumped + knowledge_of(post).linear(cost)
    expected = knowledge_of(post).linear(cost + np.diag(weights), 0.25)
    assert both.mean == pytest.approx(expected.mean, rel=1e-14)
    assert both.sd == pytest.approx(expected.sd, rel=1e-12)


def test_lumped_parts_of_some_rows_add_up() -> None:
    block = DirichletRows([[5.0, 1, 1], [2, 6, 1], [1, 1, 9]])
    np.testing.assert_array_equal(block.pairs, [[5, 2], [6, 3], [9, 2]])
    first = Part(block, np.array([0]), np.array([[1.0, 0.0]]), lumped=True)
    last = Part(block, np.array([2]), np.array([[0.0, 2.0]]), lumped=True)
    law = Linear.of_parts([first, last])
    assert law.mean == pytest.approx(5 / 7 + 2 * 2 / 11)
    np.testing.assert_array_equal(last.widened().table, [[2.0, 2.0, 0.0]])
    assert (law - Linear.of_parts([last]) - Linear.of_parts([first])).sd == 0


def test_recalls_share_their_rows_with_the_averages() -> None:
    post = hs.infer(sparse_matrix(5, 9), "flat")
    mean = sum(recalls_of(post), start=Linear()) / 5
    left = post.of("balanced_accuracy").law - mean
    assert left.sd < 1e-15
    np.testing.assert_allclose([law.sd for law in recalls_of(post)], knowledge_of(post).recall_sds, rtol=1e-12)
    np.testing.assert_allclose([law.mean for law in recalls_of(post)], knowledge_of(post).recall_means, rtol=1e-12)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["mcc", "kappa", "f1@macro", "precision@macro", "precision@3", "f1@0", "bias@7"])
def test_sparse_draws_have_the_law_of_dense_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cm, draws = sparse_matrix(60, 12), 4000
    measure = parse(name, cm.labels)
    sparse = knowledge_of(hs.infer(cm, "flat")).drawn([measure], draws, 1, 0)[0]
    monkeypatch.setattr(independent_rows, "FEWEST_SPARSE", 10**9)
    dense = knowledge_of(hs.infer(cm, "flat")).drawn([measure], draws, 2, 0)[0]
    sd = dense.std()
    assert abs(sparse.mean() - dense.mean()) < 4.5 * sd * np.sqrt(2 / draws)
    assert sparse.std() == pytest.approx(sd, rel=0.07)
    for p in (0.025, 0.25, 0.5, 0.75, 0.975):
        # the share of one sample below the other's quantile is as sure as a share of 4,000 is
        assert abs((sparse <= np.quantile(dense, p)).mean() - p) < 5 * np.sqrt(2 * p * (1 - p) / draws)


def test_a_metric_of_cells_sees_the_tables_whose_margins_the_others_see() -> None:
    @metric(range=(0, 1), better="higher", reference="this test")
    def sparse_rows_test_trace(m):  # type: ignore[no-untyped-def]
        """Share of the cases that are right, and nothing for a table by margins."""
        return m[..., 0, 0] * 0 + np.trace(m, axis1=-2, axis2=-1) / m.sum((-2, -1))

    del REGISTRY["sparse_rows_test_trace"]
    post = hs.infer(sparse_matrix(60, 5), "flat")
    tables, correlation = post.draw(300), REGISTRY["mcc"]
    np.testing.assert_allclose(tables.sum((1, 2)), 1, rtol=1e-12)
    assert correlation.by_margins
    np.testing.assert_allclose(
        knowledge_of(post).drawn([Measure(correlation)], 300, 0, 0)[0], correlation(tables), rtol=1e-9
    )
    assert not sparse_rows_test_trace.by_margins
    by_cells = knowledge_of(post).drawn([Measure(sparse_rows_test_trace)], 300, 0, 0)[0]
    np.testing.assert_allclose(by_cells, np.trace(tables, axis1=1, axis2=2), rtol=1e-12)


def test_three_thousand_classes_need_no_table() -> None:
    post = hs.infer(sparse_matrix(3000, 20), "flat")
    tracemalloc.start()
    try:
        assert knowledge_of(post).of("balanced_accuracy").route == "exact"
        drawn = post.of("mcc", draws=100)
        assert drawn.mean == pytest.approx(drawn.observed, abs=0.02)
        assert knowledge_of(post).of("f1@macro", draws=100).sd > 0
        assert len(recalls_of(post)) == 3000
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # ten draws of 3,000 x 3,000 doubles are 720 MB
    assert most < 300 * 2**20


def test_huge_tables_are_refused_where_a_metric_needs_them() -> None:
    places = np.arange(20_000)
    cm = hs.ConfusionMatrix.from_cells(places, places, np.full(20_000, 3))
    with pytest.raises(InvalidArgument, match="prior 'dirichlet1' adds cases to 4e\\+08 cells"):
        hs.infer(cm, "dirichlet1").of("mcc")
    with pytest.raises(InvalidArgument, match="do not fit"):
        hs.infer(cm, "flat").draw(100)
    with pytest.raises(NoInformation, match="class '0'"):
        hs.infer(cm, "haldane").of("balanced_accuracy")


def test_many_numbers_a_draw_mean_fewer_draws_and_the_text_says_so() -> None:
    places = np.arange(40_000)
    cells = hs.ConfusionMatrix.from_cells(places, (places + 1) % 40_000, np.full(40_000, 3))
    assert knowledge_of(hs.infer(cells, "flat")).usual_draws == 2_900
    assert knowledge_of(hs.infer(sparse_matrix(60, 5), "flat")).usual_draws == 20_000
    assert "(300 draws, Monte Carlo error" in repr(hs.infer(sparse_matrix(60, 5), "flat").of("mcc", draws=300))
