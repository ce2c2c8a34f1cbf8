"""Reports: the right numbers, the right warnings, nothing said that the data do not support."""

from __future__ import annotations

import io
import json
import pickle
from importlib import resources
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from tests.conftest import matrices, recalls_of, tries

import howsure as hs
from howsure.errors import InvalidArgument, UnknownMetric
from howsure.io import read
from howsure.metrics import REGISTRY
from howsure.posterior.knowledge import knowledge_of
from howsure.reporting.report_sentences import width_sentence

SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/report.schema.json").read_text(encoding="utf-8")
)


def test_every_number_of_a_report_is_that_of_the_library(cocaine: hs.ConfusionMatrix) -> None:
    post = hs.infer(cocaine, "flat")
    for row in hs.report(post, level=0.9, kind="central").rows:
        known = knowledge_of(post).of(row.name)
        assert (row.low, row.high) == known.interval(0.9, "central")
        assert (row.mean, row.median, row.sd, row.mode) == (known.mean, known.median, known.sd, known.mode)
        assert row.observed == known.observed
        assert row.prior_shift == known.prior_shift
        if row.law == "exact":
            assert row.error == known.error
        else:
            assert row.error == known.law.interval_error(0.9, "central")  # type: ignore[attr-defined]


def test_what_is_asked_is_what_comes_once() -> None:
    post = hs.infer(hs.ConfusionMatrix([[9, 1], [2, 8]], labels=["a", "b"], positive="b"), "flat")
    assert [row.name for row in hs.report(post, ["tpr", "recall@b", "mcc"]).rows] == ["recall@b", "mcc"]
    assert [row.name for row in hs.report(post, "fbeta(beta=2)@macro").rows] == ["fbeta(beta=2)@macro"]
    with pytest.raises(UnknownMetric, match="Did you mean 'mcc'"):
        hs.report(post, ["mccc"])
    with pytest.raises(InvalidArgument, match="strictly between 0 and 1"):
        hs.report(post, level=95)
    with pytest.raises(InvalidArgument, match="'hdi' or 'central'"):
        hs.report(post, kind="eti")  # type: ignore[arg-type]


@pytest.mark.full
@given(matrices())
@settings(max_examples=tries(25))
def test_every_report_is_valid_json_of_its_schema(cm: hs.ConfusionMatrix) -> None:
    for prior in ("flat", "haldane", "perks"):
        made = hs.report(hs.infer(cm, prior), draws=200)
        data = json.loads(json.dumps(made.to_dict(), allow_nan=False))
        jsonschema.validate(data, SCHEMA)
        assert hs.ConfusionMatrix.from_dict(data) == cm
        for view in (str(made), made.to_markdown(), made._repr_html_()):
            assert "nan" not in view.lower()
            assert made.prior.name in view


def test_a_prior_that_does_the_talking_is_said() -> None:
    counts = np.diag(np.full(30, 16)) + np.eye(30, k=1, dtype=int) * 4
    made = hs.report(hs.infer(hs.ConfusionMatrix(counts), "flat"), draws=500)
    assert any("the flat prior moves balanced_accuracy by" in warning for warning in made.warnings)
    assert "The 10 lowest of" in str(made)
    few = hs.report(hs.infer(hs.ConfusionMatrix(np.diag([5] * 4)), "dirichlet1"), draws=500)
    assert any("dirichlet1" in warning for warning in few.warnings)


def test_rows_of_a_hundred_are_not_asked_about_where_cases_were_counted(tmp_path: Path) -> None:
    truth, said = ["a"] * 100 + ["b"] * 100, ["a"] * 90 + ["b"] * 105 + ["a"] * 5
    counted = [
        hs.ConfusionMatrix.from_predictions(truth, said),
        hs.Predictions(truth, {"it": said}).confusion("it"),
        hs.count(y_true=truth, y_pred=said).confusion(),
    ]
    counted.append(pickle.loads(pickle.dumps(counted[0])))
    (tmp_path / "cases.csv").write_text(
        "y_true,y_pred\n" + "".join(f"{t},{s}\n" for t, s in zip(truth, said, strict=True))
    )
    counted.append(read(tmp_path / "cases.csv").confusion)
    (tmp_path / "matrix.csv").write_text("true\\pred,a,b\na,90,10\nb,5,95\n")
    entered = [read(tmp_path / "matrix.csv").confusion, counted[0].transpose().transpose()]
    assert all(each == counted[0] for each in (*counted, *entered))
    for each in counted:
        assert not each.entered
        assert not any("percentages" in note for note in hs.report(hs.infer(each), ["accuracy"]).notes)
    assert entered[0].entered
    assert any("percentages" in note for note in hs.report(hs.infer(entered[0]), ["accuracy"]).notes)
    assert entered[0].transpose().entered


