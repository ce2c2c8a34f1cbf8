"""Tables that were drawn last are given again, to the bit, and only these are kept."""

from __future__ import annotations

import numpy as np
import pytest

import howsure as hs
from howsure.metrics import Measure, Metric
from howsure.posterior import last_tables
from howsure.posterior.knowledge import knowledge_of

COUNTS = [[30, 3, 2], [4, 25, 6], [1, 5, 40]]


@pytest.mark.parametrize("prior", ["flat", "learned"])
@pytest.mark.parametrize("prevalence", [None, [0.2, 0.3, 0.5]])
def test_they_are_those_that_would_be_drawn(monkeypatch, prior, prevalence):
    post = hs.infer(hs.ConfusionMatrix(COUNTS), prior=prior)
    known = knowledge_of(post if prevalence is None else post.at_prevalence(prevalence))
    kept = [np.concatenate(list(known.tables(700, seed=5))) for _ in range(2)]
    monkeypatch.setattr(last_tables, "KEPT", 0)
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
    monkeypatch.setattr(last_tables, "KEPT", 8_999)
    known = knowledge_of(hs.infer(hs.ConfusionMatrix(COUNTS)))
    last_tables._last.cache_clear()
    assert sum(len(tables) for tables in known.tables(1_000)) == 1_000
    assert last_tables._last.cache_info().currsize == 0


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
    assert last_tables._last.cache_info().currsize == 2


def test_a_report_and_its_predictive_values_draw_one_prior_once(monkeypatch):
    post = hs.infer(hs.ConfusionMatrix(COUNTS))
    rows, passes = knowledge_of(post)._rows, []
    drawing = type(rows).tables
    monkeypatch.setattr(type(rows), "tables", lambda *asked: passes.append(1) or drawing(*asked))
    made = hs.report(post)
    assert any(row.above_chance is not None and row.above_chance.expects_chance for row in made.rows)
    post.predictive_values("1")
    assert len(passes) == 1
