"""Reports: every number, odd classes, the prior of the papers, groups, judged cases."""

from __future__ import annotations

import io
import json
import pickle
import runpy
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from tests.conftest import matrices, tries
from tests.posterior.test_grouped_rows import MADE, patients

import howsure as hs
from howsure.errors import InvalidArgument, UnknownMetric
from howsure.io import read
from howsure.metrics import REGISTRY, names
from howsure.numerics.populations.group_bootstrap import clustered_error
from howsure.posterior.knowledge import knowledge_of
from howsure.reporting.metric_cards import CLOSES, EMPTY, answers_on_empty, exactness, explanation, lookup

pytestmark = pytest.mark.filterwarnings("ignore::howsure.PriorShiftWarning")


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


# -- classes that are unlike the rest are named, judged by their own cases, and rarely named for nothing --------------


def table(right: list[int], cases: int) -> hs.ConfusionMatrix:
    """Errors go to the next class."""
    size = len(right)
    counts = np.zeros((size, size), dtype=int)
    for i, k in enumerate(right):
        counts[i, i], counts[i, (i + 1) % size] = k, cases - k
    return hs.ConfusionMatrix(counts, [f"c{i}" for i in range(size)])


def about_the_odd(report: hs.Report) -> list[str]:
    return [note for note in report.notes if "from the others (" in note]


def test_a_dead_class_is_judged_by_its_own_cases_and_named() -> None:
    made = hs.report(hs.infer(table([0] + [19] * 99, 20)), ["recall@c0", "recall@c1", "balanced_accuracy"])
    dead, healthy = made["recall@c0"], made["recall@c1"]
    assert (round(dead.mean or 1, 2), round(dead.low or 0, 2), round(dead.high or 1, 2)) == (0.02, 0.0, 0.09)
    assert healthy.mean == pytest.approx(0.949, abs=2e-3)
    assert about_the_odd(made) == [
        "class 'c0' stands out from the others (0 of 20 right, a typical other one has 0.95): its recall is below "
        "0.85, "
        "where none of them is expected, with probability >0.99. A wrong label mapping looks like this."
    ]


def test_of_many_odd_classes_three_are_told() -> None:
    made = hs.report(hs.infer(table([0] * 6 + [19] * 60, 20)), ["recall@c0"])
    notes = about_the_odd(made)
    assert len(notes) == 3
    assert "And 3 more classes stand out from the others (c3, c4, c5)." in notes[-1]


@pytest.mark.full
@pytest.mark.parametrize(("others", "cases"), [(20, 20), (60, 60)])
def test_among_perfect_classes_a_broken_one_is_named(others: int, cases: int) -> None:
    """A population of such classes has the shape of a U, in which the broken one is no stranger."""
    right = [others] * 9
    for broken in (0, int(0.3 * cases)):
        made = hs.report(hs.infer(table([broken, *right], cases)), ["recall@c0"])
        (note,) = about_the_odd(made)
        assert f"class 'c0' stands out from the others ({broken} of {cases} right" in note


@pytest.mark.full
@pytest.mark.parametrize("prior", ["flat", "jeffreys"])
def test_other_priors_know_no_population(prior: str) -> None:
    made = hs.report(hs.infer(table([0] + [19] * 20, 20), prior))
    assert not about_the_odd(made)
    assert made.learned is None


@pytest.mark.full
def test_false_notes_are_rare() -> None:
    """None of 40 tables of unlike classes without an odd one (Beta(8, 2), 20 cases each) has more than one."""
    rng = np.random.default_rng(8)
    told = []
    for _ in range(40):
        right = rng.binomial(20, rng.beta(8, 2, 12)).tolist()
        told.append(len(about_the_odd(hs.report(hs.infer(table(right, 20), "learned"), ["balanced_accuracy"]))))
    assert sum(told) <= 3


# -- the papers' number beside a report of a few classes, and what the report says of its own prior -------------------


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


# -- what a report says of groups -------------------------------------------------------------------------------------


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


# -- the report of a table with missing truths: its sentences, its table, its notes, its data -------------------------

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


# -- what is said about metrics is found out from them, and the page of metrics is up to date -------------------------

ROOT = Path(__file__).parents[2]


@pytest.mark.sweep(48, full=63)
@pytest.mark.parametrize("name", names())
def test_an_explanation_is_complete(name: str) -> None:
    metric = REGISTRY[name]
    parts = explanation(metric)
    assert {"formula", "of", "range", "better", "method", "reference", "empty"} <= set(parts)
    assert parts["method"] in CLOSES.values()
    assert ("scikit-learn" in parts) == bool(metric.sklearn)
    assert set(answers_on_empty(metric)) == set(EMPTY)
    assert answers_on_empty(metric)["no case at all"] == ("0" if metric.undefined == 0 else "undefined")


def test_exactness_is_what_a_posterior_does() -> None:
    assert exactness(lookup("balanced_accuracy")) == "exact"
    assert exactness(lookup("f1")).startswith("exact for two classes")
    assert exactness(lookup("mutual_information")) == "simulated"
    assert exactness(lookup("macro_mean_absolute_error")) == "exact"
    assert (
        exactness(lookup("mean_squared_error"))
        == "exact for two classes or at a stated prevalence, otherwise simulated"
    )
    three = hs.infer(hs.ConfusionMatrix(np.eye(3, dtype=int) * 9), "flat")
    assert three.of("specificity@0").route == "simulated"
    assert three.at_prevalence([0.2, 0.3, 0.5]).of("specificity@0").route == "exact"
    assert exactness(lookup("specificity")) == "exact for two classes or at a stated prevalence, otherwise simulated"


def test_the_page_of_metrics_is_up_to_date() -> None:
    script = runpy.run_path(str(ROOT / "docs" / "make_metrics.py"))
    assert script["page"]() == (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8"), "run: make metrics"
