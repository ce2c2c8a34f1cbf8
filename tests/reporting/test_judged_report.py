"""The report of a table with missing truths: its sentences, its table, its notes, its data."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import numpy as np
import pytest

import howsure as hs
from howsure.errors import InvalidArgument

SCHEMA = json.loads(
    resources.files("howsure.answers").joinpath("schemas/report.schema.json").read_text(encoding="utf-8")
)
ANSWERS = hs.ConfusionMatrix([[22, 7], [6, 65]], labels=["fail", "pass"], unlabelled={"fail": 572, "pass": 1328})
UNCHECKED = hs.ConfusionMatrix(
    [[20, 3, 0], [4, 60, 0]],
    labels=["fail", "pass"],
    verdicts=["fail", "pass", "unsure"],
    unlabelled={"fail": 376, "pass": 1137, "unsure": 300},
)


def text(table: hs.ConfusionMatrix, **options: object) -> str:
    return str(hs.report(hs.infer(table), **options))  # type: ignore[arg-type]


@pytest.mark.full
@pytest.mark.parametrize("table", [ANSWERS, UNCHECKED], ids=["two", "unsure"])
@pytest.mark.parametrize("how_chosen", ["random", "by-verdict", "other"])
def test_json_keeps_its_schema(table: hs.ConfusionMatrix, how_chosen: str) -> None:
    data = hs.report(hs.infer(table), ["prevalence@pass"], how_chosen=how_chosen).to_dict()
    jsonschema.validate(json.loads(json.dumps(data)), SCHEMA)
    assert data["judged"]["how_chosen"] == how_chosen
    assert ("not_at_random" in data["judged"]) == (how_chosen == "other")
    assert data["judged"]["n"] == int(table.verdicts.n)  # type: ignore[union-attr]


def test_a_choice_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="how_chosen"):
        hs.report(hs.infer(ANSWERS), how_chosen="randomly")


def test_a_verdict_that_nobody_checked_is_a_warning_where_it_is_common() -> None:
    made = hs.report(hs.infer(UNCHECKED))
    assert made.warnings[0].startswith("16% of the cases have the verdict 'unsure', which nobody checked")
    assert made["prevalence@pass"].observed is None
    assert made["precision@pass"].observed is not None
    rare = hs.ConfusionMatrix(
        [[20, 3, 0], [4, 60, 0]], ["fail", "pass"], verdicts=["fail", "pass", "unsure"], unlabelled=[376, 1137, 30]
    )
    made = hs.report(hs.infer(rare))
    assert not made.warnings
    assert any("nobody checked" in note for note in made.notes)


@pytest.mark.full
def test_few_labels_a_useless_judge_and_labels_by_verdict_are_said() -> None:
    few = hs.ConfusionMatrix([[4, 1], [0, 12]], ["fail", "pass"], unlabelled=[200, 800])
    assert "17 labels: in simulations such 95% intervals contained the truth in 88 to 97%." in text(few)
    rare = hs.ConfusionMatrix([[1, 1], [1, 97]], ["fail", "pass"], unlabelled=[50, 1800])
    assert "labels expected of the rarest class" in text(rare)
    useless = hs.ConfusionMatrix([[40, 80], [80, 160]], ["fail", "pass"], unlabelled=[500, 1100])
    assert "the judge adds almost nothing" in text(useless)
    halves = hs.ConfusionMatrix([[32, 1], [18, 49]], ["fail", "pass"], unlabelled=[50, 850])
    assert "the labels look chosen by verdict" in text(halves)
    assert "the labels look chosen by verdict" not in text(halves, how_chosen="by-verdict")
    numbers = [hs.report(hs.infer(halves), how_chosen=how).rows[0].mean for how in ("random", "by-verdict")]
    assert numbers[0] == numbers[1]


def test_an_audit_is_about_the_classifier() -> None:
    rng = np.random.default_rng(1)
    truth = rng.random(2000) < 0.4
    called, said = (np.where(rng.random(2000) < right, truth, ~truth) for right in (0.85, 0.9))
    words = np.array(["no", "yes"])
    labels = [*words[truth[:150].astype(int)].tolist(), *[None] * 1850]
    table = hs.ConfusionMatrix.from_predictions(
        labels, words[called.astype(int)].tolist(), judge=words[said.astype(int)].tolist(), missing="estimate"
    )
    made = hs.report(hs.infer(table))
    assert made.verdict.startswith("Accuracy is 8")
    assert [row.name for row in made.rows][:2] == ["accuracy", "f1@yes"]
    assert made.judged is not None
    assert made.judged.worth > 1.4 * 150
    assert made.judged.alone is not None
    assert abs(made.judged.alone[0] - np.mean(called == said)) < 1e-12
    assert "Prior of what is true of a verdict: learned from all 4 verdicts." in str(made)


@pytest.mark.full
def test_three_classes_and_grades_have_reports() -> None:
    grades = hs.ConfusionMatrix(
        [[9, 5, 3, 1, 0], [0, 2, 6, 13, 11]], ["fail", "pass"], verdicts=[1, 2, 3, 4, 5], unlabelled=[100] * 5
    )
    made = hs.report(hs.infer(grades))
    assert [row.name for row in made.rows] == ["prevalence@pass", "prevalence@fail"]
    assert "Counted by the judge alone" not in made.verdict
    three = hs.ConfusionMatrix([[9, 1, 0], [2, 9, 1], [0, 1, 9]], ["a", "b", "c"], unlabelled=[300, 400, 200])
    made = hs.report(hs.infer(three))
    assert made.rows[0].name == "prevalence@b"
    assert {"f1@macro", "mcc", "recall@a", "precision@c"} <= {row.name for row in made.rows}


def test_classical_companions_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="need the truth of every case"):
        hs.report(hs.infer(ANSWERS), companions=True)