def test_of_many_classes_the_lowest_and_the_highest_are_listed() -> None:
    right = np.arange(60) + 5
    made = hs.report(hs.infer(hs.ConfusionMatrix(np.diag(right) + 5 * np.eye(60, k=1, dtype=int)), "flat"), draws=500)
    listed = [row.label for row in made.rows if row.metric == "recall"]
    # the last class has no errors, so the highest recall
    assert listed == [str(i) for i in [*range(10), *range(55, 60)]]
    assert {"f1@macro", "mcc", "kappa", "precision@0"} <= {row.name for row in made.rows}
    assert any("of 60 classes the 10 with the lowest recall and the 5 with the highest" in note for note in made.notes)


@pytest.mark.full
def test_where_draws_cost_minutes_the_report_keeps_to_exact_metrics() -> None:
    places = np.arange(200_000)
    made = hs.report(hs.infer(hs.ConfusionMatrix.from_cells(places, places, np.full(200_000, 9)), "flat"))
    assert {row.law for row in made.rows} == {"exact"}
    assert any("need draws are left out; name them to get them from 1,000 draws" in note for note in made.notes)


def test_an_empty_class_keeps_its_prior_and_the_observed_value_leaves_it_out() -> None:
    post = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [2, 8, 0], [0, 0, 0]], labels=["a", "b", "c"]), "flat")
    known = knowledge_of(post).of("balanced_accuracy")
    assert known.observed == pytest.approx((0.9 + 0.8) / 2)
    assert known.mean == pytest.approx((10 / 12 + 9 / 12 + 1 / 2) / 3)
    (said,) = [x for x in hs.report(post, ["balanced_accuracy"]).warnings if x.startswith("No case of")]
    assert "so is 1/3 of the balanced accuracy, whose observed value leaves it out" in said
    text = REGISTRY["balanced_accuracy"].description
    assert "prior's in the posterior" in text
    assert "none in what was observed" in text


def test_a_report_on_a_mostly_empty_table_holds_its_cells() -> None:
    cm = hs.ConfusionMatrix(np.diag(np.full(120, 9)))
    data = json.loads(json.dumps(hs.report(hs.infer(cm, "flat"), ["accuracy"]).to_dict()))
    jsonschema.validate(data, SCHEMA)
    assert data["cells"]["count"] == [9] * 120
    assert "counts" not in data
    assert read(io.StringIO(json.dumps(data))).confusion == cm


def test_lower_is_better_is_better_below_chance() -> None:
    made = hs.report(hs.infer(hs.ConfusionMatrix([[45, 5], [5, 45]]), "flat"), ["error_rate", "accuracy"])
    assert made["error_rate"].p_above_chance == pytest.approx(made["accuracy"].p_above_chance, abs=1e-9)
    assert made["error_rate"].p_above_chance > 0.999


def test_the_class_that_makes_the_width_is_named(cocaine: hs.ConfusionMatrix) -> None:
    assert "the 8 cases of class 'low'" in width_sentence(hs.infer(cocaine, "flat"))
    assert width_sentence(hs.infer(hs.ConfusionMatrix([[40, 10], [10, 40]]), "flat")) == ""


def test_draws_cannot_make_certain() -> None:
    perfect = hs.infer(hs.ConfusionMatrix(np.diag([30, 30, 30])), "flat")
    row = hs.report(perfect, ["mcc"], draws=1000).rows[0]
    assert (row.law, row.p_above_chance) == ("simulated", 1 - 1 / 1000)


