"""What a report says of groups."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources

import jsonschema
import pytest
from tests.posterior.test_grouped_rows import MADE, patients

import howsure as hs
from howsure.numerics.groups.group_bootstrap import clustered_error

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")

SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/report.schema.json").read_text(encoding="utf-8")
)


def test_what_the_cases_are_worth() -> None:
    made = hs.report(hs.infer(MADE)).groups
    assert made is not None
    assert made.correlation is not None
    low, high = made.correlation[1:]
    assert low < 0.15 < high
    assert made.worth == pytest.approx(240 / (1 + 11 * made.correlation[0]))
    assert made.worth_words == f"the 240 cases of 20 groups are equivalent to about {made.worth:.0f}"
    alone = hs.report(hs.infer(patients(12, 1, (0.8, 0.9), 0))).groups
    assert alone is not None
    assert alone.worth_words == "each of the 12 groups has one case, so groups make no difference"
    many = replace(made, cases=400_000, groups=98_095, worth=285_740.3)
    assert many.worth_words == "the 400,000 cases of 98,095 groups are equivalent to about 286,000"
    one = hs.report(hs.infer(patients(1, 9, (0.8, 0.9), 0.1, mixed=True))).groups
    assert one is not None
    assert one.worth is None
    assert "of one group" in one.worth_words


@pytest.mark.full
def test_a_new_group_and_a_new_case_are_told_apart_where_they_differ() -> None:
    """Small groups right, large ones at half: near the mean of the groups, and the note near that of the cases."""
    sizes, right = [2, 3, 3, 4, 5, 5, 6, 8, 10, 14, 20, 40], [2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 11, 20]
    groups = [f"p{i}" for i, n in enumerate(sizes) for _ in range(n)]
    hits = [case < k for n, k in zip(sizes, right, strict=True) for case in range(n)]
    truth = [i % 2 for i in range(len(hits))]
    other = [t if hit or i % 3 else 1 - t for i, (t, hit) in enumerate(zip(truth, hits, strict=True))]
    said = [t if hit else 1 - t for t, hit in zip(truth, hits, strict=True)]
    made = hs.report(hs.infer(hs.ConfusionMatrix.from_predictions(truth, said, group=groups)), ["accuracy"])
    row, told = made.rows[0], made.groups
    assert told is not None
    assert told.by_size is not None
    assert told.by_size.rises < 0.01
    assert row.mean == pytest.approx(0.85, abs=0.08)
    assert told.by_size.law.mean == pytest.approx(sum(right) / sum(sizes), abs=0.08)
    assert told.by_size.sentence in made.notes
    assert "larger groups are right less often" in told.by_size.sentence
    jsonschema.validate(json.loads(json.dumps(made.to_dict())), SCHEMA)
    both = hs.Predictions(truth, {"a": said, "b": other}, group=groups)
    assert any("in the difference each case" in note for note in hs.compare(both, "a", "b", metric="accuracy").notes)
    assert hs.report(hs.infer(MADE)).groups.by_size is None  # type: ignore[union-attr]


def test_the_clustered_error_stands_with_the_classical_companions() -> None:
    groups = MADE.groups
    assert groups is not None
    made = hs.classical(MADE)
    assert made.clustered is not None
    assert made.clustered.error == clustered_error(groups.correct, groups.cases)
    assert f"over 20 groups: {made.clustered.error:.4f}" in str(made)
    assert hs.classical(hs.ConfusionMatrix(MADE.counts)).clustered is None
