"""Where the prior would make the verdict of a gate, the gate is inconclusive, and says so."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import howsure as hs
from howsure.questions.gate_rule import OneSet, cases_to_settle, prior_decides

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMA = json.loads(resources.files("howsure.answers").joinpath("schemas/gate.schema.json").read_text(encoding="utf-8"))


def table(right: int, n: int, classes: int) -> hs.ConfusionMatrix:
    """Classes of n cases, of each so many right; the others are called the next class."""
    counts = np.eye(classes, dtype=int) * right
    return hs.ConfusionMatrix(counts + np.roll(np.eye(classes, dtype=int), 1, axis=1) * (n - right))


def equals(small: int = 20, large: int = 200, classes: int = 9, prior: str = "flat") -> list[hs.Posterior]:
    """Both 95% right in every class."""
    return [hs.infer(table(n * 19 // 20, n, classes), prior) for n in (small, large)]


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_the_prior_decides_where_more_than_half_of_the_distance_is_its_own(distance: float, pull: float) -> None:
    """Two routes: the pull against the distance, and the observed distance against half of the mean's."""
    observed = distance - pull
    towards = np.sign(distance)
    if abs(pull - distance / 2) > 1e-9 and distance:
        assert prior_decides(distance, pull) == bool(towards * observed < abs(distance) / 2)


def test_equal_scores_on_test_sets_of_unlike_size_do_not_fail_the_gate() -> None:
    small, large = equals()
    made = hs.gate(small, large)
    row = made.rows[0]
    assert row.p_fail > 0.95
    assert (row.by_prior, row.verdict, made.verdict) == (True, "inconclusive", "inconclusive")
    assert row.difference is not None
    assert row.difference.observed == pytest.approx(0, abs=1e-12)
    # closed form: the mean of Beta(k + 1, n - k + 1)
    assert row.difference.mean == pytest.approx(20 / 22 - 191 / 202, abs=1e-12)
    assert "the flat prior makes more than half of what speaks for a verdict" in made.sentence
    assert "from 0.000 as observed to -0.036" in made.sentence
    assert "more cases would hardly settle it" in made.sentence
    jsonschema.validate(made.to_dict(), SCHEMA)
    assert made.to_dict()["metrics"][0]["by_prior"] is True
    turned = hs.gate(large, small)
    assert (turned.rows[0].by_prior, turned.verdict) == (True, "inconclusive")
    assert turned.rows[0].p_pass > 0.95
    error = hs.gate(small, large, metric="false_positive_rate@macro")
    assert error.verdict == "inconclusive"


def test_a_pair_is_never_decided_by_its_prior_without_a_margin() -> None:
    """The mean difference of a class is the observed one times n / (n + 4/3): nearer to 0, never beyond it."""
    both = hs.Predictions([0] * 6 + [1] * 30, {"A": [0] * 6 + [1] * 30, "B": [1] * 6 + [1] * 30})
    row = hs.gate(both, metric="recall@0").rows[0]
    assert row.difference is not None
    assert row.difference.mean == pytest.approx(6 / (6 + 4 / 3), abs=1e-12)
    assert (row.by_prior, row.verdict) == (False, "pass")


def test_a_floor_is_not_failed_by_the_prior() -> None:
    perfect = hs.infer(table(3, 3, 10), "flat")
    made = hs.gate(perfect, floor=0.95)
    row = made.rows[0]
    assert row.p_fail > 0.95
    assert (row.by_prior, made.verdict) == (True, "inconclusive")
    assert "it moves balanced_accuracy from 1.00 as observed to 0.80" in made.sentence
    assert row.more_cases is not None
    jsonschema.validate(made.to_dict(), SCHEMA)
    wrong = hs.gate(perfect, metric="error_rate", floor=0.05)
    assert not wrong.rows[0].by_prior


def test_further_cases_are_counted_without_the_pull() -> None:
    # sd 0.06 and a pull of -0.02 of 20 cases hide an observed 0.03
    assert cases_to_settle(0.03, [OneSet(20, 0.06, -0.02)], 0.95) == 230
    assert cases_to_settle(0.03, [OneSet(20, 0.06, 0.0)], 0.95) == 200
    # nothing observed, so nothing to settle: the pull alone would have been "settled"
    assert cases_to_settle(0.0, [OneSet(20, 0.01, -0.04)], 0.95) is None
    assert cases_to_settle(0.1, [OneSet(0, 0.1, 0.0)], 0.95) is None
