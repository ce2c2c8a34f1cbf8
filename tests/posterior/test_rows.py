"""Class rows: laws without K x K numbers, the learned prior, and the last tables, which are given again."""

from __future__ import annotations

import numpy as np
import pytest
from tests.conftest import recalls_of

import howsure as hs
from howsure.errors import InvalidArgument, NoInformation
from howsure.laws import Linear
from howsure.metrics import Measure, Metric, parse
from howsure.posterior import rows
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


def test_recalls_share_their_rows_with_the_averages() -> None:
    post = hs.infer(sparse_matrix(5, 9), "flat")
    mean = sum(recalls_of(post), start=Linear()) / 5
    left = post.of("balanced_accuracy").law - mean
    assert left.sd < 1e-15
    np.testing.assert_allclose([law.sd for law in recalls_of(post)], knowledge_of(post).recall_sds, rtol=1e-12)
    np.testing.assert_allclose([law.mean for law in recalls_of(post)], knowledge_of(post).recall_means, rtol=1e-12)


@pytest.mark.full
@pytest.mark.parametrize("name", ["mcc", "f1@macro", "precision@3"])
def test_sparse_draws_have_the_law_of_dense_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cm, draws = sparse_matrix(60, 12), 4000
    measure = parse(name, cm.labels)
    sparse = knowledge_of(hs.infer(cm, "flat")).drawn([measure], draws, 1, 0)[0]
    monkeypatch.setattr(rows, "FEWEST_SPARSE", 10**9)
    dense = knowledge_of(hs.infer(cm, "flat")).drawn([measure], draws, 2, 0)[0]
    sd = dense.std()
    assert abs(sparse.mean() - dense.mean()) < 4.5 * sd * np.sqrt(2 / draws)
    assert sparse.std() == pytest.approx(sd, rel=0.07)
    for p in (0.025, 0.25, 0.5, 0.75, 0.975):
        # the share of one sample below the other's quantile is as sure as a share of 4,000 is
        assert abs((sparse <= np.quantile(dense, p)).mean() - p) < 5 * np.sqrt(2 * p * (1 - p) / draws)


def test_huge_tables_are_refused_where_a_metric_needs_them() -> None:
    places = np.arange(20_000)
    cm = hs.ConfusionMatrix.from_cells(places, places, np.full(20_000, 3))
    with pytest.raises(InvalidArgument, match="prior 'dirichlet1' adds cases to 4e\\+08 cells"):
        hs.infer(cm, "dirichlet1").of("mcc")
    with pytest.raises(InvalidArgument, match="do not fit"):
        hs.infer(cm, "flat").draw(100)
    with pytest.raises(NoInformation, match="class '0'"):
        hs.infer(cm, "haldane").of("balanced_accuracy")


TABLE = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])


@pytest.fixture(scope="module")
def post() -> hs.Posterior:
    return hs.infer(TABLE, "learned")


def test_at_a_stated_prevalence_accuracy_is_a_sum_of_learned_recalls(post: hs.Posterior) -> None:
    shares = [0.5, 0.25, 0.25]
    law = post.at_prevalence(shares).of("accuracy")
    assert law.mean == pytest.approx(
        sum(w * post.of(f"recall@{label}").mean for w, label in zip(shares, post.labels, strict=True)), abs=1e-9
    )
    assert post.at_prevalence(shares).of("precision@a").route == "simulated"


def test_drawn_numbers_are_not_weighted_by_a_law_that_is_known_less_well() -> None:
    """One dead class among perfect ones: the worst rate is its recall, and was 0.1 off it, by the balanced accuracy."""
    dead = hs.infer(hs.ConfusionMatrix([[0, 20, 0, 0], [0, 20, 0, 0], [0, 0, 20, 0], [0, 0, 0, 20]]))
    worst, recall = dead.of("worst_rate"), dead.of("recall@0")
    assert worst.route == "simulated"
    places = recall.quantile([0.2, 0.4, 0.5, 0.6, 0.8])
    assert worst.cdf(places) == pytest.approx(recall.cdf(places), abs=0.02)


COUNTS = [[30, 3, 2], [4, 25, 6], [1, 5, 40]]


@pytest.mark.parametrize(("prior", "prevalence"), [("flat", None), ("learned", [0.2, 0.3, 0.5])])
def test_they_are_those_that_would_be_drawn(monkeypatch, prior, prevalence):
    post = hs.infer(hs.ConfusionMatrix(COUNTS), prior=prior)
    known = knowledge_of(post if prevalence is None else post.at_prevalence(prevalence))
    kept = [np.concatenate(list(known.tables(700, seed=5))) for _ in range(2)]
    monkeypatch.setattr(rows, "KEPT", 0)
    drawn = np.concatenate(list(known.tables(700, seed=5)))
    assert kept[0].tobytes() == kept[1].tobytes() == drawn.tobytes()
    other = np.concatenate(list(known.tables(700, seed=6)))
    assert not np.array_equal(other, drawn)


def test_one_pass_serves_a_report_and_nobody_changes_it(monkeypatch):
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(COUNTS)))
    passes = []
    drawing = type(known._rows).tables
    monkeypatch.setattr(type(known._rows), "tables", lambda *asked: passes.append(1) or drawing(*asked))
    for metric in ("f1@macro", "mcc", "precision@0"):
        known.of(metric)
    assert len(passes) == 1
    with pytest.raises(ValueError, match="read-only"):
        next(iter(known.tables()))[:] = 0


def test_many_numbers_are_not_kept(monkeypatch):
    monkeypatch.setattr(rows, "KEPT", 8_999)
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(COUNTS)))
    rows._last.cache_clear()
    assert sum(len(tables) for tables in known.tables(1_000)) == 1_000
    assert rows._last.cache_info().currsize == 0


def test_a_metric_from_outside_may_work_in_place():
    def first_cell(tables):
        tables /= tables.sum(axis=(-2, -1), keepdims=True)
        return tables[..., 0, 0]

    declared = Metric("first_cell_of_mine", first_cell, "table", (0, 1), "higher", "own")
    post = hs.infer(hs.ConfusionMatrix(COUNTS))
    before = post.of("mcc").mean
    mine = post.of(Measure(declared), draws=2_000).mean
    assert mine == pytest.approx(post.of(lambda m: m[..., 0, 0] / m.sum(axis=(-2, -1)), draws=2_000).mean)
    assert post.of("mcc").mean == before


def test_only_the_last_are_kept_and_each_stream_is_its_own():
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(COUNTS)))
    first, second, _ = (np.concatenate(list(known.tables(500, seed=5, stream=stream))) for stream in (0, 1, 2))
    assert not np.array_equal(first, second)
    assert rows._last.cache_info().currsize == 2
