"""Metrics without an upper end: what is infinite is said, drawn and written as such."""

from __future__ import annotations

import json

import numpy as np
import pytest

import howsure as hs
from howsure.errors import NoInformation
from howsure.metrics import parse


def observed(name, table):
    labels = [str(i) for i in range(len(table))]
    return parse(name, labels, labels[-1]).observed(np.asarray(table, dtype=float))


@pytest.mark.full
@pytest.mark.parametrize(("counts", "metric"), [([[5, 0], [7, 0]], "f1_gain"), ([[0, 5], [7, 0]], "log_dor")])
def test_ratios_beyond_all_numbers_are_infinite_and_not_a_warning(counts: list[list[int]], metric: str) -> None:
    post = hs.infer(hs.ConfusionMatrix(counts), "learned")
    known = post.of(metric)
    assert known.interval().low <= known.interval().high
    sensitivity = post.prior_sensitivity(metric, draws=500)
    assert "nan" not in str(sensitivity)
    assert "inf sd" not in str(sensitivity)
    assert json.loads(json.dumps(sensitivity.to_dict(), allow_nan=False))["metric"]


def test_what_is_infinite_in_every_draw_says_so() -> None:
    worse = hs.infer(hs.ConfusionMatrix([[0, 500], [700, 0]]), "learned")
    with pytest.raises(NoInformation, match=r"is infinite in every draw"):
        worse.of("number_needed_to_diagnose", draws=500)


def test_a_ratio_whose_mean_is_infinite_says_so_and_keeps_its_interval():
    known = hs.infer(hs.ConfusionMatrix([[12, 0], [2, 9]], labels=["healthy", "ill"]), "flat").of("lr+")
    assert known.route == "exact"
    assert known.mean == known.sd == np.inf
    assert known.observed == np.inf
    assert known.prior_shift is None
    low, high = known.interval()
    assert 0 < low < known.median < high < np.inf
    assert repr(known).startswith("positive_likelihood_ratio@ill infinite (")
