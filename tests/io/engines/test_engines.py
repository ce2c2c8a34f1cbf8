"""Twelve hard cases have the same counts on every engine."""

from __future__ import annotations

import importlib
import os

import pytest
from tests.io.engines.hard import CASES, ENGINES, expected

import howsure as hs

OWN_ENVIRONMENT = {"spark": pytest.mark.spark, "modin": pytest.mark.modin}


def cells(counts: hs.Counts) -> dict[tuple[str | None, ...], int]:
    labels, found = counts.labels, counts.cells
    return {
        (labels[t], labels[p[0]], *counts.groups[g]): n
        for t, p, g, n in zip(
            found.truth.tolist(), found.answers.tolist(), found.group.tolist(), found.cases.tolist(), strict=True
        )
    }


@pytest.mark.full
@pytest.mark.sweep(5, full=40)
@pytest.mark.parametrize("engine", [pytest.param(e, marks=OWN_ENVIRONMENT.get(e, ())) for e in ENGINES])
def test_every_engine_counts_the_same(engine: str) -> None:
    for name, case in CASES.items():
        counts = hs.count(ENGINES[engine](case), y_true="t", y_pred="p", **case.options)
        assert cells(counts) == expected(case), name
        rows = len(case.columns["t"])
        assert counts.read == rows
        assert counts.n == sum(expected(case).values())
        if "weight" not in case.options:
            assert sum(aside.rows for aside in counts.set_aside) == rows - counts.n


@pytest.mark.skipif("CI" not in os.environ, reason="a user need not have every engine; continuous integration must")
@pytest.mark.parametrize(
    "module", ["pandas", "polars", "pyarrow", "duckdb", "dask.dataframe", "ibis", "sqlframe.duckdb", "zstandard"]
)
def test_no_engine_is_skipped_in_continuous_integration(module: str) -> None:
    importlib.import_module(module)
