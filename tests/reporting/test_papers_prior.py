"""The papers' number beside a report of a few classes, and what the report says of its own prior."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import howsure as hs

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

C1 = hs.ConfusionMatrix([[30, 0, 2], [0, 3, 1], [1, 1, 8]], labels=["a", "b", "c"])  # Carrillo et al. 2013


@pytest.mark.full
@pytest.mark.parametrize(("level", "kind"), [(0.95, "hdi"), (0.8, "central")])
def test_it_is_that_of_a_flat_report_in_level_and_kind_of_this_one(level: float, kind: Any) -> None:
    made = hs.report(hs.infer(C1), level=level, kind=kind)
    flat = hs.report(hs.infer(C1, "flat"), level=level, kind=kind)["balanced_accuracy"]
    assert made.papers is not None
    assert (made.papers.mean, made.papers.low, made.papers.high) == (flat.mean, flat.low, flat.high)
    assert made.papers.interval == flat.interval == kind


def test_it_is_left_out_where_nobody_would_look_for_it() -> None:
    assert hs.report(hs.infer(C1, "flat")).papers is None
    assert hs.report(hs.infer(C1, "jeffreys")).papers is None
    assert hs.report(hs.infer(C1), ["recall@a"]).papers is None
    assert hs.report(hs.infer(hs.ConfusionMatrix(np.zeros((3, 3), dtype=int)))).papers is None