def test_a_class_called_like_an_average_keeps_its_own_row() -> None:
    cm = hs.ConfusionMatrix([[6, 2, 1], [1, 20, 3], [0, 2, 9]], ["macro", "weighted", "z"])
    made = hs.report(hs.infer(cm, "flat"))
    assert made['recall@"macro"'].mean == pytest.approx(7 / 11)
    assert made['recall@"macro"'].label == "macro"
    assert [law.mean for law in recalls_of(hs.infer(cm, "flat"))] == pytest.approx([7 / 11, 21 / 26, 10 / 13])


def test_other_types_are_told_what_to_do(cocaine: hs.ConfusionMatrix) -> None:
    with pytest.raises(InvalidArgument, match=r"say report\(infer\(confusion\)\)"):
        hs.report(cocaine)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="no metric is asked for"):
        hs.report(hs.infer(cocaine), [])


@pytest.mark.full
def test_an_average_beyond_all_methods_is_a_row_without_an_answer() -> None:
    made = hs.report(hs.infer(hs.ConfusionMatrix([[2**50, 3], [5, 2**50]])))
    row = made["balanced_accuracy"]
    assert row.mean is None
    assert row.observed == pytest.approx(1)
    assert made["mcc"].mean == pytest.approx(1)
    assert any("No answer for balanced_accuracy" in warning and "too lopsided" in warning for warning in made.warnings)
    assert "no answer" in str(made)


def test_four_hundred_classes_are_reported() -> None:
    made = hs.report(hs.infer(hs.ConfusionMatrix(np.eye(400, dtype=int) * 9), "flat"), draws=200)
    assert len(made.rows) == 5 + 2 * 15


def test_chance_is_said_with_its_prior_and_rule() -> None:
    made = hs.report(hs.infer(hs.ConfusionMatrix([[1] * 9] * 9), "flat"), ["balanced_accuracy", "accuracy", "recall@0"])
    assert made.verdict.endswith(
        ". Better than chance (0.11) with probability 0.469, under a prior that expects chance."
    )
    assert "0.11 for balanced_accuracy, under a prior that expects chance (perks);" in str(made)
    first, second, third = made.to_dict()["metrics"]
    assert first["chance"] == {"value": 1 / 9, "prior": "perks", "rule": "a prior that expects chance"}
    assert first["p_above_chance"] == made["balanced_accuracy"].p_above_chance
    assert second["chance"]["prior"] == "paired flat"
    assert second["chance"]["rule"].startswith("paired with always predicting '0'")
    assert third["chance"] is third["p_above_chance"] is None
    head, line, *_ = made.to_csv().splitlines()
    assert dict(zip(head.split(","), line.split(","), strict=True))["chance_prior"] == "perks"
    jsonschema.validate(json.loads(json.dumps(made.to_dict())), SCHEMA)


def test_the_headline_has_the_name_that_was_asked_for_and_every_class_has_a_row() -> None:
    two = hs.infer(hs.ConfusionMatrix([[45, 5], [8, 42]], labels=["well", "ill"], positive="ill"))
    for asked, said in (
        ("sensitivity", "sensitivity (recall@ill) is 0."),
        ("ppv", "PPV (precision@ill) is 0."),
        ("TPR", "TPR (recall@ill) is 0."),
        ("recall", "recall@ill is 0."),
        ("sensitivity@well", "sensitivity (recall@well) is 0."),
        ("balanced_accuracy", "Balanced accuracy is 0."),
    ):
        assert hs.report(two, [asked]).verdict.startswith(said)
    three = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [2, 17, 1], [0, 4, 6]], labels=["cat", "dog", "cow"]))
    for asked in ("recall", "recall@each"):
        made = hs.report(three, [asked, "accuracy"])
        assert [row.name for row in made.rows] == ["recall@cat", "recall@dog", "recall@cow", "accuracy"]
        assert made.verdict.startswith("recall@cow, the lowest of 3 classes, is 0.")
    assert hs.report(three, ["false_negative_rate"]).verdict.startswith("false_negative_rate@cow, the highest of 3")
    assert [row.name for row in hs.report(two, ["precision@each"]).rows] == ["precision@well", "precision@ill"]
    each = hs.infer(hs.ConfusionMatrix([[9, 1, 0], [2, 17, 1], [0, 4, 6]], labels=["each", "dog", "cow"]))
    assert [row.name for row in hs.report(each, ["recall@each"]).rows] == ["recall@each"]
